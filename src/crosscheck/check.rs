//! Comparing.

use super::observed::Observed;
use super::tail::Tail;
use crate::accuracy::Accuracy;
use crate::error::{Result, require};
use crate::numeric::student;
use crate::size::JobSize;
use crate::workload::Estimate;

/// The level of [`compare`].
const LEVEL: f64 = 0.01;

/// What a comparison says.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Verdict {
    /// The difference is one that chance explains.
    Consistent,
    /// It is not, at the level asked for.
    Inconsistent,
    /// The sample cannot settle the question: too much of the moment in play lies beyond the sizes that it is likely to hold; or what
    /// is expected is infinite, and nothing is told of the sizes.
    Inconclusive(Option<Tail>),
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Consistent => out.write_str("consistent"),
            Self::Inconsistent => out.write_str("inconsistent"),
            Self::Inconclusive(None) => {
                out.write_str("inconclusive: what is expected is infinite, and the mean of a sample never is")
            }
            Self::Inconclusive(Some(tail)) if tail.jobs_to_settle.is_infinite() => {
                write!(out, "inconclusive: E[X^{}] is infinite, and no sample settles it", tail.order)
            }
            Self::Inconclusive(Some(Tail { order, largest, share, jobs_to_settle })) => write!(
                out,
                "inconclusive: {:.3} % of E[X^{order}] lies beyond {largest:.3e}, the largest size that such a sample is likely to \
                 hold; {jobs_to_settle:.1e} jobs would settle it",
                100.0 * share
            ),
        }
    }
}

/// One number to compare.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    name: String,
    expected: Estimate,
    observed: Observed,
    tail: Option<Tail>,
}

impl Check {
    /// What a model expects, and what was observed.
    pub fn new(name: impl Into<String>, expected: Estimate, observed: Observed) -> Self {
        Self { name: name.into(), expected, observed, tail: None }
    }

    /// Lets the verdict be inconclusive where the jobs observed cannot have seen enough of E\[X^order\]
    /// ([`moment_in_play`](super::moment_in_play)).
    ///
    /// # Errors
    /// [`Error::Argument`](crate::Error::Argument) if it is not known of how many jobs the observation is
    /// ([`Observed::with_jobs`]).
    ///
    /// ```
    /// use queueing::crosscheck::{Check, Observed, Verdict, compare_all};
    /// use queueing::prelude::*;
    /// let size = BoundedPareto::with_mean(3000.0, 1e10, 1.1)?;
    /// let expected = mg1::fcfs(&Workload::with_load(size, 0.5)?)?.estimate(Metric::MeanWaitingTime)?;
    /// // A million jobs: the wait comes out far too small, with a small error.
    /// let seen = Observed::new(4e6, 1e5)?.with_jobs(1_000_000);
    /// let report = compare_all(&[Check::new("E[W]", expected, seen).of_sizes(&size, 2.0)?], 0.01)?;
    /// assert!(matches!(report.comparisons[0].verdict, Verdict::Inconclusive(_)));
    /// # Ok::<(), queueing::Error>(())
    /// ```
    pub fn of_sizes<S: JobSize + ?Sized>(mut self, sizes: &S, order: f64) -> Result<Self> {
        let jobs = self.observed.jobs().unwrap_or(0);
        require(jobs > 0, "jobs of the observation", 0.0, "must be given")?;
        require(order.is_finite(), "order", order, "must be finite")?;
        self.tail = Some(Tail::of(sizes, order, jobs));
        Ok(self)
    }

