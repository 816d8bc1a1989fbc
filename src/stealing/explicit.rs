//! Exponential sizes on any number of hosts: the chain with every job in its place, cut off at many longs.
//!
//! Levels are shorts, so that these are exact; longs beyond a number are turned away, and that number grows until it does not matter.

use super::numbers::Numbers;
use super::options::Method;
use super::result::{Classes, CycleStealing, Labels};
pub(super) use super::rules::Rules;
use super::rules::State;
use super::several;
use super::shorts::require_small;
use crate::accuracy::{Accuracy, Assumption};
use crate::error::{Error, Result, require};
use crate::markov::{Qbd, QbdSolution};
use crate::multiserver;
use crate::size::{Exponential, JobSize};
use crate::workload::{Farm, Hosts, Performance, Workload};
use std::collections::BTreeSet;

/// From one truncation to the next.
const GROWTH: f64 = 1.35;

/// Truncations tried at most.
const CAP: usize = 12;

/// Rates and hosts of the two classes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rates {
    pub short: f64,
    pub long: f64,
    /// μ_S and μ_L.
    pub short_service: f64,
    pub long_service: f64,
    pub short_hosts: usize,
    pub long_hosts: usize,
}

pub(super) fn solve<S: JobSize, L: JobSize>(
    classes: &Classes<'_, S, L>,
    rules: Rules,
    method: Method,
) -> Result<CycleStealing> {
    let rates = Rates {
        short: classes.shorts.rate(),
        long: classes.longs.rate(),
        short_service: exponential("phases of the shorts' sizes", classes.shorts.size())?,
        long_service: exponential("phases of the longs' sizes", classes.longs.size())?,
        short_hosts: classes.short_hosts,
        long_hosts: classes.long_hosts,
    };
    let (k, c) = (classes.short_hosts as f64, classes.long_hosts as f64);
    let (short_load, long_load) = (classes.shorts.load(), classes.longs.load());
    let tolerance = method.tolerance();
    if long_load >= c && !(rules.is_both_ways() && short_load + long_load < k + c) {
        classes.require_some_stable(k)?;
        return if rules.is_both_ways() {
            let (shorts, helped) = of_mirror(classes, rules, tolerance, rates)?;
            Ok(classes.saturated_with(shorts, helped, k + c - short_load))
        } else {
            Ok(classes.saturated(own_hosts(classes.shorts, rates)?))
        };
    }
    let limit = match rules {
        // Their own hosts alone keep up: the limit is beyond.
        Rules::Immediate if short_load < k => k,
        Rules::Immediate => immediate_limit(rates)?,
        Rules::Central { .. } => k + c - long_load,
    };
    if method == Method::Reduction
        && rules == Rules::FIXED
        && let Some(numbers) = several::reduced(&rates, short_load < limit)?
    {
        let label = Accuracy::Approximate { assumption: Assumption::ThreeMoments };
        return Ok(classes.result(numbers, limit, Labels { shorts: label, longs: label }));
    }
    let (numbers, error) = refine(rates, rules, short_load < limit, tolerance)?;
    let label = Accuracy::Numerical { relative_error: error };
    Ok(classes.result(numbers, limit, Labels { shorts: label, longs: label }))
}

/// The rate of exponential sizes.
fn exponential<S: JobSize>(name: &'static str, law: &S) -> Result<f64> {
    let phases = law.phase_type().map_or(f64::INFINITY, |law| law.phases() as f64);
    require(
        phases == 1.0,
        name,
        phases,
        "must be 1: several long hosts and stealing both ways need exponential sizes",
    )?;
    Ok(1.0 / law.mean())
}

/// M/M/k.
fn own_hosts<S: JobSize>(shorts: &Workload<S>, rates: Rates) -> Result<Performance> {
    let jobs = Workload::new(shorts.rate(), Exponential::with_mean(1.0 / rates.short_service)?)?;
    multiserver::mmn(&Farm::new(jobs, Hosts::identical(rates.short_hosts)?))
}

