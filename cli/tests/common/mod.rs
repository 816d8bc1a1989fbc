//! Runs the built program.

// Each test file uses a part of this.
#![allow(dead_code)]

use serde_json::Value;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// What the program printed and how it ended.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) status: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs `queueing compare` with options separated by blanks.
pub(crate) fn compare(options: &str) -> Run {
    run(&["compare"].into_iter().chain(options.split_whitespace()).collect::<Vec<_>>(), None)
}

/// Runs the program with arguments and perhaps something on standard input.
pub(crate) fn run(arguments: &[&str], input: Option<&[u8]>) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_queueing"))
        .args(arguments)
        .stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    if let (Some(input), Some(mut pipe)) = (input, child.stdin.take()) {
        pipe.write_all(input).unwrap();
    }
    let output = child.wait_with_output().unwrap();
    Run {
        status: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A file of this content; `name` must not be used twice.
pub(crate) fn file(name: &str, content: impl AsRef<[u8]>) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

/// The answer to good input, as JSON.
pub(crate) fn json(options: &str) -> Value {
    let run = compare(&format!("{options} --format json"));
    assert_eq!(run.status, Some(0), "{options}: {}", run.err);
    serde_json::from_str(&run.out).unwrap()
}

/// The number at a path of names and indices, such as `farm/load`.
pub(crate) fn number(value: &Value, path: &str) -> f64 {
    let found = value.pointer(&format!("/{path}")).unwrap_or_else(|| panic!("nothing at {path}"));
    match found.as_str() {
        Some("inf") => f64::INFINITY,
        _ => found.as_f64().unwrap_or_else(|| panic!("no number at {path}: {found}")),
    }
}

/// The row of a policy.
pub(crate) fn policy<'a>(report: &'a Value, id: &str) -> &'a Value {
    let rows = report["policies"].as_array().unwrap();
    rows.iter().find(|row| row["policy"] == id).unwrap_or_else(|| panic!("no policy {id}"))
}

/// A metric of a policy.
pub(crate) fn metric(report: &Value, id: &str, name: &str) -> f64 {
    number(policy(report, id), &format!("metrics/{name}/value"))
}

/// That a value is as expected, within a relative error.
#[track_caller]
pub(crate) fn close(value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() <= tolerance * expected.abs(), "{value} is not {expected} within {tolerance:e}");
}
