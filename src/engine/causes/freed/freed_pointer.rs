//! Recognises accesses through pointers to memory that was freed, and through what malloc has written there.

use super::free_block::FreeBlock;
use super::free_blocks::{FreeBlocks, Written};
use crate::causes::dereferences::Dereferences;
use crate::causes::failed_thread::FailedThread;
use crate::causes::faulting_instruction::FaultingInstruction;
use crate::causes::memory_map::MemoryMap;
use crate::causes::pointer_name::{Culprit, is_reached_by};
use model::{Cause, CauseKind};

/// The maximum offset of a virtual function from the pointer that an object has.
const OFFSET: u64 = 4096;

/// Returns the cause of an access to a wrong address if a pointer of this line leads to freed memory, or if the wrong
/// pointer was read there. `line`: the pointers that the line follows, if it is understood.
pub(in crate::causes) fn cause(
    thread: &dyn FailedThread,
    map: &MemoryMap,
    line: Option<&Dereferences<'_>>,
    culprit: Option<&Culprit>,
) -> Option<Cause> {
    let blocks = FreeBlocks::of(thread, map);
    let pointers = line.map_or(&[][..], |line| &line.pointers);
    let wrong = match culprit {
        Some(Culprit::Null(pointer) | Culprit::Pointer(pointer)) => Some(pointer.as_str()),
        Some(Culprit::Element(..)) | None => None,
    };
    let followed = |block: &dyn Fn(&FreeBlock) -> bool| {
        let leads = |pointer: &&&str| thread.value(pointer).and_then(|at| blocks.around(at)).is_some_and(block);
        let mut found = pointers.iter().filter(leads).filter(|pointer| Some(**pointer) != wrong);
        found.next().filter(|_| found.next().is_none()).copied()
    };
    let value = wrong.and_then(|pointer| thread.value(pointer));
    let holder = |reached: &str| {
        let block = blocks.around(thread.value(&format!("&({reached})"))?)?;
        Some((block, holder(thread, pointers, reached, block)?))
    };
    if let Some(Culprit::Element(element, indices)) = culprit {
        let arrays = pointers.iter().filter(|pointer| is_reached_by(element, pointer));
        let (_, holder) = holder(arrays.max_by_key(|array| array.len())?)?;
        let outside = format!("{element} is outside of the program's memory: {indices}");
        return freed(format!("{holder} points to freed memory, and {outside}"));
    }
    if let (Some(wrong), Some(value)) = (wrong, value)
        && let Some((block, holder)) = holder(wrong)
    {
        let what = match blocks.written(value) {
            Some(written) if block.has(value) => written.words(),
            _ if value == 0 => "a null pointer",
            _ => "a wild pointer",
        };
        return freed(format!("{holder} points to freed memory: {wrong} is {what}"));
    }
    let used = FaultingInstruction::pointers(thread);
    let exact = value.into_iter().chain(used.iter().copied()).find_map(|value| Some((value, blocks.written(value)?)));
    // Code adds the offset of a virtual function to the pointer first.
    let offset = || used.iter().find_map(|value| blocks.written_before(*value, OFFSET));
    let is_exact = exact.is_some();
    let (value, written) = exact.or_else(offset)?;
    let what = written.words();
    let is_source = |block: &FreeBlock| match written {
        Written::Link => block.has(value),
        Written::Mark => block.mark == Some(value),
    };
    freed(match (followed(&is_source), wrong) {
        (Some(pointer), None) => format!("{pointer} points to freed memory: the pointer read from it is {what}"),
        (_, Some(wrong)) => format!("{wrong} was read from freed memory: it is {what}"),
        (None, None) if !is_exact => return None,
        (None, None) => format!("a pointer was read from freed memory: it is {what}"),
    })
}

fn freed(text: String) -> Option<Cause> {
    Some(Cause { kind: CauseKind::FreedPointer, text, source: None })
}

/// Returns the pointer through which a line reaches another one in this block: the longest that the other begins with.
fn holder<'a>(thread: &dyn FailedThread, pointers: &[&'a str], reached: &str, block: &FreeBlock) -> Option<&'a str> {
    let leads = |pointer: &&&str| {
        is_reached_by(reached, pointer)
            && thread.value(pointer).is_some_and(|at| (block.start..block.end).contains(&at))
    };
    pointers.iter().filter(leads).max_by_key(|pointer| pointer.len()).copied()
}
