//! From an exec to the program's own code: finds its files and sets the points in them.

use super::beginning::{Fresh, look_into, open_files};
use super::first_stop::{Begin, is_of_files};
use super::libraries::Libraries;
use super::unsupported::unreadable;
use crate::native::breakpoints::claims::{Claim, Claims};
use crate::native::breakpoints::evaluated::Placed;
use crate::native::breakpoints::lookups::find_all;
use crate::native::fpe::catching::FloatCatching;
use crate::native::ptrace::Tid;
use crate::native::tracer::phase::{Halt, Phase};
use crate::native::tracer::tracee::Tracee;
use crate::native::tracer::tracer_shared::TracerShared;
use crate::process::procfs::executable;
use debuginfo::ImageError;
use model::{BreakpointId, Caught, Event, Severity, StopAt, StopReason};
use std::sync::Arc;

impl Tracee {
    /// Handles an exec.
    pub(in crate::native) fn executed(&mut self, shared: &mut TracerShared, tid: Tid) {
        let rank = self.rank;
        shared.owners.retain(|other, owner| *owner != rank || *other == tid);
        shared.owners.insert(tid, rank);
        self.stepping.end(&mut self.inferior, &mut self.breakpoints);
        self.breakpoints.claims = Claims::default();
        self.inferior.left_calls.clear();
        self.breakpoints.fpe = FloatCatching::default();
        self.breakpoints.unreported.clear();
        self.pending.clear();
        self.breakpoints.uncaught.clear();
        for breakpoint in self.breakpoints.points.values_mut() {
            breakpoint.sites.clear();
            breakpoint.refused.clear();
            breakpoint.watch = None;
        }
        self.inferior.current = tid;
        self.startup.executed();
        let first = self.inferior.program.generation == 0;
        if !first {
            self.report(shared, Event::Executed(executable(tid).display().to_string()));
        }
        self.inferior.program = self.inferior.program.after();
        self.libraries = Libraries::default();
        if let Some(thread) = self.inferior.process.thread_mut(tid) {
            thread.parked = true;
        }
        let wanted = self.startup.wanted_begin(&self.inferior, first);
        self.find_beginning(shared, wanted, move |tracee, shared, fresh| begin(tracee, shared, tid, fresh));
    }

    /// Finds the files of the process and the sites in them, outside the tracer thread; `then` gets them unless the
    /// process has executed another program.
    pub(super) fn find_beginning(
        &mut self,
        shared: &mut TracerShared,
        begin: Begin,
        then: impl FnOnce(&mut Tracee, &mut TracerShared, Result<Fresh, ImageError>) + Send + 'static,
    ) {
        let (pid, store) = (self.inferior.process.pid(), Arc::clone(&shared.store));
        let memory = Arc::clone(self.inferior.process.memory());
        let open = move || open_files(&store, pid, &memory);
        self.find_out(shared, [], open, move |tracee, shared, opened| {
            let opened = match opened {
                Ok(opened) => opened,
                Err(error) => return then(tracee, shared, Err(error)),
            };
            let (lookups, process) = (tracee.breakpoints.lookups(&tracee.inferior), tracee.inferior.bare_snapshot());
            let files: Vec<_> = opened.images.iter().map(|loaded| Arc::clone(&loaded.image)).collect();
            let look = move || look_into(opened, &begin, lookups, &process);
            tracee.find_out(shared, files, look, move |tracee, shared, fresh| then(tracee, shared, Ok(fresh)));
        });
    }

    /// Starts the program without a first stop.
    pub(super) fn run_from_the_start(&mut self, shared: &mut TracerShared) {
        self.startup.skip_stop();
        self.update_hook(shared);
        self.breakpoints.arm_pending(&mut self.inferior, &mut shared.outbox.of(self.control, self.rank));
        self.report(shared, Event::Running);
    }

