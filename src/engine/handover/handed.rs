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

/// A process that has been let go is stopped after this long at the latest.
const LIMIT: Duration = Duration::from_secs(10);
const POLL: Duration = Duration::from_millis(1);

/// A process that nobody traces, kept from running by SIGSTOP; and what the engine that had it knows of it. Every thread
/// is where it was, and no breakpoint is in its memory.
#[derive(Debug)]
pub struct Handed {
    /// Which rank it is.
    pub rank: Rank,
    /// Its process id.
    pub pid: i32,
    /// It ran before it came to the session, and outlives it unless it is killed by name.
    pub guest: bool,
    /// How it came to be; with the settings that hold now.
    pub spec: LaunchSpec,
    /// Of the last run-control query.
    pub tid: TransactionId,
    /// Its threads: as the kernel numbers them, and as the user does.
    pub threads: Vec<(i32, ThreadId)>,
    /// The thread commands mean when they name none, as the kernel numbers it.
    pub current: i32,
    /// What the user has set: places in files are by file and line, addresses are numbers, ignore counts are what is left
    /// of them, and the frames of watchpoints are as the stack is now.
    pub points: Vec<BreakpointRequest>,
    /// Where they were.
    pub sites: Vec<(BreakpointId, Vec<Site>)>,
    /// What happens on signals.
    pub signals: SignalTable,
    /// Signals that threads (as the kernel numbers them) were stopped for and have not got.
    pub undelivered: Vec<(i32, SignalName)>,
    /// Signals (as the kernel numbers them) that came for threads and that nobody has looked at.
    pub unheard: Vec<(i32, i32)>,
    /// What it writes.
    pub taps: Taps,
    /// What has to live until another engine has the process.
    pub keeper: Keeper,
}

/// Something that is kept and not looked at.
#[derive(Default)]
pub struct Keeper(Option<Box<dyn Any + Send>>);

impl Keeper {
    /// Keeps this.
    pub fn of(kept: impl Any + Send) -> Self {
        Self(Some(Box::new(kept)))
    }
}

impl fmt::Debug for Keeper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Keeper(..)" } else { "Keeper" })
    }
}

/// An engine could not take a process over: it is handed back as it came.
#[derive(Debug)]
pub struct Refusal {
    /// The process.
    pub handed: Box<Handed>,
    /// Why.
    pub failure: Failure,
}

/// What became of a take-over: words for the user about what did not come along, or a refusal.
pub type TakenOver = Result<Vec<String>, Refusal>;

impl Handed {
    /// The user's number of a thread.
    pub fn number(&self, tid: i32) -> Option<ThreadId> {
        self.threads.iter().find(|(known, _)| *known == tid).map(|(_, number)| *number)
    }

    /// Waits until every thread is in its stop; whether they all are.
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

    /// Sends what nobody has looked at once more: its new engine hears of it when the process goes on.
    pub fn send_again(&self) {
        self.unheard.iter().for_each(|(tid, signal)| send_signal(self.pid, *tid, *signal));
    }

    /// The same points for an engine that numbers threads otherwise.
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

/// Whether every thread is stopped by a signal, or gone.
fn is_held(pid: i32) -> bool {
    let held = |tid| ProcessStatus::of_thread(tid).is_none_or(|status| matches!(status.state, 'T' | 'Z' | 'X'));
    threads(pid).into_iter().all(held)
}

/// A request that means the same in another engine: where its place was found is said so that no frame is needed.
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
