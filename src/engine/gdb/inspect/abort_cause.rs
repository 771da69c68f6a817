//! The cause of a SIGABRT: the message that glibc leaves when it aborts the program, or an exception that nobody caught.

use super::memory::Memory;
use crate::abort_message;
use crate::exception::{Aborted, FRAMES, GLOBALS};
use crate::gdb::inferior::state::InferiorState;
use crate::gdb::mi::Command;
use crate::gdb::session::fault::GdbError;
use crate::gdb::session::gdb::Gdb;
use debuginfo::types::Symbols as _;
use expr::Machine as _;
use model::{Cause, Frame, VirtualAddress};
use std::collections::HashMap;

/// Returns the cause of the SIGABRT that the current thread has stopped for; `None` if the program has said none.
pub(in crate::gdb) fn abort_cause(gdb: &mut Gdb, inferior: &mut InferiorState) -> Result<Option<Cause>, GdbError> {
    let frames = match inferior.frames(gdb, None, 0, FRAMES - 1) {
        Ok(frames) => frames,
        Err(GdbError::Refused(_)) => return Ok(None),
        Err(gone) => return Err(gone),
    };
    match message(gdb, &frames)? {
        Some(cause) => Ok(Some(cause)),
        None => uncaught(gdb, &frames),
    }
}

fn message(gdb: &mut Gdb, frames: &[Frame]) -> Result<Option<Cause>, GdbError> {
    let Some(pointer) = number(gdb, &format!("&{}", abort_message::MESSAGE))? else { return Ok(None) };
    let memory = Memory::new(gdb, HashMap::new());
    let read = |address: VirtualAddress, into: &mut [u8]| memory.read(address, into);
    let found = abort_message::cause(&read, VirtualAddress(pointer), || frames.to_vec());
    memory.into_gone().map_or(Ok(found), Err)
}

fn uncaught(gdb: &mut Gdb, frames: &[Frame]) -> Result<Option<Cause>, GdbError> {
    let Some(globals) = number(gdb, &format!("&{GLOBALS}"))? else { return Ok(None) };
    let Some(fs_base) = number(gdb, "$fs_base")? else { return Ok(None) };
    let memory = Memory::new(gdb, HashMap::new());
    let aborted = Aborted {
        memory: &|address: VirtualAddress, into: &mut [u8]| memory.read(address, into),
        frames,
        globals: Some(VirtualAddress(globals)),
        fs_base,
        function_at: &|address| {
            let (name, within) = memory.symbol_at(address)?;
            (within == 0).then(|| name.to_string())
        },
    };
    let found = aborted.cause();
    memory.into_gone().map_or(Ok(found), Err)
}

/// Evaluates an expression as an address; `None` if it has no value.
fn number(gdb: &mut Gdb, expression: &str) -> Result<Option<u64>, GdbError> {
    let command = Command::new("data-evaluate-expression").word(format!("(unsigned long) {expression}"));
    match gdb.ask(&command) {
        Ok(answered) => Ok(answered.results.text("value").and_then(|digits| digits.parse().ok())),
        Err(GdbError::Refused(_)) => Ok(None),
        Err(gone) => Err(gone),
    }
}
