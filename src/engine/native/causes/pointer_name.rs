//! The name of the pointer that led to a wrong address.

use super::dereferences::dereferences;
use crate::native::inspect::StoppedThread;
use debuginfo::named_file;
use model::Failure;
use std::path::Path;

/// Returns the expression that holds such a pointer, if the line being executed follows exactly one that does, and no
/// pointer that cannot be read.
pub(super) fn pointer_name(thread: &StoppedThread<'_>, is_wrong: impl Fn(u64) -> bool) -> Option<String> {
    let found = thread.frame(0).ok()?;
    let place = found.frame.source.as_ref()?;
    let text = named_file::source(Path::new(&*place.file)).ok()?;
    let line = text.lines().nth(place.line.checked_sub(1)? as usize)?;
    let pointers = dereferences(line)?;
    let held = |pointer: &&str| -> Result<u64, Failure> {
        thread.at(0, |view| Ok(view.parse(pointer)?.evaluate(&view.eval())?.as_address(&view.eval())?.0))
    };
    let held: Vec<u64> = pointers.iter().map(held).collect::<Result<_, _>>().ok()?;
    let mut wrong = pointers.iter().zip(held).filter(|(_, value)| is_wrong(*value)).map(|(pointer, _)| *pointer);
    let first = wrong.next()?;
    wrong.next().is_none().then(|| first.to_owned())
}
