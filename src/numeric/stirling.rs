//! Parts of Stirling's formula, kept apart so that large factorials divide without losing digits.

/// ln(1+d) − d for d > −1, without the cancellation at small d.
pub(crate) fn log_minus_linear(d: f64) -> f64 {
    if !(d.abs() <= 0.5) {
        return d.ln_1p() - d;
    }
    // With v = d/(2+d): ln(1+d) = 2 artanh v and 2v − d = −vd, so the difference is −vd + 2(v³/3 + v⁵/5 + ...)
    let v = d / (2.0 + d);
    let square = v * v;
    let (mut series, mut power) = (0.0, v * square);
    for n in 1..16 {
        let term = power / f64::from(2 * n + 1);
        series += term;
        if term.abs() <= 0.25 * f64::EPSILON * series.abs() {
            break;
        }
        power *= square;
    }
    2.0 * series - v * d
}

/// ln Γ(x) − [(x−½) ln x − x + ½ ln 2π] = 1/12x − 1/360x³ + 1/1260x⁵ − 1/1680x⁷ + 1/1188x⁹ for x >= 20.
pub(crate) fn correction(x: f64) -> f64 {
    let square = 1.0 / (x * x);
    (1.0 / 12.0 - square * (1.0 / 360.0 - square * (1.0 / 1260.0 - square * (1.0 / 1680.0 - square / 1188.0)))) / x
}

#[cfg(test)]
mod tests {
    use super::*;

    // 40-digit values (mpmath).
    #[test]
    fn against_high_precision() {
        for (d, expected) in [
            (1e-09, -4.99999999666666729e-19),
            (-0.05, -0.00129329438755053357),
            (0.299, -0.0374052623115375112),
            (-0.299, -0.0562473919475469564),
            (0.301, -0.037866800469631775),
        ] {
            let value = log_minus_linear(d);
            assert!((value / expected - 1.0).abs() < 2e-15, "{d}: {value:e}");
        }
        assert!((correction(20.0) / 0.00416631969199692246 - 1.0).abs() < 1e-13);
    }
}
