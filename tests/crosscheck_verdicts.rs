//! The verdicts: calibrated on a right model, able to tell a wrong one, silent where a sample cannot know.
#![cfg(feature = "sim")]

mod common;

use queueing::crosscheck::{
    self, Check, Observed, Slip, Tail, Verdict, arrivals, candidates, compare, compare_all, diagnose, moment_in_play,
};
use queueing::prelude::*;
use queueing::sim::{self, Run};
use queueing::{Random, size};

/// Somebody else's simulator: a plain loop over one FCFS host; arrival times and waiting times of its jobs.
fn their_simulator(
    jobs: &Workload<impl JobSize>,
    count: usize,
    seed: u64,
    warm_up: usize,
) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let mut random = Random::new(seed);
    let mut sizes = vec![0.0; count + warm_up];
    jobs.size().draw(&mut random, &mut sizes);
    let (mut now, mut free) = (0.0, 0.0_f64);
    let (mut times, mut waits) = (Vec::new(), Vec::new());
    for size in &sizes {
        now += random.exponential() / jobs.rate();
        times.push(now);
        waits.push((free - now).max(0.0));
        free = free.max(now) + size;
    }
    (times.split_off(warm_up), waits.split_off(warm_up), sizes.split_off(warm_up))
}

fn exact(value: f64) -> Estimate {
    Estimate { value, accuracy: Accuracy::Exact }
}

fn exponential(load: f64) -> Workload<Exponential> {
    Workload::with_load(Exponential::with_mean(1.0).unwrap(), load).unwrap()
}

/// The calibration: 1000 runs of a right model, from the series of the jobs.
#[test]
fn a_right_model_is_called_inconsistent_as_often_as_the_level_says() {
    for (jobs, expected, count) in [
        (Workload::with_load(Law::from(Erlang::with_mean(2, 1.0).unwrap()), 0.5).unwrap(), 0.75, 50_000),
        (Workload::with_load(Law::from(Exponential::with_mean(1.0).unwrap()), 0.5).unwrap(), 1.0, 50_000),
    ] {
        let mut wrong = 0;
        for seed in 0..1000 {
            let (_, waits, _) = their_simulator(&jobs, count, seed, 500);
            let seen = Observed::from_series(&waits).unwrap();
            let check = Check::new("E[W]", exact(expected), seen).of_sizes(jobs.size(), 2.0).unwrap();
            match compare_all(&[check], 0.01).unwrap().comparisons[0].verdict {
                Verdict::Consistent => {}
                Verdict::Inconsistent => wrong += 1,
                other => panic!("{other}"),
            }
        }
        println!("{}: inconsistent at 1 % in {wrong} of 1000 runs", jobs.size());
        assert!((3..=20).contains(&wrong), "{wrong} of 1000");
    }
}

/// The same for the crate's own estimates.
#[test]
fn the_simulator_of_the_crate_is_calibrated() {
    let jobs = exponential(0.6);
    let expected = mg1::ps(&jobs).unwrap();
    let mut wrong = 0;
    for seed in 0..1000 {
        let run = Run::new(seed).jobs(40_000).replications(4).threads(1);
        let seen = sim::mg1(&jobs, Discipline::Ps, &run).unwrap().overall;
        let observed = Observed::from_batches(&seen.batch_means(Metric::MeanSlowdown).unwrap()).unwrap();
        let expected = expected.estimate(Metric::MeanSlowdown).unwrap();
        wrong += u32::from(compare(expected, &observed).unwrap().verdict == Verdict::Inconsistent);
    }
    println!("batches of the simulator: inconsistent at 1 % in {wrong} of 1000 runs");
    assert!((3..=20).contains(&wrong), "{wrong} of 1000");
}

/// p/k = 1e10: a million jobs hold none of the sizes that make the second moment, and all runs come out far too low with small errors.
#[test]
fn heavy_tails_are_inconclusive() {
    let law = BoundedPareto::new(1.0, 1e10, 1.1).unwrap();
    let jobs = Workload::with_load(law, 0.5).unwrap();
    let expected = mg1::fcfs(&jobs).unwrap().estimate(Metric::MeanWaitingTime).unwrap();
    let mut naive = 0;
    for seed in 0..20 {
        let (_, waits, _) = their_simulator(&jobs, 100_000, seed, 0);
        let seen = Observed::from_series(&waits).unwrap();
        naive += u32::from(compare(expected, &seen).unwrap().verdict == Verdict::Inconsistent);
        let check = Check::new("E[W]", expected, seen).of_sizes(&law, 2.0).unwrap();
        let report = compare_all(&[check], 0.01).unwrap();
        let Verdict::Inconclusive(Some(tail)) = report.comparisons[0].verdict else { panic!("{report:?}") };
        assert!(tail.share > 0.99 && tail.jobs_to_settle > 1e9, "{tail:?}");
        assert!(!report.is_inconsistent());
    }
    // Without the law a z-test is fooled.
    assert!(naive > 15, "{naive}");
}

