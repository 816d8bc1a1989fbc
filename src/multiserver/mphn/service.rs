//! Several servers with phase-type sizes and one queue: what can happen at each number of jobs.

use super::occupancy::Occupancies;
use crate::size::PhaseType;

/// The states of the servers: at level l, min(l, servers) jobs in service, each in a phase.
#[derive(Debug)]
pub(crate) struct Service {
    servers: usize,
    /// Start probabilities, those of size 0 left out.
    alpha: Vec<f64>,
    /// Rates between phases, by rows.
    between: Vec<f64>,
    exit: Vec<f64>,
    spread: Vec<Occupancies>,
}

impl Service {
    pub(crate) fn new(size: &PhaseType, servers: usize) -> Self {
        let phases = size.phases();
        let rates = size.sub_generator();
        Self {
            servers,
            alpha: size.alpha().iter().map(|p| p / (1.0 - size.mass_at_zero())).collect(),
            between: (0..phases * phases).map(|at| rates[(at / phases, at % phases)]).collect(),
            exit: size.exit_rates().to_vec(),
            spread: (0..=servers).map(|busy| Occupancies::new(busy, phases)).collect(),
        }
    }

    pub(crate) fn phases(&self) -> usize {
        self.alpha.len()
    }

    pub(crate) fn alpha(&self) -> &[f64] {
        &self.alpha
    }

    /// The rate from a phase to another.
    pub(crate) fn between(&self, from: usize, to: usize) -> f64 {
        self.between[from * self.phases() + to]
    }

    /// The rate at which a job ends in a phase.
    pub(crate) fn exit(&self, phase: usize) -> f64 {
        self.exit[phase]
    }

    /// The number of states at a level.
    pub(crate) fn states(&self, level: usize) -> usize {
        self.spread[level.min(self.servers)].len()
    }

    /// (probability, state at the next level) of an arrival, which starts service if a server is idle.
    pub(crate) fn arrivals(&self, level: usize, state: usize, mut to: impl FnMut(f64, usize)) {
        if level >= self.servers {
            return to(1.0, state);
        }
        let mut moved = self.spread[level].get(state).to_vec();
        for (phase, p) in self.alpha.iter().enumerate() {
            moved[phase] += 1;
            to(*p, self.spread[level + 1].index(&moved));
            moved[phase] -= 1;
        }
    }

    /// (rate, level, state) of the phase changes and completions; a job in the queue takes the place of one that ends.
    pub(crate) fn moves(&self, level: usize, state: usize, mut to: impl FnMut(f64, usize, usize)) {
        let phases = self.phases();
        let here = &self.spread[level.min(self.servers)];
        let mut moved = here.get(state).to_vec();
        for i in 0..phases {
            if moved[i] == 0 {
                continue;
            }
            let busy = f64::from(moved[i]);
            moved[i] -= 1;
            if level <= self.servers {
                to(busy * self.exit[i], level - 1, self.spread[level - 1].index(&moved));
            }
            for j in 0..phases {
                moved[j] += 1;
                let target = here.index(&moved);
                moved[j] -= 1;
                if level > self.servers {
                    to(busy * self.exit[i] * self.alpha[j], level - 1, target);
                }
                if j != i {
                    to(busy * self.between(i, j), level, target);
                }
            }
            moved[i] += 1;
        }
    }

    /// (rate, state) of the completions at busy servers whose place a job in the given phase takes.
    pub(crate) fn replacements(&self, state: usize, phase: usize, mut to: impl FnMut(f64, usize)) {
        let here = &self.spread[self.servers];
        let mut moved = here.get(state).to_vec();
        for i in 0..self.phases() {
            if moved[i] == 0 {
                continue;
            }
            let rate = f64::from(moved[i]) * self.exit[i];
            moved[i] -= 1;
            moved[phase] += 1;
            to(rate, here.index(&moved));
            moved[phase] -= 1;
            moved[i] += 1;
        }
    }
}
