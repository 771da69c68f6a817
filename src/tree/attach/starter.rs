//! A launcher that provides an MPIR process table, run under the native engine: it is told that it is being debugged,
//! and stops when its ranks exist.

use crate::attach::RankTable;
use crate::attach::job_table::{OwnHost, rank_table};
use crate::attach::processes::Processes;
use crate::engines::setup;
use engine::process::mpir::{self, DebugState, MpirLauncher};
use engine::process::procfs::{ProcessStatus, executable};
use engine::{Acquisition, Adoption, Engine, Query, Report};
use model::{
    BreakpointId, BreakpointRequest, Catch, EngineName, Event, LaunchSpec, LocationSpec, Operation, Point, ProcessSet,
    Rank, SignalName, StopReason, TransactionId,
};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use std::fmt;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::thread::JoinHandle;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// The shell stops itself before it becomes the launcher, so that nothing of the launcher is missed.
const HELD: &str = "kill -STOP $$; exec \"$@\"";
/// Reached whenever a program has its libraries, and with them its symbols.
const LOADED: BreakpointId = BreakpointId(1);
/// The same for a program without libraries.
const MAIN: BreakpointId = BreakpointId(2);
/// Reached when the launcher has something to show.
const SHOWN: BreakpointId = BreakpointId(3);

#[derive(Debug)]
pub(crate) enum StarterNews {
    /// Its ranks exist; it stays stopped until it is released.
    Ready(RankTable),
    /// It is about to abort the job; holds the reason if it gives one.
    Aborting(Option<String>),
    /// It cannot be debugged this way; holds the reason.
    Failed(String),
    /// It ended; the code is 128 plus the signal's number if a signal killed it.
    Ended {
        code: i32,
        /// True if it was never a program that supports MPIR.
        mute: bool,
    },
}

/// A launcher under the native engine.
pub(crate) struct Starter {
    engine: Arc<dyn Engine>,
    watcher: Option<JoinHandle<()>>,
    /// Its process ID, which is also that of its group.
    pub(crate) pid: Pid,
}

impl fmt::Debug for Starter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Starter").field("pid", &self.pid).finish_non_exhaustive()
    }
}

/// Returns the command line that starts a command so that it waits to be seized.
pub(crate) fn held(command: &[String]) -> Vec<String> {
    ["sh", "-c", HELD, "sh"].into_iter().map(str::to_owned).chain(command.iter().cloned()).collect()
}

/// Returns the name of a launcher known to have dropped MPIR: PRRTE's, which `mpirun` of Open MPI 5 becomes.
fn without_mpir(executable: &Path) -> Option<&str> {
    executable.file_name().and_then(|name| name.to_str()).filter(|name| matches!(*name, "prterun" | "prte"))
}

/// True if some of the ranks are not held by a stop signal, as far as they are on this host.
fn some_run(table: &RankTable) -> bool {
    let here = table.processes().into_iter().filter(|(_, spot)| spot.host.is_none());
    let mut statuses = here.filter_map(|(_, spot)| ProcessStatus::read(spot.pid));
    statuses.any(|status| !matches!(status.state, 'T' | 't'))
}

fn query(engine: &dyn Engine, operation: Operation) {
    engine.submit(Query { tid: TransactionId(1), ranks: ProcessSet::one(Rank(0)), operation });
}

impl Starter {
    /// Starts a command line from [`held`]. Its end is reported through `tell`, and nobody else may wait for it.
    pub(crate) fn start(mut command: Command, tell: impl Fn(StarterNews) + Send + 'static) -> Result<Self, String> {
        let fault = |what: &str, error: &dyn std::fmt::Display| format!("cannot start the launcher: {what}: {error}");
        // Its tracer waits for it.
        let child = command.spawn().map_err(|error| fault("sh", &error))?;
        let pid = Pid::from_raw(child.id() as i32);
        match waitpid(pid, Some(WaitPidFlag::WUNTRACED)) {
            Ok(WaitStatus::Stopped(..)) => {}
            Ok(other) => return Err(fault("its shell did not wait", &format!("{other:?}"))),
            Err(error) => return Err(fault("its shell", &error)),
        }
        let (sink, reports) = unbounded_channel();
        let engine = engine::start(EngineName::Native, &setup(), sink).map_err(|error| error.to_string())?;
        let spec = LaunchSpec::default();
        let (rank, pid_number) = (Rank(0), pid.as_raw());
        engine.acquire(Acquisition::Attach { rank, pid: pid_number, spec, adoption: Adoption::Running });
        let watch = Watch { engine: Arc::clone(&engine), pid: pid_number, announced: false, mute: true };
        let watcher = std::thread::Builder::new().name("starter".into()).spawn(move || watch.run(reports, tell));
        let watcher = Some(watcher.map_err(|error| fault("no thread", &error))?);
        Ok(Self { engine, watcher, pid })
    }

    /// Continues it from where it showed its ranks.
    pub(crate) fn release(&self) {
        query(&*self.engine, Operation::Go);
    }
}

impl Drop for Starter {
    fn drop(&mut self) {
        // Removes our breakpoints, so that it does not die of them; it has ended, or continues alone.
        self.engine.shutdown(false);
        if let Some(watcher) = self.watcher.take() {
            let _ = watcher.join();
        }
    }
}

