//! QBDs against the reference table, closed forms and each other.

mod common;

use common::table;
use queueing::markov::{Blocks, DMatrix, Qbd, Reduction};
use queueing::prelude::*;

fn block(n: usize, text: &str) -> DMatrix<f64> {
    let entries: Vec<f64> = text.split(';').map(|x| x.parse().unwrap()).collect();
    DMatrix::from_row_slice(n, n, &entries)
}

#[test]
fn the_reference_chains() {
    let mut worst: f64 = 0.0;
    let mut count = 0;
    for row in table("qbd.csv") {
        let n: usize = row["phases"].parse().unwrap();
        let [up, local, down, local0] = ["up", "local", "down", "local0"].map(|key| block(n, &row[key]));
        let chain = Qbd::homogeneous(local0, up, local, down).unwrap();
        for reduction in [Reduction::Cyclic, Reduction::Logarithmic] {
            let solved = chain.solve_by(reduction).unwrap();
            let value = match row["quantity"].as_str() {
                "spectral_radius" => solved.spectral_radius(),
                "mean_level" => solved.mean_level(),
                "prob_level_0" => solved.level_probability(0),
                other => panic!("{other}"),
            };
            let expected: f64 = row["value"].parse().unwrap();
            worst = worst.max((value / expected - 1.0).abs());
            assert_close!(value, expected, 2e-14);
            assert!(solved.residual() <= 1e-13 && solved.residual_g() <= 1e-14 && solved.row_sum_error() <= 1e-14);
            count += 1;
        }
    }
    println!("qbd.csv: {count} values, largest relative error {worst:e}");
    assert!(count >= 2 * 50);
}

/// A stream of uniform numbers, the same in every run.
fn uniform(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*seed >> 11) as f64 / (1_u64 << 53) as f64
}

/// A chain of order n with about this drift ratio; a share of the rates is zero, and rates spread over `decades`.
fn random_chain(n: usize, ratio: f64, sparsity: f64, decades: f64, seed: &mut u64) -> Qbd {
    let mut fill = |keep: f64| {
        DMatrix::from_fn(n, n, |_, _| {
            let (keep_this, size) = (uniform(seed) < keep, uniform(seed));
            if keep_this { 10.0_f64.powf(-decades * size) } else { 0.0 }
        })
    };
    let keep = 1.0 - sparsity;
    let (mut up, mut local, mut down) = (fill(keep), fill(keep), fill(keep));
    for i in 0..n {
        // A ring keeps the phases together, and each phase can go up and down.
        local[(i, (i + 1) % n)] += 0.5;
        down[(i, i)] += 0.1;
        up[(i, i)] += 0.1;
        local[(i, i)] = 0.0;
    }
    // Scaling one block changes θ; a few rounds settle the ratio.
    for _ in 0..60 {
        let chain = assemble(&up, &local, &down);
        let now = chain.drift().ratio();
        up *= (ratio / now).powf(0.7);
        if (now / ratio - 1.0).abs() < 1e-4 {
            break;
        }
    }
    assemble(&up, &local, &down)
}

fn assemble(up: &DMatrix<f64>, local: &DMatrix<f64>, down: &DMatrix<f64>) -> Qbd {
    let n = up.nrows();
    let with_diagonal = |outs: &[&DMatrix<f64>]| {
        let mut local = local.clone();
        for i in 0..n {
            let out: f64 =
                outs.iter().map(|block| block.row(i).sum()).sum::<f64>() + local.row(i).sum() - local[(i, i)];
            local[(i, i)] = -out;
        }
        local
    };
    Qbd::homogeneous(with_diagonal(&[up]), up.clone(), with_diagonal(&[up, down]), down.clone()).unwrap()
}

