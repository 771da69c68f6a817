use super::*;
use crate::ptp::{Ending, Era, RankEvent, Suspension};
use crate::{Packet, PacketCodec, Reply, SessionEvent};
use bytes::BytesMut;
use model::{
    Answer, CodePlace, Datum, Event, Frame, SignalName, SourcePlace, StopAt, Stream, ThreadId, VirtualAddress,
};
use tokio_util::codec::Decoder;

fn set(text: &str) -> ProcessSet {
    ProcessSet::parse(text).unwrap()
}

fn decode(text: &str) -> Packet {
    PacketCodec::default().decode(&mut BytesMut::from(text)).unwrap().unwrap()
}

fn frame(line: u32, offset: u64) -> Frame {
    Frame {
        level: 0,
        function: Some("work".into()),
        source: Some(SourcePlace { file: "ring.c".into(), line }),
        code: CodePlace { module: Some("ring".into()), offset, address: Some(VirtualAddress(offset)) },
        inlined: false,
        guessed: false,
        thread: None,
    }
}

fn stop(reason: StopReason) -> Event {
    Event::Stopped(Stop { reason, thread: ThreadId(1), frame: frame(17, 0x1197), note: None, cause: None, user: None })
}

fn site(offset: u64) -> Site {
    let Frame { function, source, code, .. } = frame(17, offset);
    Site { module: code.module, offset, address: code.address, function, source }
}

/// A session of four ranks with the messages for its client and its master.
struct Bench {
    session: BaseSession,
    said: Vec<String>,
    asked: Vec<Request>,
    closed: bool,
}

impl Bench {
    fn new() -> Self {
        Self { session: BaseSession::new(4), said: Vec::new(), asked: Vec::new(), closed: false }
    }

    fn started() -> Self {
        let mut bench = Self::new();
        bench.client("0000004b 0001:00000001:00000003 00000004:ring 00000009:/home/ada 00000009:/home/ada");
        let Some(Request::Session { tid, .. }) = bench.asked.pop() else { panic!("no launch") };
        bench.master(Reply::Session { tid, event: job(4) });
        bench.master(Reply::Event { tid, ranks: set("0-3"), event: stop(StopReason::Start) });
        assert_eq!(bench.said(), ["00000025 006f:00000001:00000001 00000004:4:0f"]);
        bench
    }

    fn take(&mut self, outcome: Outcome) {
        for (tid, event) in outcome.events {
            let packet = event.write(tid);
            assert_eq!(BaseEvent::parse(&packet, Era::Four).unwrap(), event);
            let mut bytes = BytesMut::new();
            packet.write(&mut bytes).unwrap();
            self.said.push(String::from_utf8(bytes.to_vec()).unwrap());
        }
        self.asked.extend(outcome.requests);
        self.closed |= outcome.close;
    }

    fn client(&mut self, text: &str) {
        let packet = decode(text);
        let outcome = self.session.command(packet.tid, &BaseCommand::parse(&packet).unwrap());
        self.take(outcome);
    }

    fn command(&mut self, tid: u32, ranks: &str, command: RankCommand) {
        let command = BaseCommand::Ranks(BaseSet::new(set(ranks), 4), command);
        let outcome = self.session.command(TransactionId(tid), &command);
        self.take(outcome);
    }

    fn master(&mut self, reply: Reply) {
        let outcome = self.session.reply(reply);
        self.take(outcome);
    }

    /// Returns the oldest request not answered yet.
    fn ask(&mut self) -> (TransactionId, ProcessSet, Operation) {
        match self.asked.remove(0) {
            Request::Ranks { tid, ranks, wait: PATIENCE, operation } => (tid, ranks, operation),
            other => panic!("{other:?}"),
        }
    }

    /// Answers the oldest request.
    fn answer(&mut self, answer: Answer) -> Operation {
        let (tid, ranks, operation) = self.ask();
        self.master(Reply::Answer { tid, ranks, missing: set(""), late: false, answer });
        operation
    }

    fn said(&mut self) -> Vec<String> {
        std::mem::take(&mut self.said)
    }

    /// Returns the only event, decoded.
    fn event(&mut self) -> (u32, BaseEvent) {
        let said = self.said();
        assert_eq!(said.len(), 1, "{said:?}");
        let packet = decode(&said[0]);
        (packet.tid.0, BaseEvent::parse(&packet, Era::Four).unwrap())
    }

