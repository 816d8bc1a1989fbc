//! The sizes that divide the jobs among the hosts.

use crate::error::{Error, Result};
use crate::size::{Cutoff, JobSize};

/// The cutoffs of a farm, one fewer than its hosts, by increasing size.
///
/// ```
/// use queueing::prelude::*;
/// let cutoffs = sita::Cutoffs::new(&[10.0, 200.0])?;           // three hosts
/// assert_eq!(cutoffs.sizes().collect::<Vec<_>>(), [10.0, 200.0]);
/// assert!(sita::Cutoffs::new(&[200.0, 10.0]).is_err());
/// # Ok::<(), queueing::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "Vec<Cutoff>", into = "Vec<Cutoff>")
)]
pub struct Cutoffs {
    cutoffs: Vec<Cutoff>,
}

impl Cutoffs {
    /// Cutoffs at these sizes, in units of work; a job of exactly a cutoff's size goes to the lower host.
    ///
    /// # Errors
    /// [`Error::Datum`] for a size that is not positive and finite, or not above the one before it.
    pub fn new(sizes: &[f64]) -> Result<Self> {
        let cutoffs = sizes.iter().map(|&size| Cutoff::raw(size, 1.0)).collect::<Vec<_>>();
        Self::from_cutoffs(&cutoffs)
    }

    /// Cutoffs that may split atoms: by increasing size, and by increasing share at one size.
    ///
    /// # Errors
    /// [`Error::Datum`] for a cutoff that is not positive and finite, or not above the one before it.
    pub fn from_cutoffs(cutoffs: &[Cutoff]) -> Result<Self> {
        let mut before = Cutoff::LOWEST;
        for (i, &cutoff) in cutoffs.iter().enumerate() {
            let size = cutoff.size();
            let datum = |requirement| Error::Datum { what: "cutoff", index: i + 1, value: size, requirement };
            if !(size > 0.0 && size.is_finite()) {
                return Err(datum("must be positive and finite"));
            }
            if !cutoff.is_above(before) {
                return Err(datum("must be above the cutoff before it"));
            }
            before = cutoff;
        }
        Ok(Self { cutoffs: cutoffs.to_vec() })
    }

    /// Cutoffs found by the crate: they may repeat where a host is left without jobs.
    pub(super) fn found(cutoffs: Vec<Cutoff>) -> Self {
        Self { cutoffs }
    }

    /// The sizes.
    pub fn sizes(&self) -> impl ExactSizeIterator<Item = f64> + '_ {
        self.cutoffs.iter().map(|cutoff| cutoff.size())
    }

    /// The cutoffs, with the shares of split atoms.
    pub fn as_slice(&self) -> &[Cutoff] {
        &self.cutoffs
    }

    /// Lower and upper cutoff of each host.
    pub(super) fn intervals(&self) -> impl Iterator<Item = (Cutoff, Cutoff)> + '_ {
        (0..=self.cutoffs.len()).map(|i| {
            let lower = if i == 0 { Cutoff::LOWEST } else { self.cutoffs[i - 1] };
            (lower, self.cutoffs.get(i).copied().unwrap_or(Cutoff::HIGHEST))
        })
    }

    /// That these are cutoffs for so many hosts and lie within the support of the law, or have all jobs on one side.
    pub(super) fn fit<S: JobSize>(&self, hosts: usize, law: &S) -> Result<()> {
        let count = self.cutoffs.len();
        if count + 1 != hosts {
            let requirement = format!("must be {}, one fewer than the hosts", hosts - 1).into();
            return Err(Error::Argument { name: "number of cutoffs", value: count as f64, requirement });
        }
        let (low, high) = law.support();
        for (i, size) in self.sizes().enumerate() {
            // Cutoffs that the crate found may leave a host without jobs, at 0 or infinity.
            if (size < low && size > 0.0) || (size > high && size.is_finite()) {
                let requirement = "must lie within the support of the sizes";
                return Err(Error::Datum { what: "cutoff", index: i + 1, value: size, requirement });
            }
        }
        Ok(())
    }
}

/// As in serialised results, where cutoffs may repeat: a host between two equal ones gets no jobs.
impl TryFrom<Vec<Cutoff>> for Cutoffs {
    type Error = Error;

    fn try_from(cutoffs: Vec<Cutoff>) -> Result<Self> {
        match cutoffs.windows(2).position(|pair| pair[0].is_above(pair[1])) {
            Some(i) => {
                let requirement = "must not be below the cutoff before it";
                Err(Error::Datum { what: "cutoff", index: i + 2, value: cutoffs[i + 1].size(), requirement })
            }
            None => Ok(Self { cutoffs }),
        }
    }
}

impl From<Cutoffs> for Vec<Cutoff> {
    fn from(cutoffs: Cutoffs) -> Self {
        cutoffs.cutoffs
    }
}
