//! Ranks that come from another engine, and ranks that go to one.

use crate::gdb::breakpoints::planted::WatchPlace;
use crate::gdb::known_libraries::Libraries;
use crate::gdb::messages::{HubInput, Input, Surrounding};
use crate::gdb::mi::{Command, Kind, Results};
use crate::gdb::session::fault::{GdbError, failure};
use crate::gdb::session::link::{Link, News};
use crate::gdb::state::{Begin, Debuggee, Guest, Phase, Snapshot};
use crate::process::output::Taps;
use crate::process::procfs::{ProcessStatus, threads};
use crate::process::thread_signal::send_signal;
use crate::{Handed, Keeper, Refusal, TakenOver, portable};
use model::{Answer, BreakpointRequest, Context, ErrorCode, Failure, Point, SignalName, SignalTable, ThreadId};
use nix::libc;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde::Deserialize;
use std::sync::mpsc::Receiver;
use std::time::Duration;
use tokio::sync::oneshot;

/// A thread, and the signals that came for it.
#[derive(Clone, Debug, Deserialize)]
struct ThreadReady {
    thread: i32,
    /// The one that it is stopped for; of other stops a trap.
    signal: i32,
    /// Those that nobody has looked at.
    unheard: Vec<i32>,
}

/// Signals of threads, as the kernel numbers them.
type Undelivered = Vec<(i32, SignalName)>;
/// The same, of which nobody knows yet.
type Unheard = Vec<(i32, i32)>;

/// The thread of a rank that another engine has given away.
pub(in crate::gdb) fn run(
    surrounding: Surrounding,
    inputs: Receiver<Input>,
    mut handed: Box<Handed>,
    ready: oneshot::Sender<TakenOver>,
) {
    let link = match Link::start(&surrounding.options, inputs, surrounding.to_self.clone()) {
        Ok(link) => link,
        Err(error) => return refuse(surrounding, handed, ready, &error),
    };
    let _ = surrounding.hub.send(HubInput::Gdb(surrounding.of, link.pid()));
    let mut debuggee = Debuggee::new(surrounding, link, handed.spec.clone());
    match debuggee.set_up().and_then(|()| debuggee.take_over(&handed)) {
        Ok(notes) => {
            debuggee.surrounding.outputs.accept(std::mem::take(&mut handed.taps));
            // Those who gave the process away may go.
            drop(handed);
            let _ = ready.send(Ok(notes));
            debuggee.run();
        }
        Err(error) => {
            // It must not run when gdb goes, which may have it already: then this waits until gdb is gone.
            let _ = kill(Pid::from_raw(handed.pid), Signal::SIGSTOP);
            let Debuggee { surrounding, link, .. } = debuggee;
            drop(link);
            refuse(surrounding, handed, ready, &error);
        }
    }
}

fn refuse(surrounding: Surrounding, handed: Box<Handed>, ready: oneshot::Sender<TakenOver>, error: &GdbError) {
    let _ = surrounding.hub.send(HubInput::Ended(surrounding.of));
    let message = format!("the rank stays under its engine: {error}");
    let _ = ready.send(Err(Refusal { handed, failure: Failure::new(ErrorCode::NO_BACK_END, message) }));
}

