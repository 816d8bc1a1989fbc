//! SITA, size interval task assignment: each host serves the jobs of one range of sizes.
//!
//! With cutoffs x₁ < ... < x_{h−1} host i receives the sizes in (x_{i−1}, x_i], a Poisson stream of its own, and the farm is a set
//! of independent M/G/1 queues (M. Harchol-Balter, M. Crovella and C. Murta, "On choosing a task assignment policy for a
//! distributed server system", 1999). [`equal_load`] balances the load (SITA-E), [`optimal`] chooses the cutoffs that minimise
//! waiting or slowdown (SITA-V), and [`evaluate`] tells what any cutoffs give.

mod cutoffs;
mod equal_load;
mod evaluate;
mod host;
mod objective;
mod optimal;
mod path;
mod places;
mod polish;
mod settle;

pub use cutoffs::Cutoffs;
pub use equal_load::equal_load;
pub use evaluate::{Assignment, HostOutcome, evaluate};
pub use host::Host;
pub use optimal::{Atoms, optimal, optimal_by, optimal_with};
