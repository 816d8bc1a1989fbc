//! The report as a page to read, at most [`WIDTH`] columns wide.

mod hosts;
pub(crate) mod layout;
pub(crate) mod single;

use crate::number::{digits, error, percent, plural, short, size};
use crate::policy::REFERENCE;
use crate::report::{Metrics, Report, Row, WithoutLargest};
use crate::summary::Summary;
use layout::{Grid, clip, join, paragraph, wrap};
use queueing::{Accuracy, Metric};

/// Columns of the page.
pub(crate) const WIDTH: usize = 100;

/// The means that are shown.
pub(crate) const MEANS: [Metric; 3] = [Metric::MeanWaitingTime, Metric::MeanResponseTime, Metric::MeanSlowdown];

pub(crate) fn render(report: &Report) -> String {
    let mut sections = vec![workload(report), policies(&report.policies)];
    let remarks = [reasons(&report.policies), advice(&report.policies)].concat();
    if !remarks.is_empty() {
        sections.push(remarks);
    }
    sections.extend(report.without_largest_job.as_ref().map(|without| sensitivity(without, &report.policies)));
    sections.extend(hosts::render(&report.policies));
    sections.join("\n")
}

fn workload(report: &Report) -> String {
    let farm = &report.farm;
    let (hosts, load) = (plural(farm.hosts as f64, "host"), layout::plain(farm.load));
    let farm = format!("{hosts} at load {load}, Poisson arrivals at rate {}", short(farm.arrival_rate));
    job_sizes(&report.workload) + &wrap(&farm, WIDTH)
}

/// What the sizes are like.
pub(crate) fn job_sizes(summary: &Summary) -> String {
    let mut facts = Vec::new();
    if let (Some(jobs), Some(sizes)) = (summary.jobs, summary.distinct_sizes) {
        let jobs = plural(jobs, "job");
        facts.push(match sizes {
            1 => format!("{jobs}, all of one size"),
            _ => format!("{jobs} of {sizes} different sizes"),
        });
    }
    facts.push(format!("mean {}", short(summary.mean)));
    facts.push(format!("scv {}", short(summary.scv)));
    let mut sizes = vec![format!("smallest {}", size(summary.smallest))];
    sizes.extend(summary.percentiles.iter().map(|percentile| format!("{} {}", percentile.name, size(percentile.size))));
    sizes.push(format!("largest {}", size(summary.largest)));

    let mut text = clip(&summary.source, WIDTH) + "\n";
    if let Some(assumption) = &summary.assumption {
        text += &paragraph(&format!("Assumed: {assumption}."), 2, WIDTH);
    }
    text += &join(&facts, "   ", 2, WIDTH);
    text += &join(&sizes, "   ", 2, WIDTH);
    if let Some(share) = summary.work_share_of_largest_percent {
        text += &paragraph(&format!("The largest 1 % of the jobs bring {} of the work.", percent(share)), 2, WIDTH);
    }
    text + &second_moment(summary)
}

fn second_moment(summary: &Summary) -> String {
    let parts: Vec<String> = summary
        .second_moment_in_largest_jobs
        .iter()
        .map(|largest| match largest.jobs {
            1.0 => format!("the largest job brings {}", percent(largest.share)),
            jobs => format!("the largest {jobs} bring {}", percent(largest.share)),
        })
        .collect();
    if parts.is_empty() { String::new() } else { format!("  Of E[X^2] {}.\n", parts.join(", ")) }
}

fn policies(rows: &[Row]) -> String {
    let mut grid = Grid::new("lrrrrrl");
    grid.row(["", "waiting", "response", "slowdown", "T over", "T/X over", ""]);
    grid.row(["Policy", "time W", "time T", "T/X", "Random/PS", "Random/PS", "accuracy"]);
    for row in rows {
        let means = MEANS.map(|metric| mean(&row.metrics, metric));
        let [waiting, response, slowdown] = means;
        let ratios = [row.ratio_to_random_ps.mean_response_time, row.ratio_to_random_ps.mean_slowdown];
        let [by_response, by_slowdown] =
            ratios.map(|ratio| ratio.map_or_else(|| "-".to_owned(), |ratio| digits(ratio, 4)));
        grid.row([row.name.to_owned(), waiting, response, slowdown, by_response, by_slowdown, accuracy(row)]);
    }
    let mut text = format!("Means over all jobs, in the unit of the sizes\n{}", grid.render());
    if rows.iter().any(|row| row.optimality.is_some_and(|optimality| optimality > 0.0)) {
        text += "opt.: the estimated relative distance of the optimised mean from its minimum\n";
    }
    if rows.iter().any(is_of_unknown_optimality) {
        let remark = "opt. not known: the accuracy is that of the means at these cutoffs; the search for the best ones was \
                      not complete";
        text += &wrap(remark, WIDTH);
    }
    text
}

pub(crate) fn mean(metrics: &Metrics, metric: Metric) -> String {
    metrics.value(metric).map_or_else(|| "-".to_owned(), short)
}

