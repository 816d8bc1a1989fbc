//! Sizes that are all the same.

use super::{Atom, Complex64, JobSize};
use crate::accuracy::Accuracy;
use crate::error::{Result, size};
use crate::numeric::power::power;

/// One size for all jobs: a single atom.
///
/// ```
/// use queueing::prelude::*;
/// let size = Deterministic::new(3.0)?;
/// assert_eq!(size.partial_moment(2.0, 0.0, 3.0), 9.0);     // a < X <= b holds its right end
/// assert_eq!(size.partial_moment(2.0, 3.0, 9.0), 0.0);
/// # Ok::<(), queueing::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Deterministic {
    atom: [Atom; 1],
}

impl Deterministic {
    /// By the size, in units of work.
    ///
    /// # Errors
    /// [`Error::Argument`](crate::Error::Argument) unless it is between 1e-70 and 1e70.
    pub fn new(value: f64) -> Result<Self> {
        Ok(Self { atom: [Atom { size: size("value", value)?, probability: 1.0 }] })
    }

    /// The size, in units of work.
    pub fn value(&self) -> f64 {
        self.atom[0].size
    }
}

impl JobSize for Deterministic {
    fn support(&self) -> (f64, f64) {
        (self.value(), self.value())
    }

    fn sf(&self, x: f64) -> f64 {
        if x < self.value() { 1.0 } else { 0.0 }
    }

    fn cdf(&self, x: f64) -> f64 {
        if x < self.value() { 0.0 } else { 1.0 }
    }

    fn density(&self, _: f64) -> f64 {
        0.0
    }

    fn atoms(&self) -> &[Atom] {
        &self.atom
    }

    fn is_discrete(&self) -> bool {
        true
    }

    fn partial_moment(&self, r: f64, a: f64, b: f64) -> f64 {
        if a < self.value() && self.value() <= b { power(self.value(), r) } else { 0.0 }
    }

    fn scv(&self) -> f64 {
        0.0
    }

    fn quantile(&self, _: f64) -> f64 {
        self.value()
    }

    fn upper_quantile(&self, _: f64) -> f64 {
        self.value()
    }

    fn transform(&self, s: Complex64) -> Complex64 {
        (-s * self.value()).exp()
    }

    #[cfg(feature = "sim")]
    fn draw(&self, random: &mut crate::Random, out: &mut [f64]) {
        let _ = random;
        out.fill(self.value());
    }

    fn accuracy(&self) -> Accuracy {
        Accuracy::Exact
    }
}
