//! Calls that end an MPI job: `MPI_Abort`, and errors that the MPI library does not return.

use super::call_arguments::{argument, text_argument};
use crate::native::inspect::StoppedThread;
use debuginfo::named_file;
use model::{Cause, CauseKind, VirtualAddress};

/// Open MPI's communicators, whose handles are their addresses.
const OPEN_MPI: [(&str, &[&str]); 2] =
    [("MPI_COMM_WORLD", &["ompi_mpi_comm_world"]), ("MPI_COMM_SELF", &["ompi_mpi_comm_self"])];
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

/// Returns the cause of a stop at the message with which MPICH ends a job.
pub(super) fn error_of_mpich(thread: &StoppedThread<'_>) -> Option<Cause> {
    cause(words_of_mpich(&text_argument(thread, 0)?)?)
}

/// Shortens a message of MPICH to the call and the last line of its stack of errors, which says most:
///
/// ```text
/// Abort(470436358) on node 0 (rank 0 in comm 0): Fatal error in internal_Send: Invalid rank, error stack:
/// internal_Send(120): MPI_Send(buf=0x7ffea2784a1c, count=1, MPI_INT, 99, 0, MPI_COMM_WORLD) failed
/// internal_Send(78).: Invalid rank has value 99 but must be nonnegative and less than 2
/// ```
fn words_of_mpich(message: &str) -> Option<String> {
    let (_, words) = message.split_once(": ")?;
    let mut lines = words.lines();
    let first = lines.next()?.trim_end();
    let Some((function, class)) = first.strip_prefix("Fatal error in ").and_then(|rest| rest.split_once(": ")) else {
        return Some(first.to_owned());
    };
    let class = class.trim_end_matches(", error stack:");
    let name = function.strip_prefix("internal_").or_else(|| function.strip_prefix("PMPI_"));
    let call = name.map_or_else(|| function.to_owned(), |name| format!("MPI_{name}"));
    // Addresses would keep ranks with the same error apart.
    let last = lines.next_back().and_then(|line| Some(line.split_once(": ")?.1.trim_end()));
    Some(match last.filter(|last| !last.is_empty() && !last.ends_with(" failed") && !last.contains("0x")) {
        Some(last) if last.starts_with(class) => format!("{call} failed: {last}"),
        Some(last) => format!("{call} failed: {class}: {last}"),
        None => format!("{call} failed: {class}"),
    })
}

fn cause(text: String) -> Option<Cause> {
    Some(Cause { kind: CauseKind::MpiAbort, text, source: None })
}

/// Returns the name of a communicator that every program has.
fn communicator(thread: &StoppedThread<'_>, handle: u64) -> Option<&'static str> {
    let of_open_mpi = thread.images.functions_of(&["libmpi"], &OPEN_MPI);
    if !of_open_mpi.is_empty() {
        return of_open_mpi.get(&handle).copied();
    }
    MPICH.into_iter().find(|(known, _)| *known == handle as u32).map(|(_, name)| name)
}

/// Returns the communicator as the source text of the call names it.
fn written(thread: &StoppedThread<'_>) -> Option<String> {
    let frames = thread.stack(0, Some(FRAMES)).frames;
    frames.iter().filter_map(|frame| frame.frame.source.as_ref()).find_map(|place| {
        let text = named_file::source(&thread.source_path(&place.file)).ok()?;
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
    fn the_last_line_of_mpichs_message_says_most() {
        let message = |class: &str, last: &str| {
            format!(
                "Abort(470436358) on node 0 (rank 0 in comm 0): Fatal error in internal_Send: {class}, error stack:\ninternal_Send(120): MPI_Send(buf=0x7ffea2784a1c, 99, MPI_COMM_WORLD) failed\n{last}"
            )
        };
        let words = |class, last| words_of_mpich(&message(class, last)).unwrap();
        let rank = "internal_Send(78).: Invalid rank has value 99 but must be nonnegative and less than 2\n";
        let expected = "MPI_Send failed: Invalid rank has value 99 but must be nonnegative and less than 2";
        assert_eq!(words("Invalid rank", rank), expected);
        assert_eq!(words("Message truncated", "(unknown)(): Message truncated"), "MPI_Send failed: Message truncated");
        assert_eq!(words("Other MPI error", "f(3)......: no room"), "MPI_Send failed: Other MPI error: no room");
        assert_eq!(words("Invalid buffer", "f(3): Null at 0x10"), "MPI_Send failed: Invalid buffer");
        assert_eq!(words("Invalid tag", ""), "MPI_Send failed: Invalid tag");
        let of = |message| words_of_mpich(message).unwrap_or_default();
        assert_eq!(of("Abort(1): Fatal error in PMPI_Init: Other MPI error"), "MPI_Init failed: Other MPI error");
        assert_eq!(of("Abort(1) on node 3 (rank 3 in comm 0): out of handles\n"), "out of handles");
        assert_eq!(of("Abort(1): Fatal error in x: y, error stack:\n\n: \n"), "x failed: y");
        assert_eq!(words_of_mpich("Abort("), None);
    }

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
