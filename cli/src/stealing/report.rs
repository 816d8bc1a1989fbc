//! The answer of `stealing`, from which all formats are made.

use crate::report::{CutoffRow, Measured, Metrics, Ratios, optional};
use crate::summary::Summary;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub(crate) struct Report {
    /// The sizes: of the shorts and of the longs, or of the one workload that is divided.
    pub workloads: Vec<Jobs>,
    pub hosts: Hosts,
    /// Of one workload with the best cutoffs: what they minimise.
    pub minimised: Option<String>,
    /// One, or under a sweep one for each load of the shorts.
    pub points: Vec<Point>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Jobs {
    /// `shorts`, `longs`, or `all`.
    pub class: &'static str,
    pub sizes: Summary,
    /// Nothing for shorts under a sweep, where each point has its own.
    pub arrival_rate: Option<f64>,
    pub load: Option<f64>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Hosts {
    pub short: usize,
    pub long: usize,
}

#[derive(Debug, Serialize)]
pub(crate) struct Point {
    /// Nothing where the shorts are what a cutoff makes them.
    pub short_load: Option<f64>,
    pub policies: Vec<Row>,
}

/// One policy.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Row {
    pub policy: &'static str,
    pub name: &'static str,
    pub shorts: ClassRow,
    pub longs: ClassRow,
    pub all: ClassRow,
    /// The load of the shorts below which they are stable; nothing where it has no formula.
    #[serde(serialize_with = "optional")]
    pub short_load_limit: Option<f64>,
    /// The share of the shorts' work that long hosts do.
    pub stolen: Option<Measured>,
    pub long_host_idle: Option<Measured>,
    pub short_host_utilisation: Option<Measured>,
    pub long_host_utilisation: Option<Measured>,
    /// Where one workload is divided.
    pub division: Option<DivisionRow>,
    /// Why the policy has no answer.
    pub reason: Option<String>,
    /// What the user should know beside the numbers.
    pub remark: Option<String>,
}

/// One class of jobs under a policy.
#[derive(Debug, Default, Serialize)]
pub(crate) struct ClassRow {
    /// Empty where the class has no steady state or the policy no answer.
    pub metrics: Metrics,
    /// Over those under Dedicated, for the same jobs.
    pub ratio_to_dedicated: Ratios,
    /// Why it has no means, or why they are infinite.
    pub reason: Option<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct DivisionRow {
    pub cutoff: CutoffRow,
    pub share_of_jobs: f64,
    pub share_of_work: f64,
    pub short_load: f64,
    pub long_load: f64,
}

impl Row {
    /// The classes by name.
    pub(crate) fn classes(&self) -> [(&'static str, &ClassRow); 3] {
        [("shorts", &self.shorts), ("longs", &self.longs), ("all", &self.all)]
    }

    /// What the long hosts do, and the short ones, by name.
    pub(crate) fn shares(&self) -> [(&'static str, &Option<Measured>); 4] {
        [
            ("stolen", &self.stolen),
            ("long_host_idle", &self.long_host_idle),
            ("short_host_utilisation", &self.short_host_utilisation),
            ("long_host_utilisation", &self.long_host_utilisation),
        ]
    }
}
