//! Least squares with variables that must not be negative.

use crate::error::{Error, Result};

/// min ‖Ax − b‖ over x >= 0, by the active-set method; A by rows, `columns` wide, with at least as many rows.
///
/// A is reduced to a triangle first, so that each of the some `columns` steps costs columns³ operations and not more.
/// Source: C. Lawson, R. Hanson, "Solving Least Squares Problems" (1974), chapter 23.
pub(crate) fn non_negative(a: &[f64], b: &[f64], columns: usize) -> Result<Vec<f64>> {
    let n = columns;
    let (mut a, mut b) = (a.to_vec(), b.to_vec());
    triangulate(&mut a, &mut b, n);
    a.truncate(n * n);
    b.truncate(n);
    // Columns of size one make the choice of the next variable, and all tolerances, free of scale.
    let scales: Vec<f64> = (0..n).map(|j| a[j..].iter().step_by(n).map(|x| x * x).sum::<f64>().sqrt()).collect();
    a.chunks_exact_mut(n).for_each(|row| row.iter_mut().zip(&scales).for_each(|(x, s)| *x /= s.max(f64::MIN_POSITIVE)));
    let size = b.iter().map(|x| x * x).sum::<f64>().sqrt();
    let (mut x, mut passive) = (vec![0.0; n], Vec::<usize>::new());
    let mut blocked = vec![false; n];
    let mut least = f64::INFINITY;
    let mut idle = 0;
    let cap = 30 * n + 30;
    for _ in 0..cap {
        let residual: Vec<f64> =
            a.chunks_exact(n).zip(&b).map(|(row, b)| b - passive.iter().map(|&j| row[j] * x[j]).sum::<f64>()).collect();
        // Steps that gain nothing beyond rounding end the search.
        let norm = residual.iter().map(|r| r * r).sum::<f64>().sqrt();
        idle = if norm < least * (1.0 - 1e-4) { 0 } else { idle + 1 };
        least = least.min(norm);
        if idle > 20 {
            return Ok(unscaled(x, &scales));
        }
        // The gradient Aᵀ(b − Ax) of the variables at zero.
        let gradient = |j: usize| -> f64 { residual.iter().enumerate().map(|(i, r)| a[i * n + j] * r).sum() };
        let next = (0..n)
            .filter(|j| !passive.contains(j) && !blocked[*j])
            .map(|j| (j, gradient(j)))
            .max_by(|a, b| a.1.total_cmp(&b.1));
        let Some((entering, slope)) = next else { return Ok(unscaled(x, &scales)) };
        if !(slope > 1e-18 * size) {
            return Ok(unscaled(x, &scales));
        }
        passive.push(entering);
        let mut first = true;
        loop {
            let solved = solve_for(&a, &b, n, &passive);
            if first && !(solved.last().is_some_and(|value| *value > 0.0)) {
                // Rounding only: the variable would leave at once.
                passive.pop();
                blocked[entering] = true;
                break;
            }
            first = false;
            if solved.iter().all(|value| *value > 0.0) {
                passive.iter().zip(&solved).for_each(|(&j, value)| x[j] = *value);
                blocked.fill(false);
                break;
            }
            // As far as possible towards the solution, until the first variable meets zero.
            let step = passive
                .iter()
                .zip(&solved)
                .filter(|(_, value)| **value <= 0.0)
                .map(|(&j, value)| x[j] / (x[j] - value))
                .fold(1.0, f64::min);
            passive.iter().zip(&solved).for_each(|(&j, value)| x[j] += step * (value - x[j]));
            passive.retain(|&j| {
                let stays = x[j] > 1e-15 * size;
                if !stays {
                    x[j] = 0.0;
                }
                stays
            });
            if passive.is_empty() {
                break;
            }
        }
    }
    Err(Error::NoConvergence { what: "non-negative least squares", iterations: cap, residual: least })
}

/// min ‖Ax − b‖² + δ²‖x‖², for columns of A scaled to size one: where columns are nearly dependent, weights stay small.
pub(crate) fn ridge(a: &[f64], b: &[f64], columns: usize, delta: f64) -> Vec<f64> {
    let n = columns;
    let mut scales = vec![0.0; n];
    for row in a.chunks_exact(n) {
        scales.iter_mut().zip(row).for_each(|(sum, x)| *sum += x * x);
    }
    for scale in &mut scales {
        *scale = scale.sqrt().max(f64::MIN_POSITIVE);
    }
    let mut rows = Vec::with_capacity(a.len() + n * n);
    for row in a.chunks_exact(n) {
        rows.extend(row.iter().zip(&scales).map(|(x, scale)| x / scale));
    }
    for i in 0..n {
        rows.extend((0..n).map(|j| if i == j { delta } else { 0.0 }));
    }
    let mut right = b.to_vec();
    right.resize(b.len() + n, 0.0);
    triangulate(&mut rows, &mut right, n);
    unscaled(back(&rows, &right, n), &scales)
}

