//! The arguments of a function whose first instruction a thread is at (System V ABI, AMD64 Supplement, 3.2.3).

use crate::memory_text::text_at;
use crate::native::inspect::StoppedThread;
use debuginfo::ReadMemory;
use model::VirtualAddress;

/// DWARF numbers of the registers with the first arguments: rdi, rsi, rdx, rcx, r8, r9.
const REGISTERS: [u16; 6] = [5, 4, 1, 2, 8, 9];
/// The maximum number of bytes of a text.
const LONGEST: usize = 2048;

/// Returns an argument that is a whole number or an address, counted from 0.
pub(super) fn argument(thread: &StoppedThread<'_>, number: usize) -> Option<u64> {
    if let Some(register) = REGISTERS.get(number) {
        return thread.registers.get(*register);
    }
    // Above the return address.
    let behind = (number - REGISTERS.len()) as u64 * 8 + 8;
    thread.access.word(VirtualAddress(thread.registers.sp()?.0.checked_add(behind)?)).ok()
}

/// Returns the text that an argument points to; `None` if it is a null pointer or empty.
pub(super) fn text_argument(thread: &StoppedThread<'_>, number: usize) -> Option<String> {
    let at = argument(thread, number).filter(|at| *at != 0)?;
    Some(text_at(thread.access, at, LONGEST)).filter(|text| !text.is_empty())
}

/// Returns the text that a format as of printf(3) gives, whose own arguments follow it. A format that asks for other
/// arguments than whole numbers and texts is returned as it is.
pub(super) fn formatted_argument(thread: &StoppedThread<'_>, number: usize) -> Option<String> {
    let format = text_argument(thread, number)?;
    let of_format = |place: usize| argument(thread, number + 1 + place);
    Some(formatted(&format, thread.access, of_format).unwrap_or(format))
}

fn formatted(
    format: &str,
    memory: &(impl ReadMemory + ?Sized),
    argument: impl Fn(usize) -> Option<u64>,
) -> Option<String> {
    let (mut text, mut rest, mut place) = (String::new(), format, 0);
    while let Some((before, after)) = rest.split_once('%') {
        text += before;
        let sized = after.trim_start_matches(|sign: char| sign.is_ascii_digit() || "-+ #.".contains(sign));
        let conversion = sized.trim_start_matches(['l', 'z', 'j', 't']);
        let is_long = conversion.len() < sized.len();
        let mut signs = conversion.chars();
        let sign = signs.next()?;
        rest = signs.as_str();
        if sign == '%' {
            text.push(sign);
            continue;
        }
        let value = argument(place)?;
        place += 1;
        match (sign, is_long) {
            ('d' | 'i', true) => text += &(value as i64).to_string(),
            ('d' | 'i', false) => text += &(value as i32).to_string(),
            ('u', true) => text += &value.to_string(),
            ('u', false) => text += &(value as u32).to_string(),
            ('c', false) => text.push(char::from(value as u8)),
            ('s', false) => text += &text_at(memory, value, LONGEST),
            _ => return None,
        }
    }
    Some(text + rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use debuginfo::types::MemoryFault;

    fn made(format: &str, arguments: &[u64]) -> Option<String> {
        let memory = |address: VirtualAddress, into: &mut [u8]| {
            into.fill(0);
            if address.0 == 0x1000 {
                into.iter_mut().zip(b"name").for_each(|(to, from)| *to = *from);
            }
            if address.0 >= 0x2000 { Err(MemoryFault(address)) } else { Ok(()) }
        };
        formatted(format, &memory, |place| arguments.get(place).copied())
    }

    #[test]
    fn formats_are_filled_in() {
        let bounds = "Index '%ld' of dimension %d of array '%s' above upper bound of %ld";
        let text = "Index '-7' of dimension 1 of array 'name' above upper bound of 3";
        assert_eq!(made(bounds, &[-7_i64 as u64, 0xffff_ffff_0000_0001, 0x1000, 3]).unwrap(), text);
        assert_eq!(
            made("100%% of %lu, %5.3u%c", &[u64::MAX, u64::MAX, 33]).unwrap(),
            format!("100% of {}, {}!", u64::MAX, u32::MAX)
        );
        assert_eq!(made("plain", &[]).unwrap(), "plain");
        for odd in ["%f", "%", "%l", "%ls", "%d %d"] {
            assert_eq!(made(odd, &[1]), None, "{odd}");
        }
    }
}
