//! Busy periods of the M/G/1 queue.

use super::fit::{Grid, Moments, TransformFit, transform};
use crate::error::{Error, Result, positive, require};
use crate::numeric::root::monotone;
use crate::size::{Complex64, JobSize, complements};

/// Newton steps for a complex transform; some ten are taken.
const CAP: usize = 1000;

/// Moments of the size that are kept for transforms at small arguments.
const ORDERS: usize = 9;

/// The time from an arrival at an idle M/G/1 server until it is idle again, under any discipline that never idles.
///
/// With rate λ, size moments x_r, load ρ = λx₁ and q = 1 − ρ:
///
/// `E[B] = x₁/q`, `E[B²] = x₂/q³`, `E[B³] = x₃/q⁴ + 3λx₂²/q⁵`
///
/// ```
/// use queueing::prelude::*;
/// use queueing::markov::BusyPeriod;
/// let busy = BusyPeriod::new(0.5, Exponential::with_mean(1.0)?)?;
/// assert_eq!(busy.moments(), [2.0, 16.0, 288.0]);
/// # Ok::<(), queueing::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct BusyPeriod<S> {
    rate: f64,
    size: S,
    /// E[Xʳ] for r = 1, 2, ...
    x: [f64; ORDERS],
    load: f64,
    spare: f64,
}

impl<S: JobSize> BusyPeriod<S> {
    /// By the arrival rate λ and the job-size law.
    ///
    /// # Errors
    /// [`Error::Argument`] unless the rate is positive and finite, [`Error::Unstable`] at load one or more.
    pub fn new(rate: f64, size: S) -> Result<Self> {
        positive("rate", rate)?;
        let x: [f64; ORDERS] = std::array::from_fn(|i| size.moment(i as f64 + 1.0));
        let load = rate * x[0];
        if !(load < 1.0) {
            return Err(Error::Unstable { load, limit: 1.0 });
        }
        require(x[0] > 0.0, "mean size", x[0], "must be positive")?;
        Ok(Self { rate, size, x, load, spare: 1.0 - load })
    }

    /// [`new`](Self::new) where 1 − ρ is known better than rate and mean size tell.
    ///
    /// # Errors
    /// As [`new`](Self::new), and [`Error::Argument`] for a 1 − ρ that is not positive.
    pub fn with_spare(rate: f64, size: S, spare: f64) -> Result<Self> {
        positive("spare", spare)?;
        Ok(Self { spare, ..Self::new(rate, size)? })
    }

    /// The arrival rate λ.
    pub fn rate(&self) -> f64 {
        self.rate
    }

    /// 1 − ρ.
    pub fn spare(&self) -> f64 {
        self.spare
    }

    /// The load ρ.
    pub fn load(&self) -> f64 {
        self.load
    }

    /// The first three moments of the busy period that one job starts; infinite where those of the size are.
    ///
    /// Cost: none. Accuracy: as the moments of the size, times 1/(1 − ρ) for 1 − ρ itself.
    /// Source: L. Takács (1962); H. Perros or any text, from B~(s) = X~(s + λ − λB~(s)).
    pub fn moments(&self) -> [f64; 3] {
        let [x1, x2, x3, ..] = self.x;
        self.started([x1, x2, x3])
    }

    /// Moments of the busy period started by work V with moments v_r, which ends when V and all jobs that arrive are done.
    ///
    /// Moments of V may be infinite.
    ///
    /// `E[B_V] = v₁/q`, `E[B_V²] = v₂/q² + λv₁x₂/q³`, `E[B_V³] = v₃/q³ + 3λv₂x₂/q⁴ + λv₁x₃/q⁴ + 3λ²v₁x₂²/q⁵`
    ///
    /// # Errors
    /// [`Error::Datum`] for a moment that is negative or NaN.
    ///
    /// ```
    /// use queueing::prelude::*;
    /// use queueing::markov::BusyPeriod;
    /// let busy = BusyPeriod::new(0.5, Exponential::with_mean(1.0)?)?;
    /// // Two jobs, one after the other: moments of exp(1) + exp(1).
    /// assert_eq!(busy.started_by([2.0, 6.0, 24.0])?, [4.0, 40.0, 768.0]);
    /// # Ok::<(), queueing::Error>(())
    /// ```
    pub fn started_by(&self, work: [f64; 3]) -> Result<[f64; 3]> {
        check_moments("moment of the work", work)?;
        Ok(self.started(work))
    }

