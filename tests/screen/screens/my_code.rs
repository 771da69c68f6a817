//! Ranks that stopped in a library are shown at the user's code that called it.

use super::*;
use rankscope::controller::StackTree;
use rankscope::controller::state::{FoldedStack, Lookup, RankTable, SourceText};
use rankscope::model::{
    CodePlace, Frame, MyCode, ProcessState, Rank, SourcePlace, Stop, StopReason, ThreadId, ThreadInfo, UserFrame,
};
use rankscope::ui::keys::Chord;
use rankscope::ui::view::StackForm;

fn frame(level: u32, function: &str, place: Option<(&str, u32)>) -> Frame {
    let module = match (level, place) {
        (0, _) => "/lib/x86_64-linux-gnu/libc.so.6",
        (_, None) => "/lib/x86_64-linux-gnu/libmpi.so.40",
        (_, Some(_)) => "/home/me/deadlock",
    };
    Frame {
        level,
        function: Some(function.into()),
        source: place.map(|(file, line)| SourcePlace { file: file.into(), line }),
        code: CodePlace { module: Some(module.into()), offset: 0x40, address: None },
        inlined: false,
        guessed: false,
        thread: None,
    }
}

/// Rank 10 exchanges with a rank that is in a collective, as all others are; each at another place of the library.
fn deadlock() -> State {
    let mut state = State { ranks: RankTable::new(16), phase: Phase::Live, ..State::default() };
    let file = "/home/me/deadlock.c";
    for rank in 0..16 {
        let inside = ["__GI_sched_yield", "opal_progress", "__poll"][rank as usize % 3];
        let source = (rank % 2 == 0).then_some(("sysdeps/unix/syscall-template.S", 120));
        let (user, call) = match rank {
            10 => (frame(4, "rebalance", Some((file, 101))), "MPI_Sendrecv"),
            _ => (frame(6 + rank % 2, "main", Some((file, 118))), "MPI_Allreduce"),
        };
        let user = Some(Box::new(UserFrame { frame: user, call: Some(call.into()) }));
        let frame = frame(0, inside, source);
        let stop = Stop { reason: StopReason::Interrupted, thread: ThreadId(1), frame, note: None, cause: None, user };
        state.ranks.change(&ProcessSet::range(rank, rank + 1), &ProcessState::Stopped(Box::new(stop)));
    }
    state.focus.set = ProcessSet::all(16);
    let lines: String = (1..=130).map(|line| format!("    line_{line}();\n")).collect();
    state.inspection.sources.insert(file.into(), Lookup::Known(SourceText::new(file.into(), lines.into())));
    state
}

#[test]
fn a_hang_is_read_on_the_first_screen() {
    let state = deadlock();
    let mut app = App::default();
    app.view.area.width = 100;
    app.view.area.height = 24;
    app.settle(&state, Instant::now());
    let shown = text(&crate::drawn::screen(&app, &state, &Theme::dark()));
    for line in [
        "S 0-9,11-15  halted  in MPI_Allreduce  deadlock.c:118",
        "S 10         halted  in MPI_Sendrecv  deadlock.c:101",
    ] {
        assert!(shown.contains(line), "{line}\n{shown}");
    }
    insta::with_settings!({ snapshot_path => "../snapshots" }, { assert_snapshot!("hang_100x24", shown) });
}

#[test]
fn a_thread_that_waits_in_a_library_is_shown_at_the_users_code() {
    let mut state = deadlock();
    let thread = |id, user: Option<UserFrame>| ThreadInfo {
        id: ThreadId(id),
        current: id == 1,
        name: "deadlock".to_owned(),
        frame: Some(frame(0, "__GI_sched_yield", None)),
        user,
    };
    let user =
        UserFrame { frame: frame(4, "exchange", Some(("/home/me/deadlock.c", 90))), call: Some("sem_wait".into()) };
    state.inspection.threads = Lookup::Known(vec![thread(1, Some(user)), thread(2, None)]);
    let mut app = App::default();
    (app.view.area.width, app.view.area.height) = (100, 24);
    app.settle(&state, Instant::now());
    for chord in Chord::parse_sequence("7").unwrap() {
        app.chord(chord, std::time::Instant::now(), &state);
        app.settle(&state, Instant::now());
    }
    let shown = text(&crate::drawn::screen(&app, &state, &Theme::dark()));
    for line in ["1 deadlock  in sem_wait  deadlock.c:90", "2 deadlock  __GI_sched_yield  libc.so.6"] {
        assert!(shown.contains(line), "{line}\n{shown}");
    }
}

