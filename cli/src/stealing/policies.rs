//! The policies that are compared.

use super::report::{ClassRow, DivisionRow, Row};
use crate::compare::infinite;
use crate::number::short;
use crate::report::{CutoffRow, Metrics, Ratios};
use queueing::prelude::*;
use queueing::stealing::{CentralQueue, CycleStealing, ImmediateDispatch, Policy, Renaming};

/// By the name in machine-readable output, which does not change, and the name on the page.
pub(super) const ALL: [(&str, &str, Policy); 5] = [
    ("dedicated", "Dedicated", Policy::Dedicated),
    ("sbcs_id", "SBCS-ID", Policy::ImmediateDispatch),
    ("sbcs_cq", "SBCS-CQ", Policy::CentralQueue(Renaming::Never)),
    ("sbcs_cq_eager", "SBCS-CQ, eager", Policy::CentralQueue(Renaming::Eager)),
    ("sbcs_cq_lazy", "SBCS-CQ, lazy", Policy::CentralQueue(Renaming::Lazy)),
];

/// The most phases of short sizes for which renaming is solved unasked: within a second.
const MOST_PHASES: f64 = 2.0;

/// The most short hosts for which renaming is solved unasked where short sizes have several phases.
const MOST_HOSTS: usize = 2;

/// The hosts, and how the policies are solved.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Setting {
    pub short_hosts: usize,
    pub long_hosts: usize,
    /// As asked for.
    pub tolerance: Option<f64>,
    pub three_moments: bool,
    pub renaming: bool,
}

/// The relative tolerance when none is given.
const DEFAULT_TOLERANCE: f64 = 1e-6;

impl Default for Setting {
    fn default() -> Self {
        Self { short_hosts: 1, long_hosts: 1, tolerance: None, three_moments: false, renaming: false }
    }
}

impl Setting {
    /// A row for each policy.
    pub(super) fn rows<S: JobSize, L: JobSize>(&self, shorts: &Workload<S>, longs: &Workload<L>) -> Vec<Row> {
        let mut rows: Vec<Row> = ALL
            .into_iter()
            .map(|(id, name, policy)| {
                let row = Row { policy: id, name, ..Row::default() };
                self.row(row, policy, shorts, longs)
            })
            .collect();
        let dedicated = rows[0].classes().map(|(_, class)| means(class));
        for row in &mut rows {
            for (class, dedicated) in [&mut row.shorts, &mut row.longs, &mut row.all].into_iter().zip(dedicated) {
                class.ratio_to_dedicated = ratios(means(class), dedicated);
            }
        }
        rows
    }

    /// A row of one policy for a workload that is divided at a size.
    pub(super) fn divided<S: JobSize>(&self, row: Row, policy: Policy, jobs: &Workload<S>, cutoff: Cutoff) -> Row {
        match halves(jobs, cutoff) {
            Ok((shorts, longs)) => {
                let division = Some(division(cutoff, &shorts, &longs));
                Row { division, ..self.row(row, policy, &shorts, &longs) }
            }
            Err(error) => Row { reason: Some(error.to_string()), ..row },
        }
    }

    fn row<S: JobSize, L: JobSize>(&self, row: Row, policy: Policy, shorts: &Workload<S>, longs: &Workload<L>) -> Row {
        let short_load_limit = self.limit(policy, longs.load());
        if let Some(reason) = self.left_out(policy, shorts) {
            return Row { reason: Some(reason), short_load_limit, ..row };
        }
        match self.evaluate(policy, shorts, longs) {
            Ok(answer) => Row { short_load_limit, ..answered(row, &answer, shorts, longs) },
            Err(error) => Row { reason: Some(refusal(&error)), short_load_limit, ..row },
        }
    }

    /// Why a policy is not solved unasked.
    fn left_out<S: JobSize>(&self, policy: Policy, shorts: &Workload<S>) -> Option<String> {
        let renamed = matches!(policy, Policy::CentralQueue(Renaming::Eager | Renaming::Lazy));
        let phases = phases(shorts.size());
        let quick = phases <= 1.0 || (phases <= MOST_PHASES && self.short_hosts <= MOST_HOSTS);
        (renamed && !quick && !self.renaming).then(|| {
            "for these short sizes and hosts renaming is a large chain that may take minutes; --renaming solves it"
                .to_owned()
        })
    }

