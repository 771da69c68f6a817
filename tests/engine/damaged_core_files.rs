//! Damaged core files end nothing: each is refused in words, or answers with what can be read.

use crate::support::batch::json;
use crate::support::build::plain;
use rankscope::engine::core::CoreEngine;
use rankscope::engine::{Acquisition, Engine, Query, Report};
use rankscope::model::{Answer, Context, Event, LaunchSpec, Operation, ProcessSet, Rank, ThreadId, TransactionId};
use std::fs;
use std::path::{Path, PathBuf};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// Numbers that look random and are the same each time (xorshift).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below as u64) as usize
    }
}

/// Values that headers and notes contradict themselves with.
const ODD: [u64; 8] = [0, 1, 0xff, 0xffff, 0x7fff_ffff, 0xffff_ffff, i64::MAX as u64, u64::MAX];

fn damaged(core: &[u8], head: usize, numbers: &mut Numbers) -> Vec<u8> {
    let mut bytes = core.to_vec();
    // Mostly the first header, the headers and the notes; sometimes the memory.
    let parts = [64, head, head, core.len()];
    if numbers.next(4) == 0 {
        let part = parts[numbers.next(4)];
        bytes.truncate(numbers.next(part));
    }
    for _ in 0..=numbers.next(6) {
        let part = parts[numbers.next(4)];
        let at = numbers.next(part);
        let odd = ODD[numbers.next(ODD.len())].to_le_bytes();
        let length = [1, 2, 4, 8][numbers.next(4)];
        if let Some(place) = bytes.get_mut(at / length * length..at / length * length + length) {
            place.copy_from_slice(&odd[..length]);
        }
    }
    bytes
}

fn questions() -> Vec<Operation> {
    let context = Context::default();
    let stack = Operation::Stack { thread: None, low: 0, high: Some(50), most: None };
    vec![
        Operation::Threads,
        stack.clone(),
        Operation::EachThread { threads: vec![ThreadId(1), ThreadId(2), ThreadId(u32::MAX)], operation: stack.into() },
        Operation::Locals(context),
        Operation::Registers(context, Vec::new()),
        Operation::Registers(context, vec!["ymm1".to_owned(), "st0".to_owned(), "mxcsr".to_owned()]),
        Operation::Evaluate { context, expression: "$_siginfo".to_owned() },
        Operation::ReadMemory { context, address: "$sp".to_owned(), offset: -64, length: 4096, examined: None },
        Operation::Observe(context),
        Operation::MessageQueues,
        Operation::Libraries,
    ]
}

/// Opens a core file and asks everything; returns true if it was opened.
fn asked(program: &Path, core: &Path) -> bool {
    let (sink, mut reports) = unbounded_channel();
    let engine = CoreEngine::start(Vec::new(), sink).unwrap();
    let cores = vec![(Rank(0), PathBuf::from(core))];
    let spec = LaunchSpec { program: program.display().to_string(), ..LaunchSpec::default() };
    engine.acquire(Acquisition::OpenCores { cores, spec });
    let ranks = ProcessSet::one(Rank(0));
    for (tid, operation) in (1..).map(TransactionId).zip(questions()) {
        engine.submit(Query { tid, ranks: ranks.clone(), operation });
    }
    engine.shutdown(true);
    let (opened, answers) = outcome(&mut reports);
    assert_eq!(answers, questions().len(), "the engine ended before its last answer");
    opened
}

/// Collects all reports until the engine has ended.
fn outcome(reports: &mut UnboundedReceiver<Report>) -> (bool, usize) {
    let (mut opened, mut answers) = (false, 0);
    while let Some(report) = reports.blocking_recv() {
        match report {
            Report::Event { event: Event::Failed(why), .. } => assert!(why.contains("core"), "{why}"),
            Report::Event { event: Event::Acquired { .. }, .. } => opened = true,
            Report::Event { .. } => {}
            Report::Answer { answer: Answer::Failed(failure), .. } => {
                answers += 1;
                assert!(!failure.message.is_empty());
            }
            Report::Answer { .. } => answers += 1,
        }
    }
    (opened, answers)
}

#[test]
fn damaged_core_files_are_refused_or_shown_as_far_as_they_go() {
    let program = plain("relay.c");
    let directory = tempfile::tempdir().unwrap();
    let lines = format!("break work\ngo\nwait\ngcore {}\n", directory.path().display());
    json(&["-n", "1"], &[program.to_str().unwrap()], &lines).expect(0);
    let whole = directory.path().join("core.0");
    let core = fs::read(&whole).unwrap();
    assert!(asked(&program, &whole));
    // The notes come first, behind the headers.
    let number = |at: usize| u64::from_le_bytes(core[at..at + 8].try_into().unwrap()) as usize;
    let head = number(64 + 8) + number(64 + 32);
    let times: usize = std::env::var("RANKSCOPE_FUZZ").ok().and_then(|times| times.parse().ok()).unwrap_or(1);
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let (mut opened, mut refused) = (0, 0);
    for _ in 0..150 * times {
        let path = directory.path().join("damaged");
        fs::write(&path, damaged(&core, head, &mut numbers)).unwrap();
        *if asked(&program, &path) { &mut opened } else { &mut refused } += 1;
    }
    assert!(opened > 10 && refused > 10, "opened {opened}, refused {refused}");
}
