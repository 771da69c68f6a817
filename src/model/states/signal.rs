//! The table of signals: number, name, disposition.

use crate::{ErrorCode, Failure};
use serde::{Deserialize, Serialize};
use std::{fmt, sync::Arc};

/// The name of a signal, `SIGUSR1`; a real-time signal has gdb's name, `SIG34`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SignalName(pub Arc<str>);

/// The reaction to a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Disposition {
    /// True to stop the rank.
    pub stop: bool,
    /// True to report the signal.
    pub print: bool,
    /// True to deliver the signal to the program.
    pub pass: bool,
}

/// A signal and its disposition.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SignalInfo {
    /// The signal.
    pub name: SignalName,
    /// The reaction to the signal.
    pub disposition: Disposition,
    /// The description in gdb's words.
    pub description: String,
}

const LOUD: Disposition = Disposition { stop: true, print: true, pass: true };
const QUIET: Disposition = Disposition { stop: false, print: false, pass: true };
const OURS: Disposition = Disposition { stop: true, print: true, pass: false };

/// Signals of x86-64 Linux (signal(7)): number, name, gdb's default disposition, gdb's description.
pub const SIGNALS: &[(i32, &str, Disposition, &str)] = &[
    (1, "SIGHUP", LOUD, "Hangup"),
    (2, "SIGINT", OURS, "Interrupt"),
    (3, "SIGQUIT", LOUD, "Quit"),
    (4, "SIGILL", LOUD, "Illegal instruction"),
    (5, "SIGTRAP", OURS, "Trace/breakpoint trap"),
    (6, "SIGABRT", LOUD, "Aborted"),
    (7, "SIGBUS", LOUD, "Bus error"),
    (8, "SIGFPE", LOUD, "Arithmetic exception"),
    (9, "SIGKILL", LOUD, "Killed"),
    (10, "SIGUSR1", LOUD, "User defined signal 1"),
    (11, "SIGSEGV", LOUD, "Segmentation fault"),
    (12, "SIGUSR2", LOUD, "User defined signal 2"),
    (13, "SIGPIPE", LOUD, "Broken pipe"),
    (14, "SIGALRM", QUIET, "Alarm clock"),
    (15, "SIGTERM", LOUD, "Terminated"),
    (16, "SIGSTKFLT", LOUD, "Stack fault"),
    (17, "SIGCHLD", QUIET, "Child status changed"),
    (18, "SIGCONT", LOUD, "Continued"),
    (19, "SIGSTOP", LOUD, "Stopped (signal)"),
    (20, "SIGTSTP", LOUD, "Stopped (user)"),
    (21, "SIGTTIN", LOUD, "Stopped (tty input)"),
    (22, "SIGTTOU", LOUD, "Stopped (tty output)"),
    (23, "SIGURG", QUIET, "Urgent I/O condition"),
    (24, "SIGXCPU", LOUD, "CPU time limit exceeded"),
    (25, "SIGXFSZ", LOUD, "File size limit exceeded"),
    (26, "SIGVTALRM", QUIET, "Virtual timer expired"),
    (27, "SIGPROF", QUIET, "Profiling timer expired"),
    (28, "SIGWINCH", QUIET, "Window size changed"),
    (29, "SIGIO", QUIET, "I/O possible"),
    (30, "SIGPWR", LOUD, "Power fail/restart"),
    (31, "SIGSYS", LOUD, "Bad system call"),
];

impl SignalName {
    /// True for an exception of a GPU, which cuda-gdb reports as a signal: `CUDA_EXCEPTION_4`.
    pub fn is_of_gpu(&self) -> bool {
        self.0.starts_with("CUDA_EXCEPTION_")
    }

    /// The name for a number (signal(7), x86-64 Linux).
    pub fn from_number(number: i32) -> Self {
        match SIGNALS.iter().find(|row| row.0 == number) {
            Some(row) => Self(row.1.into()),
            None => Self(format!("SIG{number}").into()),
        }
    }

