//! From nothing to a rank under its gdb: started, or attached to before it becomes the program.

use super::program::{Outputs, find, shell_word};
use crate::first_stop::no_first_stop;
use crate::gdb::inspect::values;
use crate::gdb::messages::{HubInput, Input, Surrounding};
use crate::gdb::mi::{Command, Results};
use crate::gdb::session::fault::GdbError;
use crate::gdb::session::link::Link;
use crate::gdb::state::{Begin, Debuggee, Phase};
use crate::{Adoption, OutputTap};
use debuginfo::name_of_main_program;
use model::{Event, LaunchSpec, LocationSpec, StopAt, StopReason, Stream, TransactionId, raw_text, raw_word};
use std::path::{Path, PathBuf};
use std::sync::mpsc::Receiver;
use tokio::sync::oneshot;

/// The oldest gdb that is known to do.
const OLDEST: u32 = 9;

/// How a rank is come by.
#[derive(Debug)]
pub(in crate::gdb) enum Task {
    Launch {
        size: u32,
        spec: LaunchSpec,
    },
    Join {
        pid: i32,
        spec: LaunchSpec,
        stdout: Option<OutputTap>,
        stderr: Option<OutputTap>,
        ready: oneshot::Sender<Result<(), String>>,
    },
    Attach {
        pid: i32,
        spec: LaunchSpec,
        adoption: Adoption,
    },
}

/// The thread of a rank.
pub(in crate::gdb) fn run(surrounding: Surrounding, inputs: Receiver<Input>, task: Task) {
    let (spec, launched) = match &task {
        Task::Launch { spec, .. } => (spec.clone(), true),
        Task::Join { spec, .. } | Task::Attach { spec, .. } => (spec.clone(), false),
    };
    let link = match Link::start(&surrounding.options, inputs, surrounding.to_self.clone()) {
        Ok(link) => link,
        Err(error) => return refuse(surrounding, task, &error.to_string()),
    };
    let _ = surrounding.hub.send(HubInput::Gdb(surrounding.of, link.pid()));
    let mut debuggee = Debuggee::new(surrounding, link, spec);
    let outcome = debuggee.set_up().and_then(|()| match task {
        Task::Launch { size, .. } => debuggee.launch(size),
        Task::Join { pid, stdout, stderr, ready, .. } => {
            debuggee.ready = Some(ready);
            debuggee.join(pid, stdout, stderr)
        }
        Task::Attach { pid, adoption, .. } => debuggee.attach(pid, adoption),
    });
    match outcome {
        Ok(()) => debuggee.run(),
        Err(error) => {
            let message = error.to_string();
            // A joiner that is told no goes on without a debugger, or not at all: that is its own decision.
            if let Some(ready) = debuggee.ready.take() {
                let _ = ready.send(Err(message.clone()));
            } else if launched {
                debuggee.kill_program();
            }
            let Debuggee { surrounding, link, .. } = debuggee;
            drop(link);
            surrounding.end(TransactionId(0), Event::Failed(message));
        }
    }
}

fn refuse(surrounding: Surrounding, task: Task, message: &str) {
    if let Task::Join { ready, .. } = task {
        let _ = ready.send(Err(message.to_owned()));
    }
    surrounding.end(TransactionId(0), Event::Failed(message.to_owned()));
}

impl Debuggee {
    /// Makes sure of the gdb, and tells it how we work.
    pub(in crate::gdb) fn set_up(&mut self) -> Result<(), GdbError> {
        let path = self.surrounding.options.path.display().to_string();
        let version = self.link.ask(&Command::new("gdb-version"))?.words;
        let first = version.lines().next().unwrap_or_default().to_owned();
        match major_version(&version) {
            Some(major) if major >= OLDEST => {}
            Some(_) => {
                return Err(GdbError::Gone(format!(
                    "{path} is too old: \"{first}\"; gdb {OLDEST} or later is needed. Name another with --gdb PATH"
                )));
            }
            None => return Err(GdbError::Gone(format!("{path} does not say which gdb it is: \"{first}\""))),
        }
        let set = |name: &str, value: &str| Command::new("gdb-set").word(name).word(value);
        self.link.ask(&set("mi-async", "on"))?;
        self.link.ask(&set("non-stop", "off"))?;
        for (name, value) in [("confirm", "off"), ("pagination", "off"), ("height", "0"), ("width", "0")] {
            self.link.ask(&set(name, value))?;
        }
        // Not every version knows these.
        for line in [
            "set debuginfod enabled off",
            "set style enabled off",
            "set print thread-events off",
            "set print inferior-events off",
            "set unwindonsignal on",
            "set startup-with-shell on",
            // One command fails then, not the rank; and no core is left where the user works.
            "maintenance set internal-error quit no",
            "maintenance set internal-error corefile no",
            // It is ours: an interrupt that no program can block. It must never reach the program.
            "handle SIGSTOP stop print nopass",
        ] {
            self.ask_if_known(&Command::console(line))?;
        }
        let features = self.link.ask(&Command::new("list-features"))?.results;
        let python =
            features.inside("features").is_some_and(|all| all.0.iter().any(|(_, f)| f.as_text() == Some("python")));
        self.python = python && self.ask_if_known(&Command::console(&format!("python {}", values::SCRIPT)))?;
        if !self.python {
            let message = format!("{path} has no Python: values are shown as gdb prints them, as text");
            self.warn(message);
        }
        Ok(())
    }

