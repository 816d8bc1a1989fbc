//! What follows from the waiting time alone where it does not depend on the job's own size.

use crate::accuracy::Accuracy;
use crate::numeric::power::product;
use crate::size::JobSize;
use crate::workload::{Farm, Metric, Performance, Workload};
use std::borrow::Cow;

/// E[W], and where a model gives them E[W²] and P(W > 0).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Waiting {
    pub mean: f64,
    pub second: Option<f64>,
    pub probability: Option<f64>,
}

impl Waiting {
    /// All that first come, first served makes of it: W is independent of the job's own size.
    pub(crate) fn performance<S: JobSize>(
        self,
        farm: &Farm<S>,
        model: &'static str,
        accuracy: Accuracy,
    ) -> Performance {
        self.of_class(farm.jobs(), model, accuracy).with(Metric::Utilisation, farm.load(), Accuracy::Exact)
    }

    /// The same for one of several classes, whose share of the hosts' time is not its own.
    pub(crate) fn of_class<S: JobSize>(
        self,
        jobs: &Workload<S>,
        model: impl Into<Cow<'static, str>>,
        accuracy: Accuracy,
    ) -> Performance {
        let (lambda, m, size) = (jobs.rate(), jobs.mean_size(), jobs.size());
        // E[W/X] = E[W]E[1/X]
        let slowdown = product(size.moment(-1.0), self.mean);
        let mut result = Performance::new(model)
            .with(Metric::MeanWaitingTime, self.mean, accuracy)
            .with(Metric::MeanResponseTime, self.mean + m, accuracy)
            .with(Metric::MeanSlowdown, 1.0 + slowdown, accuracy)
            .with(Metric::MeanWaitingSlowdown, slowdown, accuracy)
            // Little: E[N] = λE[T]
            .with(Metric::MeanNumberInSystem, lambda * (self.mean + m), accuracy);
        if let Some(second) = self.second {
            // E[T²] = E[W²] + 2E[W]E[X] + E[X²], Var[W/X] = E[W²]E[X⁻²] − (E[W]E[1/X])²
            let square = product(size.moment(-2.0), second);
            let variance = if square.is_finite() { (square - slowdown * slowdown).max(0.0) } else { f64::INFINITY };
            result.set(Metric::SecondMomentWaitingTime, second, accuracy);
            result.set(Metric::SecondMomentResponseTime, second + 2.0 * self.mean * m + size.moment(2.0), accuracy);
            result.set(Metric::VarianceSlowdown, variance, accuracy);
        }
        if let Some(probability) = self.probability {
            result.set(Metric::ProbabilityOfWaiting, probability, accuracy);
        }
        result
    }
}
