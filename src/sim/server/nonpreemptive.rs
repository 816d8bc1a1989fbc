//! Disciplines that finish what they start.

use super::{Done, Keyed, Server, Task, for_each};
use crate::random::Random;
use std::collections::{BinaryHeap, VecDeque};

/// Who is next.
pub(crate) trait Queue: Default + Send {
    fn push(&mut self, task: Task);
    fn pop(&mut self, random: &mut Random) -> Option<Task>;
    fn shift(&mut self, by: f64);
}

/// One job at a time, to its end; `Q` tells which one is next.
#[derive(Debug, Default)]
pub(crate) struct NonPreemptive<Q> {
    waiting: Q,
    /// the job in service, its waiting time and its end
    current: Option<(Done, f64)>,
}

impl<Q: Queue> Server for NonPreemptive<Q> {
    fn arrive(&mut self, now: f64, task: Task, _: &mut Random) {
        match self.current {
            Some(_) => self.waiting.push(task),
            None => self.current = Some(start(now, task)),
        }
    }

    fn next(&self) -> f64 {
        self.current.map_or(f64::INFINITY, |(_, end)| end)
    }

    fn advance(&mut self, now: f64, random: &mut Random) -> Option<Done> {
        let (done, _) = self.current?;
        self.current = self.waiting.pop(random).map(|task| start(now, task));
        Some(done)
    }

    fn shift(&mut self, by: f64) {
        self.waiting.shift(by);
        if let Some((done, end)) = &mut self.current {
            done.task.arrival -= by;
            *end -= by;
        }
    }
}

fn start(now: f64, task: Task) -> (Done, f64) {
    (Done { task, wait: now - task.arrival }, now + task.size)
}

/// A host whose jobs wait elsewhere.
#[derive(Debug)]
pub(crate) struct Alone {
    done: Done,
    end: f64,
}

impl Default for Alone {
    fn default() -> Self {
        let task = Task { arrival: 0.0, size: 0.0, estimate: 0.0, class: 0, number: 0 };
        Self { done: Done { task, wait: 0.0 }, end: f64::INFINITY }
    }
}

impl Server for Alone {
    #[inline]
    fn arrive(&mut self, now: f64, task: Task, _: &mut Random) {
        (self.done, self.end) = start(now, task);
    }

    #[inline]
    fn next(&self) -> f64 {
        self.end
    }

    #[inline]
    fn advance(&mut self, _: f64, _: &mut Random) -> Option<Done> {
        self.end = f64::INFINITY;
        Some(self.done)
    }

    fn shift(&mut self, by: f64) {
        self.done.task.arrival -= by;
        self.end -= by;
    }
}

/// First come, first served.
#[derive(Debug, Default)]
pub(crate) struct Fifo(VecDeque<Task>);

impl Queue for Fifo {
    fn push(&mut self, task: Task) {
        self.0.push_back(task);
    }

    fn pop(&mut self, _: &mut Random) -> Option<Task> {
        self.0.pop_front()
    }

    fn shift(&mut self, by: f64) {
        self.0.iter_mut().for_each(|task| task.arrival -= by);
    }
}

/// Last come, first served.
#[derive(Debug, Default)]
pub(crate) struct Lifo(Vec<Task>);

impl Queue for Lifo {
    fn push(&mut self, task: Task) {
        self.0.push(task);
    }

    fn pop(&mut self, _: &mut Random) -> Option<Task> {
        self.0.pop()
    }

    fn shift(&mut self, by: f64) {
        self.0.iter_mut().for_each(|task| task.arrival -= by);
    }
}

/// A job drawn at random.
#[derive(Debug, Default)]
pub(crate) struct RandomOrder(Vec<Task>);

impl Queue for RandomOrder {
    fn push(&mut self, task: Task) {
        self.0.push(task);
    }

    fn pop(&mut self, random: &mut Random) -> Option<Task> {
        if self.0.is_empty() { None } else { Some(self.0.swap_remove(random.below(self.0.len()))) }
    }

    fn shift(&mut self, by: f64) {
        self.0.iter_mut().for_each(|task| task.arrival -= by);
    }
}

/// The job of the least estimate.
#[derive(Debug, Default)]
pub(crate) struct Shortest(BinaryHeap<Keyed<Task>>);

impl Queue for Shortest {
    fn push(&mut self, task: Task) {
        self.0.push(Keyed { key: task.estimate, number: task.number, value: task });
    }

    fn pop(&mut self, _: &mut Random) -> Option<Task> {
        self.0.pop().map(|keyed| keyed.value)
    }

    fn shift(&mut self, by: f64) {
        for_each(&mut self.0, |keyed| keyed.value.arrival -= by);
    }
}

/// The class of the least number first, first come first served within a class.
#[derive(Debug, Default)]
pub(crate) struct ByClass(Vec<VecDeque<Task>>);

impl Queue for ByClass {
    fn push(&mut self, task: Task) {
        let class = task.class as usize;
        if class >= self.0.len() {
            self.0.resize_with(class + 1, VecDeque::new);
        }
        self.0[class].push_back(task);
    }

    fn pop(&mut self, _: &mut Random) -> Option<Task> {
        self.0.iter_mut().find_map(VecDeque::pop_front)
    }

    fn shift(&mut self, by: f64) {
        self.0.iter_mut().flatten().for_each(|task| task.arrival -= by);
    }
}
