//! How simulations are run: determinism, stop rules, warm-up, traces, tasks, estimates, bad input.
#![cfg(feature = "sim")]

mod common;

use queueing::farm::sita::Cutoffs;
use queueing::prelude::*;
use queueing::sim::{self, Dispatch, Histogram, Input, Method, Record, Run, Service, Simulated, Stealing, System};
use queueing::stealing::Renaming;
use std::sync::atomic::{AtomicU64, Ordering};

fn exponential(load: f64) -> Workload<Exponential> {
    Workload::with_load(Exponential::with_mean(1.0).unwrap(), load).unwrap()
}

fn one(service: impl Into<Service>) -> System {
    System::Farm { hosts: Hosts::identical(1).unwrap(), dispatch: Dispatch::Random, service: service.into() }
}

fn farm_system(hosts: usize, dispatch: Dispatch, discipline: Discipline) -> System {
    System::Farm { hosts: Hosts::identical(hosts).unwrap(), dispatch, service: discipline.into() }
}

fn bits(seen: &Simulated) -> Vec<u64> {
    let samples = [&seen.overall].into_iter().chain(&seen.classes).chain(seen.bins.iter().map(|bin| &bin.sample));
    let numbers = |sample: &sim::Sample| {
        let mut numbers: Vec<f64> = sample.performance().metrics().map(|(_, estimate)| estimate.value).collect();
        numbers.push(sample.half_width(Metric::MeanResponseTime, 0.95, Method::Batches).unwrap());
        numbers.push(sample.response_time_quantile(0.9).unwrap().value);
        numbers
    };
    samples.flat_map(numbers).map(f64::to_bits).collect()
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    let (shorts, longs) = (exponential(0.9), exponential(0.5));
    let hosts = Hosts::identical(2).unwrap();
    let farm = Farm::with_load(Exponential::with_mean(1.0).unwrap(), Hosts::identical(5).unwrap(), 0.8).unwrap();
    for threads in [2, 3, 16] {
        let run = |threads| Run::new(3).jobs(40_000).replications(7).threads(threads).size_bins(&[0.5, 2.0]);
        let stealing = |threads| {
            let policy = Stealing::CentralQueue(Renaming::Lazy);
            bits(&sim::stealing(&shorts, &longs, hosts, hosts, policy, &run(threads)).unwrap())
        };
        assert_eq!(stealing(1), stealing(threads));
        for dispatch in [Dispatch::RoundRobin, Dispatch::JoinIdleQueue, Dispatch::ShortestOf(2)] {
            let seen = |threads| {
                let run = run(threads).until(Metric::MeanResponseTime, 0.05);
                bits(&sim::farm(&farm, &dispatch, Discipline::Fcfs, &run).unwrap())
            };
            assert_eq!(seen(1), seen(threads), "{dispatch:?}");
        }
    }
}

/// Pinned: a change of these numbers is a change of every simulated result.
#[test]
fn golden_streams() {
    let farm = Farm::with_load(Exponential::with_mean(1.0).unwrap(), Hosts::identical(3).unwrap(), 0.7).unwrap();
    let run = Run::new(42).jobs(10_000).replications(2);
    let mut found = Vec::new();
    for dispatch in [
        Dispatch::Random,
        Dispatch::RoundRobin,
        Dispatch::JoinShortestQueue,
        Dispatch::ShortestOf(2),
        Dispatch::JoinIdleQueue,
        Dispatch::LeastWorkLeft,
        Dispatch::Sita(Cutoffs::new(&[0.8, 2.0]).unwrap()),
    ] {
        let seen = sim::farm(&farm, &dispatch, Discipline::Fcfs, &run).unwrap();
        found.push(seen.overall.estimate(Metric::MeanWaitingTime).unwrap().value);
    }
    for discipline in Discipline::ALL {
        let seen = sim::mg1(&exponential(0.7), discipline, &run).unwrap();
        found.push(seen.overall.estimate(Metric::MeanWaitingTime).unwrap().value);
    }
    let expected = [
        2.292024099548054,
        1.3614293339323915,
        0.7130695031048508,
        0.8842144877241884,
        0.9420015929206338,
        0.5390934433246737,
        2.397410561953389,
        2.327931226006065,
        2.4176388240541042,
        2.351264969737908,
        2.2997743907289316,
        2.4364345742946507,
        1.2894758437874652,
        1.064640410007039,
        0.8548513949664975,
        2.289321392071347,
        11.453225951873078,
    ];
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        // ln and exp of the platform are in them.
        assert_close!(*found, expected, 1e-12);
    }
}

