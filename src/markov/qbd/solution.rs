//! What the stationary law of a chain says.

use super::Drift;
use nalgebra::{DMatrix, RowDVector};

/// How good a solution is.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub(super) struct Evidence {
    pub iterations: usize,
    pub spectral_radius: f64,
    pub row_sum_error: f64,
    pub residual_g: f64,
    pub residual: f64,
    pub drift: Drift,
}

/// The stationary law of a [`Qbd`](super::Qbd), with the evidence for it.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct QbdSolution {
    g: DMatrix<f64>,
    r: DMatrix<f64>,
    /// Phase probabilities of the boundary levels and of the first repeating one.
    levels: Vec<RowDVector<f64>>,
    /// Σ_k π_L R^k, Σ_k k π_L R^k and Σ_k k(k−1) π_L R^k, with L the first repeating level.
    sums: [RowDVector<f64>; 3],
    evidence: Evidence,
}

impl QbdSolution {
    pub(super) fn new(
        g: DMatrix<f64>,
        r: DMatrix<f64>,
        levels: Vec<RowDVector<f64>>,
        sums: [RowDVector<f64>; 3],
        evidence: Evidence,
    ) -> Self {
        Self { g, r, levels, sums, evidence }
    }

    fn first_repeating(&self) -> usize {
        self.levels.len() - 1
    }

    /// First-passage probabilities to the next lower level among the repeating levels.
    pub fn g(&self) -> &DMatrix<f64> {
        &self.g
    }

    /// The matrix with π_{l+1} = π_l R among the repeating levels.
    pub fn r(&self) -> &DMatrix<f64> {
        &self.r
    }

    /// Probabilities of the phases of a level. Cost: a product for each binary digit of the level.
    pub fn phase_probabilities(&self, level: usize) -> Vec<f64> {
        self.repeated(level).iter().copied().collect()
    }

    /// P(level = l).
    pub fn level_probability(&self, level: usize) -> f64 {
        self.repeated(level).sum()
    }

    /// P(level > l), as a sum of probabilities and not as a difference from 1 beyond the boundary.
    pub fn level_tail(&self, level: usize) -> f64 {
        let first = self.first_repeating();
        let [sum, ..] = &self.sums;
        let from = level.saturating_add(1);
        if from >= first {
            return power_times(sum, &self.r, from - first).sum();
        }
        self.levels[from..first].iter().map(RowDVector::sum).sum::<f64>() + sum.sum()
    }

    fn repeated(&self, level: usize) -> RowDVector<f64> {
        let first = self.first_repeating();
        if level <= first {
            self.levels[level].clone()
        } else {
            power_times(&self.levels[first], &self.r, level - first)
        }
    }

    /// `E[l] = Σ_{l<L} l π_l1 + L π_L(I−R)⁻¹1 + π_L R(I−R)⁻²1`.
    pub fn mean_level(&self) -> f64 {
        self.level_moment(|l| l, |l, [sum, once, _]| l * sum + once)
    }

    /// `E[l²] = Σ_{l<L} l² π_l1 + π_L[L²(I−R)⁻¹ + 2L R(I−R)⁻² + R(I+R)(I−R)⁻³]1`.
    pub fn second_moment_level(&self) -> f64 {
        self.level_moment(|l| l * l, |l, [sum, once, pairs]| l * l * sum + (2.0 * l + 1.0) * once + pairs)
    }

    /// E\[L\] and E\[L(L−1)\] for L = (l−m)⁺, what the level exceeds m by, for m up to the first repeating level.
    ///
    /// For a queue with m servers: the jobs that wait. All terms are positive. Beyond the first repeating level m counts as that.
    pub fn excess_moments(&self, m: usize) -> [f64; 2] {
        let over = m.min(self.first_repeating()) as f64;
        let excess = |l: f64| (l - over).max(0.0);
        let pairs = |l: f64| excess(l) * (excess(l) - 1.0).max(0.0);
        [
            self.level_moment(excess, |l, [sum, once, _]| excess(l) * sum + once),
            // (d+k)(d+k−1) = d(d−1) + 2dk + k(k−1)
            self.level_moment(pairs, |l, [sum, once, more]| pairs(l) * sum + 2.0 * excess(l) * once + more),
        ]
    }

