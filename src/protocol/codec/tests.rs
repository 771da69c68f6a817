mod starting;

use super::*;
use crate::{AttachTarget, JobRank, LaunchPlan, ServerIndex};
use bytes::{Bytes, BytesMut};
use model::{
    BreakpointId, Cause, CauseKind, CodePlace, Context, Datum, Event, Failure, Frame, LaunchSpec, ProcessSet, Rank,
    RegisterValue, Returned, SourcePlace, Stop, StopReason, ThreadId, ThreadsAnswer, Variable, VariableValue,
    VirtualAddress, Watched,
};
use proptest::prelude::*;

fn ranks(text: &str) -> ProcessSet {
    ProcessSet::parse(text).unwrap()
}

fn spell(packet: &Packet) -> String {
    let mut bytes = BytesMut::new();
    packet.write(&mut bytes).unwrap();
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn ask(operation: Operation) -> Request {
    Request::Ranks { tid: TransactionId(7), ranks: ranks("0-3"), wait: WaitPolicy::Within(500), operation }
}

fn down() -> Vec<TreeDown> {
    let spec =
        LaunchSpec { program: "ring".into(), arguments: vec![String::new(), "a b".into()], ..Default::default() };
    let attach = LaunchPlan::Attach { target: AttachTarget::SlurmJob("7.0".into()), spec: spec.clone() };
    let plan = LaunchPlan::Joined { command: vec!["mpirun".into(), "{join}".into()], spec: spec.clone() };
    vec![
        TreeDown::Request(ask(Operation::Go)),
        TreeDown::Request(ask(Operation::Stack { thread: None, low: 0, high: Some(3), most: None })),
        TreeDown::Request(Request::Session { tid: TransactionId(1), command: SessionCommand::Launch(plan) }),
        TreeDown::Request(Request::Session { tid: TransactionId(2), command: SessionCommand::Launch(attach) }),
        TreeDown::Launch { server: ServerIndex(2), first: Rank(8), count: 4, size: 12, spec: spec.clone() },
        TreeDown::OpenCores {
            server: ServerIndex(1),
            cores: vec![(Rank(3), "/d/core.3".into())],
            size: 4,
            spec: spec.clone(),
        },
        TreeDown::Attach { server: ServerIndex(1), processes: vec![(Rank(3), 77)], size: 4, held: true, spec },
        TreeDown::Children { server: ServerIndex(0), children: vec![(ServerIndex(2), "[fd00::1]:4000".into())] },
        TreeDown::Ancestors { server: ServerIndex(2), path: vec![(ServerIndex(0), "node1:4000".into())] },
        TreeDown::Shutdown { kill: true },
        TreeDown::OutputTaken(1 << 40),
    ]
}

fn up() -> Vec<TreeUp> {
    let tid = TransactionId(7);
    vec![
        TreeUp::Reply(Reply::Answer {
            tid,
            ranks: ranks("0-2"),
            missing: ranks("3"),
            late: false,
            answer: Answer::Depth(4),
        }),
        TreeUp::Reply(Reply::Missing { tid, ranks: ranks("3") }),
        TreeUp::Reply(Reply::Event { tid, ranks: ranks("0,2,4"), event: Event::Exited(-1) }),
        TreeUp::Reply(Reply::Session { tid, event: SessionEvent::LauncherOutput("it 0\n".into()) }),
        TreeUp::Here { server: ServerIndex(0), host: "n".into(), address: "n:1".into(), ranks: ranks("") },
        TreeUp::Acquired {
            server: ServerIndex(0),
            ranks: vec![JobRank { rank: Rank(0), host: "n".into(), pid: 17 }],
            size: 1,
        },
        TreeUp::LaunchFailed { server: ServerIndex(0), message: "no such file".into() },
        TreeUp::ServerLost { server: ServerIndex(0), message: String::new() },
        TreeUp::Down,
    ]
}

#[test]
fn every_message_reads_back_and_is_in_the_table() {
    let mut seen = vec![HELLO.id];
    for message in down() {
        let packet = message.to_packet();
        assert_eq!(TreeDown::from_packet(&packet).unwrap(), message);
        seen.push(packet.id);
    }
    for message in up() {
        let packet = message.to_packet();
        assert_eq!(TreeUp::from_packet(&packet).unwrap(), message);
        seen.push(packet.id);
    }
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen, EXTENSIONS.iter().map(|row| row.id).collect::<Vec<_>>());
    assert!(EXTENSIONS.iter().all(|row| row.id >= FIRST_EXTENSION && row.id <= HIGHEST_EXTENSION));
}

