//! Finer and finer fits until two agree.

use super::numbers::Numbers;
use super::periods::Grid;
use crate::accuracy::Accuracy;
use crate::error::{Error, Result};

/// Rates a decade, from rough to fine. From one to the next the error falls by 5 to 400.
const DENSITIES: [f64; 8] = [2.0, 3.0, 4.0, 5.0, 6.0, 7.5, 9.0, 11.0];

/// With each finer grid the slowest rate is so much slower, so that what lies beyond the grid shows.
const WIDENING: f64 = 0.5;

/// The share of the slowest time scale at which the roughest grid begins.
const SLOWEST: f64 = 0.15;

/// Solves with two successive grids, and with finer ones until the last two differ by no more than the tolerance.
///
/// `solve` is given the grid and the tolerance that its own truncations should meet. The difference of the last two is the error of
/// the last but one, and bounds that of the last with much to spare.
pub(super) fn refine(tolerance: f64, solve: impl Fn(Grid, f64) -> Result<Numbers>) -> Result<(Numbers, Accuracy)> {
    // Where the error is expected to be near the tolerance.
    let first = match tolerance {
        t if t >= 1e-3 => 0,
        t if t >= 1e-5 => 1,
        t if t >= 1e-7 => 2,
        _ => 3,
    };
    let at = |i: usize| {
        let grid = Grid { density: DENSITIES[i], slowest: SLOWEST * WIDENING.powf(i as f64) };
        solve(grid, 0.01 * tolerance * 0.1_f64.powf((i - first) as f64))
    };
    let mut last = at(first);
    let mut error = f64::INFINITY;
    for i in first + 1..DENSITIES.len() {
        let next = at(i);
        if let (Ok(next), Ok(last)) = (&next, &last) {
            error = next.distance(last);
            if error <= tolerance {
                return Ok((*next, Accuracy::Numerical { relative_error: error.max(4.0 * f64::EPSILON) }));
            }
        }
        last = next;
    }
    last?;
    Err(Error::NoConvergence { what: "fit of the busy periods", iterations: DENSITIES.len() - first, residual: error })
}
