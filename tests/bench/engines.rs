//! The operations of the contract on both engines that debug processes, in the same run: gdb's time, the native
//! engine's time, and their ratio.
//!
//! `cargo bench --bench engines` runs it with one rank, `cargo bench --bench engines -- 4` with four. Each operation is
//! repeated, the median is printed. Nothing here passes or fails by the clock.
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot go on should say where and stop")]

use rankscope::engine::gdb::{GdbEngine, GdbOptions};
use rankscope::engine::native::NativeEngine;
use rankscope::engine::{Acquisition, Engine, Query, Report};
use rankscope::model::{
    Answer, BreakpointId, BreakpointRequest, Context, Event, LaunchSpec, LocationSpec, Operation, ProcessSet, Rank,
    StepKind, TransactionId,
};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// Number of measurements of each operation.
const TIMES: usize = 15;
/// Arrivals at which the condition is false.
const FALSE_HITS: u32 = 1000;
const HERE: Context = Context { thread: None, frame: 0 };

struct Bench {
    engine: Box<dyn Engine>,
    reports: UnboundedReceiver<Report>,
    ranks: ProcessSet,
    next: u32,
}

impl Bench {
    /// Launches and waits for the stops in `main`.
    fn launched(engine: &str, program: &Path, ranks: u32) -> (Self, Duration) {
        let (sink, reports) = unbounded_channel();
        let begun = Instant::now();
        let engine: Box<dyn Engine> = match engine {
            "gdb" => Box::new(GdbEngine::start(GdbOptions::default(), sink).unwrap()),
            _ => Box::new(NativeEngine::start(sink).unwrap()),
        };
        let mut bench = Self { engine, reports, ranks: ProcessSet::all(ranks), next: 1 };
        let spec = LaunchSpec { program: program.display().to_string(), ..LaunchSpec::default() };
        bench.engine.acquire(Acquisition::Launch {
            first: Rank(0),
            count: ranks,
            size: ranks,
            spec,
            inputs: std::collections::BTreeMap::new(),
        });
        bench.stops();
        (bench, begun.elapsed())
    }

    fn stops(&mut self) {
        let mut missing = self.ranks.clone();
        while !missing.is_empty() {
            match self.reports.blocking_recv().expect("the engine has ended") {
                Report::Event { ranks, event: Event::Stopped(_), .. } => missing.remove_all(&ranks),
                Report::Event { event: Event::Exited(_) | Event::Killed(_) | Event::Lost(_), ranks, .. } => {
                    panic!("{ranks} ended")
                }
                _ => {}
            }
        }
    }

    /// Asks every rank and waits for all answers; none may be an error.
    fn ask(&mut self, operation: Operation) -> Duration {
        let (tid, begun) = (TransactionId(self.next), Instant::now());
        self.next += 1;
        self.engine.submit(Query { tid, ranks: self.ranks.clone(), operation: operation.clone() });
        let mut missing = self.ranks.clone();
        while !missing.is_empty() {
            if let Report::Answer { tid: of, ranks, answer } = self.reports.blocking_recv().expect("it has ended")
                && of == tid
            {
                assert!(!matches!(answer, Answer::Failed(_)), "{operation:?}: {answer:?}");
                missing.remove_all(&ranks);
            }
        }
        begun.elapsed()
    }

    /// Resumes every rank and waits for its stop.
    fn run(&mut self, operation: Operation) -> Duration {
        let begun = Instant::now();
        self.ask(operation);
        self.stops();
        begun.elapsed()
    }

    fn step(&mut self, kind: StepKind) -> Duration {
        self.run(Operation::Step { kind, count: 1, context: HERE })
    }

    fn end(mut self) {
        self.engine.shutdown(true);
        while self.reports.blocking_recv().is_some() {}
    }
}

fn median(mut of: impl FnMut() -> Duration) -> Duration {
    let mut all: Vec<Duration> = (0..TIMES).map(|_| of()).collect();
    all.sort();
    all[TIMES / 2]
}

fn on_function(id: u32, name: &str, condition: Option<String>) -> BreakpointRequest {
    let place = LocationSpec::Function(name.to_owned());
    BreakpointRequest { condition, ..BreakpointRequest::at(BreakpointId(id), place) }
}

/// The names of the measurements, in the order in which [`measure`] takes them.
const ROWS: [&str; 9] = [
    "launch to main",
    "set a breakpoint",
    "continue to it",
    "backtrace",
    "print of a struct",
    "locals",
    "step",
    "next",
    "1,000 false arrivals",
];

fn measure(engine: &str, program: &Path, ranks: u32) -> [Duration; ROWS.len()] {
    let (mut bench, launch) = Bench::launched(engine, program, ranks);
    let breakpoint = median(|| {
        let set = bench.ask(Operation::SetBreakpoint(on_function(1, "kernel", None)));
        bench.ask(Operation::DeleteBreakpoint(BreakpointId(1)));
        set
    });
    bench.ask(Operation::SetBreakpoint(on_function(1, "kernel", None)));
    let go = median(|| bench.run(Operation::Go));
    let stack = median(|| bench.ask(Operation::Stack { thread: None, low: 0, high: None, most: None }));
    let value = Operation::Evaluate { context: HERE, expression: "c".to_owned() };
    let print = median(|| bench.ask(value.clone()));
    let locals = median(|| bench.ask(Operation::Locals(HERE)));
    // Into the function, and out of it again: a step of each kind over plain lines and calls.
    let step = median(|| bench.step(StepKind::Into));
    let next = median(|| bench.step(StepKind::Over));
    bench.ask(Operation::DeleteBreakpoint(BreakpointId(1)));
    let begun = Instant::now();
    // `it` counts the calls; everything before took fewer than these.
    let never = format!("it == {FALSE_HITS}");
    bench.ask(Operation::SetBreakpoint(on_function(2, "quick", Some(never))));
    bench.run(Operation::Go);
    let conditions = begun.elapsed();
    bench.end();
    [launch, breakpoint, go, stack, print, locals, step, next, conditions]
}

fn main() {
    let ranks = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(1);
    let directory = std::env::temp_dir().join(format!("rankscope-engines-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let program = directory.join("called");
    let source = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/bench/called.c");
    let status = Command::new("cc").args(["-g", "-O0", "-o"]).arg(&program).arg(source).status();
    assert!(status.is_ok_and(|s| s.success()), "cc cannot build the program of the benchmark");
    let gdb = measure("gdb", &program, ranks);
    let native = measure("native", &program, ranks);
    println!("{ranks} ranks                  --engine gdb      native        ratio");
    for ((row, gdb), native) in ROWS.iter().zip(gdb).zip(native) {
        let (gdb, native) = (gdb.as_secs_f64() * 1e3, native.as_secs_f64() * 1e3);
        println!("{row:<24} {gdb:>9.2} ms {native:>9.2} ms {:>8.1}x", gdb / native);
    }
    let _ = std::fs::remove_dir_all(&directory);
}
