//! Hosts that serve first come, first served: a recursion a host, no events.
//!
//! A host that is free at time f starts a job that arrives at t at max(f, t) and is then free at max(f, t) + x (Lindley). All that a
//! dispatcher needs to know follows from the times at which hosts are free.

mod least_work;
mod shortest;
mod simple;
mod tags;

pub(crate) use least_work::{JoinIdle, LeastWork};
pub(crate) use shortest::ShortestOf;
pub(crate) use simple::{Anywhere, Interval, Ranges, RoundRobin};
pub(crate) use tags::Tags;

use super::generator::{Chunk, Generator};
use super::recorder::{CHUNK, Recorder};
use super::replication::Replication;
use crate::error::Result;
use crate::random::Random;

/// A policy on hosts that serve first come, first served.
pub(crate) trait Recursion: Send {
    /// How long each task of the chunk waits.
    fn assign(&mut self, chunk: &Chunk, random: &mut Random, waits: &mut [f64]);

    /// Moves the origin of time.
    fn shift(&mut self, by: f64);

    /// Times kept: a shift costs so many steps.
    fn hosts(&self) -> usize;
}

/// Work that a host starts at `free` or when it comes: the time it waits.
#[inline]
pub(crate) fn serve(free: &mut f64, time: f64, work: f64) -> f64 {
    let start = free.max(time);
    *free = start + work;
    start - time
}

/// One replication by recursion.
pub(crate) struct Lindley<'a, R> {
    generator: Generator<'a>,
    recursion: R,
    random: Random,
    recorder: Recorder,
    jobs: u64,
    since_shift: usize,
    waits: Vec<f64>,
    sizes: Vec<f64>,
}

impl<'a, R: Recursion> Lindley<'a, R> {
    pub(crate) fn new(generator: Generator<'a>, recursion: R, random: Random, recorder: Recorder) -> Self {
        let (waits, sizes) = (Vec::new(), Vec::new());
        Self { generator, recursion, random, recorder, jobs: 0, since_shift: 0, waits, sizes }
    }

    /// Of the tasks of a job the one that ends last tells its response, and the largest its size.
    fn join_tasks(&mut self) {
        let chunk = &self.generator.chunk;
        self.sizes.clear();
        let mut task = 0;
        for (job, &tasks) in chunk.tasks.iter().enumerate() {
            let range = task..task + tasks as usize;
            let ends = self.waits[range.clone()].iter().zip(&chunk.sizes[range.clone()]).map(|(w, x)| w + x);
            let (end, size) =
                (ends.fold(0.0, f64::max), chunk.sizes[range.clone()].iter().copied().fold(0.0, f64::max));
            task = range.end;
            self.waits[job] = (end - size).max(0.0);
            self.sizes.push(size);
        }
        self.waits.truncate(chunk.tasks.len());
    }
}

impl<R: Recursion> Replication for Lindley<'_, R> {
    fn advance(&mut self, jobs: u64) -> Result<()> {
        while self.jobs < jobs {
            let count = (jobs - self.jobs).min(CHUNK as u64) as usize;
            self.generator.fill(count);
            let chunk = &self.generator.chunk;
            if chunk.jobs == 0 {
                break;
            }
            self.waits.resize(chunk.times.len(), 0.0);
            self.recursion.assign(chunk, &mut self.random, &mut self.waits);
            if !chunk.tasks.is_empty() {
                self.join_tasks();
            }
            let chunk = &self.generator.chunk;
            let sizes = if chunk.tasks.is_empty() { &chunk.sizes } else { &self.sizes };
            self.recorder.extend(self.jobs, &self.waits, sizes, chunk);
            self.jobs += chunk.jobs as u64;
            self.since_shift += chunk.times.len();
            if self.since_shift >= self.recursion.hosts() {
                let now = self.generator.now();
                self.recursion.shift(now);
                self.generator.shift(now);
                self.since_shift = 0;
            }
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        self.recorder.finish();
        Ok(())
    }

    fn recorder(&self) -> &Recorder {
        &self.recorder
    }
}
