//! SITA-E.

use super::Cutoffs;
use crate::error::{Result, require};
use crate::size::JobSize;
use crate::workload::Farm;

/// `E[X; X <= x_i] = (i/h)E[X]`: the cutoffs of SITA-E, which give every host the same load.
///
/// Cutoffs that fall on an atom of the law split it: the share of its jobs that goes below is drawn at random, which makes loads
/// equal for every law, traces included. They do not depend on the load, which may be one or more.
///
/// Returns one cutoff fewer than hosts. Cost: closed form for Pareto, bounded Pareto and uniform sizes (some 30 ns a cutoff),
/// O(log n) for a trace of n atoms, else a root each. Accuracy: loads equal to about 1e-14.
///
/// # Errors
/// [`Error::Argument`](crate::Error::Argument) for a law with an infinite mean.
///
/// Source: M. Crovella, M. Harchol-Balter and C. Murta, "Task assignment in a distributed system: improving performance by
/// unbalancing load" (1998).
///
/// ```
/// use queueing::prelude::*;
/// let farm = Farm::with_load(BoundedPareto::new(1.0, 1e6, 1.0)?, Hosts::identical(2)?, 0.5)?;
/// let cutoffs = sita::equal_load(&farm)?;
/// assert!((cutoffs.sizes().next().unwrap() / 1000.0 - 1.0).abs() < 1e-14);     // √(kp) at α = 1
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn equal_load<S: JobSize>(farm: &Farm<S>) -> Result<Cutoffs> {
    let (jobs, hosts) = (farm.jobs(), farm.hosts().count());
    require(jobs.mean_size().is_finite(), "mean size", jobs.mean_size(), "must be finite for loads to be equal")?;
    let share = |i: usize| i as f64 / hosts as f64;
    Ok(Cutoffs::found((1..hosts).map(|i| jobs.size().load_quantile(share(i), share(hosts - i))).collect()))
}