    fn level_moment(&self, of: impl Fn(f64) -> f64, beyond: impl Fn(f64, [f64; 3]) -> f64) -> f64 {
        let first = self.first_repeating();
        let below: f64 = self.levels[..first].iter().enumerate().map(|(l, level)| of(l as f64) * level.sum()).sum();
        let [sum, once, pairs] = &self.sums;
        below + beyond(first as f64, [sum.sum(), once.sum(), pairs.sum()])
    }

    /// Probabilities of the phases, summed over the repeating levels (from the number of boundary levels on).
    pub fn repeating_phases(&self) -> Vec<f64> {
        self.sums[0].iter().copied().collect()
    }

    /// E\[f(level, phase)\] for a function that is linear in the level from the first repeating one on.
    ///
    /// `Σ_{l<L} π_l f_l + π_L(I−R)⁻¹f_L + π_L R(I−R)⁻²c` with c = f_{L+1} − f_L.
    pub fn mean_of(&self, f: impl Fn(usize, usize) -> f64) -> f64 {
        let first = self.first_repeating();
        let [sum, once, _] = &self.sums;
        self.below(&f)
            + weigh(sum, |phase| f(first, phase))
            + weigh(once, |phase| f(first + 1, phase) - f(first, phase))
    }

    /// The same for a function that is quadratic in the level: with d = f_{L+2} − 2f_{L+1} + f_L, further `π_L R²(I−R)⁻³d`.
    pub fn mean_of_quadratic(&self, f: impl Fn(usize, usize) -> f64) -> f64 {
        let first = self.first_repeating();
        let curve = |phase: usize| f(first + 2, phase) - 2.0 * f(first + 1, phase) + f(first, phase);
        self.mean_of(&f) + 0.5 * weigh(&self.sums[2], curve)
    }

    fn below(&self, f: impl Fn(usize, usize) -> f64) -> f64 {
        let levels = self.levels[..self.first_repeating()].iter().enumerate();
        levels.map(|(level, row)| weigh(row, |phase| f(level, phase))).sum()
    }

    /// Σ_l z^{(l−L)⁺} E\[f(l, phase); level l\] for |z| < 1, with f(l, phase) = z^{l−L} f(L, phase) from the first repeating level L on.
    pub(crate) fn discounted(&self, z: f64, f: impl Fn(usize, usize) -> f64) -> f64 {
        let first = self.first_repeating();
        // π_L Σ (zR)^k
        let n = self.r.nrows();
        let factors = (DMatrix::identity(n, n) - self.r.transpose() * z).lu();
        let sum = factors
            .solve(&self.levels[first].transpose())
            .map_or_else(|| self.levels[first].clone(), |column| column.transpose());
        self.below(&f) + weigh(&sum, |phase| f(first, phase))
    }

    /// What rounding may do to the mean level: 1/(1 − radius of R) is about that mean.
    pub(crate) fn rounding(&self) -> f64 {
        4.0 * f64::EPSILON * (1.0 + self.mean_level().abs())
    }

    /// The spectral radius of R: by what the probabilities of high levels fall from level to level.
    pub fn spectral_radius(&self) -> f64 {
        self.evidence.spectral_radius
    }

    /// The mean drift of the repeating levels.
    pub fn drift(&self) -> Drift {
        self.evidence.drift
    }

    /// max |πQ| over the phases of the boundary and of the two levels above, relative to the largest flow in each level.
    pub fn residual(&self) -> f64 {
        self.evidence.residual
    }

    /// max |A2 + A1G + A0G²|, relative to the rate out of each phase.
    pub fn residual_g(&self) -> f64 {
        self.evidence.residual_g
    }

    /// max |G1 − 1|.
    pub fn row_sum_error(&self) -> f64 {
        self.evidence.row_sum_error
    }

    /// Doublings of the level that the reduction for G took.
    pub fn iterations(&self) -> usize {
        self.evidence.iterations
    }
}

/// Σ p_phase f(phase).
fn weigh(row: &RowDVector<f64>, f: impl Fn(usize) -> f64) -> f64 {
    row.iter().enumerate().map(|(phase, p)| p * f(phase)).sum()
}

/// x R^k by the binary digits of k.
fn power_times(x: &RowDVector<f64>, r: &DMatrix<f64>, k: usize) -> RowDVector<f64> {
    let (mut x, mut square, mut k) = (x.clone(), r.clone(), k);
    // Few steps are cheaper one by one.
    if k <= 2 * r.nrows() {
        for _ in 0..k {
            x *= r;
        }
        return x;
    }
    while k > 0 {
        if k % 2 == 1 {
            x *= &square;
        }
        square = &square * &square;
        k /= 2;
    }
    x
}
