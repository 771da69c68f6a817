//! A process that runs already comes under its gdb.

use crate::Adoption;
use crate::first_stop::WAS_STOPPED;
use crate::gdb::mi::Command;
use crate::gdb::session::fault::GdbError;
use crate::gdb::state::{Begin, Debuggee, Guest, Phase};
use crate::process::permission::objection;
use crate::process::procfs::{ProcessStatus, witness};
use model::{StopAt, StopReason};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

impl Debuggee {
    /// Has gdb attach; its first stop tells that it has.
    pub(in crate::gdb) fn attach(&mut self, pid: i32, adoption: Adoption) -> Result<(), GdbError> {
        if let Some(why) = objection(pid) {
            return Err(GdbError::Gone(why));
        }
        if witness(pid) != pid {
            let why = "its first thread has ended, and gdb cannot attach to what is left: the native engine can";
            return Err(GdbError::Gone(format!("process {pid}: {why}")));
        }
        let was_stopped = ProcessStatus::read(pid).is_some_and(|status| status.state == 'T');
        self.guest = Some(Guest { adoption, was_stopped });
        self.phase = Phase::Attaching;
        let attach = Command::new("target-attach").word(pid);
        let loading = self.surrounding.options.loading_patience;
        let attached = self.link.ask_for(&attach, loading);
        attached.map(drop).map_err(|error| match error {
            GdbError::Refused(why) => GdbError::Gone(format!("gdb cannot attach to process {pid}: {why}")),
            gone => gone,
        })
    }

    /// gdb has the process, stopped.
    pub(in crate::gdb) fn adopted(&mut self) -> Result<(), GdbError> {
        self.executed = 1;
        self.link.ask(&Command::console("catch exec"))?;
        let held = self.guest.is_some_and(|guest| guest.adoption == Adoption::Held);
        match self.spec.stop_at.clone() {
            StopAt::Nowhere => self.begin = Begin::Done,
            StopAt::Location(place) if held => {
                self.begin = self.begin_at(&place)?;
                self.look_in_main()?;
            }
            StopAt::Main if held => drop(self.stop_in_main()?),
            StopAt::Main | StopAt::Location(_) => {
                self.begin = Begin::Done;
                let was_stopped = self.guest.is_some_and(|guest| guest.was_stopped);
                return self.say_stop(StopReason::Start, was_stopped.then(|| WAS_STOPPED.to_owned()));
            }
        }
        if let (true, Some(pid)) = (held, self.pid) {
            self.link.ask(&Command::console("handle SIGCONT nostop noprint pass"))?;
            // Whoever held it for us did so by a stop signal. One that is gone says so by itself.
            let _ = kill(Pid::from_raw(pid), Signal::SIGCONT);
        }
        self.resume_quietly()
    }

    /// The first stop after a start: from now on the signal that ended the waiting is one like any other.
    pub(in crate::gdb) fn has_begun(&mut self) -> Result<(), GdbError> {
        if self.guest.is_some_and(|guest| guest.adoption == Adoption::Held) {
            self.link.ask(&Command::console("handle SIGCONT stop print pass"))?;
        }
        Ok(())
    }
}
