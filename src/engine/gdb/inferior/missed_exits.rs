//! Exits that gdb does not notice: gdb 13 waits forever for a multi-threaded program killed while it was stopped.

use super::state::{Ended, InferiorState};
use crate::gdb::mi::Command;
use crate::gdb::reporter::End;
use crate::gdb::session::fault::GdbError;
use crate::gdb::session::gdb::Gdb;
use model::SignalName;

impl InferiorState {
    /// Called after a while without news: returns the program's end if gdb has had the time to report it and has not.
    pub(in crate::gdb) fn missed_end(&mut self, gdb: &mut Gdb) -> Result<Option<End>, GdbError> {
        match self.find_ended() {
            None => Ok(None),
            Some(Ended::Untold(pid)) => Ok(Some(how(pid))),
            // Once gdb has replied, it has no earlier news left.
            Some(Ended::JustNow) => gdb.ask_if_known(&Command::new("list-thread-groups")).map(|_| None),
        }
    }
}

/// Returns how an unreaped process has ended.
fn how(pid: i32) -> End {
    let status = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    end_in(&status).unwrap_or_else(|| End::Lost("it has ended; gdb does not report how".to_owned()))
}

/// Parses the last field of `/proc/PID/stat` (proc(5)): the status that wait(2) will return.
fn end_in(status: &str) -> Option<End> {
    let code: i32 = status.split_whitespace().next_back()?.parse().ok()?;
    Some(match code & 0x7f {
        0 => End::Exited(code >> 8 & 0xff),
        signal => End::Killed(SignalName::from_number(signal).into()),
    })
}

#[cfg(test)]
mod tests {
    use super::{End, end_in};
    use model::SignalName;

    #[test]
    fn the_end_is_in_the_last_field() {
        assert_eq!(end_in("7 (a b) Z 1 7 0\n"), Some(End::Exited(0)));
        assert_eq!(end_in("7 (a b) Z 1 7 768\n"), Some(End::Exited(3)));
        assert_eq!(end_in("7 (a b) Z 1 7 9\n"), Some(End::Killed(SignalName::from_number(9).into())));
        assert_eq!(end_in("7 (a b) Z 1 7 139\n"), Some(End::Killed(SignalName::from_number(11).into())));
        assert_eq!(end_in(""), None);
    }
}
