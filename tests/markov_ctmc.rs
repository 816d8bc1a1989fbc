//! Finite chains against closed forms, dense against sparse, and bad input.

mod common;

use queueing::Error;
use queueing::markov::{Ctmc, DMatrix};

/// A birth-death chain and its law by products of ratios.
fn line(n: usize, up: impl Fn(usize) -> f64, down: impl Fn(usize) -> f64) -> (Ctmc, Vec<f64>) {
    let ups = (0..n - 1).map(|i| (i, i + 1, up(i)));
    let downs = (1..n).map(|i| (i, i - 1, down(i)));
    let chain = Ctmc::new(n, ups.chain(downs).collect::<Vec<_>>()).unwrap();
    let mut logs = vec![0.0];
    (1..n).for_each(|i| logs.push(logs[i - 1] + (up(i - 1) / down(i)).ln()));
    let top = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = logs.iter().map(|log: &f64| (log - top).exp()).collect();
    let total: f64 = weights.iter().sum();
    (chain, weights.into_iter().map(|w| w / total).collect())
}

#[test]
fn lines_dense_and_sparse() {
    for n in [1, 2, 10, 150, 151, 1000, 20_000] {
        let (chain, expected) = line(n, |i| 1.0 + (i % 7) as f64, |i| 1.5 + (i % 5) as f64);
        let law = chain.stationary().unwrap();
        for (p, q) in law.iter().zip(&expected).filter(|(_, q)| **q > 1e-250) {
            assert_close!(*p, *q, 1e-9, "{n}");
        }
        assert!(chain.residual(&law) < 1e-14);
    }
}

#[test]
fn rates_twenty_decades_apart() {
    // Nearly decomposable: probabilities keep all digits.
    let (chain, expected) = line(6, |i| if i == 2 { 1e-20 } else { 1.0 }, |i| if i == 3 { 1e-18 } else { 2.0 });
    for (p, q) in chain.stationary().unwrap().iter().zip(&expected) {
        assert_close!(*p, *q, 1e-14);
    }
    let (chain, expected) = line(400, |i| if i == 200 { 1e-20 } else { 1.0 }, |i| if i == 201 { 1e-18 } else { 1.0 });
    for (p, q) in chain.stationary().unwrap().iter().zip(&expected) {
        assert_close!(*p, *q, 1e-12);
    }
}

#[test]
fn a_plane_of_ten_thousand_states() {
    // Two independent M/M/1/99 queues: the product of their laws.
    let side = 100;
    let start = std::time::Instant::now();
    let (chain, states) = Ctmc::explore((0, 0), side * side, |&(i, j)| {
        let mut out = Vec::new();
        if i + 1 < side {
            out.push((0.9, (i + 1, j)));
        }
        if j + 1 < side {
            out.push((1.1, (i, j + 1)));
        }
        if i > 0 {
            out.push((1.0, (i - 1, j)));
        }
        if j > 0 {
            out.push((1.0, (i, j - 1)));
        }
        out
    })
    .unwrap();
    let law = chain.stationary().unwrap();
    let sum = |ratio: f64| (0..side).map(|i| ratio.powf(i as f64)).sum::<f64>();
    for (&(i, j), p) in states.iter().zip(&law) {
        assert_close!(*p, 0.9_f64.powf(i as f64) * 1.1_f64.powf(j as f64) / sum(0.9) / sum(1.1), 1e-12);
    }
    assert!(chain.residual(&law) < 1e-14);
    assert_close!(
        chain.mean(&law, |k| states[k].0 as f64),
        (0..side).map(|i| i as f64 * 0.9_f64.powf(i as f64)).sum::<f64>() / sum(0.9),
        1e-12
    );
    println!("10000 states: {:?}", start.elapsed());
}

#[test]
fn absorption_times() {
    // A fair walk on 0..=n, reflected at 0 and absorbed at n, unit rates: h_i = (n−i)(n+i+1)/... by h_i − h_{i+1} = i + 1.
    for n in [1_usize, 5, 200, 3000] {
        let ups = (0..n).map(|i| (i, i + 1, 1.0));
        let downs = (1..n).map(|i| (i, i - 1, 1.0));
        let chain = Ctmc::new(n + 1, ups.chain(downs).collect::<Vec<_>>()).unwrap();
        let times = chain.mean_absorption_times(&[n]).unwrap();
        for (i, time) in times.iter().enumerate() {
            let expected: f64 = (i..n).map(|k| (k + 1) as f64).sum();
            assert_close!(*time, expected, 1e-12);
        }
    }
    // A trap beside the target: infinite from where it may be entered, 0 at the target itself.
    let chain = Ctmc::new(4, [(0, 1, 1.0), (0, 2, 1.0), (3, 1, 2.0)]).unwrap();
    assert_eq!(chain.mean_absorption_times(&[1]).unwrap(), [f64::INFINITY, 0.0, f64::INFINITY, 0.5]);
    // The busy period of M/M/1/K, dense against a direct solution.
    let dense = DMatrix::from_row_slice(3, 3, &[-1.0, 1.0, 0.0, 2.0, -3.0, 1.0, 0.0, 2.0, -2.0]);
    let chain = Ctmc::from_generator(&dense).unwrap();
    assert_close!(chain.mean_absorption_times(&[0]).unwrap()[1], 0.75, 1e-15);
}

#[test]
fn bad_chains_are_named() {
    assert!(matches!(Ctmc::new(0, []), Err(Error::Argument { .. })));
    assert!(matches!(Ctmc::new(2, [(0, 2, 1.0)]), Err(Error::Argument { value, .. }) if value == 2.0));
    for bad in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(Ctmc::new(2, [(1, 0, 1.0), (0, 1, bad)]), Err(Error::Datum { index: 2, .. })));
    }
    let two = |entries: &[f64]| DMatrix::from_row_slice(2, 2, entries);
    assert!(
        matches!(Ctmc::from_generator(&two(&[-1.0, 1.0, 1.0, -2.0])), Err(Error::Datum { index: 2, value, .. }) if value == -1.0)
    );
    assert!(matches!(Ctmc::from_generator(&two(&[1.0, -1.0, 1.0, -1.0])), Err(Error::Datum { index: 1, .. })));
    assert!(Ctmc::from_generator(&two(&[f64::NAN, 1.0, 1.0, -1.0])).is_err());
    assert!(
        Ctmc::from_generator(&DMatrix::zeros(2, 3)).is_err() && Ctmc::from_generator(&DMatrix::zeros(0, 0)).is_err()
    );
    let split = Ctmc::new(4, [(0, 1, 1.0), (1, 0, 1.0), (2, 3, 1.0), (3, 2, 1.0)]).unwrap();
    assert!(matches!(split.stationary(), Err(Error::Argument { value, .. }) if value == 2.0));
    assert!(split.mean_absorption_times(&[]).is_err() && split.mean_absorption_times(&[9]).is_err());
    let drain = Ctmc::new(3, [(0, 1, 1.0), (1, 2, 5.0)]).unwrap();
    assert_eq!(drain.stationary().unwrap(), [0.0, 0.0, 1.0]);
    assert!(Ctmc::explore(0_u64, 1000, |&k| [(1.0, k + 1)]).is_err());
}
