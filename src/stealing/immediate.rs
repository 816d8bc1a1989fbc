//! SBCS-ID, cycle stealing with immediate dispatch: the chain of the shorts.

use super::central::own_hosts;
use super::explicit::{self, Rules};
use super::joint;
use super::limits::{Policy, limit};
use super::longs::Longs;
use super::numbers::Numbers;
use super::options::{ImmediateDispatch, Method};
use super::periods::{Complement, Grid, Kind, Periods};
use super::refine::refine;
use super::result::{Classes, CycleStealing, Labels};
use super::shorts::{Shorts, require_small};
use crate::accuracy::{Accuracy, Assumption};
use crate::error::Result;
use crate::markov::{BusyPeriod, Qbd};
use crate::size::{JobSize, PhaseType};
use crate::workload::Workload;

/// SBCS-ID, cycle stealing with immediate dispatch: an arriving short goes to the long host if that is idle, else to the short hosts.
///
/// `E[T_L] = x₁ + λ_L x₂/2(1−r_L) + λ_S s₂/2(1+r_S)` for the longs, exactly, with the second moment of their waiting time: the M/G/1
/// wait and, with probability r_S/(1+r_S), what is left of a short. The shorts that find the long host busy queue at the short hosts, a
/// queue that is fed while the long host is busy and not while it is idle; `P(long host idle) = (1−r_L)/(1+r_S)`. Gives for the
/// shorts the mean waiting and response time, both mean slowdowns, P(W > 0), the mean number in system and, for exponential shorts, its
/// second moment. W does not depend on the job's own size.
///
/// `shorts` and `longs` are Poisson streams of jobs with general sizes; short sizes that are no phase type are replaced by one with the
/// same three moments (two where that takes many phases), hardly variable ones by Erlang laws from which numbers are extrapolated, and
/// labelled so. [`ImmediateDispatch`] holds the hosts (1 to 64 short, 1 to 8 long) and the solver. Several long hosts need exponential
/// sizes and are refined, without a tolerance to 1e-6.
///
/// Cost: see `docs/performance.md`; some 15 µs by default, a millisecond to 1e-8. Accuracy: three moments, see `docs/dr-accuracy.md`; or
/// as asked for.
///
/// # Errors
/// As [`central_queue`](super::central_queue).
///
/// Source: Osogami (2005), section 3.6 and A.1, for the longs and the model; this crate for the closed form and the refined solver.
///
/// ```
/// use queueing::prelude::*;
/// use queueing::stealing::ImmediateDispatch;
/// let shorts = Workload::new(0.9, Exponential::with_mean(1.0)?)?;
/// let longs = Workload::new(0.5, Exponential::with_mean(1.0)?)?;
/// let both = stealing::immediate_dispatch(&shorts, &longs, ImmediateDispatch::default().tolerance(1e-8))?;
/// assert!((both.shorts().mean_response_time()? - 2.82827339).abs() < 1e-7);             // 10 without stealing
/// assert!((both.longs().mean_response_time()? - (2.0 + 0.9 / 1.9)).abs() < 1e-15);      // 1 + 1 + 0.9·2/(2·1.9)
/// assert!((both.long_host_idle.value - 0.5 / 1.9).abs() < 1e-15);
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn immediate_dispatch<S: JobSize, L: JobSize>(
    shorts: &Workload<S>,
    longs: &Workload<L>,
    options: ImmediateDispatch,
) -> Result<CycleStealing> {
    options.validate()?;
    let ImmediateDispatch { short_hosts, long_hosts, method } = options;
    let model = Policy::ImmediateDispatch.to_string();
    let classes = Classes { shorts, longs, short_hosts, long_hosts, model };
    if long_hosts > 1 {
        return explicit::solve(&classes, Rules::Immediate, method);
    }
    classes.require_some_stable(short_hosts as f64)?;
    if !classes.longs_are_stable() {
        return Ok(classes.saturated(own_hosts(shorts, short_hosts)?));
    }
    let short_limit = limit(Policy::ImmediateDispatch, short_hosts, longs.spare());
    let stable = shorts.load() < short_limit;
    let exact = longs.size().accuracy().and(shorts.size().accuracy());
    let (mut parts, mut label) = (Vec::new(), exact);
    for (weight, stream) in Shorts::variants(shorts, short_hosts)? {
        let donor = Donor {
            longs: Longs::new(longs),
            busy: BusyPeriod::with_spare(longs.rate(), longs.size(), longs.spare())?,
            streams: vec![Stream::of(&stream)],
        };
        if !stable {
            return Ok(classes.result(donor.of_longs(), short_limit, Labels { shorts: exact, longs: exact }));
        }
        let (numbers, solution) = donor.solve(&stream, method)?;
        parts.push((weight, numbers));
        label = label.and(stream.accuracy).and(solution);
    }
    Ok(classes.result(Numbers::combined(&parts), short_limit, Labels { shorts: label, longs: exact }))
}

