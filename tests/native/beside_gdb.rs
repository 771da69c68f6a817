//! The same expressions evaluated by gdb and by the engine, at the same place of the same program.

use crate::driver::Session;
use crate::judge::{Judge, Ran};
use crate::printers::{add_printers, is_rust};
use rankscope::model::aif::{FormatOptions, as_gdb_spells, format};
use rankscope::model::{Answer, Context, Operation, Rank};
use std::collections::BTreeSet;
use std::path::Path;

/// A program stopped twice at a place: under gdb, and under the engine.
pub struct Beside {
    judge: Judge,
    pub session: Session,
    frame: u32,
    differences: Vec<String>,
    compared: usize,
    is_judged: bool,
}

/// A comparison that nobody judges would show nothing.
impl Drop for Beside {
    fn drop(&mut self) {
        assert!(self.is_judged || self.compared == 0 || std::thread::panicking(), "not judged");
    }
}

fn without_number(text: &str) -> &str {
    match text.split_once(" = ") {
        Some((number, value)) if number.starts_with('$') && number[1..].chars().all(|c| c.is_ascii_digit()) => value,
        _ => text,
    }
}

/// The environment of a process: the start of its stack depends on its length.
fn environment_of(pid: i32) -> BTreeSet<String> {
    let variables = std::fs::read(format!("/proc/{pid}/environ")).unwrap();
    let variables = String::from_utf8_lossy(&variables).into_owned();
    variables.split_terminator('\0').map(str::to_owned).collect()
}

/// Makes gdb start its program with this environment, which is that of this process except for a few variables.
fn give(judge: &mut Judge, environment: &BTreeSet<String>) {
    // Variables set by gdb itself, and its language.
    const ITS_OWN: [&str; 3] = ["LINES", "COLUMNS", "LC_ALL"];
    for name in ITS_OWN {
        judge.command(&format!("unset environment {name}")).unwrap();
    }
    for variable in environment {
        let (name, value) = variable.split_once('=').unwrap_or((variable, ""));
        if std::env::var_os(name).is_none_or(|own| own != value) || ITS_OWN.contains(&name) {
            judge.command(&format!("set environment {name} = {value}")).unwrap();
        }
    }
}

impl Beside {
    /// Runs to the breakpoint.
    pub fn at(program: &Path, location: &str) -> Self {
        Self::of(program, program, location)
    }

    /// As [`Beside::at`], where gdb is shown another build of the same program.
    pub fn of(theirs: &Path, program: &Path, location: &str) -> Self {
        let mut session = Session::launch(program, 1);
        session.stop(0);
        let environment = environment_of(session.pids[&Rank(0)]);
        let mut judge = Judge::new(theirs, &[]);
        if is_rust(theirs) {
            add_printers(&mut judge);
        }
        give(&mut judge, &environment);
        judge.command("set unwindonsignal on").unwrap();
        assert_eq!(judge.ask(&format!("-break-insert {location}")).class, "done", "{location}");
        assert!(matches!(judge.run("-exec-run"), Ran::Stopped));
        assert_eq!(environment_of(judge.pid()), environment);
        session.breakpoint(0, 1, location);
        session.go(0);
        session.stop(0);
        Self { judge, session, frame: 0, differences: Vec::new(), compared: 0, is_judged: false }
    }

    /// Selects another frame for the following questions.
    pub fn select_frame(&mut self, level: u32) {
        self.judge.command(&format!("frame {level}")).unwrap();
        self.frame = level;
    }

    fn differ(&mut self, question: &str, ours: &str, theirs: &str) {
        self.compared += 1;
        if ours != theirs {
            self.differences.push(format!("{question}\n  ours {ours}\n  gdb  {theirs}"));
        }
    }

