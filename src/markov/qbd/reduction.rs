//! Cyclic and logarithmic reduction: the matrix G of a homogeneous quasi-birth-death process.
#![expect(
    clippy::inline_always,
    reason = "sizes that the compiler knows are worth a factor of three for small matrices"
)]

use crate::numeric::dense::{Shape, multiply, multiply_add};
use crate::numeric::triplet;

/// How many doublings of the level are made at most: 2⁶⁰ levels are beyond any drift that a double can tell from zero.
pub(crate) const CAP: usize = 60;

/// What is left of the passage probabilities when the doubling stops.
const NEGLIGIBLE: f64 = 1e-18;

/// G and what it took.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reduced {
    /// G, by rows.
    pub g: Vec<f64>,
    /// Doublings made.
    pub iterations: usize,
}

/// Why there is no G.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Failure {
    /// From this phase no other level can be reached.
    Trapped(usize),
    /// The cap was hit with this much left.
    Cap(f64),
}

/// The blocks of a homogeneous level, by rows: rates up, rates to other phases of the level (zero diagonal), rates down.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rates<'a> {
    pub up: &'a [f64],
    pub local: &'a [f64],
    pub down: &'a [f64],
}

/// Runs `$body` with `$n` known to the compiler for the sizes at which loop overhead would dominate.
macro_rules! specialised {
    ($n:expr => $body:expr) => {
        match $n {
            1 => $body(1),
            2 => $body(2),
            3 => $body(3),
            4 => $body(4),
            5 => $body(5),
            6 => $body(6),
            7 => $body(7),
            8 => $body(8),
            16 => $body(16),
            n => $body(n),
        }
    };
}

/// Cyclic reduction: every second level is censored until the levels above no longer matter.
///
/// With S = (−A1)⁻¹, every step replaces A1* += A0 S A2, A1 += A0 S A2 + A2 S A0, A0 <- A0 S A0, A2 <- A2 S A2, and in the end
/// G = (−A1*)⁻¹ A2 with the first A2. Diagonals are never computed but follow from the rates out of each phase.
pub(crate) fn cyclic(rates: Rates<'_>, n: usize) -> Result<Reduced, Failure> {
    specialised!(n => |n| cyclic_sized(rates, n))
}

#[inline(always)]
fn cyclic_sized(rates: Rates<'_>, n: usize) -> Result<Reduced, Failure> {
    let (square, width) = (n * n, 3 * n + 1);
    let mut space = vec![0.0; (2 + 2 + 1 + 4) * square + n * width + 2 * n];
    let (outer, rest) = space.split_at_mut(2 * square);
    let (local, rest) = rest.split_at_mut(square);
    let (first, rest) = rest.split_at_mut(square);
    let (down, rest) = rest.split_at_mut(square);
    let (products, rest) = rest.split_at_mut(4 * square);
    let (rows, rest) = rest.split_at_mut(n * width);
    let (pivots, _) = rest.split_at_mut(n);
    load(rates, n, outer, local, down);
    first.copy_from_slice(local);
    let both = Shape::packed(2 * n, n);
    let one = Shape::packed(n, n);
    let mut left = f64::INFINITY;
    for iteration in 1..=CAP {
        augment(rows, n, local, outer);
        triplet::solve(rows, n, width, pivots).map_err(Failure::Trapped)?;
        let solution = &rows[n..];
        let of_solution = Shape::strided(n, 2 * n, width);
        // Y = S A0 bounds what the next A0 = A0 Y can be; if that is nothing, A1* += A0 X is all that is left to do.
        let up_next = most(&outer[square..], n, n) * most(&solution[n..], n, width);
        if up_next < NEGLIGIBLE {
            multiply_add(first, one, &outer[square..], one, solution, Shape::strided(n, n, width));
            outer[square..].fill(0.0);
            let g = passage(first, down, &outer[square..], n, pivots)?;
            return Ok(Reduced { g, iterations: iteration });
        }
        // X = S A2, Y = S A0; the four products A2 X, A2 Y, A0 X, A0 Y at once.
        multiply(products, Shape::packed(2 * n, 2 * n), outer, both, solution, of_solution);
        for i in 0..n {
            let (top, bottom) = (&products[2 * i * n..], &products[2 * (n + i) * n..]);
            let line = i * n..(i + 1) * n;
            let lines = outer[line.clone()].iter_mut().zip(&mut local[line.clone()]).zip(&mut first[line]);
            for (j, ((down, local), first)) in lines.enumerate() {
                *down = top[j];
                *local += bottom[j] + top[n + j];
                *first += bottom[j];
            }
            outer[square + i * n..square + (i + 1) * n].copy_from_slice(&bottom[n..2 * n]);
        }
        left = up_next.min(most(&outer[..square], n, n));
        if left < NEGLIGIBLE {
            let g = passage(first, down, &outer[square..], n, pivots)?;
            return Ok(Reduced { g, iterations: iteration });
        }
    }
    Err(Failure::Cap(left))
}

