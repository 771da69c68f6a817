//! Signals of the process: dispositions, undelivered signals, and the one that interrupts.

use crate::gdb::inferior::state::InferiorState;
use crate::gdb::mi::{Command, Results};
use crate::gdb::session::fault::GdbError;
use crate::gdb::session::gdb::Gdb;
use model::{Answer, ErrorCode, Event, Failure, SignalName, SignalTable, StopReason, ThreadId};
use nix::libc;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde::Deserialize;

/// A thread that gdb is about to detach from, and its signals.
#[derive(Clone, Debug, Deserialize)]
pub(in crate::gdb) struct ThreadReady {
    thread: i32,
    /// The signal of its stop; SIGTRAP for other stops.
    signal: i32,
    /// Signals that were never reported.
    unheard: Vec<i32>,
}

/// Signals of threads by kernel id: those that were reported and will be delivered, and those that were not reported.
pub(in crate::gdb) type Pending = (Vec<(i32, SignalName)>, Vec<(i32, i32)>);

#[derive(Debug, Default)]
pub(in crate::gdb) struct Signals {
    table: SignalTable,
    /// An interrupt was sent and has not stopped the program yet.
    interrupting: bool,
    /// Interrupts that arrived too late: their stops are ignored.
    late_interrupts: u32,
    /// Signals that threads have stopped for, here or under the previous engine, and receive when they continue.
    undelivered: Vec<(ThreadId, SignalName)>,
}

fn named_in(results: &Results) -> Option<SignalName> {
    let text = results.text("signal-name").unwrap_or("0");
    (text != "0").then(|| SignalName::parse(text).unwrap_or_else(|| SignalName(text.into())))
}

fn no_signal(name: &SignalName) -> Answer {
    Answer::Failed(Failure::new(ErrorCode::NO_SYMBOL, format!("No signal {name}.")))
}

impl Signals {
    pub(in crate::gdb) fn table(&self) -> &SignalTable {
        &self.table
    }

    /// Lists one signal, or all.
    pub(in crate::gdb) fn list(&self, which: Option<&SignalName>) -> Answer {
        match which {
            None => Answer::Signals(self.table.rows().to_vec()),
            Some(name) => {
                self.table.get(name).map_or_else(|| no_signal(name), |row| Answer::Signals(vec![row.clone()]))
            }
        }
    }

    pub(in crate::gdb) fn handle(
        &mut self,
        gdb: &mut Gdb,
        name: &SignalName,
        stop: Option<bool>,
        print: Option<bool>,
        pass: Option<bool>,
    ) -> Result<Answer, GdbError> {
        let Some(row) = self.table.change(name, stop, print, pass).cloned() else { return Ok(no_signal(name)) };
        // SIGSTOP is used for interrupts; the user's setting for it is applied here, not in gdb.
        if &*name.0 != "SIGSTOP" {
            let word = |yes: bool, word: &str| if yes { word.to_owned() } else { format!("no{word}") };
            let d = row.disposition;
            let words = [word(d.stop, "stop"), word(d.print, "print"), word(d.pass, "pass")].join(" ");
            gdb.ask(&Command::console(&format!("handle {name} {words}")))?;
        }
        Ok(Answer::Signals(vec![row]))
    }

    /// Queues a signal for a thread, or discards that of its stop.
    pub(in crate::gdb) fn queue(
        &mut self,
        gdb: &mut Gdb,
        inferior: &InferiorState,
        thread: Option<ThreadId>,
        name: Option<&SignalName>,
    ) -> Result<Answer, GdbError> {
        if let Err(failure) = self.table.check_passes(name) {
            return Ok(Answer::Failed(failure));
        }
        let thread = inferior.checked_thread(gdb, thread)?;
        gdb.select_thread(thread)?;
        // gdb, too, takes 0 as "no signal".
        gdb.ask(&Command::console(&format!("queue-signal {}", name.map_or("0", |name| &*name.0))))?;
        self.undelivered.retain(|(other, _)| *other != thread);
        self.undelivered.extend(name.map(|name| (thread, name.clone())));
        Ok(Answer::Ok)
    }

    /// Reports the signals that gdb mentions in its output without stopping.
    pub(in crate::gdb) fn seen_in(&self, text: &str) -> Vec<Event> {
        let names = text.split("received signal ").skip(1).filter_map(|rest| rest.split(',').next());
        let is_printed =
            |name: &SignalName| self.table.get(name).is_some_and(|row| row.disposition.print && !row.disposition.stop);
        names.filter_map(SignalName::parse).filter(is_printed).map(Event::SignalSeen).collect()
    }

