//! The first stop, before the program's own code: its place, and the state of the startup until then.

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

/// The place of the first stop in an executable.
pub(in crate::native) enum Begin {
    /// No stop in this executable.
    Nowhere,
    /// In `main`, or in the main program that it calls.
    Main {
        /// True if the place may be guessed when there is no symbol.
        guess: bool,
    },
    Place(Wanted),
    /// At a line of the file that defines `main`.
    Line(u32),
}

/// Parses a number in C notation.
fn address_in(text: &str) -> Option<u64> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// The state of a rank's startup, and the reason if it fails.
#[derive(Debug, Default)]
pub(in crate::native) struct Startup {
    /// Reports why the exec failed; `None` once the program has been executed.
    failure: Option<LaunchFailure>,
    /// True until the first stop.
    awaits_stop: bool,
    /// True for an attached process, which outlives the debugger unless the user kills it.
    guest: bool,
    /// True until the launcher that held an attached process has continued it: it sends SIGCONT, as we do.
    awaits_launcher: bool,
    /// Set if it cannot be debugged; holds the reason. The process is about to end or to be detached.
    refused: Option<String>,
}

impl Startup {
    pub(in crate::native) fn of_launched(failure: Option<LaunchFailure>) -> Self {
        Self { failure, awaits_stop: true, ..Self::default() }
    }

    /// The startup of a running process; `held` if it waits for us before its program's own code.
    pub(in crate::native) fn of_attached(held: bool) -> Self {
        Self { awaits_stop: held, guest: true, awaits_launcher: held, ..Self::default() }
    }

    pub(in crate::native) fn of_handed_over(guest: bool) -> Self {
        Self { guest, ..Self::default() }
    }

    pub(in crate::native) fn is_guest(&self) -> bool {
        self.guest
    }

    /// True if this signal is the one with which the launcher continues the process that it held; that is so once.
    pub(in crate::native) fn is_of_launcher(&mut self, signal: i32) -> bool {
        signal == nix::libc::SIGCONT && std::mem::take(&mut self.awaits_launcher)
    }

    pub(in crate::native) fn awaits_stop(&self) -> bool {
        self.awaits_stop
    }

    pub(in crate::native) fn is_refused(&self) -> bool {
        self.refused.is_some()
    }

    /// Notes that the program has been executed.
    pub(in crate::native) fn executed(&mut self) {
        self.failure = None;
    }

    pub(in crate::native) fn skip_stop(&mut self) {
        self.awaits_stop = false;
    }

    /// Returns the place of the first stop in the current program; `first` if it is the program that was launched.
    pub(in crate::native) fn wanted_begin(&self, inferior: &Inferior, first: bool) -> Begin {
        match &inferior.spec.stop_at {
            _ if !self.awaits_stop => Begin::Nowhere,
            StopAt::Nowhere | StopAt::FirstInstruction => Begin::Nowhere,
            // Guess in a stripped program that the user named, but not in the interpreter of a script.
            StopAt::Main => Begin::Main { guess: first && is_program_itself(inferior) },
            StopAt::Location(LocationSpec::Line(line)) => Begin::Line(*line),
            StopAt::Location(LocationSpec::Address(text)) => {
                // No thread can evaluate an expression yet.
                address_in(text).map_or(Begin::Nowhere, |address| Begin::Place(Wanted::Address(address)))
            }
            StopAt::Location(spec) => Begin::Place(Wanted::Place(spec.clone())),
        }
    }

    /// True if the first stop is here, at the first instruction of the process.
    pub(in crate::native) fn begins_here(&mut self, inferior: &Inferior) -> bool {
        let begins = self.awaits_stop && inferior.spec.stop_at == StopAt::FirstInstruction;
        self.awaits_stop &= !begins;
        begins
    }

    /// Handles a thread's arrival at these claims. True if this is the first stop.
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

    /// True if the place of the first stop may be in a library that is not loaded yet.
    pub(in crate::native) fn waits_for_library(&self, inferior: &Inferior, breakpoints: &Breakpoints) -> bool {
        self.awaits_stop
            && matches!(inferior.spec.stop_at, StopAt::Location(_))
            && !breakpoints.claims.any(|claim| *claim == Claim::Start)
    }

    /// Returns the place of the first stop to search for in libraries.
    pub(in crate::native) fn wanted_in_library(&self, inferior: &Inferior) -> Option<Wanted> {
        match &inferior.spec.stop_at {
            StopAt::Location(spec) if self.awaits_stop && is_of_files(spec) => Some(Wanted::Place(spec.clone())),
            _ => None,
        }
    }

    /// Inserts traps for the first stop at these sites in a library.
    pub(in crate::native) fn place(&self, inferior: &mut Inferior, breakpoints: &mut Breakpoints, sites: &[Site]) {
        for address in sites.iter().filter_map(|site| site.address) {
            let known = breakpoints.claims.at(address.0).contains(&Claim::Start);
            if !known && self.awaits_stop {
                // Failures are reported for breakpoints; without this trap the program continues without a first stop.
                let _ = breakpoints.claims.add(&mut inferior.process, address.0, Claim::Start);
            }
        }
    }

    /// Reports that the place of the first stop was not found in the program or the libraries that it is linked with.
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

    /// Refuses a program that this engine cannot debug: kills it before its first stop, and only reports the reason
    /// after that. True if it was attached, and is to be detached instead.
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
            // It ends when it is continued; an error means that it has ended already.
            let _ = kill(Pid::from_raw(inferior.process.pid()), Signal::SIGKILL);
        } else {
            reports.event(Event::Message(Severity::Error, why));
        }
        self.guest
    }

    /// Returns the event that reports the end of the process: one that was refused or `never_ran` has failed.
    pub(in crate::native) fn end(&mut self, end: Event, never_ran: bool) -> Event {
        let refusal = self.refused.take();
        let reason = self.failure.take().filter(|_| never_ran).and_then(|failure| failure.reason());
        reason.map(|error| error.message).or(refusal).map_or(end, Event::Failed)
    }

    /// Reports why a rank that has ended did not make its first stop.
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

/// True if a location can be found in a file.
pub(in crate::native) fn is_of_files(location: &LocationSpec) -> bool {
    matches!(location, LocationSpec::Function(_) | LocationSpec::FileLine { .. })
}

fn is_program_itself(inferior: &Inferior) -> bool {
    let running = executable(inferior.process.pid());
    let named = PathBuf::from(raw_word(&inferior.spec.program));
    running.file_name() == std::fs::canonicalize(&named).unwrap_or(named).file_name()
}