fn unscaled(x: Vec<f64>, scales: &[f64]) -> Vec<f64> {
    x.into_iter().zip(scales).map(|(x, s)| x / s.max(f64::MIN_POSITIVE)).collect()
}

/// Householder reflections that make A upper triangular, applied to b as well.
fn triangulate(a: &mut [f64], b: &mut [f64], n: usize) {
    let m = b.len();
    for k in 0..n.min(m) {
        let norm = (k..m).map(|i| a[i * n + k] * a[i * n + k]).sum::<f64>().sqrt();
        if norm == 0.0 {
            continue;
        }
        let pivot = a[k * n + k];
        let target = if pivot > 0.0 { -norm } else { norm };
        let mut v: Vec<f64> = (k..m).map(|i| a[i * n + k]).collect();
        v[0] = pivot - target;
        let square: f64 = v.iter().map(|x| x * x).sum();
        let mut shifts = vec![0.0; n - k];
        for (i, x) in v.iter().enumerate() {
            let row = &a[(k + i) * n + k..(k + i + 1) * n];
            shifts.iter_mut().zip(row).for_each(|(sum, y)| *sum += x * y);
        }
        let shift_b: f64 = v.iter().zip(&b[k..]).map(|(x, y)| x * y).sum();
        for (i, x) in v.iter().enumerate() {
            let row = &mut a[(k + i) * n + k..(k + i + 1) * n];
            row.iter_mut().zip(&shifts).for_each(|(y, sum)| *y -= 2.0 * x * sum / square);
            b[k + i] -= 2.0 * x * shift_b / square;
        }
        (k + 1..m).for_each(|i| a[i * n + k] = 0.0);
    }
}

/// The least-squares solution in these columns alone.
fn solve_for(a: &[f64], b: &[f64], n: usize, columns: &[usize]) -> Vec<f64> {
    let width = columns.len();
    let mut part: Vec<f64> =
        a.chunks_exact(n).flat_map(|row| columns.iter().map(|&j| row[j]).collect::<Vec<_>>()).collect();
    let mut right = b.to_vec();
    triangulate(&mut part, &mut right, width);
    back(&part, &right, width)
}

/// The solution of a triangular system, 0 where a pivot is.
fn back(triangle: &[f64], right: &[f64], n: usize) -> Vec<f64> {
    let mut x = vec![0.0; n];
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| triangle[i * n + j] * x[j]).sum();
        let pivot = triangle[i * n + i];
        x[i] = if pivot == 0.0 { 0.0 } else { (right[i] - known) / pivot };
    }
    x
}

#[cfg(test)]
mod tests {
    use super::{non_negative, ridge};

    #[test]
    fn an_active_and_an_inactive_bound() {
        // Without the bound x = (3, −1); with it the second is 0 and the first the mean of 1 and 3 under weights 1, 1.
        let a = [1.0, 1.0, 1.0, 0.0, 0.0, 1.0];
        let x = non_negative(&a, &[2.0, 3.0, -1.0], 2).unwrap();
        assert!((x[0] - 2.5).abs() < 1e-15 && x[1] == 0.0);
        let x = non_negative(&a, &[3.0, 1.0, 2.0], 2).unwrap();
        assert!((x[0] - 1.0).abs() < 1e-15 && (x[1] - 2.0).abs() < 1e-15);
    }

    #[test]
    fn a_ridge_shares_among_equal_columns() {
        // x + y = 2 through two equal columns: 1 each, up to δ².
        let x = ridge(&[1.0, 1.0, 2.0, 2.0], &[2.0, 4.0], 2, 1e-6);
        assert!((x[0] - 1.0).abs() < 1e-9 && (x[1] - 1.0).abs() < 1e-9);
        // A regular problem: the mean of 1, 2 and 6, and the slope through (−1, 1), (0, 2), (1, 6).
        let x = ridge(&[1.0, -1.0, 1.0, 0.0, 1.0, 1.0], &[1.0, 2.0, 6.0], 2, 1e-12);
        assert!((x[0] - 3.0).abs() < 1e-14 && (x[1] - 2.5).abs() < 1e-14);
    }

    #[test]
    fn optimality_conditions_of_random_problems() {
        let mut seed = 9_u64;
        let mut next = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.3
        };
        for _ in 0..200 {
            let (m, n) = (30, 12);
            let a: Vec<f64> = (0..m * n).map(|_| next()).collect();
            let b: Vec<f64> = (0..m).map(|_| next()).collect();
            let x = non_negative(&a, &b, n).unwrap();
            let residual: Vec<f64> = (0..m).map(|i| b[i] - (0..n).map(|j| a[i * n + j] * x[j]).sum::<f64>()).collect();
            for j in 0..n {
                let gradient: f64 = (0..m).map(|i| a[i * n + j] * residual[i]).sum();
                assert!(x[j] >= 0.0 && gradient < 1e-12 && (x[j] == 0.0 || gradient > -1e-12));
            }
        }
    }
}
