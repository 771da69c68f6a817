//! Following a fork: the debugger's changes to the parent's memory are carried over to the child's.

use super::process::Process;
use super::requests::Tid;
use super::threads::Threads;
use std::io;
use std::mem;

impl Process {
    /// Switches from this stopped process to a child, which is stopped at its beginning. The parent is detached; if
    /// both share memory (vfork(2)), not before the child has left it.
    ///
    /// A child with its own memory must have no traps in it: they were removed when it was created, since the parent's
    /// may have changed meanwhile.
    pub fn become_child(&mut self, child: Tid, shares_memory: bool) -> io::Result<()> {
        let mut found = Self::new(child)?;
        found.threads = Threads::first_alone(child);
        found.debug = self.debug.clone();
        *found.threads.fpu_traps_mut() = self.threads.fpu_traps();
        found.threads.stop_at_calls = self.threads.stop_at_calls;
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

    /// Detaches the parent that waits for this process to leave its memory, without traps in it.
    pub(super) fn free_parent(&mut self) {
        if let Some(mut parent) = self.suspended.take() {
            parent.space.take_breakpoints(&mut self.space);
            parent.release();
        }
    }

    /// True if the parent waits for this process to leave its memory.
    pub fn is_in_memory_of_its_parent(&self) -> bool {
        self.suspended.is_some()
    }
}
