//! How long, how often and from which seed.

use crate::error::{Error, Result, require};
use crate::workload::Metric;

/// The most replications.
const MOST_REPLICATIONS: u32 = 10_000;

/// How far a simulation is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Jobs counted so far.
    pub jobs: u64,
    /// Jobs that are counted at most.
    pub of: u64,
    /// The relative 95 % half-width of the metric that decides when to stop, if one does.
    pub relative_half_width: Option<f64>,
}

/// Told how far a simulation is; one that returns `false` stops it.
pub type Watch<'a> = &'a (dyn Fn(&Progress) -> bool + Sync);

/// How a simulation is run. Its numbers are a function of the seed and of what is set here, but not of the number of threads.
///
/// ```
/// use queueing::prelude::*;
/// use queueing::sim::{self, Run};
/// let jobs = Workload::with_load(Exponential::with_mean(1.0)?, 0.5)?;
/// let run = Run::new(7).jobs(200_000);
/// let seen = sim::mg1(&jobs, Discipline::Fcfs, &run)?.overall.estimate(Metric::MeanResponseTime)?;
/// let Accuracy::Simulated { standard_error, .. } = seen.accuracy else { unreachable!() };
/// assert!((seen.value - 2.0).abs() < 4.0 * standard_error);              // 1/(μ−λ)
/// # Ok::<(), queueing::Error>(())
/// ```
#[derive(Clone)]
pub struct Run<'a> {
    pub(super) seed: u64,
    pub(super) jobs: u64,
    pub(super) replications: u32,
    pub(super) warm_up: Option<u64>,
    pub(super) threads: usize,
    pub(super) target: Option<(Metric, f64)>,
    pub(super) size_bins: Vec<f64>,
    pub(super) is_transient: bool,
    pub(super) watch: Option<Watch<'a>>,
}

impl<'a> Run<'a> {
    /// A million jobs in eight replications, a tenth as many before them as warm-up, on as many threads as the machine has.
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            jobs: 1_000_000,
            replications: 8,
            warm_up: None,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            target: None,
            size_bins: Vec::new(),
            is_transient: false,
            watch: None,
        }
    }

    /// Jobs to count, in all replications together; with a target the most. A trace is always replayed whole.
    #[must_use]
    pub fn jobs(mut self, jobs: u64) -> Self {
        self.jobs = jobs;
        self
    }

    /// Independent replications, each from an empty system.
    #[must_use]
    pub fn replications(mut self, replications: u32) -> Self {
        self.replications = replications;
        self
    }

    /// Jobs of each replication that come before those that are counted. The default is a tenth of these, and none for a trace and for a
    /// transient run.
    ///
    /// A queue at load ρ whose sizes have the squared coefficient of variation C² forgets its empty start after some (1 + C²)/(1−ρ)² jobs.
    /// A warm-up of less than twice as many leaves means too low, by a share of the order of that number over the jobs, and no
    /// standard error shows it: near saturation give few replications of many jobs.
    #[must_use]
    pub fn warm_up(mut self, jobs: u64) -> Self {
        self.warm_up = Some(jobs);
        self
    }

    /// Threads over which the replications are spread. The result does not depend on it.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Stops as soon as the 95 % half-width of a metric is at most so large, relative to its value. It is looked at after each
    /// fiftieth of the jobs.
    #[must_use]
    pub fn until(mut self, metric: Metric, relative_half_width: f64) -> Self {
        self.target = Some((metric, relative_half_width));
        self
    }

    /// Results by ranges of the size, too: up to the first edge, up to the second, ..., beyond the last.
    #[must_use]
    pub fn size_bins(mut self, edges: &[f64]) -> Self {
        self.size_bins = edges.to_vec();
        self
    }

    /// Allows a system without a steady state. Its means are those of the first jobs, from an empty system, and grow with their
    /// number. After twice that number no more jobs arrive.
    #[must_use]
    pub fn transient(mut self) -> Self {
        self.is_transient = true;
        self
    }

    /// Tells `watch` after each fiftieth of the jobs how far the simulation is.
    #[must_use]
    pub fn watch(mut self, watch: Watch<'a>) -> Self {
        self.watch = Some(watch);
        self
    }

    pub(super) fn check(&self) -> Result<()> {
        let replications = f64::from(self.replications);
        let most = f64::from(MOST_REPLICATIONS);
        require((1.0..=most).contains(&replications), "replications", replications, "must be between 1 and 10000")?;
        let requirement = "must be at least the replications and at most 1e15";
        require((replications..=1e15).contains(&(self.jobs as f64)), "jobs", self.jobs as f64, requirement)?;
        let warm_up = self.warm_up.unwrap_or(0) as f64;
        require(warm_up <= 1e15, "warm_up", warm_up, "must be at most 1e15")?;
        require(self.threads > 0, "threads", 0.0, "must be at least 1")?;
        if let Some((_, width)) = self.target {
            require(width > 0.0 && width.is_finite(), "relative half-width", width, "must be positive and finite")?;
        }
        let mut before = 0.0;
        for (i, &edge) in self.size_bins.iter().enumerate() {
            if !(edge > before && edge.is_finite()) {
                let requirement = "must be positive, finite and above the one before it";
                return Err(Error::Datum { what: "edge of a size bin", index: i + 1, value: edge, requirement });
            }
            before = edge;
        }
        Ok(())
    }

    /// Jobs that each replication counts.
    pub(super) fn jobs_each(&self) -> u64 {
        self.jobs.div_ceil(u64::from(self.replications))
    }

    pub(super) fn warm_up_each(&self, is_trace: bool) -> u64 {
        let default = if is_trace || self.is_transient { 0 } else { self.jobs_each() / 10 };
        self.warm_up.unwrap_or(default)
    }
}

impl std::fmt::Debug for Run<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Run")
            .field("seed", &self.seed)
            .field("jobs", &self.jobs)
            .field("replications", &self.replications)
            .field("warm_up", &self.warm_up)
            .field("threads", &self.threads)
            .field("target", &self.target)
            .field("size_bins", &self.size_bins)
            .field("is_transient", &self.is_transient)
            .finish_non_exhaustive()
    }
}
