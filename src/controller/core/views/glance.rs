//! The screen's requests and their subjects.

use crate::state::{AcrossKey, CodeWish, MemoryWish};
use model::{ArrayLook, ProcessSet, Rank, SymbolKind, ThreadId};
use std::{sync::Arc, time::Instant};

/// The kind of a request.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::core) enum Kind {
    Stack,
    FrameArguments,
    /// The stacks of one thread of each rank.
    Tree,
    /// The stacks of all threads.
    ThreadTree,
    Locals,
    Arguments,
    Registers,
    Threads,
    Libraries,
    Source(Arc<str>),
    Names(String),
    /// Names that begin like this, with the files that define them.
    Listed(SymbolKind, String),
    Expression(String),
    /// The elements or pixels of an array.
    Array,
    ArrayStatistics,
    /// The next element of an array that meets a condition.
    ArrayMatch,
    /// The parts of a distributed array, in frames of this level.
    ArrayTiles(u32),
    /// The instructions on the screen.
    Code,
    /// A page of the lead's memory.
    Memory,
    /// The comparison of these bytes with those of other ranks, in frames of this level.
    MemoryElsewhere(u32),
    /// The bytes of some ranks whose memory is different, in frames of this level.
    MemoryOfOthers(u32),
    /// The symbols at the addresses in the lead's page.
    MemorySymbols,
    /// An expression on many ranks, in frames of this level.
    Across(AcrossKey, u32),
    /// The numbers by which ranks are coloured, in frames of this level.
    Colours(u32),
}

impl Kind {
    /// True if other ranks than the lead are asked.
    pub(super) fn is_of_many(&self) -> bool {
        matches!(self, Self::Across(..) | Self::Colours(_) | Self::ArrayTiles(_))
            || self.is_tree()
            || self.is_of_other_memory()
    }

    /// True if it is for merged stacks.
    pub(super) fn is_tree(&self) -> bool {
        matches!(self, Self::Tree | Self::ThreadTree)
    }

    /// True if both list names that begin with what has been typed so far of one name.
    pub(super) fn is_of_same_name(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Names(_), Self::Names(_)) => true,
            (Self::Listed(one, _), Self::Listed(other, _)) => one == other,
            _ => false,
        }
    }

    /// True if it is about the memory of other ranks than the lead.
    pub(super) fn is_of_other_memory(&self) -> bool {
        matches!(self, Self::MemoryElsewhere(_) | Self::MemoryOfOthers(_))
    }
}

/// The subject of a request: if it has changed, the answer is requested again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::core) struct Subject {
    pub(in crate::core) lead: Rank,
    pub(in crate::core) thread: Option<ThreadId>,
    pub(in crate::core) frame: u32,
    /// The count of the lead's stops.
    pub(in crate::core) stop: u64,
    /// Increases when a command changes memory.
    pub(in crate::core) change: u64,
    pub(in crate::core) ranks: Option<ProcessSet>,
    pub(in crate::core) array: Option<Box<ArraySubject>>,
    pub(in crate::core) code: Option<CodeWish>,
    pub(in crate::core) memory: Option<Box<MemoryWish>>,
}

/// The part of an array that a request is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::core) struct ArraySubject {
    pub(in crate::core) expression: String,
    /// `None`: its statistics.
    pub(in crate::core) look: Option<ArrayLook>,
}

impl Subject {
    /// The subject of a rank's first stop.
    pub(super) fn of(lead: Rank) -> Self {
        let (thread, ranks, array, code, memory) = Default::default();
        Self { lead, thread, frame: 0, stop: 0, change: 0, ranks, array, code, memory }
    }

    /// True if both are about arrays or memory, and not about the same.
    pub(super) fn is_of_other_data(&self, other: &Self) -> bool {
        let array = |subject: &Self| subject.array.as_ref().map(|array| array.expression.clone());
        let memory = |subject: &Self| subject.memory.as_ref().map(|memory| memory.expression.clone());
        let expression = |subject: &Self| (array(subject), memory(subject));
        expression(self) != expression(other)
    }
}

/// A request of the screen.
#[derive(Clone, Debug)]
pub(in crate::core) struct Glance {
    pub(in crate::core) kind: Kind,
    pub(in crate::core) subject: Subject,
    /// The time of the first try.
    pub(in crate::core) since: Instant,
}
