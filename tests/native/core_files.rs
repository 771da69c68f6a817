//! Core files are written while their rank stays stopped, and not finished if it is interrupted or killed.

use crate::driver::{Session, build};
use rankscope::model::{Answer, Event, Operation, ProcessSet, Rank};
use std::fs;

const SOURCE: &str = "#include <stdlib.h>\n#include <string.h>\nvoid done(void) {}\n\
    int main(void) { char *much = malloc(256 << 20); memset(much, 7, 256 << 20); for (;;) done(); }\n";

/// Stops a rank with much memory; returns the failure of its core file when another operation follows at once.
#[track_caller]
fn broken_off_by(operation: Operation) -> (Session, String) {
    let program = build(SOURCE, &[]);
    let directory = tempfile::tempdir().unwrap();
    let mut session = Session::launch(&program.path, 1);
    session.stop(0);
    session.breakpoint(0, 1, "done");
    session.ok(0, Operation::Go);
    session.stop(0);
    let one = ProcessSet::one(Rank(0));
    let core = session.submit(&one, Operation::WriteCore(directory.path().to_str().unwrap().to_owned()));
    session.submit(&one, operation);
    let answers = session.answers(core, &one);
    let [(_, Answer::Failed(failure))] = answers.as_slice() else { panic!("{answers:?}") };
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
    (session, failure.message.clone())
}

#[test]
fn halt_ends_the_writing_and_removes_the_part() {
    let (mut session, message) = broken_off_by(Operation::Interrupt);
    assert!(message.ends_with("/core.RANK was not written: interrupted"), "{message}");
    session.ok(0, Operation::Go);
}

#[test]
fn a_rank_that_is_killed_meanwhile_has_no_core_file() {
    let (mut session, message) = broken_off_by(Operation::Terminate);
    // It is interrupted first, and may end before that is noticed.
    assert!(message.ends_with("interrupted") || message == "no core file: the process has ended", "{message}");
    assert!(matches!(session.end(0), Event::Killed(_)));
}

#[test]
fn a_rank_continues_after_its_core_file() {
    let program = build(SOURCE, &[]);
    let directory = tempfile::tempdir().unwrap();
    let mut session = Session::launch(&program.path, 1);
    session.stop(0);
    let one = ProcessSet::one(Rank(0));
    let core = session.submit(&one, Operation::WriteCore(directory.path().to_str().unwrap().to_owned()));
    let go = session.submit(&one, Operation::Go);
    let answers = session.answers(core, &one);
    assert!(matches!(answers.as_slice(), [(_, Answer::CoreWritten(_))]), "{answers:?}");
    assert_eq!(session.answers(go, &one), [(one.clone(), Answer::Ok)]);
    session.event(0, |event| *event == Event::Running);
    session.ok(0, Operation::Terminate);
    session.end(0);
}
