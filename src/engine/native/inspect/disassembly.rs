//! Instructions of a stopped thread's program as text, in gdb's notation.

use super::{StoppedThread, place_sites};
use crate::native::ptrace::{LONGEST, decode};
use debuginfo::types::Symbols;
use expr::FrameContext;
use expr::note_examined_code;
use iced_x86::{Formatter, GasFormatter, OpKind, Register};
use model::{
    Answer, CodeEnd, CodePlace, Context, DisassemblyFlavor, ErrorCode, Failure, FileAddress, Instruction, LocationSpec,
    VirtualAddress,
};

/// The maximum number of instructions shown at once.
pub(super) const MOST: u32 = 20_000;
/// The maximum number of bytes of a function that are decoded.
pub(super) const MOST_BYTES: u64 = 1 << 20;

/// Disassembles `count` instructions from a place, or all of its function; without a place, at the frame's.
pub(super) fn disassemble(
    thread: &StoppedThread<'_>,
    context: Context,
    at: Option<&LocationSpec>,
    count: Option<u32>,
    flavor: DisassemblyFlavor,
) -> Result<Answer, Failure> {
    let here = thread.frame(context.frame).ok().and_then(|frame| frame.registers.pc()).or(thread.registers.pc());
    let start = match at {
        None => here.ok_or_else(|| Failure::new(ErrorCode::NO_STACK, "No frame to disassemble."))?,
        Some(location) => {
            let sites = place_sites(thread.images, location, Some((thread, context.frame)))?;
            let nothing = || Failure::new(ErrorCode::NO_FUNCTION, format!("No code at {location}."));
            sites.first().map(|(address, _)| *address).ok_or_else(nothing)?
        }
    };
    let (first, end) = match count {
        Some(_) => (start, None),
        None => {
            let nothing = || Failure::new(ErrorCode::NO_FUNCTION, format!("No function contains {start}."));
            let (loaded, inside) = thread.images.locate(start).ok_or_else(nothing)?;
            let range = loaded.image.function_at(inside).ok_or_else(nothing)?.range;
            let bytes = range.end.0.saturating_sub(range.start.0).min(MOST_BYTES);
            let first = loaded.bias.loaded(range.start);
            (first, Some(VirtualAddress(first.0.wrapping_add(bytes))))
        }
    };
    thread.at(0, |view| {
        let code = Decoded { first, end, most: count.unwrap_or(MOST).min(MOST) };
        let found = decoded(thread, view, code, flavor, here)?;
        if let (Some(_), Some(last)) = (count, found.last().and_then(|last| last.code.address)) {
            note_examined_code(last, &view.eval());
        }
        Ok(Answer::Instructions(found))
    })
}

/// The code that is decoded.
struct Decoded {
    first: VirtualAddress,
    /// The address behind it.
    end: Option<VirtualAddress>,
    /// The most instructions.
    most: u32,
}

fn decoded(
    thread: &StoppedThread<'_>,
    view: &FrameContext<'_>,
    code: Decoded,
    flavor: DisassemblyFlavor,
    here: Option<VirtualAddress>,
) -> Result<Vec<Instruction>, Failure> {
    let mut found = Vec::new();
    let mut next = code.first;
    while found.len() < code.most as usize && code.end.is_none_or(|end| next < end) {
        let Some((instruction, length)) = one(thread, view, (next, flavor), here) else {
            if found.is_empty() {
                let message = format!("Cannot access memory at address {next}");
                return Err(Failure::new(ErrorCode::MEMORY, message));
            }
            break;
        };
        found.push(instruction);
        next = VirtualAddress(next.0.wrapping_add(length));
    }
    Ok(found)
}

/// Disassembles a range of addresses.
pub(super) fn disassemble_range(
    thread: &StoppedThread<'_>,
    context: Context,
    (start, end): (&str, &CodeEnd),
    flavor: DisassemblyFlavor,
) -> Result<Answer, Failure> {
    let here = thread.frame(context.frame).ok().and_then(|frame| frame.registers.pc()).or(thread.registers.pc());
    let (first, end) = thread.at(context.frame, |view| {
        let value = |text: &str| Ok::<_, Failure>(view.parse(text)?.evaluate(&view.eval())?.as_address(&view.eval())?);
        let first = value(start)?;
        let end = match end {
            CodeEnd::Before(text) => value(text)?,
            CodeEnd::Length(text) => VirtualAddress(first.0.saturating_add(value(text)?.0)),
        };
        Ok((first, end))
    })?;
    thread.at(0, |view| {
        let code = Decoded { first, end: Some(end), most: MOST };
        Ok(Answer::Instructions(decoded(thread, view, code, flavor, here)?))
    })
}

