//! Phase types with names: exponential, Erlang, hyperexponential, Coxian.

use super::PhaseType;
use crate::error::{Error, Result, positive, require};
use crate::size::HyperExponential;

impl PhaseType {
    /// One phase: exponential with this mean.
    ///
    /// # Errors
    /// [`Error::Argument`] unless it and its inverse are positive and finite.
    pub fn exponential(mean: f64) -> Result<Self> {
        Self::coxian(&[positive("rate", 1.0 / positive("mean", mean)?)?], &[])
    }

    /// `stages` phases in a row with total mean `mean`.
    ///
    /// # Errors
    /// [`Error::Argument`] unless 1 <= `stages` <= 2000 and the mean is positive and finite.
    pub fn erlang(stages: usize, mean: f64) -> Result<Self> {
        require((1..=2000).contains(&stages), "stages", stages as f64, "must be between 1 and 2000")?;
        let rate = positive("rate", stages as f64 / positive("mean", mean)?)?;
        Self::coxian(&vec![rate; stages], &vec![1.0; stages - 1])
    }

    /// One of several exponentials, by (probability, mean).
    ///
    /// # Errors
    /// As [`HyperExponential::new`], and for a mean whose inverse is not finite.
    pub fn hyper_exponential(branches: &[(f64, f64)]) -> Result<Self> {
        let checked = HyperExponential::new(branches)?;
        let n = branches.len();
        let (alpha, exit) = checked.branches().map(|(p, mean)| (p, 1.0 / mean)).unzip();
        Self::assemble(alpha, vec![0.0; n * n], exit)
    }

    /// Phases in a row: after phase i (rate `rates[i]`) the next one with probability `onward[i]`, else the end.
    ///
    /// # Errors
    /// [`Error::Datum`] unless the rates are positive and finite and the probabilities between 0 and 1; [`Error::Argument`] unless there
    /// is one probability fewer than rates.
    pub fn coxian(rates: &[f64], onward: &[f64]) -> Result<Self> {
        let n = rates.len();
        require(n > 0, "phases", 0.0, "must be at least 1")?;
        require(
            onward.len() + 1 == n,
            "number of probabilities",
            onward.len() as f64,
            "must be one less than of rates",
        )?;
        let mut between = vec![0.0; n * n];
        let mut exit = rates.to_vec();
        for (i, &rate) in rates.iter().enumerate() {
            if !(rate > 0.0 && rate.is_finite()) {
                let requirement = "must be positive and finite";
                return Err(Error::Datum { what: "rate of phase", index: i + 1, value: rate, requirement });
            }
            if let Some(&p) = onward.get(i) {
                if !(0.0..=1.0).contains(&p) {
                    let requirement = "must be between 0 and 1";
                    return Err(Error::Datum { what: "probability after phase", index: i + 1, value: p, requirement });
                }
                between[i * n + i + 1] = p * rate;
                exit[i] = (1.0 - p) * rate;
            }
        }
        let mut alpha = vec![0.0; n];
        alpha[0] = 1.0;
        Self::assemble(alpha, between, exit)
    }

    /// A phase of rate `rate1`, followed with probability `p` by one of rate `rate2`.
    ///
    /// # Errors
    /// [`Error::Argument`] unless the rates are positive and finite and 0 <= p <= 1.
    pub fn coxian2(rate1: f64, rate2: f64, p: f64) -> Result<Self> {
        require((0.0..=1.0).contains(&p), "p", p, "must be between 0 and 1")?;
        Self::coxian(&[positive("rate1", rate1)?, positive("rate2", rate2)?], &[p])
    }
}
