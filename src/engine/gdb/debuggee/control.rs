//! Run control.

use super::state::Debuggee;
use crate::gdb::inferior::state::Phase;
use crate::gdb::inspect::queries::declined;
use crate::gdb::mi::Command;
use crate::gdb::reporter::End;
use crate::gdb::session::fault::GdbError;
use crate::gdb::stepping::{Goal, Resumption};
use model::{Answer, Context, Event, Locking, Operation, StopReason};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

impl Debuggee {
    /// Carries out a run-control operation.
    pub(super) fn control(&mut self, operation: &Operation) -> Result<Answer, GdbError> {
        let silent = self.breakpoints.has_silent();
        let Self { gdb, inferior, stepper, .. } = self;
        let resumption = match operation {
            Operation::Go => Resumption::go(inferior.current(), Command::new("exec-continue")),
            Operation::GoWith(thread) => {
                let thread = inferior.checked_thread(gdb, Some(*thread))?;
                Resumption::go(thread, Command::new("exec-continue").word("--thread").word(thread))
            }
            Operation::Signal(name) => {
                // gdb, too, takes 0 as "no signal".
                let name = name.as_ref().map_or("0", |name| &*name.0);
                Resumption::go(inferior.current(), Command::console(&format!("signal {name}")))
            }
            Operation::Step { kind, count, context } => {
                stepper.step(gdb, inferior, silent, (*kind, (*count).max(1)), *context)?
            }
            Operation::Until(location, context) => stepper.until(gdb, inferior, silent, location, *context)?,
            Operation::Advance(location, context) => stepper.advance(gdb, inferior, silent, location, *context)?,
            Operation::Jump(location, context) => {
                let (thread, address) = self.inspector().jump_target(location, *context)?;
                let command = Command::new("exec-jump").word("--thread").word(thread);
                Resumption::go(thread, command.word(format!("*{address:#x}")))
            }
            Operation::Return(expression, context) => return self.force_return(expression.as_deref(), *context),
            Operation::Interrupt => return self.interrupt(),
            Operation::Terminate => return self.terminate(),
            Operation::Detach => {
                self.let_go()?;
                self.ending = Some(End::Detached);
                return Ok(Answer::Ok);
            }
            _ => return Ok(declined()),
        };
        self.resume(resumption)
    }

    /// Resumes the rank: this thread, and those that scheduler-locking does not hold.
    fn resume(&mut self, resumption: Resumption) -> Result<Answer, GdbError> {
        let Resumption { goal, thread, command, again } = resumption;
        self.words.clear();
        self.inferior.note_resumed(&mut self.gdb)?;
        self.watch_libraries(goal)?;
        let settings = &self.spec.settings;
        if let Some(lacks) = self.gdb.schedule(settings.locking, settings.follow)? {
            self.reporter.warn(lacks);
        }
        self.gdb.skip(&settings.skips)?;
        self.gdb.ask(&command)?;
        let alone = match settings.locking {
            Locking::On => true,
            Locking::Step => goal == Goal::Step,
            Locking::Off | Locking::Replay => false,
        };
        self.signals.delivered(thread, alone);
        self.resumed(goal, again);
        Ok(Answer::Ok)
    }

    pub(super) fn resumed(&mut self, goal: Goal, again: Command) {
        self.stepper.started(goal, again);
        self.inferior.enter(Phase::Running);
        self.reporter.event_after_answer(Event::Running);
    }

    fn force_return(&mut self, expression: Option<&str>, context: Context) -> Result<Answer, GdbError> {
        let Self { gdb, inferior, .. } = self;
        let thread = inferior.checked_thread(gdb, context.thread)?;
        // gdb only checks whether the innermost frame is inlined, and would pop a frame that does not exist.
        if inferior.frame_at(gdb, Context { thread: Some(thread), ..context })?.inlined {
            return Err(GdbError::Refused("Can not force return from an inlined function.".to_owned()));
        }
        let command = Command::new("exec-return").word("--thread").word(thread).word("--frame").word(context.frame);
        gdb.ask(&expression.into_iter().fold(command, Command::word))?;
        inferior.make_current(thread);
        inferior.forget_frame();
        self.reporter.event_after_answer(Event::Running);
        self.stop_after_answer(StopReason::Step)?;
        Ok(Answer::Ok)
    }

    fn stop_after_answer(&mut self, reason: StopReason) -> Result<(), GdbError> {
        let stop = self.stop_here(reason, None)?;
        self.reporter.event_after_answer(Event::Stopped(stop));
        Ok(())
    }

    fn interrupt(&mut self) -> Result<Answer, GdbError> {
        if self.inferior.phase() == Phase::Waiting {
            self.catch_up()?;
            self.inferior.forget_frame();
            self.stop_after_answer(StopReason::Interrupted)?;
        }
        if self.inferior.phase() == Phase::Running
            && let Some(pid) = self.inferior.pid()
        {
            self.signals.interrupt(pid)?;
        }
        Ok(Answer::Ok)
    }

    fn terminate(&mut self) -> Result<Answer, GdbError> {
        self.inferior.kill();
        if matches!(self.inferior.phase(), Phase::Stopped | Phase::Waiting) {
            // gdb holds the killed process until then.
            self.gdb.ask_if_known(&Command::console("kill"))?;
            self.ending = Some(End::by_kill());
        }
        Ok(Answer::Ok)
    }

    /// Detaches; a running program is stopped first, so that no breakpoint stays in its code.
    fn let_go(&mut self) -> Result<(), GdbError> {
        if self.inferior.phase() == Phase::Running {
            self.stop_now()?;
        }
        self.gdb.ask(&Command::new("target-detach"))?;
        if let Some(pid) = self.inferior.pid().filter(|_| self.signals.has_late_interrupts()) {
            // A late interrupt would stop it now, without a debugger to continue it.
            let _ = kill(Pid::from_raw(pid), Signal::SIGCONT);
        }
        Ok(())
    }

    /// Stops the program and waits until gdb reports it.
    fn stop_now(&mut self) -> Result<(), GdbError> {
        self.interrupt()?;
        while !self.inferior.is_stopped() {
            let stop = self.gdb.next_stop()?;
            if stop.text("reason").is_some_and(|reason| reason.starts_with("exited")) {
                return Err(GdbError::Refused("the program has ended".to_owned()));
            }
            self.signals.expect_interrupt_after(&stop);
            self.signals.interrupted();
            self.inferior.enter(Phase::Stopped);
        }
        Ok(())
    }

    /// Ends the rank at the engine's shutdown.
    pub(super) fn leave(&mut self, kill: bool) -> End {
        if kill && self.inferior.guest().is_none() {
            self.inferior.kill();
            // gdb is its parent and must reap it; a failure no longer matters.
            let _ = match self.inferior.phase() {
                Phase::Stopped | Phase::Waiting => self.gdb.ask(&Command::console("kill")).map(drop),
                Phase::Attaching | Phase::Running => self.stop_now(),
            };
            return End::by_kill();
        }
        match self.let_go() {
            Ok(()) | Err(GdbError::Refused(_)) => End::Detached,
            Err(error) => self.lost(&error),
        }
    }
}
