//! An engine with its reports, and programs compiled for a test.

use crate::support::points::armed;
use crate::support::wait::{wait_for, wait_on};
use rankscope::debuginfo::{BeforePreparing, SymbolStore, slow_reads};
use rankscope::engine::native::{NativeEngine, NativeOptions};
use rankscope::engine::{Acquisition, Engine, Query, Report};
use rankscope::model::{
    Answer, Armed, BreakpointId, BreakpointRequest, Event, LaunchSpec, LocationSpec, Operation, ProcessSet, Rank, Site,
    Stop, TransactionId,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, LazyLock};
use tempfile::TempDir;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// A compiled program, deleted with its directory.
pub struct Built {
    pub path: PathBuf,
    pub directory: TempDir,
}

/// Compiles C text.
pub fn build(source: &str, options: &[&str]) -> Built {
    build_by("gcc", source, options)
}

/// As [`build`], by another compiler.
pub fn build_by(compiler: &str, source: &str, options: &[&str]) -> Built {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("program.c");
    std::fs::write(&file, source).unwrap();
    let path = directory.path().join("program");
    compile_by(compiler, &file, &path, options);
    Built { path, directory }
}

/// Compiles a file.
pub fn compile(file: &Path, into: &Path, options: &[&str]) {
    compile_by("gcc", file, into, options);
}

fn compile_by(compiler: &str, file: &Path, into: &Path, options: &[&str]) {
    let options = if options.is_empty() { &["-g", "-O0"] } else { options };
    let status = Command::new(compiler).arg(file).args(["-pthread", "-o"]).arg(into).args(options).status().unwrap();
    assert!(status.success());
}

/// The line of a source that has this text in it, from 1.
pub fn line_of(source: &str, text: &str) -> u32 {
    let found = source.lines().position(|line| line.contains(text));
    found.unwrap_or_else(|| panic!("{text} is not in the source")) as u32 + 1
}

/// An engine and its reports so far.
pub struct Session {
    engine: NativeEngine,
    reports: UnboundedReceiver<Report>,
    pub events: BTreeMap<Rank, Vec<Event>>,
    taken: BTreeMap<Rank, usize>,
    answers: BTreeMap<u32, Vec<(ProcessSet, Answer)>>,
    next: u32,
    pub pids: BTreeMap<Rank, i32>,
}

impl Session {
    /// With the files of all such sessions: an image is never given back, and each engine would read libc again.
    pub fn start() -> Self {
        static FILES: LazyLock<Arc<SymbolStore>> = LazyLock::new(|| SymbolStore::preparing(None).unwrap());
        Self::with(Arc::clone(&FILES))
    }

    /// With a hook that runs before files are prepared.
    pub fn observed(before: BeforePreparing) -> Self {
        Self::with(SymbolStore::preparing(Some(before)).unwrap())
    }

    fn with(store: Arc<SymbolStore>) -> Self {
        let (sink, reports) = unbounded_channel();
        let options = NativeOptions { store: Some(store), ..NativeOptions::default() };
        Self {
            engine: NativeEngine::start_with(options, sink).unwrap(),
            reports,
            events: BTreeMap::new(),
            taken: BTreeMap::new(),
            answers: BTreeMap::new(),
            next: 1,
            pids: BTreeMap::new(),
        }
    }

    pub fn launch(program: &Path, ranks: u32) -> Self {
        Self::launch_spec(ranks, LaunchSpec { program: program.display().to_string(), ..LaunchSpec::default() })
    }

    pub fn launch_spec(ranks: u32, spec: LaunchSpec) -> Self {
        let session = Self::start();
        session.engine.acquire(Acquisition::Launch {
            first: Rank(0),
            count: ranks,
            size: ranks,
            spec,
            inputs: BTreeMap::new(),
        });
        session
    }

    /// Launches one more rank.
    pub fn start_at(&self, rank: u32, spec: LaunchSpec) {
        self.engine.acquire(Acquisition::Launch {
            first: Rank(rank),
            count: 1,
            size: 1,
            spec,
            inputs: BTreeMap::new(),
        });
    }

    /// One rank in the directory the program was built in.
    pub fn launch_where_it_is(program: &Built) -> Self {
        let directory = Some(program.directory.path().display().to_string());
        let program = program.path.display().to_string();
        Self::launch_spec(1, LaunchSpec { program, directory, ..LaunchSpec::default() })
    }

    /// Takes one report; false if there are no more and will be none.
    fn pump(&mut self) -> bool {
        use tokio::sync::mpsc::error::TryRecvError;
        let report = wait_on(
            self,
            |session| match session.reports.try_recv() {
                Ok(report) => Some(Some(report)),
                Err(TryRecvError::Disconnected) => Some(None),
                Err(TryRecvError::Empty) => None,
            },
            |session| format!("a report; so far {:#?} {:#?}", session.events, session.answers),
        );
        let Some(report) = report else { return false };
        match report {
            Report::Answer { tid, ranks, answer } => self.answers.entry(tid.0).or_default().push((ranks, answer)),
            Report::Event { ranks, event, .. } => {
                for rank in ranks.iter() {
                    if let Event::Acquired { pid } = event {
                        self.pids.insert(rank, pid as i32);
                    }
                    self.events.entry(rank).or_default().push(event.clone());
                }
            }
        }
        true
    }

    /// Sends an operation to ranks; returns its transaction number.
    pub fn submit(&mut self, ranks: &ProcessSet, operation: Operation) -> u32 {
        let tid = self.next;
        self.next += 1;
        self.engine.submit(Query { tid: TransactionId(tid), ranks: ranks.clone(), operation });
        tid
    }

