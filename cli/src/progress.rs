//! A line on the terminal that tells how far a long run is.

use queueing::sim::Progress;
use std::io::{IsTerminal, Write, stderr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Shorter runs show nothing.
const PATIENCE: Duration = Duration::from_millis(700);
const WIDTH: usize = 40;

/// A bar on standard error, if that is a terminal.
pub(crate) struct Bar {
    start: Instant,
    is_wanted: bool,
    is_shown: AtomicBool,
}

impl Bar {
    pub(crate) fn new() -> Self {
        Self { start: Instant::now(), is_wanted: stderr().is_terminal(), is_shown: AtomicBool::new(false) }
    }

    pub(crate) fn is_wanted(&self) -> bool {
        self.is_wanted
    }

    /// The run always goes on.
    pub(crate) fn show(&self, progress: &Progress) -> bool {
        if self.is_wanted && self.start.elapsed() > PATIENCE {
            self.is_shown.store(true, Ordering::Relaxed);
            let share = progress.jobs as f64 / progress.of.max(1) as f64;
            let done = (share.clamp(0.0, 1.0) * WIDTH as f64) as usize;
            let width =
                progress.relative_half_width.map_or_else(String::new, |width| format!(", +-{:.2} %", 100.0 * width));
            let bar = format!("{}{}", "#".repeat(done), "-".repeat(WIDTH - done));
            drop(write!(stderr(), "\r[{bar}] {} of {} jobs{width}  ", progress.jobs, progress.of));
        }
        true
    }

    /// Leaves the line empty.
    pub(crate) fn clear(&self) {
        if self.is_shown.load(Ordering::Relaxed) {
            drop(write!(stderr(), "\r{}\r", " ".repeat(100)));
        }
    }
}