#[test]
fn ten_thousand_random_chains() {
    let mut seed = 2024;
    let (mut residual, mut row_sums, mut g_error, mut agreement): (f64, f64, f64, f64) = (0.0, 0.0, 0.0, 0.0);
    let total = 10_000;
    for case in 0..total {
        let n = 2 + (uniform(&mut seed) * 49.0) as usize;
        let (load, sparsity, decades) =
            (0.05 + 0.94 * uniform(&mut seed), 0.9 * uniform(&mut seed), 4.0 * uniform(&mut seed));
        let chain = random_chain(n, load, sparsity, decades, &mut seed);
        let solved = chain.solve().unwrap_or_else(|error| panic!("case {case}, n {n}: {error}"));
        residual = residual.max(solved.residual());
        g_error = g_error.max(solved.residual_g());
        row_sums = row_sums.max(solved.row_sum_error());
        assert!(solved.spectral_radius() < 1.0);
        if case % 10 == 0 {
            let other = chain.g(Reduction::Logarithmic).unwrap();
            agreement = agreement.max((solved.g() - other).amax());
        }
    }
    println!(
        "{total} chains: residual {residual:e}, G {g_error:e}, row sums {row_sums:e}, reductions differ by {agreement:e}"
    );
    assert!(residual <= 1e-13 && g_error <= 1e-14 && row_sums <= 1e-13 && agreement <= 1e-13);
}

#[test]
fn next_to_balanced_drift() {
    let mut seed = 77;
    for gap in [1e-4, 1e-6, 1e-8] {
        for n in [2, 4, 8, 20] {
            // All phases with the same rates up and down: the ratio is exact, and G is 1 in total.
            let mut local = random_chain(n, 0.5, 0.3, 2.0, &mut seed).blocks(1).local.clone();
            (0..n).for_each(|i| local[(i, i)] = 0.0);
            let (up, down) = (DMatrix::identity(n, n) * (1.0 - gap), DMatrix::identity(n, n));
            let chain = assemble(&up, &local, &down);
            for reduction in [Reduction::Cyclic, Reduction::Logarithmic] {
                let solved = chain.solve_by(reduction).unwrap();
                assert!(solved.row_sum_error() <= 1e-12, "{gap} {n}: {}", solved.row_sum_error());
                assert!(solved.residual() <= 1e-13 && solved.residual_g() <= 1e-14);
                let rho = 1.0 - gap;
                assert_close!(solved.mean_level(), rho / (1.0 - rho), 1e-15 / gap);
                assert_close!(solved.spectral_radius(), rho, 1e-14);
            }
        }
    }
}

#[test]
fn slow_phases_next_to_balance() {
    // Service in two speeds that change once in 10⁷ jobs, drift ratio 1 − 1e-8.
    let (slow, rate) = (1e-7, 1.0);
    let mean_rate = 0.5 * (2.0 + 0.5);
    let up = DMatrix::identity(2, 2) * (mean_rate * (1.0 - 1e-8) * rate);
    let down = DMatrix::from_row_slice(2, 2, &[2.0, 0.0, 0.0, 0.5]);
    let chain = assemble(&up, &DMatrix::from_row_slice(2, 2, &[0.0, slow, slow, 0.0]), &down);
    assert!((chain.drift().ratio() - (1.0 - 1e-8)).abs() < 1e-15);
    let solved = chain.solve().unwrap();
    assert!(solved.row_sum_error() <= 1e-12);
    assert!(solved.residual() <= 1e-13, "{}", solved.residual());
}

#[test]
fn many_servers_by_the_builder() {
    // M/M/500 at load 0.95: Erlang C by the ratio sum.
    let (n, load) = (500_usize, 0.95);
    let arrivals = n as f64 * load;
    let chain = Qbd::from_rates(
        n,
        |_| 1,
        |level, _| {
            let served = (level > 0).then(|| (level.min(n) as f64, level - 1, 0));
            std::iter::once((arrivals, level + 1, 0)).chain(served)
        },
    );
    let solved = chain.unwrap().solve().unwrap();
    let mut sum = 1.0;
    let mut term = 1.0;
    for k in (1..n).rev() {
        term *= (k + 1) as f64 / arrivals;
        sum += term;
    }
    // term is now n!/(1!) a^{1−n}, so P(0..n−1)/P(n) = Σ n!/k! a^{k−n}, the k = 0 term being term/a.
    sum += term / arrivals;
    let wait = 1.0 / (1.0 + (sum - 1.0) * (1.0 - load));
    assert_close!(solved.level_tail(n - 1), wait, 1e-12);
    assert_close!(solved.mean_level(), arrivals + wait * load / (1.0 - load), 1e-12);
    // A function that is linear beyond the boundary: the number waiting.
    assert_close!(solved.mean_of(|l, _| l.saturating_sub(n) as f64), wait * load / (1.0 - load), 1e-11);
}

