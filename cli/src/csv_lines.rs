//! CSV of one number a line: where it belongs, its name, value, accuracy, error and note.

use crate::failure::{Failure, Result};
use crate::report::{Measured, Metrics, key};
use crate::summary::Summary;
use csv::Writer;

/// The columns after those that tell where a number belongs.
const COLUMNS: [&str; 5] = ["quantity", "value", "accuracy", "error", "note"];

pub(crate) struct Lines {
    writer: Writer<Vec<u8>>,
    /// The first error, if any: the other lines are of no use then.
    outcome: csv::Result<()>,
}

impl Lines {
    /// Of paths with columns of these names.
    pub(crate) fn new(path: &[&str]) -> Self {
        let mut writer = Writer::from_writer(Vec::new());
        let outcome = writer.write_record(path.iter().chain(&COLUMNS));
        Self { writer, outcome }
    }

    pub(crate) fn finish(self) -> Result<String> {
        let failure = |error: csv::Error| Failure::new(error.to_string());
        self.outcome.map_err(failure)?;
        let bytes = self.writer.into_inner().map_err(|error| failure(error.into_error().into()))?;
        String::from_utf8(bytes).map_err(|error| Failure::new(error.to_string()))
    }

    pub(crate) fn workload(&mut self, path: &[&str], summary: &Summary) {
        self.note(path, "source", &summary.source);
        if let Some(assumption) = &summary.assumption {
            self.note(path, "assumption", assumption);
        }
        if let Some(sizes) = summary.distinct_sizes {
            self.whole(path, "distinct_sizes", sizes);
        }
        self.numbers(
            path,
            [
                ("jobs", summary.jobs),
                ("left_out_zero", Some(summary.left_out_zero)),
                ("left_out_unknown", Some(summary.left_out_unknown)),
                ("mean", Some(summary.mean)),
                ("scv", Some(summary.scv)),
                ("second_moment", Some(summary.second_moment)),
                ("smallest", Some(summary.smallest)),
            ],
        );
        for percentile in &summary.percentiles {
            self.number(path, &percentile.name, percentile.size);
        }
        self.number(path, "largest", summary.largest);
        self.numbers(path, [("work_share_of_largest_percent", summary.work_share_of_largest_percent)]);
        for largest in &summary.second_moment_in_largest_jobs {
            self.number(path, &format!("second_moment_in_largest_{}_jobs", largest.jobs), largest.share);
        }
    }

    pub(crate) fn metrics(&mut self, path: &[&str], metrics: &Metrics) {
        for &(metric, estimate) in &metrics.0 {
            self.measured(path, &key(metric), &estimate.into());
        }
    }

    pub(crate) fn measured(&mut self, path: &[&str], quantity: &str, measured: &Measured) {
        let Measured { value, accuracy, error, assumption } = measured;
        let error = error.map(full).unwrap_or_default();
        self.line(path, [quantity, &full(*value), accuracy, &error, assumption.as_deref().unwrap_or_default()]);
    }

    pub(crate) fn number(&mut self, path: &[&str], quantity: &str, value: f64) {
        self.line(path, [quantity, &full(value), "", "", ""]);
    }

    /// Those that are known.
    pub(crate) fn numbers<'a>(&mut self, path: &[&str], numbers: impl IntoIterator<Item = (&'a str, Option<f64>)>) {
        for (quantity, value) in numbers {
            if let Some(value) = value {
                self.number(path, quantity, value);
            }
        }
    }

    pub(crate) fn whole(&mut self, path: &[&str], quantity: &str, value: usize) {
        self.line(path, [quantity, &value.to_string(), "", "", ""]);
    }

    pub(crate) fn note(&mut self, path: &[&str], quantity: &str, note: &str) {
        self.line(path, [quantity, "", "", "", note]);
    }

    /// Those that are given.
    pub(crate) fn notes(&mut self, path: &[&str], notes: [(&str, &Option<String>); 2]) {
        for (quantity, note) in notes {
            if let Some(note) = note {
                self.note(path, quantity, note);
            }
        }
    }

    fn line(&mut self, path: &[&str], cells: [&str; COLUMNS.len()]) {
        if self.outcome.is_ok() {
            self.outcome = self.writer.write_record(path.iter().chain(&cells));
        }
    }
}

/// Every digit of a number, with an exponent where it is very large or small.
fn full(value: f64) -> String {
    format!("{value:?}")
}
