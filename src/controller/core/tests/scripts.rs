//! Scripts: commands that run by themselves, loops, and what becomes of them.

use super::*;
use model::{Breakpoint, BreakpointRequest, LocationSpec};

fn at_breakpoint() -> Event {
    Event::Stopped(Stop { reason: StopReason::Breakpoint(BreakpointId(1)), ..stop(20) })
}

/// Four running ranks that have a breakpoint with these commands.
fn with_commands(commands: &str) -> Head {
    let mut head = Head::stopped(true);
    let place = LocationSpec::parse("kernel").unwrap();
    let request = BreakpointRequest::at(BreakpointId(1), place);
    head.controller.core.state.breakpoints.insert(BreakpointId(1), Breakpoint::asked(request, set("0-3")));
    head.execute(&format!("commands 1\n{commands}\nend"));
    head.execute("go");
    let (tid, ..) = head.asked();
    head.answer(tid, "0-3", "", Answer::Ok);
    head.event("0-3", Event::Running);
    head.told();
    head
}

#[test]
fn commands_run_once_for_the_ranks_that_stop_together() {
    let mut head = with_commands("printf \"here\\n\"");
    head.event("0-1", at_breakpoint());
    assert!(head.told().iter().all(|line| !line.contains("here")), "others may join");
    head.event("3", at_breakpoint());
    let deadline = head.controller.next_deadline().unwrap();
    head.until(deadline);
    assert_eq!(head.told().iter().filter(|line| line.contains("here")).collect::<Vec<_>>(), ["[0-1,3] here"]);
    // No rank can join the last one.
    head.event("2", at_breakpoint());
    assert!(head.told().contains(&"[2] here".to_owned()));
}

#[test]
fn silent_commands_that_continue_report_nothing_and_end_there() {
    let mut head = with_commands("silent\ngo\nprint never");
    head.execute("wait");
    head.event("0-3", at_breakpoint());
    let (tid, ranks, operation) = head.asked();
    assert_eq!((ranks.as_str(), operation), ("0-3", Operation::Go));
    head.answer(tid, "0-3", "", Answer::Ok);
    head.event("0-3", Event::Running);
    assert!(head.sent().is_empty());
    assert!(head.told().iter().all(|line| line.starts_with("done")), "no report, and the wait goes on");
    head.event("0-3", Event::Stopped(stop(30)));
    assert!(head.told().contains(&"done [0-3]".to_owned()), "the wait has ended");
}

#[test]
fn a_wait_ends_after_the_commands_of_the_stop() {
    let mut head = with_commands("print n");
    head.execute("wait");
    head.event("0-3", at_breakpoint());
    let (tid, ranks, _) = head.asked();
    assert_eq!(ranks, "0-3");
    assert!(!head.told().iter().any(|line| line.starts_with("done")));
    head.answer(tid, "0-3", "", Answer::Data(datum(7)));
    assert_eq!(head.told(), ["[0-3] n = 7", "done [0-3]", "done []", "done [0-3]"]);
}

#[test]
fn a_set_in_front_is_the_focus_of_the_lines_inside() {
    let mut head = Head::stopped(true);
    head.execute("[1-2] if 1\n  print n\n  [0] print m\nend");
    let (tid, ranks, _) = head.asked();
    assert_eq!(ranks, "1-2");
    head.answer(tid, "1-2", "", Answer::Data(datum(1)));
    let (_, ranks, _) = head.asked();
    assert_eq!(ranks, "0");
}

#[test]
fn a_loop_gives_its_owner_a_turn_after_each_round_and_ends_on_halt() {
    let mut head = Head::stopped(false);
    head.execute("while 1\n  printf \"round\\n\"\nend");
    let rounds = |head: &mut Head| head.told().iter().filter(|line| line.contains("round")).count();
    for _ in 0..3 {
        assert_eq!(rounds(&mut head), 1);
        assert_eq!(head.controller.next_deadline(), Some(head.clock.now()));
        head.controller.tick();
    }
    rounds(&mut head);
    head.execute("halt");
    assert_eq!(rounds(&mut head), 0);
    head.controller.tick();
    assert_eq!(rounds(&mut head), 0);
    assert_eq!(head.controller.state().busy, 1, "only the halt waits");
}

#[test]
fn a_condition_that_a_rank_cannot_evaluate_runs_neither_part() {
    let mut head = Head::stopped(true);
    head.execute("if any {x}\n  echo yes\\n\nelse\n  echo no\\n\nend");
    let (tid, ..) = head.asked();
    head.answer(tid, "0-2", "", Answer::Data(datum(1)));
    head.answer(tid, "3", "", Answer::Failed(model::Failure::new(model::ErrorCode::DEBUGGER, "optimised out")));
    let told = head.told();
    assert_eq!(told.last().map(String::as_str), Some("done [0-3] failed"));
    assert!(!told.iter().any(|line| line == "yes" || line == "no"), "{told:?}");
}