    fn started(&self, work: [f64; 3]) -> [f64; 3] {
        let [v1, v2, v3] = work;
        let [_, x2, x3, ..] = self.x;
        let (lambda, q) = (self.rate, self.spare);
        let (q2, q3) = (q * q, q * q * q);
        [
            v1 / q,
            v2 / q2 + lambda * times(v1, x2) / q3,
            (v3 + (3.0 * lambda * times(v2, x2) + lambda * times(v1, x3)) / q
                + 3.0 * lambda * lambda * times(v1, x2 * x2) / q2)
                / q3,
        ]
    }

    /// Moments of the busy period started by N + 1 jobs, N the number of arrivals during a time I with moments i_r.
    ///
    /// `E[M] = 1 + λi₁`, `E[M(M−1)] = λ²i₂ + 2λi₁`, `E[M(M−1)(M−2)] = λ³i₃ + 3λ²i₂` for M = N + 1, and B is the sum of M independent
    /// busy periods of one job.
    ///
    /// # Errors
    /// [`Error::Datum`] for a moment that is negative or NaN.
    ///
    /// ```
    /// use queueing::prelude::*;
    /// use queueing::markov::BusyPeriod;
    /// let busy = BusyPeriod::new(0.5, Exponential::with_mean(1.0)?)?;
    /// // I exponential with rate 2.
    /// assert_eq!(busy.started_by_arrivals([0.5, 0.5, 0.75])?, [2.5, 22.5, 423.75]);
    /// # Ok::<(), queueing::Error>(())
    /// ```
    pub fn started_by_arrivals(&self, interval: [f64; 3]) -> Result<[f64; 3]> {
        check_moments("moment of the interval", interval)?;
        let [i1, i2, i3] = interval;
        let lambda = self.rate;
        let [y1, y2, y3] = self.moments();
        let mean = 1.0 + lambda * i1;
        let pairs = lambda * lambda * i2 + 2.0 * lambda * i1;
        let triples = lambda * lambda * (lambda * i3 + 3.0 * i2);
        Ok([
            mean * y1,
            mean * y2 + times(pairs, y1 * y1),
            mean * y3 + 3.0 * times(pairs, y1 * y2) + times(triples, y1 * y1 * y1),
        ])
    }

    /// `1 − B~(s)` at real s >= 0, from σ = s + λ(1 − X~(σ)): the form that keeps its digits near s = 0.
    ///
    /// Cost: some ten transforms of the size. Accuracy: as that of the size's transform, absolute, divided by 1 − B~(s); at small s by
    /// the first nine moments of the size, to 1e-15.
    ///
    /// # Errors
    /// [`Error::Argument`] unless s is not negative and finite.
    pub fn transform_complement(&self, s: f64) -> Result<f64> {
        require(s >= 0.0 && s.is_finite(), "s", s, "must be at least 0 and finite")?;
        if s == 0.0 {
            return Ok(0.0);
        }
        // s <= σ <= min(s + λ, s/(1−ρ)); the equation in units of s, and in ln σ.
        let high = (s + self.rate).min(s / self.spare);
        let mut gap = |log: f64| {
            let sigma = s * log.exp();
            (sigma - s - self.rate * self.size_complement(sigma)) / sigma
        };
        let log = monotone(&mut gap, 0.0, (high / s).ln().max(0.0) * (1.0 + 1e-15) + 1e-15);
        Ok(self.size_complement(s * log.exp()).clamp(0.0, 1.0))
    }

