//! The waiting time of any law by its renewal equation, in which nothing is subtracted.
//!
//! With G(t) = P(W > t), G(t) = λE[(X−t)⁺] + λ∫₀ᵗ G(t−u) P(X>u) du, G(0) = ρ. It is solved panel by panel in t. On each panel G is a
//! polynomial through Gauss nodes, at which the equation holds; panels end where G may have a kink (at the ends of the support, at
//! break points and atoms, and at small sums of them), are at most as long as what lies before them, and are halved until the last
//! coefficients are negligible. All terms are positive: small tails keep their digits.

use super::kernel::{Kernel, bends};
use crate::error::{Error, Result};
use crate::numeric::legendre::{Basis, polynomials, series};
use crate::numeric::root::monotone;
use crate::size::JobSize;
use crate::workload::Workload;

/// The last coefficients of a panel are below this share of its mean.
const TOLERANCE: f64 = 1e-5;

/// Panels that stop getting better are accepted from here on.
const STALLED: f64 = 1e-3;

/// No panel lets G fall by more than this factor.
const STEEPEST: f64 = 0.02;

/// Nodes at which the equation is written down, those of panels that are halved included: some seconds.
const MOST_NODES: usize = 20_000;

/// Below this nothing is followed: the tail is taken as 0.
const LEAST: f64 = 1e-280;

/// P(W > t) on one stretch of t.
#[derive(Debug, Clone)]
pub(super) struct Panel<const N: usize> {
    pub low: f64,
    pub high: f64,
    /// Legendre coefficients
    pub coefficients: [f64; N],
    /// the Gauss nodes, and weight times P(W > node)
    pub nodes: [f64; N],
    pub masses: [f64; N],
    /// the integral over all of it, and from its middle on; powers of the integral from its middle to y
    pub whole: f64,
    upper_half: f64,
    powers: [f64; N],
}

impl<const N: usize> Panel<N> {
    fn new(basis: &Basis<N>, low: f64, high: f64, coefficients: [f64; N]) -> Self {
        let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
        let nodes = basis.nodes.map(|y| middle + half * y);
        let masses = std::array::from_fn(|i| half * basis.weights[i] * series(&coefficients, basis.nodes[i]));
        let powers = basis.integral_by_powers(&coefficients).map(|q| half * q);
        let (whole, upper_half) = (2.0 * half * coefficients[0], powers.iter().sum());
        Self { low, high, coefficients, nodes, masses, whole, upper_half, powers }
    }

    /// ∫ P(W > t) dt from t to the end of the panel.
    #[inline]
    pub(super) fn from(&self, t: f64) -> f64 {
        let y = self.place(t);
        self.upper_half - y * self.powers.iter().rev().fold(0.0, |sum, q| sum * y + q)
    }

    /// t on [-1, 1].
    #[inline]
    pub(super) fn place(&self, t: f64) -> f64 {
        ((t - self.low) - (self.high - t)) / (self.high - self.low)
    }

    #[inline]
    pub(super) fn value(&self, t: f64) -> f64 {
        series(&self.coefficients, self.place(t))
    }
}

/// P(W > t) as far as it has been asked for.
pub(super) struct Renewal<'a, S, const N: usize> {
    jobs: &'a Workload<S>,
    basis: Basis<N>,
    kernel: Kernel<'a, S, N>,
    panels: Vec<Panel<N>>,
    /// where panels must end
    marks: Vec<f64>,
    /// before which no job can end
    first: f64,
    width: f64,
    nodes: usize,
    /// the largest share of a panel that is not resolved
    unresolved: f64,
}

impl<'a, S: JobSize, const N: usize> Renewal<'a, S, N> {
    pub(super) fn new(jobs: &'a Workload<S>) -> Self {
        let basis = Basis::new();
        let first = first_panel(jobs);
        let count = (8.0 * jobs.rate() * first).ceil().clamp(1.0, 100.0);
        let ends = (0..=count as u32).map(|i| first * f64::from(i) / count).collect::<Vec<_>>();
        let panel = |pair: &[f64]| {
            let (middle, half) = (0.5 * (pair[0] + pair[1]), 0.5 * (pair[1] - pair[0]));
            let values = basis.nodes.map(|y| before_first_end(jobs, middle + half * y));
            Panel::new(&basis, pair[0], pair[1], basis.coefficients(&values))
        };
        let panels: Vec<Panel<N>> = ends.windows(2).map(panel).collect();
        let marks = kinks(jobs.size(), first);
        let kernel = Kernel::new(jobs.size(), first, marks.clone());
        Self { jobs, basis, kernel, panels, marks, first, width: first, nodes: 0, unresolved: 0.0 }
    }

