//! The spectral radius of a non-negative matrix.

use crate::numeric::dense::{Shape, dot, multiply};

/// The largest eigenvalue of a non-negative matrix of order n, by rows, to some 1e-15 (periodic matrices included).
///
/// Squaring gives a first value ‖R^64‖^{1/64}; with that value added to the diagonal no other eigenvalue has the same modulus, and
/// squaring goes on until the vector R^m 1 grows by one factor, which bounds the radius (Collatz 1942): at most 60 squarings.
pub(crate) fn spectral_radius(matrix: &[f64], n: usize) -> f64 {
    let shape = Shape::packed(n, n);
    let (mut power, mut next) = (matrix.to_vec(), vec![0.0; n * n]);
    let norm = |block: &[f64]| block.chunks_exact(n).map(|row| row.iter().sum::<f64>()).fold(0.0, f64::max);
    let (mut log, mut exponent) = (0.0, 1.0);
    for _ in 0..6 {
        let size = norm(&power);
        if size == 0.0 {
            return 0.0;
        }
        for x in &mut power {
            *x /= size;
        }
        log += size.ln() / exponent;
        multiply(&mut next, shape, &power, shape, &power, shape);
        std::mem::swap(&mut power, &mut next);
        exponent *= 2.0;
    }
    let size = norm(&power);
    if size == 0.0 {
        return 0.0;
    }
    let shift = (log + size.ln() / exponent).exp();
    power.copy_from_slice(matrix);
    (0..n).for_each(|i| power[i * n + i] += shift);
    let mut radius = f64::INFINITY;
    for _ in 0..60 {
        let size = norm(&power);
        for x in &mut power {
            *x /= size;
        }
        multiply(&mut next, shape, &power, shape, &power, shape);
        std::mem::swap(&mut power, &mut next);
        let vector: Vec<f64> = power.chunks_exact(n).map(|row| row.iter().sum()).collect();
        // max (Rx)_i / x_i never falls below the radius and decreases to it.
        let growth =
            matrix.chunks_exact(n).zip(&vector).filter(|(_, x)| **x > 0.0).map(|(row, x)| dot(row, &vector) / x);
        let bound = growth.fold(0.0, f64::max);
        if !(bound < radius * (1.0 - 1e-16)) {
            return radius.min(bound);
        }
        radius = bound;
    }
    radius
}

#[cfg(test)]
mod tests {
    use super::spectral_radius;

    #[test]
    fn periodic_nilpotent_reducible_and_plain() {
        // The cycle with weights 1, 2, 4 has eigenvalues of modulus 2.
        let cycle = spectral_radius(&[0.0, 1.0, 0.0, 0.0, 0.0, 2.0, 4.0, 0.0, 0.0], 3);
        assert!((cycle - 2.0).abs() < 1e-14);
        assert_eq!(spectral_radius(&[0.0, 1.0, 0.0, 0.0], 2), 0.0);
        assert!((spectral_radius(&[0.5, 1.0, 0.0, 0.25], 2) - 0.5).abs() < 1e-14);
        // A Jordan block, the hardest case.
        assert!((spectral_radius(&[0.5, 1.0, 0.0, 0.5], 2) - 0.5).abs() < 1e-14);
    }
}
