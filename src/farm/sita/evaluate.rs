//! What given cutoffs do.

use super::Cutoffs;
use crate::accuracy::Accuracy;
use crate::error::{Error, Result};
use crate::mg1::{self, Moments, Stream};
use crate::numeric::sum::Sum;
use crate::size::{Interval, JobSize, ORDERS, cutoff::moments_between};
use crate::workload::{Discipline, Farm, Metric, Outcome, Performance, Workload};

/// A farm under a size-interval policy: its cutoffs, all jobs together, and each host.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Assignment {
    /// The cutoffs, one fewer than hosts.
    pub cutoffs: Cutoffs,
    /// All jobs together: unstable if a host that gets jobs is.
    pub overall: Outcome,
    /// Each host, from the smallest sizes to the largest.
    pub hosts: Vec<HostOutcome>,
    /// For optimised cutoffs, the estimated relative distance of the objective from its minimum: 0 after a complete search of a
    /// law of atoms, `None` where nothing is known (a law with atoms too many for that, or with a continuous part beside them).
    pub optimality: Option<f64>,
}

/// One host of a farm.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct HostOutcome {
    /// The share of all jobs that come here.
    pub fraction: f64,
    /// The load of this host.
    #[cfg_attr(feature = "serde", serde(with = "crate::size::cutoff::extended"))]
    pub load: f64,
    /// 1 − load, negative under overload.
    #[cfg_attr(feature = "serde", serde(with = "crate::size::cutoff::extended"))]
    pub spare: f64,
    /// Its queue, averaged over the jobs that come here.
    pub outcome: Outcome,
}

/// `E[W] = Σ p_i W_i`, with W_i the waiting time of an M/G/1 queue of the sizes in (x_{i−1}, x_i].
///
/// Hosts serve by any [`Discipline`]. Means over all jobs weigh hosts by their share of the jobs,
/// never equally; E\[W/X\] = Σ W_i E\[1/X; host i\]. A host at load one or more is [`Outcome::Unstable`] and so is the whole; the
/// others keep their finite values. A host without jobs has utilisation 0 and no waiting.
///
/// Cost: seven partial moments a host under FCFS and PS, else that of [`mg1::performance`]. Accuracy: exact for laws with closed-form
/// moments, else that of the discipline.
///
/// # Errors
/// [`Error::Argument`] or [`Error::Datum`] for a wrong number of cutoffs or cutoffs outside the support; [`Error::Unstable`] only
/// if no host that gets jobs is stable.
///
/// Source: M. Harchol-Balter, M. Crovella and C. Murta (1999); hosts as in [`mg1`].
///
/// ```
/// use queueing::prelude::*;
/// // P(X > x) = x^−2.5, two hosts at load 0.5, cutoff 10: host 1 has load 0.968, host 2 load 0.032.
/// let farm = Farm::with_load(Pareto::new(1.0, 2.5)?, Hosts::identical(2)?, 0.5)?;
/// let result = sita::evaluate(&farm, &sita::Cutoffs::new(&[10.0])?, Discipline::Fcfs)?;
/// assert!((result.hosts[1].load - 10.0_f64.powf(-1.5)).abs() < 1e-15);
/// assert!((result.overall.mean_response_time()? - 33.9998147172).abs() < 1e-9);
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn evaluate<S: JobSize>(farm: &Farm<S>, cutoffs: &Cutoffs, discipline: Discipline) -> Result<Assignment> {
    cutoffs.fit(farm.hosts().count(), farm.jobs().size())?;
    evaluate_with(farm, cutoffs.clone(), discipline, None)
}

