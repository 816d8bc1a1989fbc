//! The normal law over an interval, for the lognormal partial moments.

use super::quadrature::panel;

/// ∫ φ(t) dt over (low, low + width] for the standard normal density φ: no cancellation in either tail or on narrow intervals.
///
/// `low` may be −∞ and `width` +∞; `high` is `low + width` as far as doubles tell.
pub(crate) fn normal_interval(low: f64, high: f64, width: f64) -> f64 {
    if !(width > 0.0) {
        return 0.0;
    }
    // Mirror into the upper tail: the density is even.
    let (low, high) = if high <= 0.0 { (-high, -low) } else { (low, high) };
    if low < 0.0 {
        // The interval holds 0: both parts are positive.
        return 0.5 * (libm::erf(high * FRAC) + libm::erf(-low * FRAC));
    }
    let (above_low, above_high) = (libm::erfc(low * FRAC), libm::erfc(high * FRAC));
    if above_high <= 0.9 * above_low {
        return 0.5 * (above_low - above_high);
    }
    // φ(low + t) = φ(low) exp(−t(low + t/2)): narrow, so the exponent stays small and one panel is exact to rounding.
    density(low) * panel(&mut |t| (-t * (low + 0.5 * t)).exp(), 0.0, width)
}

/// φ(z) = e^{−z²/2}/√(2π).
pub(crate) fn density(z: f64) -> f64 {
    (-0.5 * z * z).exp() / std::f64::consts::TAU.sqrt()
}

const FRAC: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// z with P(Z > z) = q, by Newton steps in ln erfc from a tail estimate: full precision for 1e-300 <= q < 1.
pub(crate) fn upper_quantile(q: f64) -> f64 {
    if q > 0.5 {
        return -upper_quantile_small(1.0 - q);
    }
    upper_quantile_small(q)
}

/// z with P(Z < z) = p, from the complement's side, so that small p keep their digits.
pub(crate) fn quantile(p: f64) -> f64 {
    if p > 0.5 { upper_quantile_small(1.0 - p) } else { -upper_quantile_small(p) }
}

fn upper_quantile_small(q: f64) -> f64 {
    if q <= 0.0 {
        return f64::INFINITY;
    }
    // Start: z² ~ −2 ln q − ln(2π(−2 ln q)) in the tail, a straight line near the middle.
    let log = -2.0 * q.ln();
    let mut z = if q < 0.1 { (log - (std::f64::consts::TAU * log).ln()).max(0.5).sqrt() } else { 2.5 * (0.5 - q) };
    for _ in 0..60 {
        let tail = 0.5 * libm::erfc(z * FRAC);
        // Newton on ln P(Z > z): the step is (ln tail − ln q) tail/φ.
        let step = (tail / q).ln() * tail / density(z);
        z += step;
        if step.abs() <= 1e-15 * z.abs().max(1e-3) {
            break;
        }
    }
    z
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_in_the_tail_and_narrow_ones() {
        // 40-digit values: P(8 < Z < 8 + 2^-20), P(-1 < Z < 2), P(Z > 20).
        let width = (2.0_f64).powi(-20);
        for (value, expected) in [
            (normal_interval(8.0, 8.0 + width, width), NARROW),
            (normal_interval(-8.0 - width, -8.0, width), NARROW),
            (normal_interval(-1.0, 2.0, 3.0), STRADDLE),
            (normal_interval(20.0, f64::INFINITY, f64::INFINITY), TAIL),
        ] {
            assert!((value / expected - 1.0).abs() < 1e-13, "{value:e} {expected:e}");
        }
    }

    #[test]
    fn quantiles_invert_the_tail() {
        for q in [1e-300, 1e-20, 1e-5, 0.05, 0.3, 0.5, 0.7, 0.999] {
            let tail = 0.5 * libm::erfc(upper_quantile(q) * FRAC);
            assert!((tail / q - 1.0).abs() < 2e-13, "{q}: {tail}");
        }
    }

    const NARROW: f64 = 4.81820279188199261e-21;
    const STRADDLE: f64 = 0.818594614120363741;
    const TAIL: f64 = 2.7536241186062337e-89;
}
