//! ∫₀ᵗ G(t−u) P(X>u) du: by quadrature for the continuous part of the law, by windows over G for its atoms.

use super::renewal::Panel;
use crate::numeric::legendre::{Basis, integrals, polynomials, series, slope, sum_of_series, weigh};
use crate::size::{Atom, JobSize};

/// The widest stretch of sizes in ln u.
const WIDEST: f64 = 2.0;

/// The last coefficients of P(X > u) on a stretch are below this share of the largest value.
const TOLERANCE: f64 = 1e-7;

/// Stretches, far more than any smooth law needs; what is beyond is taken in wide ones.
const MOST_STRETCHES: usize = 500;

/// A tail that falls faster than any power matters little once it is below this; others are resolved there, too.
const NEGLIGIBLE: f64 = 1e-18;

/// P(X > u) of the continuous part at the nodes of a stretch of sizes.
struct Stretch<const N: usize> {
    low: f64,
    high: f64,
    nodes: [f64; N],
    /// weight times P(X > node)
    masses: [f64; N],
    /// Legendre coefficients of P(X > u)
    coefficients: [f64; N],
}

/// Sizes of little variation are next to an atom, whose two sides are told apart.
const NARROW: f64 = 0.05;

/// Where the tail of the continuous part bends: ends of the support, break points, and both sides of a narrow peak.
pub(super) fn bends<S: JobSize>(law: &S) -> Vec<f64> {
    let (low, high) = law.support();
    let mut sizes = [low, high].to_vec();
    sizes.extend(law.break_points());
    if law.scv() < NARROW {
        sizes.extend([law.quantile(1e-9), law.upper_quantile(1e-9)]);
    }
    sizes.retain(|size| *size > 0.0 && size.is_finite());
    sizes.sort_unstable_by(f64::total_cmp);
    sizes.dedup();
    sizes
}

/// The tail of the sizes, ready for convolutions.
pub(super) struct Kernel<'a, S, const N: usize> {
    law: &'a S,
    atoms: &'a [Atom],
    basis: Basis<N>,
    /// Stretches from 0 on, if the law has a continuous part
    stretches: Vec<Stretch<N>>,
    /// where the tail of the continuous part has a kink
    breaks: Vec<f64>,
    /// where G has one
    marks: Vec<f64>,
    first: f64,
}

impl<'a, S: JobSize, const N: usize> Kernel<'a, S, N> {
    pub(super) fn new(law: &'a S, first: f64, marks: Vec<f64>) -> Self {
        let breaks = if law.is_discrete() { Vec::new() } else { bends(law) };
        Self { law, atoms: law.atoms(), basis: Basis::new(), stretches: Vec::new(), breaks, marks, first }
    }

    /// E[(X − t)⁺].
    pub(super) fn excess(&self, t: f64) -> f64 {
        let mut above = [0.0; 2];
        self.law.partial_moments(&[0.0, 1.0], t, f64::INFINITY, &mut above);
        (above[1] - t * above[0]).max(0.0)
    }

    /// P(X > u) of the continuous part.
    fn smooth_tail(&self, u: f64) -> f64 {
        let tail = self.law.sf(u);
        if self.atoms.is_empty() {
            return tail;
        }
        let from = self.atoms.partition_point(|atom| atom.size <= u);
        (tail - self.atoms[from..].iter().map(|atom| atom.probability).sum::<f64>()).max(0.0)
    }

    /// Sizes are known up to `end`.
    pub(super) fn reach(&mut self, end: f64) {
        if self.law.is_discrete() {
            return;
        }
        let end = end.min(self.law.support().1);
        let mut ratio = WIDEST.exp();
        while self.stretches.last().is_none_or(|last| last.high < end) {
            let low = self.stretches.last().map_or(0.0, |last| last.high);
            let next = self.breaks.iter().copied().find(|&size| size > low).unwrap_or(f64::INFINITY);
            let high = if low == 0.0 { self.first } else { (low * ratio).min(next) };
            let stretch = self.stretch(low, high, |u| self.smooth_tail(u));
            let [.., next_to_last, last] = stretch.coefficients.as_slice() else { return };
            let unresolved = last.abs() + next_to_last.abs();
            if unresolved <= TOLERANCE * stretch.coefficients[0].max(NEGLIGIBLE)
                || high - low <= 1e-9 * high
                || low == 0.0
                || self.stretches.len() >= MOST_STRETCHES
            {
                self.stretches.push(stretch);
                ratio = (ratio * ratio).min(WIDEST.exp());
            } else {
                ratio = (high / low).sqrt();
            }
        }
    }

