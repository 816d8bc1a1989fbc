//! Every public function with random arguments: finite, a documented infinity, or an error; never NaN, a panic or a hang.

mod common;
#[path = "common/laws.rs"]
mod laws;

use common::slack;
use laws::{decades, law, simple_law};
use proptest::prelude::*;
use queueing::farm::sita::{Assignment, Atoms, Cutoffs};
use queueing::prelude::*;
use queueing::size::{Complex64, moment_between};

/// Not NaN and not negative.
fn sound(value: f64) -> bool {
    value >= 0.0
}

fn sound_performance(performance: &Performance) -> bool {
    performance.metrics().all(|(_, estimate)| sound(estimate.value))
}

fn sound_outcome(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Stable(performance) => sound_performance(performance),
        Outcome::Unstable { load, limit } => load >= limit,
    }
}

/// Every host below load one, and a distance from the optimum that is one, if it is known.
fn sound_optimum(best: &Assignment) -> bool {
    best.hosts.iter().all(|host| host.spare > 0.0 && sound_outcome(&host.outcome))
        && sound_outcome(&best.overall)
        && best.optimality.is_none_or(|gap| (0.0..=1.0).contains(&gap))
}

fn any_discipline() -> impl Strategy<Value = Discipline> {
    prop::sample::select(Discipline::ALL.to_vec())
}

/// Those whose cost to a farm is a formula: others take seconds for many hosts.
fn closed_form() -> impl Strategy<Value = Discipline> {
    prop_oneof![Just(Discipline::Fcfs), Just(Discipline::Ps), Just(Discipline::Lcfs), Just(Discipline::PreemptiveLcfs)]
}

fn any_metric() -> impl Strategy<Value = Metric> {
    prop::sample::select(Metric::ALL.to_vec())
}