/// The shorts while longs wait without end at both kinds of hosts, and the mean number of short hosts that serve longs: the same model
/// with the classes exchanged.
fn of_mirror<S: JobSize, L: JobSize>(
    classes: &Classes<'_, S, L>,
    rules: Rules,
    tolerance: f64,
    rates: Rates,
) -> Result<(Performance, f64)> {
    let mirror = Rates {
        short: rates.long,
        long: rates.short,
        short_service: rates.long_service,
        long_service: rates.short_service,
        short_hosts: rates.long_hosts,
        long_hosts: rates.short_hosts,
    };
    let (numbers, error) = refine(mirror, rules, false, tolerance)?;
    let waiting = multiserver::Waiting {
        mean: numbers.long_waiting,
        second: numbers.long_waiting_square,
        probability: Some(numbers.long_delayed),
    };
    let shorts = waiting.of_class(classes.shorts, classes.model.clone(), Accuracy::Numerical { relative_error: error });
    Ok((shorts, numbers.helping))
}

/// The chain, cut off at more and more longs until two successive solutions agree.
fn refine(rates: Rates, rules: Rules, stable: bool, tolerance: f64) -> Result<(Numbers, f64)> {
    let hosts = (rates.short_hosts + rates.long_hosts) as f64;
    // Longs queue behind longs at the first ratio, behind shorts at the second.
    let capacity = match rules {
        Rules::Central { both_ways: true, .. } => {
            (hosts - rates.short / rates.short_service).max(rates.long_hosts as f64)
        }
        _ => rates.long_hosts as f64,
    };
    let behind_longs = rates.long / rates.long_service / capacity;
    let behind_shorts = rates.long / (rates.long + rates.long_hosts as f64 * rates.short_service);
    let ratio = behind_longs.max(behind_shorts).min(1.0 - 1e-6);
    // Second moments of the waiting time need two longs that wait, however rare they are.
    let mut most = rates.long_hosts + 2 + ((0.1 * tolerance).ln() / ratio.ln()) as usize;
    let mut last = numbers(rates, rules, most, stable)?;
    let mut error = f64::INFINITY;
    for _ in 0..CAP {
        // More by one at least: equal truncations agree whatever they miss.
        most = ((GROWTH * most as f64) as usize).max(most + 1);
        let next = numbers(rates, rules, most, stable)?;
        error = next.distance(&last);
        if error <= tolerance {
            return Ok((next, error.max(4.0 * f64::EPSILON)));
        }
        last = next;
    }
    Err(Error::NoConvergence { what: "truncation of the longs", iterations: CAP, residual: error })
}

/// Level: all shorts. Phases: where the jobs in service are, and the longs that wait.
struct Chain {
    rates: Rates,
    rules: Rules,
    /// The states of each level up to the first repeating one, in the order of their places.
    levels: Vec<Vec<State>>,
}

impl Chain {
    fn new(rates: Rates, rules: Rules, most_longs: usize) -> Result<Self> {
        // With a short more than hosts, at least one waits whatever the hosts do.
        let repeating = rates.short_hosts + rates.long_hosts + 1;
        let mut found: Vec<BTreeSet<State>> = vec![BTreeSet::new(); repeating + 2];
        let mut left = vec![(0, State::default())];
        found[0].insert(State::default());
        while let Some((level, state)) = left.pop() {
            for (_, to, next) in rules.transitions(&rates, level, state, most_longs) {
                if to < found.len() && found[to].insert(next) {
                    require_small(found[to].len())?;
                    left.push((to, next));
                }
            }
        }
        Ok(Self { rates, rules, levels: found.into_iter().map(|states| states.into_iter().collect()).collect() })
    }

    fn states(&self, level: usize) -> &[State] {
        &self.levels[level.min(self.levels.len() - 1)]
    }

    fn qbd(&self, most_longs: usize) -> Result<Qbd> {
        let repeating = self.rates.short_hosts + self.rates.long_hosts + 1;
        Qbd::from_rates(
            repeating,
            |level| self.states(level).len(),
            |level, at| {
                let state = self.states(level)[at];
                let found = self.rules.transitions(&self.rates, level, state, most_longs);
                // Every state that can be reached was found.
                found
                    .into_iter()
                    .filter_map(|(rate, to, next)| Some((rate, to, self.states(to).binary_search(&next).ok()?)))
            },
        )
    }
}

