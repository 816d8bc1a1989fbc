//! Random laws, from ordinary to absurd, for the property tests.

use proptest::prelude::*;
use queueing::prelude::*;

/// 10^x for x in the range.
pub(crate) fn decades(low: f64, high: f64) -> impl Strategy<Value = f64> + Clone {
    (low..high).prop_map(|x| 10.0_f64.powf(x))
}

fn atoms() -> impl Strategy<Value = Law> {
    let size = prop_oneof![Just(1.0), Just(7.0), decades(-6.0, 6.0)];
    let count = prop_oneof![Just(1.0), (1_u32..1000).prop_map(f64::from), decades(-3.0, 3.0)];
    prop::collection::vec((size, count), 1..60).prop_map(|atoms| Empirical::from_atoms(&atoms).unwrap().into())
}

/// A law with parameters over many decades.
pub(crate) fn simple_law() -> impl Strategy<Value = Law> {
    let scale = || decades(-8.0, 8.0);
    prop_oneof![
        scale().prop_map(|mean| Exponential::with_mean(mean).unwrap().into()),
        (1_u32..3000, scale()).prop_map(|(stages, mean)| Erlang::with_mean(stages, mean).unwrap().into()),
        (decades(-3.0, 6.0), scale()).prop_map(|(shape, scale)| Gamma::new(shape, scale).unwrap().into()),
        (1e-6..0.999_999, scale(), scale()).prop_map(|(p, a, b)| HyperExponential::two(p, a, b).unwrap().into()),
        (scale(), decades(1e-3, 6.0)).prop_map(|(mean, scv)| HyperExponential::balanced(mean, scv).unwrap().into()),
        (decades(-1.0, 2.0), scale()).prop_map(|(shape, scale)| Weibull::new(shape, scale).unwrap().into()),
        (-10.0..10.0, prop_oneof![4 => decades(-4.0, 9.0_f64.log10()), 1 => Just(9.0)])
            .prop_map(|(mu, sigma)| LogNormal::new(mu, sigma).unwrap().into()),
        (scale(), decades(-1.0, 2.0)).prop_map(|(k, alpha)| Pareto::new(k, alpha).unwrap().into()),
        (scale(), decades(-9.0, 12.0), decades(-3.0, 1.5)).prop_map(|(k, range, alpha)| BoundedPareto::new(
            k,
            k * (1.0 + range),
            alpha
        )
        .unwrap()
        .into()),
        (scale(), Just(1.0), prop_oneof![Just(1.0), Just(2.0), 0.999_999_999..1.000_000_001])
            .prop_map(|(k, _, alpha)| BoundedPareto::new(k, 1e9 * k, alpha).unwrap().into()),
        (prop_oneof![Just(0.0), scale()], decades(-9.0, 6.0)).prop_map(|(a, width)| Uniform::new(
            a,
            a.max(1e-3) * (1.0 + width)
        )
        .unwrap()
        .into()),
        scale().prop_map(|value| Deterministic::new(value).unwrap().into()),
        atoms(),
    ]
}

/// The sizes of a law between two of its quantiles; with a share of those of exactly these sizes where they are atoms.
fn interval_of(law: impl Strategy<Value = Law>) -> impl Strategy<Value = Law> {
    (law, 0.0..1.0, 0.0..1.0, 0.0..=1.0, 0.0..=1.0, any::<bool>()).prop_filter_map(
        "an interval with jobs",
        |(law, p, q, share_low, share_high, whole): (Law, f64, f64, f64, f64, bool)| {
            let (low, high) = (law.quantile(p.min(q)), law.quantile(p.max(q)));
            if whole {
                return Interval::new(law, low, high).ok().map(Law::from);
            }
            let end = |size: f64, share: f64| {
                if size > 0.0 { Cutoff::splitting(size, share).ok() } else { Some(Cutoff::LOWEST) }
            };
            let on_atom = |size: f64| law.atoms().iter().any(|atom| atom.size == size);
            let share = |size, share: f64| if on_atom(size) { share } else { 1.0 };
            let (lower, upper) = (end(low, share(low, share_low))?, end(high, share(high, share_high))?);
            Interval::between(law, lower, upper).ok().map(Law::from)
        },
    )
}

/// A mixture of two or three.
fn mixture_of<S: Strategy<Value = Law>>(law: impl Fn() -> S) -> impl Strategy<Value = Law> {
    let two = (law(), law(), 1e-6..0.999_999)
        .prop_map(|(one, other, weight)| Mixture::new([(weight, one), (1.0 - weight, other)]).unwrap().into());
    let three = ([law(), law(), law()], prop::array::uniform3(decades(-6.0, 0.0))).prop_map(|(laws, weights)| {
        let total: f64 = weights.iter().sum();
        Mixture::new(weights.map(|weight| weight / total).into_iter().zip(laws)).unwrap().into()
    });
    prop_oneof![two, three]
}

/// A law, a mixture of two or three, an interval, or an interval of one of these, which may be an interval.
pub(crate) fn law() -> impl Strategy<Value = Law> {
    let of_mixture = || interval_of(mixture_of(|| simple_law().boxed()).boxed());
    prop_oneof![
        12 => simple_law(),
        2 => interval_of(simple_law()),
        2 => mixture_of(|| simple_law().boxed()),
        1 => interval_of(interval_of(simple_law())),
        1 => of_mixture(),
        1 => mixture_of(|| interval_of(simple_law()).boxed()),
    ]
}
