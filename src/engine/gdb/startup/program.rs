//! A program to start under gdb: its file, its arguments, and its output.

use crate::OutputTap;
use crate::secrecy::SetAside;
use debuginfo::named_file;
use model::{raw_text, raw_word};
use nix::errno::Errno;
use nix::fcntl::{FcntlArg, FdFlag, OFlag, fcntl};
use nix::pty::openpty;
use nix::sys::termios::{SetArg, cfmakeraw, tcgetattr, tcsetattr};
use nix::unistd::pipe2;
use std::ffi::OsStr;
use std::io::Read;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};

/// Maximum depth of interpreters that are scripts themselves; more are a loop.
const MOST_INTERPRETERS: u32 = 4;

/// The file to start for a program, and the arguments that precede the program's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::gdb) struct Executable {
    pub(in crate::gdb) file: PathBuf,
    pub(in crate::gdb) first: Vec<String>,
}

/// Finds the file of a program; a script is started by the interpreter in its first line (execve(2)).
pub(in crate::gdb) fn find(
    name: &str,
    directory: Option<&str>,
    environment: &[(String, String)],
) -> Result<Executable, String> {
    let mut file = look_up(name, directory, environment)?;
    let mut first = Vec::new();
    for _ in 0..MOST_INTERPRETERS {
        let why = |error: std::io::Error| format!("cannot start {}: {}", file.display(), words(&error));
        let mut head = Vec::new();
        let opened = named_file::open(&file, u64::MAX).map_err(std::io::Error::from);
        opened.and_then(|file| file.take(256).read_to_end(&mut head)).map_err(why)?;
        nix::unistd::access(&file, nix::unistd::AccessFlags::X_OK).map_err(|errno| why(errno.into()))?;
        let Some(line) = head.strip_prefix(b"#!") else { return Ok(Executable { file, first }) };
        let line = line.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let line = String::from_utf8_lossy(line).trim().to_owned();
        let (interpreter, argument) = line.split_once([' ', '\t']).unwrap_or((&line, ""));
        let script = std::mem::replace(&mut file, PathBuf::from(interpreter));
        first.insert(0, raw_text(script.as_os_str()));
        if !argument.trim().is_empty() {
            first.insert(0, argument.trim().to_owned());
        }
    }
    Err(format!("cannot start {name}: its interpreter is a script whose interpreter is a script, and so on"))
}

fn words(error: &std::io::Error) -> String {
    error.raw_os_error().map_or_else(|| error.to_string(), |number| Errno::from_raw(number).desc().to_owned())
}

fn look_up(name: &str, directory: Option<&str>, environment: &[(String, String)]) -> Result<PathBuf, String> {
    if name.contains('/') {
        let here = std::env::current_dir().unwrap_or_default();
        return Ok(here.join(raw_word(directory.unwrap_or_default())).join(raw_word(name)));
    }
    let own = std::env::var_os("PATH");
    let given = environment.iter().rev().find(|(key, _)| key == "PATH").map(|(_, value)| OsStr::new(value));
    let path = given.or(own.as_deref()).unwrap_or(OsStr::new("/bin:/usr/bin"));
    let found =
        std::env::split_paths(path).map(|directory| directory.join(raw_word(name))).find(|file| is_executable(file));
    found.ok_or_else(|| format!("cannot start {name}: not found in PATH; give its path, for example ./{name}"))
}

fn is_executable(file: &Path) -> bool {
    file.is_file() && nix::unistd::access(file, nix::unistd::AccessFlags::X_OK).is_ok()
}

/// The program's output: the ends to read, and the ends to keep open until the program has opened them.
pub(in crate::gdb) struct Outputs {
    pub(in crate::gdb) stdout: OutputTap,
    pub(in crate::gdb) stderr: OutputTap,
    pub(in crate::gdb) kept: Kept,
}

/// The ends that the program reads and writes. Its shell opens them through this process's `/proc/PID/fd` (proc(5)).
pub(in crate::gdb) struct Kept {
    input: Option<OwnedFd>,
    stdout: OwnedFd,
    stderr: OwnedFd,
    _aside: SetAside,
}

impl Outputs {
    /// Creates a raw terminal for standard output, so that programs write whole lines at once, and a pipe for errors.
    /// Without an input, the program reads nothing.
    pub(in crate::gdb) fn new(input: Option<OwnedFd>) -> Result<Self, Errno> {
        let (out, stdout) = terminal().or_else(|_| pipe2(OFlag::O_CLOEXEC))?;
        let (err, stderr) = pipe2(OFlag::O_CLOEXEC)?;
        let tap = |source| OutputTap { source, forward: None };
        Ok(Self { stdout: tap(out), stderr: tap(err), kept: Kept { input, stdout, stderr, _aside: SetAside::new() } })
    }
}

impl Kept {
    /// Returns the redirections for the end of the sh(1) command line.
    pub(in crate::gdb) fn redirections(&self) -> String {
        let pid = std::process::id();
        let (out, err) = (self.stdout.as_raw_fd(), self.stderr.as_raw_fd());
        let input = self.input.as_ref().map(|input| format!("/proc/{pid}/fd/{}", input.as_raw_fd()));
        let input = input.as_deref().unwrap_or("/dev/null");
        format!("<{input} >/proc/{pid}/fd/{out} 2>/proc/{pid}/fd/{err}")
    }
}

fn terminal() -> Result<(OwnedFd, OwnedFd), Errno> {
    let terminal = openpty(None, None)?;
    for fd in [&terminal.master, &terminal.slave] {
        fcntl(fd, FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC))?;
    }
    let mut settings = tcgetattr(&terminal.slave)?;
    cfmakeraw(&mut settings);
    tcsetattr(&terminal.slave, SetArg::TCSANOW, &settings)?;
    Ok((terminal.master, terminal.slave))
}

/// Quotes a word for sh(1).
pub(in crate::gdb) fn shell_word(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn words_for_the_shell() {
        assert_eq!(shell_word("a b"), "'a b'");
        assert_eq!(shell_word("it's"), r"'it'\''s'");
        assert_eq!(shell_word(""), "''");
    }

    #[test]
    fn programs_are_found_and_scripts_have_interpreters() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("script");
        std::fs::write(&path, "#!/bin/sh -e\nexit\n").unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
        let own = path.display().to_string();
        let wanted = Executable { file: "/bin/sh".into(), first: vec!["-e".to_owned(), own.clone()] };
        assert_eq!(find(&own, None, &[]), Ok(wanted.clone()));
        assert_eq!(find("./script", directory.path().to_str(), &[]).map(|found| found.file), Ok(wanted.file.clone()));
        let search = [("PATH".to_owned(), directory.path().display().to_string())];
        assert_eq!(find("script", None, &search), Ok(wanted));
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o644)).unwrap();
        assert!(find("script", None, &search).unwrap_err().contains("PATH"));
        assert!(find("/nonexistent/none", None, &[]).unwrap_err().contains("No such file"));
    }
}
