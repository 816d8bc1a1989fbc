//! Last come, first served, without interruptions.

use super::fcfs;
use super::linear::Linear;
use super::stream::Stream;
use crate::error::Result;
use crate::size::JobSize;
use crate::workload::{Metric, Performance, Workload};

/// `E[W²] = E[W²]_FCFS/(1−ρ)`: the M/G/1 queue under last come, first served, without interruptions (LCFS).
///
/// Whenever the server is free it takes the job that came last. The waiting time is 0 or the busy period that what is left of the job
/// in service starts: its mean is that of [`fcfs`](super::fcfs()), its second moment larger. Gives mean and second moment of waiting
/// and response time, both mean slowdowns and their variance, the mean number in system, P(W > 0) = ρ, and the utilisation.
///
/// Cost and accuracy: as [`fcfs`](super::fcfs()).
///
/// # Errors
/// [`Error::Unstable`](crate::Error::Unstable) at load one or more.
///
/// Source: L. Takács, "Delay distributions for one line with Poisson input, general holding times, and various orders of service"
/// (1963).
///
/// ```
/// use queueing::prelude::*;
/// let jobs = Workload::with_load(Exponential::with_mean(1.0)?, 0.5)?;
/// let queue = mg1::lcfs(&jobs)?;
/// assert_eq!((queue.mean_waiting_time()?, queue.second_moment_waiting_time()?), (1.0, 8.0));
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn lcfs<S: JobSize>(jobs: &Workload<S>) -> Result<Performance> {
    jobs.stable()?;
    let stream = Stream::of(jobs);
    let queue = waiting(&stream).totals(&stream.sizes).performance("M/G/1 LCFS".into(), &stream, stream.accuracy);
    Ok(queue.with(Metric::ProbabilityOfWaiting, stream.load, stream.accuracy))
}

pub(super) fn waiting(stream: &Stream) -> Linear {
    fcfs::spread_by(stream, stream.spare)
}
