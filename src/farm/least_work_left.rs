//! Least work left: the M/G/n queue.

use crate::accuracy::{Accuracy, Assumption};
use crate::error::{Error, Result};
use crate::markov::fit;
use crate::mg1;
use crate::multiserver::{self, Waiting};
use crate::size::{Deterministic, Exponential, JobSize, PhaseType};
use crate::workload::{Farm, Metric, Performance};

/// A farm under least work left, with the two-moment value beside the best one.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LeastWorkLeft {
    /// The best that is known: exact for phase types, else with three moments of the sizes.
    pub overall: Performance,
    /// Lee and Longton's value, from two moments of the sizes.
    pub two_moments: Performance,
}

/// Each job goes to the host with the least work left, `W` as in the M/G/n queue: one queue, first come, first served.
///
/// With ties broken alike a dispatcher that knows the work left at each host and a central queue make every job wait equally long.
/// Exact (labelled `Numerical`, or `Exact`) for exponential, equal and phase-type sizes as long as the chain of
/// [`multiserver::mphn`] is small enough; for other sizes a phase type with the same first three moments takes their place, labelled
/// [`Assumption::ThreeMoments`]. Where that chain is too large, or the third moment infinite, the value is Kimura's for scv up to 1
/// and Whitt's beyond, by name. No two-moment formula is right for all sizes: Lee and Longton's stands beside, and where the two
/// differ much, neither should be trusted to more than their difference.
///
/// Mean response time and slowdowns use the sizes themselves: W is independent of the job's own size.
///
/// Cost: that of [`multiserver::mphn`]. Accuracy: against exact values, three moments err by some per cent; see `docs/accuracy.md`.
///
/// # Errors
/// [`Error::Unstable`] at load one or more per host; [`Error::Unavailable`] for sizes of infinite variance on several hosts, where no
/// formula is known.
///
/// Source: M. Harchol-Balter, "Performance Modeling and Design of Computer Systems" (2013), chapter 24; V. Gupta and others (2010).
///
/// ```
/// use queueing::prelude::*;
/// let farm = Farm::with_load(Exponential::with_mean(1.0)?, Hosts::identical(2)?, 0.5)?;
/// let queue = farm::least_work_left(&farm)?;
/// assert!((queue.overall.mean_waiting_time()? - 1.0 / 3.0).abs() < 1e-15);        // M/M/2
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn least_work_left<S: JobSize>(farm: &Farm<S>) -> Result<LeastWorkLeft> {
    let law = farm.jobs().size();
    let two_moments = multiserver::lee_longton(farm)?;
    if farm.hosts().count() == 1 {
        return Ok(LeastWorkLeft { overall: mg1::fcfs(&farm.one_host())?, two_moments });
    }
    if law.moment(2.0).is_infinite() {
        let model = "least work left with sizes of infinite variance".to_owned();
        return Err(Error::Unavailable { metric: Metric::MeanWaitingTime.name(), model });
    }
    Ok(LeastWorkLeft { overall: best(farm)?, two_moments })
}

fn best<S: JobSize>(farm: &Farm<S>) -> Result<Performance> {
    let (law, hosts) = (farm.jobs().size(), farm.hosts().count());
    let (low, high) = law.support();
    if low == high {
        return multiserver::mdn(&farm.with_sizes(Deterministic::new(low)?));
    }
    if let Some(size) = law.phase_type() {
        if size.phases() == 1 && size.mass_at_zero() == 0.0 {
            return multiserver::mmn(&farm.with_sizes(Exponential::with_mean(farm.jobs().mean_size())?));
        }
        if multiserver::mphn_is_small(hosts, size.phases()) {
            return multiserver::mphn(&farm.with_sizes(size));
        }
    }
    let fitted: Option<PhaseType> = fit::law(law).ok().filter(|size| multiserver::mphn_is_small(hosts, size.phases()));
    let Some(fitted) = fitted else {
        return if law.scv() <= 1.0 { multiserver::kimura(farm) } else { multiserver::whitt(farm) };
    };
    // The waiting time of the fit, and the sizes themselves in whatever contains them.
    let queue = multiserver::mphn(&farm.with_sizes(fitted))?;
    let waiting = Waiting {
        mean: queue.mean_waiting_time()?,
        second: queue.second_moment_waiting_time().ok(),
        probability: queue.probability_of_waiting().ok(),
    };
    let accuracy = Accuracy::Approximate { assumption: Assumption::ThreeMoments };
    Ok(waiting.performance(farm, "M/G/n FCFS by three moments", accuracy))
}
