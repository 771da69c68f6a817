//! A stopped process on its way from one engine to another.

use crate::process::output::Taps;
use crate::process::procfs::{ProcessStatus, threads};
use crate::process::thread_signal::send_signal;
use model::{
    BreakpointId, BreakpointRequest, Context, Failure, LaunchSpec, Rank, SignalName, SignalTable, ThreadId,
    TransactionId, Watch,
};
use model::{LocationSpec, Point, Site};
#[cfg(test)]
use nix::sys::signal::{Signal, kill};
#[cfg(test)]
use nix::unistd::Pid;
use std::any::Any;
use std::fmt;
use std::time::{Duration, Instant};

/// Maximum time for a detached process to stop.
const LIMIT: Duration = Duration::from_secs(10);
const POLL: Duration = Duration::from_millis(1);

/// A process without a tracer, held by SIGSTOP, and its previous engine's record of it. Every thread is where it was,
/// and no breakpoint is in its memory.
#[derive(Debug)]
pub struct Handed {
    /// The rank, which stays the same.
    pub rank: Rank,
    /// The process id on this host.
    pub pid: i32,
    /// True if the process was attached to while running: it survives the session unless it is killed explicitly.
    pub guest: bool,
    /// The launch specification, with the current settings.
    pub spec: LaunchSpec,
    /// The transaction of the last run-control query.
    pub tid: TransactionId,
    /// The threads: kernel id and the user's number.
    pub threads: Vec<(i32, ThreadId)>,
    /// The kernel id of the default thread of commands.
    pub current: i32,
    /// The user's breakpoints, portable: source places by file and line, addresses as numbers, ignore counts as they
    /// are now, and the frames of watchpoints by their current level.
    pub points: Vec<BreakpointRequest>,
    /// The breakpoints' sites in the previous engine.
    pub sites: Vec<(BreakpointId, Vec<Site>)>,
    /// The disposition of each signal.
    pub signals: SignalTable,
    /// Signals that threads (by kernel id) have stopped for and not yet received.
    pub undelivered: Vec<(i32, SignalName)>,
    /// Signals (by kernel number) that arrived for threads (by kernel id) and were not yet examined.
    pub unheard: Vec<(i32, i32)>,
    /// The taps on its output.
    pub taps: Taps,
    /// Resources that must live until another engine has the process.
    pub keeper: Keeper,
}

/// Owns a value only to drop it later.
#[derive(Default)]
pub struct Keeper(Option<Box<dyn Any + Send>>);

impl Keeper {
    /// Takes ownership of a value of any type.
    pub fn of(kept: impl Any + Send) -> Self {
        Self(Some(Box::new(kept)))
    }
}

impl fmt::Debug for Keeper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Keeper(..)" } else { "Keeper" })
    }
}

/// A failed takeover, which returns the process unchanged.
#[derive(Debug)]
pub struct Refusal {
    /// The process, still held.
    pub handed: Box<Handed>,
    /// The reason, for the user.
    pub failure: Failure,
}

/// The outcome of a takeover: warnings for the user about what was lost, or a refusal.
pub type TakenOver = Result<Vec<String>, Refusal>;

impl Handed {
    /// Returns the user's number of a thread given by kernel id.
    pub fn number(&self, tid: i32) -> Option<ThreadId> {
        self.threads.iter().find(|(known, _)| *known == tid).map(|(_, number)| *number)
    }

    /// Waits until every thread has stopped; true if all have within ten seconds.
    pub fn settle(&self) -> bool {
        let end = Instant::now() + LIMIT;
        while !is_held(self.pid) {
            if Instant::now() >= end {
                return false;
            }
            std::thread::sleep(POLL);
        }
        true
    }

    /// Sends the unexamined signals again: the new engine sees them when the process continues.
    pub fn send_again(&self) {
        self.unheard.iter().for_each(|(tid, signal)| send_signal(self.pid, *tid, *signal));
    }

    /// Returns the breakpoints for an engine that numbers threads differently.
    pub fn points_numbered(&self, number: impl Fn(i32) -> Option<ThreadId>) -> Vec<BreakpointRequest> {
        let translated = |old: ThreadId| {
            let kernel = self.threads.iter().find(|(_, known)| *known == old).map(|(kernel, _)| *kernel);
            kernel.and_then(&number).unwrap_or(old)
        };
        let of_point = |mut request: BreakpointRequest| {
            request.thread = request.thread.map(translated);
            if let Point::Watch(Watch { context: Context { thread, .. }, .. }) = &mut request.point {
                *thread = thread.map(translated);
            }
            request
        };
        self.points.iter().cloned().map(of_point).collect()
    }
}

/// True if every thread is stopped by a signal or gone.
fn is_held(pid: i32) -> bool {
    let held = |tid| ProcessStatus::of_thread(tid).is_none_or(|status| matches!(status.state, 'T' | 'Z' | 'X'));
    threads(pid).into_iter().all(held)
}

/// Rewrites a request so that another engine resolves it to the same place without a frame.
pub fn portable(request: &BreakpointRequest, sites: &[Site]) -> BreakpointRequest {
    let point = match &request.point {
        Point::Place(LocationSpec::Line(line)) => {
            let file = sites.iter().find_map(|site| site.source.as_ref()).map(|place| place.file.to_string());
            file.map(|file| Point::Place(LocationSpec::FileLine { file, line: *line }))
        }
        Point::Place(LocationSpec::Address(_)) => {
            let address = sites.iter().find_map(|site| site.address);
            address.map(|address| Point::Place(LocationSpec::Address(address.to_string())))
        }
        _ => None,
    };
    BreakpointRequest { point: point.unwrap_or_else(|| request.point.clone()), ..request.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{BreakpointId, SourcePlace, VirtualAddress};

    #[test]
    fn places_are_said_without_a_frame() {
        let source = SourcePlace { file: "/src/a.c".into(), line: 12 };
        let site =
            Site { module: None, offset: 0, address: Some(VirtualAddress(16)), function: None, source: Some(source) };
        let at = |location| BreakpointRequest::at(BreakpointId(1), location);
        let place = |location, sites: &[Site]| portable(&at(location), sites).point.to_string();
        assert_eq!(place(LocationSpec::Line(12), std::slice::from_ref(&site)), "/src/a.c:12");
        assert_eq!(place(LocationSpec::Address("$pc".into()), &[site]), "*0x10");
        assert_eq!(place(LocationSpec::Line(12), &[]), "12");
    }

    #[test]
    fn a_process_is_held_when_all_of_it_is() {
        let mut child = std::process::Command::new("sleep").arg("1000").spawn().unwrap();
        let pid = child.id() as i32;
        assert!(!is_held(pid));
        kill(Pid::from_raw(pid), Signal::SIGSTOP).unwrap();
        while !is_held(pid) {
            std::thread::sleep(POLL);
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(is_held(pid));
    }
}