    pub(crate) fn evaluate<S: JobSize, L: JobSize>(
        &self,
        policy: Policy,
        shorts: &Workload<S>,
        longs: &Workload<L>,
    ) -> Result<CycleStealing> {
        let (k, c) = (self.short_hosts, self.long_hosts);
        // Many phases take a minute, and stand for another law anyway.
        let refines = !self.three_moments && phases(shorts.size()) <= MOST_PHASES;
        let tolerance = self.tolerance.or(refines.then_some(DEFAULT_TOLERANCE));
        match policy {
            Policy::CentralQueue(renaming) => {
                let options = CentralQueue::default().short_hosts(k).long_hosts(c).renaming(renaming);
                let options = tolerance.map_or(options, |tolerance| options.tolerance(tolerance));
                stealing::central_queue(shorts, longs, options)
            }
            Policy::ImmediateDispatch => {
                let options = ImmediateDispatch::default().short_hosts(k).long_hosts(c);
                let options = tolerance.map_or(options, |tolerance| options.tolerance(tolerance));
                stealing::immediate_dispatch(shorts, longs, options)
            }
            _ if k == 1 && c == 1 => stealing::dedicated(shorts, longs),
            _ => self.dedicated(shorts, longs),
        }
    }

    /// Two separate queues, each with all hosts of its class.
    fn dedicated<S: JobSize, L: JobSize>(&self, shorts: &Workload<S>, longs: &Workload<L>) -> Result<CycleStealing> {
        let (short, k) = queue(shorts, self.short_hosts)?;
        let (long, c) = queue(longs, self.long_hosts)?;
        if let (Outcome::Unstable { .. }, &Outcome::Unstable { load, limit }) = (&short, &long) {
            return Err(Error::Unstable { load, limit });
        }
        let exact = |value| Estimate { value, accuracy: Accuracy::Exact };
        let (short_busy, long_busy) = ((shorts.load() / k).min(1.0), (longs.load() / c).min(1.0));
        Ok(CycleStealing {
            by_class: ByClass { overall: both(&short, shorts.rate(), &long, longs.rate()), classes: vec![short, long] },
            long_host_idle: exact(1.0 - long_busy),
            stolen: exact(0.0),
            stolen_by_longs: exact(0.0),
            short_host_utilisation: exact(short_busy),
            long_host_utilisation: exact(long_busy),
        })
    }

    /// The load of the shorts below which they are stable, where it has a formula.
    fn limit(&self, policy: Policy, long_load: f64) -> Option<f64> {
        let (k, c) = (self.short_hosts, self.long_hosts);
        match policy {
            _ if !(long_load < c as f64) => Some(k as f64),
            Policy::CentralQueue(_) if c > 1 => Some((k + c) as f64 - long_load),
            Policy::ImmediateDispatch if c > 1 => None,
            Policy::Dedicated => Some(k as f64),
            _ => stealing::stability_limit(policy, k, long_load).ok(),
        }
    }
}

/// Why there is no answer. Only where an option of this program helps has it words of its own.
pub(super) fn refusal(error: &Error) -> String {
    match error {
        Error::Unstable { load, limit } => {
            format!("the load of the longs is {}, not below {}, and the shorts' is too high, too", short(*load), short(*limit))
        }
        Error::Argument { name: "states of a level" | "states of the short hosts", .. } => {
            "for these sizes and hosts the chain is too large; give a larger --tolerance, fewer --short-hosts, or short \
             sizes of more variability"
                .to_owned()
        }
        Error::NoConvergence { .. } => format!("{error}; give a larger --tolerance, or --three-moments"),
        other => other.to_string(),
    }
}

pub(crate) type Halves<'a, S> = (Workload<Interval<&'a S>>, Workload<Interval<&'a S>>);

/// The jobs up to a size, and those beyond.
pub(crate) fn halves<S: JobSize>(jobs: &Workload<S>, cutoff: Cutoff) -> Result<Halves<'_, S>> {
    let part = |lower, upper| {
        let sizes = Interval::between(jobs.size(), lower, upper)?;
        Workload::new(jobs.rate() * sizes.probability(), sizes)
    };
    Ok((part(Cutoff::LOWEST, cutoff)?, part(cutoff, Cutoff::HIGHEST)?))
}