    fn rank_event(&mut self) -> (u32, String, RankEvent) {
        match self.event() {
            (tid, BaseEvent::Ranks(set, event)) => (tid, set.ranks.to_string(), event),
            other => panic!("{other:?}"),
        }
    }

    fn error(&mut self) -> (u32, i32) {
        match self.rank_event() {
            (tid, _, RankEvent::Error { code, .. }) => (tid, code),
            other => panic!("{other:?}"),
        }
    }
}

fn job(size: u32) -> SessionEvent {
    SessionEvent::Session { session: "one".into(), size, hosts: vec![] }
}

#[test]
fn the_session_of_the_page() {
    let mut bench = Bench::new();
    bench.client("0000004b 0001:00000001:00000003 00000004:ring 00000009:/home/ada 00000009:/home/ada");
    let Some(Request::Session { tid, command: SessionCommand::Launch(LaunchPlan::Local { ranks, spec }) }) =
        bench.asked.pop()
    else {
        panic!("no launch");
    };
    assert_eq!((ranks, spec.program.as_str(), spec.stop_at), (4, "/home/ada/ring", StopAt::Main));
    assert_eq!(spec.directory.as_deref(), Some("/home/ada"));
    bench.master(Reply::Session { tid, event: job(4) });
    bench.master(Reply::Event { tid, ranks: set("0-2"), event: stop(StopReason::Start) });
    assert!(bench.said.is_empty());
    bench.master(Reply::Event { tid, ranks: set("3"), event: stop(StopReason::Start) });
    assert_eq!(bench.said(), ["00000025 006f:00000001:00000001 00000004:4:0f"]);

    bench.client(
        "0000007e 0003:00000002:00000009 00000004:4:0f 00000001:1 00000001:0 00000001:0 00000000: 00000004:work \
         00000000: 00000001:0 00000001:0",
    );
    let Operation::SetBreakpoint(request) = bench.answer(Answer::Breakpoint(BreakpointId(1), vec![site(0x1197)]))
    else {
        panic!("no breakpoint");
    };
    assert_eq!(request.point.to_string(), "work");
    assert_eq!(
        bench.said(),
        ["000000c1 0068:00000002:0000000c 00000004:4:0f 00000001:1 00000001:1 00000001:0 00000001:0 00000001:0 \
          0000000a:breakpoint 00000006:ring.c 00000004:work 00000012:0x0000000000001197 00000002:17 00000001:0"]
    );
    // The ranks of this test are stopped elsewhere: the first Go continues them.
    bench.session.stops.clear(&set("0-3"));
    bench.client("00000025 000a:00000003:00000001 00000004:4:0f");
    let tid = bench.asked.first().map(|request| match request {
        Request::Ranks { tid, .. } | Request::Session { tid, .. } => *tid,
    });
    assert_eq!(bench.answer(Answer::Ok), Operation::Go);
    assert_eq!(bench.said(), ["00000025 006f:00000003:00000001 00000004:4:0f"]);
    let tid = tid.unwrap();
    bench.master(Reply::Event { tid, ranks: set("0-3"), event: Event::Running });
    let event = stop(StopReason::Breakpoint(BreakpointId(1)));
    bench.master(Reply::Event { tid, ranks: set("0-3"), event });
    assert!(bench.said.is_empty());
    assert_eq!(bench.answer(Answer::Depth(2)), Operation::StackDepth(Some(ThreadId(1))));
    assert_eq!(
        bench.said(),
        ["0000005c 0071:00000003:00000006 00000004:4:0f 00000001:0 00000001:1 00000001:1 00000001:2 00000001:0"]
    );

    bench.client("00000030 0010:00000010:00000002 00000004:4:0f 00000001:p");
    bench.answer(Answer::Data(Datum {
        descriptor: "{point|x=is4,y=f8,tag=c;;;}".into(),
        data: model::aif::from_hex("0000000B400400000000000071").unwrap(),
        type_name: "struct point".into(),
    }));
    assert_eq!(
        bench.said(),
        ["0000008e 006a:00000010:00000005 00000004:4:0f 0000001b:{point|x=is4,y=f8,tag=c;;;} \
          0000001a:0000000B400400000000000071 0000000c:struct point 00000000:"]
    );

    bench.command(28, "0", RankCommand::EvaluateExpression { expression: "nosuchvar".into() });
    let words = "Unknown variable: \"nosuchvar\"";
    bench.answer(Answer::Failed(Failure::new(ErrorCode::UNKNOWN_VARIABLE, words)));
    assert_eq!(
        bench.said(),
        ["00000058 0070:0000001c:00000003 00000004:4:01 00000002:39 0000001d:Unknown variable: \"nosuchvar\""]
    );
    bench.client("00000017 0000:00000005:00000000");
    assert!(matches!(bench.asked.pop(), Some(Request::Session { command: SessionCommand::Quit { kill: true }, .. })));
    assert!(bench.closed);
}

