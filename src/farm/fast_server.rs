//! The bound that no farm of hosts comes below: one server with the speed of them all.

use crate::error::Result;
use crate::mg1;
use crate::size::JobSize;
use crate::workload::{Discipline, Estimate, Farm, Metric, Performance};

/// `T = T₁/h`: a single server of the farm's total speed h under a discipline, with T₁ the response time of one host at the same load.
///
/// Under [`Discipline::Srpt`] its mean response time is a lower bound for every task assignment policy and central queue on the farm.
/// Sizes X stay those of a host of speed one: the slowdown T/X is 1/h in an empty system, and W is T − X/h.
///
/// Cost and accuracy: those of [`mg1::performance`].
///
/// # Errors
/// [`Error::Unstable`](crate::Error::Unstable) at load one or more per host.
///
/// Source: L. Schrage (1968) for the optimality of SRPT.
///
/// ```
/// use queueing::prelude::*;
/// let farm = Farm::with_load(Exponential::with_mean(1.0)?, Hosts::identical(4)?, 0.5)?;
/// let fast = farm::fast_server(&farm, Discipline::Ps)?;
/// assert_eq!(fast.mean_response_time()?, 0.5);                      // 1/(4μ − λ) with λ = 2
/// assert_eq!(fast.mean_number_in_system()?, 1.0);
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn fast_server<S: JobSize>(farm: &Farm<S>, discipline: Discipline) -> Result<Performance> {
    let speed = farm.hosts().count() as f64;
    let one = mg1::performance(&farm.one_host(), discipline)?;
    let mut fast = Performance::new(format!("one server of {speed} times the speed, {discipline}"));
    for (metric, Estimate { value, accuracy }) in one.metrics() {
        fast.set(metric, value / speed.powi(order_in_time(metric)), accuracy);
    }
    Ok(fast)
}

/// How often a time is a factor of the metric.
fn order_in_time(metric: Metric) -> i32 {
    match metric {
        Metric::MeanWaitingTime | Metric::MeanResponseTime | Metric::MeanSlowdown | Metric::MeanWaitingSlowdown => 1,
        Metric::SecondMomentWaitingTime | Metric::SecondMomentResponseTime | Metric::VarianceSlowdown => 2,
        Metric::ThirdMomentWaitingTime => 3,
        _ => 0,
    }
}
