//! A gdb that is missing, not gdb, too old, gone, hung, or noisy: its rank is lost with a reason, the others continue.

use crate::{
    session::{CONTRACT, Kind, Session, all, integer_of, on_function},
    support::process::{is_alive, parent_of},
    support::wait::wait_for,
};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rankscope::engine::gdb::{GdbEngine, GdbOptions};
use rankscope::model::{Answer, Context, ErrorCode, Event, Operation, ProcessSet, Rank};
use std::path::PathBuf;
use std::time::Duration;

fn with(options: GdbOptions) -> Session {
    Session::over(|sink| Box::new(GdbEngine::start(options, sink).unwrap()))
}

/// A program that replaces gdb.
fn stand_in(directory: &tempfile::TempDir, script: &str) -> PathBuf {
    let path = directory.path().join("stand-in");
    crate::support::build::script(&path, script);
    path
}

/// The reason given for a rank that is lost with this gdb.
#[track_caller]
fn lost_with(options: GdbOptions) -> String {
    let mut session = with(options);
    session.launch(Kind::Gdb.spec(CONTRACT, &[]), 1);
    let Event::Failed(why) = session.end(0) else { panic!("{:?}", session.events) };
    let messages = session.events[&Rank(0)].iter().filter(|(_, event)| matches!(event, Event::Message(..)));
    assert_eq!(messages.count(), 0, "it is told once: {:?}", session.events);
    assert_eq!(session.fails(0, Operation::Go).code, ErrorCode::NOT_RUN);
    why
}

#[test]
fn one_that_is_not_there() {
    let why = lost_with(GdbOptions { path: "/nonexistent/gdb".into(), ..GdbOptions::default() });
    assert!(why.contains("/nonexistent/gdb") && why.contains("--gdb PATH"), "{why}");
}

#[test]
fn one_that_is_none() {
    let directory = tempfile::tempdir().unwrap();
    let path = stand_in(&directory, "echo I am something else; exit 3");
    let why = lost_with(GdbOptions { path, ..GdbOptions::default() });
    assert!(why.contains("I am something else"), "{why}");
}

#[test]
fn one_that_is_too_old() {
    let directory = tempfile::tempdir().unwrap();
    let path = stand_in(
        &directory,
        r#"while read -r line; do printf '%s\n' '~"GNU gdb (GDB) 8.3.1\n"' "${line%%-*}^done"; done"#,
    );
    let why = lost_with(GdbOptions { path, ..GdbOptions::default() });
    assert!(why.contains("too old") && why.contains("8.3.1"), "{why}");
}

#[test]
fn one_that_never_answers() {
    let directory = tempfile::tempdir().unwrap();
    let path = stand_in(&directory, "exec sleep 1000");
    let why = lost_with(GdbOptions { path, patience: Duration::from_millis(50), ..GdbOptions::default() });
    assert!(why.contains("did not reply"), "{why}");
}

/// gdb gets much longer to read symbols, but only while it uses the processor.
#[test]
fn one_that_falls_silent_over_the_program() {
    let directory = tempfile::tempdir().unwrap();
    let path = stand_in(
        &directory,
        r#"while read -r line; do
             case $line in *-file-exec-and-symbols*) exec sleep 1000;; esac
             printf '%s\n' '~"GNU gdb (GDB) 13.1\n"' "${line%%-*}^done"
           done"#,
    );
    let mut session = with(GdbOptions { path, patience: Duration::from_millis(500), ..GdbOptions::default() });
    session.launch(Kind::Gdb.spec(CONTRACT, &[]), 1);
    let Event::Failed(why) = session.end(0) else { panic!("{:?}", session.events) };
    assert!(why.contains("did not reply") && why.contains("file-exec-and-symbols"), "{why}");
}

/// The process of a rank, and the gdb that started it.
fn processes(session: &Session, rank: u32) -> (u32, Pid) {
    let events = session.events[&Rank(rank)].iter();
    let mut pid = events.filter_map(|(_, event)| if let Event::Acquired { pid } = event { Some(*pid) } else { None });
    let pid = pid.next_back().unwrap();
    (pid, Pid::from_raw(parent_of(pid) as i32))
}

