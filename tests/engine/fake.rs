//! Behaviour that only simulated ranks have.

use crate::{
    session::{Kind, Session, all, function_of, line_of, on_function},
    support::fake_session::FakeSession,
};
use rankscope::controller::{Content, state::StateKind};
use rankscope::model::{
    Answer, Context, Event, LaunchSpec, Operation, ProcessSet, Rank, SignalName, StopReason, Stream,
};

fn launched(program: &str, arguments: &[&str], ranks: u32) -> Session {
    let mut session = Session::new(Kind::Fake);
    let arguments = arguments.iter().map(|&word| word.to_owned()).collect();
    session.launch(LaunchSpec { program: program.to_owned(), arguments, ..LaunchSpec::default() }, ranks);
    session.stops(&all(ranks));
    session
}

#[test]
fn ten_thousand_ranks_are_one_report() {
    const RANKS: u32 = 10_000;
    let mut session = launched("fake:stencil", &[], RANKS);
    session.set_breakpoint(&all(RANKS), on_function(1, "kernel"));
    let before = session.count;
    session.ok(&all(RANKS), Operation::Go);
    session.stops(&all(RANKS));
    let stack = session.ask_all(&all(RANKS), Operation::Stack { thread: None, low: 0, high: None, most: None });
    assert_eq!(stack.len(), 1);
    // The two ends of the rod use another path to the kernel.
    assert!(session.count - before < 40, "{} reports", session.count - before);
}

#[test]
fn ranks_with_equal_memory_share_an_answer_and_others_do_not() {
    const RANKS: u32 = 300;
    let mut session = launched("fake:stencil", &[], RANKS);
    session.set_breakpoint(&all(RANKS), on_function(1, "kernel"));
    session.ok(&all(RANKS), Operation::Go);
    session.stops(&all(RANKS));
    let ask = |expression: &str| Operation::Evaluate { context: Context::default(), expression: expression.to_owned() };
    let groups = |said: Vec<(ProcessSet, Answer)>| said.into_iter().map(|(ranks, _)| ranks).collect::<Vec<_>>();
    // The first is an argument, the second a global variable that is different in each rank.
    assert_eq!(groups(session.ask_all(&all(RANKS), ask("iteration"))), [all(RANKS)]);
    assert_eq!(session.ask_all(&all(RANKS), ask("rank")).len(), RANKS as usize);
    // Each rank that is to change its variable does so, although it answers as the one before.
    let changed = ProcessSet::parse("5-250").unwrap();
    assert_eq!(groups(session.ask_all(&changed, ask("iteration = 7"))), std::slice::from_ref(&changed));
    let after = groups(session.ask_all(&all(RANKS), ask("iteration")));
    assert_eq!(after, [all(RANKS).difference(&changed), changed]);
}

#[test]
fn the_same_run_twice_gives_the_same_reports() {
    let run = || {
        let mut session = launched("fake:diverge", &[], 10);
        session.ok(&all(10), Operation::Go);
        (0..10).for_each(|rank| drop(session.end(rank)));
        session.events.clone()
    };
    assert_eq!(run(), run());
}

#[test]
fn the_stencil_crashes_where_it_was_asked_to() {
    let mut session = launched("fake:stencil", &["crash", "5"], 8);
    session.ok(&all(8), Operation::Go);
    let stop = session.stop(5);
    assert_eq!(stop.reason, StopReason::Signal(SignalName::parse("SEGV").unwrap()));
    assert_eq!(function_of(&stop.frame), "kernel");
    let functions: Vec<_> = session.stack(5).iter().map(|frame| function_of(frame).to_owned()).collect();
    assert_eq!(functions, ["kernel", "iterate", "main"]);
    let Answer::Data(c) = session.evaluate_at(5, 0, "c") else { panic!() };
    assert_eq!((c.type_name.as_str(), &c.data[..]), ("struct cell *", &[0][..]));
    for rank in (0..8).filter(|rank| *rank != 5) {
        assert_eq!(session.end(rank), Event::Exited(0));
    }
    assert!(session.output(0, Stream::Stdout).starts_with("iteration 0: residual "));
}

#[test]
fn a_rank_that_hangs_leaves_the_others_alone() {
    let mut session = launched("fake:hang", &[], 4);
    session.set_breakpoint(&all(4), on_function(1, "compute"));
    session.ok(&all(4), Operation::Go);
    let others = ProcessSet::range(1, 4);
    session.stops(&others);
    let tid = session.submit(&all(4), Operation::StackDepth(None));
    // Rank 1 replies late, rank 0 never.
    assert_eq!(session.answers(tid, &others).len(), 2);
    session.ok(&ProcessSet::range(2, 4), Operation::Terminate);
    assert!(matches!(session.end(3), Event::Killed(_)));
}

#[test]
fn threads_are_simulated_too() {
    let mut session = launched("fake:spin", &[], 2);
    session.set_breakpoint(&all(2), on_function(1, "turn"));
    session.ok(&all(2), Operation::Go);
    session.stops(&all(2));
    session.go(0);
    let Answer::Threads(threads) = session.ask(0, Operation::Threads) else { panic!() };
    let functions: Vec<_> = threads.iter().map(|t| t.frame.as_ref().map(function_of)).collect();
    assert_eq!(functions, [Some("turn"), Some("watch")]);
    let context = Context { thread: Some(threads[1].id), frame: 0 };
    let Answer::Variables(arguments) = session.ask(0, Operation::Arguments(context)) else { panic!() };
    assert_eq!(arguments[0].name, "every");
}

#[test]
fn there_is_nothing_to_join() {
    let mut session = Session::new(Kind::Fake);
    let (ready, mut told) = tokio::sync::oneshot::channel();
    let spec = LaunchSpec::default();
    let rank = Rank(3);
    session.acquire(rankscope::engine::Acquisition::Join { rank, pid: 1, spec, stdout: None, stderr: None, ready });
    assert!(matches!(session.end(3), Event::Failed(_)));
    assert!(told.try_recv().unwrap().unwrap_err().contains("join"));
}

#[test]
fn a_controller_sees_simulated_ranks() {
    let session = FakeSession::start("fake:stencil", &[], 8);
    let state = session.state();
    assert_eq!(state.ranks.of_kind(StateKind::Stopped), &all(8));
    let lines = state.current_lines("/demo/stencil.c");
    assert_eq!(lines.values().collect::<Vec<_>>(), [&all(8)]);
    assert!(lines.keys().all(|line| *line > 50), "{lines:?}");
    let groups = state.status_groups(&all(8));
    assert_eq!(groups.len(), 1);
    assert!(matches!(&groups[0].state, rankscope::model::ProcessState::Stopped(stop) if line_of(&stop.frame) > 50));
}

#[test]
fn a_controller_drives_simulated_ranks() {
    let mut session = FakeSession::start("fake:stencil", &["crash", "2"], 4);
    for line in ["break exchange", "go", "wait", "where", "print rank", "next", "wait", "delete 1", "go", "wait"] {
        let reports = session.run(line);
        let failed = reports.iter().any(|report| matches!(report.content, Content::Error { .. }));
        assert!(!failed, "{line}: {reports:#?}");
    }
    let state = session.state();
    assert_eq!(state.ranks.of_kind(StateKind::Stopped), &ProcessSet::one(Rank(2)));
    assert_eq!(state.ranks.of_kind(StateKind::Exited).len(), 3);
}
