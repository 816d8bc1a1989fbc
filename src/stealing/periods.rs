//! Periods during which the long host is away from the shorts, in phases that a chain can carry.
//!
//! The shorts see of such a period only how long it is. Two ways to write its length are used. The published one: a phase type with
//! the same three moments for each kind of period. The refined one: all kinds of periods share one row of exponential phases and
//! differ in the weights, of either sign, with which they enter it; the weights fit the transform of the period.

use crate::error::Result;
use crate::markov::BusyPeriod;
use crate::markov::fit::{self, Moments};
use crate::size::{JobSize, PhaseType};

/// Transforms are compared at so many points for each rate.
const POINTS_A_RATE: usize = 4;

/// The most phases of a period with three given moments: hardly variable periods would need more.
const MOST_MATCHED: usize = 8;

/// The least rate of a phase, in units of the rate of the period.
const LEAST_RATE: f64 = 1e-10;

/// The rates go so far beyond the fastest one of the shorts, and that of the shortest period.
const BEYOND: f64 = 10.0;

/// The lengths of periods as chains carry them.
#[derive(Debug)]
pub(super) struct Periods {
    /// Rates between phases, by rows.
    between: Vec<f64>,
    /// The rate at which the period ends from each phase.
    exits: Vec<f64>,
    /// The weights with which each kind of period enters the phases.
    starts: Vec<Vec<f64>>,
}

/// A kind of period, by its transform.
pub(super) struct Kind<'a> {
    /// Infinite where those of the long sizes are.
    pub moments: [f64; 3],
    pub complement: Box<Complement<'a>>,
}

/// 1 − E\[exp(−sP)\] from c = 1 − B~(s) and σ = s + λc, with B the busy period that one long starts.
pub(super) type Complement<'a> = dyn Fn(f64, f64) -> f64 + 'a;

impl Periods {
    /// Phase types with these moments, side by side; nothing if one of them would need more than [`MOST_MATCHED`] phases or a phase that
    /// is hardly ever left.
    pub(super) fn matched(kinds: &[[f64; 3]]) -> Result<Option<Self>> {
        let mut laws = Vec::with_capacity(kinds.len());
        for &[m1, m2, m3] in kinds {
            let moments = Moments::new(m1, m2, m3)?;
            let Some(fit) = fit::positive(moments).ok().filter(|fit| fit.phases() <= MOST_MATCHED) else {
                return Ok(None);
            };
            let law = fit.phase_type()?;
            // At n2 = 2 with n3 > 3, two phases fit in the limit only: one that is never left and never entered.
            if law.exit_rates().iter().any(|rate| *rate > 0.0 && rate * m1 < LEAST_RATE) {
                return Ok(None);
            }
            laws.push(law);
        }
        let n = laws.iter().map(PhaseType::phases).sum::<usize>();
        let (mut between, mut exits, mut starts) = (vec![0.0; n * n], Vec::with_capacity(n), Vec::new());
        for law in &laws {
            let (first, t) = (exits.len(), law.sub_generator());
            for i in 0..law.phases() {
                for j in (0..law.phases()).filter(|&j| j != i) {
                    between[(first + i) * n + first + j] = t[(i, j)];
                }
            }
            let mut start = vec![0.0; n];
            start[first..first + law.phases()].copy_from_slice(law.alpha());
            starts.push(start);
            exits.extend(law.exit_rates());
        }
        Ok(Some(Self { between, exits, starts }))
    }

