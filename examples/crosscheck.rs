//! Every policy that has a formula, against its simulation: formula, simulation, z and verdict.

use queueing::crosscheck::{Check, compare_all, moment_in_play};
use queueing::prelude::*;
use queueing::sim::{self, Dispatch, Run, Sample, Stealing};
use queueing::stealing::{CentralQueue, ImmediateDispatch, Renaming};

const METRICS: [Metric; 2] = [Metric::MeanWaitingTime, Metric::MeanSlowdown];

fn main() -> Result<()> {
    let mut checks = Checks(Vec::new());
    one_host(&mut checks)?;
    farms(&mut checks)?;
    cycle_stealing(&mut checks)?;

    let report = compare_all(&checks.0, 0.01)?;
    println!("{:<52} {:>12} {:>12} {:>7}  verdict", "policy, metric", "formula", "simulation", "z");
    for one in &report.comparisons {
        let (formula, seen) = (one.expected.value, one.observed.mean());
        println!("{:<52} {formula:>12.5} {seen:>12.5} {:>7.2}  {}", one.name, one.z, one.verdict);
    }
    assert!(!report.is_inconsistent());
    Ok(())
}

/// The comparisons, of jobs with these sizes.
struct Checks(Vec<Check>);

impl Checks {
    fn add<S: JobSize>(
        &mut self,
        name: &str,
        formula: &Performance,
        sample: &Sample,
        metric: Metric,
        (size, order): (&S, f64),
    ) -> Result<()> {
        // A mean that is infinite is never the mean of a sample.
        let expected = formula.estimate(metric)?;
        if expected.value.is_finite() {
            let observed = Observed::from_estimate(sample.estimate(metric)?)?;
            self.0.push(Check::new(format!("{name}, {metric}"), expected, observed).of_sizes(size, order)?);
        }
        Ok(())
    }
}

/// Ten disciplines, and two kinds of priorities.
fn one_host(checks: &mut Checks) -> Result<()> {
    let run = Run::new(2026).jobs(2_000_000);
    let size = BoundedPareto::new(1.0, 1e3, 1.5)?;
    let jobs = Workload::with_load(size, 0.7)?;
    for discipline in Discipline::ALL {
        let (formula, seen) = (mg1::performance(&jobs, discipline)?, sim::mg1(&jobs, discipline, &run)?);
        for metric in METRICS {
            let order = moment_in_play(metric, discipline);
            checks.add(&discipline.to_string(), &formula, &seen.overall, metric, (&size, order))?;
        }
    }
    let classes = [
        Workload::with_load(Exponential::with_mean(1.0)?, 0.4)?,
        Workload::with_load(Exponential::with_mean(3.0)?, 0.4)?,
    ];
    for (name, preemptive) in [("non-preemptive priority", false), ("preemptive priority", true)] {
        let formula =
            if preemptive { mg1::preemptive_priority(&classes)? } else { mg1::non_preemptive_priority(&classes)? };
        let seen = sim::priorities(&classes, preemptive, &run)?;
        for (i, class) in classes.iter().enumerate() {
            let name = format!("{name}, class {}", i + 1);
            let formula = formula.classes[i].performance()?;
            checks.add(&name, formula, &seen.classes[i], Metric::MeanWaitingTime, (class.size(), 2.0))?;
        }
    }
    Ok(())
}

/// Random, SITA and least work left on four hosts.
fn farms(checks: &mut Checks) -> Result<()> {
    let run = Run::new(2026).jobs(4_000_000);
    let size = BoundedPareto::new(1.0, 1e3, 1.5)?;
    let farm = Farm::with_load(size, Hosts::identical(4)?, 0.6)?;
    for discipline in [Discipline::Fcfs, Discipline::Ps] {
        let formula = farm::random(&farm, discipline)?;
        let seen = sim::farm(&farm, &Dispatch::Random, discipline, &run)?;
        for metric in METRICS {
            let order = moment_in_play(metric, discipline);
            checks.add(&format!("Random, {discipline}"), &formula, &seen.overall, metric, (&size, order))?;
        }
    }
    let cutoffs = [
        ("SITA-E", sita::equal_load(&farm)?),
        ("SITA-V", sita::optimal(&farm, Metric::MeanSlowdown, Discipline::Fcfs)?.cutoffs),
    ];
    for (name, cutoffs) in cutoffs {
        let formula = sita::evaluate(&farm, &cutoffs, Discipline::Fcfs)?.overall;
        let seen = sim::farm(&farm, &Dispatch::Sita(cutoffs), Discipline::Fcfs, &run)?;
        for metric in METRICS {
            let order = moment_in_play(metric, Discipline::Fcfs);
            checks.add(name, formula.performance()?, &seen.overall, metric, (&size, order))?;
        }
    }
    let size = Exponential::with_mean(1.0)?;
    let farm = Farm::with_load(size, Hosts::identical(4)?, 0.8)?;
    let formula = farm::least_work_left(&farm)?.overall;
    let seen = sim::farm(&farm, &Dispatch::LeastWorkLeft, Discipline::Fcfs, &run)?;
    for metric in [Metric::MeanWaitingTime, Metric::ProbabilityOfWaiting] {
        checks.add("M/M/4", &formula, &seen.overall, metric, (&size, 1.0))?;
    }
    Ok(())
}

/// Two short hosts and a long host, under every policy.
fn cycle_stealing(checks: &mut Checks) -> Result<()> {
    let run = Run::new(2026).jobs(4_000_000);
    let (short, long) = (Exponential::with_mean(1.0)?, Exponential::with_mean(2.0)?);
    let (shorts, longs) = (Workload::with_load(short, 1.8)?, Workload::with_load(long, 0.5)?);
    let (two, one) = (Hosts::identical(2)?, Hosts::identical(1)?);
    let central = CentralQueue::default().short_hosts(2).tolerance(1e-6);
    let immediate = ImmediateDispatch::default().short_hosts(2).tolerance(1e-6);
    let mut policies =
        vec![("SBCS-ID", Stealing::ImmediateDispatch, stealing::immediate_dispatch(&shorts, &longs, immediate)?)];
    for (name, renaming) in [
        ("SBCS-CQ", Renaming::Never),
        ("SBCS-CQ, eager renaming", Renaming::Eager),
        ("SBCS-CQ, lazy renaming", Renaming::Lazy),
    ] {
        let both = stealing::central_queue(&shorts, &longs, central.renaming(renaming))?;
        policies.push((name, Stealing::CentralQueue(renaming), both));
    }
    let both = stealing::central_queue(&shorts, &longs, central.both_ways())?;
    policies.push(("stealing both ways", Stealing::BothWays, both));
    for (name, rule, both) in policies {
        let seen = sim::stealing(&shorts, &longs, two, one, rule, &run)?;
        let classes = [("shorts", &short, both.shorts()), ("longs", &long, both.longs())];
        for (i, (class, size, outcome)) in classes.into_iter().enumerate() {
            let name = format!("{name}, {class}");
            checks.add(&name, outcome.performance()?, &seen.classes[i], Metric::MeanWaitingTime, (size, 2.0))?;
        }
    }
    Ok(())
}
