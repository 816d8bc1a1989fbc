//! Gamma sizes: any variability by two parameters.

use super::{Complex64, JobSize, PhaseType};
use crate::accuracy::Accuracy;
use crate::error::{Result, positive, require, size};
use crate::numeric::gamma::{Span, density_scale, gamma_ratio, partial_gamma};
use crate::numeric::power::product;

/// Gamma sizes: density `x^{κ−1} e^{−x/θ} / (Γ(κ) θ^κ)` with shape κ and scale θ; mean κθ, scv 1/κ.
///
/// E\[1/X\] is finite for κ > 1 only.
///
/// ```
/// use queueing::prelude::*;
/// let size = Gamma::with_mean_and_scv(6.0, 0.5)?;      // κ = 2, θ = 3
/// assert_eq!(size.moment(2.0), 54.0);                  // θ²κ(κ+1)
/// assert_eq!(size.moment(-1.0), 1.0 / 3.0);            // 1/(θ(κ−1))
/// # Ok::<(), queueing::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gamma {
    shape: f64,
    scale: f64,
}

impl Gamma {
    /// By shape κ and scale θ (units of work).
    ///
    /// # Errors
    /// [`Error::Argument`](crate::Error::Argument) unless 1e-6 <= κ <= 1e15, and scale and mean are between 1e-70 and 1e70.
    pub fn new(shape: f64, scale: f64) -> Result<Self> {
        require((1e-6..=1e15).contains(&shape), "shape", shape, "must be between 1e-6 and 1e15")?;
        size("mean", shape * positive("scale", scale)?)?;
        Ok(Self { shape, scale: size("scale", scale)? })
    }

    /// By mean m and squared coefficient of variation C²: κ = 1/C², θ = mC².
    ///
    /// # Errors
    /// [`Error::Argument`](crate::Error::Argument) unless the mean is between 1e-60 and 1e60 and 1e-12 <= C² <= 1e6.
    pub fn with_mean_and_scv(mean: f64, scv: f64) -> Result<Self> {
        require((1e-12..=1e6).contains(&scv), "scv", scv, "must be between 1e-12 and 1e6")?;
        require((1e-60..=1e60).contains(&mean), "mean", mean, "must be between 1e-60 and 1e60")?;
        Self::new(1.0 / scv, mean * scv)
    }

    /// The shape κ.
    pub fn shape(&self) -> f64 {
        self.shape
    }

    /// The scale θ, in units of work.
    pub fn scale(&self) -> f64 {
        self.scale
    }
}

impl JobSize for Gamma {
    fn support(&self) -> (f64, f64) {
        (0.0, f64::INFINITY)
    }

    fn sf(&self, x: f64) -> f64 {
        self.partial_moment(0.0, x.max(0.0), f64::INFINITY)
    }

    fn cdf(&self, x: f64) -> f64 {
        self.partial_moment(0.0, 0.0, x.max(0.0))
    }

    fn density(&self, x: f64) -> f64 {
        let y = x / self.scale;
        if y > 0.0 && y.is_finite() {
            return density_scale(self.shape, 0.0, y) / x;
        }
        // The limit at 0.
        match (y == 0.0, self.shape.partial_cmp(&1.0)) {
            (true, Some(std::cmp::Ordering::Less)) => f64::INFINITY,
            (true, Some(std::cmp::Ordering::Equal)) => 1.0 / self.scale,
            _ => 0.0,
        }
    }

    // E[X^r; a < X <= b] = θ^r/Γ(κ) ∫ y^{κ+r−1} e^-y dy over (a/θ, b/θ]
    fn partial_moment(&self, r: f64, a: f64, b: f64) -> f64 {
        if !(a < b) {
            return 0.0;
        }
        product(self.scale.powf(r), partial_gamma(self.shape, r, Span::scaled(a, b, self.scale, 1.0)))
    }

    fn moment(&self, r: f64) -> f64 {
        product(self.scale.powf(r), gamma_ratio(self.shape, r))
    }

    fn scv(&self) -> f64 {
        1.0 / self.shape
    }

    // (1+θs)^−κ = exp(−κ ln(1+z)), with ln(1+z) = ½ ln(1 + 2 Re z + |z|²) + i arg(1+z) kept apart from 1 for large κ
    fn transform(&self, s: Complex64) -> Complex64 {
        let z = s * self.scale;
        let log = Complex64::new(0.5 * (2.0 * z.re + z.norm_sqr()).ln_1p(), z.im.atan2(1.0 + z.re));
        (-self.shape * log).exp()
    }

    // A whole shape is that many exponential stages.
    fn phase_type(&self) -> Option<PhaseType> {
        let stages = self.shape.fract() == 0.0 && self.shape <= 2000.0;
        stages.then(|| PhaseType::erlang(self.shape as usize, self.mean()).ok()).flatten()
    }

    #[cfg(feature = "sim")]
    fn draw(&self, random: &mut crate::Random, out: &mut [f64]) {
        random.gamma(self.shape, self.scale, out);
    }

    fn accuracy(&self) -> Accuracy {
        Accuracy::Exact
    }
}