#[test]
fn messages_are_spelt_like_this() {
    assert_eq!(
        spell(&ask(Operation::Go).to_packet()),
        "0000003f 0208:00000007:00000003 00000003:0-3 00000003:500 00000004:\"Go\""
    );
    let threads = vec![ThreadId(3), ThreadId(2), ThreadId(1)];
    let many = Operation::EachThread { threads, operation: Box::new(Operation::StackDepth(None)) };
    assert_eq!(
        spell(&ask(many).to_packet()),
        "0000007d 0208:00000007:00000003 00000003:0-3 00000003:500 00000042:{\"EachThread\":{\"threads\":[3,2,1],\"operation\":{\"StackDepth\":null}}}"
    );
    assert_eq!(
        spell(&up()[0].to_packet()),
        "0000004f 0210:00000007:00000004 00000003:0-2 00000001:3 00000001:0 0000000b:{\"Depth\":4}"
    );
    let datum = Datum { descriptor: "is1".into(), data: b"A".to_vec(), type_name: "char".into() };
    let value = Reply::Answer {
        tid: TransactionId(5),
        ranks: ranks("0-2"),
        missing: ranks("3"),
        late: false,
        answer: Answer::Data(datum),
    };
    assert_eq!(
        spell(&value.to_packet()),
        "0000008c 0210:00000005:00000005 00000003:0-2 00000001:3 00000001:0 0000003a:{\"Data\":{\"descriptor\":\"is1\",\"data\":\"\",\"type_name\":\"char\"}} 00000004:1:A,"
    );
    assert_eq!(spell(&TreeDown::Shutdown { kill: true }.to_packet()), "00000022 0222:00000000:00000001 00000001:1");
}

fn question() -> impl Strategy<Value = Operation> {
    let context = (proptest::option::of(any::<u32>()), any::<u32>())
        .prop_map(|(thread, frame)| Context { thread: thread.map(ThreadId), frame });
    prop_oneof![
        (any::<u32>(), proptest::option::of(any::<u32>())).prop_map(|(low, high)| Operation::Stack {
            thread: None,
            low,
            high,
            most: None
        }),
        context.clone().prop_map(Operation::Locals),
        (context, proptest::collection::vec(".{0,6}", 0..3))
            .prop_map(|(context, names)| Operation::Registers(context, names)),
    ]
}

fn threads() -> impl Strategy<Value = Vec<ThreadId>> {
    proptest::collection::vec(any::<u32>().prop_map(ThreadId), 0..20)
}

fn said() -> impl Strategy<Value = ThreadsAnswer> {
    let frame = |(level, function, offset): (u32, Option<String>, u64)| Frame {
        level,
        function: function.map(Into::into),
        source: Some(SourcePlace { file: "/src/a b.c".into(), line: level }),
        code: CodePlace { module: None, offset, address: Some(VirtualAddress(offset)) },
        inlined: level == 0,
        guessed: false,
        thread: None,
    };
    let frames = proptest::collection::vec((any::<u32>(), proptest::option::of(".{0,9}"), any::<u64>()), 0..4);
    let answer = prop_oneof![
        frames.prop_map(move |frames| Answer::Stack(frames.into_iter().map(frame).collect())),
        ".{0,20}".prop_map(|words| Answer::Failed(Failure::new(ErrorCode::DEBUGGER, words))),
        any::<u32>().prop_map(Answer::Depth),
    ];
    (threads(), answer).prop_map(|(threads, answer)| ThreadsAnswer { threads, answer })
}

