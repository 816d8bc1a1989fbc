//! Results of systems in which one part may be saturated while another is not.

use super::performance::getters;
use super::{Estimate, Metric, Performance};
use crate::error::{Error, Result};

/// What became of one class, one host, or the whole.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[allow(clippy::large_enum_variant)] // results are kept, not moved about
pub enum Outcome {
    /// It has a steady state.
    Stable(Performance),
    /// Its queue grows without bound.
    Unstable {
        /// The load found.
        #[cfg_attr(feature = "serde", serde(with = "super::serial::extended"))]
        load: f64,
        /// The load below which it would be stable.
        #[cfg_attr(feature = "serde", serde(with = "super::serial::extended"))]
        limit: f64,
    },
}

impl Outcome {
    /// The metrics.
    ///
    /// # Errors
    /// [`Error::Unstable`] without a steady state.
    pub fn performance(&self) -> Result<&Performance> {
        match *self {
            Self::Stable(ref performance) => Ok(performance),
            Self::Unstable { load, limit } => Err(Error::Unstable { load, limit }),
        }
    }

    /// Whether it has a steady state.
    pub fn is_stable(&self) -> bool {
        matches!(self, Self::Stable(_))
    }

    /// A metric with its accuracy.
    ///
    /// # Errors
    /// [`Error::Unstable`] without a steady state, [`Error::Unavailable`] where the model does not give the metric.
    pub fn estimate(&self, metric: Metric) -> Result<Estimate> {
        self.performance()?.estimate(metric)
    }
}

getters!(Outcome);

/// A result by class of jobs: each has its own outcome, so that a saturated class does not hide the others.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ByClass {
    /// All jobs together.
    pub overall: Outcome,
    /// Each class, in the order in which they were given.
    pub classes: Vec<Outcome>,
}
