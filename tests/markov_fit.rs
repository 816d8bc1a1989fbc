//! Moment matching against the reference table, the test vectors, and round trips of random and degenerate moments.

mod common;

use common::{Worst, number, relative_error, table};
use queueing::Error;
use queueing::markov::fit::{
    Grid, Join, Moments, Variant, coxian2, erlang_coxian, law, positive, smallest_order, transform, two_moments,
};
use queueing::prelude::*;
use queueing::size::PhaseType;

/// A stream of uniform numbers, the same in every run.
fn uniform(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*seed >> 11) as f64 / (1_u64 << 53) as f64
}

#[test]
fn every_row() {
    let mut worst = Worst::default();
    for row in table("fitting.csv") {
        let [m1, m2, m3] = ["m1", "m2", "m3"].map(|key| number(&row, key).unwrap());
        let moments = Moments::new(m1, m2, m3).unwrap();
        let fit = match row["method"].as_str() {
            "ec" => erlang_coxian(moments, Variant::Complete),
            "coxian2" => coxian2(moments),
            other => panic!("{other}"),
        }
        .unwrap_or_else(|error| panic!("{row:?}: {error}"));
        assert_eq!(fit.phases as f64, number(&row, "phases").unwrap(), "{row:?} {fit:?}");
        let pairs = [
            ("p", fit.p),
            ("rate_y", fit.rate_y),
            ("rate_x1", fit.rate_x1),
            ("rate_x2", fit.rate_x2),
            ("p_x", fit.p_x),
        ];
        for (key, value) in pairs {
            let Some(expected) = number(&row, key) else { continue };
            let error = relative_error(value, expected);
            assert!(error <= 1e-11, "{key}: {value} off by {error:e}: {row:?} {fit:?}");
            worst.see(&row["method"], error);
        }
    }
    worst.print("fitting.csv");
    assert_eq!(worst.count(), 137 + 40);
}

/// The largest error of moments.
fn off(moments: [f64; 3], target: Moments) -> f64 {
    moments.iter().zip(target.raw()).map(|(value, expected)| relative_error(*value, expected)).fold(0.0, f64::max)
}

fn sane(fit: &queueing::markov::fit::ErlangCoxian) -> bool {
    let rate = |x: f64| x > 0.0 && x.is_finite();
    fit.p > 0.0
        && fit.p <= 1.0
        && rate(fit.rate_x1)
        && (fit.stages() == 0 || rate(fit.rate_y))
        && (0.0..=1.0).contains(&fit.p_x)
        && (fit.rate_x2 == 0.0 || rate(fit.rate_x2))
}

#[test]
fn a_hundred_thousand_random_triples() {
    let mut seed = 31;
    let (mut complete, mut no_atom, mut two): (f64, f64, f64) = (0.0, 0.0, 0.0);
    let (mut twos, mut most) = (0, 0);
    for case in 0..100_000 {
        // n2 = 1 + 10^u, n3 = n2 + 10^v
        let n2 = 1.0 + 10.0_f64.powf(-1.2 + 2.2 * uniform(&mut seed));
        let n3 = n2 + 10.0_f64.powf(-1.2 + 2.4 * uniform(&mut seed));
        let m1 = 10.0_f64.powf(6.0 * uniform(&mut seed) - 3.0);
        let m2 = n2 * m1 * m1;
        let moments = Moments::new(m1, m2, n3 * m1 * m2).unwrap();
        let fit =
            erlang_coxian(moments, Variant::Complete).unwrap_or_else(|error| panic!("{case} {moments:?}: {error}"));
        assert!(sane(&fit), "{fit:?}");
        complete = complete.max(off(fit.moments(), moments));
        let fit = positive(moments).unwrap_or_else(|error| panic!("{case} {moments:?} {n2} {n3}: {error}"));
        assert!(sane(&fit.part), "{fit:?}");
        assert!(fit.part.p == 1.0 || matches!(fit.join, Join::Sum { .. }), "an atom: {fit:?}");
        no_atom = no_atom.max(off(fit.moments(), moments));
        let least = smallest_order(moments).unwrap();
        assert!(fit.phases() <= least + 1 && fit.phases() >= least, "{case} n2 {n2} n3 {n3}: {fit:?} {least}");
        most = most.max(fit.phases());
        if case % 500 == 0 {
            let law = fit.phase_type().unwrap();
            let matrix = [1.0, 2.0, 3.0].map(|r| law.moment(r));
            assert!(off(matrix, moments) < 1e-9 && law.mass_at_zero() == 0.0);
            let law = erlang_coxian(moments, Variant::Complete).unwrap().phase_type().unwrap();
            assert!(off([1.0, 2.0, 3.0].map(|r| law.moment(r)), moments) < 1e-9);
        }
        if let Ok(fit) = coxian2(moments) {
            assert!(sane(&fit) && fit.phases <= 2 && fit.p == 1.0);
            two = two.max(off(fit.moments(), moments));
            twos += 1;
        }
    }
    println!(
        "random triples: Complete {complete:e}, Positive {no_atom:e} (up to {most} phases), Coxian-2 {two:e} ({twos} feasible)"
    );
    assert!(complete < 1e-9 && no_atom < 1e-9 && two < 1e-9 && twos > 10_000);
}

