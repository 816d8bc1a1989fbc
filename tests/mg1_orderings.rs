//! What holds between the disciplines for every law and load.

mod common;
#[path = "common/laws.rs"]
mod laws;

use common::slack;
use laws::{decades, law};
use proptest::prelude::*;
use queueing::prelude::*;

fn load() -> impl Strategy<Value = f64> {
    prop_oneof![decades(-6.0, -0.01), (1.0..4.0_f64).prop_map(|x| 1.0 - 10.0_f64.powf(-x))]
}

/// a <= b up to rounding.
fn at_most(a: f64, b: f64, slack: f64) -> bool {
    a <= b * (1.0 + slack)
}

proptest! {
    #![proptest_config(common::cases(100))]

    #[test]
    fn means(size in law(), load in load()) {
        let Ok(jobs) = Workload::with_load(size, load) else { return Ok(()) };
        let slack = 1e-11 + 100.0 * slack(jobs.size()) / jobs.spare();
        let queue = |discipline| mg1::performance(&jobs, discipline).unwrap();
        let response = |discipline| queue(discipline).mean_response_time().unwrap();
        let srpt = response(Discipline::Srpt);
        prop_assert!(at_most(srpt, response(Discipline::PreemptiveSjf), slack));
        prop_assert!(at_most(response(Discipline::PreemptiveSjf), response(Discipline::Fb), slack));
        for other in Discipline::ALL {
            prop_assert!(at_most(srpt, response(other), slack), "{other}: {} {srpt}", response(other));
            prop_assert!(at_most(response(other), response(Discipline::Lrpt), slack), "{other}");
            // Little, and T = W + X
            let (queue, number) = (queue(other), queue(other).mean_number_in_system().unwrap());
            let response = queue.mean_response_time().unwrap();
            prop_assert!(number == jobs.rate() * response || (number / jobs.rate() / response - 1.0).abs() < 1e-14);
            prop_assert!((queue.mean_waiting_time().unwrap() + jobs.mean_size()) / response - 1.0 < 1e-12 || response.is_infinite());
        }
        // Without looking at sizes or interrupting, the order does not matter to the mean, and to the spread it does.
        let [fcfs, siro, lcfs] = [Discipline::Fcfs, Discipline::Siro, Discipline::Lcfs].map(queue);
        prop_assert!(fcfs.mean_waiting_time().unwrap() == lcfs.mean_waiting_time().unwrap());
        prop_assert!(fcfs.mean_waiting_time().unwrap() == siro.mean_waiting_time().unwrap());
        let square = |queue: &Performance| queue.second_moment_waiting_time().unwrap();
        prop_assert!(at_most(square(&fcfs), square(&siro), slack) && at_most(square(&siro), square(&lcfs), slack));
        prop_assert!(at_most(queue(Discipline::Sjf).mean_waiting_time().unwrap(), fcfs.mean_waiting_time().unwrap(), slack));
        // Processor sharing is insensitive.
        let sharing = queue(Discipline::Ps);
        prop_assert!((sharing.mean_slowdown().unwrap() * jobs.spare() - 1.0).abs() < 1e-14);
        prop_assert!((response(Discipline::PreemptiveLcfs) / sharing.mean_response_time().unwrap() - 1.0).abs() < 1e-14);
    }

    #[test]
    fn one_size(size in law(), load in load(), p in 0.0..1.0_f64, factor in decades(-2.0, 2.0)) {
        let Ok(jobs) = Workload::with_load(size, load) else { return Ok(()) };
        let slack = 1e-11 + 100.0 * slack(jobs.size()) / jobs.spare();
        for x in [jobs.size().quantile(p), factor * jobs.size().quantile(p), jobs.size().support().1.min(1e60)] {
            if !(1e-70..1e70).contains(&x) {
                continue;
            }
            let response = |discipline| mg1::response_time_given_size(&jobs, discipline, x).unwrap().value;
            let (psjf, fb, sharing) = (response(Discipline::PreemptiveSjf), response(Discipline::Fb), x / jobs.spare());
            prop_assert!(at_most(psjf, fb, slack), "{x}: {psjf} {fb}");
            // All can win: at half load or less, or where the jobs up to x bring half a load or less.
            if load <= 0.5 || jobs.rate() * jobs.size().partial_moment(1.0, 0.0, x) <= 0.5 {
                prop_assert!(at_most(response(Discipline::Srpt), sharing, slack), "{x}: {} {sharing}", response(Discipline::Srpt));
            }
            for discipline in Discipline::ALL {
                let one = mg1::performance_given_size(&jobs, discipline, x).unwrap();
                prop_assert!(one.metrics().all(|(_, estimate)| estimate.value >= 0.0), "{discipline} {x}: {one:?}");
                prop_assert!(at_most(x, one.mean_response_time().unwrap(), 1e-15));
                if let (Ok(mean), Ok(square)) = (one.mean_response_time(), one.second_moment_response_time()) {
                    prop_assert!(at_most(mean * mean, square, 1e-14));
                }
                let slowdown = mg1::slowdown_given_size(&jobs, discipline, x).unwrap().value;
                prop_assert!((slowdown * x / response(discipline) - 1.0).abs() < 1e-14 || slowdown.is_infinite());
            }
        }
    }

    #[test]
    fn units_do_not_matter(size in law(), load in load(), which in 0_usize..10) {
        let Ok(jobs) = Workload::with_load(size, load) else { return Ok(()) };
        let atoms: Vec<(f64, f64)> = (1..40).map(|i| jobs.size().quantile(f64::from(i) / 40.0)).map(|x| (x, 1.0)).collect();
        prop_assume!(atoms.iter().all(|atom| (1e-60..1e60).contains(&atom.0)));
        let scaled: Vec<(f64, f64)> = atoms.iter().map(|(x, count)| (1e3 * x, *count)).collect();
        let queue = |atoms: &[(f64, f64)]| {
            let jobs = Workload::with_load(Empirical::from_atoms(atoms).unwrap(), load).unwrap();
            mg1::performance(&jobs, Discipline::ALL[which]).unwrap()
        };
        let (one, other) = (queue(&atoms), queue(&scaled));
        prop_assert!((other.mean_response_time().unwrap() / one.mean_response_time().unwrap() / 1e3 - 1.0).abs() < 1e-11);
        prop_assert!((other.mean_slowdown().unwrap() / one.mean_slowdown().unwrap() - 1.0).abs() < 1e-11);
    }
}