impl Debuggee {
    /// Attaches to a process that SIGSTOP holds, and takes over what is known of it. Words about what cannot be.
    fn take_over(&mut self, handed: &Handed) -> Result<Vec<String>, GdbError> {
        let pid = handed.pid;
        self.pid = Some(pid);
        self.tid = handed.tid;
        self.begin = Begin::Done;
        self.executed = 1;
        self.guest = handed.guest.then_some(Guest::AT_WORK);
        let loading = self.surrounding.options.loading_patience;
        self.link.ask_for(&Command::new("target-attach").word(pid), loading).map_err(|error| match error {
            GdbError::Refused(why) => GdbError::Gone(cannot_attach(pid, &why)),
            gone => gone,
        })?;
        self.next_stop(loading)?;
        let threads = self.kernel_threads()?;
        let current = threads.iter().find(|(tid, _)| *tid == handed.current).or(threads.first()).copied();
        let Some((tid, number)) = current else {
            return Err(GdbError::Gone(format!("gdb sees no thread of process {pid}")));
        };
        self.end_group_stop(pid, tid, number)?;
        self.current = number;
        self.phase = Phase::Stopped;
        self.libraries = Libraries::of_running(&self.executable());
        self.link.ask(&Command::console("catch exec"))?;
        self.take_signals(handed, &threads)?;
        handed.send_again();
        self.link.ask(&Command::new("thread-select").word(number))?;
        let of_kernel = |tid: i32| threads.iter().find(|(known, _)| *known == tid).map(|(_, number)| *number);
        let mut notes = Vec::new();
        for request in handed.points_numbered(of_kernel) {
            let why = match self.set_breakpoint(&request) {
                Ok(Answer::Failed(failure)) => failure.message,
                Ok(_) => continue,
                Err(GdbError::Refused(why)) => why,
                Err(gone) => return Err(gone),
            };
            notes.push(format!("{} {} could not be taken along: {why}", request.point.word(), request.id));
        }
        self.link.news.retain(|news| !matches!(news, News::Words(..)));
        Ok(notes)
    }

    /// The stop signal is not to outlive the take-over: SIGCONT ends what it has done, and another SIGSTOP, which gdb
    /// keeps from the one thread that gets it, removes the SIGCONT. That thread executes nothing, since it has the signal
    /// to report first; and to gdb it is the one that stopped, where it is.
    fn end_group_stop(&mut self, pid: i32, tid: i32, number: ThreadId) -> Result<(), GdbError> {
        self.link.ask(&Command::new("thread-select").word(number))?;
        self.link.ask(&Command::console("set scheduler-locking on"))?;
        // A process that has ended meanwhile says so below.
        let _ = kill(Pid::from_raw(pid), Signal::SIGCONT);
        send_signal(pid, tid, libc::SIGSTOP);
        self.link.ask(&Command::new("exec-continue"))?;
        let stopped = self.next_stop(self.surrounding.options.patience)?;
        if stopped.text("signal-name") != Some("SIGSTOP") {
            // Another signal was there first: it is gdb's to deliver; the stop is still to come, and means nothing.
            self.late_interrupts += 1;
        }
        self.frame = stopped.inside("frame").map(|frame| self.frame_of(frame));
        self.scheduling.locking = None;
        Ok(())
    }

    fn next_stop(&mut self, patience: Duration) -> Result<Results, GdbError> {
        loop {
            if let News::Async(Kind::Exec, class, results) = self.link.next_news_for(patience)?
                && class == "stopped"
            {
                if let Some(reason) = results.text("reason").filter(|reason| reason.starts_with("exited")) {
                    let how = results.text("signal-name").or(results.text("exit-code")).unwrap_or_default();
                    return Err(GdbError::Gone(format!("the program has ended ({reason} {how})")));
                }
                return Ok(results);
            }
        }
    }

    /// The threads as the kernel numbers them, and as gdb does.
    fn kernel_threads(&mut self) -> Result<Vec<(i32, ThreadId)>, GdbError> {
        let results = self.link.ask(&Command::new("thread-info"))?.results;
        let told = results.inside("threads").into_iter().flat_map(Results::parts);
        let known = told.filter_map(|thread| {
            let tid = kernel_number(thread.text("target-id")?)?;
            Some((tid, ThreadId(thread.number("id")? as u32)))
        });
        let mut threads: Vec<_> = known.collect();
        threads.sort_by_key(|(_, number)| *number);
        Ok(threads)
    }

