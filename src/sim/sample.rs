//! What a simulation says of a stream of jobs.

use super::histogram::Histogram;
use super::tally::{RESPONSE_2, SIZE, SLOWDOWN, SLOWDOWN_2, SUMS, Sums, Tally, WAIT, WAIT_2, WAIT_3, WAITED};
use crate::accuracy::Accuracy;
use crate::error::{Error, Result, require};
use crate::numeric::student;
use crate::workload::{Estimate, Metric, Performance};

/// The jobs of a simulation that belong together: all, a class, or a range of sizes.
#[derive(Debug, Clone)]
pub struct Sample {
    pub(super) model: String,
    /// one of each replication
    pub(super) tallies: Vec<Tally>,
    /// arrivals per unit of time
    pub(super) rate: f64,
    /// hosts and tasks a job, for the utilisation; nothing where hosts do other work than the jobs' sizes
    pub(super) capacity: Option<f64>,
    /// whether waiting is a time before service, and not one of interruptions
    pub(super) waits_first: bool,
    /// metrics that are infinite because a moment of the sizes is
    pub(super) infinite: Vec<Metric>,
}

/// How the error of a mean is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// From the means of consecutive jobs, 32 to 64 batches in each replication. Where neighbouring batches are correlated beyond
    /// chance, as for an autoregressive series.
    Batches,
    /// From the means of the replications.
    Replications,
}

impl Sample {
    /// Jobs counted.
    pub fn jobs(&self) -> u64 {
        self.tallies.iter().map(Tally::jobs).sum()
    }

    /// All metrics, each with its standard error by batch means.
    pub fn performance(&self) -> Performance {
        let mut performance = Performance::new(self.model.clone());
        for metric in Metric::ALL {
            if let Ok(Estimate { value, accuracy }) = self.estimate(metric) {
                performance.set(metric, value, accuracy);
            }
        }
        performance
    }

    /// A metric with its standard error by batch means; by replications where batches are too few.
    ///
    /// One that is known to be infinite, because a moment of the sizes is, is infinite whatever was seen.
    ///
    /// # Errors
    /// [`Error::Unavailable`] for a metric that is not measured, or without jobs.
    pub fn estimate(&self, metric: Metric) -> Result<Estimate> {
        let value = self.value(metric)?;
        if self.infinite.contains(&metric) {
            return Ok(Estimate { value: f64::INFINITY, accuracy: Accuracy::Exact });
        }
        let (standard_error, _) = self.error(metric, Method::Batches)?;
        Ok(Estimate { value, accuracy: Accuracy::Simulated { standard_error, jobs: self.jobs() } })
    }

    /// Half the width of the interval that holds the true value with the given confidence; infinite where too few batches or
    /// replications tell.
    ///
    /// # Errors
    /// [`Error::Argument`] unless 0 < confidence < 1; [`Error::Unavailable`] as [`estimate`](Self::estimate).
    pub fn half_width(&self, metric: Metric, confidence: f64, method: Method) -> Result<f64> {
        require(confidence > 0.0 && confidence < 1.0, "confidence", confidence, "must be between 0 and 1")?;
        let (error, freedom) = self.error(metric, method)?;
        if freedom == 0.0 || self.infinite.contains(&metric) {
            return Ok(f64::INFINITY);
        }
        Ok(error * student::upper_quantile(0.5 * (1.0 - confidence), freedom))
    }

    /// The response time that a share p of the jobs does not exceed, good to 0.4 %, with its standard error by replications (infinite
    /// for a single one).
    ///
    /// # Errors
    /// [`Error::Argument`] unless 0 <= p <= 1; [`Error::Unavailable`] without jobs.
    pub fn response_time_quantile(&self, p: f64) -> Result<Estimate> {
        require((0.0..=1.0).contains(&p), "p", p, "must be between 0 and 1")?;
        let value = self.histogram().quantile(p).ok_or_else(|| self.unavailable("percentile of the response time"))?;
        let each: Vec<f64> = self.tallies.iter().filter_map(|tally| tally.histogram()?.quantile(p)).collect();
        let standard_error = if each.len() > 1 { standard_error(&each) } else { f64::INFINITY };
        Ok(Estimate { value, accuracy: Accuracy::Simulated { standard_error, jobs: self.jobs() } })
    }

    /// The response times of all jobs by size.
    pub fn histogram(&self) -> Histogram {
        let mut all = Histogram::default();
        self.tallies.iter().filter_map(Tally::histogram).for_each(|part| all.merge(part));
        all
    }

    /// The means of consecutive jobs, batch after batch and replication after replication: what
    /// [`Observed::from_batches`](crate::crosscheck::Observed::from_batches) takes.
    ///
    /// # Errors
    /// [`Error::Unavailable`] as [`estimate`](Self::estimate).
    pub fn batch_means(&self, metric: Metric) -> Result<Vec<f64>> {
        let map = self.map(metric)?;
        Ok(self.tallies.iter().flat_map(Tally::batches).map(|batch| map.of(batch)).collect())
    }

    /// The mean size of the jobs.
    pub fn mean_size(&self) -> f64 {
        self.means()[SIZE]
    }

    fn means(&self) -> Sums {
        let jobs = self.jobs().max(1) as f64;
        let mut means = [0.0; SUMS];
        for tally in &self.tallies {
            let weight = tally.jobs() as f64 / jobs;
            means.iter_mut().zip(tally.means()).for_each(|(mean, part)| *mean += weight * part);
        }
        means
    }

