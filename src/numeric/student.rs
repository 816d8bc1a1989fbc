//! Student's t law.

use super::normal;
use super::root::monotone_in_log;
use statrs::function::beta::checked_beta_reg;

/// From so many degrees of freedom on the law is normal to rounding of what it is used for.
const NORMAL: f64 = 1e7;

/// P(T > t) for t >= 0 with ν degrees of freedom: I_{ν/(ν+t²)}(ν/2, 1/2)/2.
pub(crate) fn sf(t: f64, freedom: f64) -> f64 {
    if freedom >= NORMAL || !t.is_finite() {
        return normal::normal_interval(t, f64::INFINITY, f64::INFINITY);
    }
    let x = freedom / (freedom + t * t);
    // The incomplete beta keeps its digits at small arguments; near 1 its complement is asked for.
    0.5 * checked_beta_reg(0.5 * freedom, 0.5, x).unwrap_or(f64::from(u8::from(t == 0.0)))
}

/// t with P(T > t) = q, for 0 < q < 1/2.
pub(crate) fn upper_quantile(q: f64, freedom: f64) -> f64 {
    if freedom >= NORMAL {
        return normal::upper_quantile(q);
    }
    if !(q > 1e-300) {
        return f64::INFINITY;
    }
    monotone_in_log(&mut |t| (sf(t, freedom).max(1e-320) / q).ln(), 0.0, 1.0, f64::INFINITY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_student() {
        // Two-sided 95 % and 99.9 % points as printed in every table, and the Cauchy law tan(π(1/2 − q)).
        for (q, freedom, expected) in [
            (0.025, 2.0, 4.302652729911275),
            (0.025, 10.0, 2.2281388519649385),
            (0.025, 30.0, 2.0422724563012373),
            (0.0005, 10.0, 4.586893858702636),
            (0.025, 1.0, 12.706204736432095),
            (1e-6, 1.0, 318309.8861827437),
        ] {
            let t = upper_quantile(q, freedom);
            assert!((t / expected - 1.0).abs() < 1e-9, "{q} {freedom}: {t}");
            assert!((sf(expected, freedom) / q - 1.0).abs() < 1e-9, "{q} {freedom}");
        }
        assert_eq!(sf(0.0, 5.0), 0.5);
    }
}
