//! Columns, wrapping and clipping of text.

/// Between two columns.
const GAP: &str = "  ";

/// Rows of cells in aligned columns.
pub(crate) struct Grid {
    /// A letter a column: `l` for left, `r` for right.
    alignment: &'static str,
    rows: Vec<Vec<String>>,
}

impl Grid {
    pub(crate) fn new(alignment: &'static str) -> Self {
        Self { alignment, rows: Vec::new() }
    }

    pub(crate) fn row<T: Into<String>>(&mut self, cells: impl IntoIterator<Item = T>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    pub(crate) fn render(&self) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| self.rows.iter().filter_map(|row| row.get(column)).map(|cell| length(cell)).max();
        let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
        let cell = |((cell, width), alignment): ((&String, &usize), char)| {
            let padding = " ".repeat(width - length(cell));
            if alignment == 'l' { format!("{cell}{padding}") } else { format!("{padding}{cell}") }
        };
        let line = |row: &Vec<String>| {
            let cells: Vec<String> = row.iter().zip(&widths).zip(self.alignment.chars()).map(cell).collect();
            cells.join(GAP).trim_end().to_owned() + "\n"
        };
        self.rows.iter().map(line).collect()
    }
}

fn length(text: &str) -> usize {
    text.chars().count()
}

/// Breaks a sentence between words. Continuation lines stand two columns further in.
pub(crate) fn wrap(text: &str, width: usize) -> String {
    paragraph(text, 0, width)
}

/// [`wrap`], all of it indented.
pub(crate) fn paragraph(text: &str, indent: usize, width: usize) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    join(&words, " ", indent, width)
}

/// Joins parts, with a new line before each that does not fit. Continuation lines stand two columns further in.
pub(crate) fn join<T: AsRef<str>>(parts: &[T], separator: &str, indent: usize, width: usize) -> String {
    let mut lines = Vec::new();
    let mut line = String::new();
    for part in parts.iter().map(AsRef::as_ref) {
        if line.is_empty() {
            line = format!("{}{part}", " ".repeat(indent));
        } else if length(&line) + length(separator) + length(part) <= width {
            line = [&line, separator, part].concat();
        } else {
            lines.push(line);
            line = format!("{}{part}", " ".repeat(indent + 2));
        }
    }
    lines.push(line);
    lines.join("\n") + "\n"
}

/// The beginning of a text that is too long.
pub(crate) fn clip(text: &str, width: usize) -> String {
    if length(text) <= width {
        return text.to_owned();
    }
    text.chars().take(width - 3).chain("...".chars()).collect()
}

/// A number as it was given, unless it has more digits than anybody would give.
pub(crate) fn plain(value: f64) -> String {
    let text = value.to_string();
    if text.len() <= 8 { text } else { crate::number::short(value) }
}
