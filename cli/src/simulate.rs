//! One policy on one farm, simulated; or its model, by a formula where there is one.

use crate::arguments::{PolicyOptions, RunOptions, Simulate};
use crate::failure::{Failure, Result};
use crate::number::short;
use crate::progress::Bar;
use crate::report::key;
use crate::sizes;
use queueing::prelude::*;
use queueing::sim::{self, Dispatch, Input, Method, Run, Simulated, System};
use std::fmt::Write;

/// The confidence of the half-widths that are shown.
const CONFIDENCE: f64 = 0.95;

/// The percentiles of the response time that are shown.
const PERCENTILES: [(&str, f64); 4] = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999)];

/// One line of the answer.
struct Line {
    quantity: String,
    value: f64,
    half_width: f64,
}

pub(crate) fn answer(options: &Simulate, notes: &mut Vec<String>) -> Result<String> {
    let sizes = sizes::read(&options.source, notes)?;
    let farm = crate::compare::farm(&sizes, &options.farm, options.run.transient, notes)?;
    let dispatch = dispatch(&farm, &options.policy)?;
    let seen = run(&farm, &dispatch, &options.policy, &options.run)?;
    // A queue forgets its start after some (1 + C²)/(1−ρ)² jobs.
    let memory = (1.0 + farm.jobs().size().scv()) / farm.spare().powi(2);
    let warm_up = 0.1 * options.run.jobs as f64 / f64::from(options.run.replications);
    if !options.run.transient && options.run.warm_up.is_none() && warm_up < 2.0 * memory {
        notes.push(
            "the runs are short for this load and these sizes: the empty start may still be seen; give more --jobs"
                .to_owned(),
        );
    }
    let lines = lines(&seen)?;
    let title = format!(
        "{}: {} jobs, seed {}; load {}",
        seen.overall.performance().model(),
        seen.overall.jobs(),
        options.run.seed,
        short(farm.load())
    );
    Ok(match options.format {
        crate::arguments::Format::Table => table(&sizes.source, &title, &lines),
        crate::arguments::Format::Csv => csv(&lines),
        crate::arguments::Format::Json => json(&sizes.source, &seen, options.run.seed, &lines),
    })
}

/// The dispatcher of a policy, with cutoffs where it has some.
pub(crate) fn dispatch(farm: &Farm<impl JobSize>, policy: &PolicyOptions) -> Result<Dispatch> {
    let given = || policy.cutoffs.clone().ok_or_else(|| Failure::new("give the cutoffs of the policy with --cutoffs"));
    let best = |metric| Ok::<_, queueing::Error>(sita::optimal(farm, metric, Discipline::Fcfs)?.cutoffs);
    Ok(match policy.policy.as_str() {
        "random" => Dispatch::Random,
        "round-robin" => Dispatch::RoundRobin,
        "jsq" => Dispatch::JoinShortestQueue,
        "jsq2" => Dispatch::ShortestOf(2.min(farm.hosts().count())),
        "jiq" => Dispatch::JoinIdleQueue,
        "lwl" => Dispatch::LeastWorkLeft,
        "sita-e" => Dispatch::Sita(sita::equal_load(farm)?),
        "sita-v-waiting" => Dispatch::Sita(best(Metric::MeanWaitingTime)?),
        "sita-v-slowdown" => Dispatch::Sita(best(Metric::MeanSlowdown)?),
        "sita" => Dispatch::Sita(given()?),
        _ => Dispatch::Tags(given()?),
    })
}

/// The formula for a dispatcher and a discipline, where the library has one.
pub(crate) fn formula<S: JobSize>(
    farm: &Farm<S>,
    dispatch: &Dispatch,
    discipline: Discipline,
) -> queueing::Result<Performance> {
    match dispatch {
        Dispatch::Random => farm::random(farm, discipline),
        Dispatch::LeastWorkLeft if discipline == Discipline::Fcfs => Ok(farm::least_work_left(farm)?.overall),
        Dispatch::Sita(cutoffs) => sita::evaluate(farm, cutoffs, discipline)?.overall.performance().cloned(),
        _ => Err(queueing::Error::Unavailable {
            metric: Metric::MeanResponseTime.name(),
            model: "this policy by a formula".to_owned(),
        }),
    }
}

pub(crate) fn run(
    farm: &Farm<Law>,
    dispatch: &Dispatch,
    policy: &PolicyOptions,
    options: &RunOptions,
) -> Result<Simulated> {
    let bar = Bar::new();
    let watch = |progress: &sim::Progress| bar.show(progress);
    let mut run = Run::new(options.seed).jobs(options.jobs).replications(options.replications);
    if let Some(jobs) = options.warm_up {
        run = run.warm_up(jobs);
    }
    if let Some(threads) = options.threads {
        run = run.threads(threads);
    }
    if let Some(width) = options.until {
        run = run.until(Metric::MeanResponseTime, width);
    }
    if options.transient {
        run = run.transient();
    }
    if bar.is_wanted() {
        run = run.watch(&watch);
    }
    let system = System::Farm { hosts: farm.hosts(), dispatch: dispatch.clone(), service: policy.discipline.into() };
    let seen = sim::simulate(&Input::poisson(farm.jobs()), &system, &run);
    bar.clear();
    Ok(seen?)
}

fn lines(seen: &Simulated) -> Result<Vec<Line>> {
    let mut lines = Vec::new();
    for (metric, estimate) in seen.overall.performance().metrics() {
        let half_width = match estimate.accuracy {
            Accuracy::Simulated { .. } => seen.overall.half_width(metric, CONFIDENCE, Method::Batches)?,
            _ => 0.0,
        };
        lines.push(Line { quantity: key(metric), value: estimate.value, half_width });
    }
    for (name, p) in PERCENTILES {
        let Estimate { value, accuracy } = seen.overall.response_time_quantile(p)?;
        let half_width = match accuracy {
            Accuracy::Simulated { standard_error, .. } => 1.96 * standard_error,
            _ => 0.0,
        };
        lines.push(Line { quantity: format!("response_time_{name}"), value, half_width });
    }
    Ok(lines)
}

fn table(source: &str, title: &str, lines: &[Line]) -> String {
    let mut text = format!("{source}\n{title}\n\n");
    let width = lines.iter().map(|line| line.quantity.len()).max().unwrap_or(0);
    for Line { quantity, value, half_width } in lines {
        let error = if value.is_finite() { format!("+- {}", short(*half_width)) } else { String::new() };
        let line = format!("{quantity:<width$}  {:>10}  {error}", short(*value));
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text + "\n+-: half the width of the 95 % interval, by batch means; percentiles by replications\n"
}

fn csv(lines: &[Line]) -> String {
    let mut text = "quantity,value,half_width_95\n".to_owned();
    for Line { quantity, value, half_width } in lines {
        let _ = writeln!(text, "{quantity},{value},{half_width}");
    }
    text
}

fn json(source: &str, seen: &Simulated, seed: u64, lines: &[Line]) -> String {
    let number = |value: f64| {
        if value.is_finite() { serde_json::json!(value) } else { serde_json::json!(value.to_string()) }
    };
    let metrics: serde_json::Map<String, serde_json::Value> = lines
        .iter()
        .map(|line| {
            let entry = serde_json::json!({"value": number(line.value), "half_width_95": number(line.half_width)});
            (line.quantity.clone(), entry)
        })
        .collect();
    let report = serde_json::json!({
        "source": source,
        "model": seen.overall.performance().model(),
        "jobs": seen.overall.jobs(),
        "seed": seed,
        "metrics": metrics,
    });
    format!("{report:#}\n")
}