#[test]
fn degenerate_corners_give_the_moments_or_an_error() {
    let mut seed = 8;
    let (mut tried, mut refused, mut worst) = (0, 0, 0.0_f64);
    let mut see = |n2: f64, n3: f64, scale: f64| {
        let m2 = n2 * scale * scale;
        let Ok(moments) = Moments::new(scale, m2, n3 * scale * m2) else { return };
        let fits = [
            erlang_coxian(moments, Variant::Complete).map(|fit| (fit, fit.moments())),
            erlang_coxian(moments, Variant::Simple).map(|fit| (fit, fit.moments())),
            coxian2(moments).map(|fit| (fit, fit.moments())),
            positive(moments).map(|fit| (fit.part, fit.moments())),
        ];
        // Complete and Positive may refuse only what is next to the bounds of all phase types.
        let (e, gap) = (moments.n2() - 1.0, moments.n3() / moments.n2() - 1.0);
        if e > 2e-3 && gap > 2e-6 {
            for fit in [&fits[0], &fits[3]] {
                assert!(fit.is_ok(), "n2 {n2:e} n3 {n3:e} scale {scale}: {fit:?}");
            }
        }
        for fit in fits {
            tried += 1;
            match fit {
                Ok((part, back)) => {
                    let error = off(back, moments);
                    assert!(error <= 1e-10 && sane(&part), "n2 {n2} n3 {n3}: {error:e} {part:?}");
                    worst = worst.max(error);
                }
                Err(error) => {
                    assert!(matches!(error, Error::Argument { .. }), "{error}");
                    refused += 1;
                }
            }
        }
    };
    let nudges: Vec<f64> = (1..=17).flat_map(|k| [10.0_f64.powi(-k), -(10.0_f64.powi(-k))]).chain([0.0]).collect();
    for nudge in &nudges {
        for other in [0.0, 1e-14, -1e-14, 1e-9, -1e-9, 1e-4] {
            for scale in [1.0, 0.3, 7.7, 1234.5] {
                for n in 1..=12_u32 {
                    // scv next to 1/n, n3 next to that of Erlang, next to n2, and free.
                    let n = f64::from(n);
                    let n2 = (1.0 + 1.0 / n) * (1.0 + nudge);
                    for n3 in [2.0 * n2 - 1.0, (n + 2.0) / n, n2, 1.5 * n2, 3.0 * n2, n2 * (n + 2.0) / (n + 1.0)] {
                        see(n2, n3 * (1.0 + other), scale);
                    }
                }
                // n2 next to 2 and n3 next to its bounds.
                for n2 in [2.0_f64, 2.5, 4.0, 30.0, 1.75, 1.6, 1.5] {
                    let rest = 2.0_f64 - n2;
                    let low = (9.0 * n2 - 12.0 + 3.0 * rest * (2.0 * rest.max(0.0)).sqrt()) / n2;
                    for n3 in [1.5 * n2, 2.0 * n2 - 1.0, n2, low, 6.0 * (n2 - 1.0) / n2, n2 + 0.1 + uniform(&mut seed)]
                    {
                        see(n2 * (1.0 + other), n3 * (1.0 + nudge), scale);
                    }
                }
            }
        }
    }
    println!("{tried} corners, {refused} refused, largest error {worst:e}");
    assert!(tried > 100_000);
}

