//! Libraries that are loaded and unloaded while a rank runs: watches the dynamic linker and reports the changes.

use super::first_stop::Startup;
use crate::native::breakpoints::catch_functions::catch_location;
use crate::native::breakpoints::claims::Claim;
use crate::native::breakpoints::evaluated::Placed;
use crate::native::breakpoints::points::Breakpoints;
use crate::native::errors::error_call::ErrorCalls;
use crate::native::fpe::environment_calls::EnvironmentCalls;
use crate::native::inspect::inferior::Inferior;
use crate::native::ptrace::{LONGEST, MemoryPrefetch, Tid};
use crate::native::tracer::outbox::RankReports;
use crate::native::tracer::phase::Halt;
use debuginfo::{ImageError, LinkEntry, LinkMap, LinkerState, LoadedImages, ReadMemory as _, Window};
use model::{BreakpointId, Caught, Event, LibraryEvents, LibraryMode, Point, Severity, Site, VirtualAddress};
use std::sync::Arc;

/// The state of the linker's list of libraries.
#[derive(Default)]
pub(in crate::native) struct Libraries {
    /// Addresses that the linker executes when its list changes.
    hooks: Vec<VirtualAddress>,
    /// True if the hooks have traps.
    hooked: bool,
    /// The list when the files were last found.
    entries: Vec<LinkEntry>,
    /// The list at the last event.
    seen: Vec<LinkEntry>,
    /// The memory of the list.
    prefetch: MemoryPrefetch,
    /// True once the files have been found.
    found: bool,
    /// The list at the first stop; these libraries are never unloaded.
    fixed: Option<Vec<LinkEntry>>,
    /// Counts of events and their outcomes.
    events: LibraryEvents,
    /// The thread that waits until the front end requests the search for breakpoints.
    waiting: Option<Tid>,
}

/// The next action about libraries.
pub(in crate::native) enum LibraryAction {
    /// Nothing: they have not changed, or nobody needs to know.
    Nothing,
    /// Stop the rank for a catchpoint.
    Stop(Halt),
    /// The front end has been notified; a thread waits until it requests the search.
    Wait,
    /// Find the libraries.
    Find(LibrarySearch),
    /// Resume the thread that waited, without a search.
    GoOn(Tid),
}

/// A search for the files in the linker's list.
pub(in crate::native) struct LibrarySearch {
    pub(super) map: LinkMap,
    /// Set if all the files are known already: those that remain mapped.
    pub(super) remaining: Option<LoadedImages>,
    pub(super) refresh: Refresh,
}

/// A search for files and breakpoints in progress.
#[derive(Clone, Copy, Debug)]
pub(super) struct Refresh {
    /// The version of the program's files that it is for.
    pub version: u32,
    /// The thread that waits for it.
    pub parked: Option<Tid>,
    pub tell: Tell,
}

/// The result of a search.
pub(super) struct Searched {
    pub images: LoadedImages,
    pub faults: Vec<ImageError>,
    /// The sites of the first stop, if it was searched for.
    pub start: Option<Vec<Site>>,
    pub places: Vec<(BreakpointId, Placed)>,
    pub error_calls: ErrorCalls,
    pub environment_calls: EnvironmentCalls,
}

/// The report of an event once its libraries are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tell {
    /// None: it has been reported already, or there is no event.
    Nothing,
    /// The breakpoints that were resolved.
    Resolved,
}

/// Returns the names of entries that the other list lacks.
fn missing_in(entries: &[LinkEntry], other: &[LinkEntry]) -> Vec<String> {
    let new = entries.iter().filter(|entry| !other.contains(entry) && !entry.name.is_empty());
    new.map(|entry| entry.name.clone()).collect()
}

impl Libraries {
    /// The libraries of a process that is attached or taken over: any file may be unloaded, because it is not known
    /// which were loaded at the start.
    pub(in crate::native) fn of_running() -> Self {
        Self { fixed: Some(Vec::new()), ..Self::default() }
    }

