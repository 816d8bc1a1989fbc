//! Sums over stretches of a list without subtraction: blocks of sixteen entries, blocks of blocks, and so on.

use super::Atom;
use crate::numeric::power::power;

/// Blocks hold this many entries of the level below.
const BLOCK: usize = 16;

/// Block sums of probability · size^r over a list of atoms, for one order r. The atoms themselves are the lowest level.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Blocks {
    order: f64,
    levels: Vec<Vec<f64>>,
}

/// From which end a sum is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Below,
    Above,
}

impl Blocks {
    pub(super) fn new(atoms: &[Atom], order: f64) -> Self {
        let term = |atom: &Atom| atom.probability * power(atom.size, order);
        let mut levels = vec![atoms.chunks(BLOCK).map(|block| block.iter().map(term).sum()).collect::<Vec<f64>>()];
        while let Some(level) = levels.last().filter(|level| level.len() > 1) {
            levels.push(level.chunks(BLOCK).map(|block| block.iter().sum()).collect());
        }
        Self { order, levels }
    }

    /// The entry of a level; level 0 are the atoms.
    fn entry(&self, atoms: &[Atom], level: usize, i: usize) -> f64 {
        match level {
            0 => atoms[i].probability * power(atoms[i].size, self.order),
            _ => self.levels[level - 1][i],
        }
    }

    /// Σ over the atoms `from..to`, from the largest blocks that fit.
    pub(super) fn sum(&self, atoms: &[Atom], from: usize, to: usize) -> f64 {
        let (mut sum, mut level, mut from, mut to) = (0.0, 0, from, to);
        while from < to {
            let over = |range: std::ops::Range<usize>| range.map(|i| self.entry(atoms, level, i)).sum::<f64>();
            if level == self.levels.len() || to - from <= BLOCK {
                return sum + over(from..to);
            }
            let (inner_from, inner_to) = (from.div_ceil(BLOCK), to / BLOCK);
            sum += over(from..inner_from * BLOCK) + over(inner_to * BLOCK..to);
            (level, from, to) = (level + 1, inner_from, inner_to);
        }
        sum
    }

    /// The atom at which the sum from the given end reaches `target`, and what the atoms before it gave.
    pub(super) fn reach(&self, atoms: &[Atom], target: f64, end: Side) -> (usize, f64) {
        let length = |level: usize| if level == 0 { atoms.len() } else { self.levels[level - 1].len() };
        let mut level = self.levels.len();
        let (mut reached, mut first, mut last) = (0.0, 0, length(level));
        loop {
            let mut index = if end == Side::Below { first } else { last - 1 };
            loop {
                let value = self.entry(atoms, level, index);
                let at_end = if end == Side::Below { index + 1 == last } else { index == first };
                if reached + value >= target || at_end {
                    break;
                }
                reached += value;
                index = if end == Side::Below { index + 1 } else { index - 1 };
            }
            if level == 0 {
                return (index, reached);
            }
            level -= 1;
            (first, last) = (index * BLOCK, ((index + 1) * BLOCK).min(length(level)));
        }
    }
}