    /// True if any rank is known to have answered.
    pub fn is_answered(&self, tid: u32) -> bool {
        self.answers.contains_key(&tid)
    }

    /// Sends an operation to ranks, and waits until all have answered.
    pub fn ask_all(&mut self, ranks: &ProcessSet, operation: Operation) -> Vec<(ProcessSet, Answer)> {
        let tid = self.submit(ranks, operation);
        self.answers(tid, ranks)
    }

    /// Waits until all ranks asked have answered.
    pub fn answers(&mut self, tid: u32, ranks: &ProcessSet) -> Vec<(ProcessSet, Answer)> {
        loop {
            let answered = self.answers.get(&tid).map_or(0, |all| all.iter().map(|(ranks, _)| ranks.len()).sum());
            if answered >= ranks.len() {
                return self.answers.remove(&tid).unwrap_or_default();
            }
            assert!(self.pump(), "the engine has ended");
        }
    }

    pub fn ask(&mut self, rank: u32, operation: Operation) -> Answer {
        let mut answers = self.ask_all(&ProcessSet::one(Rank(rank)), operation);
        assert_eq!(answers.len(), 1);
        answers.remove(0).1
    }

    /// Sets a watchpoint or catchpoint on the first rank.
    #[track_caller]
    pub fn arm(&mut self, request: BreakpointRequest) -> Armed {
        armed(self.ask(0, Operation::SetBreakpoint(request)))
    }

    pub fn ok(&mut self, rank: u32, operation: Operation) {
        assert_eq!(self.ask(rank, operation), Answer::Ok);
    }

    /// The next matching event of a rank; skips others before it.
    pub fn event(&mut self, rank: u32, mut wanted: impl FnMut(&Event) -> bool) -> Event {
        let rank = Rank(rank);
        loop {
            let from = self.taken.get(&rank).copied().unwrap_or(0);
            let events = self.events.get(&rank).map_or(&[][..], |events| &events[from..]);
            if let Some(place) = events.iter().position(&mut wanted) {
                let event = events[place].clone();
                self.taken.insert(rank, from + place + 1);
                return event;
            }
            assert!(self.pump(), "the engine has ended; {:#?}", self.events);
        }
    }

    /// The next stop of a rank; panics if it ends.
    pub fn stop(&mut self, rank: u32) -> Stop {
        let event = self.event(rank, |event| {
            matches!(event, Event::Stopped(_) | Event::Exited(_) | Event::Killed(_) | Event::Failed(_) | Event::Lost(_))
        });
        match event {
            Event::Stopped(stop) => stop,
            other => panic!("not a stop: {other:?}; {:#?}", self.events),
        }
    }

    /// The next end of a rank; panics if it stops.
    pub fn end(&mut self, rank: u32) -> Event {
        let event = self.event(rank, |event| {
            matches!(
                event,
                Event::Stopped(_)
                    | Event::Exited(_)
                    | Event::Killed(_)
                    | Event::Failed(_)
                    | Event::Lost(_)
                    | Event::Detached
            )
        });
        assert!(!matches!(event, Event::Stopped(_)), "{event:?}");
        event
    }

    /// All events of a rank up to now.
    pub fn all(&self, rank: u32) -> &[Event] {
        self.events.get(&Rank(rank)).map_or(&[], Vec::as_slice)
    }

    pub fn breakpoint(&mut self, rank: u32, id: u32, location: &str) -> usize {
        let request = request(id, location);
        self.set(rank, request)
    }

    /// The addresses and lines of a breakpoint.
    pub fn breakpoint_places(&mut self, rank: u32, id: u32, location: &str) -> Vec<(u64, u32)> {
        match self.ask(rank, Operation::SetBreakpoint(request(id, location))) {
            Answer::Breakpoint(_, sites) => {
                let line = |site: &Site| site.source.as_ref().map_or(0, |source| source.line);
                sites.iter().map(|site| (site.offset, line(site))).collect()
            }
            other => panic!("{other:?}"),
        }
    }

    pub fn set(&mut self, rank: u32, request: BreakpointRequest) -> usize {
        match self.ask(rank, Operation::SetBreakpoint(request)) {
            Answer::Breakpoint(_, sites) => sites.len(),
            other => panic!("{other:?}"),
        }
    }

    pub fn go(&mut self, rank: u32) {
        self.ok(rank, Operation::Go);
    }

    /// Ends the engine and waits until it is done.
    pub fn shutdown(&mut self, kill: bool) {
        self.engine.shutdown(kill);
        while self.pump() {}
    }
}

impl Drop for Session {
    /// Also checks in every test that the tracer thread has done no slow reads.
    fn drop(&mut self) {
        if !std::thread::panicking() {
            assert_eq!(slow_reads(), Vec::<String>::new(), "read on the tracer thread");
        }
    }
}

/// Waits for a file from a process that is no longer debugged.
pub fn await_file(path: &Path) {
    wait_for(&format!("{} to be written", path.display()), || path.exists().then_some(()));
}

pub fn request(id: u32, location: &str) -> BreakpointRequest {
    BreakpointRequest::at(BreakpointId(id), LocationSpec::parse(location).unwrap())
}

/// Function and line of a stop.
pub fn place(stop: &Stop) -> (String, u32) {
    let function = stop.frame.function.as_deref().unwrap_or("?").to_owned();
    (function, stop.frame.source.as_ref().map_or(0, |place| place.line))
}
