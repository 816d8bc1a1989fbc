//! The optimum against brute force: every pair of cutoffs, for laws with modes, gaps and atoms.

mod common;
use queueing::farm::sita::{Atoms, Cutoffs};
use queueing::prelude::*;

fn waiting<S: JobSize>(farm: &Farm<S>, cutoffs: &[f64], metric: Metric) -> f64 {
    Cutoffs::new(cutoffs)
        .and_then(|cutoffs| sita::evaluate(farm, &cutoffs, Discipline::Fcfs))
        .and_then(|result| result.overall.estimate(metric))
        .map_or(f64::INFINITY, |estimate| estimate.value)
}

/// The least value over all pairs from `sizes` (three hosts).
fn brute_force<S: JobSize>(farm: &Farm<S>, sizes: &[f64], metric: Metric) -> f64 {
    let mut best = f64::INFINITY;
    for (i, &low) in sizes.iter().enumerate() {
        for &high in &sizes[i + 1..] {
            best = best.min(waiting(farm, &[low, high], metric));
        }
    }
    best
}

fn three_hosts<S: JobSize>(size: S, load: f64) -> Farm<S> {
    Farm::with_load(size, Hosts::identical(3).unwrap(), load).unwrap()
}

fn log_grid(low: f64, high: f64, count: u32) -> Vec<f64> {
    (1..count).map(|i| low * (high / low).powf(f64::from(i) / f64::from(count))).collect()
}

#[test]
fn laws_with_several_modes() {
    let modes = |centres: [f64; 3], sigma: f64, weights: [f64; 3]| {
        let parts = centres.into_iter().zip(weights);
        Mixture::new(parts.map(|(centre, weight)| (weight, LogNormal::new(centre.ln(), sigma).unwrap().into())))
            .unwrap()
    };
    for (size, load) in [
        (modes([1.0, 100.0, 1e4], 0.3, [0.9, 0.09, 0.01]), 0.3),
        (modes([1.0, 100.0, 1e4], 0.3, [0.9, 0.09, 0.01]), 0.9),
        (modes([1.0, 3.0, 1e3], 0.1, [0.5, 0.4, 0.1]), 0.7),
        (modes([1.0, 10.0, 1e6], 0.8, [0.3, 0.699, 0.001]), 0.6),
    ] {
        let farm = three_hosts(size, load);
        for metric in [Metric::MeanWaitingTime, Metric::MeanWaitingSlowdown] {
            let grid = brute_force(&farm, &log_grid(0.05, 5e6, 220), metric);
            let result = sita::optimal(&farm, metric, Discipline::Fcfs).unwrap();
            let best = result.overall.estimate(metric).unwrap().value;
            assert!(best <= grid * (1.0 + 1e-9), "{load}: {best} against {grid}");
            let cutoffs: Vec<f64> = result.cutoffs.sizes().collect();
            assert_close!(waiting(&farm, &cutoffs, metric), best, 1e-10);
        }
    }
}

#[test]
fn atoms_are_searched_completely() {
    for (seed, load) in [(1_u64, 0.3), (2, 0.6), (3, 0.8), (4, 0.9)] {
        // A small generator of sizes over four decades with uneven counts.
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as f64 / (1_u64 << 31) as f64
        };
        let atoms: Vec<(f64, f64)> =
            (0..40).map(|_| (10.0_f64.powf(4.0 * next()), (1.0 + 30.0 * next()).floor())).collect();
        let size = Empirical::from_atoms(&atoms).unwrap();
        let sizes: Vec<f64> = size.atoms().iter().map(|atom| atom.size).collect();
        let farm = three_hosts(size, load);
        for metric in [Metric::MeanWaitingTime, Metric::MeanWaitingSlowdown] {
            let all = brute_force(&farm, &sizes, metric);
            match sita::optimal(&farm, metric, Discipline::Fcfs) {
                Ok(best) => {
                    assert_close!(best.overall.estimate(metric).unwrap().value, all, 1e-13);
                    assert_close!(waiting(&farm, &best.cutoffs.sizes().collect::<Vec<_>>(), metric), all, 1e-13);
                    let split = sita::optimal_with(&farm, metric, Discipline::Fcfs, Atoms::Split).unwrap();
                    assert!(split.overall.estimate(metric).unwrap().value <= all * (1.0 + 1e-12));
                }
                Err(error) => assert!(all.is_infinite(), "{error}: {all}"),
            }
        }
    }
}

/// Evenly likely points of a bounded Pareto law, the last ones far apart.
fn points(count: u32) -> Empirical {
    let law = BoundedPareto::new(1.0, 1e4, 1.3).unwrap();
    let sizes: Vec<f64> = (0..count).map(|i| law.quantile((f64::from(i) + 0.5) / f64::from(count))).collect();
    Empirical::from_sizes(&sizes).unwrap()
}

#[test]
fn more_atoms_than_are_searched_completely() {
    let sizes = |farm: &Farm<Empirical>| farm.jobs().size().atoms().iter().map(|atom| atom.size).collect::<Vec<_>>();
    for metric in [Metric::MeanWaitingTime, Metric::MeanWaitingSlowdown] {
        // Two hosts: all cutoffs one by one.
        let farm = Farm::with_load(points(20_000), Hosts::identical(2).unwrap(), 0.7).unwrap();
        let all = sizes(&farm).iter().map(|&size| waiting(&farm, &[size], metric)).fold(f64::INFINITY, f64::min);
        let best = sita::optimal(&farm, metric, Discipline::Fcfs).unwrap();
        assert_close!(best.overall.estimate(metric).unwrap().value, all, 1e-13);
        // Three hosts: all pairs.
        let farm = three_hosts(points(1100), 0.7);
        let all = brute_force(&farm, &sizes(&farm), metric);
        let best = sita::optimal(&farm, metric, Discipline::Fcfs).unwrap();
        assert_close!(best.overall.estimate(metric).unwrap().value, all, 1e-13);
    }
}

#[test]
fn mixed_laws_keep_their_atoms_whole() {
    // Half of the work in jobs of exactly 10.
    let size = Mixture::new([
        (0.5, Exponential::with_mean(10.0).unwrap().into()),
        (0.5, Deterministic::new(10.0).unwrap().into()),
    ]);
    let farm = three_hosts(size.unwrap(), 0.6);
    let best = sita::optimal(&farm, Metric::MeanWaitingTime, Discipline::Fcfs).unwrap();
    assert!(best.cutoffs.as_slice().iter().all(|cutoff| cutoff.share() == 1.0));
    let mut grid = log_grid(0.1, 100.0, 300);
    grid.extend([10.0, 10.0_f64.next_down()]);
    grid.sort_by(f64::total_cmp);
    let coarse = brute_force(&farm, &grid, Metric::MeanWaitingTime);
    assert!(best.overall.mean_waiting_time().unwrap() <= coarse * (1.0 + 1e-9));
}
