//! What a cycle-stealing model can be asked.

use crate::error::{Result, require};

/// The most short hosts.
const MOST_SHORT_HOSTS: usize = 64;

/// The most long hosts.
const MOST_LONG_HOSTS: usize = 8;

/// Tolerances that the refined solver can be asked for.
const TOLERANCES: std::ops::RangeInclusive<f64> = 1e-11..=0.1;

/// The tolerance where a model has no dimensionality reduction and none was asked for.
const DEFAULT_TOLERANCE: f64 = 1e-6;

/// Who serves a long that arrives while the long host is busy with a short and a short host may become free first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Renaming {
    /// Roles are fixed: the long waits for the long host (Osogami's chapter 3, the published reduction). Simple to build; the longs
    /// pay most.
    #[default]
    Never,
    /// The long takes whichever host frees first, and that host is the long host from then on. The longs pay least: in every case
    /// that was computed less than under immediate dispatch. The shorts wait 0.15 to 1.8 per cent longer.
    Eager,
    /// Roles are exchanged only when a short host runs idle while the long host serves a short. Longs gain against `Never` always,
    /// shorts too unless their load is low.
    Lazy,
}

/// Which host an arriving short takes when a short and a long host are idle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Tie {
    /// The short host.
    #[default]
    ShortHost,
    /// The long host.
    LongHost,
}

/// How a model is solved.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub(super) enum Method {
    /// Busy periods by phase types with three moments.
    #[default]
    Reduction,
    /// Busy periods by their transforms, as closely as the relative tolerance asks.
    Refined(f64),
}

impl Method {
    /// The tolerance of the refined solver, also where the other has no answer.
    pub(super) fn tolerance(self) -> f64 {
        match self {
            Self::Reduction => DEFAULT_TOLERANCE,
            Self::Refined(tolerance) => tolerance,
        }
    }

    pub(super) fn validate(self) -> Result<()> {
        match self {
            Self::Reduction => Ok(()),
            Self::Refined(tolerance) => {
                require(TOLERANCES.contains(&tolerance), "tolerance", tolerance, "must be between 1e-11 and 0.1")
            }
        }
    }
}

fn hosts(name: &'static str, count: usize, most: usize, requirement: &'static str) -> Result<()> {
    require((1..=most).contains(&count), name, count as f64, requirement)
}

/// Hosts and solver of [`immediate_dispatch`](super::immediate_dispatch); by default one short and one long host, by dimensionality
/// reduction.
///
/// ```
/// use queueing::stealing::ImmediateDispatch;
/// let two_short_hosts = ImmediateDispatch::default().short_hosts(2).tolerance(1e-8);
/// # assert_ne!(two_short_hosts, ImmediateDispatch::default());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ImmediateDispatch {
    pub(super) short_hosts: usize,
    pub(super) long_hosts: usize,
    pub(super) method: Method,
}

impl Default for ImmediateDispatch {
    fn default() -> Self {
        Self { short_hosts: 1, long_hosts: 1, method: Method::Reduction }
    }
}

impl ImmediateDispatch {
    /// So many short hosts, 1 to 64, with one queue.
    #[must_use]
    pub fn short_hosts(self, short_hosts: usize) -> Self {
        Self { short_hosts, ..self }
    }

    /// So many long hosts, 1 to 8, with one queue. More than one: exponential sizes, refined solver.
    #[must_use]
    pub fn long_hosts(self, long_hosts: usize) -> Self {
        Self { long_hosts, ..self }
    }

    /// The refined solver, to this relative tolerance between 1e-11 and 0.1.
    #[must_use]
    pub fn tolerance(self, tolerance: f64) -> Self {
        Self { method: Method::Refined(tolerance), ..self }
    }

    pub(super) fn validate(self) -> Result<()> {
        hosts("short hosts", self.short_hosts, MOST_SHORT_HOSTS, "must be between 1 and 64")?;
        hosts("long hosts", self.long_hosts, MOST_LONG_HOSTS, "must be between 1 and 8")?;
        self.method.validate()
    }
}

/// Hosts, rules and solver of [`central_queue`](super::central_queue); by default one short and one long host, no renaming, by
/// dimensionality reduction.
///
/// ```
/// use queueing::stealing::{CentralQueue, Renaming};
/// let eager = CentralQueue::default().renaming(Renaming::Eager).short_hosts(4).tolerance(1e-6);
/// # assert_ne!(eager, CentralQueue::default());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CentralQueue {
    pub(super) short_hosts: usize,
    pub(super) long_hosts: usize,
    pub(super) renaming: Renaming,
    pub(super) tie: Tie,
    pub(super) both_ways: bool,
    pub(super) method: Method,
}

impl Default for CentralQueue {
    fn default() -> Self {
        Self {
            short_hosts: 1,
            long_hosts: 1,
            renaming: Renaming::Never,
            tie: Tie::ShortHost,
            both_ways: false,
            method: Method::Reduction,
        }
    }
}

impl CentralQueue {
    /// So many short hosts, 1 to 64.
    #[must_use]
    pub fn short_hosts(self, short_hosts: usize) -> Self {
        Self { short_hosts, ..self }
    }

    /// So many long hosts, 1 to 8. More than one: exponential sizes.
    #[must_use]
    pub fn long_hosts(self, long_hosts: usize) -> Self {
        Self { long_hosts, ..self }
    }

    /// Who serves a long that finds the long host busy with a short.
    #[must_use]
    pub fn renaming(self, renaming: Renaming) -> Self {
        Self { renaming, ..self }
    }

    /// Which idle host an arriving short prefers, where roles are fixed.
    #[must_use]
    pub fn tie(self, tie: Tie) -> Self {
        Self { tie, ..self }
    }

    /// Stealing in both directions: an idle short host takes a waiting long if no short waits. Exponential sizes, fixed roles, refined
    /// solver.
    #[must_use]
    pub fn both_ways(self) -> Self {
        Self { both_ways: true, ..self }
    }

    /// The refined solver, to this relative tolerance between 1e-11 and 0.1.
    #[must_use]
    pub fn tolerance(self, tolerance: f64) -> Self {
        Self { method: Method::Refined(tolerance), ..self }
    }

    pub(super) fn validate(self) -> Result<()> {
        hosts("short hosts", self.short_hosts, MOST_SHORT_HOSTS, "must be between 1 and 64")?;
        hosts("long hosts", self.long_hosts, MOST_LONG_HOSTS, "must be between 1 and 8")?;
        let fixed = "must be Never where longs steal too or the tie goes to the long host";
        let special = self.both_ways || self.tie == Tie::LongHost;
        require(!special || self.renaming == Renaming::Never, "renaming", f64::from(self.renaming as u8), fixed)?;
        self.method.validate()
    }
}
