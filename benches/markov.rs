//! Costs of the Markov floor. `cargo bench --bench markov`.

use divan::{Bencher, black_box};
use queueing::markov::fit::{Moments, Variant, coxian2, erlang_coxian, positive};
use queueing::markov::{BusyPeriod, Ctmc, DMatrix, Qbd, Reduction};
use queueing::size::{HyperExponential, JobSize, PhaseType};

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

#[divan::bench]
fn three_moments_to_erlang_coxian(bencher: Bencher<'_, '_>) {
    let moments = Moments::new(2.0, 16.0, 288.0).expect("moments");
    bencher.bench(|| erlang_coxian(black_box(moments), Variant::Complete));
}

#[divan::bench]
fn three_moments_with_a_row_of_stages(bencher: Bencher<'_, '_>) {
    let moments = Moments::new(1.0, 1.3125, 2.15).expect("moments");
    bencher.bench(|| erlang_coxian(black_box(moments), Variant::Complete));
}

#[divan::bench]
fn three_moments_at_a_corner(bencher: Bencher<'_, '_>) {
    let moments = Moments::new(1.0, 1.5, 4.5).expect("moments");
    bencher.bench(|| erlang_coxian(black_box(moments), Variant::Complete));
}

#[divan::bench]
fn three_moments_to_coxian2(bencher: Bencher<'_, '_>) {
    let moments = Moments::new(2.0, 16.0, 288.0).expect("moments");
    bencher.bench(|| coxian2(black_box(moments)));
}

#[divan::bench]
fn three_moments_without_an_atom(bencher: Bencher<'_, '_>) {
    let moments = Moments::new(1.0, 4.0 / 3.0, 2.0).expect("moments");
    bencher.bench(|| positive(black_box(moments)));
}

#[divan::bench(args = [40, 80])]
fn busy_period_as_a_mixture(bencher: Bencher<'_, '_>, rates: usize) {
    let size = HyperExponential::balanced(10.0, 8.0).expect("a law");
    let busy = BusyPeriod::new(0.05, size).expect("a busy period");
    bencher.bench(|| black_box(&busy).exponential_mixture(rates));
}

#[divan::bench(args = [1.0, 50.0])]
fn tail_of_a_coxian(bencher: Bencher<'_, '_>, x: f64) {
    let law = PhaseType::coxian2(2.0, 0.1, 0.15).expect("a law");
    bencher.bench(|| black_box(&law).sf(black_box(x)));
}

#[divan::bench]
fn first_passage_moments_of_four_phases(bencher: Bencher<'_, '_>) {
    let chain = chain(4);
    bencher.bench(|| black_box(&chain).first_passage(1));
}

#[divan::bench]
fn plane_of_ten_thousand_states(bencher: Bencher<'_, '_>) {
    let side = 100;
    let moves = move |&(i, j): &(usize, usize)| {
        let steps = [
            (i + 1 < side).then_some((0.9, (i + 1, j))),
            (j + 1 < side).then_some((1.1, (i, j + 1))),
            (i > 0).then(|| (1.0, (i - 1, j))),
            (j > 0).then(|| (1.0, (i, j - 1))),
        ];
        steps.into_iter().flatten()
    };
    let (chain, _) = Ctmc::explore((0, 0), side * side, moves).expect("a chain");
    bencher.bench(|| black_box(&chain).stationary());
}

/// M/H2/n: the phase is the number of jobs in service of the first kind.
#[divan::bench(args = [2, 10, 50])]
fn hyperexponential_sizes_on_many_servers(bencher: Bencher<'_, '_>, servers: usize) {
    let (share, rates, load) = ([0.9, 0.1], [2.0, 0.2], 0.8);
    let lambda = load * servers as f64 / (share[0] / rates[0] + share[1] / rates[1]);
    let phases = move |level: usize| level.min(servers) + 1;
    let moves = move |level: usize, first: usize| {
        let busy = level.min(servers);
        let (one, other) = (first as f64 * rates[0], (busy - first) as f64 * rates[1]);
        let below = level.wrapping_sub(1);
        if level < servers {
            let out = [(lambda * share[0], level + 1, first + 1), (lambda * share[1], level + 1, first)];
            return [out[0], out[1], (one, below, first.wrapping_sub(1)), (other, below, first), (0.0, 0, 0)];
        }
        let up = (lambda, level + 1, first);
        if level == servers {
            return [up, (one, below, first.wrapping_sub(1)), (other, below, first), (0.0, 0, 0), (0.0, 0, 0)];
        }
        [
            up,
            (one * share[0], below, first),
            (one * share[1], below, first.wrapping_sub(1)),
            (other * share[0], below, first + 1),
            (other * share[1], below, first),
        ]
    };
    bencher.bench(|| Qbd::from_rates(black_box(servers), phases, moves).and_then(|chain| chain.solve()));
}
