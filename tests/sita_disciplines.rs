//! Size interval task assignment with hosts that serve by size.

mod common;
use queueing::prelude::*;

fn farm(hosts: usize, load: f64) -> Farm<BoundedPareto> {
    Farm::with_load(BoundedPareto::new(1.0, 1e4, 1.2).unwrap(), Hosts::identical(hosts).unwrap(), load).unwrap()
}

const BY_SIZE: [Discipline; 4] = [Discipline::Srpt, Discipline::PreemptiveSjf, Discipline::Fb, Discipline::Sjf];

#[test]
fn one_host_is_the_queue_itself() {
    let farm = farm(1, 0.8);
    for discipline in Discipline::ALL {
        let one = sita::evaluate(&farm, &sita::Cutoffs::new(&[]).unwrap(), discipline).unwrap();
        let queue = mg1::performance(&farm.one_host(), discipline).unwrap();
        assert_close!(
            one.overall.mean_response_time().unwrap(),
            queue.mean_response_time().unwrap(),
            1e-13,
            "{discipline}"
        );
        assert_close!(one.overall.mean_slowdown().unwrap(), queue.mean_slowdown().unwrap(), 1e-13, "{discipline}");
    }
}

#[test]
fn hosts_are_independent_queues() {
    let (farm, cut) = (farm(2, 0.7), 20.0);
    for discipline in BY_SIZE {
        let result = sita::evaluate(&farm, &sita::Cutoffs::new(&[cut]).unwrap(), discipline).unwrap();
        // A bounded Pareto law between two sizes is one again.
        let parts = [BoundedPareto::new(1.0, cut, 1.2).unwrap(), BoundedPareto::new(cut, 1e4, 1.2).unwrap()];
        let mut mean = 0.0;
        for (part, host) in parts.into_iter().zip(&result.hosts) {
            let jobs = Workload::new(farm.jobs().rate() * host.fraction, part).unwrap();
            let queue = mg1::performance(&jobs, discipline).unwrap();
            assert_close!(
                host.outcome.mean_response_time().unwrap(),
                queue.mean_response_time().unwrap(),
                1e-11,
                "{discipline}"
            );
            mean += host.fraction * queue.mean_response_time().unwrap();
        }
        assert_close!(result.overall.mean_response_time().unwrap(), mean, 1e-11, "{discipline}");
    }
}

#[test]
fn no_other_cutoff_is_better() {
    let farm = farm(2, 0.7);
    for discipline in BY_SIZE {
        for metric in [Metric::MeanResponseTime, Metric::MeanSlowdown] {
            let best = sita::optimal(&farm, metric, discipline).unwrap();
            let value = best.overall.estimate(metric).unwrap().value;
            for i in 1..200 {
                let cut = 1e4_f64.powf(f64::from(i) / 200.0);
                let other = sita::evaluate(&farm, &sita::Cutoffs::new(&[cut]).unwrap(), discipline);
                if let Ok(other) = other.and_then(|other| other.overall.estimate(metric)) {
                    assert!(
                        value <= other.value * (1.0 + 1e-9),
                        "{discipline} {metric}: {value} against {} at {cut}",
                        other.value
                    );
                }
            }
        }
    }
}
