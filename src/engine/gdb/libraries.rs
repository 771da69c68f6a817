//! Libraries that come and go: what gdb is told to do about them, and what is told of them.
//!
//! gdb looks at every change of the linker's list itself. Whether it reads the symbols of what came, and so finds places
//! for breakpoints there, is its setting `auto-solib-add`; whether the change stops the rank, `stop-on-solib-events`. A
//! rank that steps is never stopped by a change: gdb could not go on with the step. What came is then told as it goes by.

use super::breakpoints::planted::Planted;
use super::known_libraries::{AT_FIRST, Libraries, Watching};
use super::mi::{Command, Kind, Results};
use super::session::fault::GdbError;
use super::session::link::News;
use super::state::{Begin, Debuggee, Goal, Phase};
use model::{Answer, Catch, Event, Library, LibraryMode, Point, RunSettings, VirtualAddress};
use std::sync::Arc;

/// The paths of `added=[library="…",…]`.
fn paths(results: &Results, name: &str) -> Vec<String> {
    let all = results.inside(name).into_iter().flat_map(|all| all.0.iter());
    all.filter_map(|(_, path)| path.as_text()).map(str::to_owned).collect()
}

impl Debuggee {
    /// From now on these settings hold.
    pub(super) fn configure(&mut self, settings: &RunSettings) -> Result<Answer, GdbError> {
        self.spec.settings = settings.clone();
        self.limit(settings.print)?;
        if self.phase == Phase::Stopped {
            self.watch_libraries(Goal::Go)?;
        }
        Ok(Answer::Ok)
    }

    /// Has gdb do with changes what the settings and the breakpoints ask for, while the rank goes on in this way.
    pub(super) fn watch_libraries(&mut self, goal: Goal) -> Result<(), GdbError> {
        self.libraries.moved = false;
        if self.libraries.fixed.is_none() {
            return Ok(());
        }
        let goes = goal == Goal::Go && !self.catches_libraries();
        let wanted = match self.spec.settings.libraries.mode() {
            LibraryMode::Slow => Watching { stops: goes, reads: true },
            // Only those that fit are read at once, which needs a stop.
            LibraryMode::Medium(_) => Watching { stops: goes, reads: !goes },
            LibraryMode::Fast => Watching { stops: false, reads: false },
            LibraryMode::Auto => {
                let waits = self.breakpoints.iter().any(|planted| self.waits_for_library(planted));
                Watching { stops: goes && waits, reads: waits }
            }
        };
        self.tell_watching(wanted)
    }

    fn tell_watching(&mut self, wanted: Watching) -> Result<(), GdbError> {
        let known = self.libraries.watching;
        let set = |name: &str, value: u8| Command::new("gdb-set").word(name).word(value);
        if known.stops != wanted.stops {
            self.link.ask(&set("stop-on-solib-events", wanted.stops.into()))?;
        }
        if known.reads != wanted.reads {
            self.link.ask(&set("auto-solib-add", wanted.reads.into()))?;
        }
        self.libraries.watching = wanted;
        Ok(())
    }

    /// gdb stops at changes by itself then, and says which catchpoint it was.
    fn catches_libraries(&self) -> bool {
        let mut points = self.breakpoints.iter().filter(|planted| planted.request.enabled);
        points.any(|planted| matches!(planted.request.point, Point::Catch(Catch::Load(_))))
    }

    /// Whether a library that comes may have a place for it: it has none yet, or one that may be unloaded and come again.
    fn waits_for_library(&self, planted: &Planted) -> bool {
        let may_go = |module: &Option<Arc<str>>| {
            let fixed = self.libraries.fixed.as_ref();
            module.as_ref().is_some_and(|module| fixed.is_some_and(|fixed| !fixed.contains(module)))
        };
        let placed = matches!(planted.request.point, Point::Place(_) | Point::Catch(Catch::Throw | Catch::Catch));
        let catches = planted.request.point.place().is_none();
        let sites = &planted.sites;
        placed && planted.request.enabled && (catches || sites.is_empty() || sites.iter().any(|s| may_go(&s.module)))
    }

    /// `=library-loaded` or `=library-unloaded`: gdb has noticed a change.
    pub(super) fn library_news(&mut self, loaded: bool, results: &Results) {
        self.modules.forget();
        let Watching { stops, reads } = self.libraries.watching;
        self.libraries.behind |= loaded && !reads;
        if self.libraries.fixed.is_none() {
            self.libraries.came_early = true;
        } else if !stops && reads && self.phase == Phase::Running {
            // The rank does not stop for it.
            self.libraries.events.seen += 1;
            let name: Vec<String> = results.text("target-name").map(str::to_owned).into_iter().collect();
            let tells = self.tells(if loaded { &name } else { &[] });
            if !tells {
                self.libraries.events.filtered += 1;
                return;
            }
            self.libraries.events.reported += 1;
            let (loaded, unloaded) = if loaded { (name, Vec::new()) } else { (Vec::new(), name) };
            self.report(Event::LibrariesChanged { loaded, unloaded });
        }
    }

