//! One pass over the sizes, from the smallest to the largest, that averages what jobs of each size wait.
//!
//! Between atoms and break points the sizes are cut into panels of ln x, halved until the integrands are resolved. Loads, moments,
//! tails and residence are running integrals on the same nodes, so that nested integrals cost no more than plain ones. Tails at the
//! end of each panel are the law's own: nothing is subtracted. A law of atoms needs no quadrature at all.

use super::averages::{Totals, terms};
use super::by_size::Rule;
use super::far::Far;
use super::level::{Level, Part, moments_of_all, spare_below};
use super::work::Spread;
use crate::accuracy::Accuracy;
use crate::numeric::power::{log_ratio, power};
use crate::numeric::running::{NODE, NODES, Values, from_start, to_end, unresolved, whole};
use crate::size::{Atom, JobSize};
use crate::workload::Workload;

/// What a pass ends with.
#[derive(Debug, Clone, Copy)]
pub(super) struct Swept {
    pub totals: Totals,
    pub residence: Spread,
    pub accuracy: Accuracy,
}

/// Panels are halved until the last coefficients of their integrands are below this share of the integrals so far. Sums over a panel
/// are good to about its square, running integrals to itself.
const TOLERANCE: f64 = 1e-12;

/// What rounding alone leaves of a pass.
const ROUNDING: f64 = 1e-14;

/// A law's density may be off by so much, relative to what is left, before a panel counts as unresolved.
const MASS_TOLERANCE: f64 = 1e-11;

/// The widest panel in ln x.
const WIDEST: f64 = 16.0;

/// The narrowest panel, as a share of the stretch between two marks.
const NARROWEST: f64 = 1e-9;

/// Panels, halved ones included: far more than any smooth law needs.
const MOST_PANELS: usize = 4000;

/// Sizes below this share of the median wait for nothing that counts.
const SMALLEST: f64 = 1e-17;

/// The smallest size that is followed: squares of sizes are still doubles.
const LEAST: f64 = 1e-80;

/// ln of the largest size that is followed: cubes of sizes are still doubles.
const LARGEST_LOG: f64 = 207.0;

/// Jobs beyond the last panel carry at most this share of the moments.
const NEGLIGIBLE: f64 = 1e-18;

/// Averages over all jobs.
pub(super) fn all<S: JobSize>(jobs: &Workload<S>, rule: Rule) -> Swept {
    Sweep::new(jobs, rule).run(None)
}

/// The residence of a job of size x: `totals` mean nothing.
pub(super) fn residence<S: JobSize>(jobs: &Workload<S>, x: f64) -> Swept {
    let nothing = Rule { waiting: |_| Spread { mean: 0.0, variance: 0.0 }, ..super::srpt::RULE };
    Sweep::new(jobs, nothing).run(Some(x))
}

struct Sweep<'a, S> {
    jobs: &'a Workload<S>,
    rule: Rule,
    /// λE[X²] and λE[X³]
    of_all: [f64; 2],
    median: f64,
    /// What jobs of the median size add to the totals, a millionth of it: less is not resolved for its own sake.
    floor: [f64; 5],
}

/// What is known at a size: moments up to it (orders 1 to 3), P(X > x) and E[X; X > x], residence, and the totals so far.
#[derive(Debug, Clone, Copy, Default)]
struct State {
    below: [f64; 3],
    above: [f64; 2],
    residence: [f64; 2],
    totals: Totals,
    /// What panels did not resolve, relative to the integrals.
    error: f64,
}

impl<'a, S: JobSize> Sweep<'a, S> {
    fn new(jobs: &'a Workload<S>, rule: Rule) -> Self {
        let median = jobs.size().quantile(0.5);
        let floor = terms((rule.waiting)(&Level::at(jobs, median)), median, 1e-6);
        Self { jobs, rule, of_all: moments_of_all(jobs), median, floor }
    }

    fn run(&self, limit: Option<f64>) -> Swept {
        let law = self.jobs.size();
        let end = limit.unwrap_or(f64::INFINITY);
        if law.is_discrete() {
            let state = self.over_atoms(end);
            return Swept { accuracy: law.accuracy(), ..state.swept() };
        }
        let state = self.over_marks(end);
        let accuracy = Accuracy::Numerical { relative_error: state.error.max(ROUNDING) };
        Swept { accuracy: law.accuracy().and(accuracy), ..state.swept() }
    }

