//! Which jobs count, and where.

use super::generator::Chunk;
use super::tally::{BLOCK, Tally};
use std::ops::Range;

/// All jobs, each class, and each range of sizes.
#[derive(Debug, Clone)]
pub(crate) struct Recorder {
    /// jobs before this number are the warm-up
    first: u64,
    /// jobs from this number on come too late to be counted
    end: u64,
    pub overall: Tally,
    /// empty where there is one class
    pub classes: Vec<Tally>,
    /// upper ends of the ranges but the last
    edges: Vec<f64>,
    pub bins: Vec<Tally>,
}

impl Recorder {
    pub(crate) fn new(first: u64, expected: u64, classes: usize, edges: &[f64]) -> Self {
        let tally = || Tally::new(expected);
        Self {
            first,
            end: u64::MAX,
            // That of all jobs is the sum of those of the classes.
            overall: if classes > 1 { tally().without_histogram() } else { tally() },
            classes: if classes > 1 { vec![tally(); classes] } else { Vec::new() },
            edges: edges.to_vec(),
            bins: if edges.is_empty() { Vec::new() } else { vec![tally(); edges.len() + 1] },
        }
    }

    pub(crate) fn counts(&self, number: u64) -> bool {
        (self.first..self.end).contains(&number)
    }

    /// How many of the jobs with these numbers are counted.
    pub(crate) fn counted(&self, jobs: Range<u64>) -> u64 {
        jobs.end.min(self.end).saturating_sub(jobs.start.max(self.first))
    }

    /// Jobs from this number on are not counted.
    pub(crate) fn end_at(&mut self, end: u64) {
        self.end = end;
    }

    /// A job that is to be counted.
    #[inline]
    pub(crate) fn push(&mut self, wait: f64, size: f64, class: u32) {
        self.overall.push(wait, size);
        self.push_apart(wait, size, class);
    }

    #[inline]
    fn push_apart(&mut self, wait: f64, size: f64, class: u32) {
        if let Some(tally) = self.classes.get_mut(class as usize) {
            tally.push(wait, size);
        }
        if !self.bins.is_empty() {
            // Ranges are a < X <= b.
            let bin = self.edges.partition_point(|edge| *edge < size);
            self.bins[bin].push(wait, size);
        }
    }

    /// The jobs of a chunk, the first of which has this number; `waits` and `sizes` are by job.
    pub(crate) fn extend(&mut self, number: u64, waits: &[f64], sizes: &[f64], chunk: &Chunk) {
        let from = self.first.saturating_sub(number).min(waits.len() as u64) as usize;
        let (waits, sizes) = (&waits[from..], &sizes[from..]);
        self.overall.extend(waits, sizes);
        if self.classes.is_empty() && self.bins.is_empty() {
            return;
        }
        let mut task = chunk.tasks.iter().take(from).map(|tasks| *tasks as usize).sum::<usize>();
        if chunk.tasks.is_empty() {
            task = from;
        }
        for (i, (&wait, &size)) in waits.iter().zip(sizes).enumerate() {
            let class = chunk.classes.get(task).copied().unwrap_or(0);
            task += chunk.tasks.get(from + i).map_or(1, |tasks| *tasks as usize);
            self.push_apart(wait, size, class);
        }
    }

    pub(crate) fn finish(&mut self) {
        self.overall.finish();
        self.classes.iter_mut().chain(&mut self.bins).for_each(Tally::finish);
    }
}

/// Jobs made at once.
pub(crate) const CHUNK: usize = BLOCK;
