//! Disciplines that serve several jobs at one level together: least attained service, longest remaining time.

use super::{Done, Keyed, Server, Task, for_each};
use crate::random::Random;
use std::collections::BinaryHeap;

/// Foreground-background: the jobs that have had the least service share the host.
///
/// Jobs of one attained service form a level, of which the lowest is served; when it reaches the one above, they merge.
#[derive(Debug, Default)]
pub(crate) struct Foreground {
    /// from the most attained service to the least, by size within a level
    levels: Vec<(f64, BinaryHeap<Keyed<Task>>)>,
    since: f64,
}

impl Foreground {
    fn serve(&mut self, now: f64) {
        if let Some((attained, jobs)) = self.levels.last_mut() {
            *attained += (now - self.since) / jobs.len() as f64;
        }
        self.since = now;
    }

    /// The attained service at which the lowest level changes: by the end of a job, or by the level above.
    fn goal(&self) -> Option<(f64, bool)> {
        let (_, jobs) = self.levels.last()?;
        let end = jobs.peek()?.key;
        let above = self.levels.iter().rev().nth(1).map_or(f64::INFINITY, |(attained, _)| *attained);
        Some(if end <= above { (end, true) } else { (above, false) })
    }
}

impl Server for Foreground {
    fn arrive(&mut self, now: f64, task: Task, _: &mut Random) {
        self.serve(now);
        let job = Keyed { key: task.size, number: task.number, value: task };
        match self.levels.last_mut() {
            Some((attained, jobs)) if *attained == 0.0 => jobs.push(job),
            _ => self.levels.push((0.0, BinaryHeap::from([job]))),
        }
    }

    fn next(&self) -> f64 {
        let (Some((goal, _)), Some((attained, jobs))) = (self.goal(), self.levels.last()) else { return f64::INFINITY };
        self.since + (goal - attained).max(0.0) * jobs.len() as f64
    }

    fn advance(&mut self, now: f64, _: &mut Random) -> Option<Done> {
        let (goal, is_end) = self.goal()?;
        self.since = now;
        let (attained, jobs) = self.levels.last_mut()?;
        *attained = goal;
        if is_end {
            let job = jobs.pop()?;
            if jobs.is_empty() {
                self.levels.pop();
            }
            return Some(Done::at(now, job.value));
        }
        let (_, mut lower) = self.levels.pop()?;
        if let Some((_, upper)) = self.levels.last_mut() {
            // The smaller heap into the larger one.
            if upper.len() < lower.len() {
                std::mem::swap(upper, &mut lower);
            }
            upper.extend(lower);
        }
        None
    }

    fn shift(&mut self, by: f64) {
        self.since -= by;
        for (_, jobs) in &mut self.levels {
            for_each(jobs, |keyed| keyed.value.arrival -= by);
        }
    }
}

/// Longest remaining processing time: the jobs with the most work left share the host until they meet the next ones.
#[derive(Debug, Default)]
pub(crate) struct LongestRemaining {
    /// those that are served
    top: Group,
    /// what is estimated to remain of each of them
    level: f64,
    /// the others, the longest first: the key is minus their level
    below: BinaryHeap<Keyed<Group>>,
    since: f64,
}

/// Jobs of which equally much is estimated to remain.
#[derive(Debug, Default)]
struct Group {
    /// by true work left, counted from where `served` is 0
    jobs: BinaryHeap<Keyed<Task>>,
    served: f64,
}

impl Group {
    fn of(task: Task) -> Self {
        Self { jobs: BinaryHeap::from([Keyed { key: task.size, number: task.number, value: task }]), served: 0.0 }
    }

    /// The smaller group joins the larger one.
    fn merge(&mut self, mut other: Self) {
        if self.jobs.len() < other.jobs.len() {
            std::mem::swap(self, &mut other);
        }
        let offset = self.served - other.served;
        self.jobs.extend(other.jobs.into_iter().map(|keyed| Keyed { key: keyed.key + offset, ..keyed }));
    }
}

impl LongestRemaining {
    /// Service to each until a job ends (true) or the next ones are met.
    fn goal(&self) -> Option<(f64, bool)> {
        let end = self.top.jobs.peek()?.key - self.top.served;
        let next = self.below.peek().map_or(f64::INFINITY, |keyed| self.level + keyed.key);
        // All that end together are met first.
        Some(if end < next { (end.max(0.0), true) } else { (next.max(0.0), false) })
    }

    fn serve(&mut self, now: f64, service: f64) {
        self.since = now;
        self.level -= service;
        self.top.served += service;
    }
}

impl Server for LongestRemaining {
    fn arrive(&mut self, now: f64, task: Task, _: &mut Random) {
        self.serve(now, (now - self.since) / self.top.jobs.len().max(1) as f64);
        let mut group = Group::of(task);
        let mut level = task.estimate;
        let is_idle = self.top.jobs.is_empty();
        if is_idle || level > self.level {
            std::mem::swap(&mut group, &mut self.top);
            std::mem::swap(&mut level, &mut self.level);
        }
        if !is_idle {
            self.below.push(Keyed { key: -level, number: task.number, value: group });
        }
    }

    fn next(&self) -> f64 {
        self.goal().map_or(f64::INFINITY, |(service, _)| self.since + service * self.top.jobs.len() as f64)
    }

    fn advance(&mut self, now: f64, _: &mut Random) -> Option<Done> {
        let (service, is_end) = self.goal()?;
        self.serve(now, service);
        let ended = if is_end { self.top.jobs.pop() } else { None };
        if (!is_end || self.top.jobs.is_empty())
            && let Some(keyed) = self.below.pop()
        {
            self.level = -keyed.key;
            self.top.merge(keyed.value);
        }
        ended.map(|job| Done::at(now, job.value))
    }

    fn shift(&mut self, by: f64) {
        self.since -= by;
        for_each(&mut self.top.jobs, |keyed| keyed.value.arrival -= by);
        for_each(&mut self.below, |group| for_each(&mut group.value.jobs, |keyed| keyed.value.arrival -= by));
    }
}
