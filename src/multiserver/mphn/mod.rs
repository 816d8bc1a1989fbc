//! Poisson arrivals, phase-type sizes, n hosts, one queue: exact.

mod occupancy;
mod service;

use super::independent::Waiting;
use super::stable;
use crate::accuracy::Accuracy;
use crate::error::{Result, require};
use crate::markov::Qbd;
use crate::mg1;
use crate::size::PhaseType;
use crate::workload::{Farm, Performance};
pub(crate) use service::Service;

/// The most states of a level: the chain's matrices take their square.
const MOST_STATES: usize = 400;

/// The M/PH/n queue under first come, first served, by its chain: `E[W] = E[(N−n)⁺]/λ`.
///
/// The level of the chain is the number in system, the phase how many of the busy hosts are in each phase of the size. Gives the mean
/// and second moment of the waiting time W, the mean and second moment of the response time T = W + X, both mean slowdowns with their
/// variance (W is independent of the job's own size), the mean number in system λE\[T\], P(W > 0), and the utilisation. With one host
/// this is [`mg1::fcfs`](crate::mg1::fcfs).
///
/// Cost: levels of C(n+m−1, m−1) states for m phases, whose matrices are inverted n times: 0.16 ms for ten hosts and two phases, 24 ms
/// for a hundred. Accuracy: labelled `Numerical` with four times the residual of the balance equations for each host, over
/// 1 − (spectral radius of R).
///
/// # Errors
/// [`Error::Unstable`](crate::Error::Unstable) at load one or more per host; [`Error::Argument`](crate::Error::Argument) for more than
/// 400 states a level.
///
/// Source: M. Neuts, "Matrix-Geometric Solutions in Stochastic Models" (1981); moments of W by the distributional form of Little's law.
///
/// ```
/// use queueing::prelude::*;
/// // Erlang-2 sizes of mean 1 on two hosts at load 0.8: E[W] = 247/184.
/// let size = PhaseType::erlang(2, 1.0)?;
/// let queue = multiserver::mphn(&Farm::with_load(size, Hosts::identical(2)?, 0.8)?)?;
/// assert!((queue.mean_waiting_time()? - 247.0 / 184.0).abs() < 1e-12);
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn mphn(farm: &Farm<PhaseType>) -> Result<Performance> {
    stable(farm)?;
    let (jobs, size, hosts) = (farm.jobs(), farm.jobs().size(), farm.hosts().count());
    if hosts == 1 {
        return mg1::fcfs(&farm.one_host());
    }
    let states = states(hosts, size.phases());
    let requirement = "must be at most 400: fewer hosts, or fewer phases";
    require(states <= MOST_STATES as f64, "states of a level", states, requirement)?;
    // Jobs of size 0 occupy no host: the others are a stream of their own, and all wait alike.
    let lambda = jobs.rate() * (1.0 - size.mass_at_zero());
    let solved = chain(size, hosts, lambda)?.solve()?;
    // Rounding of the rates is magnified by 1/(1 − radius), and a little more by each host.
    let rounding = solved.residual().max(f64::EPSILON) * 4.0 * hosts as f64;
    let accuracy = Accuracy::Numerical { relative_error: rounding / (1.0 - solved.spectral_radius()) };
    // Little's law for the queue: E[W] = E[L]/λ, E[W²] = E[L(L−1)]/λ² with L = (N−n)⁺
    let [queue, pairs] = solved.excess_moments(hosts);
    let waiting = Waiting {
        mean: queue / lambda,
        second: Some(pairs / lambda / lambda),
        probability: Some(solved.level_tail(hosts - 1)),
    };
    Ok(waiting.performance(farm, "M/PH/n FCFS", accuracy))
}

/// C(n+m−1, m−1), the ways in which n busy hosts spread over m phases.
pub(crate) fn states(hosts: usize, phases: usize) -> f64 {
    (1..phases).fold(1.0, |ways, i| ways * (hosts + i) as f64 / i as f64)
}

/// Whether [`mphn`] takes on so many hosts with so many phases.
pub(crate) fn is_small(hosts: usize, phases: usize) -> bool {
    states(hosts, phases) <= MOST_STATES as f64
}

fn chain(size: &PhaseType, hosts: usize, lambda: f64) -> Result<Qbd> {
    let service = Service::new(size, hosts);
    Qbd::from_rates(
        hosts,
        |level| service.states(level),
        |level, state| {
            let mut out = Vec::new();
            service.arrivals(level, state, |p, to| out.push((lambda * p, level + 1, to)));
            service.moves(level, state, |rate, to_level, to| out.push((rate, to_level, to)));
            out
        },
    )
}
