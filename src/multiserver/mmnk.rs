//! Exponential sizes, n hosts, and room for no more than K jobs.

use super::erlang;
use crate::accuracy::Accuracy;
use crate::error::{Result, require};
use crate::size::Exponential;
use crate::workload::{Farm, Metric, Performance};

/// `p_K = ρ^{K−n} pₙ`: the M/M/n/K queue, which turns away the jobs that find K others in the system.
///
/// Any load has a steady state. Gives the probability that a job is turned away; then, for the jobs that are accepted, the mean
/// waiting and response time and P(W > 0); and for the system the mean number in it and the utilisation of a host, ρ(1−p_K).
/// With `capacity` = n no job waits and the loss is Erlang's B; as it grows below load one the queue becomes [`mmn`](super::mmn).
///
/// Arguments: the farm with all jobs that are offered, and the capacity K >= n, the hosts included.
///
/// Cost: that of [`mmn`](super::mmn), whatever the capacity. Accuracy: 1e-13 relative for values near one and 1e-12 down to 1e-300,
/// also near load one.
///
/// # Errors
/// [`Error::Argument`](crate::Error::Argument) unless the capacity is at least the number of hosts and the load is finite.
///
/// Source: D. Gross, J. Shortle, J. Thompson and C. Harris, "Fundamentals of Queueing Theory" (2008), section 2.5.
///
/// ```
/// use queueing::prelude::*;
/// let farm = Farm::with_load(Exponential::with_mean(1.0)?, Hosts::identical(1)?, 1.0)?;
/// let queue = multiserver::mmnk(&farm, 4)?;                        // 0, ..., 4 jobs are equally likely
/// assert!((queue.probability_of_blocking()? - 0.2).abs() < 1e-15);
/// assert!((queue.mean_number_in_system()? - 2.0).abs() < 1e-15);
/// assert!((queue.mean_waiting_time()? - 1.5).abs() < 1e-15);       // an accepted job finds 0, ..., 3
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn mmnk(farm: &Farm<Exponential>, capacity: usize) -> Result<Performance> {
    let (hosts, rho, lambda, m) = (farm.hosts().count(), farm.load(), farm.jobs().rate(), farm.jobs().mean_size());
    require(capacity >= hosts, "capacity", capacity as f64, "must be at least the number of hosts")?;
    require(rho.is_finite(), "load", rho, "must be finite")?;
    let room = (capacity - hosts) as f64;
    let states = States::of(hosts, room, rho, farm.spare());
    // E[busy hosts] = a(1−p_K), E[N] = E[L_q] + E[busy hosts], and Little's law for the accepted jobs
    let busy = rho * states.accepting;
    let queue = states.mean_queue;
    let waiting = queue / (lambda * states.accepting);
    let mut result = Performance::new("M/M/n/K FCFS");
    for (metric, value) in [
        (Metric::MeanWaitingTime, waiting),
        (Metric::MeanResponseTime, waiting + m),
        (Metric::MeanNumberInSystem, queue + hosts as f64 * busy),
        (Metric::ProbabilityOfWaiting, states.delaying / states.accepting),
        (Metric::Utilisation, busy),
        (Metric::ProbabilityOfBlocking, states.blocking),
    ] {
        result.set(metric, value, Accuracy::Exact);
    }
    Ok(result)
}

/// What an arriving job finds.
struct States {
    /// P(N = K)
    blocking: f64,
    /// P(N < K)
    accepting: f64,
    /// P(n <= N < K)
    delaying: f64,
    /// E[(N−n)⁺]
    mean_queue: f64,
}

impl States {
    /// With room for J = K − n waiting jobs. All terms are positive; powers are taken of whichever of ρ and 1/ρ is below one.
    fn of(hosts: usize, room: f64, rho: f64, spare: f64) -> Self {
        let below = erlang::states_below(hosts, rho, spare);
        // Weights of {N < n} and {N = n}, scaled to sum to one: either may be tiny
        let (idle, full) = (1.0 / (1.0 + 1.0 / below), 1.0 / (1.0 + below));
        // x = |ln ρ|
        let x = if spare.abs() < 0.5 { (-spare).ln_1p().abs() } else { rho.ln().abs() };
        let (delayed, last) = (geometric_sum(room, x), (-room * x).exp());
        if spare >= 0.0 {
            // Weight of {N = n+j}: full·ρʲ
            let total = idle + full * (delayed + last);
            Self {
                blocking: full * last / total,
                accepting: (idle + full * delayed) / total,
                delaying: full * delayed / total,
                mean_queue: full * (delayed + last) / total * geometric_mean(room, x),
            }
        } else {
            // The same over ρᴶ: {N = K−i} has weight full·ρ⁻ⁱ
            let (rest, delayed) = (idle * last, full * (-x).exp() * delayed);
            let total = rest + delayed + full;
            Self {
                blocking: full / total,
                accepting: (rest + delayed) / total,
                delaying: delayed / total,
                mean_queue: (delayed + full) / total * (room - geometric_mean(room, x)),
            }
        }
    }
}

/// Σ_{j<J} e^{−jx} for x >= 0.
fn geometric_sum(terms: f64, x: f64) -> f64 {
    if x == 0.0 { terms } else { (-terms * x).exp_m1() / (-x).exp_m1() }
}

/// B₂ₖ/(2k)! for k = 1, 2, ...: the coefficients of 1/(eˣ−1) = 1/x − 1/2 + Σ_k B₂ₖ x^{2k−1}/(2k)!.
const BERNOULLI: [f64; 11] = [
    1.0 / 12.0,
    -1.0 / 720.0,
    1.0 / 30240.0,
    -1.0 / 1209600.0,
    1.0 / 47900160.0,
    -691.0 / 1307674368000.0,
    1.0 / 74724249600.0,
    -3617.0 / 10670622842880000.0,
    43867.0 / 5109094217170944000.0,
    -174611.0 / 802857662698291200000.0,
    77683.0 / 14101100039391805440000.0,
];

/// Σ_{j<=J} j e^{−jx} / Σ_{j<=J} e^{−jx} for x >= 0, the mean of a geometric law cut after J.
fn geometric_mean(last: f64, x: f64) -> f64 {
    let n = last + 1.0;
    if n * x >= 1.0 {
        // 1/(eˣ−1) − n/(eⁿˣ−1)
        let cut = n / (n * x).exp_m1();
        return 1.0 / x.exp_m1() - cut;
    }
    // The same term by term: (n−1)/2 − Σ_k B₂ₖ/(2k)! (n^{2k}−1) x^{2k−1}
    let (y, mut value, mut own, mut scaled) = (n * x, last / 2.0, x, n * n * x);
    for coefficient in BERNOULLI {
        value -= coefficient * (scaled - own);
        own *= x * x;
        scaled *= y * y;
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn geometric_means_are_those_of_the_sums() {
        for last in [0, 1, 2, 5, 40] {
            for x in [0.0, 1e-9, 1e-3, 0.02, 0.0243, 0.2, 0.49, 0.51, 1.0, 3.0] {
                let weights = || (0..=last).map(|j| (f64::from(j), (-f64::from(j) * x).exp()));
                let total: f64 = weights().map(|(_, weight)| weight).sum();
                let mean = weights().map(|(j, weight)| j * weight).sum::<f64>() / total;
                assert!((geometric_mean(f64::from(last), x) - mean).abs() <= 4e-15 * mean, "{last} {x}");
                assert!(
                    (geometric_sum(f64::from(last), x) + (-f64::from(last) * x).exp() - total).abs() <= 1e-14 * total
                );
            }
        }
    }
}
