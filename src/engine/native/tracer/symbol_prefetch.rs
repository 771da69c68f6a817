//! Arrivals, steps and stops wait, thread by thread, until the debug information that they need has been read. Other
//! threads and ranks run meanwhile.

use super::phase::Phase;
use super::symbol_needs::Need;
use super::tracee::Tracee;
use super::tracer_shared::{Tracer, TracerShared};
use crate::native::inspect::inferior::Inferior;
use crate::native::ptrace::{Observation, Tid};
use debuginfo::Image;
use model::{FileAddress, StopReason, VirtualAddress};
use std::sync::Arc;

impl Inferior {
    /// True if functions and lines at an address have been read.
    pub(in crate::native) fn is_warm(&self, pc: u64) -> bool {
        self.place_of(pc).is_none_or(|(image, at)| image.is_warm_at(at))
    }

    fn place_of(&self, pc: u64) -> Option<(&Arc<Image>, FileAddress)> {
        self.images().locate(VirtualAddress(pc)).map(|(loaded, at)| (&loaded.image, at))
    }
}

impl Tracee {
    /// Runs work outside the tracer thread once these files are prepared. `then` gets the result, unless the process
    /// has executed another program meanwhile.
    pub(in crate::native) fn find_out<T: Send + 'static>(
        &self,
        shared: &mut TracerShared,
        files: impl IntoIterator<Item = Arc<Image>>,
        find: impl FnOnce() -> T + Send + 'static,
        then: impl FnOnce(&mut Tracee, &mut TracerShared, T) + Send + 'static,
    ) {
        let (rank, generation) = (self.rank, self.inferior.program.generation);
        shared.when_ready(files, move || {
            let found = find();
            Box::new(move |tracer: &mut Tracer| {
                tracer.with(rank, |tracee, shared| {
                    if tracee.inferior.program.generation == generation {
                        then(tracee, shared, found);
                    }
                });
            })
        });
    }

    /// Keeps an event, and its thread stopped, until it can be handled; returns it if that is now.
    pub(super) fn await_reading(
        &mut self,
        shared: &mut TracerShared,
        tid: Tid,
        observation: Observation,
    ) -> Option<Observation> {
        if self.phase != Phase::Running {
            return Some(observation);
        }
        if observation == Observation::Stepped && self.stepping.is_stepping(tid) {
            // Makes it known.
            let _ = self.inferior.pc(tid);
        }
        let need = Need::of(&self.inferior, &self.breakpoints, &self.stepping, tid, &observation);
        if need == Need::Nothing {
            return Some(observation);
        }
        let pc = match observation {
            Observation::Breakpoint(address) => address,
            Observation::FloatTrap(trap) if trap.is_late => trap.instruction,
            _ => self.inferior.pc(tid).unwrap_or_default(),
        };
        if need.is_met(&self.inferior, pc) {
            return Some(observation);
        }
        self.put_off(shared, tid, observation, need, pc);
        None
    }

    /// Puts off an event until the debug information that it needs at an address has been read.
    pub(super) fn put_off(
        &mut self,
        shared: &mut TracerShared,
        tid: Tid,
        observation: Observation,
        need: Need,
        pc: u64,
    ) {
        if let Some(thread) = self.inferior.process.thread_mut(tid) {
            thread.parked = true;
        }
        self.pending.put_off(tid, observation);
        read_ahead(self, shared, need, pc, move |tracee, shared| {
            if let Some(observation) = tracee.pending.take_up(tid) {
                tracee.take_up(shared, tid, observation);
            }
        });
    }

    /// Handles an event that was put off.
    pub(super) fn take_up(&mut self, shared: &mut TracerShared, tid: Tid, observation: Observation) {
        let Some(thread) = self.inferior.process.thread_mut(tid) else { return };
        thread.parked = false;
        self.on(shared, tid, observation);
    }

    /// True if a stop can be reported; otherwise starts reading what it needs, and the stop is reported after that.
    pub(super) fn can_tell(&mut self, shared: &mut TracerShared, tid: Tid, reason: &StopReason) -> bool {
        if self.inferior.program.reading {
            return false;
        }
        let tid =
            if self.inferior.process.thread(tid).is_some() { tid } else { self.inferior.process.threads().first() };
        let need = Need::of_stop(&self.breakpoints, reason);
        let Ok(pc) = self.inferior.pc(tid) else { return true };
        if need.is_met(&self.inferior, pc) {
            return true;
        }
        self.inferior.program.reading = true;
        read_ahead(self, shared, need, pc, |tracee, shared| {
            tracee.inferior.program.reading = false;
            tracee.check_halted(shared);
        });
        false
    }
}

/// Starts reading the debug information needed at an address.
fn read_ahead(
    tracee: &Tracee,
    shared: &mut TracerShared,
    need: Need,
    pc: u64,
    then: impl FnOnce(&mut Tracee, &mut TracerShared) + Send + 'static,
) {
    let place = tracee.inferior.place_of(pc).map(|(image, at)| (Arc::clone(image), at));
    let all = tracee.inferior.images().iter().filter(|_| need == Need::Names).map(|loaded| Arc::clone(&loaded.image));
    let images: Vec<_> = all.chain(place.iter().map(|(image, _)| Arc::clone(image))).collect();
    let read = move || {
        if let Some((image, at)) = place {
            image.warm_at(at);
        }
    };
    tracee.find_out(shared, images, read, move |tracee, shared, ()| then(tracee, shared));
}
