//! Which thread is the current one after an interrupt: not one of a library that has stopped for a signal before.

use crate::session::{Kind, Session, all, on_mark};
use rankscope::model::{Answer, Context, Operation, SignalName, StepKind, Stop, StopReason, ThreadId};

const FILE: &str = "threads_helped.c";
const FIRST: ThreadId = ThreadId(1);
const HELPER: ThreadId = ThreadId(2);

of_processes!(the_first_thread_is_current_after_an_interrupt);

/// Stopped for a signal in the second thread.
fn signalled(kind: Kind) -> Session {
    let mut session = Session::new(kind);
    session.launch(kind.spec(FILE, &[]), 1);
    session.stop(0);
    let stop = session.go(0);
    let wanted = StopReason::Signal(SignalName::parse("SIGUSR1").unwrap());
    assert_eq!((&stop.reason, stop.thread), (&wanted, HELPER));
    session
}

fn interrupted(session: &mut Session) -> Stop {
    session.ok(&all(1), Operation::Interrupt);
    let stop = session.stop(0);
    assert_eq!(stop.reason, StopReason::Interrupted);
    stop
}

fn the_first_thread_is_current_after_an_interrupt(kind: Kind) {
    let mut session = signalled(kind);
    session.ok(&all(1), Operation::Go);
    assert_eq!(interrupted(&mut session).thread, FIRST);
    let Answer::Threads(threads) = session.ask(0, Operation::Threads) else { panic!() };
    let current: Vec<_> = threads.iter().filter(|thread| thread.current).map(|thread| thread.id).collect();
    assert_eq!(current, [FIRST]);
    let names = session.stack(0).into_iter().filter_map(|frame| frame.function).collect::<Vec<_>>();
    assert!(names.iter().any(|name| &**name == "work"), "{names:?}");
}

/// gdb shows the thread that the kernel chose for SIGINT, the first.
#[test]
fn an_interrupted_step_shows_the_thread_that_steps() {
    let mut session = signalled(Kind::Native);
    session.break_at(on_mark(1, FILE, "WAITS"));
    assert_eq!(session.go(0).thread, HELPER);
    session.ok(&all(1), Operation::Step { kind: StepKind::Over, count: 1, context: Context::default() });
    assert_eq!(interrupted(&mut session).thread, HELPER);
    session.ok(&all(1), Operation::Go);
    assert_eq!(interrupted(&mut session).thread, FIRST);
}
