//! Catchpoints: the events that they wait for, and those that they have caught.

use crate::{CallChoice, CaughtCall, FloatExceptions, FloatTrap, LocationError, SignalName};
use serde::{Deserialize, Serialize};
use std::fmt;

/// An event of the process that a catchpoint waits for.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Catch {
    /// An exception is thrown (C++).
    Throw,
    /// An exception is caught (C++).
    Catch,
    /// An exception is thrown again (C++).
    Rethrow,
    /// The process calls exec.
    Exec,
    /// The process calls fork.
    Fork,
    /// The process calls vfork(2).
    Vfork,
    /// One of these signals is about to be delivered.
    Signal(CaughtSignals),
    /// A library is loaded whose base name matches the glob; `None`: any library.
    Load(Option<String>),
    /// A library is unloaded whose base name matches the glob; `None`: any library.
    Unload(Option<String>),
    /// A thread begins or ends one of these system calls.
    Call(CallChoice),
    /// An instruction raises a floating-point exception of one of these kinds.
    Fpe(FloatExceptions),
}

/// The signals that a catchpoint waits for.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum CaughtSignals {
    /// Any except those that debuggers use themselves.
    Usual,
    /// Any.
    All,
    /// These.
    These(Vec<SignalName>),
}

impl CaughtSignals {
    /// Parses names, `all` or nothing; an error has the character at which it begins.
    fn parse(text: &str) -> Result<Self, (usize, String)> {
        let mut names = Vec::new();
        let mut at = 0;
        for word in text.split(' ') {
            match SignalName::parse(word) {
                _ if word.is_empty() => {}
                _ if word == "all" && text.trim() != word => return Err((at, "\"all\" stands alone".to_owned())),
                _ if word == "all" => return Ok(Self::All),
                Some(name) if names.contains(&name) => {}
                Some(name) => names.push(name),
                None => return Err((at, format!("unknown signal {word:?}; \"signals\" lists them"))),
            }
            at += word.chars().count() + 1;
        }
        Ok(if names.is_empty() { Self::Usual } else { Self::These(names) })
    }
}

/// Formats as after `catch signal`.
impl fmt::Display for CaughtSignals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usual => Ok(()),
            Self::All => f.write_str(" all"),
            Self::These(names) => names.iter().try_for_each(|name| write!(f, " {name}")),
        }
    }
}

/// The words that `catch` takes, for messages.
const EVENTS: &str = "throw, catch, rethrow, exec, fork, vfork, signal, load, unload, syscall or fpe";

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
            "rethrow" => plain(Self::Rethrow),
            "exec" => plain(Self::Exec),
            "fork" => plain(Self::Fork),
            "vfork" => plain(Self::Vfork),
            "signal" => CaughtSignals::parse(rest).map(Self::Signal).map_err(|(at, why)| fault(why, place + at)),
            "load" => Ok(Self::Load(Some(rest.to_owned()).filter(|glob| !glob.is_empty()))),
            "unload" => Ok(Self::Unload(Some(rest.to_owned()).filter(|glob| !glob.is_empty()))),
            "syscall" => CallChoice::parse(rest).map(Self::Call).map_err(|(at, why)| fault(why, place + at)),
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
            Self::Rethrow => f.write_str("rethrow"),
            Self::Exec => f.write_str("exec"),
            Self::Fork => f.write_str("fork"),
            Self::Vfork => f.write_str("vfork"),
            Self::Signal(signals) => write!(f, "signal{signals}"),
            Self::Load(None) => f.write_str("load"),
            Self::Load(Some(glob)) => write!(f, "load {glob}"),
            Self::Unload(None) => f.write_str("unload"),
            Self::Unload(Some(glob)) => write!(f, "unload {glob}"),
            Self::Call(choice) if choice.is_any() => f.write_str("syscall"),
            Self::Call(choice) => write!(f, "syscall {choice}"),
            Self::Fpe(kinds) if *kinds == FloatExceptions::usual() => f.write_str("fpe"),
            Self::Fpe(kinds) => write!(f, "fpe {kinds}"),
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
    /// An exception was thrown again.
    Rethrown,
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
    /// The process unloaded these libraries.
    Unloaded(Vec<String>),
    /// A thread began or ended a system call.
    Call(CaughtCall),
    /// An instruction raised a floating-point exception.
    Float(FloatTrap),
}

impl Caught {
    /// True if a stop for the other can be reported with this one, except for the values of operands and arguments.
    pub fn is_alike(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Float(trap), Self::Float(also)) => trap.is_alike(also),
            (Self::Call(call), Self::Call(also)) => call.is_alike(also),
            _ => self == other,
        }
    }

    /// Drops what the other does not share, so that it stands for both.
    pub fn keep_shared(&mut self, other: &Self) {
        match (self, other) {
            (Self::Float(trap), Self::Float(also)) => trap.keep_shared(also),
            (Self::Call(call), Self::Call(also)) => call.keep_shared(also),
            _ => {}
        }
    }

    /// The word for it in batch output.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Thrown | Self::Handled | Self::Rethrown => "exception",
            Self::Executed(_) => "exec",
            Self::Forked => "fork",
            Self::Vforked => "vfork",
            Self::Signal(_) => "signal",
            Self::Loaded(_) | Self::Unloaded(_) => "library",
            Self::Call(_) => "syscall",
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
        for text in ["rethrow", "unload", "unload libm*", "syscall", "syscall write 9999 group:network"] {
            assert_eq!(Catch::parse(text).unwrap().to_string(), text);
        }
        for text in ["fpe", "fpe invalid", "fpe zero underflow inexact"] {
            assert_eq!(Catch::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(Catch::parse("fpe overflow zero invalid").unwrap().to_string(), "fpe");
    }

    #[test]
    fn faults_name_their_place() {
        for (text, place) in [
            ("", 0),
            ("fire", 0),
            ("fork now", 5),
            ("signal SIGNONE", 7),
            ("fpe zero nan", 9),
            ("syscall write nothing", 14),
        ] {
            assert_eq!(Catch::parse(text).unwrap_err().position, place, "{text}");
        }
    }
}
