//! From the right valley to its bottom: Newton steps in the works of the cutoffs, and small grids where those do not lead down.

use super::objective::Objective;
use super::path;
use super::places::{Axis, Place};
use crate::size::JobSize;

/// Far more than up to a hundred hosts need; thousands may use them all, and the estimated distance then says what is missing.
const MOST_ROUNDS: usize = 500;

/// The least step for Newton's differences, as a share of a cutoff's room: they keep half of their digits there.
const SMALLEST: f64 = 1e-4;

/// A step below this share of the work is below rounding.
const FINEST: f64 = 1e-16;

/// The best cutoffs near the given ones, and the relative decrease that a further step would bring.
pub(super) fn polish<S: JobSize>(
    axis: &Axis<'_, S>,
    objective: &Objective<'_, S>,
    start: Vec<Place>,
) -> (Vec<Place>, f64) {
    if start.is_empty() {
        return (start, 0.0);
    }
    let mut valley = Valley { axis, objective, value: f64::INFINITY, steps: vec![], places: start };
    valley.value = valley.total(&valley.places);
    valley.steps = valley.first_steps();
    let mut expected = f64::INFINITY;
    for _ in 0..MOST_ROUNDS {
        valley.fit_steps();
        let around = valley.ladders();
        let costs = valley.costs(&around);
        let newton = valley.newton(&costs);
        if let Some((decrease, step)) = &newton {
            expected = *decrease;
            if valley.follow(step) {
                if *decrease <= 1e-15 * valley.value.abs() {
                    break;
                }
                continue;
            }
        }
        if !valley.descend(&around, &costs) {
            // The centre is the best of the small grid: look closer.
            valley.steps.iter_mut().for_each(|step| *step *= 0.25);
            let rounding = newton.is_some_and(|(decrease, _)| decrease <= 1e-14 * valley.value.abs());
            if rounding || valley.steps.iter().all(|step| *step <= FINEST * axis.total) {
                break;
            }
        }
    }
    // Works are doubles: near the minimum a 1 − load that they resolve to u of itself leaves u² of the objective open.
    let resolved = f64::EPSILON * axis.total / valley.least_spare();
    let gap = (expected / valley.value.abs()).max(resolved * resolved).clamp(1e-15, 1.0);
    // A cost of 0 has no relative distance.
    let gap = if gap.is_nan() { 1e-15 } else { gap };
    (valley.places, gap)
}

struct Valley<'a, S> {
    axis: &'a Axis<'a, S>,
    objective: &'a Objective<'a, S>,
    places: Vec<Place>,
    steps: Vec<f64>,
    value: f64,
}

/// The cost of one host for each of three places of its lower and of its upper cutoff.
type Costs = [[f64; 3]; 3];

