use super::examples::{commands, events, old_events};
use super::*;
use crate::{Packet, PacketCodec, ProtocolError};
use bytes::{Bytes, BytesMut};
use model::{ErrorCode, ProcessSet, TransactionId};
use proptest::prelude::*;
use tokio_util::codec::Decoder;

fn decode(bytes: &[u8]) -> Packet {
    PacketCodec::default().decode(&mut BytesMut::from(bytes)).unwrap().unwrap()
}

fn spell(packet: &Packet) -> Vec<u8> {
    let mut bytes = BytesMut::new();
    packet.write(&mut bytes).unwrap();
    bytes.to_vec()
}

type Reader = fn(&Packet) -> Result<(), ProtocolError>;

/// Returns every example as a packet with its reader.
fn packets() -> Vec<(Packet, Reader)> {
    let command = |packet: &Packet| BaseCommand::parse(packet).map(drop);
    let event = |packet: &Packet| BaseEvent::parse(packet, Era::Four).map(drop);
    let old = |packet: &Packet| BaseEvent::parse(packet, Era::Two).map(drop);
    let mut all: Vec<(Packet, Reader)> = Vec::new();
    all.extend(commands().iter().map(|example| (decode(example.0), command as _)));
    all.extend(events().iter().map(|example| (decode(example.0), event as _)));
    all.extend(old_events().iter().map(|example| (decode(example.0), old as _)));
    all
}

#[test]
fn commands_are_those_of_the_page() {
    let mut ids = Vec::new();
    for (bytes, tid, command) in commands() {
        let packet = decode(bytes);
        assert_eq!(packet.tid, TransactionId(tid));
        assert_eq!(BaseCommand::parse(&packet).unwrap(), command);
        assert_eq!(spell(&command.write(packet.tid)), bytes, "{command:?}");
        ids.push(packet.id);
    }
    ids.dedup();
    assert_eq!(ids, (0..=31).collect::<Vec<u16>>());
}

#[test]
fn events_are_those_of_the_page() {
    let mut ids = Vec::new();
    for (examples, era) in [(events(), Era::Four), (old_events(), Era::Two)] {
        for (bytes, tid, event) in examples {
            let packet = decode(bytes);
            assert_eq!(packet.tid, TransactionId(tid));
            assert_eq!(BaseEvent::parse(&packet, era).unwrap(), event);
            assert_eq!(spell(&event.write(packet.tid)), bytes, "{event:?}");
            ids.push(packet.id);
        }
    }
    ids.dedup();
    assert_eq!(
        ids,
        [0, 1, 5, 6, 102, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 119, 110, 120, 121]
    );
}

#[test]
fn every_cut_of_every_example_is_an_error() {
    for (packet, parse) in packets() {
        let bytes = spell(&packet);
        for end in 1..bytes.len() {
            let mut cut = BytesMut::from(&bytes[..end]);
            let fault = PacketCodec::default().decode_eof(&mut cut).unwrap_err();
            assert!(matches!(fault, ProtocolError::Cut { .. }), "{fault}");
        }
        // The number of arguments up to the end of the packet is free.
        let least = if packet.id == 1 && packet.arguments.len() > 4 { 3 } else { packet.arguments.len() };
        for keep in 0..least {
            let arguments = packet.arguments[..keep].to_vec();
            let fault = parse(&Packet { arguments, ..packet.clone() }).unwrap_err();
            assert!(matches!(fault, ProtocolError::Missing { index, .. } if index == keep), "{packet:?}: {fault}");
        }
    }
}

