//! The event engine: any policy on any hosts.

use super::generator::Generator;
use super::parents::Parents;
use super::policy::Policy;
use super::recorder::{CHUNK, Recorder};
use super::replication::Replication;
use super::server::{Done, Server, Task};
use super::tournament::Tournament;
use super::view::View;
use crate::error::{Error, Result};
use crate::random::Random;

/// Events that a host may need to come by itself from one job to the next: more are a fault of a server.
const MOST_EVENTS: u64 = 1_000_000;

/// One replication by events.
pub(crate) struct Engine<'a, P, V> {
    generator: Generator<'a>,
    policy: P,
    servers: Vec<V>,
    /// when each host rings
    events: Tournament,
    view: View,
    parents: Parents,
    random: Random,
    recorder: Recorder,
    /// jobs that have arrived, and those among them that are counted and have not ended
    jobs: u64,
    open: u64,
    since_shift: usize,
    /// a host that a policy chose and that there is not
    stray: Option<usize>,
}

impl<'a, P: Policy, V: Server> Engine<'a, P, V> {
    pub(crate) fn new(
        generator: Generator<'a>,
        policy: P,
        servers: Vec<V>,
        classes: usize,
        random: Random,
        recorder: Recorder,
    ) -> Self {
        let hosts = servers.len();
        Self {
            generator,
            view: View::new(hosts, classes, policy.looks_at_hosts() && hosts > 1),
            policy,
            servers,
            events: Tournament::new(hosts, f64::INFINITY),
            parents: Parents::default(),
            random,
            recorder,
            jobs: 0,
            open: 0,
            since_shift: 0,
            stray: None,
        }
    }

    /// The next jobs of the stream; how many there were.
    fn chunk(&mut self, jobs: usize) -> Result<usize> {
        self.generator.fill(jobs);
        let chunk = std::mem::take(&mut self.generator.chunk);
        self.open += self.recorder.counted(self.jobs..self.jobs + chunk.jobs as u64);
        let mut tasks_left = chunk.tasks.iter();
        let mut tasks_of_job = 0;
        let tasks = chunk.times.iter().zip(&chunk.sizes).zip(chunk.estimates());
        for (i, ((&arrival, &size), &estimate)) in tasks.enumerate() {
            if tasks_of_job == 0 {
                tasks_of_job = tasks_left.next().copied().unwrap_or(1);
                self.jobs += 1;
                if !chunk.tasks.is_empty() {
                    self.parents.begin(tasks_of_job);
                }
            }
            tasks_of_job -= 1;
            let class = chunk.classes.get(i).copied().unwrap_or(0);
            self.run(arrival, false)?;
            self.arrive(Task { arrival, size, estimate, class, number: self.jobs - 1 });
        }
        let count = chunk.jobs;
        self.since_shift += chunk.times.len();
        self.generator.chunk = chunk;
        if self.since_shift >= self.servers.len() {
            self.shift();
        }
        match self.stray {
            Some(host) => {
                let requirement = format!("must be below {}, the number of hosts", self.servers.len()).into();
                Err(Error::Argument { name: "host chosen by the policy", value: host as f64, requirement })
            }
            None => Ok(count),
        }
    }

    /// Counts time from the last arrival on.
    fn shift(&mut self) {
        self.since_shift = 0;
        let now = self.generator.now();
        self.generator.shift(now);
        self.events.shift(now);
        self.view.shift(now);
        self.servers.iter_mut().for_each(|server| server.shift(now));
    }

    /// All events up to a time; at the end only until all jobs that are counted have ended.
    #[inline]
    fn run(&mut self, time: f64, is_ending: bool) -> Result<()> {
        let most = MOST_EVENTS + 64 * self.jobs;
        for _ in 0..most {
            if (is_ending && self.open == 0) || !self.ring(time) {
                return Ok(());
            }
        }
        Err(Error::NoConvergence { what: "a server", iterations: most as usize, residual: self.events.least().1 })
    }

    /// The next event, if there is one up to a time.
    #[inline]
    fn ring(&mut self, time: f64) -> bool {
        let (host, when) = self.events.least();
        if !(when <= time) {
            return false;
        }
        self.view.now = when;
        if let Some(done) = self.servers[host].advance(when, &mut self.random) {
            self.end(host, done);
        }
        self.events.set(host, self.servers[host].next());
        true
    }

    fn arrive(&mut self, task: Task) {
        self.view.now = task.arrival;
        if let Some(host) = self.policy.arrive(&task, &self.view, &mut self.random) {
            if self.send(host, task) {
                self.events.set(host, self.servers[host].next());
            }
        } else {
            self.view.waiting[task.class as usize].push_back(task);
        }
    }

    /// Whether there is such a host.
    #[inline]
    fn send(&mut self, host: usize, task: Task) -> bool {
        let Some(server) = self.servers.get_mut(host) else {
            self.stray = Some(host);
            return false;
        };
        server.arrive(self.view.now, task, &mut self.random);
        self.view.grow(host, &task);
        true
    }

    #[inline]
    fn end(&mut self, host: usize, done: Done) {
        if self.view.shrink(host)
            && let Some(class) = self.policy.freed(host, &self.view)
            && let Some(task) = self.view.waiting.get_mut(class).and_then(std::collections::VecDeque::pop_front)
        {
            self.send(host, task);
        }
        if let Some((wait, size)) = self.parents.end(&done)
            && self.recorder.counts(done.task.number)
        {
            self.recorder.push(wait, size, done.task.class);
            self.open -= 1;
        }
    }
}

impl<P: Policy, V: Server> Replication for Engine<'_, P, V> {
    fn advance(&mut self, jobs: u64) -> Result<()> {
        while self.jobs < jobs {
            let count = (jobs - self.jobs).min(CHUNK as u64) as usize;
            if self.chunk(count)? == 0 {
                break;
            }
        }
        Ok(())
    }

    /// Jobs go on arriving, not to be counted, until those that are counted have ended, but at most as many again.
    fn finish(&mut self) -> Result<()> {
        self.recorder.end_at(self.jobs);
        let most = 2 * self.jobs;
        while self.open > 0 && self.jobs < most {
            if self.chunk(CHUNK)? == 0 {
                break;
            }
        }
        self.run(f64::MAX, true)?;
        self.recorder.finish();
        Ok(())
    }

    fn recorder(&self) -> &Recorder {
        &self.recorder
    }
}
