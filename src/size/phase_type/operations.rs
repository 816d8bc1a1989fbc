//! Sums, mixtures and minima of phase types, and phase types from other laws.

use super::PhaseType;
use crate::error::{Error, Result, require};
use crate::numeric::dense::row_times;
use crate::size::{Erlang, Exponential, HyperExponential, JobSize};

/// The largest order of a result: its matrix takes n² numbers.
const LARGEST: usize = 5000;

fn fits(n: usize) -> Result<()> {
    require(n <= LARGEST, "phases of the result", n as f64, "must be at most 5000")
}

impl PhaseType {
    /// X + Y for independent X and Y: the phases of X, then those of Y.
    ///
    /// # Errors
    /// [`Error::Argument`] beyond 5000 phases.
    ///
    /// ```
    /// use queueing::prelude::*;
    /// use queueing::size::PhaseType;
    /// let sum = PhaseType::exponential(1.0)?.plus(&PhaseType::exponential(2.0)?)?;
    /// assert_eq!(sum.mean(), 3.0);
    /// assert!((sum.scv() - 5.0 / 9.0).abs() < 1e-15);
    /// # Ok::<(), queueing::Error>(())
    /// ```
    pub fn plus(&self, other: &Self) -> Result<Self> {
        let (n, m) = (self.phases(), other.phases());
        fits(n + m)?;
        let order = n + m;
        let skipped = other.mass_at_zero();
        let mut rates = vec![0.0; order * order];
        for i in 0..n {
            let row = &mut rates[i * order..(i + 1) * order];
            row[..n].copy_from_slice(&self.rates[i * n..(i + 1) * n]);
            row[n..].iter_mut().zip(&other.alpha).for_each(|(rate, p)| *rate = self.exit[i] * p);
        }
        for i in 0..m {
            rates[(n + i) * order + n..(n + i + 1) * order].copy_from_slice(&other.rates[i * m..(i + 1) * m]);
        }
        let zero = self.mass_at_zero();
        let alpha = self.alpha.iter().copied().chain(other.alpha.iter().map(|p| zero * p)).collect();
        let exit = self.exit.iter().map(|rate| rate * skipped).chain(other.exit.iter().copied()).collect();
        Self::assemble(alpha, rates, exit)
    }

    /// With probability w_i a size of law i, by (weight, law).
    ///
    /// # Errors
    /// [`Error::Datum`] for a weight that is not positive; [`Error::Argument`] unless the weights sum to 1 within 1e-12, and beyond 5000
    /// phases.
    ///
    /// ```
    /// use queueing::prelude::*;
    /// use queueing::size::PhaseType;
    /// let parts = [(0.75, PhaseType::exponential(1.0)?), (0.25, PhaseType::erlang(2, 5.0)?)];
    /// assert_eq!(PhaseType::mixture(&parts)?.mean(), 2.0);
    /// # Ok::<(), queueing::Error>(())
    /// ```
    pub fn mixture(parts: &[(f64, Self)]) -> Result<Self> {
        for (i, &(weight, _)) in parts.iter().enumerate() {
            if !(weight > 0.0 && weight.is_finite()) {
                let requirement = "must be positive and finite";
                return Err(Error::Datum { what: "weight", index: i + 1, value: weight, requirement });
            }
        }
        let sum: f64 = parts.iter().map(|part| part.0).sum();
        require((sum - 1.0).abs() <= 1e-12, "sum of weights", sum, "must be 1")?;
        let order: usize = parts.iter().map(|part| part.1.phases()).sum();
        fits(order)?;
        let mut rates = vec![0.0; order * order];
        let (mut alpha, mut exit) = (Vec::with_capacity(order), Vec::with_capacity(order));
        for (weight, law) in parts {
            let (from, n) = (exit.len(), law.phases());
            for i in 0..n {
                let at = (from + i) * order + from;
                rates[at..at + n].copy_from_slice(&law.rates[i * n..(i + 1) * n]);
            }
            alpha.extend(law.alpha.iter().map(|p| weight / sum * p));
            exit.extend(&law.exit);
        }
        Self::assemble(alpha, rates, exit)
    }