#[test]
fn a_target_stops_early_and_a_watch_is_told() {
    let jobs = exponential(0.5);
    let calls = AtomicU64::new(0);
    let watch = |progress: &sim::Progress| {
        assert!(progress.jobs <= progress.of && progress.relative_half_width.is_some());
        calls.fetch_add(1, Ordering::Relaxed);
        true
    };
    let run = Run::new(1).jobs(4_000_000).until(Metric::MeanResponseTime, 0.02);
    let seen = sim::mg1(&jobs, Discipline::Fcfs, &run.clone().watch(&watch)).unwrap();
    let width = seen.overall.half_width(Metric::MeanResponseTime, 0.95, Method::Batches).unwrap();
    let value = seen.overall.estimate(Metric::MeanResponseTime).unwrap().value;
    assert!(width / value < 0.022, "{width}");
    assert!(seen.overall.jobs() < 2_000_000, "{}", seen.overall.jobs());
    assert!(calls.load(Ordering::Relaxed) >= 1);
    assert_eq!(bits(&sim::mg1(&jobs, Discipline::Fcfs, &run).unwrap()), bits(&seen));

    let stop = |_: &sim::Progress| false;
    let seen = sim::mg1(&jobs, Discipline::Ps, &Run::new(1).jobs(1_000_000).warm_up(0).watch(&stop)).unwrap();
    assert_eq!(seen.overall.jobs(), 20_000);
}

#[test]
fn the_jobs_asked_for_are_counted() {
    for discipline in [Discipline::Fcfs, Discipline::Srpt, Discipline::Lrpt] {
        for (jobs, replications, counted) in [(1000, 1, 1000), (1, 1, 1), (10, 3, 12), (257, 1, 257)] {
            let run = Run::new(1).jobs(jobs).replications(replications);
            let seen = sim::mg1(&exponential(0.5), discipline, &run).unwrap();
            assert_eq!(seen.overall.jobs(), counted);
            assert_eq!(seen.overall.histogram().count(), counted);
        }
    }
}

/// An empty system at first: without warm-up the mean of few jobs is too small.
#[test]
fn a_warm_up_removes_the_start() {
    let mean = |warm_up| {
        let run = Run::new(1).jobs(200_000).replications(2000).warm_up(warm_up);
        sim::mg1(&exponential(0.9), Discipline::Fcfs, &run)
            .unwrap()
            .overall
            .estimate(Metric::MeanResponseTime)
            .unwrap()
            .value
    };
    assert!(mean(0) < 6.0);
    assert!((mean(3000) / 10.0 - 1.0).abs() < 0.08, "{}", mean(3000));
}

