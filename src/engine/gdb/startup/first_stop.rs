//! The first stop of a program: in `main`, at a location of the user, or nowhere.

use crate::first_stop::{WAS_STOPPED, no_first_stop};
use crate::gdb::inferior::state::InferiorState;
use crate::gdb::inspect::locations::location_words;
use crate::gdb::mi::Command;
use crate::gdb::session::fault::GdbError;
use crate::gdb::session::gdb::Gdb;
use crate::gdb::session::stop_words::StopWords;
use crate::gdb::startup::program::find;
use debuginfo::name_of_main_program;
use model::{LaunchSpec, LocationSpec, StopAt, raw_word};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::path::{Path, PathBuf};
use tokio::sync::oneshot;

/// How the first stop will be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Begin {
    /// No program with a `main` has been executed yet.
    Unknown,
    /// The stop at gdb's breakpoint of this number.
    At(u64),
    /// The next stop.
    Next,
    /// It has been, or is not wanted.
    Done,
}

/// The way on from the stop that attaching made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::gdb) enum Attached {
    GoesOn,
    /// It is the first stop; with a note.
    Stops(Option<String>),
}

/// How far the start of a rank has come.
#[derive(Debug)]
pub(in crate::gdb) struct Startup {
    begin: Begin,
    /// gdb's breakpoint in `main`, where it is looked whether the place of the first stop is anywhere.
    looks_in_main: Option<u64>,
    /// Counts the programs that the process has executed.
    executed: u32,
    /// A joiner waits for this before it becomes the program.
    joiner: Option<oneshot::Sender<Result<(), String>>>,
}

/// Sets gdb's breakpoint for the first stop.
fn begin_at(gdb: &mut Gdb, place: &LocationSpec) -> Result<Begin, GdbError> {
    let words = match place {
        // The file that `main` is in is gdb's default.
        LocationSpec::Line(line) => vec![line.to_string()],
        other => location_words(other, None),
    };
    let command = Command::new("break-insert").word("-t").word("-f");
    let answered = gdb.ask(&words.into_iter().fold(command, Command::word))?;
    Ok(answered.results.inside("bkpt").and_then(|b| b.number("number")).map_or(Begin::Done, Begin::At))
}

fn is_pending(gdb: &mut Gdb, number: u64) -> Result<bool, GdbError> {
    Ok(gdb.breakpoint(number)?.is_some_and(|bkpt| bkpt.text("pending").is_some()))
}

/// Has the program that gdb knows now stop in its main program, if it has one; the number of gdb's breakpoint. In
/// Fortran and Rust `main` is the compiler's.
fn break_in_main(gdb: &mut Gdb, inferior: &InferiorState, spec: &LaunchSpec) -> Result<Option<u64>, GdbError> {
    let language = gdb.ask(&Command::console("show language"))?.words;
    let own = ["rust", "fortran"].iter().any(|own| language.contains(own));
    let named = if own { name_of_main_program(&program_file(inferior, spec)) } else { None };
    let own = named.as_deref().map(|name| vec!["--qualified", name]);
    for main in own.into_iter().chain([vec!["MAIN__"], vec!["main"]]) {
        let command = Command::new("break-insert").word("-t");
        match gdb.ask(&main.into_iter().fold(command, Command::word)) {
            Ok(answered) => return Ok(answered.results.inside("bkpt").and_then(|bkpt| bkpt.number("number"))),
            Err(GdbError::Refused(_)) => {}
            Err(gone) => return Err(gone),
        }
    }
    Ok(None)
}

/// The file of the program, also before it is started.
fn program_file(inferior: &InferiorState, spec: &LaunchSpec) -> PathBuf {
    let found = || find(&spec.program, spec.directory.as_deref(), &spec.environment).map(|found| found.file);
    if inferior.pid().is_some() { inferior.executable() } else { found().unwrap_or_default() }
}

