//! The time a finite Markov chain takes to be absorbed.

#[cfg(feature = "sim")]
mod draw;
mod moments;
mod named;
mod operations;
mod text;

pub(super) use text::parse;

use super::{Atom, Complex64, JobSize};
use crate::accuracy::Accuracy;
use crate::error::{Error, RATES_REQUIREMENT, Result, is_rate, require};
use crate::numeric::dense::{dot, matrix, times_column};
use crate::numeric::semigroup::Chain;
use crate::numeric::triplet;
use nalgebra::DMatrix;

/// How far sums of rates or probabilities may be from what they should be, relative to their size.
const TOLERANCE: f64 = 1e-12;

/// How many of the vectors (−T)⁻ʲ1 are kept.
const KEPT: usize = 5;

/// Phase-type sizes: `P(X > x) = α exp(Tx) 1`, the time until a Markov chain with start law α and rates T is absorbed.
///
/// Sums, mixtures and minima of phase types are phase types, and every law on the positive reals is a limit of them. A start law
/// whose sum is below 1 leaves the rest as jobs of size 0 (an atom at 0); such jobs count in every moment over (0, b], so that
/// E\[X⁻¹\] is infinite.
///
/// Moments of whole order come from (−T)⁻¹ and exp(Tx), computed without subtraction: small tails, small probabilities and narrow
/// intervals keep their digits (about 1e-14, also for rates many decades apart). Other real
/// orders are by series and quadrature, to about 1e-12.
///
/// ```
/// use queueing::prelude::*;
/// use queueing::size::PhaseType;
/// let size = PhaseType::coxian2(2.0, 0.1, 0.15)?;
/// assert!((size.mean() - 2.0).abs() < 1e-15);            // 1/2 + 0.15/0.1
/// assert!((size.moment(2.0) - 32.0).abs() < 1e-13);      // 2(1/4 + 0.15/(2·0.1) + 0.15/0.01)
/// # Ok::<(), queueing::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PhaseType {
    alpha: Vec<f64>,
    /// rates between phases by rows, with a zero diagonal
    rates: Vec<f64>,
    exit: Vec<f64>,
    total: Vec<f64>,
    acyclic: bool,
    atoms: Vec<Atom>,
    /// (−T)⁻ʲ1 for j = 0, 1, ...
    columns: Vec<Vec<f64>>,
}

impl PhaseType {
    /// By the start probabilities α and the rates T between phases (negative diagonal); exit rates are −T1.
    ///
    /// α must sum to at most 1 (within 1e-12); what is missing is the probability of size 0. Exit rates come from a subtraction and
    /// are taken as 0 below 1e-12 of the diagonal: [`with_exits`](Self::with_exits) takes them as they are.
    ///
    /// # Errors
    /// [`Error::Argument`] for no phases or wrong shapes; [`Error::Datum`] for a probability or rate that is negative or not finite, a
    /// row with a positive sum, and a phase from which the chain is never absorbed.
    pub fn new(alpha: &[f64], t: &DMatrix<f64>) -> Result<Self> {
        let n = alpha.len();
        require(t.shape() == (n, n), "order of T", t.nrows() as f64, "must be square, with a row for each phase of α")?;
        let exit = |i: usize| {
            let (out, left) = (-t[(i, i)], -t.row(i).sum());
            if left.abs() <= TOLERANCE * out.abs() { 0.0 } else { left }
        };
        let exits: Vec<f64> = (0..n).map(exit).collect();
        for (i, &value) in exits.iter().enumerate() {
            if !(value >= 0.0 && value.is_finite()) {
                let requirement = "must not be negative: rows of T must not have a positive sum";
                return Err(Error::Datum { what: "exit rate of phase", index: i + 1, value, requirement });
            }
        }
        Self::with_exits(alpha, t, &exits)
    }

    /// By the start probabilities α, the rates between phases (the diagonal of `rates` is ignored), and the exit rates.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    ///
    /// ```
    /// use queueing::prelude::*;
    /// use queueing::markov::DMatrix;
    /// use queueing::size::PhaseType;
    /// let rates = DMatrix::from_row_slice(2, 2, &[0.0, 3.0, 0.0, 0.0]);
    /// let size = PhaseType::with_exits(&[0.5, 0.25], &rates, &[0.0, 3.0])?;
    /// assert!((size.mean() - 0.5 * 2.0 / 3.0 - 0.25 / 3.0).abs() < 1e-15);
    /// assert_eq!(size.cdf(0.0), 0.25);
    /// # Ok::<(), queueing::Error>(())
    /// ```
    pub fn with_exits(alpha: &[f64], rates: &DMatrix<f64>, exit: &[f64]) -> Result<Self> {
        let n = alpha.len();
        require(n > 0, "phases", 0.0, "must be at least 1")?;
        require(rates.shape() == (n, n), "order of the rates", rates.nrows() as f64, "must be square, a row a phase")?;
        require(exit.len() == n, "number of exit rates", exit.len() as f64, "must be that of the phases")?;
        let rows: Vec<f64> =
            (0..n * n).map(|at| if at / n == at % n { 0.0 } else { rates[(at / n, at % n)] }).collect();
        Self::assemble(alpha.to_vec(), rows, exit.to_vec())
    }

