//! Moving stopped ranks from one engine to another.

use crate::{
    session::{CONTRACT, Kind, Session, all, at_mark, breakpoint, integer_of, line, line_of, native, on_function},
    support::process::{is_alive, parent_of},
    support::wait::wait_for,
};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rankscope::engine::gdb::{GdbEngine, GdbOptions};
use rankscope::engine::{Engine, Engines, fake::FakeEngine};
use rankscope::model::{
    Answer, BreakpointId, BreakpointRequest, Catch, Caught, CaughtSignals, Context, EngineName, ErrorCode, Event,
    LocationSpec, Operation, Point, ProcessSet, Rank, RegisterValue, SignalName, StepKind, Stop, StopReason, Stream,
    ThreadId, Watch, WatchAccess, Watched,
};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A session with all engines, one of which is the server's own.
pub fn with(own: EngineName, gdb: GdbOptions) -> Session {
    Session::over(move |sink| {
        let make = move |name, sink| -> Result<Arc<dyn Engine>, _> {
            Ok(match name {
                EngineName::Native => Arc::new(native(sink)?),
                EngineName::Gdb => Arc::new(GdbEngine::start(gdb.clone(), sink)?),
                EngineName::Fake => Arc::new(FakeEngine::start(sink)?),
                EngineName::Core => unreachable!("no process is handed to it"),
            })
        };
        Box::new(Engines::start(own, make, sink).unwrap())
    })
}

/// A program started under one of them.
pub fn begun(own: EngineName, gdb: GdbOptions, file: &str, arguments: &[&str], ranks: u32) -> Session {
    let mut session = with(own, gdb);
    session.launch(Kind::Native.spec(file, arguments), ranks);
    session.stops(&all(ranks));
    session
}

fn launched(own: EngineName, arguments: &[&str], ranks: u32) -> Session {
    begun(own, GdbOptions::default(), CONTRACT, arguments, ranks)
}

#[track_caller]
pub fn hand(session: &mut Session, rank: u32, to: EngineName) {
    assert_eq!(session.ask(rank, Operation::UseEngine(to)), Answer::UnderEngine(to));
    assert_eq!(session.ask(rank, Operation::WhichEngine), Answer::UnderEngine(to));
}

pub fn other(name: EngineName) -> EngineName {
    if name == EngineName::Gdb { EngineName::Native } else { EngineName::Gdb }
}

/// The bytes of a register's value before those of its symbol: a tag and 64 bits.
const NUMBER: usize = 9;

