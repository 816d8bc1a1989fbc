//! The jobs of a file: kept, or left out and counted.

use crate::failure::{Failure, Result, quoted};

/// Sizes with their counts, and what was left out.
#[derive(Default)]
pub(super) struct Tally {
    /// (size, count) in the order of the file.
    pub atoms: Vec<(f64, f64)>,
    pub zero: f64,
    pub unknown: f64,
    /// Which part of the file was read.
    pub what: String,
    /// What was assumed about the meaning of the file.
    pub assumption: Option<String>,
}

/// A place in a file, for messages.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub name: &'a str,
    pub text: &'a str,
    /// Bytes before the place.
    pub at: usize,
}

impl Place<'_> {
    pub(super) fn refuse(self, what: &str, remedy: &str) -> Failure {
        let line = 1 + self.text.get(..self.at).unwrap_or(self.text).matches('\n').count();
        Failure::new(format!("{}, line {line}: {what}; {remedy}", self.name))
    }

    /// A field as a number. What is not finite is refused with the rest.
    pub(super) fn number(self, field: &str, what: &str) -> Result<f64> {
        let field = field.trim();
        if is_missing(field) {
            let shown = if field.is_empty() { String::new() } else { format!(" ({})", quoted(field)) };
            let remedy = format!("remove the lines without a {what}, or fill it in");
            return Err(self.refuse(&format!("the {what} is missing{shown}"), &remedy));
        }
        match field.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(value),
            Ok(_) => Err(self.refuse(&format!("the {what} {field} is not finite"), "mend or remove the line")),
            Err(_) => Err(self.refuse(
                &format!("the {what} {} is not a number", quoted(field)),
                "mend or remove the line (columns are separated by commas, semicolons, tabs or blanks)",
            )),
        }
    }
}

/// An empty field, or what programs write for one.
pub(super) fn is_missing(field: &str) -> bool {
    ["", "-", "NA", "N/A", "NaN", "null"].iter().any(|mark| field.eq_ignore_ascii_case(mark))
}

impl Tally {
    /// Adds `count` jobs of a size. Those of size zero are left out.
    pub(super) fn add(&mut self, place: Place<'_>, size: f64, count: f64) -> Result<()> {
        if size < 0.0 {
            let remedy = "sizes must be positive (0 is left out): mend or remove the line";
            return Err(place.refuse(&format!("the size {size} is negative"), remedy));
        }
        if count < 0.0 {
            return Err(place.refuse(&format!("the count {count} is negative"), "mend or remove the line"));
        }
        if size == 0.0 {
            self.zero += count;
        } else if count > 0.0 {
            self.atoms.push((size, count));
        }
        Ok(())
    }
}