    /// The verdict of a sample that cannot settle the question.
    fn inconclusive(&self) -> Option<Verdict> {
        match self.tail {
            Some(tail) if !tail.settles() => Some(Verdict::Inconclusive(Some(tail))),
            _ if self.expected.value.is_infinite() => Some(Verdict::Inconclusive(None)),
            _ => None,
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the model expects.
    pub fn expected(&self) -> Estimate {
        self.expected
    }

    /// What was observed.
    pub fn observed(&self) -> &Observed {
        &self.observed
    }

    /// z and the two-sided p-value against any value, whose own error is that of what is expected.
    pub(super) fn against(&self, value: f64) -> (f64, f64) {
        if value.is_infinite() {
            return (-value, 0.0);
        }
        let own = match self.expected.accuracy {
            Accuracy::Simulated { standard_error, .. } => standard_error,
            Accuracy::Numerical { relative_error } => relative_error * value.abs(),
            Accuracy::Exact | Accuracy::Approximate { .. } => 0.0,
        };
        let z = (self.observed.mean() - value) / self.observed.standard_error().hypot(own);
        (z, (2.0 * student::sf(z.abs(), self.observed.degrees_of_freedom())).min(1.0))
    }
}

/// A number compared.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Comparison {
    /// Its name.
    pub name: String,
    /// What the model expects, and how good that is. Against an approximation an inconsistent observation may be the better one.
    pub expected: Estimate,
    /// What was observed.
    pub observed: Observed,
    /// Observed less expected.
    pub difference: f64,
    /// The difference in standard errors.
    pub z: f64,
    /// The probability of a difference as large by chance (Student's t, two-sided).
    pub p_value: f64,
    /// The same, corrected for the number of comparisons made at once (Holm).
    pub adjusted_p_value: f64,
    /// What that says.
    pub verdict: Verdict,
}

/// Several numbers compared at once.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Report {
    /// The probability with which a right model is called inconsistent anywhere.
    pub level: f64,
    /// Each of them, in the order given.
    pub comparisons: Vec<Comparison>,
}

impl Report {
    /// Whether some number is inconsistent.
    pub fn is_inconsistent(&self) -> bool {
        self.comparisons.iter().any(|comparison| comparison.verdict == Verdict::Inconsistent)
    }
}

/// Compares one number at the level of 1 %.
///
/// # Errors
/// None so far: what can be wrong was refused when its parts were made.
///
/// ```
/// use queueing::crosscheck::{self, Observed, Verdict};
/// use queueing::prelude::*;
/// let jobs = Workload::with_load(Exponential::with_mean(1.0)?, 0.5)?;
/// let expected = mg1::fcfs(&jobs)?.estimate(Metric::MeanResponseTime)?;
/// let report = crosscheck::compare(expected, &Observed::new(2.03, 0.02)?)?;
/// assert!((report.z - 1.5).abs() < 1e-12);
/// assert!((report.p_value - 0.1336).abs() < 1e-4);
/// assert_eq!(report.verdict, Verdict::Consistent);
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn compare(expected: Estimate, observed: &Observed) -> Result<Comparison> {
    let check = Check::new("", expected, *observed);
    let (_, p_value) = check.against(expected.value);
    Ok(one(&check, LEVEL, p_value))
}

/// Compares several numbers (metrics, classes, percentiles) so that a right model is called inconsistent in any of them with probability
/// `level` at most, whatever their dependence.
///
/// # Errors
/// [`Error::Argument`](crate::Error::Argument) unless 0 < level < 1.
///
/// Source: S. Holm, "A simple sequentially rejective multiple test procedure" (1979).
pub fn compare_all(checks: &[Check], level: f64) -> Result<Report> {
    require(level > 0.0 && level < 1.0, "level", level, "must be between 0 and 1")?;
    // Those that settle nothing are no comparisons.
    let mut order: Vec<(usize, f64)> = checks
        .iter()
        .enumerate()
        .filter(|(_, check)| check.inconclusive().is_none())
        .map(|(index, check)| (index, check.against(check.expected.value).1))
        .collect();
    order.sort_by(|one, other| one.1.total_cmp(&other.1));
    // Holm: the k-th smallest times those that are left, never less than the one before it.
    let (mut adjusted, mut before) = (vec![1.0; checks.len()], 0.0_f64);
    for (rank, (index, p_value)) in order.iter().enumerate() {
        before = before.max((p_value * (order.len() - rank) as f64).min(1.0));
        adjusted[*index] = before;
    }
    let comparisons = checks.iter().zip(adjusted).map(|(check, adjusted)| one(check, level, adjusted)).collect();
    Ok(Report { level, comparisons })
}

/// With the corrected p-value.
fn one(check: &Check, level: f64, adjusted_p_value: f64) -> Comparison {
    let Check { name, expected, observed, .. } = check;
    let (z, p_value) = check.against(expected.value);
    let verdict = match check.inconclusive() {
        Some(verdict) => verdict,
        None if adjusted_p_value < level => Verdict::Inconsistent,
        None => Verdict::Consistent,
    };
    Comparison {
        name: name.clone(),
        expected: *expected,
        observed: *observed,
        difference: observed.mean() - expected.value,
        z,
        p_value,
        adjusted_p_value,
        verdict,
    }
}