    fn level(&self, x: f64, below: Part, up_to: Part, third: f64, above: [f64; 2], residence: [f64; 2]) -> Level {
        let (rate, spare_of_all) = (self.jobs.rate(), self.jobs.spare());
        let [rate_above, load_above] = above.map(|moment| rate * moment);
        let residence = Spread { mean: residence[0], variance: residence[1] };
        Level { x, rate, spare_of_all, of_all: self.of_all, below, up_to, third, rate_above, load_above, residence }
    }

    fn part(&self, load: f64, load_above: f64, second: f64) -> Part {
        Part { load, spare: spare_below(load, self.jobs.spare(), load_above), second }
    }

    /// A law of atoms: sums, with the tails summed from above beforehand.
    fn over_atoms(&self, end: f64) -> State {
        let atoms = self.jobs.size().atoms();
        let mut tails = vec![[0.0; 2]; atoms.len()];
        let mut tail = [0.0; 2];
        for (atom, slot) in atoms.iter().zip(&mut tails).rev() {
            *slot = tail;
            tail = [tail[0] + atom.probability, tail[1] + atom.probability * atom.size];
        }
        let mut state = State { above: tail, ..State::default() };
        let mut from = 0.0;
        for (atom, tail) in atoms.iter().zip(tails).take_while(|(atom, _)| atom.size < end) {
            self.across_gap(&mut state, from, atom.size);
            self.at_atom(&mut state, *atom, tail);
            from = atom.size;
        }
        if end.is_finite() {
            self.across_gap(&mut state, from, end);
        }
        state
    }

    /// A stretch without jobs: the load does not change, and the residence grows in proportion.
    fn across_gap(&self, state: &mut State, from: f64, to: f64) {
        let rate = self.jobs.rate();
        let part = self.part(rate * state.below[0], rate * state.above[1], rate * state.below[1]);
        state.residence[0] += (to - from) * (part.load / part.spare);
        state.residence[1] += (to - from) * (part.second / part.spare.powi(3));
    }

    fn at_atom(&self, state: &mut State, Atom { size, probability }: Atom, above: [f64; 2]) {
        let rate = self.jobs.rate();
        let below = self.part(rate * state.below[0], rate * state.above[1], rate * state.below[1]);
        for (moment, order) in state.below.iter_mut().zip([1.0, 2.0, 3.0]) {
            *moment += probability * power(size, order);
        }
        state.above = above;
        let up_to = self.part(rate * state.below[0], rate * above[1], rate * state.below[1]);
        let level = self.level(size, below, up_to, rate * state.below[2], above, state.residence);
        let waiting = (self.rule.waiting)(&level);
        let terms = terms(waiting, size, probability);
        state.totals.add(terms);
    }

    /// A law with a continuous part: panels between the places where the density may jump, and its atoms.
    fn over_marks(&self, end: f64) -> State {
        let law = self.jobs.size();
        let (low, high) = law.support();
        let last = high.min(end).min(LARGEST_LOG.exp());
        let first = if low > 0.0 { low } else { (SMALLEST * self.median).min(SMALLEST / self.jobs.rate()).max(LEAST) };
        let mut state = State::default();
        let mut tails = [0.0; 2];
        law.partial_moments(&[0.0, 1.0], first.next_down(), f64::INFINITY, &mut tails);
        state.above = tails;
        if first >= last {
            // All below `first`, where nobody waits, or no job below `end`.
            self.across_gap(&mut state, 0.0, end.min(first));
            return state;
        }
        if low < first {
            self.below_first(&mut state, first);
        }
        let atoms = law.atoms();
        let mut marks: Vec<f64> =
            law.break_points().iter().copied().chain(atoms.iter().map(|atom| atom.size)).collect();
        marks.retain(|&mark| mark > first && mark < last);
        marks.push(last);
        marks.sort_unstable_by(f64::total_cmp);
        marks.dedup();
        let atom_at = |size: f64| atoms.binary_search_by(|atom| atom.size.total_cmp(&size)).ok().map(|i| atoms[i]);
        if let Some(atom) = atom_at(first) {
            let mut above = [0.0; 2];
            law.partial_moments(&[0.0, 1.0], first, f64::INFINITY, &mut above);
            self.at_atom(&mut state, atom, above);
        }
        let (mut from, mut panels) = (first, 0);
        for mark in marks {
            if self.is_exhausted(from) {
                break;
            }
            let atom = atom_at(mark);
            self.stretch(&mut state, (from, mark), atom, end, &mut panels);
            // A job of the size that is asked for does not wait for others of that size while it is served.
            if let Some(atom) = atom.filter(|_| mark < end) {
                let mut above = [0.0; 2];
                law.partial_moments(&[0.0, 1.0], mark, f64::INFINITY, &mut above);
                self.at_atom(&mut state, atom, above);
            }
            from = mark;
        }
        if end.is_finite() && from < end {
            self.across_gap(&mut state, from, end);
        } else if high > last {
            self.beyond(&mut state, last);
        }
        state
    }

