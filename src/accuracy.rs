//! How good a number is.

/// How good a number is.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Accuracy {
    /// A closed form: rounding only. What passes through 1 − load is conditioned like 1e-16/(1 − load).
    Exact,
    /// Quadrature, truncation or iteration, with its own estimate of the relative error.
    Numerical {
        /// The estimate.
        relative_error: f64,
    },
    /// A modelling step whose error is not bounded.
    Approximate {
        /// The step.
        assumption: Assumption,
    },
    /// A simulation.
    Simulated {
        /// Standard error of the value.
        standard_error: f64,
        /// Jobs simulated.
        jobs: u64,
    },
}

impl Accuracy {
    /// The accuracy of what is computed from two numbers: that of the worse one.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Numerical { relative_error: a }, Self::Numerical { relative_error: b }) => {
                Self::Numerical { relative_error: a.max(b) }
            }
            _ if other.rank() > self.rank() => other,
            _ => self,
        }
    }

    /// What is left of this accuracy after a division by a quantity that is smaller by so much than what it was computed from.
    #[must_use]
    pub(crate) fn conditioned(self, factor: f64) -> Self {
        match self {
            Self::Numerical { relative_error } => Self::Numerical { relative_error: relative_error * factor.max(1.0) },
            other => other,
        }
    }

    fn rank(self) -> u8 {
        match self {
            Self::Exact => 0,
            Self::Numerical { .. } => 1,
            Self::Simulated { .. } => 2,
            Self::Approximate { .. } => 3,
        }
    }
}

impl std::fmt::Display for Accuracy {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Exact => out.write_str("exact"),
            Self::Numerical { relative_error } => write!(out, "numerical, {relative_error:.0e}"),
            Self::Approximate { assumption } => write!(out, "approximate: {assumption}"),
            Self::Simulated { standard_error, jobs } => write!(out, "simulated, +-{standard_error:.2e} ({jobs} jobs)"),
        }
    }
}

/// A modelling step whose error is not bounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Assumption {
    /// A law was replaced by a phase type with the same first two moments.
    TwoMoments,
    /// A law was replaced by a phase type with the same first three moments.
    ThreeMoments,
    /// Hardly variable sizes were replaced by Erlang sizes of 8 stages, or numbers extrapolated, linearly in the scv, from 4 and 8 stages.
    LowVariability,
    /// A stream that is not Poisson was taken as Poisson.
    PoissonInput,
    /// A law was made up between the percentiles of a monitoring summary.
    PercentileSummary,
    /// The M/G/n mean waiting time was taken from M/M/n by [`lee_longton`](crate::multiserver::lee_longton).
    LeeLongton,
    /// The M/G/n mean waiting time was interpolated by [`kimura`](crate::multiserver::kimura).
    Kimura,
    /// The M/G/n mean waiting time was interpolated by [`boxma_cohen_huffels`](crate::multiserver::boxma_cohen_huffels).
    BoxmaCohenHuffels,
    /// The M/G/n mean waiting time was interpolated by [`cosmetatos`](crate::multiserver::cosmetatos).
    Cosmetatos,
    /// The M/G/n mean waiting time was interpolated by [`whitt`](crate::multiserver::whitt).
    Whitt,
}

impl std::fmt::Display for Assumption {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(match self {
            Self::TwoMoments => "two moments matched",
            Self::ThreeMoments => "three moments matched",
            Self::LowVariability => "hardly variable sizes by Erlang sizes",
            Self::PoissonInput => "Poisson input assumed",
            Self::PercentileSummary => "sizes between percentiles assumed",
            Self::LeeLongton => "Lee-Longton",
            Self::Kimura => "Kimura",
            Self::BoxmaCohenHuffels => "Boxma-Cohen-Huffels",
            Self::Cosmetatos => "Cosmetatos",
            Self::Whitt => "Whitt",
        })
    }
}