    /// (s, 1 − B~(s)) at the s to which these σ = s + λ(1 − X~(σ)) > 0 belong: no equation has to be solved.
    ///
    /// `s = (1−ρ)σ + λ(x₁σ − (1 − X~(σ)))`, so that nothing cancels next to load one.
    pub(crate) fn at(&self, sigmas: &[f64]) -> Vec<(f64, f64)> {
        let transforms = complements(&self.size, sigmas);
        let of = |(&sigma, transform): (&f64, f64)| {
            let (c, short) = self.size_series(sigma).unwrap_or((transform, self.x[0] * sigma - transform));
            (self.spare * sigma + self.rate * short, c)
        };
        sigmas.iter().zip(transforms).map(of).collect()
    }

    /// 1 − X~(σ), by the transform or by its series, whichever has the smaller error.
    fn size_complement(&self, sigma: f64) -> f64 {
        let series = self.size_series(sigma).map(|(c, _)| c);
        series.unwrap_or_else(|| 1.0 - self.size.transform(Complex64::new(sigma, 0.0)).re)
    }

    /// 1 − X~(σ) and x₁σ − (1 − X~(σ)) by their series, where those converge.
    fn size_series(&self, sigma: f64) -> Option<(f64, f64)> {
        // x₁σ − x₂σ²/2 + x₃σ³/6 − ..., off by less than the first term that is left out
        let (mut sum, mut short, mut power) = (0.0, 0.0, 1.0);
        for (i, moment) in self.x.iter().enumerate() {
            power *= sigma / (i as f64 + 1.0);
            let term = moment * power;
            if term < 1e-16 * short {
                return Some((sum, short));
            }
            let signed = if i % 2 == 0 { term } else { -term };
            sum += signed;
            if i > 0 {
                short -= signed;
            }
            if !(term < 0.1) {
                break;
            }
        }
        None
    }

    /// 1 − X~(σ) at complex σ, by its series at small arguments.
    fn complex_complement(&self, sigma: Complex64) -> Complex64 {
        let (mut sum, mut power) = (Complex64::ZERO, Complex64::new(-1.0, 0.0));
        for (i, moment) in self.x.iter().enumerate() {
            power *= -sigma / (i as f64 + 1.0);
            let term = power * *moment;
            if term.norm() <= 1e-16 * sum.norm() {
                return sum;
            }
            if !(term.norm() < 0.1) {
                break;
            }
            sum += term;
        }
        1.0 - self.size.transform(sigma)
    }

    /// `B~(s) = X~(s + λ − λB~(s))`: the transform E\[exp(−sB)\] at complex s with Re s >= 0.
    ///
    /// Newton's method for 1 − B~; real arguments by [`transform_complement`](Self::transform_complement).
    /// Cost: some 15 to 50 transforms of the size. Accuracy: absolute 1e-15/(1 − ρ), or that of
    /// the size's transform over 1 − ρ.
    ///
    /// # Errors
    /// [`Error::Argument`] unless Re s >= 0 and s is finite; [`Error::NoConvergence`] (loads next to 1 and s next to 0).
    ///
    /// ```
    /// use queueing::prelude::*;
    /// use queueing::markov::BusyPeriod;
    /// use queueing::size::Complex64;
    /// let busy = BusyPeriod::new(0.5, Exponential::with_mean(1.0)?)?;
    /// // λB² − (λ+μ+s)B + μ = 0 at s = 3/2: B = 3 − √7.
    /// let value = busy.transform(Complex64::new(1.5, 0.0))?;
    /// assert!((value.re - (3.0 - 7.0_f64.sqrt())).abs() < 1e-14);
    /// # Ok::<(), queueing::Error>(())
    /// ```
    pub fn transform(&self, s: Complex64) -> Result<Complex64> {
        require(s.re >= 0.0 && s.re.is_finite(), "Re s", s.re, "must be at least 0 and finite")?;
        require(s.im.is_finite(), "Im s", s.im, "must be finite")?;
        if s.im == 0.0 {
            return Ok(Complex64::new(1.0 - self.transform_complement(s.re)?, 0.0));
        }
        // The root of c = C(s + λc) for the complements c = 1 − B~ and C = 1 − X~, which keep their digits next to s = 0, by
        // Newton's method; |1 − c| > 1 is another root, from which a plain step leads back.
        let near = s * (self.x[0] / self.spare);
        let mut c = if near.norm() < 1.0 { near } else { Complex64::ONE };
        let mut last = f64::INFINITY;
        for _ in 0..CAP {
            let sigma = s + self.rate * c;
            let value = self.complex_complement(sigma);
            // C'(σ) along the imaginary direction, where transforms exist: its error of 1e-10 slows the last steps only
            let aside = Complex64::new(0.0, 1e-5 * sigma.norm());
            let rise = self.complex_complement(sigma + aside) - self.complex_complement(sigma - aside);
            let step = (value - c) / (1.0 - self.rate * rise / (2.0 * aside));
            let ahead = if (1.0 - (c + step)).norm() <= 1.0 + 1e-12 { c + step } else { value };
            let length = (ahead - c).norm();
            c = ahead;
            // Down to rounding, or to where rounding, magnified by the slope, makes steps stop shrinking.
            let stalled = length >= 0.5 * last && (length <= 1e-7 * c.norm() || length <= 1e-13);
            if length <= 4e-16 * c.norm() || stalled {
                return Ok(1.0 - c);
            }
            last = length;
        }
        Err(Error::NoConvergence { what: "transform of the busy period", iterations: CAP, residual: last })
    }