    /// The jobs below the first panel. Where smaller jobs do not interrupt, they wait for the job in service all the same.
    fn below_first(&self, state: &mut State, first: f64) {
        let (law, rate) = (self.jobs.size(), self.jobs.rate());
        law.partial_moments(&[1.0, 2.0, 3.0], 0.0, first, &mut state.below);
        if self.rule.interrupts {
            return;
        }
        let part = self.part(rate * state.below[0], rate * state.above[1], rate * state.below[1]);
        let level = self.level(first, part, part, rate * state.below[2], state.above, [0.0; 2]);
        let Spread { mean, variance } = (self.rule.waiting)(&level);
        let square = mean * mean + variance;
        let mut moments = [0.0; 4];
        law.partial_moments(&[-2.0, -1.0, 0.0, 1.0], 0.0, first, &mut moments);
        state.totals = Totals {
            waiting: mean * moments[2],
            with_size: mean * moments[3],
            square: square * moments[2],
            slowdown: mean * moments[1],
            slowdown_square: square * moments[0],
        };
    }

    /// Whether what is left beyond x does not count.
    fn is_exhausted(&self, x: f64) -> bool {
        let law = self.jobs.size();
        let mut beyond = [0.0; 3];
        law.partial_moments(&[0.0, 1.0, 2.0], x, f64::INFINITY, &mut beyond);
        let second = law.moment(2.0);
        beyond[0] <= NEGLIGIBLE
            && beyond[1] <= NEGLIGIBLE * self.jobs.mean_size()
            && (second.is_infinite() || beyond[2] <= NEGLIGIBLE * second)
    }

    /// The sizes between two marks, an atom at the upper one not included.
    fn stretch(&self, state: &mut State, (from, to): (f64, f64), atom: Option<Atom>, end: f64, panels: &mut usize) {
        let law = self.jobs.size();
        let (mut low, mut width) = (from, 1.0_f64);
        let narrowest = NARROWEST * log_ratio(from, to);
        while low < to {
            let ahead = low + low * width.exp_m1();
            let high = if ahead < to { ahead } else { to };
            let mut above = [0.0; 2];
            law.partial_moments(&[0.0, 1.0], high, f64::INFINITY, &mut above);
            if let Some(atom) = atom.filter(|_| high == to) {
                above = [above[0] + atom.probability, above[1] + atom.probability * atom.size];
            }
            *panels += 1;
            let (next, error) = self.panel(state, (low, high), above);
            let give_up = width <= narrowest || *panels >= MOST_PANELS || !(high > low);
            if error <= 1.0 || give_up {
                // The running integrals of a resolved panel are off by less than its last coefficients.
                let error = state.error.max(TOLERANCE * if give_up { error } else { 1e-2 * error });
                *state = State { error, ..next };
                low = high;
                width = (2.0 * width).min(WIDEST);
                if end.is_infinite() && high < to && self.is_exhausted(high) {
                    return;
                }
            } else {
                width = 0.5 * log_ratio(low, high);
            }
        }
    }

