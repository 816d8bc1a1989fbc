//! A transform to a mixture of exponentials.

use crate::error::{Error, Result, positive, require};
use crate::numeric::least_squares::non_negative;
use crate::size::PhaseType;

/// Weight of the rows for mass, mean and second moment beside those for the transform.
const HEAVY: f64 = 30.0;

/// Points at which the transform is compared.
const POINTS: usize = 400;

/// The rates that a mixture may use: `count` of them, equally spaced in their logarithm.
///
/// The transform is compared at 400 points from `slowest` to `fastest`, both times √10. Both ends must go beyond the time scales of
/// the law: a slow one is that of the tail (a busy period: its longest jobs over 1 − load), the fast one that of the shortest jobs.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Grid {
    slowest: f64,
    fastest: f64,
    count: usize,
}

impl Grid {
    /// By the slowest and the fastest rate and their number.
    ///
    /// # Errors
    /// [`Error::Argument`] unless 0 < slowest < fastest, both finite, and there are 2 to 400 rates.
    pub fn new(slowest: f64, fastest: f64, count: usize) -> Result<Self> {
        positive("slowest rate", slowest)?;
        positive("fastest rate", fastest)?;
        require(fastest > slowest, "fastest rate", fastest, "must exceed the slowest")?;
        require((2..=POINTS).contains(&count), "number of rates", count as f64, "must be between 2 and 400")?;
        Ok(Self { slowest, fastest, count })
    }

    fn spread(&self, count: usize, factor: f64) -> impl Iterator<Item = f64> {
        let (low, step) = (self.slowest.ln(), (self.fastest / self.slowest).ln() / (count as f64 - 1.0));
        (0..count).map(move |i| factor * (low + step * i as f64).exp())
    }
}

/// A mixture of exponentials and how well its transform fits.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TransformFit {
    /// The mixture: one phase for each rate that is used.
    pub law: PhaseType,
    /// The largest relative error of 1 − E\[exp(−sX)\] over the points of the grid.
    pub error: f64,
}

/// `Σ p_i s/(r_i + s) = 1 − E[exp(−sX)]` with p >= 0: a mixture of exponentials with a given transform.
///
/// `complement(s)` is 1 − E\[exp(−sX)\] at real s > 0. Mass and mean are kept, and the second moment where it is given, by heavily
/// weighted rows (to about the error of the fit). A law with a completely monotone density is a mixture of exponentials, and then the
/// fit is as good as the grid. Of busy periods: 3e-4 for three rates a decade, 6e-7 for five, 8e-8 for eight and 2e-8 for eleven at worst;
/// rounding may keep more from helping. `error` tells.
///
/// Cost: 400 values of the transform and some milliseconds. Few phases survive.
///
/// # Errors
/// [`Error::Datum`] naming the point where the complement is not between 0 and 1; [`Error::Argument`] for bad moments;
/// [`Error::NoConvergence`].
///
/// ```
/// use queueing::prelude::*;
/// use queueing::markov::fit::{Grid, transform};
/// // A mixture of two exponentials comes back.
/// let law = HyperExponential::two(0.75, 1.0, 10.0)?;
/// let complement = |s: f64| 0.75 * s / (1.0 + s) + 0.25 * s / (0.1 + s);
/// let fit = transform(complement, law.mean(), Some(law.moment(2.0)), Grid::new(1e-3, 1e2, 41)?)?;
/// assert!(fit.error < 1e-9);
/// assert!((fit.law.moment(3.0) / law.moment(3.0) - 1.0).abs() < 1e-6);
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn transform(complement: impl Fn(f64) -> f64, mean: f64, second: Option<f64>, grid: Grid) -> Result<TransformFit> {
    positive("mean", mean)?;
    let rates: Vec<f64> = grid.spread(grid.count, 1.0).collect();
    let points: Vec<f64> = grid.spread(POINTS, 10.0_f64.sqrt()).collect();
    let mut values = Vec::with_capacity(points.len());
    for (i, &s) in points.iter().enumerate() {
        let value = complement(s);
        if !(value > 0.0 && value <= 1.0) {
            let requirement = "must be above 0 and at most 1";
            return Err(Error::Datum { what: "1 − transform at point", index: i + 1, value, requirement });
        }
        values.push(value);
    }
    let mut rows: Vec<f64> = Vec::with_capacity((points.len() + 3) * rates.len());
    let mut right = vec![1.0; points.len()];
    for (s, value) in points.iter().zip(&values) {
        rows.extend(rates.iter().map(|rate| s / (rate + s) / value));
    }
    let mut keep = |row: &dyn Fn(f64) -> f64, target: f64| {
        rows.extend(rates.iter().map(|&rate| HEAVY * row(rate) / target));
        right.push(HEAVY);
    };
    keep(&|_| 1.0, 1.0);
    keep(&|rate| 1.0 / rate, mean);
    if let Some(second) = second {
        keep(&|rate| 2.0 / (rate * rate), positive("second moment", second)?);
    }
    let weights = non_negative(&rows, &right, rates.len())?;
    let total: f64 = weights.iter().sum();
    require(total > 0.0, "mass of the mixture", total, "must be positive: the grid does not fit the law")?;
    let branches: Vec<(f64, f64)> =
        weights.iter().zip(&rates).filter(|(p, _)| **p > 0.0).map(|(p, rate)| (p / total, 1.0 / rate)).collect();
    let off = |(s, value): (&f64, &f64)| {
        let fitted: f64 = branches.iter().map(|(p, mean)| p * s * mean / (1.0 + s * mean)).sum();
        (fitted / value - 1.0).abs()
    };
    let error = points.iter().zip(&values).map(off).fold(0.0, f64::max);
    Ok(TransformFit { law: PhaseType::hyper_exponential(&branches)?, error })
}
