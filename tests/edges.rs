//! Corners that once gave a wrong number, with values by 40-digit arithmetic (mpmath).

mod common;
use queueing::farm::sita::{Atoms, Cutoffs};
use queueing::prelude::*;
use queueing::size::Complex64;

fn law(text: &str) -> Law {
    text.parse().unwrap()
}

#[test]
fn lognormal_factors_that_leave_the_doubles_while_the_moment_does_not() {
    for (mu, sigma, r, a, b, expected) in [
        (0.0, 9.0, 4.0, 0.0, 1.0, 0.0110731990109239593),
        (0.0, 9.0, -2.0, 1.0, 2.0, 0.0166114398902723937),
        (3.0, 8.5, 4.0, 0.0, 1.0, 0.010902583608272591),
        (0.0, 9.0, 2.0, 1.0, 2.0, 0.0664016461243518379),
        (0.0, 9.0, 3.0, 1e-3, 1e10, 6.17601209107114259e26),
    ] {
        assert_close!(LogNormal::new(mu, sigma).unwrap().partial_moment(r, a, b), expected, 1e-12, "{sigma} {r}");
    }
}

#[test]
fn gamma_laws_that_are_almost_one_size() {
    // The scale is the double next to 1/κ, the size as printed: densities to the rounding of the size, κ (x−1) ε.
    for (shape, x, density, tolerance) in
        [(1e9, 1.0000158113883009, 11133.1218156571124, 1e-10), (1e12, 1.0000005, 352065.165385227496, 1e-8)]
    {
        assert_close!(Gamma::new(shape, 1.0 / shape).unwrap().density(x), density, tolerance, "{shape}");
    }
    for (shape, re, im) in
        [(1e7, 0.40026579335268421, -0.623376997349051475), (1e12, 0.400265792863469462, -0.623377037720275016)]
    {
        let value = Gamma::new(shape, 1.0 / shape).unwrap().transform(Complex64::new(0.3, 1.0));
        assert!((value - Complex64::new(re, im)).norm() < 1e-15, "{shape}: {value}");
    }
}

#[test]
fn transforms_of_very_heavy_tails_at_tiny_arguments() {
    for (alpha, re, im) in
        [(0.01, 0.495931998430041645, -0.00791853293715200385), (0.1, 0.998944527890491434, -0.000167170359342671898)]
    {
        let value = Pareto::new(1.0, alpha).unwrap().transform(Complex64::new(0.0, 1e-30));
        assert!((value - Complex64::new(re, im)).norm() < 1e-14, "{alpha}: {value}");
    }
}

#[test]
fn variances_of_laws_that_are_almost_one_size() {
    for (text, scv) in [
        ("bounded-pareto:k=1,p=1.00000001,alpha=1", 8.33333314871e-18),
        ("uniform:a=1,b=1.00000001", 8.33333314871e-18),
        ("interval:a=1,b=1.00000001,law=(uniform:a=0.5,b=3)", 8.33333314871e-18),
        ("mixture:0.5*(deterministic:value=1)+0.5*(deterministic:value=1.00000001)", 2.49999994461e-17),
    ] {
        // The mean is a double: its rounding is 1e-16 of the size, 1e-8 of the width.
        assert_close!(law(text).scv(), scv, 1e-7, "{text}");
    }
}

#[test]
fn quantiles_of_no_number_are_the_smallest_size() {
    for text in [
        "exponential:mean=1",
        "pareto:k=1,alpha=2",
        "bounded-pareto:k=1,p=9,alpha=2",
        "weibull:shape=2,scale=1",
        "lognormal:mu=0,sigma=1",
        "uniform:a=1,b=2",
        "gamma:shape=2,scale=1",
        "empirical:1x3+1x5",
    ] {
        let law = law(text);
        assert_eq!(law.quantile(f64::NAN), law.support().0, "{text}");
        assert_eq!(law.upper_quantile(f64::NAN), law.support().1, "{text}");
        assert!(!law.cdf(f64::NAN).is_nan() || law.sf(f64::NAN).is_nan(), "{text}");
    }
}

