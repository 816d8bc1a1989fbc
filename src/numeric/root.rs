//! Roots of monotone functions, bracketed.
//!
//! `roots` decides signs by products of function values, which underflow for tiny ones: give residuals relative to the target.

use roots::{Convergency, find_root_brent};

/// Stops when the bracket is as narrow as doubles allow (for x = ln size near 0: as the size itself allows), or on a zero.
struct ToTheLastDigit;

impl Convergency<f64> for ToTheLastDigit {
    fn is_root_found(&mut self, y: f64) -> bool {
        y == 0.0
    }
    fn is_converged(&mut self, x1: f64, x2: f64) -> bool {
        (x1 - x2).abs() <= 2.0 * f64::EPSILON * x1.abs().max(x2.abs()).max(1.0)
    }
    fn is_iteration_limit_reached(&mut self, iteration: usize) -> bool {
        iteration > 200
    }
}

/// The zero of an increasing or decreasing `f` between `low` and `high`, to a few units in the last place of max(1, |x|).
///
/// Without a change of sign the end with the smaller |f| is returned: the root lies at that end up to rounding.
pub(crate) fn monotone(f: &mut impl FnMut(f64) -> f64, low: f64, high: f64) -> f64 {
    let (at_low, at_high) = (f(low), f(high));
    if at_low == 0.0 {
        return low;
    }
    if at_high == 0.0 {
        return high;
    }
    // `roots` lets NaN through its bracket test, hence the signs here.
    if !((at_low < 0.0 && at_high > 0.0) || (at_low > 0.0 && at_high < 0.0)) {
        return if at_low.abs() <= at_high.abs() { low } else { high };
    }
    find_root_brent(low, high, &mut *f, &mut ToTheLastDigit).unwrap_or_else(|_| bisect(f, low, high, at_low))
}

/// Bisection, for what Brent's method gives up on.
fn bisect(f: &mut impl FnMut(f64) -> f64, mut low: f64, mut high: f64, at_low: f64) -> f64 {
    for _ in 0..2000 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if (f(middle) < 0.0) == (at_low < 0.0) { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// The positive x with f(x) = 0 between `low` and `high`, sought in ln(x/inside); `low` may be 0 and `high` infinite.
///
/// Both ends are approached from `inside`, a positive point of the interval, by steps that double in the logarithm. Close to
/// `inside` x is found to its last digits.
pub(crate) fn monotone_in_log(f: &mut impl FnMut(f64) -> f64, low: f64, inside: f64, high: f64) -> f64 {
    let at_inside = f(inside);
    if at_inside == 0.0 {
        return inside;
    }
    for (direction, end) in [(1.0, high), (-1.0, low)] {
        if let Some(far) = bracket(f, inside, at_inside, direction, end) {
            let (from, to) = if far > 0.0 { (0.0, far) } else { (far, 0.0) };
            return (inside * monotone(&mut |v| f(inside * v.exp()), from, to).exp()).clamp(low, high);
        }
    }
    // No change of sign: the root is at the end where |f| is smaller.
    let (at_low, at_high) = (f(low.max(f64::MIN_POSITIVE)), f(high.min(f64::MAX)));
    if at_low.abs() <= at_high.abs() { low } else { high }
}

/// ln(x/inside) of a point towards `end` at which f has changed its sign.
fn bracket(f: &mut impl FnMut(f64) -> f64, inside: f64, at_inside: f64, direction: f64, end: f64) -> Option<f64> {
    // ln of the largest and of the smallest normal double
    let furthest = if end > 0.0 && end.is_finite() { end.ln() } else { direction * 709.0 } - inside.ln();
    let mut step = 0.5;
    while step < 4096.0 {
        let at_end = step >= furthest.abs();
        let point = if at_end { furthest } else { direction * step };
        let value = f(if at_end && end > 0.0 && end.is_finite() { end } else { inside * point.exp() });
        if value == 0.0 || (value < 0.0) != (at_inside < 0.0) {
            return Some(point);
        }
        if at_end {
            break;
        }
        step *= 2.0;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_roots_over_many_decades() {
        let root = monotone_in_log(&mut |x| x / 1e-200 - 1.0, 0.0, 1.0, f64::INFINITY);
        assert!((root / 1e-200 - 1.0).abs() < 1e-12);
        let root = monotone_in_log(&mut |x| x.ln() - 23.0, 1.0, 2.0, 1e12);
        assert!((root.ln() - 23.0).abs() < 1e-13);
        assert_eq!(monotone(&mut |x| x + 10.0, 1.0, 2.0), 1.0);
    }
}
