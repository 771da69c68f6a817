//! Observes a thread without the names of the program: whether it gets any further, and what it sleeps for.

use super::StoppedThread;
use super::snapshot::{Seen, Snapshot};
use super::threads::openmp::{Member, has_runtime, number_in_team, team_wait};
use crate::native::inspect::inferior::Inferior;
use crate::native::ptrace::Tid;
use crate::process::kernel_wait::{ThreadWords, system_wait, uninterruptible};
use crate::process::procfs::processor_time;
use debuginfo::UnitLanguage;
use debuginfo::types::Symbols;
use expr::FrameContext;
use expr::budget::Budget;
use model::{
    Answer, Context, Failure, Holder, MyCode, Observation, SystemWait, TeamWait, ThreadId, USER_FRAME_SEARCH,
    VirtualAddress,
};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::{Duration, Instant};

/// The part of the stack that shows whether a thread gets any further: the counters of loops are in it, or in the
/// registers that functions preserve.
const STACK_BYTES: usize = 4096;
/// DWARF numbers of the registers that functions preserve: rbx, rbp, r12 to r15.
const PRESERVED: [u16; 6] = [3, 6, 12, 13, 14, 15];
/// Arguments on the stack; calls of MPI have no more.
const MOST_ON_STACK: usize = 6;

/// The time limit of reading the stacks of the other threads: other queries of the rank wait meanwhile.
const MOMENT: Duration = Duration::from_millis(500);

/// A thread to observe.
pub(super) struct Observed {
    /// `None` while the thread runs.
    snapshot: Option<Snapshot>,
    level: u32,
    pid: Tid,
    tid: Tid,
    threads: Vec<(Tid, ThreadId)>,
    /// All threads, of a program that uses OpenMP: a thread may wait there for any of them.
    team: Vec<(ThreadId, Option<Snapshot>)>,
    my_code: MyCode,
}

impl Observed {
    pub(super) fn new(inferior: &mut Inferior, context: Context) -> Result<Self, Failure> {
        let tid = inferior.thread(context.thread)?;
        let threads = inferior.process.threads();
        let is_stopped = threads.iter().any(|thread| thread.tid == tid && thread.is_stopped());
        let threads = threads.iter().map(|thread| (thread.tid, thread.number)).collect();
        let pid = inferior.process.pid();
        let snapshot = is_stopped.then(|| inferior.snapshot(tid));
        let is_of_team = is_stopped && has_runtime(inferior.images());
        let team = if is_of_team { all_threads(inferior) } else { Vec::new() };
        let my_code = inferior.spec.settings.my_code.clone();
        Ok(Self { snapshot, level: context.frame, pid, tid, threads, team, my_code })
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
        let team = match self.team_wait(budget) {
            Ok(team) => team.map(Box::new),
            Err(seen) => return seen,
        };
        let numbers = wait.as_ref().map_or_else(Vec::new, |wait| self.numbers(wait, budget));
        let answer = |seen| answer(Observation { team: team.clone(), numbers: numbers.clone(), ..seen });
        let seen = snapshot.look(budget, |thread| observed_words(thread, self.level));
        match seen {
            Seen::Whole(seen) | Seen::Noted(seen, _) => Seen::Whole(answer(Observation { ran, wait, ..seen })),
            Seen::Missing(images) => Seen::Missing(images),
            Seen::Long => Seen::Long,
            Seen::Beyond => Seen::Whole(answer(Observation { ran, wait, ..Observation::default() })),
        }
    }

    /// Returns the wait of the thread in OpenMP, or what is needed before it can be found.
    fn team_wait(&self, budget: &Budget) -> Result<Option<TeamWait>, Seen<Answer>> {
        let begun = Instant::now();
        let Some((_, id)) = self.threads.iter().find(|(tid, _)| *tid == self.tid) else { return Ok(None) };
        let read = |(id, snapshot): &(ThreadId, Option<Snapshot>)| {
            let Some(snapshot) = snapshot.as_ref().filter(|_| begun.elapsed() < MOMENT) else {
                return Ok(Member::unseen(*id));
            };
            let sleeping = snapshot.sleeping_call();
            match snapshot.look(budget, |thread| Member::read(thread, *id, &self.my_code, sleeping)) {
                Seen::Whole(member) | Seen::Noted(member, _) => Ok(member),
                Seen::Missing(images) => Err(Seen::Missing(images)),
                Seen::Long => Err(Seen::Long),
                Seen::Beyond => Ok(Member::unseen(*id)),
            }
        };
        let own = self.team.iter().find(|(known, _)| known == id).map(read).transpose()?;
        // The other threads matter only to one that waits.
        let Some(own) = own.filter(Member::waits) else { return Ok(None) };
        let others = self.team.iter().filter(|(known, _)| known != id).map(read);
        let members = std::iter::once(Ok(own)).chain(others).collect::<Result<Vec<Member>, _>>()?;
        Ok(team_wait(&members, *id))
    }

    /// Returns the numbers in OpenMP of the threads that a wait names.
    fn numbers(&self, wait: &SystemWait, budget: &Budget) -> Vec<(ThreadId, u32)> {
        let SystemWait::Futex { ends, owner } = wait else { return Vec::new() };
        let named = [ends, owner].into_iter().filter_map(|holder| match holder {
            Some(Holder::Thread(thread)) => Some(*thread),
            _ => None,
        });
        let number = |id: ThreadId| {
            let (_, snapshot) = self.team.iter().find(|(known, _)| *known == id)?;
            let read = |thread: &StoppedThread<'_>| number_in_team(thread, &thread.frames(USER_FRAME_SEARCH));
            match snapshot.as_ref()?.look(budget, read) {
                Seen::Whole(number) | Seen::Noted(number, _) => Some((id, number?)),
                Seen::Missing(_) | Seen::Long | Seen::Beyond => None,
            }
        };
        named.filter_map(number).collect()
    }

    /// Returns the thread with an id of the kernel; the kernel gives none below 2.
    fn holder(&self, tid: u32) -> Option<Holder> {
        let known = self.threads.iter().find(|(known, _)| u32::try_from(*known) == Ok(tid));
        known.map(|(_, number)| Holder::Thread(*number)).or_else(|| (tid > 1).then_some(Holder::Elsewhere(tid)))
    }
}

/// Takes snapshots of all threads that have not ended; those that run have none.
fn all_threads(inferior: &mut Inferior) -> Vec<(ThreadId, Option<Snapshot>)> {
    let alive = inferior.process.threads().iter().filter(|thread| !thread.activity.is_ending());
    let threads: Vec<_> = alive.map(|thread| (thread.number, thread.tid, thread.is_stopped())).collect();
    let stopped: Vec<Tid> = threads.iter().filter(|(.., stopped)| *stopped).map(|(_, tid, _)| *tid).collect();
    let mut snapshots = inferior.snapshots(&stopped, false).into_iter();
    threads.into_iter().map(|(id, _, stopped)| (id, if stopped { snapshots.next() } else { None })).collect()
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
