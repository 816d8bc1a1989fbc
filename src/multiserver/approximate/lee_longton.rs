//! The variability of the sizes as one factor.

use super::approximate;
use crate::accuracy::Assumption;
use crate::error::Result;
use crate::size::JobSize;
use crate::workload::{Farm, Performance};

/// `E[W] ≈ (1+C²)/2 · W_M`: the M/G/n queue by the approximation of Lee and Longton.
///
/// The M/M/n mean, scaled as the M/G/1 mean scales with C². Infinite for sizes of infinite variance. It is exact for one host and
/// for exponential sizes, too small for less variable sizes and too large for more variable ones, the more so the more hosts there
/// are. Gives E\[W\], E\[T\], both mean slowdowns and the mean number in system as `Approximate`, and the utilisation.
///
/// Cost: that of [`mmn`](crate::multiserver::mmn). Error on the reference rows of M/PH/n and M/D/n: see `docs/accuracy.md`.
///
/// # Errors
/// [`Error::Unstable`](crate::Error::Unstable) at load one or more per host.
///
/// Source: A. M. Lee and P. A. Longton (1959); also S. A. Nozaki and S. M. Ross (1978).
///
/// ```
/// use queueing::prelude::*;
/// let farm = Farm::with_load(Erlang::with_mean(2, 1.0)?, Hosts::identical(2)?, 0.5)?;
/// let waiting = multiserver::lee_longton(&farm)?.mean_waiting_time()?;
/// assert!((waiting - 0.25).abs() < 1e-15);                         // (1 + 1/2)/2 · 1/3
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn lee_longton<S: JobSize>(farm: &Farm<S>) -> Result<Performance> {
    approximate(farm, "M/G/n FCFS by Lee and Longton", Assumption::LeeLongton, |known| Ok(0.5 * (1.0 + known.scv)))
}
