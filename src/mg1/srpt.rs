//! Shortest remaining processing time.

use super::by_size::{self, Rule};
use super::far::Far;
use super::level::Level;
use super::work::{Spread, relevant_work};
use crate::error::Result;
use crate::size::JobSize;
use crate::workload::{Discipline, Performance, Workload};

/// `E[T(x)] = λ(E[X²; X≤x] + x²P(X>x)) / 2(1−ρ(x))² + ∫₀ˣ dt/(1−ρ(t))`: the M/G/1 queue under shortest remaining processing time.
///
/// The job with the least work left is served, and an arriving job with less interrupts it; ρ(x) = λE\[X; X≤x\] is the load of the jobs
/// up to size x. No discipline has a smaller mean response time. Jobs of equal size are served in the order in which they came: at an
/// atom one of the two factors 1−ρ(x) is 1−ρ(x−), of the jobs strictly below. Gives mean and second moment of the response time T and
/// of W = T − X, both mean slowdowns and their variance, the mean number in system, and the utilisation. E\[T\] is finite for
/// every law with a finite mean, E\[T²\] for every law with a finite second moment.
///
/// Cost: one pass over the sizes, some 20 µs for a bounded Pareto law; O(n) for a trace of n sizes. Accuracy: some 1e-14, or
/// that of the law; exact for traces. The tail is not cut off.
///
/// # Errors
/// [`Error::Unstable`](crate::Error::Unstable) at load one or more.
///
/// Source: L. Schrage and L. Miller, "The queue M/G/1 with the shortest remaining processing time discipline" (1966); N. Bansal and
/// M. Harchol-Balter, "Analysis of SRPT scheduling: investigating unfairness" (2001).
///
/// ```
/// use queueing::prelude::*;
/// // Sizes 1 and 3, half of the jobs each, load 0.5: λ = 1/4, ρ(1) = 1/8.
/// let jobs = Workload::with_load(Empirical::from_sizes(&[1.0, 3.0])?, 0.5)?;
/// let small = 1.0 + (0.125 + 0.125) / 2.0 / (7.0 / 8.0);               // x = 1: none is below it, 1²·P(X > 1) = 1/2
/// let large = 1.0 + 2.0 * 8.0 / 7.0 + 1.25 / 2.0 / (0.5 * 7.0 / 8.0);  // x = 3: λE[X²] = 5/4
/// assert!((mg1::srpt(&jobs)?.mean_response_time()? - (small + large) / 2.0).abs() < 1e-14);
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn srpt<S: JobSize>(jobs: &Workload<S>) -> Result<Performance> {
    by_size::performance(jobs, Discipline::Srpt, RULE)
}

pub(super) const RULE: Rule = Rule { waiting, waiting_far_out, uses_residence: true, interrupts: true };

/// Jobs up to x go first, and once what is left of each larger job has come down to x; those below x interrupt; then the residence.
#[inline]
fn waiting(level: &Level) -> Spread {
    let Level { x, below, up_to, third, rate_above, residence, .. } = *level;
    let square = x * x;
    let work = relevant_work(up_to.spare, [up_to.second, third], [rate_above * square, rate_above * square * x]);
    let first = work.stretched(below.spare, below.second);
    Spread { mean: first.mean + residence.mean, variance: first.variance + residence.variance }
}

/// E[R(X) − X] = P(X>b)(R(b)−b) + ∫ P(X>t)ρ(t)/(1−ρ(t)) dt beyond b, and the first stretch as in [`Far`].
fn waiting_far_out(far: &Far) -> f64 {
    let Far { level: Level { x, up_to, rate_above, residence, .. }, .. } = *far;
    let first = far.first_stretch(up_to.second + rate_above * x * x, far.ratio);
    first + far.share * residence.mean + far.rest * (far.ratio.ln_1p() / (far.ratio * far.spare) - 1.0)
}
