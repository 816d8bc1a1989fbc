//! The report as a page to read.

use super::report::{ClassRow, DivisionRow, Jobs, Point, Report, Row};
use crate::number::{digits, percent, plural, short, size};
use crate::report::Measured;
use crate::table::layout::{Grid, plain, wrap};
use crate::table::{MEANS, WIDTH, job_sizes, mean, remarks, worst_accuracy};
use queueing::{Accuracy, Metric};

pub(crate) fn render(report: &Report) -> String {
    let mut sections: Vec<String> = report.workloads.iter().map(workload).collect();
    sections.push(hosts(report));
    match report.points.as_slice() {
        [point] => sections.extend(policies(point)),
        points => sections.extend(sweep(points)),
    }
    let rows = || report.points.iter().flat_map(|point| &point.policies);
    sections.extend(is_mixed(rows()).then(|| wrap(MIXED, WIDTH)));
    let mut texts: Vec<(&str, &str)> = Vec::new();
    for row in rows() {
        let texts_of_row = [row.reason.as_deref(), row.remark.as_deref()];
        for text in texts_of_row.into_iter().flatten() {
            texts.push((row.name, text));
        }
    }
    // Saturated classes of a sweep have their limits in its tables.
    if report.points.len() == 1 {
        let classes = rows().flat_map(|row| row.classes().map(|(class, answer)| (row.name, class, answer)));
        let reasons = classes.filter_map(|(name, class, answer)| Some((name, class, answer.reason.as_deref()?)));
        let reasons: Vec<(&str, String)> =
            reasons.map(|(name, class, text)| (name, format!("{class}: {text}"))).collect();
        let all = texts.into_iter().chain(reasons.iter().map(|(name, text)| (*name, text.as_str())));
        sections.extend(Some(remarks(all)).filter(|text| !text.is_empty()));
    } else {
        texts.dedup();
        sections.extend(Some(remarks(once_each(texts))).filter(|text| !text.is_empty()));
    }
    sections.join("\n")
}

/// Where some policies have no solution by three moments.
const MIXED: &str = "Numerical rows are solved to a tolerance, approximate ones by three moments: a difference between them may be the \
                     error of these. Without --three-moments all are solved alike.";

fn is_mixed<'a>(rows: impl Iterator<Item = &'a Row>) -> bool {
    let labels: Vec<Accuracy> =
        rows.filter_map(|row| Some(row.shorts.metrics.get(Metric::MeanResponseTime)?.accuracy)).collect();
    labels.iter().any(|label| matches!(label, Accuracy::Numerical { .. }))
        && labels.iter().any(|label| matches!(label, Accuracy::Approximate { .. }))
}

/// The policies of a sweep say the same at many loads.
fn once_each<'a>(texts: Vec<(&'a str, &'a str)>) -> impl Iterator<Item = (&'a str, &'a str)> {
    let mut seen = Vec::new();
    texts.into_iter().filter(move |text| {
        let is_new = !seen.contains(text);
        seen.push(*text);
        is_new
    })
}

fn workload(class: &Jobs) -> String {
    let name = match class.class {
        "shorts" => "Shorts: ",
        "longs" => "Longs: ",
        _ => "",
    };
    let mut text = format!("{name}{}", job_sizes(&class.sizes));
    if let (Some(load), Some(rate)) = (class.load, class.arrival_rate) {
        text += &wrap(&format!("  load {} in hosts, Poisson arrivals at rate {}", plain(load), short(rate)), WIDTH);
    }
    text
}

fn hosts(report: &Report) -> String {
    let (k, c) = (report.hosts.short as f64, report.hosts.long as f64);
    let minimised = report.minimised.as_ref().map_or_else(String::new, |metric| {
        format!("; each policy divides the jobs where the {metric} of all is least")
    });
    wrap(&format!("{}, {}{minimised}", plural(k, "short host"), plural(c, "long host")), WIDTH)
}

/// A table for each class, and what the hosts do.
fn policies(point: &Point) -> Vec<String> {
    let rows = &point.policies;
    let mut sections = vec![
        class("Shorts", rows, |row| &row.shorts),
        class("Longs", rows, |row| &row.longs),
        class("All jobs", rows, |row| &row.all),
        shares(rows),
    ];
    sections.extend(divisions(rows));
    sections
}

