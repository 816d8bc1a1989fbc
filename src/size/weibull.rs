//! Stretched exponential sizes.

use super::{Complex64, JobSize, defaults, probability};
use crate::accuracy::Accuracy;
use crate::error::{Result, positive, require, size};
use crate::numeric::gamma::{Span, gamma_ratio, partial_gamma};
use crate::numeric::power::product;
use crate::numeric::quadrature::panel;
use crate::numeric::root::monotone_in_log;

/// Weibull sizes: `P(X > x) = exp(−(x/a)^b)` with shape b and scale a.
///
/// Heavy-tailed for b < 1, where E\[1/X\] is infinite; b = 1 is exponential.
///
/// ```
/// use queueing::prelude::*;
/// let size = Weibull::new(0.5, 2.0)?;
/// assert!((size.mean() - 4.0).abs() < 1e-14);          // aΓ(1+1/b)
/// assert!((size.scv() - 5.0).abs() < 1e-13);
/// # Ok::<(), queueing::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weibull {
    shape: f64,
    scale: f64,
}

impl Weibull {
    /// By shape b and scale a (units of work).
    ///
    /// # Errors
    /// [`Error::Argument`](crate::Error::Argument) unless 0.025 <= b <= 1e6, so that the fourth moment stays within the doubles,
    /// and 1e-70 <= a <= 1e70.
    pub fn new(shape: f64, scale: f64) -> Result<Self> {
        require((0.025..=1e6).contains(&shape), "shape", shape, "must be between 0.025 and 1e6")?;
        Ok(Self { shape, scale: size("scale", scale)? })
    }

    /// By mean m and squared coefficient of variation C²: b solves Γ(1+2/b)/Γ(1+1/b)² = 1 + C².
    ///
    /// # Errors
    /// [`Error::Argument`](crate::Error::Argument) unless the mean is positive and 1e-12 <= C² <= 1e12.
    pub fn with_mean_and_scv(mean: f64, scv: f64) -> Result<Self> {
        positive("mean", mean)?;
        require((1e-12..=1e12).contains(&scv), "scv", scv, "must be between 1e-12 and 1e12")?;
        let shape = monotone_in_log(&mut |b| scv_of(b).ln() - scv.ln(), 0.025, 1.0, 1e6);
        Self::new(shape, mean / gamma_ratio(1.0, 1.0 / shape))
    }

    /// The shape b.
    pub fn shape(&self) -> f64 {
        self.shape
    }

    /// The scale a, in units of work.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    // (x/a)^b
    fn hazard(&self, x: f64) -> f64 {
        (x.max(0.0) / self.scale).powf(self.shape)
    }
}

/// Γ(1+2/b)/Γ(1+1/b)² − 1.
fn scv_of(shape: f64) -> f64 {
    let t = 1.0 / shape;
    if t < 0.1 {
        // With ln Γ(1+t) = −γt + Σ ζ(k)(−t)^k/k the first-order terms cancel: ln ratio = Σ_k ζ(k)(−t)^k (2^k − 2)/k.
        let mut log = 0.0;
        for (k, zeta) in (2..).zip(ZETA) {
            log += zeta * (-t).powi(k) * ((2.0_f64).powi(k) - 2.0) / f64::from(k);
        }
        return log.exp_m1();
    }
    (libm::lgamma(1.0 + 2.0 * t) - 2.0 * libm::lgamma(1.0 + t)).exp_m1()
}

/// ζ(2), ζ(3), ... (Abramowitz & Stegun, table 23.3).
const ZETA: [f64; 24] = [
    1.6449340668482264,
    1.2020569031595942,
    1.0823232337111382,
    1.0369277551433699,
    1.0173430619844491,
    1.0083492773819228,
    1.0040773561979443,
    1.0020083928260822,
    1.0009945751278181,
    1.0004941886041195,
    1.0002460865533080,
    1.0001227133475785,
    1.0000612481350587,
    1.0000305882363070,
    1.0000152822594086,
    1.0000076371976379,
    1.0000038172932650,
    1.0000019082127166,
    1.0000009539620339,
    1.0000004769329868,
    1.0000002384505027,
    1.0000001192199260,
    1.0000000596081891,
    1.0000000298035035,
];

impl JobSize for Weibull {
    fn support(&self) -> (f64, f64) {
        (0.0, f64::INFINITY)
    }

    fn sf(&self, x: f64) -> f64 {
        (-self.hazard(x)).exp()
    }

    fn cdf(&self, x: f64) -> f64 {
        -(-self.hazard(x)).exp_m1()
    }

    fn density(&self, x: f64) -> f64 {
        let hazard = self.hazard(x);
        if x < 0.0 || hazard.is_infinite() {
            return 0.0;
        }
        // (b/a) (x/a)^{b−1} exp(−(x/a)^b), in logarithms: the power alone overflows; 0 · ln 0 = 0
        let rise = if self.shape == 1.0 { 0.0 } else { (self.shape - 1.0) * (x / self.scale).ln() };
        self.shape / self.scale * (rise - hazard).exp()
    }

    // E[X^r; a < X <= b] = a^r ∫ y^{r/b} e^-y dy over ((a/scale)^shape, (b/scale)^shape]
    fn partial_moment(&self, r: f64, a: f64, b: f64) -> f64 {
        if !(a < b) {
            return 0.0;
        }
        product(self.scale.powf(r), partial_gamma(1.0, r / self.shape, Span::scaled(a, b, self.scale, self.shape)))
    }

    fn moment(&self, r: f64) -> f64 {
        product(self.scale.powf(r), gamma_ratio(1.0, r / self.shape))
    }

    fn scv(&self) -> f64 {
        scv_of(self.shape)
    }

    fn quantile(&self, p: f64) -> f64 {
        self.scale * (-(-probability(p)).ln_1p()).powf(1.0 / self.shape)
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        self.scale * (-probability(q).ln()).powf(1.0 / self.shape)
    }

    // ∫ e^{−y} exp(−s a y^{1/b}) dy along the ray arg y = −φ, φ = arg(s) b/(1+b): both exponentials then decay at the angle φ.
    fn transform(&self, s: Complex64) -> Complex64 {
        if self.shape > 4.0 || s.norm() == 0.0 {
            return defaults::transform(self, s);
        }
        let angle = s.arg() * self.shape / (1.0 + self.shape);
        let ray = Complex64::from_polar(1.0, -angle);
        let turned = Complex64::from_polar(s.norm() * self.scale, s.arg() - angle / self.shape);
        let mut integrand = |u: f64| ray * u.exp() * (-ray * u.exp() - turned * (u / self.shape).exp()).exp();
        let mut sum = Complex64::ZERO;
        let step = 0.25 * self.shape.min(1.0);
        let end = (745.0 / angle.cos()).ln();
        let mut from = -40.0;
        while from < end {
            let width = if from < -4.0 { 4.0 * step } else { step };
            sum += panel(&mut integrand, from, from + width);
            from += width;
        }
        sum
    }

    #[cfg(feature = "sim")]
    fn draw(&self, random: &mut crate::Random, out: &mut [f64]) {
        random.exponentials(out);
        for size in out {
            *size = self.scale * size.powf(1.0 / self.shape);
        }
    }

    fn accuracy(&self) -> Accuracy {
        Accuracy::Exact
    }
}
