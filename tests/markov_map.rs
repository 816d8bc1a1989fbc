//! MAP/PH/1 against classical queues, Little's law and a simulation.

mod common;

use queueing::Error;
use queueing::markov::{DMatrix, Map, MapQueue};
use queueing::prelude::*;
use queueing::size::PhaseType;

#[test]
fn poisson_arrivals_are_m_g_1() {
    let sizes = [
        PhaseType::coxian2(2.0, 0.1, 0.15).unwrap(),
        PhaseType::erlang(4, 1.0).unwrap(),
        PhaseType::mixture(&[(0.9, PhaseType::exponential(0.5).unwrap()), (0.1, PhaseType::erlang(2, 6.0).unwrap())])
            .unwrap(),
    ];
    for size in sizes {
        for load in [0.1, 0.5, 0.95] {
            let jobs = Workload::with_load(size.clone(), load).unwrap();
            let one = mg1::fcfs(&jobs).unwrap();
            let queue = MapQueue::new(&Map::poisson(jobs.rate()).unwrap(), &size).unwrap();
            assert_close!(queue.load(), load, 1e-14);
            assert_close!(queue.mean_waiting_time(), one.mean_waiting_time().unwrap(), 1e-12);
            assert_close!(queue.mean_response_time(), one.mean_response_time().unwrap(), 1e-12);
            assert_close!(queue.probability_of_waiting(), load, 1e-13);
            let waiting = queue.waiting_time().unwrap();
            assert_close!(waiting.mean(), one.mean_waiting_time().unwrap(), 1e-12);
            assert_close!(
                waiting.moment(2.0),
                one.estimate(queueing::Metric::SecondMomentWaitingTime).unwrap().value,
                1e-12
            );
            assert_close!(
                waiting.moment(3.0),
                one.estimate(queueing::Metric::ThirdMomentWaitingTime).unwrap().value,
                1e-12
            );
            let response = queue.response_time().unwrap();
            // E[N(N−1)] = λ²E[T²] under Poisson arrivals.
            let factorial = queue.second_moment_number() - queue.mean_number();
            assert_close!(factorial, jobs.rate().powi(2) * response.moment(2.0), 1e-12);
        }
    }
}

#[test]
fn waiting_tails_of_the_reference_table() {
    let mut count = 0;
    for row in common::table("waiting_tail.csv") {
        if !["exponential", "erlang", "hyperexponential", "coxian2"].contains(&row["law"].as_str()) {
            continue;
        }
        let size = match common::law(&row) {
            Law::Exponential(law) => PhaseType::try_from(&law).unwrap(),
            Law::Erlang(law) => PhaseType::try_from(&law).unwrap(),
            Law::HyperExponential(law) => PhaseType::try_from(&law).unwrap(),
            Law::PhaseType(law) => law,
            other => panic!("{other}"),
        };
        let load = common::number(&row, "load").unwrap();
        let rate = load / size.mean();
        let waiting = MapQueue::new(&Map::poisson(rate).unwrap(), &size).unwrap().waiting_time().unwrap();
        let t = common::number(&row, "t").unwrap();
        assert_close!(waiting.sf(t), common::number(&row, "value").unwrap(), 1e-11, "{row:?}");
        count += 1;
    }
    println!("waiting_tail.csv: {count} rows");
    assert!(count >= 3);
}

#[test]
fn regular_arrivals_are_g_m_1() {
    // E4/M/1: σ = A~(μ(1−σ)), P(W > t) = σ exp(−μ(1−σ)t).
    let (mean_gap, mu) = (1.25, 1.0);
    let queue = MapQueue::new(
        &Map::renewal(&PhaseType::erlang(4, mean_gap).unwrap()).unwrap(),
        &PhaseType::exponential(1.0 / mu).unwrap(),
    )
    .unwrap();
    let mut sigma = 0.5;
    for _ in 0..2000 {
        sigma = (1.0 + mean_gap / 4.0 * mu * (1.0 - sigma)).powi(-4);
    }
    assert_close!(queue.probability_of_waiting(), sigma, 1e-12);
    assert_close!(queue.mean_waiting_time(), sigma / (mu * (1.0 - sigma)), 1e-12);
    let waiting = queue.waiting_time().unwrap();
    for t in [0.0, 0.3, 5.0, 60.0] {
        assert_close!(waiting.sf(t), sigma * (-mu * (1.0 - sigma) * t).exp(), 1e-11);
    }
    assert_close!(waiting.mass_at_zero(), 1.0 - sigma, 1e-12);
}

