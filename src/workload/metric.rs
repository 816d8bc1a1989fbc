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
    /// E\[N²\].
    SecondMomentNumberInSystem,
    /// P(W > 0).
    ProbabilityOfWaiting,
    /// The share of time that a host is busy.
    Utilisation,
    /// The probability that an arriving job is turned away.
    ProbabilityOfBlocking,
}

impl Metric {
    /// All metrics.
    pub const ALL: [Self; 13] = [
        Self::MeanWaitingTime,
        Self::SecondMomentWaitingTime,
        Self::ThirdMomentWaitingTime,
        Self::MeanResponseTime,
        Self::SecondMomentResponseTime,
        Self::MeanSlowdown,
        Self::MeanWaitingSlowdown,
        Self::VarianceSlowdown,
        Self::MeanNumberInSystem,
        Self::SecondMomentNumberInSystem,
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
            Self::SecondMomentNumberInSystem => "second moment of the number in system",
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
    /// Last come, first served, without interrupting the job in service.
    Lcfs,
    /// Service in random order: the next job is drawn at random from those that wait.
    Siro,
    /// Processor sharing: all jobs at once, each at an equal share of the speed.
    Ps,
    /// Last come, first served; an arriving job interrupts the one in service, which resumes later where it was.
    PreemptiveLcfs,
    /// Shortest job first, without interrupting the job in service.
    Sjf,
    /// Preemptive shortest job first: the job of the smallest original size.
    PreemptiveSjf,
    /// Shortest remaining processing time, preemptive.
    Srpt,
    /// Foreground-background, also least attained service: the jobs that have had the least service, in equal shares.
    Fb,
    /// Longest remaining processing time, preemptive.
    Lrpt,
}

impl Discipline {
    /// All disciplines.
    pub const ALL: [Self; 10] = [
        Self::Fcfs,
        Self::Lcfs,
        Self::Siro,
        Self::Ps,
        Self::PreemptiveLcfs,
        Self::Sjf,
        Self::PreemptiveSjf,
        Self::Srpt,
        Self::Fb,
        Self::Lrpt,
    ];
}

impl std::fmt::Display for Discipline {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(match self {
            Self::Fcfs => "FCFS",
            Self::Lcfs => "LCFS",
            Self::Siro => "SIRO",
            Self::Ps => "PS",
            Self::PreemptiveLcfs => "preemptive LCFS",
            Self::Sjf => "SJF",
            Self::PreemptiveSjf => "PSJF",
            Self::Srpt => "SRPT",
            Self::Fb => "FB",
            Self::Lrpt => "LRPT",
        })
    }
}