    /// Our output of `print` and, with `/r ` before the expression, of `print /r`.
    pub fn ours(&mut self, expression: &str) -> String {
        let context = Context { thread: None, frame: self.frame };
        let (raw, expression) =
            expression.strip_prefix("/r ").map_or((false, expression), |expression| (true, expression));
        match self.session.ask(
            0,
            Operation::Print {
                context,
                expression: expression.to_owned(),
                raw,
                limits: None,
                unrecorded: false,
                most: None,
                picture: None,
            },
        ) {
            Answer::Data(datum) => {
                format(&datum, &FormatOptions::default()).unwrap_or_else(|error| format!("<<{error}>>"))
            }
            Answer::Failed(failure) => failure.message,
            other => panic!("{other:?}"),
        }
    }

    /// gdb's output, errors included.
    pub fn theirs(&mut self, command: &str) -> String {
        self.judge.command(command).unwrap_or_else(|message| message)
    }

    /// Compares the output of `print`, errors included.
    pub fn print(&mut self, expressions: &[&str]) {
        for expression in expressions {
            let theirs = self.theirs(&format!("print {expression}"));
            let ours = self.ours(expression);
            self.differ(expression, &ours, without_number(&theirs));
        }
    }

    fn types(&mut self, command: &str, expressions: &[&str], expand: bool) {
        for expression in expressions {
            let theirs = self.theirs(&format!("{command} {expression}"));
            let theirs = as_gdb_spells(theirs.strip_prefix("type = ").unwrap_or(&theirs));
            let context = Context { thread: None, frame: self.frame };
            let detail = if expand { model::TypeDetail::Members } else { model::TypeDetail::Name };
            let operation = Operation::TypeOf { context, expression: (*expression).to_owned(), detail };
            let ours = match self.session.ask(0, operation) {
                Answer::Type(text) => as_gdb_spells(&text),
                Answer::Failed(failure) => failure.message,
                other => panic!("{other:?}"),
            };
            self.differ(&format!("{command} {expression}"), &ours, &theirs);
        }
    }

    /// Compares the output of `ptype`.
    pub fn ptype(&mut self, expressions: &[&str]) {
        self.types("ptype", expressions, true);
    }

    /// Compares functions and lines of the stack.
    pub fn stack(&mut self) {
        let theirs = self.theirs("backtrace");
        let theirs: Vec<String> = theirs
            .lines()
            .filter_map(|line| {
                let line = line.strip_prefix('#')?.split_once(char::is_whitespace)?.1.trim_start();
                let line = line.rsplit_once(" in ").map_or(line, |(_, rest)| rest);
                let (function, place) = (line.split_once(" (")?.0, line.rsplit_once(" at ")?.1);
                Some(format!("{function} {}", place.rsplit('/').next()?))
            })
            .collect();
        let Answer::Stack(frames) =
            self.session.ask(0, Operation::Stack { thread: None, low: 0, high: None, most: None })
        else {
            panic!("no stack");
        };
        let ours: Vec<String> = frames
            .iter()
            .map(|frame| {
                let place = frame.source.as_ref().map(|place| (place.file.rsplit('/').next().unwrap(), place.line));
                let (file, line) = place.unwrap_or_default();
                format!("{} {file}:{line}", frame.function.as_deref().unwrap_or("??"))
            })
            .collect();
        assert!(!theirs.is_empty());
        self.differ("backtrace", &ours.join("\n"), &theirs.join("\n"));
    }

    /// Compares the output of `whatis`.
    pub fn whatis(&mut self, expressions: &[&str]) {
        self.types("whatis", expressions, false);
    }

    /// Continues to the next breakpoint.
    pub fn go_on(&mut self) {
        assert!(matches!(self.judge.run("-exec-continue"), Ran::Stopped));
        self.session.go(0);
        self.session.stop(0);
    }

    /// Continues the program to its end.
    pub fn end(&mut self) {
        assert!(matches!(self.judge.run("-exec-continue"), Ran::Ended));
        self.session.go(0);
        self.session.end(0);
        self.frame = 0;
    }

    /// Fails if there was a difference.
    pub fn judge(mut self) {
        assert!(self.compared > 0);
        self.is_judged = true;
        let (differences, compared) = (&self.differences, self.compared);
        assert!(differences.is_empty(), "{} of {compared} differ:\n{}", differences.len(), differences.join("\n"));
    }
}