/// The stack of a rank of the deadlock.
fn stack_of(rank: u32) -> Vec<Frame> {
    let file = "/home/me/deadlock.c";
    let mut functions = vec!["__GI_sched_yield", "opal_progress", "ompi_request_default_wait"];
    functions.resize(3 + rank as usize % 2, "ompi_coll_base_sendrecv_actual");
    let (call, users) = match rank {
        10 => ("PMPI_Sendrecv", [("rebalance", 101), ("main", 116)].as_slice()),
        _ => ("PMPI_Allreduce", [("main", 118)].as_slice()),
    };
    functions.push(call);
    let mut frames: Vec<Frame> = (0..).zip(functions).map(|(level, name)| frame(level, name, None)).collect();
    for (name, line) in users {
        frames.push(frame(frames.len() as u32, name, Some((file, *line))));
    }
    frames
}

/// The deadlock with the stack of the lead, and all stacks merged; the frame of the user's code is selected.
fn inspected(lead: u32) -> (State, App) {
    let mut state = deadlock();
    let code = MyCode::default();
    let mut tree = StackTree::new(code.clone());
    for rank in 0..16 {
        tree.add(&ProcessSet::range(rank, rank + 1), &stack_of(rank));
    }
    tree.finish();
    state.lead = Rank(lead);
    let frames = stack_of(lead);
    let user = code.user_frame(&frames).unwrap().frame;
    state.frames.choose(&ProcessSet::one(Rank(lead)), None, &user);
    state.inspection.tree = Lookup::Known(tree);
    state.inspection.stack = Lookup::Known(FoldedStack::new(frames, &code));
    let mut app = App::default();
    app.view.chosen_stack.0 = Some(StackForm::Frames);
    app.view.area.width = 150;
    app.view.area.height = 50;
    app.settle(&state, Instant::now());
    (state, app)
}

/// The lines of the stack, after keys.
fn stack_after(keys: &str, state: &State, app: &mut App) -> String {
    for chord in Chord::parse_sequence(keys).unwrap() {
        app.chord(chord, std::time::Instant::now(), state);
        app.settle(state, Instant::now());
    }
    let shown = text(&crate::drawn::screen(app, state, &Theme::dark()));
    let rows = shown.lines().skip(5).filter_map(|line| line.split_once(['│', '├'])).map(|(_, right)| right.trim_end());
    rows.take_while(|row| !row.starts_with('─')).filter(|row| !row.is_empty()).collect::<Vec<_>>().join("\n")
}

#[test]
fn frames_of_libraries_are_one_line_that_a_key_opens() {
    let (state, mut app) = inspected(10);
    let shown = stack_after("3", &state, &mut app);
    assert!(shown.contains("MPI_Sendrecv … 4 frames") && shown.contains("▶4 rebalance"), "{shown}");
    assert_eq!(shown.lines().count(), 3, "{shown}");
    assert_eq!(app.view.stack.cursor, 1, "the cursor is at the selected frame");
    let open = stack_after("space", &state, &mut app);
    assert!(open.contains(" 0 __GI_sched_yield") && open.contains(" 3 PMPI_Sendrecv"), "{open}");
    assert_eq!((open.lines().count(), app.view.stack.cursor), (6, 4), "the cursor stays on its frame: {open}");
    // Folded again from a frame that is hidden then: the cursor is on the line that stands for it.
    let again = stack_after("k k space", &state, &mut app);
    assert_eq!((again.as_str(), app.view.stack.cursor), (shown.as_str(), 0));
    assert_eq!(stack_after("enter", &state, &mut app), open);
    assert_eq!(app.view.stack.cursor, 3);
    assert_eq!(stack_after("h", &state, &mut app), shown);
    assert_eq!(stack_after("l", &state, &mut app), open);
}

#[test]
fn a_selected_frame_of_a_library_is_not_hidden() {
    let (mut state, mut app) = inspected(10);
    let chosen = stack_of(10)[2].clone();
    state.frames.choose(&ProcessSet::one(Rank(10)), None, &chosen);
    let shown = stack_after("3", &state, &mut app);
    assert!(shown.contains("▶2 ompi_request_default_wait"), "{shown}");
    assert_eq!(app.view.stack.cursor, 2);
    state.frames.choose(&ProcessSet::one(Rank(10)), None, &stack_of(10)[5]);
    let shown = stack_after("3", &state, &mut app);
    assert!(shown.contains("MPI_Sendrecv … 4 frames") && shown.contains("▶5 main"), "{shown}");
    assert_eq!(app.view.stack.cursor, 2);
}

#[test]
fn merged_stacks_end_in_the_calls_of_the_users_code() {
    let (state, mut app) = inspected(0);
    let shown = stack_after("T 3", &state, &mut app);
    for row in
        ["main  deadlock.c:116-118", "MPI_Allreduce … 4-5 ", "rebalance  deadlock.c:101", "MPI_Sendrecv … 4 frames"]
    {
        assert!(shown.contains(row), "{row}\n{shown}");
    }
    assert_eq!(shown.lines().count(), 4, "{shown}");
    let open = stack_after("space", &state, &mut app);
    assert!(open.contains("opal_progress") && !open.contains('…'), "{open}");
    assert_eq!(stack_after("space", &state, &mut app), shown);
}
