//! The stream of jobs of given sizes.

use crate::failure::{Failure, Result};
use crate::number::short;
use crate::sizes::Sizes;
use queueing::prelude::*;

/// Without one, any load is infinite.
pub(crate) fn require_finite_mean(sizes: &Sizes) -> Result<()> {
    if sizes.law.mean().is_finite() {
        return Ok(());
    }
    let remedy = "give a law with a finite mean (for Pareto tails: alpha > 1)";
    Err(Failure::new(format!("the mean size of {} is infinite, so is any load; {remedy}", sizes.source)))
}

/// All jobs arrive at `rate`, also those that were left out for their sizes; the notes tell what became of them.
pub(crate) fn at_rate(sizes: &Sizes, rate: f64, notes: &mut Vec<String>) -> Result<Workload<Law>> {
    let share = sizes.share_with_work();
    if sizes.zero > 0.0 {
        let rest = short(rate * share);
        notes
            .push(format!("the rate counts all jobs; those of size 0 bring no load, the others arrive at rate {rest}"));
    }
    if sizes.unknown > 0.0 {
        notes.push("the rate counts all jobs; those of unknown size are taken to be like the others".to_owned());
    }
    Ok(Workload::new(rate * share, sizes.law.clone())?)
}
