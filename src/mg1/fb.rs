//! Foreground-background.

use super::by_size::{self, Rule};
use super::far::Far;
use super::level::Level;
use super::work::{Spread, relevant_work};
use crate::error::Result;
use crate::size::JobSize;
use crate::workload::{Discipline, Performance, Workload};

/// `E[T(x)] = x/(1−ρₓ) + λE[min(X,x)²] / 2(1−ρₓ)²`, `ρₓ = λE[min(X,x)]`: the M/G/1 queue under foreground-background (FB, LAS).
///
/// The jobs that have had the least service share the server: sizes need not be known. Where the density's hazard rate falls (few
/// small jobs, many large ones left) no discipline that does not know sizes has a smaller mean response time. Gives the metrics that
/// [`srpt`](super::srpt) gives.
///
/// Cost and accuracy: as [`srpt`](super::srpt).
///
/// # Errors
/// [`Error::Unstable`](crate::Error::Unstable) at load one or more.
///
/// Source: L. Schrage, "The queue M/G/1 with feedback to lower priority queues" (1967); R. Righter and J. Shanthikumar (1989) for the
/// optimality.
///
/// ```
/// use queueing::prelude::*;
/// // Exponential sizes: as processor sharing in mean, 1/(μ−λ).
/// let jobs = Workload::with_load(Exponential::with_mean(1.0)?, 0.5)?;
/// assert!((mg1::fb(&jobs)?.mean_response_time()? - 2.0).abs() < 1e-13);
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn fb<S: JobSize>(jobs: &Workload<S>) -> Result<Performance> {
    by_size::performance(jobs, Discipline::Fb, RULE)
}

pub(super) const RULE: Rule = Rule { waiting, waiting_far_out, uses_residence: false, interrupts: true };

/// Of each job what lies below x goes first: in the work found, and among the jobs that come later.
#[inline]
fn waiting(level: &Level) -> Spread {
    let part = level.capped();
    let third = level.third + level.rate_above * level.x * level.x * level.x;
    relevant_work(part.spare, [part.second, third], [0.0; 2]).stretched_with(
        level.x,
        part.load,
        part.spare,
        part.second,
    )
}

/// Beyond b, 1 − ρₓ = 1 − ρ + λE[(X−x)⁺] = 1 − ρ + λE[X; X > x]/α.
fn waiting_far_out(far: &Far) -> f64 {
    let ratio = far.ratio / far.index();
    far.first_stretch(far.level.capped().second, ratio) + far.stretched_size(ratio)
}
