//! Text in columns: one size a line, size and count, or a chosen column.

use super::records::{each, is_like_number};
use super::tally::{Place, Tally};
use crate::failure::{Failure, Result, quoted};
use crate::number::plural;
use csv::StringRecord;

/// The column of the sizes and the one of the counts, as the user calls them: by name or number.
#[derive(Clone, Copy, Default)]
pub(super) struct Wanted<'a> {
    pub size: Option<&'a str>,
    pub count: Option<&'a str>,
}

/// Reads the wanted columns, or finds them by itself.
pub(super) fn read(name: &str, text: &str, wanted: Wanted<'_>, notes: &mut Vec<String>) -> Result<Tally> {
    let mut tally = Tally::default();
    let mut choice: Option<Choice> = None;
    each(name, text, |place, record| {
        let chosen = match &choice {
            Some(chosen) => chosen,
            None if is_header(record, wanted) => {
                choice = Some(Choice::from_header(place, record, wanted, &mut tally, notes)?);
                return Ok(());
            }
            None => choice.insert(Choice::without_header(place, record, wanted, &mut tally, notes)?),
        };
        if record.len() != chosen.columns {
            let found = plural(record.len() as f64, "column");
            let what = format!("{found} where the first line has {}", chosen.columns);
            return Err(place.refuse(&what, "mend or remove the line"));
        }
        let size = place.number(&record[chosen.size], "size")?;
        let count = match chosen.count {
            Some(column) => chosen.plausible(place, place.number(&record[column], "count")?)?,
            None => 1.0,
        };
        tally.add(place, size, count)
    })?;
    match (choice, wanted.size) {
        (None, Some(column)) => Err(Failure::new(format!("{name} has no column `{column}`: it holds no data"))),
        _ => Ok(tally),
    }
}

/// A line of names: no field is like a number, at least not the one that is read; or the wanted name is among them.
fn is_header(record: &StringRecord, wanted: Wanted<'_>) -> bool {
    if !record.iter().any(is_like_number) {
        return true;
    }
    match wanted.size.map(|column| (column, by_number(column, record.len()))) {
        None => false,
        Some((_, Some(index))) => !record[index].is_empty() && !is_like_number(&record[index]),
        Some((column, None)) => record.iter().any(|name| name.eq_ignore_ascii_case(column)),
    }
}

/// The index of a column that is called by its number, counted from 1.
pub(super) fn by_number(column: &str, columns: usize) -> Option<usize> {
    column.trim().parse().ok().filter(|number| (1..=columns).contains(number)).map(|number: usize| number - 1)
}

/// Which columns are read, and how many each line must have.
struct Choice {
    size: usize,
    count: Option<usize>,
    /// Whether nobody said that these are counts.
    counts_are_assumed: bool,
    columns: usize,
}

impl Choice {
    fn from_header(
        place: Place<'_>,
        header: &StringRecord,
        wanted: Wanted<'_>,
        tally: &mut Tally,
        notes: &mut Vec<String>,
    ) -> Result<Self> {
        let header = Header { place, names: header };
        let columns = header.names.len();
        let size = match wanted.size {
            Some(column) => header.required(column)?,
            None if columns == 1 => {
                let name = &header.names[0];
                if !name.eq_ignore_ascii_case("size") {
                    notes.push(format!("{}: first line {} taken as the column's name", place.name, quoted(name)));
                }
                0
            }
            None => header.named("size")?.ok_or_else(|| {
                let what = format!("none of the columns {} is named `size`", header.list());
                place.refuse(&what, "choose one with --column NAME (and --counts NAME if a row is several jobs)")
            })?,
        };
        let count = match wanted.count {
            Some(counts) => Some(header.required(counts)?),
            // A chosen column is a row a job, unless the counts are chosen too.
            None if wanted.size.is_none() => header.named("count")?,
            None => None,
        };
        if wanted.size.is_some() && count.is_none() && header.named("count").is_ok_and(|found| found.is_some()) {
            let remedy = "add `--counts count` if a row stands for several jobs";
            notes.push(format!("{}: each row is one job, its column `count` is not used; {remedy}", place.name));
        }
        tally.what = match count {
            Some(count) => format!("columns {} and {}", header.quoted(size), header.quoted(count)),
            None if columns == 1 => String::new(),
            None => format!("column {}", header.quoted(size)),
        };
        Ok(Self { size, count, counts_are_assumed: false, columns })
    }

