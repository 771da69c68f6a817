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

#[cfg(test)]
pub(crate) mod fake {
    use debuginfo::types::MemoryFault;
    use model::VirtualAddress;

    /// Memory of two pages from 0x1000 on.
    pub(crate) fn memory(parts: &[(u64, &[u8])]) -> impl Fn(VirtualAddress, &mut [u8]) -> Result<(), MemoryFault> {
        let mut bytes = vec![0_u8; 0x2000];
        for (address, part) in parts {
            let start = (address - 0x1000) as usize;
            bytes[start..start + part.len()].copy_from_slice(part);
        }
        move |address, into| {
            let start = address.0.checked_sub(0x1000).ok_or(MemoryFault(address))? as usize;
            let end = start.checked_add(into.len()).ok_or(MemoryFault(address))?;
            into.copy_from_slice(bytes.get(start..end).ok_or(MemoryFault(address))?);
            Ok(())
        }
    }
}
