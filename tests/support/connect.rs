//! `tvconnect` processes that wait in a directory of the test.

use super::process::Guard;
use super::wait::wait_for;
use rankscope::protocol::reverse::{ConnectDirectory, ConnectRequest, ConnectResponse, LARGEST_REQUEST, RequestId};
use std::{
    io::Read,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};
use tempfile::TempDir;

pub const TVCONNECT: &str = env!("CARGO_BIN_EXE_tvconnect");

/// A directory of requests, and a place for the sessions that result.
pub struct Requests {
    pub base: TempDir,
}

impl Requests {
    pub fn new() -> Self {
        Self { base: tempfile::Builder::new().prefix("rsc").tempdir_in("/tmp").unwrap() }
    }

    pub fn path(&self) -> PathBuf {
        self.base.path().join("connect")
    }

    pub fn directory(&self) -> ConnectDirectory {
        ConnectDirectory::make(&self.path()).unwrap()
    }

    /// A command that makes a request here; output and errors go to files of the base.
    pub fn command(&self, options: &[&str], program: &[&str]) -> Command {
        let mut command = Command::new(TVCONNECT);
        command.arg("--connect-dir").arg(self.path()).args(options).arg("--").args(program);
        command.env("XDG_RUNTIME_DIR", self.base.path()).env("HOME", self.base.path()).env_remove("RANKSCOPE_LOG");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        command
    }

    /// Makes a request; the process waits.
    #[track_caller]
    pub fn ask(&self, options: &[&str], program: &[&str]) -> Guard {
        Guard::spawn(&mut self.command(options, program))
    }

    /// The existing requests.
    pub fn ids(&self) -> Vec<RequestId> {
        let names = ConnectDirectory::open(&self.path()).and_then(|directory| directory.names()).unwrap_or_default();
        names.iter().filter_map(|name| RequestId::of_request_file(name)).collect()
    }

    /// Waits for the request of a process.
    #[track_caller]
    pub fn of(&self, process: &Guard) -> (RequestId, ConnectRequest) {
        let pid = process.0.id();
        wait_for(&format!("the request of process {pid}"), || {
            self.ids().into_iter().map(|id| (id.clone(), self.read(&id))).find(|(_, request)| request.pid == pid)
        })
    }

    fn read(&self, id: &RequestId) -> ConnectRequest {
        let read = self.directory().read(&id.request_file(), LARGEST_REQUEST);
        read.map(|(_, text)| ConnectRequest::parse(&text).request).unwrap_or_default()
    }

    /// Answers as a front end does; returns true if the answer was the first.
    pub fn answer(&self, id: &RequestId, response: &ConnectResponse) -> bool {
        self.directory().write_once(&id.response_file(), &response.print()).unwrap()
    }

    pub fn reject(&self, id: &RequestId, reason: Option<&str>) -> bool {
        self.answer(id, &ConnectResponse::Reject { reason: reason.map(str::to_owned) })
    }

    /// The existing files.
    pub fn files(&self) -> Vec<String> {
        files(&self.path())
    }
}

pub fn files(path: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// The exit status of a process (128 and the number for a signal's death), and its standard error.
#[track_caller]
pub fn end(mut process: Guard) -> (i32, String) {
    use std::os::unix::process::ExitStatusExt;
    let status = process.wait();
    let mut words = String::new();
    process.0.stderr.take().unwrap().read_to_string(&mut words).unwrap();
    (status.code().unwrap_or_else(|| 128 + status.signal().unwrap()), words)
}
