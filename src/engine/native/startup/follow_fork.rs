//! Following forks (the setting `follow-fork-mode`), and processes that run in the memory of a rank.

use super::fork::{Companion, Fork, keeps_children};
use crate::native::ptrace::{Observation, Status, Tid, call_off, new_child, pass_on};
use crate::native::tracer::tracee::Tracee;
use crate::native::tracer::tracer_shared::TracerShared;
use model::{Event, Rank, Severity};
use nix::libc;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

impl Tracee {
    /// Handles the creation of a process by a thread. True if the rank will follow it.
    pub(in crate::native) fn forked(
        &mut self,
        shared: &mut TracerShared,
        thread: Tid,
        child: Tid,
        shares_memory: bool,
    ) -> bool {
        if !shares_memory {
            self.inferior.process.address_space().clean_copy(child);
        }
        let Self { inferior, phase, rank, .. } = self;
        let companion = self.following.created(inferior, phase, *rank, thread, child, shares_memory);
        if companion == Companion::Kept {
            self.report(shared, kept(child));
        }
        shared.companions.insert(child, companion);
        let creator = self.inferior.process.thread(thread);
        if let Some(unmasked) = creator.and_then(|creator| creator.fpu.inherited()) {
            shared.unmasked.insert(child, unmasked);
        }
        for status in shared.adopt(child) {
            shared.mask_companion(child, status);
            match companion {
                Companion::Within(_) => of_companion(self, shared, child, status),
                Companion::Awaited(_) => of_awaited_child(self, shared, child, status),
                Companion::Free | Companion::Kept => of_own(shared, child, companion, status),
            }
        }
        matches!(companion, Companion::Awaited(_))
    }

    /// Follows the child of the fork, now that all threads are stopped.
    pub(in crate::native) fn follow(&mut self, shared: &mut TracerShared) {
        let Some(fork) = self.following.take() else { return };
        shared.companions.remove(&fork.child);
        // The threads of the parent get their pending signals.
        for (tid, observation) in self.pending.take_held().into_iter().chain(self.pending.take_put_off()) {
            if let (Observation::Signal(signal), Some(thread)) = (observation, self.inferior.process.thread_mut(tid)) {
                thread.deferred_signal.get_or_insert(signal);
            }
        }
        for thread in self.inferior.process.threads_mut().iter_mut().filter(|thread| thread.delivery != 0) {
            let signal = std::mem::take(&mut thread.delivery);
            thread.deferred_signal.get_or_insert(signal);
        }
        let parent = self.inferior.process.pid();
        if let Err(error) = self.inferior.process.become_child(fork.child, fork.shares_memory) {
            let message = format!("cannot follow process {}, which runs free: {error}", fork.child);
            self.report(shared, Event::Message(Severity::Warning, message));
            return of_own(shared, fork.child, Companion::Free, Status::Other);
        }
        let rank = self.rank;
        shared.owners.retain(|_, owner| *owner != rank);
        shared.owners.insert(fork.child, rank);
        self.breakpoints.unreported.clear();
        self.breakpoints.uncaught.clear();
        self.inferior.left_calls.go_on_in(fork.thread, fork.child);
        self.inferior.outside.take_if(|outside| outside.tid != fork.thread);
        self.inferior.outside.iter_mut().for_each(|outside| outside.tid = fork.child);
        match self.stepping.stepper.as_mut().filter(|stepper| stepper.thread == fork.thread) {
            Some(stepper) => stepper.thread = fork.child,
            None => self.stepping.end(&mut self.inferior, &mut self.breakpoints),
        }
        self.stepping.alone = self.stepping.alone.map(|_| fork.child);
        self.inferior.current = fork.child;
        let message = format!("now debugging child process {}; parent process {parent} runs free", fork.child);
        self.report(shared, Event::Message(Severity::Note, message));
    }
}

/// Handles a wait status of a process that runs in the memory of a rank until it calls exec or ends.
pub(in crate::native) fn of_companion(tracee: &mut Tracee, shared: &mut TracerShared, tid: Tid, status: Status) {
    match status {
        Status::Exited(_) | Status::Killed(_) => drop(shared.companions.remove(&tid)),
        Status::Event(libc::PTRACE_EVENT_EXEC, _) => {
            let keeps = keeps_children(&tracee.inferior, &tracee.phase);
            if keeps {
                tracee.report(shared, kept(tid));
            }
            of_own(shared, tid, if keeps { Companion::Kept } else { Companion::Free }, status);
        }
        Status::Event(event @ (libc::PTRACE_EVENT_FORK | libc::PTRACE_EVENT_VFORK | libc::PTRACE_EVENT_CLONE), _) => {
            let child = new_child(tid);
            tracee.forked(shared, tid, child, event != libc::PTRACE_EVENT_FORK);
            pass_on(tid, 0);
        }
        Status::Stopped(libc::SIGTRAP) => tracee.inferior.process.pass_companion(tid),
        Status::Stopped(signal) => pass_on(tid, signal),
        Status::Event(..) | Status::Call | Status::Other => pass_on(tid, 0),
    }
}

/// Handles a wait status of the child that a rank will follow.
pub(in crate::native) fn of_awaited_child(tracee: &mut Tracee, shared: &mut TracerShared, child: Tid, status: Status) {
    let has_ended = matches!(status, Status::Exited(_) | Status::Killed(_));
    if has_ended {
        shared.companions.remove(&child);
    }
    tracee.following.came(child, has_ended);
    tracee.check_halted(shared);
}

fn kept(child: Tid) -> Event {
    Event::Message(
        Severity::Note,
        format!("its child, process {child}, stays stopped; to debug it: rankscope attach {child}"),
    )
}

/// Detaches from the child that a rank was going to follow.
pub(in crate::native) fn abandon(shared: &mut TracerShared, rank: Rank, fork: Fork) {
    let companion = if fork.shares_memory { Companion::Within(rank) } else { Companion::Free };
    shared.companions.insert(fork.child, companion);
    if fork.is_here {
        shared.companions.remove(&fork.child);
        call_off(fork.child, Status::Other);
    }
}

/// Handles a wait status of a process that belongs to no rank and has its own memory: detaches from it. A kept process
/// is then held by a stop signal, so that a debugger that attaches finds it unchanged.
pub(in crate::native) fn of_own(shared: &mut TracerShared, child: Tid, companion: Companion, status: Status) {
    shared.companions.remove(&child);
    if companion == Companion::Kept && !matches!(status, Status::Exited(_) | Status::Killed(_)) {
        // Fails if the process has ended.
        let _ = kill(Pid::from_raw(child), Signal::SIGSTOP);
    }
    call_off(child, status);
}
