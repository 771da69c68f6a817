use super::*;

#[test]
fn the_first_go_arrives_at_a_breakpoint_where_the_program_stands() {
    let mut bench = Bench::started();
    let breakpoint = |id, temporary, condition: &str| RankCommand::SetFunctionBreakpoint {
        id,
        temporary,
        hardware: false,
        file: String::new(),
        function: "work".into(),
        condition: condition.into(),
        ignore_count: 0,
        thread: 0,
    };
    bench.command(2, "0-1", breakpoint(1, true, ""));
    bench.answer(Answer::Breakpoint(BreakpointId(1), vec![site(0x1197)]));
    assert!(matches!(bench.rank_event(), (2, _, RankEvent::Ok)));
    bench.command(3, "2", breakpoint(2, false, "n > 3"));
    bench.answer(Answer::Breakpoint(BreakpointId(2), vec![site(0x1197)]));
    bench.said();
    bench.command(4, "0-3", RankCommand::Go);
    assert_eq!(bench.rank_event(), (4, "0-1".into(), RankEvent::Ok));
    assert_eq!(bench.answer(Answer::Ok), Operation::DeleteBreakpoint(BreakpointId(1)));
    assert!(bench.said.is_empty());
    assert_eq!(bench.answer(Answer::Depth(1)), Operation::StackDepth(Some(ThreadId(1))));
    let (4, ranks, RankEvent::Suspend { reason: Suspension::Interrupt(Some(_)), depth: 1, .. }) = bench.rank_event()
    else {
        panic!("no stop");
    };
    assert_eq!(ranks, "0-1");
    let (_, ranks, operation) = bench.ask();
    assert_eq!((ranks, operation), (set("2-3"), Operation::Go));
    // The second Go continues all of them.
    bench.command(5, "0-1", RankCommand::Go);
    assert_eq!(bench.ask().2, Operation::Go);
}

#[test]
fn reasons_of_stops() {
    let mut bench = Bench::started();
    bench.command(
        2,
        "0-3",
        RankCommand::SetLineBreakpoint {
            id: 5,
            temporary: true,
            hardware: false,
            file: "ring.c".into(),
            line: 20,
            condition: String::new(),
            ignore_count: 0,
            thread: 0,
        },
    );
    bench.answer(Answer::Breakpoint(BreakpointId(5), vec![site(0x2000)]));
    bench.command(3, "0-3", RankCommand::Go);
    let (go, ranks, _) = bench.ask();
    bench.master(Reply::Answer { tid: go, ranks, missing: set(""), late: false, answer: Answer::Ok });
    bench.said();
    let mut reason = |stopped: StopReason| {
        bench.master(Reply::Event { tid: go, ranks: set("1"), event: Event::Running });
        bench.master(Reply::Event { tid: go, ranks: set("1"), event: stop(stopped) });
        bench.answer(Answer::Depth(3));
        match bench.rank_event() {
            (3, _, RankEvent::Suspend { reason, thread: 1, depth: 3, .. }) => reason,
            other => panic!("{other:?}"),
        }
    };
    assert!(matches!(reason(StopReason::Breakpoint(BreakpointId(5))), Suspension::Interrupt(Some(_))));
    assert_eq!(reason(StopReason::Breakpoint(BreakpointId(6))), Suspension::Breakpoint(6));
    assert!(matches!(reason(StopReason::Step), Suspension::Step(Some(_))));
    assert!(matches!(reason(StopReason::Finished(None)), Suspension::Step(Some(_))));
    let Suspension::Signal(Some(signal), Some(frame)) = reason(StopReason::Interrupted) else { panic!("no signal") };
    assert_eq!((signal.name.as_str(), signal.pass), ("SIGINT", false));
    assert_eq!(frame.location.unwrap().line, 17);
    let Suspension::Signal(Some(signal), _) = reason(StopReason::Signal(SignalName("SIGSEGV".into()))) else {
        panic!("no signal");
    };
    assert_eq!(signal.description, "Segmentation fault");
}

