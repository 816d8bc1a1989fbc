//! Text in columns: one size a line, size and count, or a named column.

use super::tally::{Place, Tally};
use crate::failure::{Failure, Result, quoted};
use crate::number::plural;
use csv::{ReaderBuilder, StringRecord, Trim};

/// Reads the sizes of the column named `column` and the counts of the one named `counts`, or finds them by itself.
pub(super) fn read(name: &str, text: &str, column: Option<&str>, counts: Option<&str>) -> Result<Tally> {
    let mut reader = ReaderBuilder::new()
        .delimiter(delimiter(text))
        .has_headers(false)
        .flexible(true)
        .comment(Some(b'#'))
        .trim(Trim::All)
        .from_reader(text.as_bytes());
    let mut tally = Tally::default();
    let mut choice: Option<Choice> = None;
    for record in reader.records() {
        let record = record.map_err(|error| Failure::new(format!("{name}: {error}")))?;
        let place = Place { name, text, at: start(text, &record) };
        let first = record.get(0).unwrap_or("");
        if first.starts_with('#') || (record.len() == 1 && first.is_empty()) {
            continue;
        }
        if choice.is_none() {
            let is_names = is_header(&record) || record.iter().any(|name| Some(name) == column);
            choice = Some(if is_names {
                Choice::from_header(place, &record, column, counts, &mut tally)?
            } else {
                Choice::without_header(place, &record, column, &mut tally)?
            });
            if is_names {
                continue;
            }
        }
        let Some(chosen) = &choice else { continue };
        if record.len() != chosen.columns {
            let found = plural(record.len() as f64, "column");
            let what = format!("{found} where the first line has {}", chosen.columns);
            return Err(place.refuse(&what, "mend or remove the line"));
        }
        let size = place.number(&record[chosen.size], "size")?;
        let count = chosen.count.map_or(Ok(1.0), |count| place.number(&record[count], "count"))?;
        tally.add(place, size, count)?;
    }
    match (choice, column) {
        (None, Some(column)) => Err(Failure::new(format!("{name} has no column `{column}`: it holds no data"))),
        _ => Ok(tally),
    }
}

/// Where a record starts. The reader counts the blank lines and comments in front of it as its own.
fn start(text: &str, record: &StringRecord) -> usize {
    let mut at = record.position().map_or(0, |position| position.byte() as usize);
    while let Some(rest) = text.get(at..) {
        match rest.as_bytes() {
            [b'\r' | b'\n', ..] => at += 1,
            [b'#', ..] => at += rest.find('\n').unwrap_or(rest.len()),
            _ => break,
        }
    }
    at
}

/// The separator that occurs most often in the first line that is not a comment.
fn delimiter(text: &str) -> u8 {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#')).unwrap_or("");
    // The last of equals wins: a comma where there is none at all.
    b";\t,".iter().copied().max_by_key(|&byte| first.bytes().filter(|&other| other == byte).count()).unwrap_or(b',')
}

/// A line of names: no field is a number or looks like one that was mistyped.
fn is_header(record: &StringRecord) -> bool {
    let like_number = |field: &str| {
        field.parse::<f64>().is_ok() || field.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c))
    };
    !record.iter().any(like_number)
}

/// Which columns are read, and how many each line must have.
struct Choice {
    size: usize,
    count: Option<usize>,
    columns: usize,
}

impl Choice {
    fn from_header(
        place: Place<'_>,
        header: &StringRecord,
        column: Option<&str>,
        counts: Option<&str>,
        tally: &mut Tally,
    ) -> Result<Self> {
        let find = |wanted: &str| header.iter().position(|name| name == wanted);
        let required = |wanted: &str| {
            let mut found = (0..header.len()).filter(|&i| header[i] == *wanted);
            match (found.next(), found.next()) {
                (Some(index), None) => Ok(index),
                (Some(_), Some(_)) => {
                    Err(place.refuse(&format!("the header has the column {} twice", quoted(wanted)), "rename one"))
                }
                (None, _) => Err(place.refuse(
                    &format!("no column is named {}", quoted(wanted)),
                    &format!("the columns are {}", names(header)),
                )),
            }
        };
        let columns = header.len();
        let size = match column {
            Some(column) => required(column)?,
            None if columns == 1 => 0,
            None => find("size").ok_or_else(|| {
                let what = format!("none of the columns {} is named `size`", names(header));
                place.refuse(&what, "choose one with --column NAME (and --counts NAME if a row is several jobs)")
            })?,
        };
        let count = match counts {
            Some(counts) => Some(required(counts)?),
            // A column chosen by name is a row a job, unless the counts are named too.
            None if column.is_none() => find("count"),
            None => None,
        };
        if let (Some(_), None, Some(_)) = (column, count, find("count")) {
            let remedy = "add `--counts count` if a row stands for several jobs";
            tally.notes.push(format!("{}: each row is one job, its column `count` is not used; {remedy}", place.name));
        }
        tally.what = match count {
            Some(count) => format!("columns {} and {}", quoted(&header[size]), quoted(&header[count])),
            None if columns == 1 => String::new(),
            None => format!("column {}", quoted(&header[size])),
        };
        Ok(Self { size, count, columns })
    }

    fn without_header(place: Place<'_>, first: &StringRecord, named: Option<&str>, tally: &mut Tally) -> Result<Self> {
        if let Some(named) = named {
            let what = format!("the first line has no column names, so there is no column {}", quoted(named));
            return Err(place.refuse(&what, "add a header line"));
        }
        match first.len() {
            1 => Ok(Self { size: 0, count: None, columns: 1 }),
            2 => {
                tally.notes.push(format!("{}: no header line, so the two columns are read as size,count", place.name));
                "columns 1 and 2 as size and count".clone_into(&mut tally.what);
                Ok(Self { size: 0, count: Some(1), columns: 2 })
            }
            columns => Err(place.refuse(
                &format!("{columns} columns and no header line"),
                "add a header line and choose a column with --column NAME",
            )),
        }
    }
}

fn names(header: &StringRecord) -> String {
    header.iter().map(quoted).collect::<Vec<_>>().join(", ")
}