    /// A row of phases shared by all kinds, as dense as the grid says.
    pub(super) fn fitted<S: JobSize>(long: &BusyPeriod<S>, fastest: f64, grid: Grid, kinds: &[Kind<'_>]) -> Self {
        let (rates, points) = grid.spread(long, fastest, [slowest(kinds), quickest(kinds)]);
        let seen = long.at(&points);
        let arguments: Vec<f64> = seen.iter().map(|seen| seen.0).collect();
        let row = fit::Row::new(&rates, &arguments);
        let fit = |kind: &Kind<'_>| {
            let values: Vec<f64> =
                seen.iter().zip(&points).map(|(&(_, c), &sigma)| (kind.complement)(c, sigma)).collect();
            let finite = kind.moments.iter().take_while(|moment| moment.is_finite()).count();
            row.fit(&values, &kind.moments[..finite])
        };
        let starts = kinds.iter().map(fit).collect();
        // Each phase leads to the next faster one, the last to the end.
        let n = rates.len();
        let mut between = vec![0.0; n * n];
        (0..n - 1).for_each(|i| between[i * n + i + 1] = rates[i]);
        let mut exits = vec![0.0; n];
        exits[n - 1] = rates[n - 1];
        Self { between, exits, starts }
    }

    pub(super) fn phases(&self) -> usize {
        self.exits.len()
    }

    /// (weight, phase) with which a kind of period starts.
    pub(super) fn start(&self, kind: usize) -> impl Iterator<Item = (f64, usize)> + '_ {
        self.starts[kind].iter().enumerate().filter(|(_, w)| **w != 0.0).map(|(phase, w)| (*w, phase))
    }

    /// The rate at which the period ends from a phase.
    pub(super) fn exit(&self, phase: usize) -> f64 {
        self.exits[phase]
    }

    /// (rate, phase) of the changes out of a phase.
    pub(super) fn changes(&self, phase: usize) -> impl Iterator<Item = (f64, usize)> + '_ {
        let n = self.phases();
        let row = self.between.get(phase * n..(phase + 1) * n).unwrap_or_default();
        row.iter().enumerate().filter(|(_, rate)| **rate != 0.0).map(|(to, rate)| (*rate, to))
    }
}

/// How closely transforms are fitted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Grid {
    /// Rates a decade.
    pub density: f64,
    /// The slowest rate, as a share of the slowest time scale of the busy period.
    pub slowest: f64,
}

impl Grid {
    /// The rates of the phases, and σ = s + λ(1 − B~(s)) at the points s where transforms are compared; equally spaced in their logarithm.
    fn spread<S: JobSize>(self, long: &BusyPeriod<S>, fastest: f64, scales: [f64; 2]) -> (Vec<f64>, Vec<f64>) {
        let slowest = self.slowest * scales[0];
        let highest = BEYOND * fastest.max(scales[1]);
        let count = (self.density * (highest / slowest).log10()).ceil() as usize + 1;
        let low = (slowest / 3.0).min(fastest / 100.0);
        // σ <= min(s/(1−ρ), s + λ), close to it at both ends.
        let sigma = |s: f64| (s / long.spare()).min(s + long.rate());
        let points = logarithmic(sigma(low), sigma(1.5 * fastest), POINTS_A_RATE * count);
        (logarithmic(slowest, highest, count), points)
    }
}

/// The slowest rate of the periods: near 3E\[P²\]/E\[P³\] for an exponential tail. Without a third moment there is no slowest; what lies
/// beyond a share of E\[P\]/E\[P²\] or 1/E\[P\] matters little.
fn slowest(kinds: &[Kind<'_>]) -> f64 {
    let of = |kind: &Kind<'_>| match kind.moments {
        [_, second, third] if third.is_finite() => 3.0 * second / third,
        [mean, second, _] if second.is_finite() => 1e-4 * mean / second,
        [mean, ..] => 1e-6 / mean,
    };
    kinds.iter().map(of).fold(f64::INFINITY, f64::min)
}

/// The rate of the shortest kind.
fn quickest(kinds: &[Kind<'_>]) -> f64 {
    kinds.iter().map(|kind| 1.0 / kind.moments[0]).fold(0.0, f64::max)
}

fn logarithmic(low: f64, high: f64, count: usize) -> Vec<f64> {
    let step = (high / low).ln() / (count as f64 - 1.0);
    (0..count).map(|i| low * (step * i as f64).exp()).collect()
}