proptest! {
    #[test]
    fn questions_to_many_threads_and_their_answers_read_back(
        threads in threads(), question in question(), said in proptest::collection::vec(said(), 0..5),
    ) {
        let down = TreeDown::Request(ask(Operation::EachThread { threads, operation: Box::new(question) }));
        prop_assert_eq!(TreeDown::from_packet(&down.to_packet()).unwrap(), down);
        let (ranks, missing, answer) = (ranks("0-2"), ranks("3"), Answer::EachThread(said));
        let up = TreeUp::Reply(Reply::Answer { tid: TransactionId(7), ranks, missing, late: false, answer });
        prop_assert_eq!(TreeUp::from_packet(&up.to_packet()).unwrap(), up);
    }
}

fn datum() -> impl Strategy<Value = Datum> {
    let data = proptest::collection::vec(any::<u8>(), 0..40);
    (".{0,9}", data, ".{0,9}").prop_map(|(descriptor, data, type_name)| Datum { descriptor, data, type_name })
}

/// Generates every answer that has byte strings.
fn with_bytes() -> impl Strategy<Value = Answer> {
    let variable = (".{0,5}", proptest::option::of(datum())).prop_map(|(name, datum)| {
        let unknown = || VariableValue::Unknown { why: "optimized out".into(), type_name: "int".into() };
        Variable { name, value: datum.map_or_else(unknown, VariableValue::Known) }
    });
    let register = (".{0,5}", datum()).prop_map(|(name, value)| RegisterValue { name, value });
    let one = prop_oneof![
        datum().prop_map(Answer::Data),
        proptest::collection::vec(variable, 0..5).prop_map(Answer::Variables),
        proptest::collection::vec(register, 0..5).prop_map(Answer::Registers),
        (any::<u64>(), proptest::collection::vec(any::<u8>(), 0..99))
            .prop_map(|(address, bytes)| Answer::Memory(VirtualAddress(address), bytes)),
    ];
    let said = one.clone().prop_map(|answer| ThreadsAnswer { threads: vec![ThreadId(2)], answer });
    prop_oneof![one, proptest::collection::vec(said, 0..4).prop_map(Answer::EachThread)]
}

fn stop_with_value() -> impl Strategy<Value = Event> {
    let frame = Frame {
        level: 0,
        function: None,
        source: None,
        code: CodePlace { module: None, offset: 1, address: None },
        inlined: false,
        guessed: false,
        thread: None,
    };
    let changed = (proptest::option::of(datum()), proptest::option::of(datum()))
        .prop_map(|(old, new)| StopReason::Watchpoint(BreakpointId(1), Watched::Changed { old, new }));
    let accessed = datum().prop_map(|value| StopReason::Watchpoint(BreakpointId(1), Watched::Accessed { value }));
    let finished = proptest::option::of((datum(), proptest::option::of(1u32..9)))
        .prop_map(|returned| StopReason::Finished(returned.map(|(value, number)| Returned { value, number })));
    let cause = proptest::option::of(".{0,9}").prop_map(|text| {
        let source = Some(SourcePlace { file: "ring.c".into(), line: 7 });
        text.map(|text| Box::new(Cause { kind: CauseKind::Assert, text, source }))
    });
    (prop_oneof![changed, accessed, finished], cause).prop_map(move |(reason, cause)| {
        Event::Stopped(Stop { reason, thread: ThreadId(1), frame: frame.clone(), note: None, cause, user: None })
    })
}