#[test]
fn narrow_bands_of_sizes_are_atoms() {
    // Where equal jobs do not interrupt each other, sizes that are almost equal do not either.
    let bands = |x: f64| Law::from(Uniform::new(x, x * (1.0 + 1e-9)).unwrap());
    let atoms = |x: f64| Law::from(Deterministic::new(x).unwrap());
    let mixture = |of: &dyn Fn(f64) -> Law| {
        let tail = Law::from(Pareto::new(2.0, 2.5).unwrap());
        let size = Mixture::new([(0.4, of(1.0)), (0.3, of(3.0)), (0.3, tail)]).unwrap();
        Workload::with_load(size, 0.8).unwrap()
    };
    let (banded, atomic) = (mixture(&bands), mixture(&atoms));
    for discipline in [Discipline::Srpt, Discipline::Sjf, Discipline::Fb] {
        let (one, other) =
            (mg1::performance(&banded, discipline).unwrap(), mg1::performance(&atomic, discipline).unwrap());
        assert_close!(one.mean_response_time().unwrap(), other.mean_response_time().unwrap(), 1e-8, "{discipline}");
        assert_close!(one.mean_slowdown().unwrap(), other.mean_slowdown().unwrap(), 1e-8, "{discipline}");
    }
}

#[test]
fn published_numbers_of_web_files() {
    let at = |load| Workload::with_load(BoundedPareto::new(332.0, 1e10, 1.1).unwrap(), load).unwrap();
    let jobs = at(0.9);
    let x = jobs.size().quantile(0.9);
    assert_close!(mg1::slowdown_given_size(&jobs, Discipline::Srpt, x).unwrap().value, 1.277929563, 1e-9);
    assert_close!(mg1::slowdown_given_size(&jobs, Discipline::Ps, x).unwrap().value, 10.0, 1e-14);
    for (load, factor) in [(0.9, 3.845), (0.95, 6.1374)] {
        let ratio = mg1::ps(&at(load)).unwrap().mean_response_time().unwrap()
            / mg1::srpt(&at(load)).unwrap().mean_response_time().unwrap();
        assert_close!(ratio, factor, 1e-4);
    }
}

#[test]
fn close_to_saturation_and_very_variable() {
    // Exponential sizes under FB wait as under processor sharing.
    for spare in [1e-3, 1e-6, 1e-9] {
        let jobs = Workload::with_spare(Exponential::with_mean(1.0).unwrap(), spare).unwrap();
        assert_close!(mg1::fb(&jobs).unwrap().mean_response_time().unwrap(), 1.0 / spare, 1e-13);
    }
    // A mixture of two exponentials with scv 1000 at load 0.999: FB by its formula, averaged by another quadrature.
    let size = HyperExponential::balanced(1.0, 1000.0).unwrap();
    let jobs = Workload::with_load(&size, 0.999).unwrap();
    let mut sum = 0.0;
    let steps = 200_000;
    for i in 0..steps {
        let u = -25.0 + 39.0 * (f64::from(i) + 0.5) / f64::from(steps);
        let x = f64::exp(u);
        let one = mg1::response_time_given_size(&jobs, Discipline::Fb, x).unwrap().value;
        sum += one * size.density(x) * x * 39.0 / f64::from(steps);
    }
    assert_close!(mg1::fb(&jobs).unwrap().mean_response_time().unwrap(), sum, 1e-9);
}

#[test]
fn srpt_next_to_saturation() {
    for text in ["exponential:mean=1", "erlang:stages=3,mean=1", "weibull:shape=5,scale=1", "lognormal:mean=1,scv=0.01"]
    {
        for spare in [1e-7, 1e-8, 1e-9] {
            let jobs = Workload::with_spare(text.parse::<Law>().unwrap(), spare).unwrap();
            let srpt = mg1::srpt(&jobs).unwrap().mean_response_time().unwrap();
            let psjf = mg1::preemptive_sjf(&jobs).unwrap().mean_response_time().unwrap();
            assert!(srpt < psjf && srpt > 0.999 * psjf, "{text} at 1 - {spare}: {srpt} against {psjf}");
        }
    }
}
