//! Accesses to addresses without memory, and to memory that does not allow them.

use super::failed_thread::FailedThread;
use super::fatal_signal::{FatalSignal, UNMAPPED};
use super::faulting_instruction::{FaultingInstruction, NotCanonical, is_not_canonical};
use super::memory_map::MemoryMap;
use super::pointer_name::Culprit;
use model::{Cause, CauseKind, VirtualAddress};
use std::ops::Range;

/// The kernel maps nothing so close to address 0 (`vm.mmap_min_addr`).
const NULL: u64 = 64 << 10;
/// `si_code` of an access that the memory does not allow (sigaction(2)).
const FORBIDDEN: i32 = 2;
/// `si_code` of a general protection fault, for which the processor gives no address.
const PROTECTION: i32 = 0x80;

/// A wrong address.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum WrongAddress {
    /// Near 0.
    Null(u64),
    /// Nothing is mapped there.
    Unmapped,
    /// No address can have this value.
    NotCanonical,
    /// Reached in another way than by following a pointer to data.
    Other(CauseKind, String),
}

impl WrongAddress {
    /// Finds the address that a SIGSEGV is for; `None` if too little is known.
    pub(super) fn of(signal: &FatalSignal, thread: &dyn FailedThread, map: &MemoryMap) -> Option<Self> {
        let instruction = FaultingInstruction::at(thread);
        let wild = |text: &str| Some(Self::Other(CauseKind::WildPointer, text.to_owned()));
        let address = signal.address()?;
        if signal.code()? == PROTECTION {
            return Self::not_canonical(signal, thread);
        }
        let calls = thread.registers().pc() == Some(VirtualAddress(address));
        match signal.code()? {
            UNMAPPED | FORBIDDEN if calls && address == 0 => {
                Some(Self::Other(CauseKind::NullPointer, "call of a null function pointer".to_owned()))
            }
            UNMAPPED | FORBIDDEN if address < NULL || address.wrapping_neg() < NULL => Some(Self::Null(address)),
            UNMAPPED | FORBIDDEN if calls => wild("jump to an address without code"),
            UNMAPPED => Some(Self::Unmapped),
            FORBIDDEN => {
                let memory = map.mapping(address).filter(|memory| !memory.changes)?;
                let file = memory.name.rsplit('/').next().unwrap_or_default();
                let of = if file.is_empty() || file.starts_with('[') { String::new() } else { format!(" of {file}") };
                instruction.filter(FaultingInstruction::writes)?;
                wild(&format!("write to read-only memory{of}"))
            }
            _ => None,
        }
    }

    /// Finds the value that cannot be an address in the instruction that a signal is for.
    pub(super) fn not_canonical(signal: &FatalSignal, thread: &dyn FailedThread) -> Option<Self> {
        let wild = |text: &str| Some(Self::Other(CauseKind::WildPointer, text.to_owned()));
        signal.code().filter(|code| *code == PROTECTION)?;
        match FaultingInstruction::at(thread)?.not_canonical()? {
            NotCanonical::Data => Some(Self::NotCanonical),
            NotCanonical::Function => wild("wild function pointer: its value cannot be an address"),
            NotCanonical::Return => wild("return to an address that cannot exist: the stack is damaged"),
        }
    }

    /// True if the address that a signal is for is of this element.
    pub(super) fn is_in(&self, element: Range<u64>, address: Option<u64>) -> bool {
        match self {
            Self::Unmapped => address.is_some_and(|address| element.contains(&address)),
            Self::NotCanonical => is_not_canonical(element.start),
            Self::Null(_) | Self::Other(..) => false,
        }
    }

    /// True if a pointer with this value leads to the address.
    pub(super) fn is_from(&self, pointer: u64, map: &MemoryMap) -> bool {
        match self {
            Self::Null(_) => pointer == 0,
            Self::Unmapped => map.mapping(pointer).is_none(),
            Self::NotCanonical => is_not_canonical(pointer),
            Self::Other(..) => false,
        }
    }

    /// Describes the address, and what led to it if that is known. Only addresses near 0 are equal on all ranks.
    pub(super) fn cause(&self, culprit: Option<&Culprit>) -> Cause {
        let wild = |why: &str| match culprit {
            Some(Culprit::Null(pointer)) => (CauseKind::NullPointer, format!("{pointer} is a null pointer")),
            Some(Culprit::Pointer(pointer)) => (CauseKind::WildPointer, format!("{pointer} is a wild pointer: {why}")),
            Some(Culprit::Element(element, indices)) => {
                (CauseKind::WildPointer, format!("{element} is outside of the program's memory: {indices}"))
            }
            None => (CauseKind::WildPointer, format!("wild pointer: {why}")),
        };
        let (kind, text) = match self {
            Self::Null(address) => {
                let words = match (culprit, address, address.wrapping_neg()) {
                    (Some(Culprit::Null(pointer) | Culprit::Pointer(pointer)), _, _) => {
                        format!("{pointer} is a null pointer")
                    }
                    (_, 0, _) => "a null pointer".to_owned(),
                    (_, 1..NULL, _) => format!("a null pointer plus {address}"),
                    (_, _, below) => format!("a null pointer minus {below}"),
                };
                (CauseKind::NullPointer, format!("address {address:#x} is not mapped: {words}"))
            }
            Self::Unmapped => wild("nothing is mapped at its address"),
            Self::NotCanonical => wild("its value cannot be an address"),
            Self::Other(kind, text) => (*kind, text.clone()),
        };
        Cause { kind, text, source: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_near_zero_are_null_pointers() {
        let text = |address: u64| WrongAddress::Null(address).cause(None).text;
        assert_eq!(text(0), "address 0x0 is not mapped: a null pointer");
        assert_eq!(text(16), "address 0x10 is not mapped: a null pointer plus 16");
        assert_eq!(text(u64::MAX - 7), "address 0xfffffffffffffff8 is not mapped: a null pointer minus 8");
        let named = WrongAddress::Null(16).cause(Some(&Culprit::Null("row".to_owned())));
        assert_eq!(named.text, "address 0x10 is not mapped: row is a null pointer");
    }
}