#[test]
fn an_interrupt_has_no_ok_and_ranks_that_stand_say_so_again() {
    let mut bench = Bench::started();
    bench.command(2, "0-1", RankCommand::Go);
    let (go, ranks, _) = bench.ask();
    bench.master(Reply::Event { tid: go, ranks, event: Event::Running });
    bench.command(3, "0-3", RankCommand::Interrupt);
    assert_eq!(bench.answer(Answer::Depth(1)), Operation::StackDepth(Some(ThreadId(1))));
    let (3, ranks, RankEvent::Suspend { reason: Suspension::Signal(..), .. }) = bench.rank_event() else {
        panic!("no stop");
    };
    assert_eq!(ranks, "2-3");
    let (tid, ranks, operation) = bench.ask();
    assert_eq!((&ranks, operation), (&set("0-1"), Operation::Interrupt));
    bench.master(Reply::Answer { tid, ranks: ranks.clone(), missing: set(""), late: false, answer: Answer::Ok });
    assert!(bench.said.is_empty());
    bench.master(Reply::Event { tid, ranks, event: stop(StopReason::Interrupted) });
    bench.answer(Answer::Depth(1));
    assert!(matches!(bench.rank_event(), (3, _, RankEvent::Suspend { reason: Suspension::Signal(..), .. })));
}

#[test]
fn an_ok_comes_before_what_follows_the_command() {
    let mut bench = Bench::started();
    bench.command(2, "0-3", RankCommand::Go);
    let (tid, ranks, _) = bench.ask();
    let output = |ranks| Reply::Event { tid, ranks: set(ranks), event: Event::Output(Stream::Stdout, "x".into()) };
    bench.master(output("0"));
    bench.master(output("0-1"));
    bench.master(Reply::Event { tid, ranks: set("1"), event: Event::Exited(0) });
    bench.master(Reply::Answer { tid, ranks, missing: set(""), late: false, answer: Answer::Ok });
    bench.master(output("2"));
    let said: Vec<_> = bench.said().iter().map(|text| (decode(text).id, text[41..45].to_owned())).collect();
    let expected =
        [(111, "4:01"), (110, "4:01"), (111, "4:02"), (110, "4:03"), (102, "4:02"), (111, "4:0c"), (110, "4:04")];
    assert_eq!(said, expected.map(|(id, set)| (id, set.to_owned())));
}

#[test]
fn output_and_ends_bear_the_transaction_of_the_go() {
    let mut bench = Bench::started();
    bench.command(0x1c, "0-3", RankCommand::Go);
    let (tid, ranks, _) = bench.ask();
    bench.master(Reply::Answer { tid, ranks, missing: set(""), late: false, answer: Answer::Ok });
    bench.said();
    bench.master(Reply::Event { tid, ranks: set("2"), event: Event::Output(Stream::Stdout, "it 0\n".into()) });
    assert_eq!(bench.rank_event(), (0x1c, "2".into(), RankEvent::Output { text: "it 0\n".into() }));
    bench.master(Reply::Event { tid, ranks: set("2"), event: Event::Exited(3) });
    assert_eq!(bench.rank_event(), (0x1c, "2".into(), RankEvent::Exit { reason: Ending::Exit(3) }));
    bench.master(Reply::Event { tid, ranks: set("0"), event: Event::Killed(SignalName("SIGKILL".into()).into()) });
    let (_, _, RankEvent::Exit { reason: Ending::Signal(Some(signal)) }) = bench.rank_event() else {
        panic!("no end");
    };
    assert_eq!(signal.name, "SIGKILL");
    bench.master(Reply::Session { tid: TransactionId(0), event: SessionEvent::Ended });
    assert!(bench.closed);
}

#[test]
fn a_hardware_breakpoint_is_asked_for_and_called_one() {
    let mut bench = Bench::started();
    let command = RankCommand::SetFunctionBreakpoint {
        id: 1,
        temporary: false,
        hardware: true,
        file: String::new(),
        function: "work".into(),
        condition: String::new(),
        ignore_count: 0,
        thread: 0,
    };
    bench.command(2, "0-3", command);
    let Operation::SetBreakpoint(request) = bench.answer(Answer::Breakpoint(BreakpointId(1), vec![site(0x1197)]))
    else {
        panic!("no breakpoint");
    };
    assert!(request.hardware);
    let (_, _, RankEvent::BreakpointSet { breakpoint: Some(set), .. }) = bench.rank_event() else { panic!("not set") };
    assert_eq!((set.kind.as_str(), set.special), ("hw breakpoint", true));
}
