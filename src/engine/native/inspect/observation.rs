//! Observes a thread without the names of the program: whether it gets any further, and what it sleeps for.

use super::StoppedThread;
use super::snapshot::{Seen, Snapshot};
use crate::native::inspect::inferior::Inferior;
use crate::native::ptrace::Tid;
use crate::process::kernel_wait::{ThreadWords, system_wait, uninterruptible};
use crate::process::procfs::processor_time;
use debuginfo::UnitLanguage;
use debuginfo::types::Symbols;
use expr::FrameContext;
use expr::budget::Budget;
use model::{Answer, Context, Failure, Holder, Observation, ThreadId, VirtualAddress};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The part of the stack that shows whether a thread gets any further: the counters of loops are in it, or in the
/// registers that functions preserve.
const STACK_BYTES: usize = 4096;
/// DWARF numbers of the registers that functions preserve: rbx, rbp, r12 to r15.
const PRESERVED: [u16; 6] = [3, 6, 12, 13, 14, 15];
/// Arguments on the stack; calls of MPI have no more.
const MOST_ON_STACK: usize = 6;

/// A thread to observe.
pub(super) struct Observed {
    /// `None` while the thread runs.
    snapshot: Option<Snapshot>,
    level: u32,
    pid: Tid,
    tid: Tid,
    threads: Vec<(Tid, ThreadId)>,
}

impl Observed {
    pub(super) fn new(inferior: &mut Inferior, context: Context) -> Result<Self, Failure> {
        let tid = inferior.thread(context.thread)?;
        let threads = inferior.process.threads();
        let is_stopped = threads.iter().any(|thread| thread.tid == tid && thread.is_stopped());
        let threads = threads.iter().map(|thread| (thread.tid, thread.number)).collect();
        let pid = inferior.process.pid();
        let snapshot = is_stopped.then(|| inferior.snapshot(tid));
        Ok(Self { snapshot, level: context.frame, pid, tid, threads })
    }

    pub(super) fn look(&self, budget: &Budget) -> Seen<Answer> {
        let ran = processor_time(self.pid, self.tid);
        let pid = u32::try_from(self.pid).unwrap_or_default();
        let answer = |observation| Answer::Observed(Box::new(Observation { pid, ..observation }));
        let Some(snapshot) = &self.snapshot else {
            let wait = uninterruptible(self.pid);
            return Seen::Whole(answer(Observation { ran, wait, ..Observation::default() }));
        };
        let wait = snapshot.sleeping_call().map(|(number, arguments)| {
            let words = ThreadWords { pid: self.pid, tid: self.tid, arguments };
            system_wait(number, &words, &|address| snapshot.word(address), &|tid| self.holder(tid))
        });
        let seen = snapshot.look(budget, |thread| observed_words(thread, self.level));
        match seen {
            Seen::Whole(seen) | Seen::Noted(seen, _) => Seen::Whole(answer(Observation { ran, wait, ..seen })),
            Seen::Missing(images) => Seen::Missing(images),
            Seen::Long => Seen::Long,
            Seen::Beyond => Seen::Whole(answer(Observation { ran, wait, ..Observation::default() })),
        }
    }

    /// Returns the thread with an id of the kernel; the kernel gives none below 2.
    fn holder(&self, tid: u32) -> Option<Holder> {
        let known = self.threads.iter().find(|(known, _)| u32::try_from(*known) == Ok(tid));
        known.map(|(_, number)| Holder::Thread(*number)).or_else(|| (tid > 1).then_some(Holder::Elsewhere(tid)))
    }
}

/// Observes what the registers and the stack of a thread say, from the frame at a level outwards.
pub(crate) fn observed_words(thread: &StoppedThread<'_>, level: u32) -> Observation {
    let observation = |view: &FrameContext<'_>| Observation {
        fingerprint: fingerprint(view),
        passed: passed(view),
        called: view.view().called(),
        is_source_newer: view.view().is_source_newer(),
        ..Observation::default()
    };
    thread.at(level, |view| Ok(observation(view))).unwrap_or_default()
}

fn fingerprint(view: &FrameContext<'_>) -> Option<u64> {
    let mut hasher = DefaultHasher::new();
    for number in PRESERVED {
        view.register(number).hash(&mut hasher);
    }
    let stack = view.register(RSP)?;
    let stack = VirtualAddress(u64::from_le_bytes(*stack.first_chunk()?));
    let mut bytes = vec![0; STACK_BYTES];
    if let Err(fault) = view.read(stack, &mut bytes) {
        bytes.truncate(fault.0.0.saturating_sub(stack.0).min(STACK_BYTES as u64) as usize);
        view.read(stack, &mut bytes).ok()?;
    }
    bytes.hash(&mut hasher);
    Some(hasher.finish())
}

/// The DWARF number of the stack pointer.
const RSP: u16 = 7;

/// Returns the arguments of the call that a frame has made. Fortran passes addresses: the integers there are returned.
fn passed(view: &FrameContext<'_>) -> Vec<Option<u64>> {
    let passed = view.view().passed(MOST_ON_STACK);
    if view.unit_language() != UnitLanguage::Fortran {
        return passed;
    }
    let integer = |address: u64| {
        let mut bytes = [0; 4];
        view.read(VirtualAddress(address), &mut bytes).ok()?;
        Some(i64::from(i32::from_le_bytes(bytes)) as u64)
    };
    passed.into_iter().map(|address| address.and_then(integer)).collect()
}