fn numbers(rates: Rates, rules: Rules, most_longs: usize, stable: bool) -> Result<Numbers> {
    let chain = Chain::new(rates, rules, most_longs)?;
    let qbd = chain.qbd(most_longs)?;
    let first = qbd.first_repeating();
    // E[f] for f quadratic in the level, or over the phases of a saturated chain.
    let solved = if stable { Some(qbd.solve()?) } else { None };
    let saturated = if stable { Vec::new() } else { qbd.saturated_phases()? };
    let mean = |f: &dyn Fn(usize, &State) -> f64| match &solved {
        Some(solved) => solved.mean_of_quadratic(|level, at| f(level, &chain.states(level)[at])),
        None => saturated.iter().enumerate().map(|(at, p)| p * f(first + 1, &chain.states(first + 1)[at])).sum(),
    };
    let (c, is_fcfs) = (rates.long_hosts as f64, rules != Rules::Immediate);
    let pairs = |n: f64| n * (n - 1.0);
    let waiting_shorts = |level: usize, state: &State| state.waiting_shorts(level) as f64;
    let longs = |state: &State| state.longs() as f64;
    let waits = |short: bool| mean(&|level, state| if rules.starts(&rates, level, *state, short) { 0.0 } else { 1.0 });
    let of_shorts = |value: f64| if stable { value } else { f64::INFINITY };
    Ok(Numbers {
        short_waiting: of_shorts(mean(&waiting_shorts) / rates.short),
        short_waiting_square: is_fcfs
            .then(|| of_shorts(mean(&|level, state| pairs(waiting_shorts(level, state))) / rates.short / rates.short)),
        short_number_square: Some(of_shorts(mean(&|level, _| (level * level) as f64))),
        short_delayed: waits(true),
        helping: mean(&|_, state| state.shorts_on_long as f64),
        helped: mean(&|_, state| state.longs_on_short as f64),
        idle: mean(&|_, state| c - (state.shorts_on_long + state.longs_on_long) as f64) / c,
        long_waiting: mean(&|_, state| state.waiting_longs as f64) / rates.long,
        long_waiting_square: Some(mean(&|_, state| pairs(state.waiting_longs as f64)) / rates.long / rates.long),
        long_number_square: Some(mean(&|_, state| longs(state) * longs(state))),
        long_delayed: waits(false),
        check: solved.as_ref().map_or(0.0, QbdSolution::rounding),
    })
}

/// The short load up to which SBCS-ID keeps up with several long hosts, which do not see the queue of the shorts.
fn immediate_limit(rates: Rates) -> Result<f64> {
    let k = rates.short_hosts as f64;
    // P(all long hosts busy), by PASTA the share of shorts that go to the short hosts, grows with the load of the shorts.
    let sent = |load: f64| -> Result<f64> {
        let rates = Rates { short: load * rates.short_service, short_hosts: 1, ..rates };
        let (numbers, _) = refine(rates, Rules::Immediate, false, 1e-9)?;
        Ok(load * numbers.short_delayed)
    };
    let (mut low, mut high) = (k, k + rates.long_hosts as f64);
    for _ in 0..30 {
        let middle = 0.5 * (low + high);
        if sent(middle)? < k { low = middle } else { high = middle }
    }
    Ok(0.5 * (low + high))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stealing::{Renaming, Tie};

    #[test]
    fn one_host_each_against_the_closed_form() {
        // SBCS-ID at loads 0.5: E[T_L] = 1 + 0.5·2/(2·0.5) + 0.5·2/(2·1.5) = 2 + 1/3.
        let rates =
            Rates { short: 0.5, long: 0.5, short_service: 1.0, long_service: 1.0, short_hosts: 1, long_hosts: 1 };
        let (numbers, _) = refine(rates, Rules::Immediate, true, 1e-10).unwrap();
        assert!((numbers.long_waiting - 4.0 / 3.0).abs() < 1e-9);
        assert!((numbers.idle - 1.0 / 3.0).abs() < 1e-10);
        let never = Rules::Central { renaming: Renaming::Never, tie: Tie::ShortHost, both_ways: false };
        let (numbers, _) = refine(rates, never, true, 1e-10).unwrap();
        assert!((numbers.short_waiting - 0.31561620646927).abs() < 1e-9);
    }
}
