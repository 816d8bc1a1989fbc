//! Busy periods against test vectors, closed forms, numerical derivatives and a simulation.

mod common;

use queueing::Error;
use queueing::markov::fit::{Moments, coxian2};
use queueing::markov::{BusyPeriod, moments_of_sum};
use queueing::prelude::*;
use queueing::size::Complex64;

#[test]
fn test_vectors() {
    let exponential = |mean: f64| Exponential::with_mean(mean).unwrap();
    let busy = BusyPeriod::new(0.5, exponential(1.0)).unwrap();
    assert_eq!(busy.moments(), [2.0, 16.0, 288.0]);
    assert_eq!(busy.started_by(moments_of_sum([1.0, 2.0, 6.0], [1.0, 2.0, 6.0])).unwrap(), [4.0, 40.0, 768.0]);
    assert_eq!(busy.started_by_arrivals([0.5, 0.5, 0.75]).unwrap(), [2.5, 22.5, 423.75]);
    let close = |value: [f64; 3], expected: [f64; 3]| {
        for (x, y) in value.into_iter().zip(expected) {
            assert_close!(x, y, 1e-13);
        }
    };
    let long = BusyPeriod::new(0.05, exponential(10.0)).unwrap();
    close(long.started_by([1.0, 2.0, 6.0]).unwrap(), [2.0, 88.0, 15408.0]);
    let spread = BusyPeriod::new(0.05, HyperExponential::balanced(10.0, 8.0).unwrap()).unwrap();
    close(spread.moments(), [20.0, 7200.0, 7_344_000.0]);
    let [m1, m2, m3] = spread.started_by([1.0, 2.0, 6.0]).unwrap();
    let moments = Moments::new(m1, m2, m3).unwrap();
    assert_close!(moments.n2(), 92.0, 1e-13);
    assert_close!(moments.n3(), 504.848, 1e-6);
    // Ready to be matched.
    let [b1, b2, b3] = busy.moments();
    assert_eq!(coxian2(Moments::new(b1, b2, b3).unwrap()).unwrap().phases, 2);
}

#[test]
fn the_closed_form_of_m_m_1() {
    for (lambda, mu) in [(0.5, 1.0), (0.9, 1.0), (0.999, 1.0), (30.0, 100.0)] {
        let busy = BusyPeriod::new(lambda, Exponential::with_mean(1.0 / mu).unwrap()).unwrap();
        for s in [1e-8, 1e-5, 1e-3, 0.1, 1.0, 50.0, 1e4].map(|s| s * mu) {
            // 1 − B with λB² − (λ+μ+s)B + μ = 0: the smaller root, without cancellation.
            // With a = μ − λ + s: 1 − B = (√(a² + 4λs) − a)/2λ = 2s/(√(a² + 4λs) + a).
            let a = mu - lambda + s;
            let expected = 2.0 * s / ((a * a + 4.0 * lambda * s).sqrt() + a);
            assert_close!(busy.transform_complement(s).unwrap(), expected, 1e-12, "{lambda} {s}");
        }
        for s in
            [Complex64::new(0.0, 1e-3), Complex64::new(0.0, 0.3), Complex64::new(1e-4, 2.0), Complex64::new(3.0, -40.0)]
                .map(|s| s * mu)
        {
            let half = (lambda + mu + s) * 0.5;
            let expected = mu / (half + (half * half - lambda * mu).sqrt());
            let value = busy.transform(s).unwrap();
            assert!((value - expected).norm() < 1e-12, "{lambda} {s}: {value} {expected}");
        }
    }
}

#[test]
fn transforms_agree_with_moments_for_any_law() {
    for text in [
        "erlang:stages=4,mean=1",
        "uniform:a=0,b=2",
        "deterministic:value=1",
        "coxian2:rate1=2,rate2=0.1,p=0.05",
        "lognormal:mean=1,scv=3",
    ] {
        let size: Law = text.parse().unwrap();
        let busy = BusyPeriod::new(0.6 / size.mean(), &size).unwrap();
        let [b1, b2, b3] = busy.moments();
        let s = 1e-3 * (b1 / b2).min(b2 / b3);
        let series = s * b1 - s * s * b2 / 2.0 + s * s * s * b3 / 6.0;
        let value = busy.transform_complement(s).unwrap();
        assert_close!(value, series, 1e-6, "{text}");
        // On the imaginary axis it is the characteristic function.
        let value = busy.transform(Complex64::new(0.0, s)).unwrap();
        assert!((value.im + s * b1 - s * s * s * b3 / 6.0).abs() < 1e-6 * s * b1, "{text}");
        assert!((value.re - 1.0 + s * s * b2 / 2.0).abs() < 1e-4 * s * s * b2 + 1e-12, "{text}");
    }
}

