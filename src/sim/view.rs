//! What a policy sees of the hosts.

use super::tournament::Tournament;
use crate::random::Random;
use std::collections::VecDeque;

use super::server::Task;

/// The state of the hosts when a job arrives or a host runs idle.
#[derive(Debug)]
pub struct View {
    /// jobs at each host
    jobs: Vec<u32>,
    lengths: Lengths,
    /// when each host would be free by the estimates, if nobody came any more
    free: Tournament,
    /// whether the two above are kept
    is_watched: bool,
    pub(super) now: f64,
    /// jobs that wait centrally, by class
    pub(super) waiting: Vec<VecDeque<Task>>,
    /// class of the job that came last to each host
    classes: Vec<u32>,
}

impl View {
    pub(super) fn new(hosts: usize, classes: usize, is_watched: bool) -> Self {
        Self {
            jobs: vec![0; hosts],
            is_watched,
            lengths: Lengths::new(hosts),
            free: Tournament::new(hosts, 0.0),
            now: 0.0,
            waiting: vec![VecDeque::new(); classes],
            classes: vec![0; hosts],
        }
    }

    /// How many hosts there are.
    pub fn hosts(&self) -> usize {
        self.classes.len()
    }

    /// Jobs at a host, waiting or in service.
    pub fn jobs(&self, host: usize) -> usize {
        self.jobs.get(host).map_or(0, |jobs| *jobs as usize)
    }

    /// Whether a host has no job.
    pub fn is_idle(&self, host: usize) -> bool {
        self.jobs(host) == 0
    }

    /// A host with the fewest jobs, drawn at random from all of them; O(1).
    pub fn shortest(&self, random: &mut Random) -> usize {
        self.lengths.shortest(random)
    }

    /// The host with the least work left by the estimates, and that work; O(1).
    pub fn least_work(&self) -> (usize, f64) {
        let (host, free) = self.free.least();
        (host, (free - self.now).max(0.0))
    }

    /// The work left at a host by the estimates. Every discipline that is never idle with jobs present leaves the same.
    pub fn work(&self, host: usize) -> f64 {
        if host < self.hosts() { (self.free.key(host) - self.now).max(0.0) } else { 0.0 }
    }

    /// Jobs of a class that wait centrally.
    pub fn waiting(&self, class: usize) -> usize {
        self.waiting.get(class).map_or(0, VecDeque::len)
    }

    /// The class of the job that came last to a host: that in service where jobs wait centrally.
    pub fn class(&self, host: usize) -> usize {
        self.classes.get(host).map_or(0, |class| *class as usize)
    }

    /// A job comes to a host.
    #[inline]
    pub(super) fn grow(&mut self, host: usize, task: &Task) {
        self.jobs[host] += 1;
        self.classes[host] = task.class;
        if self.is_watched {
            self.watch(host, Some(task.estimate));
        }
    }

    /// A job leaves a host; whether it was the last.
    #[inline]
    pub(super) fn shrink(&mut self, host: usize) -> bool {
        self.jobs[host] -= 1;
        if self.is_watched {
            self.watch(host, None);
        }
        self.jobs[host] == 0
    }

    /// A job with this estimate came, or one left.
    #[inline(never)]
    fn watch(&mut self, host: usize, came: Option<f64>) {
        self.lengths.change(host, came.is_some());
        match came {
            Some(estimate) => self.free.set(host, self.free.key(host).max(self.now) + estimate),
            // Whatever the estimates said, nothing is left.
            None if self.jobs[host] == 0 => self.free.set(host, self.now),
            None => {}
        }
    }

    pub(super) fn shift(&mut self, by: f64) {
        self.free.shift(by);
        self.now -= by;
        self.waiting.iter_mut().flatten().for_each(|task| task.arrival -= by);
    }
}

/// Hosts by their number of jobs.
#[derive(Debug)]
struct Lengths {
    /// length of each host, and its place among those of that length
    of: Vec<(u32, u32)>,
    hosts: Vec<Vec<u32>>,
    least: usize,
}

impl Lengths {
    fn new(hosts: usize) -> Self {
        let of = (0..hosts).map(|host| (0, host as u32)).collect();
        Self { of, hosts: vec![(0..hosts as u32).collect()], least: 0 }
    }

    fn shortest(&self, random: &mut Random) -> usize {
        let least = &self.hosts[self.least];
        let place = if least.len() == 1 { 0 } else { random.below(least.len()) };
        least[place] as usize
    }

    fn change(&mut self, host: usize, grows: bool) {
        let (length, place) = self.of[host];
        let (from, place) = (length as usize, place as usize);
        let to = if grows { from + 1 } else { from.saturating_sub(1) };
        self.hosts[from].swap_remove(place);
        if let Some(moved) = self.hosts[from].get(place) {
            self.of[*moved as usize].1 = place as u32;
        }
        if to == self.hosts.len() {
            self.hosts.push(Vec::new());
        }
        self.of[host] = (to as u32, self.hosts[to].len() as u32);
        self.hosts[to].push(host as u32);
        if to < self.least || (from == self.least && self.hosts[from].is_empty()) {
            self.least = to;
        }
    }
}
