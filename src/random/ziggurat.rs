//! Exponential numbers by the ziggurat: the area under e^−x in 256 layers of equal area.

/// Layers, the lowest of which holds the tail.
const LAYERS: usize = 256;

/// Where the tail starts, and the area of a layer (Marsaglia and Tsang).
pub(super) const TAIL: f64 = 7.69711747013104972;
const AREA: f64 = 0.0039496598225815571993;

/// Right ends of the layers, from the lowest to the top, and e^−x there.
pub(super) const ENDS: [f64; LAYERS + 1] = ends();
pub(super) const HEIGHTS: [f64; LAYERS + 1] = heights();

const fn ends() -> [f64; LAYERS + 1] {
    let mut x = [0.0; LAYERS + 1];
    x[0] = AREA / exp_minus(TAIL);
    x[1] = TAIL;
    let mut i = 1;
    while i < LAYERS - 1 {
        // A layer more of the same area: x' with e^−x' = e^−x + AREA/x
        x[i + 1] = minus_ln(AREA / x[i] + exp_minus(x[i]));
        i += 1;
    }
    x
}

const fn heights() -> [f64; LAYERS + 1] {
    let mut f = [0.0; LAYERS + 1];
    let mut i = 0;
    while i <= LAYERS {
        f[i] = exp_minus(ENDS[i]);
        i += 1;
    }
    f
}

/// e^−x for 0 <= x <= 9: the series at x/64, squared six times.
const fn exp_minus(x: f64) -> f64 {
    let y = -x / 64.0;
    let (mut term, mut sum, mut i) = (1.0, 1.0, 1.0);
    while i < 16.0 {
        term *= y / i;
        sum += term;
        i += 1.0;
    }
    let mut squared = 0;
    while squared < 6 {
        sum *= sum;
        squared += 1;
    }
    sum
}

/// −ln y for e^−8 < y < 1, by Newton steps from below.
const fn minus_ln(y: f64) -> f64 {
    let (mut x, mut step) = (0.0, 0);
    while step < 40 {
        // e^−x falls and is convex: the steps never pass the root
        let here = exp_minus(x);
        x += 1.0 - y / here;
        step += 1;
    }
    x
}

/// A point in a layer by 64 random bits: its layer, and its place from 0 to the layer's end.
#[inline]
pub(super) fn point(bits: u64) -> (usize, f64) {
    let layer = (bits & 0xff) as usize;
    // 52 bits make a number in [1, 2), and then one in (0, 1).
    let uniform = f64::from_bits(bits >> 12 | 1.0_f64.to_bits()) - (1.0 - 0.5 * f64::EPSILON);
    (layer, uniform * ENDS[layer])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_have_equal_areas_up_to_the_top() {
        for i in 1..LAYERS {
            let area = ENDS[i] * (HEIGHTS[i + 1] - HEIGHTS[i]);
            assert!((area / AREA - 1.0).abs() < 1e-9, "{i}: {area}");
            assert!((HEIGHTS[i] / (-ENDS[i]).exp() - 1.0).abs() < 1e-13, "{i}");
        }
        // The lowest layer: a rectangle and the tail
        assert!(((TAIL * (-TAIL).exp() + (-TAIL).exp()) / AREA - 1.0).abs() < 1e-13);
        assert_eq!((ENDS[LAYERS], HEIGHTS[LAYERS]), (0.0, 1.0));
    }
}
