//! Takes a program through many stops.

use crate::compare::Stop;
use crate::judge::{Judge, Ran};
use crate::mi::Value;
use crate::tally::Tally;
use crate::witness::{Witness, images};
use rankscope::engine::native::symbols::SymbolStore;
use std::path::PathBuf;

/// A program and how far to go with it.
#[derive(Clone, Debug)]
pub struct Subject {
    /// What it is called in reports.
    pub name: String,
    pub program: PathBuf,
    pub arguments: Vec<String>,
    /// Sources whose functions are stopped in, by the end of their names; all when empty.
    pub sources: Vec<String>,
    /// Stops at most.
    pub stops: usize,
}

/// Variables outside functions that are asked about at a stop.
const GLOBALS: usize = 6;
/// Breakpoints that are set at most.
const BREAKPOINTS: usize = 400;

/// Compares at every stop.
pub fn walk(subject: &Subject) -> Tally {
    let mut tally = Tally::default();
    let mut judge = Judge::new(&subject.program, &subject.arguments);
    // Before the program runs gdb knows nothing of libraries, whose sources nobody has.
    breakpoints(&mut judge, subject);
    let globals = globals(&mut judge, subject);
    judge.ask("-break-insert -t main");
    assert!(matches!(judge.run("-exec-run"), Ran::Stopped), "{}: it does not stop at main", subject.name);
    let pid = judge.pid();
    let images = images(&SymbolStore::new(), &subject.program, pid);
    let mut number = 0;
    while number < subject.stops {
        let said = judge.ask("-stack-info-frame").record;
        let frame = said.get("frame").cloned().unwrap_or(Value::List(Vec::new()));
        if !frame.text("from").is_empty() || frame.text("func").starts_with("__libc") {
            // Behind main.
            break;
        }
        let place = format!("{} {}:{}", subject.name, frame.text("func"), frame.text("line"));
        let mut witness = Witness::new(&mut judge, &images, pid);
        witness.agree_on_inlined(0);
        let mut stop = Stop { judge: &mut judge, witness, tally: &mut tally, place };
        stop.compare();
        let some = globals.iter().skip(number * GLOBALS).take(GLOBALS).cloned().collect::<Vec<_>>();
        stop.globals(&some);
        number += 1;
        // Some way into the function, so that not all stops are at beginnings.
        let command = if number % 4 == 0 { "-exec-continue" } else { "-exec-next" };
        let times = if command == "-exec-next" { number % 3 + 1 } else { 1 };
        for _ in 0..times {
            if matches!(judge.run(command), Ran::Ended) {
                return tally;
            }
        }
    }
    tally
}

fn wanted(subject: &Subject, file: &str) -> bool {
    subject.sources.is_empty() || subject.sources.iter().any(|end| file.ends_with(end.as_str()))
}

/// Temporary breakpoints, spread over the functions of the program.
fn breakpoints(judge: &mut Judge, subject: &Subject) {
    let said = judge.ask("-symbol-info-functions").record;
    let mut places = Vec::new();
    for file in said.get("symbols").map(|symbols| symbols.list("debug")).unwrap_or_default() {
        if wanted(subject, file.text("filename")) {
            let lines = file.list("symbols").iter().map(|symbol| symbol.text("line"));
            places
                .extend(lines.filter(|line| !line.is_empty()).map(|line| format!("{}:{line}", file.text("fullname"))));
        }
    }
    let step = places.len().div_ceil(BREAKPOINTS).max(1);
    for place in places.iter().step_by(step) {
        judge.ask(&format!("-break-insert -t \"{place}\""));
    }
}

fn globals(judge: &mut Judge, subject: &Subject) -> Vec<String> {
    let said = judge.ask("-symbol-info-variables").record;
    let mut names = Vec::new();
    for file in said.get("symbols").map(|symbols| symbols.list("debug")).unwrap_or_default() {
        if wanted(subject, file.text("filename")) {
            names.extend(file.list("symbols").iter().map(|symbol| symbol.text("name").to_owned()));
        }
    }
    names.sort();
    names.dedup();
    names
}
