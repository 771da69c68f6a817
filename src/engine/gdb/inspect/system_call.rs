//! The system call that the current thread begins or ends, from gdb's registers.

use super::memory::Memory;
use crate::gdb::mi::Command;
use crate::gdb::session::fault::GdbError;
use crate::gdb::session::gdb::Gdb;
use crate::process::call_stop::{CallStop, described, text_at};
use expr::Machine as _;
use model::{CaughtCall, SystemCall, VirtualAddress};
use std::collections::HashMap;

/// The registers of the arguments (syscall(2), x86-64).
const ARGUMENTS: [&str; 6] = ["rdi", "rsi", "rdx", "r10", "r8", "r9"];

fn register(gdb: &mut Gdb, name: &str) -> Result<u64, GdbError> {
    let command =
        Command::new("data-evaluate-expression").word("--language").word("c").word(format!("(unsigned long) ${name}"));
    let results = gdb.ask(&command)?.results;
    let value = results.text("value").and_then(|text| text.parse().ok());
    value.ok_or_else(|| GdbError::Refused(format!("gdb shows no number in register {name}")))
}

/// Describes the call of this number; `returns`: the thread is at its end.
pub(in crate::gdb) fn system_call(gdb: &mut Gdb, number: u64, returns: bool) -> Result<CaughtCall, GdbError> {
    let call = u32::try_from(number).map(SystemCall);
    let call = call.map_err(|_| GdbError::Refused(format!("gdb names no system call by {number}")))?;
    let mut arguments = [0; ARGUMENTS.len()];
    for (value, name) in arguments.iter_mut().zip(ARGUMENTS) {
        *value = register(gdb, name)?;
    }
    let returned = if returns { Some(register(gdb, "rax")?) } else { None };
    let memory = Memory::new(gdb, HashMap::new());
    let read = |at, part: &mut [u8]| memory.read(VirtualAddress(at), part).is_ok();
    let caught = described(&CallStop { call, arguments, returned }, |address| text_at(address, read));
    memory.into_gone().map_or(Ok(caught), Err)
}
