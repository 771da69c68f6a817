//! Attaches gdb to a running process.

use crate::gdb::inferior::state::{Guest, InferiorState, Phase};
use crate::gdb::mi::Command;
use crate::gdb::reporter::Reporter;
use crate::gdb::session::fault::GdbError;
use crate::gdb::session::gdb::Gdb;
use crate::process::permission::objection;
use crate::process::procfs::{ProcessStatus, witness};
use crate::{Adoption, OutputTap};
use model::Stream;

fn attach_to(gdb: &mut Gdb, pid: i32) -> Result<(), GdbError> {
    let attached = gdb.ask_to_load(&Command::new("target-attach").word(pid));
    attached.map(drop).map_err(|error| match error {
        GdbError::Refused(why) => GdbError::Gone(format!("gdb cannot attach to process {pid}: {why}")),
        gone => gone,
    })
}

/// Starts the attach, which gdb's first stop completes.
pub(in crate::gdb) fn attach(
    gdb: &mut Gdb,
    inferior: &mut InferiorState,
    pid: i32,
    adoption: Adoption,
) -> Result<(), GdbError> {
    if let Some(why) = objection(pid) {
        return Err(GdbError::Gone(why));
    }
    if witness(pid) != pid {
        let why = "its first thread has ended, so gdb cannot attach to it: use --engine native";
        return Err(GdbError::Gone(format!("process {pid}: {why}")));
    }
    let was_stopped = ProcessStatus::read(pid).is_some_and(|status| status.state == 'T');
    inferior.set_guest(Some(Guest { adoption, was_stopped }));
    inferior.enter(Phase::Attaching);
    attach_to(gdb, pid)
}

/// Attaches gdb to a joiner before it executes the program.
pub(in crate::gdb) fn join(
    gdb: &mut Gdb,
    inferior: &mut InferiorState,
    reporter: &Reporter,
    pid: i32,
    outputs: [(Stream, Option<OutputTap>); 2],
) -> Result<(), GdbError> {
    // The joiner's symbols are useless and many.
    gdb.ask_if_known(&Command::console("set exec-file-mismatch off"))?;
    gdb.ask_if_known(&Command::new("file-exec-file").word("/bin/sh"))?;
    gdb.ask_if_known(&Command::console("set auto-solib-add off"))?;
    inferior.enter(Phase::Attaching);
    attach_to(gdb, pid)?;
    for (stream, tap) in outputs {
        if let Some(tap) = tap {
            reporter.add_output(stream, tap);
        }
    }
    Ok(())
}
