//! Between M/M/n and M/D/n by a weighted harmonic mean.

use super::{approximate, deterministic_ratio};
use crate::accuracy::Assumption;
use crate::error::Result;
use crate::size::JobSize;
use crate::workload::{Farm, Performance};

/// `E[W] ≈ (1+C²) / ( 2C²/W_M + (1−C²)/W_D )`: the M/G/n queue by Kimura's approximation.
///
/// Exact for one host, for exponential and for equal sizes, with the exact M/D/n mean W_D. For C² above one it extrapolates and
/// stays bounded as C² grows, so it falls far short of the truth at C² >= 20 with many hosts; for sizes of infinite variance the
/// result is its limit W_M/(2 − W_M/W_D). Gives the metrics of [`lee_longton`](crate::multiserver::lee_longton).
///
/// Cost: that of [`mdn`](crate::multiserver::mdn). Error on the reference rows of M/PH/n and M/D/n: see `docs/accuracy.md`.
///
/// # Errors
/// [`Error::Unstable`](crate::Error::Unstable) at load one or more per host.
///
/// Source: T. Kimura, "A two-moment approximation for the mean waiting time in the GI/G/s queue" (1986).
///
/// ```
/// use queueing::prelude::*;
/// let farm = Farm::with_load(HyperExponential::balanced(1.0, 4.0)?, Hosts::identical(2)?, 0.8)?;
/// let waiting = multiserver::kimura(&farm)?.mean_waiting_time()?;
/// assert!((waiting - 4.2417).abs() < 1e-4);                        // W_M = 16/9, W_D = 0.903284
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn kimura<S: JobSize>(farm: &Farm<S>) -> Result<Performance> {
    approximate(farm, "M/G/n FCFS by Kimura", Assumption::Kimura, |known| {
        let (ratio, scv) = (deterministic_ratio(known)?, known.scv);
        // 2C² + (1−C²)/r over 1+C², r = W_D/W_M, by the weights 1/(1+C²) and C²/(1+C²)
        let (one, other) = (1.0 / (1.0 + scv), 1.0 / (1.0 + 1.0 / scv));
        Ok(1.0 / (one / ratio + other * (2.0 - 1.0 / ratio)))
    })
}
