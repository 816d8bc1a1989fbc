//! A law from what monitoring systems export: mean, percentiles and maximum.

use super::Empirical;
use crate::error::{Error, Result, positive, require};
use crate::numeric::power::{power_integral, power_quantile};
use crate::numeric::root::monotone;

/// Atoms that stand for the sizes between two percentiles.
const ATOMS: u32 = 64;

/// The share of a bin that stands at its upper end, so that percentiles and the largest size are met.
const AT_THE_END: f64 = 1.0 / 1024.0;

/// What [`Empirical::assumption`] says of such a law.
pub(super) const ASSUMPTION: &str = "between the given sizes the density is a power of the size, one exponent for all, fixed by the \
     mean; a smallest size that was not given is as far below the lowest percentile, in logarithms, as the next one is above it";

/// A monitoring summary: mean, percentiles, largest and perhaps smallest size.
///
/// ```
/// use queueing::prelude::*;
/// let size = Summary::new(650.7, 652_617.0)
///     .with_percentile(0.50, 108.6)
///     .with_percentile(0.90, 1058.0)
///     .with_percentile(0.99, 10_337.0)
///     .with_smallest(8.4)
///     .law()?;
/// assert!((size.mean() / 650.7 - 1.0).abs() < 1e-12);
/// assert!((size.cdf(1058.0) - 0.9).abs() < 1e-12);
/// assert!(size.assumption().is_some());
/// # Ok::<(), queueing::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Summary {
    mean: f64,
    largest: f64,
    smallest: Option<f64>,
    percentiles: Vec<(f64, f64)>,
}

impl Summary {
    /// The mean and the largest size, in units of work.
    pub fn new(mean: f64, largest: f64) -> Self {
        Self { mean, largest, smallest: None, percentiles: Vec::new() }
    }

    /// Adds a percentile: a share `p` (0 < p < 1) of the jobs is at most `size`.
    #[must_use]
    pub fn with_percentile(mut self, p: f64, size: f64) -> Self {
        self.percentiles.push((p, size));
        self
    }

    /// The smallest size. Without it, the lowest percentile's square over the next one is assumed: as far below it, in logarithms, as
    /// that is above.
    #[must_use]
    pub fn with_smallest(mut self, smallest: f64) -> Self {
        self.smallest = Some(smallest);
        self
    }

    /// A law with this mean, these percentiles and these ends.
    ///
    /// Between two given sizes the density is taken as a power of the size, with one exponent for all bins, chosen so that the mean
    /// comes out; each bin becomes 64 atoms at the means of its equally likely parts, and a small one at its upper end, so that the
    /// quantiles and the largest size are the given ones. [`Empirical::assumption`] repeats this.
    /// The moments beyond the mean hang on the assumption, and results carry
    /// [`Assumption::PercentileSummary`](crate::Assumption::PercentileSummary). For heavy tails E\[X²\], and with it waiting under
    /// FCFS, may be off by a factor of three; E\[1/X\], and with it slowdowns, by far more where the smallest sizes are not known.
    /// Cutoffs are less sensitive: use the summary to find them, and a trace to say what they gain.
    ///
    /// # Errors
    /// [`Error::Argument`] for values out of order or out of range, and for a mean that no law with these percentiles has.
    pub fn law(&self) -> Result<Empirical> {
        let bins = self.bins()?;
        let mean_with = |tilt: f64| bins.iter().flat_map(|bin| bin.atoms(tilt)).map(|(size, p)| size * p).sum::<f64>();
        // The tilt moves every bin's mean from its lower to its upper end.
        let (flat, steep) = (-400.0, 400.0);
        let (least, most) = (mean_with(flat), mean_with(steep));
        require(
            self.mean > least && self.mean < most,
            "mean",
            self.mean,
            format!("must lie between {least} and {most}, the means of laws with these percentiles"),
        )?;
        let tilt = monotone(&mut |tilt| (mean_with(tilt) / self.mean).ln(), flat, steep);
        let atoms: Vec<(f64, f64)> = bins.iter().flat_map(|bin| bin.atoms(tilt)).collect();
        Ok(Empirical::from_atoms(&atoms)?.assuming(ASSUMPTION))
    }

    fn bins(&self) -> Result<Vec<Bin>> {
        positive("mean", self.mean)?;
        positive("largest", self.largest)?;
        let (mut p, mut size) = (0.0, 0.0);
        for (i, &(next_p, next_size)) in self.percentiles.iter().enumerate() {
            let datum = |what, value, requirement| Error::Datum { what, index: i + 1, value, requirement };
            if !(next_p > p && next_p < 1.0) {
                return Err(datum("percentile", next_p, "must lie between the one before it and 1"));
            }
            if !(next_size > 0.0 && next_size >= size && next_size.is_finite()) {
                return Err(datum(
                    "size at percentile",
                    next_size,
                    "must be positive and not fall from percentile to percentile",
                ));
            }
            (p, size) = (next_p, next_size);
        }
        require(
            self.largest >= size,
            "largest",
            self.largest,
            format!("must not be below {size}, the size at a percentile"),
        )?;
        let ends: Vec<(f64, f64)> = self.percentiles.iter().copied().chain([(1.0, self.largest)]).collect();
        let lowest = ends[0].1;
        let next = ends.get(1).map_or(lowest, |end| end.1);
        let smallest = positive("smallest", self.smallest.unwrap_or(lowest * (lowest / next)))?;
        require(smallest <= lowest, "smallest", smallest, format!("must not exceed {lowest}, the next size given"))?;
        let starts = [(0.0, smallest)].into_iter().chain(ends.iter().copied());
        let bin = |((p, low), &(next_p, high)): ((f64, f64), &(f64, f64))| Bin { low, high, probability: next_p - p };
        Ok(starts.zip(&ends).map(bin).collect())
    }
}

/// The sizes between two percentiles, with density proportional to a power of the size.
struct Bin {
    low: f64,
    high: f64,
    probability: f64,
}

impl Bin {
    fn log_range(&self) -> f64 {
        (self.high / self.low).ln()
    }

    /// The mean between two sizes for a density proportional to x^{tilt−1}.
    fn mean_relative(tilt: f64, low: f64, high: f64) -> f64 {
        if high <= low {
            return low;
        }
        // Relative to the end that dominates, so that steep tilts do not overflow.
        let end = if tilt > 0.0 { high } else { low };
        let (a, b) = (low / end, high / end);
        end * power_integral(tilt + 1.0, a, b) / power_integral(tilt, a, b)
    }

    /// Equally likely atoms at the means of the parts between their quantiles, and a last one at the upper end.
    fn atoms(&self, tilt: f64) -> Vec<(f64, f64)> {
        if self.high <= self.low {
            return vec![(self.low, self.probability)];
        }
        let (range, top) = (self.log_range(), self.high / self.low);
        let mark = |i: u32| {
            let below = f64::from(i) / f64::from(ATOMS);
            power_quantile(tilt, (1.0, top), range, below, 1.0 - below)
        };
        let weight = self.probability * (1.0 - AT_THE_END) / f64::from(ATOMS);
        let mut atoms = Vec::with_capacity(ATOMS as usize + 1);
        let mut lower = mark(0);
        for i in 1..=ATOMS {
            let upper = mark(i);
            atoms.push((self.low * Self::mean_relative(tilt, lower, upper), weight));
            lower = upper;
        }
        atoms.push((self.high, self.probability * AT_THE_END));
        atoms
    }
}
