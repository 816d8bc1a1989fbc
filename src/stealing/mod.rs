//! Cycle stealing: shorts and longs have hosts of their own, and idle long hosts help the shorts.
//!
//! Shorts and longs arrive in Poisson streams. Service is not preemptive, first come, first served inside each class; hosts have speed
//! one. Three policies:
//!
//! | policy | rule | function |
//! |---|---|---|
//! | Dedicated | shorts to the short hosts, longs to the long host | [`dedicated`] |
//! | SBCS-ID, immediate dispatch | an arriving short takes the long host if that is idle, else it queues at the short hosts | [`immediate_dispatch`] |
//! | SBCS-CQ, central queue | a host takes the next job when it becomes free: the long host a long if there is one, else a short | [`central_queue`] |
//!
//! What a long that finds the long host busy with a short may do is the [`Renaming`] rule of the central queue. [`stability_limit`]
//! tells up to which load of shorts a policy keeps up, [`sweep`] compares the policies over short loads, and [`optimal_cutoff`] divides
//! one workload into shorts and longs.
//!
//! # Two solvers
//!
//! The chain of the shorts is a quasi-birth-death process once the time that the long host is away is given by phases
//! ("dimensionality reduction"). By default that time gets a phase type of two phases with the same three moments, as published: some
//! ten microseconds, labelled `Approximate`, mostly within 1 per cent for exponential longs, up to 15 per cent off for very variable ones
//! (`docs/dr-accuracy.md`) and more for sizes that span many decades.
//!
//! With a tolerance, the time is what a row of exponential phases takes that is entered with weights of either sign, so that its Laplace
//! transform fits: the shorts see no more of it than that. All kinds of periods share the same phases. It is refined until two successive
//! fits agree to the tolerance; labelled `Numerical` with their difference. Nothing is assumed of the long sizes: their own transform is
//! used. The same solver answers where the other would need many phases (hardly variable longs or shorts).
//!
//! Source: T. Osogami, "Analysis of Multi-server Systems via Dimensionality Reduction of Markov Chains" (thesis, 2005), chapters 3 and
//! 6; M. Harchol-Balter, C. Li, T. Osogami, A. Scheller-Wolf, M. Squillante, "Analysis of Task Assignment with Cycle Stealing under
//! Central Queue" (2003). The transforms and what follows from them are this crate's own.

mod beneficiaries;
mod central;
mod cutoff;
mod dedicated;
mod explicit;
mod immediate;
mod joint;
mod limits;
mod longs;
mod never;
mod numbers;
mod options;
mod periods;
mod refine;
mod renaming;
mod result;
mod rules;
mod several;
mod shorts;
mod sweep;

pub use beneficiaries::{Beneficiaries, beneficiaries};
pub use central::central_queue;
pub use cutoff::{Split, optimal_cutoff, optimal_cutoff_with};
pub use dedicated::dedicated;
pub use immediate::immediate_dispatch;
pub use limits::{Policy, stability_limit};
pub use options::{CentralQueue, ImmediateDispatch, Renaming, Tie};
pub use result::CycleStealing;
pub use sweep::{Point, sweep};