#[test]
fn levels_with_phases_of_their_own() {
    // M/H2/1 with an idle state of one phase, against Pollaczek and Khinchine.
    let (lambda, p, fast, slow) = (0.05, 0.9, 1.0, 0.02);
    let shares = [p, 1.0 - p];
    let rates = [fast, slow];
    let chain = Qbd::from_rates(
        1,
        |level| if level == 0 { 1 } else { 2 },
        |level, phase| {
            let mut out = Vec::new();
            if level == 0 {
                (0..2).for_each(|i| out.push((lambda * shares[i], 1, i)));
            } else {
                out.push((lambda, level + 1, phase));
                if level == 1 {
                    out.push((rates[phase], 0, 0));
                } else {
                    (0..2).for_each(|i| out.push((rates[phase] * shares[i], level - 1, i)));
                }
            }
            out
        },
    )
    .unwrap();
    let solved = chain.solve().unwrap();
    let moment = |r: i32| (1..=r).map(f64::from).product::<f64>() * (p / fast.powi(r) + (1.0 - p) / slow.powi(r));
    let load = lambda * moment(1);
    let waiting = lambda * moment(2) / (2.0 * (1.0 - load));
    assert_close!(solved.level_probability(0), 1.0 - load, 1e-14);
    assert_close!(solved.mean_level(), lambda * (waiting + moment(1)), 1e-13);
    // E[N(N−1)] = λ²E[T²] for first come, first served.
    let second_wait = lambda / (1.0 - load) * (moment(2) * waiting + moment(3) / 3.0);
    let second = second_wait + 2.0 * waiting * moment(1) + moment(2);
    let factorial = solved.second_moment_level() - solved.mean_level();
    assert_close!(factorial, lambda * lambda * second, 1e-12);
    // Little's sum over levels and tails agree.
    let by_levels: f64 = (0..3000).map(|l| solved.level_tail(l)).sum();
    assert_close!(by_levels, solved.mean_level(), 1e-12);
}

#[test]
fn busy_periods_as_first_passages() {
    // M/H2/1, λ = 0.05, balanced H2 of mean 10 and C² = 8: (20, 7200, 7344000).
    let root = (7.0_f64 / 9.0).sqrt();
    let shares = [0.5 * (1.0 + root), 0.5 * (1.0 - root)];
    let rates = shares.map(|share| 2.0 * share / 10.0);
    let chain = Qbd::from_rates(
        1,
        |level| if level == 0 { 1 } else { 2 },
        |level, phase| {
            let spread = |rate: f64, to: usize| (0..2).map(move |i| (rate * shares[i], to, i)).collect::<Vec<_>>();
            match level {
                0 => spread(0.05, 1),
                1 => vec![(0.05, 2, phase), (rates[phase], 0, 0)],
                _ => [vec![(0.05, level + 1, phase)], spread(rates[phase], level - 1)].concat(),
            }
        },
    )
    .unwrap();
    let passage = chain.first_passage(1).unwrap();
    for (r, expected) in [20.0, 7200.0, 7_344_000.0].into_iter().enumerate() {
        let value: f64 = (0..2).map(|i| shares[i] * passage.moments[r][(i, 0)]).sum();
        assert_close!(value, expected, 1e-12);
    }
    // Two levels down in one go, and as one passage after the other.
    let from_two = chain.first_passage(2).unwrap().then(&passage).unwrap();
    let start: f64 = (0..2).map(|i| shares[i] * from_two.moments[0][(i, 0)]).sum();
    assert_close!(start, 40.0, 1e-12);
}