    fn without_header(
        place: Place<'_>,
        first: &StringRecord,
        wanted: Wanted<'_>,
        tally: &mut Tally,
        notes: &mut Vec<String>,
    ) -> Result<Self> {
        let columns = first.len();
        let required = |column: &str| {
            by_number(column, columns).ok_or_else(|| {
                let found = plural(columns as f64, "column");
                let what = format!("there is no column {} among {found} without names", quoted(column));
                place.refuse(&what, &format!("give a number from 1 to {columns}, or add a header line"))
            })
        };
        if let Some(column) = wanted.size {
            let size = required(column)?;
            let count = wanted.count.map(required).transpose()?;
            tally.what = match count {
                Some(count) => format!("columns {} and {}", size + 1, count + 1),
                None => format!("column {}", size + 1),
            };
            return Ok(Self { size, count, counts_are_assumed: false, columns });
        }
        match columns {
            1 => Ok(Self { size: 0, count: None, counts_are_assumed: false, columns }),
            2 => {
                let assumption = "no header line, so column 1 is read as the size, column 2 as the count of jobs";
                notes.push(format!("{}: {assumption}", place.name));
                tally.assumption = Some(assumption.to_owned());
                Ok(Self { size: 0, count: Some(1), counts_are_assumed: true, columns })
            }
            _ => Err(place.refuse(
                &format!("{columns} columns and no header line"),
                "choose a column by its number with --column N, or add a header line",
            )),
        }
    }

    /// Counts that nobody announced must be whole: others betray that the column is something else.
    fn plausible(&self, place: Place<'_>, count: f64) -> Result<f64> {
        if !self.counts_are_assumed || count.fract() == 0.0 {
            return Ok(count);
        }
        let what = format!("without a header line column 2 is read as the count of jobs, and {count} is not whole");
        let remedy = "add a header line that names the columns, or give one size a line \
                      (is it a decimal or thousands comma? Write 1234.5)";
        Err(place.refuse(&what, remedy))
    }
}

/// The names of the columns.
struct Header<'a> {
    place: Place<'a>,
    names: &'a StringRecord,
}

impl Header<'_> {
    /// The column of this name: as it is written or, if there is none, in other cases of its letters.
    fn named(&self, wanted: &str) -> Result<Option<usize>> {
        let find = |matches: &dyn Fn(&str) -> bool| {
            let mut found = (0..self.names.len()).filter(|&index| matches(self.name(index)));
            match (found.next(), found.next()) {
                (Some(_), Some(_)) => {
                    let what = format!("the header has the column {} twice", quoted(wanted));
                    Err(self.place.refuse(&what, "rename one, or choose by number with --column N"))
                }
                (first, _) => Ok(first),
            }
        };
        match find(&|name| name == wanted)? {
            Some(index) => Ok(Some(index)),
            None => find(&|name| name.eq_ignore_ascii_case(wanted)),
        }
    }

    fn required(&self, wanted: &str) -> Result<usize> {
        self.named(wanted)?.or_else(|| by_number(wanted, self.names.len())).ok_or_else(|| {
            let what = format!("no column is named {}", quoted(wanted));
            self.place.refuse(&what, &format!("the columns are {}", self.list()))
        })
    }

    /// A name without the comment that may follow the last one.
    fn name(&self, index: usize) -> &str {
        let name = &self.names[index];
        name.split_once(" # ").filter(|_| index + 1 == self.names.len()).map_or(name, |(name, _)| name.trim_end())
    }

    fn quoted(&self, index: usize) -> String {
        quoted(self.name(index))
    }

    fn list(&self) -> String {
        (0..self.names.len()).map(|index| self.quoted(index)).collect::<Vec<_>>().join(", ")
    }
}
