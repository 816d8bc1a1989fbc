//! A stream of jobs and the hosts that serve it.

use super::Workload;
use crate::error::{Result, require};
use crate::size::{JobSize, Law};

/// The most hosts a farm may have.
pub(crate) const MOST_HOSTS: usize = 1_000_000;

/// The hosts of a farm: n of them, each of speed one.
///
/// ```
/// use queueing::Hosts;
/// assert_eq!(Hosts::identical(8)?.count(), 8);
/// assert!(Hosts::identical(0).is_err());
/// # Ok::<(), queueing::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "usize", into = "usize"))]
pub struct Hosts {
    count: usize,
}

impl Hosts {
    /// `count` hosts of speed one.
    ///
    /// # Errors
    /// [`Error::Argument`](crate::Error::Argument) unless there are between one host and a million.
    pub fn identical(count: usize) -> Result<Self> {
        require((1..=MOST_HOSTS).contains(&count), "hosts", count as f64, "must be between 1 and 1000000")?;
        Ok(Self { count })
    }

    /// How many.
    pub fn count(self) -> usize {
        self.count
    }
}

impl TryFrom<usize> for Hosts {
    type Error = crate::Error;

    fn try_from(count: usize) -> Result<Self> {
        Self::identical(count)
    }
}

impl From<Hosts> for usize {
    fn from(hosts: Hosts) -> Self {
        hosts.count
    }
}

/// A server farm: a Poisson stream of jobs and the hosts that share it.
///
/// The load is per host: arrival rate times mean size over the number of hosts.
///
/// ```
/// use queueing::prelude::*;
/// let farm = Farm::with_load(Exponential::with_mean(10.0)?, Hosts::identical(8)?, 0.75)?;
/// assert!((farm.jobs().rate() - 0.6).abs() < 1e-15);               // ρh/E[X]
/// assert_eq!(farm.one_host().load(), 0.75);
/// # Ok::<(), queueing::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "super::serial::Parts<S>", bound(deserialize = "S: JobSize + serde::Deserialize<'de>"))
)]
pub struct Farm<S = Law> {
    pub(super) jobs: Workload<S>,
    pub(super) hosts: Hosts,
    #[cfg_attr(feature = "serde", serde(with = "super::serial::extended"))]
    pub(super) load: f64,
    #[cfg_attr(feature = "serde", serde(with = "super::serial::extended"))]
    pub(super) spare: f64,
}

impl<S: JobSize> Farm<S> {
    /// By the whole stream of jobs.
    pub fn new(jobs: Workload<S>, hosts: Hosts) -> Self {
        let load = jobs.load / hosts.count as f64;
        let spare = if hosts.count == 1 { jobs.spare } else { 1.0 - load };
        Self { jobs, hosts, load, spare }
    }

    /// By the load per host.
    ///
    /// # Errors
    /// [`Error::Argument`](crate::Error::Argument) unless the load is positive and finite and the mean size finite.
    pub fn with_load(size: S, hosts: Hosts, load: f64) -> Result<Self> {
        require(load > 0.0 && load <= 1e300, "load", load, "must be positive and at most 1e300")?;
        let jobs = Workload::with_load(size, load * hosts.count as f64)?;
        Ok(Self { jobs, hosts, load, spare: 1.0 - load })
    }

    /// By the spare capacity per host, 1 − load, for loads so close to one that the load itself would lose its digits.
    ///
    /// # Errors
    /// [`Error::Argument`](crate::Error::Argument) unless 0 < spare < 1 and the mean size is finite.
    pub fn with_spare(size: S, hosts: Hosts, spare: f64) -> Result<Self> {
        require(spare > 0.0 && spare < 1.0, "spare", spare, "must be between 0 and 1")?;
        let farm = Self::with_load(size, hosts, 1.0 - spare)?;
        Ok(Self { spare, ..farm })
    }

    /// The same farm with sizes of another law of the same mean.
    pub(crate) fn with_sizes<L: JobSize>(&self, size: L) -> Farm<L> {
        let Workload { rate, load, spare, .. } = self.jobs;
        Farm { jobs: Workload::known(rate, size, load, spare), hosts: self.hosts, load: self.load, spare: self.spare }
    }

    /// The whole stream of jobs.
    pub fn jobs(&self) -> &Workload<S> {
        &self.jobs
    }

    /// The hosts.
    pub fn hosts(&self) -> Hosts {
        self.hosts
    }

    /// The load per host.
    pub fn load(&self) -> f64 {
        self.load
    }

    /// 1 − load per host, negative under overload.
    pub fn spare(&self) -> f64 {
        self.spare
    }

    /// The stream that one host sees when jobs are spread at random.
    pub fn one_host(&self) -> Workload<&S> {
        let Workload { rate, size, mean, .. } = &self.jobs;
        Workload { rate: rate / self.hosts.count as f64, size, mean: *mean, load: self.load, spare: self.spare }
    }
}
