//! The search near the best of the grid by ladders of places: for laws with atoms, where the objective has steps or kinks at every
//! atom and Newton's method little to hold on to, and for many hosts, where the grid is coarse.

use super::objective::Objective;
use super::path;
use super::places::{Axis, Place};
use crate::size::JobSize;

/// Far more rounds than any trace needs; each brings an improvement.
const MOST_ROUNDS: usize = 60;

/// Rungs of all ladders together, roughly: the costs of a round are their number times the rungs of one.
const MOST_RUNGS: usize = 4000;

/// The best cutoffs near the given ones, by shortest paths through ladders of places around each, until none is better.
///
/// A cutoff may move by 0, ±1, ±2, ±3, ±4, ±6, ±8, ±12, ... atoms, and where places between atoms exist also by 1, 1/4, 1/16, ...
/// of its room: all cutoffs jointly.
pub(super) fn settle<S: JobSize>(axis: &Axis<'_, S>, objective: &Objective<'_, S>, start: Vec<Place>) -> Vec<Place> {
    let reach = (MOST_RUNGS / (start.len() + 1)).clamp(32, 80) as u32 / 4;
    let mut offsets = vec![0_usize, 1];
    while let Some(&last) = offsets.last().filter(|&&last| last < axis.farm.jobs().size().atoms().len()) {
        offsets.extend([2 * last, 3 * last]);
    }
    offsets.truncate(reach as usize);
    // On a staircase each improvement is a new set of atoms. Between atoms improvements may become ever smaller, and what is left
    // of a smooth valley is for Newton.
    let law = axis.farm.jobs().size();
    let kinks = !law.atoms().is_empty() || !law.break_points().is_empty();
    let (scales, least) = match (axis.is_staircase(), kinks) {
        (true, _) => (0, 0.0),
        (_, true) => (reach, 1e-13),
        (_, false) => (reach, 1e-2),
    };
    let (lowest, highest) = (Place::LOWEST, axis.highest());
    let (mut places, mut value) = (start, f64::INFINITY);
    for _ in 0..MOST_ROUNDS {
        let ladders: Vec<Vec<Place>> = (0..places.len())
            .map(|i| {
                let mut ladder = around_atoms(axis, &places[i], &offsets);
                ladder.extend(around_breaks(axis, &places[i]));
                ladder.extend(fractions(axis, &places, i, scales));
                ladder
            })
            .collect();
        let sizes: Vec<usize> = ladders.iter().map(Vec::len).collect();
        let best = path::shortest(&sizes, |host, from, to| {
            let lower = if host == 0 { &lowest } else { &ladders[host - 1][from] };
            objective.cost(axis.farm, lower, ladders.get(host).map_or(&highest, |ladder| &ladder[to]))
        });
        match best {
            Some((found, at)) if found < value - least * value.abs() || !value.is_finite() => {
                places = ladders.iter().zip(at).map(|(ladder, at)| ladder[at]).collect();
                value = found;
            }
            _ => break,
        }
    }
    places
}

/// The place itself, and the ends of those atoms that are so many above and below it.
fn around_atoms<S: JobSize>(axis: &Axis<'_, S>, place: &Place, offsets: &[usize]) -> Vec<Place> {
    let atoms = axis.farm.jobs().size().atoms();
    // Atoms at or below the cutoff: cutoff number n stands at atom n − 1, and none below it at n = 0.
    let here = atoms.partition_point(|atom| atom.size <= place.cutoff.size());
    let down = offsets.iter().filter_map(|offset| here.checked_sub(*offset));
    let up = offsets.iter().map(|offset| here + offset).filter(|&n| n <= atoms.len());
    let ends = down.chain(up).map(|n| if n == 0 { Place::LOWEST } else { axis.through(atoms[n - 1].size) });
    std::iter::once(*place).chain(ends).collect()
}

/// The break points of the law next to a place, where the objective has kinks.
fn around_breaks<S: JobSize>(axis: &Axis<'_, S>, place: &Place) -> Vec<Place> {
    let breaks = axis.farm.jobs().size().break_points();
    let above = breaks.partition_point(|&x| x < place.cutoff.size());
    breaks[above.saturating_sub(1)..(above + 1).min(breaks.len())].iter().map(|&x| axis.through(x)).collect()
}

/// Places at 1, 1/4, 1/16, ... of the distance to the neighbours of a cutoff.
fn fractions<'a, S: JobSize>(
    axis: &'a Axis<'_, S>,
    places: &[Place],
    i: usize,
    scales: u32,
) -> impl Iterator<Item = Place> + use<'a, S> {
    let work = places[i].work;
    let below = work - if i > 0 { places[i - 1].work } else { 0.0 };
    let above = places.get(i + 1).map_or(axis.total, |place| place.work) - work;
    (0..scales).flat_map(move |k| {
        let shrink = 0.25_f64.powf(f64::from(k));
        [axis.at(work - shrink * below), axis.at(work + shrink * above)]
    })
}
