//! The replication of a system: by recursion where hosts serve first come, first served, else by events.

use super::central::Central;
use super::engine::Engine;
use super::fast::{Anywhere, Interval, JoinIdle, LeastWork, Lindley, Ranges, Recursion, RoundRobin, ShortestOf, Tags};
use super::generator::Generator;
use super::input::Input;
use super::policy::{
    AtRandom, BySize, InTurn, JoinIdleQueue, JoinShortestQueue, LeastWorkLeft, Policy, ShortestOfSome,
};
use super::recorder::Recorder;
use super::replication::Replication;
use super::server::{
    Alone, ByClass, Fifo, Foreground, Lifo, LongestRemaining, NonPreemptive, Preemptive, RandomOrder, Rank, Server,
    Sharing, Shortest,
};
use super::stealing::Stealer;
use super::system::{Dispatch, Service, System};
use crate::random::Random;
use crate::workload::Discipline;

/// Hosts under a discipline, for [`simulate_with`](super::simulate_with).
pub fn hosts(count: usize, discipline: Discipline) -> Vec<Box<dyn Server>> {
    (0..count).map(|_| server(Service::Discipline(discipline))).collect()
}

fn server(service: Service) -> Box<dyn Server> {
    match service {
        Service::Discipline(discipline) => match discipline {
            Discipline::Fcfs => Box::new(NonPreemptive::<Fifo>::default()),
            Discipline::Lcfs => Box::new(NonPreemptive::<Lifo>::default()),
            Discipline::Siro => Box::new(NonPreemptive::<RandomOrder>::default()),
            Discipline::Sjf => Box::new(NonPreemptive::<Shortest>::default()),
            Discipline::Ps => Box::new(Sharing::default()),
            Discipline::PreemptiveLcfs => Box::new(Preemptive::new(Rank::Newest)),
            Discipline::PreemptiveSjf => Box::new(Preemptive::new(Rank::Size)),
            Discipline::Srpt => Box::new(Preemptive::new(Rank::Remaining)),
            Discipline::Fb => Box::new(Foreground::default()),
            Discipline::Lrpt => Box::new(LongestRemaining::default()),
        },
        Service::Priority => Box::new(NonPreemptive::<ByClass>::default()),
        Service::PreemptivePriority => Box::new(Preemptive::new(Rank::Class)),
    }
}

/// The quickest way to simulate a system.
pub(super) fn replication<'a>(
    input: &Input<'a>,
    system: &System,
    random: &mut Random,
    recorder: Recorder,
) -> Box<dyn Replication + 'a> {
    let (hosts, dispatch, service) = match system {
        System::Stealing { short_hosts, long_hosts, stealing } => {
            let (k, c) = (short_hosts.count(), long_hosts.count());
            if input.tasks.is_none() {
                let (generator, stealer) = (Generator::new(input, random), Stealer::new(*stealing, k, c));
                return Box::new(Central::new(generator, stealer, k + c, recorder));
            }
            let servers: Vec<Alone> = (0..k + c).map(|_| Alone::default()).collect();
            return by_events(input, Stealer::new(*stealing, k, c), servers, random, recorder);
        }
        System::Farm { hosts, dispatch, service } => (hosts.count(), dispatch, *service),
    };
    if service == Service::Discipline(Discipline::Fcfs) {
        match dispatch {
            Dispatch::RoundRobin => return by_recursion(input, RoundRobin::new(hosts), random, recorder),
            Dispatch::Random => return by_recursion(input, Anywhere::new(hosts), random, recorder),
            Dispatch::JoinIdleQueue => return by_recursion(input, JoinIdle::new(hosts), random, recorder),
            Dispatch::LeastWorkLeft => {
                let recursion = LeastWork::new(hosts, input.error.is_some());
                return by_recursion(input, recursion, random, recorder);
            }
            Dispatch::Sita(cutoffs) => {
                return by_recursion(input, Interval::new(cutoffs.as_slice()), random, recorder);
            }
            Dispatch::Tags(cutoffs) => {
                return by_recursion(input, Tags::new(cutoffs.sizes()), random, recorder);
            }
            Dispatch::ShortestOf(choices) if *choices < hosts => {
                return by_recursion(input, ShortestOf::new(hosts, *choices), random, recorder);
            }
            Dispatch::ShortestOf(_) | Dispatch::JoinShortestQueue => {}
        }
    }
    if hosts == 1 {
        return one_host(input, service, random, recorder);
    }
    let policy: Box<dyn Policy> = match dispatch {
        Dispatch::Random => Box::new(AtRandom),
        Dispatch::RoundRobin => Box::new(InTurn(0)),
        Dispatch::JoinIdleQueue => Box::new(JoinIdleQueue),
        Dispatch::LeastWorkLeft => Box::new(LeastWorkLeft),
        Dispatch::Sita(cutoffs) | Dispatch::Tags(cutoffs) => Box::new(BySize(Ranges::new(cutoffs.as_slice()))),
        Dispatch::ShortestOf(choices) if *choices < hosts => {
            Box::new(ShortestOfSome { choices: *choices, drawn: Vec::new() })
        }
        Dispatch::ShortestOf(_) | Dispatch::JoinShortestQueue => Box::new(JoinShortestQueue),
    };
    let servers: Vec<Box<dyn Server>> = (0..hosts).map(|_| server(service)).collect();
    by_events(input, policy, servers, random, recorder)
}

/// One host, whose type is known: the quickest engine.
fn one_host<'a>(
    input: &Input<'a>,
    service: Service,
    random: &mut Random,
    recorder: Recorder,
) -> Box<dyn Replication + 'a> {
    let preemptive = |rank| vec![Preemptive::new(rank)];
    match service {
        Service::Discipline(Discipline::Srpt) => {
            by_events(input, AtRandom, preemptive(Rank::Remaining), random, recorder)
        }
        Service::Discipline(Discipline::PreemptiveSjf) => {
            by_events(input, AtRandom, preemptive(Rank::Size), random, recorder)
        }
        Service::Discipline(Discipline::Ps) => by_events(input, AtRandom, vec![Sharing::default()], random, recorder),
        other => by_events(input, AtRandom, vec![server(other)], random, recorder),
    }
}

fn by_recursion<'a, R: Recursion + 'a>(
    input: &Input<'a>,
    recursion: R,
    random: &mut Random,
    recorder: Recorder,
) -> Box<dyn Replication + 'a> {
    let generator = Generator::new(input, random);
    Box::new(Lindley::new(generator, recursion, random.split(), recorder))
}

pub(super) fn by_events<'a, P: Policy + 'a, V: Server + 'a>(
    input: &Input<'a>,
    policy: P,
    servers: Vec<V>,
    random: &mut Random,
    recorder: Recorder,
) -> Box<dyn Replication + 'a> {
    let generator = Generator::new(input, random);
    Box::new(Engine::new(generator, policy, servers, input.count(), random.split(), recorder))
}
