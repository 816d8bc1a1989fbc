//! What the models return.

use super::numbers::Numbers;
use crate::accuracy::Accuracy;
use crate::error::{Error, Result};
use crate::multiserver::Waiting;
use crate::size::JobSize;
use crate::workload::{ByClass, Estimate, Metric, Outcome, Performance, Workload};

/// Shorts and longs under a cycle-stealing policy.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "serial::Written"))]
pub struct CycleStealing {
    /// All jobs together, the shorts, the longs.
    pub by_class: ByClass,
    /// The share of time that a long host is idle (with renaming: that fewer hosts are busy than there are short hosts plus longs in
    /// service).
    pub long_host_idle: Estimate,
    /// The share of the shorts' work that long hosts do: under fixed roles, of the shorts.
    pub stolen: Estimate,
    /// The share of the longs' work that short hosts do, where longs steal too.
    pub stolen_by_longs: Estimate,
    /// The share of time that a short host is busy.
    pub short_host_utilisation: Estimate,
    /// The share of time that a long host is busy, with longs or shorts.
    pub long_host_utilisation: Estimate,
}

impl CycleStealing {
    /// The shorts.
    pub fn shorts(&self) -> &Outcome {
        &self.by_class.classes[0]
    }

    /// The longs.
    pub fn longs(&self) -> &Outcome {
        &self.by_class.classes[1]
    }

    /// All jobs together: stable if both classes are.
    pub fn overall(&self) -> &Outcome {
        &self.by_class.overall
    }
}

/// The accuracies of a solution: of what concerns shorts, and of what concerns the longs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Labels {
    pub shorts: Accuracy,
    pub longs: Accuracy,
}

/// Two classes and the hosts they have.
pub(super) struct Classes<'a, S, L> {
    pub shorts: &'a Workload<S>,
    pub longs: &'a Workload<L>,
    pub short_hosts: usize,
    pub long_hosts: usize,
    pub model: String,
}

