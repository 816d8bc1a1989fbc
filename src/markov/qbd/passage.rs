//! Moments of the time to the next lower level.

use super::{Blocks, Qbd, Reduction, row_sums, trapped};
use crate::error::{Error, Result};
use crate::numeric::dense::{by_rows, matrix};
use crate::numeric::triplet;
use nalgebra::DMatrix;

/// Doublings at most: 2⁶⁰ levels up is beyond any drift that a double can tell from zero.
const CAP: usize = 60;

/// First passage from a level to the one below: probabilities and moments by entry and exit phase.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct FirstPassage {
    /// P(exit phase j | entry phase i).
    pub g: DMatrix<f64>,
    /// E\[τ^r; exit phase j | entry phase i\] for r = 1, 2, 3: unconditional, so that row sums are E\[τ^r | i\].
    pub moments: [DMatrix<f64>; 3],
}

impl FirstPassage {
    /// This passage followed by another one from where it ends: E\[(τ+σ)^r; exit\] by the binomial formula.
    ///
    /// # Errors
    /// [`Error::Argument`] unless the next passage starts from as many phases as this one exits to.
    pub fn then(&self, next: &Self) -> Result<Self> {
        let (exits, entries) = (self.g.ncols(), next.g.nrows());
        super::shape(
            "entry phases of the next passage",
            entries,
            entries == exits,
            "must be the exit phases of this one",
        )?;
        let (g, [a1, a2, a3]) = (&self.g, &self.moments);
        let (h, [b1, b2, b3]) = (&next.g, &next.moments);
        let moments =
            [a1 * h + g * b1, a2 * h + a1 * b1 * 2.0 + g * b2, a3 * h + a2 * b1 * 3.0 + a1 * b2 * 3.0 + g * b3];
        Ok(Self { g: g * h, moments })
    }

    /// E\[τ^r | exit phase j, entry phase i\] for r = 1, 2, 3; 0 where that exit cannot be or does not exist.
    pub fn conditional(&self, entry: usize, exit: usize) -> [f64; 3] {
        let at = |matrix: &DMatrix<f64>| matrix.get((entry, exit)).copied().unwrap_or(0.0);
        let probability = at(&self.g);
        let given = |moments: &DMatrix<f64>| if probability > 0.0 { at(moments) / probability } else { 0.0 };
        let [first, second, third] = &self.moments;
        [given(first), given(second), given(third)]
    }
}

impl Qbd {
    /// `U M₁ + A0 M₁ G = −G` and its derivatives: moments of the time from `level` to the level below, by entry and exit phase.
    ///
    /// With U = A1 + A0 G, the right sides for the second and third moments are −2M₁ − 2A0M₁² and −3M₂ − 3A0(M₁M₂ + M₂M₁).
    /// They are solved as M = Σ Pᵏ C Gᵏ with P = (−U)⁻¹A0 by doubling, free of subtraction. Below the repeating levels the blocks of
    /// each level take their places, from the top down.
    ///
    /// Cost: some 10 doublings of 4n³ operations. Accuracy: some 1e-14, times 1/(1 − drift ratio) to the power 2r − 1.
    ///
    /// # Errors
    /// [`Error::Argument`] for level 0; [`Error::Datum`] and [`Error::NoConvergence`] as [`g`](Self::g).
    ///
    /// Source: M. Neuts (1989); the equations by differentiating A2 + (A1 − sI)G(s) + A0 G(s)² = 0.
    ///
    /// ```
    /// use queueing::markov::{DMatrix, Qbd};
    /// // The busy period of M/M/1 with rates 1/2 and 1: moments 2, 16, 288.
    /// let [local0, up, local, down] = [-0.5, 0.5, -1.5, 1.0].map(|rate| DMatrix::from_element(1, 1, rate));
    /// let queue = Qbd::homogeneous(local0, up, local, down)?;
    /// let [first, second, third] = queue.first_passage(1)?.conditional(0, 0);
    /// assert!((first - 2.0).abs() < 1e-14 && (second - 16.0).abs() < 1e-13 && (third - 288.0).abs() < 1e-11);
    /// # Ok::<(), queueing::Error>(())
    /// ```
    pub fn first_passage(&self, level: usize) -> Result<FirstPassage> {
        super::shape("level", level, level > 0, "must be at least 1, to have a level below")?;
        let mut passage = self.repeating_passage()?;
        for at in (level..self.boundary.len()).rev() {
            passage = self.boundary_passage(at, &passage)?;
        }
        Ok(passage)
    }

