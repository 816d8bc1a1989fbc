//! Shortest job first without interruptions.

use super::by_size::{self, Rule};
use super::level::Level;
use super::work::{Spread, relevant_work};
use crate::error::Result;
use crate::size::JobSize;
use crate::workload::{Discipline, Metric, Performance, Workload};

/// `E[W(x)] = λE[X²] / 2(1−ρ(x−))(1−ρ(x))`: the M/G/1 queue under shortest job first, without interruptions (SJF).
///
/// Whenever the server is free it takes the smallest job; ρ(x−) and ρ(x) are the loads of the jobs strictly below x and up to x,
/// jobs of equal size are served in the order in which they came. Gives mean and second moment of the waiting time W and of the
/// response time T = W + X, both mean slowdowns and their variance, the mean number in system, P(W > 0) = ρ, and the
/// utilisation. Every job waits for the one in service: E\[W\] is infinite with E\[X²\], E\[W²\] with E\[X³\], and slowdowns with
/// E\[1/X\] too.
///
/// Cost and accuracy: as [`srpt`](super::srpt).
///
/// # Errors
/// [`Error::Unstable`](crate::Error::Unstable) at load one or more.
///
/// Source: T. Phipps, "Machine repair as a priority waiting-line problem" (1956); A. Cobham (1954) for a class of each size.
///
/// ```
/// use queueing::prelude::*;
/// // Sizes 1 and 3, half of the jobs each, load 0.5: λ = 1/4, λE[X²]/2 = 5/8, ρ(1) = 1/8.
/// let jobs = Workload::with_load(Empirical::from_sizes(&[1.0, 3.0])?, 0.5)?;
/// let (small, large) = (0.625 / 0.875, 0.625 / (0.875 * 0.5));
/// assert!((mg1::sjf(&jobs)?.mean_waiting_time()? - (small + large) / 2.0).abs() < 1e-15);
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn sjf<S: JobSize>(jobs: &Workload<S>) -> Result<Performance> {
    let queue = by_size::performance(jobs, Discipline::Sjf, RULE)?;
    let accuracy = queue.estimate(Metric::Utilisation)?.accuracy;
    Ok(queue.with(Metric::ProbabilityOfWaiting, jobs.load(), accuracy))
}

/// Where its mean is finite, the waiting time is the same for all of the few jobs far out.
pub(super) const RULE: Rule = Rule { waiting, waiting_far_out: |_| 0.0, uses_residence: false, interrupts: false };

/// The work of jobs up to x and of a larger one in service, stretched by the jobs below x; x itself is not interrupted.
#[inline]
fn waiting(level: &Level) -> Spread {
    let Level { below, up_to, third, of_all, .. } = *level;
    let larger = [of_all[0] - up_to.second, of_all[1] - third].map(|moment| moment.max(0.0));
    relevant_work(up_to.spare, [up_to.second, third], larger).stretched(below.spare, below.second)
}
