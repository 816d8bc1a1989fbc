//! All policies over the load of the shorts.

use super::limits::Policy;
use super::options::{CentralQueue, ImmediateDispatch};
use super::result::CycleStealing;
use super::{central_queue, dedicated, immediate_dispatch};
use crate::error::{Result, positive};
use crate::size::JobSize;
use crate::workload::Workload;

/// One load of the shorts.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Point {
    /// The load of the shorts.
    pub short_load: f64,
    /// Each policy, in the order in which they were given.
    pub policies: Vec<(Policy, CycleStealing)>,
}

/// Shorts of each of these loads against the same longs, under each policy: where stealing pays, and how much.
///
/// One short and one long host; by dimensionality reduction, or where `tolerance` is given refined to it (renaming that has no reduction
/// is refined anyway). Shorts beyond a policy's limit are [`Unstable`](crate::Outcome::Unstable) while the longs keep their numbers.
///
/// Cost: that of each policy, times loads. Accuracy: the same.
///
/// # Errors
/// As [`central_queue`]; [`Error::Argument`](crate::Error::Argument) for a load that is not positive and finite.
///
/// ```
/// use queueing::prelude::*;
/// use queueing::stealing::{Policy, Renaming};
/// let longs = Workload::new(0.5, Exponential::with_mean(1.0)?)?;
/// let policies = [Policy::Dedicated, Policy::ImmediateDispatch, Policy::CentralQueue(Renaming::Never)];
/// let points = stealing::sweep(&Exponential::with_mean(1.0)?, &longs, &[0.9, 1.2, 1.4], &policies, None)?;
/// // Dedicated keeps up with the first load only, immediate dispatch with two, the central queue with all.
/// let stable: Vec<usize> =
///     points.iter().map(|point| point.policies.iter().filter(|(_, both)| both.shorts().is_stable()).count()).collect();
/// assert_eq!(stable, [3, 2, 1]);
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn sweep<S: JobSize, L: JobSize>(
    short_size: &S,
    longs: &Workload<L>,
    short_loads: &[f64],
    policies: &[Policy],
    tolerance: Option<f64>,
) -> Result<Vec<Point>> {
    let point = |&short_load: &f64| {
        positive("load of the shorts", short_load)?;
        let shorts = Workload::with_load(short_size, short_load)?;
        let of = |&policy: &Policy| Ok((policy, evaluate(&shorts, longs, policy, tolerance)?));
        Ok(Point { short_load, policies: policies.iter().map(of).collect::<Result<_>>()? })
    };
    short_loads.iter().map(point).collect()
}

/// One policy with one short and one long host.
pub(super) fn evaluate<S: JobSize, L: JobSize>(
    shorts: &Workload<S>,
    longs: &Workload<L>,
    policy: Policy,
    tolerance: Option<f64>,
) -> Result<CycleStealing> {
    match policy {
        Policy::Dedicated => dedicated(shorts, longs),
        Policy::ImmediateDispatch => {
            let options = ImmediateDispatch::default();
            immediate_dispatch(shorts, longs, tolerance.map_or(options, |tolerance| options.tolerance(tolerance)))
        }
        Policy::CentralQueue(renaming) => {
            let options = CentralQueue::default().renaming(renaming);
            central_queue(shorts, longs, tolerance.map_or(options, |tolerance| options.tolerance(tolerance)))
        }
    }
}