#[test]
fn faults_name_message_and_field() {
    let packet = |id, words: &[&str]| words.iter().fold(Packet::new(id, TransactionId(1)), |p, w| p.with_text(w));
    let command = |id, words: &[&str]| BaseCommand::parse(&packet(id, words)).unwrap_err().to_string();
    let event = |id, words: &[&str]| BaseEvent::parse(&packet(id, words), Era::Four).unwrap_err().to_string();
    assert_eq!(command(2, &["4:0f", "1", "2"]), "SetLineBreakpoint: argument 2 (temporary) is \"2\": expected 0 or 1");
    assert_eq!(
        command(11, &["4:0f", "many", "1"]),
        "Step: argument 1 (count) is \"many\": expected a decimal number (i32)"
    );
    assert_eq!(command(11, &["4:0f", "1"]), "Step: argument 2 (kind) is missing");
    assert_eq!(command(10, &["4:0f", "1"]), "Go: 1 arguments too many");
    assert_eq!(command(10, &["0-3"]), "Go: argument 0 (process set) is \"0-3\": expected a bitmap NBITS:HEX");
    assert_eq!(command(32, &["4:0f"]), "message 32 (transaction 1) is not known here");
    assert_eq!(event(103, &["4:0f"]), "message 103 (transaction 1) is not known here");
    assert_eq!(event(120, &["4:0f", "1"]), "message 120 (transaction 1) is not known here");
    assert_eq!(event(113, &["4:0f", "4"]), "Suspend: argument 1 (reason) is \"4\": expected a reason from 0 to 3");
    assert_eq!(event(108, &["4:0f", "4294967295", "a"]), "Vars: argument 3 (names) is missing");
    assert_eq!(event(108, &["4:0f", "-1"]), "Vars: argument 1 (names) is \"-1\": expected a decimal number (u64)");
    assert_eq!(event(1, &["1", "text"]), "proxy MESSAGE: argument 1 (attribute) is \"text\": expected KEY=VALUE");
    let bytes = packet(16, &["4:0f"]).with(Bytes::from_static(b"\xff"));
    assert!(BaseCommand::parse(&bytes).unwrap_err().to_string().ends_with("expected UTF-8 text"));
}

#[test]
fn a_set_of_another_width_loses_its_bits_and_nobody_is_an_error() {
    let set = |text: &str| match BaseCommand::parse(&Packet::new(10, TransactionId(1)).with_text(text)).unwrap() {
        BaseCommand::Ranks(set, RankCommand::Go) => set,
        other => panic!("{other:?}"),
    };
    assert_eq!(set("8:ff").within(4).unwrap(), ProcessSet::all(4));
    assert_eq!(set("2:03").within(4).unwrap(), ProcessSet::all(2));
    assert_eq!(set("4:ff"), BaseSet::new(ProcessSet::all(4), 4));
    for nobody in ["4:00", "0:", "8:f0"] {
        let failure = set(nobody).within(4).unwrap_err();
        assert_eq!(failure.code, ErrorCode::BAD_SET);
        assert!(failure.message.contains(nobody), "{}", failure.message);
    }
}

#[test]
fn what_cannot_be_read_is_told_before_the_link_closes() {
    let fault = BaseCommand::parse(&Packet::new(99, TransactionId(1))).unwrap_err();
    let BaseEvent::ProxyMessage { level, code, text } = BaseEvent::malformed(&fault) else { panic!("no message") };
    assert_eq!((level.as_str(), code), ("FATAL", 3));
    assert!(text.contains("message 99"), "{text}");
}

/// Generates texts that do not stand for a missing record.
fn text() -> impl Strategy<Value = String> {
    "\\PC{0,12}".prop_filter("a lone star is a missing record", |text| text != "*")
}

fn location() -> impl Strategy<Value = Option<BaseLocation>> {
    proptest::option::of(
        (text(), text(), text(), any::<i32>()).prop_map(|(file, function, address, line)| BaseLocation {
            file,
            function,
            address,
            line,
        }),
    )
}

fn frame() -> impl Strategy<Value = BaseFrame> {
    (any::<i32>(), location()).prop_map(|(level, location)| BaseFrame { level, location })
}

fn signal() -> impl Strategy<Value = BaseSignal> {
    (text(), any::<[bool; 3]>(), text()).prop_map(|(name, [stop, print, pass], description)| BaseSignal {
        name,
        stop,
        print,
        pass,
        description,
    })
}

