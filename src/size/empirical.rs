//! A trace as a law: weighted atoms with fast partial moments.

use super::blocks::{Blocks, Side};
use super::defaults::ROUNDING;
use super::{Atom, Complex64, Cutoff, JobSize, ORDERS};
use crate::accuracy::{Accuracy, Assumption};
use crate::error::{Error, Result, SIZES, SIZES_REQUIREMENT, require};
use crate::numeric::sum::Sum;

/// Where the orders 0 and 1 stand among them.
const MASS: usize = 2;
const WORK: usize = 3;

/// The law of a trace: each recorded size with its relative frequency.
///
/// Partial moments of the orders -2, -1, 0, ..., 4 take O(log n) additions of positive numbers, with no subtraction at either end;
/// other orders take O(n). `Exact` results are exact for this law, not for the world it was sampled from.
///
/// ```
/// use queueing::prelude::*;
/// let size = Empirical::from_sizes(&[2.0, 8.0, 2.0, 4.0])?;
/// assert_eq!(size.mean(), 4.0);
/// assert_eq!(size.partial_moment(1.0, 2.0, 8.0), 3.0);         // (4 + 8)/4
/// assert_eq!(size.jobs(), 4.0);
/// # Ok::<(), queueing::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Empirical {
    atoms: Vec<Atom>,
    jobs: f64,
    counts: Vec<f64>,
    /// One for each of the [`ORDERS`].
    blocks: [Blocks; 7],
    scv: f64,
    assumption: Option<&'static str>,
}

impl Empirical {
    /// From the sizes of single jobs, in any order; equal sizes make one atom. O(n log n).
    ///
    /// # Errors
    /// [`Error::Argument`] for no sizes, [`Error::Datum`] with the position of a size that is not between 1e-70 and 1e70.
    pub fn from_sizes(sizes: &[f64]) -> Result<Self> {
        check_sizes(sizes.iter().copied())?;
        // Positive doubles sort like their bits, and those much faster.
        let mut bits: Vec<u64> = sizes.iter().map(|size| size.to_bits()).collect();
        bits.sort_unstable();
        let mut atoms: Vec<(f64, f64)> = Vec::with_capacity(bits.len());
        for size in bits.into_iter().map(f64::from_bits) {
            match atoms.last_mut() {
                Some((last, count)) if *last == size => *count += 1.0,
                _ => atoms.push((size, 1.0)),
            }
        }
        Self::from_sorted(&atoms)
    }

    /// From (size, count) pairs in any order; counts are weights and need not be whole.
    ///
    /// # Errors
    /// [`Error::Argument`] for no atoms, [`Error::Datum`] with the position of a size that is not between 1e-70 and 1e70, or of a
    /// count that is not positive and at most 1e200.
    pub fn from_atoms(atoms: &[(f64, f64)]) -> Result<Self> {
        check_sizes(atoms.iter().map(|atom| atom.0))?;
        check("count", atoms.iter().map(|atom| atom.1), |count| count <= 1e200, "must be at most 1e200")?;
        let mut sorted = atoms.to_vec();
        sorted.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        sorted.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
        Self::from_sorted(&sorted)
    }

    pub(super) fn assuming(self, assumption: &'static str) -> Self {
        Self { assumption: Some(assumption), ..self }
    }

    fn from_sorted(sorted: &[(f64, f64)]) -> Result<Self> {
        let jobs = sorted.iter().map(|atom| atom.1).collect::<Sum>().value();
        require(jobs.is_finite() && jobs > 0.0, "number of jobs", jobs, "must be positive and finite")?;
        // A count may be below the rounding of the sum of all.
        let present = || sorted.iter().filter(|atom| atom.1 / jobs > 0.0);
        let atoms: Vec<_> = present().map(|&(size, count)| Atom { size, probability: count / jobs }).collect();
        let counts = present().map(|atom| atom.1).collect();
        let blocks = ORDERS.map(|r| Blocks::new(&atoms, r));
        let mut law = Self { atoms, jobs, counts, blocks, scv: 0.0, assumption: None };
        let mean = law.mean();
        require(mean.is_finite(), "mean of the sizes", mean, "must be finite")?;
        let spread: Sum = law.atoms.iter().map(|atom| atom.probability * (atom.size / mean - 1.0).powi(2)).collect();
        law.scv = spread.value();
        Ok(law)
    }

    /// The number of jobs, or the sum of the counts.
    pub fn jobs(&self) -> f64 {
        self.jobs
    }

    /// (size, count) of each atom, by increasing size.
    pub fn counts(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.atoms.iter().map(|atom| atom.size).zip(self.counts.iter().copied())
    }

    /// What was assumed between the data, for a law made from a summary.
    pub fn assumption(&self) -> Option<&'static str> {
        self.assumption
    }

    /// The law without one job of the largest size: how much hangs on it?
    ///
    /// Returns `None` when no other job remains.
    pub fn without_largest(&self) -> Option<Self> {
        let mut counts: Vec<(f64, f64)> = self.counts().collect();
        let last = counts.last_mut()?;
        if last.1 > 1.0 {
            last.1 -= 1.0;
        } else {
            counts.pop().map(drop)?;
        }
        if counts.is_empty() { None } else { Self::from_sorted(&counts).ok() }
    }
}

impl Empirical {
    fn reach(&self, order: usize, target: f64, end: Side) -> (usize, f64) {
        self.blocks[order].reach(&self.atoms, target, end)
    }
}

fn check_sizes(sizes: impl Iterator<Item = f64>) -> Result<()> {
    check("size", sizes, |size| SIZES.contains(&size), SIZES_REQUIREMENT)
}