#[test]
fn a_walk_that_drifts_upwards() {
    let chain = assemble(
        &DMatrix::from_row_slice(2, 2, &[3.0, 0.0, 0.0, 2.0]),
        &DMatrix::from_row_slice(2, 2, &[0.0, 1.0, 1.0, 0.0]),
        &DMatrix::from_row_slice(2, 2, &[1.0, 0.0, 0.0, 1.0]),
    );
    let cyclic = chain.g(Reduction::Cyclic).unwrap();
    let logarithmic = chain.g(Reduction::Logarithmic).unwrap();
    assert!((&cyclic - logarithmic).amax() < 1e-15 && cyclic.row(0).sum() < 0.9);
    // Functional iteration as a third method: G <- (−A1 − A0 G)⁻¹ A2.
    let Blocks { up, local, down } = chain.blocks(1);
    let mut g = DMatrix::zeros(2, 2);
    for _ in 0..500 {
        g = (-(local + up * &g)).try_inverse().unwrap() * down;
    }
    assert!((&cyclic - g).amax() < 1e-15);
    // Times of the passages that happen: given that it comes down, M/M/1 with rates exchanged, mean 1/(λ−μ).
    let one = |rate: f64| DMatrix::from_element(1, 1, rate);
    let passage = Qbd::homogeneous(one(-2.0), one(2.0), one(-3.0), one(1.0)).unwrap().first_passage(1).unwrap();
    assert_close!(passage.g[(0, 0)], 0.5, 1e-15);
    let given = passage.conditional(0, 0);
    for (value, expected) in given.into_iter().zip([1.0, 4.0, 36.0]) {
        assert_close!(value, expected, 1e-13);
    }
    assert!(matches!(chain.solve(), Err(Error::Unstable { limit: 1.0, .. })));
}

#[test]
fn bad_chains_are_named() {
    let good = || {
        (
            DMatrix::from_row_slice(1, 1, &[-1.0]),
            DMatrix::from_row_slice(1, 1, &[1.0]),
            DMatrix::from_row_slice(1, 1, &[-3.0]),
            DMatrix::from_row_slice(1, 1, &[2.0]),
        )
    };
    let (zero, up, _, down) = good();
    let error =
        Qbd::homogeneous(zero.clone(), up.clone(), DMatrix::from_row_slice(1, 1, &[-2.5]), down.clone()).unwrap_err();
    assert!(matches!(error, Error::Datum { index: 1, value, .. } if value == 0.5), "{error}");
    for bad in [f64::NAN, f64::INFINITY, -1.0] {
        let error = Qbd::homogeneous(
            zero.clone(),
            DMatrix::from_row_slice(1, 1, &[bad]),
            DMatrix::from_row_slice(1, 1, &[-3.0]),
            down.clone(),
        )
        .unwrap_err();
        assert!(matches!(error, Error::Datum { .. }), "{error}");
        let error = Qbd::from_rates(1, |_| 1, |level, _| vec![(bad, level + 1, 0)]).unwrap_err();
        assert!(matches!(error, Error::Datum { .. }), "{error}");
    }
    let wide = DMatrix::zeros(1, 2);
    assert!(matches!(
        Qbd::homogeneous(zero.clone(), wide, DMatrix::from_row_slice(1, 1, &[-3.0]), down.clone()),
        Err(Error::Argument { .. })
    ));
    let empty = || DMatrix::<f64>::zeros(0, 0);
    assert!(matches!(Qbd::homogeneous(empty(), empty(), empty(), empty()), Err(Error::Argument { .. })));
    assert!(matches!(
        Qbd::new(vec![], Blocks { up, local: DMatrix::from_row_slice(1, 1, &[-3.0]), down }),
        Err(Error::Argument { .. })
    ));
    // A jump over a level, a phase that does not exist, levels that never repeat.
    assert!(matches!(Qbd::from_rates(0, |_| 1, |l, _| [(1.0, l + 2, 0)]), Err(Error::Argument { .. })));
    assert!(matches!(Qbd::from_rates(0, |_| 1, |l, _| [(1.0, l + 1, 1)]), Err(Error::Argument { .. })));
    let growing = |l: usize, _: usize| vec![(1.0, l + 1, 0), (l as f64, l.saturating_sub(1), 0)];
    assert!(matches!(Qbd::from_rates(1, |_| 1, growing), Err(Error::Datum { .. })));
    // Phases without any way down, and a level with two traps.
    let stuck = Qbd::homogeneous(
        DMatrix::from_row_slice(2, 2, &[-1.0, 1.0, 0.0, -1.0]),
        DMatrix::from_row_slice(2, 2, &[0.0, 0.0, 0.0, 1.0]),
        DMatrix::from_row_slice(2, 2, &[-1.0, 1.0, 0.0, -1.0]),
        DMatrix::zeros(2, 2),
    );
    assert!(stuck.unwrap().solve().is_err());
    let absorbing = Qbd::homogeneous(
        DMatrix::from_row_slice(1, 1, &[0.0]),
        DMatrix::from_row_slice(1, 1, &[0.0]),
        DMatrix::from_row_slice(1, 1, &[0.0]),
        DMatrix::from_row_slice(1, 1, &[0.0]),
    )
    .unwrap();
    assert!(
        absorbing.solve().is_err()
            && absorbing.g(Reduction::Cyclic).is_err()
            && absorbing.g(Reduction::Logarithmic).is_err()
    );
    let balanced = Qbd::homogeneous(
        DMatrix::from_row_slice(1, 1, &[-1.0]),
        DMatrix::from_row_slice(1, 1, &[1.0]),
        DMatrix::from_row_slice(1, 1, &[-2.0]),
        DMatrix::from_row_slice(1, 1, &[1.0]),
    )
    .unwrap();
    assert!(matches!(balanced.solve(), Err(Error::Unstable { .. })));
    assert!(balanced.first_passage(0).is_err());
}

