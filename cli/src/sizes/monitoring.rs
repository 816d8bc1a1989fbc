//! Sizes from what a monitoring system exports: mean, percentiles and maximum.

use super::Sizes;
use crate::failure::{Failure, Result};
use crate::number::short;
use queueing::size::{self, JobSize};

/// The text of `--summary`, and what it says.
#[derive(Debug, Clone)]
pub(crate) struct Monitoring {
    text: String,
    summary: size::Summary,
    /// Each by its name.
    percentiles: Vec<(String, f64)>,
}

impl Monitoring {
    /// The law, with what the library assumed to have one.
    pub(super) fn sizes(&self) -> Result<Sizes> {
        let law = self.summary.law().map_err(|error| Failure::new(format!("--summary {}: {error}", self.text)))?;
        let largest = short(law.support().1);
        let consequence = format!(
            "The means of equally likely parts stand for all sizes (the largest: {largest}). E[X^2], and with it every \
             mean of FCFS hosts, rests on this"
        );
        let assumption = law.assumption().map(|assumption| format!("{assumption}. {consequence}"));
        let sizes = Sizes::of_law(law.into(), format!("summary {}", self.text));
        Ok(Sizes { assumption, percentiles: self.percentiles.clone(), ..sizes })
    }
}

/// `mean=650.7,max=652617,p50=108.6,p99=10337`, in any order, perhaps with `min=8.4`.
impl std::str::FromStr for Monitoring {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let mut entries: Vec<(String, f64)> = Vec::new();
        for part in text.split(',') {
            let (key, value) = part.split_once('=').ok_or_else(|| format!("`{part}` is not of the form key=value"))?;
            let (key, value) = (key.trim().to_ascii_lowercase(), value.trim());
            let value = value.parse().map_err(|_| format!("the value `{value}` of {key} is not a number"))?;
            if entries.iter().any(|(known, _)| *known == key) {
                return Err(format!("{key} is given twice"));
            }
            entries.push((key, value));
        }
        let find = |wanted: &str| entries.iter().find(|(key, _)| key == wanted).map(|&(_, value)| value);
        let required = |wanted: &str| find(wanted).ok_or_else(|| format!("{wanted} is missing: give mean and max"));
        let mut summary = size::Summary::new(required("mean")?, required("max")?);
        if let Some(smallest) = find("min") {
            summary = summary.with_smallest(smallest);
        }
        let mut percentiles = Vec::new();
        for (key, value) in entries.iter().filter(|(key, _)| !["mean", "max", "min"].contains(&key.as_str())) {
            let percent = key.strip_prefix('p').and_then(|percent| percent.parse::<f64>().ok());
            let percent = percent.filter(|&percent| percent > 0.0 && percent < 100.0);
            let unknown = || format!("`{key}` is none of mean, max, min, and percentiles above p0 and below p100");
            percentiles.push((percent.ok_or_else(unknown)? / 100.0, key.clone(), *value));
        }
        percentiles.sort_by(|one, other| one.0.total_cmp(&other.0));
        for &(share, _, value) in &percentiles {
            summary = summary.with_percentile(share, value);
        }
        let percentiles = percentiles.into_iter().map(|(_, name, value)| (name, value)).collect();
        Ok(Self { text: text.to_owned(), summary, percentiles })
    }
}
