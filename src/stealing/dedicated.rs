//! Dedicated: no stealing.

use super::numbers::Numbers;
use super::result::{Classes, CycleStealing, Labels};
use crate::accuracy::Accuracy;
use crate::error::Result;
use crate::mg1;
use crate::size::JobSize;
use crate::workload::{Metric, Performance, Workload};

/// `E[T] = E[X] + λE[X²]/2(1−ρ)` for each class: a short host for the shorts, a long host for the longs, two M/G/1 queues.
///
/// What the other policies are measured against. Cost: some 100 ns. Accuracy: as [`mg1::fcfs`].
///
/// # Errors
/// [`Error::Unstable`](crate::Error::Unstable) if neither class is stable; a class that alone is saturated is
/// [`Unstable`](crate::Outcome::Unstable) in the result.
///
/// ```
/// use queueing::prelude::*;
/// let shorts = Workload::new(0.9, Exponential::with_mean(1.0)?)?;
/// let longs = Workload::new(0.5, Exponential::with_mean(1.0)?)?;
/// let both = stealing::dedicated(&shorts, &longs)?;
/// assert!((both.shorts().mean_response_time()? - 10.0).abs() < 1e-13);      // 1/(μ−λ)
/// assert_eq!(both.longs().mean_response_time()?, 2.0);
/// assert_eq!(both.stolen.value, 0.0);
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn dedicated<S: JobSize, L: JobSize>(shorts: &Workload<S>, longs: &Workload<L>) -> Result<CycleStealing> {
    let classes = Classes { shorts, longs, short_hosts: 1, long_hosts: 1, model: "Dedicated".to_owned() };
    classes.require_some_stable(1.0)?;
    if !classes.longs_are_stable() {
        return Ok(classes.saturated(mg1::fcfs(shorts)?));
    }
    let long = mg1::fcfs(longs)?;
    let short = mg1::fcfs(shorts).ok();
    let of_short = |metric| short.as_ref().map_or(f64::INFINITY, |short| value(short, metric));
    let labels = Labels { shorts: short.as_ref().map_or(Accuracy::Exact, accuracy), longs: accuracy(&long) };
    let numbers = Numbers {
        short_waiting: of_short(Metric::MeanWaitingTime),
        short_waiting_square: Some(of_short(Metric::SecondMomentWaitingTime)),
        // E[N(N−1)] = λ²E[T²]
        short_number_square: Some(
            shorts.rate().powi(2) * of_short(Metric::SecondMomentResponseTime) + of_short(Metric::MeanNumberInSystem),
        ),
        short_delayed: shorts.load().min(1.0),
        idle: longs.spare(),
        long_waiting: value(&long, Metric::MeanWaitingTime),
        long_waiting_square: Some(value(&long, Metric::SecondMomentWaitingTime)),
        long_delayed: longs.load(),
        ..Numbers::default()
    };
    Ok(classes.result(numbers, 1.0, labels))
}

fn value(queue: &Performance, metric: Metric) -> f64 {
    queue.estimate(metric).map_or(f64::INFINITY, |estimate| estimate.value)
}

fn accuracy(queue: &Performance) -> Accuracy {
    queue.estimate(Metric::MeanWaitingTime).map_or(Accuracy::Exact, |estimate| estimate.accuracy)
}
