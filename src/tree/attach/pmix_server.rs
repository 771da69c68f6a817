//! Asks a launcher's PMIx server for its jobs, in a process of its own.

use crate::own_program::own_process;
use engine::process::pmix::{PMIX_PATIENCE, PmixAnswer, PmixJob};
use engine::process::procfs::environment;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use std::ffi::OsStr;
use std::io::{self, Read as _};
use std::os::fd::AsFd as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{ChildStdout, Stdio};
use std::time::{Duration, Instant};

/// Variables by which the launcher's library finds itself and the launcher's files.
const NEEDED: &[&str] = &["HOME", "LD_LIBRARY_PATH", "OPAL_PREFIX", "TEMP", "TMP", "TMPDIR", "USER"];
/// The same, by their beginnings. Those that tell a process of a job its place begin with `PMIX_` only.
const NEEDED_PREFIXES: &[&str] = &["PMIX_MCA_", "PMIX_PREFIX", "PMIX_INSTALL_PREFIX", "PMIX_SYSTEM_TMPDIR"];
/// Longest answer, in bytes.
const LONGEST: usize = 256 << 20;

/// Returns the jobs of a launcher, or why they are unknown.
pub(super) fn jobs(launcher: i32) -> Result<Vec<PmixJob>, String> {
    let mut command = own_process();
    command.args(["--pmix-jobs", &launcher.to_string()]).env_clear();
    let environment = environment(launcher);
    for line in environment.split(|byte| *byte == 0) {
        let Some(at) = line.iter().position(|byte| *byte == b'=') else { continue };
        let (name, value) = (line.get(..at).unwrap_or_default(), line.get(at + 1..).unwrap_or_default());
        let is_needed = NEEDED.iter().any(|needed| needed.as_bytes() == name)
            || NEEDED_PREFIXES.iter().any(|prefix| name.starts_with(prefix.as_bytes()));
        if is_needed {
            command.env(OsStr::from_bytes(name), OsStr::from_bytes(value));
        }
    }
    command.current_dir("/").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|error| format!("cannot start a process for its library: {error}"))?;
    let limit = Instant::now() + Duration::from_secs(u64::from(PMIX_PATIENCE) + 2);
    let text = child.stdout.take().map_or(Ok(Vec::new()), |output| read_until(output, limit));
    // It may still wait for the server's farewell.
    let _ = child.kill();
    let status = child.wait();
    let text = text.map_err(|error| format!("cannot read the answer: {error}"))?;
    let answer: Option<PmixAnswer> = serde_json::from_slice(&text).ok();
    answer.unwrap_or_else(|| {
        Err(match status.ok().and_then(|status| status.signal()) {
            Some(nix::libc::SIGALRM | nix::libc::SIGKILL) => {
                format!("the server has not replied for {PMIX_PATIENCE} s")
            }
            Some(signal) => format!("its library was killed by signal {signal}"),
            None => "its library has given no answer".to_owned(),
        })
    })
}

/// Reads to the end, or as much as there is in time.
fn read_until(mut output: ChildStdout, limit: Instant) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    let mut part = vec![0; 1 << 16];
    loop {
        let left = limit.saturating_duration_since(Instant::now());
        let timeout = PollTimeout::try_from(left).unwrap_or(PollTimeout::ZERO);
        match poll(&mut [PollFd::new(output.as_fd(), PollFlags::POLLIN)], timeout) {
            Ok(0) => return Ok(text),
            Ok(_) => {}
            Err(nix::errno::Errno::EINTR) => continue,
            Err(error) => return Err(error.into()),
        }
        match output.read(&mut part)? {
            0 => return Ok(text),
            _ if text.len() > LONGEST => return Err(io::Error::other("it is too long")),
            read => text.extend_from_slice(part.get(..read).unwrap_or_default()),
        }
    }
}
