//! Locations, as the user writes them.

use super::explicit_location::{Explicit, Fault, explicit};
use crate::{SourcePlace, SourceRules};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// `file:line`, `line`, `function`, `*ADDRESS`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum LocationSpec {
    /// A line of a file; the file may be a base name or the end of a path.
    FileLine {
        /// As the user wrote it.
        file: String,
        /// Counted from 1.
        line: u32,
    },
    /// A line of the file of the current frame.
    Line(u32),
    /// A function by name.
    Function(String),
    /// An address, as an expression without the star.
    Address(String),
}

/// The line that is meant where a location names a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FunctionLine {
    /// That of its first instruction, which gdb's `list` takes.
    Entry,
    /// That behind its prologue, where a breakpoint stops.
    Body,
}

impl LocationSpec {
    /// True if it names this line of this file. The file as written may be the end of its path.
    pub fn names(&self, place: &SourcePlace) -> bool {
        let Self::FileLine { file, line } = self else { return false };
        let is_end = || {
            let before = place.file.strip_suffix(file.trim_start_matches("./"));
            before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
        };
        *line == place.line && is_end()
    }

    /// Names the file as debug information does, if it is written as a path to which a rule for sources leads.
    pub fn in_compilation(&mut self, rules: &SourceRules) {
        let name = match self {
            Self::FileLine { file, .. } => Some(file),
            Self::Function(name) => {
                // `/path/file.c:function`
                let (file, function) = file_and_function(name);
                if let Some(compiled) = file.and_then(|file| rules.compiled(file)) {
                    *name = match function.strip_prefix(QUALIFIED) {
                        Some(whole) => format!("{QUALIFIED}{compiled}:{whole}"),
                        None => format!("{compiled}:{function}"),
                    };
                }
                None
            }
            Self::Line(_) | Self::Address(_) => None,
        };
        if let Some(file) = name
            && let Some(compiled) = rules.compiled(file)
        {
            *file = compiled;
        }
    }

    /// The message if no code matches: `no function "f"`.
    pub fn absence(&self) -> String {
        match self {
            Self::FileLine { file, line } => format!("no code for line {line} of {file:?}"),
            Self::Line(line) => format!("no code for line {line}"),
            Self::Function(name) => format!("no function {name:?}"),
            Self::Address(text) => format!("no code at *{text}"),
        }
    }
}

/// A syntax error in a location or a catchpoint.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct LocationError {
    /// The message for the user.
    pub message: String,
    /// Position in the text, in characters from 0.
    pub position: usize,
}

impl LocationSpec {
    /// Parses the form that [`fmt::Display`] writes. The file, the function or the whole may be quoted, as in gdb.
    pub fn parse(text: &str) -> Result<Self, LocationError> {
        let trimmed = text.trim();
        match explicit(trimmed) {
            Some(parts) => {
                let at = |at: usize| trimmed.get(..at).map_or(0, |before| before.chars().count());
                let fault = |fault: Fault| LocationError { message: fault.message.into(), position: at(fault.at) };
                Self::of_parts(&parts.map_err(fault)?)
            }
            None if trimmed.starts_with('*') => Self::plain(trimmed),
            None => Self::plain(&without_quotes(trimmed)?),
        }
    }

    fn of_parts(parts: &Explicit<'_>) -> Result<Self, LocationError> {
        let source = parts.source.map(without_quotes).transpose()?;
        match (parts.function, parts.line) {
            (Some(function), _) => {
                let file = source.map_or_else(String::new, |file| format!("{file}:"));
                let option = if parts.is_qualified { QUALIFIED } else { "" };
                Ok(Self::Function(format!("{option}{file}{}", without_quotes(function)?)))
            }
            (None, line) => Ok(match (source, line.unwrap_or(1)) {
                (Some(file), line) => Self::FileLine { file: file.into_owned(), line },
                (None, line) => Self::Line(line),
            }),
        }
    }

    /// Parses a location without quotes.
    fn plain(trimmed: &str) -> Result<Self, LocationError> {
        let fault = |message: &str, position: usize| LocationError { message: message.to_owned(), position };
        if trimmed.is_empty() {
            return Err(fault("expected a location: file:line, line, function or *address", 0));
        }
        if let Some(address) = trimmed.strip_prefix('*') {
            if address.trim().is_empty() {
                return Err(fault("expected an address after \"*\"", 1));
            }
            return Ok(Self::Address(address.trim().to_owned()));
        }
        if trimmed.bytes().all(|b| b.is_ascii_digit()) {
            return match trimmed.parse() {
                Ok(0) | Err(_) => Err(fault("expected a line number from 1 to 4294967295", 0)),
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
                    Ok(0) | Err(_) => Err(fault("expected a line number from 1 to 4294967295", place)),
                    Ok(line) => Ok(Self::FileLine { file: file.to_owned(), line }),
                };
            }
            if !line.starts_with(|c: char| c.is_alphabetic() || c == '_') {
                return Err(fault("expected a line number after the colon", place));
            }
        }
        if let Some((position, c)) = trimmed.chars().enumerate().find(|(_, c)| c.is_control()) {
            return Err(fault(&format!("unexpected character {c:?} in a location"), position));
        }
        Ok(Self::Function(trimmed.to_owned()))
    }
}

/// The prefix of a fully qualified function name; gdb's option.
pub const QUALIFIED: &str = "-qualified ";