    fn stretch(&self, low: f64, high: f64, tail: impl Fn(f64) -> f64) -> Stretch<N> {
        let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
        let nodes = self.basis.nodes.map(|y| middle + half * y);
        let tails = nodes.map(tail);
        let masses = std::array::from_fn(|i| half * self.basis.weights[i] * tails[i]);
        Stretch { low, high, nodes, masses, coefficients: self.basis.coefficients(&tails) }
    }

    /// The integral at a node, y on [-1, 1], of the panel from `low` to `high`: what comes from before is returned, and `own` are the
    /// weights of the panel's own coefficients.
    pub(super) fn convolve(
        &self,
        panels: &[Panel<N>],
        (low, high): (f64, f64),
        (y, t): (f64, f64),
        own: &mut [f64; N],
    ) -> f64 {
        let mut known = 0.0;
        if !self.atoms.is_empty() {
            known += self.windows(panels, (low, high), (y, t), own);
        }
        if !self.stretches.is_empty() {
            known += self.recent(panels, (low, high), t, own) + self.early(panels, t);
        }
        known
    }

    /// u <= t/2: the tail is taken at its own nodes and G between its.
    fn recent(&self, panels: &[Panel<N>], (low, high): (f64, f64), t: f64, own: &mut [f64; N]) -> f64 {
        let scale = 2.0 / (high - low);
        let (mut known, mut within) = (0.0, [[0.0; 4]; N]);
        let mut index = panels.len();
        let mut add = |nodes: &[f64; N], masses: &[f64; N]| {
            // Where all fall on one panel they are taken together.
            let (nearest, furthest) = (t - nodes[0], t - nodes[N - 1]);
            if furthest >= low {
                weigh(&nodes.map(|u| (t - u - low) * scale - 1.0), masses, &mut within);
                return;
            }
            while index > 0 && panels[index - 1].low > nearest {
                index -= 1;
            }
            if nearest < low && index > 0 && panels[index - 1].low <= furthest {
                let panel = &panels[index - 1];
                known += sum_of_series(&panel.coefficients, &nodes.map(|u| panel.place(t - u)), masses);
                return;
            }
            for (u, mass) in nodes.iter().zip(masses) {
                let z = t - u;
                if z >= low {
                    let at = polynomials::<N>((z - low) * scale - 1.0);
                    own.iter_mut().zip(at).for_each(|(sum, p)| *sum += mass * p);
                } else {
                    while index > 1 && panels[index - 1].low > z {
                        index -= 1;
                    }
                    known += mass * panels[index - 1].value(z);
                }
            }
        };
        for (at, stretch) in self.stretches.iter().enumerate().take_while(|(_, stretch)| stretch.low < 0.5 * t) {
            let end = stretch.high.min(0.5 * t);
            // G(t − u) has kinks where t − u is a mark.
            let from = self.marks.partition_point(|&mark| mark <= t - end);
            let to = self.marks.partition_point(|&mark| mark < t - stretch.low).max(from);
            if from == to && end == stretch.high {
                add(&stretch.nodes, &stretch.masses);
                continue;
            }
            let mut start = stretch.low;
            for cut in self.marks[from..to].iter().rev().map(|mark| t - mark).chain([end]) {
                let part = self.stretch(start, cut, |u| self.stretches[at].value(u));
                add(&part.nodes, &part.masses);
                start = cut;
            }
        }
        own.iter_mut().zip(within).for_each(|(sum, strands)| *sum += strands.iter().sum::<f64>());
        known
    }

    /// u > t/2: G is taken at its own nodes and the tail between its.
    fn early(&self, panels: &[Panel<N>], t: f64) -> f64 {
        let mut known = 0.0;
        let mut index = self.stretches.len();
        let mut add = |nodes: &[f64; N], masses: &[f64; N]| {
            let (furthest, nearest) = (t - nodes[0], t - nodes[N - 1]);
            while index > 0 && self.stretches[index - 1].low > furthest {
                index -= 1;
            }
            let Some(stretch) = index.checked_sub(1).map(|index| &self.stretches[index]) else { return };
            // Beyond the last stretch there are no jobs.
            if nearest >= stretch.high {
                return;
            }
            if stretch.low <= nearest && furthest <= stretch.high {
                known += sum_of_series(&stretch.coefficients, &nodes.map(|v| stretch.place(t - v)), masses);
                return;
            }
            let mut at = index - 1;
            for (v, mass) in nodes.iter().zip(masses) {
                while at > 0 && self.stretches[at].low > t - v {
                    at -= 1;
                }
                if t - v < self.stretches[at].high {
                    known += mass * self.stretches[at].value(t - v);
                }
            }
        };
        for panel in panels.iter().take_while(|panel| panel.low < 0.5 * t) {
            let end = panel.high.min(0.5 * t);
            let from = self.breaks.partition_point(|&size| size <= t - end);
            let to = self.breaks.partition_point(|&size| size < t - panel.low).max(from);
            if from == to && end == panel.high {
                add(&panel.nodes, &panel.masses);
                continue;
            }
            let mut start = panel.low;
            for cut in self.breaks[from..to].iter().rev().map(|size| t - size).chain([end]) {
                let part = self.stretch(start, cut, |v| panel.value(v));
                add(&part.nodes, &part.masses);
                start = cut;
            }
        }
        known
    }

