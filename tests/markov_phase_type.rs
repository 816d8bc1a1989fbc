//! Phase types against closed forms of other laws, identities and quadrature.

mod common;

use queueing::Error;
use queueing::markov::DMatrix;
use queueing::prelude::*;
use queueing::size::{Complex64, PhaseType};

/// A phase type and the same law by its own formulas.
fn twins() -> Vec<(PhaseType, Law)> {
    let erlang = |n: u32, mean: f64| Erlang::with_mean(n, mean).unwrap();
    let hyper = HyperExponential::two(0.9, 0.5, 40.0).unwrap();
    let spread = HyperExponential::two(0.99999, 1e-3, 1e3).unwrap();
    vec![
        (PhaseType::exponential(2.0).unwrap(), Exponential::with_mean(2.0).unwrap().into()),
        (PhaseType::erlang(3, 2.0).unwrap(), erlang(3, 2.0).into()),
        (PhaseType::try_from(&erlang(40, 5.0)).unwrap(), erlang(40, 5.0).into()),
        (PhaseType::try_from(&hyper).unwrap(), hyper.into()),
        (PhaseType::try_from(&spread).unwrap(), spread.into()),
        (PhaseType::coxian(&[3.0; 4], &[1.0; 3]).unwrap(), erlang(4, 4.0 / 3.0).into()),
    ]
}

#[test]
fn the_same_law_by_other_formulas() {
    let (mut whole, mut real): (f64, f64) = (0.0, 0.0);
    for (phases, law) in twins() {
        let scale = law.mean();
        for x in [1e-9, 1e-3, 0.1, 0.7, 1.0, 3.0, 20.0, 60.0].map(|x| x * scale) {
            assert_close!(phases.cdf(x), law.cdf(x), 1e-11, "cdf {law} {x}");
            if law.sf(x) > 1e-290 {
                assert_close!(phases.sf(x), law.sf(x), 1e-11, "sf {law} {x}");
                assert_close!(phases.density(x), law.density(x), 1e-11, "density {law} {x}");
            }
        }
        for (a, b) in [(0.0, f64::INFINITY), (0.0, 0.01), (0.0, 2.0), (0.5, 0.51), (1.0, 30.0), (4.0, f64::INFINITY)] {
            let (a, b) = (a * scale, b * scale);
            for r in [0.0, 1.0, 2.0, 3.0, 4.0, 7.0, -1.0, -2.0, 0.5, 1.5, -0.5, -3.25] {
                let (value, expected) = (phases.partial_moment(r, a, b), law.partial_moment(r, a, b));
                let error = common::relative_error(value, expected);
                assert!(error < 3e-11, "{law} r {r} ({a}, {b}]: {value:e} {expected:e} {error:e}");
                let worst = if r >= 0.0 && r.fract() == 0.0 { &mut whole } else { &mut real };
                *worst = worst.max(error);
            }
        }
        for s in [Complex64::new(0.3, 0.0), Complex64::new(0.0, 2.0), Complex64::new(5.0, -40.0)] {
            let (value, expected) = (phases.transform(s), law.transform(s));
            assert!((value - expected).norm() < 1e-12, "{law} {s}: {value} {expected}");
        }
        for p in [1e-6, 0.3, 0.999] {
            assert_close!(phases.quantile(p), law.quantile(p), 1e-11);
            assert_close!(phases.upper_quantile(p), law.upper_quantile(p), 1e-11);
        }
    }
    println!("partial moments: whole orders {whole:e}, others {real:e}");
}

#[test]
fn far_tails_of_stiff_laws() {
    // Rates nine decades apart; the tail is that of the slow phase alone.
    let law = PhaseType::coxian2(1e6, 1e-3, 1e-4).unwrap();
    for x in [10.0, 1e3, 1e5, 5e5] {
        assert_close!(law.sf(x), 1e-4 * (1.0 / (1.0 - 1e-9)) * (-1e-3 * x).exp(), 1e-13, "{x}");
    }
    assert_close!(
        law.partial_moment(1.0, 1e4, 2e4),
        {
            // ∫ x λ e^{−λx}: (x + 1/λ) e^{−λx}
            let at = |x: f64| (x + 1e3) * (-1e-3 * x).exp();
            1e-4 / (1.0 - 1e-9) * (at(1e4) - at(2e4))
        },
        1e-12
    );
}

