//! Interpolation with corrections for heavy and light traffic.

use super::{approximate, cosmetatos_correction};
use crate::accuracy::Assumption;
use crate::error::Result;
use crate::size::JobSize;
use crate::workload::{Farm, Performance};

/// `E[W] ≈ φ (1+C²)/2 · W_M`: the M/G/n queue by Whitt's approximation of 1993.
///
/// With γ the smaller of 0.24 and Cosmetatos' correction, φ₁ = 1+γ (M/D/n), φ₃ = (1−4γ)e^{−2(1−ρ)/3ρ} (D/M/n),
/// φ₄ = min(1, (φ₁+φ₃)/2):
///
/// - C² <= 1: φ = (4(1−C²)φ₁ + C²ψ)/(4−3C²), ψ = φ₄^{1−C²};
/// - C² >= 1: φ = ((C²−1)φ₃ + C²+3)/(2+2C²).
///
/// Exact for exponential sizes; for equal sizes it is Cosmetatos' value with the correction held at 0.24. As published it is not
/// the M/G/1 queue for n = 1 unless C² is 0 or 1; here one host gives the exact queue. Infinite for sizes of infinite variance.
/// Gives the metrics of [`lee_longton`](crate::multiserver::lee_longton).
///
/// Cost: that of [`mmn`](crate::multiserver::mmn). Error on the reference rows of M/PH/n and M/D/n: see `docs/accuracy.md`.
///
/// # Errors
/// [`Error::Unstable`](crate::Error::Unstable) at load one or more per host.
///
/// Source: W. Whitt, "Approximations for the GI/G/m queue" (1993), equations 2.16 to 2.25, for Poisson arrivals.
///
/// ```
/// use queueing::prelude::*;
/// let farm = Farm::with_load(HyperExponential::balanced(1.0, 3.0)?, Hosts::identical(2)?, 0.5)?;
/// let gamma = (14.0_f64.sqrt() - 2.0) / 32.0;
/// let phi = ((1.0 - 4.0 * gamma) * (-2.0_f64 / 3.0).exp() + 3.0) / 4.0;       // C² = 3
/// let waiting = multiserver::whitt(&farm)?.mean_waiting_time()?;
/// assert!((waiting - phi * 2.0 / 3.0).abs() < 1e-15);              // W_M = 1/3
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn whitt<S: JobSize>(farm: &Farm<S>) -> Result<Performance> {
    approximate(farm, "M/G/n FCFS by Whitt (1993)", Assumption::Whitt, |known| {
        let scv = known.scv;
        let gamma = cosmetatos_correction(known).min(0.24);
        let phi1 = 1.0 + gamma;
        let phi3 = (1.0 - 4.0 * gamma) * (-2.0 * known.spare / (3.0 * known.rho)).exp();
        if scv <= 1.0 {
            let phi4 = (0.5 * (phi1 + phi3)).min(1.0);
            // ψ(c²) = φ₄^{2(1−c²)} at c² = (1+C²)/2
            let psi = phi4.powf(1.0 - scv);
            let phi = (4.0 * (1.0 - scv) * phi1 + scv * psi) / (4.0 - 3.0 * scv);
            return Ok(0.5 * phi * (1.0 + scv));
        }
        // φ(1+C²)/2 = ((C²−1)φ₃ + C²+3)/4 = (C²(1+φ₃) + 3 − φ₃)/4, which is infinite with C² even where φ₃ vanishes
        Ok(0.25 * (scv * (1.0 + phi3) + 3.0 - phi3))
    })
}