    /// Parses `SIGUSR1`, `usr1`, `10`, `SIG34`; `None` if it is not a signal.
    pub fn parse(text: &str) -> Option<Self> {
        let upper = text.to_ascii_uppercase();
        let full = if upper.starts_with("SIG") { upper } else { format!("SIG{upper}") };
        if SIGNALS.iter().any(|row| row.1 == full) {
            return Some(Self(full.into()));
        }
        let number: i32 = full[3..].parse().ok()?;
        (1..=64).contains(&number).then(|| Self::from_number(number))
    }

    /// The number for the name; `None` for a signal of another system.
    pub fn number(&self) -> Option<i32> {
        match SIGNALS.iter().find(|row| row.1 == &*self.0) {
            Some(row) => Some(row.0),
            None => self.0.strip_prefix("SIG")?.parse().ok().filter(|n| (1..=64).contains(n)),
        }
    }
}

impl fmt::Display for SignalName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The dispositions of all signals, for one rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignalTable(Vec<SignalInfo>);

impl Default for SignalTable {
    fn default() -> Self {
        let classic = SIGNALS.iter().map(|&(_, name, disposition, description)| SignalInfo {
            name: SignalName(name.into()),
            disposition,
            description: description.to_owned(),
        });
        let real_time = (32..=64).map(|number| SignalInfo {
            name: SignalName::from_number(number),
            disposition: if number < 34 { QUIET } else { LOUD },
            description: format!("Real-time event {number}"),
        });
        Self(classic.chain(real_time).collect())
    }
}

impl SignalTable {
    /// All rows in the order of signal numbers.
    pub fn rows(&self) -> &[SignalInfo] {
        &self.0
    }

    /// The row of a signal; `None` for a signal of another system.
    pub fn get(&self, name: &SignalName) -> Option<&SignalInfo> {
        self.0.iter().find(|row| row.name == *name)
    }

    /// Changes the given parts and returns the new row. As in gdb, `stop` implies `print` and `noprint` implies
    /// `nostop`.
    pub fn change(
        &mut self,
        name: &SignalName,
        stop: Option<bool>,
        print: Option<bool>,
        pass: Option<bool>,
    ) -> Option<&SignalInfo> {
        let row = self.0.iter_mut().find(|row| row.name == *name)?;
        let d = &mut row.disposition;
        if let Some(stop) = stop {
            d.stop = stop;
            d.print |= stop;
        }
        if let Some(print) = print {
            d.print = print;
            d.stop &= print;
        }
        d.pass = pass.unwrap_or(d.pass);
        Some(row)
    }

    /// Fails for a signal that is not passed to the program.
    pub fn check_passes(&self, name: Option<&SignalName>) -> Result<(), Failure> {
        let Some(row) = name.and_then(|name| self.get(name)).filter(|row| !row.disposition.pass) else { return Ok(()) };
        let words = format!("{0} is not passed to the program; \"handle {0} pass\" changes that", row.name);
        Err(Failure::new(ErrorCode::DEBUGGER, words))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_go_both_ways() {
        for number in 1..=64 {
            assert_eq!(SignalName::from_number(number).number(), Some(number));
        }
        assert_eq!(SignalName::parse("usr1"), Some(SignalName("SIGUSR1".into())));
        assert_eq!(SignalName::parse("34"), Some(SignalName("SIG34".into())));
        assert_eq!(SignalName::parse("SIGNONE"), None);
        assert_eq!(SignalName::parse("65"), None);
    }

    #[test]
    fn stop_implies_print_and_noprint_implies_nostop() {
        let mut table = SignalTable::default();
        let alarm = SignalName("SIGALRM".into());
        let row = table.change(&alarm, Some(true), None, None).unwrap();
        assert_eq!(row.disposition, Disposition { stop: true, print: true, pass: true });
        let row = table.change(&alarm, None, Some(false), Some(false)).unwrap();
        assert_eq!(row.disposition, Disposition { stop: false, print: false, pass: false });
    }
}