#[test]
fn an_unstable_system_is_refused_with_its_load() {
    let run = Run::new(1).jobs(10_000);
    let farm =
        |load| Farm::with_load(Exponential::with_mean(1.0).unwrap(), Hosts::identical(2).unwrap(), load).unwrap();
    let refused = |result: queueing::Result<Simulated>| match result {
        Err(Error::Unstable { load, limit: 1.0 }) => load,
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(sim::mg1(&exponential(1.25), Discipline::Ps, &run)), 1.25);
    assert_eq!(refused(sim::farm(&farm(1.0), &Dispatch::RoundRobin, Discipline::Fcfs, &run)), 1.0);
    let low = Dispatch::Sita(Cutoffs::new(&[5.0]).unwrap());
    assert!(refused(sim::farm(&farm(0.9), &low, Discipline::Fcfs, &run)) > 1.7);
    let tags = Dispatch::Tags(Cutoffs::new(&[0.5]).unwrap());
    assert!(refused(sim::farm(&farm(0.9), &tags, Discipline::Fcfs, &run)) > 1.0);
    let one_host = Hosts::identical(1).unwrap();
    let steal = |shorts, longs, policy, run: &Run<'_>| {
        sim::stealing(&exponential(shorts), &exponential(longs), one_host, one_host, policy, run)
    };
    let queue = Stealing::CentralQueue(Renaming::Never);
    assert_eq!(refused(steal(1.5, 0.5, queue, &run)), 1.0);
    assert_eq!(
        refused(steal(0.5, 1.0, Stealing::BothWays, &run.clone().jobs(10)).and(steal(0.5, 1.0, queue, &run))),
        1.0
    );
    // The limit of immediate dispatch at longs 0.5 is 1.2807764.
    assert!(steal(1.28, 0.5, Stealing::ImmediateDispatch, &run).is_ok());
    assert!(refused(steal(1.281, 0.5, Stealing::ImmediateDispatch, &run)) >= 1.0);
    // The mean grows with the length of a transient run; all jobs end.
    let mean = |jobs| {
        let run = Run::new(1).jobs(jobs).replications(4).transient();
        let seen = sim::mg1(&exponential(1.25), Discipline::Srpt, &run).unwrap();
        assert_eq!(seen.overall.jobs(), jobs);
        seen.overall.estimate(Metric::MeanResponseTime).unwrap().value
    };
    assert!(mean(80_000) > 3.0 * mean(8_000));
}

#[test]
fn a_trace_by_hand() {
    let record = |time, size| Record { time, size, class: 0 };
    // Arrivals at 100, 101, 102: a host serves them until 103, 104, 106; waits 0, 2, 2.
    let trace = [record(100.0, 3.0), record(101.0, 1.0), record(102.0, 2.0)];
    let input = Input::trace(&trace).unwrap();
    assert_eq!(input.load(), 3.0);
    let run = Run::new(1).replications(1);
    let means = |system: &System, waiting: f64, response: f64| {
        let seen = sim::simulate(&input, system, &run).unwrap().overall.performance();
        assert_close!(seen.mean_waiting_time().unwrap(), waiting, 1e-14, "{system:?}");
        assert_close!(seen.mean_response_time().unwrap(), response, 1e-14, "{system:?}");
    };
    means(&one(Discipline::Fcfs), 4.0 / 3.0, 10.0 / 3.0);
    // SJF: 1 before 2; LCFS: 2 before 1.
    means(&one(Discipline::Sjf), 4.0 / 3.0, 10.0 / 3.0);
    means(&one(Discipline::Lcfs), 5.0 / 3.0, 11.0 / 3.0);
    // SRPT: 1 interrupts at 101 (2 left), 2 ties at 102 and waits until 104.
    means(&one(Discipline::Srpt), 1.0, 3.0);
    // Preemptive LCFS: at 101 the 1 (until 102), the 2 (until 104), then 2 left of the first: ends 102, 104, 106.
    means(&one(Discipline::PreemptiveLcfs), 1.0, 3.0);
    // PS: to 101 alone (2 left), to 102 two (1.5, 0.5), three from 102: 0.5 left is served by 103.5, then (1, 1.5): 105.5, then 0.5: 106.
    means(&one(Discipline::Ps), 2.0, 4.0);
    // LRPT: 3 alone until 102 (1 left; the second with 1 waits), 2 until 103 (1 left): all three end at 106.
    means(&one(Discipline::Lrpt), 3.0, 5.0);
    // FB: 3 until 101, the 1 until 102, the 2 until 103 (1 had by both), both together until 105: 2 had, the second ends; 106.
    means(&one(Discipline::Fb), 4.0 / 3.0, 10.0 / 3.0);
    // Two hosts: the third finds the second free.
    means(&farm_system(2, Dispatch::LeastWorkLeft, Discipline::Fcfs), 0.0, 2.0);
    means(&farm_system(2, Dispatch::RoundRobin, Discipline::Fcfs), 1.0 / 3.0, 7.0 / 3.0);
    // TAGS at 1.5: the first job is killed at 101.5 and ends at 104.5, the second runs 101.5 to 102.5, the third is killed at
    // 104 and runs anew 104.5 to 106.5.
    let tags = farm_system(2, Dispatch::Tags(Cutoffs::new(&[1.5]).unwrap()), Discipline::Fcfs);
    means(&tags, 4.5 / 3.0, 10.5 / 3.0);
    // Arrivals at the same time, and what is no trace.
    assert!(Input::trace(&[record(0.0, 1.0), record(0.0, 1.0)]).is_ok());
    for bad in [
        &[][..],
        &[record(1.0, 1.0), record(0.5, 1.0)],
        &[record(f64::NAN, 1.0)],
        &[record(0.0, 0.0)],
        &[record(0.0, f64::INFINITY)],
        &[Record { class: 5000, ..record(0.0, 1.0) }],
    ] {
        assert!(Input::trace(bad).is_err(), "{bad:?}");
    }
}