    fn repeating_passage(&self) -> Result<FirstPassage> {
        let blocks = &self.repeating;
        let g = self.g(Reduction::Cyclic)?;
        let inverse =
            inverse(&(&blocks.local + &blocks.up * &g), &self.ways_out(blocks, &g), "row of the repeating levels")?;
        // Powers P^{2^k} and G^{2^k}, until what they still add is nothing.
        let mut steps = vec![(&inverse * &blocks.up, g.clone())];
        let first = series(&inverse * &g, &mut steps)?;
        let double = &first * 2.0;
        let second = series(&inverse * (&double + &blocks.up * (&double * &first)), &mut steps)?;
        let cross = &first * &second + &second * &first;
        let third = series(&inverse * ((&second + &blocks.up * cross) * 3.0), &mut steps)?;
        Ok(FirstPassage { g, moments: [first, second, third] })
    }

    /// Rates out of the excursions that stay at a level or above: down, and (with upward drift) up for good.
    fn ways_out(&self, blocks: &Blocks, g: &DMatrix<f64>) -> Vec<f64> {
        let drift = self.drift();
        let lost: Vec<f64> = if drift.up < drift.down {
            vec![0.0; g.nrows()]
        } else {
            row_sums(g).iter().map(|sum| (1.0 - sum).max(0.0)).collect()
        };
        let up = |i: usize| blocks.up.row(i).iter().zip(&lost).map(|(rate, lost)| rate * lost).sum::<f64>();
        row_sums(&blocks.down).iter().enumerate().map(|(i, down)| down + up(i)).collect()
    }

    fn boundary_passage(&self, level: usize, above: &FirstPassage) -> Result<FirstPassage> {
        let blocks = &self.boundary[level];
        let [up1, up2, up3] = &above.moments;
        let out = self.ways_out(blocks, &above.g);
        let inverse = inverse(&(&blocks.local + &blocks.up * &above.g), &out, "row of a boundary level")?;
        let g = &inverse * &blocks.down;
        let first = &inverse * (&g + &blocks.up * (up1 * &g));
        let second = &inverse * (&first * 2.0 + &blocks.up * (up2 * &g + up1 * &first * 2.0));
        let third = &inverse * (&second * 3.0 + &blocks.up * (up3 * &g + up2 * &first * 3.0 + up1 * &second * 3.0));
        Ok(FirstPassage { g, moments: [first, second, third] })
    }
}

/// (−U)⁻¹ for a U whose rows sum to −`out`.
pub(super) fn inverse(u: &DMatrix<f64>, out: &[f64], what: &'static str) -> Result<DMatrix<f64>> {
    let n = u.nrows();
    let width = 2 * n + 1;
    let rates = by_rows(u);
    let mut rows = vec![0.0; n * width];
    for (i, row) in rows.chunks_exact_mut(width).enumerate() {
        row[..n].copy_from_slice(&rates[i * n..(i + 1) * n]);
        row[i] = 0.0;
        row[n + i] = 1.0;
        row[2 * n] = out[i];
    }
    triplet::solve(&mut rows, n, width, &mut vec![0.0; n]).map_err(|row| trapped(what, row))?;
    let entries: Vec<f64> = rows.chunks_exact(width).flat_map(|row| row[n..2 * n].iter().copied()).collect();
    Ok(matrix(n, n, &entries))
}

/// Σ Pᵏ C Gᵏ over k = 0, 1, ... by doubling: M <- M + P M G, P <- P², G <- G².
fn series(mut sum: DMatrix<f64>, steps: &mut Vec<(DMatrix<f64>, DMatrix<f64>)>) -> Result<DMatrix<f64>> {
    let mut left = f64::INFINITY;
    for k in 0..CAP {
        if steps.len() == k {
            let (p, g) = &steps[k - 1];
            let next = (p * p, g * g);
            steps.push(next);
        }
        let (p, g) = &steps[k];
        let more = p * &sum * g;
        sum += &more;
        left = more.iter().zip(sum.iter()).map(|(x, y)| if *x == 0.0 { 0.0 } else { x / y }).fold(0.0, f64::max);
        if left < 1e-17 {
            return Ok(sum);
        }
    }
    Err(Error::NoConvergence { what: "doubling for first-passage moments", iterations: CAP, residual: left })
}
