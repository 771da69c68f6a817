//! Libraries that come and go while a rank runs: whether the dynamic linker is watched, and who is told.

use super::first_stop::find_images;
use super::place_search::find_all;
use crate::native::breakpoints::catch_functions::catch_location;
use crate::native::breakpoints::claims::Claim;
use crate::native::breakpoints::evaluated::Placed;
use crate::native::breakpoints::sites::{Wanted, find_sites};
use crate::native::inspect::inferior::Inferior;
use crate::native::ptrace::{LONGEST, Tid};
use crate::native::tracer::phase::{Halt, Phase};
use crate::native::tracer::tracee::Tracee;
use crate::native::tracer::tracer_shared::Tracer;
use crate::native::tracer::tracer_shared::TracerShared;
use debuginfo::{ImageError, LinkEntry, LinkMap, LinkerState, LoadedImages, ReadMemory as _, Window};
use model::{
    BreakpointId, Caught, Event, LibraryMode, LocationSpec, Point, RunSettings, Severity, Site, StopAt, VirtualAddress,
};
use std::sync::Arc;

/// A search for files and breakpoints under way.
#[derive(Clone, Copy, Debug)]
struct Refresh {
    /// Of the files it is for.
    version: u32,
    /// Who waits for it.
    parked: Option<Tid>,
    tell: Tell,
}

/// What came of looking.
struct Searched {
    images: LoadedImages,
    faults: Vec<ImageError>,
    /// The place of the first stop, when it was looked for.
    start: Option<Vec<Site>>,
    places: Vec<(BreakpointId, Placed)>,
}

/// What is told of an event once its libraries are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tell {
    /// It has been told, or is none.
    Nothing,
    /// Breakpoints that were resolved.
    Resolved,
}

/// The names of entries that the other list does not have.
fn missing_in(entries: &[LinkEntry], other: &[LinkEntry]) -> Vec<String> {
    let new = entries.iter().filter(|entry| !other.contains(entry) && !entry.name.is_empty());
    new.map(|entry| entry.name.clone()).collect()
}

impl Inferior {
    /// Whether an address is in a file that is never unloaded.
    fn is_fixed(&self, address: VirtualAddress) -> bool {
        let Some(loaded) = self.images().find(address) else { return true };
        let executable = self.images().executable().is_some_and(|program| program.range == loaded.range);
        let fixed = self.program.libraries.fixed.as_ref();
        executable
            || loaded.link_map.is_none()
            || fixed.is_some_and(|fixed| fixed.iter().any(|entry| Some(entry.address) == loaded.link_map))
    }

    /// The linker's list, when it is complete. `at` is where a thread is that is about to pass the code there.
    fn link_map(&mut self, at: u64) -> Option<LinkMap> {
        let program = Arc::clone(&self.images().executable()?.image);
        let memory = Arc::clone(self.process.memory());
        let prefetch = &mut self.program.libraries.prefetch;
        let fetched = prefetch.fetch(&memory, (at, LONGEST), 0);
        let map = if prefetch.is_empty() {
            // Its parts lie close together: a few pages instead of two reads for each file.
            let window = Window::new(&*memory);
            LinkMap::read(&program, &self.program.auxiliary, &|address: VirtualAddress, into: &mut [u8]| {
                window.read(address, into)?;
                fetched.note(address.0, into.len());
                Ok(())
            })
        } else {
            let read = |address: VirtualAddress, into: &mut [u8]| fetched.read(address.0, into);
            LinkMap::read(&program, &self.program.auxiliary, &read)
        };
        prefetch.learn(&fetched);
        self.note_code(&fetched);
        map.filter(|map| map.state == LinkerState::Consistent)
    }

