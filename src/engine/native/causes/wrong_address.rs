//! Accesses to addresses without memory, and to memory that does not allow them.

use super::fatal_signal::FatalSignal;
use super::faulting_instruction::FaultingInstruction;
use super::memory_map::MemoryMap;
use crate::native::inspect::StoppedThread;
use crate::native::startup::program::base_name;
use model::{Cause, CauseKind, VirtualAddress};

/// The kernel maps nothing so close to address 0 (`vm.mmap_min_addr`).
const NULL: u64 = 64 << 10;
/// `si_code` of an access to an address without memory, and of one that the memory does not allow (sigaction(2)).
const UNMAPPED: i32 = 1;
const FORBIDDEN: i32 = 2;
/// `si_code` of a general protection fault, for which the processor gives no address.
const PROTECTION: i32 = 0x80;

/// Returns the cause of a SIGSEGV by the address that was accessed.
pub(super) fn cause(signal: &FatalSignal, thread: &StoppedThread<'_>, map: &MemoryMap) -> Option<Cause> {
    let instruction = FaultingInstruction::at(thread);
    let (kind, text) = match (signal.code()?, signal.address()?) {
        (PROTECTION, _) => (CauseKind::WildPointer, instruction?.not_canonical()?.to_owned()),
        (UNMAPPED | FORBIDDEN, address) => {
            let calls = thread.registers.pc() == Some(VirtualAddress(address));
            null(address, calls).or_else(|| wild(signal.code()?, address, calls, instruction.as_ref(), map))?
        }
        _ => return None,
    };
    Some(Cause { kind, text, source: None })
}

/// Describes an access near address 0.
fn null(address: u64, calls: bool) -> Option<(CauseKind, String)> {
    let text = match (address, address.wrapping_neg()) {
        (0, _) if calls => "call of a null function pointer".to_owned(),
        (0, _) => "address 0x0 is not mapped: a null pointer".to_owned(),
        (1..NULL, _) => format!("address {address:#x} is not mapped: a null pointer plus {address}"),
        (_, under @ 1..NULL) => format!("address {address:#x} is not mapped: a null pointer minus {under}"),
        _ => return None,
    };
    Some((CauseKind::NullPointer, text))
}

/// Describes any other access, without its address, which differs between ranks.
fn wild(
    code: i32,
    address: u64,
    calls: bool,
    instruction: Option<&FaultingInstruction>,
    map: &MemoryMap,
) -> Option<(CauseKind, String)> {
    let text = if calls {
        "jump to an address without code".to_owned()
    } else if code == UNMAPPED {
        "wild pointer: nothing is mapped at its address".to_owned()
    } else {
        let memory = map.mapping(address).filter(|memory| !memory.changes)?;
        if !instruction?.writes() {
            return None;
        }
        let file = base_name(&memory.name);
        let of = if file.is_empty() || file.starts_with('[') { String::new() } else { format!(" of {file}") };
        format!("write to read-only memory{of}")
    };
    Some((CauseKind::WildPointer, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(address: u64, calls: bool) -> Option<String> {
        null(address, calls).map(|(_, text)| text)
    }

    #[test]
    fn addresses_near_zero_are_null_pointers() {
        assert_eq!(text(0, false).unwrap(), "address 0x0 is not mapped: a null pointer");
        assert_eq!(text(16, false).unwrap(), "address 0x10 is not mapped: a null pointer plus 16");
        assert_eq!(text(16, true).unwrap(), "address 0x10 is not mapped: a null pointer plus 16");
        assert_eq!(
            text(u64::MAX - 7, false).unwrap(),
            "address 0xfffffffffffffff8 is not mapped: a null pointer minus 8"
        );
        assert_eq!(text(0, true).unwrap(), "call of a null function pointer");
        assert_eq!(text(NULL, false), None);
    }
}
