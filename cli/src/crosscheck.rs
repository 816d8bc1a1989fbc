//! Somebody's simulator against the model.

use crate::arguments::{Crosscheck, Format};
use crate::failure::{Failure, Result, quoted};
use crate::number::short;
use crate::report::key;
use crate::simulate::{dispatch, formula, run};
use crate::sizes;
use queueing::crosscheck::{Check, Comparison, Slip, Verdict, candidates, compare_all, diagnose, moment_in_play};
use queueing::prelude::*;
use queueing::sim::Dispatch;
use std::fmt::Write;

/// What a file tells.
#[derive(Default)]
struct Seen {
    observations: Vec<(Metric, Observed)>,
    /// values of each job, for the metrics whose mean they tell
    series: Vec<(Metric, Vec<f64>)>,
    arrivals: Option<Vec<f64>>,
}

/// The answer, and whether some number is inconsistent.
pub(crate) fn answer(options: &Crosscheck, notes: &mut Vec<String>) -> Result<(String, bool)> {
    let seen = read(options)?;
    let sizes = sizes::read(&options.source, notes)?;
    let farm = crate::compare::farm(&sizes, &options.farm, false, notes)?;
    let dispatch = dispatch(&farm, &options.policy)?;
    let discipline = options.policy.discipline;
    let model = match formula(&farm, &dispatch, discipline) {
        Err(queueing::Error::Unavailable { .. }) => {
            notes.push("there is no formula for this policy: compared with a simulation".to_owned());
            run(&farm, &dispatch, &options.policy, &options.run)?.overall.performance()
        }
        other => other?,
    };
    let mut checks = Vec::new();
    let mut metrics = Vec::new();
    for (metric, observed) in &seen.observations {
        let expected = model.estimate(*metric)?;
        let check = Check::new(key(*metric), expected, *observed);
        let order = moment_in_play(*metric, discipline);
        checks.push(if observed.jobs().is_some() { check.of_sizes(&sizes.law, order)? } else { check });
        metrics.push(*metric);
    }
    let report = compare_all(&checks, options.level)?;
    let mut slips: Vec<(String, Vec<Slip>)> = Vec::new();
    for ((check, metric), comparison) in checks.iter().zip(&metrics).zip(&report.comparisons) {
        if matches!(comparison.verdict, Verdict::Inconclusive(_)) {
            continue;
        }
        let evaluate = |farm: &Farm<&Law>, discipline| formula(farm, &dispatch, discipline);
        let candidates = candidates(&farm, discipline, *metric, evaluate);
        let series = seen.series.iter().find(|(known, _)| known == metric).map(|(_, series)| series.as_slice());
        let found = diagnose(check, &candidates, series, seen.arrivals.as_deref());
        if !found.is_empty() {
            slips.push((check.name().to_owned(), found));
        }
    }
    let text = match options.format {
        Format::Table => table(model.model(), &dispatch, &report.comparisons, &slips),
        Format::Csv => csv(&report.comparisons),
        Format::Json => json(model.model(), &report.comparisons, &slips),
    };
    Ok((text, report.is_inconsistent()))
}

fn read(options: &Crosscheck) -> Result<Seen> {
    let name = options.observed.display();
    let text = std::fs::read_to_string(&options.observed).map_err(|error| {
        Failure::new(format!("cannot read {name}: {error}; give a readable CSV file after --observed"))
    })?;
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).comment(Some(b'#')).from_reader(text.as_bytes());
    let at = |error: csv::Error| Failure::new(format!("{name}: {error}"));
    let header: Vec<String> = reader.headers().map_err(at)?.iter().map(str::to_lowercase).collect();
    let records: Vec<csv::StringRecord> = reader.records().collect::<csv::Result<_>>().map_err(at)?;
    let column = |names: &[&str]| header.iter().position(|known| names.contains(&known.as_str()));
    let number = |row: usize, column: usize| -> Result<f64> {
        let cell = records[row].get(column).unwrap_or("");
        cell.parse().map_err(|_| {
            let cell = quoted(cell);
            Failure::new(format!(
                "{name}: row {} has {cell} in column {}, which is not a number",
                row + 1,
                header[column]
            ))
        })
    };
    let series = |column: usize| (0..records.len()).map(|row| number(row, column)).collect::<Result<Vec<f64>>>();
    if let (Some(metric), Some(mean)) = (column(&["metric", "quantity"]), column(&["mean", "value"])) {
        return summary(&records, metric, mean, &column, &number);
    }
    let mut seen = Seen::default();
    for (metric, names) in [
        (Metric::MeanWaitingTime, ["waiting_time", "wait"]),
        (Metric::MeanResponseTime, ["response_time", "response"]),
        (Metric::MeanSlowdown, ["slowdown", "response_slowdown"]),
        (Metric::MeanWaitingSlowdown, ["waiting_slowdown", "wait_slowdown"]),
    ] {
        if let Some(column) = column(&names) {
            let values = series(column)?;
            let observed = Observed::from_series(&values)
                .map_err(|error| Failure::new(format!("{name}, column {}: {error}", header[column])))?;
            seen.observations.push((metric, observed));
            seen.series.push((metric, values));
        }
    }
    if let Some(column) = column(&["arrival_time", "arrival"]) {
        seen.arrivals = Some(series(column)?);
    }
    if seen.observations.is_empty() {
        return Err(Failure::new(format!(
            "{name} has none of the columns metric and mean (a row a metric), waiting_time, response_time, slowdown, \
             waiting_slowdown (a row a job); name them in the first line"
        )));
    }
    Ok(seen)
}