    /// A mixture of exponentials with the transform of the busy period: near-exact where the sizes are a mixture of exponentials.
    ///
    /// Mass, mean and second moment are kept. The rates span from a tenth of 3E\[B²\]/E\[B³\] to 100/E\[X\], `count` of them:
    /// [`transform`] with [`Grid::new`] takes any others.
    ///
    /// # Errors
    /// [`Error::Argument`] if a moment is infinite, and as [`transform`].
    ///
    /// ```
    /// use queueing::prelude::*;
    /// use queueing::markov::BusyPeriod;
    /// let busy = BusyPeriod::new(0.5, Exponential::with_mean(1.0)?)?;
    /// let fit = busy.exponential_mixture(40)?;
    /// assert!(fit.error < 1e-7 && fit.law.phases() < 20);
    /// # Ok::<(), queueing::Error>(())
    /// ```
    pub fn exponential_mixture(&self, count: usize) -> Result<TransformFit> {
        let [b1, b2, b3] = self.moments();
        Moments::new(b1, b2, b3)?;
        let grid = Grid::new(0.3 * b2 / b3, 100.0 / self.x[0], count)?;
        transform(|s| self.transform_complement(s).unwrap_or(0.0), b1, Some(b2), grid)
    }
}

/// A product in which 0 wins over infinity: moments of nothing.
fn times(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 { 0.0 } else { a * b }
}

fn check_moments(what: &'static str, moments: [f64; 3]) -> Result<()> {
    match moments.iter().position(|moment| !(*moment >= 0.0)) {
        Some(i) => Err(Error::Datum { what, index: i + 1, value: moments[i], requirement: "must be at least 0" }),
        None => Ok(()),
    }
}

/// Moments of the sum of independent A and B: a₂ + 2a₁b₁ + b₂, a₃ + 3a₂b₁ + 3a₁b₂ + b₃. They may be infinite.
///
/// ```
/// use queueing::markov::moments_of_sum;
/// assert_eq!(moments_of_sum([1.0, 2.0, 6.0], [1.0, 2.0, 6.0]), [2.0, 6.0, 24.0]);     // Erlang
/// ```
pub fn moments_of_sum([a1, a2, a3]: [f64; 3], [b1, b2, b3]: [f64; 3]) -> [f64; 3] {
    [a1 + b1, a2 + 2.0 * times(a1, b1) + b2, a3 + 3.0 * (times(a2, b1) + times(a1, b2)) + b3]
}
