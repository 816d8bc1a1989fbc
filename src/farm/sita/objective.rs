//! What a host costs: the term that it adds to the objective.

use super::Host;
use super::places::{Axis, Place, Profile};
use crate::error::{Error, Result};
use crate::size::{JobSize, cutoff::moments_between};
use crate::workload::{Discipline, Farm, Metric};

/// A cost that is summed over the hosts, up to factors and terms that do not depend on the cutoffs.
pub(super) enum Objective<'a, S> {
    /// E[X^r; host] E[X²; host]/(1−ρ): waiting (r = 0) and slowdown (r = −1) at FCFS hosts, over λ/2.
    Waiting(f64),
    /// E[X^r; host]/(1−ρ): response time (r = 1) and slowdown (r = 0) at PS hosts.
    Sharing(f64),
    /// The share of jobs times their mean, at hosts of other disciplines.
    Mean(Metric, Discipline),
    /// A user's own.
    User(&'a dyn Fn(&Host<'_, S>) -> f64),
}

impl<S: JobSize> Objective<'_, S> {
    pub(super) fn new(metric: Metric, discipline: Discipline) -> Result<Self> {
        // T and W, and both slowdowns, differ by what does not depend on the cutoffs.
        let of_time = match metric {
            Metric::MeanWaitingTime | Metric::MeanResponseTime => true,
            Metric::MeanSlowdown | Metric::MeanWaitingSlowdown => false,
            _ => return Err(Error::Unavailable { metric: metric.name(), model: "sita::optimal".to_owned() }),
        };
        Ok(match discipline {
            Discipline::Fcfs | Discipline::Lcfs | Discipline::Siro => Self::Waiting(if of_time { 0.0 } else { -1.0 }),
            Discipline::Ps | Discipline::PreemptiveLcfs => Self::Sharing(if of_time { 1.0 } else { 0.0 }),
            other => Self::Mean(if of_time { Metric::MeanWaitingTime } else { Metric::MeanWaitingSlowdown }, other),
        })
    }

    /// The orders of the two moments that standard costs are made of.
    pub(super) fn orders(&self) -> Option<[f64; 2]> {
        match *self {
            Self::Waiting(r) => Some([r, 2.0]),
            Self::Sharing(r) => Some([r, 0.0]),
            Self::User(_) | Self::Mean(..) => None,
        }
    }

    /// The cost of the host between two places, from the law's moments between them.
    pub(super) fn cost(&self, farm: &Farm<S>, lower: &Place, upper: &Place) -> f64 {
        self.cost_by(farm, lower, upper, || {
            let mut moments = [0.0; 2];
            let orders = self.orders().unwrap_or_default();
            moments_between(farm.jobs().size(), &orders, lower.cutoff, upper.cutoff, &mut moments);
            moments
        })
    }

    /// The cost of all hosts with cutoffs at these places.
    pub(super) fn total(&self, axis: &Axis<'_, S>, places: &[Place]) -> f64 {
        let (highest, mut lower, mut sum) = (axis.highest(), &Place::LOWEST, 0.0);
        for upper in places.iter().chain([&highest]) {
            sum += self.cost(axis.farm, lower, upper);
            lower = upper;
        }
        sum
    }

    /// The same from moments kept at both places: quicker, and good enough to find the right valley.
    pub(super) fn rough_cost(&self, farm: &Farm<S>, lower: &Profile, upper: &Profile) -> f64 {
        self.cost_by(farm, &lower.place, &upper.place, || [lower.moment_up_to(upper, 0), lower.moment_up_to(upper, 1)])
    }

    #[inline]
    fn cost_by(&self, farm: &Farm<S>, lower: &Place, upper: &Place, moments: impl FnOnce() -> [f64; 2]) -> f64 {
        let load = upper.work - lower.work;
        let spare = 1.0 - load;
        if !(spare > 0.0) || load < 0.0 {
            return f64::INFINITY;
        }
        let cost = match *self {
            Self::User(cost) => cost(&Host { farm, lower: lower.cutoff, upper: upper.cutoff, load, spare }),
            Self::Mean(metric, discipline) => {
                mean(&Host { farm, lower: lower.cutoff, upper: upper.cutoff, load, spare }, metric, discipline)
            }
            Self::Waiting(_) => moments().iter().product::<f64>() / spare,
            Self::Sharing(_) => moments()[0] / spare,
        };
        if cost.is_nan() { f64::INFINITY } else { cost }
    }
}

/// The share of jobs times their mean; nothing where there are none.
fn mean<S: JobSize>(host: &Host<'_, S>, metric: Metric, discipline: Discipline) -> f64 {
    let fraction = host.fraction();
    if fraction <= 0.0 {
        return 0.0;
    }
    let queue = host.performance(discipline);
    fraction * queue.and_then(|queue| queue.estimate(metric)).map_or(f64::INFINITY, |estimate| estimate.value)
}
