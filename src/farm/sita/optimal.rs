//! SITA-V: the cutoffs that minimise a cost.

use super::objective::Objective;
use super::places::{Axis, Place, Profile};
use super::{Assignment, Cutoffs, Host, evaluate::evaluate_with, path, polish::polish, settle::settle};
use crate::error::{Error, Infeasibility, Result, require};
use crate::size::{Cutoff, JobSize, cutoff::moments_between};
use crate::workload::{Discipline, Farm, Metric};

/// The least 1 − load per host for which cutoffs are optimised: sizes do not resolve less.
const LEAST_SPARE: f64 = 1e-13;

/// The most hosts for which cutoffs are optimised.
const MOST_HOSTS: usize = 10_000;

/// Whether cutoffs may divide the jobs of one size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Atoms {
    /// All jobs of one size go to the same host.
    #[default]
    Whole,
    /// A share of them, drawn at random, may go below.
    Split,
}

/// `min Σ p_i W_i` over the cutoffs: SITA-V, for mean waiting time, response time, slowdown or waiting slowdown.
///
/// No host need be the lighter one: the direction of the imbalance depends on the law. Cutoffs that would leave a host at load one
/// or more are never returned. Jobs of one size stay together; [`optimal_with`] may split them.
///
/// The minimum is the global one: the cost is a sum over consecutive intervals, so a shortest path over a grid of cutoffs, dense
/// in log size, in work, and towards the edges of what is feasible, finds the right valley, and Newton steps in the loads of the
/// hosts go to its bottom, since the best load may be 1 − 1e-9. Traces are searched completely up to some
/// 2000 different sizes for eight hosts (sizes squared times hosts up to 4e7, a tenth of a second). SITA-E is on
/// the grid of every law that allows it.
///
/// Returns the cutoffs with the performance of the farm; [`Assignment::optimality`] estimates the relative distance of the
/// objective from its minimum. Where a host's 1 − load is tiny, the reported loads are those of the optimiser: the cutoff, a
/// double, cannot resolve them.
///
/// Cost: about 30 µs for two hosts and 1 ms for eight with bounded Pareto sizes; tenths of a second for laws that rest on the
/// quadrature defaults, seconds where their density is infinite at an end. Hosts that look at sizes (SRPT, PSJF, SJF, FB) cost a pass
/// over their sizes for each candidate: some 20 ms for two hosts, seconds for eight. Accuracy: value of the objective
/// 1e-12, or that of the law, for up to some 200 hosts; with thousands it may stop 1e-3 above the minimum, and `optimality` says so.
///
/// # Errors
/// [`Error::Infeasible`] when no cutoffs bring every host below load one (decided by the law, not by the grid) or the objective
/// is infinite for all; [`Error::Unavailable`] for other metrics; [`Error::Argument`] for more than 10000 hosts and for a
/// 1 − load below 1e-13.
///
/// Source: M. Crovella, M. Harchol-Balter and C. Murta (1998), which minimises E\[W/X\].
///
/// ```
/// use queueing::prelude::*;
/// // At α = 1 the best cutoff for waiting is √(kp), by symmetry.
/// let farm = Farm::with_load(BoundedPareto::new(1.0, 1e6, 1.0)?, Hosts::identical(2)?, 0.5)?;
/// let best = sita::optimal(&farm, Metric::MeanWaitingTime, Discipline::Fcfs)?;
/// assert!((best.hosts[0].load - 0.5).abs() < 1e-6);
/// assert!((best.overall.mean_waiting_time()? / 144.4755868869 - 1.0).abs() < 1e-11);
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn optimal<S: JobSize>(farm: &Farm<S>, metric: Metric, discipline: Discipline) -> Result<Assignment> {
    optimal_with(farm, metric, discipline, Atoms::Whole)
}

