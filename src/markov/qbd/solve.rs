//! The stationary law of a stable chain, from the top level down and back.

use super::passage::inverse;
use super::pivoted;
use super::solution::Evidence;
use super::spectrum::spectral_radius;
use super::{Blocks, Drift, Qbd, QbdSolution, Reduction, row_sums, trapped};
use crate::error::{Error, Result};
use crate::markov::classes::stationary;
use crate::numeric::dense::{by_rows, matrix};
use crate::numeric::triplet;
use nalgebra::{DMatrix, DVector, RowDVector};

impl Qbd {
    /// `π_{l+1} = π_l R_l`, `R = A0(−A1 − A0G)⁻¹`: the stationary law of a stable chain.
    ///
    /// Levels are censored from the top down: what happens above level l is part of U_l = A1_l + A0_l G_{l+1}, and level 0 is left with
    /// a generator of its own, solved by the elimination of Grassmann, Taksar and Heyman. No generator is inverted and nothing is
    /// subtracted, except in (I − R)⁻¹ for the moments of the level.
    ///
    /// Cost: one G (see [`g`](Self::g)) and one elimination a boundary level. Accuracy: probabilities some 1e-15 relative to each
    /// other; moments and normalisation some 1e-16/(1 − spectral radius of R), which is how well rates in doubles determine them. The
    /// result carries its residuals.
    ///
    /// # Errors
    /// [`Error::Unstable`] unless the mean drift is downwards; [`Error::Datum`] for phases that trap the chain in a level;
    /// [`Error::Argument`] for a chain that may end up in several places.
    ///
    /// Every level must lead to the level below in the end, and level 0 back to itself: a chain that leaves its lowest levels for good,
    /// or has phases that are never entered and drift upwards, is refused although it may have a stationary law.
    ///
    /// Source: M. Neuts, "Matrix-Geometric Solutions in Stochastic Models" (1981), for boundaries of several levels.
    pub fn solve(&self) -> Result<QbdSolution> {
        self.solve_by(Reduction::default())
    }

    /// [`solve`](Self::solve) with a choice of the reduction for G.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn solve_by(&self, reduction: Reduction) -> Result<QbdSolution> {
        let drift = self.drift();
        if !(drift.up < drift.down) {
            return Err(Error::Unstable { load: drift.ratio(), limit: 1.0 });
        }
        self.law(reduction, drift, Entries::Rates)
    }

    /// The same elimination for a chain that is known to be stable and whose entries may be negative; see
    /// [`signed_from_rates`](Self::signed_from_rates).
    ///
    /// Drift and spectral radius are not among its evidence. Row sums are kept as they are, so that next to balanced drift nothing is
    /// lost; where that elimination meets a pivot that is not positive, one with a choice of pivots follows.
    pub(crate) fn solve_signed(&self) -> Result<QbdSolution> {
        let drift = Drift { up: 0.0, down: f64::INFINITY };
        let by_sums = self.law(Reduction::Cyclic, drift, Entries::Signed);
        by_sums.or_else(|_| self.law(Reduction::Cyclic, drift, Entries::Pivoted))
    }

    /// θ(A0 + A1 + A2) = 0: the law of the phases far from the boundary, as a saturated chain keeps them.
    pub(crate) fn saturated_phases(&self) -> Result<Vec<f64>> {
        let Blocks { up, local, down } = &self.repeating;
        triplet::stationary(&mut by_rows(&(up + local + down)), local.nrows())
            .map_err(|row| trapped("phase of the repeating levels", row))
    }

    fn law(&self, reduction: Reduction, drift: Drift, entries: Entries) -> Result<QbdSolution> {
        let Blocks { up, local, down } = &self.repeating;
        let n = local.nrows();
        let (g, iterations) = match entries {
            Entries::Pivoted => (pivoted::g(&self.repeating)?, 0),
            _ => self.reduced(reduction).map(|reduced| (matrix(n, n, &reduced.g), reduced.iterations))?,
        };
        let invert = |u: &DMatrix<f64>, down: &DMatrix<f64>, what| match entries {
            Entries::Pivoted => pivoted::inverse(u),
            _ => inverse(u, &row_sums(down), what),
        };
        let censored = invert(&(local + up * &g), down, "row of the repeating levels")?;
        let r = up * &censored;
        // Downwards: the passage to the level below, and the factor from there up.
        let last = self.boundary.len() - 1;
        let mut factors = vec![&self.boundary[last].up * &censored];
        let mut passage = g.clone();
        for level in (1..=last).rev() {
            let blocks = &self.boundary[level];
            let censored = invert(&(&blocks.local + &blocks.up * &passage), &blocks.down, "row of a boundary level")?;
            passage = &censored * &blocks.down;
            factors.push(&self.boundary[level - 1].up * &censored);
        }
        let zero = &self.boundary[0];
        let censored = &zero.local + &zero.up * &passage;
        let lowest = match entries {
            Entries::Rates => stationary(censored.nrows(), |i, j| censored[(i, j)], "phase of level 0")?,
            Entries::Signed => triplet::stationary(&mut by_rows(&censored), censored.nrows())
                .map_err(|row| trapped("phase of level 0", row))?,
            Entries::Pivoted => pivoted::stationary(&censored)?.iter().copied().collect(),
        };
        let mut levels = vec![RowDVector::from_vec(lowest)];
        // Upwards, each level scaled to sum 1 and its logarithm kept: levels may differ by more than a double holds.
        let mut logs = vec![0.0];
        for factor in factors.iter().rev() {
            let next = &levels[levels.len() - 1] * factor;
            let sum = next.sum();
            let log = logs[logs.len() - 1] + sum.ln();
            levels.push(if sum > 0.0 { next / sum } else { next });
            logs.push(log);
        }
        let [sum, first, second] = geometric_sums(&levels[last + 1], &r, entries)?;
        // π_0..π_{L−1} and the sum over all levels from L on must add to 1.
        let top = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = logs.iter().map(|log| (log - top).exp()).collect();
        let total = weights[..=last].iter().sum::<f64>() + weights[last + 1] * sum.sum();
        levels.iter_mut().zip(&weights).for_each(|(level, weight)| *level *= weight / total);
        let scale = weights[last + 1] / total;
        let evidence = Evidence {
            iterations,
            spectral_radius: match entries {
                Entries::Rates => spectral_radius(&by_rows(&r), n),
                Entries::Signed | Entries::Pivoted => 0.0,
            },
            row_sum_error: row_sums(&g).iter().map(|sum| (sum - 1.0).abs()).fold(0.0, f64::max),
            residual_g: residual_g(&self.repeating, &g),
            residual: self.residual(&levels, &r),
            drift,
        };
        Ok(QbdSolution::new(g, r, levels, [sum * scale, first * scale, second * scale], evidence))
    }

    /// The largest imbalance of a phase, relative to the largest flow out of a phase of its level.
    fn residual(&self, levels: &[RowDVector<f64>], r: &DMatrix<f64>) -> f64 {
        let mut levels = levels.to_vec();
        for _ in 0..2 {
            let next = &levels[levels.len() - 1] * r;
            levels.push(next);
        }
        let mut worst: f64 = 0.0;
        for level in 0..levels.len() - 1 {
            let blocks = self.blocks(level);
            let n = blocks.local.nrows();
            let out = |i: usize| -> f64 {
                let within = (0..n).filter(|&j| j != i).map(|j| blocks.local[(i, j)]);
                blocks.up.row(i).iter().chain(blocks.down.row(i).iter()).copied().chain(within).sum()
            };
            let flows = DVector::from_iterator(n, (0..n).map(out)).transpose().component_mul(&levels[level]);
            let mut balance = &levels[level] * &blocks.local + &levels[level + 1] * &self.blocks(level + 1).down;
            if level > 0 {
                balance += &levels[level - 1] * &self.blocks(level - 1).up;
            }
            let scale = flows.max();
            if scale > f64::MIN_POSITIVE * 1e20 {
                worst = worst.max(balance.amax() / scale);
            }
        }
        worst
    }
}

