//! The arrival rate is that of all jobs of a trace, also of those that are left out.

mod common;

use common::{close, file, number, run};

/// The load at rate 1 on 8 hosts, and the notes.
fn at_rate_one(name: &str, content: &str) -> (f64, String) {
    let path = file(name, content);
    let run = run(&["compare", "--format", "json", "--rate", "1", "--sizes", &path], None);
    assert_eq!(run.status, Some(0), "{}", run.err);
    let report = serde_json::from_str(&run.out).unwrap();
    close(number(&report, "farm/load") * 8.0, number(&report, "farm/arrival_rate") * mean(&report), 1e-14);
    (number(&report, "farm/load"), run.err)
}

fn mean(report: &serde_json::Value) -> f64 {
    number(report, "workload/mean")
}

const NOTE: &str = "note: the rate counts all jobs; those of size 0 bring no load";

#[test]
fn jobs_of_size_zero_bring_no_load() {
    // E[X] = 3 with the zeros.
    let (load, notes) = at_rate_one("half_zero.txt", "0\n5\n0\n7\n");
    close(load, 3.0 / 8.0, 1e-14);
    assert!(notes.contains(NOTE) && notes.contains("the others arrive at rate 0.50000"), "{notes}");
    let (load, notes) = at_rate_one("counted_zero.csv", "size,count\n0,6\n4,2\n");
    close(load, 1.0 / 8.0, 1e-14);
    assert!(notes.contains(NOTE), "{notes}");
    let (load, notes) = at_rate_one("no_zero.txt", "5\n7\n");
    close(load, 6.0 / 8.0, 1e-14);
    assert!(notes.is_empty(), "{notes}");
}

#[test]
fn jobs_of_unknown_size_are_like_the_others() {
    let record = |run_time: i32| format!("1 0 -1 {run_time} 1 -1 -1 1 -1 -1 1 1 1 -1 -1 -1 -1 -1\n");
    let unknown = "note: the rate counts all jobs; those of unknown size are taken to be like the others";
    let (load, notes) = at_rate_one("unknown_rate.swf", &(record(4) + &record(-1) + &record(2)));
    close(load, 3.0 / 8.0, 1e-14);
    assert!(notes.contains(unknown) && !notes.contains(NOTE), "{notes}");
    // Of the three of known size, one is 0: a mean of 2.
    let (load, notes) = at_rate_one("both_rate.swf", &(record(4) + &record(-1) + &record(2) + &record(0)));
    close(load, 2.0 / 8.0, 1e-14);
    assert!(notes.contains(unknown) && notes.contains(NOTE), "{notes}");
}

#[test]
fn a_load_is_given_as_it_is() {
    let path = file("zero_and_load.txt", "0\n5\n0\n7\n");
    let run = run(&["compare", "--format", "json", "--load", "0.5", "--sizes", &path], None);
    assert_eq!(run.err.lines().count(), 1, "{}", run.err);
    let report = serde_json::from_str(&run.out).unwrap();
    close(number(&report, "farm/load"), 0.5, 1e-15);
}