    /// What happens on signals, and those that threads were stopped for and have not got.
    fn take_signals(&mut self, handed: &Handed, threads: &[(i32, ThreadId)]) -> Result<(), GdbError> {
        let usual = SignalTable::default();
        for row in handed.signals.rows() {
            if usual.get(&row.name) != Some(row) {
                let d = row.disposition;
                self.handle(&row.name, Some(d.stop), Some(d.print), Some(d.pass))?;
            }
        }
        for (tid, name) in &handed.undelivered {
            let Some((_, number)) = threads.iter().find(|(known, _)| known == tid) else { continue };
            self.link.ask(&Command::new("thread-select").word(number))?;
            // One that is not passed on is refused, as it should be.
            self.ask_if_known(&Command::console(&format!("queue-signal {name}")))?;
            self.undelivered.push((*number, name.clone()));
        }
        Ok(())
    }

    /// Has gdb let go of the stopped program, which is kept from running. gdb itself would not do: of threads that were
    /// stopped while they had something to tell it takes the stop signal away, and it gives those their signals that have
    /// one. So its own thread, which is the tracer, lets go of each by ptrace(2). gdb is of no use any more, but has to
    /// stay: the program may be its child, and would be hung up on as a stopped one when it ends.
    pub(in crate::gdb) fn give_away(&mut self) -> Result<Handed, GivenUp> {
        if self.phase != Phase::Stopped {
            let message = "the rank is running: halt it first, then hand it over";
            return Err(GivenUp::Stays(Failure::new(ErrorCode::RUNNING, message)));
        }
        let Some(pid) = self.pid.filter(|_| self.python) else {
            let message = "this gdb has no Python, and cannot let go of a stopped program without it";
            return Err(GivenUp::Stays(Failure::new(ErrorCode::NOT_IMPLEMENTED, message)));
        };
        if ProcessStatus::read(pid).is_none_or(|status| status.has_ended()) {
            let message = "its first thread has ended: no other debugger can take the process over";
            return Err(GivenUp::Stays(Failure::new(ErrorCode::DEBUGGER, message)));
        }
        let threads = self.kernel_threads()?;
        let current = threads.iter().find(|(_, number)| *number == self.current).map_or(pid, |(tid, _)| *tid);
        let points = self.portable_points()?;
        if let Err(why) = self.script::<bool>("can_release()")? {
            let message = format!("this gdb's Python cannot let go of a stopped program: {why}");
            return Err(GivenUp::Stays(Failure::new(ErrorCode::NOT_IMPLEMENTED, message)));
        }
        self.told.retain(|shot| shot.thread != current);
        let told = serde_json::to_string(&self.told).unwrap_or_default();
        let call = format!("ready(\"{}\")", model::aif::to_hex(told.as_bytes()));
        let ready = self.script::<Vec<ThreadReady>>(&call)?.map_err(|why| GivenUp::Stays(failure(&why)))?;
        let _ = kill(Pid::from_raw(pid), Signal::SIGSTOP);
        let released = self.script::<Vec<i64>>("release()")?;
        released.map_err(|why| GdbError::Gone(format!("its gdb does not let go of it: {why}")))?;
        let (undelivered, unheard) = self.signals_of(ready, &threads);
        Ok(Handed {
            rank: self.surrounding.of.rank,
            pid,
            guest: self.guest.is_some(),
            spec: self.spec.clone(),
            tid: self.tid,
            threads,
            current,
            points,
            sites: self.breakpoints.iter().map(|planted| (planted.request.id, planted.sites().to_vec())).collect(),
            signals: self.signals.clone(),
            undelivered,
            unheard,
            taps: Taps::default(),
            keeper: Keeper::default(),
        })
    }

    /// What threads get when they go on, because it was told and is passed on; and what nobody has been told of: gdb tells
    /// of one thread at a time, others may have been stopped for theirs meanwhile.
    fn signals_of(&mut self, ready: Vec<ThreadReady>, threads: &[(i32, ThreadId)]) -> (Undelivered, Unheard) {
        let told = std::mem::take(&mut self.undelivered);
        let mut unheard = Vec::new();
        for ThreadReady { thread, signal, unheard: more } in ready {
            let number = threads.iter().find(|(tid, _)| *tid == thread).map(|(_, number)| *number);
            let name = SignalName::from_number(signal);
            let is_told = told.iter().any(|(of, known)| Some(*of) == number && *known == name);
            if !is_told && ![0, libc::SIGTRAP, libc::SIGSTOP].contains(&signal) {
                unheard.push((thread, signal));
            }
            unheard.extend(more.into_iter().map(|signal| (thread, signal)));
        }
        let passes = |name: &SignalName| self.signals.get(name).is_none_or(|row| row.disposition.pass);
        let of_kernel = |number: ThreadId| threads.iter().find(|(_, known)| *known == number).map(|(tid, _)| *tid);
        let passed = told.into_iter().filter(|(_, name)| passes(name));
        (passed.filter_map(|(number, name)| Some((of_kernel(number)?, name))).collect(), unheard)
    }

