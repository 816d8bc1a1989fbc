//! Sums of exponential stages.

use super::{Gamma, JobSize, forward_job_size};
use crate::error::{Result, require, size};

/// Erlang sizes: the sum of n exponential stages, with mean m in all; scv 1/n.
///
/// The [`Gamma`] law of shape n and scale m/n.
///
/// ```
/// use queueing::prelude::*;
/// let size = Erlang::with_mean(3, 2.0)?;
/// assert!((size.scv() - 1.0 / 3.0).abs() < 1e-15);
/// assert!((size.moment(-1.0) - 0.75).abs() < 1e-15);   // n/(m(n−1))
/// # Ok::<(), queueing::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Erlang {
    stages: u32,
    gamma: Gamma,
}

impl Erlang {
    /// By the number of stages and the total mean, in units of work.
    ///
    /// # Errors
    /// [`Error::Argument`](crate::Error::Argument) unless there is a stage and the mean between 1e-60 and 1e70.
    pub fn with_mean(stages: u32, mean: f64) -> Result<Self> {
        require(stages >= 1, "stages", f64::from(stages), "must be at least 1")?;
        Ok(Self { stages, gamma: Gamma::new(f64::from(stages), size("mean", mean)? / f64::from(stages))? })
    }

    /// The number of stages.
    pub fn stages(&self) -> u32 {
        self.stages
    }
}

impl JobSize for Erlang {
    forward_job_size!(self => self.gamma);
}
