//! Arithmetic with twice the digits, for the few places where a difference of doubles decides.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// What a formula needs in order to run in single and in double precision alike.
pub(crate) trait Number:
    Copy
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// Whether digits beyond those of a double are kept.
    const EXTENDED: bool;
    /// A double as it is.
    fn of(value: f64) -> Self;
    /// The nearest double.
    fn value(self) -> f64;
    /// The square root; 0 of what is below 0 by rounding.
    fn root(self) -> Self;
}

impl Number for f64 {
    const EXTENDED: bool = false;
    fn of(value: f64) -> Self {
        value
    }
    fn value(self) -> f64 {
        self
    }
    fn root(self) -> Self {
        self.max(0.0).sqrt()
    }
}

/// high + low, with |low| at most half a unit in the last place of high: about 31 digits.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub(crate) struct DoubleDouble {
    high: f64,
    low: f64,
}

/// The sum and its rounding error, for |a| >= |b|.
fn quick_sum(a: f64, b: f64) -> DoubleDouble {
    let high = a + b;
    DoubleDouble { high, low: b - (high - a) }
}

/// The sum and its rounding error (Knuth).
fn sum(a: f64, b: f64) -> (f64, f64) {
    let high = a + b;
    let part = high - a;
    (high, (a - (high - part)) + (b - part))
}

/// The product and its rounding error.
fn product(a: f64, b: f64) -> (f64, f64) {
    let high = a * b;
    (high, a.mul_add(b, -high))
}

impl Add for DoubleDouble {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let (high, error) = sum(self.high, other.high);
        let (low, rest) = sum(self.low, other.low);
        let first = quick_sum(high, error + low);
        quick_sum(first.high, first.low + rest)
    }
}

impl Neg for DoubleDouble {
    type Output = Self;
    fn neg(self) -> Self {
        Self { high: -self.high, low: -self.low }
    }
}

impl Sub for DoubleDouble {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for DoubleDouble {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let (high, error) = product(self.high, other.high);
        quick_sum(high, error + (self.high * other.low + self.low * other.high))
    }
}

impl Div for DoubleDouble {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        // Long division in three digits of a double each.
        let first = self.high / other.high;
        let rest = self - other * Self::of(first);
        let second = rest.high / other.high;
        let rest = rest - other * Self::of(second);
        quick_sum(first, second) + Self::of(rest.high / other.high)
    }
}

impl Number for DoubleDouble {
    const EXTENDED: bool = true;
    fn of(value: f64) -> Self {
        Self { high: value, low: 0.0 }
    }
    fn value(self) -> f64 {
        self.high
    }
    fn root(self) -> Self {
        if !(self.high > 0.0) {
            return Self::of(0.0);
        }
        // One step of Newton from the double root: x + (a − x²)/2x.
        let x = self.high.sqrt();
        let (square, error) = product(x, x);
        let rest = self - Self { high: square, low: error };
        quick_sum(x, rest.high / (2.0 * x))
    }
}

#[cfg(test)]
mod tests {
    use super::{DoubleDouble, Number};

    #[test]
    fn thirty_digits() {
        let third = DoubleDouble::of(1.0) / DoubleDouble::of(3.0);
        let left = third * DoubleDouble::of(3.0) - DoubleDouble::of(1.0);
        assert!(left.value().abs() < 1e-31);
        let root = DoubleDouble::of(2.0).root();
        assert!((root * root - DoubleDouble::of(2.0)).value().abs() < 1e-31);
        // 5·1.2 − 6 in doubles as they are: 1.2 is 1.2 − 2^-54·0.8.
        let gap = DoubleDouble::of(5.0) * DoubleDouble::of(1.2) - DoubleDouble::of(6.0);
        assert_eq!(gap.value(), -(2.0_f64).powi(-52));
    }
}
