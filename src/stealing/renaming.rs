//! SBCS-CQ with renaming: the chain of all shorts, with the longs that wait counted while shorts hold every host.
//!
//! From W_j (j longs wait, all hosts serve shorts) the long that gets a host starts a sum of j busy periods. What the shorts do during
//! W_j is in the chain, so that the number of longs and the number of shorts are dependent as they are.

use super::longs::{Longs, Present};
use super::numbers::Numbers;
use super::options::{Method, Renaming};
use super::periods::{Grid, Kind, Periods};
use super::refine::refine;
use super::shorts::{Shorts, require_small};
use crate::accuracy::{Accuracy, Assumption};
use crate::error::{Result, require};
use crate::markov::{BusyPeriod, Qbd};
use crate::size::JobSize;

/// Stages at most; each has as many states a level as the servers.
const MOST_STAGES: usize = 400;

/// One long host that serves shorts while there is no long, and roles that may be exchanged.
pub(super) struct Exchanged<'a, S> {
    pub shorts: &'a Shorts,
    pub longs: Longs,
    pub busy: BusyPeriod<&'a S>,
    pub is_eager: bool,
}

/// Periods that begin with one long, then those that begin from each stage.
struct Stages {
    periods: Periods,
    count: usize,
    /// The ratio by which P(more than j longs wait) falls beyond the last stage.
    ratio: f64,
}

/// What all hosts but those of the shorts do.
enum Background {
    /// There is no long. With more shorts than short hosts, the long host serves one in this phase.
    NoLong(usize),
    /// So many longs (less one) wait while the long host serves a short in this phase.
    Waiting(usize, usize),
    /// The long host serves longs, in this phase of a period.
    Away(usize),
}

