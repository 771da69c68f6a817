//! The kinds of points: breakpoints at places, watchpoints on memory, catchpoints for events of the process.

use crate::{Context, Datum, FloatExceptions, FloatTrap, LocationError, LocationSpec, SignalName};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A breakpoint, watchpoint or catchpoint.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Point {
    /// A breakpoint at a location.
    Place(LocationSpec),
    /// A watchpoint on an expression.
    Watch(Watch),
    /// A catchpoint.
    Catch(Catch),
}

impl Point {
    /// The location of a breakpoint; `None` for other points.
    pub fn place(&self) -> Option<&LocationSpec> {
        match self {
            Self::Place(location) => Some(location),
            Self::Watch(_) | Self::Catch(_) => None,
        }
    }

    /// The word for its kind: `breakpoint`, `watchpoint`, `catchpoint`.
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

/// The accesses that a watchpoint stops for.
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
    /// The command that sets it: `watch`, `rwatch`, `awatch`.
    pub fn command(self) -> &'static str {
        match self {
            Self::Change => "watch",
            Self::Read => "rwatch",
            Self::Any => "awatch",
        }
    }
}

/// A watchpoint, as the user requests it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Watch {
    /// The watched expression, in the language of the frame.
    pub expression: String,
    /// The accesses it stops for.
    pub access: WatchAccess,
    /// The frame in which its names are looked up; with local variables, the watchpoint ends with that frame.
    pub context: Context,
}

/// The option to watch the address that an expression has now, independent of its names; gdb's.
const AT_PLACE: &str = "-location";

impl Watch {
    /// Completes an abbreviated `-location` before the expression.
    pub fn normalised(text: &str) -> String {
        match at_place(text) {
            Some(expression) => format!("{AT_PLACE} {expression}"),
            None => text.to_owned(),
        }
    }

    /// The expression after `-location`; `None` without that option.
    pub fn at_place(&self) -> Option<&str> {
        at_place(&self.expression)
    }

    /// The expression without the option.
    pub fn bare(&self) -> &str {
        self.at_place().unwrap_or(&self.expression)
    }
}

/// The expression after `-location`, which may be abbreviated.
fn at_place(text: &str) -> Option<&str> {
    let (option, expression) = text.split_once(' ')?;
    (option.len() > 1 && AT_PLACE.starts_with(option)).then(|| expression.trim()).filter(|rest| !rest.is_empty())
}

/// An event of the process that a catchpoint waits for.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Catch {
    /// An exception is thrown (C++).
    Throw,
    /// An exception is caught (C++).
    Catch,
    /// The process calls exec.
    Exec,
    /// The process calls fork.
    Fork,
    /// The process calls vfork(2).
    Vfork,
    /// A signal is about to be delivered; `None`: any except those that debuggers use themselves.
    Signal(Option<SignalName>),
    /// A library is loaded whose base name matches the glob; `None`: any library.
    Load(Option<String>),
    /// An instruction raises a floating-point exception of one of these kinds.
    Fpe(FloatExceptions),
}

/// The words that `catch` takes, for messages.
const EVENTS: &str = "throw, catch, exec, fork, vfork, signal, load or fpe";

impl Catch {
    /// Parses the form that [`fmt::Display`] writes.
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
            "fpe" => FloatExceptions::parse(rest).map(Self::Fpe).map_err(|(at, word)| {
                let message = format!("expected invalid, zero, overflow, underflow or inexact, not {word:?}");
                fault(message, place + at)
            }),
            "" => Err(fault(format!("expected {EVENTS}"), 0)),
            _ => Err(fault(format!("expected {EVENTS}, not {word:?}"), 0)),
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
            Self::Fpe(kinds) if *kinds == FloatExceptions::usual() => f.write_str("fpe"),
            Self::Fpe(kinds) => write!(f, "fpe {kinds}"),
        }
    }
}

/// The action of a rank at a breakpoint.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PointAction {
    /// The rank stops.
    #[default]
    Stop,
    /// The rank stops and is held until all ranks of the point have arrived.
    Barrier,
    /// The rank reports the values of these expressions and continues.
    Trace(Vec<String>),
}

/// The state of a watchpoint or catchpoint.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Armed {
    /// Debug registers of the processor watch it.
    Hardware,
    /// The engine single-steps and compares the value; holds the reason hardware cannot watch it.
    Software(String),
    /// The operating system reports the event.
    Events,
    /// Pending: it needs something that does not exist yet.
    Pending,
}