    /// The current thread is about to be resumed from a stop that has been told. Another thread may stop the program before
    /// it gets anywhere: whether it did will be seen by its registers.
    pub(in crate::gdb) fn note_told(&mut self) -> Result<(), GdbError> {
        let threads = self.pid.map_or(0, |pid| threads(pid).len());
        if self.python
            && threads > 1
            && let Ok(shot) = self.script::<Snapshot>(&format!("snapshot({})", self.current))?
        {
            self.told.retain(|other| other.thread != shot.thread);
            self.told.push(shot);
        }
        Ok(())
    }

    /// What the user has set, in words that another engine understands.
    fn portable_points(&mut self) -> Result<Vec<BreakpointRequest>, GdbError> {
        let mut points = Vec::new();
        for planted in self.breakpoints.clone() {
            let mut request = portable(&planted.request, planted.sites());
            request.ignore = planted.ignore();
            if let Point::Watch(watch) = &mut request.point {
                watch.context = match &planted.place {
                    Some(place) => self.watch_context(place)?,
                    None => watch.context,
                };
            }
            points.push(request);
        }
        Ok(points)
    }

    /// Where the frame of a watchpoint is now; one that is not there is not needed.
    fn watch_context(&mut self, place: &WatchPlace) -> Result<Context, GdbError> {
        Ok(match self.level_of(place)? {
            Some(frame) => Context { thread: Some(place.thread), frame },
            None => Context { thread: Some(self.current), frame: 0 },
        })
    }

    /// The level that a frame has now; `None`: it has returned.
    pub(in crate::gdb) fn level_of(&mut self, place: &WatchPlace) -> Result<Option<u32>, GdbError> {
        let Ok(digits) = serde_json::to_string(&place.function) else { return Ok(None) };
        let digits = model::aif::to_hex(digits.as_bytes());
        let call = format!("level_of({}, {}, \"{digits}\")", place.thread, place.base);
        Ok(self.script::<Option<u32>>(&call)?.ok().flatten())
    }
}

/// Why a rank does not go to another engine.
pub(in crate::gdb) enum GivenUp {
    /// It stays.
    Stays(Failure),
    /// Its gdb is gone.
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

/// `Thread 0x7ffff7d8a740 (LWP 1234)`, `LWP 1234`, `process 1234`.
fn kernel_number(words: &str) -> Option<i32> {
    let (_, rest) = words.split_once("LWP ").or_else(|| words.split_once("process "))?;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

fn cannot_attach(pid: i32, why: &str) -> String {
    let why = why.trim_end_matches('.');
    let hint = if why.contains("not permitted") {
        ". gdb is no ancestor of the process: set kernel.yama.ptrace_scope to 0 \
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
    fn kernel_numbers_are_read() {
        for (words, number) in [
            ("Thread 0x7ffff7d8a740 (LWP 1234)", Some(1234)),
            ("LWP 77", Some(77)),
            ("process 5", Some(5)),
            ("Thread 3 (cuda)", None),
            ("", None),
        ] {
            assert_eq!(kernel_number(words), number, "{words}");
        }
    }

    #[test]
    fn what_may_be_done_about_a_refusal_is_said() {
        assert!(cannot_attach(5, "ptrace: Operation not permitted.").contains("ptrace_scope"));
        assert!(!cannot_attach(5, "ptrace: No such process.").contains("ptrace_scope"));
    }
}
