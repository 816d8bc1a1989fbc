//! What one host does with its jobs.

mod levels;
mod nonpreemptive;
mod preemptive;
mod sharing;

pub(crate) use levels::{Foreground, LongestRemaining};
pub(crate) use nonpreemptive::{Alone, ByClass, Fifo, Lifo, NonPreemptive, RandomOrder, Shortest};
pub(crate) use preemptive::{Preemptive, Rank};
pub(crate) use sharing::Sharing;

use crate::random::Random;

/// A job, or a task of one, at a host.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Task {
    /// When it arrived.
    pub arrival: f64,
    /// Its size, in units of work.
    pub size: f64,
    /// What a scheduler sees of the size.
    pub estimate: f64,
    /// Its class, from 0.
    pub class: u32,
    /// Counts the jobs in the order of their arrival.
    pub number: u64,
}

/// A job that ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Done {
    /// The job.
    pub task: Task,
    /// Its time in system beyond its size.
    pub wait: f64,
}

impl Done {
    /// The job ends at `now`. Less than rounding of the time in system is no waiting.
    pub fn at(now: f64, task: Task) -> Self {
        const ROUNDING: f64 = 1e-12;
        let response = now - task.arrival;
        let wait = response - task.size;
        Self { task, wait: if wait > ROUNDING * response.max(now.abs()) { wait } else { 0.0 } }
    }
}

/// A host of speed one: what it does when a job comes and when its clock rings.
///
/// A discipline of your own implements this; [`simulate_with`](super::simulate_with) runs it.
pub trait Server: Send {
    /// A job comes.
    fn arrive(&mut self, now: f64, task: Task, random: &mut Random);

    /// When a job ends, or the host wants to change what it does, if nobody comes before; infinite when it has nothing to do.
    fn next(&self) -> f64;

    /// It is that time: the job that ends, if one does. Called again while [`next`](Self::next) is not later.
    fn advance(&mut self, now: f64, random: &mut Random) -> Option<Done>;

    /// Time is counted from `by` on: subtract it from all times that are kept.
    fn shift(&mut self, by: f64);
}

impl<T: Server + ?Sized> Server for Box<T> {
    fn arrive(&mut self, now: f64, task: Task, random: &mut Random) {
        (**self).arrive(now, task, random);
    }

    fn next(&self) -> f64 {
        (**self).next()
    }

    fn advance(&mut self, now: f64, random: &mut Random) -> Option<Done> {
        (**self).advance(now, random)
    }

    fn shift(&mut self, by: f64) {
        (**self).shift(by);
    }
}

/// Something in a heap whose least key comes first, and of equal keys the earlier job.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Keyed<T> {
    pub key: f64,
    pub number: u64,
    pub value: T,
}

impl<T> PartialEq for Keyed<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<T> Eq for Keyed<T> {}

impl<T> PartialOrd for Keyed<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Keyed<T> {
    // Reversed: the heaps of the standard library have the greatest first.
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        other.key.total_cmp(&self.key).then(other.number.cmp(&self.number))
    }
}

/// Changes the values of a heap without changing their order.
pub(crate) fn for_each<T: Ord>(heap: &mut std::collections::BinaryHeap<T>, change: impl FnMut(&mut T)) {
    let mut values = std::mem::take(heap).into_vec();
    values.iter_mut().for_each(change);
    *heap = values.into();
}
