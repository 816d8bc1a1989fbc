//! Every policy that has a formula, against its simulation: formula, simulation, z and verdict.

use queueing::crosscheck::{Check, compare_all, moment_in_play};
use queueing::prelude::*;
use queueing::sim::{self, Dispatch, Run, Sample};

fn main() -> Result<()> {
    let run = Run::new(2026).jobs(4_000_000);
    let size = BoundedPareto::new(1.0, 1e3, 1.5)?;
    let farm = Farm::with_load(size, Hosts::identical(4)?, 0.6)?;
    let exponential = Farm::with_load(Exponential::with_mean(1.0)?, Hosts::identical(4)?, 0.8)?;
    let mut checks = Vec::new();
    let mut add = |name: &str, formula: &Performance, sample: &Sample, metric: Metric, order: f64| -> Result<()> {
        let observed = Observed::from_estimate(sample.estimate(metric)?)?;
        checks
            .push(Check::new(format!("{name}, {metric}"), formula.estimate(metric)?, observed).of_sizes(&size, order)?);
        Ok(())
    };
    let metrics = [Metric::MeanWaitingTime, Metric::MeanSlowdown];

    for discipline in [Discipline::Fcfs, Discipline::Ps] {
        let formula = farm::random(&farm, discipline)?;
        let seen = sim::farm(&farm, &Dispatch::Random, discipline, &run)?;
        for metric in metrics {
            let name = format!("Random, {discipline}");
            add(&name, &formula, &seen.overall, metric, moment_in_play(metric, discipline))?;
        }
    }
    let cutoffs = [
        ("SITA-E", sita::equal_load(&farm)?),
        ("SITA-V", sita::optimal(&farm, Metric::MeanSlowdown, Discipline::Fcfs)?.cutoffs),
    ];
    for (name, cutoffs) in cutoffs {
        let formula = sita::evaluate(&farm, &cutoffs, Discipline::Fcfs)?.overall;
        let seen = sim::farm(&farm, &Dispatch::Sita(cutoffs), Discipline::Fcfs, &run)?;
        for metric in metrics {
            add(name, formula.performance()?, &seen.overall, metric, moment_in_play(metric, Discipline::Fcfs))?;
        }
    }
    let formula = farm::least_work_left(&exponential)?.overall;
    let seen = sim::farm(&exponential, &Dispatch::LeastWorkLeft, Discipline::Fcfs, &run)?;
    for metric in [Metric::MeanWaitingTime, Metric::ProbabilityOfWaiting] {
        add("M/M/4", &formula, &seen.overall, metric, 1.0)?;
    }

    let report = compare_all(&checks, 0.01)?;
    println!("{:<45} {:>12} {:>12} {:>7}  verdict", "policy, metric", "formula", "simulation", "z");
    for one in &report.comparisons {
        let (formula, seen) = (one.expected.value, one.observed.mean());
        println!("{:<45} {formula:>12.5} {seen:>12.5} {:>7.2}  {}", one.name, one.z, one.verdict);
    }
    assert!(!report.is_inconsistent());
    Ok(())
}
