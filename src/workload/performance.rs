//! What a model says of a queue.

use super::{Estimate, Metric};
use crate::accuracy::Accuracy;
use crate::error::{Error, Result};
use std::borrow::Cow;

/// The metrics of one queue, one class of jobs, or a whole farm, each with its accuracy.
///
/// A metric that the model does not give is [`Error::Unavailable`], never a filler; one whose mean is infinite is infinite.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Performance {
    model: Cow<'static, str>,
    #[cfg_attr(feature = "serde", serde(with = "super::serial::by_metric"))]
    estimates: [Option<Estimate>; Metric::ALL.len()],
}

impl Performance {
    /// A result of the named model, without metrics so far.
    pub fn new(model: impl Into<Cow<'static, str>>) -> Self {
        Self { model: model.into(), estimates: [None; Metric::ALL.len()] }
    }

    /// Adds or replaces a metric.
    #[must_use]
    pub fn with(mut self, metric: Metric, value: f64, accuracy: Accuracy) -> Self {
        self.set(metric, value, accuracy);
        self
    }

    pub(crate) fn set(&mut self, metric: Metric, value: f64, accuracy: Accuracy) {
        self.estimates[metric as usize] = Some(Estimate { value, accuracy });
    }

    /// The model that gave these numbers.
    pub fn model(&self) -> &str {
        &self.model
    }

    /// A metric with its accuracy.
    ///
    /// # Errors
    /// [`Error::Unavailable`] where the model does not give it.
    pub fn estimate(&self, metric: Metric) -> Result<Estimate> {
        self.estimates[metric as usize]
            .ok_or_else(|| Error::Unavailable { metric: metric.name(), model: self.model.clone().into_owned() })
    }

    /// The metrics that the model gives.
    pub fn metrics(&self) -> impl Iterator<Item = (Metric, Estimate)> + '_ {
        Metric::ALL.into_iter().filter_map(|metric| Some((metric, self.estimates[metric as usize]?)))
    }
}

/// A getter of each metric, for a type with `estimate`.
macro_rules! getters {
    ($type:ty: $($name:ident => $metric:ident, $doc:literal;)*) => {
        impl $type {
            $(
                #[doc = $doc]
                ///
                /// # Errors
                /// [`Error::Unavailable`](crate::Error::Unavailable) where the model does not give it, and for an
                /// [`Outcome`](crate::Outcome) without a steady state [`Error::Unstable`](crate::Error::Unstable).
                pub fn $name(&self) -> $crate::error::Result<f64> {
                    self.estimate($crate::workload::Metric::$metric).map(|estimate| estimate.value)
                }
            )*
        }
    };
    ($type:ty) => {
        getters! { $type:
            mean_waiting_time => MeanWaitingTime, "E\\[W\\], in units of time.";
            second_moment_waiting_time => SecondMomentWaitingTime, "E\\[W²\\].";
            third_moment_waiting_time => ThirdMomentWaitingTime, "E\\[W³\\].";
            mean_response_time => MeanResponseTime, "E\\[T\\], in units of time.";
            second_moment_response_time => SecondMomentResponseTime, "E\\[T²\\].";
            mean_slowdown => MeanSlowdown, "E\\[T/X\\], the response slowdown.";
            mean_waiting_slowdown => MeanWaitingSlowdown, "E\\[W/X\\], the waiting slowdown.";
            variance_slowdown => VarianceSlowdown, "Var\\[T/X\\] = Var\\[W/X\\].";
            mean_number_in_system => MeanNumberInSystem, "E\\[N\\].";
            second_moment_number_in_system => SecondMomentNumberInSystem, "E\\[N²\\].";
            probability_of_waiting => ProbabilityOfWaiting, "P(W > 0).";
            utilisation => Utilisation, "The share of time that a host is busy.";
            probability_of_blocking => ProbabilityOfBlocking, "The probability that an arriving job is turned away.";
        }
    };
}
pub(super) use getters;

getters!(Performance);
