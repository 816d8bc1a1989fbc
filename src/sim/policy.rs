//! Which host a job goes to: the dispatchers of a farm.

use super::fast::Ranges;
use super::server::Task;
use super::view::View;
use crate::random::Random;

/// A dispatcher, or a central queue: where a job goes when it arrives, and what a host does when it runs idle.
///
/// ```
/// use queueing::Random;
/// use queueing::sim::{Policy, Task, View};
///
/// /// Large jobs to host 0, the others to the shortest queue.
/// struct LargeApart(f64);
///
/// impl Policy for LargeApart {
///     fn arrive(&mut self, job: &Task, hosts: &View, random: &mut Random) -> Option<usize> {
///         if job.estimate > self.0 { Some(0) } else { Some(hosts.shortest(random)) }
///     }
/// }
/// ```
pub trait Policy: Send {
    /// The host that a job goes to; none if it is to wait centrally, in the queue of its class.
    fn arrive(&mut self, job: &Task, hosts: &View, random: &mut Random) -> Option<usize>;

    /// A host has run idle: the class whose first waiting job it takes. It stays idle for none, or if no such job waits.
    fn freed(&mut self, host: usize, hosts: &View) -> Option<usize> {
        let _ = (host, hosts);
        None
    }

    /// Whether the policy asks the hosts for their jobs or work. One that keeps account itself runs faster: then
    /// [`shortest`](View::shortest) is any host and [`work`](View::work) and [`least_work`](View::least_work) are 0.
    fn looks_at_hosts(&self) -> bool {
        true
    }
}

impl<T: Policy + ?Sized> Policy for Box<T> {
    fn arrive(&mut self, job: &Task, hosts: &View, random: &mut Random) -> Option<usize> {
        (**self).arrive(job, hosts, random)
    }

    fn freed(&mut self, host: usize, hosts: &View) -> Option<usize> {
        (**self).freed(host, hosts)
    }

    fn looks_at_hosts(&self) -> bool {
        (**self).looks_at_hosts()
    }
}

/// Each host in turn.
pub(super) struct InTurn(pub usize);

impl Policy for InTurn {
    fn arrive(&mut self, _: &Task, hosts: &View, _: &mut Random) -> Option<usize> {
        let host = self.0;
        self.0 = if host + 1 < hosts.hosts() { host + 1 } else { 0 };
        Some(host)
    }

    fn looks_at_hosts(&self) -> bool {
        false
    }
}

/// A host drawn at random.
pub(super) struct AtRandom;

impl Policy for AtRandom {
    fn arrive(&mut self, _: &Task, hosts: &View, random: &mut Random) -> Option<usize> {
        Some(if hosts.hosts() == 1 { 0 } else { random.below(hosts.hosts()) })
    }

    fn looks_at_hosts(&self) -> bool {
        false
    }
}

/// The host of the range of sizes.
pub(super) struct BySize(pub Ranges);

impl Policy for BySize {
    fn arrive(&mut self, job: &Task, _: &View, random: &mut Random) -> Option<usize> {
        Some(self.0.host(job.estimate, random))
    }

    fn looks_at_hosts(&self) -> bool {
        false
    }
}

/// The host with the least work left.
pub(super) struct LeastWorkLeft;

impl Policy for LeastWorkLeft {
    fn arrive(&mut self, _: &Task, hosts: &View, _: &mut Random) -> Option<usize> {
        Some(hosts.least_work().0)
    }
}

/// An idle host, else any.
pub(super) struct JoinIdleQueue;

impl Policy for JoinIdleQueue {
    fn arrive(&mut self, _: &Task, hosts: &View, random: &mut Random) -> Option<usize> {
        let shortest = hosts.shortest(random);
        Some(if hosts.is_idle(shortest) { shortest } else { random.below(hosts.hosts()) })
    }
}

/// The shortest queue of all.
pub(super) struct JoinShortestQueue;

impl Policy for JoinShortestQueue {
    fn arrive(&mut self, _: &Task, hosts: &View, random: &mut Random) -> Option<usize> {
        Some(hosts.shortest(random))
    }
}

/// The shortest queue of some hosts drawn at random, of equals the one that was drawn first.
pub(super) struct ShortestOfSome {
    pub choices: usize,
    pub drawn: Vec<usize>,
}

impl Policy for ShortestOfSome {
    fn arrive(&mut self, _: &Task, hosts: &View, random: &mut Random) -> Option<usize> {
        self.drawn.clear();
        while self.drawn.len() < self.choices {
            let host = random.below(hosts.hosts());
            if !self.drawn.contains(&host) {
                self.drawn.push(host);
            }
        }
        self.drawn.iter().copied().min_by_key(|host| hosts.jobs(*host))
    }
}
