//! What is simulated.

use super::input::Input;
use super::stealing::Stealing;
use crate::error::{Error, Result, require};
use crate::farm::sita::Cutoffs;
use crate::workload::{Discipline, Hosts, Metric};

/// How a farm's dispatcher chooses a host for each job, or each task of a job.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Dispatch {
    /// A host drawn at random.
    Random,
    /// Each host in turn.
    RoundRobin,
    /// The host with the fewest jobs; of equals one drawn at random.
    JoinShortestQueue,
    /// JSQ(d): the shortest queue of d different hosts drawn at random.
    ShortestOf(usize),
    /// An idle host if there is one, else a host drawn at random.
    JoinIdleQueue,
    /// The host with the least work left, by the sizes that the dispatcher sees.
    LeastWorkLeft,
    /// SITA: the host of the job's range of sizes, by the size that the dispatcher sees.
    Sita(Cutoffs),
    /// TAGS: every job starts at the first host; each host kills what exceeds its cutoff and sends it to the next, where it starts anew.
    /// First come, first served. Waiting is everything but the last, useful run.
    Tags(Cutoffs),
}

/// How a host serves its jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Service {
    /// By a discipline that does not look at classes.
    Discipline(Discipline),
    /// The class of the least number first, without interruption.
    Priority,
    /// The class of the least number first; it interrupts the others, which resume where they were.
    PreemptivePriority,
}

impl From<Discipline> for Service {
    fn from(discipline: Discipline) -> Self {
        Self::Discipline(discipline)
    }
}

impl std::fmt::Display for Service {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Discipline(discipline) => discipline.fmt(out),
            Self::Priority => out.write_str("priority"),
            Self::PreemptivePriority => out.write_str("preemptive priority"),
        }
    }
}

/// A system that can be simulated by name.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum System {
    /// Hosts with queues of their own behind a dispatcher.
    Farm {
        /// The hosts.
        hosts: Hosts,
        /// Who goes where.
        dispatch: Dispatch,
        /// What a host does.
        service: Service,
    },
    /// Short hosts and long hosts for two classes: class 0 are the shorts, class 1 the longs.
    Stealing {
        /// Hosts of the shorts.
        short_hosts: Hosts,
        /// Hosts of the longs.
        long_hosts: Hosts,
        /// Who may use whose hosts.
        stealing: Stealing,
    },
}

impl System {
    /// What its results are called, its hosts, and whether a job waits before its service and not during it.
    pub(super) fn describe(&self) -> (String, usize, bool) {
        match self {
            Self::Farm { hosts, dispatch, service } => {
                let name = match dispatch {
                    Dispatch::Random => "random assignment".to_owned(),
                    Dispatch::RoundRobin => "round robin".to_owned(),
                    Dispatch::JoinShortestQueue => "join the shortest queue".to_owned(),
                    Dispatch::ShortestOf(choices) => format!("JSQ({choices})"),
                    Dispatch::JoinIdleQueue => "join idle queue".to_owned(),
                    Dispatch::LeastWorkLeft => "least work left".to_owned(),
                    Dispatch::Sita(_) => "size interval task assignment".to_owned(),
                    Dispatch::Tags(_) => "TAGS".to_owned(),
                };
                let waits_first = matches!(
                    service,
                    Service::Priority
                        | Service::Discipline(Discipline::Fcfs | Discipline::Lcfs | Discipline::Siro | Discipline::Sjf)
                );
                let count = hosts.count();
                let model = if count == 1 {
                    format!("simulation of one {service} host")
                } else {
                    format!("simulation of {name}, {count} {service} hosts")
                };
                (model, count, waits_first)
            }
            Self::Stealing { short_hosts, long_hosts, stealing } => {
                let (k, c) = (short_hosts.count(), long_hosts.count());
                (format!("simulation of {stealing:?}, {k} short and {c} long hosts"), k + c, true)
            }
        }
    }

    /// Whether its parts, and what arrives, fit together.
    pub(super) fn check(&self, input: &Input<'_>) -> Result<()> {
        match self {
            Self::Farm { hosts, dispatch, service } => {
                let count = hosts.count();
                match dispatch {
                    Dispatch::ShortestOf(choices) => {
                        let requirement = "must be between 1 and the number of hosts";
                        require((1..=count).contains(choices), "choices", *choices as f64, requirement)
                    }
                    Dispatch::Sita(cutoffs) | Dispatch::Tags(cutoffs) => {
                        let given = cutoffs.as_slice().len();
                        let requirement = format!("must be {}, one fewer than the hosts", count - 1);
                        require(given + 1 == count, "number of cutoffs", given as f64, requirement)?;
                        let is_fcfs = *service == Service::Discipline(Discipline::Fcfs);
                        if matches!(dispatch, Dispatch::Tags(_)) && !is_fcfs {
                            let metric = Metric::MeanResponseTime.name();
                            return Err(Error::Unavailable { metric, model: format!("TAGS on {service} hosts") });
                        }
                        Ok(())
                    }
                    _ => Ok(()),
                }
            }
            Self::Stealing { .. } => {
                let requirement = "must be at most 2, the shorts and the longs";
                require(input.count() <= 2, "classes", input.count() as f64, requirement)
            }
        }
    }

    /// Metrics of a class, or of all, that are infinite because a moment of the sizes is: whatever a sample says.
    pub(super) fn infinite(&self, input: &Input<'_>, class: Option<usize>) -> Vec<Metric> {
        if input.trace.is_some() || input.tasks.is_some() {
            return Vec::new();
        }
        let is_infinite = |order: f64, class: Option<usize>| {
            let classes =
                input.classes.iter().enumerate().filter(|(index, _)| class.is_none_or(|class| class == *index));
            classes.into_iter().any(|(_, class)| class.size.moment(order).is_infinite())
        };
        let (_, hosts, waits_first) = self.describe();
        // Every job, however small, may wait for the whole of another.
        let waits_for_others = waits_first
            && match self {
                Self::Farm { dispatch, .. } => {
                    hosts == 1 || matches!(dispatch, Dispatch::Random | Dispatch::RoundRobin | Dispatch::Sita(_))
                }
                Self::Stealing { .. } => false,
            };
        let (mean, second, third) = (
            [Metric::MeanWaitingTime, Metric::MeanResponseTime, Metric::MeanNumberInSystem],
            [Metric::SecondMomentWaitingTime, Metric::SecondMomentResponseTime],
            [Metric::ThirdMomentWaitingTime],
        );
        let slowdown = [Metric::MeanSlowdown, Metric::MeanWaitingSlowdown];
        let variance = [Metric::VarianceSlowdown];
        let mut infinite = Vec::new();
        if waits_first && is_infinite(-1.0, class) {
            infinite.extend(slowdown);
        }
        if waits_first && is_infinite(-2.0, class) {
            infinite.extend(variance);
        }
        if is_infinite(2.0, class) {
            infinite.push(Metric::SecondMomentResponseTime);
        }
        if waits_for_others && is_infinite(2.0, None) {
            infinite.extend(mean.into_iter().chain(slowdown));
        }
        if waits_for_others && is_infinite(3.0, None) {
            infinite.extend(second.into_iter().chain(variance));
        }
        if waits_for_others && is_infinite(4.0, None) {
            infinite.extend(third);
        }
        infinite
    }
}
