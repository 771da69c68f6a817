//! The library functions of simulated programs.

use super::ctype::{CHAR, CType, DOUBLE, INT, LONG, UNSIGNED_LONG};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Builtin {
    Printf,
    Fprintf,
    Puts,
    Fflush,
    Getenv,
    Atoi,
    Strcmp,
    Strlen,
    Sqrt,
    Fabs,
    Sin,
    Exp,
    Usleep,
    Exit,
    Abort,
    Raise,
    Getpid,
    Kill,
    Malloc,
    Free,
    Signal,
    /// Makes the rank stop answering.
    Hang,
    /// Delays the rank's answers by a number of milliseconds.
    Slow,
    /// Starts a thread that calls a function with one argument.
    Thread,
    /// Waits until all other threads have ended.
    JoinAll,
}

pub(super) struct Signature {
    pub(super) builtin: Builtin,
    pub(super) returns: CType,
    /// `i` int, `l` long, `d` double, `p` pointer; `*` any number of arguments of any type.
    pub(super) parameters: &'static str,
}

pub(super) fn builtin(name: &str) -> Option<Signature> {
    let (builtin, returns, parameters) = match name {
        "printf" => (Builtin::Printf, INT, "p*"),
        "fprintf" => (Builtin::Fprintf, INT, "lp*"),
        "puts" => (Builtin::Puts, INT, "p"),
        "fflush" => (Builtin::Fflush, INT, "l"),
        "getenv" => (Builtin::Getenv, CHAR.pointer(), "p"),
        "atoi" => (Builtin::Atoi, INT, "p"),
        "atol" => (Builtin::Atoi, LONG, "p"),
        "strcmp" => (Builtin::Strcmp, INT, "pp"),
        "strlen" => (Builtin::Strlen, UNSIGNED_LONG, "p"),
        "sqrt" => (Builtin::Sqrt, DOUBLE, "d"),
        "fabs" => (Builtin::Fabs, DOUBLE, "d"),
        "sin" => (Builtin::Sin, DOUBLE, "d"),
        "exp" => (Builtin::Exp, DOUBLE, "d"),
        "usleep" => (Builtin::Usleep, INT, "i"),
        "sleep" => (Builtin::Usleep, INT, "i"),
        "exit" | "_exit" => (Builtin::Exit, CType::Void, "i"),
        "abort" => (Builtin::Abort, CType::Void, ""),
        "raise" => (Builtin::Raise, INT, "i"),
        "getpid" => (Builtin::Getpid, INT, ""),
        "kill" => (Builtin::Kill, INT, "ii"),
        "malloc" => (Builtin::Malloc, CType::Void.pointer(), "l"),
        "free" => (Builtin::Free, CType::Void, "p"),
        "signal" => (Builtin::Signal, CType::Void.pointer(), "ip"),
        "simulated_hang" => (Builtin::Hang, CType::Void, ""),
        "simulated_slowness" => (Builtin::Slow, CType::Void, "i"),
        "simulated_thread" => (Builtin::Thread, INT, "pi"),
        "simulated_join" => (Builtin::JoinAll, CType::Void, ""),
        _ => return None,
    };
    Some(Signature { builtin, returns, parameters })
}

/// Returns the value of a constant that C defines in a header.
pub(super) fn constant(name: &str) -> Option<i64> {
    Some(match name {
        "NULL" | "SIG_DFL" | "EXIT_SUCCESS" => 0,
        "SIG_IGN" | "EXIT_FAILURE" | "stdout" => 1,
        "stderr" => 2,
        other if other.starts_with("SIG") => i64::from(model::SIGNALS.iter().find(|(_, name, ..)| *name == other)?.0),
        _ => return None,
    })
}
