//! The one error type of the crate.

use std::borrow::Cow;

/// What went wrong, with the numbers that show it.
///
/// Nothing in this crate panics on a bad argument or returns a plausible wrong number: what cannot be answered is one of these.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An argument is outside its domain. Remedy: give a value that meets the requirement.
    #[error("{name} = {}: {requirement}", Shown(*value))]
    Argument {
        /// The parameter, by the name it has in the call.
        name: &'static str,
        /// The value that was given.
        value: f64,
        /// What was required of it.
        requirement: Cow<'static, str>,
    },
    /// A datum (a size of a trace, an atom, a row of a matrix) is not usable. Remedy: mend or drop that entry.
    #[error("{what} {index} is {}: {requirement}", Shown(*value))]
    Datum {
        /// What the entry is, for instance `size`.
        what: &'static str,
        /// Its position, counted from 1.
        index: usize,
        /// Its value.
        value: f64,
        /// What was required of it.
        requirement: &'static str,
    },
    /// A text does not describe a job-size law. Remedy: follow the grammar of [`Law`](crate::size::Law).
    #[error("cannot read `{text}`: {requirement}")]
    Parse {
        /// The text, or the part of it at fault.
        text: String,
        /// What was expected.
        requirement: String,
    },
    /// A job-size law disagrees with itself. Remedy: mend its density, add the atoms and break points it lacks, or its support.
    #[error(
        "the law disagrees with itself about the jobs beyond size {}: a share of {} by its tail, of {} by its density and atoms \
         (is an atom, a break point or a factor missing?)",
        Shown(*size), Shown(*by_tail), Shown(*by_density)
    )]
    Inconsistent {
        /// The jobs from this size on (to twice this size, beyond 0) are counted.
        size: f64,
        /// Their share by the law's `sf`.
        by_tail: f64,
        /// Their share by its `density` and `atoms`.
        by_density: f64,
    },
    /// There is no steady state. Remedy: lower the arrival rate or add capacity until the load is below the limit.
    #[error("no steady state: the load {} is not below {}", Shown(*load), Shown(*limit))]
    Unstable {
        /// The load found.
        load: f64,
        /// The load below which a steady state exists.
        limit: f64,
    },
    /// An optimisation has no feasible or no finite point.
    #[error("infeasible: {reason}")]
    Infeasible {
        /// Which of the two, and why.
        reason: Infeasibility,
    },
    /// An iteration hit its cap. Remedy: relax the tolerance, or report the case.
    #[error("{what} did not converge within {iterations} iterations (residual {residual:e})")]
    NoConvergence {
        /// The iteration.
        what: &'static str,
        /// Its cap.
        iterations: usize,
        /// What was left.
        residual: f64,
    },
    /// The model does not give this metric. Remedy: ask for one it lists, or simulate.
    #[error("{model} does not give the {metric}")]
    Unavailable {
        /// The metric asked for.
        metric: &'static str,
        /// The model asked.
        model: String,
    },
}

/// Why an optimiser has nothing to return.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Infeasibility {
    /// The load of every host would be at or above one wherever the cutoffs stand.
    Load {
        /// The load per host that the law and the rate bring.
        load: f64,
    },
    /// The jobs of one size alone are too much for a host, and they stay together.
    Atom {
        /// Their size.
        size: f64,
        /// The load that they bring to one host.
        load: f64,
    },
    /// The jobs of one size stay together, and so no cutoffs come closer to equal loads.
    Packing {
        /// The load of the most loaded host under the cutoffs for which it is least.
        peak: f64,
        /// The load per host.
        load: f64,
    },
    /// The objective is infinite for all cutoffs, because a moment of the law is.
    InfiniteObjective {
        /// The objective.
        objective: &'static str,
        /// The order r of the moment E\[X^r\] that is infinite, where that is the reason.
        order: Option<f64>,
    },
}

impl std::fmt::Display for Infeasibility {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Load { load } => {
                write!(out, "the load per host is {}, and no cutoffs bring every host below 1", Shown(*load))
            }
            Self::Atom { size, load } => write!(
                out,
                "the jobs of one size stay together, and those of size {} alone are a load of {load:.4} for one host \
                 (split them, or lower the load)",
                Shown(*size)
            ),
            Self::Packing { peak, load } => write!(
                out,
                "the jobs of one size stay together, and then no cutoffs bring the most loaded host below load {peak:.6} \
                 (split them, or keep the load per host below {:.6})",
                load / peak
            ),
            Self::InfiniteObjective { objective, order } => match order {
                Some(-1.0) => write!(out, "the {objective} is infinite for all cutoffs, because E[1/X] is"),
                Some(order) => write!(out, "the {objective} is infinite for all cutoffs, because E[X^{order}] is"),
                None => write!(out, "the {objective} is infinite for all cutoffs"),
            },
        }
    }
}

/// A number in a message: in scientific notation where its digits would fill the line.
struct Shown(f64);

impl std::fmt::Display for Shown {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let size = self.0.abs();
        if size == 0.0 || (1e-5..1e15).contains(&size) {
            write!(out, "{}", self.0)
        } else {
            write!(out, "{:e}", self.0)
        }
    }
}

/// `Result` with the crate's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// `value` if it is positive and finite, else an error that names it.
pub(crate) fn positive(name: &'static str, value: f64) -> Result<f64> {
    require(value > 0.0 && value.is_finite(), name, value, "must be positive and finite")?;
    Ok(value)
}

/// Sizes whose fourth powers are doubles: waiting times are built of such products.
pub(crate) const SIZES: std::ops::RangeInclusive<f64> = 1e-70..=1e70;

/// What is required of a size that is not among the [`SIZES`].
pub(crate) const SIZES_REQUIREMENT: &str = "must be between 1e-70 and 1e70: choose another unit";

/// `value` if it is one of the [`SIZES`], else an error that names it.
pub(crate) fn size(name: &'static str, value: f64) -> Result<f64> {
    require(value > 0.0, name, value, "must be positive")?;
    require(SIZES.contains(&value), name, value, SIZES_REQUIREMENT)?;
    Ok(value)
}

/// What is required of a rate of a chain; products and quotients of a few of them are doubles.
pub(crate) const RATES_REQUIREMENT: &str = "must be 0 or between 1e-70 and 1e70: choose another unit";

/// Whether a chain may have this rate.
pub(crate) fn is_rate(value: f64) -> bool {
    value == 0.0 || SIZES.contains(&value)
}

/// An [`Error::Argument`] unless `holds`.
pub(crate) fn require(
    holds: bool,
    name: &'static str,
    value: f64,
    requirement: impl Into<Cow<'static, str>>,
) -> Result<()> {
    if holds { Ok(()) } else { Err(Error::Argument { name, value, requirement: requirement.into() }) }
}
