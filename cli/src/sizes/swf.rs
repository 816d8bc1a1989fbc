//! The Standard Workload Format of the Parallel Workloads Archive.

use super::tally::{Place, Tally};
use crate::failure::Result;
use crate::number::plural;
use std::path::Path;

/// Columns of a record.
const COLUMNS: usize = 18;

/// The column of the run time, counted from 0.
const RUN_TIME: usize = 3;

/// By the name, by a header of `;` lines, or by a first record of 18 numbers.
pub(super) fn is_swf(path: &Path, text: &str) -> bool {
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("swf")) {
        return true;
    }
    text.lines().map(str::trim).find(|line| !line.is_empty()).is_some_and(|line| {
        line.starts_with(';')
            || line.split_whitespace().count() == COLUMNS
                && line.split_whitespace().all(|field| field.parse::<f64>().is_ok())
    })
}

/// The run times. Those recorded as -1 are unknown.
pub(super) fn read(name: &str, text: &str) -> Result<Tally> {
    let mut tally = Tally { what: "run times of the Standard Workload Format".to_owned(), ..Tally::default() };
    let mut next = 0;
    for line in text.split_inclusive('\n') {
        let place = Place { name, text, at: next };
        next += line.len();
        let record = line.trim();
        if record.is_empty() || record.starts_with(';') {
            continue;
        }
        let fields: Vec<&str> = record.split_whitespace().collect();
        if fields.len() != COLUMNS {
            let found = plural(fields.len() as f64, "column");
            let what = format!("{found} where the Standard Workload Format has {COLUMNS}");
            return Err(place.refuse(&what, "mend or remove the line"));
        }
        let run_time = place.number(fields[RUN_TIME], "run time (column 4)")?;
        if run_time == -1.0 {
            tally.unknown += 1.0;
        } else {
            tally.add(place, run_time, 1.0)?;
        }
    }
    Ok(tally)
}
