//! Queues with several hosts against multiserver.csv, high-precision values, published tables and independent methods.

mod common;

use common::{Row, Worst, law, number, relative_error, table};
use queueing::multiserver::Target;
use queueing::prelude::*;

fn hosts(count: usize) -> Hosts {
    Hosts::identical(count).unwrap()
}

fn markov(count: usize, load: f64) -> Farm<Exponential> {
    Farm::with_load(Exponential::with_mean(1.0).unwrap(), hosts(count), load).unwrap()
}

fn fixed(count: usize, load: f64) -> Farm<Deterministic> {
    Farm::with_load(Deterministic::new(1.0).unwrap(), hosts(count), load).unwrap()
}

/// The exact result of a row, or `None` for those of another module (`e_n/g/1`).
fn exact(row: &Row) -> Option<Performance> {
    let (servers, load) = (hosts(number(row, "servers")? as usize), number(row, "load")?);
    match (row["system"].as_str(), law(row)) {
        ("mmk", Law::Exponential(size)) => multiserver::mmn(&Farm::with_load(size, servers, load).unwrap()).ok(),
        ("mdk", Law::Deterministic(size)) => multiserver::mdn(&Farm::with_load(size, servers, load).unwrap()).ok(),
        ("mphk", size) => {
            let size = size.phase_type().unwrap();
            multiserver::mphn(&Farm::with_load(size, servers, load).unwrap()).ok()
        }
        _ => None,
    }
}

fn metric(row: &Row) -> Metric {
    match row["quantity"].as_str() {
        "mean_waiting_time" => Metric::MeanWaitingTime,
        "mean_response_time" => Metric::MeanResponseTime,
        "probability_of_waiting" => Metric::ProbabilityOfWaiting,
        other => panic!("{other}"),
    }
}

#[test]
fn reference_rows() {
    let mut worst = Worst::default();
    for row in table("multiserver.csv") {
        let Some(result) = exact(&row) else { continue };
        let error = relative_error(result.estimate(metric(&row)).unwrap().value, number(&row, "value").unwrap());
        // The mphk rows carry an error bound of their own.
        let allowed = 3e-15 + if row["system"] == "mphk" { 10.0 * number(&row, "rel_err").unwrap() } else { 0.0 };
        assert!(error <= allowed, "{error:e}: {row:?}");
        worst.see(&row["system"], error);
    }
    worst.print("multiserver.csv");
    assert_eq!(worst.count(), 75);
}

/// Sums of the definitions in 60 digits: hosts, offered load, B, C.
const ERLANG: [(usize, f64, f64, f64); 17] = [
    (1, 0.3, 0.230769230769230763, 0.299999999999999989),
    (7, 3.5, 0.0396082570367115946, 0.076198427183736598),
    (64, 60.0, 0.0603627382042357082, 0.506866270975763346),
    (65, 1.5, 7.55370224774491327e-81, 7.73213615910896634e-81),
    (65, 64.0, 0.0842242924105524141, 0.856694072780701097),
    (100, 20.0, 2.79966632549908105e-37, 3.49958290687385131e-37),
    (400, 50.0, 1.16644283972918261e-211, 1.33307753111906584e-211),
    (500, 250.0, 2.04162194433068298e-44, 4.08324388866136595e-44),
    (500, 400.0, 1.68187860770102068e-7, 8.40938738107760737e-7),
    (500, 499.0, 0.0336409782898123353, 0.945670024691394158),
    (500, 650.0, 0.235633905531678901, f64::NAN),
    (5000, 4990.0, 0.00997441985502426106, 0.834367312635296259),
    (10000, 7000.0, 2.91576352642442198e-249, 9.71921175474807328e-249),
    (100000, 99000.0, 8.22577559850422232e-6, 0.000821908237410795402),
    (1000000, 965000.0, 1.66387400221742488e-276, 4.75392572062121395e-275),
    (1000000, 999000.0, 0.000287421375776867924, 0.223303390291344091),
    (1000000, 1002000.0, 0.00236828975526650948, f64::NAN),
];

