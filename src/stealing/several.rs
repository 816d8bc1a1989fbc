//! SBCS-CQ with fixed roles and several long hosts, exponential sizes: dimensionality reduction.
//!
//! With c or more longs the long hosts that serve shorts, u of them, and the number of longs are a chain of their own, independent of the
//! shorts at the short hosts. Its passages from c longs to c − 1, by u at entry and exit, become phase types with the same probabilities
//! and three moments.

use super::explicit::Rates;
use super::numbers::Numbers;
use super::periods::Periods;
use crate::error::Result;
use crate::markov::{FirstPassage, Qbd, QbdSolution};
use nalgebra::{DMatrix, DVector};

/// The passages, and which of them are kinds of periods.
struct Passages {
    periods: Periods,
    /// Entry and exit phase of each kind of period, and its probability given the entry.
    kinds: Vec<(usize, usize, f64)>,
    /// E\[∫ longs dt\] during the passage, by entry phase.
    area: Vec<f64>,
}

/// What the long hosts do.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Background {
    /// Fewer longs than long hosts, and so many shorts on long hosts.
    Few { longs: usize, shorts: usize },
    /// At least as many longs as long hosts, in this phase of a passage.
    Away(usize),
}

/// `None` where a passage has no phase type of few phases.
pub(super) fn reduced(rates: &Rates, stable: bool) -> Result<Option<Numbers>> {
    let Some(passages) = passages(rates)? else { return Ok(None) };
    Chain { rates, passages }.numbers(stable).map(Some)
}

fn passages(rates: &Rates) -> Result<Option<Passages>> {
    let c = rates.long_hosts;
    // Level: longs beyond c − 1. Phase u: a freed host takes a waiting long.
    let chain = Qbd::from_rates(
        1,
        |_| c + 1,
        |level, u| {
            let mut out =
                vec![(rates.long, level + 1, u), (u as f64 * rates.short_service, level, u.saturating_sub(1))];
            if level > 0 {
                out.push(((c - u) as f64 * rates.long_service, level - 1, u));
            } else if u == 0 {
                // Level 0 only closes the chain.
                out.push((rates.short_service, 0, c));
            }
            out
        },
    )?;
    let passage = chain.first_passage(1)?;
    let (mut kinds, mut moments) = (Vec::new(), Vec::new());
    for (entry, exit) in (0..=c).flat_map(|entry| (0..=entry).map(move |exit| (entry, exit))) {
        let probability = passage.g[(entry, exit)];
        if probability > 0.0 {
            kinds.push((entry, exit, probability));
            moments.push(passage.conditional(entry, exit));
        }
    }
    let area = area(rates, &chain, &passage);
    Ok(Periods::matched(&moments)?.map(|periods| Passages { periods, kinds, area }))
}

/// −(A1 + A0 + A0G)a = c1 + A0τ with τ = M₁1: the integral of the number of longs over a passage.
fn area(rates: &Rates, chain: &Qbd, passage: &FirstPassage) -> Vec<f64> {
    let blocks = chain.blocks(2);
    let (n, c) = (rates.long_hosts + 1, rates.long_hosts as f64);
    let time = DVector::from_iterator(n, passage.moments[0].row_iter().map(|row| row.sum()));
    let matrix: DMatrix<f64> = -(&blocks.local + &blocks.up + &blocks.up * &passage.g);
    let right = &blocks.up * time + DVector::from_element(n, c);
    matrix.lu().solve(&right).map_or_else(|| vec![f64::INFINITY; n], |area| area.iter().copied().collect())
}

struct Chain<'a> {
    rates: &'a Rates,
    passages: Passages,
}