/// Splits `file.c:function`, as [`LocationSpec::Function`] may have it; without a file, the whole is the function.
/// [`QUALIFIED`] stays before the function.
pub fn file_and_function(name: &str) -> (Option<&str>, Cow<'_, str>) {
    let plain = name.strip_prefix(QUALIFIED);
    let (file, function) = plain.unwrap_or(name).split_once(':').unwrap_or_default();
    if file.is_empty() || function.starts_with(':') {
        return (None, name.into());
    }
    let function = if plain.is_some() { format!("{QUALIFIED}{function}").into() } else { function.into() };
    (Some(file), function)
}

/// Removes quotes around the text, or around the parts before and after the colon of a file. Other quotes belong to
/// names (lifetimes, `operator""_km`).
fn without_quotes(text: &str) -> Result<Cow<'_, str>, LocationError> {
    let is_quote = |c: &char| matches!(c, '"' | '\'');
    let fault = |rest: &str, message: &str| LocationError {
        message: message.to_owned(),
        position: text.chars().count() - rest.chars().count(),
    };
    let (mut plain, mut rest) = (String::new(), text);
    loop {
        if let Some(quote) = rest.chars().next().filter(is_quote) {
            let opened = rest.get(1..).unwrap_or_default();
            let (inner, after) = opened.split_once(quote).ok_or_else(|| fault(rest, "expected a closing quote"))?;
            if !(after.is_empty() || after.starts_with(':') && !after.starts_with("::")) {
                return Err(fault(after, "expected a colon after the closing quote"));
            }
            plain.push_str(inner);
            let colon = usize::from(!after.is_empty());
            plain.push_str(after.get(..colon).unwrap_or_default());
            rest = after.get(colon..).unwrap_or_default();
            if !rest.starts_with(|c| is_quote(&c)) {
                plain.push_str(rest);
                return Ok(plain.into());
            }
            continue;
        }
        let opens = |(at, _): &(usize, &str)| {
            let (before, behind) = (rest.get(..*at).unwrap_or_default(), rest.get(at + 1..).unwrap_or_default());
            !before.is_empty() && !before.ends_with(':') && behind.starts_with(|c| is_quote(&c))
        };
        let Some((colon, _)) = rest.match_indices(':').find(opens) else {
            return Ok(if plain.is_empty() { text.into() } else { (plain + rest).into() });
        };
        plain.push_str(rest.get(..=colon).unwrap_or_default());
        rest = rest.get(colon + 1..).unwrap_or_default();
    }
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
    fn a_function_may_have_a_file_before_it() {
        assert_eq!(file_and_function("ring.c:kernel"), (Some("ring.c"), "kernel".into()));
        assert_eq!(file_and_function("ring.cpp:ns::f"), (Some("ring.cpp"), "ns::f".into()));
        assert_eq!(file_and_function("ns::f"), (None, "ns::f".into()));
        assert_eq!(file_and_function("f"), (None, "f".into()));
        assert_eq!(file_and_function("-qualified ns::f(int)"), (None, "-qualified ns::f(int)".into()));
        assert_eq!(file_and_function("-qualified a.cpp:f(int)"), (Some("a.cpp"), "-qualified f(int)".into()));
    }

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
    fn quotes_around_a_location_or_its_parts_are_not_part_of_it() {
        for (text, plain) in [
            ("'a b.c:20'", "a b.c:20"),
            ("\"a b.c\":20", "a b.c:20"),
            ("'20'", "20"),
            ("'ns::f(int)'", "ns::f(int)"),
            ("\"ns::f\"", "ns::f"),
            ("a.c:'ns::f'", "a.c:ns::f"),
            ("'a b.c':ns::f", "a b.c:ns::f"),
            ("'a b.c':\"f(int)\"", "a b.c:f(int)"),
            ("-q 'ns::f'", "-qualified ns::f"),
            ("<impl Shape<'a>>::area", "<impl Shape<'a>>::area"),
            ("ns::operator\"\"_km", "ns::operator\"\"_km"),
            ("{impl#0}::area", "{impl#0}::area"),
            ("*&\"text\"[1]", "*&\"text\"[1]"),
        ] {
            assert_eq!(LocationSpec::parse(text).map(|spec| spec.to_string()), Ok(plain.to_owned()), "{text}");
        }
        for (text, position) in [("'a b.c", 0), ("a.c:'f", 4), ("'f' g", 3), ("'ns'::f", 4)] {
            assert_eq!(LocationSpec::parse(text).unwrap_err().position, position, "{text}");
        }
    }

    #[test]
    fn faults_name_their_place() {
        assert_eq!(LocationSpec::parse("").unwrap_err().position, 0);
        assert_eq!(LocationSpec::parse("ring.c:+").unwrap_err().position, 7);
        assert_eq!(LocationSpec::parse("0").unwrap_err().position, 0);
        assert!(LocationSpec::parse("ring.c:99999999999").is_err());
    }

    #[test]
    fn options_mean_what_the_short_forms_mean() {
        for (text, plain) in [
            ("-line 20", "20"),
            ("-source a.c -line 20", "a.c:20"),
            ("-li 20 -so 'a b.c'", "a b.c:20"),
            ("-function ns::f(int, long)", "ns::f(int, long)"),
            ("-source a.c -function f", "a.c:f"),
            ("-q f", "-qualified f"),
            ("-qualified -function f -source a.c", "-qualified a.c:f"),
        ] {
            assert_eq!(LocationSpec::parse(text).map(|spec| spec.to_string()), Ok(plain.to_owned()), "{text}");
        }
    }

    #[test]
    fn what_is_wrong_with_options_is_said_at_its_place() {
        for (text, position) in
            [("-line x", 6), ("-line", 5), ("-source a.c", 11), ("-label l", 0), ("-line 2 -function f", 0)]
        {
            assert_eq!(LocationSpec::parse(text).unwrap_err().position, position, "{text}");
        }
    }
}
