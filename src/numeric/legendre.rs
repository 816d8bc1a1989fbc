//! Functions as Legendre series on intervals, through their values at Gauss nodes.

/// The Gauss nodes and weights of order N on [-1, 1], and the map from values at the nodes to coefficients.
#[derive(Debug, Clone)]
pub(crate) struct Basis<const N: usize> {
    pub nodes: [f64; N],
    pub weights: [f64; N],
    /// Row k: the weights of coefficient k.
    transform: [[f64; N]; N],
    /// Row k: P_k by powers of y.
    powers: [[f64; N]; N],
}

impl<const N: usize> Basis<N> {
    /// (2k−1)/k and (k−1)/k of P_k = (2k−1)/k yP_{k−1} − (k−1)/k P_{k−2}, for k < N
    const STEP: [(f64, f64); N] = {
        let mut steps = [(0.0, 0.0); N];
        let mut k = 1;
        while k < N {
            steps[k] = ((2 * k - 1) as f64 / k as f64, (k - 1) as f64 / k as f64);
            k += 1;
        }
        steps
    };
}

/// P_0(y), ..., P_{N−1}(y).
#[inline]
pub(crate) fn polynomials<const N: usize>(y: f64) -> [f64; N] {
    let mut p = [1.0; N];
    for k in 1..N {
        let (up, down) = Basis::<N>::STEP[k];
        p[k] = up * y * p[k - 1] - if k > 1 { down * p[k - 2] } else { 0.0 };
    }
    p
}

/// Sums of which each is kept in four strands until all is added.
pub(crate) type Strands<const N: usize> = [[f64; 4]; N];

/// Adds Σ_i mass_i P_k(y_i) for k below N, all points together.
#[inline]
pub(crate) fn weigh<const N: usize>(y: &[f64; N], mass: &[f64; N], sums: &mut Strands<N>) {
    let (mut before, mut now) = ([0.0; N], *mass);
    for (k, strands) in sums.iter_mut().enumerate() {
        if k > 0 {
            let (up, down) = Basis::<N>::STEP[k];
            let next: [f64; N] = std::array::from_fn(|i| up * y[i] * now[i] - down * before[i]);
            (before, now) = (now, next);
        }
        for (i, value) in now.iter().enumerate() {
            strands[i % 4] += value;
        }
    }
}

/// Σ_i mass_i Σ_k c_k P_k(y_i), all points together.
#[inline]
pub(crate) fn sum_of_series<const N: usize>(coefficients: &[f64; N], y: &[f64; N], mass: &[f64; N]) -> f64 {
    let (mut before, mut now) = ([0.0; N], [1.0; N]);
    let mut sums = [coefficients[0]; N];
    for (c, (up, down)) in coefficients.iter().zip(Basis::<N>::STEP).skip(1) {
        let next: [f64; N] = std::array::from_fn(|i| up * y[i] * now[i] - down * before[i]);
        (before, now) = (now, next);
        for i in 0..N {
            sums[i] += c * now[i];
        }
    }
    let mut strands = [0.0; 4];
    for i in 0..N {
        strands[i % 4] += mass[i] * sums[i];
    }
    strands.iter().sum()
}

/// ∫₋₁ʸ P_k for k below N: y + 1, and (P_{k+1}(y) − P_{k−1}(y))/(2k+1).
#[inline]
pub(crate) fn integrals<const N: usize>(y: f64) -> [f64; N] {
    let p = polynomials::<N>(y);
    let next = if N > 1 { ((2 * N - 1) as f64 * y * p[N - 1] - (N - 1) as f64 * p[N - 2]) / N as f64 } else { y };
    std::array::from_fn(|k| match k {
        0 => y + 1.0,
        _ => (if k + 1 < N { p[k + 1] } else { next } - p[k - 1]) / (2 * k + 1) as f64,
    })
}

/// Σ c_k P_k(y).
#[inline]
pub(crate) fn series<const N: usize>(coefficients: &[f64; N], y: f64) -> f64 {
    let p = polynomials::<N>(y);
    coefficients.iter().zip(p).map(|(c, p)| c * p).sum()
}

