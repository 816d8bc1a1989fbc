//! The shorts at the short hosts together with a short at the long host.

use crate::markov::QbdSolution;

/// E\[n; the long host serves a short\] over the times that begin at rate e_n in level n and end at rate μ.
///
/// n moves as in M/M/k meanwhile, so that y(μI − Q) = e; summed with weights n,
///
/// `μ Σ n y_n = Σ n e_n + λ Σ y_n − μ(kΣ y_n − Σ e_n h_n)`
///
/// where h solves (μI − Q)h = (k−n)⁺: beyond level k it falls by the smaller root z of λz² − (λ+kμ+μ)z + kμ = 0.
/// `start` tells the rate of such beginnings from (level, phase).
pub(super) fn mean_number(
    solved: &QbdSolution,
    (lambda, mu, k): (f64, f64, usize),
    start: impl Fn(usize, usize) -> f64,
) -> f64 {
    let servers = k as f64;
    let out = lambda + (servers + 1.0) * mu;
    // z = 2kμ/(out + √(out² − 4λkμ)), the root below 1
    let z = 2.0 * servers * mu / (out + (out * out - 4.0 * lambda * servers * mu).sqrt());
    // (λ+nμ+μ)h_n − λh_{n+1} − nμh_{n−1} = k − n for n < k, h_k = z h_{k−1}: h_n = a_n + b_n h_{n+1} from below.
    let mut lines: Vec<(f64, f64)> = Vec::with_capacity(k);
    for n in 0..k {
        let at = n as f64;
        let (a, b) = lines.last().copied().unwrap_or((0.0, 0.0));
        let pivot = lambda + at * mu + mu - at * mu * b;
        lines.push(((servers - at + at * mu * a) / pivot, lambda / pivot));
    }
    let mut h = vec![0.0; k];
    for n in (0..k).rev() {
        let (a, b) = lines[n];
        h[n] = if n + 1 == k { a / (1.0 - b * z) } else { a + b * h[n + 1] };
    }
    let last = h[k - 1];
    let of_level = |n: usize| h.get(n).copied().unwrap_or_else(|| last * z.powf((n - k) as f64 + 1.0));
    let (total, first_moment) = (solved.mean_of(&start), solved.mean_of(|n, phase| n as f64 * start(n, phase)));
    let number = total / mu;
    let idle = solved.discounted(z, |n, phase| start(n, phase) * of_level(n));
    (first_moment + lambda * number - mu * (servers * number - idle)) / mu
}
