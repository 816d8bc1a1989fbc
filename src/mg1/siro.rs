//! Service in random order.

use super::fcfs;
use super::linear::Linear;
use super::stream::Stream;
use crate::error::Result;
use crate::size::JobSize;
use crate::workload::{Metric, Performance, Workload};

/// `E[W²] = E[W²]_FCFS/(1−ρ/2)`: the M/G/1 queue with service in random order (SIRO), without interruptions.
///
/// Whenever the server is free it takes any of the jobs that wait, each with the same probability. The mean waiting time is that of
/// [`fcfs`](super::fcfs()), the second moment lies between those of FCFS and LCFS. Gives the metrics that [`lcfs`](super::lcfs())
/// gives.
///
/// Cost and accuracy: as [`fcfs`](super::fcfs()).
///
/// # Errors
/// [`Error::Unstable`](crate::Error::Unstable) at load one or more.
///
/// Source: L. Takács (1963); S. Fuhrmann and I. Iliadis, "A comparison of three random disciplines" (1994).
///
/// ```
/// use queueing::prelude::*;
/// let jobs = Workload::with_load(Exponential::with_mean(1.0)?, 0.5)?;
/// let queue = mg1::siro(&jobs)?;
/// assert_eq!(queue.mean_waiting_time()?, 1.0);
/// assert!((queue.second_moment_waiting_time()? - 16.0 / 3.0).abs() < 1e-14);         // 4/(1−1/4)
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn siro<S: JobSize>(jobs: &Workload<S>) -> Result<Performance> {
    jobs.stable()?;
    let stream = Stream::of(jobs);
    let queue = waiting(&stream).totals(&stream.sizes).performance("M/G/1 SIRO".into(), &stream, stream.accuracy);
    Ok(queue.with(Metric::ProbabilityOfWaiting, stream.load, stream.accuracy))
}

pub(super) fn waiting(stream: &Stream) -> Linear {
    fcfs::spread_by(stream, 1.0 - 0.5 * stream.load)
}
