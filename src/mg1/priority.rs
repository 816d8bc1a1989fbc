//! Priority classes, each with its own rate and sizes.

use super::linear::Linear;
use super::stream::Stream;
use super::work::{Spread, relevant_work};
use crate::accuracy::Accuracy;
use crate::error::{Error, Result, require};
use crate::numeric::power::product;
use crate::size::JobSize;
use crate::workload::{ByClass, Metric, Outcome, Performance, Workload};

/// `E[W_j] = Σλ_iE[X_i²] / 2(1−σ_{j−1})(1−σ_j)`: the M/G/1 queue with non-preemptive priorities, highest first.
///
/// Class 1, the first of `classes`, goes before all others; whenever the server is free it takes the job that came first of the highest
/// class present. σ_j is the load of the classes up to j. Gives for each class mean and second moment of waiting and response time,
/// both mean slowdowns and their variance, the mean number in system, P(W > 0) and the utilisation by that class; and all jobs together.
///
/// A class j with σ_j >= 1 is unstable and keeps the server busy for ever: the classes above it see a steady state in which the first
/// unstable class takes all that is left, at rate (1−σ_{j−1})/E\[X_j\], and later ones nothing.
///
/// Cost: the moments of the laws. Accuracy: that of the laws, over 1−σ_j.
///
/// # Errors
/// [`Error::Argument`] without classes, [`Error::Unstable`] if no class is stable.
///
/// Source: A. Cobham, "Priority assignment in waiting line problems" (1954); H. Kesten and J. Runnenburg (1957) for the second moment.
///
/// ```
/// use queueing::prelude::*;
/// let erlang = Law::from(Erlang::with_mean(4, 1.0)?);
/// let classes = [Workload::with_load(erlang, 0.2)?, Workload::with_load(Law::from(Exponential::with_mean(1.0)?), 0.3)?];
/// let queue = mg1::non_preemptive_priority(&classes)?;
/// assert!((queue.classes[0].mean_response_time()? - 49.0 / 32.0).abs() < 1e-15);
/// assert!((queue.classes[1].mean_response_time()? - 33.0 / 16.0).abs() < 1e-15);
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn non_preemptive_priority<S: JobSize>(classes: &[Workload<S>]) -> Result<ByClass> {
    by_class(classes, "non-preemptive priorities", |ladder, j| {
        let Step { above, up_to, .. } = ladder.steps[j];
        let lower = std::array::from_fn(|order| ladder.in_service[order] - up_to.moments[order]);
        let work = relevant_work(up_to.spare, up_to.moments, lower.map(|moment: f64| moment.max(0.0)));
        (work.stretched(above.spare, above.moments[0]), Service::Uninterrupted)
    })
}

/// `E[T_j] = E[X_j]/(1−σ_{j−1}) + Σ_{i<=j}λ_iE[X_i²] / 2(1−σ_{j−1})(1−σ_j)`: the M/G/1 queue with preemptive-resume priorities,
/// highest first.
///
/// Class 1, the first of `classes`, interrupts all others; an interrupted job resumes where it was. Lower classes do not matter to
/// higher ones: a class is stable while the load σ_j of the classes up to its own is below one. Gives for each class the same metrics as
/// [`non_preemptive_priority`] but P(W > 0), where W stands for T − X.
///
/// Cost and accuracy: as [`non_preemptive_priority`].
///
/// # Errors
/// As [`non_preemptive_priority`].
///
/// Source: H. White and L. Christie, "Queuing with preemptive priorities or with breakdown" (1958); D. Miller (1960).
///
/// ```
/// use queueing::prelude::*;
/// let exponential = |load| Workload::with_load(Exponential::with_mean(1.0)?, load);
/// let queue = mg1::preemptive_priority(&[exponential(0.5)?, exponential(0.25)?, exponential(0.5)?])?;
/// assert_eq!(queue.classes[0].mean_response_time()?, 2.0);              // as if it were alone
/// assert_eq!(queue.classes[1].mean_response_time()?, 8.0);              // 1/0.5 + 0.75/(0.5·0.25)
/// assert!(!queue.classes[2].is_stable());
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn preemptive_priority<S: JobSize>(classes: &[Workload<S>]) -> Result<ByClass> {
    by_class(classes, "preemptive priorities", |ladder, j| {
        let Step { above, up_to, .. } = ladder.steps[j];
        let work = relevant_work(up_to.spare, up_to.moments, [0.0; 2]);
        (work.stretched(above.spare, above.moments[0]), Service::Interrupted(above))
    })
}

/// Load, 1 − load, and λE[X²], λE[X³] of some classes together.
#[derive(Debug, Clone, Copy)]
struct Sum {
    load: f64,
    spare: f64,
    moments: [f64; 2],
}

/// The classes above one and up to it.
#[derive(Debug, Clone, Copy)]
struct Step {
    above: Sum,
    up_to: Sum,
}

/// Sums over classes from the highest on.
struct Ladder {
    steps: Vec<Step>,
    /// λE[X²] and λE[X³] of what is served, in which an unstable class takes what is left.
    in_service: [f64; 2],
}

/// How a job is served once it has waited: to its end, or stretched by higher classes.
enum Service {
    Uninterrupted,
    Interrupted(Sum),
}

