//! The workload in a few numbers.

use crate::report::{extended, optional};
use crate::sizes::Sizes;
use queueing::prelude::*;
use serde::Serialize;

/// The shares of jobs below the percentiles that are shown.
const PERCENTILES: [(&str, f64); 4] = [("p50", 0.5), ("p90", 0.1), ("p99", 0.01), ("p99.9", 0.001)];

/// How many of the largest jobs are weighed.
const LARGEST: [f64; 3] = [1.0, 10.0, 50.0];

#[derive(Debug, Serialize)]
pub(crate) struct Summary {
    pub source: String,
    /// What was assumed to have a law.
    pub assumption: Option<String>,
    /// For a trace: its jobs and different sizes.
    pub jobs: Option<f64>,
    pub distinct_sizes: Option<usize>,
    pub left_out_zero: f64,
    pub left_out_unknown: f64,
    pub mean: f64,
    #[serde(serialize_with = "extended")]
    pub scv: f64,
    #[serde(serialize_with = "extended")]
    pub second_moment: f64,
    pub smallest: f64,
    pub percentiles: Vec<Percentile>,
    #[serde(serialize_with = "extended")]
    pub largest: f64,
    /// The share of the work that the largest 1 % of the jobs bring.
    #[serde(serialize_with = "optional")]
    pub work_share_of_largest_percent: Option<f64>,
    /// For a trace: the share of E[X^2] that the largest jobs bring.
    pub second_moment_in_largest_jobs: Vec<LargestJobs>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Percentile {
    pub name: String,
    pub size: f64,
}

#[derive(Debug, Serialize)]
pub(crate) struct LargestJobs {
    pub jobs: f64,
    pub share: f64,
}

impl Summary {
    /// Of sizes with a finite mean.
    pub(crate) fn of(sizes: &Sizes) -> Self {
        let law = &sizes.law;
        let trace = trace(law);
        let (smallest, largest) = law.support();
        let percentiles = match sizes.percentiles.as_slice() {
            [] => PERCENTILES.map(|(name, above)| (name.to_owned(), law.upper_quantile(above))).to_vec(),
            given => given.to_vec(),
        };
        Self {
            source: sizes.source.clone(),
            assumption: sizes.assumption.clone(),
            jobs: trace.map(Empirical::jobs),
            distinct_sizes: trace.map(|trace| trace.atoms().len()),
            left_out_zero: sizes.zero,
            left_out_unknown: sizes.unknown,
            mean: law.mean(),
            scv: law.scv(),
            second_moment: law.moment(2.0),
            smallest,
            percentiles: percentiles.into_iter().map(|(name, size)| Percentile { name, size }).collect(),
            largest,
            work_share_of_largest_percent: work_above(law, 0.01),
            second_moment_in_largest_jobs: trace.map(second_moment_in_largest).unwrap_or_default(),
        }
    }
}

/// A trace of whole jobs, where leaving one out has a meaning.
pub(crate) fn trace(law: &Law) -> Option<&Empirical> {
    match law {
        Law::Empirical(trace) if trace.counts().all(|(_, count)| count.fract() == 0.0) => Some(trace),
        _ => None,
    }
}

/// The share of the work that the largest `share` of the jobs bring. Jobs of one size are divided as needed.
fn work_above(law: &Law, share: f64) -> Option<f64> {
    let size = law.upper_quantile(share);
    let beyond = law.partial_moment(1.0, size, f64::INFINITY) + (share - law.sf(size)).max(0.0) * size;
    Some(beyond / law.mean()).filter(|share| share.is_finite())
}

fn second_moment_in_largest(trace: &Empirical) -> Vec<LargestJobs> {
    let counts: Vec<(f64, f64)> = trace.counts().collect();
    // Over the largest square: sizes near the end of the range of doubles have none.
    let largest = trace.support().1;
    let square = |size: f64| (size / largest).powi(2);
    let total: f64 = counts.iter().map(|&(size, count)| count * square(size)).sum();
    let weigh = |jobs: f64| {
        let mut left = jobs;
        let mut sum = 0.0;
        for &(size, count) in counts.iter().rev() {
            sum += count.min(left) * square(size);
            left -= count.min(left);
            if left <= 0.0 {
                break;
            }
        }
        LargestJobs { jobs, share: sum / total }
    };
    LARGEST.into_iter().filter(|&jobs| jobs < trace.jobs()).map(weigh).collect()
}