/// Classes of a trace are told apart, and jobs that arrive together keep their order.
#[test]
fn classes_of_a_trace() {
    let record = |time, size, class| Record { time, size, class };
    let trace = [record(0.0, 2.0, 1), record(1.0, 1.0, 1), record(1.0, 1.0, 0)];
    let input = Input::trace(&trace).unwrap();
    let run = Run::new(1).replications(1);
    let waits = |service| {
        let seen = sim::simulate(&input, &one(service), &run).unwrap();
        [0, 1].map(|class: usize| seen.classes[class].estimate(Metric::MeanWaitingTime).unwrap().value)
    };
    assert_eq!(waits(Service::Priority), [1.0, 1.0]);
    assert_eq!(waits(Service::PreemptivePriority), [0.0, 1.5]);
}

#[test]
fn jobs_of_several_tasks_end_with_the_last() {
    // Two tasks, exponential with mean 1, on two hosts that are nearly always idle: E[max] = 3/2.
    let jobs = Workload::new(1e-4, Exponential::with_mean(1.0).unwrap()).unwrap();
    let two = Deterministic::new(2.0).unwrap();
    let input = Input::poisson(&jobs).with_tasks(&two).unwrap();
    for (dispatch, discipline) in [
        (Dispatch::RoundRobin, Discipline::Fcfs),
        (Dispatch::LeastWorkLeft, Discipline::Fcfs),
        (Dispatch::RoundRobin, Discipline::Ps),
        (Dispatch::JoinShortestQueue, Discipline::Fcfs),
    ] {
        let run = Run::new(1).jobs(100_000);
        let seen = sim::simulate(&input, &farm_system(2, dispatch.clone(), discipline), &run).unwrap();
        let mean = seen.overall.performance().mean_response_time().unwrap();
        assert!((mean - 1.5).abs() < 0.02, "{dispatch:?} {mean}");
        assert!((seen.overall.mean_size() - 1.5).abs() < 0.02);
        assert_eq!(seen.overall.jobs(), 100_000);
    }
    // One host, FCFS, batches of two: the last of a batch waits for its brother too (M^[X]/M/1).
    // E[T of a job] = W of an M/G/1 of whole batches + E[batch] = λE[B²]/2(1−ρ) + 2, B Erlang-2 with E[B²] = 6.
    let jobs = Workload::new(0.25, Exponential::with_mean(1.0).unwrap()).unwrap();
    let input = Input::poisson(&jobs).with_tasks(&two).unwrap();
    for discipline in [Discipline::Fcfs, Discipline::Lcfs] {
        let seen = sim::simulate(&input, &one(discipline), &Run::new(1).jobs(2_000_000)).unwrap();
        let mean = seen.overall.performance().mean_response_time().unwrap();
        if discipline == Discipline::Fcfs {
            assert!((mean - (0.25 * 6.0 / (2.0 * 0.5) + 2.0)).abs() < 0.03, "{mean}");
        } else {
            assert!(mean > 3.5, "{mean}");
        }
    }
    assert!(Input::poisson(&jobs).with_tasks(&Exponential::with_mean(2.0).unwrap()).is_err());
    assert!(Input::poisson(&jobs).with_tasks(&Deterministic::new(1.5).unwrap()).is_err());
}

