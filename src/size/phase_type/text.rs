//! The text form `phase-type:alpha=[...],t=[row;row;...],exit=[...]`.

use super::{PhaseType, TOLERANCE};
use crate::error::{Error, Result};
use crate::numeric::dense::matrix;
use std::fmt::{Display, Formatter};

impl Display for PhaseType {
    fn fmt(&self, out: &mut Formatter<'_>) -> std::fmt::Result {
        let n = self.phases();
        let list = |values: &mut dyn Iterator<Item = f64>| values.map(|x| x.to_string()).collect::<Vec<_>>().join(",");
        let row = |i: usize| list(&mut (0..n).map(|j| if i == j { -self.total[i] } else { self.rates[i * n + j] }));
        let rows: Vec<String> = (0..n).map(row).collect();
        let (alpha, exit) = (list(&mut self.alpha.iter().copied()), list(&mut self.exit.iter().copied()));
        write!(out, "phase-type:alpha=[{alpha}],t=[{}],exit=[{exit}]", rows.join(";"))
    }
}

/// Reads what follows `phase-type:`; exit rates are −T1 where they are not given.
pub(in crate::size) fn parse(body: &str) -> Result<PhaseType> {
    let alpha = numbers(field(body, "alpha")?.ok_or_else(|| refuse(body, "alpha=[...]"))?)?;
    let rows = field(body, "t")?.ok_or_else(|| refuse(body, "t=[row;row;...]"))?;
    let rows = rows.split(';').map(numbers).collect::<Result<Vec<_>>>()?;
    let n = alpha.len();
    if rows.len() != n || rows.iter().any(|row| row.len() != n) {
        return Err(refuse(body, "as many rows and columns in t as entries in alpha"));
    }
    let t = matrix(n, n, &rows.concat());
    let Some(exit) = field(body, "exit")? else { return PhaseType::new(&alpha, &t) };
    let exit = numbers(exit)?;
    let law = PhaseType::with_exits(&alpha, &t, &exit)?;
    if (0..n).any(|i| !((t[(i, i)] + law.total[i]).abs() <= TOLERANCE * law.total[i])) {
        return Err(refuse(body, "rows of t that sum to minus the exit rates"));
    }
    Ok(law)
}

/// The text between the brackets of `key=[...]`.
fn field<'a>(body: &'a str, key: &str) -> Result<Option<&'a str>> {
    let mut found = None;
    for part in body.split(']').filter(|part| !part.trim().is_empty()) {
        let (name, list) = part.split_once("=[").ok_or_else(|| refuse(part, "key=[...]"))?;
        let name = name.trim().trim_start_matches(',').trim();
        if !["alpha", "t", "exit"].contains(&name) {
            return Err(refuse(name, "the keys alpha, t, exit"));
        }
        if name == key && found.replace(list).is_some() {
            return Err(refuse(name, "each key once"));
        }
    }
    Ok(found)
}

fn numbers(list: &str) -> Result<Vec<f64>> {
    list.split(',').map(|text| text.trim().parse().map_err(|_| refuse(text.trim(), "a number"))).collect()
}

fn refuse(text: &str, expected: &str) -> Error {
    Error::Parse { text: text.to_owned(), requirement: format!("expected {expected}") }
}
