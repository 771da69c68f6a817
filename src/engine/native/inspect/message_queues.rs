//! The message queues of a stopped rank, read by the queue library of its MPI.

use super::StoppedThread;
use super::snapshot::{Seen, Snapshot};
use crate::message_queues::{Program, QueueFault, QueueReader, Subject, named_library};
use debuginfo::FrameView;
use debuginfo::types::{Kind, Symbols, TypeRef};
use expr::budget::{Allowance, Budget};
use model::{Answer, MessageQueues, Rank, VirtualAddress};
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// Typedefs, qualifiers and unnamed members within one another; more are a cycle.
const DEEPEST: u32 = 32;

/// A rank whose queues are to be read.
pub(super) struct Queues {
    pub(super) rank: Rank,
    pub(super) snapshot: Snapshot,
    pub(super) reader: Arc<QueueReader>,
    /// The library that the user has named; empty if none.
    pub(super) library: String,
    pub(super) allowance: Allowance,
}

impl Queues {
    pub(super) fn look(&self, budget: &Budget) -> Seen<Answer> {
        if budget.holds_others_up() {
            return Seen::Long;
        }
        let answer = |outcome: Result<MessageQueues, QueueFault>| match outcome {
            Ok(queues) => Answer::MessageQueues(Box::new(queues)),
            Err(fault) => Answer::Failed(fault.into()),
        };
        let read = |thread: &StoppedThread<'_>| {
            read_queues(thread, self.rank, &self.reader, &self.library, &|| self.allowance.is_stopped())
        };
        match self.snapshot.look(budget, |thread| answer(read(thread))) {
            Seen::Noted(answer, _) => Seen::Whole(answer),
            seen => seen,
        }
    }
}

/// Reads the message queues of a rank by way of one of its threads; `library` is the one that the user has named, empty
/// if none.
pub(crate) fn read_queues(
    thread: &StoppedThread<'_>,
    rank: Rank,
    reader: &QueueReader,
    library: &str,
    is_stopped: &dyn Fn() -> bool,
) -> Result<MessageQueues, QueueFault> {
    let named = named_library(thread.images, thread.access, library)?;
    // The types of the MPI are in its own files: others need not be read.
    let directory_of = |path: &Path| Some(fs::canonicalize(path).ok()?.parent()?.to_owned());
    let directory = directory_of(&named.module);
    let of_mpi = thread.images.narrowed(|loaded| {
        let path = Path::new(&*loaded.name);
        path == named.module || (directory.is_some() && directory_of(path) == directory)
    });
    if !of_mpi.iter().any(|loaded| loaded.image.has_debug_information()) {
        let (library, module) = (named.path.display().to_string(), named.module.display().to_string());
        return Err(QueueFault::NoDebugInformation { library, module });
    }
    let program = OfThread { thread, types: FrameView::new(&of_mpi, None, thread.access) };
    let subject = Subject { rank, library: &named.path, module: &named.module };
    reader.read(&subject, &program, is_stopped)
}

struct OfThread<'a> {
    thread: &'a StoppedThread<'a>,
    types: FrameView<'a>,
}

impl OfThread<'_> {
    /// Returns the offset of a member, which may be one of an unnamed structure or union.
    fn member(&self, ty: &TypeRef, name: &str, depth: u32) -> Option<u64> {
        if depth > DEEPEST {
            return None;
        }
        match &self.types.type_of(ty).kind {
            Kind::Typedef(next) | Kind::Qualified(_, next) => self.member(next, name, depth + 1),
            Kind::Aggregate { members, .. } => members.iter().find_map(|member| match member.name.as_deref() {
                Some(own) if own == name => (!member.is_static).then_some(member.offset),
                None => member.offset.checked_add(self.member(&member.ty, name, depth + 1)?),
                Some(_) => None,
            }),
            _ => None,
        }
    }
}

impl Program for OfThread<'_> {
    fn symbol(&self, name: &str) -> Option<u64> {
        let mut images = self.thread.images.iter();
        images.find_map(|loaded| Some(loaded.bias.loaded(loaded.image.symbol(name)?).0))
    }

    fn type_named(&self, name: &str) -> Option<TypeRef> {
        self.types.type_named(name)
    }

    fn size(&self, ty: &TypeRef) -> Option<u64> {
        let mut ty = ty.clone();
        for _ in 0..DEEPEST {
            let found = self.types.type_of(&ty);
            match &found.kind {
                Kind::Typedef(next) | Kind::Qualified(_, next) => ty = next.clone(),
                _ => return found.size,
            }
        }
        None
    }

    fn offset(&self, ty: &TypeRef, member: &str) -> Option<u64> {
        self.member(ty, member, 0)
    }

    fn read(&self, address: u64, into: &mut [u8]) -> bool {
        self.thread.access.read(VirtualAddress(address), into).is_ok()
    }
}