#[test]
fn phases_that_return() {
    // A chain with a loop against its partial fractions: T = [[-2, 1], [1, -2]] has eigenvalues −1 and −3.
    let t = DMatrix::from_row_slice(2, 2, &[-2.0, 1.0, 1.0, -2.0]);
    let law = PhaseType::new(&[1.0, 0.0], &t).unwrap();
    for x in [0.01, 0.5, 3.0, 30.0, 300.0] {
        assert_close!(law.sf(x), (-x).exp(), 1e-13, "both exits are 1");
    }
    let slanted = PhaseType::with_exits(&[1.0, 0.0], &t, &[0.0, 1.0]).unwrap();
    // From phase 1 (rate 1 to phase 2), from phase 2 rate 1 back and rate 1 out: E = 1 + 1/2 + E/2 = 3.
    assert_close!(slanted.mean(), 3.0, 1e-15);
    // Poles at (3 ± √5)/2.
    let (fast, slow) = (0.5 * (3.0 + 5.0_f64.sqrt()), 0.5 * (3.0 - 5.0_f64.sqrt()));
    for x in [1e-4_f64, 0.3, 2.0, 90.0] {
        let expected = (fast * (-slow * x).exp() - slow * (-fast * x).exp()) / (fast - slow);
        assert_close!(slanted.sf(x), expected, 1e-13, "{x}");
    }
    assert_close!(slanted.cdf(1e-8), 0.5e-16 * (1.0 - 1e-8), 1e-12);
}

#[test]
fn the_algebra_of_laws() {
    let (a, b) = (PhaseType::coxian2(2.0, 0.1, 0.15).unwrap(), PhaseType::erlang(3, 4.0).unwrap());
    let zero = PhaseType::with_exits(&[0.7], &DMatrix::zeros(1, 1), &[0.5]).unwrap();
    for (x, y) in [(&a, &b), (&b, &a), (&zero, &a), (&a, &zero), (&zero, &zero)] {
        let sum = x.plus(y).unwrap();
        let [x1, x2, x3] = [1.0, 2.0, 3.0].map(|r| x.moment(r));
        let [y1, y2, y3] = [1.0, 2.0, 3.0].map(|r| y.moment(r));
        assert_close!(sum.mean(), x1 + y1, 1e-14);
        assert_close!(sum.moment(2.0), x2 + 2.0 * x1 * y1 + y2, 1e-14);
        assert_close!(sum.moment(3.0), x3 + 3.0 * x2 * y1 + 3.0 * x1 * y2 + y3, 1e-14);
        assert!((sum.mass_at_zero() - x.mass_at_zero() * y.mass_at_zero()).abs() < 1e-15);
        let mixed = PhaseType::mixture(&[(0.25, x.clone()), (0.75, y.clone())]).unwrap();
        let least = x.minimum(y).unwrap();
        for at in [0.0, 0.2, 1.0, 8.0, 40.0] {
            assert_close!(mixed.sf(at), 0.25 * x.sf(at) + 0.75 * y.sf(at), 1e-13);
            assert_close!(least.sf(at), x.sf(at) * y.sf(at), 1e-13);
        }
        let s = Complex64::new(0.4, 1.3);
        assert!((sum.transform(s) - x.transform(s) * y.transform(s)).norm() < 1e-14);
    }
    assert_close!(a.scaled(3.0).unwrap().moment(2.0), 9.0 * a.moment(2.0), 1e-14);
}

#[test]
fn jobs_of_size_zero() {
    let law = PhaseType::with_exits(&[0.5, 0.25], &DMatrix::from_row_slice(2, 2, &[0.0, 3.0, 0.0, 0.0]), &[0.0, 3.0])
        .unwrap();
    assert_eq!((law.mass_at_zero(), law.cdf(0.0), law.sf(0.0)), (0.25, 0.25, 0.75));
    assert_eq!(law.partial_moment(0.0, 0.0, f64::INFINITY), 1.0);
    assert_close!(law.partial_moment(0.0, 0.0, 1.0) + law.partial_moment(0.0, 1.0, f64::INFINITY), 1.0, 1e-15);
    assert_eq!(law.moment(-1.0), f64::INFINITY);
    assert_eq!((law.quantile(0.2), law.quantile(0.25)), (0.0, 0.0));
    assert!(law.quantile(0.26) > 0.0);
    assert_close!(law.transform(Complex64::ZERO).re, 1.0, 1e-15);
    let queue = mg1::fcfs(&Workload::with_load(law, 0.5).unwrap()).unwrap();
    assert_eq!(queue.mean_slowdown().unwrap(), f64::INFINITY);
}

