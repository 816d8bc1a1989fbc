//! What a job of one size meets in the queue: loads and moments of the jobs below it, up to it, and above it.

use super::work::Spread;
use crate::numeric::power::product;
use crate::size::{JobSize, cutoff::atom_at};
use crate::workload::Workload;

/// The stream as seen by a job of size x. Moments are times λ.
///
/// Jobs of the same size are served in the order in which they came, so that those strictly below x and those up to x are two
/// things where x is an atom.
#[derive(Debug, Clone, Copy)]
pub(super) struct Level {
    pub x: f64,
    pub rate: f64,
    /// 1 − ρ of all jobs
    pub spare_of_all: f64,
    /// λE[X²] and λE[X³] of all jobs
    pub of_all: [f64; 2],
    /// ρ(x−) = λE[X; X < x], 1 − ρ(x−) and λE[X²; X < x]
    pub below: Part,
    /// ρ(x) = λE[X; X <= x], 1 − ρ(x) and λE[X²; X <= x]
    pub up_to: Part,
    /// λE[X³; X <= x]
    pub third: f64,
    /// λP(X > x)
    pub rate_above: f64,
    /// λE[X; X > x]
    pub load_above: f64,
    /// ∫₀ˣ dt/(1−ρ(t)) − x and its variance λ∫₀ˣ E[X²; X <= t]/(1−ρ(t))³ dt, where the discipline asks for them
    pub residence: Spread,
}

/// Load, 1 − load and second moment of a part of the stream.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    pub load: f64,
    pub spare: f64,
    pub second: f64,
}

/// No residence, or none that is asked for.
pub(super) const NO_RESIDENCE: Spread = Spread { mean: 0.0, variance: 0.0 };

/// 1 − `load` of the jobs below a size, from whichever side is exact: 1 − ρ + λE[X; above].
#[inline]
pub(super) fn spare_below(load: f64, spare_of_all: f64, load_above: f64) -> f64 {
    if load <= 0.5 || !(spare_of_all > 0.0) { 1.0 - load } else { spare_of_all + load_above }
}

/// λE[X²] and λE[X³], infinite where they diverge.
pub(super) fn moments_of_all<S: JobSize>(jobs: &Workload<S>) -> [f64; 2] {
    [2.0, 3.0].map(|order| product(jobs.rate(), jobs.size().moment(order)))
}

impl Level {
    /// By the law's partial moments.
    pub(super) fn at<S: JobSize>(jobs: &Workload<S>, x: f64) -> Self {
        let (law, rate, spare_of_all) = (jobs.size(), jobs.rate(), jobs.spare());
        let (mut up_to, mut above) = ([0.0; 3], [0.0; 2]);
        law.partial_moments(&[1.0, 2.0, 3.0], 0.0, x, &mut up_to);
        law.partial_moments(&[0.0, 1.0], x, f64::INFINITY, &mut above);
        let (rate_above, load_above) = (rate * above[0], product(rate, above[1]));
        let part = |load, load_above, second| Part { load, spare: spare_below(load, spare_of_all, load_above), second };
        let whole = part(rate * up_to[0], load_above, rate * up_to[1]);
        let mass = rate * atom_at(law, x);
        let below = if mass > 0.0 {
            let mut below = [0.0; 2];
            law.partial_moments(&[1.0, 2.0], 0.0, x.next_down(), &mut below);
            part(rate * below[0], load_above + mass * x, rate * below[1])
        } else {
            whole
        };
        let third = rate * up_to[2];
        let of_all = moments_of_all(jobs);
        Self {
            x,
            rate,
            spare_of_all,
            of_all,
            below,
            up_to: whole,
            third,
            rate_above,
            load_above,
            residence: NO_RESIDENCE,
        }
    }

    /// λE[min(X, x)], 1 minus that, and λE[min(X, x)²]: the jobs as they are seen by one that never gets ahead of them.
    #[inline]
    pub(super) fn capped(&self) -> Part {
        let Self { x, up_to, rate_above, load_above, .. } = *self;
        let load = up_to.load + rate_above * x;
        let beyond = (load_above - rate_above * x).max(0.0);
        Part { load, spare: spare_below(load, self.spare_of_all, beyond), second: up_to.second + rate_above * x * x }
    }
}