fn rank_event() -> impl Strategy<Value = RankEvent> {
    let texts = || proptest::collection::vec(text(), 0..4);
    let row = (text(), text(), texts()).prop_map(|(address, ascii, words)| MemoryRow { address, ascii, words });
    let suspension = prop_oneof![
        any::<i32>().prop_map(Suspension::Breakpoint),
        (proptest::option::of(signal()), proptest::option::of(frame())).prop_map(|(s, f)| Suspension::Signal(s, f)),
        proptest::option::of(frame()).prop_map(Suspension::Step),
        proptest::option::of(frame()).prop_map(Suspension::Interrupt),
    ];
    let breakpoint = (any::<[i32; 3]>(), any::<[bool; 2]>(), text(), location()).prop_map(
        |([id, ignore, hits], [special, deleted], kind, location)| BaseBreakpoint {
            id,
            ignore,
            special,
            deleted,
            kind,
            location,
            hits,
        },
    );
    prop_oneof![
        (suspension, any::<[i32; 2]>(), texts()).prop_map(|(reason, [thread, depth], changed)| RankEvent::Suspend {
            reason,
            thread,
            depth,
            changed
        }),
        (any::<i32>(), proptest::option::of(breakpoint))
            .prop_map(|(id, breakpoint)| RankEvent::BreakpointSet { id, breakpoint }),
        proptest::collection::vec(frame(), 0..5).prop_map(|frames| RankEvent::Stackframe { frames }),
        proptest::collection::vec(signal(), 0..5).prop_map(|signals| RankEvent::Signals { signals }),
        (any::<[i64; 2]>(), text(), proptest::collection::vec(row, 0..4)).prop_map(|([bytes, total], text, rows)| {
            RankEvent::MemoryInfo {
                address: text.clone(),
                next_row: text.clone(),
                previous_row: text.clone(),
                next_page: text.clone(),
                previous_page: text,
                bytes,
                total,
                rows,
            }
        }),
    ]
}

proptest! {
    #[test]
    fn any_event_reads_back(
        event in rank_event(),
        ranks in proptest::collection::btree_set(0u32..70, 0..70),
        tid: u32,
    ) {
        let ranks = ranks.into_iter().map(model::Rank).collect();
        let event = BaseEvent::Ranks(BaseSet::new(ranks, 70), event);
        let packet = decode(&spell(&event.write(TransactionId(tid))));
        prop_assert_eq!(BaseEvent::parse(&packet, Era::Four).unwrap(), event);
    }

    #[test]
    fn any_words_read_back(words in proptest::collection::vec(text(), 4), numbers: [i32; 4], flags: [bool; 2]) {
        let word = |i: usize| words[i].clone();
        let ranks = BaseSet::new(ProcessSet::all(3), 9);
        for command in [
            BaseCommand::StartSession {
                program: word(0),
                directory: word(1),
                working_directory: word(2),
                arguments: words.clone(),
            },
            BaseCommand::Ranks(ranks.clone(), RankCommand::SetLineBreakpoint {
                id: numbers[0],
                temporary: flags[0],
                hardware: flags[1],
                file: word(0),
                line: numbers[1],
                condition: word(1),
                ignore_count: numbers[2],
                thread: numbers[3],
            }),
            BaseCommand::Ranks(ranks.clone(), RankCommand::EvaluatePartialExpression {
                expression: word(0),
                key: word(1),
                list_children: flags[0],
                express: flags[1],
            }),
            BaseCommand::Ranks(ranks, RankCommand::DataWriteMemory {
                offset: numbers[0].into(),
                address: word(0),
                format: word(1),
                word_size: numbers[1],
                value: word(2),
            }),
        ] {
            let packet = decode(&spell(&command.write(TransactionId(7))));
            prop_assert_eq!(BaseCommand::parse(&packet).unwrap(), command);
        }
    }

    #[test]
    fn random_arguments_are_an_error_not_a_panic(
        id in prop_oneof![0u16..40, 100u16..125],
        mut arguments in proptest::collection::vec("[0-9*a-f:=-]{0,6}", 0..12),
        good_set: bool,
    ) {
        if good_set && !arguments.is_empty() {
            arguments[0] = "4:0f".into();
        }
        let arguments = arguments.into_iter().map(Bytes::from).collect();
        let packet = Packet { id, tid: TransactionId(1), arguments };
        let _ = BaseCommand::parse(&packet);
        // Packets are written as they were read, except numbers and sets, which have several spellings.
        for era in [Era::Four, Era::Two] {
            if let Ok(event) = BaseEvent::parse(&packet, era) {
                prop_assert_eq!(BaseEvent::parse(&event.write(packet.tid), era).unwrap(), event);
            }
        }
    }

    #[test]
    fn a_changed_argument_is_no_panic(
        which: prop::sample::Index,
        argument: prop::sample::Index,
        bytes in proptest::collection::vec(any::<u8>(), 0..12),
    ) {
        let all = packets();
        let (packet, parse) = &all[which.index(all.len())];
        let mut packet = packet.clone();
        if !packet.arguments.is_empty() {
            let argument = argument.index(packet.arguments.len());
            packet.arguments[argument] = bytes.into();
        }
        let _ = parse(&packet);
    }
}
