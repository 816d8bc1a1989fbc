//! Which sizes are short: the cutoff that divides one workload best.

use super::limits::Policy;
use super::result::CycleStealing;
use super::sweep::evaluate;
use crate::error::{Error, Infeasibility, Result};
use crate::size::{Cutoff, Interval, JobSize};
use crate::workload::{Metric, Workload};

/// Places tried before the best is refined.
const PLACES: usize = 64;

/// Golden sections; 26 narrow the place to 4e-6 of the distance between two places, and the value at the minimum to the square of that.
const SECTIONS: usize = 26;

/// The golden ratio's 0.618.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// One workload divided into shorts and longs.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Split {
    /// Jobs up to here are short.
    pub cutoff: Cutoff,
    /// The share of jobs that are short.
    pub share_of_jobs: f64,
    /// The share of the work that shorts bring.
    pub share_of_work: f64,
    /// Both classes, and all jobs.
    pub performance: CycleStealing,
}

/// `min E[metric]` over the size that divides the jobs into shorts and longs, for two hosts under a cycle-stealing policy.
///
/// `jobs` is what both hosts serve together: its load is below 2. The metric is the mean waiting time, response time, slowdown or waiting
/// slowdown of all jobs. Under [`Policy::Dedicated`] this is SITA with two hosts, as [`sita::optimal`](crate::farm::sita::optimal).
/// Sizes up to a cutoff are seldom a phase type: they are replaced by one with the same three moments, by dimensionality reduction;
/// the numbers at the cutoff that is found are refined to 1e-6 where that is possible. [`optimal_cutoff_with`] searches with refined ones,
/// which may move the cutoff. Of a trace, the jobs of one size may be divided at random.
///
/// The cost is evaluated at 64 places, equally spaced in the work below the cutoff and closer towards both ends, and the best is
/// refined by golden section. A second valley that is narrower than the places could be missed.
///
/// Cost: some hundred solutions, a quarter of a second for bounded Pareto sizes, up to 15 seconds for sizes of little variability.
/// Accuracy: of the policy's numbers, `Approximate`; of the value at the minimum, 1e-8 of that.
///
/// # Errors
/// [`Error::Infeasible`] if no cutoff leaves both classes stable or the metric is infinite for all; [`Error::Unavailable`] for other
/// metrics; as the policy's function where that refuses every cutoff.
///
/// ```
/// use queueing::prelude::*;
/// use queueing::stealing::{Policy, Renaming};
/// let jobs = Workload::with_load(BoundedPareto::new(1.0, 1e4, 1.2)?, 1.4)?;          // 0.7 a host
/// let best = |policy| -> Result<f64> {
///     stealing::optimal_cutoff(&jobs, Metric::MeanResponseTime, policy)?.performance.overall().mean_response_time()
/// };
/// assert!((best(Policy::Dedicated)? - 33.98).abs() < 0.01);                          // SITA
/// assert!((best(Policy::ImmediateDispatch)? - 26.10).abs() < 0.01);
/// assert!((best(Policy::CentralQueue(Renaming::Never))? - 25.19).abs() < 0.01);
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn optimal_cutoff<S: JobSize>(jobs: &Workload<S>, metric: Metric, policy: Policy) -> Result<Split> {
    optimal_cutoff_with(jobs, metric, policy, None)
}

