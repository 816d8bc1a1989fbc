//! Laws of the user's own that disagree with themselves are refused, and those that do not are answered with their accuracy.

mod common;
use queueing::prelude::*;
use queueing::size::Atom;

/// A law by two closures.
struct ByHand {
    support: (f64, f64),
    sf: fn(f64) -> f64,
    density: fn(f64) -> f64,
    atoms: Vec<Atom>,
    breaks: Vec<f64>,
}

impl std::fmt::Debug for ByHand {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "a law by hand on {:?}", self.support)
    }
}

impl JobSize for ByHand {
    fn support(&self) -> (f64, f64) {
        self.support
    }
    fn sf(&self, x: f64) -> f64 {
        (self.sf)(x)
    }
    fn density(&self, x: f64) -> f64 {
        (self.density)(x)
    }
    fn atoms(&self) -> &[Atom] {
        &self.atoms
    }
    fn break_points(&self) -> &[f64] {
        &self.breaks
    }
}

fn by_hand(support: (f64, f64), sf: fn(f64) -> f64, density: fn(f64) -> f64) -> ByHand {
    ByHand { support, sf, density, atoms: vec![], breaks: vec![] }
}

const OPEN: (f64, f64) = (0.0, f64::INFINITY);

/// Log-logistic with a = 2 and b = 2, whose second moment is infinite.
fn log_logistic_tail(x: f64) -> f64 {
    1.0 / (1.0 + (x / 2.0).powi(2))
}

fn refusal(law: ByHand) -> String {
    Workload::with_load(law, 0.5).unwrap_err().to_string()
}

#[test]
fn a_density_that_overflows_far_out() {
    // Written the obvious way the density is 0 from 1e77 on: the tail is not.
    let obvious = by_hand(OPEN, log_logistic_tail, |x| {
        let t = (x / 2.0).powi(2);
        2.0 * t / (x * (1.0 + t) * (1.0 + t))
    });
    assert!(refusal(obvious).contains("disagrees with itself about the jobs beyond size"));
    let stable = by_hand(OPEN, log_logistic_tail, |x| {
        let t = (x / 2.0).powi(2);
        if t > 0.0 { 2.0 / (x * (1.0 + t) * (1.0 + 1.0 / t)) } else { 0.0 }
    });
    let jobs = Workload::with_load(stable, 0.5).unwrap();
    // E[X] = a (π/b)/sin(π/b)
    assert_close!(jobs.mean_size(), std::f64::consts::PI, 1e-11);
    let queue = mg1::fcfs(&jobs).unwrap();
    assert_eq!(queue.mean_waiting_time().unwrap(), f64::INFINITY);
    assert!(matches!(queue.estimate(Metric::MeanWaitingTime).unwrap().accuracy, Accuracy::Numerical { .. }));
}

#[test]
fn forgotten_atoms_factors_and_peaks() {
    let half = |x: f64| 0.5 * ((10.0 - x) / 8.0).clamp(0.0, 1.0) + if x < 1.0 { 0.5 } else { 0.0 };
    let mut without = by_hand((1.0, 10.0), half, |x| if (2.0..=10.0).contains(&x) { 0.0625 } else { 0.0 });
    without.breaks = vec![2.0];
    let message = refusal(without);
    assert!(message.contains("a share of 1 by its tail, of 0.5"), "{message}");
    let mut with = by_hand((1.0, 10.0), half, |x| if (2.0..=10.0).contains(&x) { 0.0625 } else { 0.0 });
    with.atoms = vec![Atom { size: 1.0, probability: 0.5 }];
    with.breaks = vec![2.0];
    // W = λE[X²]/2(1−ρ) with E[X] = 3.5, E[X²] = (1 + 124/3)/2
    let waiting = mg1::fcfs(&Workload::with_load(with, 0.5).unwrap()).unwrap().mean_waiting_time().unwrap();
    assert_close!(waiting, 0.5 / 3.5 * (0.5 + 62.0 / 3.0), 1e-10);

    let twice = by_hand((0.0, 1.0), |x| 1.0 - x.clamp(0.0, 1.0), |x| if x <= 1.0 { 2.0 } else { 0.0 });
    assert!(refusal(twice).contains("of 2 by its density"));
    let negative = by_hand((-1.0, 1.0), |x| 0.5 - 0.5 * x.clamp(-1.0, 1.0), |_| 0.5);
    assert!(refusal(negative).contains("lower end of the support = -1"));
    let nan = by_hand(OPEN, |_| f64::NAN, |_| f64::NAN);
    assert!(refusal(nan).contains("disagrees with itself"));
}

#[test]
fn a_peak_is_found_once_its_place_is_given() {
    // 0.9 exponential(1) and 0.1 uniform on (1000, 1000.001)
    let tail = |x: f64| 0.9 * (-x.max(0.0)).exp() + 0.1 * ((1000.001 - x) / 0.001).clamp(0.0, 1.0);
    let density = |x: f64| 0.9 * (-x).exp() + if x > 1000.0 && x <= 1000.001 { 100.0 } else { 0.0 };
    assert!(refusal(by_hand(OPEN, tail, density)).contains("a share of 1 by its tail, of 0.9"));
    let known = ByHand { breaks: vec![1000.0, 1000.001], ..by_hand(OPEN, tail, density) };
    assert_close!(Workload::with_load(known, 0.5).unwrap().mean_size(), 0.9 + 0.1 * 1000.0005, 1e-10);
}