/// What is seen of the sizes is wrong by a factor, what is served is not.
#[test]
fn noisy_estimates_cost_something() {
    let jobs = Workload::with_load(Exponential::with_mean(1.0).unwrap(), 0.8).unwrap();
    let (run, noise) = (Run::new(1).jobs(1_000_000), LogNormal::new(0.0, 1.5).unwrap());
    let mean = |discipline: Discipline, noisy: bool| {
        let input = Input::poisson(&jobs);
        let input = if noisy { input.with_estimate_error(&noise) } else { input };
        sim::simulate(&input, &one(discipline), &run).unwrap().overall.performance().mean_response_time().unwrap()
    };
    for discipline in [Discipline::Srpt, Discipline::PreemptiveSjf, Discipline::Sjf] {
        assert!(mean(discipline, true) > 1.1 * mean(discipline, false), "{discipline}");
        assert!(mean(discipline, true) < mean(Discipline::Fcfs, false), "{discipline}");
    }
    for discipline in [Discipline::Fcfs, Discipline::Ps, Discipline::Fb, Discipline::PreemptiveLcfs] {
        assert_eq!(mean(discipline, true), mean(discipline, false), "{discipline}");
    }
    // The same factor for every job changes nothing for those that compare sizes.
    let input = Input::poisson(&jobs);
    let twice = Deterministic::new(2.0).unwrap();
    for discipline in [Discipline::Sjf, Discipline::PreemptiveSjf, Discipline::Lrpt] {
        let scaled = sim::simulate(&input.clone().with_estimate_error(&twice), &one(discipline), &run).unwrap();
        let scaled = scaled.overall.performance().mean_response_time().unwrap();
        if discipline == Discipline::Lrpt {
            assert!(scaled.is_finite());
        } else {
            assert_eq!(scaled, mean(discipline, false));
        }
    }
    // A dispatcher that is misled: SITA and least work left.
    let farm = Farm::with_load(BoundedPareto::new(1.0, 1e3, 1.5).unwrap(), Hosts::identical(2).unwrap(), 0.6).unwrap();
    let cutoffs = sita::equal_load(&farm).unwrap();
    for dispatch in [Dispatch::Sita(cutoffs), Dispatch::LeastWorkLeft] {
        let system = farm_system(2, dispatch, Discipline::Fcfs);
        let mean = |input: &Input<'_>| {
            sim::simulate(input, &system, &run).unwrap().overall.performance().mean_waiting_time().unwrap()
        };
        let input = Input::poisson(farm.jobs());
        assert!(mean(&input.clone().with_estimate_error(&noise)) > 1.05 * mean(&input));
    }
}