    /// From parts of the right lengths.
    fn assemble(mut alpha: Vec<f64>, rates: Vec<f64>, exit: Vec<f64>) -> Result<Self> {
        let n = alpha.len();
        if let Some(i) = alpha.iter().position(|p| !(0.0..=1.0 + TOLERANCE).contains(p)) {
            let requirement = "must be between 0 and 1";
            return Err(Error::Datum { what: "start probability", index: i + 1, value: alpha[i], requirement });
        }
        for (what, values, width) in [("exit rate of phase", &exit, 1), ("rate out of phase", &rates, n)] {
            if let Some(at) = values.iter().position(|value| !is_rate(*value)) {
                let requirement = RATES_REQUIREMENT;
                return Err(Error::Datum { what, index: at / width + 1, value: values[at], requirement });
            }
        }
        let sum: f64 = alpha.iter().sum();
        require(sum > 0.0 && sum <= 1.0 + TOLERANCE, "sum of α", sum, "must be positive and at most 1")?;
        let mut atoms = Vec::new();
        if 1.0 - sum > TOLERANCE {
            atoms.push(Atom { size: 0.0, probability: 1.0 - sum });
        } else if (1.0 - sum).abs() > 4.0 * n as f64 * f64::EPSILON {
            for p in &mut alpha {
                *p /= sum;
            }
        }
        let total: Vec<f64> = (0..n).map(|i| exit[i] + rates[i * n..(i + 1) * n].iter().sum::<f64>()).collect();
        if let Some(i) = total.iter().position(|out| !(*out > 0.0 && out.is_finite())) {
            let requirement = "must be positive and finite";
            return Err(Error::Datum { what: "total rate of phase", index: i + 1, value: total[i], requirement });
        }
        let acyclic = (0..n).all(|i| rates[i * n..i * n + i].iter().all(|rate| *rate == 0.0));
        let mut law = Self { alpha, rates, exit, total, acyclic, atoms, columns: Vec::new() };
        law.columns = law.tail_columns(KEPT - 1)?;
        Ok(law)
    }

    /// (−T)⁻ʲ1 for j = 0..=`most`: by substitution where no phase returns, else by one inverse.
    fn tail_columns(&self, most: usize) -> Result<Vec<Vec<f64>>> {
        let n = self.exit.len();
        let inverse = if self.acyclic { Vec::new() } else { self.inverse()? };
        let mut columns = vec![vec![1.0; n]];
        for j in 0..most {
            let mut next = vec![0.0; n];
            if self.acyclic {
                // y_i = (x_i + Σ_{k>i} T_ik y_k) / total_i
                for i in (0..n).rev() {
                    let onward = dot(&self.rates[i * n + i + 1..(i + 1) * n], &next[i + 1..]);
                    next[i] = (columns[j][i] + onward) / self.total[i];
                }
            } else {
                times_column(&inverse, &columns[j], &mut next);
            }
            columns.push(next);
        }
        Ok(columns)
    }

    /// (−T)⁻¹ by rows: mean times in each phase.
    fn inverse(&self) -> Result<Vec<f64>> {
        let n = self.exit.len();
        let width = 2 * n + 1;
        let mut rows = vec![0.0; n * width];
        for (i, row) in rows.chunks_exact_mut(width).enumerate() {
            row[..n].copy_from_slice(&self.rates[i * n..(i + 1) * n]);
            row[n + i] = 1.0;
            row[2 * n] = self.exit[i];
        }
        let requirement = "must lead out in the end";
        triplet::solve(&mut rows, n, width, &mut vec![0.0; n]).map_err(|row| Error::Datum {
            what: "phase",
            index: row + 1,
            value: 0.0,
            requirement,
        })?;
        Ok(rows.chunks_exact(width).flat_map(|row| row[n..2 * n].iter().copied()).collect())
    }

    /// The number of phases.
    pub fn phases(&self) -> usize {
        self.exit.len()
    }

    /// Start probabilities; they sum to 1 − [`mass_at_zero`](Self::mass_at_zero).
    pub fn alpha(&self) -> &[f64] {
        &self.alpha
    }

    /// Rates at which each phase ends the job.
    pub fn exit_rates(&self) -> &[f64] {
        &self.exit
    }

