//! The two formulas of Erlang.

use super::poisson;
use crate::error::{Error, Result, positive};
use crate::workload::Hosts;

/// Up to so many hosts all states are summed.
const FEW_HOSTS: usize = 64;

/// `B = (aⁿ/n!) / Σ_{k≤n} aᵏ/k!`: Erlang's loss formula.
///
/// The probability that a job of a Poisson stream finds all n hosts busy and is lost, when no job waits. It depends on the
/// job-size law through its mean only (M/G/n/n).
///
/// Arguments: the hosts, and the offered load a = λE\[X\] in erlangs, below or above the number of hosts.
///
/// Cost: some 100 ns, at most some 10 µs for a million hosts near a = n. Accuracy: 1e-14 relative for values near one, 1e-12 down
/// to 1e-300; below the smallest double the result is 0.
///
/// # Errors
/// [`Error::Argument`] unless the offered load is positive and finite.
///
/// Source: A. K. Erlang (1917); evaluated by the ratios of successive states, downwards from n for few hosts or a >= n, upwards
/// from n and with Stirling's formula for P(N = n) otherwise.
///
/// ```
/// use queueing::prelude::*;
/// let lost = multiserver::erlang_b(Hosts::identical(2)?, 1.0)?;
/// assert!((lost - 0.2).abs() < 1e-16);                             // (1/2)/(1 + 1 + 1/2)
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn erlang_b(hosts: Hosts, offered_load: f64) -> Result<f64> {
    let (load, spare) = per_host(hosts, offered_load)?;
    // B = 1/(1+R)
    Ok(1.0 / (1.0 + states_below(hosts.count(), load, spare)))
}

/// `C = B / (1 − ρ(1−B))`, ρ = a/n: Erlang's delay formula.
///
/// The probability that a job waits in the M/M/n queue: Poisson arrivals, exponential sizes, one queue, first come first served.
///
/// Arguments: the hosts, and the offered load a = λE\[X\] in erlangs. For loads very close to n give the spare capacity itself to
/// [`mmn`](super::mmn).
///
/// Cost and accuracy: as [`erlang_b`].
///
/// # Errors
/// [`Error::Argument`] unless the offered load is positive and finite, [`Error::Unstable`] unless it is below the number of hosts.
///
/// Source: A. K. Erlang (1917).
///
/// ```
/// use queueing::prelude::*;
/// let waits = multiserver::erlang_c(Hosts::identical(2)?, 1.0)?;
/// assert!((waits - 1.0 / 3.0).abs() < 1e-16);                      // 0.2/(1 − 0.5·0.8)
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn erlang_c(hosts: Hosts, offered_load: f64) -> Result<f64> {
    let (load, spare) = per_host(hosts, offered_load)?;
    if !(spare > 0.0) {
        return Err(Error::Unstable { load, limit: 1.0 });
    }
    Ok(waiting(hosts.count(), load, spare))
}

/// The load of a host, and one minus it, by the offered load.
fn per_host(hosts: Hosts, offered_load: f64) -> Result<(f64, f64)> {
    positive("offered_load", offered_load)?;
    let n = hosts.count() as f64;
    Ok((offered_load / n, (n - offered_load) / n))
}

/// Erlang C by the load and spare capacity of a host.
pub(super) fn waiting(hosts: usize, load: f64, spare: f64) -> f64 {
    // C = 1/(1 + (1−ρ)R)
    1.0 / (1.0 + spare * states_below(hosts, load, spare))
}

/// `R = Σ_{k<n} (n!/k!) a^{k−n}`, the weight of the states with an idle host over that of the state with n jobs.
///
/// Infinite where it exceeds the largest double.
pub(super) fn states_below(hosts: usize, load: f64, spare: f64) -> f64 {
    let n = hosts as f64;
    let a = n * load;
    if hosts <= FEW_HOSTS || spare <= 0.0 {
        return downwards(n, a);
    }
    // R = P(N < n)/P(N = n) for N Poisson with mean a < n, where P(N < n) = 1 − P(N >= n) is above a third
    let point = poisson::at(n, load, spare);
    (1.0 - point * poisson::tail_over_point(n, a)) / point
}

/// R = n/a + n(n−1)/a² + ... + n!/aⁿ, cut where the rest is below a geometric series that rounding hides.
fn downwards(n: f64, a: f64) -> f64 {
    let inverse = 1.0 / a;
    let (mut sum, mut term, mut k) = (0.0, 1.0, n);
    while k > 0.0 {
        term *= k * inverse;
        sum += term;
        k -= 1.0;
        if term * k <= 0.25 * f64::EPSILON * sum * (a - k) {
            break;
        }
    }
    sum
}
