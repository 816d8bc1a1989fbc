//! Several hosts behind one queue: M/M/n, M/D/n, M/G/n.
//!
//! Jobs arrive in a Poisson stream, sizes are independent of arrivals and of each other, and the n hosts of speed one serve one
//! queue in the order of arrival. For a dispatcher that sends each job to the host with the least work left the waiting times are
//! the same.
//!
//! | question | function |
//! |---|---|
//! | exponential sizes | [`mmn`], [`mmn_waiting_time_tail`], [`mmn_waiting_time_quantile`] |
//! | hosts needed | [`staffing`] |
//! | equal sizes | [`mdn`] |
//! | phase-type sizes | [`mphn`] |
//! | room for so many jobs only | [`mmnk`], [`erlang_b`] (no waiting at all) |
//! | as many hosts as jobs | [`mginf`] |
//! | any sizes, approximately | [`lee_longton`], [`kimura`], [`boxma_cohen_huffels`], [`cosmetatos`], [`whitt`] |
//!
//! No formula of the first two moments of the sizes can be right for all M/G/n queues (V. Gupta, M. Harchol-Balter, J. Dai and
//! B. Zwart, 2010): the approximations are labelled by name in the [`Accuracy`](crate::Accuracy) of each metric.

mod approximate;
mod erlang;
mod independent;
mod mdn;
mod mginf;
mod mmn;
mod mmnk;
mod mphn;
mod poisson;
mod staffing;

pub use approximate::{boxma_cohen_huffels, cosmetatos, kimura, lee_longton, whitt};
pub use erlang::{erlang_b, erlang_c};
pub(crate) use independent::Waiting;
pub use mdn::mdn;
pub use mginf::mginf;
pub use mmn::{mmn, mmn_waiting_time_quantile, mmn_waiting_time_tail};
pub use mmnk::mmnk;
pub use mphn::mphn;
pub(crate) use mphn::{Service, is_small as mphn_is_small, states as mphn_states};
pub use staffing::{Target, staffing};

use crate::error::{Error, Result};
use crate::size::JobSize;
use crate::workload::Farm;

/// An [`Error::Unstable`] unless the hosts together keep up with the jobs.
fn stable<S: JobSize>(farm: &Farm<S>) -> Result<()> {
    if farm.spare() > 0.0 { Ok(()) } else { Err(Error::Unstable { load: farm.load(), limit: 1.0 }) }
}
