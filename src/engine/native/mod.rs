//! The native engine: ptrace(2) for the processes, gimli for their debug information. x86-64 Linux.

pub mod evaluate;
pub mod handover;
pub mod inspect;
pub mod output;
pub mod symbols;
pub mod trace;
pub mod types;
