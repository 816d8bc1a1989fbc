//! What the foundation promises: moments in nanoseconds, cutoffs in microseconds.

use divan::{Bencher, black_box};
use queueing::prelude::*;

fn main() {
    divan::main();
}

fn sizes() -> BoundedPareto {
    BoundedPareto::new(332.0, 1e10, 1.1).unwrap()
}

fn farm<S: JobSize>(size: S, hosts: usize, load: f64) -> Farm<S> {
    Farm::with_load(size, Hosts::identical(hosts).unwrap(), load).unwrap()
}

#[divan::bench]
fn pollaczek_khinchine_of_a_bounded_pareto(bencher: Bencher) {
    let jobs = Workload::with_load(sizes(), 0.8).unwrap();
    bencher.bench(|| mg1::fcfs(black_box(&jobs)));
}

#[divan::bench]
fn sita_e_cutoffs_of_8_hosts(bencher: Bencher) {
    let farm = farm(sizes(), 8, 0.8);
    bencher.bench(|| sita::equal_load(black_box(&farm)));
}

#[divan::bench]
fn sita_e_of_8_hosts(bencher: Bencher) {
    let farm = farm(sizes(), 8, 0.8);
    bencher.bench(|| sita::evaluate(black_box(&farm), &sita::equal_load(&farm)?, Discipline::Fcfs));
}

#[divan::bench(args = [2, 3, 4, 8, 32])]
fn sita_v_of_a_bounded_pareto(bencher: Bencher, hosts: usize) {
    let farm = farm(sizes(), hosts, 0.7);
    bencher.bench(|| sita::optimal(black_box(&farm), Metric::MeanSlowdown, Discipline::Fcfs));
}

#[divan::bench(args = [2, 8])]
fn sita_v_of_a_weibull(bencher: Bencher, hosts: usize) {
    let farm = farm(Weibull::new(0.5, 1.0).unwrap(), hosts, 0.7);
    bencher.bench(|| sita::optimal(black_box(&farm), Metric::MeanWaitingTime, Discipline::Fcfs));
}

#[divan::bench]
fn sita_v_of_a_trace_of_526_atoms_on_8_hosts(bencher: Bencher) {
    let text = include_str!("../data/google-2011-job-runtimes.csv");
    let atoms: Vec<(f64, f64)> = text
        .lines()
        .skip(1)
        .map(|line| line.split_once(',').unwrap())
        .map(|(size, count)| (size.parse().unwrap(), count.parse().unwrap()))
        .collect();
    let farm = farm(Empirical::from_atoms(&atoms).unwrap(), 8, 0.8);
    bencher.bench(|| sita::optimal(black_box(&farm), Metric::MeanWaitingTime, Discipline::Fcfs));
}

#[divan::bench(sample_count = 10)]
fn a_million_sizes_to_empirical(bencher: Bencher) {
    let law = sizes();
    let mut state = 1_u64;
    let sizes: Vec<f64> = (0..1_000_000)
        .map(|_| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            law.quantile((state >> 11) as f64 / (1_u64 << 53) as f64)
        })
        .collect();
    bencher.bench(|| Empirical::from_sizes(black_box(&sizes)));
}

#[divan::bench]
fn partial_moments_of_a_bounded_pareto(bencher: Bencher) {
    let law = sizes();
    bencher.bench(|| law.partial_moment(black_box(2.0), black_box(1e4), black_box(1e6)));
}