fn class(name: &str, rows: &[Row], of: impl Fn(&Row) -> &ClassRow) -> String {
    let mut grid = Grid::new("lrrrrrl");
    grid.row(["", "waiting", "response", "slowdown", "T over", "T/X over", ""]);
    grid.row([name, "time W", "time T", "T/X", "Dedicated", "Dedicated", "accuracy"]);
    for row in rows {
        let class = of(row);
        let [waiting, response, slowdown] = MEANS.map(|metric| mean(&class.metrics, metric));
        let ratios = [class.ratio_to_dedicated.mean_response_time, class.ratio_to_dedicated.mean_slowdown];
        let [by_response, by_slowdown] =
            ratios.map(|ratio| ratio.map_or_else(|| "-".to_owned(), |ratio| digits(ratio, 4)));
        let accuracy = worst_accuracy(&class.metrics);
        let unanswered = if row.reason.is_some() { "no answer" } else { "no steady state" };
        let accuracy = accuracy.unwrap_or_else(|| unanswered.to_owned());
        grid.row([row.name.to_owned(), waiting, response, slowdown, by_response, by_slowdown, accuracy]);
    }
    grid.render()
}

fn shares(rows: &[Row]) -> String {
    let mut grid = Grid::new("lrrrrr");
    grid.row(["", "shorts stable", "shorts' work", "long host", "short host", "long host"]);
    grid.row(["", "below load", "stolen", "idle", "busy", "busy"]);
    for row in rows {
        let limit = row.short_load_limit.map_or_else(|| "-".to_owned(), short);
        let shares = row.shares().map(|(_, share)| share.as_ref().map_or_else(|| "-".to_owned(), of_whole));
        grid.row([row.name.to_owned(), limit].into_iter().chain(shares));
    }
    grid.render()
}

fn of_whole(share: &Measured) -> String {
    percent(share.value)
}

fn divisions(rows: &[Row]) -> Option<String> {
    rows.iter().find(|row| row.division.is_some())?;
    let mut grid = Grid::new("lrrrrr");
    grid.row(["", "shorts up", "share of", "share of", "load of", "load of"]);
    grid.row(["", "to size", "the jobs", "the work", "shorts", "longs"]);
    for row in rows {
        let Some(DivisionRow { cutoff, share_of_jobs, share_of_work, short_load, long_load }) = &row.division else {
            continue;
        };
        let split = if cutoff.share < 1.0 { format!("{} of ", percent(cutoff.share)) } else { String::new() };
        let size = format!("{split}{}", size(cutoff.size));
        let shares = [percent(*share_of_jobs), percent(*share_of_work)];
        let loads = [digits(*short_load, 4), digits(*long_load, 4)];
        grid.row([row.name.to_owned(), size].into_iter().chain(shares).chain(loads));
    }
    Some(grid.render())
}

/// Mean response times by the load of the shorts, a column a policy.
fn sweep(points: &[Point]) -> Vec<String> {
    let title = |class: &str| format!("Mean response time of {class} by the load of the shorts\n");
    let rows = points.first().map_or(&[][..], |point| &point.policies);
    let limits = rows.iter().map(|row| row.short_load_limit.map_or_else(|| "-".to_owned(), short));
    let limits = ["stable below".to_owned()].into_iter().chain(limits).collect();
    let accuracies = rows.iter().enumerate().map(|(i, _)| {
        let known = points.iter().find_map(|point| worst_accuracy(&point.policies[i].shorts.metrics));
        known.unwrap_or_else(|| "-".to_owned())
    });
    let accuracies = ["accuracy".to_owned()].into_iter().chain(accuracies).collect();
    vec![
        title("shorts") + &by_load(points, |row| &row.shorts, &[limits, accuracies]),
        title("longs") + &by_load(points, |row| &row.longs, &[]),
        title("all jobs") + &by_load(points, |row| &row.all, &[]),
    ]
}

fn by_load(points: &[Point], of: impl Fn(&Row) -> &ClassRow, last: &[Vec<String>]) -> String {
    let mut grid = Grid::new("rrrrrr");
    let rows = points.first().map_or(&[][..], |point| &point.policies);
    grid.row(["load"].into_iter().chain(rows.iter().map(|row| row.name)));
    for point in points {
        let load = point.short_load.map_or_else(String::new, plain);
        let cells = point.policies.iter().map(|row| match of(row).metrics.value(Metric::MeanResponseTime) {
            Some(value) => short(value),
            None if row.reason.is_some() => "-".to_owned(),
            None => "unstable".to_owned(),
        });
        grid.row([load].into_iter().chain(cells));
    }
    for row in last {
        grid.row(row.clone());
    }
    grid.render()
}
