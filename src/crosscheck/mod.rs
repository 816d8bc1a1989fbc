//! Is what a simulator saw consistent with a model?
//!
//! [`Observed`] is a mean with its error, from a simulator of yours or from [`sim`](crate::sim). [`compare`] holds one against an estimate of
//! the crate, [`compare_all`] several at once without finding too much by chance. A sample of heavy-tailed sizes often cannot settle
//! the question, whatever its standard error says: with the law of the sizes the verdict is then [`Verdict::Inconclusive`], and says
//! how many jobs would settle it. Where numbers disagree, [`diagnose`] tells which common slips would explain them.

mod check;
mod observed;
mod series;
mod slip;
mod tail;

pub use check::{Check, Comparison, Report, Verdict, compare, compare_all};
pub use observed::Observed;
pub use series::{Arrivals, arrivals, warm_up};
pub use slip::{Slip, candidates, diagnose};
pub use tail::{Tail, moment_in_play};
