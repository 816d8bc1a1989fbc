//! Dispatchers that look at no host: a turn, a die, or the size of the job.

use super::{Recursion, serve};
use crate::random::Random;
use crate::sim::generator::Chunk;
use crate::size::Cutoff;

/// Each host in turn.
pub(crate) struct RoundRobin {
    free: Vec<f64>,
    next: usize,
}

impl RoundRobin {
    /// From so many hosts on a whole turn is served at once.
    const MANY: usize = 8;

    pub(crate) fn new(hosts: usize) -> Self {
        Self { free: vec![0.0; hosts], next: 0 }
    }

    fn one_by_one(&mut self, times: &[f64], sizes: &[f64], waits: &mut [f64]) {
        let (free, mut host) = (self.free.as_mut_slice(), self.next);
        for ((&time, &size), wait) in times.iter().zip(sizes).zip(waits) {
            *wait = serve(&mut free[host], time, size);
            host += 1;
            host = if host == free.len() { 0 } else { host };
        }
        self.next = host;
    }
}

impl Recursion for RoundRobin {
    fn assign(&mut self, chunk: &Chunk, _: &mut Random, waits: &mut [f64]) {
        let (mut times, mut sizes, mut waits) = (chunk.times.as_slice(), chunk.sizes.as_slice(), waits);
        if self.free.len() < Self::MANY {
            return self.one_by_one(times, sizes, waits);
        }
        // The hosts of a turn do not wait for each other.
        while !waits.is_empty() {
            let free = &mut self.free[self.next..];
            let count = free.len().min(waits.len());
            let (now, later) = waits.split_at_mut(count);
            for (((free, &time), &size), wait) in free.iter_mut().zip(times).zip(sizes).zip(now) {
                *wait = serve(free, time, size);
            }
            (times, sizes, waits) = (&times[count..], &sizes[count..], later);
            self.next = if self.next + count == self.free.len() { 0 } else { self.next + count };
        }
    }

    fn shift(&mut self, by: f64) {
        self.free.iter_mut().for_each(|free| *free -= by);
    }

    fn hosts(&self) -> usize {
        self.free.len()
    }
}

/// A host drawn at random.
pub(crate) struct Anywhere {
    free: Vec<f64>,
}

impl Anywhere {
    pub(crate) fn new(hosts: usize) -> Self {
        Self { free: vec![0.0; hosts] }
    }
}

impl Recursion for Anywhere {
    fn assign(&mut self, chunk: &Chunk, random: &mut Random, waits: &mut [f64]) {
        let hosts = self.free.len();
        for ((&time, &size), wait) in chunk.times.iter().zip(&chunk.sizes).zip(waits) {
            let host = if hosts == 1 { 0 } else { random.below(hosts) };
            *wait = serve(&mut self.free[host], time, size);
        }
    }

    fn shift(&mut self, by: f64) {
        self.free.iter_mut().for_each(|free| *free -= by);
    }

    fn hosts(&self) -> usize {
        self.free.len()
    }
}

/// The host of its range of sizes.
pub(crate) struct Interval {
    free: Vec<f64>,
    ranges: Ranges,
}

impl Interval {
    pub(crate) fn new(cutoffs: &[Cutoff]) -> Self {
        Self { free: vec![0.0; cutoffs.len() + 1], ranges: Ranges::new(cutoffs) }
    }
}

impl Recursion for Interval {
    fn assign(&mut self, chunk: &Chunk, random: &mut Random, waits: &mut [f64]) {
        let jobs = chunk.times.iter().zip(&chunk.sizes).zip(chunk.estimates());
        for (((&time, &size), &estimate), wait) in jobs.zip(waits) {
            let host = self.ranges.host(estimate, random);
            *wait = serve(&mut self.free[host], time, size);
        }
    }

    fn shift(&mut self, by: f64) {
        self.free.iter_mut().for_each(|free| *free -= by);
    }

    fn hosts(&self) -> usize {
        self.free.len()
    }
}

/// Which range of sizes a job is in.
#[derive(Debug, Clone)]
pub(crate) struct Ranges {
    sizes: Vec<f64>,
    cutoffs: Vec<Cutoff>,
    splits: bool,
}

impl Ranges {
    /// Up to so many cutoffs it is quicker to compare with all of them.
    const FEW: usize = 24;

    pub(crate) fn new(cutoffs: &[Cutoff]) -> Self {
        Self {
            sizes: cutoffs.iter().map(|cutoff| cutoff.size()).collect(),
            cutoffs: cutoffs.to_vec(),
            splits: cutoffs.iter().any(|cutoff| cutoff.share() < 1.0),
        }
    }

    #[inline]
    pub(crate) fn host(&self, size: f64, random: &mut Random) -> usize {
        if self.splits {
            return self.host_of_split(size, random);
        }
        if self.sizes.len() <= Self::FEW {
            self.sizes.iter().map(|cutoff| usize::from(size > *cutoff)).sum()
        } else {
            self.sizes.partition_point(|cutoff| size > *cutoff)
        }
    }

    /// Jobs of exactly the size of cutoffs: a share up to the first of them, up to the second, ...
    fn host_of_split(&self, size: f64, random: &mut Random) -> usize {
        let first = self.sizes.partition_point(|cutoff| size > *cutoff);
        let mut host = first;
        let mut draw = None;
        while let Some(cutoff) = self.cutoffs.get(host).filter(|cutoff| cutoff.size() == size && cutoff.share() < 1.0) {
            if *draw.get_or_insert_with(|| random.uniform()) <= cutoff.share() {
                break;
            }
            host += 1;
        }
        host
    }
}
