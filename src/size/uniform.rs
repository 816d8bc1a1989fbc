//! Sizes spread evenly.

use super::{Complex64, Cutoff, JobSize, probability};
use crate::accuracy::Accuracy;
use crate::error::{Result, SIZES, positive, require, size};
use crate::numeric::power::{log_ratio, power_integral, power_integral_over};

/// Uniform sizes between a and b, 0 <= a < b. E\[1/X\] is infinite for a = 0.
///
/// ```
/// use queueing::prelude::*;
/// let size = Uniform::new(1.0, 4.0)?;
/// assert_eq!(size.moment(2.0), 7.0);                   // (a²+ab+b²)/3
/// assert_eq!(size.moment(-2.0), 0.25);                 // 1/(ab)
/// # Ok::<(), queueing::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Uniform {
    a: f64,
    b: f64,
}

impl Uniform {
    /// By the smallest size a and the largest size b, in units of work.
    ///
    /// # Errors
    /// [`Error::Argument`](crate::Error::Argument) unless 0 <= a < b and what is not 0 is between 1e-70 and 1e70.
    pub fn new(a: f64, b: f64) -> Result<Self> {
        require(a == 0.0 || SIZES.contains(&a), "a", a, "must be 0, or between 1e-70 and 1e70")?;
        require(b > a, "b", b, "must exceed a")?;
        size("b", b)?;
        Ok(Self { a, b })
    }

    /// By mean m and squared coefficient of variation C² <= 1/3: m(1 ± √(3C²)).
    ///
    /// # Errors
    /// [`Error::Argument`](crate::Error::Argument) unless the mean is positive and finite and 1e-24 <= C² <= 1/3.
    pub fn with_mean_and_scv(mean: f64, scv: f64) -> Result<Self> {
        positive("mean", mean)?;
        require((1e-24..=1.0 / 3.0).contains(&scv), "scv", scv, "must be between 1e-24 and 1/3")?;
        let spread = (3.0 * scv).sqrt();
        Self::new(mean * (1.0 - spread).max(0.0), mean * (1.0 + spread))
    }

    /// The smallest size, in units of work.
    pub fn a(&self) -> f64 {
        self.a
    }

    /// The largest size, in units of work.
    pub fn b(&self) -> f64 {
        self.b
    }

    fn width(&self) -> f64 {
        self.b - self.a
    }
}

impl JobSize for Uniform {
    fn support(&self) -> (f64, f64) {
        (self.a, self.b)
    }

    fn sf(&self, x: f64) -> f64 {
        probability((self.b - x) / self.width())
    }

    fn cdf(&self, x: f64) -> f64 {
        probability((x - self.a) / self.width())
    }

    fn density(&self, x: f64) -> f64 {
        if x < self.a || x > self.b { 0.0 } else { 1.0 / self.width() }
    }

    // E[X^r; x < X <= y] = ∫ t^r dt/(b−a) over (x, y]
    fn partial_moment(&self, r: f64, a: f64, b: f64) -> f64 {
        let (low, high) = (a.max(self.a), b.min(self.b));
        if !(low < high) {
            return 0.0;
        }
        if r == 0.0 {
            return (high - low) / self.width();
        }
        let integral = if low > 0.0 {
            power_integral_over(r + 1.0, low, high, log_ratio(low, high))
        } else {
            power_integral(r + 1.0, low, high)
        };
        integral / self.width()
    }

    // (b−a)²/12 / ((a+b)/2)²
    fn scv(&self) -> f64 {
        (self.width() / (self.a + self.b)).powi(2) / 3.0
    }

    fn quantile(&self, p: f64) -> f64 {
        self.a + probability(p) * self.width()
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        self.b - probability(q) * self.width()
    }

    // x² = above·a² + below·b²
    fn load_quantile(&self, below: f64, above: f64) -> Cutoff {
        let square = above.clamp(0.0, 1.0) * self.a * self.a + below.clamp(0.0, 1.0) * self.b * self.b;
        Cutoff::raw(square.sqrt().clamp(self.a, self.b), 1.0)
    }

    // e^{−sa} (1 − e^{−sw})/(sw), w = b − a
    fn transform(&self, s: Complex64) -> Complex64 {
        let z = s * self.width();
        let relative = if z.norm() < 0.5 {
            // Σ (−z)ⁿ/(n+1)!
            let (mut sum, mut term) = (Complex64::ZERO, Complex64::ONE);
            for n in 0..20 {
                sum += term;
                term *= -z / f64::from(n + 2);
            }
            sum
        } else {
            (1.0 - (-z).exp()) / z
        };
        (-s * self.a).exp() * relative
    }

    fn accuracy(&self) -> Accuracy {
        Accuracy::Exact
    }
}
