//! Quasi-birth-death processes: chains on levels 0, 1, 2, ... with phases, whose transitions change the level by at most one.

mod build;
mod passage;
mod pivoted;
pub(crate) mod reduction;
mod solution;
mod solve;
mod spectrum;

pub use passage::FirstPassage;
pub use solution::QbdSolution;

use super::classes::closed_classes;
use super::row::rate_out;
use crate::error::{Error, Result};
use crate::numeric::dense::{by_rows, matrix};
use crate::numeric::triplet;
use nalgebra::DMatrix;
use reduction::{Failure, Rates, Reduced};

/// The rates out of one level: up, inside the level (negative diagonal), down. Rows are the phases of the level.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Blocks {
    /// Rates to the phases of the level above.
    pub up: DMatrix<f64>,
    /// Rates to other phases of the same level; the diagonal makes all row sums zero.
    pub local: DMatrix<f64>,
    /// Rates to the phases of the level below; a matrix without columns for level 0.
    pub down: DMatrix<f64>,
}

/// How G is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Reduction {
    /// Cyclic reduction (Bini and Meini 1996): four products and one elimination a doubling.
    #[default]
    Cyclic,
    /// Logarithmic reduction (Latouche and Ramaswami 1993): six products and one elimination a doubling; an independent check.
    Logarithmic,
}

/// Mean rates up and down in the stationary regime of the phases far from the boundary.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Drift {
    /// θA0·1, levels gained per unit of time.
    pub up: f64,
    /// θA2·1, levels lost per unit of time.
    pub down: f64,
}

impl Drift {
    /// up/down: the load of the queue that the chain models; the chain is stable below 1. Infinite where nothing leads down.
    pub fn ratio(self) -> f64 {
        if self.down > 0.0 { self.up / self.down } else { f64::INFINITY }
    }
}

/// A quasi-birth-death process in continuous time.
///
/// Any number of boundary levels, each with phases of its own, is followed by levels that all have the same blocks. The last
/// boundary level has as many phases as the repeating ones.
///
/// ```
/// use queueing::markov::{DMatrix, Qbd};
/// // M/M/1 with arrival rate 1 and service rate 2.
/// let [local0, up, local, down] = [-1.0, 1.0, -3.0, 2.0].map(|rate| DMatrix::from_element(1, 1, rate));
/// let queue = Qbd::homogeneous(local0, up, local, down)?;
/// let solved = queue.solve()?;
/// assert!((solved.mean_level() - 1.0).abs() < 1e-14);           // ρ/(1−ρ)
/// assert!((solved.level_probability(3) - 0.0625).abs() < 1e-15);  // (1−ρ)ρ³
/// # Ok::<(), queueing::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Qbd {
    /// Levels 0, 1, ..., before the repeating ones; never empty.
    boundary: Vec<Blocks>,
    repeating: Blocks,
}

impl Qbd {
    /// By the blocks of the boundary levels 0..L and of all levels from L on.
    ///
    /// The `down` block of level 0 has no columns. Level l's `up` block is phases(l) × phases(l+1), its `down` block
    /// phases(l) × phases(l−1); the repeating blocks and the last boundary level's `local` are square of one order. Row sums must be
    /// zero within 1e-9 of the diagonal, which is then recomputed from the rates.
    ///
    /// # Errors
    /// [`Error::Argument`] for no boundary level, no phases or wrong shapes; [`Error::Datum`] naming the row (counted from 1, over the
    /// boundary levels in turn) for a rate that is negative or not finite, and for a row sum that is not zero.
    pub fn new(mut boundary: Vec<Blocks>, mut repeating: Blocks) -> Result<Self> {
        let order = repeating.local.nrows();
        shape("boundary levels", boundary.len(), !boundary.is_empty(), "must be at least 1")?;
        let mut below = 0;
        let mut first = 0;
        for level in 0..boundary.len() {
            let above = boundary.get(level + 1).map_or(order, |next| next.local.nrows());
            let blocks = &mut boundary[level];
            blocks.check(below, above, "row of the boundary levels", first)?;
            below = blocks.local.nrows();
            first += below;
        }
        let requirement = "must be the number of phases of the repeating levels";
        shape("phases of the last boundary level", below, below == order, requirement)?;
        repeating.check(order, order, "row of the repeating levels", 0)?;
        Ok(Self { boundary, repeating })
    }

