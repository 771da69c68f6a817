//! Where a breakpoint is wanted, as the user writes it.

use serde::{Deserialize, Serialize};
use std::fmt;

/// `file:line`, `line`, `function`, `*ADDRESS`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum LocationSpec {
    /// A line of a file; the file may be a base name or the end of a path.
    FileLine {
        /// As written.
        file: String,
        /// Counted from 1.
        line: u32,
    },
    /// A line of the file the frame of reference is in.
    Line(u32),
    /// A function by name.
    Function(String),
    /// An address, as an expression without the star.
    Address(String),
}

/// Why a text is no location.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct LocationError {
    /// What is wrong.
    pub message: String,
    /// Character in the text, from 0.
    pub position: usize,
}

impl LocationSpec {
    /// Reads what [`fmt::Display`] writes.
    pub fn parse(text: &str) -> Result<Self, LocationError> {
        let fault = |message: &str, position: usize| LocationError { message: message.to_owned(), position };
        let trimmed = text.trim();
        if trimmed.is_empty() {
            return Err(fault("a location is missing: file:line, line, function or *address", 0));
        }
        if let Some(name) = qualified(trimmed) {
            return Ok(Self::Function(format!("{QUALIFIED}{name}")));
        }
        if let Some(address) = trimmed.strip_prefix('*') {
            if address.trim().is_empty() {
                return Err(fault("an address is missing after \"*\"", 1));
            }
            return Ok(Self::Address(address.trim().to_owned()));
        }
        if trimmed.bytes().all(|b| b.is_ascii_digit()) {
            return match trimmed.parse() {
                Ok(0) | Err(_) => Err(fault("a line number is from 1 to 4294967295", 0)),
                Ok(line) => Ok(Self::Line(line)),
            };
        }
        if let Some((file, line)) = trimmed.rsplit_once(':')
            && !file.ends_with(':')
            && !file.is_empty()
            && !line.is_empty()
        {
            let place = file.chars().count() + 1;
            if line.bytes().all(|b| b.is_ascii_digit()) {
                return match line.parse() {
                    Ok(0) | Err(_) => Err(fault("a line number is from 1 to 4294967295", place)),
                    Ok(line) => Ok(Self::FileLine { file: file.to_owned(), line }),
                };
            }
            if !line.starts_with(|c: char| c.is_alphabetic() || c == '_') {
                return Err(fault("a line number is wanted after the colon", place));
            }
        }
        if let Some((position, c)) = trimmed.chars().enumerate().find(|(_, c)| c.is_control()) {
            return Err(fault(&format!("unexpected character {c:?} in a location"), position));
        }
        Ok(Self::Function(trimmed.to_owned()))
    }
}

/// Before the name of a function whose scopes are all that there are; gdb's option.
pub const QUALIFIED: &str = "-qualified ";

/// The function behind the option, which may be cut short.
fn qualified(text: &str) -> Option<&str> {
    let (option, name) = text.split_once(' ')?;
    (option.len() > 1 && QUALIFIED.starts_with(option)).then(|| name.trim()).filter(|name| !name.is_empty())
}

impl fmt::Display for LocationSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FileLine { file, line } => write!(f, "{file}:{line}"),
            Self::Line(line) => write!(f, "{line}"),
            Self::Function(name) => f.write_str(name),
            Self::Address(address) => write!(f, "*{address}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes() {
        for text in ["-qualified ns::f", "ring.c:12", "dir/a b.c:3", "17", "kernel", "ns::f", "*0x401136", "*&main + 4"]
        {
            assert_eq!(LocationSpec::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(LocationSpec::parse("ns::f").unwrap(), LocationSpec::Function("ns::f".into()));
        assert_eq!(LocationSpec::parse("-q  f").unwrap().to_string(), "-qualified f");
    }

    #[test]
    fn faults_name_their_place() {
        assert_eq!(LocationSpec::parse("").unwrap_err().position, 0);
        assert_eq!(LocationSpec::parse("ring.c:+").unwrap_err().position, 7);
        assert_eq!(LocationSpec::parse("0").unwrap_err().position, 0);
        assert!(LocationSpec::parse("ring.c:99999999999").is_err());
    }
}
