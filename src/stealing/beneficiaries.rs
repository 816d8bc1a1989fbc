//! One donor, several beneficiaries.

use super::central::own_hosts;
use super::immediate::{Donor, Stream};
use super::longs::Longs;
use super::options::ImmediateDispatch;
use super::shorts::Shorts;
use crate::accuracy::Accuracy;
use crate::error::{Error, Result, require};
use crate::markov::BusyPeriod;
use crate::multiserver::Waiting;
use crate::size::JobSize;
use crate::workload::{Estimate, Metric, Outcome, Workload};

/// Several classes of shorts, each with hosts of its own, and a donor.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Beneficiaries {
    /// Each class of shorts, in the order in which they were given.
    pub shorts: Vec<Outcome>,
    /// The donor's own jobs.
    pub longs: Outcome,
    /// P(the donor is idle), the share of each class of shorts that it serves.
    pub donor_idle: Estimate,
}

/// `E[T_i] = π₀E[S_i] + E[N_i]/λ_i`, `π₀ = (1−r_L)/(1+Σr_i)`: SBCS-ID with one donor and several beneficiaries.
///
/// An arrival of any beneficiary's stream that finds the donor idle goes there, any other to the beneficiary's own hosts
/// (`options.short_hosts`, one by default, for each). The donor does not see their queues, so each beneficiary is solved alone; it is
/// stable iff r_i(1−π₀) is below its hosts. The longs wait `λx₂/2(1−r_L) + Σλ_i E[S_i²]/2(1+Σr_i)`.
///
/// Cost: as [`immediate_dispatch`](super::immediate_dispatch), for each. Accuracy: the same; the longs exact.
///
/// # Errors
/// As [`immediate_dispatch`](super::immediate_dispatch); [`Error::Argument`] for no beneficiary and for more than one long host;
/// [`Error::Unstable`] for a saturated donor that no beneficiary could do without.
///
/// Source: M. Harchol-Balter and others, "Cycle stealing under immediate dispatch task assignment" (2003).
///
/// ```
/// use queueing::prelude::*;
/// use queueing::stealing::ImmediateDispatch;
/// let short = Workload::new(0.9, Exponential::with_mean(1.0)?)?;
/// let long = Workload::new(0.5, Exponential::with_mean(1.0)?)?;
/// let farm = stealing::beneficiaries(&vec![short; 20], &long, ImmediateDispatch::default().tolerance(1e-8))?;
/// assert!((farm.shorts[0].mean_response_time()? - 7.9165402233).abs() < 1e-8);        // 10 without the donor
/// assert!((farm.longs.mean_response_time()? - (2.0 + 18.0 / 19.0)).abs() < 1e-14);    // 2 without the beneficiaries
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn beneficiaries<S: JobSize, L: JobSize>(
    shorts: &[Workload<S>],
    longs: &Workload<L>,
    options: ImmediateDispatch,
) -> Result<Beneficiaries> {
    options.validate()?;
    require(!shorts.is_empty(), "beneficiaries", 0.0, "must be at least 1")?;
    let one = "must be 1: several donors are answered for one class of shorts only";
    require(options.long_hosts == 1, "long hosts", options.long_hosts as f64, one)?;
    let hosts = options.short_hosts;
    if !(longs.spare() > 0.0) {
        let alone = |jobs: &Workload<S>| -> Result<Outcome> {
            let limit = hosts as f64;
            Ok(if jobs.load() < limit {
                Outcome::Stable(own_hosts(jobs, hosts)?)
            } else {
                Outcome::Unstable { load: jobs.load(), limit }
            })
        };
        let shorts = shorts.iter().map(alone).collect::<Result<Vec<_>>>()?;
        if !shorts.iter().any(Outcome::is_stable) {
            return Err(Error::Unstable { load: longs.load(), limit: 1.0 });
        }
        let longs = Outcome::Unstable { load: longs.load(), limit: 1.0 };
        return Ok(Beneficiaries { shorts, longs, donor_idle: Estimate { value: 0.0, accuracy: Accuracy::Exact } });
    }
    let streams = shorts.iter().map(|jobs| Shorts::new(jobs, hosts)).collect::<Result<Vec<_>>>()?;
    let donor = Donor {
        longs: Longs::new(longs),
        busy: BusyPeriod::with_spare(longs.rate(), longs.size(), longs.spare())?,
        streams: streams.iter().map(Stream::of).collect(),
    };
    let idle = donor.idle();
    let mut outcomes = Vec::with_capacity(shorts.len());
    for (jobs, stream) in shorts.iter().zip(&streams) {
        let limit = hosts as f64 / (1.0 - idle);
        if stream.load >= limit {
            outcomes.push(Outcome::Unstable { load: stream.load, limit });
            continue;
        }
        // Equal beneficiaries have equal answers.
        let known = shorts.iter().zip(&outcomes).find(|(other, _)| other.rate() == jobs.rate() && same(*other, jobs));
        if let Some((_, outcome)) = known {
            outcomes.push(outcome.clone());
            continue;
        }
        let (numbers, solution) = donor.solve(stream, options.method)?;
        let accuracy = stream.accuracy.and(solution).and(longs.size().accuracy());
        let waiting = Waiting { mean: numbers.short_waiting, second: None, probability: Some(numbers.short_delayed) };
        let mut performance = waiting.of_class(jobs, "SBCS-ID", accuracy);
        if let Some(square) = numbers.short_number_square {
            performance.set(Metric::SecondMomentNumberInSystem, square, accuracy);
        }
        outcomes.push(Outcome::Stable(performance));
    }
    let exact = shorts.iter().map(|jobs| jobs.size().accuracy()).fold(longs.size().accuracy(), Accuracy::and);
    let [mean, square] = donor.waiting();
    let waiting = Waiting { mean, second: Some(square), probability: Some(donor.busy_share()) };
    let longs = Outcome::Stable(waiting.of_class(longs, "SBCS-ID", exact));
    Ok(Beneficiaries { shorts: outcomes, longs, donor_idle: Estimate { value: idle, accuracy: exact } })
}

/// Whether two streams of one rate have sizes of the same first three moments and the same phases, and so the same answer here.
fn same<S: JobSize>(a: &Workload<S>, b: &Workload<S>) -> bool {
    a.size().phase_type() == b.size().phase_type()
        && [-1.0, 1.0, 2.0, 3.0].iter().all(|&r| a.size().moment(r) == b.size().moment(r))
}
