//! The threads of one process.

use super::address_space::AddressSpace;
use super::observation::Observation;
use super::requests::Tid;
use super::thread::{Activity, Thread};
use model::ThreadId;
use std::collections::BTreeMap;

/// All threads of a process that are seized.
#[derive(Debug)]
pub struct Threads {
    pid: Tid,
    by_tid: BTreeMap<Tid, Thread>,
    /// So many it has had: the next one is numbered after them.
    seen: u32,
    /// The first thread is ours, or was.
    has_first: bool,
}

impl Threads {
    /// Those of a process, which has had so many.
    pub(super) fn of(pid: Tid, threads: impl IntoIterator<Item = Thread>, seen: u32) -> Self {
        let by_tid: BTreeMap<Tid, Thread> = threads.into_iter().map(|thread| (thread.tid, thread)).collect();
        let has_first = by_tid.contains_key(&pid);
        Self { pid, by_tid, seen, has_first }
    }

    /// The first thread alone, stopped.
    pub(super) fn first_alone(pid: Tid) -> Self {
        Self::of(pid, [Thread::new(pid, pid, ThreadId(1), Activity::Stopped)], 1)
    }

    /// By kernel number.
    pub fn iter(&self) -> impl Iterator<Item = &Thread> {
        self.by_tid.values()
    }

    /// By kernel number.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Thread> {
        self.by_tid.values_mut()
    }

    /// A thread by kernel number.
    pub fn get(&self, tid: Tid) -> Option<&Thread> {
        self.by_tid.get(&tid)
    }

    /// A thread by kernel number.
    pub fn get_mut(&mut self, tid: Tid) -> Option<&mut Thread> {
        self.by_tid.get_mut(&tid)
    }

    /// A thread by the user's number.
    pub fn numbered(&self, number: ThreadId) -> Option<&Thread> {
        self.iter().find(|thread| thread.number == number)
    }

    /// The first thread, or, where that has ended, the oldest of the others.
    pub fn first(&self) -> Tid {
        let oldest = self.iter().min_by_key(|thread| thread.number).map_or(self.pid, |thread| thread.tid);
        if self.by_tid.contains_key(&self.pid) { self.pid } else { oldest }
    }

    /// A thread that [`Observation::Cloned`] named.
    pub fn add(&mut self, tid: Tid) {
        self.seen += 1;
        self.insert(Thread::new(self.pid, tid, ThreadId(self.seen), Activity::Beginning));
    }

    /// A thread that has its number already.
    pub(super) fn insert(&mut self, thread: Thread) {
        self.by_tid.insert(thread.tid, thread);
    }

    pub(super) fn remove(&mut self, tid: Tid) {
        self.by_tid.remove(&tid);
    }

    /// None is ours any more.
    pub(super) fn clear(&mut self) {
        self.by_tid.clear();
    }

    /// A thread has ended, the way that `end` says; that of the first thread is that of the process.
    pub(super) fn ended(&mut self, tid: Tid, end: Observation) -> Observation {
        if tid == self.pid {
            self.clear();
            return end;
        }
        self.remove(tid);
        // Nobody else tells how a process ends whose first thread is not ours.
        if !self.has_first && self.by_tid.is_empty() { end } else { Observation::ThreadEnded }
    }

    /// Asks every running thread to stop.
    pub fn interrupt_all(&self) {
        self.iter().for_each(Thread::interrupt);
    }

    /// Whether no thread executes or is about to.
    pub fn are_stopped(&self) -> bool {
        !self.iter().any(Thread::is_under_way)
    }

    /// Whether the first thread is there and stopped: no tracer can take a process over whose first thread has ended.
    pub fn can_be_given_away(&self) -> bool {
        self.get(self.pid).is_some_and(Thread::is_stopped)
    }

    /// Threads other than the one that stopped, at breakpoints at which they have been told to be: they were resumed since,
    /// and came no further.
    pub(super) fn told_elsewhere(&mut self, current: Tid, space: &AddressSpace) -> Vec<Tid> {
        let passing = self.iter_mut().filter(|thread| thread.tid != current && thread.passes && !thread.arrived);
        let at_site = |thread: &mut Thread| {
            let registers = thread.registers(space).ok()?;
            space.has_site(registers.rip).then_some(thread.tid)
        };
        passing.filter_map(at_site).collect()
    }
}
