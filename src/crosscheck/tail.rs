//! What a sample cannot have seen.

use crate::numeric::root::monotone_in_log;
use crate::size::JobSize;
use crate::workload::{Discipline, Metric};

/// A sample settles nothing if a larger share of the moment in play lies beyond the largest size that it is likely to hold.
const MOST: f64 = 0.05;

/// The part of a moment of the sizes that lies beyond the largest size of a sample.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Tail {
    /// The order r of the moment E\[X^r\].
    pub order: f64,
    /// The median of the largest size in a sample of so many jobs.
    pub largest: f64,
    /// The share of E\[X^r\] beyond it; 1 where the moment is infinite.
    pub share: f64,
    /// Jobs with which the share would be 5 %; infinite where the moment is.
    pub jobs_to_settle: f64,
}

impl Tail {
    /// Of a law and a number of jobs.
    ///
    /// ```
    /// use queueing::crosscheck::Tail;
    /// use queueing::prelude::*;
    /// let tail = Tail::of(&BoundedPareto::with_mean(3000.0, 1e10, 1.1)?, 2.0, 1_000_000);
    /// assert!(tail.share > 0.97 && tail.jobs_to_settle > 1e7 && !tail.settles());
    /// assert!(Tail::of(&Exponential::with_mean(1.0)?, 2.0, 1_000_000).settles());
    /// # Ok::<(), queueing::Error>(())
    /// ```
    pub fn of<S: JobSize + ?Sized>(sizes: &S, order: f64, jobs: u64) -> Self {
        // P(max <= x) = (1 − P(X > x))ⁿ = 1/2
        let beyond = std::f64::consts::LN_2;
        let largest = sizes.upper_quantile(beyond / jobs.max(1) as f64);
        let whole = sizes.moment(order);
        if !whole.is_finite() {
            return Self { order, largest, share: 1.0, jobs_to_settle: f64::INFINITY };
        }
        let share_beyond = |x: f64| sizes.partial_moment(order, x, f64::INFINITY) / whole;
        let (low, high) = sizes.support();
        let inside = sizes.upper_quantile(0.5).clamp(low.max(f64::MIN_POSITIVE), high);
        let far = monotone_in_log(&mut |x| share_beyond(x) - MOST, low, inside, high);
        let jobs_to_settle = (beyond / sizes.sf(far)).max(1.0);
        Self { order, largest, share: share_beyond(largest).clamp(0.0, 1.0), jobs_to_settle }
    }

    /// Whether a sample of that many jobs can settle the question.
    pub fn settles(&self) -> bool {
        self.share <= MOST
    }
}

/// The order r of the moment E\[X^r\] that decides a metric under a discipline: 2 for the mean wait under FCFS, by Pollaczek and Khinchine.
///
/// Under processor sharing and the disciplines that favour small jobs the mean response needs E\[X\] and the slowdown no more; each further
/// moment of a time needs one more of the sizes.
pub fn moment_in_play(metric: Metric, discipline: Discipline) -> f64 {
    let first = match discipline {
        Discipline::Fcfs | Discipline::Lcfs | Discipline::Siro | Discipline::Sjf | Discipline::Lrpt => 2.0,
        _ => 1.0,
    };
    match metric {
        Metric::SecondMomentWaitingTime | Metric::SecondMomentResponseTime | Metric::VarianceSlowdown => first + 1.0,
        Metric::ThirdMomentWaitingTime => first + 2.0,
        Metric::ProbabilityOfWaiting | Metric::Utilisation | Metric::ProbabilityOfBlocking => 1.0,
        _ => first,
    }
}
