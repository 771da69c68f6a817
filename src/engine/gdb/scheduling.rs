//! What gdb is told of the threads that stay where they are, and of the process that a rank is after a fork.

use super::mi::{Command, Results};
use super::session::fault::GdbError;
use super::state::Debuggee;
use model::{Event, Follow, Severity};

impl Debuggee {
    /// Tells gdb what it has not been told.
    pub(super) fn tell_scheduling(&mut self) -> Result<(), GdbError> {
        let (locking, follow) = (self.spec.settings.locking, self.spec.settings.follow);
        if self.scheduling.locking != Some(locking) {
            self.link.ask(&Command::console(&format!("set scheduler-locking {}", locking.word())))?;
            self.scheduling.locking = Some(locking);
        }
        if self.scheduling.follow != Some(follow) {
            // A process that gdb has besides would end with it.
            let mode = if follow == Follow::Child { follow } else { Follow::Parent };
            self.link.ask(&Command::console(&format!("set follow-fork-mode {}", mode.word())))?;
            self.scheduling.follow = Some(follow);
            if follow == Follow::Both {
                self.warn("gdb keeps no child of a fork for another debugger: children run free".to_owned());
            }
        }
        Ok(())
    }

    /// gdb has another process: the child of a fork.
    pub(super) fn followed(&mut self, results: &Results) {
        let (Some(parent), Some(child)) = (self.pid, results.number("pid").map(|pid| pid as i32)) else { return };
        if self.spec.settings.follow != Follow::Child {
            return;
        }
        self.pid = Some(child);
        let message = format!("is process {child} now, a child; process {parent} goes on by itself");
        self.report(Event::Message(Severity::Note, message));
    }
}