#[test]
fn corners_that_must_not_be_refused() {
    // Laws that have these moments by construction.
    for stages in 1..=60_u32 {
        for mean in [1.0, 0.37, 12.5] {
            let erlang = Erlang::with_mean(stages, mean).unwrap();
            let moments = Moments::of(&erlang).unwrap();
            let fit = erlang_coxian(moments, Variant::Complete).unwrap();
            assert!(off(fit.moments(), moments) < 1e-13, "{stages} {fit:?}");
            assert_eq!(fit.phases as u32, stages, "{fit:?}");
            let fit = positive(moments).unwrap();
            assert!(off(fit.moments(), moments) < 1e-10, "{stages} {fit:?}");
        }
    }
    for scv in [1.0 + 1e-12, 1.0 + 1e-6, 1.5, 8.0, 1e4, 1e10] {
        let moments = Moments::of(&HyperExponential::balanced(3.0, scv).unwrap()).unwrap();
        for fit in [erlang_coxian(moments, Variant::Complete).unwrap(), positive(moments).unwrap().part] {
            assert!(off(fit.moments(), moments) < 1e-12, "{scv} {fit:?}");
        }
        assert!(positive(moments).unwrap().phases() <= 3);
    }
}

#[test]
fn laws_of_the_family_are_never_refused() {
    let mut seed = 12;
    let mut worst: f64 = 0.0;
    for case in 0..40_000 {
        let mut decade = |low: f64, high: f64| 10.0_f64.powf(low + (high - low) * uniform(&mut seed));
        let (fast, slow) = (decade(-1.0, 3.0), decade(-3.0, 1.0));
        let p = if case % 3 == 0 { 1.0 - decade(-6.0, 0.0) } else { decade(-6.0, 0.0) };
        let two = PhaseType::coxian2(fast.max(slow), fast.min(slow), p).unwrap();
        let moments = Moments::of(&two).unwrap();
        let back = coxian2(moments).unwrap_or_else(|error| panic!("{fast} {slow} {p}: {error}"));
        worst = worst.max(off(back.moments(), moments));
        // With stages in front and an atom.
        let stages = 1 + case % 9;
        let row = PhaseType::erlang(stages, decade(-2.0, 2.0)).unwrap().plus(&two).unwrap();
        let share = 1.0 - 0.9 * uniform(&mut seed);
        let alpha: Vec<f64> = row.alpha().iter().map(|p| p * share).collect();
        let row = PhaseType::with_exits(&alpha, &row.sub_generator(), row.exit_rates()).unwrap();
        let moments = Moments::of(&row).unwrap();
        let back = erlang_coxian(moments, Variant::Complete).unwrap_or_else(|error| panic!("{moments:?}: {error}"));
        worst = worst.max(off(back.moments(), moments));
        let back = positive(moments).unwrap_or_else(|error| panic!("{moments:?}: {error}"));
        worst = worst.max(off(back.moments(), moments));
    }
    println!("laws of the family: largest error {worst:e}");
    assert!(worst < 1e-10);
}

#[test]
fn positive_test_vectors() {
    let fit = |n2: f64, n3: f64| positive(Moments::new(1.0, n2, n2 * n3).unwrap()).unwrap();
    let check = |fit: queueing::markov::fit::PositiveFit, stages: usize, rate: f64, p: f64, last: f64| {
        assert_eq!((fit.part.phases, fit.phases()), (stages, stages + 1));
        assert_close!(fit.part.rate_x1, rate, 1e-9);
        assert_close!(fit.part.p, p, 1e-9);
        match fit.join {
            Join::Sum { mean } => assert_close!(1.0 / mean, last, 1e-9),
            other => panic!("{other:?}"),
        }
    };
    check(fit(4.0 / 3.0, 1.5), 8, 7.5, 0.78125, 6.0);
    check(fit(2.0, 2.4), 5, 3.0, 0.54, 10.0);
    check(fit(4.0, 5.0), 4, 1.2080992435, 0.2824334174, 15.4161984871);
    check(fit(1.3, 1.45), 8, 7.40984082, 0.8255180666, 9.1968163936);
}

