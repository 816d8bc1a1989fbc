//! Common modelling slips, and which of them would explain what was observed.

use super::check::Check;
use super::series::{self, Arrivals};
use crate::error::Result;
use crate::size::JobSize;
use crate::workload::{Discipline, Farm, Metric, Performance};

/// A common difference between a model and a simulator.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Slip {
    /// The simulator's slowdown is W/X and the model's T/X, or the other way round.
    SlowdownDefinition,
    /// The simulator tells waiting times and the model response times, or the other way round.
    WaitingForResponse,
    /// The simulator's hosts serve by another discipline.
    OtherDiscipline(Discipline),
    /// The load that was given to the simulator as that of a host is its load of all hosts together: arrivals come too slowly by a
    /// factor of the number of hosts.
    LoadOfAllHosts,
    /// The load that was meant for all hosts together was given to each host: arrivals come too fast.
    LoadOfEachHost,
    /// The jobs of the start, when the system was still empty, are among those counted.
    WarmUpLeftIn {
        /// Jobs that should be left out.
        jobs: usize,
    },
    /// Arrivals are not a Poisson stream.
    NotPoisson(Arrivals),
}

impl std::fmt::Display for Slip {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::SlowdownDefinition => out.write_str("slowdown: T/X against W/X, which differ by 1"),
            Self::WaitingForResponse => out.write_str("waiting time against response time"),
            Self::OtherDiscipline(discipline) => write!(out, "the simulator's hosts serve by {discipline}"),
            Self::LoadOfAllHosts => {
                out.write_str("load: the simulator takes the load of a host as that of all hosts together")
            }
            Self::LoadOfEachHost => out.write_str("load: the simulator gives each host the load of all hosts together"),
            Self::WarmUpLeftIn { jobs } => {
                write!(out, "warm-up left in: without the first {jobs} jobs the observation fits")
            }
            Self::NotPoisson(Arrivals { scv, autocorrelation, .. }) => {
                write!(out, "arrivals are not Poisson: the gaps have scv {scv:.3} and correlation {autocorrelation:.3}")
            }
        }
    }
}

/// What the metric would be if a slip had been made: the candidates for [`diagnose`].
///
/// `evaluate` gives the model's answer for any farm and discipline; slips for which it has none are left out.
///
/// ```
/// use queueing::crosscheck::{self, Slip};
/// use queueing::prelude::*;
/// let farm = Farm::with_load(Exponential::with_mean(1.0)?, Hosts::identical(1)?, 0.5)?;
/// let slips = crosscheck::candidates(&farm, Discipline::Ps, Metric::MeanSlowdown, farm::random);
/// assert!(slips.contains(&(Slip::SlowdownDefinition, 1.0)));                   // W/X = ρ/(1−ρ)
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn candidates<'a, S: JobSize>(
    farm: &'a Farm<S>,
    discipline: Discipline,
    metric: Metric,
    evaluate: impl Fn(&Farm<&'a S>, Discipline) -> Result<Performance>,
) -> Vec<(Slip, f64)> {
    let (hosts, load) = (farm.hosts().count() as f64, farm.load());
    let at_load = |load: f64| Farm::with_load(farm.jobs().size(), farm.hosts(), load);
    let value = |load: f64, discipline: Discipline, metric: Metric| -> Result<f64> {
        Ok(evaluate(&at_load(load)?, discipline)?.estimate(metric)?.value)
    };
    let mut slips = Vec::new();
    let mut add = |slip: Slip, value: Result<f64>| {
        if let Ok(value) = value
            && value.is_finite()
        {
            slips.push((slip, value));
        }
    };
    let other = match metric {
        Metric::MeanSlowdown => Some((Slip::SlowdownDefinition, Metric::MeanWaitingSlowdown)),
        Metric::MeanWaitingSlowdown => Some((Slip::SlowdownDefinition, Metric::MeanSlowdown)),
        Metric::MeanResponseTime => Some((Slip::WaitingForResponse, Metric::MeanWaitingTime)),
        Metric::MeanWaitingTime => Some((Slip::WaitingForResponse, Metric::MeanResponseTime)),
        Metric::SecondMomentWaitingTime => Some((Slip::WaitingForResponse, Metric::SecondMomentResponseTime)),
        Metric::SecondMomentResponseTime => Some((Slip::WaitingForResponse, Metric::SecondMomentWaitingTime)),
        _ => None,
    };
    if let Some((slip, other)) = other {
        add(slip, value(load, discipline, other));
    }
    for other in Discipline::ALL.into_iter().filter(|other| *other != discipline) {
        add(Slip::OtherDiscipline(other), value(load, other, metric));
    }
    if hosts > 1.0 {
        add(Slip::LoadOfAllHosts, value(load / hosts, discipline, metric));
        add(Slip::LoadOfEachHost, value(load * hosts, discipline, metric));
    }
    slips
}

/// The slips that fit an observation which the model itself does not: those candidates that are consistent with it at the level of
/// 1 %, the nearest first.
///
/// Arrival times, and the start of a series of jobs, are looked at whether the model fits or not: a start that is unlike the rest
/// hides in a large standard error.
pub fn diagnose(
    check: &Check,
    candidates: &[(Slip, f64)],
    series: Option<&[f64]>,
    arrivals: Option<&[f64]>,
) -> Vec<Slip> {
    const LEVEL: f64 = 0.01;
    let mut slips = Vec::new();
    if let Some(arrivals) = arrivals.and_then(|times| series::arrivals(times).ok())
        && arrivals.p_value < LEVEL
    {
        slips.push(Slip::NotPoisson(arrivals));
    }
    if let Some((jobs, rest)) = series.and_then(series::start)
        && Check::new(check.name(), check.expected(), rest).against(check.expected().value).1 >= LEVEL
    {
        slips.push(Slip::WarmUpLeftIn { jobs });
    }
    if check.against(check.expected().value).1 >= LEVEL {
        return slips;
    }
    let mut fitting: Vec<(Slip, f64)> = candidates
        .iter()
        .map(|(slip, value)| (*slip, check.against(*value).1))
        .filter(|(_, p_value)| *p_value >= LEVEL)
        .collect();
    fitting.sort_by(|one, other| other.1.total_cmp(&one.1));
    slips.extend(fitting.into_iter().map(|(slip, _)| slip));
    slips
}
