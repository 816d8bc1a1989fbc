//! What a series of jobs tells of itself: batches, the start, the arrivals.

use super::observed::Observed;
use crate::error::{Error, Result, require};
use crate::numeric::normal;
use crate::sim::{Spread, spread};

/// The fewest jobs of a series.
pub(super) const LEAST_JOBS: usize = 32;

/// Batches are not made longer than leaves so many of them.
const LEAST_BATCHES: usize = 32;

/// Batches are made of no fewer jobs than leaves so many of them: short batches are correlated, and their means not normal.
const MOST_BATCHES: usize = 256;

pub(super) struct Batches {
    pub length: usize,
    pub means: Vec<f64>,
}

/// The shortest batches, of lengths that double, whose means no longer correlate beyond chance.
pub(super) fn batch_means(values: &[f64]) -> Batches {
    let mut length = values.len().div_ceil(MOST_BATCHES).max(1);
    loop {
        let means: Vec<f64> =
            values.chunks_exact(length).map(|batch| batch.iter().sum::<f64>() / length as f64).collect();
        let Spread { square, product } = spread(&means);
        let is_correlated = product > square / (means.len() as f64).sqrt();
        if means.len() < 2 * LEAST_BATCHES || !is_correlated {
            return Batches { length, means };
        }
        length *= 2;
    }
}

/// Jobs at the start of a series that should be left out: the cut that makes the mean of the rest the most certain (MSER), found
/// in the first half.
///
/// Source: K. P. White, "An effective truncation heuristic for bias reduction in simulation output" (1997), with batches of five.
///
/// ```
/// use queueing::crosscheck::warm_up;
/// let mut waits = vec![0.0; 100];
/// waits.extend((0..900).map(|i| 5.0 + f64::from(i % 5)));
/// assert_eq!(warm_up(&waits), 100);
/// ```
pub fn warm_up(values: &[f64]) -> usize {
    const BATCH: usize = 5;
    let means: Vec<f64> = values.chunks_exact(BATCH).map(|batch| batch.iter().sum::<f64>() / BATCH as f64).collect();
    // From the end: sums of the rest behind each cut, around the last mean so that nothing cancels much.
    let (mut sum, mut square, mut best) = (0.0, 0.0, (f64::INFINITY, 0));
    let centre = means.iter().sum::<f64>() / means.len().max(1) as f64;
    for (cut, mean) in means.iter().enumerate().rev() {
        let x = mean - centre;
        (sum, square) = (sum + x, square + x * x);
        let rest = (means.len() - cut) as f64;
        // Var/n of the rest
        let criterion = (square - sum * sum / rest) / (rest * rest);
        if cut <= means.len() / 2 && criterion <= best.0 {
            best = (criterion, cut);
        }
    }
    best.1 * BATCH
}

/// Whether arrivals are a Poisson stream.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Arrivals {
    /// Arrivals per unit of time.
    pub rate: f64,
    /// Squared coefficient of variation of the gaps: 1 for a Poisson stream.
    pub scv: f64,
    /// Correlation of neighbouring gaps: 0 for a Poisson stream.
    pub autocorrelation: f64,
    /// The probability that a Poisson stream shows a scv or a correlation as far off as these.
    pub p_value: f64,
}

/// Tests arrival times for a Poisson stream: the scv of the gaps and the correlation of neighbours.
///
/// # Errors
/// [`Error::Argument`] for fewer than 32 times or if all are equal; [`Error::Datum`] for times that are not finite or fall.
///
/// ```
/// let every_second: Vec<f64> = (0..100).map(f64::from).collect();
/// let arrivals = queueing::crosscheck::arrivals(&every_second)?;
/// assert_eq!(arrivals.scv, 0.0);
/// assert!(arrivals.p_value < 1e-6);
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn arrivals(times: &[f64]) -> Result<Arrivals> {
    require(times.len() >= LEAST_JOBS, "arrivals", times.len() as f64, format!("must be at least {LEAST_JOBS}"))?;
    let requirement = "must be finite and not before the one before it";
    let is_bad = |pair: &[f64]| !(pair[1] >= pair[0] && pair[1].is_finite() && pair[0].is_finite());
    if let Some(i) = times.windows(2).position(is_bad) {
        return Err(Error::Datum { what: "arrival", index: i + 2, value: times[i + 1], requirement });
    }
    let gaps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let count = gaps.len() as f64;
    let mean = gaps.iter().sum::<f64>() / count;
    require(mean > 0.0, "mean gap between arrivals", mean, "must be positive")?;
    let Spread { square, product } = spread(&gaps);
    let scv = square / (count - 1.0) / (mean * mean);
    let autocorrelation = if square > 0.0 { product / square } else { 0.0 };
    // Exponential gaps: √n (scv − 1) has variance 4, its logarithm is nearer to normal; √n r has variance 1.
    let z = [scv.max(1e-300).ln() * (count / 4.0).sqrt(), autocorrelation * count.sqrt()];
    let least = z.map(|z| 2.0 * normal::normal_interval(z.abs(), f64::INFINITY, f64::INFINITY));
    Ok(Arrivals { rate: 1.0 / mean, scv, autocorrelation, p_value: (2.0 * least[0].min(least[1])).min(1.0) })
}

/// A start of a series that is not like the rest: its jobs, and what the rest tells.
pub(super) fn start(values: &[f64]) -> Option<(usize, Observed)> {
    /// Standard errors by which the start differs: the cut was sought, so chance finds some.
    const APART: f64 = 5.0;
    let cut = warm_up(values);
    let rest = Observed::from_series(&values[cut..]).ok().filter(|_| cut > 0)?;
    let mean = values[..cut].iter().sum::<f64>() / cut as f64;
    let error = rest.standard_error() * ((values.len() - cut) as f64 / cut as f64).sqrt();
    ((mean - rest.mean()).abs() > APART * error).then_some((cut, rest))
}