/// The cause of a watchpoint's stop.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Watched {
    /// A write changed the value.
    Changed {
        /// `None` if it could not be read.
        old: Option<Datum>,
        /// `None` if it cannot be read any more.
        new: Option<Datum>,
    },
    /// The value was read, or written without a change.
    Accessed {
        /// The current value.
        value: Datum,
    },
    /// The frame of its local variables has returned; the watchpoint is deleted.
    ScopeEnded,
    /// The value can no longer be read, and gdb has deleted the watchpoint.
    GivenUp,
    /// Changes or accesses on several ranks whose values differ. No rank reports it: it stands for the stops of all.
    Several {
        /// The value before; `None` for accesses.
        old: Option<ValueAmongRanks>,
        /// The value now.
        new: ValueAmongRanks,
    },
}

/// A value on several ranks.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ValueAmongRanks {
    /// All ranks share it; `None` if it cannot be read.
    Shared(Option<Datum>),
    /// It differs.
    Differs,
}

impl ValueAmongRanks {
    fn keep_shared(&mut self, other: &Self) {
        if self != other {
            *self = Self::Differs;
        }
    }
}

impl Watched {
    /// True if stops for both can be reported together, whatever the values are.
    pub fn is_alike(&self, other: &Self) -> bool {
        match (self.among_ranks(), other.among_ranks()) {
            (Some((old, _)), Some((also, _))) => old.is_some() == also.is_some(),
            _ => self == other,
        }
    }

    /// Drops the values that the other does not share, so that it stands for both.
    pub fn keep_shared(&mut self, other: &Self) {
        if self == other {
            return;
        }
        if let (Some((mut old, mut new)), Some((old_too, new_too))) = (self.among_ranks(), other.among_ranks()) {
            if let (Some(old), Some(also)) = (&mut old, &old_too) {
                old.keep_shared(also);
            }
            new.keep_shared(&new_too);
            *self = Self::Several { old, new };
        }
    }

    /// The value before, if a write changed it, and the value now; `None` if there is no value.
    fn among_ranks(&self) -> Option<(Option<ValueAmongRanks>, ValueAmongRanks)> {
        let shared = |value: &Option<Datum>| ValueAmongRanks::Shared(value.clone());
        match self {
            Self::Changed { old, new } => Some((Some(shared(old)), shared(new))),
            Self::Accessed { value } => Some((None, ValueAmongRanks::Shared(Some(value.clone())))),
            Self::Several { old, new } => Some((old.clone(), new.clone())),
            Self::ScopeEnded | Self::GivenUp => None,
        }
    }
}

/// The event that a catchpoint caught.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Caught {
    /// An exception was thrown.
    Thrown,
    /// An exception was caught.
    Handled,
    /// The process called exec; holds the path of the new program.
    Executed(String),
    /// The process called fork.
    Forked,
    /// The process called vfork(2).
    Vforked,
    /// This signal is about to be delivered.
    Signal(SignalName),
    /// The process loaded these libraries.
    Loaded(Vec<String>),
    /// An instruction raised a floating-point exception.
    Float(FloatTrap),
}

impl Caught {
    /// True if a stop for the other can be reported with this one, except for the values of operands.
    pub fn is_alike(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Float(trap), Self::Float(also)) => trap.is_alike(also),
            _ => self == other,
        }
    }

    /// The word for it in batch output.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Thrown | Self::Handled => "exception",
            Self::Executed(_) => "exec",
            Self::Forked => "fork",
            Self::Vforked => "vfork",
            Self::Signal(_) => "signal",
            Self::Loaded(_) => "library",
            Self::Float(_) => "fpe",
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
        for text in ["fpe", "fpe invalid", "fpe zero underflow inexact"] {
            assert_eq!(Catch::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(Catch::parse("fpe overflow zero invalid").unwrap().to_string(), "fpe");
    }

    #[test]
    fn faults_name_their_place() {
        for (text, place) in [("", 0), ("fire", 0), ("fork now", 5), ("signal SIGNONE", 7), ("fpe zero nan", 9)] {
            assert_eq!(Catch::parse(text).unwrap_err().position, place, "{text}");
        }
    }
}
