//! All policies on one farm.

use crate::arguments::{Compare, FarmOptions, MOST_HOSTS};
use crate::failure::{Failure, Result};
use crate::number::{plural, short};
use crate::policy::{self, Answer, Policy, REFERENCE};
use crate::report::{CutoffRow, FarmSummary, HostRow, Metrics, Ratios, Report, Row, WithoutLargest};
use crate::sizes::Sizes;
use crate::stream;
use crate::summary::{Summary, trace};
use queueing::Infeasibility;
use queueing::prelude::*;

/// The load of a host when neither load nor rate is given.
pub(crate) const DEFAULT_LOAD: f64 = 0.8;

/// What the user should know beside the answer is added to the notes.
pub(crate) fn report(sizes: &Sizes, options: &Compare, notes: &mut Vec<String>) -> Result<Report> {
    let farm = farm(sizes, &options.farm, false, notes)?;
    if let Some(cutoffs) = &options.cutoffs {
        require_fit(cutoffs, &farm)?;
    }
    let atoms = if options.split { sita::Atoms::Split } else { sita::Atoms::Whole };
    let count = farm.hosts().count();
    if options.stealing && count != 2 {
        let farm = plural(count as f64, "host");
        return Err(Failure::new(format!("--stealing has a short and a long host, not {farm}; give --hosts 2")));
    }
    let policies = policy::all(atoms, options.cutoffs.as_ref(), options.stealing, options.simulate);
    let rows_of = |farm: &Farm<Law>| rows(&policies, farm);
    let are_given = options.cutoffs.is_some();
    let without_largest_job = trace(&sizes.law).and_then(|trace| without_largest(trace, &farm, rows_of, are_given));
    let policies = rows_of(&farm);
    let farm = FarmSummary { hosts: farm.hosts().count(), arrival_rate: farm.jobs().rate(), load: farm.load() };
    Ok(Report { workload: Summary::of(sizes), farm, policies, without_largest_job })
}

/// A load of 1 or more is refused unless it may be `unstable`.
pub(crate) fn farm(sizes: &Sizes, options: &FarmOptions, unstable: bool, notes: &mut Vec<String>) -> Result<Farm<Law>> {
    let hosts = options.hosts;
    stream::require_finite_mean(sizes)?;
    let Some(rate) = options.rate else {
        return Ok(Farm::with_load(sizes.law.clone(), hosts, options.load.unwrap_or(DEFAULT_LOAD))?);
    };
    let farm = Farm::new(stream::at_rate(sizes, rate, notes)?, hosts);
    if farm.spare() > 0.0 || unstable { Ok(farm) } else { Err(overload(rate, sizes.share_with_work(), &farm)) }
}

/// All jobs arrive at `rate`, the `share` of them has sizes above 0.
fn overload(rate: f64, share: f64, farm: &Farm<Law>) -> Failure {
    let (count, mean) = (farm.hosts().count() as f64, share * farm.jobs().size().mean());
    let included = if share < 1.0 { " (jobs of size 0 included)" } else { "" };
    let least = (rate * mean).floor() + 1.0;
    let more = if least <= MOST_HOSTS as f64 { format!(", or --hosts {least} or more") } else { String::new() };
    Failure::new(format!(
        "rate {rate:?} with mean size {}{included} on {} is a load of {} per host, and at load 1 or more queues grow without bound; \
         give a --rate below {}{more}",
        short(mean),
        plural(count, "host"),
        short(farm.load()),
        short(count / mean)
    ))
}

/// Given cutoffs that do not fit the farm or the sizes are bad input; ones that saturate a host have an answer that says so.
fn require_fit(cutoffs: &sita::Cutoffs, farm: &Farm<Law>) -> Result<()> {
    let (given, hosts) = (cutoffs.as_slice().len(), farm.hosts().count());
    match sita::evaluate(farm, cutoffs, Discipline::Fcfs) {
        Ok(_) | Err(queueing::Error::Unstable { .. }) => Ok(()),
        Err(error) if given + 1 != hosts => {
            let farm = plural(hosts as f64, "host");
            Err(Failure::new(format!("--cutoffs: {error} ({farm}); --hosts {} goes with these cutoffs", given + 1)))
        }
        Err(error) => {
            let (low, high) = farm.jobs().size().support();
            let remedy = format!("give cutoffs from {} to {}", short(low), short(high));
            Err(Failure::new(format!("--cutoffs: {error}; {remedy}")))
        }
    }
}