    /// The files that are left when libraries have gone and none has come: nothing has to be read.
    fn remaining(&self, map: &LinkMap) -> Option<LoadedImages> {
        let libraries = &self.program.libraries;
        let settled = libraries.found && self.program.loading == 0;
        if !settled || map.entries.iter().any(|entry| !libraries.entries.contains(entry)) {
            return None;
        }
        let is_there = |address| map.entries.iter().any(|entry| entry.address == address);
        Some(self.images().retained(|loaded| loaded.link_map.is_none_or(is_there)))
    }
}

impl Tracee {
    /// Takes settings over.
    pub(in crate::native) fn configure(&mut self, shared: &mut TracerShared, settings: &RunSettings) {
        self.inferior.spec.settings = settings.clone();
        self.update_hook(shared);
    }

    /// Watches the linker when the settings and the breakpoints say so, and only then.
    pub(in crate::native) fn update_hook(&mut self, shared: &mut TracerShared) {
        let wanted = !self.inferior.program.libraries.hooks.is_empty() && self.wants_hook();
        if wanted == self.inferior.program.libraries.hooked {
            return;
        }
        if !wanted {
            self.inferior.program.libraries.hooked = false;
            return self.breakpoints.claims.remove_all(&mut self.inferior.process, |claim| *claim == Claim::Linker);
        }
        self.inferior.program.libraries.hooked = true;
        for hook in self.inferior.program.libraries.hooks.clone() {
            if let Err(failure) = self.breakpoints.claims.add(&mut self.inferior.process, hook.0, Claim::Linker) {
                self.report(shared, Event::Message(Severity::Warning, failure.message));
            }
        }
    }

    fn wants_hook(&self) -> bool {
        let places = || {
            let enabled = self.breakpoints.points.values().filter(|breakpoint| breakpoint.request.enabled);
            enabled.filter(|breakpoint| {
                let point = &breakpoint.request.point;
                matches!(point, Point::Place(_)) || catch_location(point).is_some()
            })
        };
        let start_waits = self.starting
            && matches!(self.inferior.spec.stop_at, StopAt::Location(_))
            && !self.breakpoints.claims.any(|claim| *claim == Claim::Start);
        match self.inferior.spec.settings.libraries.mode() {
            _ if self.breakpoints.catches_libraries() => true,
            LibraryMode::Slow | LibraryMode::Medium(_) => true,
            LibraryMode::Fast => start_waits,
            // What may be unloaded may be loaded again, and its breakpoints with it.
            LibraryMode::Auto => {
                start_waits
                    || places().any(|breakpoint| {
                        breakpoint.sites.is_empty()
                            || breakpoint
                                .sites
                                .iter()
                                .any(|site| site.address.is_some_and(|address| !self.inferior.is_fixed(address)))
                    })
            }
        }
    }

    /// A thread is in the dynamic linker, which says that its list changes; whether the thread has to wait.
    pub(in crate::native) fn library_event(&mut self, shared: &mut TracerShared, tid: Tid) -> bool {
        let at = self.inferior.process.registers(tid).map_or(0, |registers| registers.rip);
        let Some(map) = self.inferior.link_map(at).filter(|map| map.entries != self.inferior.program.libraries.seen)
        else {
            return false;
        };
        let libraries = &mut self.inferior.program.libraries;
        let before = std::mem::replace(&mut libraries.seen, map.entries.clone());
        libraries.events.seen += 1;
        let loaded = missing_in(&map.entries, &before);
        let tells = match self.inferior.spec.settings.libraries.mode() {
            // Before the first stop nobody listens who could have anything done.
            _ if self.starting => false,
            LibraryMode::Slow => true,
            LibraryMode::Medium(globs) => loaded.iter().any(|name| globs.matches(name)),
            LibraryMode::Fast | LibraryMode::Auto => false,
        };
        if !self.starting && self.catch(shared, tid, &Caught::Loaded(loaded.clone())) {
            // The stop finds them.
            self.inferior.program.libraries.events.reported += 1;
            return true;
        }
        let looks = self.starting || self.inferior.spec.settings.libraries.mode() == LibraryMode::Auto;
        let libraries = &mut self.inferior.program.libraries;
        if tells {
            libraries.events.reported += 1;
            libraries.waiting = Some(tid);
            if let Some(thread) = self.inferior.process.thread_mut(tid) {
                thread.parked = true;
            }
            let unloaded = missing_in(&before, &map.entries);
            self.report(shared, Event::LibrariesChanged { loaded, unloaded });
            return true;
        }
        if looks {
            self.refresh(shared, map, Some(tid), Tell::Resolved);
            return true;
        }
        libraries.events.filtered += 1;
        false
    }

