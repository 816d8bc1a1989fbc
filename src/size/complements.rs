//! 1 − E\[exp(−sX)\] at many real s at once.

use super::{Complex64, JobSize};

/// Steps a unit of ln x. The integrand is analytic for |Im ln x| < π/2: with a step h the rule is off by exp(−π²/h).
const STEPS: f64 = 4.5;

/// Beyond this share of the probability on either side nothing is left.
const NEGLIGIBLE: f64 = 1e-19;

/// Agreement of the rule with the half of its nodes that shows it to be right: the error of the half is the root of its own.
const AGREEMENT: f64 = 1e-8;

/// The complements at each s > 0: by the law's transform, or for smooth densities on all of (0, ∞) by one rule for all s.
///
/// `∫ (1 − exp(−s e^u)) f(e^u) e^u du` by equal steps in u = ln x converges faster than any power of the step; all terms are positive, so
/// that small values keep their digits. Where the rule and every second of its nodes do not agree, the law's transform is used.
pub(crate) fn complements<S: JobSize + ?Sized>(law: &S, points: &[f64]) -> Vec<f64> {
    let by_transform = |s: f64| 1.0 - law.transform(Complex64::new(s, 0.0)).re;
    let is_smooth = law.atoms().is_empty() && law.break_points().is_empty() && law.support() == (0.0, f64::INFINITY);
    if !is_smooth || law.phase_type().is_some() {
        return points.iter().map(|&s| by_transform(s)).collect();
    }
    let (low, high) = (law.quantile(NEGLIGIBLE).max(1e-80).ln(), law.upper_quantile(NEGLIGIBLE).min(1e80).ln());
    let half = (0.5 * (high - low) * STEPS).ceil();
    let step = (high - low) / (2.0 * half);
    let nodes: Vec<(f64, f64)> = (0..=2 * half as usize)
        .map(|i| {
            let x = (low + step * i as f64).exp();
            (x, step * x * law.density(x))
        })
        .collect();
    let rule = |s: f64, every: usize| -> f64 {
        every as f64 * nodes.iter().step_by(every).map(|(x, weight)| -weight * (-s * x).exp_m1()).sum::<f64>()
    };
    points
        .iter()
        .map(|&s| {
            let (fine, coarse) = (rule(s, 1), rule(s, 2));
            if (fine - coarse).abs() <= AGREEMENT * fine { fine } else { by_transform(s) }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::complements;
    use crate::size::{Complex64, Gamma, JobSize, LogNormal, Weibull};

    #[test]
    fn as_the_transforms_of_smooth_laws() {
        let laws: [Box<dyn JobSize>; 3] = [
            Box::new(Weibull::new(0.5, 5.0).unwrap()),
            Box::new(LogNormal::new(0.0, 1.5).unwrap()),
            Box::new(Gamma::with_mean_and_scv(2.0, 3.0).unwrap()),
        ];
        for law in &laws {
            let points = [1e-3, 0.1, 1.0, 30.0];
            for (s, value) in points.iter().zip(complements(law, &points)) {
                let expected = 1.0 - law.transform(Complex64::new(*s, 0.0)).re;
                assert!((value - expected).abs() < 2e-12, "{law:?} at {s}: {value} against {expected}");
            }
        }
    }
}
