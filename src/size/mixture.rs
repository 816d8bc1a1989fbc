//! Several laws, one drawn for each job.

use super::{Atom, Complex64, Interval, JobSize, Law, LogNormal, Pareto, PhaseType};
use crate::accuracy::Accuracy;
use crate::error::{Error, Result, require};

/// With probability w_i a size of law i: classes of jobs, or a body with a tail of another kind.
///
/// ```
/// use queueing::prelude::*;
/// let size = Mixture::new([(0.9, Exponential::with_mean(1.0)?.into()), (0.1, Law::from(Deterministic::new(11.0)?))])?;
/// assert!((size.mean() - 2.0).abs() < 1e-15);
/// assert_eq!(size.atoms()[0].probability, 0.1);
/// # Ok::<(), queueing::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Mixture {
    parts: Vec<(f64, Law)>,
    atoms: Vec<Atom>,
    breaks: Vec<f64>,
}

impl Mixture {
    /// By (weight, law); the weights must sum to 1 within 1e-12 and are then scaled to do so exactly.
    ///
    /// # Errors
    /// [`Error::Datum`] for a weight that is not positive and finite, [`Error::Argument`] for a wrong sum or no parts.
    pub fn new(parts: impl IntoIterator<Item = (f64, Law)>) -> Result<Self> {
        let mut parts: Vec<_> = parts.into_iter().collect();
        for (i, &(weight, _)) in parts.iter().enumerate() {
            if !(weight > 0.0 && weight.is_finite()) {
                let requirement = "must be positive and finite";
                return Err(Error::Datum { what: "weight", index: i + 1, value: weight, requirement });
            }
        }
        require(!parts.is_empty(), "number of laws", 0.0, "must be at least 1")?;
        let total: f64 = parts.iter().map(|part| part.0).sum();
        require((total - 1.0).abs() <= 1e-12, "sum of weights", total, "must be 1")?;
        if (total - 1.0).abs() > f64::EPSILON * parts.len() as f64 {
            for part in &mut parts {
                part.0 /= total;
            }
        }
        let (atoms, breaks) = (merged_atoms(&parts), merged_breaks(&parts));
        Ok(Self { parts, atoms, breaks })
    }

    /// Web files: a lognormal body (μ, σ) cut at k, and with probability `tail` a Pareto tail that starts at k with index α.
    ///
    /// A typical set, in bytes, is μ = 9.357, σ = 1.318, k = 133000, α = 1.1, tail = 0.07 (the parameters of Barford & Crovella's
    /// SURGE, 1998, as commonly quoted).
    ///
    /// # Errors
    /// As the two laws, and [`Error::Argument`] unless 0 < `tail` < 1 and the body reaches below k.
    pub fn web_files(mu: f64, sigma: f64, k: f64, alpha: f64, tail: f64) -> Result<Self> {
        require(tail > 0.0 && tail < 1.0, "tail", tail, "must be between 0 and 1")?;
        let body = Interval::new(Law::from(LogNormal::new(mu, sigma)?), 0.0, k)?;
        Self::new([(1.0 - tail, Law::from(body)), (tail, Pareto::new(k, alpha)?.into())])
    }

    /// The parts with their weights.
    pub fn parts(&self) -> &[(f64, Law)] {
        &self.parts
    }

    fn weigh(&self, value: impl Fn(&Law) -> f64) -> f64 {
        self.parts.iter().map(|(weight, law)| weight * value(law)).sum()
    }
}

fn merged_atoms(parts: &[(f64, Law)]) -> Vec<Atom> {
    let scaled = |(weight, law): &(f64, Law)| {
        let weight = *weight;
        law.atoms()
            .iter()
            .map(move |atom| Atom { size: atom.size, probability: weight * atom.probability })
            .collect::<Vec<_>>()
    };
    let mut atoms: Vec<Atom> = parts.iter().flat_map(scaled).collect();
    atoms.sort_unstable_by(|a, b| a.size.total_cmp(&b.size));
    atoms.dedup_by(|next, kept| {
        let same = next.size == kept.size;
        if same {
            kept.probability += next.probability;
        }
        same
    });
    atoms
}

/// Where the density of a part jumps: its own break points and the ends of its support.
fn merged_breaks(parts: &[(f64, Law)]) -> Vec<f64> {
    let marks = parts.iter().flat_map(|(_, law)| {
        let (low, high) = law.support();
        law.break_points().iter().copied().chain([low, high]).filter(|x| *x > 0.0 && x.is_finite()).collect::<Vec<_>>()
    });
    let mut breaks: Vec<f64> = marks.collect();
    breaks.sort_unstable_by(f64::total_cmp);
    breaks.dedup();
    breaks
}

impl JobSize for Mixture {
    fn support(&self) -> (f64, f64) {
        let ends = self.parts.iter().map(|(_, law)| law.support());
        ends.fold((f64::INFINITY, 0.0), |(low, high), (a, b)| (a.min(low), b.max(high)))
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

    fn atoms(&self) -> &[Atom] {
        &self.atoms
    }

    fn is_discrete(&self) -> bool {
        self.parts.iter().all(|(_, law)| law.is_discrete())
    }

    fn break_points(&self) -> &[f64] {
        &self.breaks
    }

    fn partial_moment(&self, r: f64, a: f64, b: f64) -> f64 {
        self.weigh(|law| law.partial_moment(r, a, b))
    }

    fn moment(&self, r: f64) -> f64 {
        self.weigh(|law| law.moment(r))
    }

    // Var = Σ w_i (Var_i + (m_i − m)²)
    fn scv(&self) -> f64 {
        let mean = self.mean();
        if mean.is_infinite() {
            return f64::INFINITY;
        }
        self.weigh(|law| law.scv() * (law.mean() / mean).powi(2) + (law.mean() / mean - 1.0).powi(2))
    }

    fn transform(&self, s: Complex64) -> Complex64 {
        self.parts.iter().map(|(weight, law)| law.transform(s) * *weight).sum()
    }

    // A mixture of phase types is one.
    fn phase_type(&self) -> Option<PhaseType> {
        let parts = self.parts.iter().map(|(weight, law)| Some((*weight, law.phase_type()?)));
        PhaseType::mixture(&parts.collect::<Option<Vec<_>>>()?).ok()
    }

    #[cfg(feature = "sim")]
    fn draw(&self, random: &mut crate::Random, out: &mut [f64]) {
        for size in out {
            let part = random.part(self.parts.iter().map(|(weight, _)| *weight));
            self.parts[part].1.draw(random, std::slice::from_mut(size));
        }
    }

    fn accuracy(&self) -> Accuracy {
        self.parts.iter().map(|(_, law)| law.accuracy()).fold(Accuracy::Exact, Accuracy::and)
    }

    fn validate(&self) -> Result<()> {
        self.parts.iter().try_for_each(|(_, law)| law.validate())
    }
}
