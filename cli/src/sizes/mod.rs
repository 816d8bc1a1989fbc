//! Where job sizes come from: the embedded trace, a file, standard input, or a law.

mod columns;
mod swf;
mod tally;
mod text;

use crate::arguments::Source;
use crate::failure::{Failure, Result};
use crate::number::plural;
use queueing::prelude::*;
use tally::Tally;

/// The trace that is analysed when none is given.
const EMBEDDED: &str = include_str!("../../../data/google-2011-job-runtimes.csv");

/// A job-size law and its origin.
pub(crate) struct Sizes {
    pub law: Law,
    /// What was read, for the summary.
    pub source: String,
    /// Jobs left out because their size was zero.
    pub zero: f64,
    /// Jobs left out because their size was recorded as unknown.
    pub unknown: f64,
    /// What the user should know about the reading, for standard error.
    pub notes: Vec<String>,
}

/// Reads what the options name.
pub(crate) fn read(source: &Source) -> Result<Sizes> {
    if let Some(law) = &source.law {
        let text = law.to_string();
        return Ok(Sizes { law: law.clone(), source: text, zero: 0.0, unknown: 0.0, notes: Vec::new() });
    }
    let Some(path) = &source.sizes else {
        let name = "Google cluster trace of 2011, run times of finished jobs, in seconds";
        let tally = columns::read(name, EMBEDDED, None, None)?;
        return Tally { what: String::new(), ..tally }.finish(name);
    };
    let (name, text) = text::read(path)?;
    let tally = if swf::is_swf(path, &text) {
        if source.column.is_some() {
            let reason = "is in the Standard Workload Format, which has no named columns; leave out --column";
            return Err(Failure::new(format!("{name} {reason}")));
        }
        swf::read(&name, &text)?
    } else {
        columns::read(&name, &text, source.column.as_deref(), source.counts.as_deref())?
    };
    tally.finish(&name)
}

impl Tally {
    /// The law of the sizes that were kept.
    fn finish(self, name: &str) -> Result<Sizes> {
        let Self { atoms, zero, unknown, what, mut notes } = self;
        if atoms.is_empty() {
            let reason = match (zero > 0.0, unknown > 0.0) {
                (true, true) => format!("all {} have size 0 or unknown", plural(zero + unknown, "job")),
                (true, false) => format!("all {} have size 0", plural(zero, "job")),
                (false, true) => format!("all {} have an unknown size", plural(unknown, "job")),
                (false, false) => "it holds no sizes".to_owned(),
            };
            return Err(Failure::new(format!("{name}: {reason}; give at least one job with a positive size")));
        }
        if zero > 0.0 {
            notes.push(format!("{name}: left out {} of size 0", plural(zero, "job")));
        }
        if unknown > 0.0 {
            notes.push(format!("{name}: left out {} of unknown size (-1)", plural(unknown, "job")));
        }
        let law = Empirical::from_atoms(&atoms).map_err(|error| Failure::new(format!("{name}: {error}")))?;
        let source = if what.is_empty() { name.to_owned() } else { format!("{name}, {what}") };
        Ok(Sizes { law: law.into(), source, zero, unknown, notes })
    }
}
