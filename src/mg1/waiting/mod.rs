//! The distribution of waiting and response time under first come, first served.
//!
//! The method is chosen by the law: waiting times of phase types are of phase type, all others solve a renewal equation. Distributions
//! under other disciplines have no such formulas: percentiles under processor sharing, SRPT and their kin come from simulation.

mod condense;
mod kernel;
pub(super) mod phase_type;
mod renewal;

use crate::accuracy::Accuracy;
use crate::error::{Error, Result, require};
use crate::numeric::root::monotone_in_log;
use crate::size::{JobSize, PhaseType};
use crate::workload::{Estimate, Workload};
use condense::condense;
use renewal::Renewal;

/// Phase types of more phases go by the renewal equation.
const MOST_PHASES: usize = 12;

/// Gauss nodes of a panel: for laws with a continuous part, and for laws of atoms, where panels are short.
const NODES: usize = 12;
const NODES_BETWEEN_ATOMS: usize = 6;

/// Traces of more sizes are condensed, and what that costs in accuracy.
const MOST_ATOMS: usize = 1000;
const CONDENSED: Accuracy = Accuracy::Numerical { relative_error: 1e-6 };

/// The relative error by the square of the jobs that come by, from above: panels are longer where there are more.
const ERROR_OF_JOBS: f64 = 1e-12;

/// `P(W > t) = ρP(X_e > t) + λ∫₀ᵗ P(W > t−u) P(X > u) du`: the tail of the waiting time under first come, first served.
///
/// P(W > 0) = ρ, and P(W = 0) = 1 − ρ is the atom at zero. `time` is in the units of the job sizes.
///
/// Phase types of up to 12 phases (exponential, hyperexponential, Erlang, Coxian sizes): W is a phase type, whose tail is computed without
/// subtraction. All other laws, traces with atoms included: the renewal equation above, solved on panels that end where the tail has
/// kinks.
///
/// Traces of more than 1000 sizes are condensed: sizes within a 500th of the range of ln X become two, with the same moments up to the
/// third.
///
/// Cost: some µs for a small phase type, about 1 ms for a bounded Pareto law, 8 ms for a trace of 500 sizes, and at most some 50 ms for
/// larger ones. Accuracy: 1e-14 for phase types, else some 1e-7 relative, in deep tails too; 1e-6 for condensed traces. Next to
/// saturation less is known of all but phase types: 1e-12 ((1 + ln(ρ/P))/(1−ρ))² is stated where
/// that is more.
/// Percentiles under processor sharing, SRPT and other disciplines have no such formula: they come from simulation.
///
/// # Errors
/// [`Error::Argument`](crate::Error::Argument) unless the time is at least 0, [`Error::Unstable`](crate::Error::Unstable) at load one or
/// more, [`Error::NoConvergence`](crate::Error::NoConvergence) where no panels resolve the tail, or nothing is left of it next to
/// saturation.
///
/// Source: M. Neuts, "Matrix-Geometric Solutions" (1981) for phase types; W. Feller, volume II (1971), XI.6 and XIV.2 for the equation.
///
/// ```
/// use queueing::prelude::*;
/// let jobs = Workload::with_load(Exponential::with_mean(1.0)?, 0.5)?;
/// let late = mg1::waiting_time_tail(&jobs, 2.0)?;
/// assert!((late.value - 0.5 * (-1.0_f64).exp()).abs() < 1e-15);               // ρe^{−(μ−λ)t}
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn waiting_time_tail<S: JobSize>(jobs: &Workload<S>, time: f64) -> Result<Estimate> {
    tail(jobs, Time::Waiting, time)
}

