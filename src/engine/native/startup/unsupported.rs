//! Programs that this engine cannot debug: that is said in place of a first stop, with what to do.

use crate::native::ptrace::Tid;
use crate::native::tracer::phase::{Halt, Phase};
use crate::native::tracer::tracee::Tracee;
use crate::native::tracer::tracer_shared::TracerShared;
use debuginfo::{ImageError, LoadedImages};
use model::{Event, Severity, Site, StopAt};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

const OTHER_ENGINE: &str = "the native engine cannot debug it: use --engine gdb";

/// Why a program whose files could not be read is none for this engine.
pub(in crate::native) fn unreadable(error: &ImageError) -> String {
    match error {
        ImageError::Architecture { .. } => format!("{error}; {OTHER_ENGINE}"),
        _ => format!("{error}; without the program's file the native engine cannot debug it, try --engine gdb"),
    }
}

/// Why the first stop, which is wanted in `main`, will not come: Go has its own main function, stacks and threads. `start`:
/// where `main` is; the start-up code of Go may bear the name.
pub(in crate::native) fn written_in_go(images: &LoadedImages, start: &[Site]) -> Option<String> {
    let program = images.executable().filter(|program| program.image.file().is_go())?;
    let is_start_up = |site: &Site| site.source.as_ref().is_none_or(|place| place.file.ends_with(".s"));
    start.iter().all(is_start_up).then(|| {
        format!(
            "{} is a Go program; {OTHER_ENGINE} --stop-at main.main. If it only starts the program that is meant, say \
             where that is to stop (--stop-at FUNCTION)",
            program.name
        )
    })
}

impl Tracee {
    /// A program that is no use to anybody under this engine does not run: it ends, unless it ran before it came to us, or
    /// has been debugged so far.
    pub(in crate::native) fn refuse(&mut self, shared: &mut TracerShared, why: String) {
        let pid = Pid::from_raw(self.inferior.process.pid());
        if self.guest {
            self.refused = Some(why);
            self.phase = Phase::Halting(Halt::Detach);
        } else if self.starting {
            self.refused = Some(why);
            // It ends when it is continued; one that is gone is what we want.
            let _ = kill(pid, Signal::SIGKILL);
        } else {
            self.report(shared, Event::Message(Severity::Error, why));
        }
    }

    /// What its end is, when it was refused.
    pub(in crate::native) fn end_or_refusal(&mut self, end: Event) -> Event {
        self.refused.take().map_or(end, Event::Failed)
    }

    /// Says of a rank that has ended why it has not stopped at first, as everybody expects.
    pub(in crate::native) fn tell_missed_start(&self, shared: &mut TracerShared, end: &Event) {
        let ran = self.inferior.program.generation > 0 && self.starting && self.refused.is_none();
        if !ran || self.inferior.spec.stop_at != StopAt::Main || !matches!(end, Event::Exited(_)) {
            return;
        }
        let Some(program) = self.inferior.images().executable() else { return };
        let message = format!(
            "ended before its first stop: {} has run to its end, and started no program with a main function that has \
             symbols; to stop in it, name it as the program, or a place with --stop-at",
            program.name
        );
        self.report(shared, Event::Message(Severity::Warning, message));
    }

    /// Whether the program of the process is known to be none for us.
    pub(in crate::native) fn is_refused(&self, tid: Tid) -> bool {
        self.refused.is_some() && self.inferior.process.thread(tid).is_some()
    }
}