proptest! {
    #![proptest_config(common::cases(1500))]

    #[test]
    fn laws_answer_everything(size in law(), r in -3.0..5.0_f64, p in 0.0..1.0_f64, q in 0.0..1.0_f64, far in decades(-9.0, 9.0)) {
        let (low, high) = size.support();
        prop_assert!(low >= 0.0 && high >= low);
        prop_assert!(sound(size.mean()) && sound(size.scv()) && sound(size.moment(r)) && sound(slack(&size)));
        let (a, b) = (size.quantile(p.min(q)), size.quantile(p.max(q)));
        prop_assert!(a >= low && b <= high && a <= b, "{a} {b}");
        for x in [a, b, far, low, high, 0.0, f64::INFINITY] {
            let (below, above) = (size.cdf(x), size.sf(x));
            prop_assert!((0.0..=1.0 + 1e-9).contains(&below) && (0.0..=1.0 + 1e-9).contains(&above), "{x}: {below} {above}");
            prop_assert!((below + above - 1.0).abs() < 1e-9, "{x}: {below} + {above}");
            prop_assert!(sound(size.density(x)), "{x}");
        }
        for order in [-2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 4.0, r] {
            let moment = size.partial_moment(order, a, b);
            prop_assert!(sound(moment), "order {order} on ({a}, {b}]: {moment}");
            // aʳ P <= M <= bʳ P, in whichever order
            if a > 1e-70 && b < 1e70 && moment.is_finite() {
                let mass = size.partial_moment(0.0, a, b);
                let (one, other) = (a.powf(order) * mass, b.powf(order) * mass);
                let slack = 1e-9 + 10.0 * slack(&size);
                prop_assert!(moment >= one.min(other) * (1.0 - slack) && moment <= one.max(other) * (1.0 + slack),
                    "order {order} on ({a}, {b}]: {moment} for a mass of {mass}");
            }
            // Two parts make the whole.
            let middle = size.quantile(0.5 * (p + q));
            let parts = size.partial_moment(order, a, middle) + size.partial_moment(order, middle, b);
            prop_assert!(parts == moment || (parts / moment - 1.0).abs() < 1e-9 + 10.0 * slack(&size),
                "order {order} on ({a}, {middle}, {b}]: {parts} against {moment}");
        }
        let upper = size.upper_quantile(q);
        prop_assert!(upper >= low && upper <= high);
    }

    #[test]
    fn transforms_are_bounded(size in simple_law(), re in decades(-6.0, 3.0), im in decades(-6.0, 3.0), zero in any::<bool>()) {
        let mean = size.quantile(0.5).max(1e-300);
        let s = Complex64::new(if zero { 0.0 } else { re / mean }, im / mean);
        let value = size.transform(s);
        prop_assert!(value.norm() <= 1.0 + 1e-9, "{s}: {value}");
        let conjugate = size.transform(s.conj());
        prop_assert!((value - conjugate.conj()).norm() < 1e-9);
        prop_assert!((size.transform(Complex64::new(0.0, 0.0)) - 1.0).norm() < 1e-9);
    }

    #[test]
    fn one_host(size in law(), load in prop_oneof![decades(-9.0, 0.2), (1.0..16.0_f64).prop_map(|x| 1.0 - 10.0_f64.powf(-x))], d in any_discipline()) {
        if let Ok(jobs) = Workload::with_load(size, load) {
            match mg1::performance(&jobs, d) {
                Ok(performance) => prop_assert!(load < 1.0 && sound_performance(&performance), "{performance:?}"),
                Err(error) => prop_assert!(load >= 1.0, "{error}"),
            }
        }
    }

    #[test]
    fn load_shares_are_met(size in law(), hosts in 1_usize..40) {
        if let Ok(farm) = Farm::with_load(size, Hosts::identical(hosts).unwrap(), 0.5) {
            let cutoffs = sita::equal_load(&farm).unwrap();
            let size = farm.jobs().size();
            // Pareto sizes with an index next to 1 carry load beyond the largest double.
            prop_assume!(cutoffs.sizes().all(f64::is_finite));
            let mut lower = Cutoff::LOWEST;
            for upper in cutoffs.as_slice().iter().copied().chain([Cutoff::HIGHEST]) {
                let share = moment_between(size, 1.0, lower, upper) / size.mean();
                let error = share * hosts as f64 - 1.0;
                // A cutoff is a double: it resolves the load below it to x² f(x)/E[X] times its own rounding.
                let grain = |x: f64| if x > 0.0 && x.is_finite() { x * size.density(x) * (x / size.mean()) * 1e-15 } else { 0.0 };
                let allowed = 1e-9 + hosts as f64 * (grain(lower.size()) + grain(upper.size())) + 100.0 * slack(&size);
                prop_assert!(error.abs() < allowed, "{share} between {lower:?} and {upper:?}");
                lower = upper;
            }
        }
    }

    #[test]
    fn arguments_of_every_kind(values in prop::array::uniform3(prop_oneof![
        Just(0.0), Just(-1.0), Just(f64::NAN), Just(f64::INFINITY), Just(f64::MIN_POSITIVE), Just(f64::MAX), decades(-300.0, 300.0)
    ])) {
        let [a, b, c] = values;
        let made: Vec<queueing::Result<Law>> = vec![
            Exponential::with_mean(a).map(Law::from), Exponential::with_rate(a).map(Law::from), Erlang::with_mean(3, a).map(Law::from),
            Gamma::new(a, b).map(Law::from), Gamma::with_mean_and_scv(a, b).map(Law::from),
            HyperExponential::two(a, b, c).map(Law::from), HyperExponential::balanced(a, b).map(Law::from),
            Weibull::new(a, b).map(Law::from), Weibull::with_mean_and_scv(a, b).map(Law::from),
            LogNormal::new(a, b).map(Law::from), LogNormal::with_mean_and_scv(a, b).map(Law::from),
            Pareto::new(a, b).map(Law::from), Pareto::with_mean(a, b).map(Law::from), Pareto::with_mean_and_scv(a, b).map(Law::from),
            BoundedPareto::new(a, b, c).map(Law::from), BoundedPareto::with_mean(a, b, c).map(Law::from),
            Uniform::new(a, b).map(Law::from), Uniform::with_mean_and_scv(a, b).map(Law::from),
            Deterministic::new(a).map(Law::from), Empirical::from_sizes(&values).map(Law::from),
            Empirical::from_atoms(&[(a, b), (b, c)]).map(Law::from),
            Summary::new(a, b).with_percentile(0.5, c).law().map(Law::from), Mixture::web_files(a, b, c, 1.5, 0.1).map(Law::from),
        ];
        for law in made.into_iter().flatten() {
            prop_assert!(sound(law.mean()) && sound(law.scv()), "{law:?}");
            for x in values.into_iter().filter(|x| !x.is_nan()).chain([law.support().0, law.support().1]) {
                let (at, from_above) = (law.quantile(x), law.upper_quantile(x));
                prop_assert!(sound(law.sf(x)) && sound(law.cdf(x)) && sound(law.density(x)), "{law:?} at {x}");
                prop_assert!(sound(at) && sound(from_above), "{law:?} at {x}: {at} {from_above}");
                for y in values.into_iter().filter(|y| *y >= x && x >= 0.0) {
                    for order in [-2.0, -1.0, 0.0, 0.5, 1.0, 4.0] {
                        let moment = law.partial_moment(order, x, y);
                        prop_assert!(sound(moment), "{law:?} order {order} on ({x}, {y}]: {moment}");
                    }
                }
            }
            // Transforms are asked where |s| times any size is a double.
            let s = Complex64::new(if (0.0..1e200).contains(&a) { a } else { 1.0 }, if b.abs() < 1e200 { b } else { -1.0 });
            let transform = law.transform(s);
            prop_assert!(transform.norm() <= 1.0 + 1e-9, "{law:?} at {s}: {transform}");
            for jobs in [Workload::new(a, &law), Workload::with_load(&law, b), Workload::with_spare(&law, c)].into_iter().flatten() {
                prop_assert!(sound(jobs.rate()) && sound(jobs.load()) && !jobs.spare().is_nan(), "{jobs:?}");
                for d in [Discipline::Fcfs, Discipline::Ps] {
                    match mg1::performance(&jobs, d) {
                        Ok(queue) => prop_assert!(jobs.load() <= 1.0 && sound_performance(&queue), "{jobs:?}: {queue:?}"),
                        Err(error) => prop_assert!(matches!(error, Error::Unstable { .. }) && jobs.load() >= 1.0, "{jobs:?}: {error}"),
                    }
                }
            }
        }
        prop_assert_eq!(Cutoff::at(a).is_ok(), a > 0.0);
        prop_assert_eq!(Cutoff::splitting(a, b).is_ok(), a > 0.0 && (0.0..=1.0).contains(&b));
        let increasing = 0.0 < a && a < b && b < c && c < f64::INFINITY;
        prop_assert_eq!(Cutoffs::new(&values).is_ok(), increasing);
    }

    #[test]
    fn text_of_any_kind(text in "(exponential|pareto|mixture|interval|empirical|h2|web-files)?:?[a-z0-9=,.()*+xeE-]{0,40}") {
        let _ = text.parse::<Law>();
    }

    #[test]
    fn laws_survive_their_text(size in law()) {
        let text = size.to_string();
        let back: Law = text.parse().unwrap();
        prop_assert_eq!(back.to_string(), text);
        prop_assert!((back.mean() / size.mean() - 1.0).abs() < 1e-12 || back.mean() == size.mean());
    }
}

