//! Running, stopping, ending.

use super::mi::Command;
use super::session::fault::GdbError;
use super::state::{Debuggee, End, Goal, Phase};
use crate::unreasonable_jump::unreasonable;
use model::{
    Answer, Context, ErrorCode, Event, Failure, LocationSpec, Locking, Operation, SignalName, StepKind, StopReason,
    ThreadId, VirtualAddress,
};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

impl Debuggee {
    /// Carries out an operation of run control.
    pub(super) fn control(&mut self, operation: &Operation) -> Result<Answer, GdbError> {
        match operation {
            Operation::Go => {
                let command = Command::new("exec-continue");
                self.resume(Goal::Go, self.current, command.clone(), command)
            }
            Operation::GoWith(thread) => {
                let thread = self.checked_thread(Some(*thread))?;
                let command = Command::new("exec-continue").word("--thread").word(thread);
                self.resume(Goal::Go, thread, command, Command::new("exec-continue"))
            }
            Operation::Signal(name) => {
                // To gdb, too, 0 is no signal.
                let name = name.as_ref().map_or("0", |name| &*name.0);
                let command = Command::console(&format!("signal {name}"));
                self.resume(Goal::Go, self.current, command, Command::new("exec-continue"))
            }
            Operation::Step { kind, count, context } => self.step(*kind, (*count).max(1), *context),
            Operation::Until(location, context) => self.until(location, *context),
            Operation::Advance(location, context) => self.run_to(location, *context),
            Operation::Jump(location, context) => self.jump(location, *context),
            Operation::Return(expression, context) => self.force_return(expression.as_deref(), *context),
            Operation::Interrupt => self.interrupt(),
            Operation::Terminate => self.terminate(),
            Operation::Detach => self.detach(),
            _ => Ok(declined()),
        }
    }

    /// Sets the rank going, this thread and those that scheduler-locking does not hold. `again`: what to say when a stop on
    /// the way turns out to be none.
    fn resume(&mut self, goal: Goal, thread: ThreadId, command: Command, again: Command) -> Result<Answer, GdbError> {
        self.words.clear();
        self.note_told()?;
        self.watch_libraries(goal)?;
        self.tell_scheduling()?;
        self.link.ask(&command)?;
        let alone = match self.spec.settings.locking {
            Locking::On => true,
            Locking::Step => goal == Goal::Step,
            Locking::Off | Locking::Replay => false,
        };
        self.undelivered.retain(|(other, _)| alone && *other != thread);
        self.goal = (goal, again);
        self.phase = Phase::Running;
        self.after.push(Event::Running);
        Ok(Answer::Ok)
    }

    fn step(&mut self, kind: StepKind, count: u32, context: Context) -> Result<Answer, GdbError> {
        let name = match kind {
            StepKind::Into => "exec-step",
            StepKind::Over => "exec-next",
            StepKind::Onward => "exec-until",
            StepKind::Finish => "exec-finish",
            StepKind::Instruction => "exec-step-instruction",
            StepKind::InstructionOver => "exec-next-instruction",
        };
        let thread = self.checked_thread(context.thread)?;
        let command = Command::new(name).word("--thread").word(thread);
        let (goal, command) = match kind {
            StepKind::Finish => (Goal::Finish, command.word("--frame").word(context.frame)),
            // What stands behind it is a place to gdb, also a number.
            StepKind::Onward => (Goal::Until, command.word("--frame").word(0)),
            _ => (Goal::Step, command.word("--frame").word(0).word(count)),
        };
        self.note_origin(Some(kind), Context { thread: Some(thread), ..context })?;
        self.resume(goal, thread, command.clone(), command)
    }

    /// A location in the words of gdb, which would take a line for one of the file that it has shown last.
    fn place_of(&mut self, location: &LocationSpec, context: Context) -> Result<String, GdbError> {
        let file = self.default_file(context)?;
        Ok(match location {
            LocationSpec::Line(line) => file.map_or_else(|| line.to_string(), |file| format!("{file}:{line}")),
            other => other.to_string(),
        })
    }

