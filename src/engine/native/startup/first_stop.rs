//! The stop before the program's own code: where it is wanted, and whether it is still to come.

use crate::first_stop::no_first_stop;
use crate::native::breakpoints::claims::Claim;
use crate::native::breakpoints::points::Breakpoints;
use crate::native::breakpoints::sites::Wanted;
use crate::native::inspect::inferior::Inferior;
use crate::native::ptrace::LaunchFailure;
use crate::native::tracer::outbox::RankReports;
use crate::process::procfs::executable;
use model::{Event, LocationSpec, Severity, Site, StopAt, raw_word};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::path::PathBuf;

/// Where the first stop is wanted in an executable.
pub(in crate::native) enum Begin {
    /// Nowhere in this one.
    Nowhere,
    /// In `main`, or in the main program that it calls.
    Main {
        /// Even when no symbol says where that is.
        guess: bool,
    },
    /// At a place.
    Place(Wanted),
    /// At a line of the file that `main` is in.
    Line(u32),
}

/// A number as C writes it.
fn address_in(text: &str) -> Option<u64> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// How a rank begins, and what keeps it from beginning.
#[derive(Debug, Default)]
pub(in crate::native) struct Startup {
    /// Why it could not execute, until it has.
    failure: Option<LaunchFailure>,
    /// The stop before the program's own code is still to come.
    awaits_stop: bool,
    /// It ran before it came to us, and outlives us unless it is killed by name.
    guest: bool,
    /// Why it cannot be debugged; it is about to end, or to be let go.
    refused: Option<String>,
}

impl Startup {
    /// Of a process that is to execute a program.
    pub(in crate::native) fn of_launched(failure: Option<LaunchFailure>) -> Self {
        Self { failure, awaits_stop: true, ..Self::default() }
    }

    /// Of a process that runs; `held`: for us, before its program's own code.
    pub(in crate::native) fn of_attached(held: bool) -> Self {
        Self { awaits_stop: held, guest: true, ..Self::default() }
    }

    /// Of a process that another engine had.
    pub(in crate::native) fn of_handed_over(guest: bool) -> Self {
        Self { guest, ..Self::default() }
    }

    pub(in crate::native) fn is_guest(&self) -> bool {
        self.guest
    }

    pub(in crate::native) fn awaits_stop(&self) -> bool {
        self.awaits_stop
    }

    pub(in crate::native) fn is_refused(&self) -> bool {
        self.refused.is_some()
    }

    /// It has executed its program.
    pub(in crate::native) fn executed(&mut self) {
        self.failure = None;
    }

    /// There will be no first stop.
    pub(in crate::native) fn skip_stop(&mut self) {
        self.awaits_stop = false;
    }

    /// Where the first stop is wanted in the program that the process is now; `first`: the one it was started as.
    pub(in crate::native) fn wanted_begin(&self, inferior: &Inferior, first: bool) -> Begin {
        match &inferior.spec.stop_at {
            _ if !self.awaits_stop => Begin::Nowhere,
            StopAt::Nowhere => Begin::Nowhere,
            // A script's interpreter is run through; a stripped program that was named itself is not.
            StopAt::Main => Begin::Main { guess: first && is_program_itself(inferior) },
            StopAt::Location(LocationSpec::Line(line)) => Begin::Line(*line),
            StopAt::Location(LocationSpec::Address(text)) => {
                // No thread can be asked yet for the value of an expression.
                address_in(text).map_or(Begin::Nowhere, |address| Begin::Place(Wanted::Address(address)))
            }
            StopAt::Location(spec) => Begin::Place(Wanted::Place(spec.clone())),
        }
    }

    /// A thread has come to these claims; whether this is the first stop.
    pub(in crate::native) fn arrive(
        &mut self,
        inferior: &mut Inferior,
        breakpoints: &mut Breakpoints,
        claims: &[Claim],
    ) -> bool {
        if !self.awaits_stop || !claims.contains(&Claim::Start) {
            return false;
        }
        self.awaits_stop = false;
        breakpoints.claims.remove_all(&mut inferior.process, |claim| *claim == Claim::Start);
        true
    }

