//! First come, first served.

use super::linear::Linear;
use super::stream::Stream;
use crate::error::Result;
use crate::size::JobSize;
use crate::workload::{Metric, Performance, Workload};

/// `E[W] = λE[X²] / 2(1−ρ)`: the M/G/1 queue under first come, first served.
///
/// Gives the first three moments of the waiting time W by Takács' recursion, the mean and second moment of the response time
/// T = W + X, both mean slowdowns E\[T/X\] and E\[W/X\] with their common variance, the mean number in system λE\[T\], P(W > 0) = ρ,
/// and the utilisation ρ. W is independent of the job's own size, so slowdown moments factor: E\[W/X\] = E\[W\]E\[1/X\], which is
/// infinite whenever E\[1/X\] is (exponential sizes). Moments that involve an infinite E\[X^r\] are infinite.
///
/// Cost: the moments of the law, some 100 ns for a closed form. Accuracy: as the law's moments, times 1/(1−ρ) for 1 − ρ itself.
///
/// # Errors
/// [`Error::Unstable`](crate::Error::Unstable) at load one or more.
///
/// Source: Pollaczek and Khinchine for the mean; L. Takács, "A single-server queue with Poisson input" (1962) for the moments.
///
/// ```
/// use queueing::prelude::*;
/// let jobs = Workload::with_load(Deterministic::new(2.0)?, 0.75)?;
/// let queue = mg1::fcfs(&jobs)?;
/// assert_eq!(queue.mean_waiting_time()?, 3.0);                     // ρd / 2(1−ρ)
/// assert_eq!(queue.mean_slowdown()?, 2.5);                         // 1 + 3/2
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn fcfs<S: JobSize>(jobs: &Workload<S>) -> Result<Performance> {
    jobs.stable()?;
    Ok(performance(&Stream::of(jobs)))
}

/// The formulas, for a stable stream.
pub(crate) fn performance(stream: &Stream) -> Performance {
    let Stream { rate: lambda, load: rho, spare, sizes: x, accuracy } = *stream;
    // E[Wⁿ] = λ/(1−ρ) Σ_{i=1..n} C(n,i) E[X^{i+1}]/(i+1) E[W^{n−i}]
    // (an infinite moment of the sizes wins over a factor that is 0 by underflow)
    let factor = lambda / spare;
    let finite_if = |moment: f64, value: f64| if moment.is_finite() { value } else { f64::INFINITY };
    let w1 = factor * x.second / 2.0;
    let w2 = finite_if(x.third, factor * (x.second * w1 + x.third / 3.0));
    let w3 = finite_if(x.fourth, factor * (1.5 * x.second * w2 + x.third * w1 + x.fourth / 4.0));
    // E[T²] = E[W²] + 2E[W]E[X] + E[X²]
    let t2 = w2 + 2.0 * w1 * x.mean + x.second;
    // E[W/X] = E[W] E[1/X], Var[W/X] = E[W²] E[X⁻²] − (E[W] E[1/X])²
    let slowdown = finite_if(x.inverse, w1 * x.inverse);
    let second = finite_if(x.inverse_square, w2 * x.inverse_square);
    let variance = if second.is_finite() { (second - slowdown * slowdown).max(0.0) } else { f64::INFINITY };
    let mut result = Performance::new("M/G/1 FCFS");
    for (metric, value) in [
        (Metric::MeanWaitingTime, w1),
        (Metric::SecondMomentWaitingTime, w2),
        (Metric::ThirdMomentWaitingTime, w3),
        (Metric::MeanResponseTime, w1 + x.mean),
        (Metric::SecondMomentResponseTime, t2),
        (Metric::MeanSlowdown, 1.0 + slowdown),
        (Metric::MeanWaitingSlowdown, slowdown),
        (Metric::VarianceSlowdown, variance),
        // Little: E[N] = λE[T]
        (Metric::MeanNumberInSystem, lambda * (w1 + x.mean)),
        (Metric::ProbabilityOfWaiting, rho),
        (Metric::Utilisation, rho),
    ] {
        result.set(metric, value, accuracy);
    }
    result
}

/// The waiting time, the same for all sizes, with the second moment of FCFS divided by `order`: 1 under FCFS itself.
pub(super) fn spread_by(stream: &Stream, order: f64) -> Linear {
    let Stream { rate: lambda, spare, sizes: x, .. } = *stream;
    // E[W²] = (λE[X³]/3(1−ρ) + 2E[W]²)/order
    let mean = lambda / spare * x.second / 2.0;
    let third = lambda / spare * x.third / 3.0;
    let square = mean * mean;
    // Var[W] = E[W²] − E[W]², without the subtraction
    let variance = if third.is_finite() { (third + square + (1.0 - order) * square) / order } else { f64::INFINITY };
    Linear { constant: mean, variance, ..Linear::default() }
}
