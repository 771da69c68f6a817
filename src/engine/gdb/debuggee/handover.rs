//! Ranks handed over from and to another engine.

use super::state::Debuggee;
use crate::gdb::inferior::signals::ThreadReady;
use crate::gdb::inferior::state::{Guest, Phase};
use crate::gdb::libraries::Libraries;
use crate::gdb::messages::{HubInput, Input, Surrounding};
use crate::gdb::mi::{Command, Results};
use crate::gdb::session::fault::{GdbError, failure};
use crate::gdb::session::gdb::Gdb;
use crate::gdb::startup::first_stop::Startup;
use crate::process::output::Taps;
use crate::process::procfs::ProcessStatus;
use crate::process::thread_signal::send_signal;
use crate::{Handed, Keeper, Refusal, TakenOver};
use model::{ErrorCode, Failure, ThreadId};
use nix::libc;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::sync::mpsc::Receiver;
use tokio::sync::oneshot;

/// The thread of a rank that another engine has given away.
pub(in crate::gdb) fn run(
    surrounding: Surrounding,
    inputs: Receiver<Input>,
    mut handed: Box<Handed>,
    ready: oneshot::Sender<TakenOver>,
) {
    let gdb = match Gdb::start(&surrounding.options, inputs, surrounding.to_self.clone()) {
        Ok(gdb) => gdb,
        Err(error) => return refuse(surrounding, handed, ready, &error),
    };
    let _ = surrounding.hub.send(HubInput::Gdb(surrounding.of, gdb.pid()));
    let mut debuggee = Debuggee::new(surrounding, gdb, handed.spec.clone());
    match debuggee.set_up().and_then(|()| debuggee.take_over(&handed)) {
        Ok(notes) => {
            debuggee.reporter.accept_outputs(std::mem::take(&mut handed.taps));
            // The resources of the previous engine are no longer needed.
            drop(handed);
            let _ = ready.send(Ok(notes));
            debuggee.run();
        }
        Err(error) => {
            // The process must not run when gdb quits; if gdb has already attached, the signal takes effect then.
            let _ = kill(Pid::from_raw(handed.pid), Signal::SIGSTOP);
            let Debuggee { reporter, gdb, .. } = debuggee;
            drop(gdb);
            refuse(reporter.into_surrounding(), handed, ready, &error);
        }
    }
}

fn refuse(surrounding: Surrounding, handed: Box<Handed>, ready: oneshot::Sender<TakenOver>, error: &GdbError) {
    let _ = surrounding.hub.send(HubInput::Ended(surrounding.of));
    let message = format!("the rank stays under its engine: {error}");
    let _ = ready.send(Err(Refusal { handed, failure: Failure::new(ErrorCode::NO_BACK_END, message) }));
}

/// Turns a stop into an error if the process has ended.
fn alive(stop: Results) -> Result<Results, GdbError> {
    let Some(reason) = stop.text("reason").filter(|reason| reason.starts_with("exited")) else { return Ok(stop) };
    let how = stop.text("signal-name").or(stop.text("exit-code")).unwrap_or_default();
    Err(GdbError::Gone(format!("the program has ended ({reason} {how})")))
}

/// Ends the group stop of the takeover: SIGCONT lifts it, and another SIGSTOP, which gdb withholds from the one thread
/// that gets it, removes the SIGCONT. That thread executes nothing, since it has to report the signal first; for gdb it
/// is the thread that stopped, where it is.
fn end_group_stop(gdb: &mut Gdb, pid: i32, tid: i32, number: ThreadId) -> Result<Results, GdbError> {
    gdb.select_thread(number)?;
    gdb.lock_scheduler()?;
    // If the process has ended meanwhile, the next stop reports it.
    let _ = kill(Pid::from_raw(pid), Signal::SIGCONT);
    send_signal(pid, tid, libc::SIGSTOP);
    gdb.ask(&Command::new("exec-continue"))?;
    alive(gdb.next_stop()?)
}