/// [`optimal_cutoff`] with the solver's tolerance.
///
/// # Errors
/// As [`optimal_cutoff`].
pub fn optimal_cutoff_with<S: JobSize>(
    jobs: &Workload<S>,
    metric: Metric,
    policy: Policy,
    tolerance: Option<f64>,
) -> Result<Split> {
    let known = [Metric::MeanWaitingTime, Metric::MeanResponseTime, Metric::MeanSlowdown, Metric::MeanWaitingSlowdown];
    if !known.contains(&metric) {
        return Err(Error::Unavailable { metric: metric.name(), model: "stealing::optimal_cutoff".to_owned() });
    }
    if !(jobs.load() < 2.0) {
        return Err(Error::Infeasible { reason: Infeasibility::Load { load: 0.5 * jobs.load() } });
    }
    // Equally spaced in w = 1/(1 + exp(−u)), the share of work below: as fine near 0 and 1 as the shares are small.
    let range = 14.0;
    let place = |i: usize| range * (2.0 * (i as f64 + 0.5) / PLACES as f64 - 1.0);
    let value = |u: f64| -> Result<f64> {
        match at(jobs, u, policy, tolerance)?.performance.overall().estimate(metric) {
            Ok(estimate) => Ok(estimate.value),
            Err(Error::Unstable { .. }) => Ok(f64::INFINITY),
            Err(error) => Err(error),
        }
    };
    let cost = |u: f64| value(u).unwrap_or(f64::INFINITY);
    let costs: Vec<f64> = (0..PLACES).map(|i| cost(place(i))).collect();
    let best = (0..PLACES).min_by(|&i, &j| costs[i].total_cmp(&costs[j])).unwrap_or(0);
    if !costs[best].is_finite() {
        // No place has an answer, for another reason than that there is none.
        let refused = (0..PLACES).find_map(|i| value(place(i)).err().filter(|e| !matches!(e, Error::Unstable { .. })));
        if let Some(error) = refused {
            return Err(error);
        }
        let reason = Infeasibility::InfiniteObjective { objective: metric.name(), order: infinite_order(jobs, metric) };
        return Err(Error::Infeasible { reason });
    }
    let step = place(1) - place(0);
    let (mut low, mut high) = (place(best) - step, place(best) + step);
    let mut inner = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
    let mut values = inner.map(cost);
    let mut found = (place(best), costs[best]);
    for _ in 0..SECTIONS {
        let lower = usize::from(values[1] < values[0]);
        if values[lower] < found.1 {
            found = (inner[lower], values[lower]);
        }
        if lower == 0 {
            high = inner[1];
            inner = [high - GOLDEN * (high - low), inner[0]];
            values = [cost(inner[0]), values[0]];
        } else {
            low = inner[0];
            inner = [inner[1], low + GOLDEN * (high - low)];
            values = [values[1], cost(inner[1])];
        }
    }
    if tolerance.is_none()
        && let Ok(refined) = at(jobs, found.0, policy, Some(1e-6))
    {
        return Ok(refined);
    }
    at(jobs, found.0, policy, tolerance)
}

/// The moment of the sizes that makes a metric infinite whatever the cutoff.
fn infinite_order<S: JobSize>(jobs: &Workload<S>, metric: Metric) -> Option<f64> {
    let of_slowdown = matches!(metric, Metric::MeanSlowdown | Metric::MeanWaitingSlowdown);
    let orders = if of_slowdown { [-1.0, 2.0] } else { [2.0, 2.0] };
    orders.into_iter().find(|&order| jobs.size().moment(order).is_infinite())
}

/// The workload divided where shorts bring the share 1/(1 + exp(−u)) of the work.
fn at<S: JobSize>(jobs: &Workload<S>, u: f64, policy: Policy, tolerance: Option<f64>) -> Result<Split> {
    let (below, above) = (1.0 / (1.0 + (-u).exp()), 1.0 / (1.0 + u.exp()));
    let cutoff = jobs.size().load_quantile(below, above);
    let (low, high) = (Cutoff::LOWEST, Cutoff::HIGHEST);
    let (short, long) = (Interval::between(jobs.size(), low, cutoff)?, Interval::between(jobs.size(), cutoff, high)?);
    let share_of_jobs = short.probability();
    let shorts = Workload::new(jobs.rate() * share_of_jobs, short)?;
    let longs = Workload::new(jobs.rate() * long.probability(), long)?;
    let performance = evaluate(&shorts, &longs, policy, tolerance)?;
    Ok(Split { cutoff, share_of_jobs, share_of_work: below, performance })
}
