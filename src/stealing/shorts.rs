//! The shorts as the chains see them: a Poisson stream with phase-type sizes.

use crate::accuracy::{Accuracy, Assumption};
use crate::error::{Result, require};
use crate::markov::fit;
use crate::multiserver::{self, Service};
use crate::size::{JobSize, PhaseType};
use crate::workload::Workload;

/// The most phases that stand for short sizes of another law.
const MOST_PHASES: usize = 8;

/// The most states of the short hosts.
const MOST_STATES: f64 = 400.0;

/// The stream of shorts and the hosts that are theirs.
#[derive(Debug)]
pub(super) struct Shorts {
    pub rate: f64,
    pub load: f64,
    pub hosts: usize,
    /// E\[S\], E\[S²\], E\[S³\] of the sizes themselves.
    pub sizes: [f64; 3],
    /// The law that stands for them.
    pub law: PhaseType,
    /// The short hosts by their number of jobs.
    pub service: Service,
    /// What using this law assumes.
    pub accuracy: Accuracy,
}

impl Shorts {
    /// With the law itself if it is a phase type, else with one of the same three moments, or where that would need more than
    /// [`MOST_PHASES`] of the same two, or for hardly variable sizes with the least variable one of so few.
    pub(super) fn new<S: JobSize>(jobs: &Workload<S>, hosts: usize) -> Result<Self> {
        let label = |assumption| Accuracy::Approximate { assumption };
        if let Some(law) = jobs.size().phase_type() {
            return Self::with_law(jobs, hosts, law, Accuracy::Exact);
        }
        match fit::law(jobs.size()) {
            Ok(law) if law.phases() <= MOST_PHASES => Self::with_law(jobs, hosts, law, label(Assumption::ThreeMoments)),
            Err(error) if !jobs.size().moment(3.0).is_finite() => Err(error),
            // A third moment near its least takes many phases, whatever the variability.
            _ if jobs.size().scv() >= 1.0 / MOST_PHASES as f64 => {
                let law = fit::two_moments(jobs.mean_size(), jobs.size().scv())?;
                Self::with_law(jobs, hosts, law, label(Assumption::TwoMoments))
            }
            _ => {
                let law = PhaseType::erlang(MOST_PHASES, jobs.mean_size())?;
                Self::with_law(jobs, hosts, law, label(Assumption::LowVariability))
            }
        }
    }

    /// The shorts, each with the weight of its numbers: one, or for hardly variable sizes two Erlang laws from which numbers are
    /// extrapolated to the variability of the sizes, in which the waiting time of M/G/1 is linear.
    pub(super) fn variants<S: JobSize>(jobs: &Workload<S>, hosts: usize) -> Result<Vec<(f64, Self)>> {
        let shorts = Self::new(jobs, hosts)?;
        let assumption = Assumption::LowVariability;
        if shorts.accuracy != (Accuracy::Approximate { assumption }) {
            return Ok(vec![(1.0, shorts)]);
        }
        // With scv 1/n and 2/n of n and n/2 stages: W = W_n + (1 − n C²)(W_n − W_{n/2})
        let step = 1.0 - MOST_PHASES as f64 * jobs.size().scv();
        let other = PhaseType::erlang(MOST_PHASES / 2, jobs.mean_size())?;
        let other = Self::with_law(jobs, hosts, other, Accuracy::Approximate { assumption })?;
        Ok(vec![(1.0 + step, shorts), (-step, other)])
    }

    fn with_law<S: JobSize>(jobs: &Workload<S>, hosts: usize, law: PhaseType, accuracy: Accuracy) -> Result<Self> {
        require(law.mass_at_zero() == 0.0, "probability of shorts of size 0", law.mass_at_zero(), "must be 0")?;
        let states = multiserver::mphn_states(hosts, law.phases());
        let requirement = "must be at most 400: fewer short hosts, or sizes with fewer phases";
        require(states <= MOST_STATES, "states of the short hosts", states, requirement)?;
        let service = Service::new(&law, hosts);
        let sizes = [1.0, 2.0, 3.0].map(|r| jobs.size().moment(r));
        Ok(Self { rate: jobs.rate(), load: jobs.load(), hosts, sizes, law, service, accuracy })
    }

    pub(super) fn phases(&self) -> usize {
        self.law.phases()
    }

    /// The rate 1/s₁ of exponential shorts.
    pub(super) fn exponential(&self) -> Option<f64> {
        (self.phases() == 1).then(|| self.service.exit(0))
    }

    /// E\[Rʳ\], r = 1, 2, 3, of what is left of a short in this phase.
    pub(super) fn residual(&self, phase: usize) -> [f64; 3] {
        [1, 2, 3].map(|r| self.law.moment_from(phase, r))
    }

    /// The fastest rate at which anything happens to the shorts: beyond it transforms of long busy periods do not matter.
    ///
    /// The generator of M/M/k has its spectrum below (√λ + √(kμ))².
    pub(super) fn fastest(&self) -> f64 {
        let most = (0..self.phases()).map(|phase| {
            let onward: f64 =
                (0..self.phases()).filter(|&to| to != phase).map(|to| self.service.between(phase, to)).sum();
            onward + self.service.exit(phase)
        });
        let service = self.hosts as f64 * most.fold(0.0, f64::max);
        (self.rate.sqrt() + service.sqrt()).powi(2)
    }
}

/// An error for a chain whose matrices would take minutes.
pub(super) fn require_small(states: usize) -> Result<()> {
    let requirement = "must be at most 1200: fewer short hosts, sizes with fewer phases, or a larger tolerance";
    require(states <= 1200, "states of a level", states as f64, requirement)
}