/// [`optimal`], with the choice whether cutoffs may split the jobs of one size.
///
/// With [`Atoms::Split`] a trace behaves like a continuous law: every load per host below one is feasible.
///
/// # Errors
/// As [`optimal`].
///
/// ```
/// use queueing::prelude::*;
/// // All jobs alike on two hosts: whole, one host would take them all; split, each takes half.
/// let farm = Farm::with_load(Deterministic::new(1.0)?, Hosts::identical(2)?, 0.6)?;
/// assert!(sita::optimal(&farm, Metric::MeanWaitingTime, Discipline::Fcfs).is_err());
/// let best = sita::optimal_with(&farm, Metric::MeanWaitingTime, Discipline::Fcfs, sita::Atoms::Split)?;
/// assert!((best.overall.mean_waiting_time()? - 0.75).abs() < 1e-9);            // ρ / 2(1−ρ)
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn optimal_with<S: JobSize>(
    farm: &Farm<S>,
    metric: Metric,
    discipline: Discipline,
    atoms: Atoms,
) -> Result<Assignment> {
    search(farm, &Objective::new(metric, discipline)?, metric.name(), discipline, atoms)
}

/// `min Σ cost(host)`: the cutoffs that minimise a cost of your own, summed over the hosts.
///
/// The cost is given each candidate host, always with a load below one; weigh it by [`Host::fraction`] for a mean over jobs. It
/// may be infinite. The result reports the farm with FCFS hosts; evaluate the cutoffs for others.
///
/// Cost: that of some hundred thousand calls for eight hosts. Accuracy: as smooth as the cost is.
///
/// # Errors
/// As [`optimal`].
///
/// ```
/// use queueing::prelude::*;
/// // The largest expected slowdown of any job, softened: fourth powers of each host's mean slowdown.
/// let farm = Farm::with_load(BoundedPareto::new(1.0, 1e4, 1.0)?, Hosts::identical(2)?, 0.5)?;
/// let fair = sita::optimal_by(&farm, |host| {
///     let waiting = host.moment(2.0) / host.spare();
///     (waiting * host.moment(-1.0) / host.fraction()).powi(4)
/// })?;
/// assert!(fair.hosts[0].load > 0.4 && fair.hosts[0].load < 0.6);
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn optimal_by<S: JobSize>(farm: &Farm<S>, cost: impl Fn(&Host<'_, S>) -> f64) -> Result<Assignment> {
    search(farm, &Objective::User(&cost), "cost", Discipline::Fcfs, Atoms::Whole)
}

fn search<S: JobSize>(
    farm: &Farm<S>,
    objective: &Objective<'_, S>,
    name: &'static str,
    discipline: Discipline,
    atoms: Atoms,
) -> Result<Assignment> {
    let hosts = farm.hosts().count();
    require(hosts <= MOST_HOSTS, "hosts", hosts as f64, "must be at most 10000 for cutoffs to be optimised")?;
    let spare = farm.spare();
    let requirement = "must be at least 1e-13 for cutoffs, which are doubles, to resolve it";
    require(spare <= 0.0 || spare >= LEAST_SPARE, "spare", spare, requirement)?;
    let axis = Axis { farm, total: farm.load() * hosts as f64, splitting: atoms == Atoms::Split };
    let start = feasible_start(&axis)?;
    let infinite = || {
        let order = objective.orders().into_iter().flatten().find(|r| farm.jobs().size().moment(*r).is_infinite());
        Error::Infeasible { reason: Infeasibility::InfiniteObjective { objective: name, order } }
    };
    let layers = axis.grid(&start)?;
    let places = best_on_grid(&axis, objective, &layers).ok_or_else(infinite)?;
    let (mut places, optimality) = improve(&axis, objective, places);
    // Equal loads, or what comes nearest, may be the minimum to the last digits: rounding must not make it worse.
    if objective.total(&axis, &start) < objective.total(&axis, &places) {
        places = start;
    }
    let ends = [Place::LOWEST].into_iter().chain(places.iter().copied()).chain([axis.highest()]);
    let works: Vec<f64> = ends.map(|place| place.work).collect();
    let loads: Vec<(f64, f64)> = if hosts == 1 {
        vec![(farm.load(), farm.spare())]
    } else {
        works.windows(2).map(|pair| (pair[1] - pair[0], 1.0 - (pair[1] - pair[0]))).collect()
    };
    let cutoffs = Cutoffs::found(places.iter().map(|place| place.cutoff).collect());
    let result = evaluate_with(farm, cutoffs, discipline, Some(&loads))?;
    Ok(Assignment { optimality, ..result })
}

/// From the best of the grid to the bottom of its valley, and the estimated relative distance from it.
fn improve<S: JobSize>(
    axis: &Axis<'_, S>,
    objective: &Objective<'_, S>,
    places: Vec<Place>,
) -> (Vec<Place>, Option<f64>) {
    let law = axis.farm.jobs().size();
    if law.atoms().is_empty() {
        // With many hosts the grid has few places for each: ladders bring them close enough for Newton's steps.
        let places = if axis.farm.hosts().count() > 8 { settle(axis, objective, places) } else { places };
        let (places, gap) = polish(axis, objective, places);
        if law.break_points().is_empty() {
            return (places, Some(gap));
        }
        // At a break point the objective has a kink, and may have its minimum.
        let kinked = settle(axis, objective, places);
        let (kinked, gap) = polish(axis, objective, kinked);
        let on_a_kink = kinked.iter().any(|place| law.break_points().contains(&place.cutoff.size()));
        return (kinked, (!on_a_kink).then_some(gap));
    }
    let places = settle(axis, objective, places);
    if axis.is_staircase() {
        return (places, axis.has_all_atoms_on_its_grid().then_some(0.0));
    }
    (polish(axis, objective, places).0, None)
}

/// Cutoffs that keep every host below load one, if the law has any.
fn feasible_start<S: JobSize>(axis: &Axis<'_, S>) -> Result<Vec<Place>> {
    let load = axis.farm.load();
    if !(axis.farm.spare() > 0.0) {
        return Err(Error::Infeasible { reason: Infeasibility::Load { load } });
    }
    let (start, peak) = axis.least_peak();
    if peak >= 1.0 {
        let reason = match axis.heaviest_atom() {
            Some((size, load)) if load >= 1.0 => Infeasibility::Atom { size, load },
            _ => Infeasibility::Packing { peak, load },
        };
        return Err(Error::Infeasible { reason });
    }
    Ok(start)
}

fn best_on_grid<S: JobSize>(
    axis: &Axis<'_, S>,
    objective: &Objective<'_, S>,
    layers: &[Vec<Place>],
) -> Option<Vec<Place>> {
    let profile = |place: &Place| {
        let (mut below, mut above) = ([0.0; 2], [0.0; 2]);
        let law = axis.farm.jobs().size();
        if let Some(orders) = objective.orders() {
            moments_between(law, &orders, Cutoff::LOWEST, place.cutoff, &mut below);
            moments_between(law, &orders, place.cutoff, Cutoff::HIGHEST, &mut above);
        }
        Profile { place: *place, below, above }
    };
    let ends = [profile(&Place::LOWEST), profile(&axis.highest())];
    let profiles: Vec<Vec<Profile>> = layers.iter().map(|layer| layer.iter().map(profile).collect()).collect();
    let sizes: Vec<usize> = layers.iter().map(Vec::len).collect();
    let (_, path) = path::shortest(&sizes, |host, from, to| {
        let lower = if host == 0 { &ends[0] } else { &profiles[host - 1][from] };
        let upper = if host == layers.len() { &ends[1] } else { &profiles[host][to] };
        objective.rough_cost(axis.farm, lower, upper)
    })?;
    Some(layers.iter().zip(path).map(|(layer, at)| layer[at]).collect())
}
