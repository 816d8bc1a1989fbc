//! Elimination of states on sparse rows, free of subtraction.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A chain whose states are censored one by one, those with the fewest transitions first.
///
/// Rows hold (target, rate) by target; `out` holds rates to outside. Censoring k adds to each i before it the rates
/// q_ik q_kj / (Σ_j q_kj + out_k), and so to the rates out and to the mean time spent.
pub(crate) struct Elimination {
    rows: Vec<Vec<(usize, f64)>>,
    into: Vec<Vec<usize>>,
    out: Vec<f64>,
    alive: Vec<bool>,
    /// Mean work collected with each visit: 1 at the start, plus that of the censored states visited from here.
    gain: Vec<f64>,
}

/// One censored state: its number, its rates then, their total, and (for stationary laws) the rates into it then.
struct Censored {
    state: usize,
    row: Vec<(usize, f64)>,
    total: f64,
    into: Vec<(usize, f64)>,
}

impl Elimination {
    pub(crate) fn new(rows: Vec<Vec<(usize, f64)>>, out: Vec<f64>) -> Self {
        let n = rows.len();
        let mut into = vec![Vec::new(); n];
        for (state, row) in rows.iter().enumerate() {
            for &(to, _) in row {
                into[to].push(state);
            }
        }
        Self { rows, into, out, alive: vec![true; n], gain: vec![1.0; n] }
    }

    /// The stationary law of an irreducible chain without rates out.
    pub(crate) fn stationary(mut self) -> Vec<f64> {
        let n = self.rows.len();
        let order = self.censor(1);
        let mut law = vec![0.0; n];
        if let Some(last) = self.alive.iter().position(|alive| *alive) {
            law[last] = 1.0;
        }
        // π_k = Σ_i π_i q_ik / total_k, in the reverse order.
        for step in order.iter().rev() {
            let flow: f64 = step.into.iter().map(|&(from, rate)| law[from] * rate).sum();
            law[step.state] = flow / step.total;
            if law[step.state] > 1e200 {
                let scale = law[step.state];
                for p in &mut law {
                    *p /= scale;
                }
            }
        }
        let total: f64 = law.iter().sum();
        for p in &mut law {
            *p /= total;
        }
        law
    }

    /// Mean times until the chain goes out, from states that surely do.
    pub(crate) fn mean_times(mut self) -> Vec<f64> {
        let order = self.censor(0);
        let mut times = vec![0.0; self.rows.len()];
        // h_k = (gain_k + Σ_j q_kj h_j) / total_k
        for step in order.iter().rev() {
            let onward: f64 = step.row.iter().map(|&(to, rate)| rate * times[to]).sum();
            times[step.state] = (self.gain[step.state] + onward) / step.total;
        }
        times
    }

    /// Censors states until `keep` are left.
    fn censor(&mut self, keep: usize) -> Vec<Censored> {
        let n = self.rows.len();
        let weight = |rows: &[Vec<(usize, f64)>], into: &[Vec<usize>], k: usize| rows[k].len() * into[k].len();
        let mut queue: BinaryHeap<_> = (0..n).map(|k| Reverse((weight(&self.rows, &self.into, k), k))).collect();
        let mut order = Vec::with_capacity(n);
        while n - order.len() > keep {
            let Some(Reverse((estimate, k))) = queue.pop() else { break };
            if !self.alive[k] {
                continue;
            }
            let now = weight(&self.rows, &self.into, k);
            if now > estimate {
                queue.push(Reverse((now, k)));
                continue;
            }
            order.push(self.remove(k));
        }
        order
    }

    fn remove(&mut self, k: usize) -> Censored {
        self.alive[k] = false;
        let row = std::mem::take(&mut self.rows[k]);
        let total = self.out[k] + row.iter().map(|entry| entry.1).sum::<f64>();
        for &(to, _) in &row {
            self.into[to].retain(|&from| from != k);
        }
        let mut into = Vec::new();
        for from in std::mem::take(&mut self.into[k]) {
            let Ok(at) = self.rows[from].binary_search_by_key(&k, |entry| entry.0) else { continue };
            let rate = self.rows[from].remove(at).1;
            into.push((from, rate));
            let share = rate / total;
            self.out[from] += share * self.out[k];
            self.gain[from] += share * self.gain[k];
            self.spread(from, &row, share);
        }
        Censored { state: k, row, total, into }
    }

    /// Adds a share of a censored row to the row of a state that leads there.
    fn spread(&mut self, from: usize, row: &[(usize, f64)], share: f64) {
        let old = std::mem::take(&mut self.rows[from]);
        let mut merged = Vec::with_capacity(old.len() + row.len());
        let (mut left, mut right) = (old.into_iter().peekable(), row.iter().filter(|entry| entry.0 != from).peekable());
        loop {
            match (left.peek().map(|entry| entry.0), right.peek().map(|entry| entry.0)) {
                (Some(a), Some(b)) if a == b => {
                    let (kept, added) = (left.next(), right.next());
                    merged.extend(kept.zip(added).map(|((to, rate), more)| (to, rate + share * more.1)));
                }
                (Some(a), Some(b)) if a < b => merged.extend(left.next()),
                (_, Some(to)) => {
                    merged.extend(right.next().map(|entry| (entry.0, share * entry.1)));
                    self.into[to].push(from);
                }
                (Some(_), None) => merged.extend(left.next()),
                (None, None) => break,
            }
        }
        self.rows[from] = merged;
    }
}