#[test]
fn what_comes_too_early_or_twice_or_for_nobody_is_an_error() {
    let mut bench = Bench::new();
    bench.client("00000025 000a:00000003:00000001 00000004:4:0f");
    assert_eq!(bench.error(), (3, 8));
    let mut bench = Bench::started();
    bench.client("0000004b 0001:00000009:00000003 00000004:ring 00000009:/home/ada 00000009:/home/ada");
    assert_eq!(bench.error(), (9, 9));
    bench.command(10, "", RankCommand::Go);
    assert_eq!(bench.error(), (10, 36));
    bench.command(11, "0-3", RankCommand::Step { count: 1, kind: 7 });
    assert_eq!(bench.error(), (11, 3));
    bench.command(12, "0-3", RankCommand::DeletePartialExpression { key: "var9".into() });
    assert_eq!(bench.error(), (12, 3));
    assert!(bench.asked.is_empty());
}

#[test]
fn a_program_that_cannot_be_started_is_an_error_and_another_may_be_tried() {
    let mut bench = Bench::new();
    bench.client("0000004b 0001:00000001:00000003 00000004:ring 00000009:/home/ada 00000009:/home/ada");
    let Some(Request::Session { tid, .. }) = bench.asked.pop() else { panic!("no launch") };
    bench.master(Reply::Session { tid, event: SessionEvent::Failed("no such file: /home/ada/ring".into()) });
    let (client, ranks, RankEvent::Error { code: 4, message }) = bench.rank_event() else { panic!("no error") };
    assert_eq!((client, ranks.as_str(), message.as_str()), (1, "0-3", "no such file: /home/ada/ring"));
    // Another try, in which two ranks do not start; the others do.
    bench.client("0000004b 0001:00000002:00000003 00000004:ring 00000009:/home/ada 00000009:/home/ada");
    let Some(Request::Session { tid, .. }) = bench.asked.pop() else { panic!("no launch") };
    bench.master(Reply::Session { tid, event: job(4) });
    let event = |ranks, event| Reply::Event { tid: TransactionId(0), ranks: set(ranks), event };
    bench.master(event("0-1", Event::Lost("no memory".into())));
    assert!(bench.said.is_empty());
    bench.master(event("2-3", stop(StopReason::Start)));
    let said = bench.said();
    assert!(said[0].contains(" 0070:00000002:00000003 00000004:4:03 00000001:4 00000009:no memory"), "{said:?}");
    assert_eq!(said[1..], ["00000025 006f:00000002:00000001 00000004:4:0c"]);
}

#[test]
fn frames_and_threads_are_chosen_for_each_rank() {
    let mut bench = Bench::started();
    bench.command(2, "0-1", RankCommand::SetCurrentStackframe { level: 2 });
    bench.answer(Answer::Stack(vec![frame(30, 0x3000)]));
    assert_eq!(bench.rank_event(), (2, "0-1".into(), RankEvent::Ok));
    bench.command(3, "2", RankCommand::SetCurrentStackframe { level: 9 });
    bench.answer(Answer::Stack(vec![]));
    assert_eq!(bench.error(), (3, 24));
    bench.command(4, "1", RankCommand::SetThreadSelect { thread: 2 });
    bench.answer(Answer::Stack(vec![frame(5, 0x500)]));
    assert!(matches!(bench.rank_event(), (4, _, RankEvent::SetThreadSelect { thread: 2, frame: Some(_) })));
    bench.command(5, "0-3", RankCommand::ListLocalVariables);
    let mut contexts = Vec::new();
    for _ in 0..3 {
        let (_, ranks, Operation::Locals(context)) = bench.ask() else { panic!("no locals") };
        contexts.push((ranks.to_string(), context.thread.map(|thread| thread.0), context.frame));
    }
    contexts.sort();
    assert_eq!(contexts, [("0".into(), None, 2), ("1".into(), Some(2), 0), ("2-3".into(), None, 0)]);
    bench.master(Reply::Event { tid: TransactionId(0), ranks: set("0"), event: Event::Running });
    bench.command(6, "0", RankCommand::StackInfoDepth);
    assert_eq!(bench.ask().2, Operation::StackDepth(None));
    bench.command(7, "1", RankCommand::ListStackframes { low: 0, high: 0 });
    assert_eq!(bench.ask().2, Operation::Stack { thread: Some(ThreadId(2)), low: 0, high: None, most: None });
}

