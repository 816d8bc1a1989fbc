//! What a law of the user's own gets by quadrature, against closed forms; and closed transforms against that quadrature.

mod common;
use proptest::prelude::*;
use queueing::prelude::*;
use queueing::size::{Atom, Complex64};

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

#[test]
fn quantiles_by_root_finding() {
    for law in laws() {
        let bare = Bare(law.clone());
        for p in [1e-6, 0.01, 0.3, 0.5, 0.9, 0.999] {
            // Tails that end steeply are found to the rounding of sf, which the density divides.
            let allowed = |x: f64| 1e-11 + 1e-15 / (p * (1.0 - p) * (x * law.density(x)).min(1.0)).max(1e-9);
            let x = law.quantile(p);
            assert_close!(bare.quantile(p), x, allowed(x), "{law} at {p}");
            let x = law.upper_quantile(p);
            assert_close!(bare.upper_quantile(p), x, allowed(x), "{law} at {p} from above");
        }
        for share in [0.01, 0.5, 0.99] {
            let (one, other) = (bare.load_quantile(share, 1.0 - share), law.load_quantile(share, 1.0 - share));
            assert_close!(one.size(), other.size(), 1e-8, "{law} at {share}");
        }
    }
}

#[test]
fn transforms_against_quadrature() {
    for law in laws() {
        let bare = Bare(law.clone());
        let mean = law.mean();
        for (re, im) in [(0.0, 0.1), (0.3, 0.0), (1.0, 2.0), (0.0, 20.0), (5.0, -7.0), (1e-6, 1e-6), (40.0, 3.0)] {
            let s = Complex64::new(re, im) / mean;
            let (value, expected) = (law.transform(s), bare.transform(s));
            assert!((value - expected).norm() < 2e-12, "{law} at {s}: {value} against {expected}");
        }
    }
}

#[test]
fn transforms_have_the_mean_as_slope() {
    for law in laws() {
        let step = 1e-5 / law.mean();
        let slope = (1.0 - law.transform(Complex64::new(step, 0.0)).re) / step;
        // 1 − X~(s) = sE[X] − s²E[X²]/2 + ..., and less for laws whose variance is infinite
        let curvature = step * law.moment(2.0) / 2.0 / law.mean();
        let allowed = 1e-9 + if curvature.is_finite() { 2.0 * curvature } else { 0.1 };
        assert_close!(slope, law.mean(), allowed, "{law}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

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
