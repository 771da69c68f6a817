//! The bodies of the fuzz targets, on stored inputs and on reproducible random changes of them: no panic, and no
//! unlimited memory.

use crate::bodies;
use crate::built::build;
use crate::numbers::Numbers;
use bytes::BytesMut;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use rankscope::debuginfo::{LoadedImage, LoadedImages, SymbolStore};
use rankscope::model::{
    Answer, BreakpointId, BreakpointRequest, Context, Datum, LoadBias, LocationSpec, Operation, ProcessSet, ThreadId,
    ThreadsAnswer, TransactionId, VirtualAddress,
};
use rankscope::protocol::{Message, Packet, Reply, Request, TreeDown, WaitPolicy};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Once;

/// Address space of this whole test: far more than it needs, far less than an input may claim.
const MOST_MEMORY: u64 = 16 << 30;

fn limit_memory() {
    static LIMITED: Once = Once::new();
    LIMITED.call_once(|| {
        let (_, hard) = getrlimit(Resource::RLIMIT_AS).unwrap();
        setrlimit(Resource::RLIMIT_AS, MOST_MEMORY.min(hard), hard).unwrap();
    });
}

/// Bytes with a meaning in one of the parsers.
const MARKS: &[u8] = b"(){}[]*&:,'\"\\0x9%$@<>=.-+\xff\x80\0\n";

impl Numbers {
    /// Makes a few changes: bytes, pieces of other inputs, lengths.
    fn change(&mut self, input: &[u8], others: &[Vec<u8>]) -> Vec<u8> {
        let mut changed = input.to_vec();
        for _ in 0..=self.below(4) {
            let place = self.below(changed.len() + 1);
            match self.below(6) {
                0 => changed.truncate(place),
                1 => changed.insert(place, MARKS[self.below(MARKS.len())]),
                2 if !others.is_empty() => {
                    let other = &others[self.below(others.len())];
                    let from = self.below(other.len());
                    let piece = other[from..(from + 24).min(other.len())].to_vec();
                    changed.splice(place..place, piece);
                }
                3 if place < changed.len() => changed[place] = [0, 1, 0x7f, 0x80, 0xfe, 0xff][self.below(6)],
                4 => {
                    let end = (place + self.below(16)).min(changed.len());
                    let piece = changed[place..end].to_vec();
                    for _ in 0..=self.below(60) {
                        changed.splice(place..place, piece.iter().copied());
                    }
                }
                _ if place < changed.len() => changed[place] ^= 1 << self.below(8),
                _ => {}
            }
        }
        changed
    }
}

/// The stored inputs of a target, one per line or file.
fn stored(target: &str) -> Vec<Vec<u8>> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/inputs").join(target);
    let mut files: Vec<_> = std::fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{}", directory.display());
    files.into_iter().map(|path| std::fs::read(path).unwrap()).collect()
}

fn run(inputs: &[Vec<u8>], rounds: usize, seed: u64, body: impl Fn(&[u8])) {
    limit_memory();
    let body = |input: &[u8]| {
        let outcome = catch_unwind(AssertUnwindSafe(|| body(input)));
        let shown = input.get(..2000).unwrap_or(input).escape_ascii();
        outcome.unwrap_or_else(|_| panic!("with {} bytes: {shown}", input.len()));
    };
    inputs.iter().for_each(|input| body(input));
    // A larger factor fuzzes longer.
    let times = std::env::var("RANKSCOPE_FUZZ").ok().and_then(|times| times.parse().ok()).unwrap_or(1);
    let mut numbers = Numbers(seed);
    for _ in 0..rounds * times {
        for input in inputs {
            body(&numbers.change(input, inputs));
        }
    }
}

fn lines(inputs: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    inputs.iter().flat_map(|input| input.split(|byte| *byte == b'\n')).map(<[u8]>::to_vec).collect()
}

#[test]
fn expressions() {
    let program = build("values.c", &["-g", "-O0"]);
    let image = SymbolStore::new().open(&program.path).unwrap();
    let images = LoadedImages::new(vec![LoadedImage::new(image, LoadBias(0), "program".into(), None)]);
    run(&lines(stored("expression")), 150, 0x9e37_79b9_7f4a_7c15, |input| {
        bodies::expression(input);
        bodies::expression_in(input, &images);
    });
}

#[test]
fn values_and_their_types() {
    run(&stored("aif"), 400, 0x2545_f491_4f6c_dd1d, bodies::aif);
}

/// Our own messages in wire format.
fn messages() -> Vec<Vec<u8>> {
    let (tid, ranks) = (TransactionId(7), ProcessSet::all(5));
    let expression = "cells[2].next->value + 1".to_owned();
    let operations = [
        Operation::Go,
        Operation::Evaluate { context: Context::default(), expression },
        Operation::SetBreakpoint(BreakpointRequest::at(BreakpointId(3), LocationSpec::Function("main".to_owned()))),
        Operation::Stack { thread: None, low: 0, high: Some(9), most: None },
        Operation::EachThread {
            threads: vec![ThreadId(1), ThreadId(9)],
            operation: Box::new(Operation::StackDepth(None)),
        },
    ];
    let datum = Datum { descriptor: "is4".to_owned(), data: vec![0, 0, 0, 9], type_name: "int".to_owned() };
    let said = ThreadsAnswer { threads: vec![ThreadId(1), ThreadId(9)], answer: Answer::Depth(3) };
    let answers = [
        Answer::EachThread(vec![said]),
        Answer::Ok,
        Answer::Data(datum),
        Answer::Memory(VirtualAddress(4096), vec![1; 40]),
    ];
    let mut packets = Vec::new();
    for operation in operations {
        let request = Request::Ranks { tid, ranks: ranks.clone(), wait: WaitPolicy::All, operation };
        packets.push(request.to_packet());
        packets.push(TreeDown::Request(request).to_packet());
    }
    for answer in answers {
        let reply = Reply::Answer { tid, ranks: ranks.clone(), missing: ProcessSet::new(), late: false, answer };
        packets.push(reply.to_packet());
    }
    let written = |packet: Packet| {
        let mut bytes = BytesMut::new();
        packet.write(&mut bytes).unwrap();
        bytes.to_vec()
    };
    packets.into_iter().map(written).collect()
}

#[test]
fn packets_and_requests() {
    let inputs = [stored("wire"), messages()].concat();
    run(&inputs, 300, 0x1234_5678_9abc_def1, bodies::wire);
}

#[test]
fn programs() {
    let bytes = |file: &str, options: &[&str]| std::fs::read(build(file, options).path).unwrap();
    let inputs = [
        bytes("walk.c", &["-g", "-O2"]),
        bytes("walk.c", &["-g", "-O0", "-gdwarf-4", "-fdebug-types-section", "-gz=zlib"]),
        bytes("values.c", &["-g", "-O1", "-no-pie"]),
    ];
    run(&inputs, 25, 0x0fed_cba9_8765_4321, bodies::elf);
}