impl<S: JobSize> Valley<'_, S> {
    fn cost(&self, lower: &Place, upper: &Place) -> f64 {
        self.objective.cost(self.axis.farm, lower, upper)
    }

    fn total(&self, places: &[Place]) -> f64 {
        self.objective.total(self.axis, places)
    }

    /// The work below cutoff i, counted from 1; cutoff 0 has nothing below it and the last one everything.
    fn work(&self, i: usize) -> f64 {
        match i {
            0 => 0.0,
            i if i > self.places.len() => self.axis.total,
            i => self.places[i - 1].work,
        }
    }

    /// The smallest 1 − load of a host.
    fn least_spare(&self) -> f64 {
        (0..=self.places.len()).map(|host| 1.0 - (self.work(host + 1) - self.work(host))).fold(1.0, f64::min)
    }

    /// A quarter of the distance to whatever comes first: a neighbour, or a host that fills up.
    fn first_steps(&self) -> Vec<f64> {
        let count = self.places.len();
        let room = |i: usize| {
            let load = self.work(i + 1) - self.work(i);
            load.min(1.0 - load)
        };
        // Without any room, in a law with atoms, a step still has a size.
        let least = 1e-9 * self.axis.total / (count + 1) as f64;
        (0..count).map(|i| (0.25 * room(i).min(room(i + 1))).max(least)).collect()
    }

    /// Steps within their room, so that all places of the small grid are feasible.
    fn fit_steps(&mut self) {
        let rooms = self.first_steps();
        for (step, room) in self.steps.iter_mut().zip(rooms) {
            *step = step.min(room);
        }
    }

    /// Each cutoff one step down, where it is, and one step up.
    fn ladders(&self) -> Vec<[Place; 3]> {
        let ladder =
            |(place, step): (&Place, &f64)| [self.axis.at(place.work - step), *place, self.axis.at(place.work + step)];
        self.places.iter().zip(&self.steps).map(ladder).collect()
    }

    fn costs(&self, ladders: &[[Place; 3]]) -> Vec<Costs> {
        let (low, high) = ([Place::LOWEST; 3], [self.axis.highest(); 3]);
        (0..=ladders.len())
            .map(|host| {
                let lower = if host == 0 { &low } else { &ladders[host - 1] };
                let upper = ladders.get(host).unwrap_or(&high);
                let mut table = [[f64::INFINITY; 3]; 3];
                for a in 0..3 {
                    for b in 0..3 {
                        // An end of the axis has one place only.
                        table[a][b] = match (host, a, b) {
                            (0, 1.., _) => table[0][b],
                            (_, _, 1..) if host == ladders.len() => table[a][0],
                            _ => self.cost(&lower[a], &upper[b]),
                        };
                    }
                }
                table
            })
            .collect()
    }

    /// Goes to the best place of the small grid; false if that is where it stands.
    fn descend(&mut self, ladders: &[[Place; 3]], costs: &[Costs]) -> bool {
        let Some((value, best)) = path::shortest(&vec![3; ladders.len()], |host, from, to| costs[host][from][to])
        else {
            return false;
        };
        if value >= self.value * (1.0 - 1e-15 * self.value.signum()) {
            return false;
        }
        self.places = ladders.iter().zip(best).map(|(ladder, at)| ladder[at]).collect();
        self.value = self.total(&self.places);
        true
    }

    /// The decrease that Newton's step promises, and the step in works: gradient and tridiagonal Hessian from the small grid.
    fn newton(&self, costs: &[Costs]) -> Option<(f64, Vec<f64>)> {
        let count = self.places.len();
        if costs.iter().flatten().flatten().any(|cost| !cost.is_finite()) {
            return None;
        }
        // In units of the steps s_i: g_i = ∂F s_i, d_i = ∂²F s_i², o_i = ∂²F/∂i∂(i+1) s_i s_{i+1}.
        let (mut gradient, mut diagonal, mut off) = (vec![0.0; count], vec![0.0; count], vec![0.0; count]);
        for i in 0..count {
            let (below, above) = (&costs[i], &costs[i + 1]);
            gradient[i] = 0.5 * (below[1][2] - below[1][0] + above[2][1] - above[0][1]);
            diagonal[i] = below[1][2] - 2.0 * below[1][1] + below[1][0] + above[2][1] - 2.0 * above[1][1] + above[0][1];
            if i + 1 < count {
                off[i] = 0.25 * (above[2][2] - above[2][0] - above[0][2] + above[0][0]);
            }
        }
        // Away from the bottom the Hessian may not be definite: lift each row, at most until its diagonal dominates (Levenberg).
        let step = [0.0, 1e-3, 1e-2, 0.1, 1.01].iter().find_map(|lift| {
            let row = |i: usize| diagonal[i].abs() + off[i].abs() + if i > 0 { off[i - 1].abs() } else { 0.0 };
            let lifted = (0..count).map(|i| if *lift > 0.0 { diagonal[i].abs() + lift * row(i) } else { diagonal[i] });
            solve_tridiagonal(&gradient, lifted.collect(), &off)
        })?;
        let decrease = 0.5 * step.iter().zip(&gradient).map(|(d, g)| d * g).sum::<f64>();
        Some((decrease.abs(), step.iter().zip(&self.steps).map(|(d, unit)| -d * unit).collect()))
    }

    /// Goes along Newton's step, as far as it leads down and no host comes near an end of its load; false if it does not.
    fn follow(&mut self, step: &[f64]) -> bool {
        // No load falls, and no 1 − load, by more than four fifths. (Cutoffs may move far together.)
        let mut whole = 1.0_f64;
        for host in 0..=step.len() {
            let change = step.get(host).copied().unwrap_or(0.0) - if host > 0 { step[host - 1] } else { 0.0 };
            let load = self.work(host + 1) - self.work(host);
            let room = if change > 0.0 { 1.0 - load } else { load };
            whole = whole.min(0.8 * room / change.abs());
        }
        for shrink in [whole, 0.25 * whole, 0.0625 * whole] {
            let ahead = self.places.iter().zip(step).map(|(place, d)| self.axis.at(place.work + shrink * d));
            let ahead: Vec<Place> = ahead.collect();
            let value = self.total(&ahead);
            if value <= self.value {
                // Differences need a grid coarse against rounding: a step shrinks by at most eight and grows by at most two.
                let rooms = self.first_steps();
                let adapted = |((unit, d), room): ((&f64, &f64), f64)| {
                    (shrink * d).abs().clamp(0.125 * unit, 2.0 * unit).max(SMALLEST * room)
                };
                self.steps = self.steps.iter().zip(step).zip(rooms).map(adapted).collect();
                (self.places, self.value) = (ahead, value);
                return true;
            }
        }
        false
    }
}

/// H⁻¹g for a symmetric tridiagonal H, if that is positive definite.
fn solve_tridiagonal(gradient: &[f64], mut diagonal: Vec<f64>, off: &[f64]) -> Option<Vec<f64>> {
    let count = gradient.len();
    let mut solution = gradient.to_vec();
    for i in 0..count {
        if i > 0 {
            let factor = off[i - 1] / diagonal[i - 1];
            diagonal[i] -= factor * off[i - 1];
            solution[i] -= factor * solution[i - 1];
        }
        if !(diagonal[i] > 0.0) {
            return None;
        }
    }
    for i in (0..count).rev() {
        let next = if i + 1 < count { off[i] * solution[i + 1] } else { 0.0 };
        solution[i] = (solution[i] - next) / diagonal[i];
    }
    Some(solution)
}

#[cfg(test)]
mod tests {
    use super::solve_tridiagonal;

    #[test]
    fn tridiagonal_systems() {
        // [2 1 0; 1 3 1; 0 1 2] x = [4, 10, 8] has x = [1, 2, 3]
        let x = solve_tridiagonal(&[4.0, 10.0, 8.0], vec![2.0, 3.0, 2.0], &[1.0, 1.0, 0.0]).unwrap();
        for (value, expected) in x.iter().zip([1.0, 2.0, 3.0]) {
            assert!((value - expected).abs() < 1e-14);
        }
        assert!(solve_tridiagonal(&[1.0], vec![-1.0], &[0.0]).is_none());
    }
}