    /// Sets the points of the rank once the files of the process are known.
    pub(super) fn set_up(&mut self, shared: &mut TracerShared, fresh: Result<Fresh, ImageError>) {
        self.inferior.program.loading = 0;
        let Self { inferior, breakpoints, startup, .. } = self;
        let reports = &mut shared.outbox.of(self.control, self.rank);
        let (fresh, unfit) = match fresh {
            Ok(mut fresh) => {
                let unfit = fresh.unfit.take();
                (Some(fresh), unfit)
            }
            Err(error) => (None, Some(unreadable(&error))),
        };
        let refused = unfit.is_some();
        if unfit.is_some_and(|why| startup.refuse(inferior, reports, why)) {
            self.phase = Phase::Halting(Halt::Detach);
        }
        let Some(fresh) = fresh else { return };
        inferior.program.images = fresh.images;
        inferior.program.auxiliary = fresh.auxiliary;
        inferior.program.file = fresh.file;
        if let Some(note) = fresh.gdb_printers {
            reports.event(Event::Message(Severity::Note, note));
        }
        for fault in fresh.faults {
            reports.event(Event::Message(Severity::Warning, fault.to_string()));
        }
        for address in fresh.start.iter().filter(|_| !refused).filter_map(|site| site.address) {
            if let Err(failure) = breakpoints.claims.add(&mut inferior.process, address.0, Claim::Start) {
                reports.event(Event::Message(Severity::Warning, failure.message));
            }
        }
        let comes_with_library = matches!(&inferior.spec.stop_at, StopAt::Location(spec) if is_of_files(spec));
        if fresh.linker.is_empty() || !comes_with_library {
            startup.miss(inferior, breakpoints, reports);
        }
        self.libraries.expect_at(fresh.linker);
        breakpoints.place_all(inferior, reports, fresh.breakpoints);
        breakpoints.claim_error_calls(inferior, fresh.error_calls);
        breakpoints.fpe.add(inferior, &mut breakpoints.claims, fresh.environment_calls);
        self.place_latecomers(shared);
        self.update_hook(shared);
    }

    /// Places breakpoints that were set while the files were being found.
    pub(super) fn place_latecomers(&mut self, shared: &mut TracerShared) {
        let lookups = self.breakpoints.lookups(&self.inferior).into_iter();
        let is_pending =
            |id: &BreakpointId| self.breakpoints.points.get(id).is_some_and(|breakpoint| breakpoint.sites.is_empty());
        let pending: Vec<_> = lookups.filter(|lookup| is_pending(&lookup.id)).collect();
        if pending.is_empty() || self.inferior.program.images.iter().next().is_none() {
            return;
        }
        let (version, images) = (self.inferior.program.version, self.inferior.program.images.clone());
        self.inferior.program.placing += 1;
        let process = self.inferior.bare_snapshot();
        let files: Vec<_> = images.iter().map(|loaded| Arc::clone(&loaded.image)).collect();
        let find = move || find_all(pending, &images, &process);
        self.find_out(shared, files, find, move |tracee, shared, found| {
            if tracee.inferior.program.version == version {
                let found = found.into_iter().filter(|(_, placed)| *placed != Placed::default()).collect();
                let reports = &mut shared.outbox.of(tracee.control, tracee.rank);
                tracee.breakpoints.place_all(&mut tracee.inferior, reports, found);
            }
            tracee.inferior.program.placing -= 1;
            tracee.check_halted(shared);
        });
    }

    /// Resumes a thread that had to wait.
    pub(super) fn unpark(&mut self, shared: &mut TracerShared, tid: Tid) {
        if let Some(thread) = self.inferior.process.thread_mut(tid) {
            thread.parked = false;
        }
        if self.phase == Phase::Running {
            self.carry_on(tid, 0);
        }
        self.check_halted(shared);
    }
}

/// Starts a new program once its files are known.
fn begin(tracee: &mut Tracee, shared: &mut TracerShared, tid: Tid, fresh: Result<Fresh, ImageError>) {
    tracee.set_up(shared, fresh);
    if tracee.startup.is_refused() && tracee.inferior.process.thread(tid).is_some() {
        return tracee.unpark(shared, tid);
    }
    if tracee.phase == Phase::Waiting {
        tracee.phase = Phase::Running;
        if tracee.startup.awaits_stop() && tracee.inferior.spec.stop_at == StopAt::Nowhere {
            tracee.run_from_the_start(shared);
        } else if tracee.startup.begins_here(&tracee.inferior) {
            if let Some(thread) = tracee.inferior.process.thread_mut(tid) {
                thread.parked = false;
            }
            return tracee.halt(shared, Halt::Stop { tid, reason: StopReason::Start, note: None });
        }
    }
    if tracee.phase == Phase::Running && !tracee.startup.awaits_stop() && tracee.inferior.program.generation > 1 {
        let caught = Caught::Executed(executable(tid).display().to_string());
        if tracee.catch(shared, tid, &caught) {
            if let Some(thread) = tracee.inferior.process.thread_mut(tid) {
                thread.parked = false;
            }
            return tracee.check_halted(shared);
        }
    }
    tracee.unpark(shared, tid);
}
