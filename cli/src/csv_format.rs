//! The report as CSV: one number a line, so that later policies and metrics add lines and never move columns.

use crate::csv_lines::Lines;
use crate::failure::Result;
use crate::report::{Report, Row};

pub(crate) fn render(report: &Report) -> Result<String> {
    let mut lines = Lines::new(&["section", "policy", "host"]);
    lines.workload(&["workload", "", ""], &report.workload);
    let farm = &["farm", "", ""];
    lines.whole(farm, "hosts", report.farm.hosts);
    lines.number(farm, "arrival_rate", report.farm.arrival_rate);
    lines.number(farm, "load", report.farm.load);
    for policy in &report.policies {
        row(&mut lines, "policy", policy);
    }
    if let Some(without) = &report.without_largest_job {
        let section = "without_largest_job";
        lines.number(&[section, "", ""], "size", without.size);
        lines.number(&[section, "", ""], "load", without.load);
        lines.note(&[section, "", ""], "held_fixed", without.held_fixed);
        for policy in &without.policies {
            row(&mut lines, section, policy);
        }
    }
    lines.finish()
}

fn row(lines: &mut Lines, section: &str, row: &Row) {
    let path = &[section, row.policy, ""];
    lines.metrics(path, &row.metrics);
    lines.numbers(
        path,
        [
            ("ratio_to_random_ps_mean_response_time", row.ratio_to_random_ps.mean_response_time),
            ("ratio_to_random_ps_mean_slowdown", row.ratio_to_random_ps.mean_slowdown),
            ("optimality", row.optimality),
        ],
    );
    lines.notes(path, [("reason", &row.reason), ("remark", &row.remark)]);
    for (index, host) in row.hosts.iter().enumerate() {
        let index = (index + 1).to_string();
        let path = &[section, row.policy, index.as_str()];
        if let Some(cutoff) = &host.cutoff {
            lines.number(path, "cutoff_size", cutoff.size);
            lines.number(path, "cutoff_share", cutoff.share);
        }
        lines.number(path, "fraction_of_jobs", host.fraction_of_jobs);
        lines.number(path, "load", host.load);
        lines.number(path, "spare", host.spare);
        lines.metrics(path, &host.metrics);
        if let Some(reason) = &host.reason {
            lines.note(path, "reason", reason);
        }
    }
}
