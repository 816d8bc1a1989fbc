//! The semigroup exp(Tx) of a phase-type law, free of subtraction.
//!
//! With θ the largest rate and P = I + T/θ >= 0, exp(Tx) = Σ e^{−θx}(θx)^k/k! P^k: short times go through this series applied to a
//! vector, long ones through squarings of a short one. Where no phase returns (upper triangular T), the diagonal e^{−r x} is set anew
//! after each squaring, else each row is scaled to sum to 1 with what is absorbed, which keeps errors from doubling.

use super::dense::{Shape, dot, multiply, row_times, times_column};

/// Terms of the short series: 1/24! is below rounding.
const TERMS: usize = 24;

/// Rates of a law that is absorbed in the end: between phases by rows (zero diagonal), out of the law, and in total.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chain<'a> {
    pub rates: &'a [f64],
    pub exit: &'a [f64],
    pub total: &'a [f64],
    /// Whether no phase leads to an earlier one.
    pub acyclic: bool,
}

/// What becomes of a start vector: the phases at time x, and E\[X^j; X <= x\] for the first orders j.
#[derive(Debug, Clone)]
pub(crate) struct Outcome {
    pub phases: Vec<f64>,
    pub absorbed: Vec<f64>,
}

impl Chain<'_> {
    /// θ, the largest total rate.
    pub(crate) fn fastest(&self) -> f64 {
        self.total.iter().copied().fold(0.0, f64::max)
    }

    /// P = I + T/θ, by rows.
    fn jumps(&self, theta: f64) -> Vec<f64> {
        let n = self.exit.len();
        let mut jumps: Vec<f64> = self.rates.iter().map(|rate| rate / theta).collect();
        (0..n).for_each(|i| jumps[i * n + i] = (1.0 - self.total[i] / theta).max(0.0));
        jumps
    }

    /// x Pᵏ t for k = 0, 1, ..., `terms` − 1, and the vectors themselves handed to `visit`.
    pub(crate) fn exits(&self, start: &[f64], theta: f64, terms: usize, mut visit: impl FnMut(usize, &[f64], f64)) {
        let n = self.exit.len();
        let jumps = self.jumps(theta);
        let (mut now, mut next) = (start.to_vec(), vec![0.0; n]);
        for k in 0..terms {
            visit(k, &now, dot(&now, self.exit));
            row_times(&now, &jumps, n, &mut next);
            std::mem::swap(&mut now, &mut next);
        }
    }

    /// Whether a time is so long that nothing can be left.
    pub(crate) fn is_forever(&self, x: f64) -> bool {
        x * self.fastest() > 1e300
    }

    /// The outcome at a time x >= 0 that is not [forever](Self::is_forever), with partial moments of the orders below `orders`.
    pub(crate) fn after(&self, start: &[f64], x: f64, orders: usize) -> Outcome {
        let (n, theta) = (self.exit.len(), self.fastest());
        let z = theta * x;
        if z <= (16 * n).clamp(64, 600) as f64 {
            self.by_jumps(start, theta, z, orders)
        } else {
            self.by_squaring(start, theta, x, orders)
        }
    }

    /// phases = Σ Poisson(k; z) x Pᵏ;  E[X^j; X <= x] = Σ x Pᵏ t θ^{−j−1} (k+1)...(k+j) P(Poisson(z) > k+j).
    fn by_jumps(&self, start: &[f64], theta: f64, z: f64, orders: usize) -> Outcome {
        let n = self.exit.len();
        let terms = n + TERMS + (z + 10.0 * z.sqrt()) as usize;
        let weights = poisson(z, terms + orders + TERMS);
        let mut beyond = weights.clone();
        let mut sum = 0.0;
        for weight in beyond.iter_mut().rev() {
            let own = *weight;
            *weight = sum;
            sum += own;
        }
        let mut outcome = Outcome { phases: vec![0.0; n], absorbed: vec![0.0; orders] };
        self.exits(start, theta, terms, |k, now, exit| {
            outcome.phases.iter_mut().zip(now).for_each(|(sum, value)| *sum += weights[k] * value);
            let mut factor = exit / theta;
            for (j, sum) in outcome.absorbed.iter_mut().enumerate() {
                *sum += factor * beyond[k + j];
                factor *= (k + j + 1) as f64 / theta;
            }
        });
        outcome
    }

    /// E(2h) = E(h)²,  ℓ_j(2h) = ℓ_j(h) + Σ_i C(j,i) h^{j−i} E(h) ℓ_i(h), from an h with θh <= 1.
    fn by_squaring(&self, start: &[f64], theta: f64, x: f64, orders: usize) -> Outcome {
        let n = self.exit.len();
        let shape = Shape::packed(n, n);
        let doublings = (theta * x).log2().ceil().max(0.0) as i32;
        let mut h = x * 2.0_f64.powi(-doublings);
        // Rows are mended by what is absorbed, so that is always followed where phases return.
        let followed = if self.acyclic { orders } else { orders.max(1) };
        let (mut power, mut columns) = self.short(theta, theta * h, followed);
        let mut next = vec![0.0; n * n];
        for step in 0..doublings {
            if power.iter().all(|value| *value == 0.0) {
                break;
            }
            let moved: Vec<Vec<f64>> = columns
                .iter()
                .map(|column| {
                    let mut moved = vec![0.0; n];
                    times_column(&power, column, &mut moved);
                    moved
                })
                .collect();
            for j in (0..followed).rev() {
                let mut factor = 1.0;
                for i in (0..=j).rev() {
                    columns[j].iter_mut().zip(&moved[i]).for_each(|(sum, value)| *sum += factor * value);
                    // C(j, i−1) h^{j−i+1} from C(j, i) h^{j−i}
                    factor *= h * i as f64 / (j - i + 1) as f64;
                }
            }
            h *= 2.0;
            if step + 1 < doublings {
                multiply(&mut next, shape, &power, shape, &power, shape);
                std::mem::swap(&mut power, &mut next);
                self.mend(&mut power, &mut columns, h);
            }
        }
        let mut half = vec![0.0; n];
        let mut phases = vec![0.0; n];
        if doublings > 0 {
            // The last squaring is that of a vector: x E(h/2)².
            row_times(start, &power, n, &mut half);
            row_times(&half, &power, n, &mut phases);
        } else {
            row_times(start, &power, n, &mut phases);
        }
        Outcome { phases, absorbed: columns.iter().take(orders).map(|column| dot(start, column)).collect() }
    }

    /// Takes out the errors that each squaring would double: the diagonal is known where no phase returns, else that rows of exp(Th)
    /// and the probabilities of absorption sum to 1.
    fn mend(&self, power: &mut [f64], columns: &mut [Vec<f64>], h: f64) {
        let n = self.exit.len();
        if self.acyclic {
            (0..n).for_each(|i| power[i * n + i] = (-self.total[i] * h).exp());
        } else if let Some(absorbed) = columns.first_mut() {
            for (row, absorbed) in power.chunks_exact_mut(n).zip(absorbed) {
                let total = row.iter().sum::<f64>() + *absorbed;
                *absorbed /= total;
                for value in row {
                    *value /= total;
                }
            }
        }
    }

    /// exp(Th) and ∫₀ʰ u^j exp(Tu) t du by their series, for z = θh <= 1.
    fn short(&self, theta: f64, z: f64, orders: usize) -> (Vec<f64>, Vec<Vec<f64>>) {
        let n = self.exit.len();
        let shape = Shape::packed(n, n);
        let jumps = self.jumps(theta);
        let weights = poisson(z, 2 * TERMS + orders);
        let mut sum = vec![0.0; n * n];
        let mut power = vec![0.0; n * n];
        (0..n).for_each(|i| power[i * n + i] = 1.0);
        let mut next = vec![0.0; n * n];
        let (mut exits, mut more) = (self.exit.to_vec(), vec![0.0; n]);
        let mut columns = vec![vec![0.0; n]; orders];
        for k in 0..TERMS {
            sum.iter_mut().zip(&power).for_each(|(sum, value)| *sum += weights[k] * value);
            let mut factor = 1.0 / theta;
            for (j, column) in columns.iter_mut().enumerate() {
                let tail: f64 = weights[k + j + 1..].iter().rev().sum();
                column.iter_mut().zip(&exits).for_each(|(sum, value)| *sum += factor * tail * value);
                factor *= (k + j + 1) as f64 / theta;
            }
            multiply(&mut next, shape, &power, shape, &jumps, shape);
            std::mem::swap(&mut power, &mut next);
            times_column(&jumps, &exits, &mut more);
            std::mem::swap(&mut exits, &mut more);
        }
        self.mend(&mut sum, &mut columns, z / theta);
        (sum, columns)
    }
}

/// e^{−z} z^k/k! for k below `terms` and z <= 600.
fn poisson(z: f64, terms: usize) -> Vec<f64> {
    let mut weight = (-z).exp();
    (1..=terms)
        .map(|k| {
            let now = weight;
            weight *= z / k as f64;
            now
        })
        .collect()
}