    pub(in crate::native) fn events(&self) -> LibraryEvents {
        self.events
    }

    /// Sets the addresses that the linker executes when its list changes.
    pub(in crate::native) fn expect_at(&mut self, hooks: Vec<VirtualAddress>) {
        self.hooks = hooks;
    }

    /// True if an address is in a file that is never unloaded.
    fn is_fixed(&self, inferior: &Inferior, address: VirtualAddress) -> bool {
        let Some(loaded) = inferior.images().find(address) else { return true };
        let executable = inferior.images().executable().is_some_and(|program| program.range == loaded.range);
        let stays = |fixed: &Vec<LinkEntry>| fixed.iter().any(|entry| Some(entry.address) == loaded.link_map);
        executable || loaded.link_map.is_none() || self.fixed.as_ref().is_some_and(stays)
    }

    /// Reads the linker's list, if it is complete. `at` is the program counter of a thread about to resume, or 0.
    fn link_map(&mut self, inferior: &mut Inferior, at: u64) -> Option<LinkMap> {
        let program = Arc::clone(&inferior.images().executable()?.image);
        let memory = Arc::clone(inferior.process.memory());
        let prefetch = &mut self.prefetch;
        let fetched = prefetch.fetch(&memory, (at, LONGEST), 0);
        let map = if prefetch.is_empty() {
            // Its entries lie close together: this reads a few pages instead of twice for each file.
            let window = Window::new(&*memory);
            LinkMap::read(&program, &inferior.program.auxiliary, &|address: VirtualAddress, into: &mut [u8]| {
                window.read(address, into)?;
                fetched.note(address.0, into.len());
                Ok(())
            })
        } else {
            let read = |address: VirtualAddress, into: &mut [u8]| fetched.read(address.0, into);
            LinkMap::read(&program, &inferior.program.auxiliary, &read)
        };
        prefetch.learn(&fetched);
        inferior.note_code(&fetched);
        map.filter(|map| map.state == LinkerState::Consistent)
    }

    /// Returns the remaining files if libraries were only unloaded, so that nothing need be read.
    fn remaining(&self, inferior: &Inferior, map: &LinkMap) -> Option<LoadedImages> {
        let settled = self.found && inferior.program.loading == 0;
        if !settled || map.entries.iter().any(|entry| !self.entries.contains(entry)) {
            return None;
        }
        let is_there = |address| map.entries.iter().any(|entry| entry.address == address);
        Some(inferior.images().retained(|loaded| loaded.link_map.is_none_or(is_there)))
    }

    /// Watches the linker if the settings and the breakpoints require it.
    pub(in crate::native) fn update_hook(
        &mut self,
        inferior: &mut Inferior,
        breakpoints: &mut Breakpoints,
        startup: &Startup,
        reports: &mut RankReports<'_>,
    ) {
        let wanted = !self.hooks.is_empty() && self.wants_hook(inferior, breakpoints, startup);
        if wanted == self.hooked {
            return;
        }
        self.hooked = wanted;
        if !wanted {
            return breakpoints.claims.remove_all(&mut inferior.process, |claim| *claim == Claim::Linker);
        }
        for hook in &self.hooks {
            if let Err(failure) = breakpoints.claims.add(&mut inferior.process, hook.0, Claim::Linker) {
                reports.event(Event::Message(Severity::Warning, failure.message));
            }
        }
    }

