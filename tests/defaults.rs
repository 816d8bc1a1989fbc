//! What a law of the user's own gets by quadrature, against closed forms; and closed transforms against that quadrature.

mod common;
use common::{Row, Worst, number, table};
use proptest::prelude::*;
use queueing::prelude::*;
use queueing::size::{Atom, Complex64, moment_between};

/// A law reduced to the three required methods (and what says where it is not smooth).
#[derive(Debug)]
struct Bare<S>(S);

impl<S: JobSize> JobSize for Bare<S> {
    fn support(&self) -> (f64, f64) {
        self.0.support()
    }
    fn sf(&self, x: f64) -> f64 {
        self.0.sf(x)
    }
    fn density(&self, x: f64) -> f64 {
        self.0.density(x)
    }
    fn atoms(&self) -> &[Atom] {
        self.0.atoms()
    }
    fn break_points(&self) -> &[f64] {
        self.0.break_points()
    }
}

fn laws() -> Vec<Law> {
    [
        "exponential:mean=3",
        "erlang:stages=3,mean=2",
        "gamma:shape=0.4,scale=5",
        "gamma:shape=400,scale=0.01",
        "hyperexponential:mean=10,scv=8",
        "weibull:shape=0.5,scale=2",
        "weibull:shape=0.3,scale=1",
        "weibull:shape=1,scale=2",
        "weibull:shape=2.2,scale=3",
        "weibull:shape=6,scale=1",
        "lognormal:mu=0.3,sigma=1.5",
        "lognormal:mu=0,sigma=0.2",
        "lognormal:mu=2,sigma=3",
        "pareto:k=1,alpha=2.5",
        "bounded-pareto:k=1,p=1000,alpha=1.5",
        "bounded-pareto:k=1,p=10000,alpha=1",
        "bounded-pareto:k=1,p=1.5,alpha=2",
        "uniform:a=1,b=4",
        "uniform:a=0,b=2",
        "deterministic:value=3",
        "mixture:0.9*(exponential:mean=1)+0.1*(deterministic:value=11)",
        "web-files:mu=0,sigma=1,k=20,alpha=2.2,tail=0.07",
        "interval:a=1,b=3,law=(lognormal:mu=0,sigma=1)",
    ]
    .map(|text| text.parse().unwrap())
    .into()
}

#[test]
fn partial_moments_by_quadrature() {
    for law in laws() {
        let bare = Bare(law.clone());
        for r in [-2.0, -1.0, -0.5, 0.0, 1.0, 2.0, 3.0, 4.0] {
            for (a, b) in [(0.0, f64::INFINITY), (0.0, 1.7), (1.2, 2.9), (2.0, f64::INFINITY), (1.0, 1.0 + 1e-7)] {
                assert_close!(
                    bare.partial_moment(r, a, b),
                    law.partial_moment(r, a, b),
                    1e-10,
                    "{law} order {r} on ({a}, {b}]"
                );
            }
        }
        assert_close!(bare.mean(), law.mean(), 1e-10, "{law}");
    }
}

/// What a quantile resolves: the units in the last place that an exponential of a logarithm of up to 10 loses.
const GRAIN: f64 = 16.0 * f64::EPSILON;

/// Demands that x is the smallest size with P(X <= x) >= p, up to its grain and the relative `tolerance` in p.
fn assert_quantile(law: &Law, x: f64, p: f64, tolerance: f64, what: &str) {
    let (reached, before) = (law.cdf(x * (1.0 + GRAIN)), law.cdf(x * (1.0 - GRAIN)));
    assert!(reached >= p * (1.0 - tolerance), "{law} {what}: P(X <= {x:e}) = {reached:e} is below {p:e}");
    assert!(before <= p * (1.0 + tolerance), "{law} {what}: below {x:e} is {before:e} already, of {p:e}");
}

/// Demands that x is the smallest size with P(X > x) <= q, likewise.
fn assert_upper_quantile(law: &Law, x: f64, q: f64, tolerance: f64, what: &str) {
    let (beyond, before) = (law.sf(x * (1.0 + GRAIN)), law.sf(x * (1.0 - GRAIN)));
    assert!(beyond <= q * (1.0 + tolerance), "{law} {what}: P(X > {x:e}) = {beyond:e} exceeds {q:e}");
    assert!(before >= q * (1.0 - tolerance), "{law} {what}: below {x:e} only {before:e} is beyond, of {q:e}");
}

#[test]
fn quantiles_invert_the_closed_forms() {
    for law in laws() {
        let bare = Bare(law.clone());
        for p in [1e-12, 1e-6, 0.01, 0.3, 0.5, 0.9, 0.999] {
            assert_quantile(&law, law.quantile(p), p, 1e-11, "own");
            assert_upper_quantile(&law, law.upper_quantile(p), p, 1e-11, "own, from above");
            // Of three methods P(X <= x) is 1 − sf(x), to the few units in the last place that sf has.
            assert_quantile(&law, bare.quantile(p), p, 1e-11 + 4.0 * f64::EPSILON / p, "bare");
            assert_upper_quantile(&law, bare.upper_quantile(p), p, 1e-11, "bare, from above");
        }
        assert_eq!((law.quantile(0.0), law.quantile(1.0)), law.support(), "{law}");
        assert_eq!((law.upper_quantile(1.0), law.upper_quantile(0.0)), law.support(), "{law}");
    }
}

