//! Starting a program as a tracee.

use super::requests::{self, Tid};
use crate::process::permission::forbidden;
use crate::secrecy::SetAside;
use debuginfo::named_file;
use model::raw_word;
use nix::errno::Errno;
use nix::fcntl::OFlag;
use nix::libc::{self, c_char};
use nix::pty::openpty;
use nix::sys::termios::{SetArg, cfmakeraw, tcgetattr, tcsetattr};
use nix::unistd::{ForkResult, fork, pipe2};
use std::ffi::{CString, OsStr};
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// A program to start.
#[derive(Debug)]
pub struct Program {
    /// A path, or a name looked up in `PATH`.
    pub name: String,
    /// The arguments after the program's name.
    pub arguments: Vec<String>,
    /// Working directory; `None` for that of this process.
    pub directory: Option<String>,
    /// Added to the environment of this process.
    pub environment: Vec<(String, String)>,
    /// Variables of this process that the program does not get.
    pub unset: Vec<String>,
    /// Standard input; `None`: its end comes at once.
    pub input: Option<OwnedFd>,
    /// Keep the system's address randomisation; otherwise it is disabled.
    pub randomise: bool,
}

/// A program that could not be started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct LaunchError {
    /// Message for the user: the failure, its cause and the remedy.
    pub message: String,
    /// The error number of the system call that failed.
    pub errno: Errno,
}

/// A started program: it has not executed yet, and stops with `PTRACE_EVENT_EXEC` when it does.
#[derive(Debug)]
pub struct Launched {
    /// The process id.
    pub pid: Tid,
    /// The reading side of its standard output: a terminal, so that programs write whole lines at once.
    pub stdout: OwnedFd,
    /// The reading side of its standard error.
    pub stderr: OwnedFd,
    /// Gives the reason if the process ends because the exec failed.
    pub failure: LaunchFailure,
}

/// The reason why a process failed to execute its program.
#[derive(Debug)]
pub struct LaunchFailure {
    pipe: File,
    path: PathBuf,
    directory: Option<String>,
}

/// The step in which the child failed, as reported to its parent.
#[repr(i32)]
#[derive(Clone, Copy, Debug)]
enum Stage {
    Directory = 1,
    Descriptors = 2,
    Execute = 3,
}

fn text(bytes: impl AsRef<[u8]>, what: &str) -> Result<CString, LaunchError> {
    CString::new(bytes.as_ref())
        .map_err(|_| LaunchError { message: format!("{what} contains a NUL byte"), errno: Errno::EINVAL })
}

/// Looks up a name without a slash in `PATH`, as execvp(3) does.
fn look_up(name: &str, environment: &[(String, String)]) -> Result<PathBuf, LaunchError> {
    let fault = |message: String, errno| LaunchError { message, errno };
    if name.is_empty() {
        return Err(fault("expected a program".to_owned(), Errno::ENOENT));
    }
    if name.contains('/') {
        return Ok(PathBuf::from(raw_word(name)));
    }
    let own = std::env::var_os("PATH");
    let given = environment.iter().rev().find(|(key, _)| key == "PATH").map(|(_, value)| OsStr::new(value));
    let path = given.or(own.as_deref()).unwrap_or(OsStr::new("/bin:/usr/bin"));
    let candidates = std::env::split_paths(path).map(|directory| directory.join(raw_word(name)));
    let mut found = candidates.filter(|file| file.is_file()).peekable();
    let first = found.peek().cloned();
    let executable = |file: &PathBuf| nix::unistd::access(file, nix::unistd::AccessFlags::X_OK).is_ok();
    match found.find(executable).or(first) {
        Some(file) => Ok(file),
        None => Err(fault(
            format!("cannot start {name}: not found in PATH; give its path, for example ./{name}"),
            Errno::ENOENT,
        )),
    }
}

fn joined(mut key: Vec<u8>, value: &[u8]) -> Vec<u8> {
    key.push(b'=');
    key.extend_from_slice(value);
    key
}

