//! Where no reference table reaches: jobs of equal sizes, and loads above one, against a small event simulation.

mod common;
use common::relative_error;
use queueing::prelude::*;
use std::collections::BinaryHeap;

/// Uniform on (0, 1).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }
}

/// A job in the system; the smallest key is served first, among equals the one that came first.
#[derive(PartialEq)]
struct Job {
    key: f64,
    number: u64,
    arrival: f64,
    size: f64,
    left: f64,
}

impl Eq for Job {}

impl Ord for Job {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        other.key.total_cmp(&self.key).then(other.number.cmp(&self.number))
    }
}

impl PartialOrd for Job {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// Hands (size, response time) of the jobs that leave to `see`, for preemptive service by the key of (size, work left).
fn simulate(jobs: &Workload<Law>, key: fn(f64, f64) -> f64, count: u64, mut see: impl FnMut(f64, f64)) {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let (mut now, mut waiting) = (0.0, BinaryHeap::<Job>::new());
    for number in 0..count {
        let arrival = now - random.next().ln() / jobs.rate();
        while let Some(mut job) = waiting.pop() {
            if now + job.left > arrival {
                job.left -= arrival - now;
                job.key = key(job.size, job.left);
                waiting.push(job);
                break;
            }
            now += job.left;
            if number > count / 10 {
                see(job.size, now - job.arrival);
            }
        }
        now = arrival;
        let size = jobs.size().quantile(random.next());
        waiting.push(Job { key: key(size, size), number, arrival, size, left: size });
    }
}

const SRPT: fn(f64, f64) -> f64 = |_, left| left;
const PREEMPTIVE_SJF: fn(f64, f64) -> f64 = |size, _| size;

#[test]
fn jobs_of_equal_sizes_are_served_in_order() {
    let size = Empirical::from_atoms(&[(1.0, 5.0), (2.0, 3.0), (6.0, 2.0)]).unwrap();
    let jobs = Workload::with_load(Law::from(size), 0.8).unwrap();
    for (discipline, key) in [(Discipline::Srpt, SRPT), (Discipline::PreemptiveSjf, PREEMPTIVE_SJF)] {
        let mut sums = [(1.0, 0.0, 0.0, 0.0), (2.0, 0.0, 0.0, 0.0), (6.0, 0.0, 0.0, 0.0)];
        simulate(&jobs, key, 4_000_000, |size, response| {
            let sum = sums.iter_mut().find(|sum| sum.0 == size).unwrap();
            (sum.1, sum.2, sum.3) = (sum.1 + 1.0, sum.2 + response, sum.3 + response * response);
        });
        for (size, count, first, second) in sums {
            let exact = mg1::performance_given_size(&jobs, discipline, size).unwrap();
            let (mean, square) = (exact.mean_response_time().unwrap(), exact.second_moment_response_time().unwrap());
            assert!(relative_error(first / count, mean) < 4e-3, "{discipline} {size}: {} {mean}", first / count);
            assert!(relative_error(second / count, square) < 2e-2, "{discipline} {size}: {} {square}", second / count);
        }
    }
}

#[test]
fn small_jobs_see_a_steady_state_under_overload() {
    // Uniform sizes at load 1.6: jobs below 0.79 of the largest bring load one.
    let jobs = Workload::with_load(Law::from(Uniform::new(0.0, 1.0).unwrap()), 1.6).unwrap();
    for (discipline, key) in [(Discipline::Srpt, SRPT), (Discipline::PreemptiveSjf, PREEMPTIVE_SJF)] {
        let probes = [0.1, 0.3, 0.5, 0.6];
        let mut sums = [(0.0, 0.0); 4];
        simulate(&jobs, key, 3_000_000, |size, response| {
            for (sum, x) in sums.iter_mut().zip(probes) {
                if (size - x).abs() < 0.01 {
                    *sum = (sum.0 + 1.0, sum.1 + response);
                }
            }
        });
        for ((count, sum), x) in sums.into_iter().zip(probes) {
            let exact = mg1::response_time_given_size(&jobs, discipline, x).unwrap().value;
            let error = relative_error(sum / count, exact);
            println!("{discipline} {x}: simulated {}, exact {exact}", sum / count);
            assert!(error < 1e-2, "{discipline} {x}: {} {exact}", sum / count);
        }
        assert!(matches!(mg1::response_time_given_size(&jobs, discipline, 0.9), Err(Error::Unstable { .. })));
        assert!(matches!(mg1::performance(&jobs, discipline), Err(Error::Unstable { .. })));
    }
}