/// Disassembles the instructions before an address, where functions are known: boundaries between instructions are
/// found by decoding from the start of the function.
pub(super) fn disassemble_before(
    thread: &StoppedThread<'_>,
    context: Context,
    (address, through): (&str, bool),
    count: u32,
    flavor: DisassemblyFlavor,
) -> Result<Answer, Failure> {
    let here = thread.frame(context.frame).ok().and_then(|frame| frame.registers.pc()).or(thread.registers.pc());
    let address = thread
        .at(context.frame, |view| Ok(view.parse(address)?.evaluate(&view.eval())?.as_address(&view.eval())?))?;
    let most = count.min(MOST) as usize;
    thread.at(0, |view| {
        let mut found: Vec<Instruction> = Vec::new();
        if through {
            found.extend(one(thread, view, (address, flavor), here).map(|(instruction, _)| instruction));
        }
        let mut end = address;
        while found.len() < most {
            let Some(before) = function_before(thread, view, (end, flavor), here) else { break };
            end = before.first().and_then(|first| first.code.address).unwrap_or(end);
            found.splice(0..0, before);
        }
        found.drain(..found.len().saturating_sub(most));
        let Some(first) = found.first() else {
            let last = address.0.wrapping_sub(1);
            let message = format!("No line number information available for address {last:#x}{}", named(last, view));
            return Err(Failure::new(ErrorCode::NO_LINE, message));
        };
        note_examined_code(found.last().unwrap_or(first).code.address.unwrap_or(address), &view.eval());
        Ok(Answer::Instructions(found))
    })
}

/// Returns the instructions of a function before an address in it or at its end.
fn function_before(
    thread: &StoppedThread<'_>,
    view: &FrameContext<'_>,
    (end, flavor): (VirtualAddress, DisassemblyFlavor),
    here: Option<VirtualAddress>,
) -> Option<Vec<Instruction>> {
    let last = VirtualAddress(end.0.checked_sub(1)?);
    let (loaded, inside) = thread.images.locate(last)?;
    // As in gdb, which relies on lines; in code without lines a mistake would go unnoticed.
    loaded.image.line_at(inside).filter(|row| row.place.line != 0)?;
    let start = loaded.bias.loaded(loaded.image.function_at(inside)?.range.start);
    let mut next = VirtualAddress(start.0.max(end.0.saturating_sub(MOST_BYTES)));
    let mut found = Vec::new();
    while next < end {
        let (instruction, length) = one(thread, view, (next, flavor), here)?;
        found.push(instruction);
        next = VirtualAddress(next.0.wrapping_add(length));
    }
    (!found.is_empty()).then_some(found)
}

/// Disassembles the instruction at an address; returns its length, too.
pub(super) fn one(
    thread: &StoppedThread<'_>,
    view: &FrameContext<'_>,
    (at, flavor): (VirtualAddress, DisassemblyFlavor),
    here: Option<VirtualAddress>,
) -> Option<(Instruction, u64)> {
    let mut bytes = [0; LONGEST];
    let length = match view.read(at, &mut bytes) {
        Ok(()) => LONGEST,
        // Up to the end of what is mapped.
        Err(fault) => {
            let length = (fault.0.0.wrapping_sub(at.0) as usize).min(LONGEST);
            view.read(at, bytes.get_mut(..length).filter(|bytes| !bytes.is_empty())?).ok()?;
            length
        }
    };
    let (text, length) = match decode(bytes.get(..length)?, at.0) {
        Some(instruction) => (instruction_text(&instruction, view, flavor), instruction.len() as u64),
        None => ("(bad)".to_owned(), 1),
    };
    let located = thread.images.locate(at);
    let code = CodePlace {
        module: located.as_ref().map(|(loaded, _)| loaded.name.clone()),
        offset: located.as_ref().map_or(at.0, |(_, inside)| inside.0),
        address: Some(at),
    };
    let line = |(loaded, inside): &(&debuginfo::LoadedImage, FileAddress)| {
        loaded.image.line_at(*inside).filter(|row| row.place.line != 0).map(|row| row.place)
    };
    let source = located.as_ref().and_then(line);
    let (function, bytes) = (view.symbol_at(at), bytes.get(..length as usize).unwrap_or_default().to_vec());
    let instruction = Instruction { code, function, source, bytes, text, current: Some(at) == here };
    Some((instruction, length))
}

/// An address with its symbol: `0x401136 <main+4>`.
fn named(address: u64, view: &FrameContext<'_>) -> String {
    match view.symbol_at(VirtualAddress(address)) {
        Some((name, 0)) => format!(" <{name}>"),
        Some((name, offset)) => format!(" <{name}+{offset}>"),
        None => String::new(),
    }
}

fn instruction_text(instruction: &iced_x86::Instruction, view: &FrameContext<'_>, flavor: DisassemblyFlavor) -> String {
    let mut text = match flavor {
        DisassemblyFlavor::Att => formatted(instruction),
        DisassemblyFlavor::Intel => super::intel_syntax::formatted(instruction),
    };
    if instruction.op0_kind() == OpKind::NearBranch64 {
        text.push_str(&named(instruction.near_branch_target(), view));
    } else if instruction.is_ip_rel_memory_operand() {
        let address = instruction.ip_rel_memory_address();
        text.push_str(&format!("        # {address:#x}{}", named(address, view)));
    }
    text
}

/// Formats an instruction without the names of its addresses.
pub(in crate::native) fn formatted(instruction: &iced_x86::Instruction) -> String {
    let mut formatter = GasFormatter::new();
    let options = formatter.options_mut();
    options.set_first_operand_char_index(7);
    options.set_uppercase_hex(false);
    options.set_small_hex_numbers_in_decimal(false);
    options.set_branch_leading_zeros(false);
    options.set_rip_relative_addresses(true);
    options.set_always_show_scale(instruction.memory_index() != Register::None);
    options.set_always_show_segment_register(instruction.is_string_instruction());
    options.set_show_zero_displacements(instruction.memory_displ_size() != 0);
    let mut text = String::new();
    formatter.format(instruction, &mut text);
    text.trim_end().to_owned()
}
