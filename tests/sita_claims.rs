//! What the papers claim and what their models imply, with numbers computed elsewhere in 40-digit arithmetic.

mod common;
use queueing::farm::sita::{Atoms, Cutoffs};
use queueing::prelude::*;

const MEAN: f64 = 3000.0;
const LARGEST: f64 = 1e10;

fn farm(alpha: f64, load: f64, hosts: usize) -> Farm<BoundedPareto> {
    let size = BoundedPareto::with_mean(MEAN, LARGEST, alpha).unwrap();
    Farm::with_load(size, Hosts::identical(hosts).unwrap(), load).unwrap()
}

fn sita_e(farm: &Farm<BoundedPareto>) -> Outcome {
    sita::evaluate(farm, &sita::equal_load(farm).unwrap(), Discipline::Fcfs).unwrap().overall
}

#[test]
fn ps_over_sita_e_tends_to_two_as_hosts_grow() {
    // Harchol-Balter, Crovella and Murta (1997): a factor of about two, for waiting and for waiting slowdown.
    for (hosts, waiting, slowdown) in
        [(2, 0.0041356, 0.0718), (4, 0.19123, 0.9026), (8, 1.1381, 1.6217), (32, 1.9388, 1.9734)]
    {
        let farm = farm(1.1, 0.8, hosts);
        let (ps, sita) = (farm::random(&farm, Discipline::Ps).unwrap(), sita_e(&farm));
        assert_close!(ps.mean_waiting_time().unwrap() / sita.mean_waiting_time().unwrap(), waiting, 5e-4, "{hosts}");
        assert_close!(
            ps.mean_waiting_slowdown().unwrap() / sita.mean_waiting_slowdown().unwrap(),
            slowdown,
            5e-4,
            "{hosts}"
        );
    }
    for (alpha, tolerance) in [(0.7, 3e-3), (1.0, 1e-6), (1.5, 1e-4)] {
        let farm = farm(alpha, 0.6, 20_000);
        let (ps, sita) = (farm::random(&farm, Discipline::Ps).unwrap(), sita_e(&farm));
        assert_close!(ps.mean_waiting_time().unwrap() / sita.mean_waiting_time().unwrap(), 2.0, tolerance, "{alpha}");
        assert_close!(
            ps.mean_waiting_slowdown().unwrap() / sita.mean_waiting_slowdown().unwrap(),
            2.0,
            tolerance,
            "{alpha}"
        );
    }
}

#[test]
fn closed_forms_of_sita_e_at_alpha_one() {
    // E[S_w] = ρ/(1−ρ) sinh ℓ/(2ℓ), E[W] = ρ/(1−ρ) E[X] (cosh ℓ − 1)/ℓ², ℓ = ln(p/k)/h
    for (p, hosts, load) in [(1e6, 2, 0.5), (1e6, 4, 0.8), (1e9, 8, 0.8), (1e6, 1000, 0.8)] {
        let size = BoundedPareto::new(1.0, p, 1.0).unwrap();
        let farm = Farm::with_load(size, Hosts::identical(hosts).unwrap(), load).unwrap();
        let step = p.ln() / hosts as f64;
        let odds = load / (1.0 - load);
        let sita = sita_e(&farm);
        let conditioning = 1e-15 * hosts as f64 + 1e-12;
        assert_close!(sita.mean_waiting_slowdown().unwrap(), odds * step.sinh() / (2.0 * step), conditioning);
        // cosh ℓ − 1 = 2 sinh²(ℓ/2)
        let excess = 2.0 * (0.5 * step).sinh().powi(2) / (step * step);
        assert_close!(sita.mean_waiting_time().unwrap(), odds * size.mean() * excess, conditioning);
    }
}

#[test]
fn sita_v_beats_sita_e_by_far_more_than_a_thousand() {
    // Crovella, Harchol-Balter and Murta (1998): "up to 1000 or more", where the tail is heavy and the load low.
    for (alpha, load, optimum, gain) in
        [(0.7, 0.5, 171.338854528, 192_964.0), (0.5, 0.5, 5022.93709826, 3.07233e7), (0.9, 0.3, 12.6699510144, 662.442)]
    {
        let farm = farm(alpha, load, 2);
        let best = sita::optimal(&farm, Metric::MeanWaitingSlowdown, Discipline::Fcfs).unwrap();
        let value = best.overall.mean_waiting_slowdown().unwrap();
        assert_close!(value, optimum, 1e-11, "{alpha}");
        assert_close!(sita_e(&farm).mean_waiting_slowdown().unwrap() / value, gain, 5e-6, "{alpha}");
    }
}

