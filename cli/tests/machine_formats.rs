//! CSV and JSON: complete, of full precision, and the same numbers in both.

mod common;

use common::{compare, file, json, metric, number, policy};
use std::collections::HashMap;

/// The lines of a CSV answer by section, policy, host and quantity: the value and the rest.
fn lines(options: &str) -> HashMap<[String; 4], [String; 4]> {
    let run = compare(&format!("{options} --format csv"));
    assert_eq!(run.status, Some(0), "{}", run.err);
    let mut reader = csv::Reader::from_reader(run.out.as_bytes());
    assert_eq!(
        reader.headers().unwrap(),
        vec!["section", "policy", "host", "quantity", "value", "accuracy", "error", "note"]
    );
    let mut lines = HashMap::new();
    for record in reader.records() {
        let record = record.unwrap();
        let cell = |i: usize| record[i].to_owned();
        let before = lines.insert([cell(0), cell(1), cell(2), cell(3)], [cell(4), cell(5), cell(6), cell(7)]);
        assert!(before.is_none(), "twice: {record:?}");
    }
    lines
}

fn value(lines: &HashMap<[String; 4], [String; 4]>, key: [&str; 4]) -> f64 {
    let found = lines.get(&key.map(str::to_owned)).unwrap_or_else(|| panic!("no line {key:?}"));
    found[0].parse().unwrap_or_else(|_| panic!("no number at {key:?}: {found:?}"))
}

#[test]
fn csv_and_json_hold_the_same_numbers_to_the_last_digit() {
    for options in ["--hosts 3", "--hosts 3 --law bounded-pareto:k=1,p=1e6,alpha=1.2"] {
        let (lines, report) = (lines(options), json(options));
        for name in ["mean", "scv", "second_moment", "smallest", "largest", "work_share_of_largest_percent"] {
            assert_eq!(value(&lines, ["workload", "", "", name]), number(&report, &format!("workload/{name}")));
        }
        for name in ["hosts", "arrival_rate", "load"] {
            assert_eq!(value(&lines, ["farm", "", "", name]), number(&report, &format!("farm/{name}")));
        }
        assert_eq!(lines[&["farm", "", "", "hosts"].map(str::to_owned)][0], "3");
        for row in report["policies"].as_array().unwrap() {
            let id = row["policy"].as_str().unwrap();
            let remark = lines.get(&["policy", id, "", "remark"].map(str::to_owned)).map(|line| line[3].as_str());
            assert_eq!(remark, row["remark"].as_str(), "{id}");
            assert_eq!(remark.is_some(), id == "least_work_left");
            let metrics = row["metrics"].as_object().unwrap();
            assert!(metrics.len() >= 6, "{id}");
            for (name, measured) in metrics {
                assert_eq!(value(&lines, ["policy", id, "", name]), measured["value"].as_f64().unwrap(), "{id} {name}");
                let accuracy = match id {
                    "least_work_left" if name != "utilisation" => "approximate",
                    // exact for a trace, numerical for a law
                    "fast_server_srpt" => continue,
                    _ => "exact",
                };
                assert_eq!(measured["accuracy"], accuracy, "{id} {name}");
            }
            for (index, host) in row["hosts"].as_array().unwrap().iter().enumerate() {
                let index = (index + 1).to_string();
                for name in ["fraction_of_jobs", "load", "spare"] {
                    assert_eq!(value(&lines, ["policy", id, &index, name]), number(host, name));
                }
                if !host["cutoff"].is_null() {
                    for name in ["size", "share"] {
                        let csv = value(&lines, ["policy", id, &index, &format!("cutoff_{name}")]);
                        assert_eq!(csv, number(host, &format!("cutoff/{name}")));
                    }
                }
                assert_eq!(
                    value(&lines, ["policy", id, &index, "mean_waiting_time"]),
                    number(host, "metrics/mean_waiting_time/value")
                );
            }
        }
    }
}