/// [`evaluate`] where the loads of the hosts are known better than the cutoffs tell: (load, 1 − load) of each.
pub(super) fn evaluate_with<S: JobSize>(
    farm: &Farm<S>,
    cutoffs: Cutoffs,
    discipline: Discipline,
    loads: Option<&[(f64, f64)]>,
) -> Result<Assignment> {
    let (law, rate) = (farm.jobs().size(), farm.jobs().rate());
    let mut hosts = Vec::with_capacity(farm.hosts().count());
    for (i, (lower, upper)) in cutoffs.intervals().enumerate() {
        let mut moments = [0.0; 7];
        moments_between(law, &ORDERS, lower, upper, &mut moments);
        let (fraction, work) = (moments[2], rate * moments[3]);
        let (load, spare) = match loads {
            Some(loads) => loads[i],
            None if farm.hosts().count() == 1 => (farm.load(), farm.spare()),
            None => (work, 1.0 - work),
        };
        let outcome = if fraction <= 0.0 {
            Outcome::Stable(idle())
        } else if spare > 0.0 {
            let accuracy = law.accuracy().conditioned(1.0 / spare);
            let stream = Stream { rate: rate * fraction, load, spare, sizes: Moments::given(moments), accuracy };
            Outcome::Stable(match discipline {
                Discipline::Fcfs => mg1::fcfs_of(&stream),
                Discipline::Ps => mg1::ps_of(load, spare, stream.sizes.mean, accuracy),
                other => {
                    let sizes = Interval::between(law, lower, upper)?;
                    mg1::performance(&Workload::known(stream.rate, sizes, load, spare), other)?
                }
            })
        } else {
            Outcome::Unstable { load, limit: 1.0 }
        };
        hosts.push(HostOutcome { fraction, load, spare, outcome });
    }
    let least_spare = hosts.iter().filter(|host| host.fraction > 0.0).map(|host| host.spare).fold(1.0, f64::min);
    let overall = overall(&hosts, discipline, law.accuracy().conditioned(1.0 / least_spare))?;
    Ok(Assignment { cutoffs, overall, hosts, optimality: None })
}

/// A host without jobs.
fn idle() -> Performance {
    Performance::new("host without jobs")
        .with(Metric::MeanNumberInSystem, 0.0, Accuracy::Exact)
        .with(Metric::ProbabilityOfWaiting, 0.0, Accuracy::Exact)
        .with(Metric::Utilisation, 0.0, Accuracy::Exact)
}

/// All jobs together: means over jobs, sums over hosts, and for the variance of the slowdown its second moment.
fn overall(hosts: &[HostOutcome], discipline: Discipline, accuracy: Accuracy) -> Result<Outcome> {
    let worst = hosts.iter().filter(|host| !host.outcome.is_stable()).map(|host| host.load).reduce(f64::max);
    if let Some(load) = worst {
        let one_stable = hosts.iter().any(|host| host.fraction > 0.0 && host.outcome.is_stable());
        return if one_stable {
            Ok(Outcome::Unstable { load, limit: 1.0 })
        } else {
            Err(Error::Unstable { load, limit: 1.0 })
        };
    }
    let busy: Vec<(f64, &Performance)> =
        hosts.iter().filter_map(|host| Some((host.fraction, host.outcome.performance().ok()?))).collect();
    let mut whole = Performance::new(format!("size interval task assignment, {discipline} hosts"));
    let Some((_, pattern)) = busy.iter().find(|(fraction, _)| *fraction > 0.0) else {
        return Ok(Outcome::Stable(whole));
    };
    for (metric, _) in pattern.metrics() {
        let values = || {
            busy.iter().map(|(fraction, host)| {
                let value = host.estimate(metric).map_or(0.0, |estimate| estimate.value);
                (*fraction, value)
            })
        };
        let value = match metric {
            Metric::MeanNumberInSystem => values().map(|(_, number)| number).sum(),
            Metric::Utilisation => values().map(|(_, busy)| busy).sum::<f64>() / hosts.len() as f64,
            Metric::VarianceSlowdown => total_variance(values(), &busy),
            _ => weighted_mean(values()),
        };
        whole.set(metric, value, accuracy);
    }
    Ok(Outcome::Stable(whole))
}

/// Var = E[variance within hosts] + variance of the means between hosts.
fn total_variance(within: impl Iterator<Item = (f64, f64)>, hosts: &[(f64, &Performance)]) -> f64 {
    let means = || hosts.iter().map(|(fraction, host)| (*fraction, host.mean_slowdown().unwrap_or(0.0)));
    let mean = weighted_mean(means());
    if !mean.is_finite() {
        return f64::INFINITY;
    }
    weighted_mean(within) + weighted_mean(means().map(|(fraction, value)| (fraction, (value - mean).powi(2))))
}

/// Σ weight · value over the hosts, where hosts without jobs count nothing and infinite values count.
fn weighted_mean(terms: impl Iterator<Item = (f64, f64)>) -> f64 {
    terms.filter(|(weight, _)| *weight > 0.0).map(|(weight, value)| weight * value).collect::<Sum>().value()
}
