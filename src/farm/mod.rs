//! Task assignment: how a farm's dispatcher spreads the jobs over its hosts.

mod fast_server;
mod least_work_left;
pub mod sita;

pub use fast_server::fast_server;
pub use least_work_left::{LeastWorkLeft, least_work_left};

use crate::error::Result;
use crate::mg1;
use crate::size::JobSize;
use crate::workload::{Discipline, Farm, Metric, Performance};

/// `E[W] = (λ/h)E[X²] / 2(1−ρ)` under FCFS: each job goes to a host drawn at random.
///
/// Every host is an M/G/1 queue with rate λ/h and the whole law, so the waiting time does not depend on the number of hosts at a
/// given load per host. The number in system counts all hosts.
///
/// Cost: that of the queue. Accuracy: exact for laws with closed-form moments.
///
/// # Errors
/// [`Error::Unstable`](crate::Error::Unstable) at load one or more per host.
///
/// ```
/// use queueing::prelude::*;
/// let farm = Farm::with_load(Exponential::with_mean(1.0)?, Hosts::identical(4)?, 0.5)?;
/// let random = farm::random(&farm, Discipline::Fcfs)?;
/// assert_eq!(random.mean_response_time()?, 2.0);
/// assert_eq!(random.mean_number_in_system()?, 4.0);
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn random<S: JobSize>(farm: &Farm<S>, discipline: Discipline) -> Result<Performance> {
    let host = mg1::performance(&farm.one_host(), discipline)?;
    let mut whole = Performance::new(format!("random assignment, {discipline} hosts"));
    for (metric, estimate) in host.metrics() {
        let factor = if metric == Metric::MeanNumberInSystem { farm.hosts().count() as f64 } else { 1.0 };
        whole.set(metric, factor * estimate.value, estimate.accuracy);
    }
    Ok(whole)
}