/// The derivative of the series: P'_{k+1} = P'_{k−1} + (2k+1)P_k.
pub(crate) fn slope<const N: usize>(coefficients: &[f64; N], y: f64) -> f64 {
    let p = polynomials::<N>(y);
    let mut rise = [0.0; N];
    for k in 1..N {
        rise[k] = if k > 1 { rise[k - 2] } else { 0.0 } + (2 * k - 1) as f64 * p[k - 1];
    }
    coefficients.iter().zip(rise).map(|(c, rise)| c * rise).sum()
}

impl<const N: usize> Basis<N> {
    /// Nodes by Newton's method from cos π(i + 3/4)/(N + 1/2).
    pub(crate) fn new() -> Self {
        let (mut nodes, mut weights) = ([0.0; N], [0.0; N]);
        for i in 0..N {
            let mut y = -(std::f64::consts::PI * (i as f64 + 0.75) / (N as f64 + 0.5)).cos();
            let mut rise = 1.0;
            for _ in 0..6 {
                let (mut before, mut p) = (1.0, y);
                for k in 1..N {
                    (before, p) = (p, ((2 * k + 1) as f64 * y * p - k as f64 * before) / (k + 1) as f64);
                }
                // (1 − y²)P' = N(P_{N−1} − yP_N)
                rise = N as f64 * (before - y * p) / (1.0 - y * y);
                y -= p / rise;
            }
            nodes[i] = y;
            weights[i] = 2.0 / ((1.0 - y * y) * rise * rise);
        }
        let mut transform = [[0.0; N]; N];
        for j in 0..N {
            let p = polynomials::<N>(nodes[j]);
            for k in 0..N {
                transform[k][j] = (k as f64 + 0.5) * weights[j] * p[k];
            }
        }
        let mut powers = [[0.0; N]; N];
        powers[0][0] = 1.0;
        for k in 1..N {
            let (up, down) = Self::STEP[k];
            for j in 0..N {
                let shifted = if j > 0 { powers[k - 1][j - 1] } else { 0.0 };
                powers[k][j] = up * shifted - if k > 1 { down * powers[k - 2][j] } else { 0.0 };
            }
        }
        Self { nodes, weights, transform, powers }
    }

    /// q with ∫₀ʸ of the series = y Σ q_j yʲ.
    pub(crate) fn integral_by_powers(&self, coefficients: &[f64; N]) -> [f64; N] {
        std::array::from_fn(|j| {
            let power: f64 = coefficients.iter().zip(&self.powers).map(|(c, row)| c * row[j]).sum();
            power / (j + 1) as f64
        })
    }

    /// The coefficients of the polynomial through these values at the nodes.
    pub(crate) fn coefficients(&self, values: &[f64; N]) -> [f64; N] {
        std::array::from_fn(|k| self.transform[k].iter().zip(values).map(|(weight, value)| weight * value).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_polynomial_its_integral_and_its_slope() {
        let basis = Basis::<8>::new();
        let c = basis.coefficients(&basis.nodes.map(|y| y.powi(6) - 2.0 * y));
        let y = 0.37_f64;
        assert!((series(&c, y) - (y.powi(6) - 2.0 * y)).abs() < 1e-15);
        assert!((slope(&c, y) - (6.0 * y.powi(5) - 2.0)).abs() < 1e-14);
        let integral: f64 = c.iter().zip(integrals::<8>(y)).map(|(c, q)| c * q).sum();
        let by_powers = basis.integral_by_powers(&c).iter().rev().fold(0.0, |sum, q| sum * y + q) * y;
        assert!((by_powers - (y.powi(7) / 7.0 - y * y)).abs() < 1e-15);
        assert!((integral - ((y.powi(7) + 1.0) / 7.0 - (y * y - 1.0))).abs() < 1e-15);
        assert!((basis.weights.iter().sum::<f64>() - 2.0).abs() < 1e-15);
    }
}
