//! Between M/M/n and an approximate M/D/n by a straight line in C².

use super::{approximate, cosmetatos_correction};
use crate::accuracy::Assumption;
use crate::error::Result;
use crate::size::JobSize;
use crate::workload::{Farm, Performance};

/// `E[W] ≈ C² W_M + (1−C²) W_D`, W_D ≈ ½(1 + (1−ρ)(n−1)(√(4+5n)−2)/(16nρ)) W_M: the M/G/n queue by the approximation of Cosmetatos.
///
/// Exact for one host and for exponential sizes, and within one per cent for equal sizes at moderate and high load. The correction
/// is too large for many hosts in light traffic; where it would put M/D/n above M/M/n it is held at one. Infinite for sizes of
/// infinite variance. Gives the metrics of [`lee_longton`](crate::multiserver::lee_longton).
///
/// Cost: that of [`mmn`](crate::multiserver::mmn). Error on the reference rows of M/PH/n and M/D/n: see `docs/accuracy.md`.
///
/// # Errors
/// [`Error::Unstable`](crate::Error::Unstable) at load one or more per host.
///
/// Source: G. P. Cosmetatos, "Some approximate equilibrium results for the multi-server queue (M/G/r)" (1976).
///
/// ```
/// use queueing::prelude::*;
/// let farm = Farm::with_load(Deterministic::new(1.0)?, Hosts::identical(2)?, 0.5)?;
/// let waiting = multiserver::cosmetatos(&farm)?.mean_waiting_time()?;
/// let correction = (14.0_f64.sqrt() - 2.0) / 32.0;                 // (1/2)·1·(√14 − 2)/(16·2·1/2)
/// assert!((waiting - (1.0 + correction) / 6.0).abs() < 1e-15);     // W_M = 1/3
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn cosmetatos<S: JobSize>(farm: &Farm<S>) -> Result<Performance> {
    approximate(farm, "M/G/n FCFS by Cosmetatos", Assumption::Cosmetatos, |known| {
        let ratio = 0.5 * (1.0 + cosmetatos_correction(known).min(1.0));
        // C² + (1−C²)r = r + C²(1−r)
        Ok(if known.scv.is_infinite() { f64::INFINITY } else { ratio + known.scv * (1.0 - ratio) })
    })
}
