//! Cycle stealing: two classes of jobs, or one workload divided into them, under each policy.

pub(crate) mod arguments;
pub(crate) mod lines;
pub(crate) mod page;
pub(crate) mod policies;
mod report;

use crate::compare::DEFAULT_LOAD;
use crate::failure::{Failure, Result};
use crate::number::short;
use crate::report::Ratios;
use crate::sizes::{self, Sizes};
use crate::stream;
use crate::summary::Summary;
use arguments::{ClassOptions, Division, Stealing};
use policies::{ALL, Setting};
use queueing::prelude::*;
use queueing::stealing::{Policy, Renaming};
use report::{Hosts, Jobs, Point, Report, Row};

/// What the user should know beside the answer is added to the notes.
pub(crate) fn report(options: &Stealing, notes: &mut Vec<String>) -> Result<Report> {
    let (shorts, longs) = (options.shorts.class(), options.longs.class());
    let Stealing { short_hosts, long_hosts, tolerance, three_moments, renaming, .. } = *options;
    let setting = Setting { short_hosts, long_hosts, tolerance, three_moments, renaming };
    if shorts.is_given() || longs.is_given() {
        two_workloads(options, &shorts, &longs, setting, notes)
    } else if options.sweep.is_empty() {
        one_workload(options, setting, notes)
    } else {
        Err(Failure::new("--sweep goes with two workloads; give --short-law and --long-law, or files of sizes"))
    }
}

fn two_workloads(
    options: &Stealing,
    shorts: &ClassOptions,
    longs: &ClassOptions,
    setting: Setting,
    notes: &mut Vec<String>,
) -> Result<Report> {
    require_no_division(options)?;
    let short_sizes = sizes_of(shorts, notes)?;
    let long_sizes = sizes_of(longs, notes)?;
    let (long_jobs, c) = (jobs(longs, &long_sizes, notes)?, setting.long_hosts);
    let (streams, loads) = if options.sweep.is_empty() {
        (vec![jobs(shorts, &short_sizes, notes)?], None)
    } else {
        let law = |&load| Ok(Workload::with_load(short_sizes.law.clone(), load)?);
        (options.sweep.iter().map(law).collect::<Result<Vec<_>>>()?, Some(&options.sweep))
    };
    let point = |(i, short_jobs): (usize, &Workload<Law>)| {
        // As it was given: the last bit of rate times mean may differ.
        let short_load = loads.map_or(short_jobs.load(), |loads| loads[i]);
        Point { short_load: Some(short_load), policies: setting.rows(short_jobs, &long_jobs) }
    };
    let points: Vec<Point> = streams.iter().enumerate().map(point).collect();
    let unstable =
        |row: &Row| row.reason.is_some() && row.short_load_limit.is_some_and(|limit| streams[0].load() >= limit);
    if long_jobs.load() >= c as f64 && points.iter().all(|point| point.policies.iter().all(unstable)) {
        return Err(Failure::new(format!(
            "the longs bring a load of {} to {}, and the shorts one of {}: no policy keeps up with either; give a \
             --long-{} below {}",
            short(long_jobs.load()),
            crate::number::plural(c as f64, "long host"),
            short(streams[0].load()),
            if longs.rate.is_some() { "rate" } else { "load" },
            if longs.rate.is_some() { short(c as f64 / long_jobs.mean_size()) } else { short(c as f64) },
        )));
    }
    let known = loads.is_none().then(|| &streams[0]);
    let class = |class, sizes: &Sizes, jobs: Option<&Workload<Law>>| Jobs {
        class,
        sizes: Summary::of(sizes),
        arrival_rate: jobs.map(Workload::rate),
        load: jobs.map(Workload::load),
    };
    Ok(Report {
        workloads: vec![class("shorts", &short_sizes, known), class("longs", &long_sizes, Some(&long_jobs))],
        hosts: Hosts { short: setting.short_hosts, long: c },
        minimised: None,
        points,
    })
}

/// The options of one workload do not go with two.
fn require_no_division(options: &Stealing) -> Result<()> {
    let Division { load, rate, split_by, .. } = &options.division;
    let given = [
        ("--sizes", options.source.sizes.is_some()),
        ("--law", options.source.law.is_some()),
        ("--summary", options.source.summary.is_some()),
        ("--load", load.is_some()),
        ("--rate", rate.is_some()),
        ("--split-by", split_by.is_some()),
    ];
    match given.into_iter().find(|(_, given)| *given) {
        Some((option, _)) => Err(Failure::new(format!(
            "{option} is for one workload that is divided by size, and a class is given; leave out {option}, or all options \
             of the classes (--short-..., --long-...)"
        ))),
        None => Ok(()),
    }
}

fn sizes_of(class: &ClassOptions, notes: &mut Vec<String>) -> Result<Sizes> {
    let word = class.word;
    if !class.has_sizes() {
        return Err(Failure::new(format!("the sizes of the {word}s are missing; give --{word}-law or --{word}-sizes")));
    }
    let sizes = sizes::read(&class.source, notes)?;
    stream::require_finite_mean(&sizes)?;
    Ok(sizes)
}