impl Debuggee {
    /// Attaches to a process held by SIGSTOP and takes over its record; returns warnings about what was lost.
    fn take_over(&mut self, handed: &Handed) -> Result<Vec<String>, GdbError> {
        let Self { gdb, inferior, values, signals, breakpoints, reporter, .. } = self;
        let pid = handed.pid;
        inferior.becomes(pid);
        inferior.set_guest(handed.guest.then_some(Guest::AT_WORK));
        reporter.report_under(handed.tid);
        self.startup = Startup::of_running();
        gdb.ask_to_load(&Command::new("target-attach").word(pid)).map_err(|error| match error {
            GdbError::Refused(why) => GdbError::Gone(cannot_attach(pid, &why)),
            gone => gone,
        })?;
        alive(gdb.next_stop_after_load()?)?;
        let threads = gdb.kernel_threads()?;
        let current = threads.iter().find(|(tid, _)| *tid == handed.current).or(threads.first()).copied();
        let Some((tid, number)) = current else {
            return Err(GdbError::Gone(format!("gdb sees no thread of process {pid}")));
        };
        let stopped = end_group_stop(gdb, pid, tid, number)?;
        // Another signal may arrive first and is left to gdb; the SIGSTOP still to come is then ignored.
        signals.expect_interrupt_after(&stopped);
        inferior.keep_frame(&stopped);
        inferior.make_current(number);
        inferior.enter(Phase::Stopped);
        self.libraries = Libraries::of_running(&inferior.executable());
        gdb.ask(&Command::console("catch exec"))?;
        signals.take_over(gdb, &handed.signals, &handed.undelivered, &threads)?;
        handed.send_again();
        gdb.select_thread(number)?;
        let of_kernel = |tid: i32| threads.iter().find(|(known, _)| *known == tid).map(|(_, number)| *number);
        let notes = breakpoints.take_over(gdb, inferior, values, reporter, &handed.points_numbered(of_kernel))?;
        gdb.drop_words();
        Ok(notes)
    }

    /// Detaches gdb from the stopped program without letting it run. gdb's own detach would: it takes the stop signal
    /// away from threads with a pending event, and delivers pending signals. So the script makes gdb's thread, which is
    /// the tracer, detach from each thread by ptrace(2). gdb is of no use any more, but must stay: the program may be
    /// its child, and a stopped child gets SIGHUP when gdb exits.
    pub(super) fn give_away(&mut self) -> Result<Handed, GivenUp> {
        let Self { gdb, inferior, signals, breakpoints, .. } = self;
        if !inferior.is_stopped() {
            let message = "the rank is running: halt it first, then hand it over";
            return Err(GivenUp::Stays(Failure::new(ErrorCode::RUNNING, message)));
        }
        let Some(pid) = inferior.pid().filter(|_| gdb.has_python()) else {
            let message = "this gdb has no Python, which handing over a stopped program needs";
            return Err(GivenUp::Stays(Failure::new(ErrorCode::NOT_IMPLEMENTED, message)));
        };
        if ProcessStatus::read(pid).is_none_or(|status| status.has_ended()) {
            let message = "its first thread has ended: no other debugger can attach to the process";
            return Err(GivenUp::Stays(Failure::new(ErrorCode::DEBUGGER, message)));
        }
        let threads = gdb.kernel_threads()?;
        let current = threads.iter().find(|(_, number)| *number == inferior.current()).map_or(pid, |(tid, _)| *tid);
        let points = breakpoints.portable(gdb, inferior)?;
        if let Err(why) = gdb.script::<bool>("can_release()")? {
            let message = format!("this gdb's Python cannot release a stopped program: {why}");
            return Err(GivenUp::Stays(Failure::new(ErrorCode::NOT_IMPLEMENTED, message)));
        }
        let resumed = inferior.resumed_but(current);
        let call = format!("ready(\"{}\")", model::aif::to_hex(resumed.as_bytes()));
        let ready = gdb.script::<Vec<ThreadReady>>(&call)?.map_err(|why| GivenUp::Stays(failure(&why)))?;
        let _ = kill(Pid::from_raw(pid), Signal::SIGSTOP);
        let released = gdb.script::<Vec<i64>>("release()")?;
        released.map_err(|why| GdbError::Gone(format!("its gdb does not release it: {why}")))?;
        let (undelivered, unheard) = signals.give_away(ready, &threads);
        Ok(Handed {
            rank: self.reporter.rank(),
            pid,
            guest: inferior.guest().is_some(),
            spec: self.spec.clone(),
            tid: self.reporter.tid(),
            threads,
            current,
            points,
            sites: breakpoints.sites(),
            signals: signals.table().clone(),
            undelivered,
            unheard,
            taps: Taps::default(),
            keeper: Keeper::default(),
        })
    }
}

/// The failure of a handover to another engine.
pub(in crate::gdb) enum GivenUp {
    Stays(Failure),
    Gone(GdbError),
}

impl From<GdbError> for GivenUp {
    fn from(error: GdbError) -> Self {
        match error {
            GdbError::Refused(why) => Self::Stays(failure(&why)),
            gone @ GdbError::Gone(_) => Self::Gone(gone),
        }
    }
}

fn cannot_attach(pid: i32, why: &str) -> String {
    let why = why.trim_end_matches('.');
    let hint = if why.contains("not permitted") {
        ". gdb is not an ancestor of the process: set kernel.yama.ptrace_scope to 0 \
            (/proc/sys/kernel/yama/ptrace_scope), or run with the capability CAP_SYS_PTRACE"
    } else {
        ""
    };
    format!("gdb cannot attach to process {pid}: {why}{hint}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_done_about_a_refusal_is_said() {
        assert!(cannot_attach(5, "ptrace: Operation not permitted.").contains("ptrace_scope"));
        assert!(!cannot_attach(5, "ptrace: No such process.").contains("ptrace_scope"));
    }
}