/// Σ_k π R^k, Σ_k k π R^k and Σ_k k(k−1) π R^k, as row vectors.
fn geometric_sums(first: &RowDVector<f64>, r: &DMatrix<f64>, entries: Entries) -> Result<[RowDVector<f64>; 3]> {
    let n = r.nrows();
    let factors = (DMatrix::identity(n, n) - r.transpose()).lu();
    let over = |row: &RowDVector<f64>| -> Result<RowDVector<f64>> {
        let solved = factors.solve(&row.transpose()).map(|column| column.transpose());
        let usable = |row: &RowDVector<f64>| {
            row.iter().all(|x| x.is_finite()) && (entries != Entries::Rates || row.sum() >= 0.0)
        };
        // Next to balanced drift rounding may push the radius of R to 1.
        let clean = |row: RowDVector<f64>| match entries {
            Entries::Rates => row.map(|x| x.max(0.0)),
            Entries::Signed | Entries::Pivoted => row,
        };
        solved.filter(usable).map(clean).ok_or(Error::Unstable { load: 1.0, limit: 1.0 })
    };
    // Σ R^k = (I−R)⁻¹,  Σ k R^k = R(I−R)⁻²,  Σ k(k−1) R^k = 2R²(I−R)⁻³
    let sum = over(first)?;
    let once = over(&(&sum * r))?;
    let pairs = over(&(&once * r))? * 2.0;
    Ok([sum, once, pairs])
}

/// Whether the entries of a chain are rates.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Entries {
    /// They are: nothing is subtracted.
    Rates,
    /// Some may be negative, but what is eliminated by is positive.
    Signed,
    /// Not even that.
    Pivoted,
}

/// max |A2 + A1 G + A0 G²| of a row, relative to its total rate.
fn residual_g(blocks: &Blocks, g: &DMatrix<f64>) -> f64 {
    let left = &blocks.down + &blocks.local * g + &blocks.up * (g * g);
    let relative = left.row_iter().enumerate().map(|(i, row)| row.amax() / blocks.local[(i, i)].abs());
    relative.fold(0.0, f64::max)
}