    /// The front end has been told of an event: its libraries are looked for, and the thread goes on.
    pub(in crate::native) fn reevaluate(&mut self, shared: &mut TracerShared) {
        let Some(tid) = self.inferior.program.libraries.waiting.take() else { return };
        match self.inferior.link_map(0) {
            Some(map) => self.refresh(shared, map, Some(tid), Tell::Nothing),
            None => self.unpark(shared, tid),
        }
    }

    /// Finds libraries that came while nobody looked, when the rank has stopped for another reason or is asked for a
    /// place; whether they are being looked for.
    pub(in crate::native) fn catch_up(&mut self, shared: &mut TracerShared) -> bool {
        let Some(map) = self.inferior.link_map(0) else { return false };
        if map.entries == self.inferior.program.libraries.entries {
            self.replant_reloaded();
            return false;
        }
        self.refresh(shared, map, None, Tell::Nothing);
        true
    }

    /// A library that was unloaded and loaded again at the same place has lost its traps.
    fn replant_reloaded(&mut self) {
        let places: Vec<u64> = self
            .breakpoints
            .claims
            .addresses()
            .filter(|address| !self.inferior.is_fixed(VirtualAddress(*address)))
            .collect();
        self.inferior.process.address_space_mut().replant(&places);
    }

    /// Finds the files of a list, beside the tracer thread, and then the breakpoints in them.
    fn refresh(&mut self, shared: &mut TracerShared, map: LinkMap, parked: Option<Tid>, tell: Tell) {
        let remaining = if parked.is_some() { self.inferior.remaining(&map) } else { None };
        self.inferior.program.libraries.entries.clone_from(&map.entries);
        self.inferior.program.libraries.seen.clone_from(&map.entries);
        self.inferior.program.version += 1;
        self.inferior.program.loading += 1;
        if let Some(thread) = parked.and_then(|tid| self.inferior.process.thread_mut(tid)) {
            thread.parked = true;
        }
        let (rank, generation, pid) = (self.rank, self.inferior.program.generation, self.inferior.process.pid());
        let (store, auxiliary) = (Arc::clone(&shared.store), self.inferior.program.auxiliary);
        let memory = Arc::clone(self.inferior.process.memory());
        let refresh = Refresh { version: self.inferior.program.version, parked, tell };
        if let Some(images) = remaining {
            return self.search_again(shared, images, Vec::new(), refresh);
        }
        shared.later(move || {
            let found = find_images(&store, pid, &auxiliary, Some(&map), &memory);
            Box::new(move |tracer: &mut Tracer| {
                tracer.with(rank, |tracee, shared| {
                    if tracee.inferior.program.generation != generation {
                        return;
                    }
                    match found {
                        Ok((images, faults)) => tracee.search_again(shared, images, faults, refresh),
                        Err(error) => {
                            tracee.report(shared, Event::Message(Severity::Warning, error.to_string()));
                            tracee.refreshed(shared, refresh);
                        }
                    }
                });
            })
        });
    }

