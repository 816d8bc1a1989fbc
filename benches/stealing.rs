//! Cycle stealing: both solvers, the sweep, and the split of one workload. The cases A to E are those of `docs/accuracy.md`.

use divan::{Bencher, black_box};
use queueing::prelude::*;
use queueing::stealing::{CentralQueue, ImmediateDispatch, Policy, Renaming};

fn main() {
    divan::main();
}

/// (shorts, longs) of the cases at short load 0.9.
fn case(name: &str) -> (Workload, Workload) {
    let exponential = |mean: f64| -> Law { Exponential::with_mean(mean).unwrap().into() };
    let (short, long, long_load) = match name {
        "A" => (1.0, exponential(1.0), 0.5),
        "B" => (1.0, exponential(10.0), 0.5),
        "C" => (10.0, exponential(1.0), 0.5),
        "D" => (1.0, HyperExponential::balanced(10.0, 8.0).unwrap().into(), 0.5),
        "E" => (1.0, exponential(1.0), 0.8),
        "Erlang" => (1.0, Erlang::with_mean(4, 10.0).unwrap().into(), 0.5),
        "equal" => (1.0, Deterministic::new(1.0).unwrap().into(), 0.5),
        "Pareto" => (1.0, BoundedPareto::new(1.0, 1e3, 1.5).unwrap().into(), 0.5),
        "Weibull" => (1.0, Weibull::new(0.5, 5.0).unwrap().into(), 0.5),
        other => panic!("{other}"),
    };
    (Workload::with_load(exponential(short), 0.9).unwrap(), Workload::with_load(long, long_load).unwrap())
}

fn two_phase_shorts() -> Workload {
    Workload::with_load(HyperExponential::balanced(1.0, 8.0).unwrap().into(), 0.9).unwrap()
}

#[divan::bench(args = ["A", "D"])]
fn reduction_immediate(bencher: Bencher, name: &str) {
    let (shorts, longs) = case(name);
    bencher.bench(|| stealing::immediate_dispatch(black_box(&shorts), &longs, ImmediateDispatch::default()));
}

#[divan::bench(args = ["A", "D"])]
fn reduction_central(bencher: Bencher, name: &str) {
    let (shorts, longs) = case(name);
    bencher.bench(|| stealing::central_queue(black_box(&shorts), &longs, CentralQueue::default()));
}

#[divan::bench]
fn reduction_immediate_two_phase_shorts(bencher: Bencher) {
    let (shorts, longs) = (two_phase_shorts(), case("A").1);
    bencher.bench(|| stealing::immediate_dispatch(black_box(&shorts), &longs, ImmediateDispatch::default()));
}

#[divan::bench]
fn reduction_central_two_phase_shorts(bencher: Bencher) {
    let (shorts, longs) = (two_phase_shorts(), case("A").1);
    bencher.bench(|| stealing::central_queue(black_box(&shorts), &longs, CentralQueue::default()));
}

#[divan::bench(args = ["A", "B", "C", "D", "E", "Erlang", "equal", "Pareto", "Weibull"])]
fn refined_immediate(bencher: Bencher, name: &str) {
    let (shorts, longs) = case(name);
    bencher.bench(|| {
        stealing::immediate_dispatch(black_box(&shorts), &longs, ImmediateDispatch::default().tolerance(1e-8))
    });
}

#[divan::bench(args = ["A", "B", "C", "D", "E", "Erlang", "equal", "Pareto", "Weibull"])]
fn refined_never(bencher: Bencher, name: &str) {
    let (shorts, longs) = case(name);
    bencher.bench(|| stealing::central_queue(black_box(&shorts), &longs, CentralQueue::default().tolerance(1e-8)));
}

#[divan::bench(args = ["A", "B", "C", "D", "E"])]
fn refined_eager(bencher: Bencher, name: &str) {
    let (shorts, longs) = case(name);
    let options = CentralQueue::default().renaming(Renaming::Eager).tolerance(1e-8);
    bencher.bench(|| stealing::central_queue(black_box(&shorts), &longs, options));
}

#[divan::bench(args = ["A", "B", "C", "D"])]
fn refined_lazy(bencher: Bencher, name: &str) {
    let (shorts, longs) = case(name);
    let options = CentralQueue::default().renaming(Renaming::Lazy).tolerance(1e-6);
    bencher.bench(|| stealing::central_queue(black_box(&shorts), &longs, options));
}

#[divan::bench]
fn sweep_of_200_loads(bencher: Bencher) {
    let (short, longs) = (Exponential::with_mean(1.0).unwrap(), case("A").1);
    let loads: Vec<f64> = (1..=200).map(|i| 1.45 * f64::from(i) / 200.0).collect();
    let policies = [
        Policy::Dedicated,
        Policy::ImmediateDispatch,
        Policy::CentralQueue(Renaming::Never),
        Policy::CentralQueue(Renaming::Eager),
    ];
    bencher.bench(|| stealing::sweep(black_box(&short), &longs, &loads, &policies, None));
}

#[divan::bench(args = [Policy::ImmediateDispatch, Policy::CentralQueue(Renaming::Never)])]
fn optimal_cutoff(bencher: Bencher, policy: Policy) {
    let jobs = Workload::with_load(BoundedPareto::new(1.0, 1e4, 1.2).unwrap(), 1.4).unwrap();
    bencher.bench(|| stealing::optimal_cutoff(black_box(&jobs), Metric::MeanResponseTime, policy));
}

#[divan::bench]
fn two_long_hosts(bencher: Bencher) {
    let shorts = Workload::new(1.5, Exponential::with_mean(1.0).unwrap()).unwrap();
    let longs = Workload::new(1.0, Exponential::with_mean(1.0).unwrap()).unwrap();
    let options = CentralQueue::default().long_hosts(2).tolerance(1e-6);
    bencher.bench(|| stealing::central_queue(black_box(&shorts), &longs, options));
}