proptest! {
    #[test]
    fn bytes_of_values_read_back(answer in with_bytes(), event in stop_with_value(), data in proptest::collection::vec(any::<u8>(), 0..99)) {
        let (tid, asked) = (TransactionId(7), ranks("0-2"));
        let answer = Reply::Answer { tid, ranks: asked.clone(), missing: ranks(""), late: false, answer };
        prop_assert_eq!(Reply::from_packet(&answer.to_packet()).unwrap(), answer);
        let event = Reply::Event { tid, ranks: asked, event };
        prop_assert_eq!(Reply::from_packet(&event.to_packet()).unwrap(), event);
        let write = ask(Operation::WriteMemory { context: Context::default(), address: "p".into(), offset: 0, data });
        prop_assert_eq!(Request::from_packet(&write.to_packet()).unwrap(), write);
    }
}

#[test]
fn bytes_of_values_travel_as_they_are() {
    const SIZE: usize = 64 << 10;
    let data = vec![0xa5; SIZE];
    let datum = Datum { descriptor: "[r0,65535is4]c".into(), data: data.clone(), type_name: "char [65536]".into() };
    for answer in [Answer::Data(datum), Answer::Memory(VirtualAddress(1 << 40), data)] {
        let (tid, word) = (TransactionId(7), format!("{:.20?}", answer));
        let reply = Reply::Answer { tid, ranks: ranks("0"), missing: ranks(""), late: false, answer };
        let mut wire = BytesMut::new();
        reply.to_packet().write(&mut wire).unwrap();
        assert!(wire.len() < SIZE + 300, "{word}: {} bytes for {SIZE}", wire.len());
    }
}

#[test]
fn bytes_that_do_not_fit_their_values_are_errors_that_name_the_field() {
    let datum = Datum { descriptor: "is4".into(), data: vec![0, 0, 0, 7], type_name: "int".into() };
    let (tid, answer) = (TransactionId(7), Answer::Data(datum));
    let good = Reply::Answer { tid, ranks: ranks("0"), missing: ranks(""), late: false, answer }.to_packet();
    for wrong in [&b""[..], b"4:abc,", b"4:abcd", b"4:abcd,0:,", b"04:abcd,", b"99999999999999999999:,"] {
        let mut packet = good.clone();
        *packet.arguments.last_mut().unwrap() = Bytes::from_static(wrong);
        let fault = Reply::from_packet(&packet).unwrap_err().to_string();
        assert!(fault.contains("bytes"), "{fault}");
    }
}

#[test]
fn cut_or_surplus_arguments_are_errors_that_name_the_field() {
    for packet in down().iter().map(Message::to_packet) {
        for keep in 0..packet.arguments.len() {
            let arguments = packet.arguments[..keep].to_vec();
            let fault = TreeDown::from_packet(&Packet { arguments, ..packet.clone() }).unwrap_err();
            assert!(matches!(fault, ProtocolError::Missing { index, .. } if index == keep), "{fault}");
        }
        let fault = TreeDown::from_packet(&packet.clone().with_text("x")).unwrap_err();
        assert!(matches!(fault, ProtocolError::Extra { extra: 1, .. }), "{fault}");
    }
    for packet in up().iter().map(Message::to_packet) {
        for keep in 0..packet.arguments.len() {
            let arguments = packet.arguments[..keep].to_vec();
            TreeUp::from_packet(&Packet { arguments, ..packet.clone() }).unwrap_err();
        }
        for (changed, argument) in packet.arguments.iter().enumerate() {
            let mut arguments = packet.arguments.clone();
            arguments[changed] = [argument, &b"\xff"[..]].concat().into();
            TreeUp::from_packet(&Packet { arguments, ..packet.clone() }).unwrap_err();
        }
    }
    let nobody = Packet::new(520, TransactionId(1)).with_text("").with_text("all").with_text("\"Go\"");
    assert_eq!(
        Request::from_packet(&nobody).unwrap_err().to_string(),
        "Ranks: argument 0 (ranks) is \"\": expected a set that is not empty"
    );
}

