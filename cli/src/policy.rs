//! The policies that are compared. A further one is a line in [`all`].

use crate::number::short;
use crate::stealing::policies::{Setting, halves};
use queueing::prelude::*;
use queueing::stealing::Renaming;

/// A task assignment policy.
pub(crate) struct Policy {
    /// Its name in machine-readable output, which does not change.
    pub id: &'static str,
    pub name: &'static str,
    /// Whether its cutoffs are sought as the best.
    pub is_optimised: bool,
    pub evaluate: Box<Evaluate>,
}

type Evaluate = dyn Fn(&Farm<Law>) -> queueing::Result<Answer>;

/// What a policy gives on a farm.
pub(crate) struct Answer {
    pub overall: Outcome,
    pub hosts: Vec<sita::HostOutcome>,
    /// One fewer than hosts, or none where sizes do not matter.
    pub cutoffs: Vec<Cutoff>,
    /// For optimised cutoffs, the relative distance of the objective from its minimum.
    pub optimality: Option<f64>,
    /// What the user should know beside the numbers.
    pub remark: Option<String>,
}

/// The policy that the others are measured against.
pub(crate) const REFERENCE: &str = "random_ps";

/// Those that are always compared and, where the user wants them, cycle stealing with two hosts and given cutoffs.
pub(crate) fn all(atoms: sita::Atoms, given: Option<&sita::Cutoffs>, stealing: bool) -> Vec<Policy> {
    let mut policies = vec![
        fixed("random_fcfs", "Random/FCFS", |farm| random(farm, Discipline::Fcfs)),
        fixed(REFERENCE, "Random/PS", |farm| random(farm, Discipline::Ps)),
        fixed("least_work_left", "LWL (M/G/n)", least_work_left),
        fixed("sita_e", "SITA-E", equal_load),
        optimised("sita_v_waiting", "SITA-V (waiting)", Metric::MeanWaitingTime, atoms),
        optimised("sita_v_slowdown", "SITA-V (slowdown)", Metric::MeanSlowdown, atoms),
    ];
    if stealing {
        policies.push(cycle_stealing("sbcs_id", "SBCS-ID (waiting)", stealing::Policy::ImmediateDispatch));
        let fixed_roles = stealing::Policy::CentralQueue(Renaming::Never);
        policies.push(cycle_stealing("sbcs_cq", "SBCS-CQ (waiting)", fixed_roles));
    }
    if let Some(cutoffs) = given.cloned() {
        policies.push(fixed("sita_given", "SITA (given)", move |farm| at(farm, &cutoffs)));
    }
    policies
}

fn fixed(
    id: &'static str,
    name: &'static str,
    evaluate: impl Fn(&Farm<Law>) -> queueing::Result<Answer> + 'static,
) -> Policy {
    Policy { id, name, is_optimised: false, evaluate: Box::new(evaluate) }
}

fn optimised(id: &'static str, name: &'static str, metric: Metric, atoms: sita::Atoms) -> Policy {
    let evaluate = move |farm: &Farm<Law>| sita::optimal_with(farm, metric, Discipline::Fcfs, atoms).map(Answer::from);
    Policy { id, name, is_optimised: true, evaluate: Box::new(evaluate) }
}

fn cycle_stealing(id: &'static str, name: &'static str, policy: stealing::Policy) -> Policy {
    let evaluate = move |farm: &Farm<Law>| best_cutoff(farm, policy);
    Policy { id, name, is_optimised: true, evaluate: Box::new(evaluate) }
}

/// Cycle stealing with a short and a long host. The cutoff is sought by three moments, which are too coarse to compare policies by.
fn best_cutoff(farm: &Farm<Law>, policy: stealing::Policy) -> queueing::Result<Answer> {
    let jobs = farm.jobs();
    let cutoff = stealing::optimal_cutoff(jobs, Metric::MeanWaitingTime, policy)?.cutoff;
    let (shorts, longs) = halves(jobs, cutoff)?;
    let both = Setting::default().evaluate(policy, &shorts, &longs)?;
    let share = |class: f64| class / (shorts.rate() + longs.rate());
    let host = |outcome: &Outcome, fraction, busy: f64| sita::HostOutcome {
        fraction,
        load: busy,
        spare: 1.0 - busy,
        outcome: outcome.clone(),
    };
    let remark = "sizes between the cutoffs are matched by three moments; the lines of hosts have the loads of hosts, and the jobs of \
                  the shorts and the longs, whichever host serves them";
    Ok(Answer {
        hosts: vec![
            host(both.shorts(), share(shorts.rate()), both.short_host_utilisation.value),
            host(both.longs(), share(longs.rate()), both.long_host_utilisation.value),
        ],
        overall: both.by_class.overall,
        cutoffs: vec![cutoff],
        optimality: None,
        remark: Some(remark.to_owned()),
    })
}

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
        remark: None,
    })
}

/// One queue for all hosts; which host a job meets says nothing about it.
fn least_work_left(farm: &Farm<Law>) -> queueing::Result<Answer> {
    let farm::LeastWorkLeft { overall, two_moments } = farm::least_work_left(farm)?;
    let remark = match overall.estimate(Metric::MeanWaitingTime)?.accuracy {
        Accuracy::Approximate { assumption } => {
            let two = short(two_moments.mean_waiting_time()?);
            Some(format!("{assumption}; the two-moment formula of Lee and Longton gives a waiting time of {two}"))
        }
        _ => None,
    };
    Ok(Answer { overall: Outcome::Stable(overall), hosts: Vec::new(), cutoffs: Vec::new(), optimality: None, remark })
}

fn equal_load(farm: &Farm<Law>) -> queueing::Result<Answer> {
    at(farm, &sita::equal_load(farm)?)
}

fn at(farm: &Farm<Law>, cutoffs: &sita::Cutoffs) -> queueing::Result<Answer> {
    sita::evaluate(farm, cutoffs, Discipline::Fcfs).map(Answer::from)
}

impl From<sita::Assignment> for Answer {
    fn from(assignment: sita::Assignment) -> Self {
        let sita::Assignment { cutoffs, overall, hosts, optimality } = assignment;
        Self { overall, hosts, cutoffs: cutoffs.as_slice().to_vec(), optimality, remark: None }
    }
}
