//! The nouns that all models share: what comes in, on what it runs, and what comes out.

mod farm;
mod metric;
mod outcome;
mod performance;
#[cfg(feature = "serde")]
mod serial;

pub(crate) use farm::MOST_HOSTS;
pub use farm::{Farm, Hosts};
pub use metric::{Discipline, Estimate, Metric};
pub use outcome::{ByClass, Outcome};
pub use performance::Performance;

use crate::error::{Error, Result, SIZES, SIZES_REQUIREMENT, positive, require};
use crate::size::{JobSize, Law};

/// A Poisson stream of jobs: arrival rate λ and job-size law.
///
/// The load is ρ = λE\[X\], the work that arrives per unit of time, in units of one host of speed one. Any positive load is a
/// workload (the shorts of a farm may exceed one); whether a queue is stable is asked where one is evaluated.
///
/// ```
/// use queueing::prelude::*;
/// let jobs = Workload::new(0.25, Exponential::with_mean(2.0)?)?;
/// assert_eq!((jobs.load(), jobs.spare()), (0.5, 0.5));
/// # Ok::<(), queueing::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "serial::Stream<S>", bound(deserialize = "S: JobSize + serde::Deserialize<'de>"))
)]
pub struct Workload<S = Law> {
    rate: f64,
    size: S,
    #[cfg_attr(feature = "serde", serde(skip))]
    mean: f64,
    #[cfg_attr(feature = "serde", serde(with = "serial::extended"))]
    load: f64,
    /// 1 − load, kept apart so that it can be given exactly
    #[cfg_attr(feature = "serde", serde(with = "serial::extended"))]
    spare: f64,
}

impl<S: JobSize> Workload<S> {
    /// By the arrival rate λ (jobs per unit of time).
    ///
    /// # Errors
    /// [`Error::Argument`] unless the rate is positive and finite, and the mean size infinite or between 1e-70 and 1e70; and what
    /// [`JobSize::validate`] finds.
    pub fn new(rate: f64, size: S) -> Result<Self> {
        positive("rate", rate)?;
        size.validate()?;
        let mean = size.mean();
        require(mean.is_infinite() || SIZES.contains(&mean), "mean size", mean, SIZES_REQUIREMENT)?;
        let load = rate * mean;
        require(load > 0.0, "load", load, "must not underflow: choose another unit")?;
        Ok(Self { rate, size, mean, load, spare: 1.0 - load })
    }

    /// By the load ρ = λE\[X\].
    ///
    /// # Errors
    /// [`Error::Argument`] unless the load is positive and finite and the mean size between 1e-70 and 1e70; and what
    /// [`JobSize::validate`] finds.
    pub fn with_load(size: S, load: f64) -> Result<Self> {
        positive("load", load)?;
        Self::assemble(size, load, 1.0 - load)
    }

    /// By the spare capacity 1 − ρ, for loads so close to one that ρ itself would lose its digits.
    ///
    /// # Errors
    /// [`Error::Argument`] unless 0 < 1 − ρ < 1 and the mean size is finite.
    ///
    /// ```
    /// use queueing::prelude::*;
    /// let jobs = Workload::with_spare(Exponential::with_mean(1.0)?, 1e-12)?;
    /// assert_eq!(mg1::fcfs(&jobs)?.mean_waiting_time()?, (1.0 - 1e-12) / 1e-12);   // ρ/(μ−λ)
    /// # Ok::<(), queueing::Error>(())
    /// ```
    pub fn with_spare(size: S, spare: f64) -> Result<Self> {
        require(spare > 0.0 && spare < 1.0, "spare", spare, "must be between 0 and 1")?;
        Self::assemble(size, 1.0 - spare, spare)
    }

    /// A part of a valid workload, whose load is known better than rate and mean size tell.
    pub(crate) fn known(rate: f64, size: S, load: f64, spare: f64) -> Self {
        let mean = size.mean();
        Self { rate, size, mean, load, spare }
    }

    fn assemble(size: S, load: f64, spare: f64) -> Result<Self> {
        size.validate()?;
        let mean = size.mean();
        require(mean.is_finite(), "mean size", mean, "must be finite for a load to be chosen")?;
        require(SIZES.contains(&mean), "mean size", mean, SIZES_REQUIREMENT)?;
        let rate = load / mean;
        require(rate.is_finite() && rate > 0.0, "rate", rate, "must be positive and finite")?;
        Ok(Self { rate, size, mean, load, spare })
    }

    /// The arrival rate λ, in jobs per unit of time.
    pub fn rate(&self) -> f64 {
        self.rate
    }

    /// The job-size law.
    pub fn size(&self) -> &S {
        &self.size
    }

    /// E\[X\], in units of work.
    pub fn mean_size(&self) -> f64 {
        self.mean
    }

    /// The load ρ = λE\[X\].
    pub fn load(&self) -> f64 {
        self.load
    }

    /// 1 − ρ, negative under overload.
    pub fn spare(&self) -> f64 {
        self.spare
    }

    /// The load and 1 − load of one server that takes this stream, if that has a steady state.
    pub(crate) fn stable(&self) -> Result<()> {
        if self.spare > 0.0 { Ok(()) } else { Err(Error::Unstable { load: self.load, limit: 1.0 }) }
    }
}
