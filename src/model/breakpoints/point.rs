//! What a breakpoint waits for: arrival at a place, an access to memory, something the process does.

use crate::{Context, Datum, LocationError, LocationSpec, SignalName};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a breakpoint waits for.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Point {
    /// Arrival at a place.
    Place(LocationSpec),
    /// An access to what an expression names.
    Watch(Watch),
    /// Something the process does, wherever it is.
    Catch(Catch),
}

impl Point {
    /// The place, when it is one.
    pub fn place(&self) -> Option<&LocationSpec> {
        match self {
            Self::Place(location) => Some(location),
            Self::Watch(_) | Self::Catch(_) => None,
        }
    }

    /// What it is, in a word: `breakpoint`, `watchpoint`, `catchpoint`.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Place(_) => "breakpoint",
            Self::Watch(_) => "watchpoint",
            Self::Catch(_) => "catchpoint",
        }
    }
}

impl From<LocationSpec> for Point {
    fn from(location: LocationSpec) -> Self {
        Self::Place(location)
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Place(location) => location.fmt(f),
            Self::Watch(watch) => write!(f, "{} {}", watch.access.command(), watch.expression),
            Self::Catch(catch) => write!(f, "catch {catch}"),
        }
    }
}

/// Which accesses a watchpoint stops for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum WatchAccess {
    /// Writes that change the value.
    Change,
    /// Reads.
    Read,
    /// Reads and writes.
    Any,
}

impl WatchAccess {
    /// The command that asks for it.
    pub fn command(self) -> &'static str {
        match self {
            Self::Change => "watch",
            Self::Read => "rwatch",
            Self::Any => "awatch",
        }
    }
}

/// A watchpoint as the user asks for it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Watch {
    /// In the language of the frame.
    pub expression: String,
    /// Which accesses.
    pub access: WatchAccess,
    /// Where its names are looked up; with names of the frame it ends with that frame.
    pub context: Context,
}

/// Before an expression whose place is watched, whatever becomes of its names; gdb's option.
const AT_PLACE: &str = "-location";

impl Watch {
    /// The expression as it is kept: the option before it may be cut short.
    pub fn normalised(text: &str) -> String {
        match at_place(text) {
            Some(expression) => format!("{AT_PLACE} {expression}"),
            None => text.to_owned(),
        }
    }

    /// The expression whose place is watched, as it is now.
    pub fn at_place(&self) -> Option<&str> {
        at_place(&self.expression)
    }

    /// The expression without the option.
    pub fn bare(&self) -> &str {
        self.at_place().unwrap_or(&self.expression)
    }
}

/// The expression behind the option.
fn at_place(text: &str) -> Option<&str> {
    let (option, expression) = text.split_once(' ')?;
    (option.len() > 1 && AT_PLACE.starts_with(option)).then(|| expression.trim()).filter(|rest| !rest.is_empty())
}

/// Something a process does.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Catch {
    /// An exception is thrown (C++).
    Throw,
    /// An exception is caught (C++).
    Catch,
    /// It becomes another program.
    Exec,
    /// It creates a process.
    Fork,
    /// It creates a process by vfork(2).
    Vfork,
    /// A thread is about to get a signal; `None`: any but those that debuggers use themselves.
    Signal(Option<SignalName>),
    /// A library is loaded whose base name fits the glob; `None`: any.
    Load(Option<String>),
}

impl Catch {
    /// Reads what [`fmt::Display`] writes.
    pub fn parse(text: &str) -> Result<Self, LocationError> {
        let text = text.trim();
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        let fault = |message: String, position: usize| LocationError { message, position };
        let place = word.chars().count() + 1;
        let plain = |catch: Self| match rest {
            "" => Ok(catch),
            _ => Err(fault(format!("catch {word} takes no argument"), place)),
        };
        match word {
            "throw" => plain(Self::Throw),
            "catch" => plain(Self::Catch),
            "exec" => plain(Self::Exec),
            "fork" => plain(Self::Fork),
            "vfork" => plain(Self::Vfork),
            "signal" if rest.is_empty() => Ok(Self::Signal(None)),
            "signal" => match SignalName::parse(rest) {
                Some(name) => Ok(Self::Signal(Some(name))),
                None => Err(fault(format!("unknown signal {rest:?}; \"signals\" lists them"), place)),
            },
            "load" => Ok(Self::Load(Some(rest.to_owned()).filter(|glob| !glob.is_empty()))),
            "" => Err(fault("expected throw, catch, exec, fork, vfork, signal or load".into(), 0)),
            _ => Err(fault(format!("expected throw, catch, exec, fork, vfork, signal or load, not {word:?}"), 0)),
        }
    }
}

impl fmt::Display for Catch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Throw => f.write_str("throw"),
            Self::Catch => f.write_str("catch"),
            Self::Exec => f.write_str("exec"),
            Self::Fork => f.write_str("fork"),
            Self::Vfork => f.write_str("vfork"),
            Self::Signal(None) => f.write_str("signal"),
            Self::Signal(Some(name)) => write!(f, "signal {name}"),
            Self::Load(None) => f.write_str("load"),
            Self::Load(Some(glob)) => write!(f, "load {glob}"),
        }
    }
}

/// What a rank does at a breakpoint.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PointAction {
    /// It stops.
    #[default]
    Stop,
    /// It stops, and is held until all ranks of the point have come.
    Barrier,
    /// It reports the values of these expressions and goes on.
    Trace(Vec<String>),
}

/// How a point without sites waits.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Armed {
    /// By debug registers of the processor.
    Hardware,
    /// Every instruction is stepped and the value looked at; why there is no other way.
    Software(String),
    /// The system says when it happens.
    Events,
    /// What it needs is not there yet.
    Pending,
}

/// What a watchpoint saw.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Watched {
    /// A write changed the value.
    Changed {
        /// `None`: it could not be read.
        old: Option<Datum>,
        /// `None`: it cannot be read any more.
        new: Option<Datum>,
    },
    /// It was read, or written without a change.
    Accessed {
        /// As it is.
        value: Datum,
    },
    /// The frame its names belong to has returned; it is gone.
    ScopeEnded,
    /// It has no value any more, and gdb has given it up; it is gone.
    GivenUp,
}

/// What a process did that was to be caught.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Caught {
    /// An exception was thrown.
    Thrown,
    /// An exception was caught.
    Handled,
    /// It is another program now.
    Executed(String),
    /// It created a process.
    Forked,
    /// It created a process by vfork(2).
    Vforked,
    /// A thread is about to get a signal.
    Signal(SignalName),
    /// It loaded libraries.
    Loaded(Vec<String>),
}

impl Caught {
    /// The word of the batch output.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Thrown | Self::Handled => "exception",
            Self::Executed(_) => "exec",
            Self::Forked => "fork",
            Self::Vforked => "vfork",
            Self::Signal(_) => "signal",
            Self::Loaded(_) => "library",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes() {
        for text in ["throw", "catch", "exec", "fork", "vfork", "signal", "signal SIGUSR1", "load", "load libm*"] {
            assert_eq!(Catch::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn faults_name_their_place() {
        for (text, place) in [("", 0), ("fire", 0), ("fork now", 5), ("signal SIGNONE", 7)] {
            assert_eq!(Catch::parse(text).unwrap_err().position, place, "{text}");
        }
    }
}
