//! The nouns in serialised data: checked on the way in as by their constructors.

use super::{Farm, Hosts, Workload};
use crate::accuracy::Accuracy;
use crate::error::{Error, Result, require};
use crate::size::JobSize;
pub(super) use crate::size::cutoff::extended;
use serde::{Deserialize, Deserializer, de::Error as _};

/// A workload as it is written; load and 1 − load are kept, since they may say more than the rate, but need not be given.
#[derive(Deserialize)]
pub(super) struct Stream<S> {
    rate: f64,
    size: S,
    #[serde(default, deserialize_with = "extended::optional")]
    load: Option<f64>,
    #[serde(default, deserialize_with = "extended::optional")]
    spare: Option<f64>,
}

/// Rounding that a load may have against rate times mean size.
const SLACK: f64 = 1e-9;

/// The given load and 1 − load where they agree with the computed ones.
fn agree((load, spare): (f64, f64), given_load: Option<f64>, given_spare: Option<f64>) -> Result<(f64, f64)> {
    let (given_load, given_spare) = (given_load.unwrap_or(load), given_spare.unwrap_or(spare));
    let close = |a: f64, b: f64| a == b || (b.is_finite() && (a - b).abs() <= SLACK * load.max(1.0));
    require(
        close(given_load, load),
        "load",
        given_load,
        format!("must be {load}, the rate times the mean size over the hosts, or left out"),
    )?;
    require(close(given_spare, spare), "spare", given_spare, format!("must be 1 - load = {spare}, or left out"))?;
    Ok((given_load, given_spare))
}

impl<S: JobSize> TryFrom<Stream<S>> for Workload<S> {
    type Error = Error;

    fn try_from(Stream { rate, size, load, spare }: Stream<S>) -> Result<Self> {
        let computed = Self::new(rate, size)?;
        let (load, spare) = agree((computed.load, computed.spare), load, spare)?;
        Ok(Self { load, spare, ..computed })
    }
}

/// A farm as it is written.
#[derive(Deserialize)]
#[serde(bound(deserialize = "S: JobSize + Deserialize<'de>"))]
pub(super) struct Parts<S> {
    jobs: Workload<S>,
    hosts: Hosts,
    #[serde(default, deserialize_with = "extended::optional")]
    load: Option<f64>,
    #[serde(default, deserialize_with = "extended::optional")]
    spare: Option<f64>,
}

impl<S: JobSize> TryFrom<Parts<S>> for Farm<S> {
    type Error = Error;

    fn try_from(Parts { jobs, hosts, load, spare }: Parts<S>) -> Result<Self> {
        let computed = Self::new(jobs, hosts);
        let (load, spare) = agree((computed.load, computed.spare), load, spare)?;
        Ok(Self { load, spare, ..computed })
    }
}

/// An accuracy whose error is one.
pub(super) fn accuracy<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Accuracy, D::Error> {
    let accuracy = Accuracy::deserialize(deserializer)?;
    match accuracy {
        Accuracy::Numerical { relative_error: error } | Accuracy::Simulated { standard_error: error, .. }
            if !(error >= 0.0) =>
        {
            Err(D::Error::custom(format!("expected an error of at least 0, found {error}")))
        }
        _ => Ok(accuracy),
    }
}

/// Estimates as a map from the metric's name.
pub(super) mod by_metric {
    use crate::workload::{Estimate, Metric};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::collections::BTreeMap;

    type Estimates = [Option<Estimate>; Metric::ALL.len()];

    pub(in crate::workload) fn serialize<S: Serializer>(
        estimates: &Estimates,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        // Collected first: some formats write the number of entries before them.
        let given = Metric::ALL.into_iter().filter_map(|metric| Some((metric, estimates[metric as usize]?)));
        given.collect::<BTreeMap<_, _>>().serialize(serializer)
    }

    pub(in crate::workload) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Estimates, D::Error> {
        let mut estimates = [None; Metric::ALL.len()];
        for (metric, estimate) in BTreeMap::<Metric, Estimate>::deserialize(deserializer)? {
            estimates[metric as usize] = Some(estimate);
        }
        Ok(estimates)
    }
}