    fn wants_hook(&self, inferior: &Inferior, breakpoints: &Breakpoints, startup: &Startup) -> bool {
        let places = || {
            let enabled = breakpoints.points.values().filter(|breakpoint| breakpoint.request.enabled);
            enabled.filter(|breakpoint| {
                let point = &breakpoint.request.point;
                matches!(point, Point::Place(_)) || catch_location(point).is_some()
            })
        };
        let start_waits = startup.waits_for_library(inferior, breakpoints);
        let may_move = |site: &Site| site.address.is_some_and(|address| !self.is_fixed(inferior, address));
        match inferior.spec.settings.libraries.mode() {
            _ if breakpoints.catches_libraries() || inferior.process.threads().fpu_traps().are_any() => true,
            LibraryMode::Slow | LibraryMode::Medium(_) => true,
            LibraryMode::Fast => start_waits,
            // A library that may be unloaded may be loaded again and needs its breakpoints then.
            LibraryMode::Auto => {
                start_waits
                    || runs_unseen(inferior, startup)
                    || places().any(|breakpoint| breakpoint.sites.is_empty() || breakpoint.sites.iter().any(may_move))
            }
        }
    }

    /// Handles a thread's arrival at a hook of the linker, whose list changes.
    pub(in crate::native) fn changed(
        &mut self,
        inferior: &mut Inferior,
        breakpoints: &mut Breakpoints,
        startup: &Startup,
        reports: &mut RankReports<'_>,
        tid: Tid,
    ) -> LibraryAction {
        let at = inferior.process.registers(tid).map_or(0, |registers| registers.rip);
        let Some(map) = self.link_map(inferior, at).filter(|map| map.entries != self.seen) else {
            return LibraryAction::Nothing;
        };
        let before = std::mem::replace(&mut self.seen, map.entries.clone());
        self.events.seen += 1;
        let loaded = missing_in(&map.entries, &before);
        let starts = startup.awaits_stop();
        let mode = inferior.spec.settings.libraries.mode();
        let looks = starts || mode == LibraryMode::Auto;
        let tells = match mode {
            // Before the first stop, the front end cannot react yet.
            _ if starts => false,
            LibraryMode::Slow => true,
            LibraryMode::Medium(globs) => loaded.iter().any(|name| globs.matches(name)),
            LibraryMode::Fast | LibraryMode::Auto => false,
        };
        let unloaded = missing_in(&before, &map.entries);
        let (loaded, unloaded) = (Caught::Loaded(loaded), Caught::Unloaded(unloaded));
        let mut caught = |event| breakpoints.caught(inferior, tid, event);
        if !starts && let Some(halt) = caught(&loaded).or_else(|| caught(&unloaded)) {
            // The stop searches for them.
            self.events.reported += 1;
            return LibraryAction::Stop(halt);
        }
        if tells {
            self.events.reported += 1;
            self.waiting = Some(tid);
            if let Some(thread) = inferior.process.thread_mut(tid) {
                thread.parked = true;
            }
            let (Caught::Loaded(loaded), Caught::Unloaded(unloaded)) = (loaded, unloaded) else {
                return LibraryAction::Wait;
            };
            reports.event(Event::LibrariesChanged { loaded, unloaded });
            return LibraryAction::Wait;
        }
        if looks {
            return LibraryAction::Find(self.refresh(inferior, map, Some(tid), Tell::Resolved));
        }
        self.events.filtered += 1;
        LibraryAction::Nothing
    }

    /// Searches for the libraries of an event at the front end's request; the waiting thread then continues.
    pub(in crate::native) fn look(&mut self, inferior: &mut Inferior) -> LibraryAction {
        let Some(tid) = self.waiting.take() else { return LibraryAction::Nothing };
        match self.link_map(inferior, 0) {
            Some(map) => LibraryAction::Find(self.refresh(inferior, map, Some(tid), Tell::Nothing)),
            None => LibraryAction::GoOn(tid),
        }
    }

    /// Finds libraries that were loaded unnoticed, when the rank has stopped or a location is searched.
    pub(in crate::native) fn catch_up(&mut self, inferior: &mut Inferior, breakpoints: &Breakpoints) -> LibraryAction {
        let Some(map) = self.link_map(inferior, 0) else { return LibraryAction::Nothing };
        if map.entries == self.entries {
            self.replant_reloaded(inferior, breakpoints);
            return LibraryAction::Nothing;
        }
        LibraryAction::Find(self.refresh(inferior, map, None, Tell::Nothing))
    }

