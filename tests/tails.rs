//! Tails and percentiles of waiting and response time under first come, first served.

mod common;
#[path = "common/laws.rs"]
#[allow(dead_code)] // mixtures and intervals are for tests of moments
mod laws;

use common::{Worst, law, number, relative_error, table};
use laws::simple_law;
use proptest::prelude::*;
use queueing::prelude::*;

#[test]
fn every_row() {
    let mut worst = Worst::default();
    for row in table("waiting_tail.csv") {
        let jobs = Workload::with_load(law(&row), number(&row, "load").unwrap()).unwrap();
        let (t, expected) = (number(&row, "t").unwrap(), number(&row, "value").unwrap());
        let tail = mg1::waiting_time_tail(&jobs, t).unwrap();
        let Accuracy::Numerical { relative_error: told } = tail.accuracy else { panic!("{:?}", tail.accuracy) };
        let error = relative_error(tail.value, expected);
        assert!(error <= told && told <= 1e-6, "{row:?}: {:e}, off by {error:e}, told {told:e}", tail.value);
        worst.see(&row["law"], error);
        // The time at which the tail is this: t again. (Before the first end the tail is flat, and at 0 it jumps.)
        if t > 0.0 {
            let back = mg1::waiting_time_quantile(&jobs, 1.0 - expected).unwrap().value;
            let rounding = 1e-16 / expected * t.max(jobs.mean_size());
            assert!((back - t).abs() <= 1e-6 * t + rounding, "{row:?}: back at {back}");
            worst.see("quantiles", relative_error(back, t));
        }
    }
    worst.print("waiting_tail.csv");
}

/// A law that does not tell that it is a phase type.
#[derive(Debug)]
struct Silent(Law);

impl JobSize for Silent {
    fn support(&self) -> (f64, f64) {
        self.0.support()
    }
    fn sf(&self, x: f64) -> f64 {
        self.0.sf(x)
    }
    fn cdf(&self, x: f64) -> f64 {
        self.0.cdf(x)
    }
    fn density(&self, x: f64) -> f64 {
        self.0.density(x)
    }
    fn partial_moment(&self, r: f64, a: f64, b: f64) -> f64 {
        self.0.partial_moment(r, a, b)
    }
    fn accuracy(&self) -> Accuracy {
        Accuracy::Exact
    }
}

#[test]
fn both_methods_agree() {
    for text in [
        "exponential:mean=3",
        "hyperexponential:mean=1,scv=100",
        "erlang:stages=4,mean=2",
        "coxian2:rate1=2,rate2=0.1,p=0.15",
    ] {
        for load in [0.1, 0.8, 0.99] {
            let law: Law = text.parse().unwrap();
            let jobs = Workload::with_load(law.clone(), load).unwrap();
            let silent = Workload::with_load(Silent(law), load).unwrap();
            for p in [0.3, 0.95, 0.999, 1.0 - 1e-6, 1.0 - 1e-10] {
                let (waiting, response) = (
                    mg1::waiting_time_quantile(&jobs, p).unwrap().value,
                    mg1::response_time_quantile(&jobs, p).unwrap().value,
                );
                assert_close!(
                    mg1::waiting_time_quantile(&silent, p).unwrap().value,
                    waiting,
                    1e-6,
                    "{text} {load} {p}"
                );
                assert_close!(
                    mg1::response_time_quantile(&silent, p).unwrap().value,
                    response,
                    1e-6,
                    "{text} {load} {p}"
                );
                for t in [waiting, response] {
                    let exact = (
                        mg1::waiting_time_tail(&jobs, t).unwrap().value,
                        mg1::response_time_tail(&jobs, t).unwrap().value,
                    );
                    assert_close!(
                        mg1::waiting_time_tail(&silent, t).unwrap().value,
                        exact.0,
                        1e-6,
                        "{text} {load} {t}"
                    );
                    assert_close!(
                        mg1::response_time_tail(&silent, t).unwrap().value,
                        exact.1,
                        2e-6,
                        "{text} {load} {t}"
                    );
                }
            }
        }
    }
}

#[test]
fn the_tail_integrates_to_the_mean() {
    for text in [
        "empirical:5x1+3x2+2x6",
        "bounded-pareto:k=1,p=50,alpha=1.5",
        "uniform:a=1,b=4",
        "mixture:0.5*(deterministic:value=1)+0.5*(gamma:shape=2,scale=1)",
    ] {
        let jobs = Workload::with_load(text.parse::<Law>().unwrap(), 0.7).unwrap();
        let queue = mg1::fcfs(&jobs).unwrap();
        let end = 60.0 * queue.mean_waiting_time().unwrap();
        let steps = 1500;
        let (mut waiting, mut response) = (0.0, 0.0);
        for i in 0..steps {
            let t = end * (f64::from(i) + 0.5) / f64::from(steps);
            waiting += mg1::waiting_time_tail(&jobs, t).unwrap().value * end / f64::from(steps);
            response += mg1::response_time_tail(&jobs, t).unwrap().value * end / f64::from(steps);
        }
        assert_close!(waiting, queue.mean_waiting_time().unwrap(), 1e-3, "{text}");
        assert_close!(response, queue.mean_response_time().unwrap(), 3e-3, "{text}");
    }
}

