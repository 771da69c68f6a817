//! Processes that the master starts: servers and the launcher. A thread waits for each.

use super::guardian::Guardian;
use crate::arguments::{EngineChoice, shape_words};
use crate::attach::starter::{Starter, StarterNews, held};
use crate::own_program::own_command;
use crate::routing::topology::Shape;
use engine::InputPipe;
use model::{Answer, ErrorCode, Failure, InputSource, LaunchSpec, raw_word};
use nix::errno::Errno;
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;
use protocol::{PortRange, ServerIndex, SessionDirectory, own_file};
use std::fs::File;
use std::io::{self, IsTerminal, Read, Seek, SeekFrom, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, ExitStatus, Stdio};

/// Bytes of a process's output that are read at once.
pub(super) const WORDS_SHOWN: u64 = 8192;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Started {
    /// A server, or the connection to its host.
    Server(ServerIndex),
    /// A Slurm step that has started this many servers, from the first on.
    Step(ServerIndex, u32),
    Launcher,
}

/// A server's command line, without its number.
#[derive(Clone, Debug)]
pub(crate) struct ServerCommand<'a> {
    pub(crate) directory: &'a SessionDirectory,
    pub(crate) size: u32,
    pub(crate) master: &'a str,
    pub(crate) listen: &'a str,
    pub(crate) ports: Option<PortRange>,
    pub(crate) engine: &'a EngineChoice,
    pub(crate) shape: Shape,
    pub(crate) routing_file: Option<&'a Path>,
    /// True if the directory exists for this server alone.
    pub(crate) own_directory: bool,
    /// If the server is to be dialled: the directory in which it writes its address.
    pub(crate) sign: Option<&'a Path>,
}

impl ServerCommand<'_> {
    /// Returns the command that runs a server.
    pub(crate) fn command(&self, index: ServerIndex) -> io::Result<Command> {
        let mut command = own_command()?;
        command.arg("--server").arg("--session").arg(self.directory.path());
        command.args(["--index", &index.0.to_string(), "--size", &self.size.to_string()]);
        command.args(["--master", self.master, "--listen", self.listen]).args(self.engine.words());
        command.args(shape_words(self.shape));
        if let Some(ports) = self.ports {
            command.args(["--port-range", &ports.to_string()]);
        }
        if let Some(file) = self.routing_file {
            command.arg("--routing-file").arg(file);
        }
        if self.own_directory {
            command.arg("--own-directory");
        }
        if let Some(sign) = self.sign {
            command.arg("--parents-dial").arg("--sign").arg(sign);
        }
        self.quiet(&mut command, index)?;
        command.process_group(0);
        Ok(command)
    }

    /// Redirects the process's output outside its log to the log.
    pub(crate) fn quiet(&self, command: &mut Command, index: ServerIndex) -> io::Result<()> {
        let log = append(&self.directory.log(&format!("server-{}", index.0)))?;
        command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
        Ok(())
    }
}

pub(super) fn append(path: &Path) -> io::Result<File> {
    own_file::append(path)
}

/// Starts a command and reports its end.
pub(super) fn start(
    command: Command,
    started: Started,
    tell: impl FnOnce(Started, ExitStatus) + Send + 'static,
) -> io::Result<Pid> {
    start_fed(command, started, |_| Ok(()), tell)
}

/// Like [`start`] for a command that reads some input first.
pub(super) fn start_fed(
    mut command: Command,
    started: Started,
    feed: impl FnOnce(&mut ChildStdin) -> io::Result<()> + Send + 'static,
    tell: impl FnOnce(Started, ExitStatus) + Send + 'static,
) -> io::Result<Pid> {
    let mut child = command.spawn()?;
    let pid = Pid::from_raw(child.id() as i32);
    let mut input = child.stdin.take();
    let wait = move || {
        if let Some(Err(error)) = input.as_mut().map(feed) {
            // Its own output and end explain why it does not read.
            tracing::debug!("{started:?} did not read all its input: {error}");
        }
        drop(input);
        match child.wait() {
            Ok(status) => tell(started, status),
            Err(error) => tracing::error!("cannot wait for {started:?}: {error}"),
        }
    };
    std::thread::Builder::new().name("reaper".into()).stack_size(64 << 10).spawn(wait)?;
    Ok(pid)
}

/// The launcher of a job and its output. The output goes to files, not pipes: the launcher may outlive us.
#[derive(Debug)]
pub(super) struct Launcher {
    /// Process ID, which is also that of its group.
    pub(super) pid: Pid,
    /// Exit code once it has ended; 128 plus the signal's number if a signal killed it.
    pub(super) ended: Option<i32>,
    words: Vec<Words>,
    /// Set if it runs under the debugger.
    starter: Option<Starter>,
    /// Its standard input, if `send` writes it.
    input: LauncherInput,
    /// Ends the launcher when we are killed.
    _guardian: Option<Guardian>,
}