#[test]
fn answers_in_parts_and_those_that_never_come() {
    let mut bench = Bench::started();
    bench.command(2, "0-3", RankCommand::StackInfoDepth);
    let (tid, ..) = bench.ask();
    let part = |ranks, depth| Reply::Answer {
        tid,
        ranks: set(ranks),
        missing: set(""),
        late: false,
        answer: Answer::Depth(depth),
    };
    bench.master(part("0-1", 4));
    assert_eq!(bench.rank_event(), (2, "0-1".into(), RankEvent::StackInfoDepth { depth: 4 }));
    bench.master(part("1-2", 5));
    assert_eq!(bench.rank_event(), (2, "2".into(), RankEvent::StackInfoDepth { depth: 5 }));
    bench.master(Reply::Missing { tid, ranks: set("3") });
    assert_eq!(bench.error(), (2, 5));
    bench.master(part("3", 6));
    assert!(bench.said.is_empty());
    bench.master(Reply::Event { tid: TransactionId(0), ranks: set("3"), event: Event::Lost("host gone".into()) });
    assert_eq!(bench.error(), (0, 5));
}

#[test]
fn signals_are_handled_as_gdb_is_told() {
    let mut bench = Bench::started();
    bench.command(2, "0-3", RankCommand::Cli { text: "SIGUSR1 nostop noprint pass".into() });
    let (tid, ranks, operation) = bench.ask();
    let Operation::HandleSignal { name, stop, print, pass } = operation else { panic!("no signal") };
    assert_eq!((&*name.0, stop, print, pass), ("SIGUSR1", Some(false), Some(false), Some(true)));
    let mut table = SignalTable::default();
    let row = table.change(&name, stop, print, pass).unwrap().clone();
    bench.master(Reply::Answer { tid, ranks, missing: set(""), late: false, answer: Answer::Signals(vec![row]) });
    assert_eq!(bench.rank_event(), (2, "0-3".into(), RankEvent::Ok));
    for (tid, text) in [(3, "SIGUSR1 maybe"), (4, ""), (5, "NOSUCH stop")] {
        bench.command(tid, "0-3", RankCommand::Cli { text: text.into() });
        assert_eq!(bench.error().0, tid);
    }
    bench.command(6, "0-3", RankCommand::ListSignals { name: String::new() });
    assert_eq!(bench.ask().2, Operation::ListSignals(None));
}

#[test]
fn partial_expressions_have_keys() {
    let mut bench = Bench::started();
    let partial = |key: &str| RankCommand::EvaluatePartialExpression {
        expression: "n".into(),
        key: key.into(),
        list_children: false,
        express: false,
    };
    let number = || Answer::Data(Datum { descriptor: "is4".into(), data: vec![0, 0, 0, 3], type_name: "int".into() });
    bench.command(2, "0", partial(""));
    bench.answer(number());
    let (2, _, RankEvent::Data { key, data, .. }) = bench.rank_event() else { panic!("no data") };
    assert_eq!(data, "00000003");
    bench.command(3, "0", partial(&key));
    bench.answer(number());
    assert!(matches!(bench.rank_event(), (3, _, RankEvent::Data { key: again, .. }) if again == key));
    bench.command(6, "0", partial(&format!("{key}.x")));
    assert!(matches!(bench.ask().2, Operation::Evaluate { expression, .. } if expression == "(n).x"));
    bench.command(4, "0", RankCommand::DeletePartialExpression { key: key.clone() });
    assert_eq!(bench.rank_event(), (4, "0".into(), RankEvent::Ok));
    bench.command(5, "0", partial(&key));
    assert_eq!(bench.error(), (5, 39));
}

