//! The same seed gives the same bits in every build: each engine on a trace, whose times and sizes come from random bits by sums and
//! products alone, so that no library function of the platform is in them.
#![cfg(feature = "sim")]

use queueing::farm::sita::Cutoffs;
use queueing::prelude::*;
use queueing::sim::{self, Dispatch, Input, Record, Run, Sample, Service, Simulated, Stealing, System};
use queueing::stealing::Renaming;

/// Two classes, jobs some 0.4 apart, sizes up to 1 or, one in eight, up to 4.
fn trace() -> Vec<Record> {
    let mut random = queueing::Random::new(20261130);
    let mut time = 0.0;
    let record = |_| {
        time += 0.8 * random.uniform();
        let class = usize::from(random.below(8) == 0);
        let size = if class == 1 { 4.0 } else { 1.0 } * random.uniform();
        Record { time, size, class }
    };
    (0..6000).map(record).collect()
}

/// All bits of what was measured, folded into one number (FNV-1a).
fn digest(seen: &Simulated) -> u64 {
    let numbers = |sample: &Sample| {
        let mut numbers: Vec<f64> = sample.performance().metrics().map(|(_, estimate)| estimate.value).collect();
        numbers.extend(sample.batch_means(Metric::SecondMomentResponseTime).unwrap());
        numbers.extend([0.5, 0.9, 0.99].map(|p| sample.response_time_quantile(p).unwrap().value));
        numbers
    };
    let samples = [&seen.overall].into_iter().chain(&seen.classes);
    samples
        .flat_map(numbers)
        .flat_map(|number| number.to_bits().to_le_bytes())
        .fold(0xcbf29ce484222325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100000001b3))
}

/// Pinned in a debug build and in an optimised one.
#[test]
fn debug_and_release_give_the_same_bits() {
    let farm =
        |hosts, dispatch, service: Service| System::Farm { hosts: Hosts::identical(hosts).unwrap(), dispatch, service };
    let fcfs = |dispatch| farm(3, dispatch, Discipline::Fcfs.into());
    let mut systems: Vec<System> = [
        Dispatch::Random,
        Dispatch::RoundRobin,
        Dispatch::LeastWorkLeft,
        Dispatch::JoinIdleQueue,
        Dispatch::ShortestOf(2),
        Dispatch::JoinShortestQueue,
        Dispatch::Sita(Cutoffs::new(&[0.5, 1.0]).unwrap()),
    ]
    .into_iter()
    .map(fcfs)
    .collect();
    systems.push(farm(20, Dispatch::RoundRobin, Discipline::Fcfs.into()));
    systems.push(farm(40, Dispatch::LeastWorkLeft, Discipline::Fcfs.into()));
    systems.extend(Discipline::ALL.map(|discipline| farm(2, Dispatch::JoinIdleQueue, discipline.into())));
    systems.push(farm(2, Dispatch::Random, Service::Priority));
    systems.push(farm(2, Dispatch::Random, Service::PreemptivePriority));
    let stealing = |short_hosts, stealing| System::Stealing {
        short_hosts: Hosts::identical(short_hosts).unwrap(),
        long_hosts: Hosts::identical(1).unwrap(),
        stealing,
    };
    let rules = [
        Stealing::Dedicated,
        Stealing::ImmediateDispatch,
        Stealing::CentralQueue(Renaming::Never),
        Stealing::CentralQueue(Renaming::Eager),
        Stealing::CentralQueue(Renaming::Lazy),
        Stealing::BothWays,
    ];
    systems.extend(rules.map(|rule| stealing(2, rule)));
    systems.push(stealing(9, Stealing::CentralQueue(Renaming::Lazy)));

    let records = trace();
    let input = Input::trace(&records).unwrap();
    let run = Run::new(1).replications(2);
    let found: Vec<u64> = systems.iter().map(|system| digest(&sim::simulate(&input, system, &run).unwrap())).collect();
    assert_eq!(found, EXPECTED, "{found:#x?}");
}

const EXPECTED: [u64; 28] = [
    0xd68d9a04f835a9b0,
    0x0033257f9e3d4ef1,
    0x07dc7ae2df74ad5c,
    0x45a28fda83ed1cae,
    0x734994431adc7f8e,
    0x35124a535d1bc3ea,
    0x570df9c67d59a368,
    0x9f5b40b5e4f5cdcd,
    0x5edaa774819f4f9d,
    0xd9ba1046f627b546,
    0x072d27cdcd65bbf0,
    0x3fabc6578f085184,
    0xd60e4e649f853535,
    0x7b05430700c23cdd,
    0xc06b640bd498857d,
    0x6a5677f08251354f,
    0xfeb06b2009677ec2,
    0x13f0d5dc7851b350,
    0x07275e1f901c3458,
    0xe592878643339889,
    0xde7deaa1e957847f,
    0x308b301dfec94bea,
    0xcdb19b48ac407af3,
    0x1da2f1d922ee6f18,
    0xc1246953aae5cf89,
    0xb3218d78f1dde04e,
    0xca6b7e90a6ac8d75,
    0x20dae5bdf1cf6861,
];