/// The file is the program that was asked for, not the interpreter of a script.
fn is_program(spec: &LaunchSpec, file: &Path) -> bool {
    let named = PathBuf::from(raw_word(&spec.program));
    let named = std::fs::canonicalize(&named).unwrap_or(named);
    file.file_name() == named.file_name()
}

impl Startup {
    pub(in crate::gdb) fn new() -> Self {
        Self { begin: Begin::Unknown, looks_in_main: None, executed: 0, joiner: None }
    }

    /// The process executes the program already, and its first stop has been, or is not wanted.
    pub(in crate::gdb) fn of_running() -> Self {
        Self { begin: Begin::Done, executed: 1, ..Self::new() }
    }

    pub(in crate::gdb) fn is_done(&self) -> bool {
        self.begin == Begin::Done
    }

    pub(in crate::gdb) fn note_joiner(&mut self, joiner: oneshot::Sender<Result<(), String>>) {
        self.joiner = Some(joiner);
    }

    /// Tells the joiner, if there is one that still waits.
    pub(in crate::gdb) fn answer_joiner(&mut self, outcome: Result<(), String>) -> bool {
        let joiner = self.joiner.take();
        joiner.map(|joiner| joiner.send(outcome)).is_some()
    }

    /// gdb starts the program itself, not an interpreter or a joiner.
    pub(super) fn note_program(&mut self) {
        self.executed = 1;
    }

    /// The stop at gdb's breakpoint `number` is the first one.
    pub(in crate::gdb) fn is_first_stop(&self, number: Option<u64>, words: &StopWords) -> bool {
        match self.begin {
            Begin::Next => true,
            Begin::At(begin) => number == Some(begin) || words.name_temporary_breakpoint(begin),
            Begin::Unknown | Begin::Done => false,
        }
    }

    /// The stop at gdb's breakpoint `number` is there to look for the place of the first stop.
    pub(in crate::gdb) fn looks_at(&self, number: Option<u64>) -> bool {
        number.is_some() && number == self.looks_in_main
    }

    /// The first stop is there. The signal that ended the waiting of a held process is one like any other from now on.
    pub(in crate::gdb) fn begun(&mut self, gdb: &mut Gdb, inferior: &InferiorState) -> Result<(), GdbError> {
        self.begin = Begin::Done;
        if inferior.is_held_guest() {
            gdb.ask(&Command::console("handle SIGCONT stop print pass"))?;
        }
        Ok(())
    }

    /// Prepares the first stop of the program that gdb has; the command that starts it.
    pub(super) fn prepare(
        &mut self,
        gdb: &mut Gdb,
        inferior: &InferiorState,
        spec: &LaunchSpec,
        itself: bool,
    ) -> Result<Command, GdbError> {
        let run = Command::new("exec-run");
        match &spec.stop_at {
            StopAt::Nowhere => self.begin = Begin::Done,
            StopAt::Location(place) => {
                self.begin = begin_at(gdb, place)?;
                self.look_in_main(gdb, inferior, spec)?;
            }
            StopAt::Main => {
                if !self.stop_in_main(gdb, inferior, spec)? && itself {
                    self.begin = Begin::Next;
                    return Ok(Command::console("starti"));
                }
            }
        }
        Ok(run)
    }

    /// In `main` the libraries are there: whether the place of the first stop is will be looked at then.
    fn look_in_main(&mut self, gdb: &mut Gdb, inferior: &InferiorState, spec: &LaunchSpec) -> Result<(), GdbError> {
        let Begin::At(number) = self.begin else { return Ok(()) };
        if is_pending(gdb, number)? {
            self.looks_in_main = break_in_main(gdb, inferior, spec)?;
        }
        Ok(())
    }

