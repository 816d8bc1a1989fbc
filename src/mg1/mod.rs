//! One host: M/G/1 queues by discipline.
//!
//! Jobs arrive in a Poisson stream, sizes are independent of arrivals and of each other, the host has speed one. Each discipline has a
//! function of its own, and [`performance`] takes the [`Discipline`] as an argument. What a job of one size meets is told by
//! [`response_time_given_size`], [`slowdown_given_size`] and [`performance_given_size`], and who gains or loses against processor sharing
//! by [`fairness`]. Classes of jobs: [`non_preemptive_priority`], [`preemptive_priority`]. Percentiles under FCFS:
//! [`waiting_time_quantile`], [`response_time_quantile`].
//!
//! | discipline | E\[T(x)\] for a job of size x |
//! |---|---|
//! | [`fcfs`], [`lcfs`], [`siro`] | x + λE\[X²\]/2(1−ρ) |
//! | [`ps`], [`preemptive_lcfs`] | x/(1−ρ) |
//! | [`sjf`] | x + λE\[X²\]/2(1−ρ(x−))(1−ρ(x)) |
//! | [`preemptive_sjf`] | x/(1−ρ(x)) + λE\[X²; X≤x\]/2(1−ρ(x))² |
//! | [`srpt`] | ∫₀ˣ dt/(1−ρ(t)) + λ(E\[X²; X≤x\] + x²P(X>x))/2(1−ρ(x))² |
//! | [`fb`] | x/(1−ρₓ) + λE\[min(X,x)²\]/2(1−ρₓ)², ρₓ = λE\[min(X,x)\] |
//! | [`lrpt`] | x/(1−ρ) + λE\[X²\]/2(1−ρ)² |

mod averages;
mod by_size;
mod fairness;
mod far;
mod fb;
mod fcfs;
mod given_size;
mod lcfs;
mod level;
mod linear;
mod lrpt;
mod preemptive_lcfs;
mod preemptive_sjf;
mod priority;
mod ps;
mod siro;
mod sjf;
mod srpt;
mod stream;
mod sweep;
mod waiting;
mod work;

pub use fairness::{Fairness, fairness, slowdown_at_percentile};
pub use fb::fb;
pub use fcfs::fcfs;
pub(crate) use fcfs::performance as fcfs_of;
pub use given_size::{performance_given_size, response_time_given_size, slowdown_given_size};
pub use lcfs::lcfs;
pub use lrpt::lrpt;
pub use preemptive_lcfs::preemptive_lcfs;
pub use preemptive_sjf::preemptive_sjf;
pub use priority::{non_preemptive_priority, preemptive_priority};
pub(crate) use ps::performance as ps_of;
pub use ps::ps;
pub use siro::siro;
pub use sjf::sjf;
pub use srpt::srpt;
pub(crate) use stream::{Moments, Stream};
pub use waiting::{response_time_quantile, response_time_tail, waiting_time_quantile, waiting_time_tail};

use crate::error::Result;
use crate::size::JobSize;
use crate::workload::{Discipline, Performance, Workload};

/// The metrics of one host under a discipline, as by its own function.
///
/// # Errors
/// [`Error::Unstable`](crate::Error::Unstable) at load one or more.
///
/// ```
/// use queueing::prelude::*;
/// let jobs = Workload::with_load(Exponential::with_mean(1.0)?, 0.5)?;
/// assert_eq!(mg1::performance(&jobs, Discipline::Fcfs)?.mean_response_time()?, 2.0);   // 1/(μ−λ)
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn performance<S: JobSize>(jobs: &Workload<S>, discipline: Discipline) -> Result<Performance> {
    match discipline {
        Discipline::Fcfs => fcfs(jobs),
        Discipline::Lcfs => lcfs(jobs),
        Discipline::Siro => siro(jobs),
        Discipline::Ps => ps(jobs),
        Discipline::PreemptiveLcfs => preemptive_lcfs(jobs),
        Discipline::Sjf => sjf(jobs),
        Discipline::PreemptiveSjf => preemptive_sjf(jobs),
        Discipline::Srpt => srpt(jobs),
        Discipline::Fb => fb(jobs),
        Discipline::Lrpt => lrpt(jobs),
    }
}
