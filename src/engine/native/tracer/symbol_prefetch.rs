//! What a rank does on its own waits, thread by thread, until the debug information it needs has been read: arrivals,
//! steps and stops. Other threads and ranks go on meanwhile.

use super::phase::Phase;
use super::tracee::Tracee;
use super::tracer_shared::Tracer;
use super::tracer_shared::TracerShared;
use crate::native::breakpoints::claims::Claim;
use crate::native::breakpoints::points::UserBreakpoint;
use crate::native::inspect::inferior::Inferior;
use crate::native::ptrace::{Observation, Tid};
use debuginfo::Image;
use model::{FileAddress, Point, StepKind, StopReason, VirtualAddress};
use std::sync::Arc;

/// What has to be read before something can be dealt with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Need {
    /// Nothing.
    Nothing,
    /// Functions and lines where the thread is.
    Code,
    /// That, and the names of all files.
    Names,
}

impl Inferior {
    /// Whether functions and lines at an address have been read.
    pub(in crate::native) fn is_warm(&self, pc: u64) -> bool {
        self.place_of(pc).is_none_or(|(image, at)| image.is_warm_at(at))
    }

    fn place_of(&self, pc: u64) -> Option<(&Arc<Image>, FileAddress)> {
        self.images().locate(VirtualAddress(pc)).map(|(loaded, at)| (&loaded.image, at))
    }

    fn has(&self, need: Need, pc: u64) -> bool {
        match need {
            Need::Nothing => true,
            Need::Code => self.is_warm(pc),
            Need::Names => self.images().iter().all(|loaded| loaded.image.is_prepared()) && self.is_warm(pc),
        }
    }
}

impl Tracee {
    /// Has what is needed at an address read; `then` is called with the rank unless it has become another program.
    fn read_ahead(
        &self,
        shared: &mut TracerShared,
        need: Need,
        pc: u64,
        then: impl FnOnce(&mut Tracee, &mut TracerShared) + Send + 'static,
    ) {
        let place = self.inferior.place_of(pc).map(|(image, at)| (Arc::clone(image), at));
        let all = self.inferior.images().iter().filter(|_| need == Need::Names).map(|loaded| Arc::clone(&loaded.image));
        let images: Vec<_> = all.chain(place.iter().map(|(image, _)| Arc::clone(image))).collect();
        let (rank, generation) = (self.rank, self.inferior.program.generation);
        shared.when_ready(images, move || {
            if let Some((image, at)) = place {
                image.warm_at(at);
            }
            Box::new(move |tracer: &mut Tracer| {
                tracer.with(rank, |tracee, shared| {
                    if tracee.inferior.program.generation == generation {
                        then(tracee, shared);
                    }
                });
            })
        });
    }

    /// Keeps back what a thread did until it can be dealt with, the thread with it; what can be comes back at once.
    pub(in crate::native) fn await_reading(
        &mut self,
        shared: &mut TracerShared,
        tid: Tid,
        observation: Observation,
    ) -> Option<Observation> {
        if self.phase == Phase::Running && observation == Observation::Stepped && self.stepping.is_stepping(tid) {
            // Makes it known.
            let _ = self.inferior.pc(tid);
        }
        let need = if self.phase == Phase::Running { self.need_of(tid, &observation) } else { Need::Nothing };
        if need == Need::Nothing {
            return Some(observation);
        }
        let pc = match observation {
            Observation::Breakpoint(address) => address,
            _ => self.inferior.pc(tid).unwrap_or_default(),
        };
        if self.inferior.has(need, pc) {
            return Some(observation);
        }
        self.put_off(shared, tid, observation, need, pc);
        None
    }

    fn put_off(&mut self, shared: &mut TracerShared, tid: Tid, observation: Observation, need: Need, pc: u64) {
        if let Some(thread) = self.inferior.process.thread_mut(tid) {
            thread.parked = true;
        }
        self.awaiting.push((tid, observation));
        self.read_ahead(shared, need, pc, move |tracee, shared| {
            let Some(at) = tracee.awaiting.iter().position(|(other, _)| *other == tid) else { return };
            let (_, observation) = tracee.awaiting.remove(at);
            tracee.take_up(shared, tid, observation);
        });
    }

