//! Short texts for states and places.

use crate::screen::columns;
use crate::values::Piece;
use controller::report::{cause_words, killed_words, watched_words};
use model::aif::FormatOptions;
use model::{Caught, Frame, PrintOptions, ProcessState, SourcePlace, StopReason};

pub(crate) fn base_name(path: &str) -> &str {
    path.rsplit('/').find(|part| !part.is_empty()).unwrap_or(path)
}

/// The location as `ring.c:12`.
pub(crate) fn place_words(place: &SourcePlace) -> String {
    format!("{}:{}", base_name(&place.file), place.line)
}

/// The name of a frame's function, or the location of its code.
pub(crate) fn function_words(frame: &Frame) -> String {
    match (&frame.function, &frame.code.module) {
        (Some(function), _) => function.to_string(),
        (None, Some(module)) => format!("{}+{:#x}", base_name(module), frame.code.offset),
        (None, None) => format!("{:#x}", frame.code.offset),
    }
}

/// The line for frames of libraries, `MPI_Allreduce … 8 frames`; without the last word if that does not fit.
pub(crate) fn folded_words(name: &str, count: &str, cut: char, room: usize) -> String {
    let short = format!("{name} {cut} {count}");
    let whole = format!("{short} frames");
    if columns(&whole) <= room { whole } else { short }
}

pub(crate) fn reason_words(reason: &StopReason, limits: PrintOptions) -> String {
    match reason {
        StopReason::Breakpoint(id) => format!("breakpoint {id}"),
        StopReason::Watchpoint(id, watched) => {
            format!("watchpoint {id}{}", watched_words(watched, &FormatOptions::within(limits)))
        }
        StopReason::Caught(_, Caught::Signal(name)) => format!("caught {name}"),
        StopReason::Caught(_, Caught::Float(trap)) => {
            trap.exceptions.iter().map(|kind| kind.description()).collect::<Vec<_>>().join(", ")
        }
        StopReason::Caught(_, Caught::Call(call)) => call.to_string(),
        StopReason::Caught(_, caught) => format!("caught {}", caught.word()),
        StopReason::Step => "stepped".to_owned(),
        StopReason::Finished(None) => "returned".to_owned(),
        StopReason::Finished(Some(value)) => format!("returned {}", Piece::of(value).text(limits)),
        StopReason::Signal(name) => name.to_string(),
        StopReason::Error => "error".to_owned(),
        StopReason::Interrupted => "halted".to_owned(),
        StopReason::Start => "started".to_owned(),
        StopReason::Attached => "attached".to_owned(),
        StopReason::Barrier(id) => format!("barrier {id}"),
    }
}

/// The note of a stop; in gdb's about a condition, the breakpoint is left out, since it is in the row above.
pub(crate) fn note_words(note: &str) -> String {
    match note.strip_prefix("Error in testing condition for ").and_then(|rest| rest.split_once(": ")) {
        Some((_, why)) => format!("condition: {why}"),
        None => note.to_owned(),
    }
}

/// The state and place of ranks, without the note of a stop, which needs a row of its own to be read.
pub(crate) fn state_words(state: &ProcessState, limits: PrintOptions) -> String {
    match state {
        ProcessState::Stopped(stop) => {
            let mut words = reason_words(&stop.reason, limits);
            if let Some(cause) = &stop.cause {
                words += &format!(": {}", cause_words(cause));
            }
            words += &match stop.shown_user() {
                Some(user) => format!("  in {}", user.call.as_deref().unwrap_or("??")),
                None => format!("  {}", function_words(&stop.frame)),
            };
            if let Some(place) = &stop.shown_frame().source {
                words += &format!("  {}", place_words(place));
            } else if let Some(module) = stop.frame.code.module.as_deref().filter(|_| stop.frame.function.is_some()) {
                words += &format!("  {}", base_name(module));
            }
            words
        }
        ProcessState::Starting => "starting".to_owned(),
        ProcessState::Running => "running".to_owned(),
        ProcessState::Exited(code) => format!("exited with {code}"),
        ProcessState::Killed(termination) => killed_words(termination),
        ProcessState::Detached => "detached".to_owned(),
        ProcessState::Failed(message) => format!("failed: {message}"),
        ProcessState::Lost(message) => format!("lost: {message}"),
    }
}

/// Quotes a word of the command language if it has blanks.
pub(crate) fn quoted(word: &str) -> String {
    if word.contains(char::is_whitespace) { format!("\"{word}\"") } else { word.to_owned() }
}