/// Bins tell responses by size: under SRPT against the conditional mean of the reference table, x = 1 at load 0.5.
#[test]
fn bins_by_size() {
    let rows = common::table("mg1.csv");
    let run = Run::new(1).jobs(4_000_000).size_bins(&[0.98, 1.02]);
    for (discipline, name) in [(Discipline::Srpt, "srpt"), (Discipline::Fb, "fb"), (Discipline::PreemptiveSjf, "psjf")]
    {
        let seen = sim::mg1(&exponential(0.5), discipline, &run).unwrap();
        let row = rows.iter().find(|row| {
            row["discipline"] == name
                && row["law"] == "exponential"
                && row["load"] == "0.5"
                && common::number(row, "x") == Some(1.0)
                && row["quantity"] == "mean_response_time"
        });
        let expected = common::number(row.unwrap(), "value").unwrap();
        let bin = &seen.bins[1];
        assert_eq!((bin.low, bin.high, seen.bins.len()), (0.98, 1.02, 3));
        let found = bin.sample.estimate(Metric::MeanResponseTime).unwrap().value;
        let width = bin.sample.half_width(Metric::MeanResponseTime, 0.999, Method::Batches).unwrap();
        assert!((found - expected).abs() < width, "{name}: {found} +- {width}, {expected}");
        let all: u64 = seen.bins.iter().map(|bin| bin.sample.jobs()).sum();
        assert_eq!(all, seen.overall.jobs());
    }
}

/// P(T > t) of M/M/1 is e^−(μ−λ)t.
#[test]
fn percentiles_of_the_response() {
    let seen = sim::mg1(&exponential(0.5), Discipline::Fcfs, &Run::new(1).jobs(4_000_000)).unwrap();
    for p in [0.5, 0.9, 0.99, 0.999] {
        let expected = -2.0 * (1.0_f64 - p).ln();
        let Estimate { value, accuracy } = seen.overall.response_time_quantile(p).unwrap();
        let Accuracy::Simulated { standard_error, .. } = accuracy else { panic!() };
        assert!((value - expected).abs() < 5.0 * standard_error + 0.004 * expected, "{p}: {value}, {expected}");
    }
    assert!(seen.overall.response_time_quantile(1.5).is_err());
}

/// Histograms merge as if all values had been counted in one.
#[test]
fn histograms_merge_and_take_everything() {
    let values = [0.0, -1.0, f64::NAN, 1e-300, 5e-324, 1.0, 1.004, 3e7, 1e300, f64::MAX, f64::INFINITY, 2.0, 1e-9];
    let mut whole = Histogram::default();
    whole.add_all(&values);
    assert_eq!(whole.count(), values.len() as u64);
    for cut in 0..values.len() {
        let mut parts = [Histogram::default(), Histogram::default()];
        parts[0].add_all(&values[..cut]);
        values[cut..].iter().for_each(|value| parts[1].add(*value));
        let [mut one, other] = parts;
        one.merge(&other);
        for p in [0.0, 0.1, 0.5, 0.9, 1.0] {
            assert_eq!(one.quantile(p), whole.quantile(p), "{cut} {p}");
        }
    }
    assert_eq!(whole.quantile(1.0), Some(f64::INFINITY));
    assert_eq!(whole.quantile(0.0), Some(0.0));
    assert_eq!(whole.quantile(f64::NAN), None);
    assert!((whole.sf(1.5) - 5.0 / 13.0).abs() < 1e-12);
    assert_eq!(Histogram::default().quantile(0.5), None);
}

/// Ten decades of sizes, and a clock that has run long: an M/D/1-like stream of tiny jobs behind rare huge ones.
#[test]
fn ten_decades_keep_their_digits() {
    // The waiting time of a trace of 1e-5 jobs that never meet, after 1e5 units of other work: 0 to the last digit.
    let law = BoundedPareto::with_mean(3000.0, 1e10, 1.1).unwrap();
    let jobs = Workload::with_load(law, 0.3).unwrap();
    let run = Run::new(1).jobs(2_000_000).size_bins(&[1e3]);
    let [fcfs, ps] = [Discipline::Fcfs, Discipline::Ps].map(|discipline| sim::mg1(&jobs, discipline, &run).unwrap());
    let slowdown = |seen: &Simulated| seen.bins[0].sample.performance().mean_slowdown().unwrap();
    // PS: 1/(1−ρ) for every size; a wrong digit of the clock would show in the small ones.
    assert!((slowdown(&ps) / (1.0 / 0.7) - 1.0).abs() < 0.3, "{}", slowdown(&ps));
    assert!(slowdown(&fcfs) > 100.0);
    let fcfs = fcfs.overall.performance();
    assert!(fcfs.mean_waiting_time().unwrap().is_finite() && fcfs.variance_slowdown().unwrap() >= 0.0);
}