    /// Looks for all breakpoints, and for the place of the first stop, in the files that are there now.
    fn search_again(
        &mut self,
        shared: &mut TracerShared,
        images: LoadedImages,
        faults: Vec<ImageError>,
        refresh: Refresh,
    ) {
        let start = match &self.inferior.spec.stop_at {
            StopAt::Location(spec @ (LocationSpec::Function(_) | LocationSpec::FileLine { .. })) if self.starting => {
                Some(Wanted::Place(spec.clone()))
            }
            _ => None,
        };
        let (rank, generation, lookups) =
            (self.rank, self.inferior.program.generation, self.breakpoints.lookups(&self.inferior));
        if start.is_none() && lookups.is_empty() {
            return self.searched(shared, Searched { images, faults, start: None, places: Vec::new() }, refresh);
        }
        let needed: Vec<_> = images.iter().map(|loaded| Arc::clone(&loaded.image)).collect();
        let process = self.inferior.bare_snapshot();
        shared.when_ready(needed, move || {
            let places = find_all(lookups, &images, &process);
            let start = start.map(|wanted| find_sites(&images, &wanted));
            let searched = Searched { images, faults, start, places };
            Box::new(move |tracer: &mut Tracer| {
                tracer.with(rank, |tracee, shared| {
                    if tracee.inferior.program.generation == generation {
                        tracee.searched(shared, searched, refresh);
                    }
                });
            })
        });
    }

    /// What was looked for has been found, or is not there.
    fn searched(&mut self, shared: &mut TracerShared, searched: Searched, refresh: Refresh) {
        // What is out of date is found by the search that made it so.
        if self.inferior.program.version == refresh.version {
            let Searched { images, faults, start, places } = searched;
            let first = !std::mem::replace(&mut self.inferior.program.libraries.found, true);
            // Those of the program's own start are said once, not again for each library.
            for fault in faults.into_iter().filter(|_| first) {
                self.report(shared, Event::Message(Severity::Warning, fault.to_string()));
            }
            self.place_start(start.as_deref().unwrap_or_default());
            if first && start.is_some() {
                self.miss_start(shared);
            }
            let moved = self.libraries_found(shared, images, places);
            if refresh.tell == Tell::Resolved {
                let events = &mut self.inferior.program.libraries.events;
                *(if moved { &mut events.reported } else { &mut events.filtered }) += 1;
            }
        }
        self.refreshed(shared, refresh);
    }

    /// A refresh is over: who waited for it goes on.
    fn refreshed(&mut self, shared: &mut TracerShared, refresh: Refresh) {
        self.inferior.program.loading -= 1;
        match refresh.parked {
            Some(tid) => self.unpark(shared, tid),
            None => self.check_halted(shared),
        }
    }

    /// Whether breakpoints moved.
    fn libraries_found(
        &mut self,
        shared: &mut TracerShared,
        images: LoadedImages,
        places: Vec<(BreakpointId, Placed)>,
    ) -> bool {
        let before = std::mem::replace(&mut self.inferior.program.images, images);
        let gone = |address: u64| {
            let known = |images: &LoadedImages| {
                images.find(VirtualAddress(address)).map(|loaded| (loaded.image.index(), loaded.bias))
            };
            let was = known(&before);
            was.is_some() && was != known(&self.inferior.program.images)
        };
        // A trap in memory that is gone must not be taken out of what is there now.
        self.inferior.process.address_space_mut().forget_sites(gone);
        self.breakpoints.claims.forget(gone);
        let moved =
            self.breakpoints.place_all(&mut self.inferior, &mut shared.outbox.of(self.control, self.rank), places);
        self.replant_reloaded();
        self.place_latecomers(shared);
        self.update_hook(shared);
        moved
    }

    /// The rank stops: what is loaded now at its first stop stays.
    pub(in crate::native) fn note_fixed(&mut self, shared: &mut TracerShared) {
        if self.inferior.program.libraries.fixed.is_none() {
            self.inferior.program.libraries.fixed = Some(self.inferior.program.libraries.entries.clone());
            self.update_hook(shared);
        }
    }

    /// Whether libraries have to be looked for before a stop can be told.
    pub(in crate::native) fn is_behind(&mut self, shared: &mut TracerShared) -> bool {
        matches!(self.phase, Phase::Halting(Halt::Stop { .. } | Halt::Arrival)) && self.catch_up(shared)
    }
}
