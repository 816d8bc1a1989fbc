//! Power-law sizes between two bounds: the standard model of heavy-tailed work.

use super::{Complex64, Cutoff, JobSize, probability};
use crate::accuracy::Accuracy;
use crate::error::{Result, require, size};
use crate::numeric::exponential_integral::power_law_transform;
use crate::numeric::power::{log_ratio, power, power_quantile};
use crate::numeric::root::monotone_in_log;

/// The largest exponent: beyond, all sizes are k to the last digits.
const MOST_ALPHA: f64 = 1e6;

/// Bounded Pareto sizes B(k, p, α): density `α k^α x^{−α−1} / (1 − (k/p)^α)` on k <= x <= p.
///
/// Partial moments `C aᵉ expm1(e ln(b/a))/e` with e = r − α are good to a few units in the last place for every real r and α,
/// also at r = α, on tiny intervals and for p/k up to 1e12. X given a < X <= b is B(a, b, α) again.
///
/// ```
/// use queueing::prelude::*;
/// let size = BoundedPareto::new(1.0, 100.0, 1.0)?;
/// assert!((size.mean() - 100.0_f64.ln() / 0.99).abs() < 1e-14);      // k ln(p/k)/(1−k/p)
/// assert!((size.moment(2.0) - 100.0).abs() < 1e-13);                 // kp
/// # Ok::<(), queueing::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoundedPareto {
    k: f64,
    p: f64,
    alpha: f64,
    /// ln(p/k)
    log_range: f64,
    /// (k/p)^α
    tail: f64,
    /// α/(1 − (k/p)^α)
    scale: f64,
}

impl BoundedPareto {
    /// By the smallest size k, the largest size p (units of work) and the exponent α.
    ///
    /// # Errors
    /// [`Error::Argument`](crate::Error::Argument) unless 1e-70 <= k < p <= 1e70 and 0 < α <= 1e6.
    pub fn new(k: f64, p: f64, alpha: f64) -> Result<Self> {
        size("k", k)?;
        require(alpha > 0.0 && alpha <= MOST_ALPHA, "alpha", alpha, "must be positive and at most 1e6")?;
        require(p > k, "p", p, "must exceed k")?;
        size("p", p)?;
        let log_range = log_ratio(k, p);
        let exponent = -alpha * log_range;
        Ok(Self { k, p, alpha, log_range, tail: exponent.exp(), scale: alpha / -exponent.exp_m1() })
    }

    /// By the mean, the largest size p and the exponent α: the smallest size k is solved for.
    ///
    /// # Errors
    /// [`Error::Argument`](crate::Error::Argument) unless the mean is positive and below p, and the k that gives it at least 1e-70.
    ///
    /// ```
    /// use queueing::prelude::*;
    /// let size = BoundedPareto::with_mean(3000.0, 1e10, 1.1)?;
    /// assert!((size.k() - 332.067464734).abs() < 1e-8);
    /// # Ok::<(), queueing::Error>(())
    /// ```
    pub fn with_mean(mean: f64, p: f64, alpha: f64) -> Result<Self> {
        size("p", p)?;
        require(alpha > 0.0 && alpha <= MOST_ALPHA, "alpha", alpha, "must be positive and at most 1e6")?;
        require(size("mean", mean)? < p, "mean", mean, "must be below p")?;
        let mean_of = |k: f64| Self::new(k, p, alpha).map_or(p, |law| law.mean());
        // k below the mean: the mean grows with k.
        let k = monotone_in_log(&mut |k| (mean_of(k) / mean).ln(), 0.0, 0.5 * mean, mean);
        Self::new(k, p, alpha)
    }

    /// The smallest size k, in units of work.
    pub fn k(&self) -> f64 {
        self.k
    }

    /// The largest size p, in units of work.
    pub fn p(&self) -> f64 {
        self.p
    }

    /// The exponent α.
    pub fn alpha(&self) -> f64 {
        self.alpha
    }
}

impl JobSize for BoundedPareto {
    fn support(&self) -> (f64, f64) {
        (self.k, self.p)
    }

    fn sf(&self, x: f64) -> f64 {
        self.partial_moment(0.0, x, f64::INFINITY)
    }

    fn cdf(&self, x: f64) -> f64 {
        self.partial_moment(0.0, 0.0, x)
    }

    fn density(&self, x: f64) -> f64 {
        if x < self.k || x > self.p { 0.0 } else { self.scale / x * (self.k / x).powf(self.alpha) }
    }

    // E[X^r; a < X <= b] = α/(1−(k/p)^α) k^r ∫ t^{r−α−1} dt over (a/k, b/k]
    fn partial_moment(&self, r: f64, a: f64, b: f64) -> f64 {
        let mut value = [0.0];
        self.partial_moments(&[r], a, b, &mut value);
        value[0]
    }

    fn partial_moments(&self, orders: &[f64], a: f64, b: f64, out: &mut [f64]) {
        let (low, high) = (a.max(self.k), b.min(self.p));
        if !(low < high) {
            return out.fill(0.0);
        }
        let whole = low == self.k && high == self.p;
        let log_width = if whole { self.log_range } else { log_ratio(low, high) };
        // Each integral is taken at the end where tᵉ is larger: kʳ tᵉ = endʳ (k/end)^α.
        let ratio = low / high;
        let ratio_tail = if whole { self.tail } else { ratio.powf(self.alpha) };
        let low_tail = if low == self.k { 1.0 } else { (self.k / low).powf(self.alpha) };
        for (value, &r) in out.iter_mut().zip(orders) {
            let exponent = (r - self.alpha) * log_width;
            let (end, tail, shrink) = if exponent < 0.0 {
                (low, low_tail, ratio_tail * power(ratio, -r))
            } else {
                (high, low_tail * ratio_tail, power(ratio, r) / ratio_tail)
            };
            *value = self.scale * power(end, r) * tail * relative_integral(exponent, shrink) * log_width;
        }
    }

    fn quantile(&self, p: f64) -> f64 {
        power_quantile(-self.alpha, self.support(), self.log_range, probability(p), 1.0 - probability(p))
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        power_quantile(-self.alpha, self.support(), self.log_range, 1.0 - probability(q), probability(q))
    }

    fn load_quantile(&self, below: f64, above: f64) -> Cutoff {
        Cutoff::raw(power_quantile(1.0 - self.alpha, self.support(), self.log_range, below, above), 1.0)
    }

    fn transform(&self, s: Complex64) -> Complex64 {
        self.scale * power_law_transform(self.alpha, s * self.k, self.p / self.k, self.log_range)
    }

    fn accuracy(&self) -> Accuracy {
        Accuracy::Exact
    }
}

/// (1 − e^{−|x|})/|x|: ∫ tᵉ⁻¹ dt over an interval, relative to its log width and to tᵉ at the larger end.
///
/// `shrink` is e^{−|x|} from powers of the ends: enough where nothing cancels, and much quicker than another exponential.
fn relative_integral(exponent: f64, shrink: f64) -> f64 {
    let x = exponent.abs();
    if x > 0.7 && shrink < 0.5 {
        (1.0 - shrink) / x
    } else if x < 1e-17 {
        1.0
    } else {
        -(-x).exp_m1() / x
    }
}
