//! Reading the reference tables, and the one comparison that the tests use.
#![allow(dead_code)] // each test binary uses its part

use proptest::test_runner::{Config as ProptestConfig, RngSeed};
use queueing::prelude::*;
use std::collections::HashMap;

/// A row of a reference table by column name.
pub(crate) type Row = HashMap<String, String>;

/// The rows of `tests/reference/<name>`.
pub(crate) fn table(name: &str) -> Vec<Row> {
    let path = format!("{}/tests/reference/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().expect("a header").split(',').collect();
    lines
        .map(|line| names.iter().map(|name| (*name).to_owned()).zip(line.split(',').map(str::to_owned)).collect())
        .collect()
}

/// A number of a row; an empty cell is `None`.
pub(crate) fn number(row: &Row, column: &str) -> Option<f64> {
    let cell = &row[column];
    if cell.is_empty() { None } else { Some(cell.parse().unwrap_or_else(|_| panic!("{column} = {cell}"))) }
}

/// The law of a row.
pub(crate) fn law(row: &Row) -> Law {
    let text = format!("{}:{}", row["law"], row["params"].replace(';', ","));
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The relative error that a law's moments may have: 0 for closed forms.
pub(crate) fn slack(law: &impl JobSize) -> f64 {
    match law.accuracy() {
        Accuracy::Numerical { relative_error } => relative_error,
        _ => 0.0,
    }
}

/// So many random cases, the same in every run: a check says the same of the same code. `PROPTEST_RNG_SEED` hunts elsewhere.
pub(crate) fn cases(count: u32) -> ProptestConfig {
    let hunt = std::env::var("PROPTEST_RNG_SEED").ok().and_then(|seed| seed.parse().ok());
    let rng_seed = RngSeed::Fixed(hunt.unwrap_or(20261129));
    ProptestConfig { failure_persistence: None, rng_seed, ..ProptestConfig::with_cases(count) }
}

/// |value/expected − 1|; 0 when both are the same infinity or zero.
pub(crate) fn relative_error(value: f64, expected: f64) -> f64 {
    if value == expected { 0.0 } else { ((value - expected) / expected).abs() }
}

/// Demands that `value` agrees with `expected` to the relative `tolerance`, with no absolute part.
#[macro_export]
macro_rules! assert_close {
    ($value:expr, $expected:expr, $tolerance:expr $(, $($message:tt)+)?) => {{
        let (value, expected, tolerance): (f64, f64, f64) = ($value, $expected, $tolerance);
        let error = $crate::common::relative_error(value, expected);
        assert!(error <= tolerance, "{value:e} against {expected:e}: off by {error:e}, allowed {tolerance:e}; {}",
            [$(format!($($message)+),)? String::new()].concat());
    }};
}

/// The largest error seen in each group, printed for `docs/accuracy.md` (shown with `--nocapture`).
#[derive(Default)]
pub(crate) struct Worst {
    groups: Vec<(String, f64, usize)>,
}

impl Worst {
    pub(crate) fn see(&mut self, group: &str, error: f64) {
        match self.groups.iter_mut().find(|known| known.0 == group) {
            Some((_, worst, count)) => {
                *worst = worst.max(error);
                *count += 1;
            }
            None => self.groups.push((group.to_owned(), error, 1)),
        }
    }

    pub(crate) fn print(&self, title: &str) {
        for (group, worst, count) in &self.groups {
            println!("{title}: {group}: {count} rows, largest relative error {worst:.1e}");
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.groups.iter().map(|group| group.2).sum()
    }
}
