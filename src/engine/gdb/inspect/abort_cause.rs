//! The cause of a SIGABRT: the message that glibc leaves when it aborts the program.

use super::memory::Memory;
use crate::abort_message::{FRAMES, MESSAGE, cause};
use crate::gdb::inferior::state::InferiorState;
use crate::gdb::mi::Command;
use crate::gdb::session::fault::GdbError;
use crate::gdb::session::gdb::Gdb;
use expr::Machine as _;
use model::{Cause, VirtualAddress};
use std::collections::HashMap;

/// Returns the cause of the SIGABRT that the current thread has stopped for; `None` if the program has said none.
pub(in crate::gdb) fn abort_cause(gdb: &mut Gdb, inferior: &mut InferiorState) -> Result<Option<Cause>, GdbError> {
    let address = Command::new("data-evaluate-expression").word(format!("(unsigned long) &{MESSAGE}"));
    let pointer = match gdb.ask(&address) {
        Ok(answered) => answered.results.text("value").and_then(|digits| digits.parse().ok()),
        Err(GdbError::Refused(_)) => None,
        Err(gone) => return Err(gone),
    };
    let Some(pointer) = pointer else { return Ok(None) };
    let frames = match inferior.frames(gdb, None, 0, FRAMES - 1) {
        Ok(frames) => frames,
        Err(GdbError::Refused(_)) => Vec::new(),
        Err(gone) => return Err(gone),
    };
    let memory = Memory::new(gdb, HashMap::new());
    let read = |address: VirtualAddress, into: &mut [u8]| memory.read(address, into);
    let found = cause(&read, VirtualAddress(pointer), || frames);
    memory.into_gone().map_or(Ok(found), Err)
}
