//! SBCS-CQ: which chain answers, and in which case.

use super::explicit::{self, Rules};
use super::limits::{Policy, limit};
use super::longs::Longs;
use super::never::FixedRoles;
use super::numbers::Numbers;
use super::options::{CentralQueue, Renaming};
use super::renaming::Exchanged;
use super::result::{Classes, CycleStealing, Labels};
use super::shorts::Shorts;
use crate::error::Result;
use crate::markov::BusyPeriod;
use crate::multiserver;
use crate::size::{JobSize, PhaseType};
use crate::workload::{Farm, Hosts, Performance, Workload};

/// SBCS-CQ, cycle stealing from a central queue: a short host takes the first short, a long host the first long or, if none waits, the
/// first short.
///
/// `E[T_L] = E[X] + λE[X²]/2(1−ρ) + E[A(A−1)]/2λE[A]` for the longs, with A the longs present when the long host starts on them;
/// the shorts by the chain of their number and the phase of the long host's work. Gives for each class the mean and second moment of the
/// waiting time, of the response time and of the number in system, both mean slowdowns, P(W > 0); and what the long host does. The second
/// moment of the number of phase-type shorts is `Unavailable` under fixed roles. W does not depend on the job's own size.
///
/// `shorts` and `longs` are Poisson streams of jobs with general sizes; short sizes that are no phase type are replaced by one with the
/// same three moments (two where that takes many phases), hardly variable ones by Erlang laws from which numbers are extrapolated, and
/// labelled so. [`CentralQueue`] holds the hosts (1 to 64 short, 1 to 8 long), the renaming rule and the solver.
/// [`Renaming::Lazy`] has no dimensionality reduction, nor have phase-type shorts with renaming and stealing both ways: without a tolerance
/// these are refined to 1e-6. Several long hosts and stealing both ways need exponential sizes; several long hosts have a reduction where
/// roles are fixed, for the means.
///
/// Cost: see `docs/performance.md`; some 20 µs by default, some ms to 1e-8, seconds for hardly variable shorts with renaming. Accuracy: three moments, see `docs/dr-accuracy.md`; or as
/// asked for.
///
/// # Errors
/// [`Error::Unstable`](crate::Error::Unstable) if neither class is stable; a class that alone is saturated is
/// [`Unstable`](crate::Outcome::Unstable) in the result, with the limit, while the other keeps its numbers.
/// [`Error::Argument`](crate::Error::Argument) for options out of range, for sizes that are not exponential where they must be, and by
/// default for longs without a third moment; [`Error::NoConvergence`](crate::Error::NoConvergence) if the tolerance cannot be reached.
///
/// Source: Osogami (2005), chapter 3, for fixed roles; this crate for the refined solver.
///
/// ```
/// use queueing::prelude::*;
/// use queueing::stealing::CentralQueue;
/// let shorts = Workload::new(1.2, Exponential::with_mean(1.0)?)?;          // more than one host could serve
/// let longs = Workload::new(0.5, Exponential::with_mean(1.0)?)?;
/// let reduced = stealing::central_queue(&shorts, &longs, CentralQueue::default())?;
/// assert!((reduced.shorts().mean_response_time()? - 4.256613883).abs() < 1e-8);      // published method
/// let refined = stealing::central_queue(&shorts, &longs, CentralQueue::default().tolerance(1e-8))?;
/// assert!((refined.shorts().mean_response_time()? - 4.258032374).abs() < 1e-7);      // exact chain
/// assert!((refined.longs().mean_response_time()? - 2.737156723).abs() < 1e-7);       // 2 without stealing
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn central_queue<S: JobSize, L: JobSize>(
    shorts: &Workload<S>,
    longs: &Workload<L>,
    options: CentralQueue,
) -> Result<CycleStealing> {
    options.validate()?;
    let CentralQueue { short_hosts, long_hosts, renaming, both_ways, .. } = options;
    let model = Policy::CentralQueue(renaming).to_string();
    let classes = Classes { shorts, longs, short_hosts, long_hosts, model };
    let single = long_hosts == 1 && !both_ways;
    if !single {
        return explicit::solve(&classes, Rules::Central { renaming, tie: options.tie, both_ways }, options.method);
    }
    classes.require_some_stable(short_hosts as f64)?;
    if !classes.longs_are_stable() {
        return Ok(classes.saturated(own_hosts(shorts, short_hosts)?));
    }
    let short_limit = limit(Policy::CentralQueue(renaming), short_hosts, longs.spare());
    let stable = shorts.load() < short_limit;
    let (mut parts, mut label) = (Vec::new(), longs.size().accuracy());
    for (weight, stream) in Shorts::variants(shorts, short_hosts)? {
        let busy = BusyPeriod::with_spare(longs.rate(), longs.size(), longs.spare())?;
        let (numbers, solution) = match renaming {
            Renaming::Never => FixedRoles { shorts: &stream, longs: Longs::new(longs), busy, tie: options.tie }
                .solve(options.method, stable)?,
            _ => Exchanged::new(&stream, Longs::new(longs), busy, renaming).solve(options.method, stable)?,
        };
        parts.push((weight, numbers));
        label = label.and(stream.accuracy).and(solution);
    }
    let numbers = Numbers::combined(&parts);
    Ok(classes.result(numbers, short_limit, Labels { shorts: label, longs: label }))
}

/// The shorts if no long host ever helps them: M/G/k.
pub(super) fn own_hosts<S: JobSize>(shorts: &Workload<S>, hosts: usize) -> Result<Performance> {
    if hosts == 1 {
        return crate::mg1::fcfs(shorts);
    }
    let stream = Shorts::new(shorts, hosts)?;
    let law: PhaseType = stream.law.clone();
    let queue = multiserver::mphn(&Farm::new(Workload::new(shorts.rate(), law)?, Hosts::identical(hosts)?))?;
    let mut result = Performance::new(queue.model().to_owned());
    for (metric, estimate) in queue.metrics() {
        result.set(metric, estimate.value, estimate.accuracy.and(stream.accuracy));
    }
    Ok(result)
}
