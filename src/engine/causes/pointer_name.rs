//! The name of the pointer, or of the element of an array, that led to a wrong address.

use super::dereferences::{Dereferences, Element};
use super::failed_thread::FailedThread;
use debuginfo::named_file;
use std::ops::Range;

/// An expression that led to a wrong address.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Culprit {
    /// An expression with the value of a null pointer.
    Null(String),
    /// An expression with the value of another wrong pointer.
    Pointer(String),
    /// An element of an array, and the values of its indices: `i = 4000002`.
    Element(String, String),
}

/// Returns the line that the thread is executing, if its names are those of the innermost frame.
pub(super) fn executed_line(thread: &dyn FailedThread) -> Option<String> {
    if !thread.executes_own_line() {
        return None;
    }
    let innermost = thread.frames(1);
    let place = innermost.first()?.source.as_ref()?;
    let text = named_file::source(&thread.source_path(&place.file)).ok()?;
    text.lines().nth(place.line.checked_sub(1)? as usize).map(str::to_owned)
}

/// Finds the expression that holds a wrong pointer, if the line being executed follows exactly one that does, and no
/// pointer that cannot be read; otherwise the element that lies at a wrong address, if there is exactly one.
pub(super) fn culprit(
    thread: &dyn FailedThread,
    line: &Dereferences<'_>,
    is_wrong: impl Fn(u64) -> bool,
    is_at: impl Fn(Range<u64>) -> bool,
) -> Option<Culprit> {
    let Dereferences { pointers, elements } = line;
    let (mut wrong, mut unreadable) = (Vec::new(), Vec::new());
    for pointer in pointers {
        // An array stands for its address, which nothing holds.
        let is_array = |held| thread.value(&format!("&({pointer})")) == Some(held);
        match thread.value(pointer) {
            Some(held) if is_wrong(held) && !is_array(held) => wrong.push((*pointer, held)),
            Some(_) => {}
            None => unreadable.push(*pointer),
        }
    }
    match wrong.as_slice() {
        [] => {}
        [(first, held)] if unreadable.iter().all(|pointer| is_reached_by(pointer, first)) => {
            let of = if *held == 0 { Culprit::Null } else { Culprit::Pointer };
            return Some(of((*first).to_owned()));
        }
        // Another one may be to blame.
        _ if unreadable.is_empty() => return None,
        _ => {}
    }
    let mut wrong = elements.iter().filter(|element| extent(thread, element).is_some_and(&is_at));
    let element = wrong.next().filter(|element| !element.indices.is_empty())?;
    if wrong.next().is_some() {
        return None;
    }
    let index = |text: &&str| Some(format!("{text} = {}", thread.value(text)? as i64));
    let values: Option<Vec<String>> = element.indices.iter().map(index).collect();
    Some(Culprit::Element(element.text.to_owned(), values?.join(", ")))
}

/// True if a line reaches one pointer by following another.
pub(super) fn is_reached_by(reached: &str, by: &str) -> bool {
    reached.strip_prefix(by).is_some_and(|rest| rest.starts_with("->") || rest.starts_with('['))
}

/// Returns the addresses of an element, whether there is memory or not.
fn extent(thread: &dyn FailedThread, element: &Element<'_>) -> Option<Range<u64>> {
    let start = thread.value(&format!("&({})", element.text))?;
    let size = thread.value(&format!("sizeof({})", element.text))?;
    Some(start..start.checked_add(size)?)
}
