//! A system call by its number.

use super::table::{CALLS, Row};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A system call of Linux on x86-64, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SystemCall(pub u32);

/// The way in which an argument is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentKind {
    /// A number of 32 bits with a sign, such as a file descriptor.
    Integer,
    /// A number of 64 bits with a sign, such as an offset.
    Offset,
    /// A number of 64 bits without a sign, such as a size.
    Size,
    /// Flags.
    Bits,
    /// The mode of a file.
    Mode,
    /// A signal.
    Signal,
    /// A file descriptor of a directory, or `AT_FDCWD`.
    Directory,
    /// An address.
    Pointer,
    /// The address of a text that ends with a zero.
    Text,
}

impl ArgumentKind {
    fn of_letter(letter: char) -> Self {
        match letter {
            'd' => Self::Integer,
            'l' => Self::Offset,
            'u' => Self::Size,
            'o' => Self::Mode,
            'g' => Self::Signal,
            'a' => Self::Directory,
            'p' => Self::Pointer,
            's' => Self::Text,
            _ => Self::Bits,
        }
    }
}

/// A group of system calls; gdb's names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum CallGroup {
    /// They use or create file descriptors.
    Descriptor,
    /// They name files.
    File,
    /// Shared memory, semaphores and queues of System V.
    Ipc,
    /// They map memory or change its attributes.
    Memory,
    /// Sockets.
    Network,
    /// They create, execute, end or await processes.
    Process,
    /// Signals.
    Signal,
}

impl CallGroup {
    /// All groups.
    pub const ALL: [Self; 7] =
        [Self::Descriptor, Self::File, Self::Ipc, Self::Memory, Self::Network, Self::Process, Self::Signal];

    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Self::Descriptor => "descriptor",
            Self::File => "file",
            Self::Ipc => "ipc",
            Self::Memory => "memory",
            Self::Network => "network",
            Self::Process => "process",
            Self::Signal => "signal",
        }
    }

    fn letter(self) -> char {
        self.word().chars().next().unwrap_or_default()
    }
}

impl SystemCall {
    /// restart_syscall(2), by which the kernel continues a call that a stop has interrupted.
    pub const RESTART: Self = Self(219);

    /// Returns the call of this name; `None` if there is none.
    pub fn named(name: &str) -> Option<Self> {
        CALLS.iter().find(|row| row.1 == name).map(|row| Self(row.0))
    }

    /// The names of all calls.
    pub fn names() -> impl Iterator<Item = &'static str> {
        CALLS.iter().map(|row| row.1)
    }

    fn row(self) -> Option<&'static Row> {
        CALLS.binary_search_by_key(&self.0, |row| row.0).ok().and_then(|at| CALLS.get(at))
    }

    /// Its name; `None` if it is unknown.
    pub fn name(self) -> Option<&'static str> {
        self.row().map(|row| row.1)
    }

    /// The kinds of its arguments, at most six; `None` if the call is unknown.
    pub fn arguments(self) -> Option<impl Iterator<Item = ArgumentKind>> {
        self.row().map(|row| row.2.chars().map(ArgumentKind::of_letter))
    }

    /// True if it belongs to the group.
    pub fn is_in(self, group: CallGroup) -> bool {
        self.row().is_some_and(|row| row.3.contains(group.letter()))
    }

    /// True if its result is an address.
    pub fn returns_address(self) -> bool {
        matches!(self.name(), Some("mmap" | "mremap" | "brk" | "shmat"))
    }
}

impl fmt::Display for SystemCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => self.0.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_its_letters_are_known() {
        assert!(CALLS.windows(2).all(|rows| rows[0].0 < rows[1].0));
        for (_, name, kinds, groups) in CALLS {
            assert!(kinds.len() <= 6 && kinds.chars().all(|letter| "dluxogaps".contains(letter)), "{name}");
            let known = |letter| CallGroup::ALL.iter().any(|group| group.letter() == letter);
            assert!(groups.chars().all(known), "{name}");
            assert_eq!(CALLS.iter().filter(|row| row.1 == *name).count(), 1, "{name}");
        }
        assert_eq!(SystemCall::named("restart_syscall"), Some(SystemCall::RESTART));
        assert_eq!((SystemCall(1).to_string(), SystemCall(9999).to_string()), ("write".into(), "9999".into()));
        assert!(SystemCall(257).is_in(CallGroup::File) && !SystemCall(257).is_in(CallGroup::Network));
    }
}
