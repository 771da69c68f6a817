//! Loaded and unloaded libraries: gdb's settings for them, and their events.
//!
//! gdb watches the linker's list itself. Its setting `auto-solib-add` makes it read the symbols of a new library, and
//! so find breakpoint sites there; `stop-on-solib-events` makes a change stop the rank. A change never stops a rank
//! that steps, since gdb could not resume the step; it is reported without a stop.

use crate::gdb::breakpoints::table::{BreakpointTable, Moved};
use crate::gdb::inferior::state::InferiorState;
use crate::gdb::mi::{Command, Results};
use crate::gdb::session::fault::GdbError;
use crate::gdb::session::gdb::Gdb;
use crate::gdb::stepping::Goal;
use model::{Answer, Event, Library, LibraryEvents, LibraryMode, VirtualAddress};
use std::path::Path;
use std::sync::Arc;

/// gdb's settings for library changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Watching {
    /// `stop-on-solib-events`.
    stops: bool,
    /// `auto-solib-add`.
    reads: bool,
}

/// gdb's defaults.
const AT_FIRST: Watching = Watching { stops: false, reads: true };

/// The rank's libraries, and gdb's settings for them.
#[derive(Debug)]
pub(in crate::gdb) struct Libraries {
    watching: Watching,
    /// True if the symbols of some libraries were not read.
    behind: bool,
    /// True if breakpoint sites have changed since the rank was resumed.
    moved: bool,
    /// The libraries of the first stop, which are never unloaded.
    fixed: Option<Vec<Arc<str>>>,
    /// True if a library was loaded before the first stop.
    came_early: bool,
    events: LibraryEvents,
}

/// The result of a stop for a library change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::gdb) enum LibraryStop {
    /// gdb stopped for another reason, such as a catchpoint.
    NotOurs,
    GoesOn,
    /// Waits until the front end has received the event.
    Waits(Event),
}

/// Returns the paths in `added=[library="…",…]`.
fn paths(results: &Results, name: &str) -> Vec<String> {
    let all = results.inside(name).into_iter().flat_map(|all| all.0.iter());
    all.filter_map(|(_, path)| path.as_text()).map(str::to_owned).collect()
}

/// True if the front end wants an event for these libraries.
fn is_reported(mode: LibraryMode<'_>, loaded: &[String]) -> bool {
    match mode {
        LibraryMode::Slow => true,
        LibraryMode::Medium(globs) => loaded.iter().any(|name| globs.matches(name)),
        LibraryMode::Fast | LibraryMode::Auto => false,
    }
}

impl Default for Libraries {
    fn default() -> Self {
        let events = LibraryEvents::default();
        Self { watching: AT_FIRST, behind: false, moved: false, fixed: None, came_early: false, events }
    }
}

impl Libraries {
    /// Creates the state for a process that was attached to: which of its libraries were loaded at its start is
    /// unknown, so only the program itself counts as permanent.
    pub(in crate::gdb) fn of_running(executable: &Path) -> Self {
        Self { fixed: Some(vec![executable.to_string_lossy().into()]), ..Self::default() }
    }

    /// Applies the settings and the needs of the breakpoints to gdb before the rank is resumed with this goal.
    pub(in crate::gdb) fn watch(
        &mut self,
        gdb: &mut Gdb,
        breakpoints: &BreakpointTable,
        mode: LibraryMode<'_>,
        goal: Goal,
    ) -> Result<(), GdbError> {
        self.moved = false;
        let Some(fixed) = &self.fixed else { return Ok(()) };
        let goes = goal == Goal::Go && !breakpoints.catch_libraries();
        let wanted = match mode {
            LibraryMode::Slow => Watching { stops: goes, reads: true },
            // Reading only the matching ones at once requires a stop.
            LibraryMode::Medium(_) => Watching { stops: goes, reads: !goes },
            LibraryMode::Fast => Watching { stops: false, reads: false },
            LibraryMode::Auto => {
                let waits = breakpoints.wait_for_library(|module| !fixed.iter().any(|fixed| **fixed == *module));
                Watching { stops: goes && waits, reads: waits }
            }
        };
        self.tell(gdb, wanted)
    }

    fn tell(&mut self, gdb: &mut Gdb, wanted: Watching) -> Result<(), GdbError> {
        let set = |name: &str, value: bool| Command::new("gdb-set").word(name).word(u8::from(value));
        if self.watching.stops != wanted.stops {
            gdb.ask(&set("stop-on-solib-events", wanted.stops))?;
        }
        if self.watching.reads != wanted.reads {
            gdb.ask(&set("auto-solib-add", wanted.reads))?;
        }
        self.watching = wanted;
        Ok(())
    }

    /// Records that breakpoint sites have changed.
    pub(in crate::gdb) fn note_moved(&mut self, Moved(moved): Moved) {
        self.moved |= moved;
    }