/// M/PH/k for a law of two phases: the phase of the chain is the number of jobs in the first one.
fn m_ph_k(size: &PhaseType, servers: usize, lambda: f64) -> Qbd {
    let (alpha, exit, t) = (size.alpha().to_vec(), size.exit_rates().to_vec(), size.sub_generator());
    Qbd::from_rates(
        servers,
        |level| level.min(servers) + 1,
        |level, first| {
            let busy = level.min(servers);
            let second = busy - first;
            let (one, two) = (first as f64, second as f64);
            let mut out = Vec::new();
            let start = |out: &mut Vec<(f64, usize, usize)>, rate: f64, level: usize, first: usize| {
                out.push((rate * alpha[0], level, first + 1));
                out.push((rate * alpha[1], level, first));
            };
            if level < servers {
                start(&mut out, lambda, level + 1, first);
            } else {
                out.push((lambda, level + 1, first));
            }
            if first > 0 {
                out.push((one * t[(0, 1)], level, first - 1));
            }
            if second > 0 {
                out.push((two * t[(1, 0)], level, first + 1));
            }
            let mut end = |rate: f64, left: usize| {
                if level > servers {
                    start(&mut out, rate, level - 1, left);
                } else {
                    out.push((rate, level - 1, left));
                }
            };
            if first > 0 {
                end(one * exit[0], first - 1);
            }
            if second > 0 {
                end(two * exit[1], first);
            }
            out
        },
    )
    .unwrap()
}

#[test]
fn many_servers_with_two_phase_sizes() {
    let mut worst = common::Worst::default();
    for row in table("multiserver.csv") {
        if row["system"] != "mphk" {
            continue;
        }
        let size = match common::law(&row) {
            Law::Erlang(law) => PhaseType::try_from(&law).unwrap(),
            Law::HyperExponential(law) => PhaseType::try_from(&law).unwrap(),
            Law::PhaseType(law) => law,
            other => panic!("{other}"),
        };
        if size.phases() != 2 {
            continue;
        }
        let number = |key: &str| common::number(&row, key).unwrap();
        let servers = number("servers") as usize;
        let lambda = number("load") * servers as f64 / size.mean();
        let solved = m_ph_k(&size, servers, lambda).solve().unwrap();
        assert!(solved.residual() <= 1e-13);
        let value = match row["quantity"].as_str() {
            "mean_waiting_time" => solved.mean_of(|level, _| level.saturating_sub(servers) as f64) / lambda,
            "probability_of_waiting" => solved.level_tail(servers - 1),
            other => panic!("{other}"),
        };
        let error = common::relative_error(value, number("value"));
        assert!(error < 1e-11, "{row:?}: {value} {error:e}");
        worst.see(&row["law"], error);
    }
    worst.print("multiserver.csv");
    assert!(worst.count() >= 10);
}