/// Where the tail can be seen it is: the same law cut at 1e3.
#[test]
fn the_jobs_that_settle_are_enough() {
    let law = BoundedPareto::new(1.0, 1e10, 1.1).unwrap();
    for order in [1.0, 2.0, 3.0] {
        let tail = Tail::of(&law, order, 1_000);
        assert!(!tail.settles());
        let enough = tail.jobs_to_settle.ceil() as u64 + 1;
        assert!(Tail::of(&law, order, enough).settles(), "{order} {enough}");
        assert!(!Tail::of(&law, order, enough / 2).settles());
    }
    // P(X > x) = x^−α/(1−(k/p)^α) and E[X²; X > x] are closed: the share beyond the median of the largest of n.
    let tail = Tail::of(&Pareto::new(1.0, 3.0).unwrap(), 2.0, 1_000_000);
    let largest = (std::f64::consts::LN_2 / 1e6_f64).powf(-1.0 / 3.0);
    assert_close!(tail.largest, largest, 1e-12);
    assert_close!(tail.share, 1.0 / largest, 1e-12);
    assert_close!(tail.jobs_to_settle, std::f64::consts::LN_2 * 20.0_f64.powi(3), 1e-9);
    let infinite = Tail::of(&Pareto::new(1.0, 1.5).unwrap(), 2.0, 1_000_000);
    assert_eq!((infinite.share, infinite.jobs_to_settle), (1.0, f64::INFINITY));
    assert!(Tail::of(&Deterministic::new(1.0).unwrap(), 2.0, 1).settles());
    assert_eq!(moment_in_play(Metric::MeanWaitingTime, Discipline::Fcfs), 2.0);
    assert_eq!(moment_in_play(Metric::SecondMomentResponseTime, Discipline::Srpt), 2.0);
}

/// A formula that is 2 % off is found out by enough jobs.
#[test]
fn a_wrong_model_is_inconsistent() {
    let jobs = exponential(0.5);
    let run = Run::new(1).jobs(8_000_000);
    let seen = sim::mg1(&jobs, Discipline::Fcfs, &run).unwrap().overall.estimate(Metric::MeanResponseTime).unwrap();
    let observed = Observed::from_estimate(seen).unwrap();
    assert_eq!(compare(exact(2.0), &observed).unwrap().verdict, Verdict::Consistent);
    assert_eq!(compare(exact(2.04), &observed).unwrap().verdict, Verdict::Inconsistent);
    // An expected value with an error of its own is given its due.
    let rough = Estimate { value: 2.04, accuracy: Accuracy::Numerical { relative_error: 0.05 } };
    assert_eq!(compare(rough, &observed).unwrap().verdict, Verdict::Consistent);
}

/// Holm: twenty right numbers and a wrong one; a p-value of 0.002 among twenty is chance.
#[test]
fn several_numbers_at_once() {
    let at = |z: f64| Check::new(format!("{z}"), exact(0.0), Observed::new(z, 1.0).unwrap());
    let mut checks: Vec<Check> = (0..19).map(|i| at(f64::from(i) / 10.0)).collect();
    checks.push(at(3.09));
    let report = compare_all(&checks, 0.01).unwrap();
    assert!(!report.is_inconsistent());
    assert_close!(report.comparisons[19].adjusted_p_value, 20.0 * report.comparisons[19].p_value, 1e-12);
    assert_eq!(compare(exact(0.0), checks[19].observed()).unwrap().verdict, Verdict::Inconsistent);
    checks[19] = at(5.0);
    let report = compare_all(&checks, 0.01).unwrap();
    assert_eq!(report.comparisons.iter().filter(|one| one.verdict == Verdict::Inconsistent).count(), 1);
    assert_close!(report.comparisons[19].p_value, 5.733031437583869e-7, 1e-9);
    // One that settles nothing does not dilute the others.
    let infinite = Check::new("infinite", exact(f64::INFINITY), Observed::new(3.0, 1.0).unwrap());
    let report = compare_all(&[infinite, at(2.7)], 0.01).unwrap();
    assert_eq!(report.comparisons[0].verdict, Verdict::Inconclusive(None));
    assert_eq!(report.comparisons[1].verdict, Verdict::Inconsistent);
    assert!(compare_all(&[], 0.01).unwrap().comparisons.is_empty());
    assert!(compare_all(&[], 1.0).is_err());
}

