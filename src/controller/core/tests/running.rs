//! Commands while ranks run.

use super::*;
use model::{ErrorCode, Failure, SignalName};

#[test]
fn a_watchpoint_is_set_where_ranks_are_stopped() {
    let mut head = Head::stopped(true);
    head.event("2-3", Event::Running);
    head.told();
    head.execute("watch n");
    let (_, ranks, _) = head.asked();
    assert_eq!(ranks, "0-1");
    assert_eq!(head.told(), ["[2-3] no reply: still running (halt or wait first)"]);
    head.execute("[2-3] watch n");
    assert_eq!(head.told(), ["[2-3] error: still running (halt or wait first)", "done [] failed"]);
    assert!(head.sent().is_empty());
}

#[test]
fn wait_any_is_over_when_the_first_has_stopped() {
    let mut head = Head::stopped(true);
    head.execute("wait any");
    assert!(head.told().last().unwrap().contains("failed"), "nobody runs");
    head.event("1-3", Event::Running);
    head.told();
    head.execute("wait any");
    assert_eq!(head.told(), Vec::<String>::new(), "rank 0 is stopped, and was not waited for");
    head.event("2", Event::Stopped(stop(20)));
    assert_eq!(head.told().last().unwrap(), "done [2]");
    head.execute("wait any for 5");
    head.event("3", Event::Exited(0));
    assert_eq!(head.told().last().unwrap(), "done [3]");
    head.execute("wait any for 5");
    let deadline = head.controller.next_deadline().unwrap();
    head.until(deadline);
    assert_eq!(head.told(), ["[1] error: has not stopped within 5 s", "done [] failed"]);
}

#[test]
fn ranks_that_are_being_detached_are_not_killed() {
    let mut head = Head::stopped(false);
    head.execute("[0-1] detach");
    let (tid, ..) = head.asked();
    head.answer(tid, "0-1", "", Answer::Ok);
    head.told();
    head.execute("[all] kill");
    let (_, ranks, operation) = head.asked();
    assert_eq!((&*ranks, operation), ("2-3", Operation::Terminate));
    assert_eq!(head.told(), ["[0-1] not killed: being detached"]);
    head.event("2-3", Event::Killed(SignalName::parse("KILL").unwrap().into()));
    head.execute("quit");
    let quit = head.sent().pop();
    assert!(
        matches!(quit, Some(Request::Session { command: SessionCommand::Quit { kill: false }, .. })),
        "nothing is left to kill: {quit:?}"
    );

    // Once they have refused it, they are ours again.
    let mut head = Head::stopped(false);
    head.execute("[0] detach");
    let (tid, ..) = head.asked();
    head.answer(tid, "0", "", Answer::Failed(Failure::new(ErrorCode::DEBUGGER, "no")));
    head.execute("[all] kill");
    assert_eq!(head.asked().1, "0-3");

    let mut head = Head::stopped(false);
    head.execute("[all] detach");
    head.sent();
    head.execute("[all] kill");
    assert!(head.sent().is_empty());
    assert_eq!(head.told(), ["[0-3] not killed: being detached", "done []"]);
}