fn rows(policies: &[Policy], farm: &Farm<Law>) -> Vec<Row> {
    let mut rows: Vec<Row> = policies.iter().map(|policy| row(policy, farm)).collect();
    let reference = |metric| rows.iter().find(|row| row.policy == REFERENCE)?.metrics.value(metric);
    let (response, slowdown) = (reference(Metric::MeanResponseTime), reference(Metric::MeanSlowdown));
    for Row { metrics, ratio_to_random_ps, .. } in &mut rows {
        // Infinite over infinite is no ratio.
        let ratio = |metric, reference: Option<f64>| {
            Some(metrics.value(metric)? / reference?).filter(|ratio: &f64| !ratio.is_nan())
        };
        *ratio_to_random_ps = Ratios {
            mean_response_time: ratio(Metric::MeanResponseTime, response),
            mean_slowdown: ratio(Metric::MeanSlowdown, slowdown),
        };
    }
    rows
}

fn row(policy: &Policy, farm: &Farm<Law>) -> Row {
    let mut row = Row {
        policy: policy.id,
        name: policy.name,
        is_optimised: policy.is_optimised,
        is_bound: policy.is_bound,
        metrics: Metrics::default(),
        ratio_to_random_ps: Ratios::default(),
        reason: None,
        optimality: None,
        remark: None,
        hosts: Vec::new(),
    };
    match (policy.evaluate)(farm) {
        Err(error) => row.reason = Some(refusal(&error)),
        Ok(Answer { overall, hosts, cutoffs, optimality, remark }) => {
            row.metrics = Metrics::of(&overall);
            row.reason = match overall.performance() {
                Err(_) => Some(saturated(&hosts)),
                Ok(_) => infinite(&row.metrics, farm.jobs().size()),
            };
            row.optimality = optimality;
            row.remark = remark;
            row.hosts = hosts.iter().enumerate().map(|(i, host)| host_row(host, cutoffs.get(i))).collect();
        }
    }
    row
}

/// The hosts that keep a farm from a steady state.
fn saturated(hosts: &[sita::HostOutcome]) -> String {
    let mut loads = hosts.iter().enumerate().filter(|(_, host)| !host.outcome.is_stable());
    let first = loads.next().map_or_else(String::new, |(i, host)| {
        format!("host {} has load {}, and at load 1 or more its queue grows without bound", i + 1, short(host.load))
    });
    match loads.count() {
        0 => first,
        more => format!("{first}; so do the queues of {}", plural(more as f64, "further host")),
    }
}

fn host_row(host: &sita::HostOutcome, cutoff: Option<&Cutoff>) -> HostRow {
    HostRow {
        cutoff: cutoff.map(|cutoff| CutoffRow { size: cutoff.size(), share: cutoff.share() }),
        fraction_of_jobs: host.fraction,
        load: host.load,
        spare: host.spare,
        metrics: Metrics::of(&host.outcome),
        reason: host.outcome.performance().err().map(|error| error.to_string()),
    }
}

/// Why a policy has no answer. Only where an option of this program helps has it words of its own.
fn refusal(error: &queueing::Error) -> String {
    match *error {
        queueing::Error::Infeasible { reason: Infeasibility::Atom { size, load } } if load >= 1.0 => format!(
            "the jobs of one size stay together, and those of size {size} alone bring a load of {}, so one host would have \
             load 1 or more; --split divides them",
            short(load)
        ),
        queueing::Error::Infeasible { reason } => reason.to_string(),
        ref other => other.to_string(),
    }
}

/// Why a mean is infinite: by Pollaczek and Khinchine, a moment of the sizes is.
pub(crate) fn infinite(metrics: &Metrics, law: &dyn JobSize) -> Option<String> {
    let is_infinite = |metric| metrics.value(metric) == Some(f64::INFINITY);
    if is_infinite(Metric::MeanWaitingTime) {
        let moment = law.moment(2.0);
        let cause = if moment.is_infinite() { "because E[X^2] is" } else { "for these sizes and cutoffs" };
        Some(format!("the mean waiting time, response time and slowdown are infinite {cause}"))
    } else if is_infinite(Metric::MeanSlowdown) {
        Some("the mean slowdown is infinite because E[1/X] is".to_owned())
    } else {
        None
    }
}

fn without_largest(
    trace: &Empirical,
    farm: &Farm<Law>,
    rows_of: impl Fn(&Farm<Law>) -> Vec<Row>,
    cutoffs_are_given: bool,
) -> Option<WithoutLargest> {
    let law: Law = trace.without_largest()?.into();
    let jobs = Workload::new(farm.jobs().rate(), law).ok()?;
    let farm = Farm::new(jobs, farm.hosts());
    Some(WithoutLargest {
        size: trace.support().1,
        load: farm.load(),
        held_fixed: if cutoffs_are_given {
            "the arrival rate and the given cutoffs; each other policy chooses its cutoffs anew"
        } else {
            "the arrival rate; each policy chooses its cutoffs anew"
        },
        policies: rows_of(&farm),
    })
}
