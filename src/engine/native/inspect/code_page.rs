//! Pages of instructions: those before and behind an address, whatever function they are in.

use super::StoppedThread;
use super::disassembly::{MOST, MOST_BYTES, one};
use crate::native::ptrace::{LONGEST, decode};
use expr::FrameContext;
use model::{Answer, Context, DisassemblyFlavor, ErrorCode, Failure, Instruction, VirtualAddress};

/// Bytes before an address, in code without known functions, from which boundaries between instructions are sought.
const REACH: u64 = 64;

/// Disassembles `before` instructions before an address and `count` from it on; `None`: that of the frame.
pub(super) fn page(
    thread: &StoppedThread<'_>,
    context: Context,
    (at, before, count): (Option<VirtualAddress>, u32, u32),
    flavor: DisassemblyFlavor,
) -> Result<Answer, Failure> {
    let here = thread.frame(context.frame).ok().and_then(|frame| frame.registers.pc()).or(thread.registers.pc());
    let nothing = || Failure::new(ErrorCode::NO_STACK, "No frame to disassemble.");
    let at = at.or(here).ok_or_else(nothing)?;
    thread.at(0, |view| {
        let starts = starts_before(thread, view, at, before.min(MOST) as usize);
        let mut found: Vec<Instruction> =
            starts.into_iter().filter_map(|start| Some(one(thread, view, (start, flavor), here)?.0)).collect();
        let mut next = at;
        for _ in 0..count.min(MOST) {
            let Some((instruction, length)) = one(thread, view, (next, flavor), here) else { break };
            found.push(instruction);
            next = VirtualAddress(next.0.wrapping_add(length));
        }
        if found.is_empty() {
            let message = format!("Cannot access memory at address {at}");
            return Err(Failure::new(ErrorCode::MEMORY, message));
        }
        Ok(Answer::Instructions(found))
    })
}

/// The addresses of the instructions before an address. Boundaries are certain from the start of a function on; where no
/// function is known, those are taken that lead to the address.
fn starts_before(
    thread: &StoppedThread<'_>,
    view: &FrameContext<'_>,
    at: VirtualAddress,
    count: usize,
) -> Vec<VirtualAddress> {
    let mut found: Vec<VirtualAddress> = Vec::new();
    let mut end = at;
    let mut left = MOST_BYTES;
    while found.len() < count && left > 0 {
        let Some(last) = end.0.checked_sub(1).map(VirtualAddress) else { break };
        let function = thread.images.locate(last).and_then(|(loaded, inside)| {
            let start = loaded.bias.loaded(loaded.image.function_at(inside)?.range.start);
            (start < end).then_some(start)
        });
        let part = match function {
            Some(start) => {
                let start = VirtualAddress(start.0.max(end.0.saturating_sub(left)));
                leading_to(view, start, end)
            }
            None => (1..=REACH.min(end.0)).rev().find_map(|reach| leading_to(view, VirtualAddress(end.0 - reach), end)),
        };
        let Some(part) = part.filter(|part| !part.is_empty()) else { break };
        let first = part.first().copied().unwrap_or(end);
        left = left.saturating_sub(end.0 - first.0);
        found.splice(0..0, part);
        end = first;
    }
    found.drain(..found.len().saturating_sub(count));
    found
}

/// The addresses of the instructions from one address to another; `None` if none of them ends there.
fn leading_to(view: &FrameContext<'_>, start: VirtualAddress, end: VirtualAddress) -> Option<Vec<VirtualAddress>> {
    let mut bytes = vec![0; usize::try_from(end.0.checked_sub(start.0)?).ok()?];
    view.read(start, &mut bytes).ok()?;
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let address = start.0 + at as u64;
        found.push(VirtualAddress(address));
        let code = bytes.get(at..bytes.len().min(at + LONGEST))?;
        at += decode(code, address).map_or(1, |instruction| instruction.len());
    }
    (at == bytes.len()).then_some(found)
}