fn check(
    what: &'static str,
    values: impl Iterator<Item = f64>,
    is_good: impl Fn(f64) -> bool,
    requirement: &'static str,
) -> Result<()> {
    let mut seen = 0;
    for value in values {
        seen += 1;
        if !(value > 0.0 && value.is_finite()) {
            return Err(Error::Datum { what, index: seen, value, requirement: "must be positive and finite" });
        }
        if !is_good(value) {
            return Err(Error::Datum { what, index: seen, value, requirement });
        }
    }
    require(seen > 0, "number of sizes", 0.0, "must be at least 1")
}

impl JobSize for Empirical {
    fn support(&self) -> (f64, f64) {
        (self.atoms[0].size, self.atoms[self.atoms.len() - 1].size)
    }

    fn sf(&self, x: f64) -> f64 {
        self.partial_moment(0.0, x, f64::INFINITY)
    }

    fn cdf(&self, x: f64) -> f64 {
        self.partial_moment(0.0, 0.0, x)
    }

    fn density(&self, _: f64) -> f64 {
        0.0
    }

    fn atoms(&self) -> &[Atom] {
        &self.atoms
    }

    fn is_discrete(&self) -> bool {
        true
    }

    fn partial_moment(&self, r: f64, a: f64, b: f64) -> f64 {
        let mut value = [0.0];
        self.partial_moments(&[r], a, b, &mut value);
        value[0]
    }

    fn partial_moments(&self, orders: &[f64], a: f64, b: f64, out: &mut [f64]) {
        let from = self.atoms.partition_point(|atom| atom.size <= a);
        let to = self.atoms.partition_point(|atom| atom.size <= b).max(from);
        for (value, &r) in out.iter_mut().zip(orders) {
            *value = if let Some(order) = ORDERS.iter().position(|&order| order == r) {
                self.blocks[order].sum(&self.atoms, from, to)
            } else {
                let terms = self.atoms[from..to].iter().map(|atom| atom.probability * atom.size.powf(r));
                terms.collect::<Sum>().value()
            };
        }
    }

    fn scv(&self) -> f64 {
        self.scv
    }

    fn quantile(&self, p: f64) -> f64 {
        if p >= 1.0 {
            self.support().1
        } else {
            self.atoms[self.reach(MASS, p.max(0.0) * ROUNDING, Side::Below).0].size
        }
    }

    // The smallest x with P(X > x) <= q: the atom whose own mass takes the tail above q.
    fn upper_quantile(&self, q: f64) -> f64 {
        if q >= 1.0 {
            return self.support().0;
        }
        let q = q.max(0.0) / ROUNDING;
        let (index, beyond) = self.reach(MASS, q, Side::Above);
        // Reaching q exactly at this atom: the one below has P(X > x) = q too.
        let exactly = beyond + self.atoms[index].probability <= q && index > 0;
        self.atoms[if exactly { index - 1 } else { index }].size
    }

    fn load_quantile(&self, below: f64, above: f64) -> Cutoff {
        let mean = self.mean();
        let from_below = below <= above;
        let target = below.min(above).max(0.0) * mean;
        let (index, reached) = self.reach(WORK, target, if from_below { Side::Below } else { Side::Above });
        let atom = self.atoms[index];
        let share = ((target - reached) / (atom.probability * atom.size)).clamp(0.0, 1.0);
        Cutoff::raw(atom.size, if from_below { share } else { 1.0 - share })
    }

    fn transform(&self, s: Complex64) -> Complex64 {
        self.atoms.iter().map(|atom| (-s * atom.size).exp() * atom.probability).sum()
    }

    fn accuracy(&self) -> Accuracy {
        match self.assumption {
            Some(_) => Accuracy::Approximate { assumption: Assumption::PercentileSummary },
            None => Accuracy::Exact,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn many() -> Empirical {
        let sizes: Vec<f64> = (0..5000).map(|i| 1.0 + f64::from(i * 7919 % 5000)).collect();
        Empirical::from_sizes(&sizes).unwrap()
    }

    #[test]
    fn blocks_agree_with_plain_sums() {
        let law = many();
        for (a, b) in [(0.0, 5000.0), (16.0, 17.0), (3.0, 250.0), (255.0, 4096.0), (4999.0, 5000.0), (7.0, 7.0)] {
            for r in ORDERS {
                let plain: Sum = law
                    .atoms
                    .iter()
                    .filter(|x| x.size > a && x.size <= b)
                    .map(|x| x.probability * x.size.powf(r))
                    .collect();
                let (value, plain) = (law.partial_moment(r, a, b), plain.value());
                assert!((value - plain).abs() <= 4e-15 * plain, "{r} {a} {b}: {value} {plain}");
            }
        }
    }

    #[test]
    fn quantiles_from_both_ends() {
        let law = many();
        assert_eq!(law.quantile(0.5), 2500.0);
        assert_eq!(law.quantile(1e-9), 1.0);
        assert_eq!(law.upper_quantile(1.5 / 5000.0), 4999.0);
        assert_eq!(law.upper_quantile(0.0), 5000.0);
        let cut = law.load_quantile(0.25, 0.75);
        let below = crate::size::moment_between(&law, 1.0, Cutoff::LOWEST, cut);
        assert!((below / law.mean() - 0.25).abs() < 1e-14);
    }

    #[test]
    fn leaving_out_the_largest() {
        let law = Empirical::from_atoms(&[(1.0, 3.0), (10.0, 1.0)]).unwrap();
        assert_eq!(law.without_largest().unwrap().mean(), 1.0);
        assert!(Empirical::from_sizes(&[2.0]).unwrap().without_largest().is_none());
    }
}
