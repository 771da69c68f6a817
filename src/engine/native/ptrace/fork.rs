//! A process that becomes the one it has created: what was put into the memory of the one is in that of the other.

use super::process::Process;
use super::requests::Tid;
use super::threads::Threads;
use std::io;
use std::mem;

impl Process {
    /// Becomes the process that a thread of this stopped one has created, which is stopped at its beginning. The one it
    /// was is let go; where both use one memory (vfork(2)), not before the child has left that.
    ///
    /// A child with memory of its own must have none of our traps in it: they were taken out when it was created, since
    /// they may have changed here meanwhile.
    pub fn become_child(&mut self, child: Tid, shares_memory: bool) -> io::Result<()> {
        let mut found = Self::new(child)?;
        found.threads = Threads::first_alone(child);
        found.debug = self.debug.clone();
        if shares_memory {
            found.space.take_breakpoints(&mut self.space);
        } else {
            found.space.copy_breakpoints(&self.space);
        }
        let mut parent = mem::replace(self, found);
        if shares_memory {
            self.suspended = Some(Box::new(parent));
        } else {
            parent.release();
        }
        Ok(())
    }

    /// The parent that waits for this process to leave its memory gets it back, without our traps.
    pub(super) fn free_parent(&mut self) {
        if let Some(mut parent) = self.suspended.take() {
            parent.space.take_breakpoints(&mut self.space);
            parent.release();
        }
    }

    /// Whether another process waits for this one to leave its memory.
    pub fn is_in_memory_of_its_parent(&self) -> bool {
        self.suspended.is_some()
    }
}
