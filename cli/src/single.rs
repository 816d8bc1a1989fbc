//! The answer of `mg1`: one host under every discipline.

use crate::arguments::{FarmOptions, Format, Single};
use crate::compare::farm;
use crate::failure::{Failure, Result};
use crate::report::{Measured, Metrics, key, optional};
use crate::sizes::{self, Sizes};
use crate::summary::Summary;
use crate::table;
use queueing::prelude::*;
use serde::Serialize;

/// The shares of the jobs at whose sizes slowdowns are told, and of the percentiles.
pub(crate) const PERCENTILES: [(&str, f64); 5] =
    [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999), ("p99.99", 0.9999)];

#[derive(Debug, Serialize)]
pub(crate) struct Report {
    pub workload: Summary,
    pub arrival_rate: f64,
    pub load: f64,
    pub disciplines: Vec<Row>,
    /// Of waiting and response time under FCFS.
    pub percentiles: Vec<Times>,
}

/// One discipline.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    pub discipline: String,
    pub metrics: Metrics,
    pub slowdown_by_size: Vec<AtSize>,
}

#[derive(Debug, Serialize)]
pub(crate) struct AtSize {
    pub percentile: &'static str,
    pub size: f64,
    #[serde(serialize_with = "optional")]
    pub slowdown: Option<f64>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Times {
    pub percentile: &'static str,
    pub waiting_time: Option<Measured>,
    pub response_time: Option<Measured>,
}

/// The whole answer as text.
pub(crate) fn answer(options: &Single, notes: &mut Vec<String>) -> Result<String> {
    let sizes = sizes::read(&options.source, notes)?;
    let report = report(&sizes, options, notes)?;
    Ok(match options.format {
        Format::Table => table::single::render(&report),
        Format::Csv => csv(&report)?,
        Format::Json => serde_json::to_string_pretty(&report).map_err(|error| Failure::new(error.to_string()))? + "\n",
    })
}

fn report(sizes: &Sizes, options: &Single, notes: &mut Vec<String>) -> Result<Report> {
    let one = FarmOptions { hosts: Hosts::identical(1)?, load: options.load, rate: options.rate };
    let farm = farm(sizes, &one, false, notes)?;
    let jobs = farm.jobs();
    let disciplines = Discipline::ALL.map(|discipline| row(jobs, discipline)).into_iter().collect::<Result<_>>()?;
    let percentile = |(name, p): (&'static str, f64)| Times {
        percentile: name,
        waiting_time: mg1::waiting_time_quantile(jobs, p).ok().map(Measured::from),
        response_time: mg1::response_time_quantile(jobs, p).ok().map(Measured::from),
    };
    Ok(Report {
        workload: Summary::of(sizes),
        arrival_rate: jobs.rate(),
        load: jobs.load(),
        disciplines,
        percentiles: PERCENTILES.into_iter().map(percentile).collect(),
    })
}

fn row(jobs: &Workload<Law>, discipline: Discipline) -> Result<Row> {
    let largest = jobs.size().support().1;
    let at = |percentile, size| AtSize {
        percentile,
        size,
        slowdown: mg1::slowdown_given_size(jobs, discipline, size).ok().map(|slowdown| slowdown.value),
    };
    let mut slowdown_by_size: Vec<AtSize> =
        PERCENTILES.into_iter().map(|(name, p)| at(name, jobs.size().quantile(p))).collect();
    if largest.is_finite() {
        slowdown_by_size.push(at("largest", largest));
    }
    let metrics = Metrics::of(&Outcome::Stable(mg1::performance(jobs, discipline)?));
    Ok(Row { discipline: discipline.to_string(), metrics, slowdown_by_size })
}

/// A number a line: section, discipline, percentile, quantity, value.
fn csv(report: &Report) -> Result<String> {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    let mut all = || {
        writer.write_record(["section", "discipline", "percentile", "quantity", "value"])?;
        let mut line = |cells: [&str; 4], value: f64| {
            let value = value.to_string();
            writer.write_record(cells.into_iter().chain([value.as_str()]))
        };
        line(["server", "", "", "arrival_rate"], report.arrival_rate)?;
        line(["server", "", "", "load"], report.load)?;
        for row in &report.disciplines {
            for (metric, estimate) in &row.metrics.0 {
                line(["discipline", &row.discipline, "", &key(*metric)], estimate.value)?;
            }
            for at in &row.slowdown_by_size {
                line(["by_size", &row.discipline, at.percentile, "size"], at.size)?;
                if let Some(slowdown) = at.slowdown {
                    line(["by_size", &row.discipline, at.percentile, "mean_slowdown"], slowdown)?;
                }
            }
        }
        for Times { percentile, waiting_time, response_time } in &report.percentiles {
            for (quantity, time) in [("waiting_time", waiting_time), ("response_time", response_time)] {
                if let Some(time) = time {
                    line(["percentile", "FCFS", percentile, quantity], time.value)?;
                }
            }
        }
        Ok(())
    };
    all().map_err(|error: ::csv::Error| Failure::new(error.to_string()))?;
    let bytes = writer.into_inner().map_err(|error| Failure::new(error.to_string()))?;
    String::from_utf8(bytes).map_err(|error| Failure::new(error.to_string()))
}
