//! Disciplines that interrupt the job in service for a better one and resume it later where it was.

use super::{Done, Keyed, Server, Task, for_each};
use crate::random::Random;
use std::collections::BinaryHeap;

/// Which job is better: the one of the least rank, and of equals the one that came first.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Rank {
    /// The last that came.
    Newest,
    /// The least estimate of the original size.
    Size,
    /// The least estimate of what remains.
    Remaining,
    /// The class of the least number.
    Class,
}

/// One job at a time, always the best.
#[derive(Debug)]
pub(crate) struct Preemptive {
    rank: Rank,
    waiting: BinaryHeap<Keyed<Interrupted>>,
    current: Option<Current>,
}

#[derive(Debug, Clone, Copy)]
struct Interrupted {
    task: Task,
    remaining: f64,
}

#[derive(Debug, Clone, Copy)]
struct Current {
    job: Interrupted,
    since: f64,
    end: f64,
}

impl Preemptive {
    pub(crate) fn new(rank: Rank) -> Self {
        Self { rank, waiting: BinaryHeap::new(), current: None }
    }

    #[inline]
    fn key(&self, job: &Interrupted) -> f64 {
        match self.rank {
            Rank::Newest => -(job.task.number as f64),
            Rank::Size => job.task.estimate,
            // What was estimated less what was served; an underestimate goes on below 0.
            Rank::Remaining if job.remaining == job.task.size => job.task.estimate,
            Rank::Remaining if job.task.estimate == job.task.size => job.remaining,
            Rank::Remaining => job.task.estimate - (job.task.size - job.remaining),
            Rank::Class => f64::from(job.task.class),
        }
    }

    fn wait(&mut self, job: Interrupted) {
        self.waiting.push(Keyed { key: self.key(&job), number: job.task.number, value: job });
    }
}

fn start(now: f64, job: Interrupted) -> Current {
    Current { job, since: now, end: now + job.remaining }
}

impl Server for Preemptive {
    fn arrive(&mut self, now: f64, task: Task, _: &mut Random) {
        let job = Interrupted { task, remaining: task.size };
        let Some(current) = self.current else {
            self.current = Some(start(now, job));
            return;
        };
        let mut held = current.job;
        held.remaining = (held.remaining - (now - current.since)).max(0.0);
        if self.key(&job) < self.key(&held) {
            self.wait(held);
            self.current = Some(start(now, job));
        } else {
            self.wait(job);
        }
    }

    fn next(&self) -> f64 {
        self.current.map_or(f64::INFINITY, |current| current.end)
    }

    fn advance(&mut self, now: f64, _: &mut Random) -> Option<Done> {
        let current = self.current?;
        self.current = self.waiting.pop().map(|keyed| start(now, keyed.value));
        Some(Done::at(now, current.job.task))
    }

    fn shift(&mut self, by: f64) {
        for_each(&mut self.waiting, |keyed| keyed.value.task.arrival -= by);
        if let Some(current) = &mut self.current {
            current.job.task.arrival -= by;
            current.since -= by;
            current.end -= by;
        }
    }
}
