//! Attaching: makes running processes ranks.

use super::beginning::Fresh;
use super::first_stop::Startup;
use super::program::Program;
use crate::Adoption;
use crate::first_stop::WAS_STOPPED;
use crate::native::ptrace::{Process, Seized, Tid, seize_running, take_out_leftover_breakpoints};
use crate::native::tracer::phase::{Halt, Phase};
use crate::native::tracer::tracee::Tracee;
use crate::native::tracer::tracer_shared::Member;
use crate::native::tracer::tracer_shared::Tracer;
use crate::native::tracer::tracer_shared::TracerShared;
use debuginfo::ImageError;
use model::{Event, LaunchSpec, Rank, Severity, StopAt, StopReason};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

impl Tracer {
    /// Seizes a process with all its threads.
    pub(in crate::native) fn attach(&mut self, rank: Rank, pid: Tid, spec: LaunchSpec, adoption: Adoption) {
        if !self.is_free(rank) {
            return;
        }
        if self.shared.owners.contains_key(&pid) {
            return self.lose(rank, format!("cannot trace process {pid}: it is already another rank"));
        }
        match seize_running(pid) {
            Ok(Seized { process, was_stopped }) => self.adopt_process(rank, process, spec, adoption, was_stopped),
            Err(message) => self.lose(rank, message),
        }
    }

    fn adopt_process(&mut self, rank: Rank, process: Process, spec: LaunchSpec, adoption: Adoption, was_stopped: bool) {
        let pid = process.pid();
        let tids: Vec<Tid> = process.threads().iter().map(|thread| thread.tid).collect();
        // The first thread, too, even if it has ended: a thread that calls exec takes its number.
        self.shared.owners.extend(tids.iter().chain([&pid]).map(|tid| (*tid, rank)));
        let held = adoption == Adoption::Held;
        let mut tracee = Tracee::new(rank, process, spec, Startup::of_attached(held), &self.shared.expressions);
        let stops = !held && tracee.inferior.spec.stop_at != StopAt::Nowhere;
        // Nothing is read from it or written to it before all its threads have stopped.
        tracee.phase = Phase::Halting(if stops {
            let note = was_stopped.then(|| WAS_STOPPED.to_owned());
            Halt::Stop { tid: pid, reason: StopReason::Attached, note }
        } else {
            Halt::Pause
        });
        tracee.report(&mut self.shared, Event::Acquired { pid: pid as u32 });
        let leftover_breakpoints = take_out_leftover_breakpoints(pid, tracee.inferior.process.memory());
        if let Some(first) = leftover_breakpoints.first() {
            let words = match leftover_breakpoints.len() {
                1 => format!("a breakpoint at {first:#x}"),
                many => format!("{many} breakpoints, the first at {first:#x},"),
            };
            let message = format!("removed {words} that a killed debugger had left in its code");
            tracee.report(&mut self.shared, Event::Message(Severity::Warning, message));
        }
        tracee.inferior.program = Program::of_running();
        let begin = tracee.startup.wanted_begin(&tracee.inferior, held);
        tracee.find_beginning(&mut self.shared, begin, move |tracee, shared, fresh| {
            settle_in(tracee, shared, fresh, adoption);
        });
        tracee.inferior.process.threads().interrupt_all();
        self.ranks.insert(rank, Member::Live(Box::new(tracee)));
        for tid in tids {
            for status in self.shared.adopt(tid) {
                self.dispatch(tid, status);
            }
        }
    }
}

/// Completes an attach once the files of the process are known.
fn settle_in(tracee: &mut Tracee, shared: &mut TracerShared, fresh: Result<Fresh, ImageError>, adoption: Adoption) {
    tracee.set_up(shared, fresh);
    if tracee.startup.is_refused() {
        return tracee.check_halted(shared);
    }
    if tracee.inferior.spec.stop_at == StopAt::Nowhere {
        tracee.run_from_the_start(shared);
    }
    if adoption == Adoption::Held {
        tracee
            .inferior
            .process
            .threads_mut()
            .iter_mut()
            .for_each(|thread| thread.expected_signal = Some(nix::libc::SIGCONT));
        // The process was held for us by a stop signal. If it has ended, its wait status reports that.
        let _ = kill(Pid::from_raw(tracee.inferior.process.pid()), Signal::SIGCONT);
    }
    tracee.check_halted(shared);
}
