//! What gdb says, a line at a time, and how it writes it.

use super::text::quoted;
use std::fmt;

/// Values by name, in order; names may repeat, and are empty where gdb leaves them out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Results(pub Vec<(String, Value)>);

/// A value of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A text.
    Text(String),
    /// `{name=value,…}`.
    Tuple(Results),
    /// `[value,…]` or `[name=value,…]`; the names are empty in the first form.
    List(Results),
}

/// Which of the records that come unasked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `*`: the program runs or stops.
    Exec,
    /// `+`: progress of something slow.
    Status,
    /// `=`: anything else that changed.
    Notify,
}

/// Whose words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamKind {
    /// `~`: what a person would read on gdb's terminal.
    Console,
    /// `@`: of a remote target.
    Target,
    /// `&`: errors and commands repeated.
    Log,
}

/// A line of gdb.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record {
    /// `TOKEN^CLASS,…`: the answer to a command.
    Result {
        /// Of the command.
        token: Option<u64>,
        /// `done`, `running`, `connected`, `error`, `exit`.
        class: String,
        /// The rest.
        results: Results,
    },
    /// `*stopped,…` and the like.
    Async {
        /// Of the command that caused it; gdb seldom says.
        token: Option<u64>,
        /// Which.
        kind: Kind,
        /// `stopped`, `thread-created`, …
        class: String,
        /// The rest.
        results: Results,
    },
    /// Words.
    Stream(StreamKind, String),
    /// `(gdb)`.
    Prompt,
    /// Anything else, as it came: other programs may write to gdb's output.
    Unknown(String),
}

impl Results {
    /// The first value of a name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// The first text of a name.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.get(name)?.as_text()
    }

    /// The number that a name has, decimal or after `0x` hexadecimal.
    pub fn number(&self, name: &str) -> Option<u64> {
        let text = self.text(name)?;
        match text.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => text.parse().ok(),
        }
    }

    /// What is inside of a tuple or list.
    pub fn inside(&self, name: &str) -> Option<&Self> {
        self.get(name)?.inside()
    }

    /// All tuples and lists among the values.
    pub fn parts(&self) -> impl Iterator<Item = &Self> {
        self.0.iter().filter_map(|(_, value)| value.inside())
    }
}

impl Value {
    /// It, if it is a text.
    pub fn as_text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// What is in it, if anything can be.
    pub fn inside(&self) -> Option<&Results> {
        match self {
            Self::Text(_) => None,
            Self::Tuple(inside) | Self::List(inside) => Some(inside),
        }
    }
}

impl fmt::Display for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (name, value)) in self.0.iter().enumerate() {
            let comma = if at > 0 { "," } else { "" };
            let equals = if name.is_empty() { "" } else { "=" };
            write!(f, "{comma}{name}{equals}{value}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(&quoted(text)),
            Self::Tuple(inside) => write!(f, "{{{inside}}}"),
            Self::List(inside) => write!(f, "[{inside}]"),
        }
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (token, sign, class, results) = match self {
            Self::Result { token, class, results } => (token, '^', class, results),
            Self::Async { token, kind, class, results } => {
                let sign = match kind {
                    Kind::Exec => '*',
                    Kind::Status => '+',
                    Kind::Notify => '=',
                };
                (token, sign, class, results)
            }
            Self::Stream(kind, text) => {
                let sign = match kind {
                    StreamKind::Console => '~',
                    StreamKind::Target => '@',
                    StreamKind::Log => '&',
                };
                return write!(f, "{sign}{}", quoted(text));
            }
            Self::Prompt => return f.write_str("(gdb) "),
            Self::Unknown(text) => return f.write_str(text),
        };
        if let Some(token) = token {
            write!(f, "{token}")?;
        }
        let comma = if results.0.is_empty() { "" } else { "," };
        write!(f, "{sign}{class}{comma}{results}")
    }
}
