//! Running integrals on a Gauss-Legendre panel: ∫ from its start to each node, in one product with a small matrix.
//!
//! The integrand is replaced by the polynomial through its values at the nodes, so nested integrals take no more values than plain
//! ones. The last Legendre coefficients of that polynomial tell whether the panel resolves the integrand.

use super::quadrature::GAUSS;

/// Nodes of a panel.
pub(crate) const NODES: usize = 16;

/// A value for each node.
pub(crate) type Values = [f64; NODES];

/// The nodes on [-1, 1], increasing.
pub(crate) const NODE: Values = both_halves(true);

/// The weights of the nodes.
pub(crate) const WEIGHT: Values = both_halves(false);

/// Row i: the weights of the integral from −1 to node i. (That from node i to 1 has them in reverse order at row 15 − i.)
const RUNNING: [Values; NODES] = running();

/// The weights of the last three Legendre coefficients.
const LAST: [Values; 3] = last_coefficients();

const fn both_halves(nodes: bool) -> Values {
    let mut values = [0.0; NODES];
    let mut i = 0;
    while i < NODES / 2 {
        let (node, weight) = GAUSS[i];
        values[NODES / 2 + i] = if nodes { node } else { weight };
        values[NODES / 2 - 1 - i] = if nodes { -node } else { weight };
        i += 1;
    }
    values
}

/// P_0(x), ..., P_16(x) by (k+1)P_{k+1} = (2k+1)xP_k − kP_{k−1}.
const fn legendre(x: f64) -> [f64; NODES + 1] {
    let mut p = [1.0; NODES + 1];
    p[1] = x;
    let mut k = 1;
    while k < NODES {
        p[k + 1] = ((2 * k + 1) as f64 * x * p[k] - k as f64 * p[k - 1]) / (k + 1) as f64;
        k += 1;
    }
    p
}

// ∫₋₁ˣ l_j = w_j Σ_k (k+½) P_k(x_j) ∫₋₁ˣ P_k, and ∫₋₁ˣ P_k = (P_{k+1}(x) − P_{k−1}(x))/(2k+1)
const fn running() -> [Values; NODES] {
    let mut rows = [[0.0; NODES]; NODES];
    let mut i = 0;
    while i < NODES {
        let here = legendre(NODE[i]);
        let mut j = 0;
        while j < NODES {
            let at_node = legendre(NODE[j]);
            let mut sum = 0.5 * (NODE[i] + 1.0);
            let mut k = 1;
            while k < NODES {
                sum += 0.5 * at_node[k] * (here[k + 1] - here[k - 1]);
                k += 1;
            }
            rows[i][j] = WEIGHT[j] * sum;
            j += 1;
        }
        i += 1;
    }
    rows
}

const fn last_coefficients() -> [Values; 3] {
    let mut rows = [[0.0; NODES]; 3];
    let mut j = 0;
    while j < NODES {
        let p = legendre(NODE[j]);
        let mut last = 0;
        while last < 3 {
            let k = NODES - 3 + last;
            rows[last][j] = (k as f64 + 0.5) * WEIGHT[j] * p[k];
            last += 1;
        }
        j += 1;
    }
    rows
}

fn product(weights: &Values, values: &Values) -> f64 {
    weights.iter().zip(values).map(|(weight, value)| weight * value).sum()
}

/// ∫ over the panel of half width `half`.
pub(crate) fn whole(values: &Values, half: f64) -> f64 {
    half * product(&WEIGHT, values)
}

/// `start` + ∫ from the start of the panel to each node.
pub(crate) fn from_start(values: &Values, half: f64, start: f64) -> Values {
    std::array::from_fn(|i| start + half * product(&RUNNING[i], values))
}

/// `end` + ∫ from each node to the end of the panel.
pub(crate) fn to_end(values: &Values, half: f64, end: f64) -> Values {
    let mirrored: Values = std::array::from_fn(|j| values[NODES - 1 - j]);
    std::array::from_fn(|i| end + half * product(&RUNNING[NODES - 1 - i], &mirrored))
}

/// What the panel does not resolve of the integral over it, from above: the modulus of the last coefficients times the width.
pub(crate) fn unresolved(values: &Values, half: f64) -> f64 {
    half * LAST.iter().map(|row| product(row, values).abs()).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_are_integrated_exactly() {
        let values: Values = NODE.map(|x| x.powi(12) - 3.0 * x + 1.0);
        let integral = |x: f64| (x.powi(13) + 1.0) / 13.0 - 1.5 * (x * x - 1.0) + x + 1.0;
        let (below, above) = (from_start(&values, 2.0, 5.0), to_end(&values, 2.0, 7.0));
        for i in 0..NODES {
            assert!((below[i] - 5.0 - 2.0 * integral(NODE[i])).abs() < 1e-14);
            assert!((above[i] - 7.0 - 2.0 * (integral(1.0) - integral(NODE[i]))).abs() < 2e-14);
        }
        assert!((whole(&values, 2.0) - 2.0 * integral(1.0)).abs() < 1e-14);
        assert!(unresolved(&values, 2.0) < 1e-14);
        assert!(unresolved(&NODE.map(f64::abs), 1.0) > 1e-3);
    }
}