/// `P(T > t) = P(W + X > t)`: the tail of the response time under first come, first served.
///
/// As [`waiting_time_tail`]; P(T > t) = P(X > t) + ∫ P(W > t−x) dF(x).
///
/// # Errors
/// As [`waiting_time_tail`].
///
/// ```
/// use queueing::prelude::*;
/// let jobs = Workload::with_load(Exponential::with_mean(1.0)?, 0.5)?;
/// assert!((mg1::response_time_tail(&jobs, 2.0)?.value - (-1.0_f64).exp()).abs() < 1e-15);      // e^{−(μ−λ)t}
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn response_time_tail<S: JobSize>(jobs: &Workload<S>, time: f64) -> Result<Estimate> {
    tail(jobs, Time::Response, time)
}

/// The time within which a share p of the jobs starts service under first come, first served: the smallest t with P(W <= t) >= p.
///
/// 0 if no more than 1 − p of the jobs wait at all, infinite for p = 1.
///
/// Cost and accuracy: as [`waiting_time_tail`], and the rounding of 1 − p.
///
/// # Errors
/// As [`waiting_time_tail`]; [`Error::Argument`](crate::Error::Argument) unless 0 <= p <= 1.
///
/// ```
/// use queueing::prelude::*;
/// let jobs = Workload::with_load(Exponential::with_mean(1.0)?, 0.5)?;
/// assert_eq!(mg1::waiting_time_quantile(&jobs, 0.5)?.value, 0.0);              // half of the jobs do not wait
/// let p99 = mg1::waiting_time_quantile(&jobs, 0.99)?.value;
/// assert!((p99 / (2.0 * 50.0_f64.ln()) - 1.0).abs() < 1e-13);                  // ln(ρ/(1−p))/(μ−λ)
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn waiting_time_quantile<S: JobSize>(jobs: &Workload<S>, probability: f64) -> Result<Estimate> {
    quantile(jobs, Time::Waiting, probability)
}

/// The time within which a share p of the jobs is done under first come, first served: the smallest t with P(T <= t) >= p.
///
/// What service goals are set on. Infinite for p = 1.
///
/// Cost and accuracy: as [`waiting_time_quantile`].
///
/// # Errors
/// As [`waiting_time_quantile`].
///
/// ```
/// use queueing::prelude::*;
/// let jobs = Workload::with_load(Exponential::with_mean(1.0)?, 0.5)?;
/// let p99 = mg1::response_time_quantile(&jobs, 0.99)?.value;
/// assert!((p99 / (2.0 * 100.0_f64.ln()) - 1.0).abs() < 1e-13);                 // ln(1/(1−p))/(μ−λ)
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn response_time_quantile<S: JobSize>(jobs: &Workload<S>, probability: f64) -> Result<Estimate> {
    quantile(jobs, Time::Response, probability)
}

/// Which of the two times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Time {
    Waiting,
    Response,
}

impl Time {
    /// Of a phase type, as a phase type.
    fn phase_type<S: JobSize>(self, jobs: &Workload<S>) -> Option<PhaseType> {
        let law = jobs.size().phase_type().filter(|law| law.phases() <= MOST_PHASES && law.mass_at_zero() == 0.0)?;
        let waiting = phase_type::waiting_time(&law, jobs.load(), jobs.spare()).ok()?;
        match self {
            Self::Waiting => Some(waiting),
            Self::Response => waiting.plus(&law).ok(),
        }
    }
}

/// What is asked of the distribution.
#[derive(Debug, Clone, Copy)]
enum Question {
    /// P(W > t) or P(T > t)
    Tail(f64),
    /// the smallest t at which the tail is at most this
    Quantile(f64),
}

fn tail<S: JobSize>(jobs: &Workload<S>, of: Time, time: f64) -> Result<Estimate> {
    require(time >= 0.0, "time", time, "must be at least 0")?;
    jobs.stable()?;
    if time.is_infinite() {
        return Ok(Estimate { value: 0.0, accuracy: Accuracy::Exact });
    }
    if let Some(law) = of.phase_type(jobs) {
        return Ok(Estimate { value: law.sf(time), accuracy: closed_form(jobs) });
    }
    by_renewal(jobs, of, Question::Tail(time))
}