impl Chain<'_> {
    /// Longs on long hosts, and longs that wait.
    fn service(&self, longs: usize, shorts: usize) -> (usize, usize) {
        let served = longs.min(self.rates.long_hosts - shorts);
        (served, longs - served)
    }

    /// The number of shorts on long hosts from which on all are busy: with shorts in the queue they are.
    fn least(&self, level: usize, longs: usize) -> usize {
        if level > self.rates.short_hosts { self.rates.long_hosts - longs } else { 0 }
    }

    fn few(&self, level: usize) -> usize {
        (0..self.rates.long_hosts).map(|longs| self.rates.long_hosts + 1 - self.least(level, longs)).sum()
    }

    fn phases(&self, level: usize) -> usize {
        self.few(level) + self.passages.periods.phases()
    }

    fn background(&self, level: usize, mut at: usize) -> Background {
        for longs in 0..self.rates.long_hosts {
            let least = self.least(level, longs);
            let width = self.rates.long_hosts + 1 - least;
            if at < width {
                return Background::Few { longs, shorts: least + at };
            }
            at -= width;
        }
        Background::Away(at)
    }

    fn index(&self, level: usize, background: Background) -> usize {
        match background {
            Background::Few { longs, shorts } => {
                let before: usize = (0..longs).map(|longs| self.rates.long_hosts + 1 - self.least(level, longs)).sum();
                before + shorts - self.least(level, longs)
            }
            Background::Away(phase) => self.few(level) + phase,
        }
    }

    /// (rate, level, background, whether a short starts on a long host) of the transitions. Level: shorts that wait or are at the short
    /// hosts.
    fn transitions(&self, level: usize, background: Background) -> Vec<(f64, usize, Background, bool)> {
        let Rates { short, long, short_service, long_service, short_hosts: k, long_hosts: c } = *self.rates;
        let periods = &self.passages.periods;
        let mut out = Vec::new();
        if level > 0 {
            out.push((short_service * level.min(k) as f64, level - 1, background, false));
        }
        match background {
            Background::Few { longs, shorts } => {
                let (served, waiting) = self.service(longs, shorts);
                let with = |longs, shorts| Background::Few { longs, shorts };
                if level >= k && shorts + served < c {
                    out.push((short, level, with(longs, shorts + 1), true));
                } else {
                    out.push((short, level + 1, background, false));
                }
                if longs + 1 < c {
                    out.push((long, level, with(longs + 1, shorts), false));
                } else {
                    for (kind, (_, _, probability)) in self.kinds_from(shorts) {
                        let starts = periods.start(kind);
                        out.extend(starts.map(|(w, i)| (long * probability * w, level, Background::Away(i), false)));
                    }
                }
                // A host that ends a job takes a waiting long, else a waiting short.
                let ends_short = short_service * shorts as f64;
                let ends_long = long_service * served as f64;
                if shorts > 0 {
                    let takes_short = waiting == 0 && level > k;
                    out.push(if takes_short {
                        (ends_short, level - 1, background, true)
                    } else {
                        (ends_short, level, with(longs, shorts - 1), false)
                    });
                }
                if served > 0 {
                    out.push(if waiting == 0 && level > k {
                        (ends_long, level - 1, with(longs - 1, shorts + 1), true)
                    } else {
                        (ends_long, level, with(longs - 1, shorts), false)
                    });
                }
            }
            Background::Away(phase) => {
                out.push((short, level + 1, background, false));
                out.extend(periods.changes(phase).map(|(rate, to)| (rate, level, Background::Away(to), false)));
                let exit = self.exit_of(phase);
                let last = Background::Few { longs: c - 1, shorts: exit };
                let end = periods.exit(phase);
                out.push(if exit == 0 && level > k {
                    (end, level - 1, Background::Few { longs: c - 1, shorts: 1 }, true)
                } else {
                    (end, level, last, false)
                });
            }
        }
        out
    }

    fn kinds_from(&self, entry: usize) -> impl Iterator<Item = (usize, (usize, usize, f64))> + '_ {
        self.passages.kinds.iter().copied().enumerate().filter(move |(_, kind)| kind.0 == entry)
    }

    /// The exit of the passage that a phase belongs to.
    fn exit_of(&self, phase: usize) -> usize {
        let kinds = self.passages.kinds.iter().enumerate();
        let first = |kind: usize| self.passages.periods.start(kind).map(|(_, phase)| phase).min().unwrap_or(0);
        kinds.take_while(|(kind, _)| first(*kind) <= phase).last().map_or(0, |(_, kind)| kind.1)
    }

    fn numbers(&self, stable: bool) -> Result<Numbers> {
        let rates = self.rates;
        let (k, c) = (rates.short_hosts, rates.long_hosts);
        let chain = Qbd::signed_from_rates(
            k + 1,
            |level| self.phases(level),
            |level, at| {
                let out = self.transitions(level, self.background(level, at));
                out.into_iter().map(move |(rate, to, next, _)| (rate, to, self.index(to, next)))
            },
        )?;
        let solved = if stable { Some(chain.solve_signed()?) } else { None };
        let saturated = if stable { Vec::new() } else { chain.saturated_phases()? };
        let mean = |f: &dyn Fn(usize, Background) -> f64| match &solved {
            Some(solved) => solved.mean_of(|level, at| f(level, self.background(level, at))),
            None => saturated.iter().enumerate().map(|(at, p)| p * f(k + 2, self.background(k + 2, at))).sum(),
        };
        let starts = |level: usize, background: Background| {
            let found = self.transitions(level, background).into_iter();
            found.filter(|transition| transition.3).map(|transition| transition.0).sum::<f64>()
        };
        let idle_hosts = |background: Background| match background {
            Background::Few { longs, shorts } => c - shorts - self.service(longs, shorts).0,
            Background::Away(_) => 0,
        };
        let longs = |_: usize, background: Background| match background {
            Background::Few { longs, shorts } if longs + 1 == c => {
                longs as f64 + rates.long * self.passages.area[shorts]
            }
            Background::Few { longs, .. } => longs as f64,
            Background::Away(_) => 0.0,
        };
        let share = |holds: bool| if holds { 1.0 } else { 0.0 };
        let short_starts = mean(&|level, background| share(level < k || idle_hosts(background) > 0));
        let [queue, pairs] = solved.as_ref().map_or([f64::INFINITY; 2], |solved| solved.excess_moments(k));
        Numbers {
            short_waiting: queue / rates.short,
            short_waiting_square: Some(pairs / rates.short / rates.short),
            short_delayed: 1.0 - short_starts,
            helping: mean(&starts) / rates.short_service,
            idle: mean(&|_, background| idle_hosts(background) as f64) / c as f64,
            long_waiting: mean(&longs) / rates.long - 1.0 / rates.long_service,
            long_delayed: 1.0 - mean(&|_, background| share(idle_hosts(background) > 0)),
            check: solved.as_ref().map_or(0.0, QbdSolution::rounding),
            ..Numbers::default()
        }
        .sound()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn responses(rates: &Rates) -> (f64, f64) {
        let numbers = reduced(rates, true).unwrap().unwrap();
        (numbers.short_waiting + 1.0 / rates.short_service, numbers.long_waiting + 1.0 / rates.long_service)
    }

    #[test]
    fn one_long_host_is_the_model_of_one() {
        let rates =
            Rates { short: 0.9, long: 0.5, short_service: 1.0, long_service: 1.0, short_hosts: 1, long_hosts: 1 };
        let (short, long) = responses(&rates);
        assert!((short - 2.0982940532090).abs() < 1e-10 && (long - 2.4925152607330).abs() < 1e-10, "{short} {long}");
    }

    /// E[T_S] and E[T_L] of this reduction as tabulated.
    #[test]
    fn two_long_hosts() {
        for (k, short, long, mean, expected_short, expected_long) in [
            (1, 1.5, 1.0, 1.0, 2.9648573542, 1.7685905297),
            (1, 1.2, 1.0, 1.0, 1.8877392431, 1.6432202828),
            (2, 2.4, 1.0, 1.0, 2.4272768566, 1.7895194576),
        ] {
            let rates =
                Rates { short, long, short_service: 1.0, long_service: 1.0 / mean, short_hosts: k, long_hosts: 2 };
            let found = responses(&rates);
            assert!(
                (found.0 / expected_short - 1.0).abs() < 2e-8 && (found.1 / expected_long - 1.0).abs() < 1e-9,
                "{found:?}"
            );
        }
        let rates =
            Rates { short: 1.5, long: 0.1, short_service: 1.0, long_service: 0.1, short_hosts: 1, long_hosts: 2 };
        println!("{:?}", responses(&rates));
    }
}