    /// Handles `=library-loaded` and `=library-unloaded`; returns an event if the front end wants one.
    pub(in crate::gdb) fn changed(
        &mut self,
        loaded: bool,
        results: &Results,
        mode: LibraryMode<'_>,
        is_running: bool,
    ) -> Option<Event> {
        let Watching { stops, reads } = self.watching;
        self.behind |= loaded && !reads;
        if self.fixed.is_none() {
            self.came_early = true;
            return None;
        }
        if stops || !reads || !is_running {
            return None;
        }
        // The rank does not stop for this change.
        let name: Vec<String> = results.text("target-name").map(str::to_owned).into_iter().collect();
        let (loaded, unloaded) = if loaded { (name, Vec::new()) } else { (Vec::new(), name) };
        let is_reported = is_reported(mode, &loaded);
        self.count(is_reported);
        is_reported.then_some(Event::LibrariesChanged { loaded, unloaded })
    }

    fn count(&mut self, reported: bool) {
        self.events.seen += 1;
        *(if reported { &mut self.events.reported } else { &mut self.events.filtered }) += 1;
    }

    /// Handles a stop for a library change.
    pub(in crate::gdb) fn stopped(&mut self, results: &Results, mode: LibraryMode<'_>) -> LibraryStop {
        if !self.watching.stops || results.number("bkptno").is_some() {
            return LibraryStop::NotOurs;
        }
        let (loaded, unloaded) = (paths(results, "added"), paths(results, "removed"));
        if loaded.is_empty() && unloaded.is_empty() {
            // gdb stops before the change, too.
            return LibraryStop::GoesOn;
        }
        if is_reported(mode, &loaded) {
            self.count(true);
            return LibraryStop::Waits(Event::LibrariesChanged { loaded, unloaded });
        }
        let moved = std::mem::take(&mut self.moved) && matches!(mode, LibraryMode::Auto);
        self.count(moved);
        LibraryStop::GoesOn
    }

    /// Reads the symbols that were skipped; false if there were none.
    pub(in crate::gdb) fn catch_up(&mut self, gdb: &mut Gdb, inferior: &mut InferiorState) -> Result<bool, GdbError> {
        if !std::mem::take(&mut self.behind) {
            return Ok(false);
        }
        gdb.ask_if_known(&Command::console("sharedlibrary"))?;
        inferior.modules().forget();
        // With the new symbols gdb may know more about the current location.
        inferior.forget_frame();
        Ok(true)
    }

    /// Records the loaded libraries as permanent at the first stop.
    pub(in crate::gdb) fn note_fixed(&mut self, inferior: &mut InferiorState, mode: LibraryMode<'_>) {
        if inferior.pid().is_none() || self.fixed.is_some() {
            return;
        }
        self.fixed = Some(inferior.modules().paths());
        if self.came_early && matches!(mode, LibraryMode::Slow | LibraryMode::Medium(_)) {
            self.count(false);
        }
    }

    /// Starts anew after an exec, whose libraries are different.
    pub(in crate::gdb) fn forget(&mut self, gdb: &mut Gdb) -> Result<(), GdbError> {
        self.tell(gdb, AT_FIRST)?;
        *self = Self { events: self.events, ..Self::default() };
        Ok(())
    }

    /// Returns the loaded files and the event counts.
    pub(in crate::gdb) fn list(&self, gdb: &mut Gdb, inferior: &mut InferiorState) -> Result<Answer, GdbError> {
        let events = self.events;
        if inferior.pid().is_none() {
            return Ok(Answer::Libraries(Vec::new(), events));
        }
        let told = gdb.ask(&Command::new("file-list-exec-source-files").word("--group-by-objfile"));
        // Older versions cannot group; then the debug information is unknown.
        let with_lines: Vec<String> = match told {
            Ok(answered) => {
                let files = answered.results.inside("files").into_iter().flat_map(Results::parts);
                let lined = files.filter(|file| file.inside("sources").is_some_and(|sources| !sources.0.is_empty()));
                lined.filter_map(|file| file.text("filename")).map(str::to_owned).collect()
            }
            Err(GdbError::Refused(_)) => Vec::new(),
            Err(gone) => return Err(gone),
        };
        let paths = inferior.modules().paths();
        let mut libraries = Vec::new();
        for path in paths {
            let address = inferior.modules().bias(&path).map(VirtualAddress);
            let debug_information = with_lines.iter().any(|file| *file == *path);
            libraries.push(Library { path: path.to_string(), address, debug_information });
        }
        Ok(Answer::Libraries(libraries, events))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gdb::mi::{Decoder, Record};

    #[test]
    fn what_came_and_went_is_in_the_record() {
        let line =
            b"*stopped,reason=\"solib-event\",added=[library=\"/a/b.so\",library=\"/c.so\"],removed=[library=\"/d\"]\n";
        let records = Decoder::default().push(line);
        let [Record::Async { results, .. }] = records.as_slice() else { panic!("{records:?}") };
        assert_eq!(paths(results, "added"), ["/a/b.so", "/c.so"]);
        assert_eq!(paths(results, "removed"), ["/d"]);
        assert!(paths(results, "frame").is_empty());
    }
}
