//! Dispatchers that look for the host that is free first.

use super::{Recursion, serve};
use crate::random::Random;
use crate::sim::generator::Chunk;
use crate::sim::tournament::Tournament;

/// Least work left.
///
/// With noisy sizes the dispatcher keeps books: it adds the estimate of each job to the host it sends it to, and work flows off at
/// speed one.
pub(crate) enum LeastWork {
    /// Few hosts, sizes known: times at which hosts are free, in order. Which host is which does not matter.
    Few(Vec<f64>),
    /// Many hosts.
    Many(Tournament, usize),
    /// The books, and the truth.
    Estimated(Tournament, Vec<f64>),
}

impl LeastWork {
    /// Up to so many hosts an insertion into all of them is quicker than a tree.
    const FEW: usize = 24;

    pub(crate) fn new(hosts: usize, is_estimated: bool) -> Self {
        if is_estimated {
            Self::Estimated(Tournament::new(hosts, 0.0), vec![0.0; hosts])
        } else if hosts <= Self::FEW {
            Self::Few(vec![0.0; hosts])
        } else {
            Self::Many(Tournament::new(hosts, 0.0), hosts)
        }
    }
}

/// Replaces the least of ordered numbers by a larger one: b_i = min(a_{i+1}, max(a_i, value)), each independent of the others.
#[inline]
fn replace_least(ordered: &mut [f64], value: f64) {
    let last = ordered.len() - 1;
    for i in 0..last {
        ordered[i] = ordered[i + 1].min(ordered[i].max(value));
    }
    ordered[last] = ordered[last].max(value);
}

impl Recursion for LeastWork {
    fn assign(&mut self, chunk: &Chunk, _: &mut Random, waits: &mut [f64]) {
        let jobs = chunk.times.iter().zip(&chunk.sizes).zip(chunk.estimates());
        match self {
            Self::Few(free) => {
                for (((&time, &size), _), wait) in jobs.zip(waits) {
                    let start = free[0].max(time);
                    *wait = start - time;
                    replace_least(free, start + size);
                }
            }
            Self::Many(free, _) => {
                for (((&time, &size), _), wait) in jobs.zip(waits) {
                    let (host, mut least) = free.least();
                    *wait = serve(&mut least, time, size);
                    free.set(host, least);
                }
            }
            Self::Estimated(books, free) => {
                for (((&time, &size), &estimate), wait) in jobs.zip(waits) {
                    let (host, mut least) = books.least();
                    serve(&mut least, time, estimate);
                    books.set(host, least);
                    *wait = serve(&mut free[host], time, size);
                }
            }
        }
    }

    fn shift(&mut self, by: f64) {
        match self {
            Self::Few(free) => free.iter_mut().for_each(|free| *free -= by),
            Self::Many(free, _) => free.shift(by),
            Self::Estimated(books, free) => {
                books.shift(by);
                for free in free {
                    *free -= by;
                }
            }
        }
    }

    fn hosts(&self) -> usize {
        match self {
            Self::Few(free) | Self::Estimated(_, free) => free.len(),
            Self::Many(_, hosts) => *hosts,
        }
    }
}

/// An idle host if there is one, else a host drawn at random.
pub(crate) struct JoinIdle {
    free: Tournament,
    hosts: usize,
}

impl JoinIdle {
    pub(crate) fn new(hosts: usize) -> Self {
        Self { free: Tournament::new(hosts, 0.0), hosts }
    }
}

impl Recursion for JoinIdle {
    fn assign(&mut self, chunk: &Chunk, random: &mut Random, waits: &mut [f64]) {
        for ((&time, &size), wait) in chunk.times.iter().zip(&chunk.sizes).zip(waits) {
            let (idle, least) = self.free.least();
            let host = if least <= time { idle } else { random.below(self.hosts) };
            let mut free = self.free.key(host);
            *wait = serve(&mut free, time, size);
            self.free.set(host, free);
        }
    }

    fn shift(&mut self, by: f64) {
        self.free.shift(by);
    }

    fn hosts(&self) -> usize {
        self.hosts
    }
}