#[test]
fn an_interval_of_a_trace_has_the_quantiles_of_its_part() {
    let whole = Empirical::from_atoms(&[(1.0, 4.0), (2.0, 3.0), (5.0, 1.0), (7.0, 2.0), (9.0, 1.0)]).unwrap();
    let part = Empirical::from_atoms(&[(2.0, 3.0), (5.0, 1.0), (7.0, 2.0)]).unwrap();
    let interval = Interval::new(whole, 1.0, 7.0).unwrap();
    for i in 0..=12 {
        let p = f64::from(i) / 12.0;
        assert_eq!(interval.quantile(p), part.quantile(p), "{p}");
        assert_eq!(interval.upper_quantile(p), part.upper_quantile(p), "{p} from above");
    }
}

#[test]
fn a_rare_continuous_part_that_carries_the_work() {
    // Ten jobs in a hundred thousand millions bring 87 % of the work: the law is no staircase.
    let text = "mixture:0.9999999999*(deterministic:value=1)+0.0000000001*(bounded-pareto:k=1e10,p=1e14,alpha=1.1)";
    let farm = Farm::with_load(law(text), Hosts::identical(3).unwrap(), 0.5).unwrap();
    let value = |cutoffs: &[f64]| {
        let result = sita::evaluate(&farm, &Cutoffs::new(cutoffs).unwrap(), Discipline::Fcfs).unwrap();
        result.overall.mean_waiting_time().unwrap_or(f64::INFINITY)
    };
    let grid: Vec<f64> = (0..400).map(|i| 1e10 * 1e4_f64.powf(f64::from(i) / 400.0)).collect();
    let brute = grid.iter().map(|&x| value(&[1.0, x])).fold(f64::INFINITY, f64::min);
    let best = sita::optimal(&farm, Metric::MeanWaitingTime, Discipline::Fcfs).unwrap();
    assert!(best.overall.mean_waiting_time().unwrap() <= brute * (1.0 + 1e-9));
    assert_eq!(best.optimality, None);
    let split = sita::optimal_with(&farm, Metric::MeanWaitingTime, Discipline::Fcfs, Atoms::Split).unwrap();
    assert!(split.overall.mean_waiting_time().unwrap() <= best.overall.mean_waiting_time().unwrap() * (1.0 + 1e-9));

    let part = Interval::new(
        law("mixture:0.9999999999999*(deterministic:value=1)+0.0000000000001*(bounded-pareto:k=1e8,p=1e14,alpha=1.1)"),
        0.5,
        1e13,
    );
    assert_eq!(part.unwrap().support(), (1.0, 1e13));
}

#[test]
fn minima_at_kinks() {
    let text = "mixture:0.47894386692086455*(uniform:a=1,b=2)+0.5206042835145738*(uniform:a=10,b=27.586056390977372)\
                +0.00045184956456165734*(bounded-pareto:k=1000,p=1e6,alpha=1.2)";
    let farm = Farm::with_load(law(text), Hosts::identical(3).unwrap(), 0.653820262549244).unwrap();
    let best = sita::optimal(&farm, Metric::MeanWaitingSlowdown, Discipline::Fcfs).unwrap();
    let known = sita::evaluate(&farm, &Cutoffs::new(&[18.936296506378177, 1000.0]).unwrap(), Discipline::Fcfs).unwrap();
    let (value, known) =
        (best.overall.mean_waiting_slowdown().unwrap(), known.overall.mean_waiting_slowdown().unwrap());
    assert!(value <= known * (1.0 + 1e-12), "{value} against {known}");
}

