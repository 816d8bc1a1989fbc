//! Memoryless sizes.

use super::{Complex64, JobSize, PhaseType, probability};
use crate::accuracy::Accuracy;
use crate::error::{Result, positive, size};
use crate::numeric::gamma::{Span, gamma_ratio, partial_gamma};
use crate::numeric::power::product;

/// Exponential sizes: `P(X > x) = exp(−x/m)` with mean m.
///
/// E\[1/X\] is infinite, so the mean slowdown under FCFS is too.
///
/// ```
/// use queueing::prelude::*;
/// let size = Exponential::with_mean(2.0)?;
/// assert_eq!(size.moment(2.0), 8.0);              // 2m²
/// assert_eq!(size.sf(2.0), (-1.0_f64).exp());
/// # Ok::<(), queueing::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Exponential {
    mean: f64,
}

impl Exponential {
    /// By the mean, in units of work.
    ///
    /// # Errors
    /// [`Error::Argument`](crate::Error::Argument) unless it is between 1e-70 and 1e70.
    pub fn with_mean(mean: f64) -> Result<Self> {
        Ok(Self { mean: size("mean", mean)? })
    }

    /// By the service rate 1/m.
    ///
    /// # Errors
    /// [`Error::Argument`](crate::Error::Argument) unless it is positive and the mean between 1e-70 and 1e70.
    pub fn with_rate(rate: f64) -> Result<Self> {
        Self::with_mean(1.0 / positive("rate", rate)?)
    }
}

impl JobSize for Exponential {
    fn support(&self) -> (f64, f64) {
        (0.0, f64::INFINITY)
    }

    fn sf(&self, x: f64) -> f64 {
        (-x.max(0.0) / self.mean).exp()
    }

    fn cdf(&self, x: f64) -> f64 {
        -(-x.max(0.0) / self.mean).exp_m1()
    }

    fn density(&self, x: f64) -> f64 {
        if x >= 0.0 { self.sf(x) / self.mean } else { 0.0 }
    }

    // E[X^r; a < X <= b] = m^r ∫ y^r e^-y dy over (a/m, b/m]
    fn partial_moment(&self, r: f64, a: f64, b: f64) -> f64 {
        if !(a < b) {
            return 0.0;
        }
        if r == 0.0 {
            return self.sf(a) * -((a - b) / self.mean).exp_m1();
        }
        product(self.mean.powf(r), partial_gamma(1.0, r, Span::scaled(a, b, self.mean, 1.0)))
    }

    fn moment(&self, r: f64) -> f64 {
        product(self.mean.powf(r), gamma_ratio(1.0, r))
    }

    fn mean(&self) -> f64 {
        self.mean
    }

    fn scv(&self) -> f64 {
        1.0
    }

    fn quantile(&self, p: f64) -> f64 {
        -self.mean * (-probability(p)).ln_1p()
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        -self.mean * probability(q).ln()
    }

    // 1/(1+sm)
    fn transform(&self, s: Complex64) -> Complex64 {
        (1.0 + s * self.mean).inv()
    }

    fn phase_type(&self) -> Option<PhaseType> {
        PhaseType::try_from(self).ok()
    }

    #[cfg(feature = "sim")]
    fn draw(&self, random: &mut crate::Random, out: &mut [f64]) {
        random.exponentials(out);
        for size in out {
            *size *= self.mean;
        }
    }

    fn accuracy(&self) -> Accuracy {
        Accuracy::Exact
    }
}
