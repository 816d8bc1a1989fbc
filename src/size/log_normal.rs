//! Sizes whose logarithm is normal.

use super::{Complex64, JobSize, probability};
use crate::accuracy::Accuracy;
use crate::error::{Result, require};
use crate::numeric::normal::{density, normal_interval, quantile, upper_quantile};
use crate::numeric::power::log_ratio;
use crate::numeric::quadrature::panel;
use crate::numeric::walk::LogConcave;

/// Lognormal sizes: ln X is normal with mean μ and standard deviation σ; E\[X^r\] = exp(rμ + r²σ²/2), all finite.
///
/// ```
/// use queueing::prelude::*;
/// let size = LogNormal::with_mean_and_scv(2.0, 3.0)?;
/// assert!((size.mean() - 2.0).abs() < 1e-14);
/// assert!((size.moment(-1.0) - 2.0).abs() < 1e-13);    // (1+C²)/m
/// # Ok::<(), queueing::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LogNormal {
    mu: f64,
    sigma: f64,
}

impl LogNormal {
    /// By the mean μ and the standard deviation σ of ln X.
    ///
    /// # Errors
    /// [`Error::Argument`](crate::Error::Argument) unless |μ| <= 160 and 1e-9 <= σ <= 9: for μ = 0 the fourth moment then stays within the
    /// doubles.
    pub fn new(mu: f64, sigma: f64) -> Result<Self> {
        require(mu.abs() <= 160.0, "mu", mu, "must be between -160 and 160")?;
        require((1e-9..=9.0).contains(&sigma), "sigma", sigma, "must be between 1e-9 and 9")?;
        Ok(Self { mu, sigma })
    }

    /// By mean m and squared coefficient of variation C²: σ² = ln(1+C²), μ = ln m − σ²/2.
    ///
    /// # Errors
    /// [`Error::Argument`](crate::Error::Argument) unless the mean is between 1e-60 and 1e60 and 1e-18 <= C² <= 1e35.
    pub fn with_mean_and_scv(mean: f64, scv: f64) -> Result<Self> {
        require((1e-60..=1e60).contains(&mean), "mean", mean, "must be between 1e-60 and 1e60")?;
        require((1e-18..=1e35).contains(&scv), "scv", scv, "must be between 1e-18 and 1e35")?;
        let variance = scv.ln_1p();
        Self::new(mean.ln() - 0.5 * variance, variance.sqrt())
    }

    /// The mean μ of ln X.
    pub fn mu(&self) -> f64 {
        self.mu
    }

    /// The standard deviation σ of ln X.
    pub fn sigma(&self) -> f64 {
        self.sigma
    }

    fn score(&self, x: f64) -> f64 {
        (x.max(0.0).ln() - self.mu) / self.sigma
    }
}

impl JobSize for LogNormal {
    fn support(&self) -> (f64, f64) {
        (0.0, f64::INFINITY)
    }

    fn sf(&self, x: f64) -> f64 {
        normal_interval(self.score(x), f64::INFINITY, f64::INFINITY)
    }

    fn cdf(&self, x: f64) -> f64 {
        normal_interval(f64::NEG_INFINITY, self.score(x), f64::INFINITY)
    }

    fn density(&self, x: f64) -> f64 {
        if x <= 0.0 || x.is_infinite() { 0.0 } else { density(self.score(x)) / (self.sigma * x) }
    }

    // E[X^r; a < X <= b] = exp(rμ + r²σ²/2) [Φ(z_b − rσ) − Φ(z_a − rσ)],  z = (ln x − μ)/σ
    fn partial_moment(&self, r: f64, a: f64, b: f64) -> f64 {
        if !(a < b) {
            return 0.0;
        }
        let shift = r * self.sigma;
        let (low, high) = (self.score(a) - shift, self.score(b) - shift);
        let width = if a > 0.0 { log_ratio(a, b) / self.sigma } else { f64::INFINITY };
        let exponent = r * (self.mu + 0.5 * r * self.sigma * self.sigma);
        if exponent.abs() < 300.0 && low < 30.0 && high > -30.0 {
            return exponent.exp() * normal_interval(low, high, width);
        }
        // Factor and interval leave the doubles while their product does not: from the largest integrand, in logarithms.
        let peak = 0.0_f64.clamp(low, high);
        let (down, up) = if peak == low {
            (0.0, width)
        } else if peak == high {
            (width, 0.0)
        } else {
            (peak - low, high - peak)
        };
        let shape = LogConcave { relative: |v: f64| -v * (peak + 0.5 * v), bend: |v: f64| ((peak + v).abs(), 1.0) };
        (exponent - 0.5 * peak * peak).exp() * shape.integral(down, up) / std::f64::consts::TAU.sqrt()
    }

    fn moment(&self, r: f64) -> f64 {
        (r * (self.mu + 0.5 * r * self.sigma * self.sigma)).exp()
    }

    fn scv(&self) -> f64 {
        (self.sigma * self.sigma).exp_m1()
    }

    fn quantile(&self, p: f64) -> f64 {
        (self.mu + self.sigma * quantile(probability(p))).exp()
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        (self.mu + self.sigma * upper_quantile(probability(q))).exp()
    }

    // ∫ φ(z) exp(−s e^{μ+σz}) dz on a line Im z = −θ/σ: θ takes up the angle of s as far as the normal factor e^{θ²/2σ²} stays
    // small, so that the inner exponential hardly oscillates.
    fn transform(&self, s: Complex64) -> Complex64 {
        let turn = s.arg().clamp(-self.sigma, self.sigma);
        let shift = Complex64::new(0.0, -turn / self.sigma);
        let mut integrand = |z: f64| {
            let z = z + shift;
            (-0.5 * z * z - s * (self.mu + self.sigma * z).exp()).exp()
        };
        let (mut sum, mut from) = (Complex64::ZERO, -9.0);
        for _ in 0..20_000 {
            // Four radians of what oscillation is left, or a unit of z.
            let inner = s.norm() * (self.mu + self.sigma * from).exp();
            let step = (4.0 / (inner * self.sigma)).min(1.0 / self.sigma).min(0.5);
            if from >= 9.0 || inner * (s.arg() - turn).cos() > 745.0 {
                break;
            }
            sum += panel(&mut integrand, from, from + step);
            from += step;
        }
        sum / std::f64::consts::TAU.sqrt()
    }

    #[cfg(feature = "sim")]
    fn draw(&self, random: &mut crate::Random, out: &mut [f64]) {
        out.fill_with(|| (self.mu + self.sigma * random.normal()).exp());
    }

    fn accuracy(&self) -> Accuracy {
        Accuracy::Exact
    }
}
