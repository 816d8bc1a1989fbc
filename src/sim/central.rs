//! Cycle stealing by a loop of its own: jobs wait in one queue a class, and a job is recorded when it starts.
//!
//! What [`Engine`](super::engine::Engine) does with the same policy, without what only other systems need: service is never interrupted,
//! so that the waiting time of a job is known at its start, and its end is one number a host.

use super::generator::Generator;
use super::recorder::{CHUNK, Recorder};
use super::replication::Replication;
use super::stealing::Stealer;
use super::tournament::Tournament;
use crate::error::Result;
use std::collections::VecDeque;

/// One replication.
pub(crate) struct Central<'a> {
    generator: Generator<'a>,
    stealer: Stealer,
    ends: Ends,
    /// by class
    queues: [VecDeque<Job>; 2],
    recorder: Recorder,
    /// jobs that have arrived, and those among them that are counted and have not started
    jobs: u64,
    open: u64,
    since_shift: usize,
}

#[derive(Debug, Clone, Copy)]
struct Job {
    arrival: f64,
    size: f64,
    number: u64,
}

impl<'a> Central<'a> {
    pub(crate) fn new(generator: Generator<'a>, stealer: Stealer, hosts: usize, recorder: Recorder) -> Self {
        let queues = [VecDeque::new(), VecDeque::new()];
        Self { generator, stealer, ends: Ends::new(hosts), queues, recorder, jobs: 0, open: 0, since_shift: 0 }
    }

    /// The next jobs of the stream; how many there were.
    fn chunk(&mut self, jobs: usize) -> usize {
        self.generator.fill(jobs);
        let chunk = std::mem::take(&mut self.generator.chunk);
        let count = chunk.jobs;
        self.open += self.recorder.counted(self.jobs..self.jobs + count as u64);
        for (i, (&arrival, &size)) in chunk.times.iter().zip(&chunk.sizes).enumerate() {
            let class = chunk.classes.get(i).map_or(0, |class| usize::from(*class > 0));
            self.run(arrival);
            let job = Job { arrival, size, number: self.jobs };
            self.jobs += 1;
            match self.stealer.place(class) {
                Some(host) => self.start(host, class, arrival, job),
                None => self.queues[class].push_back(job),
            }
        }
        self.generator.chunk = chunk;
        self.since_shift += count;
        if self.since_shift >= self.ends.hosts() {
            self.shift();
        }
        count
    }

    /// What hosts start up to a time.
    #[inline]
    fn run(&mut self, time: f64) {
        loop {
            let (host, now) = self.ends.least();
            if !(now <= time) {
                return;
            }
            let class = self.stealer.take(host, |class| !self.queues[class].is_empty());
            match class.and_then(|class| Some((class, self.queues[class].pop_front()?))) {
                Some((class, job)) => self.start(host, class, now, job),
                None => self.ends.set(host, f64::INFINITY),
            }
        }
    }

    #[inline]
    fn start(&mut self, host: usize, class: usize, now: f64, job: Job) {
        self.ends.set(host, now + job.size);
        if self.recorder.counts(job.number) {
            self.recorder.push(now - job.arrival, job.size, class as u32);
            self.open -= 1;
        }
    }

    /// Counts time from the last arrival on.
    fn shift(&mut self) {
        self.since_shift = 0;
        let now = self.generator.now();
        self.generator.shift(now);
        self.ends.shift(now);
        self.queues.iter_mut().flatten().for_each(|job| job.arrival -= now);
    }
}

impl Replication for Central<'_> {
    fn advance(&mut self, jobs: u64) -> Result<()> {
        while self.jobs < jobs {
            let count = (jobs - self.jobs).min(CHUNK as u64) as usize;
            if self.chunk(count) == 0 {
                break;
            }
        }
        Ok(())
    }

    /// Jobs go on arriving, not to be counted, until those that are counted have started, but at most as many again.
    fn finish(&mut self) -> Result<()> {
        self.recorder.end_at(self.jobs);
        let most = 2 * self.jobs;
        while self.open > 0 && self.jobs < most {
            if self.chunk(CHUNK) == 0 {
                break;
            }
        }
        self.run(f64::MAX);
        self.recorder.finish();
        Ok(())
    }

    fn recorder(&self) -> &Recorder {
        &self.recorder
    }
}

/// When the job in service at each host ends; infinite at idle hosts.
enum Ends {
    Few(Vec<f64>),
    Many(Tournament, usize),
}

impl Ends {
    /// Up to so many hosts it is quicker to compare all of them.
    const FEW: usize = 6;

    fn new(hosts: usize) -> Self {
        if hosts <= Self::FEW {
            Self::Few(vec![f64::INFINITY; hosts])
        } else {
            Self::Many(Tournament::new(hosts, f64::INFINITY), hosts)
        }
    }

    /// The first end, of equals that of the first host.
    #[inline]
    fn least(&self) -> (usize, f64) {
        match self {
            Self::Few(ends) => {
                // Times to come are positive, and in the order of their bits.
                let (mut host, mut least) = (0, u64::MAX);
                for (other, end) in ends.iter().enumerate() {
                    let end = end.to_bits();
                    host = if end < least { other } else { host };
                    least = least.min(end);
                }
                (host, f64::from_bits(least))
            }
            Self::Many(ends, _) => ends.least(),
        }
    }

    #[inline]
    fn set(&mut self, host: usize, end: f64) {
        match self {
            Self::Few(ends) => ends[host] = end,
            Self::Many(ends, _) => ends.set(host, end),
        }
    }

    fn shift(&mut self, by: f64) {
        match self {
            Self::Few(ends) => ends.iter_mut().for_each(|end| *end -= by),
            Self::Many(ends, _) => ends.shift(by),
        }
    }

    fn hosts(&self) -> usize {
        match self {
            Self::Few(ends) => ends.len(),
            Self::Many(_, hosts) => *hosts,
        }
    }
}
