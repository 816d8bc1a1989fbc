//! Several transforms to mixtures of the same exponentials, with weights of either sign.

use crate::numeric::least_squares::ridge;

/// Weight of the rows for mass and moments beside those for the transform.
const HEAVY: f64 = 100.0;

/// What keeps weights small where exponentials are nearly alike.
const RIDGE: f64 = 1e-13;

/// Rounds in which the moments are set right; the first leaves rounding only.
const ROUNDS: usize = 3;

/// `Σ w_i s/(r_i + s) = 1 − E[exp(−sX)]` at the points s, with Σ w_i = 1 and the given moments E\[X\], E\[X²\], ... kept to rounding.
///
/// Weights may be negative: what they make is no law, but in a chain that is observed by others only through its transform it does
/// what the law does, as well as the transform fits. Not restricted to positive weights, six rates a decade fit the transform of any
/// busy period of exponential or hyperexponential sizes to 1e-12, and one of equal sizes to 1e-8.
pub(crate) fn signed(rates: &[f64], points: &[f64], complements: &[f64], moments: &[f64]) -> Vec<f64> {
    let n = rates.len();
    let mut rows = Vec::with_capacity((points.len() + 3) * n);
    for (s, value) in points.iter().zip(complements) {
        rows.extend(rates.iter().map(|rate| s / (rate + s) / value));
    }
    let mut right = vec![1.0; points.len()];
    // Σ w_i k!/r_iᵏ / E[Xᵏ] = 1, from k = 0 on
    let mut rows_kept = vec![vec![1.0; n]];
    let mut factor = vec![1.0; n];
    for (k, moment) in moments.iter().enumerate() {
        factor.iter_mut().zip(rates).for_each(|(x, rate)| *x *= (k as f64 + 1.0) / rate);
        rows_kept.push(factor.iter().map(|x| x / moment).collect());
    }
    for row in &rows_kept {
        rows.extend(row.iter().map(|x| HEAVY * x));
        right.push(HEAVY);
    }
    let mut weights = ridge(&rows, &right, n, RIDGE);
    for _ in 0..ROUNDS {
        settle(&mut weights, &rows_kept);
    }
    weights
}

/// The smallest change, relative to each weight, after which every row of moments sums to 1.
fn settle(weights: &mut [f64], moments: &[Vec<f64>]) {
    let m = moments.len();
    let inner =
        |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).zip(weights.iter()).map(|((a, b), w)| a * b * w.abs()).sum() };
    // C|W|Cᵀ y = 1 − Cw, then w += |W|Cᵀy
    let mut gram = nalgebra::DMatrix::from_fn(m, m, |i, j| inner(&moments[i], &moments[j]));
    let left = nalgebra::DVector::from_fn(m, |i, _| {
        1.0 - moments[i].iter().zip(weights.iter()).map(|(c, w)| c * w).sum::<f64>()
    });
    // Rows of one size.
    let sizes: Vec<f64> = (0..m).map(|i| gram[(i, i)].sqrt()).collect();
    for i in 0..m {
        for j in 0..m {
            gram[(i, j)] /= sizes[i] * sizes[j];
        }
    }
    let scaled = nalgebra::DVector::from_fn(m, |i, _| left[i] / sizes[i]);
    let Some(y) = gram.lu().solve(&scaled).filter(|y| y.iter().all(|x| x.is_finite())) else { return };
    for (at, weight) in weights.iter_mut().enumerate() {
        let shift: f64 = (0..m).map(|i| y[i] / sizes[i] * moments[i][at]).sum();
        *weight += weight.abs() * shift;
    }
}

#[cfg(test)]
mod tests {
    use super::signed;

    #[test]
    fn an_erlang_law_has_negative_weights() {
        // 1 − 1/(1+s)² = 1 − 2·1/(1+s)·... is no mixture of the exponentials around it, but their signed sums come close.
        let grid = |low: f64, high: f64, n: usize| -> Vec<f64> {
            (0..n).map(|i| low * (high / low).powf(i as f64 / (n as f64 - 1.0))).collect()
        };
        let (rates, points) = (grid(0.1, 40.0, 20), grid(0.03, 4.0, 80));
        let complements: Vec<f64> = points.iter().map(|s| s * (2.0 + s) / (1.0 + s) / (1.0 + s)).collect();
        let weights = signed(&rates, &points, &complements, &[2.0, 6.0]);
        assert!(weights.iter().any(|w| *w < 0.0));
        let moment = |of: &dyn Fn(f64) -> f64| weights.iter().zip(&rates).map(|(w, r)| w * of(*r)).sum::<f64>();
        assert!((moment(&|_| 1.0) - 1.0).abs() < 1e-13);
        assert!((moment(&|r| 1.0 / r) - 2.0).abs() < 1e-13);
        assert!((moment(&|r| 2.0 / r / r) - 6.0).abs() < 1e-12);
        for (s, value) in points.iter().zip(&complements) {
            assert!((moment(&|r| s / (r + s)) / value - 1.0).abs() < 1e-9);
        }
    }
}
