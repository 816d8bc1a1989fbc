//! Several transforms to start vectors of one row of phases, with weights of either sign.

use crate::numeric::least_squares::ridge;

/// Weight of the rows for mass and moments beside those for the transform.
const HEAVY: f64 = 100.0;

/// What keeps weights small where rows of phases are nearly alike.
const RIDGE: f64 = 1e-13;

/// Rounds in which the moments are set right; the first leaves rounding only.
const ROUNDS: usize = 3;

/// A row of phases with increasing rates r_1 < ... < r_n, of which a law may begin anywhere and ends with the last.
#[derive(Debug)]
pub(crate) struct Row<'a> {
    rates: &'a [f64],
    points: &'a [f64],
    /// 1 − Π_{j>=i} r_j/(r_j+s) by points, then phases.
    complements: Vec<f64>,
    /// Moments of the time from phase i on: 1, E[Y_i], E[Y_i²], E[Y_i³].
    moments: [Vec<f64>; 4],
}

impl<'a> Row<'a> {
    /// For laws that are to be compared at these points s.
    pub(crate) fn new(rates: &'a [f64], points: &'a [f64]) -> Self {
        let n = rates.len();
        let mut complements = vec![0.0; points.len() * n];
        for (line, s) in complements.chunks_exact_mut(n).zip(points) {
            let mut log = 0.0;
            for i in (0..n).rev() {
                log += (s / rates[i]).ln_1p();
                line[i] = -(-log).exp_m1();
            }
        }
        // E[(X+Y)^r] of the phase and what follows it
        let mut moments = [vec![1.0; n], vec![0.0; n], vec![0.0; n], vec![0.0; n]];
        let [mut y1, mut y2, mut y3] = [0.0; 3];
        for i in (0..n).rev() {
            let x = 1.0 / rates[i];
            y3 += 3.0 * x * y2 + 6.0 * x * x * y1 + 6.0 * x * x * x;
            y2 += 2.0 * x * y1 + 2.0 * x * x;
            y1 += x;
            (moments[1][i], moments[2][i], moments[3][i]) = (y1, y2, y3);
        }
        Self { rates, points, complements, moments }
    }

    /// `Σ w_i (1 − Π_{j>=i} r_j/(r_j+s)) = 1 − E[exp(−sX)]` at the points, with Σ w_i = 1 and the given moments (up to three) kept to
    /// rounding.
    ///
    /// Weights may be negative: what they make is no law, but in a chain that is observed by others only through its transform it does
    /// what the law does, as well as the transform fits. Not restricted to positive weights, six rates a decade fit the transform of a
    /// busy period of exponential or hyperexponential sizes to 1e-11, and one of equal sizes to 1e-7, eight to 1e-13 and 1e-8.
    pub(crate) fn fit(&self, complements: &[f64], moments: &[f64]) -> Vec<f64> {
        let n = self.rates.len();
        let mut rows = Vec::with_capacity((self.points.len() + 4) * n);
        for (line, value) in self.complements.chunks_exact(n).zip(complements) {
            rows.extend(line.iter().map(|x| x / value));
        }
        let mut right = vec![1.0; self.points.len()];
        let targets = std::iter::once(&1.0).chain(moments);
        let kept: Vec<Vec<f64>> =
            self.moments.iter().zip(targets).map(|(row, target)| row.iter().map(|x| x / target).collect()).collect();
        for row in &kept {
            rows.extend(row.iter().map(|x| HEAVY * x));
            right.push(HEAVY);
        }
        let mut weights = ridge(&rows, &right, n, RIDGE);
        for _ in 0..ROUNDS {
            settle(&mut weights, &kept);
        }
        weights
    }
}

/// The smallest change, relative to each weight, after which every row of moments sums to 1.
fn settle(weights: &mut [f64], moments: &[Vec<f64>]) {
    let m = moments.len();
    let inner = |a: &[f64], b: &[f64]| a.iter().zip(b).zip(weights.iter()).map(|((a, b), w)| a * b * w.abs()).sum();
    // C|W|Cᵀ y = 1 − Cw, then w += |W|Cᵀy; with rows of one size
    let gram: Vec<Vec<f64>> = moments.iter().map(|a| moments.iter().map(|b| inner(a, b)).collect()).collect();
    let sizes: Vec<f64> = (0..m).map(|i| gram[i][i].sqrt()).collect();
    let scaled = nalgebra::DMatrix::from_fn(m, m, |i, j| gram[i][j] / sizes[i] / sizes[j]);
    let left = nalgebra::DVector::from_fn(m, |i, _| {
        (1.0 - moments[i].iter().zip(weights.iter()).map(|(c, w)| c * w).sum::<f64>()) / sizes[i]
    });
    let Some(y) = scaled.lu().solve(&left).filter(|y| y.iter().all(|x| x.is_finite())) else { return };
    for (at, weight) in weights.iter_mut().enumerate() {
        let shift: f64 = (0..m).map(|i| y[i] / sizes[i] * moments[i][at]).sum();
        *weight += weight.abs() * shift;
    }
}

#[cfg(test)]
mod tests {
    use super::Row;

    #[test]
    fn equal_sizes_have_negative_weights() {
        let grid = |low: f64, high: f64, n: usize| -> Vec<f64> {
            (0..n).map(|i| low * (high / low).powf(i as f64 / (n as f64 - 1.0))).collect()
        };
        let (rates, points) = (grid(0.1, 40.0, 20), grid(0.03, 4.0, 80));
        // X = 1 or 2, each with probability 1/2
        let complements: Vec<f64> = points.iter().map(|s| -0.5 * ((-s).exp_m1() + (-2.0 * s).exp_m1())).collect();
        let row = Row::new(&rates, &points);
        let weights = row.fit(&complements, &[1.5, 2.5, 4.5]);
        assert!(weights.iter().any(|w| *w < 0.0));
        for (moments, expected) in row.moments.iter().zip([1.0, 1.5, 2.5, 4.5]) {
            let sum: f64 = weights.iter().zip(moments).map(|(w, y)| w * y).sum();
            assert!((sum / expected - 1.0).abs() < 1e-12);
        }
        for (line, value) in row.complements.chunks_exact(rates.len()).zip(&complements) {
            let sum: f64 = weights.iter().zip(line).map(|(w, y)| w * y).sum();
            assert!((sum / value - 1.0).abs() < 1e-7);
        }
    }
}
