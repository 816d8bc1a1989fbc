//! Elimination without subtraction for the matrices of Markov chains.
//!
//! A matrix M = D − N with N >= 0 off the diagonal and row sums M1 = v >= 0 is given by N and v alone (its diagonal is v + N1).
//! Elimination keeps this form: every quantity is a sum, a product or a quotient of non-negative numbers, so each entry of a
//! solution keeps its relative accuracy, however close M is to a singular matrix.
//!
//! Source: W. Grassmann, M. Taksar, D. Heyman (1985) for stationary laws; A. Alfa, J. Xue, Q. Ye (2002) for M-matrices.
#![expect(
    clippy::inline_always,
    reason = "sizes that the compiler knows are worth a factor of three for small matrices"
)]

use super::dense::{Shape, multiply_add};

/// From this order on the elimination works on blocks, whose updates are matrix products.
const BLOCKED: usize = 20;

/// Rows eliminated one by one before the rest is updated at once.
const BLOCK: usize = 12;

/// Solves M X = B in place for rows `[N | B | v]` of length `width` = n + columns of B + 1, with B >= 0; X replaces B.
///
/// Destroys N and v. `pivots` has length n. Returns the first row without any way out of what precedes it, if there is one:
/// then M is singular.
#[inline(always)]
pub(crate) fn solve(rows: &mut [f64], n: usize, width: usize, pivots: &mut [f64]) -> Result<(), usize> {
    if n >= BLOCKED {
        return solve_in_blocks(rows, n, width, pivots);
    }
    eliminate(rows, n, width, pivots, (0, n))?;
    substitute(rows, n, width, pivots, (0, n));
    Ok(())
}

/// Eliminates the columns of a block of rows from these rows.
#[inline(always)]
fn eliminate(
    rows: &mut [f64],
    n: usize,
    width: usize,
    pivots: &mut [f64],
    (from, to): (usize, usize),
) -> Result<(), usize> {
    for i in from..to {
        let (above, below) = rows.split_at_mut(i * width);
        let row = &mut below[..width];
        for k in from..i {
            // l = N_ik / pivot_k;  [N | B | v]_i += l [N | B | v]_k
            let factor = row[k] * pivots[k];
            if factor != 0.0 {
                let source = &above[k * width..(k + 1) * width];
                row[k + 1..].iter_mut().zip(&source[k + 1..]).for_each(|(x, y)| *x += factor * y);
            }
        }
        // pivot_i = v_i + Σ_{j>i} N_ij
        let pivot = row[width - 1] + row[i + 1..n].iter().sum::<f64>();
        if !(pivot > 0.0) {
            return Err(i);
        }
        pivots[i] = 1.0 / pivot;
    }
    Ok(())
}

/// [`solve`] by blocks: the same sums in another order.
#[inline(never)]
fn solve_in_blocks(rows: &mut [f64], n: usize, width: usize, pivots: &mut [f64]) -> Result<(), usize> {
    let mut factors = vec![0.0; n * BLOCK];
    for from in (0..n).step_by(BLOCK) {
        let to = (from + BLOCK).min(n);
        let size = to - from;
        eliminate(rows, n, width, pivots, (from, to))?;
        let (above, below) = rows.split_at_mut(to * width);
        let block = &above[from * width..];
        for (row, factors) in below.chunks_exact_mut(width).zip(factors.chunks_exact_mut(size)) {
            for k in 0..size {
                let factor = row[from + k] * pivots[from + k];
                factors[k] = factor;
                let source = &block[k * width + from + k + 1..k * width + to];
                row[from + k + 1..to].iter_mut().zip(source).for_each(|(x, y)| *x += factor * y);
            }
        }
        if to < n {
            let (rest, columns) = (n - to, width - to);
            let target = Shape::strided(rest, columns, width);
            let of_block = Shape::strided(size, columns, width);
            multiply_add(&mut below[to..], target, &factors, Shape::packed(rest, size), &block[to..], of_block);
        }
    }
    let columns = width - n - 1;
    for from in (0..n).step_by(BLOCK).rev() {
        let to = (from + BLOCK).min(n);
        let (size, rest) = (to - from, n - to);
        let (above, below) = rows.split_at_mut(to * width);
        if rest > 0 {
            let block = &mut above[from * width..];
            for (copy, row) in factors.chunks_exact_mut(rest).zip(block.chunks_exact(width)) {
                copy.copy_from_slice(&row[to..n]);
            }
            let target = Shape::strided(size, columns, width);
            let solved = Shape::strided(rest, columns, width);
            multiply_add(&mut block[n..], target, &factors, Shape::packed(size, rest), &below[n..], solved);
        }
        substitute(rows, n, width, pivots, (from, to));
    }
    Ok(())
}

/// X_i = (B_i + Σ_{j>i} N_ij X_j) / pivot_i from the last row up, over the rows of a block.
#[inline(always)]
fn substitute(rows: &mut [f64], n: usize, width: usize, pivots: &[f64], (from, to): (usize, usize)) {
    for i in (from..to).rev() {
        let (above, below) = rows.split_at_mut((i + 1) * width);
        let (factors, right) = above[i * width..].split_at_mut(n);
        let columns = width - n - 1;
        let right = &mut right[..columns];
        for (j, source) in (i + 1..to).zip(below.chunks_exact(width)) {
            let factor = factors[j];
            if factor != 0.0 {
                right.iter_mut().zip(&source[n..n + columns]).for_each(|(x, y)| *x += factor * y);
            }
        }
        for x in right.iter_mut() {
            *x *= pivots[i];
        }
    }
}

/// The stationary law of an irreducible chain with rates N (its diagonal is ignored and destroyed with the rest), summing to 1.
///
/// Returns the first state from which none of the earlier states can be reached, if there is one.
pub(crate) fn stationary(rates: &mut [f64], n: usize) -> Result<Vec<f64>, usize> {
    // Censor the last state: N_ij += N_ik N_kj / Σ_{j<k} N_kj.
    for k in (1..n).rev() {
        let (above, below) = rates.split_at_mut(k * n);
        let row = &below[..k];
        let out: f64 = row.iter().sum();
        if !(out > 0.0) {
            return Err(k);
        }
        for line in above.chunks_exact_mut(n) {
            let share = line[k] / out;
            line[k] = share;
            if share != 0.0 {
                line[..k].iter_mut().zip(row).for_each(|(x, y)| *x += share * y);
            }
        }
    }
    let mut law = vec![0.0; n];
    law[0] = 1.0;
    for k in 1..n {
        // p_k = Σ_{i<k} p_i N_ik / Σ_{j<k} N_kj
        let value: f64 = law[..k].iter().enumerate().map(|(i, p)| p * rates[i * n + k]).sum();
        law[k] = value;
        if value > 1e200 {
            for p in &mut law {
                *p /= value;
            }
        }
    }
    let total: f64 = law.iter().sum();
    for p in &mut law {
        *p /= total;
    }
    Ok(law)
}