impl<S: JobSize> Exchanged<'_, S> {
    pub(super) fn new<'a>(
        shorts: &'a Shorts,
        longs: Longs,
        busy: BusyPeriod<&'a S>,
        renaming: Renaming,
    ) -> Exchanged<'a, S> {
        Exchanged { shorts, longs, busy, is_eager: renaming == Renaming::Eager }
    }

    /// Without a reduction for lazy renaming and for phase-type shorts.
    pub(super) fn solve(&self, method: Method, stable: bool) -> Result<(Numbers, Accuracy)> {
        if method == Method::Reduction
            && let Some(stages) = self.matched()?
        {
            let accuracy = Accuracy::Approximate { assumption: Assumption::ThreeMoments };
            return Ok((self.numbers(&stages, stable)?, accuracy));
        }
        refine(method.tolerance(), |grid, truncation| self.numbers(&self.fitted(grid, truncation)?, stable))
    }

    /// The slowest rate at which a stage ends, and so the ratio by which P(more than j longs wait) falls in the long run.
    fn ratio(&self) -> f64 {
        let slowest =
            (0..self.shorts.phases()).map(|phase| 1.0 / self.shorts.residual(phase)[0]).fold(f64::INFINITY, f64::min);
        let hosts = if self.is_eager { self.shorts.hosts as f64 + 1.0 } else { 1.0 };
        self.longs.rate / (self.longs.rate + hosts * slowest)
    }

    /// One stage, left for B_{N+1}, with N the longs that arrive during it.
    fn matched(&self) -> Result<Option<Stages>> {
        let Some(mu) = self.shorts.exponential().filter(|_| self.is_eager) else { return Ok(None) };
        let rate = (self.shorts.hosts as f64 + 1.0) * mu;
        let stage = [1.0 / rate, 2.0 / rate.powi(2), 6.0 / rate.powi(3)];
        let periods = Periods::matched(&[self.busy.moments(), self.busy.started_by_arrivals(stage)?])?;
        Ok(periods.map(|periods| Stages { periods, count: 1, ratio: self.ratio() }))
    }

    /// As many stages as the truncation asks for. The last stands for all further ones: it ends in one busy period more for each long
    /// that arrives during it.
    fn fitted(&self, grid: Grid, truncation: f64) -> Result<Stages> {
        let ratio = self.ratio();
        // Where the ratio is only a bound, E[W²] of the longs needs two stages before the last, however rare they are.
        let least = if self.is_eager && self.shorts.exponential().is_some() { 0.0 } else { 2.0 };
        let count = least + (truncation.ln() / ratio.ln()).ceil().max(1.0);
        let requirement = "must be at most 400: longs are too frequent against the shorts' sizes for this tolerance";
        require(count <= MOST_STAGES as f64, "longs that may wait behind shorts", count, requirement)?;
        let count = count as usize;
        let [y1, y2, y3] = self.busy.moments();
        let sum = |copies: usize, ratio: f64| {
            // M = copies + N, N geometric with mean m: E[M], E[M(M−1)], E[M(M−1)(M−2)]
            let (j, m) = (copies as f64, ratio / (1.0 - ratio));
            let (falling2, falling3) = (j * (j - 1.0), j * (j - 1.0) * (j - 2.0));
            let pairs = falling2 + 2.0 * j * m + 2.0 * m * m;
            let triples = falling3 + 3.0 * falling2 * m + 6.0 * j * m * m + 6.0 * m * m * m;
            // E[Y], E[Y²], E[Y³] of the sum of M busy periods
            let moments = [
                (j + m) * y1,
                (j + m) * y2 + pairs * y1 * y1,
                (j + m) * y3 + 3.0 * pairs * y1 * y2 + triples * y1 * y1 * y1,
            ];
            let complement = move |c: f64, _| {
                // 1 − (1−c)ʲ (1−p)/(1−p(1−c))
                let all = -(j * (-c).ln_1p()).exp_m1();
                let more = ratio * c / (1.0 - ratio + ratio * c);
                all + (1.0 - all) * more
            };
            Kind { moments, complement: Box::new(complement) }
        };
        let mut kinds = vec![sum(1, 0.0)];
        kinds.extend((1..count).map(|copies| sum(copies, 0.0)));
        kinds.push(sum(count, ratio));
        let periods = Periods::fitted(&self.busy, self.shorts.fastest(), grid, &kinds);
        Ok(Stages { periods, count, ratio })
    }

    /// Without shorts beyond the short hosts there are fewer backgrounds: the long host serves no short.
    fn background(&self, stages: &Stages, level: usize, block: usize) -> Background {
        let phases = if level > self.shorts.hosts { self.shorts.phases() } else { 1 };
        let waiting = if level > self.shorts.hosts { stages.count } else { 0 };
        match block {
            b if b < phases => Background::NoLong(b),
            b if b < phases * (1 + waiting) => Background::Waiting(b / phases - 1, b % phases),
            b => Background::Away(b - phases * (1 + waiting)),
        }
    }

    fn block(&self, stages: &Stages, level: usize, background: &Background) -> usize {
        let phases = if level > self.shorts.hosts { self.shorts.phases() } else { 1 };
        let waiting = if level > self.shorts.hosts { stages.count } else { 0 };
        match *background {
            Background::NoLong(a) => a,
            Background::Waiting(j, a) => phases * (1 + j) + a,
            Background::Away(i) => phases * (1 + waiting) + i,
        }
    }

    fn blocks(&self, stages: &Stages, level: usize) -> usize {
        self.block(stages, level, &Background::Away(stages.periods.phases()))
    }

    /// Level: all shorts.
    fn chain(&self, stages: &Stages) -> Result<Qbd> {
        let service = &self.shorts.service;
        let k = self.shorts.hosts;
        require_small(self.blocks(stages, k + 1) * service.states(k))?;
        Qbd::signed_from_rates(
            k + 1,
            |level| self.blocks(stages, level) * service.states(level),
            |level, at| {
                let states = service.states(level);
                let (background, state) = (self.background(stages, level, at / states), at % states);
                let mut out = Vec::new();
                let mut add = |rate: f64, level: usize, background: &Background, state: usize| {
                    out.push((rate, level, self.block(stages, level, background) * service.states(level) + state));
                };
                match background {
                    Background::Away(i) => self.away(stages, level, i, state, &mut add),
                    Background::NoLong(_) if level <= k => self.few(stages, level, state, &mut add),
                    Background::NoLong(a) => self.full(stages, level, (None, a), state, &mut add),
                    Background::Waiting(j, a) => self.full(stages, level, (Some(j), a), state, &mut add),
                }
                out
            },
        )
    }

    /// The long host serves longs: M/PH/k for the shorts.
    fn away(
        &self,
        stages: &Stages,
        level: usize,
        phase: usize,
        state: usize,
        add: &mut impl FnMut(f64, usize, &Background, usize),
    ) {
        let (service, periods) = (&self.shorts.service, &stages.periods);
        service.arrivals(level, state, |p, next| add(self.shorts.rate * p, level + 1, &Background::Away(phase), next));
        service.moves(level, state, |rate, to, next| add(rate, to, &Background::Away(phase), next));
        for (rate, to) in periods.changes(phase) {
            add(rate, level, &Background::Away(to), state);
        }
        // The last long has left: the long host takes a short that waits.
        let end = periods.exit(phase);
        if level > self.shorts.hosts {
            service.alpha().iter().enumerate().for_each(|(a, p)| add(end * p, level, &Background::NoLong(a), state));
        } else {
            add(end, level, &Background::NoLong(0), state);
        }
    }

    /// No long, and a short host for each short: after renaming, the long host is the idle one.
    fn few(&self, stages: &Stages, level: usize, state: usize, add: &mut impl FnMut(f64, usize, &Background, usize)) {
        let (service, lambda) = (&self.shorts.service, self.shorts.rate);
        if level < self.shorts.hosts {
            service.arrivals(level, state, |p, next| add(lambda * p, level + 1, &Background::NoLong(0), next));
        } else {
            service
                .alpha()
                .iter()
                .enumerate()
                .for_each(|(a, p)| add(lambda * p, level + 1, &Background::NoLong(a), state));
        }
        service.moves(level, state, |rate, to, next| add(rate, to, &Background::NoLong(0), next));
        stages.periods.start(0).for_each(|(w, i)| add(self.longs.rate * w, level, &Background::Away(i), state));
    }

    /// Every host serves a short, the long host one in phase `a`; `waiting` counts the longs that wait, less one.
    fn full(
        &self,
        stages: &Stages,
        level: usize,
        (waiting, a): (Option<usize>, usize),
        state: usize,
        add: &mut impl FnMut(f64, usize, &Background, usize),
    ) {
        let (service, k) = (&self.shorts.service, self.shorts.hosts);
        let same = |a: usize| waiting.map_or(Background::NoLong(a), |j| Background::Waiting(j, a));
        add(self.shorts.rate, level + 1, &same(a), state);
        let next = waiting.map_or(0, |j| (j + 1).min(stages.count - 1));
        if waiting != Some(next) {
            add(self.longs.rate, level, &Background::Waiting(next, a), state);
        }
        for b in (0..self.shorts.phases()).filter(|&b| b != a) {
            add(service.between(a, b), level, &same(b), state);
        }
        // The long host ends its short, and serves the longs if there are any, else a waiting short.
        let end = service.exit(a);
        match waiting {
            Some(j) => {
                stages.periods.start(1 + j).for_each(|(w, i)| add(end * w, level - 1, &Background::Away(i), state));
            }
            None if level == k + 1 => add(end, k, &Background::NoLong(0), state),
            None => service.alpha().iter().enumerate().for_each(|(b, p)| add(end * p, level - 1, &same(b), state)),
        }
        // A short host ends its short. Where it would idle, or a long may have it, it changes names with the long host.
        let runs_dry = level == k + 1;
        match waiting {
            Some(j) if self.is_eager || runs_dry => service.replacements(state, a, |rate, next| {
                stages.periods.start(1 + j).for_each(|(w, i)| add(rate * w, level - 1, &Background::Away(i), next));
            }),
            None if runs_dry => service.replacements(state, a, |rate, next| add(rate, k, &Background::NoLong(0), next)),
            _ => {
                for (b, p) in service.alpha().iter().enumerate() {
                    service.replacements(state, b, |rate, next| add(rate * p, level - 1, &same(a), next));
                }
            }
        }
        // Phases change at the short hosts.
        service.moves(k, state, |rate, to, next| {
            if to == k {
                add(rate, level, &same(a), next);
            }
        });
    }

    fn numbers(&self, stages: &Stages, stable: bool) -> Result<Numbers> {
        let chain = self.chain(stages)?;
        let (shorts, k) = (self.shorts, self.shorts.hosts);
        if !stable {
            let law = chain.saturated_phases()?;
            let share = |wanted: &dyn Fn(&Background) -> bool| -> f64 {
                let states = shorts.service.states(k);
                let blocks = law.chunks_exact(states).enumerate();
                blocks
                    .filter(|(b, _)| wanted(&self.background(stages, k + 1, *b)))
                    .map(|(_, block)| block.iter().sum::<f64>())
                    .sum()
            };
            let none = share(&|background| matches!(background, Background::NoLong(_)));
            let waiting: Vec<f64> = (0..stages.count)
                .map(|j| share(&|background| matches!(background, Background::Waiting(i, _) if *i == j)))
                .collect();
            return Ok(self.of_longs((0.0, none), &waiting, stages.ratio));
        }
        let solved = chain.solve_signed()?;
        let share = |wanted: &dyn Fn(usize, &Background) -> bool| {
            solved.mean_of(|level, at| {
                let background = self.background(stages, level, at / shorts.service.states(level));
                if wanted(level, &background) { 1.0 } else { 0.0 }
            })
        };
        let idle = share(&|level, background| level <= k && matches!(background, Background::NoLong(_)));
        let none = share(&|_, background| matches!(background, Background::NoLong(_)));
        let waiting: Vec<f64> = (0..stages.count)
            .map(|j| share(&|_, background| matches!(background, Background::Waiting(i, _) if *i == j)))
            .collect();
        // Shorts in the queue: those beyond the hosts that serve shorts.
        let busy = |level: usize, at: usize| match self.background(stages, level, at / shorts.service.states(level)) {
            Background::Away(_) => k,
            _ => k + 1,
        };
        let waiting_shorts = |level: usize, at: usize| level.saturating_sub(busy(level, at)) as f64;
        let queue = solved.mean_of(waiting_shorts);
        let pairs = solved.mean_of_quadratic(|level, at| waiting_shorts(level, at) * (waiting_shorts(level, at) - 1.0));
        let delayed = share(&|level, background| match background {
            Background::NoLong(_) => level > k,
            Background::Waiting(..) => true,
            Background::Away(_) => level >= k,
        });
        let longs = self.of_longs((idle, none), &waiting, stages.ratio);
        let numbers = Numbers {
            short_waiting: queue / shorts.rate,
            short_waiting_square: Some(pairs / shorts.rate / shorts.rate),
            short_number_square: Some(solved.second_moment_level()),
            short_delayed: delayed,
            check: longs.check.max(solved.rounding()),
            ..longs
        };
        self.longs.settle(numbers, shorts).sound()
    }

    /// From P(no long, and a host for a long), P(no long) and P(W_j).
    fn of_longs(&self, (idle, none): (f64, f64), waiting: &[f64], ratio: f64) -> Numbers {
        // P(A > j) = P(W_j)/P(no long): longs arrive at one rate, whatever there is.
        let tail: Vec<f64> = waiting.iter().map(|p| p / none).collect();
        let present = Present::by_tail(&tail, ratio);
        let [mean, square] = self.longs.waiting(present);
        Numbers {
            short_waiting: f64::INFINITY,
            short_delayed: 1.0,
            helping: none - idle + waiting.iter().sum::<f64>(),
            idle,
            long_waiting: mean,
            long_waiting_square: Some(square),
            long_delayed: 1.0 - idle,
            check: (none / self.longs.none(present) - 1.0).abs(),
            ..Numbers::default()
        }
    }
}
