//! Poisson probabilities at and beyond a count above the mean, to full relative accuracy.

use crate::numeric::stirling::{correction, log_minus_linear};

/// Relative size below which a rest is dropped, 2⁻⁵⁴.
const NEGLIGIBLE: f64 = 0.25 * f64::EPSILON;

/// `(ρ − 1) − ln ρ`, the rate at which a Poisson probability at count k and mean kρ falls with k; for 0 < ρ <= 1.
pub(super) fn deviance(load: f64, spare: f64) -> f64 {
    if spare > 0.5 {
        return -(load.ln() + spare);
    }
    -log_minus_linear(-spare)
}

/// P(N = k) for N Poisson with mean kρ, for 0 < ρ <= 1 and a whole k >= 1.
///
/// Relative error a few 1e-16, times the number of powers of e by which the value is below one.
pub(super) fn at(k: f64, load: f64, spare: f64) -> f64 {
    if k <= 20.0 {
        let mean = k * load;
        return (1..=k as u32).fold((-mean).exp(), |product, i| product * (mean / f64::from(i)));
    }
    // Stirling: k! = √(2πk) kᵏ e^{−k+δ}
    let delta = correction(k);
    // P(N = k) = e^{−k(ρ−1−ln ρ)−δ} / √(2πk)
    (-k * deviance(load, spare) - delta).exp() / (std::f64::consts::TAU * k).sqrt()
}

/// P(N >= k)/P(N = k) = 1 + a/(k+1) + a²/((k+1)(k+2)) + ... for N Poisson with mean a < k.
pub(super) fn tail_over_point(k: f64, a: f64) -> f64 {
    // Terms fall like ρʲ exp(−j²/2k): some 9√k of them at the most.
    let most = 64 + 4 * k.sqrt() as usize;
    let (mut sum, mut term, mut count) = (1.0, 1.0, k);
    let fourth = (a * a) * (a * a);
    for _ in 0..most {
        // Four terms over one denominator, whose inverse does not wait for the term before.
        let (k2, k4) = (count + 2.0, count + 4.0);
        let last = (count + 3.0) * k4;
        let scale = term * (1.0 / ((count + 1.0) * k2 * last));
        sum += scale * (a * (k2 * last + a * (last + a * (k4 + a))));
        term = scale * fourth;
        count = k4;
        // What is left is below a geometric series of ratio a/(count+1).
        if term * a <= NEGLIGIBLE * sum * (count + 1.0 - a) {
            break;
        }
    }
    sum
}

/// P(N >= k), E[(N−k)⁺] and E[(N−k)⁺(N−k−1)⁺], each over P(N = k), for N Poisson with mean a < k: Σ tⱼ, Σ j tⱼ, Σ j(j−1) tⱼ.
pub(super) fn excess_over_point(k: f64, a: f64) -> [f64; 3] {
    let most = 512 + 16 * k.sqrt() as usize;
    let (mut tail, mut mean, mut factorial, mut term, mut j) = (1.0, 0.0, 0.0, 1.0, 0.0);
    for _ in 0..most {
        j += 1.0;
        // tⱼ = tⱼ₋₁ a/(k+j)
        term *= a / (k + j);
        tail += term;
        mean += j * term;
        factorial += j * (j - 1.0) * term;
        if j * j * term * a <= NEGLIGIBLE * factorial * (k + j - a) {
            break;
        }
    }
    [tail, mean, factorial]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(value: f64, expected: f64, tolerance: f64) {
        assert!((value / expected - 1.0).abs() <= tolerance, "{value} against {expected}");
    }

    #[test]
    fn probabilities_follow_the_recursion_in_the_count() {
        // P(N = k) by the product of a/i from e^-a, for means small enough that e^-a is a normal double.
        for (k, load) in [(1.0, 0.3), (20.0, 0.9), (21.0, 0.9), (21.0, 0.45), (90.0, 0.75), (150.0, 0.999)] {
            let a: f64 = k * load;
            let direct = (1..=k as u32).fold((-a).exp(), |product, i| product * a / f64::from(i));
            close(at(k, load, 1.0 - load), direct, 1e-13);
        }
    }

    #[test]
    fn the_three_branches_of_the_deviance_meet() {
        for spare in [0.3_f64, 0.5] {
            let (below, above) = (spare.next_down(), spare.next_up());
            close(deviance(1.0 - below, below), deviance(1.0 - above, above), 2e-15);
        }
        // s²/2 + s³/3 + ... for a small spare
        close(deviance(1.0, 1e-9), 0.5e-18 * (1.0 + 2e-9 / 3.0), 1e-15);
    }

    #[test]
    fn excesses_agree_with_the_identity_of_the_poisson_mean() {
        // E[(N−k)⁺] = a P(N >= k−1) − k P(N >= k) = a (P(N = k−1) + P(N >= k)) − k P(N >= k), P(N = k−1) = P(N = k) k/a
        for (k, a) in [(1.0, 0.5), (10.0, 8.0), (100.0, 99.0), (400.0, 320.0)] {
            let [tail, mean, _] = excess_over_point(k, a);
            close(tail, tail_over_point(k, a), 1e-14);
            close(mean, k - (k - a) * tail, 1e-12);
        }
    }
}
