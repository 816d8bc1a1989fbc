//! Costs of the Markov floor. `cargo bench --bench markov`.

use divan::{Bencher, black_box};
use queueing::markov::{DMatrix, Qbd, Reduction};

fn main() {
    divan::main();
}

/// A dense chain of order n with rates uniform on (0, 1) and a drift ratio near 0.8.
fn chain(n: usize) -> Qbd {
    let mut seed = 12345_u64;
    let mut uniform = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut block = |scale: f64| DMatrix::from_fn(n, n, |_, _| scale * uniform());
    let (up, down) = (block(0.8), block(1.0));
    let mut local = block(1.0);
    let mut local0 = local.clone();
    for i in 0..n {
        let inside = local.row(i).sum() - local[(i, i)];
        local0[(i, i)] = -(inside + up.row(i).sum());
        local[(i, i)] = local0[(i, i)] - down.row(i).sum();
    }
    Qbd::homogeneous(local0, up, local, down).expect("a chain")
}

#[divan::bench(args = [1, 2, 4, 8, 16, 50])]
fn g_by_cyclic_reduction(bencher: Bencher<'_, '_>, phases: usize) {
    let chain = chain(phases);
    bencher.bench(|| black_box(&chain).g(Reduction::Cyclic));
}

#[divan::bench(args = [4, 16, 50])]
fn g_by_logarithmic_reduction(bencher: Bencher<'_, '_>, phases: usize) {
    let chain = chain(phases);
    bencher.bench(|| black_box(&chain).g(Reduction::Logarithmic));
}

#[divan::bench(args = [2, 8, 50])]
fn stationary_law(bencher: Bencher<'_, '_>, phases: usize) {
    let chain = chain(phases);
    bencher.bench(|| black_box(&chain).solve());
}
