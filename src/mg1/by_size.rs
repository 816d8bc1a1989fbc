//! Disciplines that look at sizes: what a job of one size waits, averaged over all sizes.

use super::averages::Totals;
use super::far::Far;
use super::level::Level;
use super::stream::Stream;
use super::sweep;
use super::work::Spread;
use crate::error::Result;
use crate::size::JobSize;
use crate::workload::{Discipline, Performance, Workload};

/// A discipline that serves jobs by their sizes.
#[derive(Clone, Copy)]
pub(super) struct Rule {
    /// Mean and variance of T − x for a job of size x.
    pub waiting: fn(&Level) -> Spread,
    /// E[T − X; X > b] for a power law beyond b.
    pub waiting_far_out: fn(&Far) -> f64,
    /// Whether the residence ∫ dt/(1−ρ(t)) is part of it.
    pub uses_residence: bool,
    /// Whether jobs are interrupted; if not, even the smallest waits for the job in service.
    pub interrupts: bool,
}

/// The metrics over all jobs.
pub(super) fn performance<S: JobSize>(jobs: &Workload<S>, discipline: Discipline, rule: Rule) -> Result<Performance> {
    jobs.stable()?;
    let stream = Stream::of(jobs);
    let sizes = stream.sizes;
    let swept = sweep::all(jobs, rule);
    let Totals { waiting, with_size, square, slowdown, slowdown_square } = swept.totals;
    let finite_if =
        |moments: &[f64], value: f64| if moments.iter().all(|m| m.is_finite()) { value } else { f64::INFINITY };
    let totals = if rule.interrupts {
        Totals {
            with_size: finite_if(&[sizes.second], with_size),
            square: finite_if(&[sizes.second], square),
            ..swept.totals
        }
    } else {
        // All wait for the job in service, whose size is any.
        Totals {
            waiting: finite_if(&[sizes.second], waiting),
            with_size: finite_if(&[sizes.second], with_size),
            square: finite_if(&[sizes.third], square),
            slowdown: finite_if(&[sizes.second, sizes.inverse], slowdown),
            slowdown_square: finite_if(&[sizes.third, sizes.inverse_square], slowdown_square),
        }
    };
    Ok(totals.performance(format!("M/G/1 {discipline}"), &stream, swept.accuracy.and(stream.accuracy)))
}