fn environment(added: &[(String, String)], unset: &[String]) -> Result<Vec<CString>, LaunchError> {
    let kept = std::env::vars_os()
        .filter(|(key, _)| !added.iter().map(|(other, _)| other).chain(unset).any(|other| key == OsStr::new(other)))
        .map(|(key, value)| joined(key.as_bytes().to_vec(), value.as_bytes()));
    let last = |(at, (key, _)): &(usize, &(String, String))| !added.iter().skip(at + 1).any(|(other, _)| other == key);
    let new = added.iter().enumerate().filter(last);
    let new = new.map(|(_, (key, value))| joined(key.as_bytes().to_vec(), value.as_bytes()));
    kept.chain(new).map(|variable| text(variable, "the environment")).collect()
}

fn system(what: &str) -> impl Fn(Errno) -> LaunchError + '_ {
    move |errno| LaunchError { message: format!("cannot start a process: {what}: {}", errno.desc()), errno }
}

/// Returns the two sides of a raw terminal, or of a pipe if no terminal is available.
fn output() -> Result<(OwnedFd, OwnedFd), Errno> {
    let close_on_exec =
        |fd: &OwnedFd| nix::fcntl::fcntl(fd, nix::fcntl::FcntlArg::F_SETFD(nix::fcntl::FdFlag::FD_CLOEXEC)).map(drop);
    let Ok(terminal) = openpty(None, None) else { return pipe2(OFlag::O_CLOEXEC) };
    close_on_exec(&terminal.master)?;
    close_on_exec(&terminal.slave)?;
    let mut settings = tcgetattr(&terminal.slave)?;
    cfmakeraw(&mut settings);
    tcsetattr(&terminal.slave, SetArg::TCSANOW, &settings)?;
    Ok((terminal.master, terminal.slave))
}

/// The data that the child needs, prepared before the fork: after it, the child must not allocate.
struct Child {
    path: CString,
    arguments: Vec<*const c_char>,
    environment: Vec<*const c_char>,
    directory: Option<CString>,
    input: RawFd,
    output: RawFd,
    errors: RawFd,
    go: RawFd,
    other_end: RawFd,
    failure: RawFd,
    randomise: bool,
}

impl Child {
    #[expect(unsafe_code, reason = "between fork and exec only plain system calls are allowed")]
    fn run(&self) -> ! {
        let fail = |stage: Stage| -> ! {
            let errno = Errno::last_raw();
            let report = [stage as i32, errno];
            // SAFETY: the buffer is a live local of the length given; _exit is always allowed.
            unsafe {
                libc::write(self.failure, report.as_ptr().cast(), size_of_val(&report));
                libc::_exit(127)
            }
        };
        // SAFETY: only async-signal-safe system calls on memory that was made before the fork and is never freed in
        // this process; the pointer arrays end in null.
        unsafe {
            // The parent seizes the child before it writes. If the parent dies, the read ends and so does the child, as
            // long as no other process has the other end.
            libc::close(self.other_end);
            let mut byte = 0u8;
            while libc::read(self.go, (&raw mut byte).cast(), 1) < 0 && Errno::last() == Errno::EINTR {}
            if byte == 0 {
                libc::_exit(127);
            }
            libc::setpgid(0, 0);
            let mut none: libc::sigset_t = std::mem::zeroed();
            libc::sigemptyset(&raw mut none);
            libc::sigprocmask(libc::SIG_SETMASK, &raw const none, std::ptr::null_mut());
            // The debugger ignores SIGPIPE; the program must not inherit that over the exec.
            libc::signal(libc::SIGPIPE, libc::SIG_DFL);
            for (from, to) in [(self.input, 0), (self.output, 1), (self.errors, 2)] {
                if libc::dup2(from, to) < 0 {
                    fail(Stage::Descriptors);
                }
            }
            if let Some(directory) = &self.directory
                && libc::chdir(directory.as_ptr()) < 0
            {
                fail(Stage::Directory);
            }
            if !self.randomise {
                // Where this is forbidden (some containers), addresses stay randomised; then fewer reports can be
                // merged.
                libc::personality(libc::ADDR_NO_RANDOMIZE as libc::c_ulong);
            }
            libc::execve(self.path.as_ptr(), self.arguments.as_ptr(), self.environment.as_ptr());
            fail(Stage::Execute)
        }
    }
}

