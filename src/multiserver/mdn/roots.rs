//! The M/D/n queue by the roots of Crommelin's equation, in the form of Franx.

use super::Queue;
use crate::error::{Error, Result};
use crate::numeric::sum::Sum;
use num_complex::Complex64;

/// Newton steps for a root, and plain iterations where Newton fails.
const NEWTON: usize = 40;
const PLAIN: usize = 100_000;

/// P(W > 0), E[L_q] and E[L_q(L_q−1)] from the roots z_j of zⁿ = e^{a(z−1)} in |z| < 1, with s = 1 − ρ.
pub(super) fn queue(hosts: usize, load: f64, spare: f64) -> Result<Queue> {
    let (n, s) = (hosts as f64, spare);
    let (mut logs, mut inverses, mut squares) = (Sum::default(), Sum::default(), Sum::default());
    let mut z = Complex64::ZERO;
    // Roots come in conjugate pairs, and for even n one is real. From ω = −1 towards 1 each is the next one's start.
    for j in (1..=hosts / 2).rev() {
        let omega = Complex64::cis(std::f64::consts::TAU * j as f64 / n);
        z = root(omega, load, z)?;
        let copies = if 2 * j == hosts { 1.0 } else { 2.0 };
        let y = 1.0 - z;
        let inverse = y.inv();
        logs.add(0.5 * copies * y.norm_sqr().ln());
        inverses.add(copies * inverse.re);
        squares.add(copies * (inverse * inverse).re);
    }
    // (n(n−1)−a²)/(2(n−a)) = n(1 − s/2) − 1/2s
    let first = n * (1.0 - 0.5 * s) - 0.5 / s;
    // (n(n−1)(n−2)−a³)/(3(n−a)) = n²(1 − s + s²/3) − n/s + 2/3s
    let second = n * n * (1.0 - s + s * s / 3.0) - n / s + 2.0 / (3.0 * s);
    // E[L_q] = (a²−n(n−1))/(2(n−a)) + Σ 1/(1−z_j); the second factorial cumulant likewise with −Σ 1/(1−z_j)²
    let mean = inverses.value() - first;
    let factorial = first * first - second - squares.value() + mean * mean;
    // P(W = 0) = (n−a)/Π(1−z_j)
    let log_idle = (n * s).ln() - logs.value();
    // Roundings of the terms, over what they cancel to.
    let rounding = 8.0 * f64::EPSILON;
    let waiting = -log_idle.exp_m1();
    Ok(Queue {
        waiting,
        mean,
        factorial,
        errors: [
            rounding * (1.0 + n.sqrt().min(8.0)) / waiting,
            rounding * (n + 0.5 / s) / mean,
            rounding * (n * n + n / s + 0.25 / (s * s)) / factorial,
        ],
    })
}

/// The z in |z| < 1 with z = ω e^{ρ(z−1)}; there is one for every |ω| = 1 but ω = 1.
fn root(omega: Complex64, load: f64, start: Complex64) -> Result<Complex64> {
    let image = |z: Complex64| omega * ((z - 1.0) * load).exp();
    // Two plain iterations bring any start in the disc near enough for Newton's method.
    let mut z = image(image(start));
    for _ in 0..NEWTON {
        let at = image(z);
        let step = (z - at) / (1.0 - at * load);
        z -= step;
        if !(z.norm_sqr() < 1.0) {
            break;
        }
        // The error after a step is of the order of its square.
        if step.norm_sqr() <= 1e-20 {
            return Ok(z);
        }
    }
    // The map contracts the disc, if slowly near ω = 1.
    let mut z = Complex64::ZERO;
    let mut step = f64::INFINITY;
    for _ in 0..PLAIN {
        let next = image(z);
        step = (next - z).norm();
        z = next;
        if step <= 1e-16 {
            return Ok(z);
        }
    }
    Err(Error::NoConvergence { what: "a root of the M/D/n queue", iterations: PLAIN, residual: step })
}
