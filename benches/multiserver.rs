//! What the queues of several hosts promise: M/M/500 in a third of a microsecond, a million hosts in a tenth of a millisecond.

use divan::{Bencher, black_box};
use queueing::multiserver::Target;
use queueing::prelude::*;

fn main() {
    divan::main();
}

fn farm<S: JobSize>(size: S, hosts: usize, load: f64) -> Farm<S> {
    Farm::with_load(size, Hosts::identical(hosts).unwrap(), load).unwrap()
}

fn exponential() -> Exponential {
    Exponential::with_mean(1.0).unwrap()
}

/// Near saturation, where the most terms are summed.
#[divan::bench(args = [1, 10, 64, 65, 500, 10_000, 1_000_000])]
fn mmn_at_load_0_9999(bencher: Bencher, hosts: usize) {
    let farm = farm(exponential(), hosts, 0.9999);
    bencher.bench(|| multiserver::mmn(black_box(&farm)));
}

#[divan::bench(args = [500, 1_000_000])]
fn mmn_at_load_0_9(bencher: Bencher, hosts: usize) {
    let farm = farm(exponential(), hosts, 0.9);
    bencher.bench(|| multiserver::mmn(black_box(&farm)));
}

#[divan::bench(args = [500, 1_000_000])]
fn erlang_b_at_saturation(bencher: Bencher, hosts: usize) {
    let (hosts, load) = (Hosts::identical(hosts).unwrap(), hosts as f64);
    bencher.bench(|| multiserver::erlang_b(black_box(hosts), black_box(load)));
}

#[divan::bench]
fn mmnk_of_500_hosts(bencher: Bencher) {
    let farm = farm(exponential(), 500, 0.99);
    bencher.bench(|| multiserver::mmnk(black_box(&farm), 600));
}

#[divan::bench(args = [10, 500, 100_000])]
fn staffing_by_offered_load(bencher: Bencher, load: usize) {
    let jobs = Workload::with_load(exponential(), load as f64).unwrap();
    let target = Target::WaitingTimeQuantile { probability: 0.95, time: 0.1 };
    bencher.bench(|| multiserver::staffing(black_box(&jobs), target));
}

/// By the walk at n(1−ρ)² >= 1, by the roots below.
#[divan::bench(args = [(10, 0.5), (10, 0.68), (10, 0.95), (100, 0.89), (100, 0.99), (1000, 0.96), (1000, 0.99), (1_000_000, 0.9999)])]
fn mdn(bencher: Bencher, (hosts, load): (usize, f64)) {
    let farm = farm(Deterministic::new(1.0).unwrap(), hosts, load);
    bencher.bench(|| multiserver::mdn(black_box(&farm)));
}

#[divan::bench]
fn kimura_of_10_hosts(bencher: Bencher) {
    let farm = farm(BoundedPareto::new(1.0, 1e6, 1.5).unwrap(), 10, 0.8);
    bencher.bench(|| multiserver::kimura(black_box(&farm)));
}

#[divan::bench]
fn boxma_cohen_huffels_of_10_hosts(bencher: Bencher) {
    let farm = farm(BoundedPareto::new(1.0, 1e6, 1.5).unwrap(), 10, 0.8);
    bencher.bench(|| multiserver::boxma_cohen_huffels(black_box(&farm)));
}

#[divan::bench(args = [2, 10, 50, 100])]
fn mphn_of_two_phases(bencher: Bencher, hosts: usize) {
    let size = HyperExponential::balanced(1.0, 4.0).unwrap().phase_type().unwrap();
    let farm = farm(size, hosts, 0.8);
    bencher.bench(|| multiserver::mphn(black_box(&farm)));
}

#[divan::bench]
fn least_work_left_of_a_bounded_pareto_on_8_hosts(bencher: Bencher) {
    let farm = farm(BoundedPareto::new(1.0, 1e6, 1.5).unwrap(), 8, 0.8);
    bencher.bench(|| farm::least_work_left(black_box(&farm)));
}