/// Moves a descriptor above 0, 1 and 2, which the child replaces.
fn above_standard(fd: OwnedFd) -> Result<OwnedFd, Errno> {
    if fd.as_raw_fd() > 2 {
        return Ok(fd);
    }
    let raw = nix::fcntl::fcntl(&fd, nix::fcntl::FcntlArg::F_DUPFD_CLOEXEC(3))?;
    #[expect(unsafe_code, reason = "fcntl gives the new descriptor as a number")]
    // SAFETY: the descriptor was made by the call before and belongs to nobody else.
    let owned = unsafe { std::os::fd::FromRawFd::from_raw_fd(raw) };
    Ok(owned)
}

/// Starts a program under this thread, in a process group of its own.
pub fn launch(program: &Program) -> Result<Launched, LaunchError> {
    let path = look_up(&program.name, &program.environment)?;
    let c_path = text(path.as_os_str().as_bytes(), "the program's name")?;
    let name = text(raw_word(&program.name).as_bytes(), "the program's name")?;
    let arguments: Vec<CString> = program
        .arguments
        .iter()
        .map(|a| text(raw_word(a).as_bytes(), "an argument"))
        .collect::<Result<_, LaunchError>>()?;
    let variables = environment(&program.environment, &program.unset)?;
    let directory = program.directory.as_ref().map(|d| text(raw_word(d).as_bytes(), "the directory")).transpose()?;
    let make = |what: &'static str, made: Result<(OwnedFd, OwnedFd), Errno>| {
        let (a, b) = made.map_err(system(what))?;
        Ok::<_, LaunchError>((above_standard(a).map_err(system(what))?, above_standard(b).map_err(system(what))?))
    };
    let (stdout, child_stdout) = make("no terminal for its output", output())?;
    let (stderr, child_stderr) = make("no pipe for its errors", pipe2(OFlag::O_CLOEXEC))?;
    let (go_read, go_write) = make("no pipe", pipe2(OFlag::O_CLOEXEC))?;
    let (failure_read, failure_write) = make("no pipe", pipe2(OFlag::O_CLOEXEC))?;
    let nothing = File::open("/dev/null").map_err(|error| LaunchError {
        message: format!("cannot start a process: /dev/null: {error}"),
        errno: Errno::from_raw(error.raw_os_error().unwrap_or_default()),
    })?;
    let null = std::iter::once(std::ptr::null());
    let child = Child {
        arguments: std::iter::once(&name).chain(&arguments).map(|a| a.as_ptr()).chain(null.clone()).collect(),
        environment: variables.iter().map(|v| v.as_ptr()).chain(null).collect(),
        path: c_path,
        directory,
        input: program.input.as_ref().map_or(nothing.as_raw_fd(), AsRawFd::as_raw_fd),
        output: child_stdout.as_raw_fd(),
        errors: child_stderr.as_raw_fd(),
        go: go_read.as_raw_fd(),
        other_end: go_write.as_raw_fd(),
        failure: failure_write.as_raw_fd(),
        randomise: program.randomise,
    };
    let aside = SetAside::new();
    #[expect(unsafe_code, reason = "a tracee must be seized before it executes, which no safe interface allows")]
    // SAFETY: the child calls nothing but async-signal-safe functions.
    let forked = unsafe { fork() }.map_err(system("fork"))?;
    let pid = match forked {
        ForkResult::Child => child.run(),
        ForkResult::Parent { child } => child.as_raw(),
    };
    drop((child_stdout, child_stderr, go_read, failure_write));
    let seized = requests::seize(pid);
    drop(aside);
    if let Err(errno) = seized {
        // Composed while the process still exists, because the message describes it.
        let message = forbidden(pid, errno);
        // When the pipe is closed the child ends by itself; it still has to be reaped.
        drop(go_write);
        let _ = requests::await_status(pid);
        return Err(LaunchError { message, errno });
    }
    let mut go = File::from(go_write);
    // Fails if the child has ended, which its wait status will report.
    let _ = go.write_all(&[1]);
    let failure = LaunchFailure { pipe: File::from(failure_read), path, directory: program.directory.clone() };
    Ok(Launched { pid, stdout, stderr, failure })
}

