//! Ranks that stopped for a reason show it on the first screen, merged, whatever its kind.

use super::numbers::trapped;
use super::*;
use rankscope::model::{Cause, CauseKind, ProcessState, Rank, Stop, StopReason};

/// The first screen of a job whose ranks 6 and 9 have stopped with this cause.
pub fn stopped_by(reason: &StopReason, kind: CauseKind, words: &str, size: (u16, u16)) -> (State, App) {
    let (mut state, mut app) = trapped(size.0, size.1);
    for rank in [6, 9] {
        let Some(ProcessState::Stopped(stop)) = state.ranks.state(Rank(rank)).cloned() else { panic!("{rank} runs") };
        let cause = Some(Box::new(Cause { kind, text: words.to_owned(), source: None }));
        let stop = Stop { reason: reason.clone(), cause, ..*stop };
        state.ranks.change(&ProcessSet::range(rank, rank + 1), &ProcessState::Stopped(Box::new(stop)));
    }
    app.settle(&state, Instant::now());
    (state, app)
}

#[test]
fn reasons_of_every_kind_are_read_on_the_first_screen() {
    let signal = |name: &str| StopReason::Signal(rankscope::model::SignalName::parse(name).unwrap());
    let reasons = [
        (signal("SIGABRT"), CauseKind::Assert, "n > 0", "assertion \"n > 0\" failed"),
        (signal("SIGABRT"), CauseKind::Abort, "free(): invalid pointer", "free(): invalid pointer"),
        (signal("SIGABRT"), CauseKind::Exception, "uncaught std::out_of_range: index 9", "uncaught std::out_of_range"),
        (signal("SIGSEGV"), CauseKind::NullPointer, "row is a null pointer", "row is a null pointer"),
        (signal("SIGSEGV"), CauseKind::WildPointer, "row is a wild pointer", "row is a wild pointer"),
        (signal("SIGSEGV"), CauseKind::FreedPointer, "node points to freed memory: it", "node points to freed memory"),
        (signal("SIGSEGV"), CauseKind::StackOverflow, "stack overflow: f calls itself", "f calls itself"),
        (signal("SIGBUS"), CauseKind::OutOfMemory, "no room for a mapped file", "no room for a mapped file"),
        (signal("SIGFPE"), CauseKind::Fpe, "integer division by zero", "integer division by zero"),
        (StopReason::Error, CauseKind::MpiAbort, "MPI_Abort(MPI_COMM_WORLD, 42)", "MPI_Abort(MPI_COMM_WORLD, 42)"),
        (StopReason::Error, CauseKind::Fortran, "ERROR STOP 3", "ERROR STOP 3"),
        (StopReason::Error, CauseKind::Sanitizer, "AddressSanitizer: bad-free", "AddressSanitizer: bad-free"),
    ];
    for (reason, kind, words, shown) in reasons {
        let (state, app) = stopped_by(&reason, kind, words, (160, 40));
        let screen = text(&crate::drawn::screen(&app, &state, &Theme::dark()));
        let rows: Vec<_> = screen.lines().filter(|row| row.contains(shown)).collect();
        assert!(rows.iter().any(|row| row.contains("! 6,9  ")), "{kind:?}\n{screen}");
    }
}
