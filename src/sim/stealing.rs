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

/// Hosts 0..short are short hosts, the others long hosts. Of the idle hosts of a role the one that ran idle last is used first.
pub(super) struct Stealer {
    stealing: Stealing,
    /// idle hosts by role
    idle: [Vec<usize>; 2],
    /// role of each host
    roles: Vec<usize>,
    /// class in service at each host
    serving: Vec<Option<usize>>,
    long_hosts: usize,
    /// longs in service
    longs: usize,
}

impl Stealer {
    pub(super) fn new(stealing: Stealing, short_hosts: usize, long_hosts: usize) -> Self {
        let hosts = short_hosts + long_hosts;
        Self {
            stealing,
            idle: [(0..short_hosts).collect(), (short_hosts..hosts).collect()],
            roles: (0..hosts).map(|host| if host < short_hosts { SHORT } else { LONG }).collect(),
            serving: vec![None; hosts],
            long_hosts,
            longs: 0,
        }
    }

    /// An idle host of the first role that has one.
    fn take(&mut self, roles: &[usize]) -> Option<usize> {
        roles.iter().find_map(|role| self.idle[*role].pop())
    }

    /// A host starts a job of a class, or has none.
    fn serve(&mut self, host: usize, class: Option<usize>) {
        self.longs -= usize::from(self.serving[host] == Some(LONG));
        self.longs += usize::from(class == Some(LONG));
        self.serving[host] = class;
    }

    fn next(&mut self, host: usize, hosts: &View) -> Option<usize> {
        let waits = |class| hosts.waiting(class) > 0;
        let first = |classes: [usize; 2]| classes.into_iter().find(|class| waits(*class));
        match (self.stealing, self.roles[host]) {
            (Stealing::Dedicated | Stealing::ImmediateDispatch, role) => Some(role).filter(|class| waits(*class)),
            (Stealing::CentralQueue(Renaming::Eager), _) => {
                let may_serve_long = self.longs < self.long_hosts;
                Some(LONG).filter(|_| may_serve_long && waits(LONG)).or(Some(SHORT).filter(|_| waits(SHORT)))
            }
            (Stealing::CentralQueue(_) | Stealing::BothWays, LONG) => first([LONG, SHORT]),
            (Stealing::BothWays, _) => first([SHORT, LONG]),
            (Stealing::CentralQueue(renaming), _) => {
                if waits(SHORT) || renaming == Renaming::Never {
                    return Some(SHORT).filter(|class| waits(*class));
                }
                // No short waits: exchange roles with a long host that serves a short, and serve the first long.
                let steals = |other: &usize| self.roles[*other] == LONG && self.serving[*other] == Some(SHORT);
                let stolen = (0..self.roles.len()).find(steals)?;
                (self.roles[host], self.roles[stolen]) = (LONG, SHORT);
                Some(LONG).filter(|class| waits(*class))
            }
        }
    }
}

impl Policy for Stealer {
    #[inline]
    fn arrive(&mut self, job: &Task, _: &View, _: &mut Random) -> Option<usize> {
        let is_long = job.class as usize == LONG;
        let host = match (self.stealing, is_long) {
            (Stealing::Dedicated, false) => self.take(&[SHORT]),
            (Stealing::CentralQueue(Renaming::Eager), true) if self.longs == self.long_hosts => None,
            (Stealing::ImmediateDispatch, false)
            | (Stealing::CentralQueue(Renaming::Eager) | Stealing::BothWays, true) => self.take(&[LONG, SHORT]),
            (_, true) => self.take(&[LONG]),
            (_, false) => self.take(&[SHORT, LONG]),
        };
        if let Some(host) = host {
            self.serve(host, Some(job.class as usize));
        }
        host
    }

    #[inline]
    fn freed(&mut self, host: usize, hosts: &View) -> Option<usize> {
        self.serve(host, None);
        let class = self.next(host, hosts);
        match class {
            Some(_) => self.serve(host, class),
            None => self.idle[self.roles[host]].push(host),
        }
        class
    }

    fn looks_at_hosts(&self) -> bool {
        false
    }
}