#[test]
fn atoms_and_ends() {
    let jobs = Workload::with_load(Deterministic::new(2.0).unwrap(), 0.75).unwrap();
    // T = W + 2 for all: P(T > t) = 1 up to 2.
    assert_eq!(mg1::response_time_tail(&jobs, 1.9).unwrap().value, 1.0);
    assert_close!(mg1::response_time_tail(&jobs, 2.0).unwrap().value, 0.75, 1e-7);
    assert_eq!(mg1::response_time_quantile(&jobs, 0.2).unwrap().value, 2.0);
    let p90 = mg1::waiting_time_quantile(&jobs, 0.9).unwrap().value;
    assert_close!(mg1::response_time_quantile(&jobs, 0.9).unwrap().value, p90 + 2.0, 1e-7);
    assert_eq!(mg1::waiting_time_quantile(&jobs, 0.25).unwrap().value, 0.0);
    assert_eq!(mg1::waiting_time_tail(&jobs, 0.0).unwrap().value, 0.75);
    assert_eq!(mg1::waiting_time_tail(&jobs, f64::INFINITY).unwrap().value, 0.0);
    assert_eq!(mg1::waiting_time_quantile(&jobs, 1.0).unwrap().value, f64::INFINITY);
    assert!(mg1::waiting_time_tail(&jobs, -1.0).is_err() && mg1::waiting_time_tail(&jobs, f64::NAN).is_err());
    assert!(mg1::waiting_time_quantile(&jobs, 1.5).is_err());
    let overload = Workload::with_load(Deterministic::new(2.0).unwrap(), 1.0).unwrap();
    assert!(matches!(mg1::waiting_time_tail(&overload, 1.0), Err(Error::Unstable { .. })));
    // Infinite mean waiting time, finite percentiles: P(W > t) falls like ρ/(1−ρ) P(X_e > t), X_e having index 0.5.
    let heavy = Workload::with_load(Pareto::new(1.0, 1.5).unwrap(), 0.5).unwrap();
    let (near, far) =
        (mg1::waiting_time_tail(&heavy, 1e16).unwrap().value, mg1::waiting_time_tail(&heavy, 1e18).unwrap().value);
    assert_close!(far / near, 0.1, 1e-6);
}

#[test]
fn large_traces_are_condensed() {
    let law = LogNormal::new(0.0, 2.0).unwrap();
    let trace = |count: u32| -> Vec<f64> {
        (0..count).map(|i| law.quantile((f64::from(i) + 0.5) / f64::from(count))).collect()
    };
    let atoms = trace(999);
    let few = Workload::with_load(Empirical::from_sizes(&atoms).unwrap(), 0.8).unwrap();
    // The same law with each size split into five next to it.
    let many: Vec<f64> = atoms.iter().flat_map(|x| [-2.0, -1.0, 0.0, 1.0, 2.0].map(|i| x * (1.0 + 1e-9 * i))).collect();
    let many = Workload::with_load(Empirical::from_sizes(&many).unwrap(), 0.8).unwrap();
    for p in [0.5, 0.9, 0.99] {
        let (one, other) =
            (mg1::waiting_time_quantile(&few, p).unwrap(), mg1::waiting_time_quantile(&many, p).unwrap());
        println!("{p}: {:e} {:e} {:.1e}", one.value, other.value, relative_error(other.value, one.value));
        assert_close!(other.value, one.value, 1e-6, "{p}");
    }
}

proptest! {
    #![proptest_config(common::cases(40))]

    #[test]
    fn sound_for_every_law(size in simple_law(), load in prop_oneof![0.01..0.95_f64, 0.95..0.999_f64], p in 0.0..1.0_f64) {
        let Ok(jobs) = Workload::with_load(size, load) else { return Ok(()) };
        let (waiting, response) = match (mg1::waiting_time_quantile(&jobs, p), mg1::response_time_quantile(&jobs, p)) {
            (Ok(waiting), Ok(response)) => (waiting.value, response.value),
            // A peak too narrow for the panels, inside a mixture.
            (Err(error), _) | (_, Err(error)) => {
                prop_assert!(matches!(error, Error::NoConvergence { .. }), "{error}");
                return Ok(());
            }
        };
        prop_assert!(waiting >= 0.0 && response >= waiting * (1.0 - 1e-6) && response.is_finite(), "{waiting} {response}");
        if waiting > 0.0 {
            let late = mg1::waiting_time_tail(&jobs, waiting).unwrap().value;
            prop_assert!((late / (1.0 - p) - 1.0).abs() < 1e-5, "{late} {p}");
        }
        let tails: Vec<f64> = [0.5, 1.0, 2.0].iter().map(|factor| mg1::response_time_tail(&jobs, factor * response).unwrap().value).collect();
        prop_assert!(tails.windows(2).all(|pair| pair[1] <= pair[0] * (1.0 + 1e-6)), "{tails:?}");
    }
}