impl LaunchFailure {
    /// Returns the reason why the exec failed, once the process has ended or executed; `None` if the exec succeeded.
    pub fn reason(mut self) -> Option<LaunchError> {
        let mut report = [0; 8];
        self.pipe.read_exact(&mut report).ok()?;
        let [a, b, c, d, e, f, g, h] = report;
        let errno = Errno::from_raw(i32::from_ne_bytes([e, f, g, h]));
        let path = self.path.display();
        let message = match i32::from_ne_bytes([a, b, c, d]) {
            stage if stage == Stage::Directory as i32 => {
                format!("cannot start {path}: directory {}: {}", self.directory.unwrap_or_default(), errno.desc())
            }
            stage if stage == Stage::Descriptors as i32 => format!("cannot start {path}: its output: {}", errno.desc()),
            _ => format!("cannot start {path}: {}", why_not_executed(&self.path, self.directory.as_deref(), errno)),
        };
        Some(LaunchError { message, errno })
    }
}

/// Describes an error of execve(2), with the cause found in the file itself.
fn why_not_executed(path: &Path, directory: Option<&str>, errno: Errno) -> String {
    let path = directory.map_or_else(|| path.to_owned(), |directory| Path::new(&raw_word(directory)).join(path));
    let mut head = Vec::new();
    let opened = named_file::open(&path, u64::MAX).map_err(std::io::Error::from);
    let read = opened.and_then(|file| file.take(256).read_to_end(&mut head));
    let interpreter = head.strip_prefix(b"#!").map(|line| {
        let line = line.split(|byte| *byte == b'\n').next().unwrap_or_default();
        String::from_utf8_lossy(line).split_whitespace().next().unwrap_or_default().to_owned()
    });
    match (errno, interpreter) {
        (Errno::ENOENT, Some(interpreter)) if read.is_ok() => {
            format!("the interpreter \"{interpreter}\" named in its first line does not exist")
        }
        (Errno::ENOENT, None) if read.is_ok() => {
            "the dynamic loader it names does not exist (a program for another system?)".to_owned()
        }
        (Errno::ENOENT, _) => "No such file or directory".to_owned(),
        (Errno::EACCES, _) if path.is_dir() => "it is a directory".to_owned(),
        (Errno::EACCES, _) => "Permission denied; it is not executable (chmod +x)".to_owned(),
        (Errno::ENOEXEC, _) => match machine(&head) {
            None => "Exec format error; it is neither an x86-64 program nor a script with a #! line".to_owned(),
            // Class 1 has addresses of 32 bits (elf(5)).
            Some(62) if head.get(4) == Some(&1) => {
                "Exec format error; it is an x32 program, which this kernel does not run: build it with -m64".to_owned()
            }
            Some(62) => "Exec format error; it is a damaged x86-64 program: build it again".to_owned(),
            Some(machine) => {
                let name = MACHINES.iter().find(|row| row.0 == machine);
                let name = name.map_or_else(|| format!("ELF machine {machine}"), |row| row.1.to_owned());
                format!(
                    "Exec format error; it is for another architecture ({name}): run it on such a host, or build it for x86-64"
                )
            }
        },
        (errno, _) => errno.desc().to_owned(),
    }
}

/// Names of other architectures, by `e_machine`.
const MACHINES: &[(u16, &str)] = &[
    (3, "i386, 32-bit"),
    (8, "MIPS"),
    (20, "PowerPC, 32-bit"),
    (21, "PowerPC"),
    (22, "S/390"),
    (40, "ARM, 32-bit"),
    (183, "AArch64"),
    (243, "RISC-V"),
    (258, "LoongArch"),
];

/// Returns `e_machine` of an ELF header (elf(5)), in the byte order of the file.
fn machine(head: &[u8]) -> Option<u16> {
    let bytes = [*head.get(18)?, *head.get(19)?];
    head.starts_with(b"\x7fELF")
        .then(|| if head.get(5) == Some(&2) { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) })
}