/// The launcher's standard input; the launcher decides which rank reads it.
#[derive(Debug)]
enum LauncherInput {
    Open(InputPipe),
    Ended,
    /// A file, nothing, or that of the master.
    Elsewhere,
}

/// A file that the launcher writes, and how far it has been read.
#[derive(Debug)]
struct Words {
    path: PathBuf,
    read_to: u64,
}

impl Words {
    fn of(path: PathBuf) -> Self {
        Self { path, read_to: 0 }
    }

    fn news(&mut self) -> Option<String> {
        let text = read_from(&self.path, self.read_to).ok()?;
        self.read_to += text.len() as u64;
        (!text.is_empty()).then(|| String::from_utf8_lossy(&text).into_owned())
    }
}

impl Launcher {
    /// Starts a launcher. With `own_files` it has our standard files, as the command it stands for would.
    pub(super) fn start(
        directory: &SessionDirectory,
        command: &[String],
        spec: &LaunchSpec,
        own_files: bool,
        tell: impl FnOnce(Started, ExitStatus) + Send + 'static,
    ) -> Result<Self, String> {
        let cwd = spec.directory.as_deref();
        let (launcher, words, input) = Self::command(directory, command, spec, own_files)?;
        let pid = start(launcher, Started::Launcher, tell).map_err(|error| {
            let program = command.first().map_or("", String::as_str);
            format!("cannot start the launcher {program}: {}", start_fault(&error, cwd))
        })?;
        Ok(Self { pid, ended: None, words: vec![words], starter: None, input, _guardian: guardian_of(pid) })
    }

    /// Starts a launcher under the debugger, to learn from it which processes it starts. Its output includes theirs.
    pub(super) fn start_debugged(
        directory: &SessionDirectory,
        command: &[String],
        spec: &LaunchSpec,
        own_files: bool,
        tell: impl Fn(StarterNews) + Send + 'static,
    ) -> Result<Self, String> {
        let cwd = spec.directory.as_deref();
        if let Some(cwd) = cwd.filter(|cwd| !Path::new(&raw_word(cwd)).is_dir()) {
            return Err(format!("cannot start the launcher: no directory {cwd}"));
        }
        let (mut launcher, words, input) = Self::command(directory, &held(command), spec, own_files)?;
        // Otherwise Open MPI 4 prints twenty lines about this use of MPIR.
        launcher.env("OMPI_MPIR_DO_NOT_WARN", "1");
        for name in &spec.unset {
            launcher.env_remove(raw_word(name));
        }
        for (name, value) in &spec.environment {
            launcher.env(raw_word(name), raw_word(value));
        }
        let out = (!own_files).then(|| Words::of(directory.path().join("launcher.out")));
        let starter = Starter::start(launcher, tell)?;
        let words = out.into_iter().chain([words]).collect();
        let (pid, guardian) = (starter.pid, guardian_of(starter.pid));
        Ok(Self { pid, ended: None, words, starter: Some(starter), input, _guardian: guardian })
    }

    /// Continues it, once its ranks are under the debugger.
    pub(super) fn release(&self) {
        if let Some(starter) = &self.starter {
            starter.release();
        }
    }

    /// True if its output is that of its ranks.
    pub(super) fn speaks_for_ranks(&self) -> bool {
        self.starter.is_some()
    }

