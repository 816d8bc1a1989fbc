//! From a system to its numbers: replications, rounds and threads.

use super::build;
use super::input::Input;
use super::policy::Policy;
use super::recorder::Recorder;
use super::replication::Replication;
use super::run::{Progress, Run};
use super::sample::{Method, Sample};
use super::server::Server;
use super::stability;
use super::system::{Dispatch, System};
use super::tally::Tally;
use crate::error::{Result, require};
use crate::random::Random;
use crate::workload::{ByClass, MOST_HOSTS, Metric, Outcome};

/// After so many parts of the jobs a run may stop, or tells how far it is.
const ROUNDS: u64 = 50;

/// The confidence at which a run decides to stop.
const CONFIDENCE: f64 = 0.95;

/// What a simulation gives.
#[derive(Debug, Clone)]
pub struct Simulated {
    /// All jobs.
    pub overall: Sample,
    /// Each class, where there are several.
    pub classes: Vec<Sample>,
    /// Each range of sizes, where [`Run::size_bins`] asked for them.
    pub bins: Vec<Bin>,
}

/// The jobs of one range of sizes.
#[derive(Debug, Clone)]
pub struct Bin {
    /// The range is low < X <= high.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
    /// What its jobs met.
    pub sample: Sample,
}

impl Simulated {
    /// The metrics of all jobs and of each class.
    pub fn by_class(&self) -> ByClass {
        let outcome = |sample: &Sample| Outcome::Stable(sample.performance());
        ByClass { overall: outcome(&self.overall), classes: self.classes.iter().map(outcome).collect() }
    }
}

/// Simulates a system.
///
/// Cost on one core: some 10 ns a job for FCFS hosts in turn, 30 to 300 ns by events (`docs/performance.md`). Accuracy: the standard error of each
/// metric, in its [`Accuracy`](crate::Accuracy).
///
/// # Errors
/// [`Error::Unstable`](crate::Error::Unstable) for a system that is known to have no steady state, unless [`Run::transient`] is set;
/// [`Error::Argument`](crate::Error::Argument) or [`Error::Datum`](crate::Error::Datum) for a run or system that does not fit; [`Error::Unavailable`](crate::Error::Unavailable) for TAGS on hosts that do not
/// serve first come, first served.
///
/// ```
/// use queueing::prelude::*;
/// use queueing::sim::{self, Dispatch, Input, Run, System};
/// // Two tasks a job on two hosts in turn: all tasks of an empty system start at once.
/// let (size, two) = (Deterministic::new(1.0)?, Deterministic::new(2.0)?);
/// let jobs = Workload::new(1e-6, size)?;
/// let hosts = Hosts::identical(2)?;
/// let system = System::Farm { hosts, dispatch: Dispatch::RoundRobin, service: Discipline::Fcfs.into() };
/// let seen = sim::simulate(&Input::poisson(&jobs).with_tasks(&two)?, &system, &Run::new(1).jobs(1000))?;
/// assert!((seen.overall.performance().mean_response_time()? - 1.0).abs() < 1e-3);
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn simulate(input: &Input<'_>, system: &System, run: &Run<'_>) -> Result<Simulated> {
    system.check(input)?;
    if !run.is_transient {
        stability::check(input, system)?;
    }
    let (model, hosts, waits_first) = system.describe();
    let is_tags = matches!(system, System::Farm { dispatch: Dispatch::Tags(_), .. });
    let capacity = (!is_tags && input.tasks.is_none()).then_some(hosts as f64);
    let make = |random: &mut Random, recorder: Recorder| build::replication(input, system, random, recorder);
    run_all(input, run, &Kind { model, capacity, waits_first, infinite: &|class| system.infinite(input, class) }, &make)
}

/// Simulates hosts and a policy of your own; `make` gives both for each replication.
///
/// # Errors
/// As [`simulate`], but nothing is known of a steady state; [`Error::Argument`](crate::Error::Argument) without hosts or when the policy chooses a host that
/// there is not; [`Error::NoConvergence`](crate::Error::NoConvergence) for a server that rings without end.
///
/// ```
/// use queueing::prelude::*;
/// use queueing::sim::{self, Input, Policy, Run, Server, Task, View};
/// use queueing::Random;
///
/// /// All to the first host.
/// struct First;
/// impl Policy for First {
///     fn arrive(&mut self, _: &Task, _: &View, _: &mut Random) -> Option<usize> { Some(0) }
/// }
///
/// let jobs = Workload::with_load(Exponential::with_mean(1.0)?, 0.5)?;
/// let run = Run::new(1).jobs(100_000);
/// let seen = sim::simulate_with(&Input::poisson(&jobs), "first host", || (sim::hosts(2, Discipline::Fcfs), First), &run)?;
/// assert!((seen.overall.performance().mean_response_time()? - 2.0).abs() < 0.1);
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn simulate_with<V: Server, P: Policy>(
    input: &Input<'_>,
    model: &str,
    make: impl Fn() -> (Vec<V>, P),
    run: &Run<'_>,
) -> Result<Simulated> {
    let hosts = make().0.len();
    require((1..=MOST_HOSTS).contains(&hosts), "hosts", hosts as f64, "must be between 1 and 1000000")?;
    let build = |random: &mut Random, recorder: Recorder| {
        let (servers, policy) = make();
        build::by_events(input, policy, servers, random, recorder)
    };
    let kind =
        Kind { model: format!("simulation of {model}"), capacity: None, waits_first: false, infinite: &|_| Vec::new() };
    run_all(input, run, &kind, &build)
}

