//! A trace as a law: weighted atoms with fast partial moments.

use super::{Atom, Complex64, Cutoff, JobSize};
use crate::error::{Error, Result, require};
use crate::numeric::power::power;
use crate::numeric::sum::Sum;

/// The orders whose partial moments are kept in blocks; others are summed over the interval.
const ORDERS: [f64; 7] = [-2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 4.0];

/// Blocks hold this many entries of the level below.
const BLOCK: usize = 16;

/// Sums of frequencies that should meet a probability exactly miss it by rounding: what is that close counts as met.
const ROUNDING: f64 = 1.0 - 1e-14;

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
    /// For each order, sums over blocks, over blocks of blocks, and so on.
    levels: [Vec<Vec<f64>>; 7],
    scv: f64,
    assumption: Option<&'static str>,
}

impl Empirical {
    /// From the sizes of single jobs, in any order; equal sizes make one atom. O(n log n).
    ///
    /// # Errors
    /// [`Error::Argument`] for no sizes, [`Error::Datum`] with the position of a size that is not positive and finite.
    pub fn from_sizes(sizes: &[f64]) -> Result<Self> {
        let mut sorted = sizes.to_vec();
        check("size", sizes.iter().copied())?;
        sorted.sort_unstable_by(f64::total_cmp);
        let mut atoms: Vec<(f64, f64)> = Vec::with_capacity(sorted.len());
        for size in sorted {
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
    /// [`Error::Argument`] for no atoms, [`Error::Datum`] with the position of a size or count that is not positive and finite.
    pub fn from_atoms(atoms: &[(f64, f64)]) -> Result<Self> {
        check("size", atoms.iter().map(|atom| atom.0))?;
        check("count", atoms.iter().map(|atom| atom.1))?;
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
        let levels = ORDERS.map(|r| block_levels(&atoms, r));
        let mut law = Self { atoms, jobs, counts, levels, scv: 0.0, assumption: None };
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
            last.1 -= 1.0
        } else {
            counts.pop().map(drop)?
        }
        if counts.is_empty() { None } else { Self::from_sorted(&counts).ok() }
    }

    /// Σ probability · size^r over the atoms `from..to`, from blocks where they fit.
    fn block_sum(&self, order: usize, from: usize, to: usize) -> f64 {
        let entry = |level: usize, i: usize| match level {
            0 => self.atoms[i].probability * power(self.atoms[i].size, ORDERS[order]),
            _ => self.levels[order][level - 1][i],
        };
        let (mut sum, mut level, mut from, mut to) = (0.0, 0, from, to);
        while from < to {
            if level == self.levels[order].len() || to - from <= BLOCK {
                return sum + (from..to).map(|i| entry(level, i)).sum::<f64>();
            }
            let (inner_from, inner_to) = (from.div_ceil(BLOCK), to / BLOCK);
            sum += (from..inner_from * BLOCK).map(|i| entry(level, i)).sum::<f64>();
            sum += (inner_to * BLOCK..to).map(|i| entry(level, i)).sum::<f64>();
            (level, from, to) = (level + 1, inner_from, inner_to);
        }
        sum
    }

    /// The atom at which Σ probability · size^r, summed from the given side, reaches `target`, and what the atoms before it gave.
    fn reach(&self, order: usize, target: f64, from_below: bool) -> (usize, f64) {
        let levels = &self.levels[order];
        let length = |level: usize| if level == 0 { self.atoms.len() } else { levels[level - 1].len() };
        let (mut reached, mut first, mut last) = (0.0, 0, length(levels.len()));
        let mut level = levels.len();
        loop {
            let entry = |i: usize| match level {
                0 => self.atoms[i].probability * power(self.atoms[i].size, ORDERS[order]),
                _ => levels[level - 1][i],
            };
            let mut index = if from_below { first } else { last - 1 };
            loop {
                let value = entry(index);
                let at_end = if from_below { index + 1 == last } else { index == first };
                if reached + value >= target || at_end {
                    break;
                }
                reached += value;
                index = if from_below { index + 1 } else { index - 1 };
            }
            if level == 0 {
                return (index, reached);
            }
            level -= 1;
            (first, last) = (index * BLOCK, ((index + 1) * BLOCK).min(length(level)));
        }
    }
}

fn check(what: &'static str, values: impl Iterator<Item = f64>) -> Result<()> {
    let mut seen = 0;
    for value in values {
        seen += 1;
        if !(value > 0.0 && value.is_finite()) {
            return Err(Error::Datum { what, index: seen, value, requirement: "must be positive and finite" });
        }
    }
    require(seen > 0, "number of sizes", 0.0, "must be at least 1")
}

fn block_levels(atoms: &[Atom], r: f64) -> Vec<Vec<f64>> {
    let mut levels: Vec<Vec<f64>> = Vec::new();
    let mut level: Vec<f64> = atoms
        .chunks(BLOCK)
        .map(|block| block.iter().map(|atom| atom.probability * power(atom.size, r)).sum())
        .collect();
    while level.len() > 1 {
        let next = level.chunks(BLOCK).map(|block| block.iter().sum()).collect();
        levels.push(level);
        level = next;
    }
    levels.push(level);
    levels
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

    fn partial_moment(&self, r: f64, a: f64, b: f64) -> f64 {
        let mut value = [0.0];
        self.partial_moments(&[r], a, b, &mut value);
        value[0]
    }

    fn partial_moments(&self, orders: &[f64], a: f64, b: f64, out: &mut [f64]) {
        let from = self.atoms.partition_point(|atom| atom.size <= a);
        let to = self.atoms.partition_point(|atom| atom.size <= b).max(from);
        for (value, &r) in out.iter_mut().zip(orders) {
            *value = match ORDERS.iter().position(|&order| order == r) {
                Some(order) => self.block_sum(order, from, to),
                None => {
                    let terms = self.atoms[from..to].iter().map(|atom| atom.probability * atom.size.powf(r));
                    terms.collect::<Sum>().value()
                }
            };
        }
    }

    fn scv(&self) -> f64 {
        self.scv
    }

    fn quantile(&self, p: f64) -> f64 {
        if p >= 1.0 { self.support().1 } else { self.atoms[self.reach(2, p.max(0.0) * ROUNDING, true).0].size }
    }

    // The smallest x with P(X > x) <= q: the atom whose own mass takes the tail above q.
    fn upper_quantile(&self, q: f64) -> f64 {
        if q >= 1.0 {
            return self.support().0;
        }
        let q = q.max(0.0) / ROUNDING;
        let (index, beyond) = self.reach(2, q, false);
        // Reaching q exactly at this atom: the one below has P(X > x) = q too.
        let exactly = beyond + self.atoms[index].probability <= q && index > 0;
        self.atoms[if exactly { index - 1 } else { index }].size
    }

    fn load_quantile(&self, below: f64, above: f64) -> Cutoff {
        let mean = self.mean();
        let from_below = below <= above;
        let target = below.min(above).max(0.0) * mean;
        let (index, reached) = self.reach(3, target, from_below);
        let atom = self.atoms[index];
        let share = ((target - reached) / (atom.probability * atom.size)).clamp(0.0, 1.0);
        Cutoff::raw(atom.size, if from_below { share } else { 1.0 - share })
    }

    fn transform(&self, s: Complex64) -> Complex64 {
        self.atoms.iter().map(|atom| (-s * atom.size).exp() * atom.probability).sum()
    }

    fn relative_error(&self) -> f64 {
        0.0
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
