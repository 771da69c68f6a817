//! While a file's debug information is being read, everything that does not need it goes on; operations that do wait,
//! in order.

use crate::driver::{Built, Session, compile, place, request};
use rankscope::debuginfo::BeforePreparing;
use rankscope::model::{Answer, Context, Event, LaunchSpec, Operation, ProcessSet, Rank, StopReason};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex};

const LIBRARY: &str = "int held_value = 42;\nint held(int x)\n{\n    x += held_value;\n    return x;\n}\n";
const PROGRAM: &str = "int held(int);\nint main(void)\n{\n    int x = held(1);\n    return x;\n}\n";
const OTHER: &str = "int count;\nvoid tick(void)\n{\n    count++;\n}\nint main(void)\n{\n    for (int i = 0; i < 9; i++)\n        tick();\n}\n";

fn compiled(name: &str, text: &str, options: &[&str], directory: &std::path::Path) -> std::path::PathBuf {
    let source = directory.join(format!("{name}.c"));
    std::fs::write(&source, text).unwrap();
    let path = directory.join(name);
    compile(&source, &path, options);
    path
}

fn built() -> Built {
    let directory = tempfile::tempdir().unwrap();
    let library = compiled("libheld.so", LIBRARY, &["-g", "-O0", "-shared", "-fPIC"], directory.path());
    let rpath = format!("-Wl,-rpath,{}", directory.path().display());
    let path = compiled("program", PROGRAM, &["-g", "-O0", library.to_str().unwrap(), &rpath], directory.path());
    compiled("other", OTHER, &["-g", "-O0"], directory.path());
    Built { path, directory }
}

/// Blocks the preparation of a file with this name until it is opened.
#[derive(Default)]
struct Gate {
    open: Mutex<bool>,
    opened: Condvar,
}

impl Gate {
    fn before_preparing(self: Arc<Self>, name: &'static str) -> BeforePreparing {
        Arc::new(move |path: &str| {
            let open = self.open.lock().unwrap();
            drop(self.opened.wait_while(open, |open| path.ends_with(name) && !*open).unwrap());
        })
    }

    /// The same, and reports that a thread is blocked.
    fn reached(self: Arc<Self>, name: &'static str, told: Sender<()>) -> BeforePreparing {
        let keep = self.before_preparing(name);
        Arc::new(move |path: &str| {
            if path.ends_with(name) {
                let _ = told.send(());
            }
            keep(path);
        })
    }

    fn open(&self) {
        *self.open.lock().unwrap() = true;
        self.opened.notify_all();
    }
}

fn spec(path: &std::path::Path) -> LaunchSpec {
    LaunchSpec { program: path.display().to_string(), ..LaunchSpec::default() }
}

