//! Cycle stealing against the reference table: the published approximation digit by digit, and exact chains.

mod common;

use common::{Worst, number, table};
use queueing::prelude::*;
use queueing::stealing::{CentralQueue, CycleStealing, ImmediateDispatch, Renaming};

fn law(name: &str, params: &str) -> Law {
    let text = format!("{name}:{}", params.replace(';', ","));
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn solve(row: &common::Row, tolerance: Option<f64>) -> queueing::Result<CycleStealing> {
    let load = |column| number(row, column).unwrap();
    let shorts = Workload::with_load(law(&row["short_law"], &row["short_params"]), load("load_short"))?;
    let longs = Workload::with_load(law(&row["long_law"], &row["long_params"]), load("load_long"))?;
    let hosts = number(row, "short_hosts").unwrap() as usize;
    let central = |renaming| {
        let options = CentralQueue::default().short_hosts(hosts).renaming(renaming);
        stealing::central_queue(&shorts, &longs, tolerance.map_or(options, |tolerance| options.tolerance(tolerance)))
    };
    match row["policy"].as_str() {
        "dedicated" => stealing::dedicated(&shorts, &longs),
        "id" => {
            let options = ImmediateDispatch::default().short_hosts(hosts);
            stealing::immediate_dispatch(
                &shorts,
                &longs,
                tolerance.map_or(options, |tolerance| options.tolerance(tolerance)),
            )
        }
        "cq_n" => central(Renaming::Never),
        "cq_e" => central(Renaming::Eager),
        "cq_lz" => central(Renaming::Lazy),
        other => panic!("{other}"),
    }
}

#[test]
fn every_row() {
    let mut worst = Worst::default();
    for row in table("stealing.csv") {
        let tolerance = (row["method"] == "exact" && row["policy"] != "dedicated").then_some(1e-8);
        let both = solve(&row, tolerance).unwrap_or_else(|error| panic!("{row:?}: {error}"));
        for (class, column, outcome) in
            [("short", "mean_response_short", both.shorts()), ("long", "mean_response_long", both.longs())]
        {
            let expected = if row[column] == "inf" { f64::INFINITY } else { number(&row, column).unwrap() };
            if expected.is_infinite() {
                assert!(!outcome.is_stable(), "{row:?}");
                continue;
            }
            let value = outcome.mean_response_time().unwrap();
            let error = common::relative_error(value, expected);
            println!(
                "{} {} k={} {} {}: {value} {expected} {error:.1e}",
                row["method"], row["policy"], row["short_hosts"], row["load_short"], class
            );
            worst.see(&format!("{} {} {class}", row["method"], row["policy"]), error);
            assert!(error <= 1e-8, "{row:?}: {value} against {expected}, off by {error:e}");
            if let Accuracy::Numerical { relative_error } = outcome.estimate(Metric::MeanResponseTime).unwrap().accuracy
            {
                assert!(error <= relative_error.max(2e-11), "{row:?}: off by {error:e}, claimed {relative_error:e}");
            }
        }
    }
    worst.print("stealing.csv");
}
