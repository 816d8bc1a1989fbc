//! The MAP/PH/1 queue.

use super::{Blocks, DMatrix, Map, Qbd, QbdSolution};
use crate::error::{Error, Result, require};
use crate::size::{JobSize, PhaseType};

/// One server, first come, first served, with Markovian arrivals and phase-type sizes: MAP/PH/1, solved.
///
/// The level is the number of jobs, the phase that of the arrivals and, beyond level 0, that of the job in service.
///
/// ```
/// use queueing::markov::{Map, MapQueue};
/// use queueing::size::{JobSize, PhaseType};
/// // M/M/1 at load 1/2.
/// let queue = MapQueue::new(&Map::poisson(0.5)?, &PhaseType::exponential(1.0)?)?;
/// assert!((queue.mean_number() - 1.0).abs() < 1e-14);
/// assert!((queue.mean_waiting_time() - 1.0).abs() < 1e-14);
/// let waiting = queue.waiting_time()?;
/// assert!((waiting.sf(2.0) - 0.5 * (-1.0_f64).exp()).abs() < 1e-14);        // ρ exp(−(μ−λ)t)
/// # Ok::<(), queueing::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct MapQueue {
    arrivals: Map,
    sizes: PhaseType,
    load: f64,
    solution: QbdSolution,
}

impl MapQueue {
    /// By arrivals and sizes.
    ///
    /// Cost: a [`Qbd`] of as many phases as both have in product. Accuracy: as [`Qbd::solve`].
    ///
    /// # Errors
    /// [`Error::Unstable`] at load one or more; [`Error::Argument`] for sizes with an atom at 0.
    pub fn new(arrivals: &Map, sizes: &PhaseType) -> Result<Self> {
        let mass = sizes.mass_at_zero();
        require(mass == 0.0, "probability of size 0", mass, "must be 0")?;
        let load = arrivals.rate() * sizes.mean();
        if !(load < 1.0) {
            return Err(Error::Unstable { load, limit: 1.0 });
        }
        let (n, m) = (arrivals.d0().nrows(), sizes.phases());
        let start = DMatrix::from_row_slice(1, m, sizes.alpha());
        let exit = DMatrix::from_column_slice(m, 1, sizes.exit_rates());
        let one = |order: usize| DMatrix::identity(order, order);
        let (d0, d1) = (arrivals.d0(), arrivals.d1());
        // A0 = D1 ⊗ I, A1 = D0 ⊗ I + I ⊗ S, A2 = I ⊗ sβ; an arrival at level 0 starts a service by β.
        let up = d1.kronecker(&one(m));
        let local = d0.kronecker(&one(m)) + one(n).kronecker(&sizes.sub_generator());
        let zero = Blocks { up: d1.kronecker(&start), local: d0.clone(), down: DMatrix::zeros(n, 0) };
        let single = Blocks { up: up.clone(), local: local.clone(), down: one(n).kronecker(&exit) };
        let repeating = Blocks { up, local, down: one(n).kronecker(&(&exit * &start)) };
        let solution = Qbd::new(vec![zero, single], repeating)?.solve()?;
        Ok(Self { arrivals: arrivals.clone(), sizes: sizes.clone(), load, solution })
    }

    /// The load ρ = λE\[X\].
    pub fn load(&self) -> f64 {
        self.load
    }

    /// The law of the number of jobs and phases.
    pub fn solution(&self) -> &QbdSolution {
        &self.solution
    }

    /// E\[N\], jobs waiting or in service.
    pub fn mean_number(&self) -> f64 {
        self.solution.mean_level()
    }

    /// E\[N²\].
    pub fn second_moment_number(&self) -> f64 {
        self.solution.second_moment_level()
    }

    /// `E[W] = E[(N−1)⁺]/λ` (Little).
    pub fn mean_waiting_time(&self) -> f64 {
        self.solution.mean_of(|level, _| level.saturating_sub(1) as f64) / self.arrivals.rate()
    }

    /// `E[T] = E[N]/λ` (Little).
    pub fn mean_response_time(&self) -> f64 {
        self.mean_number() / self.arrivals.rate()
    }

