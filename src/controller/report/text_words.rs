//! Text that lines of several kinds share.

use crate::sets::scope_of;
use model::{Cause, CauseKind, CodePlace, Frame, ProcessSet, RankThreads, SourcePlace, Termination, UserFrame};

/// Returns the command line with a caret below the place.
pub fn marked(line: &str, position: usize) -> [String; 2] {
    let line: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let before: String = line.chars().take(position).collect();
    let width = unicode_width::UnicodeWidthStr::width(before.as_str());
    [format!("  {line}"), format!("  {}^", " ".repeat(width))]
}

/// The characters that a set of ranks takes at most in a line: the line is about more than that.
const LONGEST_SET: usize = 64;

/// Formats a set of ranks: as ranges, or of a scattered set as `394 ranks`.
pub(super) fn set_words(ranks: &ProcessSet) -> String {
    ranks.to_text_within(LONGEST_SET).unwrap_or_else(|| format!("{} ranks", ranks.len()))
}

pub(super) fn of(ranks: &ProcessSet, text: impl AsRef<str>) -> String {
    if ranks.is_empty() { text.as_ref().to_owned() } else { format!("[{}] {}", set_words(ranks), text.as_ref()) }
}

/// Writes threads before a text: `[0-3.{2-4}] main`, or `[0-3] main (9 threads)` if the ranks have different ones.
pub(super) fn of_threads(threads: &RankThreads, text: impl AsRef<str>) -> String {
    let text = text.as_ref();
    match scope_of(threads) {
        Some((ranks, None)) => of(&ranks, text),
        Some((ranks, Some(group))) => format!("[{}.{}] {text}", set_words(&ranks), group.spelled()),
        None => of(&threads.ranks(), format!("{text} ({} threads)", threads.count())),
    }
}

pub(super) fn prefixed(ranks: &ProcessSet, text: &str) -> Vec<String> {
    text.lines().map(|line| if line.is_empty() { String::new() } else { of(ranks, line) }).collect()
}

/// Returns the last component of a path.
pub(super) fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Formats ` at ring.c:12` or ` from libc.so.6`; empty if nothing is known.
pub(super) fn place(source: Option<&SourcePlace>, code: Option<&CodePlace>) -> String {
    match (source, code.and_then(|code| code.module.as_deref())) {
        (Some(place), _) => format!(" at {}:{}", base(&place.file), place.line),
        (None, Some(module)) => format!(" from {}", base(module)),
        (None, None) => String::new(),
    }
}

/// Formats the place of a frame: `kernel at ring.c:12`.
pub fn frame_place(frame: &Frame) -> String {
    frame_place_with(frame, None)
}

/// Formats the place of a frame with its arguments: `kernel (n=3) at ring.c:12`.
pub(super) fn frame_place_with(frame: &Frame, arguments: Option<&str>) -> String {
    let function = frame.function.as_deref().unwrap_or("??");
    let arguments = arguments.map_or_else(String::new, |arguments| format!(" {arguments}"));
    // `<signal handler called>` marks a place on the stack: it is in no file.
    let code = (!function.starts_with('<')).then_some(&frame.code);
    format!("{function}{arguments}{}", place(frame.source.as_ref(), code))
}

/// Formats the place of the user's code that called a library: `in MPI_Recv at ring.c:12`.
pub(super) fn user_place(user: &UserFrame) -> String {
    format!("in {}{}", user.call.as_deref().unwrap_or("??"), place(user.frame.source.as_ref(), None))
}

/// Returns the mark of an inlined or guessed frame.
pub(super) fn frame_mark(frame: &Frame) -> &'static str {
    match (frame.inlined, frame.guessed) {
        (true, true) => " (inlined, guessed)",
        (true, false) => " (inlined)",
        (false, true) => " (guessed)",
        (false, false) => "",
    }
}

/// Formats `killed by SIGKILL (out of memory: ...)`.
pub fn killed_words(termination: &Termination) -> String {
    let cause = termination.cause.as_deref().map_or_else(String::new, |cause| format!(" ({})", cause_words(cause)));
    format!("killed by {}{cause}", termination.signal)
}

/// Formats `assertion "n > 0" failed, check.c:20`.
pub fn cause_words(cause: &Cause) -> String {
    let text = cause.text.trim();
    let first = text.lines().next().unwrap_or_default();
    let text = if first.len() == text.len() { first.to_owned() } else { format!("{first} \u{2026}") };
    let words = match cause.kind {
        CauseKind::Assert => format!("assertion \"{text}\" failed"),
        _ => text,
    };
    match &cause.source {
        Some(place) => format!("{words}, {}:{}", base(&place.file), place.line),
        None => words,
    }
}
