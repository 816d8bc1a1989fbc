//! Poisson arrivals, exponential sizes, n hosts, one queue.

use super::{erlang, stable};
use crate::accuracy::Accuracy;
use crate::error::{Result, require};
use crate::size::{Exponential, JobSize};
use crate::workload::{Farm, Metric, Performance};

/// `E[W] = C(n,a) E[X] / n(1−ρ)`: the M/M/n queue under first come, first served.
///
/// One queue feeds n hosts; a job waits with the probability C of Erlang's delay formula, and if it does, then for an exponential
/// time of mean E\[X\]/n(1−ρ). Gives the first three moments of the waiting time W, the mean and second moment of the response time
/// T = W + X, both mean slowdowns (infinite, as E\[1/X\] is for exponential sizes), the mean number in system λE\[T\], P(W > 0), and
/// the utilisation ρ. With one host this is [`mg1::fcfs`](crate::mg1::fcfs).
///
/// Cost: about 0.1 µs up to 64 hosts, 0.2 µs at 500, at most some 10 µs at a million. Accuracy: 1e-14 for values near one and
/// 1e-12 down to 1e-300, also near ρ = 1 where the spare capacity 1 − ρ of the farm is used as given.
///
/// # Errors
/// [`Error::Unstable`](crate::Error::Unstable) at load one or more per host.
///
/// Source: A. K. Erlang (1917).
///
/// ```
/// use queueing::prelude::*;
/// let farm = Farm::with_load(Exponential::with_mean(3.0)?, Hosts::identical(2)?, 0.5)?;
/// let queue = multiserver::mmn(&farm)?;
/// assert!((queue.probability_of_waiting()? - 1.0 / 3.0).abs() < 1e-16);
/// assert!((queue.mean_waiting_time()? - 1.0).abs() < 1e-15);       // C E[X]/n(1−ρ) = (1/3)·3/1
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn mmn(farm: &Farm<Exponential>) -> Result<Performance> {
    let Wait { probability: c, mean_if_any: theta } = Wait::of(farm)?;
    let (lambda, m) = (farm.jobs().rate(), farm.jobs().mean_size());
    // E[Wᵏ] = k! C θᵏ
    let w1 = c * theta;
    let w2 = 2.0 * w1 * theta;
    let w3 = 3.0 * w2 * theta;
    let mut result = Performance::new("M/M/n FCFS");
    for (metric, value) in [
        (Metric::MeanWaitingTime, w1),
        (Metric::SecondMomentWaitingTime, w2),
        (Metric::ThirdMomentWaitingTime, w3),
        (Metric::MeanResponseTime, w1 + m),
        // E[T²] = E[W²] + 2E[W]E[X] + E[X²], E[X²] = 2E[X]²
        (Metric::SecondMomentResponseTime, w2 + 2.0 * m * (w1 + m)),
        // E[W/X] = E[W]E[1/X]
        (Metric::MeanSlowdown, f64::INFINITY),
        (Metric::MeanWaitingSlowdown, f64::INFINITY),
        (Metric::VarianceSlowdown, f64::INFINITY),
        // Little: E[N] = λE[T]
        (Metric::MeanNumberInSystem, lambda * (w1 + m)),
        (Metric::ProbabilityOfWaiting, c),
        (Metric::Utilisation, farm.load()),
    ] {
        result.set(metric, value, Accuracy::Exact);
    }
    Ok(result)
}

/// `P(W > t) = C exp(−n(1−ρ)t/E[X])`: the tail of the waiting time of the M/M/n queue.
///
/// `time` is in the units of the job sizes; at 0 the result is P(W > 0).
///
/// Cost and accuracy: as [`mmn`].
///
/// # Errors
/// [`Error::Argument`](crate::Error::Argument) unless the time is at least 0, [`Error::Unstable`](crate::Error::Unstable) at load
/// one or more per host.
///
/// Source: A. K. Erlang (1917).
///
/// ```
/// use queueing::prelude::*;
/// let farm = Farm::with_load(Exponential::with_mean(1.0)?, Hosts::identical(2)?, 0.5)?;
/// let late = multiserver::mmn_waiting_time_tail(&farm, 2.0)?;
/// assert!((late - (-2.0_f64).exp() / 3.0).abs() < 1e-16);
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn mmn_waiting_time_tail(farm: &Farm<Exponential>, time: f64) -> Result<f64> {
    require(time >= 0.0, "time", time, "must be at least 0")?;
    Ok(Wait::of(farm)?.tail(time))
}

/// `t_p = max(0, E[X]/n(1−ρ) · ln(C/(1−p)))`: the time within which a share p of the jobs starts service in the M/M/n queue.
///
/// The smallest t with P(W <= t) >= p, in the units of the job sizes; 0 if no more than 1 − p of the jobs wait at all, infinite
/// for p = 1.
///
/// Cost and accuracy: as [`mmn`], and the rounding of 1 − p.
///
/// # Errors
/// [`Error::Argument`](crate::Error::Argument) unless 0 <= p <= 1, [`Error::Unstable`](crate::Error::Unstable) at load one or more
/// per host.
///
/// Source: A. K. Erlang (1917).
///
/// ```
/// use queueing::prelude::*;
/// let farm = Farm::with_load(Exponential::with_mean(1.0)?, Hosts::identical(2)?, 0.5)?;
/// assert_eq!(multiserver::mmn_waiting_time_quantile(&farm, 0.5)?, 0.0);       // two thirds do not wait
/// let p95 = multiserver::mmn_waiting_time_quantile(&farm, 0.95)?;
/// assert!((p95 - (20.0_f64 / 3.0).ln()).abs() < 1e-14);
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn mmn_waiting_time_quantile(farm: &Farm<Exponential>, probability: f64) -> Result<f64> {
    require((0.0..=1.0).contains(&probability), "probability", probability, "must be between 0 and 1")?;
    let Wait { probability: c, mean_if_any: theta } = Wait::of(farm)?;
    let late = 1.0 - probability;
    Ok(if c <= late { 0.0 } else { theta * (c / late).ln() })
}

/// The waiting time: 0, or with some probability exponential.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wait {
    /// C = P(W > 0)
    pub probability: f64,
    /// θ = E[W; W > 0]/P(W > 0) = E[X]/n(1−ρ)
    pub mean_if_any: f64,
}

impl Wait {
    /// Of exponential jobs with the mean of the farm's.
    pub(super) fn of<S: JobSize>(farm: &Farm<S>) -> Result<Self> {
        stable(farm)?;
        Ok(Self::at(farm.hosts().count(), farm.load(), farm.spare(), farm.jobs().mean_size()))
    }

    /// By the hosts, load and spare capacity of each, and the mean size.
    pub(super) fn at(hosts: usize, load: f64, spare: f64, mean_size: f64) -> Self {
        Self { probability: erlang::waiting(hosts, load, spare), mean_if_any: mean_size / (hosts as f64 * spare) }
    }

    /// E[W]
    pub(super) fn mean(self) -> f64 {
        self.probability * self.mean_if_any
    }

    /// P(W > t)
    pub(super) fn tail(self, time: f64) -> f64 {
        self.probability * (-time / self.mean_if_any).exp()
    }
}