    /// The program is in `main`; a warning for the user when its first stop is nowhere.
    pub(in crate::gdb) fn miss(
        &mut self,
        gdb: &mut Gdb,
        inferior: &InferiorState,
        spec: &LaunchSpec,
    ) -> Result<Option<String>, GdbError> {
        self.looks_in_main = None;
        if let (Begin::At(number), StopAt::Location(place)) = (self.begin, &spec.stop_at)
            && is_pending(gdb, number)?
        {
            let path = inferior.executable();
            let program = path.file_name().map_or_else(|| "the program".into(), |name| name.to_string_lossy());
            return Ok(Some(no_first_stop(place, &program)));
        }
        Ok(None)
    }

    /// Has the program that gdb knows now stop first in `main`, if it has one.
    fn stop_in_main(&mut self, gdb: &mut Gdb, inferior: &InferiorState, spec: &LaunchSpec) -> Result<bool, GdbError> {
        let number = break_in_main(gdb, inferior, spec)?;
        if let Some(number) = number {
            self.begin = Begin::At(number);
        }
        Ok(number.is_some())
    }

    /// gdb has a process that ran already, stopped.
    pub(in crate::gdb) fn adopted(
        &mut self,
        gdb: &mut Gdb,
        inferior: &InferiorState,
        spec: &LaunchSpec,
    ) -> Result<Attached, GdbError> {
        self.executed = 1;
        gdb.ask(&Command::console("catch exec"))?;
        let held = inferior.is_held_guest();
        match &spec.stop_at {
            StopAt::Nowhere => self.begin = Begin::Done,
            StopAt::Location(place) if held => {
                self.begin = begin_at(gdb, place)?;
                self.look_in_main(gdb, inferior, spec)?;
            }
            StopAt::Main if held => drop(self.stop_in_main(gdb, inferior, spec)?),
            StopAt::Main | StopAt::Location(_) => {
                self.begin = Begin::Done;
                let was_stopped = inferior.guest().is_some_and(|guest| guest.was_stopped);
                return Ok(Attached::Stops(was_stopped.then(|| WAS_STOPPED.to_owned())));
            }
        }
        if let (true, Some(pid)) = (held, inferior.pid()) {
            gdb.ask(&Command::console("handle SIGCONT nostop noprint pass"))?;
            // Whoever held it for us did so by a stop signal. One that is gone says so by itself.
            let _ = kill(Pid::from_raw(pid), Signal::SIGCONT);
        }
        Ok(Attached::GoesOn)
    }

    /// gdb has the joiner, which waits for a word to become the program.
    pub(in crate::gdb) fn joined(&mut self, gdb: &mut Gdb, spec: &LaunchSpec) -> Result<(), GdbError> {
        gdb.ask_if_known(&Command::console("set auto-solib-add on"))?;
        gdb.ask(&Command::console("catch exec"))?;
        match &spec.stop_at {
            StopAt::Nowhere => self.begin = Begin::Done,
            StopAt::Main => {}
            StopAt::Location(place) => self.begin = begin_at(gdb, place)?,
        }
        Ok(())
    }

    /// The process has executed a program; true: its first one.
    pub(in crate::gdb) fn executed(
        &mut self,
        gdb: &mut Gdb,
        inferior: &InferiorState,
        spec: &LaunchSpec,
    ) -> Result<bool, GdbError> {
        self.executed += 1;
        let is_first = self.executed == 1;
        if is_first {
            self.look_in_main(gdb, inferior, spec)?;
        }
        Ok(is_first)
    }

    /// Sees to a first stop in the program that has just been executed; true: that is here, as early as can be, since it has
    /// no `main` to stop in.
    pub(in crate::gdb) fn is_here(
        &mut self,
        gdb: &mut Gdb,
        inferior: &InferiorState,
        spec: &LaunchSpec,
    ) -> Result<bool, GdbError> {
        let is_here = self.begin == Begin::Unknown
            && !self.stop_in_main(gdb, inferior, spec)?
            && self.executed == 1
            && is_program(spec, &inferior.executable());
        if is_here {
            self.begin = Begin::Done;
        }
        Ok(is_here)
    }
}
