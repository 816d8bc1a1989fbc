//! Longest remaining processing time.

use super::linear::Linear;
use super::stream::Stream;
use super::work::relevant_work;
use crate::error::Result;
use crate::size::JobSize;
use crate::workload::{Performance, Workload};

/// `E[T(x)] = x/(1−ρ) + λE[X²] / 2(1−ρ)²`: the M/G/1 queue under longest remaining processing time.
///
/// The job with the most work left is served, and an arriving job with more interrupts it: all jobs end close to the end of their
/// busy period, the worst that a server can do that is never idle while there is work. Gives the metrics that
/// [`srpt`](super::srpt) gives, in closed form: slowdowns are infinite with E\[1/X\].
///
/// Cost: the moments of the law. Accuracy: as the law's moments, times 1/(1−ρ) for 1 − ρ itself.
///
/// # Errors
/// [`Error::Unstable`](crate::Error::Unstable) at load one or more.
///
/// Source: M. Harchol-Balter, K. Sigman and A. Wierman, "Asymptotic convergence of scheduling policies with respect to slowdown"
/// (2002).
///
/// ```
/// use queueing::prelude::*;
/// let jobs = Workload::with_load(Exponential::with_mean(1.0)?, 0.5)?;
/// assert_eq!(mg1::lrpt(&jobs)?.mean_response_time()?, 4.0);            // 1/0.5 + 0.5·2/(2·0.25)
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn lrpt<S: JobSize>(jobs: &Workload<S>) -> Result<Performance> {
    jobs.stable()?;
    let stream = Stream::of(jobs);
    Ok(waiting(&stream).totals(&stream.sizes).performance("M/G/1 LRPT".into(), &stream, stream.accuracy))
}

/// All work found and x itself, stretched by all jobs that come later.
pub(super) fn waiting(stream: &Stream) -> Linear {
    let Stream { rate, load, spare, sizes, .. } = *stream;
    let second = rate * sizes.second;
    let first = relevant_work(spare, [second, rate * sizes.third], [0.0; 2]).stretched(spare, second);
    let slope = load / spare;
    // (U₁ + x)λE[X²]/(1−ρ)³
    let variance_slope = (slope + 1.0) * second / (spare * spare);
    Linear { constant: first.mean, slope, variance: first.variance, variance_slope }
}