#[test]
fn bad_input_is_an_error() {
    let jobs = exponential(0.5);
    let fcfs = |run: &Run<'_>| sim::mg1(&jobs, Discipline::Fcfs, run);
    for run in [
        Run::new(1).jobs(0),
        Run::new(1).replications(0),
        Run::new(1).replications(1_000_000),
        Run::new(1).jobs(u64::MAX),
        Run::new(1).jobs(4),
        Run::new(1).warm_up(u64::MAX),
        Run::new(1).threads(0),
        Run::new(1).until(Metric::MeanResponseTime, 0.0),
        Run::new(1).until(Metric::MeanResponseTime, f64::NAN),
        Run::new(1).size_bins(&[1.0, 1.0]),
        Run::new(1).size_bins(&[f64::NAN]),
        Run::new(1).size_bins(&[0.0]),
    ] {
        assert!(fcfs(&run).is_err(), "{run:?}");
    }
    let run = Run::new(1).jobs(1000);
    let system =
        |dispatch, discipline| sim::simulate(&Input::poisson(&jobs), &farm_system(3, dispatch, discipline), &run);
    let cutoffs = || Cutoffs::new(&[1.0]).unwrap();
    assert!(system(Dispatch::Sita(cutoffs()), Discipline::Fcfs).is_err());
    assert!(system(Dispatch::Tags(cutoffs()), Discipline::Fcfs).is_err());
    assert!(system(Dispatch::ShortestOf(0), Discipline::Fcfs).is_err());
    assert!(system(Dispatch::ShortestOf(4), Discipline::Fcfs).is_err());
    let two = Cutoffs::new(&[1.0, 2.0]).unwrap();
    assert!(matches!(system(Dispatch::Tags(two), Discipline::Ps), Err(Error::Unavailable { .. })));
    assert!(sim::priorities(&[] as &[Workload], true, &run).is_err());
    let three = [exponential(0.1), exponential(0.1), exponential(0.1)];
    let hosts = Hosts::identical(1).unwrap();
    let stealing = System::Stealing { short_hosts: hosts, long_hosts: hosts, stealing: Stealing::BothWays };
    assert!(sim::simulate(&Input::classes(&three).unwrap(), &stealing, &run).is_err());
    // One class is all shorts.
    assert!(sim::simulate(&Input::poisson(&jobs), &stealing, &run).is_ok());
}

struct Nowhere;

impl sim::Policy for Nowhere {
    fn arrive(&mut self, _: &sim::Task, _: &sim::View, _: &mut queueing::Random) -> Option<usize> {
        Some(7)
    }
}

struct Never;

impl sim::Policy for Never {
    fn arrive(&mut self, _: &sim::Task, _: &sim::View, _: &mut queueing::Random) -> Option<usize> {
        None
    }
}

struct Restless;

impl sim::Server for Restless {
    fn arrive(&mut self, _: f64, _: sim::Task, _: &mut queueing::Random) {}
    fn next(&self) -> f64 {
        0.0
    }
    fn advance(&mut self, _: f64, _: &mut queueing::Random) -> Option<sim::Done> {
        None
    }
    fn shift(&mut self, _: f64) {}
}

