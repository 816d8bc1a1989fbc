//! One independent run.

use super::recorder::Recorder;
use crate::error::Result;

/// A run that can be continued.
pub(crate) trait Replication: Send {
    /// Goes on until so many jobs have arrived, or a trace ends.
    fn advance(&mut self, jobs: u64) -> Result<()>;

    /// Lets the jobs that have arrived end.
    fn finish(&mut self) -> Result<()>;

    fn recorder(&self) -> &Recorder;
}