/// What the results are called, and what is known of them.
struct Kind<'k> {
    model: String,
    capacity: Option<f64>,
    waits_first: bool,
    /// metrics of a class, or of all, that are known to be infinite
    infinite: &'k dyn Fn(Option<usize>) -> Vec<Metric>,
}

type Make<'m, 'a> = &'m dyn Fn(&mut Random, Recorder) -> Box<dyn Replication + 'a>;

fn run_all<'a>(input: &Input<'a>, run: &Run<'_>, kind: &Kind<'_>, make: Make<'_, 'a>) -> Result<Simulated> {
    run.check()?;
    let jobs_each = input.trace.map_or(run.jobs_each(), |records| records.len() as u64);
    let warm_up = run.warm_up_each(input.trace.is_some());
    let mut stream = Random::new(run.seed);
    let mut replications = Vec::with_capacity(run.replications as usize);
    for _ in 0..run.replications {
        let recorder = Recorder::new(warm_up, jobs_each, input.count(), &run.size_bins);
        replications.push(make(&mut stream.clone(), recorder));
        stream.leap();
    }
    let rounds = if run.target.is_some() || run.watch.is_some() { ROUNDS } else { 1 };
    let last = if input.trace.is_some() { jobs_each } else { warm_up + jobs_each };
    for round in 1..=rounds {
        // last·round/rounds without overflow
        let until = last / rounds * round + last % rounds * round / rounds;
        each(&mut replications, run.threads, |replication| replication.advance(until))?;
        if rounds > 1 && !goes_on(&replications, run, kind) {
            break;
        }
    }
    each(&mut replications, run.threads, |replication| replication.finish())?;
    Ok(collect(&replications, input, run, kind))
}

/// Runs a step of all replications, each on one of the threads.
fn each<'a>(
    replications: &mut [Box<dyn Replication + 'a>],
    threads: usize,
    step: impl Fn(&mut Box<dyn Replication + 'a>) -> Result<()> + Sync,
) -> Result<()> {
    let share = replications.len().div_ceil(threads);
    if share == replications.len() {
        return replications.iter_mut().try_for_each(step);
    }
    std::thread::scope(|scope| {
        let step = &step;
        let parts: Vec<_> = replications
            .chunks_mut(share)
            .map(|part| scope.spawn(move || part.iter_mut().try_for_each(step)))
            .collect();
        // The first error in the order of the replications, whichever thread was first.
        parts
            .into_iter()
            .map(|part| part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect::<Result<Vec<()>>>()
    })?;
    Ok(())
}

/// Tells how far the run is; whether it is to go on.
fn goes_on(replications: &[Box<dyn Replication + '_>], run: &Run<'_>, kind: &Kind<'_>) -> bool {
    let tallies: Vec<Tally> = replications.iter().map(|replication| replication.recorder().overall.clone()).collect();
    let so_far = sample(kind, tallies, f64::INFINITY, None, Vec::new());
    let width = run.target.map(|(metric, _)| {
        let width = so_far.half_width(metric, CONFIDENCE, Method::Batches).unwrap_or(f64::INFINITY);
        let value = so_far.estimate(metric).map_or(0.0, |estimate| estimate.value.abs());
        if width == 0.0 { 0.0 } else { width / value }
    });
    let reached = run.target.zip(width).is_some_and(|((_, target), width)| width <= target);
    let of = run.jobs_each() * u64::from(run.replications);
    let progress = Progress { jobs: so_far.jobs(), of, relative_half_width: width };
    let wanted = run.watch.is_none_or(|watch| watch(&progress));
    wanted && !reached
}

fn collect(replications: &[Box<dyn Replication + '_>], input: &Input<'_>, run: &Run<'_>, kind: &Kind<'_>) -> Simulated {
    let of = |part: &dyn Fn(&Recorder) -> Tally| -> Vec<Tally> {
        replications.iter().map(|replication| part(replication.recorder())).collect()
    };
    let count = if input.count() > 1 { input.count() } else { 0 };
    let classes = (0..count).map(|class| {
        let tallies = of(&|recorder| recorder.classes[class].clone());
        sample(kind, tallies, input.rate(Some(class)), kind.capacity, (kind.infinite)(Some(class)))
    });
    let edges = [0.0].into_iter().chain(run.size_bins.iter().copied());
    let highs = run.size_bins.iter().copied().chain([f64::INFINITY]);
    let bins = edges.zip(highs).enumerate().filter(|_| !run.size_bins.is_empty()).map(|(bin, (low, high))| {
        let tallies = of(&|recorder| recorder.bins[bin].clone());
        Bin { low, high, sample: sample(kind, tallies, f64::INFINITY, None, Vec::new()) }
    });
    let overall = of(&|recorder| recorder.overall.clone().with_histograms_of(&recorder.classes));
    Simulated {
        overall: sample(kind, overall, input.rate(None), kind.capacity, (kind.infinite)(None)),
        classes: classes.collect(),
        bins: bins.collect(),
    }
}

fn sample(kind: &Kind<'_>, tallies: Vec<Tally>, rate: f64, capacity: Option<f64>, infinite: Vec<Metric>) -> Sample {
    Sample { model: kind.model.clone(), tallies, rate, capacity, waits_first: kind.waits_first, infinite }
}