#[test]
fn optima_that_sit_at_the_edge_of_saturation() {
    // 1 − ρ₂ is 1.7603774e-9: the load, not the cutoff, resolves it.
    let best = sita::optimal(&farm(0.5, 0.7, 2), Metric::MeanWaitingSlowdown, Discipline::Fcfs).unwrap();
    assert_close!(best.overall.mean_waiting_slowdown().unwrap(), 33_593_781_213.6, 1e-11);
    // Only a share of 1e-9 of the objective depends on 1 − ρ₂ there, so rounding leaves it three digits.
    assert_close!(best.hosts[1].spare, 1.7603774e-9, 1e-2);
    for (alpha, load, spare) in [(0.5, 0.8, 6.8164562e-10), (0.7, 0.7, 4.8710628e-7)] {
        let best = sita::optimal(&farm(alpha, load, 2), Metric::MeanWaitingSlowdown, Discipline::Fcfs).unwrap();
        assert_close!(best.hosts[1].spare, spare, 1e-2, "{alpha} {load}");
    }
}

#[test]
fn published_optima_for_more_hosts() {
    // (hosts, alpha, load, minimal E[W], minimal E[W/X]) by two other optimisers, to their printed digits.
    for (hosts, alpha, load, waiting, slowdown) in [
        (3, 1.1, 0.5, 13802.2044, 1.31407506),
        (3, 1.5, 0.7, 29832.2529, 4.41974357),
        (4, 1.1, 0.7, 14991.9405, 1.20978158),
        (8, 1.0, 0.7, 5227.94791, 0.381174038),
        (8, 1.1, 0.7, 5379.64485, 0.546062358),
        (8, 1.5, 0.7, 6074.75171, 1.23107224),
    ] {
        let farm = farm(alpha, load, hosts);
        let best = sita::optimal(&farm, Metric::MeanWaitingTime, Discipline::Fcfs).unwrap();
        assert_close!(best.overall.mean_waiting_time().unwrap(), waiting, 5e-9, "{hosts} {alpha}");
        let best = sita::optimal(&farm, Metric::MeanSlowdown, Discipline::Fcfs).unwrap();
        assert_close!(best.overall.mean_waiting_slowdown().unwrap(), slowdown, 5e-9, "{hosts} {alpha}");
    }
}

#[test]
fn duality_of_alpha_and_two_minus_alpha() {
    // E[W](α; x₁, ...)/E[X]_α = E[W](2−α; kp/x_{h−1}, ...)/E[X]_{2−α}, loads in reverse order
    let (k, p): (f64, f64) = (1.0, 1e7);
    let waiting = |alpha: f64, cutoffs: &[f64]| {
        let size = BoundedPareto::new(k, p, alpha).unwrap();
        let farm = Farm::with_load(size, Hosts::identical(cutoffs.len() + 1).unwrap(), 0.4).unwrap();
        let result = sita::evaluate(&farm, &Cutoffs::new(cutoffs).unwrap(), Discipline::Fcfs).unwrap();
        let loads: Vec<f64> = result.hosts.iter().map(|host| host.load).collect();
        (result.overall.mean_waiting_time().unwrap(), size.mean(), loads)
    };
    assert_close!(waiting(0.7, &[3000.0]).0, 12940.1229768, 1e-11);
    for (alpha, cutoffs) in [(0.7, vec![3000.0]), (0.7, vec![30_000.0, 900_000.0]), (0.9, vec![300.0, 40_000.0, 1e6])] {
        let mirrored: Vec<f64> = cutoffs.iter().rev().map(|x| k * p / x).collect();
        let ((one, mean, loads), (other, dual_mean, dual_loads)) =
            (waiting(alpha, &cutoffs), waiting(2.0 - alpha, &mirrored));
        assert_close!(one / mean, other / dual_mean, 1e-12, "{alpha}");
        for (load, dual) in loads.iter().zip(dual_loads.iter().rev()) {
            assert_close!(*load, *dual, 1e-12, "{alpha}");
        }
    }
    let gain = |alpha| {
        let size = BoundedPareto::new(1.0, 1e6, alpha).unwrap();
        let farm = Farm::with_load(size, Hosts::identical(2).unwrap(), 0.5).unwrap();
        let best = sita::optimal(&farm, Metric::MeanWaitingTime, Discipline::Fcfs).unwrap();
        (
            sita_e(&farm).mean_waiting_time().unwrap() / best.overall.mean_waiting_time().unwrap(),
            best.cutoffs.sizes().next().unwrap(),
        )
    };
    let ((light, low), (heavy, high)) = (gain(1.5), gain(0.5));
    assert_close!(light, heavy, 1e-12);
    assert_close!(light, 8.5562, 1e-5);
    assert_close!(low * high, 1e6, 1e-6);
}

