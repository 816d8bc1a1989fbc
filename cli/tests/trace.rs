//! The embedded trace against the statistics of the full sample, and the answers against identities.

mod common;

use common::{close, compare, json, metric, number, policy};

/// Of all 385503 run times, computed without the histogram.
mod full_sample {
    pub(crate) const JOBS: f64 = 385503.0;
    pub(crate) const MEAN: f64 = 650.7031526645;
    pub(crate) const COEFFICIENT_OF_VARIATION: f64 = 6.4408299660;
    pub(crate) const SECOND_MOMENT: f64 = 17988468.630242;
    pub(crate) const INVERSE_MOMENT: f64 = 0.0168958108758;
    pub(crate) const SMALLEST: f64 = 8.385929;
    pub(crate) const MEDIAN: f64 = 108.617765;
    pub(crate) const P90: f64 = 1058.085269;
    pub(crate) const P99: f64 = 10337.026269;
    pub(crate) const P999: f64 = 45176.347123;
    pub(crate) const LARGEST: f64 = 652617.652668;
    pub(crate) const WORK_IN_LARGEST_PERCENT: f64 = 0.3818;
}

#[test]
fn the_summary_is_that_of_the_full_sample() {
    let report = json("");
    let value = |name: &str| number(&report, &format!("workload/{name}"));
    assert_eq!(value("jobs"), full_sample::JOBS);
    assert_eq!(value("distinct_sizes"), 526.0);
    close(value("mean"), full_sample::MEAN, 2e-8);
    close(value("scv"), full_sample::COEFFICIENT_OF_VARIATION.powi(2), 1.5e-5);
    close(value("second_moment"), full_sample::SECOND_MOMENT, 1.5e-5);
    close(value("smallest"), full_sample::SMALLEST, 1e-12);
    close(value("largest"), full_sample::LARGEST, 1e-7);
    // Bins are 2 % wide.
    close(value("percentiles/0/size"), full_sample::MEDIAN, 0.02);
    close(value("percentiles/1/size"), full_sample::P90, 0.02);
    close(value("percentiles/2/size"), full_sample::P99, 0.02);
    close(value("percentiles/3/size"), full_sample::P999, 0.02);
    close(value("work_share_of_largest_percent"), full_sample::WORK_IN_LARGEST_PERCENT, 2e-4);
    // The largest job alone: its square over the sum of all squares.
    let share = full_sample::LARGEST.powi(2) / (full_sample::SECOND_MOMENT * full_sample::JOBS);
    close(value("second_moment_in_largest_jobs/0/share"), share, 1.5e-5);
}

#[test]
fn random_assignment_agrees_with_the_full_sample() {
    let report = json("--load 0.8");
    // E[W] = rho E[X^2] / (2 (1 - rho) E[X]), E[T/X] = 1 + E[W] E[1/X]
    let waiting = 0.8 * full_sample::SECOND_MOMENT / (2.0 * 0.2 * full_sample::MEAN);
    close(metric(&report, "random_fcfs", "mean_waiting_time"), waiting, 2e-5);
    close(metric(&report, "random_fcfs", "mean_slowdown"), 1.0 + waiting * full_sample::INVERSE_MOMENT, 6e-5);
    // One host at load 0.8 has a mean response time of 85.968581 mean sizes, as published with the sample.
    close(metric(&report, "random_fcfs", "mean_response_time") / full_sample::MEAN, 85.968581, 2e-5);
    close(metric(&report, "random_ps", "mean_slowdown"), 5.0, 1e-14);
    close(metric(&report, "random_ps", "mean_response_time"), 5.0 * full_sample::MEAN, 2e-8);
}

