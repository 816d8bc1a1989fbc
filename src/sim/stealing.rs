//! Cycle stealing between short hosts and long hosts.

use super::policy::Policy;
use super::server::Task;
use super::view::View;
use crate::random::Random;
use crate::stealing::Renaming;

/// The classes, by number.
const SHORT: usize = 0;
const LONG: usize = 1;

/// Who may use whose hosts. Service is never interrupted, and each class is served first come, first served.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Stealing {
    /// Nobody: shorts queue for the short hosts, longs for the long hosts.
    Dedicated,
    /// SBCS-ID: a short that finds a long host idle on arrival goes there, else it queues for the short hosts.
    ImmediateDispatch,
    /// SBCS-CQ: shorts wait in one queue; a long host that has no long to serve takes the first of them. A short that finds both kinds
    /// of host idle takes a short host.
    CentralQueue(Renaming),
    /// Longs, too, use idle short hosts: every host prefers its own class and takes the other when no job of its own waits.
    BothWays,
}

/// First choice and second choice.
type Choices = [Option<usize>; 2];

/// Hosts 0..short are short hosts, the others long hosts. Of the idle hosts of a role the one that ran idle last is used first.
pub(super) struct Stealer {
    /// roles of the idle hosts that a class takes, by class
    takes: [Choices; 2],
    /// classes that a host serves, by role
    serves: [Choices; 2],
    /// the most longs in service at once
    most_longs: usize,
    /// whether a short host without shorts exchanges roles with a long host that serves one
    exchanges: bool,
    /// idle hosts by role
    idle: [Vec<usize>; 2],
    hosts: Vec<Host>,
    /// longs in service
    longs: usize,
}

#[derive(Clone, Copy)]
struct Host {
    role: usize,
    /// class in service
    serving: Option<usize>,
}

impl Stealer {
    pub(super) fn new(stealing: Stealing, short_hosts: usize, long_hosts: usize) -> Self {
        const SHORTS: Choices = [Some(SHORT), None];
        const LONGS: Choices = [Some(LONG), None];
        const SHORT_THEN_LONG: Choices = [Some(SHORT), Some(LONG)];
        const LONG_THEN_SHORT: Choices = [Some(LONG), Some(SHORT)];
        let (takes, serves) = match stealing {
            Stealing::Dedicated => ([SHORTS, LONGS], [SHORTS, LONGS]),
            Stealing::ImmediateDispatch => ([LONG_THEN_SHORT, LONGS], [SHORTS, LONGS]),
            Stealing::CentralQueue(Renaming::Eager) => ([SHORT_THEN_LONG, LONG_THEN_SHORT], [LONG_THEN_SHORT; 2]),
            Stealing::CentralQueue(_) => ([SHORT_THEN_LONG, LONGS], [SHORTS, LONG_THEN_SHORT]),
            Stealing::BothWays => ([SHORT_THEN_LONG, LONG_THEN_SHORT], [SHORT_THEN_LONG, LONG_THEN_SHORT]),
        };
        let hosts = short_hosts + long_hosts;
        let role = |host| if host < short_hosts { SHORT } else { LONG };
        Self {
            takes,
            serves,
            most_longs: if stealing == Stealing::BothWays { hosts } else { long_hosts },
            exchanges: stealing == Stealing::CentralQueue(Renaming::Lazy),
            idle: [(0..short_hosts).collect(), (short_hosts..hosts).collect()],
            hosts: (0..hosts).map(|host| Host { role: role(host), serving: None }).collect(),
            longs: 0,
        }
    }

    #[inline]
    fn may_serve(&self, class: usize) -> bool {
        class == SHORT || self.longs < self.most_longs
    }

    /// A job arrives: the idle host that it takes.
    #[inline]
    pub(super) fn place(&mut self, class: usize) -> Option<usize> {
        if !self.may_serve(class) {
            return None;
        }
        let [first, second] = self.takes[class];
        let host = first.and_then(|role| self.idle[role].pop()).or_else(|| self.idle[second?].pop())?;
        self.serve(host, class);
        Some(host)
    }

    /// A job ends: the class, of those of which a job waits, that its host takes.
    #[inline]
    pub(super) fn take(&mut self, host: usize, waits: impl Fn(usize) -> bool) -> Option<usize> {
        self.longs -= usize::from(self.hosts[host].serving == Some(LONG));
        self.hosts[host].serving = None;
        let may_take = |class: &usize| waits(*class) && self.may_serve(*class);
        let [first, second] = self.serves[self.hosts[host].role];
        let mut class = first.filter(may_take).or_else(|| second.filter(may_take));
        if class.is_none() && self.exchanges && self.hosts[host].role == SHORT && self.exchange(host) {
            class = Some(LONG).filter(|class| waits(*class));
        }
        match class {
            Some(class) => self.serve(host, class),
            None => self.idle[self.hosts[host].role].push(host),
        }
        class
    }

    /// A short host exchanges roles with a long host that serves a short, if there is one.
    fn exchange(&mut self, host: usize) -> bool {
        let serves_short = |other: &&mut Host| other.role == LONG && other.serving == Some(SHORT);
        let Some(other) = self.hosts.iter_mut().find(serves_short) else { return false };
        other.role = SHORT;
        self.hosts[host].role = LONG;
        true
    }

    /// A host starts a job of a class.
    #[inline]
    fn serve(&mut self, host: usize, class: usize) {
        self.longs += usize::from(class == LONG);
        self.hosts[host].serving = Some(class);
    }
}

impl Policy for Stealer {
    fn arrive(&mut self, job: &Task, _: &View, _: &mut Random) -> Option<usize> {
        self.place(usize::from(job.class as usize == LONG))
    }

    fn freed(&mut self, host: usize, hosts: &View) -> Option<usize> {
        self.take(host, |class| hosts.waiting(class) > 0)
    }

    fn looks_at_hosts(&self) -> bool {
        false
    }
}