    /// One panel: the state at its end, and its error in units of what is allowed.
    fn panel(&self, state: &State, (low, high): (f64, f64), above: [f64; 2]) -> (State, f64) {
        let (law, rate) = (self.jobs.size(), self.jobs.rate());
        let half = 0.5 * log_ratio(low, high);
        // From the low end, so that a narrow panel keeps its width.
        let x: Values = NODE.map(|node| low + low * (half * (1.0 + node)).exp_m1());
        // x^{j+1} f(x) for j = 0, ..., 3: densities of the jobs and their moments in ln x
        let mut jobs: [Values; 4] = [[0.0; NODES]; 4];
        for i in 0..NODES {
            let density = x[i] * law.density(x[i]);
            jobs[0][i] = density;
            for order in 1..4 {
                jobs[order][i] = jobs[order - 1][i] * x[i];
            }
        }
        let mass = whole(&jobs[0], half);
        let allowed = MASS_TOLERANCE + slack(law.accuracy());
        let missed = (mass - (state.above[0] - above[0])).abs() / (allowed * state.above[0].max(f64::MIN_POSITIVE));
        let below: [Values; 3] = std::array::from_fn(|j| from_start(&jobs[j + 1], half, state.below[j]));
        let tails: [Values; 2] = std::array::from_fn(|j| to_end(&jobs[j], half, above[j]));
        let parts: [Part; NODES] =
            std::array::from_fn(|i| self.part(rate * below[0][i], rate * tails[1][i], rate * below[1][i]));
        let mut residence = [[0.0; NODES]; 2];
        let mut next = *state;
        let mut error = missed;
        if self.rule.uses_residence {
            // dR = ρ/(1−ρ) dt and dVar = λE[X²; X <= t]/(1−ρ)³ dt
            let rises = [
                std::array::from_fn(|i| x[i] * (parts[i].load / parts[i].spare)),
                std::array::from_fn(|i| x[i] * (parts[i].second / parts[i].spare.powi(3))),
            ];
            for (j, rise) in rises.iter().enumerate() {
                residence[j] = from_start(rise, half, state.residence[j]);
                next.residence[j] = state.residence[j] + whole(rise, half);
                error = error.max(excess(rise, half, next.residence[j]));
            }
        }
        let mut integrands = [[0.0; NODES]; 5];
        for i in 0..NODES {
            let level = self.level(
                x[i],
                parts[i],
                parts[i],
                rate * below[2][i],
                [tails[0][i], tails[1][i]],
                [residence[0][i], residence[1][i]],
            );
            let terms = terms((self.rule.waiting)(&level), x[i], jobs[0][i]);
            integrands.iter_mut().zip(terms).for_each(|(values, term)| values[i] = term);
        }
        next.totals.add(std::array::from_fn(|j| whole(&integrands[j], half)));
        for ((values, total), floor) in integrands.iter().zip(next.totals.list()).zip(self.floor) {
            if total.is_finite() {
                error = error.max(excess(values, half, total.max(floor)));
            }
        }
        for j in 0..3 {
            next.below[j] = state.below[j] + whole(&jobs[j + 1], half);
        }
        next.above = above;
        (next, error)
    }

    /// What lies beyond the last size that is followed.
    fn beyond(&self, state: &mut State, last: f64) {
        // The panels of such a law end before `last`, and so do the tails that they leave.
        if self.is_exhausted(last) {
            return;
        }
        let (law, rate) = (self.jobs.size(), self.jobs.rate());
        let part = self.part(rate * state.below[0], rate * state.above[1], rate * state.below[1]);
        let level = self.level(last, part, part, rate * state.below[2], state.above, state.residence);
        let far = Far::new(level);
        state.totals.waiting += (self.rule.waiting_far_out)(&far);
        // T is x/(1−ρ) there, or the waiting time is the same for all.
        let stretch = if self.rule.interrupts { self.jobs.load() / self.jobs.spare() } else { 0.0 };
        let second = law.partial_moment(2.0, last, f64::INFINITY);
        state.totals.with_size += stretch * second;
        state.totals.square += stretch * stretch * second;
    }
}

impl State {
    fn swept(&self) -> Swept {
        let residence = Spread { mean: self.residence[0], variance: self.residence[1] };
        Swept { totals: self.totals, residence, accuracy: Accuracy::Exact }
    }
}

/// What a panel does not resolve of an integral, in units of what is allowed.
fn excess(values: &Values, half: f64, total: f64) -> f64 {
    unresolved(values, half) / (TOLERANCE * total).max(f64::MIN_POSITIVE)
}

fn slack(accuracy: Accuracy) -> f64 {
    match accuracy {
        Accuracy::Numerical { relative_error } => relative_error,
        _ => 0.0,
    }
}
