//! Busy periods of the M/G/1 queue.

use super::fit::{Grid, Moments, TransformFit, transform};
use crate::error::{Error, Result, positive, require};
use crate::numeric::root::monotone;
use crate::size::{Complex64, JobSize};

/// Iterations for a complex transform: enough for loads up to 1 − 1e-4 even without acceleration.
const CAP: usize = 100_000;

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
        self.started_by([x1, x2, x3])
    }

    /// Moments of the busy period started by work V with moments v_r, which ends when V and all jobs that arrive are done.
    ///
    /// `E[B_V] = v₁/q`, `E[B_V²] = v₂/q² + λv₁x₂/q³`, `E[B_V³] = v₃/q³ + 3λv₂x₂/q⁴ + λv₁x₃/q⁴ + 3λ²v₁x₂²/q⁵`
    ///
    /// ```
    /// use queueing::prelude::*;
    /// use queueing::markov::BusyPeriod;
    /// let busy = BusyPeriod::new(0.5, Exponential::with_mean(1.0)?)?;
    /// // Two jobs, one after the other: moments of exp(1) + exp(1).
    /// assert_eq!(busy.started_by([2.0, 6.0, 24.0]), [4.0, 40.0, 768.0]);
    /// # Ok::<(), queueing::Error>(())
    /// ```
    pub fn started_by(&self, work: [f64; 3]) -> [f64; 3] {
        let [v1, v2, v3] = work;
        let [_, x2, x3, ..] = self.x;
        let (lambda, q) = (self.rate, self.spare);
        let (q2, q3) = (q * q, q * q * q);
        [
            v1 / q,
            v2 / q2 + lambda * v1 * x2 / q3,
            (v3 + (3.0 * lambda * v2 * x2 + lambda * v1 * x3) / q + 3.0 * lambda * lambda * v1 * x2 * x2 / q2) / q3,
        ]
    }

    /// Moments of the busy period started by N + 1 jobs, N the number of arrivals during a time I with moments i_r.
    ///
    /// `E[M] = 1 + λi₁`, `E[M(M−1)] = λ²i₂ + 2λi₁`, `E[M(M−1)(M−2)] = λ³i₃ + 3λ²i₂` for M = N + 1, and B is the sum of M independent
    /// busy periods of one job.
    ///
    /// ```
    /// use queueing::prelude::*;
    /// use queueing::markov::BusyPeriod;
    /// let busy = BusyPeriod::new(0.5, Exponential::with_mean(1.0)?)?;
    /// // I exponential with rate 2.
    /// assert_eq!(busy.started_by_arrivals([0.5, 0.5, 0.75]), [2.5, 22.5, 423.75]);
    /// # Ok::<(), queueing::Error>(())
    /// ```
    pub fn started_by_arrivals(&self, interval: [f64; 3]) -> [f64; 3] {
        let [i1, i2, i3] = interval.map(|moment| moment.max(0.0));
        let lambda = self.rate;
        let [y1, y2, y3] = self.moments();
        let mean = 1.0 + lambda * i1;
        let pairs = lambda * lambda * i2 + 2.0 * lambda * i1;
        let triples = lambda * lambda * (lambda * i3 + 3.0 * i2);
        [mean * y1, mean * y2 + pairs * y1 * y1, mean * y3 + 3.0 * pairs * y1 * y2 + triples * y1 * y1 * y1]
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

    /// 1 − X~(σ), by the transform or by its series, whichever has the smaller error.
    fn size_complement(&self, sigma: f64) -> f64 {
        // x₁σ − x₂σ²/2 + x₃σ³/6 − ..., off by less than the first term that is left out
        let (mut sum, mut power) = (0.0, 1.0);
        for (i, moment) in self.x.iter().enumerate() {
            power *= sigma / (i as f64 + 1.0);
            let term = moment * power;
            if term < 1e-16 * sum {
                return sum;
            }
            sum += if i % 2 == 0 { term } else { -term };
            if !(term < 0.1) {
                break;
            }
        }
        1.0 - self.size.transform(Complex64::new(sigma, 0.0)).re
    }

    /// `B~(s) = X~(s + λ − λB~(s))`: the transform E\[exp(−sB)\] at complex s with Re s >= 0.
    ///
    /// Fixed-point iteration, accelerated by Aitken's method; real arguments by [`transform_complement`](Self::transform_complement).
    /// Cost: some 5 to 30 transforms of the size. Accuracy: absolute 1e-13, or that of the size's transform.
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
        let step = |b: Complex64| self.size.transform(s + self.rate * (1.0 - b));
        let mut b = Complex64::ZERO;
        let mut left = f64::INFINITY;
        for _ in 0..CAP {
            let one = step(b);
            let two = step(one);
            left = (two - one).norm();
            if left <= 1e-15 {
                return Ok(two);
            }
            // b − (Δb)²/Δ²b, unless it leaves the unit disc, in which there is one solution only.
            let bend = two - one - one + b;
            let guess = if bend.norm() > 0.0 { b - (one - b) * (one - b) / bend } else { two };
            let guess = if guess.norm() <= 1.0 { guess } else { two };
            if (guess - two).norm() <= 4e-16 || (guess - b).norm() <= 4e-16 {
                return Ok(guess);
            }
            b = guess;
        }
        Err(Error::NoConvergence { what: "transform of the busy period", iterations: CAP, residual: left })
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

/// Moments of the sum of independent A and B: a₂ + 2a₁b₁ + b₂, a₃ + 3a₂b₁ + 3a₁b₂ + b₃.
///
/// ```
/// use queueing::markov::moments_of_sum;
/// assert_eq!(moments_of_sum([1.0, 2.0, 6.0], [1.0, 2.0, 6.0]), [2.0, 6.0, 24.0]);     // Erlang
/// ```
pub fn moments_of_sum([a1, a2, a3]: [f64; 3], [b1, b2, b3]: [f64; 3]) -> [f64; 3] {
    [a1 + b1, a2 + 2.0 * a1 * b1 + b2, a3 + 3.0 * a2 * b1 + 3.0 * a1 * b2 + b3]
}