#[test]
fn costs_without_a_relative_distance() {
    let farm = Farm::with_load(law("bounded-pareto:k=1,p=1e6,alpha=1.1"), Hosts::identical(2).unwrap(), 0.5).unwrap();
    for result in [
        sita::optimal_by(&farm, |host| (host.load() - 0.5).powi(2)),
        sita::optimal_by(&farm, |host| (host.load() - 0.3).abs()),
        sita::optimal_by(&farm, |_| 0.0),
        sita::optimal_by(&farm, |host| -host.load()),
    ] {
        let gap = result.unwrap().optimality.unwrap();
        assert!((0.0..=1.0).contains(&gap), "{gap}");
    }
    let half = sita::optimal_by(&farm, |host| (host.load() - 0.5).powi(2)).unwrap();
    assert_close!(half.hosts[0].load, 0.5, 1e-6);
    assert!(sita::optimal_by(&farm, |_| f64::INFINITY).is_err());
}

#[test]
fn loads_that_cutoffs_cannot_resolve() {
    let size = BoundedPareto::new(1.0, 1e6, 1.0).unwrap();
    let farm = |spare| Farm::with_spare(size, Hosts::identical(4).unwrap(), spare).unwrap();
    let message = sita::optimal(&farm(1e-16), Metric::MeanWaitingTime, Discipline::Fcfs).unwrap_err().to_string();
    assert!(message.contains("spare = 1e-16") && message.contains("at least 1e-13"), "{message}");
    // At α = 1 equal loads are best for waiting, 17.171673 over 1 − ρ; what 1 − ρ leaves of it is 1e-16/(1 − ρ).
    let best = sita::optimal(&farm(1e-9), Metric::MeanWaitingTime, Discipline::Fcfs).unwrap();
    assert_close!(best.overall.mean_waiting_time().unwrap() * 1e-9, 17.171673, 1e-6);
}

#[test]
fn accuracies_count_what_divides() {
    #[derive(Debug)]
    struct Triangular;
    impl JobSize for Triangular {
        fn support(&self) -> (f64, f64) {
            (0.0, 1.0)
        }
        fn sf(&self, x: f64) -> f64 {
            1.0 - x.clamp(0.0, 1.0).powi(2)
        }
        fn density(&self, x: f64) -> f64 {
            if (0.0..=1.0).contains(&x) { 2.0 * x } else { 0.0 }
        }
    }
    let jobs = Workload::new(1.5 * (1.0 - 1e-6), Triangular).unwrap();
    for discipline in [Discipline::Fcfs, Discipline::Ps] {
        let slowdown = mg1::performance(&jobs, discipline).unwrap().estimate(Metric::MeanSlowdown).unwrap();
        let Accuracy::Numerical { relative_error } = slowdown.accuracy else { panic!("{slowdown:?}") };
        assert!((1e-5..1e-3).contains(&relative_error), "{relative_error}");
    }
}

#[test]
fn a_summary_meets_what_it_was_given() {
    let given = [(0.5, 108.6), (0.9, 1058.0), (0.99, 10_337.0)];
    let mut summary = Summary::new(650.7, 652_617.0);
    for (p, size) in given {
        summary = summary.with_percentile(p, size);
    }
    let law = summary.law().unwrap();
    for (p, size) in given {
        assert_eq!(law.quantile(p), size);
    }
    assert_eq!(law.support().1, 652_617.0);
    assert_close!(law.mean(), 650.7, 1e-12);
}

#[test]
fn a_host_whose_load_vanishes_may_still_have_an_infinite_moment() {
    // The tail beyond 1e150 or so has no load that a double of 0.5 would show, and an infinite second moment all the same.
    let text = "mixture:0.999999*(exponential:mean=1)+0.000001*(pareto:k=0.001,alpha=1.9)";
    let farm = Farm::with_load(law(text), Hosts::identical(2).unwrap(), 0.25).unwrap();
    let message = sita::optimal(&farm, Metric::MeanWaitingTime, Discipline::Fcfs).unwrap_err().to_string();
    assert!(message.contains("infinite for all cutoffs, because E[X^2] is"), "{message}");
}