    /// A step has come to where it must know what is at another place: it is looked at again once that has been read.
    pub(in crate::native) fn step_awaits(&mut self, shared: &mut TracerShared, tid: Tid, place: u64) {
        self.put_off(shared, tid, Observation::Stepped, Need::Code, place);
    }

    /// Deals with what was put off.
    fn take_up(&mut self, shared: &mut TracerShared, tid: Tid, observation: Observation) {
        let Some(thread) = self.inferior.process.thread_mut(tid) else { return };
        thread.parked = false;
        self.on(shared, tid, observation);
    }

    /// The rank is being stopped: what waited is dealt with as what happens now, which needs nothing read.
    pub(in crate::native) fn stop_awaiting(&mut self, shared: &mut TracerShared) {
        for (tid, observation) in std::mem::take(&mut self.awaiting) {
            self.take_up(shared, tid, observation);
        }
    }

    /// Whether a stop can be told; otherwise what it needs is being read, and it is told then.
    pub(in crate::native) fn can_tell(&mut self, shared: &mut TracerShared, tid: Tid, reason: &StopReason) -> bool {
        if self.inferior.program.reading {
            return false;
        }
        let tid =
            if self.inferior.process.thread(tid).is_some() { tid } else { self.inferior.process.threads().first() };
        let pending = |point: &UserBreakpoint| point.watch.is_none() && matches!(point.request.point, Point::Watch(_));
        let watches = *reason == StopReason::Start && self.breakpoints.points.values().any(pending);
        let need = if watches { Need::Names } else { Need::Code };
        let Ok(pc) = self.inferior.pc(tid) else { return true };
        if self.inferior.has(need, pc) {
            return true;
        }
        self.inferior.program.reading = true;
        self.read_ahead(shared, need, pc, |tracee, shared| {
            tracee.inferior.program.reading = false;
            tracee.check_halted(shared);
        });
        false
    }

    fn need_of(&self, tid: Tid, observation: &Observation) -> Need {
        match observation {
            Observation::Breakpoint(address) => self.need_at(tid, *address),
            Observation::Watched { .. } => Need::Names,
            Observation::Stepped if self.breakpoints.steps_watches(tid) => Need::Names,
            Observation::Stepped => {
                let Some(stepper) = self.stepping.stepper.as_ref().filter(|stepper| stepper.thread == tid) else {
                    return Need::Nothing;
                };
                let here = self.inferior.process.thread(tid).and_then(|thread| thread.known_pc());
                let claimed = here.map_or(Need::Nothing, |pc| self.need_at(tid, pc));
                let own = match stepper.kind {
                    StepKind::Instruction | StepKind::InstructionOver => Need::Nothing,
                    _ if stepper.is_entering() => Need::Names,
                    _ => Need::Code,
                };
                claimed.max(own)
            }
            Observation::Signal(_) | Observation::Forked { .. } if self.breakpoints.catches_on_condition() => {
                Need::Names
            }
            _ => Need::Nothing,
        }
    }

    fn need_at(&self, tid: Tid, address: u64) -> Need {
        let claims = self.breakpoints.claims.at(address);
        let need = |claim: &Claim| match claim {
            Claim::User(id) if self.breakpoints.evaluates(*id) => Need::Names,
            Claim::Linker if self.breakpoints.catches_on_condition() => Need::Names,
            Claim::StepResume if self.stepping.stepper.as_ref().is_some_and(|stepper| stepper.thread == tid) => {
                Need::Code
            }
            Claim::User(_) | Claim::Linker | Claim::Start | Claim::StepResume => Need::Nothing,
            Claim::ScopeEnd(_) | Claim::CallEnd | Claim::LongJump | Claim::Handler => Need::Nothing,
        };
        claims.iter().map(need).max().unwrap_or(Need::Nothing)
    }
}
