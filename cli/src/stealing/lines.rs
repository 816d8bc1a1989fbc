//! The report as CSV.

use super::report::{Report, Row};
use crate::csv_lines::Lines;
use crate::failure::Result;

pub(crate) fn render(report: &Report) -> Result<String> {
    let mut lines = Lines::new(&["section", "short_load", "policy", "class"]);
    for class in &report.workloads {
        let path = &["workload", "", "", class.class];
        lines.workload(path, &class.sizes);
        lines.numbers(path, [("arrival_rate", class.arrival_rate), ("load", class.load)]);
    }
    let hosts = &["hosts", "", "", ""];
    lines.whole(hosts, "short", report.hosts.short);
    lines.whole(hosts, "long", report.hosts.long);
    if let Some(minimised) = &report.minimised {
        lines.note(&["division", "", "", ""], "minimised", minimised);
    }
    for point in &report.points {
        let load = point.short_load.map(|load| load.to_string()).unwrap_or_default();
        for policy in &point.policies {
            row(&mut lines, &load, policy);
        }
    }
    lines.finish()
}

fn row(lines: &mut Lines, load: &str, row: &Row) {
    let path = &["policy", load, row.policy, ""];
    lines.numbers(path, [("short_load_limit", row.short_load_limit)]);
    for (quantity, share) in row.shares() {
        if let Some(share) = share {
            lines.measured(path, quantity, share);
        }
    }
    if let Some(division) = &row.division {
        lines.number(path, "cutoff_size", division.cutoff.size);
        lines.number(path, "cutoff_share", division.cutoff.share);
        lines.number(path, "share_of_jobs", division.share_of_jobs);
        lines.number(path, "share_of_work", division.share_of_work);
        lines.number(path, "short_load", division.short_load);
        lines.number(path, "long_load", division.long_load);
    }
    lines.notes(path, [("reason", &row.reason), ("remark", &row.remark)]);
    for (name, class) in row.classes() {
        let path = &["policy", load, row.policy, name];
        lines.metrics(path, &class.metrics);
        lines.numbers(
            path,
            [
                ("ratio_to_dedicated_mean_response_time", class.ratio_to_dedicated.mean_response_time),
                ("ratio_to_dedicated_mean_slowdown", class.ratio_to_dedicated.mean_slowdown),
            ],
        );
        if let Some(reason) = &class.reason {
            lines.note(path, "reason", reason);
        }
    }
}