proptest! {
    #![proptest_config(common::cases(400))]

    #[test]
    fn farms(size in law(), hosts in 1_usize..9, load in prop_oneof![decades(-6.0, 0.2), 0.9..0.999_999], metric in any_metric(),
             d in closed_form(), split in any::<bool>(), ps in prop::collection::vec(0.0..1.0_f64, 8)) {
        let Ok(farm) = Farm::with_load(size, Hosts::identical(hosts).unwrap(), load) else { return Ok(()) };
        let random = farm::random(&farm, d);
        prop_assert_eq!(random.is_ok(), load < 1.0);
        if let Ok(random) = random {
            prop_assert!(sound_performance(&random));
        }
        let mut sizes: Vec<f64> = ps[..hosts - 1].iter().map(|p| farm.jobs().size().quantile(*p)).collect();
        sizes.sort_by(f64::total_cmp);
        if let Ok(result) = Cutoffs::new(&sizes).and_then(|cutoffs| sita::evaluate(&farm, &cutoffs, d)) {
            prop_assert!(sound_outcome(&result.overall) && result.hosts.iter().all(|host| sound_outcome(&host.outcome)), "{result:?}");
        }
        let atoms = if split { Atoms::Split } else { Atoms::Whole };
        match sita::optimal_with(&farm, metric, d, atoms) {
            Ok(best) => {
                let value = best.overall.estimate(metric).unwrap().value;
                prop_assert!(value.is_finite() && value >= 0.0, "{best:?}");
                prop_assert!(sound_optimum(&best), "{best:?}");
                // Never worse than equal loads, where those keep atoms whole or may split them.
                let equal = sita::equal_load(&farm).unwrap();
                if (split || farm.jobs().size().atoms().is_empty()) && slack(farm.jobs().size()) == 0.0
                    && let Ok(equal) = sita::evaluate(&farm, &equal, d).and_then(|equal| equal.overall.estimate(metric)) {
                        prop_assert!(value <= equal.value * (1.0 + 1e-9), "{value} against {}", equal.value);
                    }
            }
            Err(Error::Infeasible { .. } | Error::Unavailable { .. }) => {}
            Err(error) => prop_assert!(false, "{}", error),
        }
    }
}