    /// min(X, Y) for independent X and Y: both sets of phases side by side, until one of them ends.
    ///
    /// # Errors
    /// [`Error::Argument`] beyond 5000 phases, or if both laws cannot be positive together.
    ///
    /// ```
    /// use queueing::prelude::*;
    /// use queueing::size::PhaseType;
    /// let least = PhaseType::exponential(1.0)?.minimum(&PhaseType::exponential(3.0)?)?;
    /// assert!((least.mean() - 0.75).abs() < 1e-15);      // 1/(1 + 1/3)
    /// # Ok::<(), queueing::Error>(())
    /// ```
    pub fn minimum(&self, other: &Self) -> Result<Self> {
        let (n, m) = (self.phases(), other.phases());
        fits(n.saturating_mul(m))?;
        let order = n * m;
        let mut rates = vec![0.0; order * order];
        let (mut alpha, mut exit) = (vec![0.0; order], vec![0.0; order]);
        for i in 0..n {
            for j in 0..m {
                let state = i * m + j;
                alpha[state] = self.alpha[i] * other.alpha[j];
                exit[state] = self.exit[i] + other.exit[j];
                // T ⊗ I + I ⊗ S
                (0..n).for_each(|k| rates[state * order + k * m + j] += self.rates[i * n + k]);
                (0..m).for_each(|k| rates[state * order + i * m + k] += other.rates[j * m + k]);
            }
        }
        Self::assemble(alpha, rates, exit)
    }

    /// The residual X_e: what is left of a job that is found in service, with density P(X > x)/E\[X\].
    ///
    /// Start law `α(−T)⁻¹/E[X]`, the same rates.
    ///
    /// # Errors
    /// [`Error::Datum`] where mean times in a phase leave the range of doubles.
    ///
    /// ```
    /// use queueing::prelude::*;
    /// use queueing::size::PhaseType;
    /// let residual = PhaseType::erlang(2, 2.0)?.residual()?;
    /// assert_eq!(residual.alpha(), [0.5, 0.5]);
    /// assert!((residual.mean() - 1.5).abs() < 1e-15);          // E[X²]/2E[X]
    /// # Ok::<(), queueing::Error>(())
    /// ```
    pub fn residual(&self) -> Result<Self> {
        let n = self.phases();
        let mut times = vec![0.0; n];
        if self.acyclic {
            // y_j = (α_j + Σ_{i<j} y_i T_ij) / total_j
            for j in 0..n {
                let inflow: f64 = (0..j).map(|i| times[i] * self.rates[i * n + j]).sum();
                times[j] = (self.alpha[j] + inflow) / self.total[j];
            }
        } else {
            row_times(&self.alpha, &self.inverse()?, n, &mut times);
        }
        let mean: f64 = times.iter().sum();
        for time in &mut times {
            *time /= mean;
        }
        Self::assemble(times, self.rates.clone(), self.exit.clone())
    }

    /// cX for a factor c > 0: the same law in other units.
    ///
    /// # Errors
    /// [`Error::Argument`] unless the factor is positive and finite, [`Error::Datum`] where rates leave the range of doubles.
    pub fn scaled(&self, factor: f64) -> Result<Self> {
        crate::error::positive("factor", factor)?;
        let over = |rates: &[f64]| rates.iter().map(|rate| rate / factor).collect();
        Self::assemble(self.alpha.clone(), over(&self.rates), over(&self.exit))
    }
}

impl TryFrom<&Exponential> for PhaseType {
    type Error = Error;

    fn try_from(law: &Exponential) -> Result<Self> {
        Self::exponential(law.mean())
    }
}

impl TryFrom<&Erlang> for PhaseType {
    type Error = Error;

    fn try_from(law: &Erlang) -> Result<Self> {
        Self::erlang(law.stages() as usize, law.mean())
    }
}

impl TryFrom<&HyperExponential> for PhaseType {
    type Error = Error;

    fn try_from(law: &HyperExponential) -> Result<Self> {
        Self::hyper_exponential(&law.branches().collect::<Vec<_>>())
    }
}
