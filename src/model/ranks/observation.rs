//! The state of a thread as its registers and the kernel show it.

use super::rank::ThreadId;
use super::team_wait::TeamWait;
use serde::{Deserialize, Serialize};

/// An observation of a thread, made without the names of the program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Observation {
    /// A hash of the stack from a frame outwards and of the registers that functions preserve: it changes when the
    /// thread gets any further there. `None` while the thread runs.
    pub fingerprint: Option<u64>,
    /// The time that the thread has had on a processor, in microseconds; `None` if the kernel does not say.
    pub ran: Option<u64>,
    /// The arguments of the call that the frame has made, integers and addresses: the first six if the compiler has
    /// described the call, those that follow as they are on the stack. In Fortran, the integers at the addresses.
    pub passed: Vec<Option<u64>>,
    /// The name of the function that the frame has called, if the compiler has described the call.
    pub called: Option<String>,
    /// The process of the thread; 0 if it is unknown.
    pub pid: u32,
    /// True if the source of the frame is newer than its program or library.
    pub is_source_newer: bool,
    /// The system call that the thread sleeps in.
    pub wait: Option<SystemWait>,
    /// The numbers that OpenMP gives to the threads that `wait` names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub numbers: Vec<(ThreadId, u32)>,
    /// The call of OpenMP that the thread waits in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<Box<TeamWait>>,
}

impl Observation {
    /// The number of arguments in registers (System V ABI, AMD64 supplement, 3.2.3).
    pub const IN_REGISTERS: usize = 6;
}

/// The event for which a thread sleeps in the kernel.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum SystemWait {
    /// futex(2): a lock, a condition, or the end of a thread.
    Futex {
        /// The thread whose id is in the word, as in pthread_join(3).
        ends: Option<Holder>,
        /// The owner if the word is a mutex of glibc.
        owner: Option<Holder>,
    },
    /// The end of a child process; `None` if there are several.
    Child(Option<ProcessName>),
    /// Reading or writing.
    Descriptor {
        /// The file descriptor.
        number: i32,
        /// The file, or `pipe:[…]` and the like, as in `/proc/PID/fd`.
        target: String,
    },
    /// A lock on a file.
    FileLock {
        /// The path of the file.
        target: String,
        /// The process that holds the lock, if the kernel says so.
        holder: Option<ProcessName>,
    },
    /// It cannot be interrupted: state `D`, in this function of the kernel.
    Uninterruptible(Option<String>),
    /// Another system call.
    Other,
}

/// The owner of a lock, or a thread that has to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Holder {
    /// A thread of the same rank.
    Thread(ThreadId),
    /// A thread of another process, by its id in the kernel.
    Elsewhere(u32),
}

/// A process by its id and name.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ProcessName {
    /// The id.
    pub pid: u32,
    /// The first 15 bytes of the program's name; empty if the process is gone.
    pub name: String,
}
