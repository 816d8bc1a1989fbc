//! Preemptive shortest job first.

use super::by_size::{self, Rule};
use super::far::Far;
use super::level::Level;
use super::work::{Spread, relevant_work};
use crate::error::Result;
use crate::size::JobSize;
use crate::workload::{Discipline, Performance, Workload};

/// `E[T(x)] = x/(1−ρ(x)) + λE[X²; X≤x] / 2(1−ρ(x))²`: the M/G/1 queue under preemptive shortest job first (PSJF).
///
/// The job of the smallest original size is served, and an arriving smaller one interrupts it; ρ(x) = λE\[X; X≤x\] is the load of the
/// jobs up to size x. A preemptive priority queue with a class for each size: jobs of equal size are served in the order in which
/// they came, so that at an atom one factor 1−ρ(x) of each term is 1−ρ(x−), of the jobs strictly below, and ρ(x) in the first term is
/// ρ(x−). Gives the metrics that [`srpt`](super::srpt) gives.
///
/// Cost and accuracy: as [`srpt`](super::srpt).
///
/// # Errors
/// [`Error::Unstable`](crate::Error::Unstable) at load one or more.
///
/// Source: L. Schrage and L. Miller (1966), discussion of related disciplines; A. Wierman and M. Harchol-Balter (2003).
///
/// ```
/// use queueing::prelude::*;
/// // All jobs alike: served in the order in which they came, as in M/D/1.
/// let jobs = Workload::with_load(Deterministic::new(2.0)?, 0.75)?;
/// assert_eq!(mg1::preemptive_sjf(&jobs)?.mean_waiting_time()?, 3.0);          // ρd/2(1−ρ)
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn preemptive_sjf<S: JobSize>(jobs: &Workload<S>) -> Result<Performance> {
    by_size::performance(jobs, Discipline::PreemptiveSjf, RULE)
}

pub(super) const RULE: Rule = Rule { waiting, waiting_far_out, uses_residence: false, interrupts: true };

/// The work of jobs up to x, and x itself, stretched by those below x.
#[inline]
fn waiting(level: &Level) -> Spread {
    let Level { x, below, up_to, third, .. } = *level;
    relevant_work(up_to.spare, [up_to.second, third], [0.0; 2]).stretched_with(x, below.load, below.spare, below.second)
}

fn waiting_far_out(far: &Far) -> f64 {
    far.first_stretch(far.level.up_to.second, far.ratio) + far.stretched_size(far.ratio)
}
