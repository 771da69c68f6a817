//! The threads of one process.

use super::address_space::AddressSpace;
use super::fpu::thread_fpu::FpuTraps;
use super::observation::Observation;
use super::requests::Tid;
use super::thread::{Activity, Thread};
use model::ThreadId;
use std::collections::BTreeMap;

/// The seized threads of a process.
#[derive(Debug)]
pub struct Threads {
    pid: Tid,
    by_tid: BTreeMap<Tid, Thread>,
    /// The number of threads so far; the next one gets the next number.
    seen: u32,
    /// True if the first thread is or was traced.
    has_first: bool,
    /// The floating-point exceptions that they run with unmasked.
    fpu: FpuTraps,
    /// True if they stop at system calls.
    pub stop_at_calls: bool,
}

impl Threads {
    /// Creates the threads of a process, which has had `seen` so far.
    pub(super) fn of(pid: Tid, threads: impl IntoIterator<Item = Thread>, seen: u32) -> Self {
        let by_tid: BTreeMap<Tid, Thread> = threads.into_iter().map(|thread| (thread.tid, thread)).collect();
        let has_first = by_tid.contains_key(&pid);
        Self { pid, by_tid, seen, has_first, fpu: FpuTraps::default(), stop_at_calls: false }
    }

    /// Creates a process's only thread, stopped.
    pub(super) fn first_alone(pid: Tid) -> Self {
        Self::of(pid, [Thread::new(pid, pid, ThreadId(1), Activity::Stopped)], 1)
    }

    /// Returns the floating-point exceptions that they run with unmasked.
    pub fn fpu_traps(&self) -> FpuTraps {
        self.fpu
    }

    /// Returns the floating-point exceptions that they run with unmasked.
    pub fn fpu_traps_mut(&mut self) -> &mut FpuTraps {
        &mut self.fpu
    }

    /// Iterates over the threads in order of their kernel numbers.
    pub fn iter(&self) -> impl Iterator<Item = &Thread> {
        self.by_tid.values()
    }

    /// Iterates over the threads in order of their kernel numbers.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Thread> {
        self.by_tid.values_mut()
    }

    /// Returns a thread by kernel number; `None` if it is unknown or has ended.
    pub fn get(&self, tid: Tid) -> Option<&Thread> {
        self.by_tid.get(&tid)
    }

    /// Returns a thread by kernel number; `None` if it is unknown or has ended.
    pub fn get_mut(&mut self, tid: Tid) -> Option<&mut Thread> {
        self.by_tid.get_mut(&tid)
    }

    /// Returns a thread by the user's number; `None` if it has ended.
    pub fn numbered(&self, number: ThreadId) -> Option<&Thread> {
        self.iter().find(|thread| thread.number == number && !thread.activity.is_ending())
    }

    /// Returns the first thread, or the oldest of the others if it has ended.
    pub fn first(&self) -> Tid {
        let oldest = self.iter().min_by_key(|thread| thread.number).map_or(self.pid, |thread| thread.tid);
        if self.by_tid.contains_key(&self.pid) { self.pid } else { oldest }
    }

    /// Adds a thread that [`Observation::Cloned`] named, of the thread that created it.
    pub fn add(&mut self, tid: Tid, creator: Tid) {
        self.seen += 1;
        let mut thread = Thread::new(self.pid, tid, ThreadId(self.seen), Activity::Beginning);
        thread.fpu = self.get(creator).map(|creator| creator.fpu.created_by()).unwrap_or_default();
        self.insert(thread);
    }

    /// Adds a thread that already has a user's number.
    pub(super) fn insert(&mut self, thread: Thread) {
        self.by_tid.insert(thread.tid, thread);
    }

    pub(super) fn remove(&mut self, tid: Tid) {
        self.by_tid.remove(&tid);
    }

    /// Forgets all threads.
    pub(super) fn clear(&mut self) {
        self.by_tid.clear();
    }

    /// Notes the end of a thread and returns the event; the end of the first thread is that of the process.
    pub(super) fn ended(&mut self, tid: Tid, end: Observation) -> Observation {
        if tid == self.pid {
            self.clear();
            return end;
        }
        self.remove(tid);
        // If the first thread is not traced, only the last thread's status reports the end of the process.
        if !self.has_first && self.by_tid.is_empty() { end } else { Observation::ThreadEnded }
    }

    /// Requests a stop of every running thread.
    pub fn interrupt_all(&self) {
        self.iter().for_each(Thread::interrupt);
    }

    /// True if no thread is executing or about to.
    pub fn are_stopped(&self) -> bool {
        !self.iter().any(Thread::is_under_way)
    }

    /// True if the first thread is stopped: no tracer can take over a process whose first thread has ended.
    pub fn can_be_given_away(&self) -> bool {
        self.get(self.pid).is_some_and(Thread::is_stopped)
    }

    /// Returns the threads, other than the one that stopped, that are still at breakpoints whose hits have been
    /// reported: they were resumed since, but have not moved.
    pub(super) fn told_elsewhere(&mut self, current: Tid, space: &AddressSpace) -> Vec<Tid> {
        let passing = self.iter_mut().filter(|thread| thread.tid != current && thread.passes && !thread.arrived);
        let at_site = |thread: &mut Thread| {
            let registers = thread.registers(space).ok()?;
            space.has_site(registers.rip).then_some(thread.tid)
        };
        passing.filter_map(at_site).collect()
    }
}