#[test]
fn erlang_formulas_over_all_magnitudes() {
    let mut worst = Worst::default();
    for (n, a, b, c) in ERLANG {
        let error = relative_error(multiserver::erlang_b(hosts(n), a).unwrap(), b);
        // 1 − C is conditioned like √n/(1−ρ) in a; the exponent of B like its logarithm.
        assert!(error <= 2e-13, "B({n}, {a}): {error:e}");
        worst.see("Erlang B", error);
        match multiserver::erlang_c(hosts(n), a) {
            Ok(value) => {
                let error = relative_error(value, c);
                assert!(error <= 2e-13, "C({n}, {a}): {error:e}");
                worst.see("Erlang C", error);
            }
            Err(error) => assert_eq!(error, Error::Unstable { load: a / n as f64, limit: 1.0 }),
        }
    }
    worst.print("60 digits");
    assert_close!(multiserver::erlang_c(hosts(10), 9.0).unwrap(), 0.668731524108, 1e-12);
}

#[test]
fn spare_capacity_down_to_rounding() {
    // hosts, 1 − ρ, C and E[W] for mean 1, from the sums in 60 digits
    for (n, spare, c, waiting) in [
        (1, 1e-12, 0.999999999999, 999999999999.00002),
        (10, 1e-9, 0.999999996339784323, 99999999.6339784261),
        (500, 1e-6, 0.999972304032365347, 1999.94460806473078),
        (500, 3e-15, 0.999999999999916911, 666666666666.61131),
        (1000000, 1e-8, 0.999987470247912074, 99.9987470247912053),
    ] {
        let farm = Farm::with_spare(Exponential::with_mean(1.0).unwrap(), hosts(n), spare).unwrap();
        let queue = multiserver::mmn(&farm).unwrap();
        assert_close!(queue.probability_of_waiting().unwrap(), c, 2e-15, "{n}");
        assert_close!(queue.mean_waiting_time().unwrap(), waiting, 2e-15, "{n}");
    }
}

#[test]
fn least_work_left_in_units_of_total_speed() {
    // n hosts of speed 1/n and mean response time n(E[W]+1) at load 0.8
    for (n, response) in [(2, 5.555556), (3, 6.235955), (10, 12.045901), (50, 50.434763), (100, 100.098232)] {
        let mean = multiserver::mmn(&markov(n, 0.8)).unwrap().mean_response_time().unwrap();
        assert_close!(n as f64 * mean, response, 1e-7, "{n}");
    }
}

#[test]
fn one_host_is_the_single_server_queue() {
    for load in [1e-9, 0.01, 0.3, 0.5, 0.7, 0.95, 0.999] {
        let (random, equal) = (markov(1, load), fixed(1, load));
        let pairs = [
            (multiserver::mmn(&random).unwrap(), mg1::fcfs(&random.one_host()).unwrap()),
            (multiserver::mdn(&equal).unwrap(), mg1::fcfs(&equal.one_host()).unwrap()),
        ];
        for (result, expected) in pairs {
            for (metric, estimate) in result.metrics() {
                let expected = expected.estimate(metric).unwrap().value;
                // Deterministic slowdowns have their variance by a difference.
                assert_close!(estimate.value, expected, 2e-14, "{} {metric} {load}", result.model());
            }
        }
    }
}

