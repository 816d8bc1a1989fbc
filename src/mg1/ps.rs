//! Processor sharing.

use super::waiting::phase_type;
use super::work::Spread;
use crate::accuracy::Accuracy;
use crate::error::Result;
use crate::size::{JobSize, PhaseType};
use crate::workload::{Metric, Performance, Workload};

/// The most phases for which second moments are given.
const MOST_PHASES: usize = 16;

/// `E[T] = E[X]/(1−ρ)`: the M/G/1 queue under processor sharing.
///
/// Every job's expected slowdown is 1/(1−ρ), whatever its size and the law (insensitivity). The waiting time is T − X, with mean
/// ρE\[X\]/(1−ρ); the waiting slowdown (T − X)/X has mean ρ/(1−ρ). The number in system is geometric with mean ρ/(1−ρ).
///
/// For phase types of up to 16 phases E\[T²\] and E\[(T−X)²\] are given too, by Yashkov's formula
/// Var\[T(x)\] = 2/(1−ρ)² ∫₀ˣ (x−u)P(W>u) du with the waiting time W of the FCFS queue.
///
/// Cost: a few operations; some µs for phase types. Accuracy: exact, or that of the law's mean, over 1 − ρ.
///
/// # Errors
/// [`Error::Unstable`](crate::Error::Unstable) at load one or more.
///
/// Source: L. Kleinrock, "Time-shared systems: a theoretical treatment" (1967); S. Yashkov, "A derivation of response time distribution
/// for a M/G/1 processor-sharing queue" (1983) for the variance.
///
/// ```
/// use queueing::prelude::*;
/// let jobs = Workload::with_load(Pareto::new(1.0, 1.5)?, 0.75)?;      // infinite variance does not matter
/// assert_eq!(mg1::ps(&jobs)?.mean_slowdown()?, 4.0);
/// assert_eq!(mg1::ps(&jobs)?.mean_response_time()?, 12.0);
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn ps<S: JobSize>(jobs: &Workload<S>) -> Result<Performance> {
    jobs.stable()?;
    let (rho, spare) = (jobs.load(), jobs.spare());
    let accuracy = jobs.size().accuracy().conditioned(1.0 / spare);
    let means = performance(rho, spare, jobs.mean_size(), accuracy);
    let variance = small_phase_type(jobs).and_then(|law| mean_variance(&law, rho, spare).ok());
    let Some(variance) = variance else { return Ok(means) };
    // E[T²] = E[X²]/(1−ρ)² + E[Var T], and the same of T − X
    let square = |mean: f64| jobs.size().moment(2.0) * (mean * mean) + variance;
    Ok(means.with(Metric::SecondMomentWaitingTime, square(rho / spare), accuracy).with(
        Metric::SecondMomentResponseTime,
        square(1.0 / spare),
        accuracy,
    ))
}

/// The formulas, for a stable stream with sizes of the given mean.
pub(crate) fn performance(rho: f64, spare: f64, mean: f64, accuracy: Accuracy) -> Performance {
    Performance::new("M/G/1 PS")
        .with(Metric::MeanWaitingTime, rho * mean / spare, accuracy)
        .with(Metric::MeanResponseTime, mean / spare, accuracy)
        .with(Metric::MeanSlowdown, 1.0 / spare, accuracy)
        .with(Metric::MeanWaitingSlowdown, rho / spare, accuracy)
        .with(Metric::MeanNumberInSystem, rho / spare, accuracy)
        .with(Metric::Utilisation, rho, accuracy)
}

/// The metrics of a job of size x.
pub(super) fn given_size<S: JobSize>(jobs: &Workload<S>, x: f64, model: String) -> Result<Performance> {
    jobs.stable()?;
    let (rho, spare) = (jobs.load(), jobs.spare());
    let accuracy = jobs.size().accuracy().conditioned(1.0 / spare);
    let means = Performance::new(model)
        .with(Metric::MeanWaitingTime, rho * x / spare, accuracy)
        .with(Metric::MeanResponseTime, x / spare, accuracy)
        .with(Metric::MeanSlowdown, 1.0 / spare, accuracy)
        .with(Metric::MeanWaitingSlowdown, rho / spare, accuracy);
    let Some(waiting) = small_phase_type(jobs).and_then(|law| phase_type::waiting_time(&law, rho, spare).ok()) else {
        return Ok(means);
    };
    // ∫₀ˣ (x−u) P(W>u) du = xE[W; W<=x] − E[W²; W<=x]/2 + x²P(W>x)/2
    let mut up_to = [0.0; 2];
    waiting.partial_moments(&[1.0, 2.0], 0.0, x, &mut up_to);
    let integral = x * up_to[0] - 0.5 * up_to[1] + 0.5 * x * x * waiting.sf(x);
    let variance = 2.0 * integral / (spare * spare);
    let waiting = Spread { mean: rho * x / spare, variance };
    Ok(means
        .with(Metric::SecondMomentWaitingTime, waiting.square_with(0.0), accuracy)
        .with(Metric::SecondMomentResponseTime, waiting.square_with(x), accuracy)
        .with(Metric::VarianceSlowdown, variance / x / x, accuracy))
}

/// `E[Var T] = 2E[X]/(1−ρ)² · E[min(W, X_e)]`, with W of the FCFS queue and X_e the residual size, independent: from Var[T(x)] by
/// ∫₀^∞ P(W>u) E[(X−u)⁺] du.
fn mean_variance(law: &PhaseType, rho: f64, spare: f64) -> Result<f64> {
    let least = phase_type::waiting_time(law, rho, spare)?.minimum(&law.residual()?)?;
    Ok(2.0 * law.mean() * least.mean() / (spare * spare))
}

/// The law as a phase type, if it is one of few phases: E\[min(W, X_e)\] takes the cube of their square.
fn small_phase_type<S: JobSize>(jobs: &Workload<S>) -> Option<PhaseType> {
    jobs.size().phase_type().filter(|law| law.phases() <= MOST_PHASES)
}