#[test]
fn an_unknown_extension_is_refused_with_error_1() {
    let packet = Packet::new(9999, TransactionId(3));
    let fault = TreeDown::from_packet(&packet).unwrap_err();
    let refusal = Refusal::of(&packet, &fault);
    assert_eq!(refusal.code, ErrorCode::NOT_IMPLEMENTED);
    assert_eq!(
        spell(&refusal.to_packet()),
        "00000066 0070:00000003:00000003 00000002:0: 00000001:1 0000002e:message 9999 (transaction 3) is not known here"
    );
    assert_eq!(Refusal::from_packet(&refusal.to_packet()).unwrap().unwrap(), refusal);
    assert!(Refusal::from_packet(&packet).is_none());
    let Some(Reply::Session { tid, event: SessionEvent::Failed(words) }) = Reply::from_refusal(&refusal) else {
        panic!("no reply");
    };
    assert!(tid == TransactionId(3) && words.contains("message 9999"), "{words}");
}

#[test]
fn an_interrupt_passes_data_but_no_run_control_of_its_ranks() {
    let interrupt = |set| Priority::Interrupt(ranks(set));
    let run = |set| Priority::RunControl(ranks(set));
    assert!(interrupt("0-3").passes(&Priority::Ordinary));
    assert!(!interrupt("0-3").passes(&run("3")));
    assert!(interrupt("0-3").passes(&run("4")));
    assert!(!interrupt("0-3").passes(&Priority::Barrier));
    assert!(Priority::Terminate.passes(&run("3")) && Priority::Terminate.passes(&interrupt("3")));
    assert!(!Priority::Terminate.passes(&Priority::Barrier) && !Priority::Terminate.passes(&Priority::Terminate));
    let detach = |set| Priority::Detach(ranks(set));
    assert!(!Priority::Terminate.passes(&detach("3")) && !interrupt("0-3").passes(&detach("3")));
    assert!(interrupt("0-3").passes(&detach("4")));
    for late in [Priority::Ordinary, run("0"), detach("0"), Priority::Barrier] {
        assert!(!late.passes(&Priority::Ordinary));
    }
    assert_eq!(ask(Operation::Interrupt).priority(), interrupt("0-3"));
    assert_eq!(ask(Operation::Go).priority(), run("0-3"));
    assert_eq!(ask(Operation::Detach).priority(), detach("0-3"));
    assert_eq!(TreeDown::Shutdown { kill: true }.priority(), Priority::Terminate);
}

#[test]
fn an_answer_too_long_for_the_wire_becomes_a_failure() {
    let fault = ProtocolError::TooLong { length: 70_000_000, limit: 67_108_864 };
    let Some(TreeUp::Reply(Reply::Answer { tid, missing, answer: Answer::Failed(failure), .. })) =
        up()[0].instead(&fault)
    else {
        panic!("no failure");
    };
    assert_eq!((tid, missing), (TransactionId(7), ranks("3")));
    assert!(failure.message.contains("packet of 70000000 bytes"), "{failure:?}");
    assert!(up()[4].instead(&fault).is_none());
}

/// Returns the table of extensions as `docs/PROTOCOL.md` shows it.
fn extension_table() -> String {
    let mut text = String::from("| id | message | way | arguments |\n|---|---|---|---|\n");
    for Extension { id, name, direction, arguments } in EXTENSIONS {
        text.push_str(&format!("| {id} | {name} | {} | {arguments} |\n", direction.word()));
    }
    text
}

/// Returns the error codes as `docs/PROTOCOL.md` shows them.
fn error_table() -> String {
    let mut text = String::from("| code | meaning |\n|---|---|\n");
    for (code, meaning) in ErrorCode::ALL {
        text.push_str(&format!("| {} | {} |\n", code.0, meaning.trim().trim_end_matches('.')));
    }
    text
}

