//! The program `queueing`: thin over the library of the same name.

mod arguments;
mod compare;
mod csv_format;
mod failure;
mod number;
mod policy;
mod report;
mod sizes;
mod summary;
mod table;

use arguments::{Arguments, Command, Compare, Format};
use clap::Parser;
use failure::{Failure, Result};
use std::io::{ErrorKind, Write, stderr, stdout};
use std::process::ExitCode;

/// The exit status for bad input, the same that the parser of the command line uses.
const BAD_INPUT: u8 = 2;

fn main() -> ExitCode {
    let Command::Compare(options) = Arguments::parse().command;
    match compare(&options) {
        Ok(text) => print(&text),
        Err(failure) => {
            complain("error", &failure.to_string());
            ExitCode::from(BAD_INPUT)
        }
    }
}

/// The whole answer as text: nothing is printed before everything is known.
fn compare(options: &Compare) -> Result<String> {
    let sizes = sizes::read(&options.source)?;
    let report = compare::report(&sizes, options)?;
    let text = match options.format {
        Format::Table => table::render(&report),
        Format::Csv => csv_format::render(&report)?,
        Format::Json => {
            let text = serde_json::to_string_pretty(&report).map_err(|error| Failure::new(error.to_string()))?;
            text + "\n"
        }
    };
    for note in &sizes.notes {
        complain("note", note);
    }
    Ok(text)
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
