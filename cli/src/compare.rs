//! All policies on one farm.

use crate::arguments::{Compare, FarmOptions, MOST_HOSTS};
use crate::failure::{Failure, Result};
use crate::number::{plural, short};
use crate::policy::{ALL, Answer, Policy, REFERENCE};
use crate::report::{CutoffRow, FarmSummary, HostRow, Metrics, Ratios, Report, Row, WithoutLargest};
use crate::sizes::Sizes;
use crate::summary::{Summary, trace};
use queueing::Infeasibility;
use queueing::prelude::*;

/// The load of a host when neither load nor rate is given.
const DEFAULT_LOAD: f64 = 0.8;

pub(crate) fn report(sizes: &Sizes, options: &Compare) -> Result<Report> {
    let farm = farm(sizes, &options.farm)?;
    let atoms = if options.split { sita::Atoms::Split } else { sita::Atoms::Whole };
    let policies = rows(&farm, atoms);
    let without_largest_job = trace(&sizes.law).and_then(|trace| without_largest(trace, &farm, atoms));
    let farm = FarmSummary { hosts: farm.hosts().count(), arrival_rate: farm.jobs().rate(), load: farm.load() };
    Ok(Report { workload: Summary::of(sizes), farm, policies, without_largest_job })
}

fn farm(sizes: &Sizes, options: &FarmOptions) -> Result<Farm<Law>> {
    let (law, hosts) = (sizes.law.clone(), options.hosts);
    let mean = law.mean();
    if !mean.is_finite() {
        let remedy = "give a law with a finite mean (for Pareto tails: alpha > 1)";
        return Err(Failure::new(format!("the mean size of {} is infinite, so is any load; {remedy}", sizes.source)));
    }
    let Some(rate) = options.rate else {
        return Ok(Farm::with_load(law, hosts, options.load.unwrap_or(DEFAULT_LOAD))?);
    };
    let farm = Farm::new(Workload::new(rate, law)?, hosts);
    if farm.spare() > 0.0 {
        return Ok(farm);
    }
    let count = hosts.count() as f64;
    let least = (rate * mean).floor() + 1.0;
    let more = if least <= MOST_HOSTS as f64 { format!(", or --hosts {least} or more") } else { String::new() };
    Err(Failure::new(format!(
        "rate {rate:?} with mean size {} on {} is a load of {} per host, and at load 1 or more queues grow without bound; \
         give a --rate below {}{more}",
        short(mean),
        plural(count, "host"),
        short(farm.load()),
        short(count / mean)
    )))
}

fn rows(farm: &Farm<Law>, atoms: sita::Atoms) -> Vec<Row> {
    let mut rows: Vec<Row> = ALL.iter().map(|policy| row(policy, farm, atoms)).collect();
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

fn row(policy: &Policy, farm: &Farm<Law>, atoms: sita::Atoms) -> Row {
    let &Policy { id, name, evaluate } = policy;
    let mut row = Row {
        policy: id,
        name,
        metrics: Metrics::default(),
        ratio_to_random_ps: Ratios::default(),
        reason: None,
        optimality: None,
        hosts: Vec::new(),
    };
    match evaluate(farm, atoms) {
        Err(error) => row.reason = Some(refusal(&error)),
        Ok(Answer { overall, hosts, cutoffs, optimality }) => {
            row.metrics = Metrics::of(&overall);
            row.reason = match overall.performance() {
                Err(error) => Some(error.to_string()),
                Ok(_) => infinite(&row.metrics, farm.jobs().size()),
            };
            row.optimality = optimality;
            row.hosts = hosts.iter().enumerate().map(|(i, host)| host_row(host, cutoffs.get(i))).collect();
        }
    }
    row
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

/// Why a policy has no answer.
fn refusal(error: &queueing::Error) -> String {
    match *error {
        queueing::Error::Infeasible { reason: Infeasibility::Atom { size, load } } => format!(
            "the jobs of one size stay together, and those of size {size} alone bring a load of {}, so one host would have \
             load 1 or more; --split divides them",
            short(load)
        ),
        queueing::Error::Infeasible { reason } => reason.to_string(),
        ref other => other.to_string(),
    }
}

/// Why a mean is infinite: by Pollaczek and Khinchine, a moment of the sizes is.
fn infinite(metrics: &Metrics, law: &Law) -> Option<String> {
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

fn without_largest(trace: &Empirical, farm: &Farm<Law>, atoms: sita::Atoms) -> Option<WithoutLargest> {
    let law: Law = trace.without_largest()?.into();
    let jobs = Workload::new(farm.jobs().rate(), law).ok()?;
    let farm = Farm::new(jobs, farm.hosts());
    Some(WithoutLargest {
        size: trace.support().1,
        load: farm.load(),
        held_fixed: "the arrival rate; each policy chooses its cutoffs anew",
        policies: rows(&farm, atoms),
    })
}
