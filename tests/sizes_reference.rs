//! Every row of sizes.csv: moments, tails and quantiles against 70-digit arithmetic.

mod common;
use common::{Worst, law, number, relative_error, table};
use queueing::prelude::*;

/// 1e-12 for closed forms, 1e-11 where an incomplete gamma or a normal integral enters.
fn allowed(name: &str) -> f64 {
    if ["erlang", "gamma", "weibull", "lognormal"].contains(&name) { 1e-11 } else { 1e-12 }
}

#[test]
fn every_row() {
    let mut worst = Worst::default();
    for row in table("sizes.csv") {
        let size = law(&row);
        let a = number(&row, "a").unwrap();
        let value = match row["quantity"].as_str() {
            "partial_moment" => size.partial_moment(number(&row, "r").unwrap(), a, number(&row, "b").unwrap()),
            "cdf" => size.cdf(a),
            "sf" => size.sf(a),
            "quantile" => size.quantile(a),
            other => panic!("unknown quantity {other}"),
        };
        let error = relative_error(value, number(&row, "value").unwrap());
        assert!(error <= allowed(&row["law"]), "{row:?}: {value:e}, off by {error:e}");
        worst.see(&row["law"], error);
    }
    worst.print("sizes.csv");
    assert_eq!(worst.count(), 174);
}
