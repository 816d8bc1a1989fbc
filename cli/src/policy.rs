//! The policies that are compared. A further one is a line in [`all`].

use crate::number::short;
use queueing::prelude::*;
use queueing::sim::{self, Dispatch, Run};
use queueing::stealing::Renaming;

/// A task assignment policy.
pub(crate) struct Policy {
    /// Its name in machine-readable output, which does not change.
    pub id: &'static str,
    pub name: &'static str,
    /// Whether its cutoffs are sought as the best.
    pub is_optimised: bool,
    /// Whether it is no policy for the hosts but a bound to measure them by.
    pub is_bound: bool,
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

/// Those that are always compared, cycle stealing where it is wanted, and last the cutoffs that the user gives.
pub(crate) fn all(
    atoms: sita::Atoms,
    given: Option<&sita::Cutoffs>,
    steals: bool,
    simulated: Option<u64>,
) -> Vec<Policy> {
    let mut policies = vec![
        fixed("random_fcfs", "Random/FCFS", |farm| random(farm, Discipline::Fcfs)),
        fixed(REFERENCE, "Random/PS", |farm| random(farm, Discipline::Ps)),
        fixed("least_work_left", "LWL (M/G/n)", least_work_left),
        fixed("sita_e", "SITA-E", equal_load),
        optimised("sita_v_waiting", "SITA-V (waiting)", Metric::MeanWaitingTime, atoms),
        optimised("sita_v_slowdown", "SITA-V (slowdown)", Metric::MeanSlowdown, atoms),
    ];
    if steals {
        policies.push(cycle_stealing("sbcs_id", "SBCS-ID (waiting)", stealing::Policy::ImmediateDispatch));
        let fixed_roles = stealing::Policy::CentralQueue(Renaming::Never);
        policies.push(cycle_stealing("sbcs_cq", "SBCS-CQ (waiting)", fixed_roles));
    }
    policies.extend([
        bound("fast_server_srpt", "1 fast, SRPT", Discipline::Srpt),
        bound("fast_server_ps", "1 fast, PS", Discipline::Ps),
    ]);
    if let Some(cutoffs) = given.cloned() {
        policies.push(fixed("sita_given", "SITA (given)", move |farm| at(farm, &cutoffs)));
    }
    if let Some(jobs) = simulated {
        policies.extend(simulations(jobs));
    }
    policies
}

/// The twins of the formulas, and policies that have none. Each run has the same seed, and so the same jobs.
fn simulations(jobs: u64) -> Vec<Policy> {
    let simulated = |id, name, dispatch: fn(&Farm<Law>) -> queueing::Result<Dispatch>, discipline| {
        fixed(id, name, move |farm| {
            let seen = sim::farm(farm, &dispatch(farm)?, discipline, &Run::new(1).jobs(jobs))?;
            let overall = Outcome::Stable(seen.overall.performance());
            Ok(Answer { overall, hosts: Vec::new(), cutoffs: Vec::new(), optimality: None, remark: None })
        })
    };
    let (fcfs, ps) = (Discipline::Fcfs, Discipline::Ps);
    vec![
        simulated("random_fcfs_simulated", "Random/FCFS, sim.", |_| Ok(Dispatch::Random), fcfs),
        simulated("random_ps_simulated", "Random/PS, sim.", |_| Ok(Dispatch::Random), ps),
        simulated("least_work_left_simulated", "LWL, sim.", |_| Ok(Dispatch::LeastWorkLeft), fcfs),
        simulated("sita_e_simulated", "SITA-E, sim.", |farm| Ok(Dispatch::Sita(sita::equal_load(farm)?)), fcfs),
        simulated("round_robin_simulated", "Round robin, sim.", |_| Ok(Dispatch::RoundRobin), fcfs),
        simulated("join_idle_queue_simulated", "JIQ, sim.", |_| Ok(Dispatch::JoinIdleQueue), fcfs),
        simulated("shortest_queue_simulated", "JSQ, sim.", |_| Ok(Dispatch::JoinShortestQueue), fcfs),
        simulated("shortest_queue_ps_simulated", "JSQ/PS, sim.", |_| Ok(Dispatch::JoinShortestQueue), ps),
    ]
}

fn fixed(
    id: &'static str,
    name: &'static str,
    evaluate: impl Fn(&Farm<Law>) -> queueing::Result<Answer> + 'static,
) -> Policy {
    Policy { id, name, is_optimised: false, is_bound: false, evaluate: Box::new(evaluate) }
}

/// One server with the speed of all hosts.
fn bound(id: &'static str, name: &'static str, discipline: Discipline) -> Policy {
    let evaluate = move |farm: &Farm<Law>| {
        let overall = Outcome::Stable(farm::fast_server(farm, discipline)?);
        Ok(Answer { overall, hosts: Vec::new(), cutoffs: Vec::new(), optimality: None, remark: None })
    };
    Policy { is_bound: true, ..fixed(id, name, evaluate) }
}

fn optimised(id: &'static str, name: &'static str, metric: Metric, atoms: sita::Atoms) -> Policy {
    let evaluate = move |farm: &Farm<Law>| sita::optimal_with(farm, metric, Discipline::Fcfs, atoms).map(Answer::from);
    Policy { id, name, is_optimised: true, is_bound: false, evaluate: Box::new(evaluate) }
}

fn cycle_stealing(id: &'static str, name: &'static str, policy: stealing::Policy) -> Policy {
    let evaluate = move |farm: &Farm<Law>| best_cutoff(farm, policy);
    Policy { id, name, is_optimised: true, is_bound: false, evaluate: Box::new(evaluate) }
}

/// Cycle stealing with a short and a long host, at the cutoff that minimises the mean waiting time.
fn best_cutoff(farm: &Farm<Law>, policy: stealing::Policy) -> queueing::Result<Answer> {
    let split = stealing::optimal_cutoff(farm.jobs(), Metric::MeanWaitingTime, policy)?;
    let both = split.performance;
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
            host(both.shorts(), split.share_of_jobs, both.short_host_utilisation.value),
            host(both.longs(), 1.0 - split.share_of_jobs, both.long_host_utilisation.value),
        ],
        overall: both.by_class.overall,
        cutoffs: vec![split.cutoff],
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