    /// The relative error of P(W > t), from above: at Gauss nodes much more is right than the last coefficients tell.
    pub(super) fn error(&self) -> f64 {
        if self.unresolved > TOLERANCE { self.unresolved } else { 0.05 * TOLERANCE }
    }

    /// P(W > t).
    pub(super) fn tail(&mut self, t: f64) -> Result<f64> {
        if t <= self.first {
            return Ok(before_first_end(self.jobs, t));
        }
        Ok(self.panel_at(t)?.map_or(0.0, |panel| panel.value(t).max(0.0)))
    }

    /// P(T > t).
    pub(super) fn response_tail(&mut self, t: f64) -> Result<f64> {
        self.panel_at(t)?;
        self.kernel.reach(t);
        Ok(self.kernel.response_tail(&self.panels, t))
    }

    /// The panel that holds t and what follows it at once; none where nothing is left.
    fn panel_at(&mut self, t: f64) -> Result<Option<&Panel<N>>> {
        while self.reach() <= t {
            if !self.extend()? {
                return Ok(None);
            }
        }
        let index = self.panels.partition_point(|panel| panel.high <= t);
        Ok(self.panels.get(index))
    }

    fn reach(&self) -> f64 {
        self.panels.last().map_or(0.0, |panel| panel.high)
    }

    /// The smallest t at which a falling tail is at most `late`.
    pub(super) fn quantile(&mut self, late: f64, tail: fn(&mut Self, f64) -> Result<f64>) -> Result<f64> {
        if tail(self, 0.0)? <= late {
            return Ok(0.0);
        }
        let mut index = 0;
        loop {
            if index >= self.panels.len() && !self.extend()? {
                return Ok(self.reach());
            }
            let (low, high) = (self.panels[index].low, self.panels[index].high.next_down());
            // An atom may have let the tail jump where the panel begins.
            if tail(self, low)? <= late {
                return Ok(low);
            }
            if tail(self, high)? <= late {
                let mut failure = None;
                let mut gap = |t: f64| match tail(self, t) {
                    Ok(value) => value / late - 1.0,
                    Err(error) => {
                        failure = Some(error);
                        0.0
                    }
                };
                let t = monotone(&mut gap, low, high);
                return failure.map_or(Ok(t), Err);
            }
            index += 1;
        }
    }

    /// One more panel; false where nothing is left to follow.
    fn extend(&mut self) -> Result<bool> {
        let Some(last) = self.panels.last() else { return Ok(false) };
        let (low, before) = (last.high, series(&last.coefficients, 1.0));
        if !(before > LEAST) || low > 1e280 {
            return Ok(false);
        }
        let mark = self.marks.iter().copied().find(|&mark| mark > low * (1.0 + 1e-14)).unwrap_or(f64::INFINITY);
        let (mut width, mut coarser) = (self.width.min(low), f64::INFINITY);
        for _ in 0..60 {
            // Rather two panels of like width than a sliver before a mark.
            let high = if low + width >= mark {
                mark
            } else if low + 1.5 * width >= mark {
                0.5 * (low + mark)
            } else {
                low + width
            };
            self.kernel.reach(high);
            let coefficients = self.solve(low, high)?;
            let after = series(&coefficients, 1.0);
            let last = coefficients[N - 1].abs() + coefficients[N - 2].abs();
            // A tail below what doubles hold is 0.
            let unresolved = if last == 0.0 { 0.0 } else { last / coefficients[0].abs() };
            // Where halving does not help, something else than the panel is not resolved, and the error says so.
            let stalled = unresolved > 0.5 * coarser && coarser < STALLED;
            let resolved = (unresolved <= TOLERANCE || stalled) && after >= STEEPEST * before;
            coarser = unresolved;
            self.nodes += N;
            if resolved || width <= 1e-13 * low || self.nodes >= MOST_NODES {
                if !resolved && self.nodes >= MOST_NODES {
                    return Err(Error::NoConvergence {
                        what: "distribution of the waiting time",
                        iterations: MOST_NODES,
                        residual: unresolved,
                    });
                }
                self.unresolved = self.unresolved.max(unresolved);
                self.panels.push(Panel::new(&self.basis, low, high, coefficients));
                self.width = if unresolved <= 1e-4 * TOLERANCE { 2.0 * width } else { 1.2 * width };
                return Ok(true);
            }
            width = 0.5 * (high - low);
        }
        Err(Error::NoConvergence { what: "panel of the waiting time", iterations: 60, residual: TOLERANCE })
    }

