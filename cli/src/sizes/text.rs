//! A file as text.

use crate::failure::{Failure, Result};
use std::io::Read;
use std::path::Path;

/// The name for messages and the content of a file, or of standard input for `-`.
pub(super) fn read(path: &Path) -> Result<(String, String)> {
    let standard_input = path.as_os_str() == "-";
    let name = if standard_input { "standard input".to_owned() } else { path.display().to_string() };
    let bytes = if standard_input {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(path)
    };
    let bytes = bytes.map_err(|error| {
        let remedy = "give a readable file after --sizes, or - for standard input";
        Failure::new(format!("cannot read {name}: {error}; {remedy}"))
    })?;
    let text = decode(&name, bytes)?;
    Ok((name, text))
}

fn decode(name: &str, bytes: Vec<u8>) -> Result<String> {
    let refuse = |what: &str, remedy: &str| Err(Failure::new(format!("{name} {what}; {remedy}")));
    match bytes.as_slice() {
        [0x1f, 0x8b, ..] => {
            return refuse("is compressed", "unpack it first: `gzip -dc FILE | queueing compare --sizes -`");
        }
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => return refuse("is UTF-16 text", "save it as UTF-8"),
        _ => {}
    }
    let line_of = |at: usize| bytes[..at].split(|&byte| byte == b'\n').count();
    if let Some(at) = bytes.iter().position(|&byte| byte == 0) {
        let what = format!("is not a text file: line {} has a zero byte", line_of(at));
        return refuse(&what, "give a text file of sizes");
    }
    if let Err(error) = std::str::from_utf8(&bytes) {
        let at = error.valid_up_to();
        let what = format!("is not a UTF-8 text file: line {} has the byte 0x{:02x}", line_of(at), bytes[at]);
        return refuse(&what, "give a text file of sizes, or convert it with `iconv -t UTF-8`");
    }
    let text = String::from_utf8(bytes).unwrap_or_default();
    // Spreadsheets put a byte-order mark in front.
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}
