//! Text as records of fields: comments taken out, the separator recognised.

use super::tally::{Place, is_missing};
use crate::failure::{Failure, Result};
use csv::{ReaderBuilder, StringRecord, Trim};
use std::borrow::Cow;

/// Shows every record with its place to `visit`. Lines that are blank or hold only a comment are none.
pub(super) fn each(
    name: &str,
    text: &str,
    mut visit: impl FnMut(Place<'_>, &StringRecord) -> Result<()>,
) -> Result<()> {
    let text = without_comments(text);
    let text = text.as_ref();
    let Separator::Byte(separator) = separator(text) else {
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let record: StringRecord = line.split_whitespace().collect();
            if !record.is_empty() {
                visit(Place { name, text, at }, &record)?;
            }
            at += line.len();
        }
        return Ok(());
    };
    let mut reader = ReaderBuilder::new()
        .delimiter(separator)
        .has_headers(false)
        .flexible(true)
        .trim(Trim::All)
        .from_reader(text.as_bytes());
    let mut record = StringRecord::new();
    while reader.read_record(&mut record).map_err(|error| Failure::new(format!("{name}: {error}")))? {
        if record.len() > 1 || !record[0].is_empty() {
            visit(Place { name, text, at: start(text, &record) }, &record)?;
        }
    }
    Ok(())
}

/// Where a record starts. The reader counts the empty lines in front of it as its own.
fn start(text: &str, record: &StringRecord) -> usize {
    let at = record.position().map_or(0, |position| position.byte() as usize);
    let rest = text.get(at..).unwrap_or("");
    at + rest.len() - rest.trim_start_matches(['\r', '\n']).len()
}

enum Separator {
    Byte(u8),
    /// Any number of blanks.
    Blanks,
}

/// The separator that occurs most often in the first line, or blanks if the first line of data has several fields between them.
fn separator(text: &str) -> Separator {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or("");
    let occurrences = |line: &str, byte: u8| line.bytes().filter(|&other| other == byte).count();
    let most = b";\t,".iter().copied().max_by_key(|&byte| occurrences(first, byte)).unwrap_or(b',');
    if occurrences(first, most) > 0 {
        return Separator::Byte(most);
    }
    // A name of several words above a single column is no line of data.
    let names_only = first.split_whitespace().all(|field| !is_like_number(field));
    let data = if names_only { lines.next().unwrap_or(first) } else { first };
    let blanks = !data.contains([';', '\t', ',']) && data.split_whitespace().count() > 1;
    if blanks { Separator::Blanks } else { Separator::Byte(b',') }
}

/// A field that is a number, or was meant to be one: mistyped, or the mark of a missing one.
pub(super) fn is_like_number(field: &str) -> bool {
    field.parse::<f64>().is_ok()
        || field.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c))
        || (!field.is_empty() && is_missing(field))
}

/// The text with blanks in the place of its comments, so that what remains keeps its place.
fn without_comments(text: &str) -> Cow<'_, str> {
    if !text.contains('#') {
        return text.into();
    }
    let mut kept = String::with_capacity(text.len());
    let mut is_quoted = false;
    for line in text.split_inclusive('\n') {
        let content = line.trim_end_matches(['\r', '\n']);
        let end = comment(content, &mut is_quoted).unwrap_or(content.len());
        kept.push_str(&line[..end]);
        kept.extend(std::iter::repeat_n(' ', content.len() - end));
        kept.push_str(&line[content.len()..]);
    }
    kept.into()
}

/// Where the comment of a line starts. A quoted field may go on from line to line.
fn comment(line: &str, is_quoted: &mut bool) -> Option<usize> {
    let mut at_field_start = true;
    for (at, c) in line.char_indices() {
        match c {
            '"' if *is_quoted => *is_quoted = false,
            '"' if at_field_start => *is_quoted = true,
            '#' if !*is_quoted && opens_comment(&line[..at]) => return Some(at),
            _ => {}
        }
        // Two quotation marks within a quoted field stand for one: the second opens it again.
        at_field_start = matches!(c, ',' | ';' | '\t' | '"');
    }
    None
}

/// At the start of a line, or after a number and a blank: a `#` in a name (`job #7`) is part of it.
fn opens_comment(before: &str) -> bool {
    let after_number = || {
        let word = before.trim_end().rsplit([' ', ',', ';', '\t']).next().unwrap_or("");
        before.ends_with(' ') && word.trim_matches('"').parse::<f64>().is_ok()
    };
    before.trim().is_empty() || after_number()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_become_blanks() {
        for (text, kept) in [
            ("5 # five\n6\n", "5       \n6\n"),
            ("# é\r\n1,3 # a, b", "    \r\n1,3       "),
            ("job #7,5\n", "job #7,5\n"),
            ("\"a 5 # b\n# c\",3 # d\n", "\"a 5 # b\n# c\",3    \n"),
            ("\"a \"\"5 # b\",3", "\"a \"\"5 # b\",3"),
            ("1\t#2\t3", "1\t#2\t3"),
        ] {
            assert_eq!(without_comments(text), kept);
        }
    }
}
