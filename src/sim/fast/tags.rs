//! TAGS: each host kills what exceeds its cutoff, and the next one starts it anew.

use super::{Recursion, serve};
use crate::random::Random;
use crate::sim::generator::Chunk;

/// Jobs leave a host in the order in which they came, so the hosts are a series of recursions.
pub(crate) struct Tags {
    free: Vec<f64>,
    cutoffs: Vec<f64>,
}

impl Tags {
    pub(crate) fn new(cutoffs: impl Iterator<Item = f64>) -> Self {
        let cutoffs: Vec<f64> = cutoffs.collect();
        Self { free: vec![0.0; cutoffs.len() + 1], cutoffs }
    }
}

impl Recursion for Tags {
    // Waiting is everything but the last, useful run.
    fn assign(&mut self, chunk: &Chunk, _: &mut Random, waits: &mut [f64]) {
        for ((&time, &size), wait) in chunk.times.iter().zip(&chunk.sizes).zip(waits) {
            let mut sum = 0.0;
            let mut now = time;
            for (host, free) in self.free.iter_mut().enumerate() {
                let limit = self.cutoffs.get(host).copied().unwrap_or(f64::INFINITY);
                sum += serve(free, now, size.min(limit));
                if size <= limit {
                    break;
                }
                sum += limit;
                now = *free;
            }
            *wait = sum;
        }
    }

    fn shift(&mut self, by: f64) {
        self.free.iter_mut().for_each(|free| *free -= by);
    }

    fn hosts(&self) -> usize {
        self.free.len()
    }
}