/// Percentiles are shares of jobs beyond what the model says.
#[test]
fn percentiles() {
    let jobs = exponential(0.5);
    let (_, waits, sizes) = their_simulator(&jobs, 400_000, 5, 1000);
    let responses: Vec<f64> = waits.iter().zip(&sizes).map(|(w, x)| w + x).collect();
    for p in [0.5, 0.9, 0.99] {
        // P(T > t) = e^−t/2
        let quantile = -2.0 * (1.0_f64 - p).ln();
        let seen = Observed::share_beyond(&responses, quantile).unwrap();
        assert_eq!(compare(exact(1.0 - p), &seen).unwrap().verdict, Verdict::Consistent, "{p} {seen:?}");
        let other = Observed::share_beyond(&responses, 1.1 * quantile).unwrap();
        assert_eq!(compare(exact(1.0 - p), &other).unwrap().verdict, Verdict::Inconsistent, "{p} {other:?}");
    }
}

#[test]
fn batches_are_as_long_as_the_series_asks() {
    let (_, waits, _) = their_simulator(&exponential(0.8), 200_000, 3, 2000);
    let seen = Observed::from_series(&waits).unwrap();
    assert!(seen.autocorrelation().unwrap() > 0.9);
    assert!(seen.batch_length().unwrap() > 700, "{seen:?}");
    assert_eq!(seen.jobs(), Some(200_000));
    // Independent values need none: the error is s/√n.
    let mut random = Random::new(1);
    let values: Vec<f64> = (0..100_000).map(|_| random.exponential()).collect();
    let seen = Observed::from_series(&values).unwrap();
    assert!((seen.standard_error() * 1e5_f64.sqrt() - 1.0).abs() < 0.15, "{seen:?}");
}

fn farm(load: f64, hosts: usize) -> Farm<Exponential> {
    Farm::with_load(Exponential::with_mean(1.0).unwrap(), Hosts::identical(hosts).unwrap(), load).unwrap()
}

fn random_farm(farm: &Farm<&Exponential>, discipline: Discipline) -> queueing::Result<Performance> {
    queueing::farm::random(farm, discipline)
}

/// Each slip made on purpose is the first that is named.
#[test]
fn slips_are_named() {
    let farm = farm(0.6, 2);
    let expected = |metric| random_farm(&farm_ref(&farm), Discipline::Ps).unwrap().estimate(metric).unwrap();
    let run = Run::new(3).jobs(2_000_000);
    let seen = |farm: &Farm<Exponential>, discipline, metric| {
        let seen = sim::farm(farm, &sim::Dispatch::Random, discipline, &run).unwrap().overall;
        Observed::from_estimate(seen.estimate(metric).unwrap()).unwrap()
    };
    let named = |metric, observed| {
        let check = Check::new("", expected(metric), observed);
        diagnose(&check, &candidates(&farm, Discipline::Ps, metric, random_farm), None, None)
    };
    let (slowdown, response) = (Metric::MeanSlowdown, Metric::MeanResponseTime);
    assert_eq!(named(slowdown, seen(&farm, Discipline::Ps, slowdown)), []);
    let first = |metric, observed| named(metric, observed).first().copied();
    assert_eq!(
        first(slowdown, seen(&farm, Discipline::Ps, Metric::MeanWaitingSlowdown)),
        Some(Slip::SlowdownDefinition)
    );
    assert_eq!(first(response, seen(&farm, Discipline::Ps, Metric::MeanWaitingTime)), Some(Slip::WaitingForResponse));
    let slow = self::farm(0.3, 2);
    assert_eq!(first(response, seen(&slow, Discipline::Ps, response)), Some(Slip::LoadOfAllHosts));
    // FCFS and PS agree for exponential sizes; for others they do not.
    let heavy = HyperExponential::balanced(1.0, 4.0).unwrap();
    let jobs = Farm::with_load(heavy, Hosts::identical(1).unwrap(), 0.6).unwrap();
    let fcfs =
        sim::farm(&jobs, &sim::Dispatch::Random, Discipline::Fcfs, &run).unwrap().overall.estimate(response).unwrap();
    let ps = queueing::farm::random(&jobs, Discipline::Ps).unwrap().estimate(response).unwrap();
    let slips = candidates(&jobs, Discipline::Ps, response, queueing::farm::random);
    let check = Check::new("", ps, Observed::from_estimate(fcfs).unwrap());
    // The orders that look at no size share the mean of FCFS.
    let same_mean = [Discipline::Fcfs, Discipline::Lcfs, Discipline::Siro].map(Slip::OtherDiscipline);
    assert_eq!(diagnose(&check, &slips, None, None), same_mean);
}