/// Returns the page with one of its tables regenerated.
fn renewed(page: &str, of: &str, table: &str) -> String {
    let begin = format!("<!-- {of}, generated -->\n");
    let start = page.find(&begin).unwrap() + begin.len();
    let stop = start + page[start..].find("<!-- end -->").unwrap();
    format!("{}{table}{}", &page[..start], &page[stop..])
}

/// `UPDATE=1` rewrites the page.
#[test]
fn the_page_shows_the_tables() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/PROTOCOL.md");
    let page = std::fs::read_to_string(path).unwrap();
    let fresh = renewed(&renewed(&page, "extensions", &extension_table()), "errors", &error_table());
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, fresh).unwrap();
    } else {
        assert!(page == fresh, "docs/PROTOCOL.md is stale: UPDATE=1 cargo test -p rankscope-protocol --lib writes it");
    }
}

mod random {
    use super::*;
    use crate::{Arguments, Hello, PacketCodec};
    use bytes::Bytes;
    use tokio_util::codec::Decoder;

    fn read_everything(packet: &Packet) {
        let _ = TreeDown::from_packet(packet);
        let _ = TreeUp::from_packet(packet);
        let _ = Hello::from_packet(packet);
        let _ = Refusal::from_packet(packet);
    }

    /// Builds one packet of every kind of message; the test changes an argument of each.
    fn messages() -> Vec<Packet> {
        let down = down().into_iter().map(|message| message.to_packet());
        let up = up().into_iter().map(|message| message.to_packet());
        down.chain(up).chain([Hello::new(crate::Role::Master).to_packet()]).collect()
    }

    proptest! {
        #[test]
        fn changed_bytes_are_no_panic(which: prop::sample::Index, place: prop::sample::Index, byte: u8) {
            let all = messages();
            let mut bytes = spell(&all[which.index(all.len())]).into_bytes();
            let place = place.index(bytes.len());
            bytes[place] = byte;
            if let Ok(Some(packet)) = PacketCodec::default().decode(&mut BytesMut::from(&bytes[..])) {
                read_everything(&packet);
            }
        }

        #[test]
        fn random_arguments_are_no_panic(
            id in FIRST_EXTENSION..=HIGHEST_EXTENSION + 1,
            arguments in proptest::collection::vec("[0-9x:,\\-a-f{}\"\\[\\]GoAl]{0,8}", 0..6),
        ) {
            let arguments = arguments.into_iter().map(Bytes::from).collect();
            read_everything(&Packet { id, tid: TransactionId(1), arguments });
        }

        #[test]
        fn what_is_read_is_what_is_written(ms: u32, late: bool, depth: u32, asked in proptest::collection::btree_set(0u32..200, 1..60)) {
            let ranks: ProcessSet = asked.into_iter().map(Rank).collect();
            let wait = WaitPolicy::Within(ms);
            prop_assert_eq!(WaitPolicy::parse(&wait.to_text()), Some(wait));
            let request = Request::Ranks { tid: TransactionId(ms), ranks: ranks.clone(), wait, operation: Operation::Go };
            prop_assert_eq!(Request::from_packet(&request.to_packet()).unwrap(), request);
            let answer = Answer::Depth(depth);
            let reply = Reply::Answer { tid: TransactionId(ms), ranks: ranks.clone(), missing: ranks, late, answer };
            prop_assert_eq!(Reply::from_packet(&reply.to_packet()).unwrap(), reply);
        }

        #[test]
        fn deep_json_is_an_error(depth in 100usize..5000) {
            let text = "[".repeat(depth);
            let packet = Packet::new(EVENT.id, TransactionId(1)).with_text("0").with(text);
            let is_field_error = matches!(Reply::from_packet(&packet), Err(ProtocolError::Field { .. }));
            prop_assert!(is_field_error);
            let mut arguments = Arguments::new("Event", &packet);
            prop_assert!(arguments.number::<u32>("number").is_ok() && arguments.json::<Event>("event").is_err());
        }
    }
}
