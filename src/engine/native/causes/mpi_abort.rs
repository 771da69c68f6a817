//! Calls that end an MPI job: `MPI_Abort`, and errors that the MPI library does not return.

use super::call_arguments::{argument, text_argument};
use crate::native::inspect::StoppedThread;
use crate::native::startup::program::base_name;
use debuginfo::named_file;
use model::{Cause, CauseKind, VirtualAddress};
use std::path::Path;

/// Open MPI's communicators, whose handles are their addresses.
const OPEN_MPI: [(&str, &str); 2] =
    [("ompi_mpi_comm_world", "MPI_COMM_WORLD"), ("ompi_mpi_comm_self", "MPI_COMM_SELF")];
/// The handles of MPICH and its descendants.
const MPICH: [(u32, &str); 2] = [(0x4400_0000, "MPI_COMM_WORLD"), (0x4400_0001, "MPI_COMM_SELF")];
/// The number of frames searched for the call in the user's code.
const FRAMES: u32 = 8;
/// The classes of errors of messages, from 1 (Open MPI, `mpi.h`).
const CLASSES: [&str; 19] = [
    "MPI_ERR_BUFFER",
    "MPI_ERR_COUNT",
    "MPI_ERR_TYPE",
    "MPI_ERR_TAG",
    "MPI_ERR_COMM",
    "MPI_ERR_RANK",
    "MPI_ERR_REQUEST",
    "MPI_ERR_ROOT",
    "MPI_ERR_GROUP",
    "MPI_ERR_OP",
    "MPI_ERR_TOPOLOGY",
    "MPI_ERR_DIMS",
    "MPI_ERR_ARG",
    "MPI_ERR_UNKNOWN",
    "MPI_ERR_TRUNCATE",
    "MPI_ERR_OTHER",
    "MPI_ERR_INTERN",
    "MPI_ERR_IN_STATUS",
    "MPI_ERR_PENDING",
];

/// Returns the cause of a stop at `MPI_Abort`.
pub(super) fn abort(thread: &StoppedThread<'_>) -> Option<Cause> {
    let (handle, code) = (argument(thread, 0)?, argument(thread, 1)? as i32);
    let name = communicator(thread, handle).map(str::to_owned).or_else(|| written(thread));
    cause(match name {
        Some(name) => format!("MPI_Abort({name}, {code})"),
        None => format!("MPI_Abort with code {code}"),
    })
}

/// Returns the cause of a stop at the function with which Open MPI ends a job for an error.
pub(super) fn error_of_open_mpi(thread: &StoppedThread<'_>) -> Option<Cause> {
    let word = |number| thread.access.word(VirtualAddress(argument(thread, number)?)).ok();
    let code = word(1)? as i32;
    let on = word(0).and_then(|handle| communicator(thread, handle));
    let on = on.map_or_else(String::new, |name| format!(" on {name}"));
    let call = text_argument(thread, 2).unwrap_or_else(|| "a call of MPI".to_owned());
    let class = usize::try_from(code).ok().and_then(|code| CLASSES.get(code.checked_sub(1)?));
    cause(match class {
        Some(class) => format!("{call}{on} failed: {class}"),
        None => format!("{call}{on} failed with error {code}"),
    })
}

fn cause(text: String) -> Option<Cause> {
    Some(Cause { kind: CauseKind::MpiAbort, text, source: None })
}

/// Returns the name of a communicator that every program has.
fn communicator(thread: &StoppedThread<'_>, handle: u64) -> Option<&'static str> {
    let program = thread.images.executable().map(|program| program.image.index());
    let may_have = |path: &str| base_name(path).starts_with("libmpi");
    let mut is_open_mpi = false;
    for loaded in thread.images.wanted(|image| Some(image.index()) == program || may_have(image.path())) {
        for (symbol, name) in OPEN_MPI {
            let Some(at) = loaded.image.symbol(symbol) else { continue };
            is_open_mpi = true;
            if loaded.bias.loaded(at).0 == handle {
                return Some(name);
            }
        }
    }
    let of_mpich = || MPICH.into_iter().find(|(known, _)| *known == handle as u32);
    (!is_open_mpi).then(of_mpich)?.map(|(_, name)| name)
}

/// Returns the communicator as the source text of the call names it.
fn written(thread: &StoppedThread<'_>) -> Option<String> {
    let frames = thread.stack(0, Some(FRAMES)).frames;
    frames.iter().filter_map(|frame| frame.frame.source.as_ref()).find_map(|place| {
        let text = named_file::source(Path::new(&*place.file)).ok()?;
        let line = text.lines().nth(place.line.checked_sub(1)? as usize)?;
        first_argument(line).map(str::to_owned)
    })
}

/// Returns the first argument of the only call of `MPI_Abort` on a line, if it is simple.
fn first_argument(line: &str) -> Option<&str> {
    const NAME: &str = "mpi_abort";
    let lower = line.to_ascii_lowercase();
    let at = lower.find(NAME).filter(|at| lower.rfind(NAME) == Some(*at))?;
    let (argument, _) = line.get(at + NAME.len()..)?.trim_start().strip_prefix('(')?.split_once(',')?;
    let argument = argument.trim();
    let is_simple = |sign: char| sign.is_ascii_alphanumeric() || "_.->%[]:&*".contains(sign);
    (!argument.is_empty() && argument.chars().all(is_simple)).then_some(argument)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_communicator_is_read_from_simple_calls() {
        assert_eq!(first_argument("    MPI_Abort(team, 3);"), Some("team"));
        assert_eq!(first_argument("if (bad) PMPI_Abort( grid->comms[1] , code());"), Some("grid->comms[1]"));
        assert_eq!(first_argument("  call mpi_abort(grid%comm, 3, ierr)"), Some("grid%comm"));
        for odd in
            ["MPI_Abort(team(x), 3)", "MPI_Abort(team", "MPI_Abort(a, 1), MPI_Abort(b, 1)", "abort()", "MPI_Abort(, 1)"]
        {
            assert_eq!(first_argument(odd), None, "{odd}");
        }
    }
}
