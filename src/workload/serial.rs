//! The nouns in serialised data: checked on the way in as by their constructors.

use super::{Farm, Hosts, Workload};
use crate::error::{Error, Result, require};
use crate::size::JobSize;
use serde::Deserialize;

/// A workload as it is written; the load and 1 − load are kept, since they may say more than the rate.
#[derive(Deserialize)]
pub(super) struct Stream<S> {
    rate: f64,
    size: S,
    load: f64,
    spare: f64,
}

/// Rounding that a load may have against rate times mean size.
const SLACK: f64 = 1e-9;

fn agree(name: &'static str, value: f64, expected: f64, spare: f64) -> Result<()> {
    require(
        (value - expected).abs() <= SLACK * expected.abs(),
        name,
        value,
        "must be the rate times the mean size over the hosts",
    )?;
    require((spare - (1.0 - value)).abs() <= SLACK * value.max(1.0), "spare", spare, "must be 1 - load")
}

impl<S: JobSize> TryFrom<Stream<S>> for Workload<S> {
    type Error = Error;

    fn try_from(Stream { rate, size, load, spare }: Stream<S>) -> Result<Self> {
        let mean = size.mean();
        agree("load", load, rate * mean, spare)?;
        Ok(Self { load, spare, ..Self::new(rate, size)? })
    }
}

/// A farm as it is written.
#[derive(Deserialize)]
#[serde(bound(deserialize = "S: JobSize + Deserialize<'de>"))]
pub(super) struct Parts<S> {
    jobs: Workload<S>,
    hosts: Hosts,
    load: f64,
    spare: f64,
}

impl<S: JobSize> TryFrom<Parts<S>> for Farm<S> {
    type Error = Error;

    fn try_from(Parts { jobs, hosts, load, spare }: Parts<S>) -> Result<Self> {
        agree("load", load, jobs.load() / hosts.count() as f64, spare)?;
        Ok(Self { jobs, hosts, load, spare })
    }
}

/// Estimates as a map from the metric's name.
pub(super) mod by_metric {
    use crate::workload::{Estimate, Metric};
    use serde::{Deserialize, Deserializer, Serializer};
    use std::collections::BTreeMap;

    type Estimates = [Option<Estimate>; Metric::ALL.len()];

    pub(in crate::workload) fn serialize<S: Serializer>(
        estimates: &Estimates,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_map(Metric::ALL.into_iter().filter_map(|metric| Some((metric, estimates[metric as usize]?))))
    }

    pub(in crate::workload) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Estimates, D::Error> {
        let mut estimates = [None; Metric::ALL.len()];
        for (metric, estimate) in BTreeMap::<Metric, Estimate>::deserialize(deserializer)? {
            estimates[metric as usize] = Some(estimate);
        }
        Ok(estimates)
    }
}

/// Reals with infinity: as numbers, and the infinite one as the text `inf` where a format has no number for it.
pub(super) mod extended {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[allow(clippy::trivially_copy_pass_by_ref)] // the shape that serde calls
    pub(in crate::workload) fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() && !value.is_finite() {
            return value.to_string().serialize(serializer);
        }
        value.serialize(serializer)
    }

    pub(in crate::workload) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Extended {
            Number(f64),
            Text(String),
        }
        if !deserializer.is_human_readable() {
            return f64::deserialize(deserializer);
        }
        match Extended::deserialize(deserializer)? {
            Extended::Number(value) => Ok(value),
            Extended::Text(text) => text.parse().map_err(serde::de::Error::custom),
        }
    }
}