pub(super) fn division<S: JobSize>(cutoff: Cutoff, shorts: &Workload<S>, longs: &Workload<S>) -> DivisionRow {
    let share = |short: f64, long: f64| short / (short + long);
    DivisionRow {
        cutoff: CutoffRow { size: cutoff.size(), share: cutoff.share() },
        share_of_jobs: share(shorts.rate(), longs.rate()),
        share_of_work: share(shorts.load(), longs.load()),
        short_load: shorts.load(),
        long_load: longs.load(),
    }
}

fn answered<S: JobSize, L: JobSize>(
    row: Row,
    answer: &CycleStealing,
    shorts: &Workload<S>,
    longs: &Workload<L>,
) -> Row {
    let class = |outcome: &Outcome, infinite: Option<String>| ClassRow {
        metrics: Metrics::of(outcome),
        ratio_to_dedicated: Ratios::default(),
        reason: match *outcome {
            Outcome::Unstable { load, limit } => Some(format!(
                "their load {} is not below {}: their queue grows without bound",
                short(load),
                short(limit)
            )),
            Outcome::Stable(_) => infinite,
        },
    };
    let reason = |outcome, law: &dyn JobSize| infinite(&Metrics::of(outcome), law);
    Row {
        shorts: class(answer.shorts(), reason(answer.shorts(), shorts.size())),
        longs: class(answer.longs(), reason(answer.longs(), longs.size())),
        all: ClassRow { metrics: Metrics::of(answer.overall()), ..ClassRow::default() },
        stolen: Some(answer.stolen.into()),
        long_host_idle: Some(answer.long_host_idle.into()),
        short_host_utilisation: Some(answer.short_host_utilisation.into()),
        long_host_utilisation: Some(answer.long_host_utilisation.into()),
        ..row
    }
}

/// A class on hosts of its own, and how many these are.
fn queue<S: JobSize>(jobs: &Workload<S>, hosts: usize) -> Result<(Outcome, f64)> {
    let limit = hosts as f64;
    if !(jobs.load() < limit) {
        return Ok((Outcome::Unstable { load: jobs.load(), limit }, limit));
    }
    let farm = Farm::new(Workload::new(jobs.rate(), jobs.size())?, Hosts::identical(hosts)?);
    Ok((Outcome::Stable(farm::least_work_left(&farm)?.overall), limit))
}

/// Means over the jobs of two queues.
fn both(short: &Outcome, short_rate: f64, long: &Outcome, long_rate: f64) -> Outcome {
    let (one, other) = match (short, long) {
        (Outcome::Stable(one), Outcome::Stable(other)) => (one, other),
        (Outcome::Unstable { .. }, _) => return short.clone(),
        _ => return long.clone(),
    };
    let (p, q) = (short_rate / (short_rate + long_rate), long_rate / (short_rate + long_rate));
    let mut overall = Performance::new("Dedicated");
    for (metric, short) in one.metrics() {
        let Ok(long) = other.estimate(metric) else { continue };
        let value = match metric {
            Metric::MeanNumberInSystem => short.value + long.value,
            // Neither is a mean over jobs.
            Metric::SecondMomentNumberInSystem | Metric::VarianceSlowdown | Metric::Utilisation => continue,
            _ => p * short.value + q * long.value,
        };
        overall = overall.with(metric, value, short.accuracy.and(long.accuracy));
    }
    Outcome::Stable(overall)
}

fn means(class: &ClassRow) -> [Option<f64>; 2] {
    [Metric::MeanResponseTime, Metric::MeanSlowdown].map(|metric| class.metrics.value(metric))
}

/// Infinite over infinite is no ratio.
pub(super) fn ratios(means: [Option<f64>; 2], reference: [Option<f64>; 2]) -> Ratios {
    let [mean_response_time, mean_slowdown] =
        std::array::from_fn(|i| Some(means[i]? / reference[i]?).filter(|ratio: &f64| !ratio.is_nan()));
    Ratios { mean_response_time, mean_slowdown }
}

/// The phases that stand for short sizes: their own, or those that three moments need.
fn phases<S: JobSize>(size: &S) -> f64 {
    size.phase_type().map_or_else(|| (1.0 / size.scv()).ceil().max(2.0), |law| law.phases() as f64)
}
