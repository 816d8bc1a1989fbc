//! M/G/n by interpolation between queues that are known.
//!
//! Each approximates E\[W\] by the means W_M and W_D of the M/M/n and M/D/n queues with the same arrival rate and mean size, and the
//! squared coefficient of variation C² of the sizes. With one host all of them are the exact M/G/1 queue.

mod boxma_cohen_huffels;
mod cosmetatos;
mod kimura;
mod lee_longton;
mod residual;
mod whitt;

pub use boxma_cohen_huffels::boxma_cohen_huffels;
pub use cosmetatos::cosmetatos;
pub use kimura::kimura;
pub use lee_longton::lee_longton;
pub use whitt::whitt;

use super::independent::Waiting;
use super::mdn::Queue;
use super::mmn::Wait;
use super::stable;
use crate::accuracy::{Accuracy, Assumption};
use crate::error::Result;
use crate::mg1;
use crate::numeric::power::product;
use crate::size::JobSize;
use crate::workload::{Farm, Performance};

/// What all the approximations start from.
struct Known {
    hosts: f64,
    rho: f64,
    spare: f64,
    /// C² of the sizes, possibly infinite
    scv: f64,
    /// W_M, which may be 0 where it is below the smallest double
    exponential: f64,
}

/// The result of an approximation whose E\[W\] is W_M times `factor`; with one host the M/G/1 queue.
fn approximate<S: JobSize>(
    farm: &Farm<S>,
    model: &'static str,
    assumption: Assumption,
    factor: impl FnOnce(&Known) -> Result<f64>,
) -> Result<Performance> {
    stable(farm)?;
    if farm.hosts().count() == 1 {
        return mg1::fcfs(&farm.one_host());
    }
    let known = Known {
        hosts: farm.hosts().count() as f64,
        rho: farm.load(),
        spare: farm.spare(),
        scv: farm.jobs().size().scv(),
        exponential: Wait::of(farm)?.mean(),
    };
    let waiting = product(factor(&known)?, known.exponential);
    let waiting = Waiting { mean: waiting, second: None, probability: None };
    Ok(waiting.performance(farm, model, Accuracy::Approximate { assumption }))
}

/// `W_D/W_M`, between a half and one.
fn deterministic_ratio(known: &Known) -> Result<f64> {
    let (n, rho) = (known.hosts, known.rho);
    let queue = Queue::of(n as usize, rho, known.spare)?.mean;
    let exponential = Wait::at(n as usize, rho, known.spare, 1.0).mean();
    // E[L_q] = λE[W], λ = nρ for jobs of size 1
    let ratio = queue / (n * rho * exponential);
    // Where both are below the smallest double so is the result, whatever the ratio.
    Ok(if ratio.is_finite() { ratio.clamp(0.5, 1.0) } else { 1.0 })
}

/// Cosmetatos' correction `(1−ρ)(n−1)(√(4+5n)−2)/(16nρ)`, by which W_D exceeds W_M/2.
fn cosmetatos_correction(known: &Known) -> f64 {
    let n = known.hosts;
    known.spare * (n - 1.0) * ((4.0 + 5.0 * n).sqrt() - 2.0) / (16.0 * n * known.rho)
}