fn quantile<S: JobSize>(jobs: &Workload<S>, of: Time, probability: f64) -> Result<Estimate> {
    require((0.0..=1.0).contains(&probability), "probability", probability, "must be between 0 and 1")?;
    jobs.stable()?;
    let late = 1.0 - probability;
    if late == 0.0 {
        return Ok(Estimate { value: f64::INFINITY, accuracy: Accuracy::Exact });
    }
    if of == Time::Waiting && jobs.load() <= late {
        return Ok(Estimate { value: 0.0, accuracy: Accuracy::Exact });
    }
    if of == Time::Response && late == 1.0 {
        return Ok(Estimate { value: jobs.size().support().0, accuracy: Accuracy::Exact });
    }
    if let Some(law) = of.phase_type(jobs) {
        let mut gap = |t: f64| (law.sf(t) / late).ln();
        let value = monotone_in_log(&mut gap, 0.0, law.mean(), f64::INFINITY);
        return Ok(Estimate { value, accuracy: closed_form(jobs) });
    }
    by_renewal(jobs, of, Question::Quantile(late))
}

/// The tail of a phase type, whose load and 1 − load are those of the law.
fn closed_form<S: JobSize>(jobs: &Workload<S>) -> Accuracy {
    jobs.size().accuracy().conditioned(1.0 / jobs.spare()).and(Accuracy::Numerical { relative_error: 1e-13 })
}

fn by_renewal<S: JobSize>(jobs: &Workload<S>, of: Time, question: Question) -> Result<Estimate> {
    let law = jobs.size();
    if law.is_discrete() && law.atoms().len() > MOST_ATOMS {
        let few = Workload::known(jobs.rate(), condense(law)?, jobs.load(), jobs.spare());
        let Estimate { value, accuracy } = solved::<_, NODES_BETWEEN_ATOMS>(&few, of, question)?;
        return Ok(Estimate { value, accuracy: accuracy.and(CONDENSED).and(law.accuracy()) });
    }
    if law.atoms().len() > MOST_ATOMS {
        let metric = "tail of the waiting time";
        return Err(Error::Unavailable {
            metric,
            model: format!("a law with {} atoms and a density", law.atoms().len()),
        });
    }
    if law.is_discrete() {
        solved::<_, NODES_BETWEEN_ATOMS>(jobs, of, question)
    } else {
        solved::<_, NODES>(jobs, of, question)
    }
}

/// An answer of the renewal equation, with what its panels resolve.
fn solved<S: JobSize, const N: usize>(jobs: &Workload<S>, of: Time, question: Question) -> Result<Estimate> {
    let mut renewal = Renewal::<S, N>::new(jobs);
    let value = match (of, question) {
        (Time::Waiting, Question::Tail(time)) => renewal.tail(time),
        (Time::Response, Question::Tail(time)) => renewal.response_tail(time),
        (Time::Waiting, Question::Quantile(late)) => renewal.quantile(late, Renewal::tail),
        (Time::Response, Question::Quantile(late)) => renewal.quantile(late, Renewal::response_tail),
    }?;
    let left = match question {
        Question::Tail(_) => value,
        Question::Quantile(late) => late,
    };
    // An error of the kernel acts like one of the load, in each of the jobs of ln(ρ/P) mean waiting times.
    let jobs_passed = (1.0 + (jobs.load() / left.max(f64::MIN_POSITIVE)).ln().max(0.0)) / jobs.spare();
    let relative_error = renewal.error().max(ERROR_OF_JOBS * jobs_passed * jobs_passed);
    if relative_error > 1.0 {
        let what = "distribution of the waiting time next to saturation";
        return Err(Error::NoConvergence { what, iterations: 1, residual: relative_error });
    }
    let numerical = Accuracy::Numerical { relative_error };
    Ok(Estimate { value, accuracy: jobs.size().accuracy().conditioned(1.0 / jobs.spare()).and(numerical) })
}