/// The thread that handles the launcher's reports.
struct Watch {
    engine: Arc<dyn Engine>,
    pid: i32,
    /// True if the present program has been told that it is being debugged.
    announced: bool,
    /// True if none of the programs it has been was told.
    mute: bool,
}

impl Watch {
    fn run(mut self, mut reports: UnboundedReceiver<Report>, tell: impl Fn(StarterNews)) {
        while let Some(report) = reports.blocking_recv() {
            let Report::Event { event, .. } = report else { continue };
            tracing::debug!("the launcher: {event:?}");
            match event {
                Event::Stopped(stop) => self.stopped(&stop.reason, &tell),
                Event::Executed(_) if self.announced => {
                    // A new program does not know what the one before was told.
                    self.announced = false;
                    self.look_out();
                }
                Event::Exited(code) => tell(StarterNews::Ended { code, mute: self.mute }),
                Event::Killed(termination) => {
                    tell(StarterNews::Ended { code: 128 + termination.signal.number().unwrap_or(0), mute: self.mute });
                }
                Event::Lost(why) => tell(StarterNews::Failed(why)),
                _ => {}
            }
        }
    }

    fn stopped(&mut self, reason: &StopReason, tell: &impl Fn(StarterNews)) {
        match reason {
            reason if reason.is_first() => {
                self.look_out();
                let shown = LocationSpec::Function(mpir::BREAKPOINT.to_owned());
                self.ask(Operation::SetBreakpoint(BreakpointRequest::at(SHOWN, shown)));
                let go_on = SignalName::from_number(nix::libc::SIGCONT);
                return self.ask(Operation::Signal(Some(go_on)));
            }
            StopReason::Caught(LOADED, _) | StopReason::Breakpoint(MAIN) if !self.announced => self.announce(tell),
            StopReason::Breakpoint(SHOWN) => return self.show(tell),
            // The launcher is not the program being debugged: it gets its signals.
            StopReason::Signal(signal) => return self.ask(Operation::Signal(Some(signal.clone()))),
            _ => {}
        }
        self.ask(Operation::Go);
    }

    /// Makes every program that the process becomes stop when it is loaded.
    fn look_out(&self) {
        let loaded = BreakpointRequest::at(LOADED, Point::Catch(Catch::Load(None)));
        self.ask(Operation::SetBreakpoint(loaded));
        let main = LocationSpec::Function("main".to_owned());
        self.ask(Operation::SetBreakpoint(BreakpointRequest::at(MAIN, main)));
    }

    /// Tells the program that it is being debugged, if it supports MPIR.
    fn announce(&mut self, tell: &impl Fn(StarterNews)) {
        let launcher = match MpirLauncher::open(self.pid) {
            Ok(launcher) => launcher,
            Err(error) => return tell(StarterNews::Failed(error.to_string())),
        };
        if !launcher.has(mpir::BREAKPOINT) || !launcher.has(mpir::TABLE) {
            if launcher.has(mpir::BEING_DEBUGGED)
                && let Err(error) = launcher.announce()
            {
                tracing::debug!("the launcher: {error}");
            }
            if let Some(name) = without_mpir(&executable(self.pid)) {
                // Otherwise it would run the whole job before its end showed that it has no table.
                tell(StarterNews::Failed(format!(
                    "{name}, the launcher of Open MPI 5, provides no MPIR process table: run it without --mpir, or \
                        attach to the running job with \"rankscope attach --starter PID\", PID being that of \
                        {name}"
                )));
            }
            return;
        }
        if let Err(error) = launcher.announce() {
            return tell(StarterNews::Failed(error.to_string()));
        }
        self.announced = true;
        self.mute = false;
        self.ask(Operation::DeleteBreakpoint(LOADED));
        self.ask(Operation::DeleteBreakpoint(MAIN));
    }

    /// Handles a stop at which the launcher has something to show. With its ranks it stays stopped until released.
    fn show(&self, tell: &impl Fn(StarterNews)) {
        let seen = MpirLauncher::open(self.pid).and_then(|launcher| Ok((launcher.state()?, launcher)));
        match seen {
            Ok((DebugState::Spawned, launcher)) => match launcher.table() {
                Ok(entries) => {
                    let mut found = rank_table(&entries, &Processes::now(), &OwnHost::now());
                    // Flux has the symbol also where it attaches to a job that runs.
                    found.held = launcher.has(mpir::ACQUIRED_PRE_MAIN) && !some_run(&found);
                    found.partial = launcher.has(mpir::PARTIAL_ATTACH_OK);
                    found.slurm = launcher.slurm_job();
                    return tell(StarterNews::Ready(found));
                }
                Err(error) => tell(StarterNews::Failed(error.to_string())),
            },
            Ok((DebugState::Aborting, launcher)) => tell(StarterNews::Aborting(launcher.abort_reason())),
            Ok((DebugState::Other(state), _)) => tracing::debug!("MPIR_debug_state is {state}"),
            Err(error) => tell(StarterNews::Failed(error.to_string())),
        }
        self.ask(Operation::Go);
    }

    fn ask(&self, operation: Operation) {
        query(&*self.engine, operation);
    }
}
