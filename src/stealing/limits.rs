//! Where the shorts are stable.

use super::options::Renaming;
use crate::error::{Result, require};

/// A cycle-stealing policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Policy {
    /// Shorts to the short hosts, longs to the long host.
    Dedicated,
    /// SBCS-ID: an arriving short takes the long host if that is idle.
    ImmediateDispatch,
    /// SBCS-CQ: an idle long host takes a waiting short.
    CentralQueue(Renaming),
}

impl std::fmt::Display for Policy {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(match self {
            Self::Dedicated => "Dedicated",
            Self::ImmediateDispatch => "SBCS-ID",
            Self::CentralQueue(Renaming::Never) => "SBCS-CQ",
            Self::CentralQueue(Renaming::Eager) => "SBCS-CQ (eager renaming)",
            Self::CentralQueue(Renaming::Lazy) => "SBCS-CQ (lazy renaming)",
        })
    }
}

/// The short load below which k short hosts and one long host keep up, at long load r_L.
///
/// `k` for Dedicated, `(k − r_L + √((k−r_L)² + 4k))/2` for SBCS-ID, `k + 1 − r_L` for SBCS-CQ under any renaming.
///
/// Loads are λE\[X\], not per host. The limit depends on the loads only, not on the laws. With r_L = 0 and k = 1: 1, 1.618 and 2.
///
/// # Errors
/// [`Error::Argument`](crate::Error::Argument) unless 0 <= r_L < 1 and there is a short host.
///
/// Source: Osogami (2005), Theorem 10, for one short host; for SBCS-ID the long host has load h = r_S(1−h) + r_L, since Poisson
/// arrivals see time averages, and the short hosts are stable while r_S h < k.
///
/// ```
/// use queueing::stealing::{Policy, Renaming, stability_limit};
/// assert_eq!(stability_limit(Policy::CentralQueue(Renaming::Never), 1, 0.5)?, 1.5);
/// assert!((stability_limit(Policy::ImmediateDispatch, 1, 0.5)? - (0.5 + 4.25_f64.sqrt()) / 2.0).abs() < 1e-15);
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn stability_limit(policy: Policy, short_hosts: usize, long_load: f64) -> Result<f64> {
    require(short_hosts >= 1, "short hosts", short_hosts as f64, "must be at least 1")?;
    require((0.0..1.0).contains(&long_load), "load of the longs", long_load, "must be at least 0 and below 1")?;
    Ok(limit(policy, short_hosts, 1.0 - long_load))
}

/// The limit from 1 − r_L.
pub(super) fn limit(policy: Policy, short_hosts: usize, spare: f64) -> f64 {
    let k = short_hosts as f64;
    match policy {
        Policy::Dedicated => k,
        Policy::ImmediateDispatch => {
            let d = k - 1.0 + spare;
            0.5 * (d + (d * d + 4.0 * k).sqrt())
        }
        Policy::CentralQueue(_) => k + spare,
    }
}
