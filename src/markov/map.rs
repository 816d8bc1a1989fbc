//! Markovian arrival processes.

use super::DMatrix;
use super::classes::stationary;
use super::row::rate_out;
use crate::error::{Result, positive, require};
use crate::size::{JobSize, PhaseType};

/// A Markovian arrival process: a chain of phases, some of whose transitions are arrivals.
///
/// D0 holds the rates without an arrival (negative diagonal), D1 those with one; D0 + D1 is a generator. Poisson streams, streams
/// that change their rate, and renewal streams with phase-type gaps are special cases.
///
/// ```
/// use queueing::markov::Map;
/// // Arrivals at rate 3 for times of mean 1, then none for times of mean 2.
/// let bursts = Map::modulated_poisson(&[3.0, 0.0], &[(0, 1, 1.0), (1, 0, 0.5)])?;
/// assert!((bursts.rate() - 1.0).abs() < 1e-15);
/// assert!(bursts.gap_scv()? > 1.0);
/// # Ok::<(), queueing::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Map {
    d0: DMatrix<f64>,
    d1: DMatrix<f64>,
    phases: Vec<f64>,
    rate: f64,
}

impl Map {
    /// By the rates without and with an arrival. Row sums of D0 + D1 must be zero within 1e-9 of the diagonal of D0.
    ///
    /// # Errors
    /// [`Error::Argument`](crate::Error::Argument) for no phases, wrong shapes, several closed classes of phases or no arrivals; [`Error::Datum`](crate::Error::Datum) naming the row
    /// for a negative rate or a row sum that is not zero.
    pub fn new(mut d0: DMatrix<f64>, d1: DMatrix<f64>) -> Result<Self> {
        let n = d0.nrows();
        require(n > 0, "phases", 0.0, "must be at least 1")?;
        require(d0.ncols() == n, "columns of D0", d0.ncols() as f64, "must be as many as rows")?;
        require(d1.shape() == (n, n), "order of D1", d1.nrows() as f64, "must be square, of the order of D0")?;
        for i in 0..n {
            let rates = (0..n).filter(|&j| j != i).map(|j| d0[(i, j)]).chain((0..n).map(|j| d1[(i, j)]));
            d0[(i, i)] = -rate_out("row of D0 and D1", i + 1, rates, d0[(i, i)])?;
        }
        let total = &d0 + &d1;
        let phases = stationary(total.nrows(), |i, j| total[(i, j)], "phase")?;
        let rate = (0..n).map(|i| phases[i] * d1.row(i).sum()).sum();
        require(rate > 0.0, "arrival rate", rate, "must be positive")?;
        Ok(Self { d0, d1, phases, rate })
    }

    /// A Poisson stream.
    ///
    /// # Errors
    /// [`Error::Argument`](crate::Error::Argument) unless the rate is positive and finite.
    pub fn poisson(rate: f64) -> Result<Self> {
        positive("rate", rate)?;
        Self::new(DMatrix::from_element(1, 1, -rate), DMatrix::from_element(1, 1, rate))
    }

    /// A Poisson stream whose rate is `rates[i]` in phase i, with (from, to, rate) of the changes of phase.
    ///
    /// # Errors
    /// As [`new`](Self::new), and [`Error::Argument`](crate::Error::Argument) for a phase that does not exist.
    pub fn modulated_poisson(rates: &[f64], changes: &[(usize, usize, f64)]) -> Result<Self> {
        let n = rates.len();
        let mut d0 = DMatrix::<f64>::zeros(n, n);
        for &(from, to, rate) in changes {
            require(from < n, "phase from", from as f64, "must be a phase, counted from 0")?;
            require(to < n, "phase to", to as f64, "must be a phase, counted from 0")?;
            if from != to {
                d0[(from, to)] += rate;
            }
        }
        for i in 0..n {
            d0[(i, i)] = -(d0.row(i).sum() - d0[(i, i)] + rates[i]);
        }
        Self::new(d0, DMatrix::from_diagonal(&rates.to_vec().into()))
    }

    /// A stream with independent phase-type gaps.
    ///
    /// # Errors
    /// As [`new`](Self::new), and [`Error::Argument`](crate::Error::Argument) for gaps that may be 0.
    ///
    /// ```
    /// use queueing::markov::Map;
    /// use queueing::size::PhaseType;
    /// let regular = Map::renewal(&PhaseType::erlang(4, 2.0)?)?;
    /// assert!((regular.rate() - 0.5).abs() < 1e-15 && (regular.gap_scv()? - 0.25).abs() < 1e-14);
    /// # Ok::<(), queueing::Error>(())
    /// ```
    pub fn renewal(gaps: &PhaseType) -> Result<Self> {
        let mass = gaps.mass_at_zero();
        require(mass == 0.0, "probability of gaps of 0", mass, "must be 0: batches are not modelled")?;
        let d1 = DMatrix::from_fn(gaps.phases(), gaps.phases(), |i, j| gaps.exit_rates()[i] * gaps.alpha()[j]);
        Self::new(gaps.sub_generator(), d1)
    }

    /// Rates without an arrival.
    pub fn d0(&self) -> &DMatrix<f64> {
        &self.d0
    }

    /// Rates with an arrival.
    pub fn d1(&self) -> &DMatrix<f64> {
        &self.d1
    }

    /// Probabilities of the phases in the long run.
    pub fn phases(&self) -> &[f64] {
        &self.phases
    }

    /// `λ = πD1·1`: arrivals per unit of time.
    pub fn rate(&self) -> f64 {
        self.rate
    }

    /// The law of the time between two arrivals: phase type with start law πD1/λ and rates D0.
    ///
    /// # Errors
    /// [`Error::Datum`](crate::Error::Datum) for phases from which no arrival follows.
    pub fn gap(&self) -> Result<PhaseType> {
        let n = self.phases.len();
        let alpha: Vec<f64> =
            (0..n).map(|j| (0..n).map(|i| self.phases[i] * self.d1[(i, j)]).sum::<f64>() / self.rate).collect();
        let exit: Vec<f64> = self.d1.row_iter().map(|row| row.sum()).collect();
        PhaseType::with_exits(&alpha, &self.d0, &exit)
    }

    /// Squared coefficient of variation of the time between two arrivals.
    ///
    /// # Errors
    /// As [`gap`](Self::gap).
    pub fn gap_scv(&self) -> Result<f64> {
        Ok(self.gap()?.scv())
    }
}