    /// The machine interface has no such command, and its console chooses frame and thread by others.
    fn run_to(&mut self, location: &LocationSpec, context: Context) -> Result<Answer, GdbError> {
        let place = self.place_of(location, context)?;
        let thread = self.checked_thread(context.thread)?;
        self.note_origin(None, Context { thread: Some(thread), ..context })?;
        self.link.ask(&Command::new("thread-select").word(thread))?;
        self.link.ask(&Command::new("stack-select-frame").word(context.frame))?;
        let command = Command::console(&format!("advance {place}"));
        self.resume(Goal::Until, thread, command.clone(), command)
    }

    /// gdb asks a person whether a place in another function is meant, and a program not. The function is the one that
    /// has the frame: what is inlined into it can be jumped to, and from.
    fn jump(&mut self, location: &LocationSpec, context: Context) -> Result<Answer, GdbError> {
        let thread = self.checked_thread(context.thread)?;
        let pc = self.frame_at(Context { thread: Some(thread), frame: 0 })?.code.address;
        let here = pc.map(|pc| self.function_around(pc)).transpose()?.flatten();
        let literal = matches!(location, LocationSpec::Address(_));
        let all: Vec<VirtualAddress> =
            self.sites_at(location, context)?.iter().filter_map(|site| site.address).collect();
        let mut inside = Vec::new();
        for address in &all {
            if literal || here.is_some() && self.function_around(*address)? == here {
                inside.push(address.0);
            }
        }
        let [address] = inside[..] else {
            let all: Vec<u64> = all.iter().map(|address| address.0).collect();
            return Err(GdbError::Refused(unreasonable(location, here.as_deref(), &all, &inside)));
        };
        let command = Command::new("exec-jump").word("--thread").word(thread).word(format!("*{address:#x}"));
        self.resume(Goal::Go, thread, command, Command::new("exec-continue"))
    }

    /// The function whose code is at an address, as the symbol table has it: nothing there is inlined.
    fn function_around(&mut self, address: VirtualAddress) -> Result<Option<String>, GdbError> {
        // "first + 12 in section .text of /lib/x.so"
        let words = self.link.ask(&Command::console(&format!("info symbol {:#x}", address.0)))?.words;
        let symbol = words.split_once(" in section ").map(|(symbol, _)| symbol);
        Ok(symbol.map(|symbol| symbol.rsplit_once(" + ").map_or(symbol, |(name, _)| name).to_owned()))
    }

    fn force_return(&mut self, expression: Option<&str>, context: Context) -> Result<Answer, GdbError> {
        let thread = self.checked_thread(context.thread)?;
        // gdb looks whether the innermost frame is inlined, and takes a frame away that is none.
        if self.frame_at(Context { thread: Some(thread), ..context })?.inlined {
            return Err(GdbError::Refused("Can not force return from an inlined function.".to_owned()));
        }
        let command = Command::new("exec-return").word("--thread").word(thread).word("--frame").word(context.frame);
        self.link.ask(&expression.into_iter().fold(command, Command::word))?;
        (self.current, self.frame) = (thread, None);
        self.after.push(Event::Running);
        let stop = self.stop_here(StopReason::Step, None)?;
        self.after.push(Event::Stopped(stop));
        Ok(Answer::Ok)
    }

    fn until(&mut self, location: &LocationSpec, context: Context) -> Result<Answer, GdbError> {
        let place = self.place_of(location, context)?;
        let thread = self.checked_thread(context.thread)?;
        let command = Command::new("exec-until").word("--thread").word(thread);
        let command = command.word("--frame").word(context.frame).word(place);
        self.note_origin(None, Context { thread: Some(thread), ..context })?;
        self.resume(Goal::Until, thread, command.clone(), command)
    }