    fn command(
        directory: &SessionDirectory,
        command: &[String],
        spec: &LaunchSpec,
        own_files: bool,
    ) -> Result<(Command, Words, LauncherInput), String> {
        let Some((program, arguments)) = command.split_first() else {
            return Err("the launcher command is empty".to_owned());
        };
        let words = directory.path().join("launcher.err");
        let files = || -> io::Result<(File, File)> {
            Ok((own_file::create(&directory.path().join("launcher.out"))?, own_file::create(&words)?))
        };
        let (out, err) = files().map_err(|error| format!("cannot keep the launcher's output: {error}"))?;
        let mut launcher = Command::new(raw_word(program));
        launcher.args(arguments.iter().map(|word| raw_word(word))).stdin(Stdio::null()).process_group(0);
        if own_files {
            launcher
                .stdout(Stdio::inherit())
                .stderr(in_both(err).map_err(|error| format!("cannot read the launcher: {error}"))?);
            // A process group of its own must not read a terminal (setpgid(2), SIGTTIN).
            if !io::stdin().is_terminal() {
                launcher.stdin(Stdio::inherit());
            }
        } else {
            launcher.stdout(out).stderr(err);
        }
        let mut input = LauncherInput::Elsewhere;
        match &spec.input.all {
            // A named pipe would block the master.
            InputSource::File(path) if !Path::new(&raw_word(path)).is_file() => {
                return Err(format!("cannot read standard input from {path}: no such file, or not a plain one"));
            }
            InputSource::File(path) => {
                let file = File::open(raw_word(path));
                launcher.stdin(file.map_err(|error| format!("cannot read standard input from {path}: {error}"))?);
            }
            InputSource::Sent if !own_files => {
                let (pipe, end) = InputPipe::new().map_err(|errno| format!("cannot make a pipe: {}", errno.desc()))?;
                launcher.stdin(end);
                input = LauncherInput::Open(pipe);
            }
            InputSource::Sent | InputSource::Nothing => {}
        }
        if let Some(cwd) = &spec.directory {
            launcher.current_dir(raw_word(cwd));
        }
        Ok((launcher, Words::of(words), input))
    }

    /// Writes to its standard input, whole or not at all, and ends the input if requested.
    pub(super) fn send(&mut self, text: &str, end: bool) -> Answer {
        let refused = |why: String| Answer::Failed(Failure::new(ErrorCode::DEBUGGER, why));
        match &self.input {
            LauncherInput::Elsewhere => {
                refused("cannot send: the launcher was started without input; start it with --stdin terminal".into())
            }
            LauncherInput::Ended => refused("cannot send: send -eof has ended the launcher's input".into()),
            LauncherInput::Open(pipe) => match pipe.send(text.as_bytes()) {
                Err(error) => refused(format!("cannot send to the launcher: {error}")),
                Ok(()) => {
                    if end {
                        self.input = LauncherInput::Ended;
                    }
                    Answer::Ok
                }
            },
        }
    }

    /// Returns new output on standard error; under the debugger, on standard output as well.
    pub(super) fn news(&mut self) -> Option<String> {
        self.words.iter_mut().find_map(Words::news)
    }

    /// Sends a signal to it and to all processes of its group.
    pub(super) fn signal(&self, signal: Signal) {
        // While we hold it stopped, it would not take the signal.
        self.release();
        // An error means that it has already gone.
        let _ = killpg(self.pid, signal);
    }
}

fn guardian_of(launcher: Pid) -> Option<Guardian> {
    Guardian::of(launcher).inspect_err(|error| tracing::error!("cannot start the launcher's guardian: {error}")).ok()
}

/// Returns the writing end of a pipe that is copied to a file and to our standard error.
fn in_both(mut file: File) -> io::Result<io::PipeWriter> {
    let (mut reader, writer) = io::pipe()?;
    let copy = move || {
        let mut words = [0; 4096];
        while let Ok(length @ 1..) = reader.read(&mut words) {
            let words = words.get(..length).unwrap_or_default();
            // One of them may be full or closed; that must not block the launcher.
            let _ = file.write_all(words);
            let _ = io::stderr().write_all(words);
        }
    };
    std::thread::Builder::new().name("launcher-words".into()).stack_size(64 << 10).spawn(copy)?;
    Ok(writer)
}

fn start_fault(error: &io::Error, cwd: Option<&str>) -> String {
    match cwd {
        Some(cwd) if !Path::new(cwd).is_dir() => format!("no directory {cwd}"),
        _ => error.to_string(),
    }
}

/// Reads a limited part of a file, from a position on.
pub(super) fn read_from(path: &Path, position: u64) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(position))?;
    let mut text = Vec::new();
    file.take(WORDS_SHOWN).read_to_end(&mut text)?;
    Ok(text)
}

/// Returns the exit code that a shell would give.
pub(super) fn exit_code(status: ExitStatus) -> i32 {
    status.code().or_else(|| status.signal().map(|signal| 128 + signal)).unwrap_or(-1)
}

/// Returns the process IDs that servers of the session wrote down and that are alive.
pub(super) fn servers_alive(directory: &SessionDirectory) -> Vec<Pid> {
    let pids = directory.live_servers().into_iter().filter_map(|server| i32::try_from(server.pid).ok());
    pids.map(Pid::from_raw).collect()
}

/// Kills a process; it does not matter if it is already gone.
pub(super) fn kill_now(pid: Pid) {
    match kill(pid, Signal::SIGKILL) {
        Ok(()) | Err(Errno::ESRCH) => {}
        Err(error) => tracing::error!("cannot kill process {pid}: {error}"),
    }
}
