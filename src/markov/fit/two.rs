//! Two moments to a phase type.

use crate::error::{Result, positive, require};
use crate::size::{HyperExponential, PhaseType};

/// A phase type by its mean and squared coefficient of variation.
///
/// C² > 1: two exponential branches that carry half of the work each. C² = 1: one exponential. C² < 1: k − 1 or k stages of one
/// rate with k = ⌈1/C²⌉, `p = (kC² − √(k(1+C²) − k²C²))/(1+C²)` the probability of k − 1 of them, `rate = (k−p)/m`.
///
/// Cost: k² numbers. Accuracy: moments to 1e-14, the second 1e-16/C² below C² = 1.
///
/// # Errors
/// [`Error::Argument`](crate::Error::Argument) unless the mean is positive and finite and 1/2000 <= C² <= 1e12.
///
/// Source: H. Tijms, "Stochastic Models" (1994), for C² < 1.
///
/// ```
/// use queueing::prelude::*;
/// use queueing::markov::fit::two_moments;
/// let law = two_moments(3.0, 0.5)?;
/// assert_eq!(law.phases(), 2);
/// assert!((law.mean() - 3.0).abs() < 1e-15 && (law.scv() - 0.5).abs() < 1e-15);
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn two_moments(mean: f64, scv: f64) -> Result<PhaseType> {
    positive("mean", mean)?;
    require((5e-4..=1e12).contains(&scv), "scv", scv, "must be between 1/2000 and 1e12")?;
    if scv > 1.0 {
        return PhaseType::try_from(&HyperExponential::balanced(mean, scv)?);
    }
    let k = (1.0 / scv * (1.0 - 1e-14)).ceil();
    // k(1+C²) − k²C² = k(1 − (k−1)C²)
    let root = (k * (1.0 - (k - 1.0) * scv)).max(0.0).sqrt();
    let p = ((k * scv - root) / (1.0 + scv)).clamp(0.0, 1.0);
    let rate = (k - p) / mean;
    let k = k as usize;
    if k == 1 {
        return PhaseType::exponential(mean);
    }
    // Starting in the second stage of k leaves k − 1 of them.
    let row = PhaseType::coxian(&vec![rate; k], &vec![1.0; k - 1])?;
    let mut alpha = vec![0.0; k];
    (alpha[0], alpha[1]) = (1.0 - p, p);
    PhaseType::with_exits(&alpha, &row.sub_generator(), row.exit_rates())
}
