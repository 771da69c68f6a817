//! Tests with real lines of gdb, malformed lines, and round trips.

use super::*;
use proptest::prelude::*;

fn read(bytes: &[u8]) -> Vec<Record> {
    let mut decoder = Decoder::default();
    let mut records = decoder.push(bytes);
    records.extend(decoder.finish());
    records
}

fn one(line: &str) -> Record {
    let mut records = read(line.as_bytes());
    assert_eq!(records.len(), 1, "{records:?}");
    records.remove(0)
}

#[test]
fn a_stop_has_its_parts() {
    let line = br#"*stopped,reason="breakpoint-hit",disp="del",bkptno="1",frame={addr="0x000055555555546a",func="main",args=[{name="argc",value="2"}],line="106"},thread-id="1",stopped-threads="all"
(gdb) 
"#;
    let records = read(line);
    let [Record::Async { token: None, kind: Kind::Exec, class, results }, Record::Prompt] = &records[..] else {
        panic!("{records:?}")
    };
    assert_eq!((class.as_str(), results.text("reason")), ("stopped", Some("breakpoint-hit")));
    let frame = results.inside("frame").unwrap();
    assert_eq!((frame.number("addr"), frame.number("line")), (Some(0x5555_5555_546a), Some(106)));
    let argument = frame.inside("args").unwrap().parts().next().unwrap();
    assert_eq!(argument.text("value"), Some("2"));
}

#[test]
fn answers_have_tokens_and_streams_have_escapes() {
    let Record::Result { token: Some(6), class, results } =
        one(r#"6^error,msg="Undefined MI command: foo",code="undefined-command""#)
    else {
        panic!()
    };
    assert_eq!((class.as_str(), results.text("code")), ("error", Some("undefined-command")));
    let text = "291\t\"../é\"\n\u{1b}".to_owned();
    assert_eq!(one(r#"&"291\t\"../\303\251\"\n\033""#), Record::Stream(StreamKind::Log, text));
    assert_eq!(one("~\"\""), Record::Stream(StreamKind::Console, String::new()));
    assert_eq!(one("12^done\r"), Record::Result { token: Some(12), class: "done".into(), results: Results::default() });
}

#[test]
fn lists_may_have_names_and_tuples_may_have_none() {
    let Record::Result { results, .. } =
        one(r#"^done,stack=[frame={level="0"},frame={level="1"}],bkpt={number="1"},{number="1.1"},empty=[],none={}"#)
    else {
        panic!()
    };
    let levels: Vec<_> = results.inside("stack").unwrap().parts().filter_map(|frame| frame.number("level")).collect();
    assert_eq!(levels, [0, 1]);
    assert_eq!(results.get("").and_then(Value::inside).and_then(|part| part.text("number")), Some("1.1"));
    assert_eq!(results.get("empty"), Some(&Value::List(Results::default())));
    assert_eq!(results.get("none"), Some(&Value::Tuple(Results::default())));
}

#[test]
fn what_is_not_mi_is_passed_on_as_it_came() {
    for line in
        ["hello", "warning: x", "~\"no end", "^", "*stopped,a=", "=x,{", "99999999999999999999^done", "~\"a\"b", "\"\\"]
    {
        assert_eq!(one(line), Record::Unknown(line.to_owned()), "{line}");
    }
    let deep = format!("^done,a={}", "[".repeat(1_000_000));
    assert!(matches!(one(&deep), Record::Unknown(_)));
    assert!(matches!(read(b"\xff\xfe\n")[..], [Record::Unknown(_)]));
}

#[test]
fn a_line_that_is_too_long_is_passed_over() {
    let mut decoder = Decoder::with_longest(10);
    let mut records = decoder.push(b"~\"aaaaaaaaaaaaaaaaaa");
    records.extend(decoder.push(b"aaaaaaaaaaaaa\"\n1^done\n"));
    assert!(matches!(&records[..], [Record::Unknown(_), Record::Result { token: Some(1), .. }]), "{records:?}");
}

#[test]
fn commands_quote_what_has_to_be_quoted() {
    let command = Command::new("break-insert").word("-f").word("a b.c:3");
    assert_eq!(command.line(7), "7-break-insert -f \"a b.c:3\"\n");
    assert_eq!(Command::console("echo \"é\n").line(1), "1-interpreter-exec console \"echo \\\"\\303\\251\\n\"\n");
    assert_eq!(Command::new("x").word("").line(0), "0-x \"\"\n");
}

fn name() -> impl Strategy<Value = String> {
    "[a-z][a-z_-]{0,8}"
}

fn value() -> impl Strategy<Value = super::Value> {
    let text = any::<String>().prop_map(super::Value::Text);
    text.prop_recursive(4, 40, 5, |inner| {
        let named = proptest::collection::vec((prop_oneof![name(), Just(String::new())], inner), 0..5);
        prop_oneof![
            named.clone().prop_map(|parts| super::Value::Tuple(Results(parts))),
            named.prop_map(|parts| super::Value::List(Results(parts))),
        ]
    })
}

fn any_record() -> impl Strategy<Value = Record> {
    let results = || proptest::collection::vec((name(), value()), 0..4).prop_map(Results);
    let kinds = || prop_oneof![Just(Kind::Exec), Just(Kind::Status), Just(Kind::Notify)];
    let streams = || prop_oneof![Just(StreamKind::Console), Just(StreamKind::Target), Just(StreamKind::Log)];
    prop_oneof![
        (any::<Option<u64>>(), name(), results()).prop_map(|(token, class, results)| Record::Result {
            token,
            class,
            results
        }),
        (any::<Option<u64>>(), kinds(), name(), results()).prop_map(|(token, kind, class, results)| Record::Async {
            token,
            kind,
            class,
            results
        }),
        (streams(), any::<String>()).prop_map(|(kind, text)| Record::Stream(kind, text)),
        Just(Record::Prompt),
    ]
}

proptest! {
    #[test]
    fn what_is_written_is_read_however_it_is_cut(
        records in proptest::collection::vec(any_record(), 0..6),
        cuts in proptest::collection::vec(1_usize..40, 1..20),
    ) {
        let bytes: Vec<u8> = records.iter().flat_map(|record| format!("{record}\n").into_bytes()).collect();
        let mut decoder = Decoder::default();
        let (mut seen, mut rest, mut cuts) = (Vec::new(), &bytes[..], cuts.into_iter().cycle());
        while !rest.is_empty() {
            let (now, later) = rest.split_at(cuts.next().unwrap().min(rest.len()));
            seen.extend(decoder.push(now));
            rest = later;
        }
        prop_assert_eq!(decoder.finish(), None);
        prop_assert_eq!(seen, records);
    }

    #[test]
    fn any_bytes_are_records_or_unknown(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let lines = bytes.iter().filter(|byte| **byte == b'\n').count();
        let mut decoder = Decoder::default();
        prop_assert_eq!(decoder.push(&bytes).len(), lines);
    }

    #[test]
    fn a_command_is_one_line(words in proptest::collection::vec(any::<String>(), 0..4)) {
        let line = words.iter().fold(Command::new("x"), |command, word| command.word(word)).line(1);
        prop_assert!(line.ends_with('\n') && line.is_ascii() && line.matches('\n').count() == 1);
    }
}