#[test]
fn faulty_policies_and_servers_are_errors_not_hangs() {
    let jobs = exponential(0.5);
    let (input, run) = (Input::poisson(&jobs), Run::new(1).jobs(1000));
    let hosts = || sim::hosts(2, Discipline::Fcfs);
    assert!(matches!(
        sim::simulate_with(&input, "nowhere", || (hosts(), Nowhere), &run),
        Err(Error::Argument { value: 7.0, .. })
    ));
    // Jobs that nobody takes are not counted.
    let seen = sim::simulate_with(&input, "never", || (hosts(), Never), &run).unwrap();
    assert_eq!(seen.overall.jobs(), 0);
    assert!(matches!(seen.overall.estimate(Metric::MeanResponseTime), Err(Error::Unavailable { .. })));
    assert!(sim::simulate_with(&input, "none", || (sim::hosts(0, Discipline::Fcfs), Never), &run).is_err());
    let restless = sim::simulate_with(&input, "restless", || (vec![Restless], sim_first()), &run);
    assert!(matches!(restless, Err(Error::NoConvergence { .. })), "{restless:?}");
}

fn sim_first() -> impl sim::Policy {
    struct First;
    impl sim::Policy for First {
        fn arrive(&mut self, _: &sim::Task, _: &sim::View, _: &mut queueing::Random) -> Option<usize> {
            Some(0)
        }
    }
    First
}

/// Longs that find everything taken by shorts, and shorts that help longs: orderings that hold for any sizes.
#[test]
fn stealing_in_both_directions_helps_longs_more() {
    let (shorts, longs) = (exponential(0.9), exponential(0.8));
    let one = Hosts::identical(1).unwrap();
    let run = Run::new(1).jobs(2_000_000);
    let mean = |policy| {
        let seen = sim::stealing(&shorts, &longs, one, one, policy, &run).unwrap();
        [0, 1].map(|class: usize| seen.classes[class].performance().mean_response_time().unwrap())
    };
    let (dedicated, both) = (mean(Stealing::Dedicated), mean(Stealing::BothWays));
    // Both ways every host works whenever two jobs are present: with equal sizes the total is that of M/M/2 at load 0.85.
    let rates = [shorts.rate(), longs.rate()];
    let total = (rates[0] * both[0] + rates[1] * both[1]) / (rates[0] + rates[1]);
    let exact = 1.0 / (1.0 - 0.85 * 0.85);
    assert!((total / exact - 1.0).abs() < 0.02, "{total} {exact}");
    assert!(both[0] < dedicated[0] && both[1] < dedicated[1]);
}

/// A sample of an infinite mean is finite; the answer is not.
#[test]
fn infinite_means_are_infinite() {
    let run = Run::new(1).jobs(10_000);
    let seen = |law: &str, discipline| {
        let jobs = Workload::with_load(law.parse::<Law>().unwrap(), 0.5).unwrap();
        sim::mg1(&jobs, discipline, &run).unwrap().overall
    };
    let value = |law: &str, discipline, metric| seen(law, discipline).estimate(metric).unwrap().value;
    let infinite = f64::INFINITY;
    assert_eq!(value("exponential:mean=1", Discipline::Fcfs, Metric::MeanSlowdown), infinite);
    assert!(value("exponential:mean=1", Discipline::Ps, Metric::MeanSlowdown) < 3.0);
    assert_eq!(value("pareto:k=1,alpha=1.5", Discipline::Fcfs, Metric::MeanWaitingTime), infinite);
    assert_eq!(value("pareto:k=1,alpha=1.5", Discipline::Srpt, Metric::SecondMomentResponseTime), infinite);
    assert!(value("pareto:k=1,alpha=1.5", Discipline::Srpt, Metric::MeanResponseTime) < 100.0);
    assert_eq!(value("pareto:k=1,alpha=2.5", Discipline::Sjf, Metric::SecondMomentWaitingTime), infinite);
    assert!(value("pareto:k=1,alpha=2.5", Discipline::Sjf, Metric::MeanWaitingTime) < 100.0);
    let width = seen("pareto:k=1,alpha=1.5", Discipline::Fcfs);
    assert_eq!(width.half_width(Metric::MeanWaitingTime, 0.95, Method::Batches).unwrap(), infinite);
}
