//! The Standard Workload Format of the Parallel Workloads Archive.

use super::columns::{Wanted, by_number};
use super::tally::{Place, Tally};
use crate::failure::{Failure, Result, quoted};
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

/// The run times, or another column by its number. What is recorded as -1 is unknown.
pub(super) fn read(name: &str, text: &str, wanted: Wanted<'_>) -> Result<Tally> {
    let column = column(name, wanted)?;
    let what = match column {
        RUN_TIME => "run times of the Standard Workload Format".to_owned(),
        other => format!("column {} of the Standard Workload Format", other + 1),
    };
    let field = if column == RUN_TIME { "run time" } else { "size" };
    let field = format!("{field} (column {})", column + 1);
    let mut tally = Tally { what, ..Tally::default() };
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
        let size = place.number(fields[column], &field)?;
        if size == -1.0 {
            tally.unknown += 1.0;
        } else {
            tally.add(place, size, 1.0)?;
        }
    }
    Ok(tally)
}

fn column(name: &str, wanted: Wanted<'_>) -> Result<usize> {
    let refuse = |what: &str| {
        let format = "is in the Standard Workload Format";
        Err(Failure::new(format!("{name} {format}, {what}")))
    };
    if wanted.count.is_some() {
        return refuse("where each line is one job; leave out --counts");
    }
    let Some(column) = wanted.size else { return Ok(RUN_TIME) };
    match by_number(column, COLUMNS) {
        Some(column) => Ok(column),
        None => refuse(&format!(
            "which has no column {}; give a number from 1 to {COLUMNS}, or leave out --column for the run time",
            quoted(column)
        )),
    }
}