    /// A chain whose blocks are the same at all levels, but for the local block at level 0.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn homogeneous(
        local0: DMatrix<f64>,
        up: DMatrix<f64>,
        local: DMatrix<f64>,
        down: DMatrix<f64>,
    ) -> Result<Self> {
        let zero = Blocks { up: up.clone(), down: DMatrix::zeros(local0.nrows(), 0), local: local0 };
        Self::new(vec![zero], Blocks { up, local, down })
    }

    /// The number of boundary levels, which is the first repeating level.
    pub fn first_repeating(&self) -> usize {
        self.boundary.len()
    }

    /// The blocks of a level.
    pub fn blocks(&self, level: usize) -> &Blocks {
        self.boundary.get(level).unwrap_or(&self.repeating)
    }

    /// `θ(A0 + A1 + A2) = 0`: the mean drift θA0·1 up and θA2·1 down of the repeating levels.
    ///
    /// Where the phases split into several closed classes, that of the class with the largest ratio up/down.
    /// Cost: one elimination, free of subtraction.
    pub fn drift(&self) -> Drift {
        let n = self.repeating.local.nrows();
        let Blocks { up, local, down } = &self.repeating;
        let total = by_rows(&(up + local + down));
        let (up, down) = (row_sums(up), row_sums(down));
        let next = |i: usize| (0..n).filter(|&j| j != i && total[i * n + j] > 0.0).collect::<Vec<_>>().into_iter();
        let drifts = closed_classes(n, next).into_iter().map(|class| {
            let mut rates: Vec<f64> =
                class.iter().flat_map(|&i| class.iter().map(|&j| total[i * n + j]).collect::<Vec<_>>()).collect();
            // A closed class is irreducible: the elimination meets no trap.
            let theta = triplet::stationary(&mut rates, class.len()).unwrap_or_else(|_| vec![0.0; class.len()]);
            let mean = |sums: &[f64]| class.iter().zip(&theta).map(|(&i, p)| p * sums[i]).sum();
            Drift { up: mean(&up), down: mean(&down) }
        });
        let worse = |a: Drift, b: Drift| if b.up * a.down > a.up * b.down { b } else { a };
        // A phase without transitions is no class of its own: it is never entered, or a trap that the reduction reports.
        drifts.filter(|drift| drift.up > 0.0 || drift.down > 0.0).reduce(worse).unwrap_or(Drift { up: 0.0, down: 0.0 })
    }

    /// `A2 + A1 G + A0 G² = 0`: first-passage probabilities to the next lower level, from levels that are not at the boundary.
    ///
    /// `G[(i, j)]` is the probability that the first phase seen in the level below is j, starting in phase i. Rows sum to 1 unless the
    /// chain drifts upwards.
    ///
    /// Cost: some 8 doublings (one more each time the drift is twice as close to balance), of 13n³ operations each; about 1 µs for 4
    /// phases and 0.5 ms for 50. Accuracy: free of subtraction, some 1e-15 of each entry, also next to balanced drift.
    ///
    /// # Errors
    /// [`Error::Datum`] for a set of phases from which no other level can be reached; [`Error::NoConvergence`] for balanced drift.
    ///
    /// ```
    /// use queueing::markov::{DMatrix, Qbd, Reduction};
    /// // A walk that drifts upwards: it comes down with probability 1/2.
    /// let [local0, up, local, down] = [-2.0, 2.0, -3.0, 1.0].map(|rate| DMatrix::from_element(1, 1, rate));
    /// let walk = Qbd::homogeneous(local0, up, local, down)?;
    /// assert!((walk.g(Reduction::Cyclic)?[(0, 0)] - 0.5).abs() < 1e-15);
    /// # Ok::<(), queueing::Error>(())
    /// ```
    pub fn g(&self, reduction: Reduction) -> Result<DMatrix<f64>> {
        let n = self.repeating.local.nrows();
        Ok(matrix(n, n, &self.reduced(reduction)?.g))
    }

    fn reduced(&self, reduction: Reduction) -> Result<Reduced> {
        let Blocks { up, local, down } = &self.repeating;
        let n = local.nrows();
        let (up, mut local, down) = (by_rows(up), by_rows(local), by_rows(down));
        (0..n).for_each(|i| local[i * n + i] = 0.0);
        let rates = Rates { up: &up, local: &local, down: &down };
        match reduction {
            Reduction::Cyclic => reduction::cyclic(rates, n),
            Reduction::Logarithmic => reduction::logarithmic(rates, n),
        }
        .map_err(|failure| match failure {
            Failure::Trapped(row) => trapped("row of the repeating levels", row),
            Failure::Cap(residual) => {
                Error::NoConvergence { what: "reduction for G", iterations: reduction::CAP, residual }
            }
        })
    }
}

/// A phase from which, after the elimination of those before it, no way leads out of its level.
fn trapped(what: &'static str, row: usize) -> Error {
    Error::Datum { what, index: row + 1, value: 0.0, requirement: "must lead to the level below in the end" }
}

fn shape(name: &'static str, value: usize, holds: bool, requirement: &'static str) -> Result<()> {
    crate::error::require(holds, name, value as f64, requirement)
}

fn row_sums(block: &DMatrix<f64>) -> Vec<f64> {
    block.row_iter().map(|row| row.iter().sum()).collect()
}

impl Blocks {
    /// Checks shapes, rates and row sums, with rows counted from `first`, and sets the diagonal to minus the rates out.
    fn check(&mut self, below: usize, above: usize, what: &'static str, first: usize) -> Result<()> {
        let n = self.local.nrows();
        shape("phases of a level", n, n > 0, "must be at least 1")?;
        let square = "must be the number of rows of the local block";
        shape("columns of a local block", self.local.ncols(), self.local.ncols() == n, square)?;
        shape("rows of an up block", self.up.nrows(), self.up.nrows() == n, square)?;
        shape("rows of a down block", self.down.nrows(), self.down.nrows() == n, square)?;
        let next = "must be the number of phases of the level above";
        shape("columns of an up block", self.up.ncols(), self.up.ncols() == above, next)?;
        let next = "must be the number of phases of the level below";
        shape("columns of a down block", self.down.ncols(), self.down.ncols() == below, next)?;
        for i in 0..n {
            let local = (0..n).filter(|&j| j != i).map(|j| self.local[(i, j)]);
            let (up, down) = (self.up.row(i), self.down.row(i));
            let rates = up.iter().chain(down.iter()).copied().chain(local);
            self.local[(i, i)] = -rate_out(what, first + i + 1, rates, self.local[(i, i)])?;
        }
        Ok(())
    }
}