    /// Σ p ∫ G over the window of length x before t.
    fn windows(&self, panels: &[Panel<N>], (low, high): (f64, f64), (y, t): (f64, f64), own: &mut [f64; N]) -> f64 {
        let half = 0.5 * (high - low);
        let here = integrals::<N>(y);
        let (mut known, mut within, mut start) = (0.0, 0.0, [0.0; N]);
        let first_beyond = self.atoms.partition_point(|atom| t - atom.size >= low);
        for atom in &self.atoms[..first_beyond] {
            let before = integrals::<N>((t - atom.size - low) / half - 1.0);
            start.iter_mut().zip(before).for_each(|(sum, q)| *sum += atom.probability * q);
            within += atom.probability;
        }
        // From the end of the last known panel backwards.
        let mut walk = Walk { panels, index: panels.len(), behind: 0.0 };
        let mut beyond = 0.0;
        for atom in &self.atoms[first_beyond..] {
            known += atom.probability * walk.from((t - atom.size).max(0.0));
            beyond += atom.probability;
        }
        for k in 0..N {
            own[k] += half * ((within + beyond) * here[k] - start[k]);
        }
        known
    }

    /// P(T > t) = P(X > t) + ∫ P(W > t − x) dF(x) over 0 < x <= t.
    pub(super) fn response_tail(&self, panels: &[Panel<N>], t: f64) -> f64 {
        let waiting =
            |z: f64| panels.get(panels.partition_point(|panel| panel.high <= z)).map_or(0.0, |panel| panel.value(z));
        let jumps =
            self.atoms.iter().take_while(|atom| atom.size <= t).map(|atom| atom.probability * waiting(t - atom.size));
        let mut sum = self.law.sf(t) + jumps.sum::<f64>();
        // Jobs below the first stretch that is followed are done at once.
        let smallest = self.first.min(t);
        sum += (1.0 - self.smooth_tail(smallest) - self.atoms.iter().map(|atom| atom.probability).sum::<f64>())
            .max(0.0)
            * waiting(t);
        // Pieces on which both factors are smooth.
        let late = panels.iter().map(|panel| panel.high).take_while(|end| *end < t).map(|end| t - end);
        let ends = self.stretches.iter().map(|stretch| stretch.high).take_while(|end| *end < t);
        let mut cuts: Vec<f64> = ends.chain(late).chain([self.first, t]).collect();
        cuts.retain(|cut| (self.first..=t).contains(cut));
        cuts.sort_unstable_by(f64::total_cmp);
        let mut at = 0;
        for pair in cuts.windows(2).filter(|pair| pair[0] < pair[1]) {
            let (middle, half) = (0.5 * (pair[0] + pair[1]), 0.5 * (pair[1] - pair[0]));
            while at < self.stretches.len() && self.stretches[at].high <= middle {
                at += 1;
            }
            let Some(stretch) = self.stretches.get(at) else { break };
            for (node, weight) in self.basis.nodes.iter().zip(self.basis.weights) {
                let u = middle + half * node;
                sum += half * weight * stretch.density(u) * waiting(t - u);
            }
        }
        sum.min(1.0)
    }
}

/// Integrals of G up to the end of what is known, from ever earlier times.
struct Walk<'a, const N: usize> {
    panels: &'a [Panel<N>],
    index: usize,
    /// the integral over the panels from `index` on
    behind: f64,
}

impl<const N: usize> Walk<'_, N> {
    #[inline]
    fn from(&mut self, z: f64) -> f64 {
        while self.index > 0 && self.panels[self.index - 1].low >= z {
            self.index -= 1;
            self.behind += self.panels[self.index].whole;
        }
        self.index.checked_sub(1).map_or(self.behind, |index| self.behind + self.panels[index].from(z))
    }
}

impl<const N: usize> Stretch<N> {
    /// u on [-1, 1].
    fn place(&self, u: f64) -> f64 {
        ((u - self.low) - (self.high - u)) / (self.high - self.low)
    }

    /// P(X > u) of the continuous part.
    fn value(&self, u: f64) -> f64 {
        series(&self.coefficients, self.place(u))
    }

    /// Its density at u.
    fn density(&self, u: f64) -> f64 {
        (-slope(&self.coefficients, self.place(u)) * 2.0 / (self.high - self.low)).max(0.0)
    }
}
