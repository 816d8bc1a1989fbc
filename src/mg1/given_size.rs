//! What a job of one size meets.

use super::level::Level;
use super::linear::Linear;
use super::stream::Stream;
use super::sweep;
use super::work::Spread;
use super::{fb, fcfs, lcfs, lrpt, preemptive_lcfs, preemptive_sjf, siro, sjf, srpt};
use crate::error::{Error, Result, positive};
use crate::size::{Interval, JobSize};
use crate::workload::{Discipline, Estimate, Metric, Performance, Workload};

/// `E[T(x)]`: the mean response time of a job of size x under a discipline, by the formulas of the [module](super).
///
/// The size need not be one that the law has: it is that of a job added to the stream. At an atom, jobs of the same size go before it
/// if they came before it.
///
/// At load one or more small jobs may still see a steady state: under [`Discipline::PreemptiveSjf`] and [`Discipline::Srpt`] while
/// ρ(x) < 1, under [`Discipline::Fb`] while λE\[min(X,x)\] < 1. Under SRPT the term x²P(X>x) is then x²P(x<X≤y), with ρ(y) = 1: only jobs
/// below y ever come down to size x.
///
/// `x` is in units of work. Cost: some partial moments of the law; under SRPT a pass over the sizes below x, some 10 µs for a bounded
/// Pareto law. Accuracy: that of the law; under SRPT some 1e-14, exact for traces.
///
/// # Errors
/// [`Error::Argument`] unless x is positive and finite, [`Error::Unstable`] where jobs of size x see no steady state.
///
/// Source: as the functions of the disciplines; for overload N. Bansal and M. Harchol-Balter (2001).
///
/// ```
/// use queueing::prelude::*;
/// // The largest web file under SRPT does better than under processor sharing, where its slowdown is 10.
/// let jobs = Workload::with_load(BoundedPareto::new(332.0, 1e10, 1.1)?, 0.9)?;
/// let largest = mg1::response_time_given_size(&jobs, Discipline::Srpt, 1e10)?.value;
/// assert!((largest / 1e10 - 9.542277209).abs() < 1e-9);
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn response_time_given_size<S: JobSize>(jobs: &Workload<S>, discipline: Discipline, x: f64) -> Result<Estimate> {
    performance_given_size(jobs, discipline, x)?.estimate(Metric::MeanResponseTime)
}

/// `E[S(x)] = E[T(x)]/x`: the mean slowdown of a job of size x, from 1 in an empty system on.
///
/// As [`response_time_given_size`].
///
/// # Errors
/// As [`response_time_given_size`].
///
/// ```
/// use queueing::prelude::*;
/// let jobs = Workload::with_load(Pareto::new(1.0, 1.5)?, 0.75)?;
/// assert_eq!(mg1::slowdown_given_size(&jobs, Discipline::Ps, 7.0)?.value, 4.0);        // 1/(1−ρ) for every size
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn slowdown_given_size<S: JobSize>(jobs: &Workload<S>, discipline: Discipline, x: f64) -> Result<Estimate> {
    performance_given_size(jobs, discipline, x)?.estimate(Metric::MeanSlowdown)
}

/// All metrics of a job of size x: mean and second moment of T(x) and of T(x) − x, both slowdowns and their variance.
///
/// As [`response_time_given_size`]; under processor sharing only means are given for laws that are not phase types.
///
/// # Errors
/// As [`response_time_given_size`].
///
/// ```
/// use queueing::prelude::*;
/// let jobs = Workload::with_load(Exponential::with_mean(1.0)?, 0.5)?;
/// let one = mg1::performance_given_size(&jobs, Discipline::Lrpt, 1.0)?;
/// assert_eq!((one.mean_response_time()?, one.second_moment_response_time()?), (4.0, 44.0));
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn performance_given_size<S: JobSize>(jobs: &Workload<S>, discipline: Discipline, x: f64) -> Result<Performance> {
    positive("x", x)?;
    let model = format!("M/G/1 {discipline}, size {x}");
    let linear = |waiting: fn(&Stream) -> Linear| {
        jobs.stable()?;
        let stream = Stream::of(jobs);
        Ok(waiting(&stream).given(x).performance(model.clone(), x, stream.accuracy))
    };
    let rule = match discipline {
        Discipline::Fcfs => return linear(|stream| fcfs::spread_by(stream, 1.0)),
        Discipline::Lcfs => return linear(lcfs::waiting),
        Discipline::Siro => return linear(siro::waiting),
        Discipline::PreemptiveLcfs => return linear(preemptive_lcfs::waiting),
        Discipline::Lrpt => return linear(lrpt::waiting),
        Discipline::Ps => return super::ps::given_size(jobs, x, model),
        Discipline::Sjf => sjf::RULE,
        Discipline::PreemptiveSjf => preemptive_sjf::RULE,
        Discipline::Srpt => srpt::RULE,
        Discipline::Fb => fb::RULE,
    };
    let mut level = Level::at(jobs, x);
    let (load, spare) = match discipline {
        Discipline::Sjf => (jobs.load(), jobs.spare()),
        Discipline::Fb => (level.capped().load, level.capped().spare),
        _ => (level.up_to.load, level.up_to.spare),
    };
    if !(spare > 0.0) {
        return Err(Error::Unstable { load, limit: 1.0 });
    }
    // What is small of 1 − ρ(x) is conditioned like it.
    let mut accuracy = jobs.size().accuracy().conditioned(1.0 / spare);
    if rule.uses_residence {
        let swept = sweep::residence(jobs, x);
        level.residence = swept.residence;
        accuracy = accuracy.and(swept.accuracy);
        if !(jobs.spare() > 0.0) {
            level.rate_above = jobs.rate() * share_that_comes_down(jobs, x);
        }
    }
    let waiting: Spread = (rule.waiting)(&level);
    Ok(waiting.performance(model, x, accuracy))
}

/// P(x < X <= y) with λE[X; X <= y] = 1: the larger jobs that ever come down to size x where the load is one or more.
fn share_that_comes_down<S: JobSize>(jobs: &Workload<S>, x: f64) -> f64 {
    let (law, rate) = (jobs.size(), jobs.rate());
    // Sizes up to a bound that have a finite mean and enough load.
    let mut bound = 2.0 * x;
    while rate * law.partial_moment(1.0, 0.0, bound) <= 1.0 && bound < 1e300 {
        bound *= 2.0;
    }
    let Ok(sizes) = Interval::new(law, 0.0, bound) else { return 0.0 };
    let load = rate * law.partial_moment(1.0, 0.0, bound);
    let critical = sizes.load_quantile(1.0 / load, 1.0 - 1.0 / load);
    // Where y is an atom, a share of its jobs is served.
    let atom = crate::size::cutoff::atom_at(law, critical.size());
    (law.partial_moment(0.0, x, critical.size()) - (1.0 - critical.share()) * atom).max(0.0)
}
