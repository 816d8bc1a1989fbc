//! Between M/M/n and M/D/n by the time until the first of n busy hosts is free.

use super::residual::shortest;
use super::{approximate, deterministic_ratio};
use crate::accuracy::Assumption;
use crate::error::Result;
use crate::size::JobSize;
use crate::workload::{Farm, Performance};

/// `E[W] ≈ (1+C²)/2 · 2 W_M W_D / ( 2αW_D + (1−α)W_M )`: the M/G/n queue by the approximation of Boxma, Cohen and Huffels.
///
/// α = (E\[X²\]/(E\[X\]g) − n − 1)/(n−1), where g = ∫(1−F_e(t))ⁿdt is the mean of the smallest of n independent residual sizes; α is 1
/// for exponential and 0 for equal sizes, for which, and for one host, the approximation is exact. It uses the law and not only its
/// moments, yet falls short of the truth at C² >= 20 with many hosts. Infinite for sizes of infinite variance. Gives the metrics of
/// [`lee_longton`](crate::multiserver::lee_longton).
///
/// Cost: that of [`mdn`](crate::multiserver::mdn) and an integral over the law, some 100 µs. Error on the reference rows of M/PH/n
/// and M/D/n: see `docs/accuracy.md`.
///
/// # Errors
/// [`Error::Unstable`](crate::Error::Unstable) at load one or more per host.
///
/// Source: O. J. Boxma, J. W. Cohen and N. Huffels, "Approximations of the mean waiting time in an M/G/s queueing system" (1979).
///
/// ```
/// use queueing::prelude::*;
/// let farm = Farm::with_load(HyperExponential::balanced(1.0, 4.0)?, Hosts::identical(2)?, 0.8)?;
/// let waiting = multiserver::boxma_cohen_huffels(&farm)?.mean_waiting_time()?;
/// assert!((waiting - 4.3263).abs() < 1e-4);                        // exact: 4.2854
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn boxma_cohen_huffels<S: JobSize>(farm: &Farm<S>) -> Result<Performance> {
    approximate(farm, "M/G/n FCFS by Boxma, Cohen and Huffels", Assumption::BoxmaCohenHuffels, |known| {
        if known.scv.is_infinite() {
            return Ok(f64::INFINITY);
        }
        let (n, m) = (known.hosts, farm.jobs().mean_size());
        // E[X²]/E[X] = E[X](1+C²); α >= 0, since the residual density falls
        let alpha = ((m * (1.0 + known.scv) / shortest(farm.jobs().size(), m, n) - n - 1.0) / (n - 1.0)).max(0.0);
        let ratio = deterministic_ratio(known)?;
        // Divided by W_M, with r = W_D/W_M: 2αr + 1 − α = 1 + α(2r−1)
        Ok((1.0 + known.scv) * ratio / (1.0 + alpha * (2.0 * ratio - 1.0)))
    })
}
