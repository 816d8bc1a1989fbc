//! When does it pay to unbalance the load? Two hosts, bounded Pareto sizes of mean 3000 and largest 1e10.
//!
//! For each tail exponent: mean waiting slowdown E[W/X] with equal loads (SITA-E) and with the best cutoff (SITA-V), the gain, and
//! the load of the host that serves the short jobs. Crovella, Harchol-Balter and Murta (1998) reported gains "up to 1000 or more".

use queueing::prelude::*;

fn main() -> queueing::Result<()> {
    let load = 0.5;
    println!("{:>5} {:>12} {:>12} {:>12} {:>18}", "alpha", "SITA-E", "SITA-V", "gain", "short host's load");
    for alpha in [0.5, 0.7, 0.9, 1.0, 1.1, 1.3, 1.5, 2.0] {
        let size = BoundedPareto::with_mean(3000.0, 1e10, alpha)?;
        let farm = Farm::with_load(size, Hosts::identical(2)?, load)?;
        let equal = sita::evaluate(&farm, &sita::equal_load(&farm)?, Discipline::Fcfs)?;
        let best = sita::optimal(&farm, Metric::MeanWaitingSlowdown, Discipline::Fcfs)?;
        let (equal, value) = (equal.overall.mean_waiting_slowdown()?, best.overall.mean_waiting_slowdown()?);
        println!("{alpha:>5} {equal:>12.4e} {value:>12.4e} {:>12.4e} {:>18.5}", equal / value, best.hosts[0].load);
    }
    Ok(())
}
