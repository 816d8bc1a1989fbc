#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod accuracy;
#[cfg(feature = "sim")]
pub mod crosscheck;
mod error;
pub mod farm;
pub mod markov;
pub mod mg1;
pub mod multiserver;
mod numeric;
#[cfg(feature = "sim")]
mod random;
#[cfg(feature = "sim")]
pub mod sim;
pub mod size;
pub mod stealing;
mod workload;

pub use accuracy::{Accuracy, Assumption};
pub use error::{Error, Infeasibility, Result};
#[cfg(feature = "sim")]
pub use random::Random;
pub use workload::{ByClass, Discipline, Estimate, Farm, Hosts, Metric, Outcome, Performance, Workload};

/// What most programs import: the nouns, the laws, and the rooms by name.
pub mod prelude {
    #[cfg(feature = "sim")]
    pub use crate::crosscheck::{self, Observed};
    pub use crate::farm::{self, sita};
    pub use crate::size::{
        BoundedPareto, Cutoff, Deterministic, Empirical, Erlang, Exponential, Gamma, HyperExponential, Interval,
        JobSize, Law, LogNormal, Mixture, Pareto, PhaseType, Summary, Uniform, Weibull,
    };
    pub use crate::{
        Accuracy, Assumption, ByClass, Discipline, Error, Estimate, Farm, Hosts, Metric, Outcome, Performance, Result,
        Workload,
    };
    pub use crate::{markov, mg1, multiserver, stealing};
}