#[test]
fn a_command_line_goes_to_the_engine_and_its_text_comes_back() {
    let mut bench = Bench::started();
    bench.command(2, "0-3", RankCommand::Cli { text: "info registers rip".into() });
    let (tid, ranks, operation) = bench.ask();
    assert_eq!((ranks, operation), (set("0-3"), Operation::Engine("info registers rip".into())));
    let part = |ranks, answer| Reply::Answer { tid, ranks: set(ranks), missing: set(""), late: false, answer };
    bench.master(part("0-2", Answer::Text("rip 0x1197".into())));
    bench.master(part("3", Answer::Text(String::new())));
    let said: Vec<u16> = bench.said().iter().map(|text| decode(text).id).collect();
    assert_eq!(said, [110, 111, 111], "the text comes before the OK");
    bench.command(3, "0", RankCommand::Cli { text: "frobnicate".into() });
    bench.answer(Answer::Failed(Failure::new(ErrorCode::DEBUGGER, "Undefined command")));
    assert_eq!(bench.error(), (3, 4));
}

#[test]
fn a_suspend_names_the_partial_expressions_whose_values_changed() {
    let mut bench = Bench::started();
    let int = |n: u8| Answer::Data(Datum { descriptor: "is4".into(), data: vec![0, 0, 0, n], type_name: "int".into() });
    let mut keys = Vec::new();
    for (tid, expression) in [(2, "n"), (3, "m"), (4, "next()")] {
        let (key, expression) = (String::new(), expression.to_owned());
        let command = RankCommand::EvaluatePartialExpression { expression, key, list_children: false, express: false };
        bench.command(tid, "0-3", command);
        bench.answer(int(1));
        let (_, _, RankEvent::Data { key, .. }) = bench.rank_event() else { panic!("no data") };
        keys.push(key);
    }
    bench.command(5, "0-3", RankCommand::Go);
    let (go, ranks, _) = bench.ask();
    bench.master(Reply::Answer { tid: go, ranks, missing: set(""), late: false, answer: Answer::Ok });
    bench.said();
    bench.master(Reply::Event { tid: go, ranks: set("0-3"), event: Event::Running });
    bench.master(Reply::Event { tid: go, ranks: set("0-3"), event: stop(StopReason::Step) });
    bench.answer(Answer::Depth(2));
    assert!(bench.said.is_empty(), "the values are compared first");
    let (first, ranks, operation) = bench.ask();
    let Operation::Evaluate { context, expression } = operation else { panic!("{operation:?}") };
    assert_eq!((ranks, expression.as_str(), context.thread), (set("0-3"), "n", Some(ThreadId(1))));
    let (second, _, operation) = bench.ask();
    assert!(matches!(operation, Operation::Evaluate { expression, .. } if expression == "m"));
    assert!(bench.asked.is_empty(), "calling next() again could change the program");
    let part = |tid, ranks, missing, answer| Reply::Answer {
        tid,
        ranks: set(ranks),
        missing: set(missing),
        late: false,
        answer,
    };
    bench.master(part(first, "0-1", "", int(7)));
    bench.master(part(second, "0-3", "", int(1)));
    let changed = |bench: &mut Bench| match bench.rank_event() {
        (5, ranks, RankEvent::Suspend { depth: 2, changed, .. }) => (ranks, changed),
        other => panic!("{other:?}"),
    };
    assert_eq!(changed(&mut bench), ("0-1".to_owned(), vec![keys[0].clone()]), "a slow rank holds up no other");
    bench.master(part(first, "2", "3", int(1)));
    let said = bench.said();
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said.iter().all(|text| text.ends_with(" 00000001:0")), "no changes, and no value of rank 3: {said:?}");
    // The next stop compares with this one, and a deleted key with nothing.
    bench.command(6, "0-3", RankCommand::DeletePartialExpression { key: keys[1].clone() });
    bench.command(7, "0-3", RankCommand::DeletePartialExpression { key: keys[2].clone() });
    bench.said();
    bench.master(Reply::Event { tid: go, ranks: set("0"), event: stop(StopReason::Step) });
    bench.answer(Answer::Depth(2));
    bench.answer(int(7));
    assert_eq!(changed(&mut bench), ("0".to_owned(), vec![]));
}

mod properties;
mod running;