    /// Returns a signal's stop reason; `None` if it does not stop.
    pub(in crate::gdb) fn stop_reason(&mut self, results: &Results) -> Option<StopReason> {
        let Some(name) = named_in(results) else { return Some(StopReason::Interrupted) };
        if &*name.0 != "SIGSTOP" {
            return Some(StopReason::Signal(name));
        }
        if self.interrupting {
            return Some(StopReason::Interrupted);
        }
        if self.late_interrupts > 0 {
            self.late_interrupts -= 1;
            return None;
        }
        // gdb always stops at SIGSTOP, because interrupts need it; the user's setting may differ.
        let stops = self.table.get(&name).is_none_or(|row| row.disposition.stop);
        stops.then_some(StopReason::Signal(name))
    }

    /// Interrupts with SIGSTOP, which cannot be blocked and which gdb hides from the program.
    pub(in crate::gdb) fn interrupt(&mut self, pid: i32) -> Result<(), GdbError> {
        if !self.interrupting {
            kill(Pid::from_raw(pid), Signal::SIGSTOP)
                .map_err(|errno| GdbError::Refused(format!("cannot interrupt process {pid}: {}", errno.desc())))?;
            self.interrupting = true;
        }
        Ok(())
    }

    /// Records that the interrupt has stopped the program.
    pub(in crate::gdb) fn interrupted(&mut self) {
        self.interrupting = false;
    }

    /// Records an interrupt that the program's own stop has preceded: its stop, after the next continue, is ignored.
    pub(in crate::gdb) fn note_late_interrupt(&mut self) {
        if std::mem::take(&mut self.interrupting) {
            self.late_interrupts += 1;
        }
    }

    /// Records that a SIGSTOP was sent; if this stop is not for it, its stop is still to come.
    pub(in crate::gdb) fn expect_interrupt_after(&mut self, stop: &Results) {
        if stop.text("signal-name") != Some("SIGSTOP") {
            self.late_interrupts += 1;
        }
    }

    pub(in crate::gdb) fn has_late_interrupts(&self) -> bool {
        self.late_interrupts > 0
    }

    /// Records a thread's signal, delivered when it continues.
    pub(in crate::gdb) fn note_undelivered(&mut self, thread: ThreadId, name: &SignalName) {
        self.undelivered.push((thread, name.clone()));
    }

    /// Forgets the signals of threads that continue: all of them, or this one `alone`.
    pub(in crate::gdb) fn delivered(&mut self, thread: ThreadId, alone: bool) {
        self.undelivered.retain(|(other, _)| alone && *other != thread);
    }

    /// Takes over the dispositions and the undelivered signals of a process from another engine. `threads` maps kernel
    /// ids to gdb's numbers.
    pub(in crate::gdb) fn take_over(
        &mut self,
        gdb: &mut Gdb,
        table: &SignalTable,
        undelivered: &[(i32, SignalName)],
        threads: &[(i32, ThreadId)],
    ) -> Result<(), GdbError> {
        let usual = SignalTable::default();
        for row in table.rows() {
            if usual.get(&row.name) != Some(row) {
                let d = row.disposition;
                self.handle(gdb, &row.name, Some(d.stop), Some(d.print), Some(d.pass))?;
            }
        }
        for (tid, name) in undelivered {
            let Some((_, number)) = threads.iter().find(|(known, _)| known == tid) else { continue };
            gdb.select_thread(*number)?;
            // gdb rejects a signal that is not passed to the program, as it should.
            gdb.ask_if_known(&Command::console(&format!("queue-signal {name}")))?;
            self.undelivered.push((*number, name.clone()));
        }
        Ok(())
    }

    /// Returns the signals for the next engine. gdb reports one thread at a time: others may have stopped for
    /// unreported signals meanwhile.
    pub(in crate::gdb) fn give_away(&mut self, ready: Vec<ThreadReady>, threads: &[(i32, ThreadId)]) -> Pending {
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
        let passes = |name: &SignalName| self.table.get(name).is_none_or(|row| row.disposition.pass);
        let of_kernel = |number: ThreadId| threads.iter().find(|(_, known)| *known == number).map(|(tid, _)| *tid);
        let passed = told.into_iter().filter(|(_, name)| passes(name));
        (passed.filter_map(|(number, name)| Some((of_kernel(number)?, name))).collect(), unheard)
    }
}
