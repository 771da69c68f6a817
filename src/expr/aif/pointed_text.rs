//! Reads the strings that character pointers point to.

use crate::context::EvalContext;
use crate::eval::operand::extended;
use model::VirtualAddress;
use model::aif::PointedText;

/// Characters read at once: most strings are shorter.
const PIECE: usize = 201;

/// Formats an address as gdb does between angle brackets: `main+4`.
pub(crate) fn symbol(address: u64, context: &EvalContext<'_>) -> Option<String> {
    let (name, distance) = context.symbols().symbol_at(VirtualAddress(address))?;
    Some(if distance == 0 { name.to_string() } else { format!("{name}+{distance}") })
}

/// Reads `length` bytes at an address, up to gdb's limit.
pub(crate) fn bytes_behind(address: u64, length: u64, context: &EvalContext<'_>) -> PointedText {
    let most = context.limits().fetched();
    let mut text = PointedText { address, truncated: length > most, ..PointedText::default() };
    if context.symbols().is_static(VirtualAddress(address)) {
        text.symbol = symbol(address, context);
    }
    let mut bytes = vec![0; length.min(most) as usize];
    match context.read(VirtualAddress(address), &mut bytes) {
        Ok(()) => text.units = bytes.into_iter().map(u32::from).collect(),
        Err(fault) => text.unreadable = Some(fault.0.0),
    }
    text
}

/// Reads the string at an address, whose characters are `unit` bytes wide: in one read if all of it is readable.
pub(crate) fn pointed_text(address: u64, unit: u64, context: &EvalContext<'_>) -> PointedText {
    let mut text = PointedText { address, ..PointedText::default() };
    if address == 0 {
        return text;
    }
    if context.symbols().is_static(VirtualAddress(address)) {
        text.symbol = symbol(address, context);
    }
    let unit = unit.clamp(1, 4) as usize;
    let limit = context.limits().fetched() as usize;
    // One character more than is shown tells whether the string goes on.
    let mut left = limit + 1;
    let mut at = address;
    while left > 0 {
        let mut bytes = vec![0; left.min(PIECE) * unit];
        let mut fault = None;
        if let Err(first) = context.read(VirtualAddress(at), &mut bytes) {
            let readable = first.0.0.saturating_sub(at).min(bytes.len() as u64) as usize;
            bytes.truncate(readable / unit * unit);
            fault = Some(first.0.0);
            if !bytes.is_empty() && context.read(VirtualAddress(at), &mut bytes).is_err() {
                bytes.clear();
                fault = Some(at);
            }
        }
        for piece in bytes.chunks_exact(unit) {
            let mut word = [0; 16];
            word.iter_mut().zip(piece).for_each(|(to, from)| *to = *from);
            let character = extended(u128::from_le_bytes(word), 8 * unit as u32, false) as u32;
            if character == 0 {
                return text;
            }
            if text.units.len() == limit {
                text.truncated = true;
                return text;
            }
            text.units.push(character);
        }
        if fault.is_some() {
            text.unreadable = fault.filter(|_| text.units.len() < limit);
            return text;
        }
        left = left.saturating_sub(PIECE);
        at = at.wrapping_add(bytes.len() as u64);
    }
    text
}