#[test]
fn bursts_against_a_simulation() {
    // Arrivals in bursts, two-phase sizes: waiting times by Lindley's recursion.
    let map = Map::modulated_poisson(&[2.0, 0.1], &[(0, 1, 0.2), (1, 0, 0.1)]).unwrap();
    let size = PhaseType::coxian2(2.0, 1.0, 0.4).unwrap();
    let queue = MapQueue::new(&map, &size).unwrap();
    let waiting = queue.waiting_time().unwrap();
    assert_close!(waiting.mean(), queue.mean_waiting_time(), 1e-12);
    assert_close!(1.0 - waiting.mass_at_zero(), queue.probability_of_waiting(), 1e-12);
    let mut seed = 99_u64;
    let mut uniform = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((seed >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    };
    let (rates, leave) = ([2.0, 0.1], [0.2, 0.1]);
    let (mut phase, mut wait, jobs) = (0, 0.0_f64, 4_000_000);
    let (mut sum, mut squares, mut beyond) = (0.0, 0.0, 0.0);
    for _ in 0..jobs {
        sum += wait;
        squares += wait * wait;
        beyond += f64::from(u8::from(wait > 5.0));
        let mut gap = 0.0;
        loop {
            gap -= uniform().ln() / (rates[phase] + leave[phase]);
            if uniform() * (rates[phase] + leave[phase]) < rates[phase] {
                break;
            }
            phase = 1 - phase;
        }
        let mut work = -uniform().ln() / 2.0;
        if uniform() < 0.4 {
            work -= uniform().ln();
        }
        wait = (wait + work - gap).max(0.0);
    }
    let n = f64::from(jobs);
    assert!((sum / n / waiting.mean() - 1.0).abs() < 0.02, "{} {}", sum / n, waiting.mean());
    assert!((squares / n / waiting.moment(2.0) - 1.0).abs() < 0.04);
    assert!((beyond / n / waiting.sf(5.0) - 1.0).abs() < 0.02);
}

#[test]
fn bad_streams_are_named() {
    let two = |entries: &[f64]| DMatrix::from_row_slice(2, 2, entries);
    let d1 = two(&[1.0, 0.0, 0.0, 2.0]);
    assert!(
        matches!(Map::new(two(&[-2.0, 1.0, 1.0, -2.5]), d1.clone()), Err(Error::Datum { index: 2, value, .. }) if value == 0.5)
    );
    assert!(matches!(Map::new(two(&[-2.0, 1.0, f64::NAN, -2.0]), d1.clone()), Err(Error::Datum { index: 2, .. })));
    assert!(Map::new(two(&[-1.0, 1.0, 1.0, -1.0]), DMatrix::zeros(2, 2)).is_err());
    assert!(Map::new(two(&[-1.0, 0.0, 0.0, -2.0]), d1.clone()).is_err());
    assert!(
        Map::new(DMatrix::zeros(0, 0), DMatrix::zeros(0, 0)).is_err() && Map::new(DMatrix::zeros(2, 3), d1).is_err()
    );
    assert!(Map::poisson(f64::NAN).is_err() && Map::poisson(0.0).is_err());
    assert!(Map::modulated_poisson(&[1.0], &[(0, 1, 1.0)]).is_err() && Map::modulated_poisson(&[], &[]).is_err());
    assert!(Map::modulated_poisson(&[1.0, -1.0], &[(0, 1, 1.0), (1, 0, 1.0)]).is_err());
    let one = PhaseType::exponential(1.0).unwrap();
    assert!(matches!(MapQueue::new(&Map::poisson(1.0).unwrap(), &one), Err(Error::Unstable { .. })));
    let zero = PhaseType::with_exits(&[0.5], &DMatrix::zeros(1, 1), &[1.0]).unwrap();
    assert!(MapQueue::new(&Map::poisson(0.1).unwrap(), &zero).is_err() && Map::renewal(&zero).is_err());
}
