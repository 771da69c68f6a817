//! Texts in the memory of the program, which may be anything.

use debuginfo::ReadMemory;
use model::VirtualAddress;

const PAGE: u64 = 4096;

/// Reads a text up to a zero byte, a limit, or the end of the memory.
pub(crate) fn text_at(memory: &(impl ReadMemory + ?Sized), address: u64, limit: usize) -> String {
    let mut text = Vec::new();
    while text.len() < limit {
        let Some(at) = address.checked_add(text.len() as u64) else { break };
        let mut part = vec![0; ((PAGE - at % PAGE) as usize).min(limit - text.len())];
        if memory.read(VirtualAddress(at), &mut part).is_err() {
            break;
        }
        let end = part.iter().position(|byte| *byte == 0);
        text.extend_from_slice(part.get(..end.unwrap_or(part.len())).unwrap_or_default());
        if end.is_some() {
            break;
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}