    /// P(W > 0): the share of arrivals that find the server busy.
    pub fn probability_of_waiting(&self) -> f64 {
        let m = self.sizes.phases();
        self.solution.mean_of(|level, phase| if level == 0 { 0.0 } else { self.arrival_rate(phase / m) })
            / self.arrivals.rate()
    }

    fn arrival_rate(&self, phase: usize) -> f64 {
        self.arrivals.d1().row(phase).sum()
    }

    /// The law of the waiting time of a job, with its atom P(W = 0) at 0.
    ///
    /// A job that finds l jobs waits for l − 1 whole services and the rest of one. The states found have probabilities
    /// π₁R^{l−1} weighted by arrival rates w, so with h = Σ Rᵏw a chain on the phases j of the queue that stops with probability
    /// w_j/h_j and else moves on with probabilities R_jk h_k/h_j, one service at each move, has the right number of services; the
    /// rest of a service in the phase where it stops comes last. Phases: nm² + m for n phases of arrivals and m of sizes.
    ///
    /// Cost: (nm² + m)³ operations. Accuracy: as the solution's.
    ///
    /// # Errors
    /// [`Error::Argument`] beyond 2000 phases.
    pub fn waiting_time(&self) -> Result<PhaseType> {
        let (n, m) = (self.arrivals.d0().nrows(), self.sizes.phases());
        let order = n * m;
        let phases = order * m + m;
        require(phases <= 2000, "phases of the waiting time", phases as f64, "must be at most 2000")?;
        let r = self.solution.r();
        let w: Vec<f64> = (0..order).map(|j| self.arrival_rate(j / m)).collect();
        let h = weights(r, &w)?;
        let first = self.solution.phase_probabilities(1);
        let (beta, exit) = (self.sizes.alpha(), self.sizes.exit_rates());
        let s = self.sizes.sub_generator();
        let rest = order * m;
        let lambda = self.arrivals.rate();
        let mut alpha = vec![0.0; phases];
        let mut rates = DMatrix::zeros(phases, phases);
        let mut out = vec![0.0; phases];
        for j in 0..order {
            alpha[rest + j % m] += first[j] * w[j] / lambda;
            for k in 0..order {
                (0..m).for_each(|i| alpha[k * m + i] += first[j] * r[(j, k)] * h[k] / lambda * beta[i]);
            }
            for i in 0..m {
                let state = j * m + i;
                (0..m).filter(|&l| l != i).for_each(|l| rates[(state, j * m + l)] += s[(i, l)]);
                if h[j] == 0.0 {
                    // Never entered.
                    out[state] = exit[i];
                    continue;
                }
                rates[(state, rest + j % m)] += exit[i] * w[j] / h[j];
                for k in 0..order {
                    let share = exit[i] * r[(j, k)] * h[k] / h[j];
                    (0..m).for_each(|l| rates[(state, k * m + l)] += share * beta[l]);
                }
            }
        }
        for i in 0..m {
            (0..m).filter(|&l| l != i).for_each(|l| rates[(rest + i, rest + l)] = s[(i, l)]);
            out[rest + i] = exit[i];
        }
        PhaseType::with_exits(&alpha, &rates, &out)
    }

    /// The law of the response time T = W + X.
    ///
    /// # Errors
    /// As [`waiting_time`](Self::waiting_time).
    pub fn response_time(&self) -> Result<PhaseType> {
        self.waiting_time()?.plus(&self.sizes)
    }
}

/// h = (I − R)⁻¹ w.
fn weights(r: &DMatrix<f64>, w: &[f64]) -> Result<Vec<f64>> {
    let n = r.nrows();
    let solved = (DMatrix::identity(n, n) - r).lu().solve(&DMatrix::from_column_slice(n, 1, w));
    let h = solved
        .filter(|h| h.iter().all(|x| x.is_finite() && *x > -1e-9))
        .ok_or(Error::Unstable { load: 1.0, limit: 1.0 })?;
    Ok(h.iter().map(|x| x.max(0.0)).collect())
}
