//! Job-size laws: what a server must work off, in units of work (time on a host of speed one).
//!
//! Everything else in the crate asks a law for its partial moments E\[X^r; a < X <= b\], so a law that has them in closed form makes
//! exact queueing formulas. The laws by what they model:
//!
//! | law | models |
//! |---|---|
//! | [`Exponential`], [`Erlang`], [`Gamma`], [`HyperExponential`] | textbook service times by mean and variability |
//! | [`Weibull`], [`LogNormal`] | measured run times and file bodies |
//! | [`Pareto`], [`BoundedPareto`] | heavy tails: web files, process lifetimes, supercomputing jobs |
//! | [`Uniform`], [`Deterministic`] | limits with little variability |
//! | [`PhaseType`] | stages and branches: fits of moments, busy periods, what Markov chains can hold |
//! | [`Mixture`] | classes of jobs; a lognormal body with a Pareto tail |
//! | [`Empirical`] | a trace, weighted atoms, or a monitoring summary |
//! | [`Interval`] | X given a < X <= b: what a host of a size-based policy sees |
//!
//! [`Law`] gathers them all, with a text form; [`JobSize`] is the trait that a law of your own implements.

mod blocks;
mod bounded_pareto;
mod complements;
mod consistency;
pub(crate) mod cutoff;
mod defaults;
mod deterministic;
mod empirical;
mod erlang;
mod exponential;
mod gamma;
mod hyper_exponential;
mod interval;
mod law;
mod log_normal;
mod mixture;
mod pareto;
mod parse;
mod phase_type;
mod print;
#[cfg(feature = "serde")]
mod serial;
mod summary;
mod uniform;
mod weibull;

pub use bounded_pareto::BoundedPareto;
pub use cutoff::{Cutoff, moment_between};
pub use deterministic::Deterministic;
pub use empirical::Empirical;
pub use erlang::Erlang;
pub use exponential::Exponential;
pub use gamma::Gamma;
pub use hyper_exponential::HyperExponential;
pub use interval::Interval;
pub use law::Law;
pub use log_normal::LogNormal;
pub use mixture::Mixture;
pub use num_complex::Complex64;
pub use pareto::Pareto;
pub use phase_type::PhaseType;
pub use summary::Summary;
pub use uniform::Uniform;
pub use weibull::Weibull;

use crate::accuracy::Accuracy;
use crate::error::Result;
use std::fmt::Debug;

/// A size that has a positive probability.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Atom {
    /// The size, in units of work.
    pub size: f64,
    /// P(X = size).
    pub probability: f64,
}

/// A job-size law on the positive reals.
///
/// Three methods are required: the support, the tail and the density. The rest has defaults by quadrature in ln x and by root
/// finding, good to about 1e-10. A closed form for [`partial_moment`](Self::partial_moment) makes everything built on the law fast,
/// and with [`accuracy`](Self::accuracy) overridden to say so, exact. The density must hold far out in the tail, where powers of x
/// overflow early: [`validate`](Self::validate) compares it with the tail.
///
/// ```
/// use queueing::prelude::*;
///
/// /// Triangular sizes on (0, 1]: density 2x.
/// #[derive(Debug)]
/// struct Triangular;
///
/// impl JobSize for Triangular {
///     fn support(&self) -> (f64, f64) { (0.0, 1.0) }
///     fn sf(&self, x: f64) -> f64 { 1.0 - x.clamp(0.0, 1.0).powi(2) }
///     fn density(&self, x: f64) -> f64 { if (0.0..=1.0).contains(&x) { 2.0 * x } else { 0.0 } }
/// }
///
/// let size = Triangular;
/// assert!((size.mean() - 2.0 / 3.0).abs() < 1e-12);
/// assert!((size.moment(-1.0) - 2.0).abs() < 1e-11);          // E[1/X] = ∫ 2 dx
/// let waiting = mg1::fcfs(&Workload::with_load(size, 0.5)?)?.mean_waiting_time()?;
/// assert!((waiting - 0.375).abs() < 1e-11);                  // λE[X²]/2(1−ρ), λ = 3/4, E[X²] = 1/2
/// # Ok::<(), queueing::Error>(())
/// ```
pub trait JobSize: Debug + Send + Sync {
    /// The smallest and the largest size; the largest may be infinite.
    fn support(&self) -> (f64, f64);

    /// P(X > x), computed as such and not as 1 − P(X <= x).
    fn sf(&self, x: f64) -> f64;

    /// The density of the continuous part at x; 0 outside the support and for purely atomic laws.
    fn density(&self, x: f64) -> f64;

    /// P(X <= x). The default is 1 − `sf(x)`: override it where small values must keep their digits.
    fn cdf(&self, x: f64) -> f64 {
        1.0 - self.sf(x)
    }

    /// The sizes of positive probability, increasing.
    fn atoms(&self) -> &[Atom] {
        &[]
    }

    /// Whether the law has atoms only, by construction. The default is that it has not.
    fn is_discrete(&self) -> bool {
        false
    }

    /// Sizes inside the support where the density jumps or has a kink, increasing: the quadrature defaults split there.
    fn break_points(&self) -> &[f64] {
        &[]
    }

    /// E\[X^r; a < X <= b\] for real r and 0 <= a <= b <= ∞; infinite where it diverges, 0 for an empty interval.
    ///
    /// The default integrates the density in ln x and adds the atoms.
    fn partial_moment(&self, r: f64, a: f64, b: f64) -> f64 {
        defaults::partial_moment(self, r, a, b)
    }

    /// Several partial moments over one interval: `out[i] = E[X^orders[i]; a < X <= b]`.
    ///
    /// Override where orders share work (a logarithm, a search). `out` must be as long as `orders`.
    fn partial_moments(&self, orders: &[f64], a: f64, b: f64, out: &mut [f64]) {
        for (value, &r) in out.iter_mut().zip(orders) {
            *value = self.partial_moment(r, a, b);
        }
    }

