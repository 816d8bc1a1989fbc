//! The commands that simulate: `simulate`, `crosscheck` and `compare --simulate`.

mod common;

use common::{compare, file, json, metric, run};
use serde_json::Value;

fn simulate(options: &str) -> common::Run {
    run(&["simulate"].into_iter().chain(options.split_whitespace()).collect::<Vec<_>>(), None)
}

fn crosscheck(options: &str) -> common::Run {
    run(&["crosscheck"].into_iter().chain(options.split_whitespace()).collect::<Vec<_>>(), None)
}

const ONE: &str = "--law exponential:mean=1 --hosts 1 --load 0.5";

#[test]
fn a_simulation_as_table_csv_and_json() {
    let answer = simulate(&format!("{ONE} --jobs 400000 --format json"));
    assert_eq!(answer.status, Some(0), "{}", answer.err);
    let report: Value = serde_json::from_str(&answer.out).unwrap();
    let entry = &report["metrics"]["mean_response_time"];
    let (value, width) = (entry["value"].as_f64().unwrap(), entry["half_width_95"].as_f64().unwrap());
    assert!((value - 2.0).abs() < 2.5 * width && width < 0.05, "{value} +- {width}");
    assert_eq!(report["metrics"]["mean_slowdown"]["value"], "inf");
    let p90 = report["metrics"]["response_time_p90"]["value"].as_f64().unwrap();
    assert!((p90 - 2.0 * 10.0_f64.ln()).abs() < 0.1, "{p90}");
    assert_eq!(report["jobs"], 400_000);
    let table = simulate(&format!("{ONE} --jobs 4e5"));
    assert!(table.out.contains("mean_response_time") && table.out.contains("400000 jobs, seed 1"), "{}", table.out);
    let csv = simulate(&format!("{ONE} --jobs 4e5 --format csv"));
    assert!(csv.out.contains(&format!("mean_response_time,{value},{width}")), "{}", csv.out);
    // The same whatever the threads.
    assert_eq!(simulate(&format!("{ONE} --jobs 4e5 --format csv --threads 1")).out, csv.out);
}

#[test]
fn every_policy_and_discipline_has_a_name() {
    for policy in ["random", "round-robin", "jsq", "jsq2", "jiq", "lwl", "sita-e", "sita-v-waiting", "sita-v-slowdown"]
    {
        let answer = simulate(&format!("--hosts 3 --policy {policy} --jobs 1000"));
        assert_eq!(answer.status, Some(0), "{policy}: {}", answer.err);
    }
    for policy in ["sita", "tags"] {
        let law = "--law bounded-pareto:k=1,p=1e3,alpha=1.5 --load 0.3 --hosts 2";
        assert_eq!(simulate(&format!("{law} --policy {policy} --cutoffs 30 --jobs 1000")).status, Some(0));
        let bare = simulate(&format!("{law} --policy {policy}"));
        assert_eq!(bare.status, Some(2));
        assert!(bare.err.contains("--cutoffs"), "{}", bare.err);
    }
    for discipline in ["fcfs", "lcfs", "siro", "ps", "plcfs", "sjf", "psjf", "srpt", "fb", "lrpt"] {
        let answer = simulate(&format!("--hosts 1 --discipline {discipline} --jobs 1000"));
        assert_eq!(answer.status, Some(0), "{discipline}: {}", answer.err);
    }
}

#[test]
fn overload_needs_to_be_asked_for() {
    let overload = "--law exponential:mean=1 --hosts 1 --rate 1.5 --jobs 1000";
    let refused = simulate(overload);
    assert_eq!(refused.status, Some(2));
    assert!(refused.err.contains("load of 1.5"), "{}", refused.err);
    assert_eq!(simulate(&format!("{overload} --transient")).status, Some(0));
}

#[test]
fn a_summary_against_the_model() {
    let right = file(
        "summary_right.csv",
        "metric,mean,standard_error,jobs\nmean_response_time,2.01,0.01,1000000\nmean_waiting_time,1.01,0.01,1000000\n",
    );
    let answer = crosscheck(&format!("{ONE} --observed {right}"));
    assert_eq!(answer.status, Some(0), "{}", answer.err);
    assert!(answer.out.contains("consistent") && !answer.out.contains("inconsistent"), "{}", answer.out);
    // A waiting time under the name of a response time.
    let wrong = file("summary_wrong.csv", "metric,mean,half_width\nmean_response_time,1.0,0.02\n");
    let answer = crosscheck(&format!("{ONE} --observed {wrong}"));
    assert_eq!(answer.status, Some(1), "{}", answer.err);
    assert!(
        answer.out.contains("inconsistent") && answer.out.contains("waiting time against response time"),
        "{}",
        answer.out
    );
    // A heavy tail.
    let heavy = file("summary_heavy.csv", "metric,mean,standard_error,jobs\nmean_waiting_time,1e6,1e4,1000000\n");
    let answer = crosscheck(&format!("--law bounded-pareto:k=1,p=1e10,alpha=1.1 --hosts 1 --observed {heavy}"));
    assert_eq!(answer.status, Some(0), "{}", answer.err);
    assert!(answer.out.contains("inconclusive") && answer.out.contains("would settle it"), "{}", answer.out);
}

