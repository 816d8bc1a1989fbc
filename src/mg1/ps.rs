//! Processor sharing.

use crate::accuracy::Accuracy;
use crate::error::Result;
use crate::size::JobSize;
use crate::workload::{Metric, Performance, Workload};

/// `E[T] = E[X]/(1−ρ)`: the M/G/1 queue under processor sharing.
///
/// Every job's expected slowdown is 1/(1−ρ), whatever its size and the law (insensitivity). The waiting time is T − X, with mean
/// ρE\[X\]/(1−ρ); the waiting slowdown (T − X)/X has mean ρ/(1−ρ). The number in system is geometric with mean ρ/(1−ρ).
///
/// Cost: a few operations. Accuracy: exact, or that of the law's mean, over 1 − ρ.
///
/// # Errors
/// [`Error::Unstable`](crate::Error::Unstable) at load one or more.
///
/// Source: L. Kleinrock, "Time-shared systems: a theoretical treatment" (1967); N. Bansal and M. Harchol-Balter (2001), section 2.
///
/// ```
/// use queueing::prelude::*;
/// let jobs = Workload::with_load(Pareto::new(1.0, 1.5)?, 0.75)?;      // infinite variance does not matter
/// assert_eq!(mg1::ps(&jobs)?.mean_slowdown()?, 4.0);
/// assert_eq!(mg1::ps(&jobs)?.mean_response_time()?, 12.0);
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn ps<S: JobSize>(jobs: &Workload<S>) -> Result<Performance> {
    jobs.stable()?;
    let accuracy = jobs.size().accuracy().conditioned(1.0 / jobs.spare());
    Ok(performance(jobs.load(), jobs.spare(), jobs.mean_size(), accuracy))
}

/// The formulas, for a stable stream with sizes of the given mean.
pub(crate) fn performance(rho: f64, spare: f64, mean: f64, accuracy: Accuracy) -> Performance {
    Performance::new("M/G/1 PS")
        .with(Metric::MeanWaitingTime, rho * mean / spare, accuracy)
        .with(Metric::MeanResponseTime, mean / spare, accuracy)
        .with(Metric::MeanSlowdown, 1.0 / spare, accuracy)
        .with(Metric::MeanWaitingSlowdown, rho / spare, accuracy)
        .with(Metric::MeanNumberInSystem, rho / spare, accuracy)
        .with(Metric::Utilisation, rho, accuracy)
}