#[test]
fn sita_has_a_cutoff_between_two_hosts_and_none_at_the_end() {
    let report = json("--hosts 4");
    for id in ["sita_e", "sita_v_waiting", "sita_v_slowdown"] {
        let hosts = policy(&report, id)["hosts"].as_array().unwrap();
        let sizes: Vec<f64> = hosts[..3].iter().map(|host| number(host, "cutoff/size")).collect();
        assert!(sizes.is_sorted() && hosts[3]["cutoff"].is_null(), "{id}: {sizes:?}");
    }
    assert!(policy(&report, "random_ps")["hosts"][0]["cutoff"].is_null());
}

#[test]
fn infinity_is_inf() {
    let law = "--law pareto:k=1,alpha=1.5 --hosts 2";
    let (lines, report) = (lines(law), json(law));
    assert_eq!(report["workload"]["scv"], "inf");
    assert_eq!(report["workload"]["largest"], "inf");
    assert_eq!(report["policies"][0]["metrics"]["mean_waiting_time"]["value"], "inf");
    assert_eq!(metric(&report, "random_fcfs", "mean_slowdown"), f64::INFINITY);
    assert_eq!(report["policies"][0]["ratio_to_random_ps"]["mean_slowdown"], "inf");
    assert_eq!(lines[&["workload", "", "", "scv"].map(str::to_owned)][0], "inf");
    assert_eq!(value(&lines, ["policy", "sita_e", "", "mean_waiting_time"]), f64::INFINITY);
    // The rows without an answer say why.
    for id in ["sita_v_waiting", "sita_v_slowdown"] {
        let row = policy(&report, id);
        assert!(row["metrics"].as_object().unwrap().is_empty());
        let reason = row["reason"].as_str().unwrap();
        assert!(reason.contains("infinite"), "{reason}");
        assert_eq!(lines[&["policy", id, "", "reason"].map(str::to_owned)][3], reason);
    }
}

#[test]
fn a_trace_is_told_from_a_law() {
    assert!(json("--law exponential:mean=1")["without_largest_job"].is_null());
    assert!(json("--law exponential:mean=1")["workload"]["jobs"].is_null());
    let report = json("--law empirical:2x2+1x4+1x8 --hosts 1");
    assert_eq!(number(&report, "workload/jobs"), 4.0);
    // 64 of 64 + 16 + 4 + 4
    assert!((number(&report, "workload/second_moment_in_largest_jobs/0/share") - 64.0 / 88.0).abs() < 1e-15);
    // Weights that are no numbers of jobs have no largest job.
    assert!(json("--law empirical:0.5x2+0.5x4 --hosts 1")["without_largest_job"].is_null());
}

#[test]
fn the_format_may_be_in_capitals() {
    for format in ["JSON", "Csv", "TABLE"] {
        let run = compare(&format!("--hosts 1 --format {format}"));
        assert_eq!((run.status, run.err.as_str()), (Some(0), ""));
        assert_eq!(run.out, compare(&format!("--hosts 1 --format {}", format.to_lowercase())).out);
    }
}

#[test]
fn what_was_assumed_is_in_the_answer() {
    let sizes = file("assumed.txt", "1,3\n5,1\n");
    let options = format!("--sizes {sizes} --hosts 1");
    let report = json(&options);
    let assumption = report["workload"]["assumption"].as_str().unwrap();
    assert!(assumption.contains("column 2 as the count"), "{assumption}");
    assert_eq!(lines(&options)[&["workload", "", "", "assumption"].map(str::to_owned)][3], assumption);
    assert!(json("")["workload"]["assumption"].is_null());
}

#[test]
fn what_was_left_out_is_in_the_answer() {
    let sizes = file("zeros_and_ones.csv", "size,count\n0,3\n1,5\n2,4\n");
    let report = json(&format!("--sizes {sizes} --hosts 1"));
    assert_eq!(number(&report, "workload/left_out_zero"), 3.0);
    assert_eq!(number(&report, "workload/jobs"), 9.0);
}
