//! Transforms of power laws over an interval, for complex arguments.

use super::power::{power_integral, power_integral_over};
use super::quadrature::panel;
use num_complex::Complex64;

/// Where the continued fraction takes over from the power series.
const CROSSOVER: f64 = 2.0;

/// ∫₁^c t^{−α−1} e^{−zt} dt for real α > 0, Re z >= 0 and 1 < c <= ∞: absolute error about 1e-15 of the value at z = 0.
///
/// ln c is given too, since c does not resolve it for a narrow interval; that is one panel in ln t unless it oscillates.
/// Up to T = 2/|z| the exponential is expanded, Σ (−z)ⁿ/n! ∫ t^{n−α−1} dt, whose real factors are stable for every α (a
/// difference of incomplete gamma functions is not at whole α); beyond T it is E_{α+1} by its continued fraction.
pub(crate) fn power_law_transform(alpha: f64, z: Complex64, c: f64, log_c: f64) -> Complex64 {
    let modulus = z.norm();
    if modulus == 0.0 {
        return if c.is_finite() { power_integral_over(-alpha, 1.0, c, log_c) } else { 1.0 / alpha }.into();
    }
    if log_c <= 1.0 && modulus * log_c <= CROSSOVER {
        return panel(&mut |u: f64| (-z * u.exp() - alpha * u).exp(), 0.0, log_c);
    }
    let split = (CROSSOVER / modulus).clamp(1.0, c);
    let mut near = Complex64::ZERO;
    if split > 1.0 {
        // (−z)ⁿ/n! ∫₁^T t^{n−α−1} dt = (−zT)ⁿ/n! T^{−α} (1 − T^{α−n})/(n−α): neither factor leaves the doubles
        let (log_split, reach) = (split.ln(), z * split);
        let (mut factor, tail) = (Complex64::ONE, split.powf(-alpha));
        for n in 0..60 {
            let order = f64::from(n) - alpha;
            let term = if order > 0.0 {
                factor * (tail * -(-order * log_split).exp_m1() / order)
            } else {
                (-z).powu(n) / libm::tgamma(f64::from(n) + 1.0) * power_integral(order, 1.0, split)
            };
            near += term;
            if order > 0.0 && term.norm() <= 1e-18 * near.norm() {
                break;
            }
            factor *= -reach / f64::from(n + 1);
        }
    }
    if split >= c {
        return near;
    }
    // ∫_a^∞ t^{−α−1} e^{−zt} dt = a^{−α} E_{α+1}(za)
    let beyond = |a: f64| exponential_integral(alpha + 1.0, z * a) * a.powf(-alpha);
    near + beyond(split) - if c.is_finite() { beyond(c) } else { Complex64::ZERO }
}

/// E_p(z) = ∫₁^∞ e^{−zt} t^{−p} dt for |z| >= 1, Re z >= 0, by the contracted continued fraction (Lentz's algorithm).
fn exponential_integral(p: f64, z: Complex64) -> Complex64 {
    if z.re > 745.0 {
        return Complex64::ZERO;
    }
    // E_p(z) = e^{−z} · 1/(z+p − 1·p/(z+p+2 − 2(p+1)/(z+p+4 − ...)))
    let mut b = z + p;
    let (mut c, mut d) = (Complex64::new(1e300, 0.0), b.inv());
    let mut value = d;
    for i in 1..2000 {
        let n = f64::from(i);
        let a = -n * (p + n - 1.0);
        b += 2.0;
        d = (d * a + b).inv();
        c = b + c.inv() * a;
        let change = c * d;
        value *= change;
        if (change - 1.0).norm() < 1e-15 {
            break;
        }
    }
    value * (-z).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    // 40-digit quadrature (mpmath) of ∫₁^c t^{−α−1} e^{−zt} dt.
    #[test]
    fn against_high_precision() {
        for (alpha, re, im, c, value_re, value_im) in CASES {
            let value = power_law_transform(alpha, Complex64::new(re, im), c, c.ln());
            let expected = Complex64::new(value_re, value_im);
            assert!((value - expected).norm() < 2e-15 / alpha, "{alpha} {re} {im} {c}: {value} {expected}");
        }
    }
    const CASES: [(f64, f64, f64, f64, f64, f64); 7] = [
        (1.5, 0.3, 2.0, 1000.0, -0.210081979174644508, -0.0800313145371480759),
        (1.0, 0.001, 0.0, 10000000.0, 0.992668960469238842, 0.0),
        (2.0, 0.0, 0.5, f64::INFINITY, 0.296711886443308995, -0.324397296180715938),
        (1.1, 1e-09, 1e-08, 10000000000.0, 0.909090898356682133, -8.45359966505617287e-8),
        (0.7, 3.0, -4.0, 50.0, 0.000231270890495162838, -0.00813433423163516398),
        (2.5, 0.0, 30.0, f64::INFINITY, 0.0329636568717053565, -0.0013131312281790327),
        (1.5, 20.0, 1.0, 4.0, 4.61577682392467975e-11, -7.95087038771131918e-11),
    ];
}