    /// E\[X^r\], possibly infinite.
    fn moment(&self, r: f64) -> f64 {
        self.partial_moment(r, 0.0, f64::INFINITY)
    }

    /// E\[X\].
    fn mean(&self) -> f64 {
        self.moment(1.0)
    }

    /// Squared coefficient of variation Var\[X\]/E\[X\]².
    fn scv(&self) -> f64 {
        defaults::scv(self)
    }

    /// The smallest x with P(X <= x) >= p, for 0 <= p <= 1; p is clamped, and NaN counts as 0.
    fn quantile(&self, p: f64) -> f64 {
        let p = probability(p);
        defaults::quantile(self, p, 1.0 - p)
    }

    /// The smallest x with P(X > x) <= q: the quantile from above, exact for small q.
    fn upper_quantile(&self, q: f64) -> f64 {
        let q = probability(q);
        defaults::quantile(self, 1.0 - q, q)
    }

    /// The cutoff below which jobs carry the share `below` of the mean work, and the share `above` = 1 − `below` above it.
    ///
    /// Both are given, so that either may be tiny. Inside an atom the cutoff carries the share of the atom that goes below.
    /// Meaningful for a finite mean only.
    fn load_quantile(&self, below: f64, above: f64) -> Cutoff {
        defaults::load_quantile(self, below, above)
    }

    /// The Laplace-Stieltjes transform E\[exp(−sX)\] for Re s >= 0 and |s| <= 1e200, by default by quadrature (absolute error about 1e-12).
    fn transform(&self, s: Complex64) -> Complex64 {
        defaults::transform(self, s)
    }

    /// The same law as a phase type, where it is one: exact multi-server queues and cycle stealing are built on it.
    fn phase_type(&self) -> Option<PhaseType> {
        None
    }

    /// Fills `out` with independent sizes.
    ///
    /// The default takes the [`upper_quantile`](Self::upper_quantile) of uniform numbers: override it where there is a faster way.
    #[cfg(feature = "sim")]
    fn draw(&self, random: &mut crate::Random, out: &mut [f64]) {
        out.fill_with(|| self.upper_quantile(random.uniform()));
    }

    /// How good the moments of this law are: the accuracy of all that is computed from them.
    ///
    /// The default is that of the quadrature defaults, `Numerical` with a relative error of 1e-10. A law that overrides
    /// [`partial_moment`](Self::partial_moment) in closed form overrides this too, with [`Accuracy::Exact`].
    fn accuracy(&self) -> Accuracy {
        Accuracy::Numerical { relative_error: defaults::QUADRATURE_ERROR }
    }

    /// Whether the law agrees with itself: the support, and the density and atoms against the tail, out to P(X > x) = 1e-200.
    ///
    /// [`Workload`](crate::Workload) asks this of every law that rests on quadrature (some 100 µs); a law whose accuracy is
    /// [`Accuracy::Exact`] is trusted.
    ///
    /// # Errors
    /// [`Error::Argument`](crate::Error::Argument) for a support below 0, [`Error::Inconsistent`](crate::Error::Inconsistent) where
    /// density and tail disagree: a forgotten atom, a density that does not integrate to one, overflows far out, or has a peak too
    /// narrow to be found (give its place as a break point).
    fn validate(&self) -> Result<()> {
        consistency::check(self)
    }
}

/// The orders of the moments that queueing formulas ask for. A trace keeps them in blocks.
pub(crate) const ORDERS: [f64; 7] = [-2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 4.0];

/// A probability from any number: clamped, and 0 for NaN.
fn probability(p: f64) -> f64 {
    if p > 0.0 { p.min(1.0) } else { 0.0 }
}

/// Calls every method of [`JobSize`] on `$target`, an expression of `$self`.
macro_rules! forward_job_size {
    ($self:ident => $target:expr) => {
        $crate::size::forward_job_size! { @methods $self => $target;
            support() -> (f64, f64); sf(x: f64) -> f64; density(x: f64) -> f64; cdf(x: f64) -> f64; atoms() -> &[$crate::size::Atom];
            is_discrete() -> bool; break_points() -> &[f64]; partial_moment(r: f64, a: f64, b: f64) -> f64;
            partial_moments(orders: &[f64], a: f64, b: f64, out: &mut [f64]) -> (); moment(r: f64) -> f64; mean() -> f64;
            scv() -> f64; quantile(p: f64) -> f64; upper_quantile(q: f64) -> f64;
            load_quantile(below: f64, above: f64) -> $crate::size::Cutoff;
            transform(s: $crate::size::Complex64) -> $crate::size::Complex64; phase_type() -> Option<$crate::size::PhaseType>; accuracy() -> $crate::Accuracy;
            validate() -> $crate::Result<()>;
        }
        #[cfg(feature = "sim")]
        fn draw(&$self, random: &mut $crate::Random, out: &mut [f64]) {
            $target.draw(random, out);
        }
    };
    (@methods $self:ident => $target:expr; $($name:ident($($argument:ident: $kind:ty),*) -> $result:ty;)*) => {
        $(fn $name(&$self $(, $argument: $kind)*) -> $result { $target.$name($($argument),*) })*
    };
}
pub(crate) use complements::complements;
pub(crate) use forward_job_size;

impl<T: JobSize + ?Sized> JobSize for &T {
    forward_job_size!(self => (**self));
}

impl<T: JobSize + ?Sized> JobSize for Box<T> {
    forward_job_size!(self => (**self));
}

impl<T: JobSize + ?Sized> JobSize for std::sync::Arc<T> {
    forward_job_size!(self => (**self));
}