    fn unavailable(&self, metric: &'static str) -> Error {
        Error::Unavailable { metric, model: self.model.clone() }
    }

    fn value(&self, metric: Metric) -> Result<f64> {
        let means = self.means();
        Ok(match metric {
            Metric::VarianceSlowdown if means[SLOWDOWN_2].is_infinite() => f64::INFINITY,
            Metric::VarianceSlowdown => (means[SLOWDOWN_2] - means[SLOWDOWN].powi(2)).max(0.0),
            _ => self.map(metric)?.of(&means),
        })
    }

    /// The metric as a linear function of the means; the variance near these means.
    fn map(&self, metric: Metric) -> Result<Linear> {
        if self.jobs() == 0 {
            return Err(self.unavailable(metric.name()));
        }
        let terms = match metric {
            Metric::MeanWaitingTime => vec![(WAIT, 1.0)],
            Metric::SecondMomentWaitingTime => vec![(WAIT_2, 1.0)],
            Metric::ThirdMomentWaitingTime => vec![(WAIT_3, 1.0)],
            Metric::MeanResponseTime => vec![(WAIT, 1.0), (SIZE, 1.0)],
            Metric::SecondMomentResponseTime => vec![(RESPONSE_2, 1.0)],
            Metric::MeanSlowdown => return Ok(Linear { terms: vec![(SLOWDOWN, 1.0)], constant: 1.0 }),
            Metric::MeanWaitingSlowdown => vec![(SLOWDOWN, 1.0)],
            // E[S²] − E[S]² near the mean m: E[S²] − 2mE[S] + m²
            Metric::VarianceSlowdown => {
                let mean = self.means()[SLOWDOWN];
                return Ok(Linear { terms: vec![(SLOWDOWN_2, 1.0), (SLOWDOWN, -2.0 * mean)], constant: mean * mean });
            }
            // Little: E[N] = λE[T]
            Metric::MeanNumberInSystem if self.rate.is_finite() => vec![(WAIT, self.rate), (SIZE, self.rate)],
            Metric::ProbabilityOfWaiting if self.waits_first => vec![(WAITED, 1.0)],
            Metric::Utilisation if self.rate.is_finite() => match self.capacity {
                Some(hosts) => vec![(SIZE, self.rate / hosts)],
                None => return Err(self.unavailable(metric.name())),
            },
            _ => return Err(self.unavailable(metric.name())),
        };
        Ok(Linear { terms, constant: 0.0 })
    }

    /// Standard error and degrees of freedom; infinite and 0 where nothing tells.
    fn error(&self, metric: Metric, method: Method) -> Result<(f64, f64)> {
        let map = self.map(metric)?;
        let few = self.tallies.iter().any(|tally| tally.batches().len() < 2);
        if method == Method::Replications || few {
            let each: Vec<f64> =
                self.tallies.iter().filter(|tally| tally.jobs() > 0).map(|tally| map.of(&tally.means())).collect();
            return Ok(if each.len() > 1 {
                (standard_error(&each), each.len() as f64 - 1.0)
            } else {
                (f64::INFINITY, 0.0)
            });
        }
        let jobs = self.jobs() as f64;
        let (mut variance, mut freedom, mut lagged, mut squares) = (0.0, 0.0, 0.0, 0.0);
        for tally in &self.tallies {
            let values: Vec<f64> = tally.batches().iter().map(|batch| map.of(batch)).collect();
            let Spread { square, product } = spread(&values);
            let (count, weight) = (values.len() as f64, tally.jobs() as f64 / jobs);
            variance += weight * weight * square / (count * (count - 1.0));
            freedom += count - 1.0;
            (lagged, squares) = (lagged + product, squares + square);
        }
        let correlation = if squares > 0.0 && squares.is_finite() { lagged / squares } else { 0.0 };
        Ok(((variance * inflation(correlation, freedom)).sqrt(), freedom))
    }
}

/// A metric as a linear function of the means.
struct Linear {
    terms: Vec<(usize, f64)>,
    constant: f64,
}

impl Linear {
    fn of(&self, sums: &Sums) -> f64 {
        self.constant + self.terms.iter().map(|(index, factor)| factor * sums[*index]).sum::<f64>()
    }
}

/// Σ(x−m)² and Σ(xᵢ−m)(xᵢ₊₁−m).
pub(crate) struct Spread {
    pub square: f64,
    pub product: f64,
}

pub(crate) fn spread(values: &[f64]) -> Spread {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    if !mean.is_finite() {
        return Spread { square: f64::INFINITY, product: 0.0 };
    }
    let square = values.iter().map(|value| (value - mean).powi(2)).sum();
    let product = values.windows(2).map(|pair| (pair[0] - mean) * (pair[1] - mean)).sum();
    Spread { square, product }
}

/// By how much the variance of a mean exceeds that of independent terms, if neighbours correlate beyond chance: (1+r)/(1−r), as
/// for an autoregressive series.
pub(crate) fn inflation(correlation: f64, terms: f64) -> f64 {
    const MOST: f64 = 0.95;
    if correlation > 2.0 / terms.sqrt() { (1.0 + correlation.min(MOST)) / (1.0 - correlation.min(MOST)) } else { 1.0 }
}

/// Of the mean of independent values.
pub(crate) fn standard_error(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    (spread(values).square / (count * (count - 1.0))).sqrt()
}