impl<S: JobSize, L: JobSize> Classes<'_, S, L> {
    /// An error unless some class can be stable: with all hosts at its disposal for the shorts, on its own hosts for the longs.
    pub(super) fn require_some_stable(&self, short_limit: f64) -> Result<()> {
        if self.longs_are_stable() || self.shorts.load() < short_limit {
            Ok(())
        } else {
            Err(Error::Unstable { load: self.longs.load(), limit: self.long_hosts as f64 })
        }
    }

    pub(super) fn longs_are_stable(&self) -> bool {
        if self.long_hosts == 1 { self.longs.spare() > 0.0 } else { self.longs.load() < self.long_hosts as f64 }
    }

    /// The result of stable longs, and of shorts that are stable below the limit.
    pub(super) fn result(&self, numbers: Numbers, short_limit: f64, labels: Labels) -> CycleStealing {
        let shorts = if self.shorts.load() < short_limit {
            let waiting = Waiting {
                mean: numbers.short_waiting,
                second: numbers.short_waiting_square,
                probability: Some(numbers.short_delayed),
            };
            let mut shorts = waiting.of_class(self.shorts, self.model.clone(), labels.shorts);
            if let Some(square) = numbers.short_number_square {
                shorts.set(Metric::SecondMomentNumberInSystem, square, labels.shorts);
            }
            Outcome::Stable(shorts)
        } else {
            Outcome::Unstable { load: self.shorts.load(), limit: short_limit }
        };
        let waiting = Waiting {
            mean: numbers.long_waiting,
            second: numbers.long_waiting_square,
            probability: Some(numbers.long_delayed),
        };
        let mut longs = waiting.of_class(self.longs, self.model.clone(), labels.longs);
        // Little's law in its distributional form, at one long host: E[N(N−1)] = λ²E[T²]
        let lambda = self.longs.rate();
        let by_little = longs.mean_response_time().and_then(|mean| {
            longs.second_moment_response_time().map(|square| lambda * lambda * square + lambda * mean)
        });
        if let Some(square) = numbers.long_number_square.or(by_little.ok()) {
            longs.set(Metric::SecondMomentNumberInSystem, square, labels.longs);
        }
        self.assemble(shorts, Outcome::Stable(longs), &numbers, labels)
    }

    /// The result of saturated longs, whose hosts never help, and of shorts that their own hosts keep up with.
    pub(super) fn saturated(&self, shorts: Performance) -> CycleStealing {
        self.saturated_with(shorts, 0.0, self.long_hosts as f64)
    }

    /// The same where so many short hosts serve longs on average, which are stable below a limit.
    pub(super) fn saturated_with(&self, shorts: Performance, helped: f64, limit: f64) -> CycleStealing {
        let longs = Outcome::Unstable { load: self.longs.load(), limit };
        let accuracy = shorts.estimate(Metric::MeanWaitingTime).map_or(Accuracy::Exact, |estimate| estimate.accuracy);
        let labels = Labels { shorts: accuracy, longs: Accuracy::Exact };
        self.assemble(Outcome::Stable(shorts), longs, &Numbers { helped, ..Numbers::default() }, labels)
    }

    fn assemble(&self, shorts: Outcome, longs: Outcome, numbers: &Numbers, labels: Labels) -> CycleStealing {
        let (k, c) = (self.short_hosts as f64, self.long_hosts as f64);
        let Numbers { helping, helped, idle, .. } = *numbers;
        let accuracy = labels.shorts.and(labels.longs);
        let estimate = |value: f64, accuracy| Estimate { value, accuracy };
        // Saturated classes fill what is left of the hosts.
        let short_work = if shorts.is_stable() { self.shorts.load() } else { k + helping - helped };
        let long_work = if longs.is_stable() { self.longs.load() } else { c - helping + helped };
        CycleStealing {
            long_host_idle: estimate(idle, accuracy),
            stolen: estimate(helping / short_work, accuracy),
            stolen_by_longs: estimate(helped / long_work, accuracy),
            short_host_utilisation: estimate(((short_work - helping + helped) / k).clamp(0.0, 1.0), accuracy),
            long_host_utilisation: estimate(((long_work + helping - helped) / c).clamp(0.0, 1.0), accuracy),
            by_class: ByClass { overall: self.overall(&shorts, &longs), classes: vec![shorts, longs] },
        }
    }

    /// Means over all jobs, and the number of all; unstable as the class that is.
    fn overall(&self, shorts: &Outcome, longs: &Outcome) -> Outcome {
        let (short, long) = match (shorts, longs) {
            (Outcome::Stable(short), Outcome::Stable(long)) => (short, long),
            (Outcome::Unstable { .. }, _) => return shorts.clone(),
            _ => return longs.clone(),
        };
        let total = self.shorts.rate() + self.longs.rate();
        let (p, q) = (self.shorts.rate() / total, self.longs.rate() / total);
        let mut overall = Performance::new(self.model.clone());
        for (metric, estimate) in short.metrics() {
            let Ok(other) = long.estimate(metric) else { continue };
            let value = match metric {
                Metric::MeanNumberInSystem => estimate.value + other.value,
                // Numbers of both classes depend on each other; a variance does not mix.
                Metric::SecondMomentNumberInSystem | Metric::VarianceSlowdown => continue,
                _ => p * estimate.value + q * other.value,
            };
            overall.set(metric, value, estimate.accuracy.and(other.accuracy));
        }
        Outcome::Stable(overall)
    }
}

#[cfg(feature = "serde")]
mod serial {
    use super::CycleStealing;
    use crate::error::{Error, Result, require};
    use crate::workload::{ByClass, Estimate};

    /// A result as it is written.
    #[derive(serde::Deserialize)]
    pub(super) struct Written {
        by_class: ByClass,
        long_host_idle: Estimate,
        stolen: Estimate,
        stolen_by_longs: Estimate,
        short_host_utilisation: Estimate,
        long_host_utilisation: Estimate,
    }

    impl TryFrom<Written> for CycleStealing {
        type Error = Error;

        fn try_from(written: Written) -> Result<Self> {
            let classes = written.by_class.classes.len();
            require(classes == 2, "number of classes", classes as f64, "must be 2, the shorts and the longs")?;
            Ok(Self {
                by_class: written.by_class,
                long_host_idle: written.long_host_idle,
                stolen: written.stolen,
                stolen_by_longs: written.stolen_by_longs,
                short_host_utilisation: written.short_host_utilisation,
                long_host_utilisation: written.long_host_utilisation,
            })
        }
    }
}
