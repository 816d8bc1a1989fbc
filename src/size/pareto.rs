//! Power-law sizes without an upper bound.

use super::{Complex64, Cutoff, JobSize, probability};
use crate::accuracy::Accuracy;
use crate::error::{Result, positive, require, size};
use crate::numeric::exponential_integral::power_law_transform;
use crate::numeric::power::{log_ratio, power, power_integral, power_integral_over, power_quantile, product};

/// Pareto sizes: `P(X > x) = (k/x)^α` for x >= k. Moments of order α and beyond are infinite.
///
/// ```
/// use queueing::prelude::*;
/// let size = Pareto::new(1.0, 2.5)?;
/// assert!((size.mean() - 5.0 / 3.0).abs() < 1e-15);    // αk/(α−1)
/// assert_eq!(size.moment(3.0), f64::INFINITY);
/// # Ok::<(), queueing::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pareto {
    k: f64,
    alpha: f64,
}

impl Pareto {
    /// By the smallest size k (units of work) and the tail index α.
    ///
    /// # Errors
    /// [`Error::Argument`](crate::Error::Argument) unless 1e-70 <= k <= 1e70 and 0 < α <= 1e6.
    pub fn new(k: f64, alpha: f64) -> Result<Self> {
        require(alpha > 0.0 && alpha <= 1e6, "alpha", alpha, "must be positive and at most 1e6")?;
        Ok(Self { k: size("k", k)?, alpha })
    }

    /// By the mean m and the tail index α > 1: k = m(α−1)/α.
    ///
    /// # Errors
    /// [`Error::Argument`](crate::Error::Argument) unless the mean is positive and finite and α > 1.
    pub fn with_mean(mean: f64, alpha: f64) -> Result<Self> {
        require(alpha > 1.0 && alpha.is_finite(), "alpha", alpha, "must exceed 1 for a finite mean")?;
        Self::new(positive("mean", mean)? * ((alpha - 1.0) / alpha), alpha)
    }

    /// By mean and squared coefficient of variation C²: α = 1 + √(1 + 1/C²), always above 2.
    ///
    /// # Errors
    /// [`Error::Argument`](crate::Error::Argument) unless the mean is positive and finite and 0 < C² <= 1e6: beyond, α is too close to
    /// 2 for a double to give C² back to nine digits.
    pub fn with_mean_and_scv(mean: f64, scv: f64) -> Result<Self> {
        require(scv > 0.0 && scv <= 1e6, "scv", scv, "must be positive and at most 1e6")?;
        Self::with_mean(mean, 1.0 + (1.0 + 1.0 / scv).sqrt())
    }

    /// The smallest size k, in units of work.
    pub fn k(&self) -> f64 {
        self.k
    }

    /// The tail index α.
    pub fn alpha(&self) -> f64 {
        self.alpha
    }
}

impl JobSize for Pareto {
    fn support(&self) -> (f64, f64) {
        (self.k, f64::INFINITY)
    }

    fn sf(&self, x: f64) -> f64 {
        if x <= self.k { 1.0 } else { (self.k / x).powf(self.alpha) }
    }

    fn cdf(&self, x: f64) -> f64 {
        if x > self.k { -(-self.alpha * log_ratio(self.k, x)).exp_m1() } else { 0.0 }
    }

    fn density(&self, x: f64) -> f64 {
        if x < self.k { 0.0 } else { self.alpha / x * (self.k / x).powf(self.alpha) }
    }

    // E[X^r; a < X <= b] = α k^r ∫ t^{r−α−1} dt over (a/k, b/k]
    fn partial_moment(&self, r: f64, a: f64, b: f64) -> f64 {
        let (low, high) = (a.max(self.k), b);
        if !(low < high) {
            return 0.0;
        }
        let e = r - self.alpha;
        let integral = if high.is_infinite() {
            power_integral(e, low / self.k, high)
        } else {
            power_integral_over(e, low / self.k, high / self.k, log_ratio(low, high))
        };
        product(self.alpha * power(self.k, r), integral)
    }

    // C² = 1/(α(α−2))
    fn scv(&self) -> f64 {
        if self.alpha > 2.0 { 1.0 / (self.alpha * (self.alpha - 2.0)) } else { f64::INFINITY }
    }

    fn quantile(&self, p: f64) -> f64 {
        self.k * (-(-probability(p)).ln_1p() / self.alpha).exp()
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        self.k * probability(q).powf(-1.0 / self.alpha)
    }

    fn load_quantile(&self, below: f64, above: f64) -> Cutoff {
        let (e, ends) = (1.0 - self.alpha, self.support());
        // Without a finite mean no share of the load is reached at any finite size.
        Cutoff::raw(if e < 0.0 { power_quantile(e, ends, f64::INFINITY, below, above) } else { f64::INFINITY }, 1.0)
    }

    // α ∫₁^∞ t^{−α−1} e^{−skt} dt
    fn transform(&self, s: Complex64) -> Complex64 {
        self.alpha * power_law_transform(self.alpha, s * self.k, f64::INFINITY, f64::INFINITY)
    }

    #[cfg(feature = "sim")]
    fn draw(&self, random: &mut crate::Random, out: &mut [f64]) {
        // ln(X/k) is exponential with mean 1/α.
        random.exponentials(out);
        for size in out {
            *size = self.k * (*size / self.alpha).exp();
        }
    }

    fn accuracy(&self) -> Accuracy {
        Accuracy::Exact
    }
}
