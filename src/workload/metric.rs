//! What is measured, and in which order a host serves.

use crate::accuracy::Accuracy;

/// A quantity that a model may give.
///
/// X is the job size, W the waiting time, T = W + X the response time. Under preemptive disciplines and processor sharing W stands
/// for T − X.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Metric {
    /// E\[W\], in units of time.
    MeanWaitingTime,
    /// E\[W²\].
    SecondMomentWaitingTime,
    /// E\[W³\].
    ThirdMomentWaitingTime,
    /// E\[T\], in units of time.
    MeanResponseTime,
    /// E\[T²\].
    SecondMomentResponseTime,
    /// E\[T/X\], the response slowdown: 1 in an empty system.
    MeanSlowdown,
    /// E\[W/X\], the waiting slowdown of the early task-assignment papers: 0 in an empty system.
    MeanWaitingSlowdown,
    /// Var\[T/X\] = Var\[W/X\].
    VarianceSlowdown,
    /// E\[N\], jobs waiting or in service.
    MeanNumberInSystem,
    /// P(W > 0).
    ProbabilityOfWaiting,
    /// The share of time that a host is busy.
    Utilisation,
    /// The probability that an arriving job is turned away.
    ProbabilityOfBlocking,
}

impl Metric {
    /// All metrics.
    pub const ALL: [Self; 12] = [
        Self::MeanWaitingTime,
        Self::SecondMomentWaitingTime,
        Self::ThirdMomentWaitingTime,
        Self::MeanResponseTime,
        Self::SecondMomentResponseTime,
        Self::MeanSlowdown,
        Self::MeanWaitingSlowdown,
        Self::VarianceSlowdown,
        Self::MeanNumberInSystem,
        Self::ProbabilityOfWaiting,
        Self::Utilisation,
        Self::ProbabilityOfBlocking,
    ];

    /// Its name in a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Self::MeanWaitingTime => "mean waiting time",
            Self::SecondMomentWaitingTime => "second moment of the waiting time",
            Self::ThirdMomentWaitingTime => "third moment of the waiting time",
            Self::MeanResponseTime => "mean response time",
            Self::SecondMomentResponseTime => "second moment of the response time",
            Self::MeanSlowdown => "mean slowdown",
            Self::MeanWaitingSlowdown => "mean waiting slowdown",
            Self::VarianceSlowdown => "variance of the slowdown",
            Self::MeanNumberInSystem => "mean number in system",
            Self::ProbabilityOfWaiting => "probability of waiting",
            Self::Utilisation => "utilisation",
            Self::ProbabilityOfBlocking => "probability of blocking",
        }
    }
}

impl std::fmt::Display for Metric {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(self.name())
    }
}

/// A value and how good it is.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Estimate {
    /// The value; infinite where the mean is.
    #[cfg_attr(feature = "serde", serde(with = "super::serial::extended"))]
    pub value: f64,
    /// How good it is.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::serial::accuracy"))]
    pub accuracy: Accuracy,
}

/// The order in which a host serves its jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Discipline {
    /// First come, first served.
    Fcfs,
    /// Processor sharing: all jobs at once, each at an equal share of the speed.
    Ps,
}

impl std::fmt::Display for Discipline {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(match self {
            Self::Fcfs => "FCFS",
            Self::Ps => "PS",
        })
    }
}