#[test]
fn jobs_against_the_model() {
    // Arrivals like a clock's, and waits that are far too long.
    let row = |i: u64| {
        let wait = (i * i * 7919 % 1013) as f64 / 100.0;
        format!("{i},{wait},{}", wait + 1.0)
    };
    let rows: Vec<String> = (0..2000).map(row).collect();
    let rows = rows.join("\n");
    let jobs = file("jobs.csv", format!("arrival_time,waiting_time,response_time\n{rows}"));
    let answer = crosscheck(&format!("{ONE} --observed {jobs} --format json"));
    assert_eq!(answer.status, Some(1), "{}", answer.err);
    let report: Value = serde_json::from_str(&answer.out).unwrap();
    let rows = report["comparisons"].as_array().unwrap();
    assert_eq!(rows.len(), 2);
    assert!(rows.iter().all(|row| row["slips"].to_string().contains("not Poisson")), "{report}");
    let csv = crosscheck(&format!("{ONE} --observed {jobs} --format csv"));
    assert!(csv.out.starts_with("metric,expected,observed"), "{}", csv.out);
}

#[test]
fn a_policy_without_a_formula_is_simulated() {
    let seen = file("jsq.csv", "metric,mean,standard_error\nmean_response_time,2.9557,0.01\n");
    let options = "--law exponential:mean=1 --hosts 2 --policy jsq --load 0.8";
    let answer = crosscheck(&format!("{options} --observed {seen}"));
    assert_eq!(answer.status, Some(0), "{}{}", answer.out, answer.err);
    assert!(answer.err.contains("no formula"), "{}", answer.err);
}

#[test]
fn bad_files_say_what_is_wrong() {
    for (name, content, says) in [
        ("empty.csv", "", "none of the columns"),
        ("names.csv", "a,b\n1,2\n", "none of the columns"),
        ("metric.csv", "metric,mean,se\nfoo,1,1\n", "`foo` is none of"),
        ("text.csv", "metric,mean,se\nmean_waiting_time,one,1\n", "`one`"),
        ("noerror.csv", "metric,mean\nmean_waiting_time,1\n", "standard_error"),
        ("zero.csv", "metric,mean,se\nmean_waiting_time,1,0\n", "positive"),
        ("short.csv", "waiting_time\n1\n2\n", "at least 32"),
        ("ragged.csv", "metric,mean,se\nmean_waiting_time,1\n", "record"),
    ] {
        let path = file(name, content);
        let answer = crosscheck(&format!("{ONE} --observed {path}"));
        assert_eq!(answer.status, Some(2), "{name}");
        assert!(answer.err.contains(says), "{name}: {}", answer.err);
    }
    assert_eq!(crosscheck(&format!("{ONE} --observed /nowhere.csv")).status, Some(2));
    for bad in [
        "--jobs 0",
        "--jobs 1.5",
        "--jobs 1e99",
        "--seed -1",
        "--replications 0",
        "--until 0",
        "--threads 0",
        "--policy foo",
        "--discipline foo",
    ] {
        assert_eq!(simulate(&format!("{ONE} {bad}")).status, Some(2), "{bad}");
    }
}

#[test]
fn compare_adds_simulated_rows() {
    let options = "--law weibull:mean=1,scv=2 --hosts 2 --load 0.7";
    let report = json(&format!("{options} --simulate=200000"));
    for id in ["random_ps", "sita_e"] {
        let (formula, seen) = (
            metric(&report, id, "mean_response_time"),
            metric(&report, &format!("{id}_simulated"), "mean_response_time"),
        );
        assert!((seen / formula - 1.0).abs() < 0.1, "{id}: {formula} {seen}");
    }
    let row = common::policy(&report, "shortest_queue_simulated");
    assert_eq!(row["metrics"]["mean_response_time"]["accuracy"], "simulated");
    let page = compare(&format!("{options} --simulate=100000"));
    assert!(page.out.contains("JSQ, sim.") && page.out.contains("simulated"), "{}", page.out);
    assert!(page.out.lines().all(|line| line.chars().count() <= 100), "{}", page.out);
    assert!(page.out.lines().filter(|line| line.starts_with("Least")).all(|line| !line.contains("sim.")));
}