    /// The thread meant, which must be there: gdb's own error would speak of its options.
    pub(super) fn checked_thread(&mut self, thread: Option<ThreadId>) -> Result<ThreadId, GdbError> {
        let Some(thread) = thread else { return Ok(self.current) };
        if thread != self.current {
            let threads = self.link.ask(&Command::new("thread-info").word(thread))?.results;
            if threads.inside("threads").is_none_or(|threads| threads.0.is_empty()) {
                return Err(GdbError::Refused(format!("There is no thread {thread}.")));
            }
        }
        Ok(thread)
    }

    /// SIGSTOP cannot be blocked, and gdb takes it out of the program's way.
    fn interrupt(&mut self) -> Result<Answer, GdbError> {
        if self.phase == Phase::Waiting {
            self.catch_up()?;
            self.frame = None;
            let stop = self.stop_here(StopReason::Interrupted, None)?;
            self.after.push(Event::Stopped(stop));
        }
        if self.phase == Phase::Running
            && !self.interrupting
            && let Some(pid) = self.pid
        {
            match kill(Pid::from_raw(pid), Signal::SIGSTOP) {
                Ok(()) => self.interrupting = true,
                Err(errno) => {
                    return Err(GdbError::Refused(format!("cannot interrupt process {pid}: {}", errno.desc())));
                }
            }
        }
        Ok(Answer::Ok)
    }

    fn terminate(&mut self) -> Result<Answer, GdbError> {
        self.kill_program();
        if matches!(self.phase, Phase::Stopped | Phase::Waiting) {
            // gdb holds it until then.
            self.ask_if_known(&Command::console("kill"))?;
            self.ending = Some(killed());
        }
        Ok(Answer::Ok)
    }

    fn detach(&mut self) -> Result<Answer, GdbError> {
        self.let_go()?;
        self.ending = Some(End::Detached);
        Ok(Answer::Ok)
    }

    /// Detaches, clean: a running program is stopped first, so that no breakpoint stays behind in its code.
    fn let_go(&mut self) -> Result<(), GdbError> {
        if self.phase == Phase::Running {
            self.stop_now()?;
        }
        self.link.ask(&Command::new("target-detach"))?;
        if let Some(pid) = self.pid.filter(|_| self.late_interrupts > 0) {
            // An interrupt that came too late stops it now, and nobody else would let it go on.
            let _ = kill(Pid::from_raw(pid), Signal::SIGCONT);
        }
        Ok(())
    }

    /// Waits until gdb has the program stopped.
    fn stop_now(&mut self) -> Result<(), GdbError> {
        self.interrupt()?;
        while self.phase != Phase::Stopped {
            match self.link.next_news()? {
                super::session::link::News::Async(super::mi::Kind::Exec, class, results) if class == "stopped" => {
                    let reason = results.text("reason").unwrap_or_default();
                    if reason.starts_with("exited") {
                        return Err(GdbError::Refused("the program has ended".to_owned()));
                    }
                    if results.text("signal-name") != Some("SIGSTOP") {
                        self.late_interrupts += 1;
                    }
                    self.interrupting = false;
                    self.phase = Phase::Stopped;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The engine is shut down; what becomes of the rank.
    pub(super) fn leave(&mut self, kill: bool) -> End {
        if kill && self.guest.is_none() {
            self.kill_program();
            // gdb is its parent, and has to be told or to notice; that it cannot is no matter any more.
            let _ = match self.phase {
                Phase::Stopped | Phase::Waiting => self.link.ask(&Command::console("kill")).map(drop),
                Phase::Attaching | Phase::Running => self.stop_now(),
            };
            return killed();
        }
        match self.let_go() {
            Ok(()) | Err(GdbError::Refused(_)) => End::Detached,
            Err(error) => self.lost(&error),
        }
    }
}

fn killed() -> End {
    End::Killed(SignalName::from_number(9))
}

/// For what this engine does not do.
pub(super) fn declined() -> Answer {
    let message = "the gdb engine does not do this yet";
    Answer::Failed(Failure::new(ErrorCode::NOT_IMPLEMENTED, message))
}
