//! The rows of mg1.csv under first come first served and processor sharing.

mod common;
use common::{Row, Worst, law, number, relative_error, table};
use queueing::prelude::*;

fn metric(row: &Row) -> Option<Metric> {
    Some(match row["quantity"].as_str() {
        "mean_waiting_time" => Metric::MeanWaitingTime,
        "second_moment_waiting_time" => Metric::SecondMomentWaitingTime,
        "third_moment_waiting_time" => Metric::ThirdMomentWaitingTime,
        "mean_response_time" => Metric::MeanResponseTime,
        "second_moment_response_time" => Metric::SecondMomentResponseTime,
        "mean_slowdown" => Metric::MeanSlowdown,
        "mean_waiting_slowdown" => Metric::MeanWaitingSlowdown,
        _ => return None,
    })
}

/// The mean or second moment of the response time or slowdown of a job of size x, from the unconditional waiting time.
fn given_size(row: &Row, jobs: &Workload<Law>, x: f64) -> Option<f64> {
    let fcfs = row["discipline"] == "fcfs";
    let queue = mg1::performance(jobs, if fcfs { Discipline::Fcfs } else { Discipline::Ps }).unwrap();
    let waiting = queue.mean_waiting_time().unwrap();
    let response = if fcfs { waiting + x } else { x / jobs.spare() };
    match (row["quantity"].as_str(), fcfs) {
        ("mean_response_time", _) => Some(response),
        ("mean_slowdown", _) => Some(response / x),
        ("second_moment_response_time", true) => {
            Some(queue.second_moment_waiting_time().unwrap() + 2.0 * waiting * x + x * x)
        }
        _ => None,
    }
}

#[test]
fn fcfs_and_ps_rows() {
    let mut worst = Worst::default();
    for row in table("mg1.csv") {
        let discipline = match row["discipline"].as_str() {
            "fcfs" => Discipline::Fcfs,
            "ps" if row["quantity"] != "second_moment_response_time" => Discipline::Ps,
            _ => continue,
        };
        let size = law(&row);
        let jobs = Workload::with_load(size, number(&row, "load").unwrap()).unwrap();
        let value = match number(&row, "x") {
            Some(x) => given_size(&row, &jobs, x).unwrap(),
            None => mg1::performance(&jobs, discipline).unwrap().estimate(metric(&row).unwrap()).unwrap().value,
        };
        let error = relative_error(value, number(&row, "value").unwrap());
        assert!(error <= 1e-12 / jobs.spare(), "{row:?}: {value:e}, off by {error:e}");
        worst.see(&format!("{discipline} {}", row["quantity"]), error);
    }
    worst.print("mg1.csv");
    assert!(worst.count() > 140, "{}", worst.count());
}
