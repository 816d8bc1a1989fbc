//! The sizes between two cutoffs.

use super::cutoff::moments_between;
use super::{Atom, Cutoff, JobSize, Law};
use crate::accuracy::Accuracy;
use crate::error::{Result, require};

/// X given a < X <= b: the sizes that a host of a size-based policy sees, split atoms included.
///
/// Moments are those of the whole law over the interval, divided by its probability, so that they keep the accuracy of the law
/// however deep in the tail the interval lies.
///
/// ```
/// use queueing::prelude::*;
/// let size = Interval::new(Uniform::new(0.0, 4.0)?, 1.0, 3.0)?;
/// assert_eq!(size.mean(), 2.0);
/// assert_eq!(size.probability(), 0.5);
/// # Ok::<(), queueing::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Interval<S = Law> {
    law: S,
    lower: Cutoff,
    upper: Cutoff,
    probability: f64,
    atoms: Vec<Atom>,
}

impl<S: JobSize> Interval<S> {
    /// The sizes in (a, b] of `law`; a = 0 and b = ∞ are allowed.
    ///
    /// # Errors
    /// [`Error::Argument`](crate::Error::Argument) unless 0 <= a < b and the interval has a positive probability.
    pub fn new(law: S, a: f64, b: f64) -> Result<Self> {
        require(a >= 0.0, "a", a, "must be at least 0")?;
        require(b > a, "b", b, "must exceed a")?;
        Self::between(law, Cutoff::raw(a, 1.0), Cutoff::raw(b, 1.0))
    }

    /// The sizes between two cutoffs, which may split atoms.
    ///
    /// # Errors
    /// [`Error::Argument`](crate::Error::Argument) unless the upper cutoff is above the lower one and the probability between
    /// them is positive.
    pub fn between(law: S, lower: Cutoff, upper: Cutoff) -> Result<Self> {
        require(upper.is_above(lower), "upper cutoff", upper.size(), "must be above the lower one")?;
        let mut probability = [0.0];
        moments_between(&law, &[0.0], lower, upper, &mut probability);
        let [probability] = probability;
        require(probability > 0.0, "probability of the interval", probability, "must be positive")?;
        let atoms = law.atoms();
        let from = atoms.partition_point(|atom| atom.size < lower.size());
        let to = atoms.partition_point(|atom| atom.size <= upper.size()).max(from);
        let share = |size: f64| {
            let below = if size == upper.size() { upper.share() } else { 1.0 };
            below - if size == lower.size() { lower.share() } else { 0.0 }
        };
        let atoms = atoms[from..to]
            .iter()
            .map(|atom| Atom { size: atom.size, probability: atom.probability * share(atom.size) / probability })
            .filter(|atom| atom.probability > 0.0)
            .collect();
        Ok(Self { law, lower, upper, probability, atoms })
    }

    /// P(a < X <= b) under the whole law.
    pub fn probability(&self) -> f64 {
        self.probability
    }

    /// The whole law.
    pub fn law(&self) -> &S {
        &self.law
    }

    /// The cutoffs at both ends.
    pub fn ends(&self) -> (Cutoff, Cutoff) {
        (self.lower, self.upper)
    }

    fn clipped(&self, a: f64, b: f64) -> (Cutoff, Cutoff) {
        let lower = if a >= self.lower.size() { Cutoff::raw(a, 1.0) } else { self.lower };
        let upper = if b < self.upper.size() { Cutoff::raw(b, 1.0) } else { self.upper };
        (lower, upper)
    }
}

impl<S: JobSize> JobSize for Interval<S> {
    fn support(&self) -> (f64, f64) {
        let (low, high) = self.law.support();
        let (from, to) = (low.max(self.lower.size()), high.min(self.upper.size()));
        // Laws without a continuous part start and end at an atom.
        match (self.atoms.first(), self.atoms.last()) {
            (Some(first), Some(last)) if self.law.is_discrete() => (first.size, last.size),
            _ => (from, to),
        }
    }

    fn sf(&self, x: f64) -> f64 {
        self.partial_moment(0.0, x, f64::INFINITY).min(1.0)
    }

    fn cdf(&self, x: f64) -> f64 {
        self.partial_moment(0.0, 0.0, x).min(1.0)
    }

    fn density(&self, x: f64) -> f64 {
        if x > self.lower.size() && x <= self.upper.size() { self.law.density(x) / self.probability } else { 0.0 }
    }

    fn atoms(&self) -> &[Atom] {
        &self.atoms
    }

    fn is_discrete(&self) -> bool {
        self.law.is_discrete()
    }

    fn break_points(&self) -> &[f64] {
        let breaks = self.law.break_points();
        let from = breaks.partition_point(|&x| x <= self.lower.size());
        &breaks[from..breaks.partition_point(|&x| x < self.upper.size()).max(from)]
    }

    fn partial_moment(&self, r: f64, a: f64, b: f64) -> f64 {
        let mut value = [0.0];
        self.partial_moments(&[r], a, b, &mut value);
        value[0]
    }

    fn partial_moments(&self, orders: &[f64], a: f64, b: f64, out: &mut [f64]) {
        let (lower, upper) = self.clipped(a, b);
        if !(a < b) || !upper.is_above(lower) {
            return out.fill(0.0);
        }
        moments_between(&self.law, orders, lower, upper, out);
        for value in out {
            *value /= self.probability;
        }
    }

    #[cfg(feature = "sim")]
    fn draw(&self, random: &mut crate::Random, out: &mut [f64]) {
        if self.atoms.is_empty() {
            let beyond = self.law.sf(self.upper.size());
            return out.fill_with(|| self.law.upper_quantile(beyond + random.uniform() * self.probability));
        }
        out.fill_with(|| self.upper_quantile(random.uniform()));
    }

    fn accuracy(&self) -> Accuracy {
        self.law.accuracy()
    }

    // The whole law is what can be wrong.
    fn validate(&self) -> Result<()> {
        Ok(())
    }
}

impl<S: JobSize + Into<Law>> Interval<S> {
    /// The same interval of the same law, as a [`Law`].
    pub(super) fn into_law(self) -> Interval<Law> {
        let Self { law, lower, upper, probability, atoms } = self;
        Interval { law: law.into(), lower, upper, probability, atoms }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::size::cutoff::atom_at;
    use crate::size::{Deterministic, Exponential};

    #[test]
    fn a_split_atom_is_shared() {
        let three = Deterministic::new(3.0).unwrap();
        let half = Cutoff::splitting(3.0, 0.25).unwrap();
        let lower = Interval::between(three, Cutoff::LOWEST, half).unwrap();
        let upper = Interval::between(three, half, Cutoff::HIGHEST).unwrap();
        assert_eq!((lower.probability(), upper.probability()), (0.25, 0.75));
        assert_eq!((lower.mean(), upper.mean()), (3.0, 3.0));
        assert_eq!((atom_at(&lower, 3.0), atom_at(&upper, 3.0)), (1.0, 1.0));
        assert_eq!(lower.support(), (3.0, 3.0));
    }

    #[test]
    fn deep_in_the_tail_the_memoryless_law_starts_anew() {
        let tail = Interval::new(Exponential::with_mean(1.0).unwrap(), 600.0, f64::INFINITY).unwrap();
        assert!((tail.mean() / 601.0 - 1.0).abs() < 1e-13);
        assert!((tail.sf(602.0) / (-2.0_f64).exp() - 1.0).abs() < 1e-12);
    }
}