#[test]
fn a_closed_form_may_say_that_it_is_exact() {
    #[derive(Debug)]
    struct Cube;
    // density 3x² on (0, 1]: E[X^r; a < X <= b] = 3(b^{r+3} − a^{r+3})/(r+3)
    impl JobSize for Cube {
        fn support(&self) -> (f64, f64) {
            (0.0, 1.0)
        }
        fn sf(&self, x: f64) -> f64 {
            1.0 - x.clamp(0.0, 1.0).powi(3)
        }
        fn density(&self, x: f64) -> f64 {
            if x <= 1.0 { 3.0 * x * x } else { 0.0 }
        }
        fn partial_moment(&self, r: f64, a: f64, b: f64) -> f64 {
            let power = |x: f64| x.clamp(0.0, 1.0).powf(r + 3.0);
            3.0 * (power(b) - power(a)).max(0.0) / (r + 3.0)
        }
        fn accuracy(&self) -> Accuracy {
            Accuracy::Exact
        }
    }
    let farm = Farm::with_load(Cube, Hosts::identical(2).unwrap(), 0.5).unwrap();
    let best = sita::optimal(&farm, Metric::MeanSlowdown, Discipline::Fcfs).unwrap();
    assert_eq!(best.overall.estimate(Metric::MeanSlowdown).unwrap().accuracy, Accuracy::Exact);
}

#[test]
fn a_cost_of_ones_own_sees_hosts_below_load_one() {
    let law = Weibull::with_mean_and_scv(12.0, 25.0).unwrap();
    let farm = Farm::with_load(law, Hosts::identical(4).unwrap(), 0.7).unwrap();
    let by = sita::optimal_by(&farm, |host| {
        assert!(host.load() < 1.0 && host.spare() > 0.0);
        host.fraction() * host.performance(Discipline::Fcfs).unwrap().mean_waiting_time().unwrap()
    });
    let best = sita::optimal(&farm, Metric::MeanWaitingTime, Discipline::Fcfs).unwrap();
    let (by, best) = (by.unwrap().overall.mean_waiting_time().unwrap(), best.overall.mean_waiting_time().unwrap());
    assert_close!(by, best, 1e-11);
    let nothing = sita::optimal_by(&farm, |_| f64::NAN).unwrap_err().to_string();
    assert!(nothing.contains("the cost is infinite for all cutoffs") && !nothing.contains("E["), "{nothing}");
}

#[test]
fn a_summary_says_that_it_is_one() {
    let law = Summary::new(650.7, 652_617.0).with_percentile(0.5, 108.6).with_percentile(0.99, 10_337.0).law().unwrap();
    let queue = mg1::fcfs(&Workload::with_load(law, 0.7).unwrap()).unwrap();
    let accuracy = queue.estimate(Metric::MeanWaitingTime).unwrap().accuracy;
    assert_eq!(accuracy, Accuracy::Approximate { assumption: Assumption::PercentileSummary });
    // 11 % off where the smallest sizes matter little: the median of Pareto(10, 1.5) tells where it starts.
    let pareto = Pareto::new(10.0, 1.5).unwrap();
    let guess = Summary::new(25.0, 10.0 * 1e6_f64.powf(1.0 / 1.5))
        .with_percentile(0.5, pareto.quantile(0.5))
        .with_percentile(0.9, pareto.quantile(0.9))
        .law()
        .unwrap();
    let smallest = guess.support().0;
    assert!(smallest > 2.0 && smallest < 10.0, "{smallest}");
    let high = Summary::new(1e6, 100.0).law().unwrap_err().to_string();
    assert!(high.contains("must lie between"), "{high}");
}

#[test]
fn packing_says_what_would_fit() {
    // Three sizes of equal work on two hosts: one gets two thirds.
    let law = Empirical::from_atoms(&[(1.0, 16.0), (4.0, 4.0), (16.0, 1.0)]).unwrap();
    let farm = |load| Farm::with_load(law.clone(), Hosts::identical(2).unwrap(), load).unwrap();
    let message = sita::optimal(&farm(0.8), Metric::MeanWaitingTime, Discipline::Fcfs).unwrap_err().to_string();
    assert!(message.contains("below load 1.066667") && message.contains("below 0.750000"), "{message}");
    assert!(sita::optimal(&farm(0.7499), Metric::MeanWaitingTime, Discipline::Fcfs).is_ok());
}

#[test]
fn tails_next_to_saturation_state_their_error() {
    // Exponential sizes that are not known as such: P(W > t) = (1 − ε)e^{−εt}.
    for spare in [1e-3, 1e-5, 1e-7] {
        let law = by_hand(OPEN, |x| (-x).exp(), |x| (-x).exp());
        let jobs = Workload::with_spare(law, spare).unwrap();
        for times in [0.1, 1.0, 10.0] {
            let expected = (1.0 - spare) * f64::exp(-times);
            match mg1::waiting_time_tail(&jobs, times / spare) {
                Ok(Estimate { value, accuracy: Accuracy::Numerical { relative_error } }) => {
                    let error = (value / expected - 1.0).abs();
                    assert!(
                        error <= relative_error,
                        "1 - {spare}, {times}: off by {error:e}, stated {relative_error:e}"
                    );
                }
                other => assert!(spare < 1e-4 && matches!(other, Err(Error::NoConvergence { .. })), "{other:?}"),
            }
        }
    }
}
