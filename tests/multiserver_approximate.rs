//! The M/G/n approximations against exact M/PH/n and M/D/n values and published tables; and everything with random arguments.

mod common;
#[path = "common/laws.rs"]
mod laws;

use common::{law, number, table};
use laws::{decades, law as any_law};
use proptest::prelude::*;
use queueing::multiserver::Target;
use queueing::prelude::*;

type Approximation = fn(&Farm<Law>) -> Result<Performance, Error>;

const APPROXIMATIONS: [(&str, Assumption, Approximation); 5] = [
    ("Lee-Longton", Assumption::LeeLongton, multiserver::lee_longton),
    ("Kimura", Assumption::Kimura, multiserver::kimura),
    ("Boxma-Cohen-Huffels", Assumption::BoxmaCohenHuffels, multiserver::boxma_cohen_huffels),
    ("Cosmetatos", Assumption::Cosmetatos, multiserver::cosmetatos),
    ("Whitt", Assumption::Whitt, multiserver::whitt),
];

fn farm(size: impl Into<Law>, hosts: usize, load: f64) -> Farm<Law> {
    Farm::with_load(size.into(), Hosts::identical(hosts).unwrap(), load).unwrap()
}

fn waiting(approximation: Approximation, farm: &Farm<Law>) -> f64 {
    approximation(farm).unwrap().mean_waiting_time().unwrap()
}

/// By C² of the law: the largest error that each approximation has on the reference rows, in the order of `APPROXIMATIONS`.
const BOUNDS: [(&str, f64, [f64; 5]); 4] = [
    ("C² = 0", 0.0, [0.427, 1e-12, 1e-12, 0.065, 0.289]),
    ("0 < C² < 1", 0.75, [0.046, 0.010, 0.005, 0.007, 0.026]),
    ("1 < C² < 5", 5.0, [0.301, 0.020, 0.017, 0.207, 0.081]),
    ("C² >= 10", 100.0, [0.417, 0.321, 0.319, 0.307, 0.171]),
];

#[test]
fn errors_on_the_reference_rows_are_the_documented_ones() {
    let mut worst = [[0.0_f64; 5]; 4];
    let mut rows = 0;
    for row in table("multiserver.csv") {
        if !["mphk", "mdk"].contains(&row["system"].as_str()) || row["quantity"] != "mean_waiting_time" {
            continue;
        }
        let farm = farm(law(&row), number(&row, "servers").unwrap() as usize, number(&row, "load").unwrap());
        let scv = farm.jobs().size().scv();
        let class = BOUNDS.iter().position(|bound| scv <= bound.1 + 1e-9).unwrap();
        let exact = number(&row, "value").unwrap();
        let errors = APPROXIMATIONS.map(|(_, _, approximation)| waiting(approximation, &farm) / exact - 1.0);
        println!(
            "| {} | {} | {:.4} | {} | {exact:.6} | {} |",
            farm.hosts().count(),
            row["law"],
            scv,
            row["load"],
            errors.map(|error| format!("{:+.2} %", 100.0 * error)).join(" | ")
        );
        for (largest, error) in worst[class].iter_mut().zip(errors) {
            *largest = largest.max(error.abs());
        }
        rows += 1;
    }
    assert_eq!(rows, 30);
    for ((class, _, bounds), worst) in BOUNDS.iter().zip(worst) {
        println!("{class}: {worst:.4?}");
        for ((name, ..), (bound, error)) in APPROXIMATIONS.iter().zip(bounds.iter().zip(worst)) {
            assert!(error <= *bound, "{name}, {class}: {error}");
        }
    }
}

/// Hosts, C², load, then E[W] by Lee-Longton, Kimura, and Boxma, Cohen and Huffels, for balanced hyperexponential sizes of mean 1.
const PUBLISHED: [(usize, f64, f64, [f64; 3]); 9] = [
    (2, 4.0, 0.8, [4.4444, 4.2417, 4.3263]),
    (2, 20.0, 0.8, [18.6667, 14.3282, 17.7329]),
    (2, 100.0, 0.8, [89.7778, 34.8287, 84.5947]),
    (5, 4.0, 0.8, [1.3853, 1.2318, 1.2443]),
    (10, 4.0, 0.8, [0.5115, 0.4242, 0.4254]),
    (10, 20.0, 0.8, [2.1482, 0.9327, 0.9557]),
    (10, 100.0, 0.8, [10.3318, 1.3263, 1.4622]),
    (10, 20.0, 0.9, [7.0217, 4.4915, 4.5614]),
    (20, 20.0, 0.9, [2.8915, 1.5477, 1.5520]),
];

#[test]
fn tabulated_values() {
    for (n, scv, load, values) in PUBLISHED {
        let farm = farm(HyperExponential::balanced(1.0, scv).unwrap(), n, load);
        for ((name, _, approximation), value) in APPROXIMATIONS.iter().zip(values) {
            // Four decimals.
            assert!((waiting(*approximation, &farm) - value).abs() <= 5.1e-5, "{name} {n} {scv} {load}");
        }
    }
    // Error of Cosmetatos' M/D/n in per cent, three decimals.
    for (n, load, percent) in
        [(2, 0.5, -0.568), (2, 0.9, -0.114), (5, 0.8, -0.097), (10, 0.9, 0.279), (50, 0.5, 6.397), (50, 0.9, 0.789)]
    {
        let equal = Deterministic::new(1.0).unwrap();
        let exact = multiserver::mdn(&Farm::with_load(equal, Hosts::identical(n).unwrap(), load).unwrap()).unwrap();
        let error = waiting(multiserver::cosmetatos, &farm(equal, n, load)) / exact.mean_waiting_time().unwrap() - 1.0;
        assert!((100.0 * error - percent).abs() <= 5.1e-4, "{n} {load}: {error}");
    }
}