#[test]
fn texts_go_round() {
    for text in [
        "coxian2:rate1=2,rate2=0.1,p=0.15",
        "phase-type:alpha=[0.5,0.25],t=[-2,0.3;0.1,-0.1],exit=[1.7,0]",
        "phase_type: alpha=[1], t=[-3]",
    ] {
        let law: Law = text.parse().unwrap();
        let again: Law = law.to_string().parse().unwrap();
        assert_eq!(law, again, "{law}");
        assert_eq!(law.to_string(), again.to_string());
    }
    let mut seed = 5_u64;
    for n in 1..8 {
        let mut next = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 11) as f64 / (1_u64 << 53) as f64
        };
        let mut alpha: Vec<f64> = (0..n).map(|_| next()).collect();
        let sum: f64 = alpha.iter().sum();
        for p in &mut alpha {
            *p /= sum * if n % 2 == 0 { 1.0 } else { 1.25 };
        }
        let rates = DMatrix::from_fn(n, n, |_, _| next());
        let exit: Vec<f64> = (0..n).map(|_| 1e-9 + next()).collect();
        let law = Law::from(PhaseType::with_exits(&alpha, &rates, &exit).unwrap());
        let mixed = Law::from(
            Mixture::new([(0.5, law.clone()), (0.5, Exponential::with_mean(1e-30).unwrap().into())]).unwrap(),
        );
        assert_eq!(law, law.to_string().parse().unwrap());
        assert_eq!(mixed, mixed.to_string().parse().unwrap());
    }
    for bad in [
        "phase-type:",
        "phase-type:alpha=[1]",
        "phase-type:alpha=[1],t=[1]",
        "phase-type:alpha=[1,0],t=[-1,0]",
        "phase-type:alpha=[2],t=[-1]",
        "phase-type:alpha=[1],t=[-1],exit=[0.5]",
        "phase-type:alpha=[1],alpha=[1],t=[-1]",
        "phase-type:alpha=[1],u=[2],t=[-1]",
        "phase-type:alpha=[nan],t=[-1]",
        "phase-type:alpha=[1],t=[nan]",
        "coxian2:rate1=1,rate2=1",
        "coxian2:rate1=1,rate2=1,p=1.5",
        "phase-type:alpha=[],t=[]",
    ] {
        assert!(bad.parse::<Law>().is_err(), "{bad}");
    }
}

#[test]
fn bad_matrices_are_named() {
    let two = |entries: &[f64]| DMatrix::from_row_slice(2, 2, entries);
    let t = two(&[-2.0, 1.0, 0.0, -1.0]);
    assert!(matches!(PhaseType::new(&[], &DMatrix::zeros(0, 0)), Err(Error::Argument { .. })));
    assert!(matches!(PhaseType::new(&[1.0], &t), Err(Error::Argument { .. })));
    assert!(matches!(PhaseType::new(&[1.0, f64::NAN], &t), Err(Error::Datum { index: 2, .. })));
    assert!(matches!(PhaseType::new(&[0.7, 0.7], &t), Err(Error::Argument { value, .. }) if value == 1.4));
    assert!(matches!(PhaseType::new(&[0.0, 0.0], &t), Err(Error::Argument { .. })));
    assert!(
        matches!(PhaseType::new(&[1.0, 0.0], &two(&[-2.0, 3.0, 0.0, -1.0])), Err(Error::Datum { index: 1, value, .. }) if value == -1.0)
    );
    assert!(matches!(PhaseType::new(&[1.0, 0.0], &two(&[-2.0, 1.0, -0.5, -1.0])), Err(Error::Datum { index: 2, .. })));
    // Two phases that lead to each other only.
    assert!(matches!(PhaseType::new(&[1.0, 0.0], &two(&[-2.0, 2.0, 1.0, -1.0])), Err(Error::Datum { .. })));
    assert!(matches!(PhaseType::with_exits(&[1.0], &DMatrix::zeros(1, 1), &[f64::INFINITY]), Err(Error::Datum { .. })));
    assert!(PhaseType::erlang(0, 1.0).is_err() && PhaseType::coxian(&[], &[]).is_err());
    assert!(PhaseType::coxian(&[1.0, 2.0], &[1.5]).is_err() && PhaseType::exponential(0.0).is_err());
}

#[test]
fn start_probabilities_are_probabilities() {
    let rates = DMatrix::zeros(2, 2);
    for bad in [-0.5, 1.5, f64::NAN, f64::INFINITY] {
        let error = PhaseType::with_exits(&[bad, 0.5], &rates, &[1.0, 2.0]).unwrap_err().to_string();
        assert!(error.contains("start probability 1 is") && error.contains("between 0 and 1"), "{error}");
    }
    // A tiny one needs no other unit.
    let law = PhaseType::with_exits(&[1.0, 1e-90], &rates, &[1.0, 2.0]).unwrap();
    assert_eq!(law.mean(), 1.0);
}