/// A cost from a host's share of the jobs and its 1 − load.
type Cost = fn(f64, f64) -> f64;

/// Costs of a host that a user might come up with, and whether they are finite for all.
const COSTS: [(&str, bool, Cost); 9] = [
    ("zero", true, |_, _| 0.0),
    ("constant", true, |_, _| 7.5),
    ("negative", true, |_, _| -1.0),
    ("falling with the load", true, |_, spare| spare - 1.0),
    ("negative without bound", true, |_, spare| -1.0 / spare),
    ("NaN", false, |_, _| f64::NAN),
    ("infinite", false, |_, _| f64::INFINITY),
    ("NaN with jobs", false, |fraction, _| if fraction > 0.0 { f64::NAN } else { 0.0 }),
    ("infinite with most of the jobs", false, |fraction, _| if fraction > 0.999 { f64::INFINITY } else { fraction }),
];

proptest! {
    #![proptest_config(common::cases(200))]

    #[test]
    fn costs_of_ones_own(size in law(), hosts in 1_usize..5, load in prop_oneof![decades(-6.0, -0.01), 0.9..0.999_999], which in 0..COSTS.len()) {
        let (name, finite, cost) = COSTS[which];
        let Ok(farm) = Farm::with_load(size, Hosts::identical(hosts).unwrap(), load) else { return Ok(()) };
        let result = sita::optimal_by(&farm, |host| cost(host.fraction(), host.spare()));
        match &result {
            Ok(best) => prop_assert!(sound_optimum(best), "{name}: {best:?}"),
            Err(Error::Infeasible { .. }) => {}
            Err(error) => prop_assert!(false, "{name}: {error}"),
        }
        if finite {
            // Slowdown under processor sharing is finite wherever every host is below load one.
            let feasible = sita::optimal(&farm, Metric::MeanSlowdown, Discipline::Ps).is_ok();
            prop_assert_eq!(result.is_ok(), feasible, "{}: {:?}", name, result);
        } else if name.starts_with("NaN") || name == "infinite" {
            prop_assert!(result.is_err(), "{name}: {result:?}");
        }
    }
}