#[test]
fn ends_and_limits() {
    for (name, assumption, approximation) in APPROXIMATIONS {
        for n in [2, 5, 40, 200] {
            for load in [0.05, 0.5, 0.9, 0.999] {
                // Exponential sizes: M/M/n, with every metric labelled.
                let exponential = Exponential::with_mean(3.0).unwrap();
                let exact =
                    multiserver::mmn(&Farm::with_load(exponential, Hosts::identical(n).unwrap(), load).unwrap())
                        .unwrap();
                let result = approximation(&farm(exponential, n, load)).unwrap();
                for (metric, estimate) in result.metrics() {
                    assert_close!(
                        estimate.value,
                        exact.estimate(metric).unwrap().value,
                        1e-9,
                        "{name} {metric} {n} {load}"
                    );
                    let label = if metric == Metric::Utilisation {
                        Accuracy::Exact
                    } else {
                        Accuracy::Approximate { assumption }
                    };
                    assert_eq!(estimate.accuracy, label);
                }
            }
            // Heavy traffic: all meet (1+C²)/2 W_M.
            for size in
                [Law::from(HyperExponential::balanced(1.0, 4.0).unwrap()), Uniform::new(0.0, 2.0).unwrap().into()]
            {
                let near = Farm::with_spare(size.clone(), Hosts::identical(n).unwrap(), 1e-8).unwrap();
                assert_close!(
                    waiting(approximation, &near),
                    waiting(multiserver::lee_longton, &near),
                    2e-5,
                    "{name} {n}"
                );
            }
        }
        // One host: M/G/1, and no steady state at load one.
        let one = farm(Uniform::new(0.0, 2.0).unwrap(), 1, 0.7);
        assert_eq!(approximation(&one), mg1::fcfs(&one.one_host()), "{name}");
        let full = farm(Uniform::new(0.0, 2.0).unwrap(), 3, 1.0);
        assert_eq!(approximation(&full), Err(Error::Unstable { load: 1.0, limit: 1.0 }), "{name}");
        // Infinite variance: infinite, but for Kimura, whose formula is bounded.
        let heavy = farm(Pareto::new(1.0, 1.5).unwrap(), 4, 0.5);
        assert_eq!(waiting(approximation, &heavy).is_infinite(), name != "Kimura", "{name}");
    }
    // Equal sizes: M/D/n exactly where the formula uses it.
    let equal = Deterministic::new(2.0).unwrap();
    let exact = multiserver::mdn(&Farm::with_load(equal, Hosts::identical(20).unwrap(), 0.7).unwrap()).unwrap();
    for approximation in [multiserver::kimura as Approximation, multiserver::boxma_cohen_huffels] {
        assert_close!(waiting(approximation, &farm(equal, 20, 0.7)), exact.mean_waiting_time().unwrap(), 1e-13);
    }
}

/// Not NaN and not negative.
fn sound(performance: &Performance) -> bool {
    performance.metrics().all(|(_, estimate)| estimate.value >= 0.0)
}

proptest! {
    #![proptest_config(common::cases(400))]

    #[test]
    fn everything_is_finite_or_infinite_or_an_error(
        size in any_law(), mean in decades(-69.0, 69.0), n in prop::sample::select(vec![1_usize, 2, 3, 10, 64, 65, 300, 4000]),
        load in prop_oneof![decades(-300.0, 2.0), 0.0..1.1_f64, Just(1.0), Just(1.0_f64.next_down())], room in 0_usize..1000,
        level in decades(-20.0, 0.0),
    ) {
        let hosts = Hosts::identical(n).unwrap();
        let Ok(farm) = Farm::with_load(size, hosts, load) else { return Ok(()) };
        for (name, _, approximation) in APPROXIMATIONS {
            match approximation(&farm) {
                Ok(result) => prop_assert!(load < 1.0 && sound(&result), "{name}: {result:?}"),
                Err(Error::Unstable { .. }) => prop_assert!(load >= 1.0),
                Err(error) => prop_assert!(false, "{name}: {error}"),
            }
        }
        prop_assert!(sound(&multiserver::mginf(farm.jobs())));
        if let Ok(farm) = Farm::with_load(Deterministic::new(mean).unwrap(), hosts, load) {
            match multiserver::mdn(&farm) {
                Ok(result) => prop_assert!(load < 1.0 && sound(&result), "{result:?}"),
                Err(error) => prop_assert!(load >= 1.0, "{error}"),
            }
        }
        if let Ok(farm) = Farm::with_load(Exponential::with_mean(mean).unwrap(), hosts, load) {
            prop_assert_eq!(multiserver::mmn(&farm).is_ok_and(|result| sound(&result)), load < 1.0);
            let result = multiserver::mmnk(&farm, n + room).unwrap();
            prop_assert!(sound(&result), "{result:?}");
            prop_assert!(result.probability_of_blocking().unwrap() <= 1.0);
            let lost = multiserver::erlang_b(hosts, farm.jobs().load()).unwrap();
            prop_assert!((0.0..=1.0).contains(&lost));
            if load < 1.0 {
                prop_assert!((0.0..=1.0).contains(&multiserver::mmn_waiting_time_tail(&farm, level * mean).unwrap()));
                prop_assert!(multiserver::mmn_waiting_time_quantile(&farm, level).unwrap() >= 0.0);
            }
            for target in [
                Target::ProbabilityOfWaiting(level),
                Target::MeanWaitingTime(level * mean),
                Target::WaitingTimeQuantile { probability: 1.0 - level, time: mean },
            ] {
                if let Ok(enough) = multiserver::staffing(farm.jobs(), target) {
                    prop_assert!(enough.count() as f64 >= farm.jobs().load());
                }
            }
        }
    }
}
