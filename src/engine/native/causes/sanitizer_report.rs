//! Reports of sanitizers, by the summary with which each report ends.

use super::call_arguments::text_argument;
use crate::causes::abort_message::FRAMES;
use crate::named_place::named_place;
use crate::native::inspect::StoppedThread;
use model::{Cause, CauseKind};

/// Returns the cause of a stop at the function that prints a summary.
pub(super) fn cause(thread: &StoppedThread<'_>) -> Option<Cause> {
    let summary = text_argument(thread, 0)?;
    let summary = Summary::parse(summary.strip_prefix("SUMMARY: ")?);
    let source = summary.place.map(|(file, line)| named_place(&thread.frames(FRAMES), file, line));
    Some(Cause { kind: CauseKind::Sanitizer, text: summary.text, source })
}

/// The summary of a report, such as `AddressSanitizer: heap-use-after-free list.c:12:5 in unlink`.
#[derive(Debug, PartialEq, Eq)]
struct Summary<'a> {
    /// The summary without the place.
    text: String,
    place: Option<(&'a str, u32)>,
}

impl<'a> Summary<'a> {
    fn parse(summary: &'a str) -> Self {
        let summary = summary.trim_end();
        let (what, function) = summary.rsplit_once(" in ").map_or((summary, None), |(what, name)| (what, Some(name)));
        let (kind, place) = match (what.split_once(" ("), what.rsplit_once(' ')) {
            _ if function.is_none() => (summary, None),
            // A module and an offset in it.
            (Some((kind, module)), _) if module.contains("+0x") => (kind, None),
            (_, Some((kind, place))) => source(place).map_or((what, None), |place| (kind, Some(place))),
            _ => (what, None),
        };
        let place = place.filter(|(file, _)| !is_of_sanitizer(file));
        Self { text: function.map_or_else(|| kind.to_owned(), |name| format!("{kind} in {name}")), place }
    }
}

/// Parses `list.c:12` and `list.c:12:5`.
fn source(place: &str) -> Option<(&str, u32)> {
    fn number(place: &str) -> Option<(&str, u32)> {
        let (rest, digits) = place.rsplit_once(':')?;
        Some((rest, digits.parse().ok()?))
    }
    let (rest, last) = number(place)?;
    number(rest).or(Some((rest, last))).filter(|(file, line)| !file.is_empty() && *line > 0)
}

/// True for the source of the sanitizers, whose functions stand for those of the C library.
fn is_of_sanitizer(file: &str) -> bool {
    ["/libsanitizer/", "/compiler-rt/", "/sanitizer_common/"].iter().any(|part| file.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(summary: &str, text: &str, place: Option<(&str, u32)>) {
        assert_eq!(Summary::parse(summary), Summary { text: text.to_owned(), place });
    }

    #[test]
    fn summaries_are_taken_apart() {
        let overflow = "AddressSanitizer: heap-buffer-overflow";
        check(&format!("{overflow} /a/list.c:12 in unlink"), &format!("{overflow} in unlink"), Some(("/a/list.c", 12)));
        check(&format!("{overflow} list.c:12:5 in A::f()"), &format!("{overflow} in A::f()"), Some(("list.c", 12)));
        check(&format!("{overflow} (/a/app+0x11f9) in main"), &format!("{overflow} in main"), None);
        check(&format!("{overflow} (/a/app+0x11f9) (BuildId: 1f) in main"), &format!("{overflow} in main"), None);
        let race = "ThreadSanitizer: data race";
        check(&format!("{race} race.cpp:7:3 in worker"), &format!("{race} in worker"), Some(("race.cpp", 7)));
        let leaks = "AddressSanitizer: 48 byte(s) leaked in 2 allocation(s).";
        check(leaks, leaks, None);
        let free = "../../../../src/libsanitizer/asan/asan_malloc_linux.cpp:52 in __interceptor_free";
        check(&format!("AddressSanitizer: bad-free {free}"), "AddressSanitizer: bad-free in __interceptor_free", None);
        for odd in ["", " in ", ":", "a in b", "a :1 in b", "a x:0 in b"] {
            assert_eq!(Summary::parse(odd).place, None, "{odd}");
        }
    }
}