#[test]
fn a_finite_room_against_the_sums() {
    for (n, capacity) in [(1, 1), (1, 2), (1, 40), (3, 3), (3, 4), (3, 20), (10, 15), (60, 90), (70, 75), (200, 201)] {
        for load in [1e-3, 0.3, 0.9, 0.999999, 1.0, 1.000001, 1.2, 8.0, 1e6] {
            // p_k over p_n, by the ratios of neighbours from n in both directions
            let mut weights = vec![1.0; capacity + 1];
            let a = n as f64 * load;
            (0..n).rev().for_each(|k| weights[k] = weights[k + 1] * (k as f64 + 1.0) / a);
            (n..capacity).for_each(|k| weights[k + 1] = weights[k] * load);
            let total: f64 = weights.iter().sum();
            if !total.is_finite() {
                continue;
            }
            let queue: f64 = weights[n..].iter().enumerate().map(|(j, weight)| j as f64 * weight).sum::<f64>() / total;
            let accepted = weights[..capacity].iter().sum::<f64>() / total;
            let result = multiserver::mmnk(&markov(n, load), capacity).unwrap();
            for (metric, expected) in [
                (Metric::ProbabilityOfBlocking, weights[capacity] / total),
                (Metric::ProbabilityOfWaiting, weights[n..capacity].iter().sum::<f64>() / total / accepted),
                (Metric::MeanWaitingTime, queue / (a * accepted)),
                (Metric::MeanResponseTime, queue / (a * accepted) + 1.0),
                (Metric::MeanNumberInSystem, queue + a * accepted),
                (Metric::Utilisation, load * accepted),
            ] {
                let value = result.estimate(metric).unwrap().value;
                assert_close!(value, expected, 2e-12, "{metric} {n} {capacity} {load}");
            }
            if capacity == n {
                let lost = multiserver::erlang_b(hosts(n), a).unwrap();
                assert_close!(result.probability_of_blocking().unwrap(), lost, 1e-13);
            }
        }
    }
    // Much room is no bound below load one, and all of the queue above it.
    let (near, over) = (markov(5, 0.9), markov(5, 2.0));
    let (bounded, unbounded) = (multiserver::mmnk(&near, 5000).unwrap(), multiserver::mmn(&near).unwrap());
    assert_close!(bounded.mean_waiting_time().unwrap(), unbounded.mean_waiting_time().unwrap(), 1e-14);
    assert_close!(multiserver::mmnk(&over, usize::MAX).unwrap().probability_of_blocking().unwrap(), 0.5, 1e-15);
}

/// Erlang C by the recursion B(h) = aB(h−1)/(h + aB(h−1)).
fn erlang_c_by_recursion(n: usize, a: f64) -> f64 {
    let b = (1..=n).fold(1.0, |b, h| a * b / (h as f64 + a * b));
    b / (1.0 - a / n as f64 * (1.0 - b))
}

#[test]
fn staffing_is_the_first_number_that_keeps_the_promise() {
    for (a, mean) in [(0.01, 1.0), (0.999, 3.0), (1.0, 1.0), (7.3, 0.2), (50.0, 10.0), (400.0, 1.0)] {
        let jobs = Workload::with_load(Exponential::with_mean(mean).unwrap(), a).unwrap();
        for level in [0.9, 0.5, 0.05, 1e-6] {
            let theta = |n: usize| mean / (n as f64 - a);
            let first =
                |kept: &dyn Fn(usize) -> bool| (a as usize + 1..=100_000).find(|&n| n as f64 > a && kept(n)).unwrap();
            let waits = |n: usize| erlang_c_by_recursion(n, a);
            let found = |target| multiserver::staffing(&jobs, target).unwrap().count();
            assert_eq!(found(Target::ProbabilityOfWaiting(level)), first(&|n| waits(n) <= level), "{a} {level}");
            assert_eq!(
                found(Target::MeanWaitingTime(level * mean)),
                first(&|n| waits(n) * theta(n) <= level * mean),
                "{a} {level}"
            );
            let target = Target::WaitingTimeQuantile { probability: 1.0 - level, time: 0.3 * mean };
            let within = |n: usize| waits(n) * (-0.3 * mean / theta(n)).exp() <= level;
            assert_eq!(found(target), first(&within), "{a} {level}");
        }
    }
    // A promise that the spare capacity itself keeps, where the load rounds to one
    let jobs = Workload::with_spare(Exponential::with_mean(1.0).unwrap(), 1e-20).unwrap();
    assert_eq!(multiserver::staffing(&jobs, Target::MeanWaitingTime(1.1e20)).unwrap().count(), 1);
    assert_eq!(multiserver::staffing(&jobs, Target::MeanWaitingTime(0.9e20)).unwrap().count(), 2);
    let many = Workload::with_load(Exponential::with_mean(1.0).unwrap(), 999_990.0).unwrap();
    assert!(matches!(multiserver::staffing(&many, Target::ProbabilityOfWaiting(0.5)), Err(Error::Argument { .. })));
}

