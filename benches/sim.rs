//! What the simulator promises: jobs a second on one core, exponential sizes, with means, squares, slowdowns and the histogram.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use queueing::prelude::*;
use queueing::sim::{self, Dispatch, Run, Stealing};
use queueing::stealing::Renaming;

const JOBS: u64 = 1_000_000;

fn main() {
    divan::main();
}

fn run() -> Run<'static> {
    Run::new(1).jobs(JOBS).replications(1).warm_up(0).threads(1)
}

fn farm(hosts: usize, load: f64) -> Farm<Exponential> {
    Farm::with_load(Exponential::with_mean(1.0).unwrap(), Hosts::identical(hosts).unwrap(), load).unwrap()
}

fn simulate(bencher: Bencher, farm: &Farm<Exponential>, dispatch: &Dispatch, discipline: Discipline) {
    bencher.counter(ItemsCount::new(JOBS)).bench(|| sim::farm(black_box(farm), dispatch, discipline, &run()));
}

#[divan::bench(sample_count = 20, args = [1, 8, 1000])]
fn round_robin(bencher: Bencher, hosts: usize) {
    simulate(bencher, &farm(hosts, 0.8), &Dispatch::RoundRobin, Discipline::Fcfs);
}

#[divan::bench(sample_count = 20, args = [2, 8, 100])]
fn sita(bencher: Bencher, hosts: usize) {
    let farm = farm(hosts, 0.8);
    let cutoffs = queueing::farm::sita::equal_load(&farm).unwrap();
    simulate(bencher, &farm, &Dispatch::Sita(cutoffs), Discipline::Fcfs);
}

#[divan::bench(sample_count = 20, args = [2, 10, 24, 100, 10_000])]
fn least_work_left(bencher: Bencher, hosts: usize) {
    simulate(bencher, &farm(hosts, 0.8), &Dispatch::LeastWorkLeft, Discipline::Fcfs);
}

#[divan::bench(sample_count = 20, args = [10, 100, 10_000])]
fn join_idle_queue(bencher: Bencher, hosts: usize) {
    simulate(bencher, &farm(hosts, 0.8), &Dispatch::JoinIdleQueue, Discipline::Fcfs);
}

#[divan::bench(sample_count = 20, args = [10, 100, 10_000])]
fn jsq_2(bencher: Bencher, hosts: usize) {
    simulate(bencher, &farm(hosts, 0.8), &Dispatch::ShortestOf(2), Discipline::Fcfs);
}

#[divan::bench(sample_count = 20, args = [10, 100, 10_000])]
fn join_shortest_queue(bencher: Bencher, hosts: usize) {
    simulate(bencher, &farm(hosts, 0.8), &Dispatch::JoinShortestQueue, Discipline::Fcfs);
}

#[divan::bench(sample_count = 20, args = Discipline::ALL)]
fn one_host_at_load_0_9(bencher: Bencher, discipline: Discipline) {
    simulate(bencher, &farm(1, 0.9), &Dispatch::Random, discipline);
}

#[divan::bench(sample_count = 20, args = [
    Stealing::Dedicated,
    Stealing::ImmediateDispatch,
    Stealing::CentralQueue(Renaming::Never),
    Stealing::CentralQueue(Renaming::Eager),
    Stealing::CentralQueue(Renaming::Lazy),
    Stealing::BothWays,
])]
fn cycle_stealing(bencher: Bencher, stealing: Stealing) {
    let jobs = |load| Workload::with_load(Exponential::with_mean(1.0).unwrap(), load).unwrap();
    let (shorts, longs, one) = (jobs(0.9), jobs(0.5), Hosts::identical(1).unwrap());
    let simulate = || sim::stealing(black_box(&shorts), black_box(&longs), one, one, stealing, &run());
    bencher.counter(ItemsCount::new(JOBS)).bench(simulate);
}

/// Sizes that laws draw themselves.
#[divan::bench(sample_count = 20, args = [
    "exponential:mean=1",
    "erlang:stages=4,mean=1",
    "hyperexponential:mean=1,scv=4",
    "bounded-pareto:k=1,p=1e6,alpha=1.5",
    "weibull:mean=1,scv=4",
    "lognormal:mean=1,scv=4",
    "gamma:mean=1,scv=4",
    "coxian2:rate1=2,rate2=0.1,p=0.15",
])]
fn sizes(bencher: Bencher, text: &str) {
    let law: Law = text.parse().unwrap();
    let mut random = queueing::Random::new(1);
    let mut sizes = vec![0.0; 1000];
    bencher.counter(ItemsCount::new(1000_u64)).bench_local(|| law.draw(&mut random, black_box(&mut sizes)));
}
