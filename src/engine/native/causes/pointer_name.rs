//! The name of the pointer, or of the element of an array, that led to a wrong address.

use super::dereferences::{Dereferences, Element, dereferences};
use crate::native::inspect::StoppedThread;
use debuginfo::named_file;
use model::Failure;
use std::ops::Range;
use std::path::Path;

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

/// Finds the expression that holds a wrong pointer, if the line being executed follows exactly one that does, and no
/// pointer that cannot be read; otherwise the element that lies at a wrong address, if there is exactly one.
pub(super) fn culprit(
    thread: &StoppedThread<'_>,
    is_wrong: impl Fn(u64) -> bool,
    is_at: impl Fn(Range<u64>) -> bool,
) -> Option<Culprit> {
    let found = thread.frame(0).ok()?;
    let place = found.frame.source.as_ref()?;
    let text = named_file::source(Path::new(&*place.file)).ok()?;
    let line = text.lines().nth(place.line.checked_sub(1)? as usize)?;
    let Dereferences { pointers, elements } = dereferences(line)?;
    let held = |pointer: &&str| value(thread, pointer);
    let held: Option<Vec<u64>> = pointers.iter().map(held).collect::<Result<_, _>>().ok();
    if let Some(held) = held {
        // An array stands for its address, which nothing holds.
        let is_array = |pointer: &str, held| value(thread, &format!("&({pointer})")).is_ok_and(|own| own == held);
        let wrong = pointers.iter().zip(held).filter(|(_, held)| is_wrong(*held));
        let mut wrong = wrong.filter(|(pointer, held)| !is_array(pointer, *held));
        if let Some((first, address)) = wrong.next() {
            let of = if address == 0 { Culprit::Null } else { Culprit::Pointer };
            return wrong.next().is_none().then(|| of((*first).to_owned()));
        }
    }
    let mut wrong = elements.iter().filter(|element| extent(thread, element).is_some_and(&is_at));
    let element = wrong.next().filter(|element| !element.indices.is_empty())?;
    if wrong.next().is_some() {
        return None;
    }
    let index = |text: &&str| Some(format!("{text} = {}", value(thread, text).ok()? as i64));
    let values: Option<Vec<String>> = element.indices.iter().map(index).collect();
    Some(Culprit::Element(element.text.to_owned(), values?.join(", ")))
}

/// Returns the value of a pointer or of an integer, the address of an array.
fn value(thread: &StoppedThread<'_>, expression: &str) -> Result<u64, Failure> {
    thread.at(0, |view| Ok(view.parse(expression)?.evaluate(&view.eval())?.as_address(&view.eval())?.0))
}

/// Returns the addresses of an element, whether there is memory or not.
fn extent(thread: &StoppedThread<'_>, element: &Element<'_>) -> Option<Range<u64>> {
    let start = value(thread, &format!("&({})", element.text)).ok()?;
    let size = value(thread, &format!("sizeof({})", element.text)).ok()?;
    Some(start..start.checked_add(size)?)
}