#[test]
fn other_ranks_and_other_questions_go_on_while_a_library_is_prepared() {
    let built = built();
    let gate = Arc::new(Gate::default());
    let mut session = Session::observed(Arc::clone(&gate).before_preparing("libheld.so"));
    session.start_at(0, spec(&built.path));
    // The program's own file is enough to stop in `main`, for its stack and its variables.
    assert_eq!(place(&session.stop(0)), ("main".to_owned(), 4));
    let stack = session.ask(0, Operation::Stack { thread: None, low: 0, high: None, most: None });
    assert!(matches!(&stack, Answer::Stack(frames) if frames.len() == 1), "{stack:?}");
    assert!(matches!(session.ask(0, Operation::Locals(Context::default())), Answer::Variables(all) if all.len() == 1));

    let zero = ProcessSet::one(Rank(0));
    let evaluate =
        |expression: &str| Operation::Evaluate { context: Context::default(), expression: expression.to_owned() };
    let value = session.submit(&zero, evaluate("held_value"));
    let breakpoint = session.submit(&zero, Operation::SetBreakpoint(request(1, "held")));
    let go = session.submit(&zero, Operation::Go);

    // Another rank is started, queried, stopped and ended meanwhile.
    session.start_at(1, spec(&built.directory.path().join("other")));
    assert_eq!(place(&session.stop(1)).0, "main");
    assert_eq!(session.breakpoint(1, 7, "tick"), 1);
    for i in 0..3 {
        session.go(1);
        let stop = session.stop(1);
        assert_eq!(
            (stop.reason.clone(), place(&stop)),
            (StopReason::Breakpoint(rankscope::model::BreakpointId(7)), ("tick".to_owned(), 4))
        );
        assert!(
            matches!(session.ask(1, evaluate("count")), Answer::Data(datum) if format!("{:?}", datum).contains(&format!("{i}")))
        );
    }
    // Operations that wait for the library still wait, and have not been overtaken.
    for waiting in [value, breakpoint, go] {
        assert!(!session.is_answered(waiting), "{waiting}");
    }
    gate.open();
    assert!(matches!(session.answers(value, &zero).remove(0).1, Answer::Data(_)));
    let placed = session.answers(breakpoint, &zero).remove(0).1;
    assert!(matches!(&placed, Answer::Breakpoint(_, sites) if sites.len() == 1), "{placed:?}");
    assert_eq!(session.answers(go, &zero).remove(0).1, Answer::Ok);
    assert_eq!(place(&session.stop(0)), ("held".to_owned(), 4));
}

#[test]
fn a_step_into_a_library_that_is_not_prepared_arrives_once_it_is() {
    let built = built();
    let gate = Arc::new(Gate::default());
    let mut session = Session::observed(Arc::clone(&gate).before_preparing("libheld.so"));
    session.start_at(0, spec(&built.path));
    session.stop(0);
    let step = Operation::Step { kind: rankscope::model::StepKind::Into, count: 1, context: Context::default() };
    session.ok(0, step);
    session.start_at(1, spec(&built.directory.path().join("other")));
    assert_eq!(place(&session.stop(1)).0, "main");
    assert!(!session.all(0).iter().rev().take(1).any(|event| matches!(event, Event::Stopped(_))));
    gate.open();
    assert_eq!(place(&session.stop(0)), ("held".to_owned(), 4));
}

#[test]
fn a_rank_that_waits_for_a_library_can_be_killed() {
    let built = built();
    let gate = Arc::new(Gate::default());
    let mut session = Session::observed(Arc::clone(&gate).before_preparing("libheld.so"));
    session.start_at(0, spec(&built.path));
    session.stop(0);
    let zero = ProcessSet::one(Rank(0));
    let breakpoint = session.submit(&zero, Operation::SetBreakpoint(request(1, "held")));
    session.ok(0, Operation::Terminate);
    session.end(0);
    gate.open();
    assert!(matches!(session.answers(breakpoint, &zero).remove(0).1, Answer::Breakpoint(..) | Answer::Failed(_)));
}

#[test]
fn breakpoints_that_come_while_the_program_is_read_are_placed_before_it_stops_first() {
    let built = built();
    // Static, so that nothing else is searched on the way to `main`.
    compiled("alone", OTHER, &["-g", "-O0", "-static"], built.directory.path());
    let gate = Arc::new(Gate::default());
    let (told, reached) = channel();
    let mut session = Session::observed(Arc::clone(&gate).reached("alone", told));
    session.start_at(0, spec(&built.directory.path().join("alone")));
    reached.recv().unwrap();
    // When another rank gets that far, this one's search has begun long ago: without the later settings.
    session.start_at(1, spec(&built.directory.path().join("other")));
    session.stop(1);
    let count = 2000;
    for id in 1..=count {
        assert_eq!(session.breakpoint(0, id, "tick"), 0, "nobody knows yet where it is");
    }
    gate.open();
    session.stop(0);
    let placed =
        session.all(0).iter().filter(|event| matches!(event, Event::BreakpointMoved(_, sites) if sites.len() == 1));
    assert_eq!(placed.count(), count as usize);
    session.go(0);
    assert_eq!(place(&session.stop(0)).0, "tick");
}
