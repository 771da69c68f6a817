//! Which process a rank is after a fork (the setting `follow-fork-mode`).

use crate::native::ptrace::{Observation, Status, Tid, call_off};
use crate::native::startup::fork::Fork;
use crate::native::tracer::phase::{Halt, Phase};
use crate::native::tracer::tracee::Tracee;
use crate::native::tracer::tracer_shared::{Companion, TracerShared};
use model::{Event, Follow, Severity};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

impl Tracee {
    /// A thread has created a process; whether the rank becomes it.
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
        let follows = self.inferior.spec.settings.follow == Follow::Child
            && self.phase != Phase::Waiting
            && self.phase != Phase::Calling
            && self.phase != Phase::Halting(Halt::Detach)
            && self.fork.is_none();
        let companion = match (follows, shares_memory) {
            (true, _) => Companion::Awaited(self.rank),
            (false, true) => Companion::Within(self.rank),
            (false, false) if self.keeps_children() => Companion::Kept,
            (false, false) => Companion::Free,
        };
        if follows {
            self.fork = Some(Fork { thread, child, shares_memory, is_here: false });
        }
        if companion == Companion::Kept {
            self.tell_kept(shared, child);
        }
        shared.companions.insert(child, companion);
        for status in shared.adopt(child) {
            match companion {
                Companion::Within(_) => self.companion(shared, child, status),
                Companion::Awaited(_) => self.child_came(shared, child, status),
                Companion::Free | Companion::Kept => of_own(shared, child, companion, status),
            }
        }
        follows
    }

    /// Whether children of forks are kept for somebody else.
    pub(in crate::native) fn keeps_children(&self) -> bool {
        self.inferior.spec.settings.follow == Follow::Both
            && self.phase != Phase::Waiting
            && self.phase != Phase::Calling
    }

    /// Says who is kept.
    pub(in crate::native) fn tell_kept(&self, shared: &mut TracerShared, child: Tid) {
        let message = format!("its child, process {child}, is kept stopped: rankscope attach {child}");
        self.report(shared, Event::Message(Severity::Note, message));
    }

    /// A status of the process that the rank is to become.
    pub(in crate::native) fn child_came(&mut self, shared: &mut TracerShared, child: Tid, status: Status) {
        match status {
            Status::Exited(_) | Status::Killed(_) => {
                shared.companions.remove(&child);
                self.fork = None;
            }
            _ => {
                if let Some(fork) = self.fork.as_mut().filter(|fork| fork.child == child) {
                    fork.is_here = true;
                }
            }
        }
        self.check_halted(shared);
    }

    /// Stops all threads, to let go of the process and become its child.
    pub(in crate::native) fn turn_to_child(&mut self) {
        self.phase = Phase::Halting(Halt::Follow);
        self.inferior.process.threads().interrupt_all();
    }

    /// Whether the child that the rank is to become is still to come.
    pub(in crate::native) fn awaits_child(&self) -> bool {
        self.fork.is_some_and(|fork| !fork.is_here)
    }

    /// Becomes the child of the fork, now that everything is stopped.
    pub(in crate::native) fn follow(&mut self, shared: &mut TracerShared) {
        let Some(fork) = self.fork.take() else { return };
        shared.companions.remove(&fork.child);
        // What the threads of the parent were about to get, they get.
        for (tid, observation) in std::mem::take(&mut self.held).into_iter().chain(std::mem::take(&mut self.awaiting)) {
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
            let message = format!("cannot follow process {}, which goes on by itself: {error}", fork.child);
            self.report(shared, Event::Message(Severity::Warning, message));
            return of_own(shared, fork.child, Companion::Free, Status::Other);
        }
        let rank = self.rank;
        shared.owners.retain(|_, owner| *owner != rank);
        shared.owners.insert(fork.child, rank);
        self.breakpoints.unreported.clear();
        self.breakpoints.uncaught.clear();
        self.inferior.left_calls.retain_mut(|frame| {
            let stays = frame.thread == fork.thread;
            frame.thread = fork.child;
            stays
        });
        self.inferior.outside.take_if(|outside| outside.tid != fork.thread);
        self.inferior.outside.iter_mut().for_each(|outside| outside.tid = fork.child);
        match self.stepping.stepper.as_mut().filter(|stepper| stepper.thread == fork.thread) {
            Some(stepper) => stepper.thread = fork.child,
            None => self.stepping.end(&mut self.inferior, &mut self.breakpoints),
        }
        self.stepping.alone = self.stepping.alone.map(|_| fork.child);
        self.inferior.current = fork.child;
        let message = format!("is process {} now, a child; process {parent} goes on by itself", fork.child);
        self.report(shared, Event::Message(Severity::Note, message));
    }

    /// Lets the child go that the rank was to become.
    pub(in crate::native) fn abandon_fork(&mut self, shared: &mut TracerShared) {
        let Some(fork) = self.fork.take() else { return };
        let companion = if fork.shares_memory { Companion::Within(self.rank) } else { Companion::Free };
        shared.companions.insert(fork.child, companion);
        if fork.is_here {
            shared.companions.remove(&fork.child);
            call_off(fork.child, Status::Other);
        }
    }
}

/// A status of a process that is no rank's and has memory of its own: it is let go. One that is kept is held by a stop
/// signal then; whoever attaches to it finds it as it is.
pub(in crate::native) fn of_own(shared: &mut TracerShared, child: Tid, companion: Companion, status: Status) {
    shared.companions.remove(&child);
    if companion == Companion::Kept && !matches!(status, Status::Exited(_) | Status::Killed(_)) {
        // One that is gone is not there to be held.
        let _ = kill(Pid::from_raw(child), Signal::SIGSTOP);
    }
    call_off(child, status);
}
