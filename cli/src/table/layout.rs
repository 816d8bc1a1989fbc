//! Columns, wrapping and clipping of text.

/// Between two columns.
const GAP: usize = 2;

/// Rows of cells in aligned columns.
pub(super) struct Grid {
    /// A letter a column: `l` for left, `r` for right.
    alignment: &'static str,
    rows: Vec<Vec<String>>,
}

impl Grid {
    pub(super) fn new(alignment: &'static str) -> Self {
        Self { alignment, rows: Vec::new() }
    }

    pub(super) fn row<T: Into<String>>(&mut self, cells: impl IntoIterator<Item = T>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    pub(super) fn render(&self, indent: usize) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| self.rows.iter().filter_map(|row| row.get(column)).map(|cell| length(cell)).max();
        let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
        let mut text = String::new();
        for row in &self.rows {
            let mut line = " ".repeat(indent);
            for ((cell, width), alignment) in row.iter().zip(&widths).zip(self.alignment.chars()) {
                let padding = " ".repeat(width - length(cell));
                line += &if alignment == 'l' { format!("{cell}{padding}") } else { format!("{padding}{cell}") };
                line += &" ".repeat(GAP);
            }
            text += line.trim_end();
            text.push('\n');
        }
        text
    }
}

fn length(text: &str) -> usize {
    text.chars().count()
}

/// Breaks a sentence between words. Continuation lines stand two columns further in.
pub(super) fn wrap(text: &str, indent: usize, width: usize) -> String {
    let mut lines = String::new();
    let mut line = " ".repeat(indent);
    let mut empty = true;
    for word in text.split(' ') {
        if !empty && length(&line) + 1 + length(word) > width {
            lines += &line;
            lines.push('\n');
            line = " ".repeat(indent + 2);
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line += word;
        empty = false;
    }
    lines + &line + "\n"
}

/// The beginning of a text that is too long.
pub(super) fn clip(text: &str, width: usize) -> String {
    if length(text) <= width {
        return text.to_owned();
    }
    text.chars().take(width - 3).chain("...".chars()).collect()
}

/// A number as it was given, unless it has more digits than anybody would give.
pub(super) fn plain(value: f64) -> String {
    let text = value.to_string();
    if text.len() <= 8 { text } else { crate::number::short(value) }
}
