//! Powers over an interval, the one integral on which Pareto, uniform and small-argument forms rest.

/// ln(b/a) for 0 < a <= b, without loss when b is next to a and without overflow when it is far.
pub(crate) fn log_ratio(a: f64, b: f64) -> f64 {
    let gap = b - a;
    if gap < 0.5 * a {
        (gap / a).ln_1p()
    } else {
        let ratio = b / a;
        if ratio.is_finite() || b.is_infinite() { ratio.ln() } else { b.ln() - a.ln() }
    }
}

/// ∫ₐᵇ tᵉ⁻¹ dt for real e and 0 <= a <= b <= ∞: never negative, infinite where it diverges.
pub(crate) fn power_integral(e: f64, a: f64, b: f64) -> f64 {
    if a >= b {
        return 0.0;
    }
    if a == 0.0 {
        return if e > 0.0 && b.is_finite() { b.powf(e) / e } else { f64::INFINITY };
    }
    if b.is_infinite() {
        return if e < 0.0 { a.powf(e) / -e } else { f64::INFINITY };
    }
    power_integral_over(e, a, b, log_ratio(a, b))
}

/// [`power_integral`] with the logarithmic width ln(b/a) given, for 0 < a < b < ∞.
///
/// (bᵉ − aᵉ)/e = aᵉ expm1(eL)/e = bᵉ (−expm1(−eL))/e, and L at e = 0; the larger end is taken so that nothing overflows early.
pub(crate) fn power_integral_over(e: f64, a: f64, b: f64, log_width: f64) -> f64 {
    let exponent = e * log_width;
    if exponent.abs() < 1e-17 {
        log_width
    } else if exponent < 0.0 {
        a.powf(e) * (exponent.exp_m1() / e)
    } else {
        b.powf(e) * (-(-exponent).exp_m1() / e)
    }
}

/// factor · value for two positive numbers, in which infinity wins over a factor that has fallen below the smallest double.
pub(crate) fn product(factor: f64, value: f64) -> f64 {
    if factor.is_infinite() || value.is_infinite() { f64::INFINITY } else { factor * value }
}

/// The x in [k, p] that splits ∫ tᵉ⁻¹ dt over [k, p] into the shares `below` and `above` = 1 − `below`; p may be infinite for e < 0.
///
/// xᵉ = above·kᵉ + below·pᵉ, taken relative to the larger of the two, so that nothing overflows; k e^{below·L} at e = 0.
pub(crate) fn power_quantile(e: f64, (k, p): (f64, f64), log_range: f64, below: f64, above: f64) -> f64 {
    if below <= 0.0 {
        return k;
    }
    if above <= 0.0 {
        return p;
    }
    if p.is_infinite() {
        return k * above.powf(1.0 / e);
    }
    let exponent = e * log_range;
    if exponent.abs() < 1e-300 {
        return k * (below * log_range).exp();
    }
    // Shares of the end that dominates and of the other one.
    let (origin, major, minor) = if e > 0.0 { (p, below, above) } else { (k, above, below) };
    let shrink = -exponent.abs();
    let share = major + minor * shrink.exp();
    let log = if share > 0.5 { (minor * shrink.exp_m1()).ln_1p() } else { share.ln() };
    (origin * (log / e).exp()).clamp(k, p)
}

/// `base` to a real power; the whole exponents that carry the moments in use by multiplication.
#[inline]
pub(crate) fn power(base: f64, exponent: f64) -> f64 {
    let square = base * base;
    match exponent {
        0.0 => 1.0,
        1.0 => base,
        2.0 => square,
        3.0 => square * base,
        4.0 => square * square,
        -1.0 => 1.0 / base,
        -2.0 => 1.0 / square,
        _ => base.powf(exponent),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // ln(b/a) and (bᵉ − aᵉ)/e of these doubles by 700-digit arithmetic (mpmath).
    #[test]
    fn narrow_and_wide_ratios_keep_their_digits() {
        for (a, b, expected) in [
            (4.0, 4.0 + (2.0_f64).powi(-31), 1.164153218201585509e-10),
            (1e-200, 1e200, 921.0340371976182736),
            (f64::from_bits(1), f64::MAX, 1454.222784814765259),
            (3.0, 4.4, 0.3829922522561058682),
            (3.0, 4.6, 0.4274440148269395476),
            (1.0, 1.0 + f64::EPSILON, 2.220446049250312834e-16),
        ] {
            let value = log_ratio(a, b);
            assert!((value / expected - 1.0).abs() <= 4e-16, "ln({b:e}/{a:e}) = {value:e}, not {expected:e}");
        }
    }

    #[test]
    fn the_logarithm_is_the_limit_of_the_power() {
        for (e, a, b, expected) in [
            (0.0, 1.0, 1e10, 23.02585092994045684),
            (1e-300, 1.0, 1e10, 23.02585092994045684),
            (-1e-18, 1.0, 1e10, 23.02585092994045658),
            (1e-14, 1.0, 1e10, 23.02585092994310779),
            (-1e-12, 1.0, 1e10, 23.02585092967536193),
            (1e-6, 1.0, 1e10, 23.02611602688067106),
            (-0.001, 1.0, 1e10, 22.7627790441893173),
            (0.5, 1.0, 1e10, 199998.0),
            (-1.5, 1.0, 1e10, 0.666666666666666),
            (3.0, 1.0, 1e10, 3.333333333333333333e29),
            (-40.0, 2.0, 2.0 + (2.0_f64).powi(-30), 4.235164695842380566e-22),
            (25.0, 0.001, 1000.0, 4.0e73),
            (-2.0, 1e-150, 1e150, 4.999999999999999937e299),
            (0.01, 1e-300, 1e300, 99999.90000000001235),
            (-0.01, 1e-300, 1e300, 99999.90000000001227),
        ] {
            let value = power_integral(e, a, b);
            assert!(
                (value / expected - 1.0).abs() <= 1e-14,
                "e = {e:e} over ({a:e}, {b:e}): {value:e}, not {expected:e}"
            );
        }
        assert_eq!(power_integral(0.0, 0.0, 1.0), f64::INFINITY);
        assert_eq!(power_integral(-1.5, 4.0, f64::INFINITY), 1.0 / 12.0);
        assert_eq!(power_integral(0.5, 0.0, 4.0), 4.0);
        assert_eq!((power_integral(2.0, 3.0, 3.0), power_integral(2.0, 3.0, 1.0)), (0.0, 0.0));
    }
}
