//! The steps of a joiner, in order. It has one thread and no runtime, since it ends in an exec.

use super::environment::{Place, place_in_job};
use super::error::JoinError;
use super::message::{JoinOffer, JoinReply, LONGEST};
use super::output::Tap;
use super::plan::JoinPlan;
use super::{find_server, meeting};
use crate::own_program::host_name;
use engine::handover::files::{allow_tracer, send_files};
use model::{StartChanges, raw_word};
use nix::errno::Errno;
use nix::sys::personality::{self, Persona};
use nix::sys::socket::{getsockopt, sockopt};
use nix::unistd::{AccessFlags, access};
use protocol::ServerIndex;
use std::convert::Infallible;
use std::ffi::OsString;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Time limit for the server's reply; beyond it the server counts as hung.
const REPLY_LIMIT: Duration = Duration::from_secs(60);

fn fault(what: &str) -> impl FnOnce(io::Error) -> JoinError {
    let what = what.to_owned();
    move |source| JoinError::Io { what, source }
}

/// Joins and becomes the program; returns only on failure.
pub fn run(session: &Path, shared: Option<&Path>, program: &[OsString]) -> Result<Infallible, JoinError> {
    let Some((name, arguments)) = program.split_first() else {
        return Err(JoinError::Refused("expected a program".to_owned()));
    };
    // Checked first: once joined, a rank that cannot be started would look like one that ended.
    let file = find_program(Path::new(name))
        .map_err(|source| JoinError::Exec { program: name.to_string_lossy().into_owned(), source })?;
    let host = host_name();
    let here = meeting::find(session, shared, &host)?;
    let plan = JoinPlan::read(&here.directory)?;
    if let Some(directory) = plan.changes.directory.as_deref().filter(|path| !Path::new(&raw_word(path)).is_dir()) {
        return Err(JoinError::Known(format!("cannot start in {directory}: no such directory on {host}")));
    }
    let place = place_in_job(|name| std::env::var(name).ok())?;
    let (index, servers) = match &plan.meeting {
        // The total is known only when all ranks have joined.
        Some(shared) => meeting::number(&here.directory, shared, &host).map(|number| (number, number + 1))?,
        None => plan.server_for(place.rank, place.size),
    };
    let stream = find_server::connect(&here, &plan, ServerIndex(index), servers)?;

    let (stdout, stderr) = (io::stdout(), io::stderr());
    let taps = fault("tap the output");
    let (stdout, stderr) = match (Tap::of(stdout.as_fd()), Tap::of(stderr.as_fd())) {
        (Ok(stdout), Ok(stderr)) => (stdout, stderr),
        (Err(error), _) | (_, Err(error)) => return Err(taps(error)),
    };
    let offer = JoinOffer {
        rank: place.rank,
        size: place.size,
        pid: std::process::id() as i32,
        stdout: stdout.is_some(),
        stderr: stderr.is_some(),
    };
    let randomise = ask(&stream, &offer, stdout.as_ref(), stderr.as_ref())?;
    drop(stream);

    if !randomise {
        let set = personality::get().and_then(|now| personality::set(now | Persona::ADDR_NO_RANDOMIZE));
        // Some containers forbid it. Equal ranks then differ in addresses; nothing else is lost.
        let _ = set;
    }
    // From here on standard error may be the tap, which the debugger shows as well.
    if let Some(tap) = &stdout {
        tap.become_stdout().map_err(fault("redirect standard output"))?;
    }
    if let Some(tap) = &stderr {
        tap.become_stderr().map_err(fault("redirect standard error"))?;
    }
    drop((stdout, stderr));
    let source = command(&file, name, arguments, &plan.changes, &place).map(|mut command| command.exec());
    let source = source.unwrap_or_else(|error| error);
    Err(JoinError::Exec { program: name.to_string_lossy().into_owned(), source })
}

/// Returns the command that executes the program, with the changes of a restart.
fn command(
    file: &Path,
    name: &OsString,
    arguments: &[OsString],
    changes: &StartChanges,
    place: &Place,
) -> io::Result<Command> {
    let fill = |text: &str| {
        raw_word(&text.replace("{rank}", &place.rank.to_string()).replace("{size}", &place.size.to_string()))
    };
    let mut command = match &changes.directory {
        None => Command::new(file),
        Some(directory) => {
            // The program's own path counts from the directory that the launcher has chosen.
            let mut command = Command::new(std::path::absolute(file)?);
            command.current_dir(raw_word(directory));
            command
        }
    };
    match &changes.arguments {
        None => command.args(arguments),
        Some(changed) => command.args(changed.iter().map(|word| fill(word))),
    };
    for (name, value) in &changes.environment {
        match value {
            Some(value) => command.env(raw_word(name), fill(value)),
            None => command.env_remove(raw_word(name)),
        };
    }
    command.arg0(name);
    Ok(command)
}

/// Finds a program's file as execvp(3) does, then in the working directory: launchers differ in whether they look there
/// for a program without a path, and a program that some of them start is started under all.
fn find_program(name: &Path) -> io::Result<PathBuf> {
    if name.as_os_str().as_bytes().contains(&b'/') {
        return is_executable(name).map(|()| name.to_owned());
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut failure = io::Error::from_raw_os_error(Errno::ENOENT as i32);
    for directory in std::env::split_paths(&path) {
        let file = directory.join(name);
        match is_executable(&file) {
            Ok(()) => return Ok(file),
            Err(error) if error.kind() != io::ErrorKind::NotFound => failure = error,
            Err(_) => {}
        }
    }
    let here = Path::new(".").join(name);
    is_executable(&here).map(|()| here).map_err(|_| failure)
}

fn is_executable(path: &Path) -> io::Result<()> {
    if std::fs::metadata(path)?.is_dir() {
        return Err(io::Error::from_raw_os_error(Errno::EISDIR as i32));
    }
    Ok(access(path, AccessFlags::X_OK)?)
}

/// Offers this process to the server; returns true if address randomisation is to stay.
fn ask(stream: &UnixStream, offer: &JoinOffer, stdout: Option<&Tap>, stderr: Option<&Tap>) -> Result<bool, JoinError> {
    let peer = getsockopt(stream, sockopt::PeerCredentials)
        .map_err(|e| fault("check the owner of this node's server")(e.into()))?;
    if peer.uid() != 0 && peer.uid() != nix::unistd::geteuid().as_raw() {
        return Err(JoinError::Refused(format!("the server of this node belongs to user {}", peer.uid())));
    }
    allow_tracer(peer.pid()).map_err(fault("let the server trace this process"))?;
    let files: Vec<_> = [stdout, stderr].into_iter().flatten().flat_map(Tap::files).collect();
    let bytes = serde_json::to_vec(offer).map_err(|error| fault("write the offer")(error.into()))?;
    send_files(stream, &bytes, &files).map_err(fault("offer this process to the server"))?;
    stream.set_read_timeout(Some(REPLY_LIMIT)).map_err(fault("set a time limit"))?;
    let mut reply = Vec::new();
    let hear = fault("read from the server of this node");
    let mut limited = stream.take(LONGEST as u64);
    match limited.read_to_end(&mut reply) {
        Ok(_) => {}
        Err(error) => return Err(hear(error)),
    }
    match serde_json::from_slice(&reply) {
        Ok(JoinReply::Go { randomise }) => Ok(randomise),
        Ok(JoinReply::Refused(why)) => Err(JoinError::Known(why)),
        Ok(JoinReply::Ending) => Err(JoinError::Refused("the session is ending".to_owned())),
        Err(_) => Err(JoinError::Refused("the server of this node ended in the middle of a message".to_owned())),
    }
}
