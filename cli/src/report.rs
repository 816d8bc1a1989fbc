//! The answer of `compare`, from which all formats are made.

use crate::summary::Summary;
use queueing::{Accuracy, Estimate, Metric, Outcome};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

#[derive(Debug, Serialize)]
pub(crate) struct Report {
    pub workload: Summary,
    pub farm: FarmSummary,
    pub policies: Vec<Row>,
    /// For a trace: what remains without its largest job.
    pub without_largest_job: Option<WithoutLargest>,
}

#[derive(Debug, Serialize)]
pub(crate) struct FarmSummary {
    pub hosts: usize,
    pub arrival_rate: f64,
    pub load: f64,
}

/// One policy.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    pub policy: &'static str,
    pub name: &'static str,
    /// Whether the cutoffs were sought as the best.
    #[serde(skip)]
    pub is_optimised: bool,
    /// Whether it is a bound and no policy for the hosts.
    pub is_bound: bool,
    /// Empty where the policy has no answer.
    pub metrics: Metrics,
    /// Over those of Random/PS.
    pub ratio_to_random_ps: Ratios,
    /// Why there is no answer, or why a mean is infinite.
    pub reason: Option<String>,
    /// For optimised cutoffs, the estimated relative distance of the mean from its minimum; nothing where it is not known.
    pub optimality: Option<f64>,
    /// What the user should know beside the numbers.
    pub remark: Option<String>,
    pub hosts: Vec<HostRow>,
}

#[derive(Debug, Default, Serialize)]
pub(crate) struct Ratios {
    #[serde(serialize_with = "optional")]
    pub mean_response_time: Option<f64>,
    #[serde(serialize_with = "optional")]
    pub mean_slowdown: Option<f64>,
}

/// One host of a policy.
#[derive(Debug, Serialize)]
pub(crate) struct HostRow {
    /// The largest size served here; the share of the jobs of exactly that size that go to this host or below.
    pub cutoff: Option<CutoffRow>,
    pub fraction_of_jobs: f64,
    pub load: f64,
    pub spare: f64,
    pub metrics: Metrics,
    pub reason: Option<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct CutoffRow {
    pub size: f64,
    pub share: f64,
}

/// A policy's means for the trace without its largest job.
#[derive(Debug, Serialize)]
pub(crate) struct WithoutLargest {
    pub size: f64,
    pub load: f64,
    pub held_fixed: &'static str,
    pub policies: Vec<Row>,
}

/// Metrics by name.
#[derive(Debug, Default)]
pub(crate) struct Metrics(pub Vec<(Metric, Estimate)>);

impl Metrics {
    pub(crate) fn of(outcome: &Outcome) -> Self {
        Self(outcome.performance().map(|performance| performance.metrics().collect()).unwrap_or_default())
    }

    pub(crate) fn get(&self, metric: Metric) -> Option<Estimate> {
        self.0.iter().find(|(known, _)| *known == metric).map(|(_, estimate)| *estimate)
    }

    pub(crate) fn value(&self, metric: Metric) -> Option<f64> {
        self.get(metric).map(|estimate| estimate.value)
    }
}

impl Serialize for Metrics {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (metric, estimate) in &self.0 {
            map.serialize_entry(&key(*metric), &Measured::from(*estimate))?;
        }
        map.end()
    }
}

/// The name of a metric as a key: `mean_waiting_time`.
pub(crate) fn key(metric: Metric) -> String {
    metric.name().replace(" of the ", " ").replace(' ', "_")
}

/// An estimate with its accuracy in words and a number.
#[derive(Debug, Serialize)]
pub(crate) struct Measured {
    #[serde(serialize_with = "extended")]
    pub value: f64,
    pub accuracy: &'static str,
    /// The relative error of a numerical value, the standard error of a simulated one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assumption: Option<String>,
}

impl From<Estimate> for Measured {
    fn from(Estimate { value, accuracy }: Estimate) -> Self {
        let (accuracy, error, assumption) = match accuracy {
            Accuracy::Exact => ("exact", None, None),
            Accuracy::Numerical { relative_error } => ("numerical", Some(relative_error), None),
            Accuracy::Approximate { assumption } => ("approximate", None, Some(format!("{assumption:?}"))),
            Accuracy::Simulated { standard_error, .. } => ("simulated", Some(standard_error), None),
            // Kinds that a later version of the library may add.
            other => ("other", None, Some(format!("{other:?}"))),
        };
        Self { value, accuracy, error, assumption }
    }
}

/// A number, or the text `inf` where JSON has no number.
// The signatures are those that serde asks for.
#[allow(clippy::trivially_copy_pass_by_ref)]
pub(crate) fn extended<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    if value.is_finite() { serializer.serialize_f64(*value) } else { serializer.serialize_str(&value.to_string()) }
}

#[allow(clippy::ref_option)]
pub(crate) fn optional<S: Serializer>(value: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => extended(value, serializer),
        None => serializer.serialize_none(),
    }
}
