//! What arrives.

use crate::error::{Error, Result, SIZES, SIZES_REQUIREMENT, require};
use crate::size::JobSize;
use crate::workload::Workload;

/// The most classes of jobs.
const MOST_CLASSES: usize = 1000;

/// A job of a trace.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Record {
    /// When it arrives; only differences matter.
    pub time: f64,
    /// Its size, in units of work.
    pub size: f64,
    /// Its class, from 0.
    pub class: usize,
}

/// A stream of jobs: Poisson classes or a trace, perhaps of several tasks a job, perhaps with sizes that are known badly.
///
/// ```
/// use queueing::prelude::*;
/// use queueing::sim::Input;
/// let jobs = Workload::new(0.5, Exponential::with_mean(1.0)?)?;
/// let three = Deterministic::new(3.0)?;
/// assert_eq!(Input::poisson(&jobs).with_tasks(&three)?.load(), 1.5);
/// # Ok::<(), queueing::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Input<'a> {
    pub(super) classes: Vec<Class<'a>>,
    pub(super) trace: Option<&'a [Record]>,
    pub(super) tasks: Option<&'a dyn JobSize>,
    pub(super) error: Option<&'a dyn JobSize>,
}

/// A Poisson class.
#[derive(Debug, Clone, Copy)]
pub(super) struct Class<'a> {
    pub rate: f64,
    pub size: &'a dyn JobSize,
    pub load: f64,
}

impl<'a> Class<'a> {
    fn of<S: JobSize>(jobs: &'a Workload<S>) -> Self {
        Self { rate: jobs.rate(), size: jobs.size(), load: jobs.load() }
    }
}

impl<'a> Input<'a> {
    /// One Poisson stream.
    pub fn poisson<S: JobSize>(jobs: &'a Workload<S>) -> Self {
        Self { classes: vec![Class::of(jobs)], trace: None, tasks: None, error: None }
    }

    /// Several independent Poisson streams: class 0, 1, ...
    ///
    /// # Errors
    /// [`Error::Argument`] unless there are between one class and a thousand.
    pub fn classes<S: JobSize>(classes: &'a [Workload<S>]) -> Result<Self> {
        let count = classes.len();
        require((1..=MOST_CLASSES).contains(&count), "classes", count as f64, "must be between 1 and 1000")?;
        Ok(Self { classes: classes.iter().map(Class::of).collect(), trace: None, tasks: None, error: None })
    }

    /// Two independent Poisson streams with laws of different types: class 0 and class 1.
    pub fn pair<S: JobSize, L: JobSize>(first: &'a Workload<S>, second: &'a Workload<L>) -> Self {
        Self { classes: vec![Class::of(first), Class::of(second)], trace: None, tasks: None, error: None }
    }

    /// The jobs of a trace, each once.
    ///
    /// # Errors
    /// [`Error::Argument`] without jobs; [`Error::Datum`] for a time that is not finite or before the one before it, a size that is
    /// not between 1e-70 and 1e70, or a class of a thousand or more.
    pub fn trace(records: &'a [Record]) -> Result<Self> {
        require(!records.is_empty(), "jobs of the trace", 0.0, "must be at least one")?;
        let mut before = f64::NEG_INFINITY;
        for (i, record) in records.iter().enumerate() {
            let datum = |what, value, requirement| Err(Error::Datum { what, index: i + 1, value, requirement });
            if !record.time.is_finite() {
                return datum("arrival time", record.time, "must be finite");
            }
            if record.time < before {
                return datum("arrival time", record.time, "must not be before the one before it");
            }
            if !SIZES.contains(&record.size) {
                return datum("size", record.size, SIZES_REQUIREMENT);
            }
            if record.class >= MOST_CLASSES {
                return datum("class", record.class as f64, "must be below 1000");
            }
            before = record.time;
        }
        Ok(Self { classes: Vec::new(), trace: Some(records), tasks: None, error: None })
    }

    /// Each job has several tasks, whose number is drawn from `count`; each task has a size of its own, all arrive at once, and the job
    /// ends with its last task. The size of the job is that of its largest task: the time that it takes alone on enough hosts.
    ///
    /// # Errors
    /// [`Error::Argument`] for a law that has not only whole sizes between 1 and a million, and for a trace.
    pub fn with_tasks(mut self, count: &'a dyn JobSize) -> Result<Self> {
        require(self.trace.is_none(), "tasks", count.mean(), "must be left out for a trace")?;
        let is_count = |size: f64| size.fract() == 0.0 && (1.0..=1e6).contains(&size);
        let bad = count.atoms().iter().find(|atom| !is_count(atom.size)).map(|atom| atom.size);
        let requirement = "must come from a law of whole numbers between 1 and a million";
        require(bad.is_none() && count.is_discrete(), "tasks", bad.unwrap_or(count.mean()), requirement)?;
        self.tasks = Some(count);
        Ok(self)
    }

    /// Dispatchers and schedulers see each size times an independent factor drawn from `factor`; service takes the true size.
    #[must_use]
    pub fn with_estimate_error(mut self, factor: &'a dyn JobSize) -> Self {
        self.error = Some(factor);
        self
    }

    /// The work that arrives per unit of time; for a trace that of its jobs over the time between the first and the last arrival.
    pub fn load(&self) -> f64 {
        match self.trace {
            Some(records) => records.iter().map(|record| record.size).sum::<f64>() / span(records),
            None => self.tasks_per_job() * self.classes.iter().map(|class| class.load).sum::<f64>(),
        }
    }

    /// Jobs per unit of time of a class, or of all.
    pub(super) fn rate(&self, class: Option<usize>) -> f64 {
        match (self.trace, class) {
            (Some(records), None) => records.len() as f64 / span(records),
            (Some(records), Some(class)) => {
                records.iter().filter(|record| record.class == class).count() as f64 / span(records)
            }
            (None, None) => self.classes.iter().map(|class| class.rate).sum(),
            (None, Some(class)) => self.classes.get(class).map_or(0.0, |class| class.rate),
        }
    }

    pub(super) fn count(&self) -> usize {
        match self.trace {
            Some(records) => records.iter().map(|record| record.class).max().unwrap_or(0) + 1,
            None => self.classes.len(),
        }
    }

    pub(super) fn tasks_per_job(&self) -> f64 {
        self.tasks.map_or(1.0, JobSize::mean)
    }
}

fn span(records: &[Record]) -> f64 {
    match records {
        [first, .., last] => last.time - first.time,
        _ => 0.0,
    }
}