    /// Whether the front end is told that these came.
    fn tells(&self, loaded: &[String]) -> bool {
        match self.spec.settings.libraries.mode() {
            LibraryMode::Slow => true,
            LibraryMode::Medium(globs) => loaded.iter().any(|name| globs.matches(name)),
            LibraryMode::Fast | LibraryMode::Auto => false,
        }
    }

    /// The rank has stopped for a change; whether it was one of those that we had asked for.
    pub(super) fn library_stop(&mut self, results: &Results) -> Result<bool, GdbError> {
        if !self.libraries.watching.stops || results.number("bkptno").is_some() {
            return Ok(false);
        }
        let (loaded, unloaded) = (paths(results, "added"), paths(results, "removed"));
        if loaded.is_empty() && unloaded.is_empty() {
            // On its way to one.
            self.go_on()?;
            return Ok(true);
        }
        self.libraries.events.seen += 1;
        if self.tells(&loaded) {
            self.libraries.events.reported += 1;
            self.phase = Phase::Waiting;
            self.report(Event::LibrariesChanged { loaded, unloaded });
            return Ok(true);
        }
        let looked = self.spec.settings.libraries.mode() == LibraryMode::Auto;
        let moved = std::mem::take(&mut self.libraries.moved) && looked;
        let count = &mut self.libraries.events;
        *(if moved { &mut count.reported } else { &mut count.filtered }) += 1;
        self.go_on()?;
        Ok(true)
    }

    /// The front end has been told of a change: its libraries are read, and the rank goes on.
    pub(super) fn reevaluate(&mut self) -> Result<Answer, GdbError> {
        if self.phase == Phase::Waiting {
            self.catch_up()?;
            self.go_on()?;
        }
        Ok(Answer::Ok)
    }

    /// Reads what came while nobody looked. Breakpoints that find their places are reported.
    pub(super) fn catch_up(&mut self) -> Result<(), GdbError> {
        if !std::mem::take(&mut self.libraries.behind) {
            return Ok(());
        }
        self.ask_if_known(&Command::console("sharedlibrary"))?;
        self.modules.forget();
        // What gdb knew of the place before it had these symbols is less than it knows now.
        self.frame = None;
        for news in std::mem::take(&mut self.link.news) {
            match news {
                News::Async(Kind::Notify, class, results) if class == "breakpoint-modified" => {
                    self.breakpoint_modified(&results);
                }
                other => self.link.news.push_back(other),
            }
        }
        Ok(())
    }

    /// The rank stops: what is loaded now at its first stop stays.
    pub(super) fn note_fixed(&mut self) {
        let (Some(pid), None) = (self.pid, &self.libraries.fixed) else { return };
        if self.begin != Begin::Done {
            return;
        }
        self.libraries.fixed = Some(self.modules.paths(pid));
        let listens = matches!(self.spec.settings.libraries.mode(), LibraryMode::Slow | LibraryMode::Medium(_));
        if listens && self.libraries.came_early {
            self.libraries.events.seen += 1;
            self.libraries.events.filtered += 1;
        }
    }

    /// The process has become another program, whose libraries are others.
    pub(super) fn forget_libraries(&mut self) -> Result<(), GdbError> {
        self.tell_watching(AT_FIRST)?;
        let events = self.libraries.events;
        self.libraries = Libraries { events, ..Libraries::default() };
        Ok(())
    }

    /// Loaded files.
    pub(super) fn loaded(&mut self) -> Result<Answer, GdbError> {
        let events = self.libraries.events;
        let Some(pid) = self.pid else { return Ok(Answer::Libraries(Vec::new(), events)) };
        let told = self.link.ask(&Command::new("file-list-exec-source-files").word("--group-by-objfile"));
        // Older ones do not group; then nothing is said of debug information.
        let with_lines: Vec<String> = match told {
            Ok(answered) => {
                let files = answered.results.inside("files").into_iter().flat_map(Results::parts);
                let lined = files.filter(|file| file.inside("sources").is_some_and(|sources| !sources.0.is_empty()));
                lined.filter_map(|file| file.text("filename")).map(str::to_owned).collect()
            }
            Err(GdbError::Refused(_)) => Vec::new(),
            Err(gone) => return Err(gone),
        };
        let paths = self.modules.paths(pid);
        let mut libraries = Vec::new();
        for path in paths {
            let address = self.modules.bias(self.pid, &path).map(VirtualAddress);
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
