//! JSQ(d): the shortest queue of d hosts drawn at random.

use super::{Recursion, serve};
use crate::random::Random;
use crate::sim::generator::Chunk;
use std::collections::VecDeque;

/// Only the hosts that are drawn need to be looked at: each keeps the times at which its jobs end.
pub(crate) struct ShortestOf {
    hosts: Vec<Host>,
    drawn: Vec<usize>,
    choices: usize,
}

#[derive(Default)]
struct Host {
    free: f64,
    ends: VecDeque<f64>,
}

impl ShortestOf {
    /// `choices` of the hosts, at most half of them.
    pub(crate) fn new(hosts: usize, choices: usize) -> Self {
        Self { hosts: (0..hosts).map(|_| Host::default()).collect(), drawn: Vec::new(), choices }
    }

    fn choose(&mut self, time: f64, random: &mut Random) -> usize {
        let mut best = (usize::MAX, 0);
        self.drawn.clear();
        while self.drawn.len() < self.choices {
            let host = random.below(self.hosts.len());
            if self.drawn.contains(&host) {
                continue;
            }
            self.drawn.push(host);
            let ends = &mut self.hosts[host].ends;
            while ends.front().is_some_and(|end| *end <= time) {
                ends.pop_front();
            }
            // Of equals the one that was drawn first.
            if ends.len() < best.0 {
                best = (ends.len(), host);
            }
        }
        best.1
    }
}

impl Recursion for ShortestOf {
    fn assign(&mut self, chunk: &Chunk, random: &mut Random, waits: &mut [f64]) {
        for ((&time, &size), wait) in chunk.times.iter().zip(&chunk.sizes).zip(waits) {
            let host = self.choose(time, random);
            let Host { free, ends } = &mut self.hosts[host];
            *wait = serve(free, time, size);
            ends.push_back(*free);
        }
    }

    fn shift(&mut self, by: f64) {
        for Host { free, ends } in &mut self.hosts {
            *free -= by;
            for end in ends {
                *end -= by;
            }
        }
    }

    fn hosts(&self) -> usize {
        self.hosts.len()
    }
}
