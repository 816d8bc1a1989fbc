//! Phase types with given moments, or with a given transform.
//!
//! | fit | moments | law |
//! |---|---|---|
//! | [`coxian2`] | three | two phases, where that suffices |
//! | [`erlang_coxian`] | three | a row of equal stages and two Coxian ones, after an atom at 0 |
//! | [`positive`] | three | the same, with an exponential instead of the atom |
//! | [`two_moments`] | two | balanced hyperexponential, or a mixture of two Erlang laws |
//! | [`law`] | three of any job-size law | the smallest of these without an atom |
//! | [`transform`](fn@transform) | two, and the transform | a mixture of exponentials |
//!
//! Source for three moments: T. Osogami, M. Harchol-Balter, "Closed form solutions for mapping general distributions to
//! quasi-minimal PH distributions" (2006).

mod coxian;
mod erlang_coxian;
mod order;
mod positive;
mod signed;
mod transform;
mod two;

pub use coxian::coxian2;
pub use erlang_coxian::{ErlangCoxian, Variant, erlang_coxian};
pub use order::{smallest_order, third_moment_range};
pub use positive::{Join, PositiveFit, positive};
pub(crate) use signed::Row;
pub use transform::{Grid, TransformFit, transform};
pub use two::two_moments;

use crate::error::{Result, positive as positive_number, require};
use crate::size::{JobSize, PhaseType};

/// The first three moments of a non-negative law.
///
/// ```
/// use queueing::markov::fit::Moments;
/// let moments = Moments::new(2.0, 16.0, 288.0)?;
/// assert_eq!((moments.n2(), moments.n3()), (4.0, 9.0));
/// # Ok::<(), queueing::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Moments {
    first: f64,
    second: f64,
    third: f64,
}

impl Moments {
    /// E\[X\], E\[X²\], E\[X³\], in units of work, its square and its cube.
    ///
    /// # Errors
    /// [`Error::Argument`](crate::Error::Argument) unless they are positive and finite.
    pub fn new(first: f64, second: f64, third: f64) -> Result<Self> {
        positive_number("first moment", first)?;
        positive_number("second moment", second)?;
        positive_number("third moment", third)?;
        let moments = Self { first, second, third };
        // Normalised moments that leave the doubles stand for moments that do.
        positive_number("n2 = m2/m1²", moments.n2())?;
        positive_number("n3 = m3/(m1 m2)", moments.n3())?;
        Ok(moments)
    }

    /// Those of a law.
    ///
    /// # Errors
    /// [`Error::Argument`](crate::Error::Argument) if one of them is infinite.
    pub fn of<S: JobSize + ?Sized>(law: &S) -> Result<Self> {
        Self::new(law.moment(1.0), law.moment(2.0), law.moment(3.0))
    }

    /// E\[X\], E\[X²\], E\[X³\].
    pub fn raw(self) -> [f64; 3] {
        [self.first, self.second, self.third]
    }

    /// The normalised second moment E\[X²\]/E\[X\]² = C² + 1.
    pub fn n2(self) -> f64 {
        self.second / self.first / self.first
    }

    /// The normalised third moment E\[X³\]/(E\[X\]E\[X²\]).
    pub fn n3(self) -> f64 {
        self.third / self.first / self.second
    }

    /// Whether these moments, relative to their own size, differ by no more than `tolerance`.
    fn agree(self, [first, second, third]: [f64; 3], tolerance: f64) -> bool {
        let close = |value: f64, target: f64| (value / target - 1.0).abs() <= tolerance;
        close(first, self.first) && close(second, self.second) && close(third, self.third)
    }

    /// Rejects what no phase-type law has.
    fn check(self) -> Result<()> {
        require(self.n2() > 1.0, "n2 = m2/m1²", self.n2(), "must exceed 1: phase types are not deterministic")?;
        require(self.n3() > self.n2(), "n3 = m3/(m1 m2)", self.n3(), "must exceed n2 = m2/m1² for any phase type")
    }
}

/// A phase type with the first three moments of any law, and without an atom at 0.
///
/// Two phases where [`coxian2`] can, else [`positive`]. What is built on the result is an approximation with three moments.
///
/// Cost: the moments of the law and some 1 µs. Accuracy: moments to 1e-10, mostly 1e-15.
///
/// # Errors
/// [`Error::Argument`](crate::Error::Argument) for infinite moments, and for those that no phase type has (deterministic sizes) or only
/// one of more than 2000 phases.
///
/// ```
/// use queueing::prelude::*;
/// use queueing::markov::fit;
/// let law = Weibull::new(0.5, 1.0)?;                        // moments 2, 24, 720
/// let fitted = fit::law(&law)?;
/// assert_eq!(fitted.phases(), 2);
/// assert!((fitted.moment(3.0) / 720.0 - 1.0).abs() < 1e-13);
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn law<S: JobSize + ?Sized>(law: &S) -> Result<PhaseType> {
    let moments = Moments::of(law)?;
    match coxian2(moments) {
        Ok(two) => two.phase_type(),
        Err(_) => positive(moments)?.phase_type(),
    }
}
