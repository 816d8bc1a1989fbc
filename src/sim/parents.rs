//! Jobs of several tasks.

use super::server::Done;
use std::collections::VecDeque;

/// The jobs of which a task has not ended, in the order of their arrival. Empty where a job is a task.
#[derive(Debug, Default)]
pub(crate) struct Parents {
    jobs: VecDeque<Parent>,
    /// number of the first
    first: u64,
}

#[derive(Debug)]
struct Parent {
    tasks: u32,
    response: f64,
    largest: f64,
}

impl Parents {
    /// The next job arrives with so many tasks.
    pub(crate) fn begin(&mut self, tasks: u32) {
        self.jobs.push_back(Parent { tasks, response: 0.0, largest: 0.0 });
    }

    /// A task ends: waiting time and size of its job, if it was the last.
    pub(crate) fn end(&mut self, done: &Done) -> Option<(f64, f64)> {
        if self.jobs.is_empty() {
            return Some((done.wait, done.task.size));
        }
        let parent = self.jobs.get_mut((done.task.number - self.first) as usize)?;
        parent.tasks -= 1;
        parent.response = parent.response.max(done.wait + done.task.size);
        parent.largest = parent.largest.max(done.task.size);
        let ended = (parent.tasks == 0).then_some(((parent.response - parent.largest).max(0.0), parent.largest));
        while self.jobs.front().is_some_and(|parent| parent.tasks == 0) {
            self.jobs.pop_front();
            self.first += 1;
        }
        ended
    }
}
