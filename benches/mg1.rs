//! Disciplines of one host, priorities, and the tails of waiting.

use divan::{Bencher, black_box};
use queueing::prelude::*;

fn main() {
    divan::main();
}

fn web_files() -> Workload<BoundedPareto> {
    Workload::with_load(BoundedPareto::new(332.0, 1e10, 1.1).unwrap(), 0.9).unwrap()
}

fn two_branches() -> Workload<HyperExponential> {
    Workload::with_load(HyperExponential::two(0.9, 0.5, 8.0).unwrap(), 0.7).unwrap()
}

/// The Google trace: 526 sizes.
fn trace() -> Workload<Empirical> {
    let text = include_str!("../data/google-2011-job-runtimes.csv");
    let atoms: Vec<(f64, f64)> = text
        .lines()
        .skip(1)
        .map(|line| line.split_once(',').unwrap())
        .map(|(size, count)| (size.parse().unwrap(), count.parse().unwrap()))
        .collect();
    Workload::with_load(Empirical::from_atoms(&atoms).unwrap(), 0.8).unwrap()
}

#[divan::bench(args = [Discipline::Srpt, Discipline::PreemptiveSjf, Discipline::Sjf, Discipline::Fb])]
fn a_bounded_pareto_under(bencher: Bencher, discipline: Discipline) {
    let jobs = web_files();
    bencher.bench(|| mg1::performance(black_box(&jobs), discipline));
}

#[divan::bench(args = [Discipline::Srpt, Discipline::PreemptiveSjf, Discipline::Sjf, Discipline::Fb])]
fn one_size_of_a_bounded_pareto_under(bencher: Bencher, discipline: Discipline) {
    let jobs = web_files();
    bencher.bench(|| mg1::response_time_given_size(black_box(&jobs), discipline, black_box(1e6)));
}

#[divan::bench]
fn srpt_of_a_weibull(bencher: Bencher) {
    let jobs = Workload::with_load(Weibull::new(0.5, 1.0).unwrap(), 0.7).unwrap();
    bencher.bench(|| mg1::srpt(black_box(&jobs)));
}

#[divan::bench]
fn srpt_of_two_branches(bencher: Bencher) {
    let jobs = two_branches();
    bencher.bench(|| mg1::srpt(black_box(&jobs)));
}

#[divan::bench]
fn srpt_of_a_phase_type(bencher: Bencher) {
    let size = queueing::size::PhaseType::coxian2(2.0, 0.1, 0.15).unwrap();
    let jobs = Workload::with_load(size, 0.7).unwrap();
    bencher.bench(|| mg1::srpt(black_box(&jobs)));
}

#[divan::bench]
fn srpt_of_a_trace_of_526_sizes(bencher: Bencher) {
    let jobs = trace();
    bencher.bench(|| mg1::srpt(black_box(&jobs)));
}

#[divan::bench(args = [0.9, 0.99, 0.999])]
fn waiting_percentile_of_a_bounded_pareto(bencher: Bencher, p: f64) {
    let jobs = web_files();
    bencher.bench(|| mg1::waiting_time_quantile(black_box(&jobs), p));
}

#[divan::bench(args = [0.9, 0.99, 0.999])]
fn waiting_percentile_of_two_branches(bencher: Bencher, p: f64) {
    let jobs = two_branches();
    bencher.bench(|| mg1::waiting_time_quantile(black_box(&jobs), p));
}

#[divan::bench(args = [0.9, 0.99, 0.999])]
fn waiting_percentile_of_a_trace_of_526_sizes(bencher: Bencher, p: f64) {
    let jobs = trace();
    bencher.bench(|| mg1::waiting_time_quantile(black_box(&jobs), p));
}

#[divan::bench]
fn response_percentile_of_a_bounded_pareto(bencher: Bencher) {
    let jobs = web_files();
    bencher.bench(|| mg1::response_time_quantile(black_box(&jobs), 0.99));
}