/// A row a metric: its mean, standard error or 95 % half-width, and perhaps the jobs.
fn summary(
    records: &[csv::StringRecord],
    metric: usize,
    mean: usize,
    column: &dyn Fn(&[&str]) -> Option<usize>,
    number: &dyn Fn(usize, usize) -> Result<f64>,
) -> Result<Seen> {
    let error = column(&["standard_error", "se"]);
    let half_width = column(&["half_width", "half_width_95"]);
    let jobs = column(&["jobs", "count"]);
    let mut seen = Seen::default();
    for (row, record) in records.iter().enumerate() {
        let name = record.get(metric).unwrap_or("");
        let metric = Metric::ALL.into_iter().find(|metric| key(*metric) == name);
        let Some(metric) = metric else {
            let known: Vec<String> = Metric::ALL.into_iter().map(key).collect();
            let name = quoted(name);
            return Err(Failure::new(format!("row {}: {name} is none of {}", row + 1, known.join(", "))));
        };
        let mean = number(row, mean)?;
        let observed = match (error, half_width) {
            (Some(column), _) => Observed::new(mean, number(row, column)?),
            (None, Some(column)) => Observed::with_half_width(mean, number(row, column)?, 0.95),
            (None, None) => {
                return Err(Failure::new("give a column standard_error, or half_width (of a 95 % interval)"));
            }
        };
        let mut observed = observed.map_err(|error| Failure::new(format!("row {}: {error}", row + 1)))?;
        if let Some(column) = jobs {
            observed = observed.with_jobs(number(row, column)? as u64);
        }
        seen.observations.push((metric, observed));
    }
    Ok(seen)
}

fn table(model: &str, dispatch: &Dispatch, comparisons: &[Comparison], slips: &[(String, Vec<Slip>)]) -> String {
    let mut text = format!("Model: {model}\n");
    if let Dispatch::Sita(cutoffs) = dispatch {
        let sizes: Vec<String> = cutoffs.sizes().map(short).collect();
        let _ = writeln!(text, "Cutoffs: {}", sizes.join(", "));
    }
    let _ = writeln!(
        text,
        "\n{:<32} {:>10} {:>10} {:>10} {:>7} {:>8}  verdict",
        "metric", "expected", "observed", "error", "z", "p"
    );
    for Comparison { name, expected, observed, z, adjusted_p_value, verdict, .. } in comparisons {
        let word = word(verdict);
        let [expected, seen, error] = [expected.value, observed.mean(), observed.standard_error()].map(short);
        let _ = writeln!(
            text,
            "{name:<32} {expected:>10} {seen:>10} {error:>10} {z:>7.2} {adjusted_p_value:>8.1e}  {word}"
        );
    }
    for Comparison { name, verdict, .. } in comparisons {
        if let Verdict::Inconclusive(_) = verdict {
            let _ = writeln!(text, "\n{name}: {verdict}");
        }
    }
    for (name, slips) in slips {
        for slip in slips {
            let _ = writeln!(text, "\n{name} would fit: {slip}");
        }
    }
    text + "\np is corrected for the number of metrics.\n"
}

fn csv(comparisons: &[Comparison]) -> String {
    let mut text = "metric,expected,observed,standard_error,z,p,adjusted_p,verdict\n".to_owned();
    for Comparison { name, expected, observed, z, p_value, adjusted_p_value, verdict, .. } in comparisons {
        let (expected, seen, error) = (expected.value, observed.mean(), observed.standard_error());
        let word = word(verdict);
        let _ = writeln!(text, "{name},{expected},{seen},{error},{z},{p_value},{adjusted_p_value},{word}");
    }
    text
}

fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Consistent => "consistent",
        Verdict::Inconsistent => "inconsistent",
        _ => "inconclusive",
    }
}

fn json(model: &str, comparisons: &[Comparison], slips: &[(String, Vec<Slip>)]) -> String {
    let number =
        |value: f64| if value.is_finite() { serde_json::json!(value) } else { serde_json::json!(value.to_string()) };
    let rows: Vec<_> = comparisons
        .iter()
        .map(|one| {
            let slips: Vec<String> = slips
                .iter()
                .filter(|(name, _)| *name == one.name)
                .flat_map(|(_, slips)| slips.iter().map(ToString::to_string))
                .collect();
            serde_json::json!({
                "metric": one.name,
                "expected": number(one.expected.value),
                "observed": number(one.observed.mean()),
                "standard_error": number(one.observed.standard_error()),
                "z": number(one.z),
                "p": one.p_value,
                "adjusted_p": one.adjusted_p_value,
                "verdict": word(&one.verdict),
                "remark": one.verdict.to_string(),
                "slips": slips,
            })
        })
        .collect();
    format!("{:#}\n", serde_json::json!({ "model": model, "comparisons": rows }))
}
