//! The report as CSV: one number a line, so that later policies and metrics add lines and never move columns.

use crate::failure::{Failure, Result};
use crate::report::{Measured, Metrics, Report, Row, key};
use crate::summary::Summary;
use csv::Writer;

const COLUMNS: [&str; 8] = ["section", "policy", "host", "quantity", "value", "accuracy", "error", "note"];

pub(crate) fn render(report: &Report) -> Result<String> {
    let mut lines = Lines { writer: Writer::from_writer(Vec::new()) };
    let bytes =
        lines.report(report).and_then(|()| Ok(lines.writer.into_inner().map_err(csv::IntoInnerError::into_error)?));
    let bytes = bytes.map_err(|error: csv::Error| Failure::new(error.to_string()))?;
    String::from_utf8(bytes).map_err(|error| Failure::new(error.to_string()))
}

struct Lines {
    writer: Writer<Vec<u8>>,
}

/// Where a number belongs: its section, policy and host.
type Path<'a> = (&'a str, &'a str, &'a str);

impl Lines {
    fn report(&mut self, report: &Report) -> csv::Result<()> {
        self.writer.write_record(COLUMNS)?;
        self.workload(&report.workload)?;
        let farm = ("farm", "", "");
        self.whole(farm, "hosts", report.farm.hosts)?;
        self.number(farm, "arrival_rate", report.farm.arrival_rate)?;
        self.number(farm, "load", report.farm.load)?;
        for row in &report.policies {
            self.row("policy", row)?;
        }
        if let Some(without) = &report.without_largest_job {
            let section = "without_largest_job";
            self.number((section, "", ""), "size", without.size)?;
            self.number((section, "", ""), "load", without.load)?;
            self.note((section, "", ""), "held_fixed", without.held_fixed)?;
            for row in &without.policies {
                self.row(section, row)?;
            }
        }
        Ok(())
    }

    fn workload(&mut self, summary: &Summary) -> csv::Result<()> {
        let path = ("workload", "", "");
        self.note(path, "source", &summary.source)?;
        if let Some(assumption) = &summary.assumption {
            self.note(path, "assumption", assumption)?;
        }
        if let Some(sizes) = summary.distinct_sizes {
            self.whole(path, "distinct_sizes", sizes)?;
        }
        for (quantity, value) in [
            ("jobs", summary.jobs),
            ("left_out_zero", Some(summary.left_out_zero)),
            ("left_out_unknown", Some(summary.left_out_unknown)),
            ("mean", Some(summary.mean)),
            ("scv", Some(summary.scv)),
            ("second_moment", Some(summary.second_moment)),
            ("smallest", Some(summary.smallest)),
        ] {
            if let Some(value) = value {
                self.number(path, quantity, value)?;
            }
        }
        for percentile in &summary.percentiles {
            self.number(path, &percentile.name, percentile.size)?;
        }
        self.number(path, "largest", summary.largest)?;
        if let Some(share) = summary.work_share_of_largest_percent {
            self.number(path, "work_share_of_largest_percent", share)?;
        }
        for largest in &summary.second_moment_in_largest_jobs {
            self.number(path, &format!("second_moment_in_largest_{}_jobs", largest.jobs), largest.share)?;
        }
        Ok(())
    }

    fn row(&mut self, section: &str, row: &Row) -> csv::Result<()> {
        let path = (section, row.policy, "");
        self.metrics(path, &row.metrics)?;
        for (quantity, value) in [
            ("ratio_to_random_ps_mean_response_time", row.ratio_to_random_ps.mean_response_time),
            ("ratio_to_random_ps_mean_slowdown", row.ratio_to_random_ps.mean_slowdown),
            ("optimality", row.optimality),
        ] {
            if let Some(value) = value {
                self.number(path, quantity, value)?;
            }
        }
        for (quantity, text) in [("reason", &row.reason), ("remark", &row.remark)] {
            if let Some(text) = text {
                self.note(path, quantity, text)?;
            }
        }
        for (index, host) in row.hosts.iter().enumerate() {
            let index = (index + 1).to_string();
            let path = (section, row.policy, index.as_str());
            if let Some(cutoff) = &host.cutoff {
                self.number(path, "cutoff_size", cutoff.size)?;
                self.number(path, "cutoff_share", cutoff.share)?;
            }
            self.number(path, "fraction_of_jobs", host.fraction_of_jobs)?;
            self.number(path, "load", host.load)?;
            self.number(path, "spare", host.spare)?;
            self.metrics(path, &host.metrics)?;
            if let Some(reason) = &host.reason {
                self.note(path, "reason", reason)?;
            }
        }
        Ok(())
    }

    fn metrics(&mut self, path: Path<'_>, metrics: &Metrics) -> csv::Result<()> {
        for &(metric, estimate) in &metrics.0 {
            let Measured { value, accuracy, error, assumption } = estimate.into();
            let error = error.map(full).unwrap_or_default();
            self.line(path, &key(metric), &full(value), accuracy, &error, &assumption.unwrap_or_default())?;
        }
        Ok(())
    }

    fn number(&mut self, path: Path<'_>, quantity: &str, value: f64) -> csv::Result<()> {
        self.line(path, quantity, &full(value), "", "", "")
    }

    fn whole(&mut self, path: Path<'_>, quantity: &str, value: usize) -> csv::Result<()> {
        self.line(path, quantity, &value.to_string(), "", "", "")
    }

    fn note(&mut self, path: Path<'_>, quantity: &str, note: &str) -> csv::Result<()> {
        self.line(path, quantity, "", "", "", note)
    }

    fn line(
        &mut self,
        (section, policy, host): Path<'_>,
        quantity: &str,
        value: &str,
        accuracy: &str,
        error: &str,
        note: &str,
    ) -> csv::Result<()> {
        self.writer.write_record([section, policy, host, quantity, value, accuracy, error, note])
    }
}

/// Every digit of a number, with an exponent where it is very large or small.
fn full(value: f64) -> String {
    format!("{value:?}")
}
