//! One host of a size-interval policy, before its queue is evaluated.

use crate::error::{Error, Result};
use crate::mg1;
use crate::size::{Cutoff, Interval, JobSize, Law, moment_between};
use crate::workload::{Discipline, Farm, Performance, Workload};

/// One host of a farm and the sizes it serves: what a cost function of your own is given by
/// [`optimal_by`](super::optimal_by).
#[derive(Debug, Clone, Copy)]
pub struct Host<'a, S = Law> {
    pub(super) farm: &'a Farm<S>,
    pub(super) lower: Cutoff,
    pub(super) upper: Cutoff,
    pub(super) load: f64,
    pub(super) spare: f64,
}

impl<'a, S: JobSize> Host<'a, S> {
    /// E\[X^r; X is served here\]: not divided by the share of jobs.
    pub fn moment(&self, r: f64) -> f64 {
        moment_between(self.farm.jobs().size(), r, self.lower, self.upper)
    }

    /// The share of all jobs that come here.
    pub fn fraction(&self) -> f64 {
        self.moment(0.0)
    }

    /// The arrival rate here.
    pub fn rate(&self) -> f64 {
        self.farm.jobs().rate() * self.fraction()
    }

    /// The load of this host, λE\[X; X is served here\].
    pub fn load(&self) -> f64 {
        self.load
    }

    /// 1 − load, without cancellation.
    pub fn spare(&self) -> f64 {
        self.spare
    }

    /// The cutoffs between which the sizes served here lie.
    pub fn cutoffs(&self) -> (Cutoff, Cutoff) {
        (self.lower, self.upper)
    }

    /// The law of the sizes served here.
    ///
    /// # Errors
    /// [`Error::Argument`] if no job comes here.
    pub fn sizes(&self) -> Result<Interval<&'a S>> {
        Interval::between(self.farm.jobs().size(), self.lower, self.upper)
    }

    /// The queue at this host.
    ///
    /// # Errors
    /// [`Error::Argument`] if no job comes here, [`Error::Unstable`] at load one or more.
    pub fn performance(&self, discipline: Discipline) -> Result<Performance> {
        if !(self.spare > 0.0) {
            return Err(Error::Unstable { load: self.load, limit: 1.0 });
        }
        mg1::performance(&Workload::known(self.rate(), self.sizes()?, self.load, self.spare), discipline)
    }
}
