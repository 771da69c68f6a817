//! Finds the files of loaded and unloaded libraries, and breakpoints in them, outside the tracer thread.

use super::beginning::find_images;
use super::libraries::{LibraryAction, LibrarySearch, Refresh, Searched};
use crate::native::breakpoints::lookups::find_all;
use crate::native::breakpoints::sites::find_sites;
use crate::native::breakpoints::system_calls::update_call_stops;
use crate::native::errors::error_call::ErrorCalls;
use crate::native::fpe::arming::update_fpu_traps;
use crate::native::fpe::environment_calls::EnvironmentCalls;
use crate::native::tracer::tracee::Tracee;
use crate::native::tracer::tracer_shared::TracerShared;
use debuginfo::{ImageError, LoadedImages};
use model::{Event, Severity};
use std::sync::Arc;

impl Tracee {
    /// Starts or stops watching the linker after a change of the settings or breakpoints.
    pub(in crate::native) fn update_hook(&mut self, shared: &mut TracerShared) {
        update_fpu_traps(self);
        update_call_stops(self);
        let reports = &mut shared.outbox.of(self.control, self.rank);
        self.libraries.update_hook(&mut self.inferior, &mut self.breakpoints, &self.startup, reports);
    }

    /// Performs an action about libraries. True if a thread or a stop has to wait for it.
    pub(in crate::native) fn do_for_libraries(&mut self, shared: &mut TracerShared, action: LibraryAction) -> bool {
        match action {
            LibraryAction::Nothing => return false,
            LibraryAction::Stop(halt) => self.halt(shared, halt),
            LibraryAction::Wait => {}
            LibraryAction::Find(search) => find_libraries(self, shared, search),
            LibraryAction::GoOn(tid) => self.unpark(shared, tid),
        }
        true
    }
}

fn find_libraries(tracee: &mut Tracee, shared: &mut TracerShared, search: LibrarySearch) {
    let LibrarySearch { map, remaining, refresh } = search;
    if let Some(images) = remaining {
        return search_libraries(tracee, shared, images, None, refresh);
    }
    let (pid, auxiliary) = (tracee.inferior.process.pid(), tracee.inferior.program.auxiliary);
    let (store, memory) = (Arc::clone(&shared.store), Arc::clone(tracee.inferior.process.memory()));
    let find = move || find_images(&store, pid, &auxiliary, Some(&map), &memory);
    tracee.find_out(shared, [], find, move |tracee, shared, found| match found {
        Ok((images, faults)) => search_libraries(tracee, shared, images, Some(faults), refresh),
        Err(error) => searched(tracee, shared, Err(error), refresh),
    });
}

/// Searches the current files for all breakpoints and for the place of the first stop. `faults` are those of new files;
/// `None` if all the files are known already.
fn search_libraries(
    tracee: &mut Tracee,
    shared: &mut TracerShared,
    images: LoadedImages,
    faults: Option<Vec<ImageError>>,
    refresh: Refresh,
) {
    let start = tracee.startup.wanted_in_library(&tracee.inferior);
    let lookups = tracee.breakpoints.lookups(&tracee.inferior);
    let is_wanted = start.is_some() || !lookups.is_empty();
    let files = images.iter().filter(|_| is_wanted).map(|loaded| Arc::clone(&loaded.image));
    let needed: Vec<_> = files.collect();
    let process = tracee.inferior.bare_snapshot();
    let has_new = faults.is_some();
    let search = move || {
        let (error_calls, environment_calls) =
            if has_new { (ErrorCalls::find(&images), EnvironmentCalls::find(&images)) } else { Default::default() };
        let places = find_all(lookups, &images, &process);
        let start = start.map(|wanted| find_sites(&images, &wanted));
        Searched { images, faults: faults.unwrap_or_default(), start, places, error_calls, environment_calls }
    };
    if !is_wanted && !has_new {
        return searched(tracee, shared, Ok(search()), refresh);
    }
    tracee.find_out(shared, needed, search, move |tracee, shared, found| {
        searched(tracee, shared, Ok(found), refresh);
    });
}

/// Completes a search and resumes the thread that waited for it.
fn searched(tracee: &mut Tracee, shared: &mut TracerShared, found: Result<Searched, ImageError>, refresh: Refresh) {
    match found {
        Err(error) => tracee.report(shared, Event::Message(Severity::Warning, error.to_string())),
        // Out of date: a newer search is in progress.
        Ok(_) if tracee.inferior.program.version != refresh.version => {}
        Ok(searched) => {
            let Tracee { inferior, breakpoints, startup, .. } = tracee;
            let reports = &mut shared.outbox.of(tracee.control, tracee.rank);
            tracee.libraries.take_over(inferior, breakpoints, startup, reports, searched, refresh.tell);
            tracee.place_latecomers(shared);
            tracee.update_hook(shared);
        }
    }
    tracee.inferior.program.loading -= 1;
    match refresh.parked {
        Some(tid) => tracee.unpark(shared, tid),
        None => tracee.check_halted(shared),
    }
}