    /// Inserts traps again in libraries that were unloaded and loaded again at the same address.
    fn replant_reloaded(&self, inferior: &mut Inferior, breakpoints: &Breakpoints) {
        let addresses = breakpoints.claims.addresses();
        let places: Vec<u64> = addresses.filter(|at| !self.is_fixed(inferior, VirtualAddress(*at))).collect();
        inferior.process.address_space_mut().replant(&places);
    }

    /// Starts a search for the files of a list and the breakpoints in them.
    fn refresh(&mut self, inferior: &mut Inferior, map: LinkMap, parked: Option<Tid>, tell: Tell) -> LibrarySearch {
        let remaining = if parked.is_some() { self.remaining(inferior, &map) } else { None };
        self.entries.clone_from(&map.entries);
        self.seen.clone_from(&map.entries);
        inferior.program.version += 1;
        inferior.program.loading += 1;
        if let Some(thread) = parked.and_then(|tid| inferior.process.thread_mut(tid)) {
            thread.parked = true;
        }
        LibrarySearch { map, remaining, refresh: Refresh { version: inferior.program.version, parked, tell } }
    }

    /// Applies the result of a search: the files, and the sites in them.
    pub(super) fn take_over(
        &mut self,
        inferior: &mut Inferior,
        breakpoints: &mut Breakpoints,
        startup: &Startup,
        reports: &mut RankReports<'_>,
        searched: Searched,
        tell: Tell,
    ) {
        let Searched { images, faults, start, places, error_calls, environment_calls } = searched;
        let first = !std::mem::replace(&mut self.found, true);
        // Faults are reported at the program's start only, not again for each library.
        for fault in faults.into_iter().filter(|_| first) {
            reports.event(Event::Message(Severity::Warning, fault.to_string()));
        }
        startup.place(inferior, breakpoints, start.as_deref().unwrap_or_default());
        if first && start.is_some() {
            startup.miss(inferior, breakpoints, reports);
        }
        forget_unmapped(inferior, breakpoints, images);
        let moved = breakpoints.place_all(inferior, reports, places);
        breakpoints.claim_error_calls(inferior, error_calls);
        breakpoints.fpe.add(inferior, &mut breakpoints.claims, environment_calls);
        self.replant_reloaded(inferior, breakpoints);
        if tell == Tell::Resolved {
            *(if moved { &mut self.events.reported } else { &mut self.events.filtered }) += 1;
        }
    }

    /// Notes a stop; libraries loaded at the first stop are never unloaded. True if this is the first stop.
    pub(in crate::native) fn fix(&mut self) -> bool {
        let first = self.fixed.is_none();
        self.fixed.get_or_insert_with(|| self.entries.clone());
        first
    }
}

/// True if no first stop will find the libraries that the program is linked with, which may report errors.
fn runs_unseen(inferior: &Inferior, startup: &Startup) -> bool {
    let knows_libraries = || inferior.images().iter().any(|loaded| loaded.link_map.is_some());
    !startup.awaits_stop() && !inferior.spec.settings.passes_errors && !knows_libraries()
}

/// Forgets traps in unmapped memory, so that they are not removed from whatever is mapped there now.
fn forget_unmapped(inferior: &mut Inferior, breakpoints: &mut Breakpoints, images: LoadedImages) {
    let before = std::mem::replace(&mut inferior.program.images, images);
    let gone = |address: u64| {
        let known = |images: &LoadedImages| {
            images.find(VirtualAddress(address)).map(|loaded| (loaded.image.index(), loaded.bias))
        };
        let was = known(&before);
        was.is_some() && was != known(&inferior.program.images)
    };
    inferior.process.address_space_mut().forget_sites(gone);
    breakpoints.fpe.calls.forget(gone);
    breakpoints.claims.forget(gone);
}
