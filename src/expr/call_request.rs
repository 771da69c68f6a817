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
    /// Bytes that the caller reserves for the result; their address is the first argument.
    pub hidden: Option<u64>,
    /// The convention by which the result is returned.
    pub convention: Convention,
    /// Type of the result.
    pub returns: TypeRef,
}
