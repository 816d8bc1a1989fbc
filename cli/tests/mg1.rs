//! The subcommand `mg1`.

mod common;
use common::run;

#[test]
fn a_page_with_every_discipline() {
    let answer = run(&["mg1", "--load", "0.5", "--law", "exponential:mean=1"], None);
    assert_eq!(answer.status, Some(0), "{}", answer.err);
    for name in ["FCFS", "LCFS", "SIRO", "PS", "preemptive LCFS", "SJF", "PSJF", "SRPT", "FB", "LRPT"] {
        assert!(answer.out.lines().any(|line| line.starts_with(&format!("{name} "))), "{name}: {}", answer.out);
    }
    // E[T] under SRPT, and the median of T under FCFS, ln 2/(μ−λ)
    assert!(answer.out.contains("1.4254") && answer.out.contains("1.3863"), "{}", answer.out);
    assert!(answer.out.lines().all(|line| line.chars().count() <= 100), "{}", answer.out);
}

#[test]
fn machine_formats_hold_every_digit() {
    let json = run(&["mg1", "--load", "0.5", "--law", "exponential:mean=1", "--format", "json"], None);
    let report: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    let srpt = report["disciplines"].as_array().unwrap().iter().find(|row| row["discipline"] == "SRPT").unwrap();
    let mean = srpt["metrics"]["mean_response_time"]["value"].as_f64().unwrap();
    assert!((mean - 1.42537266388).abs() < 1e-11);
    let csv = run(&["mg1", "--load", "0.5", "--law", "exponential:mean=1", "--format", "csv"], None);
    assert!(csv.out.starts_with("section,discipline,percentile,quantity,value\n"));
    assert!(csv.out.contains(&format!("discipline,SRPT,,mean_response_time,{mean}\n")), "{}", csv.out);
}

#[test]
fn bad_input_is_told() {
    for arguments in
        [vec!["mg1", "--load", "1.5"], vec!["mg1", "--rate", "1000"], vec!["mg1", "--law", "pareto:k=1,alpha=0.5"]]
    {
        let answer = run(&arguments, None);
        assert_eq!(answer.status, Some(2), "{arguments:?}: {}", answer.out);
        assert!(answer.out.is_empty() && answer.err.contains("error"), "{}", answer.err);
    }
}
