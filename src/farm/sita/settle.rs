//! The last steps for laws of many atoms: the objective is a staircase there, and Newton's method has nothing to hold on to.

use super::objective::Objective;
use super::path;
use super::places::{Axis, Place};
use crate::size::JobSize;

/// Far more rounds than any trace needs; each brings an improvement.
const MOST_ROUNDS: usize = 200;

/// The best unsplit cutoffs near the given ones: each may move by 0, ±1, ±2, ±3, ±4, ±6, ±8, ±12, ... atoms, all of them jointly,
/// until none does.
pub(super) fn settle<S: JobSize>(axis: &Axis<'_, S>, objective: &Objective<'_, S>, start: Vec<Place>) -> Vec<Place> {
    let atoms = axis.farm.jobs().size().atoms();
    let mut offsets = vec![0_usize, 1];
    while let Some(&last) = offsets.last().filter(|&&last| last < atoms.len()) {
        offsets.extend([2 * last, 3 * last]);
    }
    let (lowest, highest) = (Place::LOWEST, axis.highest());
    let (mut places, mut value) = (start, f64::INFINITY);
    for _ in 0..MOST_ROUNDS {
        let ladders: Vec<Vec<Place>> = places.iter().map(|place| rungs(axis, place, &offsets)).collect();
        let sizes: Vec<usize> = ladders.iter().map(Vec::len).collect();
        let best = path::shortest(&sizes, |host, from, to| {
            let lower = if host == 0 { &lowest } else { &ladders[host - 1][from] };
            objective.cost(axis.farm, lower, ladders.get(host).map_or(&highest, |ladder| &ladder[to]))
        });
        match best {
            Some((found, at)) if found < value => {
                places = ladders.iter().zip(at).map(|(ladder, at)| ladder[at]).collect();
                value = found;
            }
            _ => break,
        }
    }
    places
}

/// The place itself and those so many atoms above and below it.
fn rungs<S: JobSize>(axis: &Axis<'_, S>, place: &Place, offsets: &[usize]) -> Vec<Place> {
    let atoms = axis.farm.jobs().size().atoms();
    // Atoms at or below the cutoff: cutoff number n stands at atom n − 1, and none below it at n = 0.
    let here = atoms.partition_point(|atom| atom.size <= place.cutoff.size());
    let down = offsets.iter().skip(1).filter_map(|offset| here.checked_sub(*offset));
    let up = offsets.iter().map(|offset| here + offset).filter(|&n| n <= atoms.len());
    down.chain(up).map(|n| if n == 0 { Place::LOWEST } else { axis.through(atoms[n - 1].size) }).collect()
}
