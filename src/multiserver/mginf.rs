//! A host for every job.

use crate::accuracy::Accuracy;
use crate::size::JobSize;
use crate::workload::{Metric, Performance, Workload};

/// `E[N] = λE[X]`: the M/G/∞ queue, in which every job is served at once.
///
/// The limit of ever more hosts: T = X, nobody waits, and the number in system is Poisson with mean λE\[X\] whatever the law. Gives
/// the moments of the waiting time (0), the mean and second moment of the response time, both mean slowdowns (1 and 0) and their
/// variance (0), the mean number in system and P(W > 0) = 0. Any load has a steady state; for a law with infinite mean the number
/// in system is infinite.
///
/// Cost: a moment of the law. Accuracy: that of the law.
///
/// Source: C. Palm (1937); L. Takács, "Introduction to the Theory of Queues" (1962).
///
/// ```
/// use queueing::prelude::*;
/// let jobs = Workload::new(2.0, Uniform::new(1.0, 2.0)?)?;
/// let queue = multiserver::mginf(&jobs);
/// assert_eq!(queue.mean_number_in_system()?, 3.0);                 // 2 · 3/2
/// assert_eq!(queue.mean_slowdown()?, 1.0);
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn mginf<S: JobSize>(jobs: &Workload<S>) -> Performance {
    let law = jobs.size().accuracy();
    Performance::new("M/G/∞")
        .with(Metric::MeanWaitingTime, 0.0, Accuracy::Exact)
        .with(Metric::SecondMomentWaitingTime, 0.0, Accuracy::Exact)
        .with(Metric::ThirdMomentWaitingTime, 0.0, Accuracy::Exact)
        .with(Metric::MeanResponseTime, jobs.mean_size(), law)
        .with(Metric::SecondMomentResponseTime, jobs.size().moment(2.0), law)
        .with(Metric::MeanSlowdown, 1.0, Accuracy::Exact)
        .with(Metric::MeanWaitingSlowdown, 0.0, Accuracy::Exact)
        .with(Metric::VarianceSlowdown, 0.0, Accuracy::Exact)
        .with(Metric::MeanNumberInSystem, jobs.load(), law)
        .with(Metric::ProbabilityOfWaiting, 0.0, Accuracy::Exact)
}