    /// T, with minus the total rates on the diagonal.
    pub fn sub_generator(&self) -> DMatrix<f64> {
        let n = self.exit.len();
        let mut t = matrix(n, n, &self.rates);
        (0..n).for_each(|i| t[(i, i)] = -self.total[i]);
        t
    }

    /// P(X = 0).
    pub fn mass_at_zero(&self) -> f64 {
        self.atoms.first().map_or(0.0, |atom| atom.probability)
    }

    /// E\[Xʲ\] of what is left of a job in this phase, for j up to 4.
    pub(crate) fn moment_from(&self, phase: usize, j: usize) -> f64 {
        (1..=j).product::<usize>() as f64 * self.columns[j][phase]
    }

    /// 1 − E\[exp(−sX)\] of what is left of a job in each phase, at real s > 0: s(sI − T)⁻¹1, free of subtraction.
    pub(crate) fn complements(&self, s: f64) -> Vec<f64> {
        let n = self.exit.len();
        let width = n + 2;
        let mut rows = vec![0.0; n * width];
        for (i, row) in rows.chunks_exact_mut(width).enumerate() {
            row[..n].copy_from_slice(&self.rates[i * n..(i + 1) * n]);
            row[n] = s;
            row[n + 1] = self.exit[i] + s;
        }
        // With s > 0 no row sum is 0, and the elimination cannot fail.
        match triplet::solve(&mut rows, n, width, &mut vec![0.0; n]) {
            Ok(()) => rows.chunks_exact(width).map(|row| row[n]).collect(),
            Err(_) => vec![1.0; n],
        }
    }

    fn chain(&self) -> Chain<'_> {
        Chain { rates: &self.rates, exit: &self.exit, total: &self.total, acyclic: self.acyclic }
    }
}

impl JobSize for PhaseType {
    fn support(&self) -> (f64, f64) {
        (0.0, f64::INFINITY)
    }

    // α exp(Tx) 1
    fn sf(&self, x: f64) -> f64 {
        if x < 0.0 || self.chain().is_forever(x) {
            return if x < 0.0 { 1.0 } else { 0.0 };
        }
        self.chain().after(&self.alpha, x, 0).phases.iter().sum::<f64>().min(1.0)
    }

    // P(X = 0) + ∫₀ˣ α exp(Tu) t du
    fn cdf(&self, x: f64) -> f64 {
        if x < 0.0 {
            return 0.0;
        }
        if self.chain().is_forever(x) {
            return 1.0;
        }
        (self.mass_at_zero() + self.chain().after(&self.alpha, x, 1).absorbed[0]).min(1.0)
    }

    // α exp(Tx) t
    fn density(&self, x: f64) -> f64 {
        if x < 0.0 || self.chain().is_forever(x) {
            0.0
        } else {
            dot(&self.chain().after(&self.alpha, x, 0).phases, &self.exit)
        }
    }

    fn atoms(&self) -> &[Atom] {
        &self.atoms
    }

    fn partial_moment(&self, r: f64, a: f64, b: f64) -> f64 {
        moments::partial(self, r, a, b)
    }

    // α (sI − T)⁻¹ t, by elimination in order: the rows are dominated by their diagonals
    fn transform(&self, s: Complex64) -> Complex64 {
        let n = self.exit.len();
        let width = n + 1;
        let mut rows = vec![Complex64::ZERO; n * width];
        for (i, row) in rows.chunks_exact_mut(width).enumerate() {
            row.iter_mut().zip(&self.rates[i * n..(i + 1) * n]).for_each(|(entry, rate)| *entry = (-*rate).into());
            row[i] = s + self.total[i];
            row[n] = self.exit[i].into();
        }
        for i in 0..n {
            let (above, below) = rows.split_at_mut(i * width);
            for k in 0..i {
                let factor = below[k] / above[k * width + k];
                if factor != Complex64::ZERO {
                    let source = &above[k * width + k + 1..(k + 1) * width];
                    below[k + 1..width].iter_mut().zip(source).for_each(|(x, y)| *x -= factor * y);
                }
            }
        }
        let mut solution = vec![Complex64::ZERO; n];
        for i in (0..n).rev() {
            let row = &rows[i * width..(i + 1) * width];
            let known: Complex64 = (i + 1..n).map(|j| row[j] * solution[j]).sum();
            solution[i] = (row[n] - known) / row[i];
        }
        self.alpha.iter().zip(&solution).map(|(p, value)| value * *p).sum::<Complex64>() + self.mass_at_zero()
    }

    fn phase_type(&self) -> Option<PhaseType> {
        Some(self.clone())
    }

    #[cfg(feature = "sim")]
    fn draw(&self, random: &mut crate::Random, out: &mut [f64]) {
        draw::fill(self, random, out);
    }

    fn accuracy(&self) -> Accuracy {
        Accuracy::Exact
    }
}
