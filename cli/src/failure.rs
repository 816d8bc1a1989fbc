//! What the program says when it cannot answer.

/// One message for standard error: the value, where it stands, and the remedy. The program then ends with status 2.
#[derive(Debug)]
pub(crate) struct Failure(String);

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.0)
    }
}

impl From<queueing::Error> for Failure {
    fn from(error: queueing::Error) -> Self {
        Self(error.to_string())
    }
}

pub(crate) type Result<T> = std::result::Result<T, Failure>;

/// A text from a file as a message shows it: quoted, on one line, and not longer than a line.
pub(crate) fn quoted(text: &str) -> String {
    const LONGEST: usize = 40;
    let shown: String = text.chars().take(LONGEST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(LONGEST).is_some() { format!("`{shown}...`") } else { format!("`{shown}`") }
}
