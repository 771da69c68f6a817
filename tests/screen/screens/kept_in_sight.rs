//! The screen's contents stay while ranks are slow, run, or restart.

use super::*;
use rankscope::controller::state::{FoldedStack, Lookup, RankTable, SourceText};
use rankscope::model::{
    CodePlace, ErrorCode, Failure, Frame, ProcessState, Rank, SourcePlace, Stop, StopReason, ThreadId,
};

#[test]
fn a_look_after_a_pause_shows_the_stack_of_the_next_rank() {
    let mut driver = in_kernel(CLASSIC, 8);
    driver.keys("T T 2");
    driver.session.advance(Duration::from_secs(12));
    driver.keys(".");
    assert!(!driver.text().contains("replied"), "{}", driver.text());
    driver.session.advance(Duration::from_secs(1));
    assert!(driver.text().contains("stack ─ rank 1"), "{}", driver.text());
    assert!(matches!(driver.state().inspection.stack, Lookup::Known(_)));
}

#[test]
fn ranks_that_a_barrier_has_let_go_do_not_look_held() {
    let mut driver = Driver::start("stencil", &[], 4, CLASSIC);
    driver.command("barrier kernel").command("focus 0-2").go("c");
    assert!(driver.text().contains("0H") && driver.text().contains("3S"), "{}", driver.text());
    driver.keys("a");
    driver.command("focus 3").go("c");
    driver.keys("a");
    let shown = driver.text();
    assert!(shown.contains("0B") && shown.contains("3B") && !shown.contains("0H"), "{shown}");
    assert!(driver.state().held.is_empty());
}

/// A rank halted in a library without source, in a call of `main`.
fn halted_in_a_library() -> State {
    let frame = |level, file: &str| Frame {
        level,
        function: None,
        source: Some(SourcePlace { file: file.into(), line: 10 }),
        code: CodePlace { module: None, offset: 0, address: None },
        inlined: false,
        guessed: false,
        thread: None,
    };
    let mut state = State { ranks: RankTable::new(1), phase: Phase::Live, ..State::default() };
    let frames = vec![frame(0, "syscall-template.S"), frame(1, "main.c")];
    let stop = Stop {
        reason: StopReason::Interrupted,
        thread: ThreadId(1),
        frame: frames[0].clone(),
        note: None,
        cause: None,
        user: None,
    };
    state.ranks.change(&ProcessSet::one(Rank(0)), &ProcessState::Stopped(Box::new(stop)));
    let text = SourceText::new("main.c".into(), "line\n".repeat(20).into());
    state.inspection.sources.insert("main.c".into(), Lookup::Known(text));
    state.inspection.stack = Lookup::Known(FoldedStack::open(frames));
    state
}

#[test]
fn the_last_source_stays_while_ranks_go_on_after_a_halt_in_a_library() {
    let mut app = App::default();
    let mut state = halted_in_a_library();
    state.inspection.stack = Lookup::Known(FoldedStack::open(vec![Frame { level: 0, ..frames(&state)[1].clone() }]));
    app.settle(&state, Instant::now());
    let file = |app: &App| app.view.source.file.clone().unwrap().to_string();
    assert_eq!(file(&app), "main.c");

    // Halted: a file being read, which may turn out to be missing, does not replace the text.
    state = halted_in_a_library();
    app.settle(&state, Instant::now());
    assert_eq!(file(&app), "main.c");
    let failure = Failure::new(ErrorCode::NO_SOURCE, "No such file.");
    state.inspection.sources.insert("syscall-template.S".into(), Lookup::Failed(failure));
    app.settle(&state, Instant::now());
    assert_eq!((file(&app), app.view.source.list.cursor), ("main.c".into(), 9));

    // Continued, and running.
    state.inspection.stack = Lookup::Absent;
    app.settle(&state, Instant::now());
    assert_eq!(file(&app), "main.c");
    state.ranks.change(&ProcessSet::one(Rank(0)), &ProcessState::Running);
    app.settle(&state, Instant::now());
    assert_eq!(file(&app), "main.c");
}

fn frames(state: &State) -> &[Frame] {
    state.inspection.stack.value().unwrap()
}

#[test]
fn after_a_restart_the_source_is_at_the_stop() {
    let mut app = App::default();
    let mut state = halted_in_a_library();
    state.inspection.stack = Lookup::Known(FoldedStack::open(vec![Frame { level: 0, ..frames(&state)[1].clone() }]));
    app.settle(&state, Instant::now());
    assert_eq!(app.view.source.list.cursor, 9);

    // Another job: nothing is known of it, and then the same as before.
    let again = state.clone();
    state.inspection = Default::default();
    state.ranks = RankTable::new(1);
    app.settle(&state, Instant::now());
    assert_eq!(app.view.source.list.cursor, 0);
    state.ranks = again.ranks.clone();
    app.settle(&state, Instant::now());
    app.settle(&again, Instant::now());
    assert_eq!(app.view.source.list.cursor, 9);
}

#[test]
fn what_a_command_for_all_threads_finds_is_on_its_page() {
    let mut driver = in_kernel(LARGE, 2);
    driver.command("thread apply all where");
    let shown = driver.text();
    let page = driver.app.view.layers.iter().find_map(|layer| match layer {
        rankscope::ui::layer::Layer::Page(page) => Some(page.lines.join("\n")),
        _ => None,
    });
    let page = page.unwrap_or_else(|| panic!("no page: {shown}"));
    assert!(page.contains("thread 1") && page.contains("#0") && page.contains("main"), "{page}");
}