/// The worst accuracy of the means shown, and how far optimised cutoffs may be from the best.
fn accuracy(row: &Row) -> String {
    let Some(label) = worst_accuracy(&row.metrics) else { return "no answer".to_owned() };
    match row.optimality {
        Some(optimality) if optimality > 0.0 => format!("{label}, opt. {}", error(optimality)),
        None if is_of_unknown_optimality(row) => format!("{label}, opt. not known"),
        _ => label,
    }
}

/// The worst accuracy of the means shown, if there are any.
pub(crate) fn worst_accuracy(metrics: &Metrics) -> Option<String> {
    let mut worst: Option<(u8, String)> = None;
    for metric in MEANS {
        let Some(estimate) = metrics.get(metric) else { continue };
        let (rank, label) = match estimate.accuracy {
            Accuracy::Exact => (0, "exact".to_owned()),
            Accuracy::Numerical { relative_error } => (1, format!("numerical {}", error(relative_error))),
            Accuracy::Simulated { .. } => (2, "simulated".to_owned()),
            _ => (3, "approximate".to_owned()),
        };
        if worst.as_ref().is_none_or(|(known, _)| rank > *known) {
            worst = Some((rank, label));
        }
    }
    worst.map(|(_, label)| label)
}

fn is_of_unknown_optimality(row: &Row) -> bool {
    row.is_optimised && row.optimality.is_none() && !row.metrics.0.is_empty()
}

fn reasons(rows: &[Row]) -> String {
    let texts = rows.iter().flat_map(|row| {
        let texts = [row.reason.as_deref(), row.remark.as_deref()];
        texts.into_iter().flatten().map(|text| (row.name, text))
    });
    remarks(texts)
}

/// Each text once, after the names that it concerns.
pub(crate) fn remarks<'a>(texts: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let mut remarks: Vec<(&str, Vec<&str>)> = Vec::new();
    for (name, text) in texts {
        match remarks.iter_mut().find(|(known, _)| *known == text) {
            Some((_, names)) => names.push(name),
            None => remarks.push((text, vec![name])),
        }
    }
    remarks.iter().map(|(text, names)| wrap(&format!("{}: {text}.", names.join(", ")), WIDTH)).collect()
}

/// The policies with the least means, bounds aside. Of equals the first, which is the simplest.
fn advice(rows: &[Row]) -> String {
    let least = |metric| {
        let mut best: Option<(&Row, f64)> = None;
        for row in rows.iter().filter(|row| !row.is_bound) {
            // Chance must not choose: simulated rows are beside the point.
            let known = |estimate: &queueing::Estimate| !matches!(estimate.accuracy, Accuracy::Simulated { .. });
            let Some(estimate) = row.metrics.get(metric).filter(known) else { continue };
            let value = estimate.value;
            if !value.is_finite() {
                continue;
            }
            if best.is_none_or(|(_, known)| value < known * (1.0 - 1e-9)) {
                best = Some((row, value));
            }
        }
        best
    };
    let mut lines = String::new();
    for metric in [Metric::MeanResponseTime, Metric::MeanSlowdown] {
        if let Some((row, value)) = least(metric) {
            let reference = rows.iter().find(|row| row.policy == REFERENCE);
            let factor = reference.and_then(|row| row.metrics.value(metric)).map(|reference| value / reference);
            let compared = match factor {
                Some(factor) if row.policy != REFERENCE => format!(", which is {} of Random/PS", digits(factor, 4)),
                _ => String::new(),
            };
            lines += &wrap(&format!("Least {metric}: {}, {}{compared}.", row.name, short(value)), WIDTH);
        }
    }
    lines
}

fn sensitivity(without: &WithoutLargest, rows: &[Row]) -> String {
    let title = format!(
        "With and without the largest job ({}): the range of each mean. Held fixed: {}. The load falls to {}.",
        size(without.size),
        without.held_fixed,
        layout::plain(without.load)
    );
    let mut grid = Grid::new("lrrr");
    grid.row(["Policy", "waiting time W", "response time T", "slowdown T/X"]);
    for (row, other) in rows.iter().zip(&without.policies) {
        let [waiting, response, slowdown] =
            MEANS.map(|metric| range(row.metrics.value(metric), other.metrics.value(metric)));
        grid.row([row.name.to_owned(), waiting, response, slowdown]);
    }
    let remark = "Exact is exact for this law, not for the world: a trace of other days has another largest job.";
    format!("{}{}{}", wrap(&title, WIDTH), grid.render(), wrap(remark, WIDTH))
}

/// From the smaller to the larger of two values.
fn range(one: Option<f64>, other: Option<f64>) -> String {
    match (one, other) {
        (Some(one), Some(other)) => {
            let (low, high) = (short(one.min(other)), short(one.max(other)));
            if low == high { low } else { format!("{low} to {high}") }
        }
        (None, None) => "-".to_owned(),
        (Some(one), None) => format!("{} to -", short(one)),
        (None, Some(other)) => format!("- to {}", short(other)),
    }
}
