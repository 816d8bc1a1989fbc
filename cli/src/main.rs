//! The program `queueing`: thin over the library of the same name.

mod arguments;
mod compare;
mod crosscheck;
mod csv_format;
mod csv_lines;
mod failure;
mod help;
mod number;
mod policy;
mod progress;
mod report;
mod simulate;
mod single;
mod sizes;
mod stealing;
mod stream;
mod summary;
mod table;

use arguments::{Command, Compare, Format};
use failure::{Failure, Result};
use serde::Serialize;
use std::io::{ErrorKind, Write, stderr, stdout};
use std::process::ExitCode;
use stealing::arguments::Stealing;

/// The exit status for bad input, the same that the parser of the command line uses.
const BAD_INPUT: u8 = 2;

/// The exit status when `crosscheck` finds a number inconsistent.
const INCONSISTENT: u8 = 1;

fn main() -> ExitCode {
    let mut notes = Vec::new();
    let mut is_inconsistent = false;
    let answer = match arguments::parse().command {
        Command::Compare(options) => compare(&options, &mut notes),
        Command::Stealing(options) => stealing(&options, &mut notes),
        Command::Mg1(options) => single::answer(&options, &mut notes),
        Command::Simulate(options) => simulate::answer(&options, &mut notes),
        Command::Crosscheck(options) => crosscheck::answer(&options, &mut notes).map(|(text, found)| {
            is_inconsistent = found;
            text
        }),
    };
    // They may explain why there is no answer.
    for note in &notes {
        complain("note", note);
    }
    match answer {
        Ok(text) if is_inconsistent => {
            print(&text);
            ExitCode::from(INCONSISTENT)
        }
        Ok(text) => print(&text),
        Err(failure) => {
            complain("error", &failure.to_string());
            ExitCode::from(BAD_INPUT)
        }
    }
}

/// The whole answer as text: nothing is printed before everything is known.
fn compare(options: &Compare, notes: &mut Vec<String>) -> Result<String> {
    let sizes = sizes::read(&options.source, notes)?;
    let report = compare::report(&sizes, options, notes)?;
    Ok(match options.format {
        Format::Table => table::render(&report),
        Format::Csv => csv_format::render(&report)?,
        Format::Json => json(&report)?,
    })
}

fn stealing(options: &Stealing, notes: &mut Vec<String>) -> Result<String> {
    let report = stealing::report(options, notes)?;
    Ok(match options.format {
        Format::Table => stealing::page::render(&report),
        Format::Csv => stealing::lines::render(&report)?,
        Format::Json => json(&report)?,
    })
}

fn json(report: &impl Serialize) -> Result<String> {
    let text = serde_json::to_string_pretty(report).map_err(|error| Failure::new(error.to_string()))?;
    Ok(text + "\n")
}

/// A reader that has seen enough (`| head`) is no error.
fn print(text: &str) -> ExitCode {
    let mut out = stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            complain("error", &format!("cannot write the answer: {error}"));
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}

/// One line to standard error. If that is closed, there is nobody to tell.
fn complain(kind: &str, message: &str) {
    drop(writeln!(stderr(), "{kind}: {message}"));
}
