//! Exponential sizes of several kinds.

use super::{Complex64, Exponential, JobSize, PhaseType};
use crate::accuracy::Accuracy;
use crate::error::{Error, Result, positive, require};

/// Hyperexponential sizes: with probability p_i exponential with mean m_i; scv at least 1. E\[1/X\] is infinite.
///
/// ```
/// use queueing::prelude::*;
/// let size = HyperExponential::balanced(10.0, 8.0)?;
/// assert!((size.mean() - 10.0).abs() < 1e-14);
/// assert!((size.moment(2.0) - 900.0).abs() < 1e-11);       // m²(1+C²)
/// # Ok::<(), queueing::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct HyperExponential {
    branches: Vec<(f64, Exponential)>,
}

impl HyperExponential {
    /// By (probability, mean) of each branch; the probabilities must sum to 1 within 1e-12 and are then scaled to do so exactly.
    ///
    /// # Errors
    /// [`Error::Datum`] for a probability or mean that is not positive and finite, [`Error::Argument`] for a wrong sum.
    pub fn new(branches: &[(f64, f64)]) -> Result<Self> {
        for (i, &(probability, mean)) in branches.iter().enumerate() {
            for (what, value) in [("probability", probability), ("mean", mean)] {
                if !(value > 0.0 && value.is_finite()) {
                    return Err(Error::Datum { what, index: i + 1, value, requirement: "must be positive and finite" });
                }
            }
        }
        require(!branches.is_empty(), "number of branches", 0.0, "must be at least 1")?;
        let total: f64 = branches.iter().map(|branch| branch.0).sum();
        require((total - 1.0).abs() <= 1e-12, "sum of probabilities", total, "must be 1")?;
        let scale = if (total - 1.0).abs() <= f64::EPSILON * branches.len() as f64 { 1.0 } else { total };
        let branches = branches.iter().map(|&(p, mean)| Ok((p / scale, Exponential::with_mean(mean)?)));
        Ok(Self { branches: branches.collect::<Result<_>>()? })
    }

    /// Two branches: probability p1 with mean m1, else mean m2.
    ///
    /// # Errors
    /// [`Error::Argument`] unless 0 < p1 < 1 and the means are positive and finite.
    pub fn two(p1: f64, mean1: f64, mean2: f64) -> Result<Self> {
        require(p1 > 0.0 && p1 < 1.0, "p1", p1, "must be between 0 and 1")?;
        let branch = |p, name, mean| Ok((p, Exponential::with_mean(positive(name, mean)?)?));
        Ok(Self { branches: vec![branch(p1, "mean1", mean1)?, branch(1.0 - p1, "mean2", mean2)?] })
    }

    /// Two branches that carry half of the work each, by mean m and squared coefficient of variation C² > 1:
    /// p₁ = (1 + √((C²−1)/(C²+1)))/2, m_i = m/(2p_i).
    ///
    /// # Errors
    /// [`Error::Argument`] unless the mean is positive and finite and 1 < C² <= 1e12.
    pub fn balanced(mean: f64, scv: f64) -> Result<Self> {
        positive("mean", mean)?;
        require(scv > 1.0 && scv <= 1e12, "scv", scv, "must exceed 1 and be at most 1e12")?;
        let root = ((scv - 1.0) / (scv + 1.0)).sqrt();
        let p1 = 0.5 * (1.0 + root);
        // 1 − root = (1 − root²)/(1 + root), without cancellation
        let p2 = 1.0 / ((scv + 1.0) * (1.0 + root));
        let branch = |p: f64| Ok((p, Exponential::with_mean(mean / (2.0 * p))?));
        Ok(Self { branches: vec![branch(p1)?, branch(p2)?] })
    }

    /// (probability, mean) of each branch.
    pub fn branches(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.branches.iter().map(|(p, law)| (*p, law.mean()))
    }

    fn weigh(&self, value: impl Fn(&Exponential) -> f64) -> f64 {
        self.branches.iter().map(|(p, law)| p * value(law)).sum()
    }
}

impl JobSize for HyperExponential {
    fn support(&self) -> (f64, f64) {
        (0.0, f64::INFINITY)
    }

    fn sf(&self, x: f64) -> f64 {
        self.weigh(|law| law.sf(x))
    }

    fn cdf(&self, x: f64) -> f64 {
        self.weigh(|law| law.cdf(x))
    }

    fn density(&self, x: f64) -> f64 {
        self.weigh(|law| law.density(x))
    }

    fn partial_moment(&self, r: f64, a: f64, b: f64) -> f64 {
        self.weigh(|law| law.partial_moment(r, a, b))
    }

    fn moment(&self, r: f64) -> f64 {
        self.weigh(|law| law.moment(r))
    }

    // Σ p_i/(1 + s m_i)
    fn transform(&self, s: Complex64) -> Complex64 {
        self.branches.iter().map(|(p, law)| law.transform(s) * *p).sum()
    }

    fn phase_type(&self) -> Option<PhaseType> {
        PhaseType::try_from(self).ok()
    }

    #[cfg(feature = "sim")]
    fn draw(&self, random: &mut crate::Random, out: &mut [f64]) {
        out.fill_with(|| {
            let branch = random.part(self.branches.iter().map(|(probability, _)| *probability));
            self.branches[branch].1.mean() * random.exponential()
        });
    }

    fn accuracy(&self) -> Accuracy {
        Accuracy::Exact
    }
}