    /// Asks what not every gdb knows; whether this one does.
    pub(in crate::gdb) fn ask_if_known(&mut self, command: &Command) -> Result<bool, GdbError> {
        match self.link.ask(command) {
            Ok(_) => Ok(true),
            Err(GdbError::Refused(why)) => {
                tracing::debug!("{command}: {why}");
                Ok(false)
            }
            Err(gone) => Err(gone),
        }
    }

    fn launch(&mut self, size: u32) -> Result<(), GdbError> {
        let rank = self.surrounding.of.rank;
        let fill = |text: &str| text.replace("{rank}", &rank.to_string()).replace("{size}", &size.to_string());
        let spec = self.spec.clone();
        let mut environment: Vec<_> = spec.environment.iter().map(|(key, value)| (key.clone(), fill(value))).collect();
        environment.push(("RANKSCOPE_RANK".to_owned(), rank.to_string()));
        environment.push(("RANKSCOPE_SIZE".to_owned(), size.to_string()));
        let executable = find(&spec.program, spec.directory.as_deref(), &environment).map_err(GdbError::Gone)?;
        let cannot = |why: String| GdbError::Gone(format!("cannot start {}: {why}", executable.file.display()));
        let refused = |error: GdbError| match error {
            GdbError::Refused(why) => cannot(why),
            gone => gone,
        };
        let loading = self.surrounding.options.loading_patience;
        let file = Command::new("file-exec-and-symbols").word(raw_text(executable.file.as_os_str()));
        self.link.ask_for(&file, loading).map_err(refused)?;
        for (key, value) in &environment {
            self.link.ask(&Command::console(&format!("set environment {key}={value}")))?;
        }
        self.restore_environment(&environment)?;
        if let Some(directory) = &spec.directory {
            self.link.ask(&Command::console(&format!("set cwd {directory}")))?;
        }
        let outputs = Outputs::new().map_err(|errno| cannot(format!("its output: {}", errno.desc())))?;
        let arguments = executable.first.iter().cloned().chain(spec.arguments.iter().map(|word| fill(word)));
        let words: Vec<_> = arguments.map(|word| shell_word(&word)).collect();
        let line = format!("set args {} {}", words.join(" "), outputs.kept.redirections());
        self.link.ask(&Command::console(&line))?;
        let randomise = if spec.randomise { "off" } else { "on" };
        self.ask_if_known(&Command::console(&format!("set disable-randomization {randomise}")))?;
        self.link.ask(&Command::console("catch exec"))?;

        self.executed = 1;
        let itself = executable.first.is_empty();
        let run = self.first_stop(itself)?;
        let Outputs { stdout, stderr, kept } = outputs;
        self.surrounding.outputs.add(rank, Stream::Stdout, stdout);
        self.surrounding.outputs.add(rank, Stream::Stderr, stderr);
        self.link.ask_for(&run, loading).map_err(refused)?;
        // From `^running` on the program has what it needs: its shell is done.
        drop(kept);
        Ok(())
    }

    /// gdb was given `SHELL`, and gives programs `LINES` and `COLUMNS` of its own.
    fn restore_environment(&mut self, given: &[(String, String)]) -> Result<(), GdbError> {
        for name in ["SHELL", "LINES", "COLUMNS"] {
            if given.iter().any(|(key, _)| key == name) {
                continue;
            }
            let line = match std::env::var(name) {
                Ok(value) => format!("set environment {name}={value}"),
                Err(_) => format!("unset environment {name}"),
            };
            self.ask_if_known(&Command::console(&line))?;
        }
        Ok(())
    }

