//! Takes a program through many stops.

use crate::judge::{Judge, Ran};
use crate::mi::Value;
use crate::stage::{Engine, Move, Stage};
use crate::tally::Tally;
use std::collections::HashSet;
use std::path::PathBuf;

/// A program and the limits of the walk.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The name in reports.
    pub name: String,
    pub program: PathBuf,
    pub arguments: Vec<String>,
    /// Suffixes of the sources whose functions get breakpoints; all sources if empty.
    pub sources: Vec<String>,
    /// The way in which places in them are found.
    pub found: Found,
    /// Most stops.
    pub stops: usize,
    /// Most runs to reach that many stops; from the second run on, calls are stepped into.
    pub runs: usize,
    /// The directory of gdb's printers for the program's libstdc++, if not those that gdb finds.
    pub printers: Option<PathBuf>,
}

/// The way in which places to stop at are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// From gdb's list of functions.
    ByFunction,
    /// From gdb's lists of lines with code: listing the functions of some Fortran programs crashes gdb 13.
    ByLine,
}

/// Number of global variables compared at a stop.
const GLOBALS: usize = 6;
/// Most breakpoints set.
const BREAKPOINTS: usize = 200;

/// Suffix of a place that is the first instruction of a function.
pub const AT_ENTRY: &str = " (entry)";

/// Compares at every stop of the walk.
pub fn walk(subject: &Subject, engine: Engine) -> Tally {
    let mut tally = Tally::of(engine);
    // Before the program runs, gdb does not know its libraries, whose sources are not installed.
    let mut reader = Judge::new(&subject.program, &[]);
    let (places, globals) = (places(&mut reader, subject), globals(&mut reader, subject));
    drop(reader);
    for run in 0..subject.runs {
        if tally.stops < subject.stops {
            go_through(subject, engine, run, &places, &globals, &mut tally);
        }
    }
    tally
}

/// One run from `main` to the end of the program or to the last stop needed.
fn go_through(subject: &Subject, engine: Engine, run: usize, places: &[String], globals: &[String], tally: &mut Tally) {
    let mut stage = Stage::begin(subject, engine, places);
    let mut number = run;
    while tally.stops < subject.stops {
        let said = stage.judge.ask("-stack-info-frame").record;
        let frame = said.get("frame").cloned().unwrap_or(Value::List(Vec::new()));
        if !frame.text("from").is_empty() || frame.text("func").starts_with("__libc") {
            // The program has left main.
            return;
        }
        let counter = stage.judge.ask("-data-evaluate-expression $pc").record;
        let entry = if counter.text("value").contains('+') { "" } else { AT_ENTRY };
        let place = format!("{} {}:{}{entry}", subject.name, frame.text("func"), frame.text("line"));
        let some = globals.iter().skip(number * GLOBALS).take(GLOBALS).cloned().collect::<Vec<_>>();
        stage.compare(tally, place, &some);
        number += 1;
        // Goes some way into the function, so that not all stops are at function entries.
        let how = match number % 4 {
            0 => Move::Continue,
            _ if run > 0 => Move::Step,
            _ => Move::Next,
        };
        let times = if how == Move::Continue { 1 } else { number % 3 + 1 };
        for _ in 0..times {
            if matches!(stage.go_on(how), Ran::Ended) {
                return;
            }
        }
    }
}

fn wanted(subject: &Subject, file: &str) -> bool {
    subject.sources.is_empty() || subject.sources.iter().any(|end| file.ends_with(end.as_str()))
}

/// The places to stop at, spread over the functions or lines of the program.
fn places(judge: &mut Judge, subject: &Subject) -> Vec<String> {
    let mut places = match subject.found {
        Found::ByFunction => functions(judge, subject),
        Found::ByLine => subject.sources.iter().flat_map(|file| lines(judge, file)).collect(),
    };
    let mut known = HashSet::new();
    places.retain(|place| known.insert(place.clone()));
    let step = places.len().div_ceil(BREAKPOINTS).max(1);
    places.into_iter().step_by(step).collect()
}

fn functions(judge: &mut Judge, subject: &Subject) -> Vec<String> {
    let said = judge.ask("-symbol-info-functions").record;
    let mut places = Vec::new();
    for file in said.get("symbols").map(|symbols| symbols.list("debug")).unwrap_or_default() {
        if wanted(subject, file.text("filename")) {
            let lines = file.list("symbols").iter().map(|symbol| symbol.text("line"));
            places
                .extend(lines.filter(|line| !line.is_empty()).map(|line| format!("{}:{line}", file.text("fullname"))));
        }
    }
    places
}

fn lines(judge: &mut Judge, file: &str) -> Vec<String> {
    let said = judge.ask(&format!("-symbol-list-lines {file}")).record;
    // Line 0 means no source line.
    let lines = said.list("lines").iter().map(|line| line.text("line")).filter(|line| *line != "0");
    lines.map(|line| format!("{file}:{line}")).collect()
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
