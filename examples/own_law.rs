//! A law and a cost of one's own: sizes with a Pareto tail that bends down (Pareto with exponential cutoff), and a farm whose cost
//! is the mean waiting time plus a penalty for every unit of load above 0.72 on a host.

use queueing::prelude::*;

/// P(X > x) = (1 + x)^−α e^−x/b.
#[derive(Debug)]
struct TemperedPareto {
    alpha: f64,
    bend: f64,
}

impl JobSize for TemperedPareto {
    fn support(&self) -> (f64, f64) {
        (0.0, f64::INFINITY)
    }

    fn sf(&self, x: f64) -> f64 {
        (1.0 + x.max(0.0)).powf(-self.alpha) * (-x.max(0.0) / self.bend).exp()
    }

    // −d sf/dx
    fn density(&self, x: f64) -> f64 {
        if x < 0.0 || x.is_infinite() { 0.0 } else { self.sf(x) * (self.alpha / (1.0 + x) + 1.0 / self.bend) }
    }
}

fn main() -> queueing::Result<()> {
    let farm = Farm::with_load(TemperedPareto { alpha: 1.2, bend: 1e4 }, Hosts::identical(3)?, 0.7)?;
    let size = farm.jobs().size();
    println!("mean size {:.6}, scv {:.4}, 99th percentile {:.3}", size.mean(), size.scv(), size.quantile(0.99));

    let best = sita::optimal(&farm, Metric::MeanWaitingTime, Discipline::Fcfs)?;
    let careful = sita::optimal_by(&farm, |host| {
        let waiting = 0.5 * host.rate() * host.moment(2.0) / host.spare();
        waiting + 100.0 * (host.load() - 0.72).max(0.0)
    })?;
    for (name, result) in [("least waiting", &best), ("with a penalty above load 0.72", &careful)] {
        let waiting = result.overall.estimate(Metric::MeanWaitingTime)?;
        let sizes: Vec<String> = result.cutoffs.sizes().map(|size| format!("{size:.4}")).collect();
        let loads: Vec<String> = result.hosts.iter().map(|host| format!("{:.4}", host.load)).collect();
        println!("{name}: E[W] = {:.6} ({:?})", waiting.value, waiting.accuracy);
        println!("  cutoffs {}; loads {}", sizes.join(", "), loads.join(", "));
    }
    Ok(())
}
