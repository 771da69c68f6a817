//! Records of GDB/MI: parsed lines of gdb's output, and their text.

use super::text::quoted;
use std::fmt;

/// Values by name, in order; names may repeat, and are empty where gdb omits them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Results(pub Vec<(String, Value)>);

/// A value of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A C string, with escapes resolved.
    Text(String),
    /// `{name=value,…}`.
    Tuple(Results),
    /// `[value,…]` or `[name=value,…]`; the names are empty in the first form.
    List(Results),
}

/// The kind of an asynchronous record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `*`: the program has continued or stopped.
    Exec,
    /// `+`: progress of a slow operation.
    Status,
    /// `=`: any other change.
    Notify,
}

/// The source of a stream record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamKind {
    /// `~`: output of console commands.
    Console,
    /// `@`: output of a remote target.
    Target,
    /// `&`: error messages and echoed commands.
    Log,
}

/// A line of gdb's output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record {
    /// `TOKEN^CLASS,…`: the answer to a command.
    Result {
        /// The token of the command.
        token: Option<u64>,
        /// `done`, `running`, `connected`, `error` or `exit`.
        class: String,
        /// The results after the class.
        results: Results,
    },
    /// `*stopped,…` and the like.
    Async {
        /// The token of the command that caused it; gdb seldom gives it.
        token: Option<u64>,
        /// Execution, status or notification.
        kind: Kind,
        /// `stopped`, `thread-created`, …
        class: String,
        /// The results after the class.
        results: Results,
    },
    /// Text, with escapes resolved.
    Stream(StreamKind, String),
    /// The prompt, `(gdb)`.
    Prompt,
    /// Any other line, unchanged: other programs may write to gdb's output.
    Unknown(String),
}

impl Results {
    /// Returns the first value of a name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// Returns the first value of a name if it is a text.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.get(name)?.as_text()
    }

    /// Returns a name's value as a number, decimal or hexadecimal after `0x`.
    pub fn number(&self, name: &str) -> Option<u64> {
        let text = self.text(name)?;
        match text.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => text.parse().ok(),
        }
    }

    /// Returns the results inside the tuple or list of a name.
    pub fn inside(&self, name: &str) -> Option<&Self> {
        self.get(name)?.inside()
    }

    /// Iterates over all tuples and lists among the values.
    pub fn parts(&self) -> impl Iterator<Item = &Self> {
        self.0.iter().filter_map(|(_, value)| value.inside())
    }
}

impl Value {
    /// Returns the text; `None` for tuples and lists.
    pub fn as_text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// Returns the results inside a tuple or list; `None` for a text.
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
