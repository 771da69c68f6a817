//! A function of the program that is to be called: what is passed, and what comes back.

use debuginfo::types::TypeRef;
use model::VirtualAddress;

/// How a function takes its arguments and gives its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convention {
    /// As C has it (System V ABI, AMD64 supplement, 3.2.3).
    C,
    /// As the compiler of Rust has it.
    Rust,
}

/// A call, with its arguments where they go.
#[derive(Clone, Debug, PartialEq)]
pub struct CallRequest {
    /// The name of the function in messages.
    pub name: String,
    /// Where its first instruction is.
    pub function: VirtualAddress,
    /// For the registers of integers, in order; the first is to be replaced when `hidden` is set.
    pub integers: Vec<u64>,
    /// For the vector registers, in order: the low eightbyte of each.
    pub vectors: Vec<u64>,
    /// For the stack, from the lowest address on; a multiple of 8 bytes long.
    pub stack: Vec<u8>,
    /// Bytes that the caller provides for the result, whose address is the first argument.
    pub hidden: Option<u64>,
    /// How the result comes back.
    pub convention: Convention,
    /// The type of its result.
    pub returns: TypeRef,
}
