//! Questions of the screen, and what they are about.

use model::{ProcessSet, Rank, ThreadId};
use std::{sync::Arc, time::Instant};

/// A kind of question.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::core) enum Kind {
    Stack,
    Tree,
    Locals,
    Arguments,
    Registers,
    Threads,
    Libraries,
    Source(Arc<str>),
    Names(String),
    Expression(String),
}

/// What a question was asked about: an answer to an older one is asked for anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::core) struct Subject {
    pub(in crate::core) lead: Rank,
    pub(in crate::core) thread: Option<ThreadId>,
    pub(in crate::core) frame: u32,
    /// Which stop of the lead.
    pub(in crate::core) stop: u64,
    /// Grows when a command changed memory.
    pub(in crate::core) change: u64,
    pub(in crate::core) ranks: Option<ProcessSet>,
}

/// A question of the screen.
#[derive(Clone, Debug)]
pub(in crate::core) struct Glance {
    pub(in crate::core) kind: Kind,
    pub(in crate::core) subject: Subject,
    /// When it was asked first.
    pub(in crate::core) since: Instant,
}