/// Ranks 0 and 1 of a loop have been continued, and 2 and 3 are stopped.
fn divided(batch: bool) -> Head {
    let mut head = Head::stopped(batch);
    head.execute("while n < 2\ncontinue\nend");
    let (tid, ..) = head.asked();
    head.answer(tid, "0-1", "", Answer::Data(datum(1)));
    head.answer(tid, "2-3", "", Answer::Data(datum(0)));
    let (tid, ranks, operation) = head.asked();
    assert_eq!((ranks.as_str(), operation), ("0-1", Operation::Go));
    head.answer(tid, "0-1", "", Answer::Ok);
    head.event("0-1", Event::Running);
    head.told();
    head
}

#[test]
fn a_script_that_waits_for_some_while_others_are_stopped_says_so_once() {
    let mut head = divided(false);
    let first = head.controller.next_deadline().unwrap();
    head.clock.advance(Duration::from_secs(2));
    head.event("0", Event::Output(model::Stream::Stdout, "news\n".into()));
    head.told();
    head.until(first);
    assert_eq!(head.told(), Vec::<String>::new(), "something has happened");
    let second = head.controller.next_deadline().unwrap();
    assert!(second > first);
    head.until(second);
    let expected = "[0-1] running, not stopped yet, while ranks 2-3 are stopped; ctrl-c halts them, then \"why\" says what \
                    they wait for";
    assert_eq!(head.told(), [expected]);
    assert_eq!(head.controller.awaited_ranks(), set("0-1"));
    head.event("0", Event::Output(model::Stream::Stdout, "more\n".into()));
    head.told();
    head.clock.advance(Duration::from_secs(60));
    head.controller.tick();
    assert_eq!(head.told(), Vec::<String>::new(), "once");
}

#[test]
fn a_script_says_what_to_type_where_it_stands_still() {
    let mut head = divided(true);
    head.clock.advance(Duration::from_secs(60));
    head.controller.tick();
    let told = head.told().concat();
    let words = "[0-1] running, not stopped yet, while ranks 2-3 are stopped, which they may wait for in MPI: \
                 \"[2-3] go\" before \"continue\" (line 2) continues them";
    assert!(told.starts_with(words), "{told}");
    head.clock.advance(Duration::from_secs(60));
    head.controller.tick();
    assert_eq!(head.told(), Vec::<String>::new(), "once");
    for (line, way) in [
        ("continue", "\"go\" and \"wait any\" in place of \"continue\""),
        ("next", "after \"next\", the script goes on without the running ones (setting step-patience)"),
        ("wait", "\"wait any\" in place of \"wait\""),
    ] {
        let mut head = Head::stopped(true);
        let is_wait = line == "wait";
        head.execute(if is_wait { "go" } else { line });
        let (tid, ..) = head.asked();
        head.answer(tid, "0-3", "", Answer::Ok);
        head.event("0-3", Event::Running);
        if is_wait {
            head.execute(line);
        }
        head.event("1-3", Event::Stopped(stop(12)));
        head.told();
        head.clock.advance(Duration::from_secs(4));
        head.controller.tick();
        let told = head.told().concat();
        assert!(told.contains("[0] running, not stopped yet, while ranks 1-3 are stopped"), "{line}: {told}");
        assert!(told.contains(way), "{line}: {told}");
    }
}

#[test]
fn a_step_of_a_script_is_done_when_its_ranks_have_stopped() {
    for (batch, told) in [(true, 0), (false, 1)] {
        let mut head = Head::stopped(batch);
        head.execute("next");
        let (tid, ..) = head.asked();
        head.answer(tid, "0-3", "", Answer::Ok);
        assert_eq!(head.told().len(), told);
        head.event("0-3", Event::Running);
        head.event("0-2", Event::Stopped(stop(13)));
        head.told();
        if batch {
            let quiet = head.controller.next_deadline().unwrap();
            head.until(quiet);
            assert!(head.told().concat().starts_with("[3] running, not stopped yet, while ranks 0-2 are stopped"));
            let deadline = head.controller.next_deadline().unwrap();
            head.until(deadline);
            assert_eq!(head.told(), ["[3] missing: still running: use \"wait\" to wait until it stops", "done [0-2]"]);
        }
    }
}

#[test]
fn a_script_that_waits_for_all_is_silent() {
    let mut head = Head::stopped(false);
    head.execute("if 1\ncontinue\nend");
    let (tid, ..) = head.asked();
    head.answer(tid, "0-3", "", Answer::Ok);
    head.event("0-3", Event::Running);
    head.told();
    head.clock.advance(Duration::from_secs(60));
    head.controller.tick();
    assert_eq!(head.told(), Vec::<String>::new());
}
