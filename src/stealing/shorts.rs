//! The shorts as the chains see them: a Poisson stream with phase-type sizes.

use crate::accuracy::{Accuracy, Assumption};
use crate::error::{Result, require};
use crate::markov::fit;
use crate::multiserver::Service;
use crate::size::{JobSize, PhaseType};
use crate::workload::Workload;

/// The stream of shorts and the hosts that are theirs.
#[derive(Debug)]
pub(super) struct Shorts {
    pub rate: f64,
    pub load: f64,
    pub hosts: usize,
    pub law: PhaseType,
    /// The short hosts by their number of jobs.
    pub service: Service,
    /// What using this law assumes.
    pub accuracy: Accuracy,
}

impl Shorts {
    /// With the law itself if it is a phase type, else with one of the same three moments.
    pub(super) fn new<S: JobSize>(jobs: &Workload<S>, hosts: usize) -> Result<Self> {
        let (law, accuracy) = match jobs.size().phase_type() {
            Some(law) => (law, Accuracy::Exact),
            None => (fit::law(jobs.size())?, Accuracy::Approximate { assumption: Assumption::ThreeMoments }),
        };
        require(law.mass_at_zero() == 0.0, "probability of shorts of size 0", law.mass_at_zero(), "must be 0")?;
        let service = Service::new(&law, hosts);
        Ok(Self { rate: jobs.rate(), load: jobs.load(), hosts, law, service, accuracy })
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