/// The general registers of every thread, regardless of thread numbers; without the result register, which a thread
/// stopped on its way out of clone(2) has not received yet, and without the symbols of addresses: where several name
/// one function of the C library (`mmap64`, `__GI___mmap64`), the engines may choose different ones.
#[track_caller]
fn registers(session: &mut Session) -> BTreeSet<Vec<(String, Vec<u8>)>> {
    let names = ["rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "rsp", "r8", "r15", "rip", "eflags", "fs_base"];
    let Answer::Threads(threads) = session.ask(0, Operation::Threads) else { panic!() };
    let mut of = |thread: ThreadId| {
        let names = names.map(str::to_owned).to_vec();
        let operation = Operation::Registers(Context { thread: Some(thread), frame: 0 }, names);
        let Answer::Registers(values) = session.ask(0, operation) else { panic!() };
        let number = |mut data: Vec<u8>| {
            data.truncate(NUMBER);
            data
        };
        values.into_iter().map(|RegisterValue { name, value }| (name, number(value.data))).collect::<Vec<_>>()
    };
    threads.iter().map(|thread| of(thread.id)).collect()
}

#[track_caller]
fn integer_at(session: &mut Session, expression: &str) -> i64 {
    let Answer::Data(datum) = session.evaluate_at(0, 0, expression) else { panic!("{expression}") };
    integer_of(&datum)
}

/// Nine threads move to and fro, at each of eight stops and once before: each arrival is reported once, all threads
/// stay where they are, and the program reaches its own end.
fn to_and_fro(own: EngineName) {
    let mut session = begun(own, GdbOptions::default(), "threads_many.c", &[], 1);
    let (mut under, mut turn) = (own, 0);
    let mut hand_on = |session: &mut Session| {
        under = other(under);
        let before = registers(session);
        let current = |session: &mut Session| ["(long) $rip", "(long) $rsp"].map(|value| integer_at(session, value));
        let at = current(session);
        hand(session, 0, under);
        assert_eq!(current(session), at, "under {under}");
        let after = registers(session);
        let frames = |all: &BTreeSet<Vec<(String, Vec<u8>)>>| -> BTreeSet<Vec<Vec<u8>>> {
            let of = |thread: &Vec<(String, Vec<u8>)>, name| thread.iter().find(|(n, _)| n == name).unwrap().1.clone();
            all.iter().map(|thread| ["rsp", "rbp", "fs_base"].map(|name| of(thread, name)).to_vec()).collect()
        };
        assert_eq!(frames(&after), frames(&before), "under {under}");
        let moved: Vec<_> = before.symmetric_difference(&after).collect();
        // Threads that had arrived at the breakpoint, were reported or rejected by its condition, and were overtaken
        // when they were to continue, may have executed the one instruction there.
        let places = |ones: BTreeSet<Vec<(String, Vec<u8>)>>| -> BTreeSet<i64> {
            let of = |place: Vec<u8>| i64::from_be_bytes(place[1..9].try_into().unwrap());
            ones.into_iter().flatten().filter(|(name, _)| name == "rip").map(|(_, place)| of(place)).collect()
        };
        let left = places(before.difference(&after).cloned().collect());
        let reached = places(after.difference(&before).cloned().collect());
        let site = if turn == 0 { None } else { Some(at[0]) };
        assert!(left.iter().all(|place| Some(*place) == site), "under {under}, turn {turn}: {moved:x?} at {at:x?}");
        assert_eq!(reached.len(), left.len(), "under {under}, turn {turn}: {moved:x?}");
        turn += 1;
    };
    session.break_at(BreakpointRequest { condition: Some("i == 3".to_owned()), ..on_function(1, "arrive") });
    hand_on(&mut session);
    let mut arrived = BTreeSet::new();
    for turn in 0..8 {
        let stop = session.go(0);
        assert_eq!(stop.reason, StopReason::Breakpoint(BreakpointId(1)), "turn {turn}");
        assert_eq!(integer_at(&mut session, "i"), 3);
        assert!(arrived.insert(integer_at(&mut session, "(long) &own")), "turn {turn}: a thread arrived twice");
        hand_on(&mut session);
        assert_eq!(integer_at(&mut session, "i"), 3, "the current thread is another one");
    }
    session.ok(&all(1), Operation::DeleteBreakpoint(BreakpointId(1)));
    hand_on(&mut session);
    assert_eq!(session.go_to_end(0), Event::Exited(0));
    assert_eq!(session.output(0, Stream::Stdout), "20000\n");
}

#[test]
fn threads_and_arrivals_survive_ten_times_from_native() {
    to_and_fro(EngineName::Native);
}

#[test]
fn threads_and_arrivals_survive_ten_times_from_gdb() {
    to_and_fro(EngineName::Gdb);
}

fn what_is_set_comes_along(own: EngineName) {
    let mut session = launched(own, &["signal"], 1);
    let signal = |name: &str| SignalName::parse(name).unwrap();
    let caught =
        BreakpointRequest::at(BreakpointId(4), Point::Catch(Catch::Signal(CaughtSignals::These(vec![signal("USR2")]))));
    let handle = |name: &str, stop| Operation::HandleSignal { name: signal(name), stop, print: None, pass: None };
    assert!(matches!(session.ask(0, handle("USR1", Some(true))), Answer::Signals(_)));
    assert!(matches!(session.ask(0, handle("ALRM", Some(true))), Answer::Signals(_)));
    session.break_at(BreakpointRequest { enabled: false, ..at_mark(1, "handler") });
    session.break_at(BreakpointRequest { temporary: true, ..at_mark(2, "after signal") });
    let watch = Watch { expression: "counter".into(), access: WatchAccess::Change, context: Context::default() };
    assert!(matches!(session.ask(0, Operation::SetBreakpoint(caught)), Answer::Armed(..)));
    let watch = BreakpointRequest::at(BreakpointId(5), Point::Watch(watch));
    assert!(matches!(session.ask(0, Operation::SetBreakpoint(watch)), Answer::Armed(..)));

    hand(&mut session, 0, other(own));
    let rows = session.ask(0, Operation::ListSignals(Some(signal("ALRM"))));
    assert!(matches!(&rows, Answer::Signals(rows) if rows[0].disposition.stop), "{rows:?}");
    assert_eq!(session.go(0).reason, StopReason::Signal(signal("USR1")));

    // The signal is still to be delivered, by whichever engine; the breakpoint in its handler is disabled.
    hand(&mut session, 0, own);
    let stop = session.go(0);
    assert_eq!((stop.reason, line_of(&stop.frame)), (StopReason::Breakpoint(BreakpointId(2)), line("after signal")));
    assert_eq!(integer_at(&mut session, "handled"), 10);
    let gone = |(_, event): &(_, Event)| *event == Event::BreakpointGone(BreakpointId(2));
    assert!(session.events[&Rank(0)].iter().any(gone));

    // This arrival was reported: continuing does not arrive again.
    hand(&mut session, 0, other(own));
    let stop = session.go(0);
    let StopReason::Watchpoint(BreakpointId(5), Watched::Changed { old: Some(old), new: Some(new) }) = &stop.reason
    else {
        panic!("{stop:?}")
    };
    assert_eq!((integer_of(old), integer_of(new)), (0, 100));
    hand(&mut session, 0, own);
    let stop = session.go(0);
    assert_eq!(stop.reason, StopReason::Caught(BreakpointId(4), Caught::Signal(signal("USR2"))));
    hand(&mut session, 0, other(own));
    assert_eq!(session.go_to_end(0), Event::Killed(signal("USR2").into()));
}

#[test]
fn what_is_set_comes_along_from_native() {
    what_is_set_comes_along(EngineName::Native);
}

#[test]
fn what_is_set_comes_along_from_gdb() {
    what_is_set_comes_along(EngineName::Gdb);
}

/// A breakpoint at the current location is not hit again, and counts continue.
#[test]
fn counts_and_places_go_on() {
    let mut session = launched(EngineName::Native, &["work"], 1);
    session.break_at(BreakpointRequest { ignore: 6, ..at_mark(1, "sum") });
    session.break_at(BreakpointRequest { condition: Some("i % 2 == 0".to_owned()), ..at_mark(2, "sum") });
    let stop = session.go(0);
    assert_eq!((stop.reason, integer_at(&mut session, "i")), (StopReason::Breakpoint(BreakpointId(2)), 0));
    for (to, i, id) in [
        (EngineName::Gdb, 2, 2),
        (EngineName::Native, 4, 2),
        (EngineName::Gdb, 6, 1),
        (EngineName::Native, 7, 1),
        (EngineName::Gdb, 8, 1),
    ] {
        hand(&mut session, 0, to);
        let stop = session.go(0);
        assert_eq!((stop.reason, integer_at(&mut session, "i")), (StopReason::Breakpoint(BreakpointId(id)), i));
    }
    // Steps leave the location as well.
    hand(&mut session, 0, EngineName::Native);
    hand(&mut session, 0, EngineName::Gdb);
    let stop: Stop = session.step(0, StepKind::Over);
    assert_eq!(stop.reason, StopReason::Step);
    session.ok(&all(1), Operation::DeleteBreakpoint(BreakpointId(1)));
    session.ok(&all(1), Operation::DeleteBreakpoint(BreakpointId(2)));
    hand(&mut session, 0, EngineName::Native);
    assert_eq!(session.go_to_end(0), Event::Exited(1));
}

/// The frame of a watchpoint is found again, and its end is reported.
#[test]
fn a_watched_frame_is_found_again() {
    let mut session = launched(EngineName::Native, &["work"], 1);
    session.break_at(at_mark(1, "sum"));
    session.go(0);
    session.ok(&all(1), Operation::DeleteBreakpoint(BreakpointId(1)));
    let watch = Watch { expression: "result".into(), access: WatchAccess::Change, context: Context::default() };
    let watch = BreakpointRequest::at(BreakpointId(2), Point::Watch(watch));
    assert!(matches!(session.ask(0, Operation::SetBreakpoint(watch)), Answer::Armed(..)));
    for (turn, value) in [1, 3, 6, 10, 15, 21, 28, 36, 45].into_iter().enumerate() {
        hand(&mut session, 0, if turn % 2 == 0 { EngineName::Gdb } else { EngineName::Native });
        let stop = session.go(0);
        let StopReason::Watchpoint(_, Watched::Changed { new: Some(new), .. }) = &stop.reason else {
            panic!("{stop:?}")
        };
        assert_eq!(integer_of(new), value);
    }
    hand(&mut session, 0, EngineName::Native);
    let stop = session.go(0);
    assert_eq!(stop.reason, StopReason::Watchpoint(BreakpointId(2), Watched::ScopeEnded));
    assert_eq!(session.go_to_end(0), Event::Exited(1));
}

#[test]
fn only_some_ranks_and_all_of_them_answer() {
    let mut session = launched(EngineName::Native, &["work"], 4);
    let set = ProcessSet::parse("1,3").unwrap();
    for (_, answer) in session.ask_all(&set, Operation::UseEngine(EngineName::Gdb)) {
        assert_eq!(answer, Answer::UnderEngine(EngineName::Gdb));
    }
    let events = |session: &Session, rank| {
        let told = |(_, event): &&(_, Event)| *event == Event::UnderEngine(Some(EngineName::Gdb));
        session.events[&Rank(rank)].iter().filter(told).count()
    };
    assert_eq!([0, 1, 2, 3].map(|rank| events(&session, rank)), [0, 1, 0, 1]);
    let which = session.ask_all(&all(4), Operation::WhichEngine);
    let native = (ProcessSet::parse("0,2").unwrap(), Answer::UnderEngine(EngineName::Native));
    assert!(which.contains(&native) && which.contains(&(set, Answer::UnderEngine(EngineName::Gdb))), "{which:?}");
    // One breakpoint, set once, stops all of them at the same location, and their stacks agree.
    session.set_breakpoint(&all(4), on_function(1, "leaf"));
    session.ok(&all(4), Operation::Go);
    for (rank, stop) in session.stops(&all(4)) {
        assert_eq!(stop.reason, StopReason::Breakpoint(BreakpointId(1)), "{rank}");
    }
    let stacks: BTreeSet<_> = (0..4).map(|rank| format!("{:?}", session.stack(rank))).collect();
    assert_eq!(stacks.len(), 1, "{stacks:#?}");
    session.ok(&all(4), Operation::DeleteBreakpoint(BreakpointId(1)));
    session.ok(&all(4), Operation::Go);
    for rank in 0..4 {
        assert_eq!(session.end(rank), Event::Exited(1));
    }
}

#[test]
fn what_runs_or_has_ended_stays_where_it_is() {
    for own in [EngineName::Native, EngineName::Gdb] {
        let mut session = launched(own, &["spin"], 1);
        assert_eq!(session.ask(0, Operation::UseEngine(own)), Answer::UnderEngine(own));
        session.ok(&all(1), Operation::Go);
        let failure = session.fails(0, Operation::UseEngine(other(own)));
        assert_eq!(failure.code, ErrorCode::RUNNING);
        assert!(failure.message.contains("halt it first"), "{}", failure.message);
        session.ok(&all(1), Operation::Interrupt);
        assert_eq!(session.stop(0).reason, StopReason::Interrupted);
        hand(&mut session, 0, other(own));
        session.ok(&all(1), Operation::Terminate);
        assert!(matches!(session.end(0), Event::Killed(_)));
        assert_eq!(session.fails(0, Operation::UseEngine(own)).code, ErrorCode::NOT_RUN);
        assert_eq!(session.fails(0, Operation::UseEngine(EngineName::Fake)).code, ErrorCode::NOT_IMPLEMENTED);
    }
}

#[test]
fn a_simulated_rank_has_nothing_to_hand_over() {
    let mut session = with(EngineName::Fake, GdbOptions::default());
    session.launch(Kind::Fake.spec(CONTRACT, &[]), 1);
    session.stop(0);
    assert_eq!(session.fails(0, Operation::UseEngine(EngineName::Gdb)).code, ErrorCode::NOT_IMPLEMENTED);
    assert_eq!(session.ask(0, Operation::WhichEngine), Answer::UnderEngine(EngineName::Fake));
    assert_eq!(session.go_to_end(0), Event::Exited(1));
}

/// A gdb that is missing, not gdb, too old, or not permitted: the rank stays, with its location and settings.
#[test]
fn who_cannot_take_over_leaves_the_rank_as_it_was() {
    let directory = tempfile::tempdir().unwrap();
    let answering = |answer: &str| {
        format!(
            r#"while read -r line; do t="${{line%%-*}}"; case "$line" in
*gdb-version*) printf '%s\n' '~"GNU gdb (GDB) 13.1\n"' "$t^done";;
*target-attach*) {answer};;
*) printf '%s\n' "$t^done";; esac; done"#
        )
    };
    let scripts = [
        ("exit 3".to_owned(), "gdb has ended"),
        (
            r#"while read -r line; do printf '%s\n' '~"GNU gdb (GDB) 8.3.1\n"' "${line%%-*}^done"; done"#.to_owned(),
            "too old",
        ),
        (answering(r#"printf '%s^error,msg="ptrace: Operation not permitted."\n' "$t""#), "ptrace_scope"),
        (answering("exit 1"), "gdb has ended"),
    ];
    let mut paths = vec![(directory.path().join("none"), "cannot start gdb")];
    for (number, (script, words)) in scripts.iter().enumerate() {
        let path = directory.path().join(format!("stand-in-{number}"));
        crate::support::build::script(&path, script);
        paths.push((path, *words));
    }
    for (path, words) in paths {
        let gdb = GdbOptions { path, ..GdbOptions::default() };
        let mut session = begun(EngineName::Native, gdb, CONTRACT, &["work"], 1);
        session.break_at(BreakpointRequest { ignore: 1, ..at_mark(1, "leaf") });
        let before = registers(&mut session);
        let failure = session.fails(0, Operation::UseEngine(EngineName::Gdb));
        assert!(failure.message.contains(words), "{}", failure.message);
        assert_eq!(session.ask(0, Operation::WhichEngine), Answer::UnderEngine(EngineName::Native));
        assert_eq!(registers(&mut session), before);
        let stop = session.go(0);
        assert_eq!(stop.reason, StopReason::Breakpoint(BreakpointId(1)));
        assert_eq!(integer_at(&mut session, "counter"), 1);
        session.ok(&all(1), Operation::DeleteBreakpoint(BreakpointId(1)));
        assert_eq!(session.go_to_end(0), Event::Exited(1));
    }
}

pub fn pid_of(session: &Session, rank: u32) -> u32 {
    let mut events = session.events[&Rank(rank)].iter();
    events.find_map(|(_, event)| if let Event::Acquired { pid } = event { Some(*pid) } else { None }).unwrap()
}

#[test]
fn a_session_that_ends_leaves_nothing_of_ranks_that_were_handed_over() {
    for own in [EngineName::Native, EngineName::Gdb] {
        let mut session = launched(own, &["spin"], 2);
        let pids = [pid_of(&session, 0), pid_of(&session, 1)];
        hand(&mut session, 1, other(own));
        session.ok(&all(2), Operation::Go);
        session.shutdown(true);
        session.drain();
        for pid in pids {
            wait_for("the ranks to end", || (!is_alive(pid)).then_some(()));
        }
    }
}

/// A signal that no engine has seen yet is reported by the engine that has the rank then.
#[test]
fn a_signal_that_waits_comes_along() {
    for own in [EngineName::Native, EngineName::Gdb] {
        let mut session = launched(own, &["work"], 1);
        let user = SignalName::parse("USR1").unwrap();
        let row = Operation::HandleSignal { name: user.clone(), stop: Some(true), print: None, pass: Some(false) };
        assert!(matches!(session.ask(0, row), Answer::Signals(_)));
        session.break_at(on_function(1, "leaf"));
        assert_eq!(session.go(0).reason, StopReason::Breakpoint(BreakpointId(1)));
        let pid = Pid::from_raw(pid_of(&session, 0) as i32);
        for to in [other(own), own] {
            kill(pid, Signal::SIGUSR1).unwrap();
            hand(&mut session, 0, to);
            assert_eq!(session.go(0).reason, StopReason::Signal(user.clone()), "under {to}");
        }
        hand(&mut session, 0, other(own));
        kill(pid, Signal::SIGUSR1).unwrap();
        assert_eq!(session.go(0).reason, StopReason::Signal(user));
        session.ok(&all(1), Operation::DeleteBreakpoint(BreakpointId(1)));
        assert_eq!(session.go_to_end(0), Event::Exited(1));
    }
}

/// The kernel hangs up on a stopped process, such as a moving one, when its parent ends: the gdb that started a rank
/// ends before the rank can be moved on.
#[test]
fn the_gdb_that_gave_a_rank_away_is_gone_when_that_is_said() {
    let mut session = launched(EngineName::Gdb, &["work"], 1);
    let gdb = parent_of(pid_of(&session, 0));
    assert!(is_alive(gdb));
    hand(&mut session, 0, EngineName::Native);
    assert!(!is_alive(gdb));
    assert_eq!(session.go_to_end(0), Event::Exited(1));
}

/// A detached rank runs on, whichever engine has it: no stop is left behind.
#[test]
fn a_rank_that_is_let_go_runs_to_its_end() {
    for own in [EngineName::Native, EngineName::Gdb] {
        let mut session = launched(own, &["work"], 1);
        let pid = pid_of(&session, 0);
        hand(&mut session, 0, other(own));
        hand(&mut session, 0, own);
        hand(&mut session, 0, other(own));
        session.ok(&all(1), Operation::Detach);
        assert_eq!(session.end(0), Event::Detached);
        wait_for("the program to end", || (!is_alive(pid)).then_some(()));
    }
}

/// An address given by an expression, and a line without a file.
#[test]
fn places_mean_the_same_elsewhere() {
    let mut session = launched(EngineName::Native, &["work"], 1);
    session.break_at(breakpoint(1, LocationSpec::Address("leaf".to_owned())));
    session.break_at(breakpoint(2, LocationSpec::Line(line("count"))));
    hand(&mut session, 0, EngineName::Gdb);
    assert_eq!(session.go(0).reason, StopReason::Breakpoint(BreakpointId(1)));
    let stop = session.go(0);
    assert_eq!((stop.reason, line_of(&stop.frame)), (StopReason::Breakpoint(BreakpointId(2)), line("count")));
    hand(&mut session, 0, EngineName::Native);
    assert_eq!(session.go(0).reason, StopReason::Breakpoint(BreakpointId(1)));
    assert_eq!(session.go(0).reason, StopReason::Breakpoint(BreakpointId(2)));
}
