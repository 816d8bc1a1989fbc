//! The M/D/n queue by Spitzer's identity.

use super::Queue;
use crate::multiserver::poisson;

/// The most steps of the walk that are summed; the caller's n(1−ρ)² >= 1/4 needs some 350.
const MOST_STEPS: u32 = 2000;

/// P(W > 0), E[L_q] and E[L_q(L_q−1)] from the laws of the free walk S_m = Poisson(ma) − mn, term by positive term.
pub(super) fn queue(hosts: usize, load: f64, spare: f64) -> Queue {
    let n = hosts as f64;
    // The terms fall like e^{−m n (ρ−1−ln ρ)}.
    let ratio = (-n * poisson::deviance(load, spare)).exp();
    let mut sums = [0.0; 3];
    for m in 1..=MOST_STEPS {
        let m = f64::from(m);
        let k = m * n;
        let weight = poisson::at(k, load, spare) / m;
        let terms = poisson::excess_over_point(k, k * load).map(|excess| weight * excess);
        for (sum, term) in sums.iter_mut().zip(terms) {
            *sum += term;
        }
        if terms[2] * ratio <= 0.25 * f64::EPSILON * sums[2] * (1.0 - ratio) {
            break;
        }
    }
    let [exponent, mean, factorial] = sums;
    Queue {
        // P(W = 0) = exp(−Σ P(S_m >= 0)/m)
        waiting: -(-exponent).exp_m1(),
        // E[L_q] = Σ E[S_m⁺]/m
        mean,
        // Var[L_q] = Σ E[(S_m⁺)²]/m, hence E[L_q(L_q−1)] = Σ E[S_m⁺(S_m⁺−1)]/m + E[L_q]²
        factorial: factorial + mean * mean,
        // A Poisson probability has an error of as many roundings as its exponent.
        errors: [f64::EPSILON * (32.0 - 4.0 * mean.max(f64::MIN_POSITIVE).ln().min(0.0)); 3],
    }
}