#[test]
fn any_law_and_two_moments() {
    let texts = [
        "exponential:mean=3",
        "weibull:shape=0.5,scale=2",
        "lognormal:mu=0,sigma=1.5",
        "uniform:a=0,b=2",
        "uniform:a=1,b=2",
        "gamma:shape=3.3,scale=1",
        "bounded-pareto:k=332,p=1e10,alpha=1.1",
        "erlang:stages=7,mean=1",
        "coxian2:rate1=2,rate2=0.1,p=0.15",
    ];
    for text in texts {
        let size: Law = text.parse().unwrap();
        let fitted = law(&size).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(fitted.mass_at_zero(), 0.0);
        for r in [1.0, 2.0, 3.0] {
            assert_close!(fitted.moment(r), size.moment(r), 1e-10, "{text} {r}");
        }
    }
    assert!(law(&Deterministic::new(2.0).unwrap()).is_err());
    let error = law(&Pareto::new(1.0, 2.5).unwrap()).unwrap_err();
    assert!(matches!(error, Error::Argument { name: "third moment", .. }), "{error}");
    for scv in [0.001, 0.1, 0.25, 0.3, 0.5, 0.7, 0.999, 1.0, 1.001, 5.0, 1e6] {
        let fitted = two_moments(2.5, scv).unwrap();
        assert_close!(fitted.mean(), 2.5, 1e-13);
        assert_close!(fitted.moment(2.0), 6.25 * (1.0 + scv), 1e-13);
        assert_eq!(fitted.mass_at_zero(), 0.0);
    }
    for scv in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(two_moments(1.0, scv).is_err() && two_moments(scv - 1e-300, 0.5).is_err());
    }
}

#[test]
fn infeasible_moments_are_named() {
    let n3_error = |result: Result<(), Error>, what: &str| {
        let error = result.unwrap_err();
        assert!(matches!(error, Error::Argument { name, .. } if name.starts_with(what)), "{error}");
    };
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(
            Moments::new(bad, 1.0, 1.0).is_err()
                && Moments::new(1.0, bad, 1.0).is_err()
                && Moments::new(1.0, 2.0, bad).is_err()
        );
    }
    assert!(Moments::new(1e200, 1.0, 1.0).is_err());
    // Deterministic, below n2, too few phases.
    n3_error(erlang_coxian(Moments::new(2.0, 4.0, 8.0).unwrap(), Variant::Complete).map(drop), "n2");
    n3_error(erlang_coxian(Moments::new(1.0, 2.0, 3.0).unwrap(), Variant::Complete).map(drop), "n3");
    n3_error(positive(Moments::new(1.0, 2.0, 3.0).unwrap()).map(drop), "n3");
    n3_error(coxian2(Moments::new(1.0, 4.0, 20.0).unwrap()).map(drop), "n3");
    n3_error(coxian2(Moments::new(1.0, 1.4, 3.0).unwrap()).map(drop), "n2");
    n3_error(coxian2(Moments::new(1.0, 1.75, 6.0).unwrap()).map(drop), "n3");
    n3_error(erlang_coxian(Moments::new(1.0, 1.5, 4.5).unwrap(), Variant::Simple).map(drop), "n3");
    assert_eq!(smallest_order(Moments::new(1.0, 4.0, 20.0).unwrap()).unwrap(), 5);
    assert_eq!(smallest_order(Moments::new(1.0, 1.5, 3.375).unwrap()).unwrap(), 4);
    assert_eq!(smallest_order(Moments::new(1.0, 1.3, 2.08).unwrap()).unwrap(), 4);
}

#[test]
fn transforms_of_mixtures_of_exponentials() {
    // A Weibull law with shape below 1 is a mixture of exponentials with all rates; the grid is what limits the fit.
    let mut last = 1.0;
    for count in [20, 40, 80, 160] {
        let size = Weibull::new(0.5, 1.0).unwrap();
        let complement = |s: f64| 1.0 - size.transform(queueing::size::Complex64::new(s, 0.0)).re;
        let fit =
            transform(complement, size.mean(), Some(size.moment(2.0)), Grid::new(1e-3, 1e11, count).unwrap()).unwrap();
        if count > 20 {
            assert_close!(fit.law.mean(), size.mean(), 1e-6);
        }
        println!("Weibull 0.5 on {count} rates: {} phases, error {:e}", fit.law.phases(), fit.error);
        assert!(fit.error < 2.0 * last);
        last = fit.error;
    }
    assert!(last < 1e-5);
    let grid = Grid::new(0.1, 10.0, 10).unwrap();
    assert!(matches!(transform(|_| f64::NAN, 1.0, None, grid), Err(Error::Datum { index: 1, .. })));
    assert!(transform(|s| s / (1.0 + s), f64::NAN, None, grid).is_err());
    assert!(
        Grid::new(1.0, 1.0, 10).is_err() && Grid::new(1.0, f64::NAN, 10).is_err() && Grid::new(1.0, 2.0, 1).is_err()
    );
    assert!(transform(|s| s / (1.0 + s), 1.0, Some(2.0), grid).is_ok());
    let _: PhaseType = transform(|s| s / (1.0 + s), 1.0, None, grid).unwrap().law;
}