#[test]
fn quantiles_and_tails_are_inverse() {
    let farm = markov(20, 0.95);
    let tail = |t| multiserver::mmn_waiting_time_tail(&farm, t).unwrap();
    let quantile = |p| multiserver::mmn_waiting_time_quantile(&farm, p).unwrap();
    assert_close!(tail(0.0), erlang_c_by_recursion(20, 19.0), 1e-13);
    for p in [0.6, 0.9, 0.999, 1.0 - 1e-12] {
        assert_close!(tail(quantile(p)), 1.0 - p, 1e-12, "{p}");
    }
    assert_eq!((quantile(0.0), quantile(0.1), quantile(1.0)), (0.0, 0.0, f64::INFINITY));
    assert_eq!(tail(f64::INFINITY), 0.0);
}

#[test]
fn bad_arguments_name_themselves() {
    let named = |result: Result<f64, Error>, expected: &str| match result {
        Err(Error::Argument { name, .. }) => assert_eq!(name, expected),
        other => panic!("{other:?}"),
    };
    let farm = markov(2, 0.5);
    for bad in [f64::NAN, f64::INFINITY, -1.0, 0.0] {
        named(multiserver::erlang_b(hosts(2), bad), "offered_load");
        named(multiserver::erlang_c(hosts(2), bad), "offered_load");
        let jobs = farm.jobs();
        named(multiserver::staffing(jobs, Target::ProbabilityOfWaiting(bad)).map(|_| 0.0), "probability of waiting");
        named(multiserver::staffing(jobs, Target::MeanWaitingTime(bad)).map(|_| 0.0), "mean waiting time");
    }
    for bad in [f64::NAN, -1e-9] {
        named(multiserver::mmn_waiting_time_tail(&farm, bad), "time");
        named(multiserver::mmn_waiting_time_quantile(&farm, bad), "probability");
    }
    named(multiserver::mmn_waiting_time_quantile(&farm, 1.1), "probability");
    named(multiserver::mmnk(&farm, 1).map(|_| 0.0), "capacity");
    for (probability, time, name) in [(1.0, 1.0, "probability"), (f64::NAN, 1.0, "probability"), (0.5, -1.0, "time")] {
        let target = Target::WaitingTimeQuantile { probability, time };
        named(multiserver::staffing(farm.jobs(), target).map(|_| 0.0), name);
    }
    for load in [1.0, 1.5] {
        let unstable = Error::Unstable { load, limit: 1.0 };
        assert_eq!(multiserver::mmn(&markov(4, load)), Err(unstable.clone()));
        assert_eq!(multiserver::mdn(&fixed(4, load)), Err(unstable.clone()));
        assert_eq!(multiserver::mmn_waiting_time_tail(&markov(4, load), 1.0), Err(unstable.clone()));
        assert_eq!(multiserver::erlang_c(hosts(4), 4.0 * load), Err(unstable));
    }
}

#[test]
fn as_many_hosts_as_jobs() {
    let jobs = Workload::new(2.0, HyperExponential::balanced(3.0, 5.0).unwrap()).unwrap();
    let (limit, many) = (multiserver::mginf(&jobs), multiserver::mmn(&markov(200, 0.03)).unwrap());
    assert_close!(limit.mean_number_in_system().unwrap(), 6.0, 1e-15);
    assert_close!(limit.second_moment_response_time().unwrap(), 54.0, 1e-14);
    assert_close!(many.mean_number_in_system().unwrap(), 6.0, 1e-14);
    let endless = multiserver::mginf(&Workload::new(1.0, Pareto::new(1.0, 0.9).unwrap()).unwrap());
    assert_eq!(endless.mean_number_in_system().unwrap(), f64::INFINITY);
    assert_eq!(endless.mean_slowdown().unwrap(), 1.0);
}
