//! Ends that gdb does not notice: gdb 13 waits for ever for a program of several threads that was killed while it was
//! stopped.

use super::state::{Ended, InferiorState};
use crate::gdb::mi::Command;
use crate::gdb::reporter::End;
use crate::gdb::session::fault::GdbError;
use crate::gdb::session::gdb::Gdb;
use model::SignalName;

impl InferiorState {
    /// Nobody has said anything for a while. The end of a program that is gone, when gdb has had the time to tell of it
    /// and has not.
    pub(in crate::gdb) fn missed_end(&mut self, gdb: &mut Gdb) -> Result<Option<End>, GdbError> {
        match self.find_ended() {
            None => Ok(None),
            Some(Ended::Untold(pid)) => Ok(Some(how(pid))),
            // When it has answered it has nothing else to say.
            Some(Ended::JustNow) => gdb.ask_if_known(&Command::new("list-thread-groups")).map(|_| None),
        }
    }
}

/// How a process has ended that nobody has waited for.
fn how(pid: i32) -> End {
    let status = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    end_in(&status).unwrap_or_else(|| End::Lost("it has ended; gdb does not report how".to_owned()))
}

/// The last field of proc(5) `/proc/PID/stat`: what wait(2) will say.
fn end_in(status: &str) -> Option<End> {
    let code: i32 = status.split_whitespace().next_back()?.parse().ok()?;
    Some(match code & 0x7f {
        0 => End::Exited(code >> 8 & 0xff),
        signal => End::Killed(SignalName::from_number(signal)),
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
        assert_eq!(end_in("7 (a b) Z 1 7 9\n"), Some(End::Killed(SignalName::from_number(9))));
        assert_eq!(end_in("7 (a b) Z 1 7 139\n"), Some(End::Killed(SignalName::from_number(11))));
        assert_eq!(end_in(""), None);
    }
}