#[test]
fn equal_loads_are_best_for_processor_sharing_hosts() {
    let farm = farm(1.1, 0.8, 4);
    let best = sita::optimal(&farm, Metric::MeanResponseTime, Discipline::Ps).unwrap();
    for host in &best.hosts {
        assert_close!(host.load, 0.8, 1e-6);
    }
    // and there SITA-E and random assignment agree
    assert_close!(best.overall.mean_response_time().unwrap(), MEAN / 0.2, 1e-12);
}

#[test]
fn a_grid_alone_would_miss_every_feasible_point() {
    // Exponential sizes, 8 hosts at load 0.98: cutoffs have windows of a few percent of a host's load.
    let farm = Farm::with_load(Exponential::with_mean(1.0).unwrap(), Hosts::identical(8).unwrap(), 0.98).unwrap();
    let best = sita::optimal(&farm, Metric::MeanWaitingTime, Discipline::Fcfs).unwrap();
    let equal = sita::evaluate(&farm, &sita::equal_load(&farm).unwrap(), Discipline::Fcfs).unwrap();
    assert!(best.overall.mean_waiting_time().unwrap() < equal.overall.mean_waiting_time().unwrap());
    for load in [0.999, 0.999_999] {
        let farm = Farm::with_load(Exponential::with_mean(1.0).unwrap(), Hosts::identical(50).unwrap(), load).unwrap();
        let best = sita::optimal(&farm, Metric::MeanWaitingTime, Discipline::Fcfs).unwrap();
        assert!(best.overall.mean_waiting_time().unwrap().is_finite());
    }
}

#[test]
fn infeasible_and_infinite_are_told_apart() {
    let exponential = Farm::with_load(Exponential::with_mean(1.0).unwrap(), Hosts::identical(2).unwrap(), 0.5).unwrap();
    let slowdown = sita::optimal(&exponential, Metric::MeanSlowdown, Discipline::Fcfs).unwrap_err();
    assert!(slowdown.to_string().contains("infinite for all cutoffs"), "{slowdown}");
    let heavy = Farm::with_load(Pareto::new(1.0, 1.5).unwrap(), Hosts::identical(2).unwrap(), 0.5).unwrap();
    assert!(
        sita::optimal(&heavy, Metric::MeanWaitingTime, Discipline::Fcfs).unwrap_err().to_string().contains("infinite")
    );
    let atom = Empirical::from_atoms(&[(1.0, 1.0), (100.0, 9.0), (300.0, 1.0)]).unwrap();
    let farm = Farm::with_load(atom, Hosts::identical(4).unwrap(), 0.9).unwrap();
    let whole = sita::optimal(&farm, Metric::MeanWaitingTime, Discipline::Fcfs).unwrap_err();
    assert!(whole.to_string().contains("size 100"), "{whole}");
    let split = sita::optimal_with(&farm, Metric::MeanWaitingTime, Discipline::Fcfs, Atoms::Split).unwrap();
    let equal = sita::evaluate(&farm, &sita::equal_load(&farm).unwrap(), Discipline::Fcfs).unwrap();
    assert!(split.overall.mean_waiting_time().unwrap() <= equal.overall.mean_waiting_time().unwrap());
    let overloaded = Farm::with_load(atom_free(), Hosts::identical(4).unwrap(), 1.2).unwrap();
    assert!(
        sita::optimal(&overloaded, Metric::MeanWaitingTime, Discipline::Fcfs).unwrap_err().to_string().contains("1.2")
    );
}

