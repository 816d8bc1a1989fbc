//! Simulation of every policy of the crate: the twin of each formula, and an answer where there is none.
//!
//! Hosts that serve first come, first served under Random, round robin, SITA, TAGS, least work left, join idle queue and JSQ(d) are simulated
//! by a recursion, everything else by events. A result is a function of the seed: the same bits on any number of threads.
//!
//! | system | function |
//! |---|---|
//! | one host under any [`Discipline`] | [`mg1`] |
//! | one host with priorities | [`priorities`] |
//! | a farm under any [`Dispatch`] and discipline | [`farm`](farm()) |
//! | short hosts and long hosts, cycle stealing | [`stealing`] |
//! | several classes, traces, jobs of several tasks, badly known sizes | [`simulate`] with an [`Input`] and a [`System`] |
//! | a [`Policy`] or a [`Server`] of your own | [`simulate_with`] |
//!
//! Each job that is counted tells its response time T, its size X and its waiting time W = T − X. Times are kept relative to an origin that
//! moves with the run, and sums are compensated, so that runs of any length keep their digits for sizes over ten decades.

mod build;
mod central;
mod engine;
mod fast;
mod generator;
mod histogram;
mod input;
mod parents;
mod policy;
mod recorder;
mod replication;
mod run;
mod sample;
mod server;
mod simulate;
mod stability;
mod stealing;
mod system;
mod tally;
mod tournament;
mod view;

pub use histogram::Histogram;
pub use input::{Input, Record};
pub use policy::Policy;
pub use run::{Progress, Run, Watch};
pub use sample::{Method, Sample};
pub(crate) use sample::{Spread, inflation, spread, standard_error};

pub use build::hosts;
pub use server::{Done, Server, Task};
pub use simulate::{Bin, Simulated, simulate, simulate_with};
pub use stealing::Stealing;
pub use system::{Dispatch, Service, System};
pub use view::View;

use crate::error::Result;
use crate::size::JobSize;
use crate::workload::{Discipline, Farm, Hosts, Workload};

/// One host under a discipline.
///
/// # Errors
/// As [`simulate`].
///
/// ```
/// use queueing::prelude::*;
/// use queueing::sim::{self, Run};
/// let jobs = Workload::with_load(Exponential::with_mean(1.0)?, 0.5)?;
/// let ps = sim::mg1(&jobs, Discipline::Ps, &Run::new(1).jobs(100_000))?;
/// assert!((ps.overall.performance().mean_slowdown()? - 2.0).abs() < 0.1);       // 1/(1−ρ)
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn mg1<S: JobSize>(jobs: &Workload<S>, discipline: Discipline, run: &Run<'_>) -> Result<Simulated> {
    let system = System::Farm {
        hosts: Hosts::identical(1)?,
        dispatch: Dispatch::Random,
        service: Service::Discipline(discipline),
    };
    simulate(&Input::poisson(jobs), &system, run)
}

/// One host that serves the class of the least number first, with or without interrupting the others.
///
/// # Errors
/// As [`simulate`], and [`Error::Argument`](crate::Error::Argument) without classes.
pub fn priorities<S: JobSize>(classes: &[Workload<S>], preemptive: bool, run: &Run<'_>) -> Result<Simulated> {
    let service = if preemptive { Service::PreemptivePriority } else { Service::Priority };
    let system = System::Farm { hosts: Hosts::identical(1)?, dispatch: Dispatch::Random, service };
    simulate(&Input::classes(classes)?, &system, run)
}

/// A farm under a task assignment policy.
///
/// # Errors
/// As [`simulate`].
///
/// ```
/// use queueing::prelude::*;
/// use queueing::sim::{self, Dispatch, Run};
/// let farm = Farm::with_load(Exponential::with_mean(1.0)?, Hosts::identical(2)?, 0.5)?;
/// let seen = sim::farm(&farm, &Dispatch::LeastWorkLeft, Discipline::Fcfs, &Run::new(1).jobs(100_000))?;
/// assert!((seen.overall.performance().mean_waiting_time()? - 1.0 / 3.0).abs() < 0.02);    // M/M/2
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn farm<S: JobSize>(
    farm: &Farm<S>,
    dispatch: &Dispatch,
    discipline: Discipline,
    run: &Run<'_>,
) -> Result<Simulated> {
    let system =
        System::Farm { hosts: farm.hosts(), dispatch: dispatch.clone(), service: Service::Discipline(discipline) };
    simulate(&Input::poisson(farm.jobs()), &system, run)
}

/// Short hosts and long hosts: the classes of the result are the shorts and the longs.
///
/// # Errors
/// As [`simulate`].
///
/// ```
/// use queueing::prelude::*;
/// use queueing::sim::{self, Run, Stealing};
/// use queueing::stealing::Renaming;
/// let (shorts, longs) = (Exponential::with_mean(1.0)?, Exponential::with_mean(1.0)?);
/// let (shorts, longs) = (Workload::with_load(shorts, 0.5)?, Workload::with_load(longs, 0.5)?);
/// let (one, run) = (Hosts::identical(1)?, Run::new(1).jobs(200_000));
/// let seen = sim::stealing(&shorts, &longs, one, one, Stealing::CentralQueue(Renaming::Never), &run)?;
/// assert!((seen.classes[0].performance().mean_response_time()? - 1.3156).abs() < 0.03);
/// assert!((seen.classes[1].performance().mean_response_time()? - 2.2014).abs() < 0.1);
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn stealing<S: JobSize, L: JobSize>(
    shorts: &Workload<S>,
    longs: &Workload<L>,
    short_hosts: Hosts,
    long_hosts: Hosts,
    stealing: Stealing,
    run: &Run<'_>,
) -> Result<Simulated> {
    simulate(&Input::pair(shorts, longs), &System::Stealing { short_hosts, long_hosts, stealing }, run)
}
