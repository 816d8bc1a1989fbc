//! Quadrature: one Gauss-Legendre panel of sixteen nodes, and bisection of panels until halves agree with the whole.

use num_complex::Complex64;

/// Nodes and weights of the sixteen-point Gauss-Legendre rule on [-1, 1], the positive half.
pub(super) const GAUSS: [(f64, f64); 8] = [
    (0.095012509837637440185, 0.18945061045506849629),
    (0.28160355077925891323, 0.18260341504492358887),
    (0.45801677765722738634, 0.16915651939500253819),
    (0.61787624440264374845, 0.14959598881657673208),
    (0.75540440835500303390, 0.12462897125553387205),
    (0.86563120238783174388, 0.095158511682492784810),
    (0.94457502307323257608, 0.062253523938647892863),
    (0.98940093499164993260, 0.027152459411754094852),
];

/// What a panel may integrate: real and complex values.
pub(crate) trait Value:
    Copy + std::ops::Add<Output = Self> + std::ops::Sub<Output = Self> + std::ops::Mul<f64, Output = Self>
{
    /// The zero.
    const ZERO: Self;
    /// The modulus.
    fn size(self) -> f64;
}

impl Value for f64 {
    const ZERO: Self = 0.0;
    fn size(self) -> f64 {
        self.abs()
    }
}

impl Value for Complex64 {
    const ZERO: Self = Self::new(0.0, 0.0);
    fn size(self) -> f64 {
        self.norm()
    }
}

/// ∫ₐᵇ f by one panel of sixteen nodes.
pub(crate) fn panel<T: Value>(f: &mut impl FnMut(f64) -> T, a: f64, b: f64) -> T {
    let (middle, half) = (0.5 * (a + b), 0.5 * (b - a));
    let mut sum = T::ZERO;
    for (node, weight) in GAUSS {
        sum = sum + (f(middle - half * node) + f(middle + half * node)) * weight;
    }
    sum * half
}

/// How deep a panel may be halved: 2⁻⁴⁰ of an interval is beyond what a double resolves of a smooth integrand.
const DEEPEST: u32 = 40;

/// ∫ₐᵇ f by halving panels until the halves agree with the whole to `tolerance` times the integral.
///
/// `beside` is the modulus of whatever this integral is added to: its digits need not be better than those of the sum.
/// Returns the integral and an estimate of its absolute error. The number of panels is capped at 4000.
pub(crate) fn adaptive<T: Value>(
    f: &mut impl FnMut(f64) -> T,
    a: f64,
    b: f64,
    tolerance: f64,
    beside: f64,
) -> (T, f64) {
    let mut open = vec![(a, b, panel(f, a, b), 0_u32)];
    let (mut total, mut error, mut panels) = (T::ZERO, 0.0, 0);
    while let Some((low, high, whole, depth)) = open.pop() {
        let middle = 0.5 * (low + high);
        let (left, right) = (panel(f, low, middle), panel(f, middle, high));
        let halves = left + right;
        let gap = (halves - whole).size();
        let scale = beside + total.size() + open.iter().fold(halves.size(), |sum, (_, _, value, _)| sum + value.size());
        panels += 1;
        if gap <= tolerance * scale || gap <= 1e-15 * halves.size() || depth >= DEEPEST || panels >= 4000 {
            total = total + halves;
            // A panel of sixteen nodes gains about ten digits by one halving; the gap itself bounds the rest from far above.
            error += if gap <= tolerance * scale { 1e-3 * gap } else { gap };
        } else {
            open.push((low, middle, left, depth + 1));
            open.push((middle, high, right, depth + 1));
        }
    }
    (total, error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panel_is_exact_for_polynomials_up_to_degree_31() {
        let value = panel(&mut |x: f64| x.powi(31) + x.powi(30), 0.0, 1.0);
        assert!((value - 1.0 / 32.0 - 1.0 / 31.0).abs() < 1e-16);
    }

    #[test]
    fn halving_reaches_kinks_and_peaks() {
        let (value, error) = adaptive(&mut |x: f64| (x - 0.3).abs().sqrt(), 0.0, 1.0, 1e-12, 0.0);
        let exact = (0.3_f64.powf(1.5) + 0.7_f64.powf(1.5)) / 1.5;
        assert!((value / exact - 1.0).abs() < 1e-11 && error < 1e-9);
        let (peak, _) = adaptive(&mut |x: f64| 1e-4 / (x * x + 1e-8), -1.0, 1.0, 1e-13, 0.0);
        assert!((peak / (2.0 * 1e4_f64.atan()) - 1.0).abs() < 1e-12);
    }
}