    /// Prepares the first stop of the program that gdb has; the command that starts it.
    fn first_stop(&mut self, itself: bool) -> Result<Command, GdbError> {
        let run = Command::new("exec-run");
        match self.spec.stop_at.clone() {
            StopAt::Nowhere => self.begin = Begin::Done,
            StopAt::Location(place) => {
                self.begin = self.begin_at(&place)?;
                self.look_in_main()?;
            }
            StopAt::Main => {
                if !self.stop_in_main()? && itself {
                    self.begin = Begin::Next;
                    return Ok(Command::console("starti"));
                }
            }
        }
        Ok(run)
    }

    pub(in crate::gdb) fn begin_at(&mut self, place: &LocationSpec) -> Result<Begin, GdbError> {
        let words = match place {
            // The file that `main` is in is gdb's default.
            LocationSpec::Line(line) => vec![line.to_string()],
            other => crate::gdb::breakpoints::sites::location_words(other, None),
        };
        let command = Command::new("break-insert").word("-t").word("-f");
        let answered = self.link.ask(&words.into_iter().fold(command, Command::word))?;
        Ok(answered.results.inside("bkpt").and_then(|b| b.number("number")).map_or(Begin::Done, Begin::At))
    }

    /// In `main` the libraries are there: whether the place of the first stop is will be looked at then.
    pub(in crate::gdb) fn look_in_main(&mut self) -> Result<(), GdbError> {
        let Begin::At(number) = self.begin else { return Ok(()) };
        if self.is_pending(number)? {
            self.looks_in_main = self.break_in_main()?;
        }
        Ok(())
    }

    /// It has come to `main`, and says so when its first stop is nowhere.
    pub(in crate::gdb) fn miss_start(&mut self) -> Result<(), GdbError> {
        self.looks_in_main = None;
        if let (Begin::At(number), StopAt::Location(place)) = (self.begin, self.spec.stop_at.clone())
            && self.is_pending(number)?
        {
            let path = self.executable();
            let program = path.file_name().map_or_else(|| "the program".into(), |name| name.to_string_lossy());
            self.warn(no_first_stop(&place, &program));
        }
        self.resume_quietly()
    }

    fn is_pending(&mut self, number: u64) -> Result<bool, GdbError> {
        let told = self.link.ask(&Command::new("break-info").word(number))?.results;
        let body = told.inside("BreakpointTable").and_then(|table| table.inside("body"));
        Ok(body.and_then(|body| body.parts().next()).is_some_and(|bkpt| bkpt.text("pending").is_some()))
    }

    /// Has the program that gdb knows now stop in its main program, if it has one; the number of gdb's breakpoint. In
    /// Fortran and Rust `main` is the compiler's.
    fn break_in_main(&mut self) -> Result<Option<u64>, GdbError> {
        let language = self.link.ask(&Command::console("show language"))?.words;
        let own = ["rust", "fortran"].iter().any(|own| language.contains(own));
        let named = if own { name_of_main_program(&self.program_file()) } else { None };
        let own = named.as_deref().map(|name| vec!["--qualified", name]);
        for main in own.into_iter().chain([vec!["MAIN__"], vec!["main"]]) {
            let command = Command::new("break-insert").word("-t");
            match self.link.ask(&main.into_iter().fold(command, Command::word)) {
                Ok(answered) => return Ok(answered.results.inside("bkpt").and_then(|bkpt| bkpt.number("number"))),
                Err(GdbError::Refused(_)) => {}
                Err(gone) => return Err(gone),
            }
        }
        Ok(None)
    }

    /// Has the program that gdb knows now stop first in `main`, if it has one.
    pub(in crate::gdb) fn stop_in_main(&mut self) -> Result<bool, GdbError> {
        let number = self.break_in_main()?;
        if let Some(number) = number {
            self.begin = Begin::At(number);
        }
        Ok(number.is_some())
    }

