//! All rows of mg1.csv, by discipline, over all sizes and given the size.

mod common;
use common::{Row, Worst, law, number, relative_error, table};
use queueing::prelude::*;

fn discipline(row: &Row) -> Discipline {
    match row["discipline"].as_str() {
        "fcfs" => Discipline::Fcfs,
        "lcfs" => Discipline::Lcfs,
        "ps" => Discipline::Ps,
        "plcfs" => Discipline::PreemptiveLcfs,
        "sjf" => Discipline::Sjf,
        "psjf" => Discipline::PreemptiveSjf,
        "srpt" => Discipline::Srpt,
        "fb" => Discipline::Fb,
        "lrpt" => Discipline::Lrpt,
        other => panic!("{other}"),
    }
}

fn metric(row: &Row) -> Metric {
    let name = row["quantity"].replace("moment_", "moment of the ").replace('_', " ");
    Metric::ALL.into_iter().find(|metric| metric.name() == name).unwrap_or_else(|| panic!("{name}"))
}

#[test]
fn every_row() {
    let mut worst = Worst::default();
    for row in table("mg1.csv") {
        let (discipline, metric) = (discipline(&row), metric(&row));
        let jobs = Workload::with_load(law(&row), number(&row, "load").unwrap()).unwrap();
        let queue = match number(&row, "x") {
            Some(x) => mg1::performance_given_size(&jobs, discipline, x),
            None => mg1::performance(&jobs, discipline),
        };
        let estimate = queue.unwrap().estimate(metric).unwrap_or_else(|error| panic!("{row:?}: {error}"));
        let error = relative_error(estimate.value, number(&row, "value").unwrap());
        assert!(error <= 5e-14, "{row:?}: {:e}, off by {error:e}", estimate.value);
        let given = if row["x"].is_empty() { "" } else { " given the size" };
        worst.see(&format!("{discipline} {metric}{given}"), error);
    }
    worst.print("mg1.csv");
    assert_eq!(worst.count(), table("mg1.csv").len());
}
