//! Finite Markov chains.

use super::DMatrix;
use super::classes::closed_classes;
use super::elimination::Elimination;
use super::row::rate_out;
use crate::error::{Error, RATES_REQUIREMENT, Result, is_rate, require};
use crate::numeric::triplet;

/// The most states of a chain.
const MOST_STATES: usize = 100_000_000;

/// Up to this order the elimination works on a full matrix.
const DENSE: usize = 150;

/// A finite chain in continuous time, given by its transition rates.
///
/// ```
/// use queueing::markov::Ctmc;
/// // A machine that fails at rate 1 and is repaired at rate 4.
/// let machine = Ctmc::new(2, [(0, 1, 1.0), (1, 0, 4.0)])?;
/// assert_eq!(machine.stationary()?, [0.8, 0.2]);
/// # Ok::<(), queueing::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Ctmc {
    /// Transitions out of each state, by target, with positive rates.
    rows: Vec<Vec<(usize, f64)>>,
}

impl Ctmc {
    /// By the number of states and (from, to, rate) of each transition, with states counted from 0.
    ///
    /// Rates of the same transition add up; those of a state to itself are left out.
    ///
    /// # Errors
    /// [`Error::Argument`] for no states or a state that does not exist; [`Error::Datum`] naming the transition (counted from 1) whose
    /// rate is negative or not finite.
    pub fn new(states: usize, transitions: impl IntoIterator<Item = (usize, usize, f64)>) -> Result<Self> {
        require(
            (1..=MOST_STATES).contains(&states),
            "states",
            states as f64,
            "must be between 1 and a hundred million",
        )?;
        let mut rows = vec![Vec::new(); states];
        for (i, (from, to, rate)) in transitions.into_iter().enumerate() {
            let requirement = "must be a state, counted from 0";
            require(from < states, "state from", from as f64, requirement)?;
            require(to < states, "state to", to as f64, requirement)?;
            if !is_rate(rate) {
                let (what, requirement) = ("rate of transition", RATES_REQUIREMENT);
                return Err(Error::Datum { what, index: i + 1, value: rate, requirement });
            }
            if rate > 0.0 && from != to {
                rows[from].push((to, rate));
            }
        }
        rows.iter_mut().for_each(merge);
        Ok(Self { rows })
    }

    /// By a generator: rates off the diagonal, row sums zero within 1e-9 of the diagonal.
    ///
    /// # Errors
    /// [`Error::Argument`] unless it is square; [`Error::Datum`] naming the row for a negative rate or a row sum that is not zero.
    pub fn from_generator(generator: &DMatrix<f64>) -> Result<Self> {
        let n = generator.nrows();
        require(
            generator.ncols() == n,
            "columns of the generator",
            generator.ncols() as f64,
            "must be as many as rows",
        )?;
        for i in 0..n {
            let rates = (0..n).filter(|&j| j != i).map(|j| generator[(i, j)]);
            rate_out("row of the generator", i + 1, rates, generator[(i, i)])?;
        }
        let pairs = (0..n).flat_map(|i| (0..n).filter(move |&j| j != i).map(move |j| (i, j)));
        Self::new(n, pairs.map(|(i, j)| (i, j, generator[(i, j)])))
    }