    fn join(&mut self, pid: i32, stdout: Option<OutputTap>, stderr: Option<OutputTap>) -> Result<(), GdbError> {
        let rank = self.surrounding.of.rank;
        // The symbols of the joiner are of no use, and many.
        self.ask_if_known(&Command::console("set exec-file-mismatch off"))?;
        self.ask_if_known(&Command::new("file-exec-file").word("/bin/sh"))?;
        self.ask_if_known(&Command::console("set auto-solib-add off"))?;
        self.phase = Phase::Attaching;
        let attach = Command::new("target-attach").word(pid);
        let loading = self.surrounding.options.loading_patience;
        self.link.ask_for(&attach, loading).map_err(|error| match error {
            GdbError::Refused(why) => GdbError::Gone(format!("gdb cannot attach to process {pid}: {why}")),
            gone => gone,
        })?;
        for (stream, tap) in [(Stream::Stdout, stdout), (Stream::Stderr, stderr)] {
            if let Some(tap) = tap {
                self.surrounding.outputs.add(rank, stream, tap);
            }
        }
        Ok(())
    }

    /// gdb has the joiner, which waits for a word to become the program.
    pub(in crate::gdb) fn attached(&mut self) -> Result<(), GdbError> {
        self.ask_if_known(&Command::console("set auto-solib-add on"))?;
        self.link.ask(&Command::console("catch exec"))?;
        match self.spec.stop_at.clone() {
            StopAt::Nowhere => self.begin = Begin::Done,
            StopAt::Main => {}
            StopAt::Location(place) => self.begin = self.begin_at(&place)?,
        }
        self.resume_quietly()?;
        if let Some(ready) = self.ready.take() {
            let _ = ready.send(Ok(()));
        }
        Ok(())
    }

    /// gdb has a process.
    pub(in crate::gdb) fn started(&mut self, pid: i32) {
        self.pid = Some(pid);
        self.report(Event::Acquired { pid: pid as u32 });
        if self.begin == Begin::Done || self.spec.stop_at == StopAt::Nowhere {
            self.report(Event::Running);
        }
    }

    /// The process has become another program, and is stopped before its first instruction.
    pub(in crate::gdb) fn has_executed(&mut self, results: &Results) -> Result<(), GdbError> {
        self.executed += 1;
        self.modules.forget();
        self.forget_libraries()?;
        let path = self.executable();
        if self.executed == 1 {
            self.look_in_main()?;
        } else {
            self.report(Event::Executed(path.display().to_string()));
        }
        if self.begin == Begin::Unknown && !self.stop_in_main()? && self.executed == 1 && self.is_program(&path) {
            // It has no `main` to stop in: here is as early as can be.
            self.begin = Begin::Done;
            return self.say_stop(StopReason::Start, None).map(drop);
        }
        if self.executed > 1
            && let Some(id) = self.exec_catch()
        {
            let reason = self.reason_of(id, results)?;
            return self.say_stop(reason, None);
        }
        self.resume_quietly()
    }

    /// The file that the process executes.
    pub(in crate::gdb) fn executable(&self) -> PathBuf {
        self.pid.and_then(|pid| std::fs::read_link(format!("/proc/{pid}/exe")).ok()).unwrap_or_default()
    }

    /// The file of the program, also before it is started.
    fn program_file(&self) -> PathBuf {
        let spec = &self.spec;
        let found = || find(&spec.program, spec.directory.as_deref(), &spec.environment).map(|found| found.file);
        if self.pid.is_some() { self.executable() } else { found().unwrap_or_default() }
    }

    /// Whether this file is the program that was asked for, not the interpreter of a script.
    fn is_program(&self, file: &Path) -> bool {
        let named = PathBuf::from(raw_word(&self.spec.program));
        let named = std::fs::canonicalize(&named).unwrap_or(named);
        file.file_name() == named.file_name()
    }
}

/// The number before the dot at the end of `GNU gdb (Distribution 13.1-3) 13.1`, wherever a relative of gdb says it.
fn major_version(words: &str) -> Option<u32> {
    let line = words.lines().find(|line| line.contains("GNU gdb"))?;
    let starts = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('.');
    line.split(' ').rfind(starts)?.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read() {
        for (words, major) in [
            ("GNU gdb (Debian 13.1-3) 13.1\nCopyright 2023.1", Some(13)),
            ("GNU gdb (GDB) Red Hat Enterprise Linux 7.6.1-120.el7", Some(7)),
            ("GNU gdb (GDB) 9.2", Some(9)),
            ("GNU gdb (rocm-rel-6.0-91) 13.2", Some(13)),
            ("A vendor's debugger 2.5\nBased on GNU gdb (GDB) 12.1\n", Some(12)),
            ("GNU gdb (GDB) 16.0.50.20241010-git", Some(16)),
            ("hello 9.1", None),
            ("", None),
        ] {
            assert_eq!(major_version(words), major, "{words}");
        }
    }
}