fn jobs(class: &ClassOptions, sizes: &Sizes, notes: &mut Vec<String>) -> Result<Workload<Law>> {
    match (class.load, class.rate) {
        (Some(load), _) => Ok(Workload::with_load(sizes.law.clone(), load)?),
        (None, Some(rate)) => stream::at_rate(sizes, rate, notes),
        (None, None) => {
            let word = class.word;
            let sweep = if word == "short" { ", or several loads with --sweep" } else { "" };
            Err(Failure::new(format!("the load of the {word}s is missing; give --{word}-load or --{word}-rate{sweep}")))
        }
    }
}

fn one_workload(options: &Stealing, setting: Setting, notes: &mut Vec<String>) -> Result<Report> {
    let sizes = sizes::read(&options.source, notes)?;
    stream::require_finite_mean(&sizes)?;
    let hosts = setting.short_hosts + setting.long_hosts;
    let jobs = if let Some(rate) = options.division.rate {
        stream::at_rate(&sizes, rate, notes)?
    } else {
        let load = options.division.load.unwrap_or(DEFAULT_LOAD);
        Workload::with_load(sizes.law.clone(), load * hosts as f64)?
    };
    if !(jobs.load() < hosts as f64) {
        return Err(Failure::new(format!(
            "the jobs bring a load of {} to {hosts} hosts: queues grow without bound; give a --rate below {}",
            short(jobs.load()),
            short(options.division.rate.unwrap_or(jobs.rate()) * hosts as f64 / jobs.load()),
        )));
    }
    let (policies, minimised) = match options.division.split_by {
        Some(cutoff) => (at_cutoff(&jobs, cutoff, setting)?, None),
        None if hosts == 2 => {
            let metric = options.division.minimise.metric();
            (best_cutoffs(&jobs, metric, setting), Some(metric.name().to_owned()))
        }
        None => {
            return Err(Failure::new(format!(
                "the best cutoff is sought for one short and one long host, not for {hosts} hosts; give a cutoff with --split-by"
            )));
        }
    };
    let all =
        Jobs { class: "all", sizes: Summary::of(&sizes), arrival_rate: Some(jobs.rate()), load: Some(jobs.load()) };
    Ok(Report {
        workloads: vec![all],
        hosts: Hosts { short: setting.short_hosts, long: setting.long_hosts },
        minimised,
        points: vec![Point { short_load: None, policies }],
    })
}

fn at_cutoff(jobs: &Workload<Law>, cutoff: Cutoff, setting: Setting) -> Result<Vec<Row>> {
    let (shorts, longs) = policies::halves(jobs, cutoff).map_err(|error| {
        let (low, high) = jobs.size().support();
        let remedy = format!("give a size that leaves jobs on both sides, between {} and {}", short(low), short(high));
        Failure::new(format!("--split-by {}: {error}; {remedy}", short(cutoff.size())))
    })?;
    let division = || Some(policies::division(cutoff, &shorts, &longs));
    Ok(setting.rows(&shorts, &longs).into_iter().map(|row| Row { division: division(), ..row }).collect())
}

/// Each policy at its own best cutoff, sought by three moments unless a tolerance is given. The search with renaming would take
/// minutes: it takes the cutoff of fixed roles.
fn best_cutoffs(jobs: &Workload<Law>, metric: Metric, setting: Setting) -> Vec<Row> {
    let mut fixed_roles = None;
    let mut rows = Vec::with_capacity(ALL.len());
    for (id, name, policy) in ALL {
        let row = Row { policy: id, name, ..Row::default() };
        rows.push(match (policy, fixed_roles) {
            (Policy::CentralQueue(Renaming::Eager | Renaming::Lazy), Some(cutoff)) => {
                let remark = Some("at the best cutoff of SBCS-CQ without renaming".to_owned());
                Row { remark, ..setting.divided(row, policy, jobs, cutoff) }
            }
            (Policy::CentralQueue(Renaming::Eager | Renaming::Lazy), None) => {
                Row { reason: Some("SBCS-CQ without renaming has no cutoff to take".to_owned()), ..row }
            }
            _ => match stealing::optimal_cutoff_with(jobs, metric, policy, setting.tolerance) {
                Ok(split) => {
                    if policy == Policy::CentralQueue(Renaming::Never) {
                        fixed_roles = Some(split.cutoff);
                    }
                    setting.divided(row, policy, jobs, split.cutoff)
                }
                Err(error) => Row { reason: Some(policies::refusal(&error)), ..row },
            },
        });
    }
    let means =
        |row: &Row| [Metric::MeanResponseTime, Metric::MeanSlowdown].map(|metric| row.all.metrics.value(metric));
    let dedicated = means(&rows[0]);
    for row in &mut rows {
        // Their shorts are not the same jobs.
        row.shorts.ratio_to_dedicated = Ratios::default();
        row.longs.ratio_to_dedicated = Ratios::default();
        row.all.ratio_to_dedicated = policies::ratios(means(row), dedicated);
    }
    rows
}