    /// The states that can be reached from `start` by a transition function, and their chain; states are numbered as found.
    ///
    /// # Errors
    /// As [`new`](Self::new), and [`Error::NoConvergence`] if more than `most` states are reached.
    ///
    /// ```
    /// use queueing::markov::Ctmc;
    /// // M/M/2/3: at most three jobs.
    /// let (queue, found) = Ctmc::explore(0_u32, 10, |&jobs| {
    ///     let mut out = Vec::new();
    ///     if jobs < 3 { out.push((1.0, jobs + 1)); }
    ///     if jobs > 0 { out.push((f64::from(jobs.min(2)), jobs - 1)); }
    ///     out
    /// })?;
    /// assert_eq!(found, [0, 1, 2, 3]);
    /// assert!((queue.stationary()?[3] - 1.0 / 11.0).abs() < 1e-16);          // 1, 1, 1/2, 1/4
    /// # Ok::<(), queueing::Error>(())
    /// ```
    pub fn explore<S: Clone + Ord, I: IntoIterator<Item = (f64, S)>>(
        start: S,
        most: usize,
        rates: impl Fn(&S) -> I,
    ) -> Result<(Self, Vec<S>)> {
        let mut numbers = std::collections::BTreeMap::from([(start.clone(), 0)]);
        let (mut found, mut transitions, mut at) = (vec![start], Vec::new(), 0);
        while at < found.len() {
            for (rate, to) in rates(&found[at]) {
                if rate == 0.0 {
                    continue;
                }
                let next = found.len();
                let number = *numbers.entry(to.clone()).or_insert(next);
                if number == next {
                    if next >= most {
                        let residual = (next + 1) as f64;
                        return Err(Error::NoConvergence { what: "exploration of states", iterations: most, residual });
                    }
                    found.push(to);
                }
                transitions.push((at, number, rate));
            }
            at += 1;
        }
        Ok((Self::new(found.len(), transitions)?, found))
    }

    /// The number of states.
    pub fn states(&self) -> usize {
        self.rows.len()
    }

    /// (target, rate) of the transitions out of a state, by target; none of a state that does not exist.
    pub fn transitions(&self, state: usize) -> &[(usize, f64)] {
        self.rows.get(state).map_or(&[], Vec::as_slice)
    }

    /// `πQ = 0`, `π1 = 1`: the stationary law; states that are left for good get 0.
    ///
    /// By the elimination of Grassmann, Taksar and Heyman (1985), free of subtraction: every probability keeps its relative accuracy
    /// (about 1e-15 times the number of states at worst), however far apart the rates are. Above 150 states on sparse rows, eliminating
    /// the states with the fewest transitions first.
    ///
    /// Cost: n³/3 for n up to 150; with sparse rows about n^1.5 operations for chains on a line or plane.
    ///
    /// # Errors
    /// [`Error::Argument`] for several closed classes: then there is no single stationary law;
    /// [`Error::NoConvergence`] where rates are so far apart that products of them leave the doubles.
    pub fn stationary(&self) -> Result<Vec<f64>> {
        let n = self.states();
        let classes = closed_classes(n, |i| self.rows[i].iter().map(|entry| entry.0));
        require(classes.len() == 1, "closed classes", classes.len() as f64, "must be 1 for one stationary law")?;
        let members = &classes[0];
        let mut place = vec![usize::MAX; n];
        members.iter().enumerate().for_each(|(at, &state)| place[state] = at);
        let inner = |state: usize| self.rows[state].iter().map(|&(to, rate)| (place[to], rate));
        let order = members.len();
        let law = if order <= DENSE {
            let mut rates = vec![0.0; order * order];
            for (at, &state) in members.iter().enumerate() {
                inner(state).for_each(|(to, rate)| rates[at * order + to] = rate);
            }
            triplet::stationary(&mut rates, order).map_err(|row| trapped(members[row]))?
        } else {
            let rows = members.iter().map(|&state| inner(state).collect()).collect();
            Elimination::new(rows, vec![0.0; order]).stationary()
        };
        if law.iter().any(|p| !p.is_finite()) {
            return Err(Error::NoConvergence {
                what: "stationary law of rates too far apart",
                iterations: order,
                residual: f64::INFINITY,
            });
        }
        let mut all = vec![0.0; n];
        members.iter().zip(law).for_each(|(&state, p)| all[state] = p);
        Ok(all)
    }

    /// Σ π_i f(i) under a law of the states.
    pub fn mean(&self, law: &[f64], f: impl Fn(usize) -> f64) -> f64 {
        law.iter().enumerate().filter(|(_, p)| **p > 0.0).map(|(state, p)| p * f(state)).sum()
    }

