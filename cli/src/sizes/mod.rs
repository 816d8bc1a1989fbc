//! Where job sizes come from: the embedded trace, a file, standard input, or a law.

mod columns;
pub(crate) mod monitoring;
mod records;
mod swf;
mod tally;
mod text;

use crate::arguments::Source;
use crate::failure::{Failure, Result};
use crate::number::plural;
use columns::Wanted;
use queueing::prelude::*;
use tally::Tally;

/// The trace that is analysed when none is given.
const EMBEDDED: &str = include_str!("../../../data/google-2011-job-runtimes.csv");

/// A job-size law and its origin.
pub(crate) struct Sizes {
    pub law: Law,
    /// What was read, for the summary.
    pub source: String,
    /// What was assumed in reading it.
    pub assumption: Option<String>,
    /// The percentiles that the user gave, by name. A law of atoms meets each of them in a whole range of sizes.
    pub percentiles: Vec<(String, f64)>,
    /// Jobs left out because their size was zero.
    pub zero: f64,
    /// Jobs left out because their size was recorded as unknown.
    pub unknown: f64,
}

impl Sizes {
    fn of_law(law: Law, source: String) -> Self {
        Self { law, source, assumption: None, percentiles: Vec::new(), zero: 0.0, unknown: 0.0 }
    }

    /// The share of the jobs of known size that bring work: those of size zero do not.
    pub(crate) fn share_with_work(&self) -> f64 {
        match &self.law {
            Law::Empirical(trace) if self.zero > 0.0 => trace.jobs() / (trace.jobs() + self.zero),
            _ => 1.0,
        }
    }
}

/// Reads what the options name. What the user should know about the reading is added to the notes.
pub(crate) fn read(source: &Source, notes: &mut Vec<String>) -> Result<Sizes> {
    if let Some(law) = &source.law {
        return Ok(Sizes::of_law(law.clone(), law.to_string()));
    }
    if let Some(monitoring) = &source.summary {
        return monitoring.sizes();
    }
    let Some(path) = &source.sizes else {
        let name = "Google cluster trace of 2011, run times of finished jobs, in seconds";
        let tally = columns::read(name, EMBEDDED, Wanted::default(), notes)?;
        return Tally { what: String::new(), ..tally }.finish(name, notes);
    };
    let (name, text) = text::read(path)?;
    let wanted = Wanted { size: source.column.as_deref(), count: source.counts.as_deref() };
    let tally = if swf::is_swf(path, &text) {
        swf::read(&name, &text, wanted)?
    } else {
        columns::read(&name, &text, wanted, notes)?
    };
    tally.finish(&name, notes)
}

impl Tally {
    /// The law of the sizes that were kept.
    fn finish(self, name: &str, notes: &mut Vec<String>) -> Result<Sizes> {
        let Self { atoms, zero, unknown, what, assumption } = self;
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
        Ok(Sizes { assumption, zero, unknown, ..Sizes::of_law(law.into(), source) })
    }
}
