//! A rank: the thread that owns its gdb, and what it knows of the program.

use super::messages::{HubInput, Order, Reply};
use super::mi::Kind;
use super::session::fault::{GdbError, failure};
use super::session::link::{News, Next};
use super::startup::adopt::GivenUp;
use super::state::{Debuggee, End, Phase};
use crate::{Handed, Keeper};
use model::{Answer, ErrorCode, Event, Failure, Operation, Severity, SignalName, TransactionId};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::time::Duration;

/// After so long without a word it is looked whether the program is still there.
const LOOK: Duration = Duration::from_secs(1);

impl Debuggee {
    /// Works until the program or its gdb ends.
    pub(super) fn run(mut self) {
        let end = loop {
            let heard = match self.link.next(LOOK) {
                Next::News(news) => self.hear(news),
                Next::Order(Order::Query(tid, operation)) => self.query(tid, &operation),
                Next::Order(Order::Shutdown(kill)) => break self.leave(kill),
                Next::Order(Order::GiveAway(reply)) => match self.give_away() {
                    Ok(handed) => return self.part(handed, reply),
                    Err(GivenUp::Stays(failure)) => {
                        let _ = reply.send(Err(failure));
                        Ok(())
                    }
                    Err(GivenUp::Gone(error)) => {
                        let _ = reply.send(Err(Failure::new(ErrorCode::NO_BACK_END, error.to_string())));
                        Err(self.lost(&error))
                    }
                },
                Next::Quiet => self.look(),
                Next::Gone(error) => Err(self.lost(&error)),
            };
            if let Err(end) = heard {
                break end;
            }
        };
        if let Some(ready) = self.ready.take() {
            let _ = ready.send(Err("its gdb could not attach to it".to_owned()));
        }
        let Self { surrounding, link, tid, .. } = self;
        drop(link);
        surrounding.end(tid, end.into());
    }

    /// Another engine has the program from now on.
    fn part(self, handed: Handed, reply: Reply) {
        let Self { surrounding, link, .. } = self;
        let _ = surrounding.hub.send(HubInput::Ended(surrounding.of));
        surrounding.outputs.withdraw(surrounding.of.rank, move |taps| {
            // Whoever asked waits for it.
            let _ = reply.send(Ok(Box::new(Handed { taps, keeper: Keeper::of(link), ..handed })));
        });
    }

    pub(super) fn report(&self, event: Event) {
        self.surrounding.event(self.tid, event);
    }

    pub(super) fn warn(&self, message: impl Into<String>) {
        self.report(Event::Message(Severity::Warning, message.into()));
    }

    /// gdb is gone: so must be the program, whose code may hold breakpoints that nobody answers any more; but it is not
    /// for us to kill what we did not start.
    pub(super) fn lost(&mut self, error: &GdbError) -> End {
        if self.guest.is_none() {
            self.kill_program();
        }
        End::Lost(error.to_string())
    }

    pub(super) fn kill_program(&self) {
        if let Some(pid) = self.pid {
            // Gone already is what is wanted.
            let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
        }
    }

    fn query(&mut self, tid: TransactionId, operation: &Operation) -> Result<(), End> {
        if operation.needs_stop() && self.phase != Phase::Stopped {
            let failure = Failure::new(ErrorCode::RUNNING, "The rank is running; interrupt it first.");
            self.answer(tid, Answer::Failed(failure));
            return Ok(());
        }
        if operation.is_run_control() {
            self.tid = tid;
        }
        let outcome = self.operate(operation);
        let (answer, gone) = match outcome {
            Ok(answer) => (answer, None),
            Err(GdbError::Refused(message)) => (Answer::Failed(failure(&message)), None),
            Err(GdbError::Gone(message)) => {
                let answer = Answer::Failed(Failure::new(ErrorCode::NO_BACK_END, message.clone()));
                (answer, Some(GdbError::Gone(message)))
            }
        };
        self.answer(tid, answer);
        for event in std::mem::take(&mut self.after) {
            self.report(event);
        }
        if let Some(error) = gone {
            return Err(self.lost(&error));
        }
        self.ending.take().map_or(Ok(()), Err)
    }

    fn answer(&self, tid: TransactionId, answer: Answer) {
        let _ = self.surrounding.hub.send(HubInput::Answer(self.surrounding.of, tid, answer));
    }

    fn operate(&mut self, operation: &Operation) -> Result<Answer, GdbError> {
        if operation.is_run_control() { self.control(operation) } else { self.inspect(operation) }
    }

    /// Something that gdb said unasked; the rank's end when that is what it says.
    fn hear(&mut self, news: News) -> Result<(), End> {
        match news {
            News::Words(_, text) => {
                self.see_signal(&text);
                self.words.push_str(&text);
                Ok(())
            }
            News::Async(Kind::Exec, class, results) if class == "stopped" => {
                let stopped = self.stopped(&results);
                self.words.clear();
                stopped
            }
            News::Async(Kind::Exec, class, _) if class == "running" => {
                self.words.clear();
                Ok(())
            }
            News::Async(Kind::Notify, class, results) => {
                match class.as_str() {
                    "thread-group-started" if self.pid.is_none() => {
                        self.started(results.number("pid").unwrap_or(0) as i32);
                    }
                    "thread-group-started" => self.followed(&results),
                    "breakpoint-modified" => self.breakpoint_modified(&results),
                    "library-loaded" => self.library_news(true, &results),
                    "library-unloaded" => self.library_news(false, &results),
                    _ => {}
                }
                Ok(())
            }
            News::Async(..) => Ok(()),
        }
    }

    /// gdb says in words that a signal came that does not stop.
    fn see_signal(&self, text: &str) {
        let names = text.split("received signal ").skip(1).filter_map(|rest| rest.split(',').next());
        for name in names.filter_map(SignalName::parse) {
            let row = self.signals.get(&name);
            if row.is_some_and(|row| row.disposition.print && !row.disposition.stop) {
                self.report(Event::SignalSeen(name));
            }
        }
    }
}