    /// Whether the place of the first stop may come with a library.
    pub(in crate::native) fn waits_for_library(&self, inferior: &Inferior, breakpoints: &Breakpoints) -> bool {
        self.awaits_stop
            && matches!(inferior.spec.stop_at, StopAt::Location(_))
            && !breakpoints.claims.any(|claim| *claim == Claim::Start)
    }

    /// What libraries are searched for, for the first stop.
    pub(in crate::native) fn wanted_in_library(&self, inferior: &Inferior) -> Option<Wanted> {
        match &inferior.spec.stop_at {
            StopAt::Location(spec) if self.awaits_stop && is_of_files(spec) => Some(Wanted::Place(spec.clone())),
            _ => None,
        }
    }

    /// The place of the first stop came with a library.
    pub(in crate::native) fn place(&self, inferior: &mut Inferior, breakpoints: &mut Breakpoints, sites: &[Site]) {
        for address in sites.iter().filter_map(|site| site.address) {
            let known = breakpoints.claims.at(address.0).contains(&Claim::Start);
            if !known && self.awaits_stop {
                // What cannot be inserted is said of breakpoints; the program runs on without this stop.
                let _ = breakpoints.claims.add(&mut inferior.process, address.0, Claim::Start);
            }
        }
    }

    /// Says that the place of the first stop is nowhere, now that the program and the libraries it is linked with have
    /// been looked through.
    pub(in crate::native) fn miss(
        &self,
        inferior: &Inferior,
        breakpoints: &Breakpoints,
        reports: &mut RankReports<'_>,
    ) {
        let StopAt::Location(place) = &inferior.spec.stop_at else { return };
        if !self.waits_for_library(inferior, breakpoints) {
            return;
        }
        let program = inferior.images().executable().map_or("the program", |program| &program.name);
        reports.event(Event::Message(Severity::Warning, no_first_stop(place, program)));
    }

    /// A program that is no use to anybody under this engine does not run: it ends, unless it ran before it came to us, or
    /// has been debugged so far. Whether it is to be let go.
    pub(in crate::native) fn refuse(
        &mut self,
        inferior: &Inferior,
        reports: &mut RankReports<'_>,
        why: String,
    ) -> bool {
        if self.guest {
            self.refused = Some(why);
        } else if self.awaits_stop {
            self.refused = Some(why);
            // It ends when it is continued; one that is gone is what we want.
            let _ = kill(Pid::from_raw(inferior.process.pid()), Signal::SIGKILL);
        } else {
            reports.event(Event::Message(Severity::Error, why));
        }
        self.guest
    }

    /// What the end of the process is to be called: one that was refused or `never_ran` has failed.
    pub(in crate::native) fn end(&mut self, end: Event, never_ran: bool) -> Event {
        let refusal = self.refused.take();
        let reason = self.failure.take().filter(|_| never_ran).and_then(|failure| failure.reason());
        reason.map(|error| error.message).or(refusal).map_or(end, Event::Failed)
    }

    /// Says of a rank that has ended why it has not stopped at first, as everybody expects.
    pub(in crate::native) fn tell_missed(&self, inferior: &Inferior, reports: &mut RankReports<'_>, end: &Event) {
        let ran = inferior.program.generation > 0 && self.awaits_stop && self.refused.is_none();
        if !ran || inferior.spec.stop_at != StopAt::Main || !matches!(end, Event::Exited(_)) {
            return;
        }
        let Some(program) = inferior.images().executable() else { return };
        let message = format!(
            "ended before its first stop: {} ran to its end and started no program that has a main function with \
                symbols; run the program itself, or choose a location with --stop-at",
            program.name
        );
        reports.event(Event::Message(Severity::Warning, message));
    }
}

/// Whether a location is one that a file may have.
pub(in crate::native) fn is_of_files(location: &LocationSpec) -> bool {
    matches!(location, LocationSpec::Function(_) | LocationSpec::FileLine { .. })
}

fn is_program_itself(inferior: &Inferior) -> bool {
    let running = executable(inferior.process.pid());
    let named = PathBuf::from(raw_word(&inferior.spec.program));
    running.file_name() == std::fs::canonicalize(&named).unwrap_or(named).file_name()
}
