//! How soon the first of n busy hosts is free.

use crate::numeric::quadrature::adaptive;
use crate::numeric::sum::Sum;
use crate::size::JobSize;

/// The relative error that the integral aims at.
const TOLERANCE: f64 = 1e-11;
/// The most pieces, which double in width: more than the range of the doubles.
const MOST_PIECES: usize = 2600;
/// More kinks than this are left to the halving of the panels.
const MOST_MARKS: usize = 500;

/// g = ∫₀^∞ (1−F_e(t))ⁿ dt, 1−F_e(t) = E[(X−t)⁺]/E[X]: the mean of the smallest of n independent residual sizes.
pub(super) fn shortest<S: JobSize>(size: &S, mean: f64, n: f64) -> f64 {
    let continuous = 1.0 - size.atoms().iter().map(|atom| atom.probability).sum::<f64>();
    if continuous < 1e-15 { of_atoms(size, mean, n) } else { by_quadrature(size, mean, n) }
}

/// Between atoms 1−F_e is a straight line of slope −P(X > t)/E[X], and the integral of its power is elementary.
fn of_atoms<S: JobSize>(size: &S, mean: f64, n: f64) -> f64 {
    let atoms = size.atoms();
    let (mut sum, mut above, mut residual) = (Sum::default(), 0.0, 0.0);
    for (i, atom) in atoms.iter().enumerate().rev() {
        let start = if i > 0 { atoms[i - 1].size } else { 0.0 };
        above += atom.probability;
        let end = residual;
        residual += above * (atom.size - start) / mean;
        // ∫ = (E[X]/P(X > t)) (uⁿ⁺¹ − vⁿ⁺¹)/(n+1) for a line that falls from u to v, as uⁿ⁺¹ (1 − (v/u)ⁿ⁺¹)
        let fall = if end > 0.0 { -((n + 1.0) * (end / residual).ln()).exp_m1() } else { 1.0 };
        sum.add(mean / above * residual.min(1.0).powf(n + 1.0) * fall / (n + 1.0));
    }
    sum.value()
}

/// Piece by piece from 0: up to the smallest size, then in widths that double from E[X]/n, cut at break points.
fn by_quadrature<S: JobSize>(size: &S, mean: f64, n: f64) -> f64 {
    let (low, high) = size.support();
    let mut integrand = |t: f64| {
        let residual = (size.partial_moment(1.0, t, f64::INFINITY) - t * size.sf(t)) / mean;
        residual.clamp(0.0, 1.0).powf(n)
    };
    let mut marks = size.break_points().to_vec();
    marks.extend(size.atoms().iter().map(|atom| atom.size));
    if marks.len() > MOST_MARKS {
        marks.clear();
    }
    marks.sort_by(f64::total_cmp);
    let mut sum = Sum::default();
    // ∫₀^low (1 − t/E[X])ⁿ dt
    sum.add(mean / (n + 1.0) * -((n + 1.0) * (-low / mean).ln_1p()).exp_m1());
    let (mut from, mut width) = (low, mean / n);
    for _ in 0..MOST_PIECES {
        if !(from < high) {
            break;
        }
        let next_mark = marks.get(marks.partition_point(|&mark| mark <= from)).copied().unwrap_or(high);
        let to = (from + width).min(next_mark).min(high);
        let piece = adaptive(&mut integrand, from, to, TOLERANCE, sum.value()).0;
        sum.add(piece);
        if to < next_mark || to == high {
            // No later piece of double width is larger than twice this one's last value.
            if 2.0 * width * integrand(to) <= 1e-3 * TOLERANCE * sum.value() {
                break;
            }
            width *= 2.0;
        }
        from = to;
    }
    sum.value()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::size::{Empirical, Exponential, Pareto, Uniform};

    fn close(value: f64, expected: f64) {
        assert!((value / expected - 1.0).abs() <= 1e-11, "{value} against {expected}");
    }

    #[test]
    fn residuals_with_closed_forms() {
        // 1 − t/2 below 1, (3 − t)/4 from there to 3: 7/12 + 1/6
        close(shortest(&Empirical::from_atoms(&[(1.0, 1.0), (3.0, 1.0)]).unwrap(), 2.0, 2.0), 0.75);
        // (1 − t/2)² to the third power
        close(shortest(&Uniform::new(0.0, 2.0).unwrap(), 1.0, 3.0), 2.0 / 7.0);
        // 1 − 2t/3 below 1, t⁻²/3 beyond: 13/27 + 1/27
        close(shortest(&Pareto::new(1.0, 3.0).unwrap(), 1.5, 2.0), 14.0 / 27.0);
        for n in [2.0, 100.0, 1e6] {
            close(shortest(&Exponential::with_mean(5.0).unwrap(), 5.0, n), 5.0 / n);
        }
    }
}