impl Ladder {
    fn new<S: JobSize>(classes: &[Workload<S>]) -> Self {
        let mut above = Sum { load: 0.0, spare: 1.0, moments: [0.0; 2] };
        let (mut steps, mut in_service) = (Vec::with_capacity(classes.len()), [0.0; 2]);
        for jobs in classes {
            let own = [2.0, 3.0].map(|order| jobs.size().moment(order));
            let load = above.load + jobs.load();
            // A class alone may know its 1 − load better than its load.
            let spare = if above.load == 0.0 { jobs.spare() } else { 1.0 - load };
            let moments = std::array::from_fn(|i| above.moments[i] + product(jobs.rate(), own[i]));
            let up_to = Sum { load, spare, moments };
            if above.spare > 0.0 {
                let rate = if spare > 0.0 { jobs.rate() } else { above.spare / jobs.mean_size() };
                in_service = std::array::from_fn(|i| in_service[i] + product(rate, own[i]));
            }
            steps.push(Step { above, up_to });
            above = up_to;
        }
        Self { steps, in_service }
    }
}

fn by_class<S: JobSize>(
    classes: &[Workload<S>],
    model: &str,
    waiting: impl Fn(&Ladder, usize) -> (Spread, Service),
) -> Result<ByClass> {
    require(!classes.is_empty(), "number of classes", 0.0, "must be at least 1")?;
    let ladder = Ladder::new(classes);
    let mut law = Accuracy::Exact;
    let mut outcomes = Vec::with_capacity(classes.len());
    for (j, jobs) in classes.iter().enumerate() {
        let Sum { load, spare, .. } = ladder.steps[j].up_to;
        law = law.and(jobs.size().accuracy());
        outcomes.push(if spare > 0.0 {
            let busy = ladder.steps.last().map_or(0.0, |last| last.up_to.load).min(1.0);
            let (wait, service) = waiting(&ladder, j);
            let name = format!("{model}, class {}", j + 1);
            Outcome::Stable(performance(name, jobs, wait, &service, busy, law.conditioned(1.0 / spare)))
        } else {
            Outcome::Unstable { load, limit: 1.0 }
        });
    }
    let load = ladder.steps.last().map_or(0.0, |last| last.up_to.load);
    if outcomes.iter().all(|outcome| !outcome.is_stable()) {
        return Err(Error::Unstable { load: ladder.steps[0].up_to.load, limit: 1.0 });
    }
    let overall = match outcomes.iter().map(Outcome::performance).collect::<Result<Vec<_>>>() {
        Ok(parts) => Outcome::Stable(together(model, classes, &parts)),
        Err(_) => Outcome::Unstable { load, limit: 1.0 },
    };
    Ok(ByClass { overall, classes: outcomes })
}

/// The metrics of a class whose jobs wait like this before their service.
fn performance<S: JobSize>(
    model: String,
    jobs: &Workload<S>,
    wait: Spread,
    service: &Service,
    busy: f64,
    accuracy: Accuracy,
) -> Performance {
    let (slope, variance_slope) = match *service {
        Service::Uninterrupted => (0.0, 0.0),
        // x stretched by the classes above: σx/(1−σ), and xA₂/(1−σ)³
        Service::Interrupted(Sum { load, spare, moments }) => (load / spare, moments[0] / spare.powi(3)),
    };
    let linear = Linear { constant: wait.mean, slope, variance: wait.variance, variance_slope };
    let stream = Stream::of(jobs);
    let queue = linear.totals(&stream.sizes).performance(model, &stream, accuracy);
    match service {
        Service::Uninterrupted => queue.with(Metric::ProbabilityOfWaiting, busy, accuracy),
        Service::Interrupted(_) => queue,
    }
}

/// All jobs together: means over jobs, sums for numbers and utilisation, and for the variance of the slowdown its second moment.
fn together<S: JobSize>(model: &str, classes: &[Workload<S>], parts: &[&Performance]) -> Performance {
    let rate: f64 = classes.iter().map(Workload::rate).sum();
    let shares = || classes.iter().map(|jobs| jobs.rate() / rate).zip(parts);
    let mean = |metric| shares().map(|(share, part)| share * value(part, metric)).sum::<f64>();
    let mut whole = Performance::new(model.to_owned());
    let given = parts.first().map(|part| part.metrics().collect::<Vec<_>>()).unwrap_or_default();
    for (metric, _) in given {
        let accuracy = parts.iter().filter_map(|part| part.estimate(metric).ok()).map(|estimate| estimate.accuracy);
        let value = match metric {
            Metric::MeanNumberInSystem | Metric::Utilisation => parts.iter().map(|part| value(part, metric)).sum(),
            Metric::VarianceSlowdown => {
                let middle = mean(Metric::MeanSlowdown);
                let spread = |part: &Performance| (value(part, Metric::MeanSlowdown) - middle).powi(2);
                let between: f64 = shares().map(|(share, part)| share * spread(part)).sum();
                if middle.is_finite() { mean(metric) + between } else { f64::INFINITY }
            }
            _ => mean(metric),
        };
        whole.set(metric, value, accuracy.fold(Accuracy::Exact, Accuracy::and));
    }
    whole
}

fn value(part: &Performance, metric: Metric) -> f64 {
    part.estimate(metric).map_or(0.0, |estimate| estimate.value)
}