fn farm_ref(farm: &Farm<Exponential>) -> Farm<&Exponential> {
    Farm::with_load(farm.jobs().size(), farm.hosts(), farm.load()).unwrap()
}

#[test]
fn a_warm_up_left_in_is_named() {
    // A heavy start: 2000 jobs behind an initial backlog.
    let (_, mut waits, _) = their_simulator(&exponential(0.5), 60_000, 9, 1000);
    let start: Vec<f64> = (0..3000).map(|i| 40.0 - f64::from(i) / 75.0).collect();
    waits.splice(0..0, start);
    let check = Check::new("E[W]", exact(1.0), Observed::from_series(&waits).unwrap());
    let slips = diagnose(&check, &[], Some(&waits), None);
    assert!(matches!(slips[..], [Slip::WarmUpLeftIn { jobs: 2000..=4000 }]), "{slips:?}");
}

#[test]
fn arrivals_that_are_not_poisson_are_named() {
    let mut random = Random::new(1);
    let mut wrong = 0;
    for _ in 0..1000 {
        let mut now = 0.0;
        let times: Vec<f64> = (0..400)
            .map(|_| {
                now += random.exponential();
                now
            })
            .collect();
        wrong += u32::from(arrivals(&times).unwrap().p_value < 0.01);
    }
    assert!((2..=25).contains(&wrong), "{wrong} of 1000 Poisson streams");
    let mut now = 0.0;
    let bursts: Vec<f64> = (0..2000)
        .map(|i| {
            now += random.exponential() * if i % 100 < 50 { 0.5 } else { 1.5 };
            now
        })
        .collect();
    let check = Check::new("", exact(1.0), Observed::new(1.0, 0.1).unwrap());
    assert!(matches!(diagnose(&check, &[], None, Some(&bursts))[..], [Slip::NotPoisson(_)]));
    assert!(arrivals(&[1.0; 40]).is_err());
    assert!(arrivals(&[2.0, 1.0].repeat(20)).is_err());
    assert!(arrivals(&[1.0]).is_err());
}

#[test]
fn bad_input_is_an_error() {
    for (mean, error) in
        [(f64::NAN, 1.0), (f64::INFINITY, 1.0), (1.0, 0.0), (1.0, -1.0), (1.0, f64::NAN), (1.0, f64::INFINITY)]
    {
        assert!(Observed::new(mean, error).is_err(), "{mean} {error}");
    }
    for bad in [&[][..], &[1.0], &[1.0, 1.0], &[1.0, f64::NAN], &[1.0, f64::INFINITY]] {
        assert!(Observed::from_batches(bad).is_err(), "{bad:?}");
    }
    assert!(Observed::from_series(&[1.0; 10]).is_err());
    assert!(Observed::from_series(&[1.0; 100]).is_err());
    assert!(Observed::with_half_width(1.0, 0.1, 1.0).is_err());
    assert!(Observed::new(1.0, 1.0).unwrap().with_degrees_of_freedom(0.0).is_err());
    assert!(Observed::from_estimate(exact(1.0)).is_err());
    let check = Check::new("", exact(1.0), Observed::new(1.0, 1.0).unwrap());
    assert!(check.of_sizes(&Exponential::with_mean(1.0).unwrap(), 2.0).is_err());
    assert_eq!(crosscheck::warm_up(&[]), 0);
    assert_eq!(crosscheck::warm_up(&[1.0; 3]), 0);
    let tiny: &dyn JobSize = &size::Deterministic::new(1.0).unwrap();
    assert!(Tail::of(tiny, 2.0, 0).share <= 1.0);
}