#[test]
fn one_that_is_killed_takes_only_its_rank_along() {
    let mut session = Session::launched(Kind::Gdb, &["spin"], 3);
    session.ok(&ProcessSet::one(Rank(2)), Operation::Go);
    let of_0 = processes(&session, 0);
    let of_2 = processes(&session, 2);
    for (_, gdb) in [of_0, of_2] {
        kill(gdb, Signal::SIGKILL).unwrap();
    }
    for rank in [0, 2] {
        let end = session.end(rank);
        assert!(matches!(&end, Event::Lost(why) if why.contains("gdb has ended")), "{end:?}");
    }
    for (pid, _) in [of_0, of_2] {
        wait_for("the program to end with its gdb", || (!is_alive(pid)).then_some(()));
    }
    let Answer::Data(value) = session.evaluate_at(1, 0, "20 + 3") else { panic!() };
    assert_eq!(integer_of(&value), 23);
}

#[test]
fn one_that_hangs_keeps_nobody_waiting() {
    let mut session = with(GdbOptions { patience: Duration::from_secs(5), ..GdbOptions::default() });
    session.launch(Kind::Gdb.spec(CONTRACT, &[]), 2);
    session.stops(&all(2));
    let (pid, gdb) = processes(&session, 0);
    kill(gdb, Signal::SIGSTOP).unwrap();
    let expression = "1 + 1".to_owned();
    let tid = session.submit(&all(2), Operation::Evaluate { context: Context::default(), expression });
    let answers = session.answers(tid, &all(2));
    let of = |rank| answers.iter().find(|(ranks, _)| ranks.contains(Rank(rank))).map(|(_, answer)| answer);
    assert!(matches!(of(1), Some(Answer::Data(_))), "{answers:?}");
    assert!(matches!(of(0), Some(Answer::Failed(failure)) if failure.message.contains("did not reply")), "{answers:?}");
    assert!(matches!(session.end(0), Event::Lost(_)));
    wait_for("the program to end with its gdb", || (!is_alive(pid)).then_some(()));
}

#[test]
fn one_that_hangs_does_not_hold_up_the_end() {
    let mut session = Session::launched(Kind::Gdb, &["spin"], 2);
    let ranks = [processes(&session, 0), processes(&session, 1)];
    kill(ranks[0].1, Signal::SIGSTOP).unwrap();
    session.shutdown(true);
    session.drain();
    for (pid, gdb) in ranks {
        wait_for("everything to end", || (!is_alive(pid) && !is_alive(gdb.as_raw() as u32)).then_some(()));
    }
}

#[test]
fn megabytes_and_questions_do_no_harm() {
    let mut session = Session::launched(Kind::Gdb, &[], 1);
    session.break_at(on_function(1, "sum"));
    let flood = "python print(\"rankscope \" * 400000)".to_owned();
    let Answer::Text(text) = session.ask(0, Operation::Engine(flood)) else { panic!() };
    assert!((1 << 20..4_000_000).contains(&text.len()), "{}", text.len());
    // gdb asks "Delete all breakpoints? (y or n)".
    let answer = session.ask(0, Operation::Engine("delete".to_owned()));
    assert!(matches!(answer, Answer::Text(_)), "{answer:?}");
    assert_eq!(session.go_to_end(0), Event::Exited(1));
}

/// An internal error of gdb fails the command, not the rank.
#[test]
fn an_internal_error_is_the_answer_to_one_command() {
    let mut session = Session::launched(Kind::Gdb, &["work"], 1);
    let failure = session.fails(0, Operation::Engine("maintenance internal-error of a test".to_owned()));
    assert!(failure.message.contains("internal-error: of a test"), "{}", failure.message);
    let inside = "python gdb.execute(\"maintenance internal-error inside\")".to_owned();
    session.fails(0, Operation::Engine(inside));
    assert!(matches!(session.evaluate_at(0, 0, "20 + 3"), Answer::Data(_)));
    assert_eq!(session.go_to_end(0), Event::Exited(1));
}