/// Logarithmic reduction: G = Σ T_k L_k over the doublings of the level.
///
/// H = (−A1)⁻¹A0, L = (−A1)⁻¹A2; then U = HL + LH, H <- (I−U)⁻¹H², L <- (I−U)⁻¹L², G += TL, T <- TH, starting with G = L, T = H.
/// The rows of I − U sum to those of H² + L².
pub(crate) fn logarithmic(rates: Rates<'_>, n: usize) -> Result<Reduced, Failure> {
    let (square, width) = (n * n, 3 * n + 1);
    let mut space = vec![0.0; 8 * square + n * width + n];
    let (outer, rest) = space.split_at_mut(2 * square);
    let (local, rest) = rest.split_at_mut(square);
    let (g, rest) = rest.split_at_mut(square);
    let (reach, rest) = rest.split_at_mut(square);
    let (spare, rest) = rest.split_at_mut(square);
    let (squares, rest) = rest.split_at_mut(2 * square);
    let (rows, pivots) = rest.split_at_mut(n * width);
    let one = Shape::packed(n, n);
    load(rates, n, outer, local, spare);
    augment(rows, n, local, outer);
    triplet::solve(rows, n, width, pivots).map_err(Failure::Trapped)?;
    let (low, high) = outer.split_at_mut(square);
    unload(rows, n, low, high);
    g.copy_from_slice(low);
    reach.copy_from_slice(high);
    let mut left = f64::INFINITY;
    for iteration in 1..=CAP {
        multiply(local, one, high, one, low, one);
        multiply_add(local, one, low, one, high, one);
        multiply(&mut squares[..square], one, low, one, low, one);
        multiply(&mut squares[square..], one, high, one, high, one);
        augment(rows, n, local, squares);
        triplet::solve(rows, n, width, pivots).map_err(Failure::Trapped)?;
        unload(rows, n, low, high);
        multiply_add(g, one, reach, one, low, one);
        multiply(spare, one, reach, one, high, one);
        reach.copy_from_slice(spare);
        // What G still lacks is at most T times L.
        left = most(reach, n, n).min(most(low, n, n));
        if left < NEGLIGIBLE {
            return Ok(Reduced { g: g.to_vec(), iterations: iteration });
        }
    }
    Err(Failure::Cap(left))
}

/// The solutions X and Y of [`augment`]ed rows.
fn unload(rows: &[f64], n: usize, low: &mut [f64], high: &mut [f64]) {
    for (i, row) in rows.chunks_exact(3 * n + 1).enumerate() {
        low[i * n..(i + 1) * n].copy_from_slice(&row[n..2 * n]);
        high[i * n..(i + 1) * n].copy_from_slice(&row[2 * n..3 * n]);
    }
}

/// The largest row sum of a block of order n.
#[inline(always)]
fn most(block: &[f64], n: usize, stride: usize) -> f64 {
    (0..n).map(|i| block[i * stride..i * stride + n].iter().sum::<f64>()).fold(0.0, f64::max)
}

/// G = (−A1*)⁻¹ A2, where what still goes up for good (transient chains) counts in the rates out.
#[inline(always)]
fn passage(first: &[f64], down: &[f64], up: &[f64], n: usize, pivots: &mut [f64]) -> Result<Vec<f64>, Failure> {
    let width = 2 * n + 1;
    let mut rows = vec![0.0; n * width];
    for (i, row) in rows.chunks_exact_mut(width).enumerate() {
        let line = i * n..(i + 1) * n;
        row[..n].copy_from_slice(&first[line.clone()]);
        row[n..2 * n].copy_from_slice(&down[line.clone()]);
        row[2 * n] = down[line.clone()].iter().chain(&up[line]).sum();
    }
    triplet::solve(&mut rows, n, width, pivots).map_err(Failure::Trapped)?;
    Ok(rows.chunks_exact(width).flat_map(|row| row[n..2 * n].iter().copied()).collect())
}

/// The blocks with each row divided by its total rate, A2 above A0 in `outer`.
#[inline(always)]
fn load(rates: Rates<'_>, n: usize, outer: &mut [f64], local: &mut [f64], down: &mut [f64]) {
    for i in 0..n {
        let line = i * n..(i + 1) * n;
        let total: f64 =
            rates.up[line.clone()].iter().chain(&rates.local[line.clone()]).chain(&rates.down[line.clone()]).sum();
        // A phase without rates shows up as a trap in the elimination.
        let scale = if total > 0.0 { 1.0 / total } else { 0.0 };
        for at in line {
            outer[at] = rates.down[at] * scale;
            outer[n * n + at] = rates.up[at] * scale;
            local[at] = rates.local[at] * scale;
            down[at] = outer[at];
        }
    }
}

/// Rows [A1 | A2 | A0 | (A2 + A0)1].
#[inline(always)]
fn augment(rows: &mut [f64], n: usize, local: &[f64], outer: &[f64]) {
    let width = 3 * n + 1;
    for (i, row) in rows.chunks_exact_mut(width).enumerate() {
        row[..n].copy_from_slice(&local[i * n..(i + 1) * n]);
        row[n..2 * n].copy_from_slice(&outer[i * n..(i + 1) * n]);
        row[2 * n..3 * n].copy_from_slice(&outer[(n + i) * n..(n + i + 1) * n]);
        row[3 * n] = row[n..3 * n].iter().sum();
    }
}