fn atom_free() -> Uniform {
    Uniform::new(1.0, 2.0).unwrap()
}

fn waiting_slowdown(farm: &Farm<Law>, cutoffs: &[f64]) -> f64 {
    let result = Cutoffs::new(cutoffs).and_then(|cutoffs| sita::evaluate(farm, &cutoffs, Discipline::Fcfs));
    result.and_then(|result| result.overall.mean_waiting_slowdown()).unwrap_or(f64::INFINITY)
}

/// The least waiting slowdown that one round of steps from these cutoffs finds: each cutoff alone, neighbours together and against
/// each other, all together, and random directions, by 1e-1 to 1e-9 of the distance to the next cutoff in ln x, down and up.
fn after_steps(farm: &Farm<Law>, start: &[f64]) -> f64 {
    let (low, high) = farm.jobs().size().support();
    let count = start.len();
    let ends: Vec<f64> =
        [low.max(start[0] / 10.0)].iter().chain(start).chain(&[high.min(10.0 * start[count - 1])]).copied().collect();
    let room = |i: usize| (ends[i + 1] / ends[i]).ln().min((ends[i + 2] / ends[i + 1]).ln());
    let mut state = 1_u64;
    let mut random = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as f64 / (1_u64 << 30) as f64 - 1.0
    };
    let mut directions: Vec<Vec<(usize, f64)>> = (0..count).map(|i| vec![(i, 1.0)]).collect();
    directions.extend((1..count).flat_map(|i| [vec![(i - 1, 1.0), (i, 1.0)], vec![(i - 1, 1.0), (i, -1.0)]]));
    directions.push((0..count).map(|i| (i, 1.0)).collect());
    directions.extend((0..20).map(|_| (0..count).map(|i| (i, random())).collect()));
    let (mut cutoffs, mut value) = (start.to_vec(), waiting_slowdown(farm, start));
    for direction in directions {
        for step in (1..=9).flat_map(|k| [0.1_f64.powi(k), -0.1_f64.powi(k)]) {
            let mut moved = cutoffs.clone();
            for &(i, weight) in &direction {
                moved[i] *= (step * weight * room(i)).exp();
            }
            let found = waiting_slowdown(farm, &moved);
            if found < value {
                (cutoffs, value) = (moved, found);
            }
        }
    }
    value
}

#[test]
fn narrow_valleys_with_many_hosts() {
    // Loads of 0.96 to 0.999: optima that a coarse grid misses by factors. The estimated distance is small and equal loads are worse.
    for text in [
        "lognormal:mean=0.04,scv=730",
        "bounded-pareto:k=332,p=1e10,alpha=1.1",
        "bounded-pareto:k=1,p=1e6,alpha=0.4",
        "bounded-pareto:k=1,p=2500,alpha=0.66",
    ] {
        let law: Law = text.parse().unwrap();
        for (hosts, load) in [(16, 0.99), (32, 0.95), (64, 0.8)] {
            let farm = Farm::with_load(law.clone(), Hosts::identical(hosts).unwrap(), load).unwrap();
            let equal: Vec<f64> = sita::equal_load(&farm).unwrap().sizes().collect();
            let result = sita::optimal(&farm, Metric::MeanWaitingSlowdown, Discipline::Fcfs).unwrap();
            assert!(result.optimality.unwrap() < 1e-10, "{text} {hosts}: {:?}", result.optimality);
            let best = result.overall.mean_waiting_slowdown().unwrap();
            let cutoffs: Vec<f64> = result.cutoffs.sizes().collect();
            assert_close!(waiting_slowdown(&farm, &cutoffs), best, 1e-10, "{text} {hosts}");
            let moved = after_steps(&farm, &cutoffs);
            assert!(moved >= best * (1.0 - 1e-9), "{text} {hosts}: {best}, and {moved} near it");
            // Steps from equal loads do find better ones, and none that the optimum does not reach.
            let from_equal = after_steps(&farm, &equal);
            assert!(from_equal < waiting_slowdown(&farm, &equal) && best < from_equal, "{text} {hosts}: {from_equal}");
        }
    }
}
