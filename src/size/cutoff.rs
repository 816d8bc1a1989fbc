//! A place where sizes are divided, and moments between two of them.

use super::JobSize;
use crate::error::{Result, require};
use crate::numeric::power::power;

#[cfg(feature = "serde")]
pub(crate) use super::serial::extended;

/// A size that divides the jobs: those up to it go below, those beyond it above.
///
/// Where the law has an atom at the size, `share` of the jobs of exactly that size go below, chosen at random, and the rest above.
/// The usual cutoff has share 1: a job as large as the cutoff goes below.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "super::serial::Pair", into = "super::serial::Pair")
)]
pub struct Cutoff {
    size: f64,
    share: f64,
}

impl Cutoff {
    /// A cutoff at `size` > 0 that splits no atom. Infinity is allowed: it has everything below.
    ///
    /// # Errors
    /// [`Error::Argument`](crate::Error::Argument) unless the size is positive.
    pub fn at(size: f64) -> Result<Self> {
        Self::splitting(size, 1.0)
    }

    /// A cutoff at `size` > 0 that sends the `share` (0..=1) of the jobs of exactly that size below.
    ///
    /// # Errors
    /// [`Error::Argument`](crate::Error::Argument) unless the size is positive and the share between 0 and 1.
    pub fn splitting(size: f64, share: f64) -> Result<Self> {
        require(size > 0.0, "cutoff", size, "must be a positive size")?;
        require((0.0..=1.0).contains(&share), "share", share, "must be between 0 and 1")?;
        Ok(Self { size, share })
    }

    /// A cutoff as the crate writes it: one that it found may have everything above or below it, at size 0 or infinity.
    pub(crate) fn end(size: f64, share: f64) -> Result<Self> {
        require(size >= 0.0, "cutoff", size, "must be at least 0")?;
        require((0.0..=1.0).contains(&share), "share", share, "must be between 0 and 1")?;
        Ok(Self { size, share })
    }

    /// A cutoff found by the crate itself, where `size` may be 0 (nothing below).
    pub(crate) const fn raw(size: f64, share: f64) -> Self {
        Self { size, share }
    }

    /// Nothing is below.
    pub const LOWEST: Self = Self::raw(0.0, 1.0);

    /// Everything is below.
    pub const HIGHEST: Self = Self::raw(f64::INFINITY, 1.0);

    /// The size, in units of work.
    pub fn size(self) -> f64 {
        self.size
    }

    /// The share of the jobs of exactly this size that go below: 1 unless an atom is split.
    pub fn share(self) -> f64 {
        self.share
    }

    /// Whether everything that is below `other` is below this one too, with the two not equal.
    pub(crate) fn is_above(self, other: Self) -> bool {
        self.size > other.size || (self.size == other.size && self.share > other.share)
    }
}

/// E\[X^r; between the cutoffs\], in which split atoms count with their shares.
///
/// For unsplit cutoffs this is [`JobSize::partial_moment`]. Moments of order `r` may be infinite.
///
/// ```
/// use queueing::size::{Cutoff, Deterministic, moment_between};
/// let size = Deterministic::new(3.0)?;
/// let half = Cutoff::splitting(3.0, 0.5)?;
/// assert_eq!(moment_between(&size, 1.0, Cutoff::LOWEST, half), 1.5);
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn moment_between<S: JobSize + ?Sized>(law: &S, r: f64, lower: Cutoff, upper: Cutoff) -> f64 {
    let mut value = [0.0];
    moments_between(law, &[r], lower, upper, &mut value);
    value[0]
}

/// Several of [`moment_between`] at once.
pub(crate) fn moments_between<S: JobSize + ?Sized>(
    law: &S,
    orders: &[f64],
    lower: Cutoff,
    upper: Cutoff,
    out: &mut [f64],
) {
    if lower.share == 1.0 && upper.share == 1.0 {
        return law.partial_moments(orders, lower.size, upper.size, out);
    }
    let (at_lower, at_upper) = (atom_at(law, lower.size), atom_at(law, upper.size));
    if lower.size == upper.size {
        for (value, &r) in out.iter_mut().zip(orders) {
            *value = (upper.share - lower.share).max(0.0) * weighted(at_upper, r, upper.size);
        }
        return;
    }
    // The open interval, and at each end the part of the atom that belongs here.
    let open_end = if at_upper > 0.0 { upper.size.next_down() } else { upper.size };
    law.partial_moments(orders, lower.size, open_end, out);
    for (value, &r) in out.iter_mut().zip(orders) {
        *value +=
            (1.0 - lower.share) * weighted(at_lower, r, lower.size) + upper.share * weighted(at_upper, r, upper.size);
    }
}

fn weighted(probability: f64, r: f64, size: f64) -> f64 {
    if probability > 0.0 { probability * power(size, r) } else { 0.0 }
}

/// P(X = size).
pub(crate) fn atom_at<S: JobSize + ?Sized>(law: &S, size: f64) -> f64 {
    let atoms = law.atoms();
    atoms.binary_search_by(|atom| atom.size.total_cmp(&size)).map_or(0.0, |i| atoms[i].probability)
}