    /// max |πQ| relative to the largest flow out of a state: the evidence for a stationary law (missing entries are 0).
    pub fn residual(&self, law: &[f64]) -> f64 {
        let mut balance = vec![0.0; self.states()];
        let mut largest: f64 = 0.0;
        for (state, row) in self.rows.iter().enumerate() {
            let p = law.get(state).copied().unwrap_or(0.0);
            let out: f64 = row.iter().map(|entry| entry.1).sum::<f64>() * p;
            largest = largest.max(out);
            balance[state] -= out;
            for &(to, rate) in row {
                balance[to] += rate * p;
            }
        }
        if largest > 0.0 { balance.iter().fold(0.0, |worst: f64, x| worst.max(x.abs())) / largest } else { 0.0 }
    }

    /// `Σ_j q_ij (h_i − h_j) = 1`: mean times until one of the target states is entered, by start state; 0 at the targets, infinite
    /// where they may never be reached.
    ///
    /// Cost and accuracy: as [`stationary`](Self::stationary), on sparse rows for any number of states.
    ///
    /// # Errors
    /// [`Error::Argument`] for no target or one that does not exist.
    ///
    /// ```
    /// use queueing::markov::Ctmc;
    /// // Two machines that fail at rate 1 each, one repair at rate 4: time until both are down.
    /// let chain = Ctmc::new(3, [(0, 1, 2.0), (1, 0, 4.0), (1, 2, 1.0), (2, 1, 4.0)])?;
    /// assert_eq!(chain.mean_absorption_times(&[2])?, [3.5, 3.0, 0.0]);
    /// # Ok::<(), queueing::Error>(())
    /// ```
    pub fn mean_absorption_times(&self, targets: &[usize]) -> Result<Vec<f64>> {
        let n = self.states();
        require(!targets.is_empty(), "number of targets", 0.0, "must be at least 1")?;
        let mut is_target = vec![false; n];
        for &target in targets {
            require(target < n, "target", target as f64, "must be a state, counted from 0")?;
            is_target[target] = true;
        }
        let certain = self.surely_reach(&is_target);
        let mut place = vec![usize::MAX; n];
        let members: Vec<usize> = (0..n).filter(|&state| certain[state] && !is_target[state]).collect();
        members.iter().enumerate().for_each(|(at, &state)| place[state] = at);
        let (mut rows, mut out) = (Vec::with_capacity(members.len()), Vec::with_capacity(members.len()));
        for &state in &members {
            let (inside, outside): (Vec<_>, Vec<_>) = self.rows[state].iter().partition(|entry| !is_target[entry.0]);
            rows.push(inside.iter().map(|&(to, rate)| (place[to], rate)).collect());
            out.push(outside.iter().map(|entry| entry.1).sum());
        }
        let times = Elimination::new(rows, out).mean_times();
        let mut all: Vec<f64> = (0..n).map(|state| if is_target[state] { 0.0 } else { f64::INFINITY }).collect();
        members.iter().zip(times).for_each(|(&state, time)| all[state] = time);
        Ok(all)
    }

    /// States from which the targets are reached with probability 1: those that cannot reach a state from which no target is reached.
    fn surely_reach(&self, is_target: &[bool]) -> Vec<bool> {
        let n = self.states();
        let mut backwards = vec![Vec::new(); n];
        for (state, row) in self.rows.iter().enumerate().filter(|(state, _)| !is_target[*state]) {
            for &(to, _) in row {
                backwards[to].push(state);
            }
        }
        let reach = |from: Vec<usize>| {
            let mut seen = vec![false; n];
            for &state in &from {
                seen[state] = true;
            }
            let mut open = from;
            while let Some(state) = open.pop() {
                for &before in &backwards[state] {
                    if !seen[before] {
                        seen[before] = true;
                        open.push(before);
                    }
                }
            }
            seen
        };
        let possible = reach((0..n).filter(|&state| is_target[state]).collect());
        let lost = reach((0..n).filter(|&state| !possible[state]).collect());
        lost.iter().map(|lost| !lost).collect()
    }
}

/// Sorts by target and adds up the rates of the same one.
fn merge(row: &mut Vec<(usize, f64)>) {
    row.sort_by_key(|entry| entry.0);
    row.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
}

fn trapped(state: usize) -> Error {
    Error::Datum { what: "state", index: state + 1, value: 0.0, requirement: "must lead back to the first state" }
}
