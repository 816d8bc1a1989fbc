//! A mean that somebody measured.

use super::series;
use crate::accuracy::Accuracy;
use crate::error::{Error, Result, require};
use crate::sim::{Spread, inflation, spread, standard_error};
use crate::workload::Estimate;

/// A mean, its standard error, and what is known of where they come from.
///
/// ```
/// use queueing::crosscheck::Observed;
/// let seen = Observed::from_batches(&[1.0, 3.0, 2.0, 2.0])?;
/// assert_eq!(seen.mean(), 2.0);
/// assert!((seen.standard_error() - (2.0_f64 / 12.0).sqrt()).abs() < 1e-15);        // s²/n, s² = 2/3
/// # Ok::<(), queueing::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Observed {
    mean: f64,
    standard_error: f64,
    freedom: f64,
    jobs: Option<u64>,
    batch: Option<usize>,
    autocorrelation: Option<f64>,
}

impl Observed {
    /// A mean with its standard error, as of very many independent parts.
    ///
    /// # Errors
    /// [`Error::Argument`] unless the mean is finite and the standard error positive and finite.
    pub fn new(mean: f64, standard_error: f64) -> Result<Self> {
        require(mean.is_finite(), "mean", mean, "must be finite")?;
        let requirement = "must be positive and finite";
        require(standard_error > 0.0 && standard_error.is_finite(), "standard error", standard_error, requirement)?;
        Ok(Self { mean, standard_error, freedom: f64::INFINITY, jobs: None, batch: None, autocorrelation: None })
    }

    /// A mean with the half-width of its interval of the given confidence.
    ///
    /// # Errors
    /// As [`new`](Self::new), and [`Error::Argument`] unless 0 < confidence < 1.
    pub fn with_half_width(mean: f64, half_width: f64, confidence: f64) -> Result<Self> {
        require(confidence > 0.0 && confidence < 1.0, "confidence", confidence, "must be between 0 and 1")?;
        Self::new(mean, half_width / crate::numeric::normal::upper_quantile(0.5 * (1.0 - confidence)))
    }

    /// From the means of batches of consecutive jobs, or of independent runs. Where neighbours correlate beyond chance the error grows as
    /// for an autoregressive series.
    ///
    /// # Errors
    /// [`Error::Argument`] for fewer than two batches or if all are equal, [`Error::Datum`] for one that is not finite.
    pub fn from_batches(means: &[f64]) -> Result<Self> {
        let count = means.len() as f64;
        require(means.len() >= 2, "batches", count, "must be at least two")?;
        check(means, "batch")?;
        let Spread { square, product } = spread(means);
        let mean = means.iter().sum::<f64>() / count;
        require(square > 0.0, "spread of the batches", square, "must be positive: equal batches tell no error")?;
        let correlation = product / square;
        let error = standard_error(means) * inflation(correlation, count).sqrt();
        let autocorrelation = Some(correlation);
        Ok(Self { freedom: count - 1.0, autocorrelation, ..Self::new(mean, error)? })
    }

    /// From a value of each job in the order of arrival or departure: waiting times, response times, slowdowns. Batches are made so long
    /// that their means no longer correlate, if the series is long enough.
    ///
    /// # Errors
    /// [`Error::Argument`] for fewer than 32 jobs or if all are equal, [`Error::Datum`] for a value that is not finite.
    pub fn from_series(values: &[f64]) -> Result<Self> {
        let least = series::LEAST_JOBS;
        require(values.len() >= least, "jobs", values.len() as f64, format!("must be at least {least}"))?;
        check(values, "value")?;
        let batches = series::batch_means(values);
        let seen = Self::from_batches(&batches.means)?;
        let Spread { square, product } = spread(values);
        let autocorrelation = Some(if square > 0.0 { product / square } else { 0.0 });
        // All jobs tell the mean, also those behind the last whole batch.
        let mean = values.iter().copied().collect::<crate::numeric::sum::Sum>().value() / values.len() as f64;
        Ok(Self { mean, jobs: Some(values.len() as u64), batch: Some(batches.length), autocorrelation, ..seen })
    }

    /// The share of the jobs of a series whose value exceeds `threshold`: to be compared with 1 − p where the threshold is the
    /// p-quantile of the model.
    ///
    /// # Errors
    /// As [`from_series`](Self::from_series).
    pub fn share_beyond(values: &[f64], threshold: f64) -> Result<Self> {
        check(values, "value")?;
        let beyond: Vec<f64> = values.iter().map(|value| f64::from(u8::from(*value > threshold))).collect();
        Self::from_series(&beyond)
    }

    /// A simulated estimate.
    ///
    /// # Errors
    /// [`Error::Argument`] for one that is not simulated, or whose error is not known.
    pub fn from_estimate(estimate: Estimate) -> Result<Self> {
        let Accuracy::Simulated { standard_error, jobs } = estimate.accuracy else {
            return Err(Error::Argument {
                name: "estimate",
                value: estimate.value,
                requirement: "must be simulated".into(),
            });
        };
        Ok(Self { jobs: Some(jobs), ..Self::new(estimate.value, standard_error)? })
    }

    /// Says how many jobs the mean is of: a tail that they are unlikely to hold makes a comparison inconclusive.
    #[must_use]
    pub fn with_jobs(mut self, jobs: u64) -> Self {
        self.jobs = Some(jobs);
        self
    }

    /// Says how many independent parts less one the standard error is estimated from.
    ///
    /// # Errors
    /// [`Error::Argument`] unless it is at least 1.
    pub fn with_degrees_of_freedom(mut self, freedom: f64) -> Result<Self> {
        require(freedom >= 1.0, "degrees of freedom", freedom, "must be at least 1")?;
        self.freedom = freedom;
        Ok(self)
    }

    /// The mean.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// Its standard error.
    pub fn standard_error(&self) -> f64 {
        self.standard_error
    }

    /// Degrees of freedom of the standard error; infinite where it is taken as known.
    pub fn degrees_of_freedom(&self) -> f64 {
        self.freedom
    }

    /// Jobs that the mean is of, where that is known.
    pub fn jobs(&self) -> Option<u64> {
        self.jobs
    }

    /// Jobs in a batch, for a series.
    pub fn batch_length(&self) -> Option<usize> {
        self.batch
    }

    /// Correlation of neighbours: of jobs for a series, of batches for batch means.
    pub fn autocorrelation(&self) -> Option<f64> {
        self.autocorrelation
    }
}

fn check(values: &[f64], what: &'static str) -> Result<()> {
    match values.iter().position(|value| !value.is_finite()) {
        Some(i) => Err(Error::Datum { what, index: i + 1, value: values[i], requirement: "must be finite" }),
        None => Ok(()),
    }
}
