//! Processor sharing.

use super::{Done, Keyed, Server, Task, for_each};
use crate::random::Random;
use std::collections::BinaryHeap;

/// All jobs at once, each at an equal share of the speed.
///
/// Every job in the system has had the same service since it came, so a job ends when the service to each, counted from the start
/// of the busy period, reaches what it was at the job's arrival plus the job's size.
#[derive(Debug, Default)]
pub(crate) struct Sharing {
    jobs: BinaryHeap<Keyed<Task>>,
    /// service to each job up to `since`
    service: f64,
    since: f64,
}

impl Sharing {
    fn serve(&mut self, now: f64) {
        self.service += (now - self.since) / self.jobs.len().max(1) as f64;
        self.since = now;
    }
}

impl Server for Sharing {
    fn arrive(&mut self, now: f64, task: Task, _: &mut Random) {
        self.serve(now);
        if self.jobs.is_empty() {
            self.service = 0.0;
        }
        self.jobs.push(Keyed { key: self.service + task.size, number: task.number, value: task });
    }

    fn next(&self) -> f64 {
        self.jobs
            .peek()
            .map_or(f64::INFINITY, |first| self.since + (first.key - self.service).max(0.0) * self.jobs.len() as f64)
    }

    fn advance(&mut self, now: f64, _: &mut Random) -> Option<Done> {
        self.serve(now);
        let first = self.jobs.pop()?;
        // What ends now has had all its service, rounding or not.
        self.service = first.key;
        Some(Done::at(now, first.value))
    }

    fn shift(&mut self, by: f64) {
        self.since -= by;
        let service = std::mem::take(&mut self.service);
        for_each(&mut self.jobs, |keyed| {
            keyed.key -= service;
            keyed.value.arrival -= by;
        });
    }
}