    /// The coefficients of the panel from `low` to `high`, all before it being known.
    fn solve(&self, low: f64, high: f64) -> Result<[f64; N]> {
        let (middle, half, rate) = (0.5 * (low + high), 0.5 * (high - low), self.jobs.rate());
        let mut rows = [[0.0; N]; N];
        let mut right = [0.0; N];
        for i in 0..N {
            let (y, t) = (self.basis.nodes[i], middle + half * self.basis.nodes[i]);
            let mut own = [0.0; N];
            let known = self.kernel.convolve(&self.panels, (low, high), (y, t), &mut own);
            let at_node = polynomials::<N>(y);
            rows[i] = std::array::from_fn(|k| at_node[k] - rate * own[k]);
            right[i] = rate * (self.kernel.excess(t) + known);
        }
        eliminate(&mut rows, &mut right);
        if right.iter().all(|c| c.is_finite()) {
            Ok(right)
        } else {
            Err(Error::NoConvergence { what: "panel of the waiting time", iterations: 1, residual: f64::INFINITY })
        }
    }
}

/// P(W > t) before the first job can end: 1 − (1−ρ)e^{λt} = ρ − (1−ρ)(e^{λt} − 1).
fn before_first_end<S: JobSize>(jobs: &Workload<S>, t: f64) -> f64 {
    jobs.load() - jobs.spare() * (jobs.rate() * t).exp_m1()
}

/// The largest t before which hardly any job can end: λtP(X<=t) is negligible.
fn first_panel<S: JobSize>(jobs: &Workload<S>) -> f64 {
    let (law, rate) = (jobs.size(), jobs.rate());
    let low = law.support().0;
    if low > 0.0 {
        return low;
    }
    let mut t = law.quantile(0.5).max(1e-290);
    while rate * t * law.cdf(t) > 1e-11 && t > 1e-290 {
        t *= 0.25;
    }
    t
}

/// Where P(W > t) may have a kink that counts: where the tail of the sizes bends or jumps, and sums of a few such sizes.
fn kinks<S: JobSize>(law: &S, first: f64) -> Vec<f64> {
    let mut single = bends(law);
    single.extend(law.atoms().iter().map(|atom| atom.size).filter(|size| *size > 0.0));
    single.sort_unstable_by(f64::total_cmp);
    single.dedup();
    // Each convolution takes two orders off a kink.
    let terms = match single.len() {
        1 => 6,
        2..=4 => 3,
        5..=16 => 2,
        _ => 1,
    };
    let mut all = single.clone();
    let mut sums = single.clone();
    for _ in 1..terms {
        sums = sums.iter().flat_map(|sum| single.iter().map(move |size| sum + size)).collect();
        all.extend(&sums);
    }
    all.retain(|size| *size >= first && size.is_finite());
    all.sort_unstable_by(f64::total_cmp);
    all.dedup_by(|next, kept| *next <= *kept * (1.0 + 1e-12));
    all
}

/// Gaussian elimination with row exchanges; the solution replaces the right side.
fn eliminate<const N: usize>(rows: &mut [[f64; N]; N], right: &mut [f64; N]) {
    for k in 0..N {
        let pivot = (k..N).max_by(|&i, &j| rows[i][k].abs().total_cmp(&rows[j][k].abs())).unwrap_or(k);
        rows.swap(k, pivot);
        right.swap(k, pivot);
        let source = rows[k];
        for i in k + 1..N {
            let factor = rows[i][k] / source[k];
            for j in k..N {
                rows[i][j] -= factor * source[j];
            }
            right[i] -= factor * right[k];
        }
    }
    for k in (0..N).rev() {
        let known: f64 = (k + 1..N).map(|j| rows[k][j] * right[j]).sum();
        right[k] = (right[k] - known) / rows[k][k];
    }
}
