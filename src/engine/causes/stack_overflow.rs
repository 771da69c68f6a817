//! Stacks that are full: by recursion, or by a function that needs more than there is.

use super::failed_thread::FailedThread;
use super::fatal_signal::{FatalSignal, UNMAPPED};
use super::memory_map::MemoryMap;
use model::{Cause, CauseKind};
use std::collections::BTreeMap;

/// The number of frames in which a recursion is looked for.
const FRAMES: u32 = 65;
/// The number of frames of one function that make a recursion.
const AGAIN: usize = 3;
/// The maximum number of functions named.
const NAMED: usize = 3;
/// Compilers check for room this far below the stack pointer.
const PROBED: u64 = 64 << 10;

/// Returns the cause of an access to a wrong address if the thread's stack has no room for it.
pub(super) fn cause(signal: &FatalSignal, thread: &dyn FailedThread, map: &MemoryMap) -> Option<Cause> {
    let address = signal.address()?;
    let sp = thread.registers().sp()?.0;
    if address < sp.saturating_sub(PROBED) {
        return None;
    }
    let frames = thread.frames(FRAMES);
    // The return address of the innermost function is on the stack, even if there was no room for its variables.
    let caller = thread.frame_address()?.checked_sub(8)?;
    let stack = map.mapping(caller).filter(|stack| stack.changes)?;
    // A debugger that reads the memory below the stack makes it grow, within the debugger's own limit.
    let has_grown = stack.name == "[stack]" && signal.code() == Some(UNMAPPED) && address < stack.end;
    if address >= stack.start && !has_grown {
        return None;
    }
    let functions: Vec<&str> = frames.iter().filter_map(|frame| frame.function.as_deref()).collect();
    // Only the first thread's stack has a known size: that of others may be mapped as one with their neighbours.
    let size = (stack.name == "[stack]").then(|| map.stack_limit().unwrap_or(stack.end - stack.start));
    let full = size.map_or("the stack is full".to_owned(), |size| format!("the stack of {} is full", readable(size)));
    let words = match recursion(&functions).as_slice() {
        [] if caller.saturating_sub(sp) > PROBED => {
            let function = functions.first().unwrap_or(&"??");
            let size = size.map_or_else(String::new, |size| format!(", the stack has {}", readable(size)));
            format!("{function} has {} or more of local variables{size}", readable(caller - sp))
        }
        [] => full,
        [one] => format!("{one} calls itself, {full}"),
        several => format!("{} call each other, {full}", listed(several)),
    };
    Some(Cause { kind: CauseKind::StackOverflow, text: format!("stack overflow: {words}"), source: None })
}

/// Returns the functions that are on the stack again and again, in the order of their names: ranks stop at different
/// depths of the same recursion.
fn recursion<'a>(functions: &[&'a str]) -> Vec<&'a str> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for function in functions {
        *counts.entry(function).or_default() += 1;
    }
    counts.into_iter().filter(|(_, count)| *count >= AGAIN).map(|(name, _)| name).collect()
}

/// Formats `a, b and c`.
fn listed(names: &[&str]) -> String {
    match names {
        [first @ .., last] if names.len() <= NAMED => format!("{} and {last}", first.join(", ")),
        _ => {
            let shown = names.get(..NAMED).unwrap_or_default().join(", ");
            format!("{shown} and {} more", names.len().saturating_sub(NAMED))
        }
    }
}

/// Formats a size with three digits at least: `8 MiB`, `97.7 MiB`.
fn readable(bytes: u64) -> String {
    let units = [("GiB", 30), ("MiB", 20), ("KiB", 10)];
    let Some((unit, shift)) = units.into_iter().find(|(_, shift)| bytes >> shift > 0) else {
        return format!("{bytes} bytes");
    };
    let tenths = (u128::from(bytes) * 10) >> shift;
    match (tenths / 10, tenths % 10) {
        (whole, 0) => format!("{whole} {unit}"),
        (whole, tenth) => format!("{whole}.{tenth} {unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recursion_is_seen_whichever_function_is_innermost() {
        let one = ["memset", "descend", "descend", "descend", "main"];
        assert_eq!(recursion(&one), ["descend"]);
        let two = ["odd", "even", "odd", "even", "odd", "even"];
        assert_eq!(recursion(&two), ["even", "odd"]);
        assert_eq!(recursion(&[&["leaf", "even"][..], &two].concat()), ["even", "odd"]);
        assert!(recursion(&["a", "b", "a", "b"]).is_empty());
    }

    #[test]
    fn functions_and_sizes_are_short() {
        assert_eq!(listed(&["a", "b"]), "a and b");
        assert_eq!(listed(&["a", "b", "c", "d", "e"]), "a, b, c and 2 more");
        let sizes = [8 << 20, 100_000_000, 132 << 10, 100, u64::MAX].map(readable);
        assert_eq!(sizes, ["8 MiB", "95.3 MiB", "132 KiB", "100 bytes", "17179869183.9 GiB"]);
    }
}