/// The cutoff moved by a grain: in its share where it splits an atom, else in its size.
fn moved(law: &Law, cutoff: Cutoff, by: f64) -> Cutoff {
    if law.atoms().iter().any(|atom| atom.size == cutoff.size()) {
        Cutoff::splitting(cutoff.size(), (cutoff.share() * (1.0 + by)).min(1.0)).unwrap()
    } else {
        Cutoff::at(cutoff.size() * (1.0 + by)).unwrap()
    }
}

#[test]
fn load_quantiles_invert_the_closed_forms() {
    for law in laws() {
        let bare = Bare(law.clone());
        for (below, above) in
            [(1e-12, 1.0 - 1e-12), (1e-6, 1.0 - 1e-6), (0.01, 0.99), (0.5, 0.5), (0.99, 0.01), (1.0 - 1e-9, 1e-9)]
        {
            // The bare law rests on quadrature, whose error is of the work on the smaller side.
            for (cutoff, tolerance) in
                [(law.load_quantile(below, above), 1e-11), (bare.load_quantile(below, above), 1e-10)]
            {
                let work = |by: f64| {
                    let cutoff = moved(&law, cutoff, by);
                    if below <= above {
                        moment_between(&law, 1.0, Cutoff::LOWEST, cutoff) / (below * law.mean())
                    } else {
                        2.0 - moment_between(&law, 1.0, cutoff, Cutoff::HIGHEST) / (above * law.mean())
                    }
                };
                let (least, most) = (work(-GRAIN), work(GRAIN));
                assert!(
                    least <= 1.0 + tolerance && most >= 1.0 - tolerance,
                    "{law} at {below} below, {above} above: {cutoff:?} has {least} to {most} of it"
                );
            }
        }
    }
}

/// `transforms.csv` holds E[e^{−sX}] of the laws above and some more extreme ones, computed in 60-digit arithmetic (mpmath) from
/// - gamma, Erlang: (1+θs)^−κ; hyperexponential: Σ p_i/(1+m_i s); uniform: (e^{−sa} − e^{−sb})/(s(b−a)); atoms: e^{−sx};
/// - Pareto: α E_{α+1}(sk); bounded Pareto: α/(1−(k/p)^α) [E_{α+1}(sk) − (k/p)^α E_{α+1}(sp)], with `expint`;
/// - lognormal: ∫ φ(w) exp(−s e^{μ+σw}) dz, w = z − iθ/σ, by the trapezoidal rule for θ = arg s, at most 3σ, and for
///   nine tenths of it, which agree to 25 digits; given 1 < X <= 3 or X <= 20 by `quad` over the interval;
/// - Weibull: ∫ e^{−y} exp(−s a y^{1/b}) dy with y = e^{u−iφ}, by the trapezoidal rule in u for φ = b arg s/(1+b) and for
///   nine tenths of it (b = 40: three and four tenths), which agree to 20 digits.
fn transform_rows() -> impl Iterator<Item = (Law, Complex64, Complex64)> {
    let complex = |row: &Row, re: &str, im: &str| Complex64::new(number(row, re).unwrap(), number(row, im).unwrap());
    table("transforms.csv")
        .into_iter()
        .map(move |row| (common::law(&row), complex(&row, "re", "im"), complex(&row, "value_re", "value_im")))
}

#[test]
fn transforms_against_reference() {
    let mut worst = Worst::default();
    for (law, s, expected) in transform_rows() {
        let error = (law.transform(s) - expected).norm();
        assert!(error <= 1e-14, "{law} at {s}: {error:e}");
        worst.see("transforms", error);
        if laws().contains(&law) {
            let error = (Bare(law.clone()).transform(s) - expected).norm();
            assert!(error <= 2e-12, "bare {law} at {s}: {error:e}");
            worst.see("transforms by quadrature", error);
        }
    }
    worst.print("transforms.csv (errors absolute)");
    assert_eq!(worst.count(), 34 * 8 + 23 * 8);
}

#[test]
fn transforms_have_the_mean_as_slope() {
    let mut seen = 0;
    for law in laws() {
        let (mean, second, third) = (law.mean(), law.moment(2.0), law.moment(3.0));
        if second.is_infinite() {
            continue;
        }
        seen += 1;
        // sE[X] − s²E[X²]/2 <= 1 − X~(s) <= sE[X] − s²E[X²]/2 + s³E[X³]/6, and <= sE[X]
        let s = 1e-3 * mean / second;
        let slope = (1.0 - law.transform(Complex64::new(s, 0.0)).re) / s;
        let rounding = 1e-14 / s;
        let least = mean - 0.5 * s * second;
        let most = mean.min(least + s * s * third / 6.0);
        assert!(slope >= least - rounding && slope <= most + rounding, "{law}: {slope} outside {least} to {most}");
    }
    assert!(seen > 20, "{seen}");
}

proptest! {
    #![proptest_config(common::cases(64))]

    #[test]
    fn bounded_pareto_moments_are_monotone_near_their_logarithm(shift in 0.0..1e-6_f64) {
        // sizes at α = 1 and α = 2, where the textbook form divides 0 by 0
        let mean = |alpha: f64| BoundedPareto::new(1.0, 1e10, alpha).unwrap().mean();
        prop_assert!(mean(1.0 - shift) >= mean(1.0) && mean(1.0) >= mean(1.0 + shift));
        let exact = 1e10_f64.ln() / (1.0 - 1e-10);
        // d ln E[X]/dα at 1 is −L/2 + the weight of the bound
        prop_assert!((mean(1.0 + shift) / exact - 1.0).abs() <= 0.5 * 1e10_f64.ln() * shift * 1.01 + 1e-14);
    }
}
