//! How many hosts a promise about waiting needs.

use super::mmn::Wait;
use crate::error::{Error, Result, positive, require};
use crate::size::Exponential;
use crate::workload::{Hosts, MOST_HOSTS, Workload};

/// What is promised about the waiting time W of the jobs.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Target {
    /// P(W > 0) is at most this.
    ProbabilityOfWaiting(f64),
    /// E\[W\] is at most this, in the units of the job sizes.
    MeanWaitingTime(f64),
    /// P(W <= time) is at least `probability`: the quantile of W is at most `time`.
    WaitingTimeQuantile {
        /// The share of the jobs that must start service in time.
        probability: f64,
        /// The time, in the units of the job sizes; 0 bounds P(W > 0).
        time: f64,
    },
}

impl Target {
    fn validate(self) -> Result<()> {
        match self {
            Self::ProbabilityOfWaiting(most) => {
                require(most > 0.0 && most <= 1.0, "probability of waiting", most, "must be above 0 and at most 1")
            }
            Self::MeanWaitingTime(most) => positive("mean waiting time", most).map(|_| ()),
            Self::WaitingTimeQuantile { probability, time } => {
                let within = (0.0..1.0).contains(&probability);
                require(within, "probability", probability, "must be at least 0 and below 1")?;
                require(time >= 0.0 && time.is_finite(), "time", time, "must be at least 0 and finite")
            }
        }
    }

    fn is_met(self, wait: Wait) -> bool {
        match self {
            Self::ProbabilityOfWaiting(most) => wait.probability <= most,
            Self::MeanWaitingTime(most) => wait.mean() <= most,
            Self::WaitingTimeQuantile { probability, time } => wait.tail(time) <= 1.0 - probability,
        }
    }
}

/// `min{ n : W of M/M/n meets the target }`: the fewest hosts that keep a promise about waiting.
///
/// P(W > 0), E\[W\] and P(W > t) of the M/M/n queue all fall with n, so the answer is found by doubling and halving from the
/// fewest stable hosts.
///
/// Arguments: the whole stream of jobs (its load is the offered load a in erlangs) and the [`Target`].
///
/// Cost: some twenty evaluations of Erlang's delay formula, so a few µs for hundreds of hosts. Accuracy: exact, but for a target
/// that is met or missed by less than the rounding of the formula.
///
/// # Errors
/// [`Error::Argument`] for a target outside its domain, and for a load that a million hosts cannot serve as promised.
///
/// Source: A. K. Erlang (1917); W. Whitt, "Understanding the efficiency of multi-server service systems" (1992).
///
/// ```
/// use queueing::prelude::*;
/// use queueing::multiserver::Target;
/// let jobs = Workload::new(1.0, Exponential::with_mean(1.0)?)?;
/// // C(2,1) = 1/3, C(3,1) = 1/11
/// assert_eq!(multiserver::staffing(&jobs, Target::ProbabilityOfWaiting(0.1))?.count(), 3);
/// // 80 % of the calls within 20 seconds: 200 calls an hour of 3 minutes each
/// let calls = Workload::new(200.0 / 3600.0, Exponential::with_mean(180.0)?)?;
/// let agents = multiserver::staffing(&calls, Target::WaitingTimeQuantile { probability: 0.8, time: 20.0 })?;
/// assert_eq!(agents.count(), 14);
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn staffing(jobs: &Workload<Exponential>, target: Target) -> Result<Hosts> {
    target.validate()?;
    let a = jobs.load();
    let too_many = Error::Argument {
        name: "load",
        value: a,
        requirement: "must be one that a million hosts can serve as promised".into(),
    };
    if !(a < MOST_HOSTS as f64) {
        return Err(too_many);
    }
    let met = |hosts: usize| {
        let n = hosts as f64;
        // n − a loses nothing; with one host it is the workload's own spare capacity.
        let spare = if hosts == 1 { jobs.spare() } else { (n - a) / n };
        spare > 0.0 && target.is_met(Wait::at(hosts, a / n, spare, jobs.mean_size()))
    };
    // The target is missed with `low` hosts, and met with `high`.
    let (mut low, mut step) = (if jobs.spare() > 0.0 { 0 } else { a as usize }, 1);
    let mut high = loop {
        let tried = (low + step).min(MOST_HOSTS);
        if met(tried) {
            break tried;
        }
        if tried == MOST_HOSTS {
            return Err(too_many);
        }
        (low, step) = (tried, 2 * step);
    };
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if met(middle) { high = middle } else { low = middle }
    }
    Hosts::identical(high)
}