/// A stream of shorts that use the long host.
pub(super) struct Stream {
    rate: f64,
    load: f64,
    /// The moments of the sizes, and the law that stands for them.
    sizes: [f64; 3],
    law: PhaseType,
}

impl Stream {
    pub(super) fn of(shorts: &Shorts) -> Self {
        Self { rate: shorts.rate, load: shorts.load, sizes: shorts.sizes, law: shorts.law.clone() }
    }
}

/// The long host under immediate dispatch: a cycle of idle times, and busy periods that a long or a short begins.
pub(super) struct Donor<'a, S> {
    pub longs: Longs,
    pub busy: BusyPeriod<&'a S>,
    /// All streams of shorts that use it.
    pub streams: Vec<Stream>,
}

impl<S: JobSize> Donor<'_, S> {
    /// P(long host idle) = (1 − r_L)/(1 + Σr_i), by PASTA.
    pub(super) fn idle(&self) -> f64 {
        self.longs.spare / (1.0 + self.streams.iter().map(|stream| stream.load).sum::<f64>())
    }

    /// P(long host busy) = (r_L + Σr_i)/(1 + Σr_i).
    pub(super) fn busy_share(&self) -> f64 {
        let shorts = self.streams.iter().map(|stream| stream.load).sum::<f64>();
        (self.longs.rate * self.longs.sizes[0] + shorts) / (1.0 + shorts)
    }

    /// E\[W\] and E\[W²\] of the longs: the M/G/1 wait plus what is left of a short, with probability Σr_i/(1 + Σr_i).
    pub(super) fn waiting(&self) -> [f64; 2] {
        // z_1 = Σ λ_i s_2/(2(1+Σr)), z_2 = Σ λ_i s_3/(3(1+Σr))
        let all = 1.0 + self.streams.iter().map(|stream| stream.load).sum::<f64>();
        let residual = |order: usize| {
            let work = |stream: &Stream| stream.rate * stream.sizes[order - 1] / order as f64;
            self.streams.iter().map(work).sum::<f64>() / all
        };
        self.longs.delayed([residual(2), residual(3)])
    }

    /// The shorts of one stream, solved by the method.
    pub(super) fn solve(&self, shorts: &Shorts, method: Method) -> Result<(Numbers, Accuracy)> {
        if method == Method::Reduction
            && let Some(periods) = self.matched()?
        {
            return Ok((
                self.numbers(shorts, &periods)?,
                Accuracy::Approximate { assumption: Assumption::ThreeMoments },
            ));
        }
        refine(method.tolerance(), |grid, _| self.numbers(shorts, &self.fitted(shorts, grid)?))
    }

    /// The moments of B_L and of B_S for each stream.
    fn moments(&self) -> Result<Vec<[f64; 3]>> {
        let of_short = |law: &PhaseType| self.busy.started_by([1.0, 2.0, 3.0].map(|r| law.moment(r)));
        let shorts = self.streams.iter().map(|stream| of_short(&stream.law));
        std::iter::once(Ok(self.busy.moments())).chain(shorts).collect()
    }

    fn matched(&self) -> Result<Option<Periods>> {
        Periods::matched(&self.moments()?)
    }

    fn fitted(&self, shorts: &Shorts, grid: Grid) -> Result<Periods> {
        let mut complements: Vec<Box<Complement<'_>>> = vec![Box::new(|c, _| c)];
        for Stream { law, .. } in &self.streams {
            complements
                .push(Box::new(|_, sigma| law.complements(sigma).iter().zip(law.alpha()).map(|(x, p)| x * p).sum()));
        }
        let kinds =
            self.moments()?.into_iter().zip(complements).map(|(moments, complement)| Kind { moments, complement });
        Ok(Periods::fitted(&self.busy, shorts.fastest(), grid, &kinds.collect::<Vec<_>>()))
    }

    /// Level: shorts at the short hosts. Phases: the long host idle, then those of its busy periods.
    fn numbers(&self, shorts: &Shorts, periods: &Periods) -> Result<Numbers> {
        let (service, k, lambda) = (&shorts.service, shorts.hosts, shorts.rate);
        require_small((1 + periods.phases()) * service.states(k))?;
        let begin: Vec<(f64, usize)> = std::iter::once(self.longs.rate)
            .chain(self.streams.iter().map(|stream| stream.rate))
            .enumerate()
            .flat_map(|(kind, rate)| periods.start(kind).map(move |(w, phase)| (rate * w, phase)))
            .collect();
        let solved = Qbd::signed_from_rates(
            k,
            |level| (1 + periods.phases()) * service.states(level),
            |level, at| {
                let states = service.states(level);
                let (background, state) = (at / states, at % states);
                let mut out = Vec::new();
                service
                    .moves(level, state, |rate, to, next| out.push((rate, to, background * service.states(to) + next)));
                if background == 0 {
                    out.extend(begin.iter().map(|&(rate, phase)| (rate, level, (1 + phase) * states + state)));
                } else {
                    let phase = background - 1;
                    service.arrivals(level, state, |p, next| {
                        out.push((lambda * p, level + 1, background * service.states(level + 1) + next));
                    });
                    out.extend(periods.changes(phase).map(|(rate, to)| (rate, level, (1 + to) * states + state)));
                    out.push((periods.exit(phase), level, state));
                }
                out
            },
        )?
        .solve_signed()?;
        let is_idle = |level: usize, at: usize| if at < service.states(level) { 1.0 } else { 0.0 };
        let found = solved.mean_of(is_idle);
        let idle = self.idle();
        let stolen = shorts.load * idle;
        let queue = solved.excess_moments(k)[0];
        // A short waits if it finds the long host busy and all short hosts too.
        let delayed = solved.mean_of(|level, at| if level >= k { 1.0 - is_idle(level, at) } else { 0.0 });
        let number_square = shorts.exponential().map(|mu| {
            // E[(n + 1)²; helping] − E[n²; helping] = E[2n + 1; helping]
            let both = joint::mean_number(&solved, (lambda, mu, k), |level, at| lambda * is_idle(level, at));
            solved.second_moment_level() + 2.0 * both + stolen
        });
        let numbers = Numbers {
            short_waiting: queue / lambda,
            short_number_square: number_square,
            short_delayed: delayed,
            check: (found / idle - 1.0).abs().max(solved.rounding()),
            ..self.of_longs()
        };
        self.longs.settle(numbers, shorts).sound()
    }

    /// What does not depend on the shorts' queues.
    fn of_longs(&self) -> Numbers {
        let [long_waiting, long_waiting_square] = self.waiting();
        let (idle, busy) = (self.idle(), self.busy_share());
        Numbers {
            short_waiting: f64::INFINITY,
            short_delayed: busy,
            helping: idle * self.streams.iter().map(|stream| stream.load).sum::<f64>(),
            idle,
            long_waiting,
            long_waiting_square: Some(long_waiting_square),
            long_delayed: busy,
            ..Numbers::default()
        }
    }
}