#[test]
fn a_throwaway_simulation() {
    // M/U/1 at load 0.5, one busy period at a time.
    let (lambda, mut seed) = (0.5, 4711_u64);
    let mut uniform = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((seed >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    };
    let runs = 400_000;
    let (mut sum, mut squares) = (0.0, 0.0);
    for _ in 0..runs {
        let (mut work, mut length) = (2.0 * uniform(), 0.0);
        loop {
            let gap = -uniform().ln() / lambda;
            if gap >= work {
                length += work;
                break;
            }
            length += gap;
            work += 2.0 * uniform() - gap;
        }
        sum += length;
        squares += length * length;
    }
    let n = f64::from(runs);
    let busy = BusyPeriod::new(lambda, Uniform::new(0.0, 2.0).unwrap()).unwrap();
    let [b1, b2, b3] = busy.moments();
    assert!((sum / n - b1).abs() < 4.0 * ((b2 - b1 * b1) / n).sqrt());
    assert!((squares / n / b2 - 1.0).abs() < 0.03, "{b3}");
}

#[test]
fn the_mixture_for_composition() {
    // Hyperexponential sizes: the busy period is a mixture of exponentials.
    let busy = BusyPeriod::new(0.05, HyperExponential::balanced(10.0, 8.0).unwrap()).unwrap();
    for (count, allowed) in [(20, 2e-5), (40, 3e-8), (80, 2e-9)] {
        let fit = busy.exponential_mixture(count).unwrap();
        println!("{count} rates: {} phases, error {:e}", fit.law.phases(), fit.error);
        assert!(fit.error < allowed);
        let [b1, b2, b3] = busy.moments();
        assert_close!(fit.law.mean(), b1, allowed);
        assert_close!(fit.law.moment(2.0), b2, allowed);
        assert_close!(fit.law.moment(3.0), b3, 0.1);
    }
}

#[test]
fn bad_arguments() {
    let size = Exponential::with_mean(1.0).unwrap();
    assert!(matches!(BusyPeriod::new(1.0, size), Err(Error::Unstable { .. })));
    assert!(BusyPeriod::new(f64::NAN, size).is_err() && BusyPeriod::new(0.0, size).is_err());
    assert!(BusyPeriod::new(0.1, Pareto::new(1.0, 0.9).unwrap()).is_err());
    let busy = BusyPeriod::new(0.5, size).unwrap();
    assert!(busy.transform_complement(-1.0).is_err() && busy.transform_complement(f64::NAN).is_err());
    assert!(
        busy.transform(Complex64::new(-1.0, 0.0)).is_err() && busy.transform(Complex64::new(0.0, f64::NAN)).is_err()
    );
    assert_eq!(busy.transform_complement(0.0).unwrap(), 0.0);
    // A heavy tail: a finite mean, infinite beyond; the transform is there all the same.
    let heavy = BusyPeriod::new(0.2, Pareto::new(1.0, 1.5).unwrap()).unwrap();
    let [b1, b2, b3] = heavy.moments();
    assert!((b1 - 7.5).abs() < 1e-12 && b2 == f64::INFINITY && b3 == f64::INFINITY);
    assert!(heavy.transform_complement(0.1).unwrap() < 1.0 && heavy.exponential_mixture(20).is_err());
    let full = BusyPeriod::new(1.0 - 1e-9, size).unwrap();
    assert!(full.transform_complement(1e-12).unwrap() > 0.0);
    assert!(full.transform(Complex64::new(1e-9, 1e-9)).is_ok());
}

#[test]
fn transforms_next_to_the_origin() {
    // M/M/1 of mean 1: B~ = 1 − 2s/(s − q + √(q² + 2(1+λ)s + s²)) ... in the form without cancellation 1 − B~ = 2s/(s + q + root)
    for (load, s) in
        [(0.9, 1e-10), (0.99, 1e-10), (0.999, 1e-8), (0.9999, 1e-10), (0.999_999, 1e-12), (0.5, 1e-3), (0.9, 3.0)]
    {
        let busy = BusyPeriod::new(load, Exponential::with_mean(1.0).unwrap()).unwrap();
        let (s, q) = (Complex64::new(0.0, s), 1.0 - load);
        let root = (q * q + 2.0 * (1.0 + load) * s + s * s).sqrt();
        // λB² − (λ+1+s)B + 1 = 0 for B = 1 − c: λc² + (1 + s − λ)c − s = 0
        let complement = 2.0 * s / (1.0 + s - load + root);
        let value = 1.0 - busy.transform(s).unwrap_or_else(|error| panic!("{load} {s}: {error}"));
        assert!((value - complement).norm() <= 4e-16 / q, "{load} {s}: {value} against {complement}");
    }
    // Deterministic sizes of 1 at s = 2πi: the busy period is a whole number.
    let lattice = BusyPeriod::new(0.9, Deterministic::new(1.0).unwrap()).unwrap();
    let value = lattice.transform(Complex64::new(0.0, std::f64::consts::TAU)).unwrap();
    assert!((value - 1.0).norm() < 1e-13, "{value}");
}

#[test]
fn moments_of_nothing_and_of_no_number() {
    let heavy = BusyPeriod::new(0.1, Pareto::new(1.0, 1.5).unwrap()).unwrap();
    assert_eq!(heavy.started_by([0.0; 3]).unwrap(), [0.0; 3]);
    assert!(heavy.started_by_arrivals([0.0; 3]).unwrap().iter().all(|moment| !moment.is_nan()));
    let endless = [2.0, f64::INFINITY, f64::INFINITY];
    assert_eq!(moments_of_sum([0.0; 3], endless), endless);
    assert_eq!(moments_of_sum([f64::INFINITY; 3], [0.0; 3]), [f64::INFINITY; 3]);
    for bad in [[f64::NAN; 3], [-1.0, 2.0, 3.0]] {
        assert!(heavy.started_by(bad).unwrap_err().to_string().contains("moment of the work 1 is"));
        assert!(heavy.started_by_arrivals(bad).is_err());
    }
}
