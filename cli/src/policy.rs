//! The policies that are compared. A further one is a line in [`ALL`].

use queueing::prelude::*;

/// A task assignment policy.
pub(crate) struct Policy {
    /// Its name in machine-readable output, which does not change.
    pub id: &'static str,
    pub name: &'static str,
    pub evaluate: fn(&Farm<Law>, sita::Atoms) -> queueing::Result<Answer>,
}

/// What a policy gives on a farm.
pub(crate) struct Answer {
    pub overall: Outcome,
    pub hosts: Vec<sita::HostOutcome>,
    /// One fewer than hosts, or none where sizes do not matter.
    pub cutoffs: Vec<Cutoff>,
    /// For optimised cutoffs, the relative distance of the objective from its minimum.
    pub optimality: Option<f64>,
}

/// The policy that the others are measured against.
pub(crate) const REFERENCE: &str = "random_ps";

pub(crate) const ALL: [Policy; 5] = [
    Policy { id: "random_fcfs", name: "Random/FCFS", evaluate: |farm, _| random(farm, Discipline::Fcfs) },
    Policy { id: REFERENCE, name: "Random/PS", evaluate: |farm, _| random(farm, Discipline::Ps) },
    Policy { id: "sita_e", name: "SITA-E", evaluate: |farm, _| equal_load(farm) },
    Policy {
        id: "sita_v_waiting",
        name: "SITA-V (waiting)",
        evaluate: |farm, atoms| optimal(farm, Metric::MeanWaitingTime, atoms),
    },
    Policy {
        id: "sita_v_slowdown",
        name: "SITA-V (slowdown)",
        evaluate: |farm, atoms| optimal(farm, Metric::MeanSlowdown, atoms),
    },
];

fn random(farm: &Farm<Law>, discipline: Discipline) -> queueing::Result<Answer> {
    let host = sita::HostOutcome {
        fraction: 1.0 / farm.hosts().count() as f64,
        load: farm.load(),
        spare: farm.spare(),
        outcome: Outcome::Stable(mg1::performance(&farm.one_host(), discipline)?),
    };
    Ok(Answer {
        overall: Outcome::Stable(farm::random(farm, discipline)?),
        hosts: vec![host; farm.hosts().count()],
        cutoffs: Vec::new(),
        optimality: None,
    })
}

fn equal_load(farm: &Farm<Law>) -> queueing::Result<Answer> {
    sita::evaluate(farm, &sita::equal_load(farm)?, Discipline::Fcfs).map(Answer::from)
}

fn optimal(farm: &Farm<Law>, metric: Metric, atoms: sita::Atoms) -> queueing::Result<Answer> {
    sita::optimal_with(farm, metric, Discipline::Fcfs, atoms).map(Answer::from)
}

impl From<sita::Assignment> for Answer {
    fn from(assignment: sita::Assignment) -> Self {
        let sita::Assignment { cutoffs, overall, hosts, optimality } = assignment;
        Self { overall, hosts, cutoffs: cutoffs.as_slice().to_vec(), optimality }
    }
}
