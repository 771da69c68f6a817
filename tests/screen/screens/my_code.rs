//! Ranks that stopped in a library are shown at the user's code that called it.

use super::*;
use rankscope::controller::state::{Lookup, RankTable, SourceText};
use rankscope::model::{CodePlace, Frame, ProcessState, SourcePlace, Stop, StopReason, ThreadId, UserFrame};

fn frame(level: u32, function: &str, place: Option<(&str, u32)>) -> Frame {
    let module = if level == 0 { "/lib/x86_64-linux-gnu/libc.so.6" } else { "/home/me/deadlock" };
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