#[test]
fn every_policy_keeps_the_identities() {
    for (hosts, load) in [(1, 0.3), (2, 0.5), (8, 0.8), (32, 0.9)] {
        let report = json(&format!("--hosts {hosts} --load {load}"));
        let (mean, rate) = (number(&report, "workload/mean"), number(&report, "farm/arrival_rate"));
        close(rate * mean, f64::from(hosts) * load, 1e-14);
        let ids: Vec<&str> =
            report["policies"].as_array().unwrap().iter().map(|row| row["policy"].as_str().unwrap()).collect();
        let all = [
            "random_fcfs",
            "random_ps",
            "least_work_left",
            "sita_e",
            "sita_v_waiting",
            "sita_v_slowdown",
            "fast_server_srpt",
            "fast_server_ps",
        ];
        assert_eq!(ids, all);
        for id in ids {
            let row = policy(&report, id);
            assert!(row["reason"].is_null(), "{id}: {}", row["reason"]);
            let response = metric(&report, id, "mean_response_time");
            // The time in service in units of the size: a server in the place of all hosts has the speed of all of them.
            let service = if id.starts_with("fast_server") { 1.0 / f64::from(hosts) } else { 1.0 };
            close(response, metric(&report, id, "mean_waiting_time") + service * mean, 1e-12);
            close(metric(&report, id, "mean_slowdown"), metric(&report, id, "mean_waiting_slowdown") + service, 1e-12);
            // Little: E[N] = lambda E[T]
            close(metric(&report, id, "mean_number_in_system"), rate * response, 1e-12);
            close(number(row, "ratio_to_random_ps/mean_response_time"), response * (1.0 - load) / mean, 1e-12);
            let hosts_of = row["hosts"].as_array().unwrap();
            // One queue for all hosts, and one fast server in their place, have no hosts of their own.
            if id == "least_work_left" || id.starts_with("fast_server") {
                assert!(hosts_of.is_empty());
                continue;
            }
            assert_eq!(hosts_of.len(), hosts as usize);
            let sum = |name: &str| hosts_of.iter().map(|host| number(host, name)).sum::<f64>();
            close(sum("fraction_of_jobs"), 1.0, 1e-12);
            close(sum("load"), f64::from(hosts) * load, 1e-12);
            // Means over jobs weigh the hosts by their share of the jobs.
            let by_host: f64 = hosts_of
                .iter()
                .map(|host| number(host, "fraction_of_jobs") * number(host, "metrics/mean_response_time/value"))
                .sum();
            close(by_host, response, 1e-12);
        }
        close(metric(&report, "random_ps", "mean_slowdown"), 1.0 / (1.0 - load), 1e-14);
        for host in policy(&report, "sita_e")["hosts"].as_array().unwrap() {
            close(number(host, "load"), load, 1e-12);
        }
    }
}

#[test]
fn the_optimum_is_better_than_equal_loads() {
    let split = json("--split");
    let whole = json("");
    for (id, name) in [("sita_v_waiting", "mean_waiting_time"), ("sita_v_slowdown", "mean_slowdown")] {
        let best = metric(&split, id, name);
        assert!(best <= metric(&whole, id, name) * (1.0 + 1e-12), "{name}: split {best}");
        assert!(best <= metric(&split, "sita_e", name) * (1.0 + 1e-12), "{name}: equal loads are better than {best}");
    }
}

#[test]
fn one_host_is_one_queue() {
    let report = json("--hosts 1");
    for id in ["least_work_left", "sita_e", "sita_v_waiting", "sita_v_slowdown"] {
        for name in ["mean_waiting_time", "mean_slowdown"] {
            close(metric(&report, id, name), metric(&report, "random_fcfs", name), 1e-14);
        }
    }
}

#[test]
fn rate_and_load_are_two_ways_to_say_one_thing() {
    let by_load = json("--load 0.8");
    let rate = number(&by_load, "farm/arrival_rate");
    let by_rate = json(&format!("--rate {rate}"));
    close(number(&by_rate, "farm/load"), 0.8, 1e-14);
    for id in ["random_fcfs", "sita_e", "sita_v_slowdown"] {
        close(metric(&by_rate, id, "mean_slowdown"), metric(&by_load, id, "mean_slowdown"), 1e-12);
    }
}

#[test]
fn without_the_largest_job_the_rate_is_held() {
    let report = json("--load 0.8");
    let without = &report["without_largest_job"];
    let (mean, jobs) = (number(&report, "workload/mean"), number(&report, "workload/jobs"));
    let largest = number(without, "size");
    close(largest, full_sample::LARGEST, 1e-7);
    let mean_without = (mean * jobs - largest) / (jobs - 1.0);
    close(number(without, "load"), 0.8 * mean_without / mean, 1e-13);
    for (row, before) in without["policies"].as_array().unwrap().iter().zip(report["policies"].as_array().unwrap()) {
        assert_eq!(row["policy"], before["policy"]);
        let pointer = "metrics/mean_waiting_time/value";
        assert!(number(row, pointer) < number(before, pointer), "{}", row["name"]);
    }
}

#[test]
fn the_nasa_log_if_it_is_there() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/nasa-ipsc-1993.swf");
    let Some(path) = path.to_str().filter(|_| path.exists()) else { return };
    let run = compare(&format!("--sizes {path} --format json"));
    assert_eq!(run.status, Some(0), "{}", run.err);
    assert!(run.err.contains("left out 173 jobs of size 0"), "{}", run.err);
    let report: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let value = |name: &str| number(&report, &format!("workload/{name}"));
    // The published statistics of the log.
    assert_eq!((value("jobs"), value("left_out_zero")), (18066.0, 173.0));
    close(value("mean"), 772.212, 1e-6);
    // 3.4614 to its printed digits
    close(value("scv").sqrt(), 3.4614, 0.5e-4 / 3.4614);
    close(value("work_share_of_largest_percent"), 0.254, 2e-3);
    assert_eq!((value("percentiles/0/size"), value("largest")), (88.0, 62643.0));
    assert_eq!(policy(&report, "sita_v_slowdown")["reason"], serde_json::Value::Null);
}
