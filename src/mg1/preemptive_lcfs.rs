//! Last come, first served, preemptive.

use super::linear::Linear;
use super::stream::Stream;
use crate::error::Result;
use crate::size::JobSize;
use crate::workload::{Performance, Workload};

/// `E[T(x)] = x/(1−ρ)`, `Var[T(x)] = λxE[X²]/(1−ρ)³`: the M/G/1 queue under preemptive last come, first served (PLCFS).
///
/// An arriving job interrupts the one in service, which resumes where it was. T(x) is the busy period that x starts: the mean is that
/// of processor sharing, whatever the law, the variance is larger. Gives the metrics that [`srpt`](super::srpt) gives, in closed form.
///
/// Cost: the moments of the law. Accuracy: as the law's moments, times 1/(1−ρ) for 1 − ρ itself.
///
/// # Errors
/// [`Error::Unstable`](crate::Error::Unstable) at load one or more.
///
/// Source: L. Kleinrock, "Queueing Systems, volume II" (1976).
///
/// ```
/// use queueing::prelude::*;
/// let jobs = Workload::with_load(Exponential::with_mean(1.0)?, 0.5)?;
/// let queue = mg1::preemptive_lcfs(&jobs)?;
/// assert_eq!((queue.mean_response_time()?, queue.second_moment_response_time()?), (2.0, 16.0));
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn preemptive_lcfs<S: JobSize>(jobs: &Workload<S>) -> Result<Performance> {
    jobs.stable()?;
    let stream = Stream::of(jobs);
    Ok(waiting(&stream).totals(&stream.sizes).performance("M/G/1 preemptive LCFS".into(), &stream, stream.accuracy))
}

/// x, stretched by all jobs that come later.
pub(super) fn waiting(stream: &Stream) -> Linear {
    let Stream { rate, load, spare, sizes, .. } = *stream;
    let variance_slope = rate * sizes.second / (spare * spare * spare);
    Linear { slope: load / spare, variance_slope, ..Linear::default() }
}
