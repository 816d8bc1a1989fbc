//! Elimination with pivots, for chains whose entries may be negative.

use super::{Blocks, trapped};
use crate::error::{Error, Result};
use nalgebra::{DMatrix, RowDVector};

/// Doublings at most.
const CAP: usize = 60;

/// What is left when the doubling stops.
const NEGLIGIBLE: f64 = 1e-18;

/// G by cyclic reduction: with S = (−A1)⁻¹, A1* += A0 S A2, A1 += A0 S A2 + A2 S A0, A0 <- A0 S A0, A2 <- A2 S A2.
///
/// A stable chain comes down for sure, G1 = 1. With Q = 1uᵀ, uᵀ1 = 1, the matrix G − Q solves the equation of A2(I−Q), A1 + A0Q, A0,
/// where the eigenvalue 1 has become 0: next to balanced drift nothing is nearly singular (C. He, B. Meini, N. Rhee 2001).
pub(super) fn g(blocks: &Blocks) -> Result<DMatrix<f64>> {
    let n = blocks.local.nrows();
    let (mut up, mut local, mut down) = (blocks.up.clone(), blocks.local.clone(), blocks.down.clone());
    // Rows of one size.
    for i in 0..n {
        let scale = -1.0 / local[(i, i)];
        for block in [&mut up, &mut local, &mut down] {
            block.row_mut(i).scale_mut(scale);
        }
    }
    let share = 1.0 / n as f64;
    for i in 0..n {
        let (ups, downs) = (up.row(i).sum() * share, down.row(i).sum() * share);
        local.row_mut(i).add_scalar_mut(ups);
        down.row_mut(i).add_scalar_mut(-downs);
    }
    let (first_down, mut first) = (down.clone(), local.clone());
    let mut left = f64::INFINITY;
    for _ in 0..CAP {
        let inverse = inverse(&local)?;
        let (x, y) = (&inverse * &down, &inverse * &up);
        let below = &up * &x;
        first += &below;
        local += below + &down * &y;
        up = &up * &y;
        down = &down * &x;
        left = up.amax().min(down.amax());
        if left < NEGLIGIBLE {
            let g = (self::inverse(&first)? * first_down).add_scalar(share);
            return if g.iter().all(|x| x.is_finite()) {
                Ok(g)
            } else {
                Err(trapped("row of the repeating levels", 0))
            };
        }
        if !left.is_finite() {
            break;
        }
    }
    Err(Error::NoConvergence { what: "reduction for G", iterations: CAP, residual: left })
}

/// (−U)⁻¹.
pub(super) fn inverse(u: &DMatrix<f64>) -> Result<DMatrix<f64>> {
    (-u).try_inverse()
        .filter(|inverse| inverse.iter().all(|x| x.is_finite()))
        .ok_or_else(|| trapped("row of a level", 0))
}

/// π with πQ = 0 and sum 1.
pub(super) fn stationary(generator: &DMatrix<f64>) -> Result<RowDVector<f64>> {
    let n = generator.nrows();
    let mut equations = generator.transpose();
    equations.row_mut(0).fill(1.0);
    let mut right = nalgebra::DVector::zeros(n);
    right[0] = 1.0;
    equations.lu().solve(&right).map(|law| law.transpose()).ok_or_else(|| trapped("phase of level 0", 0))
}
