//! SBCS-CQ with fixed roles: the chain of the shorts.

use super::joint;
use super::longs::{Longs, Present};
use super::numbers::Numbers;
use super::options::{Method, Tie};
use super::periods::{Complement, Grid, Kind, Periods};
use super::refine::refine;
use super::shorts::{Shorts, require_small};
use crate::accuracy::{Accuracy, Assumption};
use crate::error::Result;
use crate::markov::{BusyPeriod, Qbd, QbdSolution, moments_of_sum};
use crate::size::JobSize;

/// One long host that serves shorts while there is no long, and keeps its name.
pub(super) struct FixedRoles<'a, S> {
    pub shorts: &'a Shorts,
    pub longs: Longs,
    pub busy: BusyPeriod<&'a S>,
    pub tie: Tie,
}

/// What the long host does.
enum Background {
    /// Nothing; exists while a short host is idle or has just become busy: up to level k.
    Idle,
    /// It serves a short in this phase.
    Short(usize),
    /// It is away, in this phase of a period.
    Away(usize),
}

impl<S: JobSize> FixedRoles<'_, S> {
    pub(super) fn solve(&self, method: Method, stable: bool) -> Result<(Numbers, Accuracy)> {
        if method == Method::Reduction
            && let Some(periods) = Periods::matched(&self.moments()?)?
        {
            let accuracy = Accuracy::Approximate { assumption: Assumption::ThreeMoments };
            return Ok((self.numbers(&periods, stable)?, accuracy));
        }
        refine(method.tolerance(), |grid, _| self.numbers(&self.fitted(grid)?, stable))
    }

    /// The moments of B_L, and of B_{R+L} for each phase that the short on the long host may be in.
    fn moments(&self) -> Result<Vec<[f64; 3]>> {
        let after = |phase| self.busy.started_by(moments_of_sum(self.shorts.residual(phase), self.longs.sizes));
        std::iter::once(Ok(self.busy.moments())).chain((0..self.shorts.phases()).map(after)).collect()
    }

    fn fitted(&self, grid: Grid) -> Result<Periods> {
        let mut complements: Vec<Box<Complement<'_>>> = vec![Box::new(|c, _| c)];
        for phase in 0..self.shorts.phases() {
            // 1 − R~(σ)B~(s)
            complements.push(Box::new(move |c, sigma| {
                let r = self.shorts.law.complements(sigma)[phase];
                r + (1.0 - r) * c
            }));
        }
        let kinds =
            self.moments()?.into_iter().zip(complements).map(|(moments, complement)| Kind { moments, complement });
        Ok(Periods::fitted(&self.busy, self.shorts.fastest(), grid, &kinds.collect::<Vec<_>>()))
    }

    fn background(&self, level: usize, block: usize) -> Background {
        let idle = usize::from(level <= self.shorts.hosts);
        match block.checked_sub(idle) {
            None => Background::Idle,
            Some(rest) if rest < self.shorts.phases() => Background::Short(rest),
            Some(rest) => Background::Away(rest - self.shorts.phases()),
        }
    }

    fn block(&self, level: usize, background: &Background) -> usize {
        let idle = usize::from(level <= self.shorts.hosts);
        match background {
            Background::Idle => 0,
            Background::Short(phase) => idle + phase,
            Background::Away(phase) => idle + self.shorts.phases() + phase,
        }
    }

    /// Level: shorts that wait or are at the short hosts.
    fn chain(&self, periods: &Periods) -> Result<Qbd> {
        let (shorts, k) = (self.shorts, self.shorts.hosts);
        let (service, lambda, lambda_long) = (&shorts.service, shorts.rate, self.longs.rate);
        require_small((1 + shorts.phases() + periods.phases()) * service.states(k))?;
        let index = |level: usize, background: &Background, state: usize| {
            self.block(level, background) * service.states(level) + state
        };
        Qbd::signed_from_rates(
            k + 1,
            |level| (usize::from(level <= k) + shorts.phases() + periods.phases()) * service.states(level),
            |level, at| {
                let states = service.states(level);
                let (background, state) = (self.background(level, at / states), at % states);
                let mut out = Vec::new();
                service.moves(level, state, |rate, to, next| out.push((rate, to, index(to, &background, next))));
                // The long host is free for a short: it takes the first that waits.
                let freed = |rate: f64, out: &mut Vec<(f64, usize, usize)>| {
                    if level > k {
                        let take = service.alpha().iter().enumerate();
                        out.extend(
                            take.map(|(a, p)| (rate * p, level - 1, index(level - 1, &Background::Short(a), state))),
                        );
                    } else {
                        out.push((rate, level, index(level, &Background::Idle, state)));
                    }
                };
                let away = |kind: usize, out: &mut Vec<(f64, usize, usize)>| {
                    out.extend(
                        periods
                            .start(kind)
                            .map(|(w, i)| (lambda_long * w, level, index(level, &Background::Away(i), state))),
                    );
                };
                let is_idle = matches!(background, Background::Idle);
                if is_idle && (level == k || self.tie == Tie::LongHost) {
                    let take = service.alpha().iter().enumerate();
                    out.extend(take.map(|(a, p)| (lambda * p, level, index(level, &Background::Short(a), state))));
                } else {
                    service.arrivals(level, state, |p, next| {
                        out.push((lambda * p, level + 1, index(level + 1, &background, next)));
                    });
                }
                match background {
                    Background::Idle => away(0, &mut out),
                    Background::Short(a) => {
                        for b in (0..shorts.phases()).filter(|&b| b != a) {
                            out.push((service.between(a, b), level, index(level, &Background::Short(b), state)));
                        }
                        freed(service.exit(a), &mut out);
                        away(1 + a, &mut out);
                    }
                    Background::Away(i) => {
                        out.extend(
                            periods
                                .changes(i)
                                .map(|(rate, j)| (rate, level, index(level, &Background::Away(j), state))),
                        );
                        freed(periods.exit(i), &mut out);
                    }
                }
                out
            },
        )
    }

    fn numbers(&self, periods: &Periods, stable: bool) -> Result<Numbers> {
        let chain = self.chain(periods)?;
        if !stable {
            let (states, law) = (self.shorts.service.states(self.shorts.hosts), chain.saturated_phases()?);
            let on_short: Vec<f64> =
                law.chunks_exact(states).take(self.shorts.phases()).map(|block| block.iter().sum()).collect();
            return Ok(self.of_longs(0.0, &on_short));
        }
        let solved = chain.solve_signed()?;
        let k = self.shorts.hosts;
        let share = |wanted: &dyn Fn(&Background) -> bool, least: usize| {
            solved.mean_of(|level, at| {
                let background = self.background(level, at / self.shorts.service.states(level));
                if level >= least && wanted(&background) { 1.0 } else { 0.0 }
            })
        };
        let idle = share(&|background| matches!(background, Background::Idle), 0);
        let on_short: Vec<f64> = (0..self.shorts.phases())
            .map(|phase| share(&|background| matches!(background, Background::Short(a) if *a == phase), 0))
            .collect();
        let [queue, pairs] = solved.excess_moments(k);
        let (lambda, longs) = (self.shorts.rate, self.of_longs(idle, &on_short));
        let numbers = Numbers {
            short_waiting: queue / lambda,
            short_waiting_square: Some(pairs / lambda / lambda),
            short_number_square: self.number_square(&solved, longs.helping),
            short_delayed: share(&|background| !matches!(background, Background::Idle), k),
            check: longs.check.max(solved.rounding()),
            ..longs
        };
        self.longs.settle(numbers, self.shorts).sound()
    }

    /// E\[(n + 1{a short on the long host})²\], for exponential shorts.
    fn number_square(&self, solved: &QbdSolution, helping: f64) -> Option<f64> {
        let mu = self.shorts.exponential()?;
        let on_short = |level: usize, at: usize| match self.background(level, at / self.shorts.service.states(level)) {
            Background::Short(_) => 1.0,
            _ => 0.0,
        };
        // While no long is there the chain shows that short, and afterwards what is left of it.
        let visible = solved.mean_of(|level, at| level as f64 * on_short(level, at));
        let start = |level: usize, at: usize| self.longs.rate * on_short(level, at);
        let hidden = joint::mean_number(solved, (self.shorts.rate, mu, self.shorts.hosts), start);
        Some(solved.second_moment_level() + 2.0 * (visible + hidden) + helping)
    }

    /// From P(no long, long host idle) and P(no long, long host on a short in each phase).
    fn of_longs(&self, idle: f64, on_short: &[f64]) -> Numbers {
        let none = idle + on_short.iter().sum::<f64>();
        let mut setup = [0.0; 3];
        let mut helping = 0.0;
        for (phase, p) in on_short.iter().enumerate() {
            let residual = self.shorts.residual(phase);
            setup.iter_mut().zip(residual).for_each(|(sum, moment)| *sum += p / none * moment);
            // On the long host until a long comes, and what is left then.
            helping += p * (1.0 + self.longs.rate * residual[0]);
        }
        let present = Present::after_setup(self.longs.rate, setup);
        let [waiting, square] = self.longs.waiting(present);
        Numbers {
            short_waiting: f64::INFINITY,
            short_delayed: 1.0,
            helping,
            idle,
            long_waiting: waiting,
            long_waiting_square: Some(square),
            // The long host is busy with longs or with shorts.
            long_delayed: (self.longs.rate * self.longs.sizes[0] + helping).min(1.0),
            check: (none / self.longs.none(present) - 1.0).abs(),
            ..Numbers::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::size::{Erlang, Exponential, HyperExponential, Law};
    use crate::workload::Workload;

    /// P(no long) = (1 − r_L)/(1 + λ_L K_1), whatever the lengths of the periods, as long as their means are right.
    #[test]
    fn the_share_of_time_without_longs() {
        let shorts: [Law; 3] = [
            Exponential::with_mean(1.0).unwrap().into(),
            HyperExponential::balanced(1.0, 8.0).unwrap().into(),
            Erlang::with_mean(3, 1.0).unwrap().into(),
        ];
        let longs: [Law; 3] = [
            Exponential::with_mean(10.0).unwrap().into(),
            HyperExponential::balanced(1.0, 50.0).unwrap().into(),
            Erlang::with_mean(4, 0.1).unwrap().into(),
        ];
        let (mut reduced, mut refined) = (0.0_f64, 0.0_f64);
        for (short, long) in shorts.iter().flat_map(|short| longs.iter().map(move |long| (short, long))) {
            for (short_load, long_load, hosts) in [(0.5, 0.5, 1), (0.9, 0.8, 1), (1.3, 0.2, 1), (1.8, 0.5, 2)] {
                let shorts = Shorts::new(&Workload::with_load(short, short_load).unwrap(), hosts).unwrap();
                let jobs = Workload::with_load(long, long_load).unwrap();
                let busy = BusyPeriod::with_spare(jobs.rate(), jobs.size(), jobs.spare()).unwrap();
                let model = FixedRoles { shorts: &shorts, longs: Longs::new(&jobs), busy, tie: Tie::ShortHost };
                let check = |method| {
                    let periods = match method {
                        Method::Reduction => Periods::matched(&model.moments().unwrap()).unwrap().unwrap(),
                        Method::Refined(_) => model.fitted(Grid { density: 5.0, slowest: 0.05 }).unwrap(),
                    };
                    let solved = model.chain(&periods).unwrap().solve_signed().unwrap();
                    let share = |wanted: &dyn Fn(&Background) -> bool| {
                        solved.mean_of(|level, at| {
                            let background = model.background(level, at / shorts.service.states(level));
                            if wanted(&background) { 1.0 } else { 0.0 }
                        })
                    };
                    let idle = share(&|background| matches!(background, Background::Idle));
                    let phase = |a: usize| share(&|background| matches!(background, Background::Short(b) if *b == a));
                    let on_short: Vec<f64> = (0..shorts.phases()).map(phase).collect();
                    model.of_longs(idle, &on_short).check
                };
                reduced = reduced.max(check(Method::Reduction));
                refined = refined.max(check(Method::Refined(1e-8)));
            }
        }
        println!("P(no long): {reduced:.1e} by three moments, {refined:.1e} refined");
        assert!(reduced < 1e-13 && refined < 1e-13, "{reduced:e} {refined:e}");
    }
}
