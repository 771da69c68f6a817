//! A call of a program function: its arguments and its result.

use debuginfo::types::TypeRef;
use model::VirtualAddress;

/// The calling convention of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convention {
    /// C's (System V ABI, AMD64 supplement, 3.2.3).
    C,
    /// The Rust compiler's own.
    Rust,
}

/// The place of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// An integer register, by its place among those of the call.
    Integer(usize),
    /// Bytes of the stack arguments, from this one on.
    Stack(usize),
}

/// A copy of an argument on the stack of the call, and the place that takes its address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassedCopy {
    /// The argument.
    pub bytes: Vec<u8>,
    /// The place of its address.
    pub slot: Slot,
}

/// A call, with its arguments already assigned to registers and the stack.
#[derive(Clone, Debug, PartialEq)]
pub struct CallRequest {
    /// Name of the function for messages.
    pub name: String,
    /// Address of its first instruction.
    pub function: VirtualAddress,
    /// Integer registers, in order; the first is replaced if `hidden` is set.
    pub integers: Vec<u64>,
    /// Vector registers, in order: the low eightbyte of each.
    pub vectors: Vec<u64>,
    /// Stack arguments, from the lowest address on; a multiple of 8 bytes long.
    pub stack: Vec<u8>,
    /// Arguments that are passed by address and have none of their own.
    pub copies: Vec<PassedCopy>,
    /// Bytes that the caller reserves for the result; their address is the first argument.
    pub hidden: Option<u64>,
    /// The convention by which the result is returned.
    pub convention: Convention,
    /// Type of the result.
    pub returns: TypeRef,
}

impl CallRequest {
    /// Enters an address into the place of an argument.
    pub fn enter(&mut self, slot: Slot, address: u64) {
        match slot {
            Slot::Integer(at) => {
                if let Some(place) = self.integers.get_mut(at) {
                    *place = address;
                }
            }
            Slot::Stack(at) => {
                if let Some(place) = self.stack.get_mut(at..).and_then(|rest| rest.first_chunk_mut::<8>()) {
                    *place = address.to_le_bytes();
                }
            }
        }
    }
}
