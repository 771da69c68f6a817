use super::*;
use model::Rank;
use proptest::prelude::*;

fn ranks(text: &str) -> SetExpr {
    SetExpr::Ranks(ProcessSet::parse(text).unwrap())
}

#[test]
fn ranges_hold_tighter_than_operators() {
    assert_eq!(parse_set("0-3,7,0-62:2").unwrap(), ranks("0-3,7,0-62:2"));
    let minus = |a, b| SetExpr::Minus(Box::new(a), Box::new(b));
    assert_eq!(parse_set("0-9 - 3").unwrap(), minus(ranks("0-9"), ranks("3")));
    assert_eq!(parse_set("0-9-3").unwrap(), minus(ranks("0-9"), ranks("3")));
    assert_eq!(parse_set("5 - 3").unwrap(), minus(ranks("5"), ranks("3")));
    assert_eq!(parse_set("all-0,1").unwrap(), minus(SetExpr::All, ranks("0-1")));
    assert_eq!(parse_set("!0,2 & stopped").unwrap().to_string(), "!0,2 & stopped");
    assert_eq!(parse_set("a | b & c").unwrap().to_string(), "a | b & c");
    assert_eq!(parse_set("(a | b) & c").unwrap().to_string(), "(a | b) & c");
}

#[test]
fn predicates_and_conditions_keep_their_text() {
    assert_eq!(parse_set("{a[1] > f({ 3 }) && s == \"}\"}").unwrap(), {
        SetExpr::Condition("a[1] > f({ 3 }) && s == \"}\"".into())
    });
    assert_eq!(parse_set("in(operator()(int))").unwrap(), SetExpr::In("operator()(int)".into()));
    assert_eq!(parse_set("at( ring.c:12 )").unwrap().to_string(), "at(ring.c:12)");
}

#[test]
fn threads_follow_a_full_stop() {
    let two = || Some(ThreadChoice::One(ThreadId(2)));
    assert_eq!(parse_scope("0-3.2").unwrap(), Scope { set: ranks("0-3"), threads: two() });
    assert_eq!(parse_scope("..2").unwrap(), Scope { set: SetExpr::Focus, threads: two() });
    assert_eq!(parse_scope(".").unwrap(), Scope { set: SetExpr::Focus, threads: None });
    assert_eq!(parse_scope("(a | b).3").unwrap().to_string(), "(a | b).3");
    assert!(parse_scope("0.0").is_err());
}

#[test]
fn groups_of_threads_are_printed_as_they_read_shortest() {
    for (text, printed) in [
        ("0-3.{2,5}", "0-3.{2,5}"),
        ("0-3.{ 5 , 2-3,4 }", "0-3.{2-5}"),
        ("0-3.{2}", "0-3.2"),
        ("all.*", "all.*"),
        ("..{1-3}", "..{1-3}"),
        ("{x > 3}.{2-5,7}", "{x > 3}.{2-5,7}"),
        ("a | b.*", "(a | b).*"),
    ] {
        assert_eq!(parse_scope(text).unwrap().to_string(), printed, "{text}");
    }
    let (scope, length) = parse_prefix("[0-3.{2,5}] where").unwrap();
    assert_eq!((scope.to_string().as_str(), length), ("0-3.{2,5}", 11));
    for (text, position, message) in [
        ("0.{}", 3, "expected threads"),
        ("0.{5-2}", 3, "the lower one"),
        ("0.{2,0}", 5, "start at 1"),
        ("0.x", 2, "expected threads: 2, {2,5}, {2-5} or * for all"),
        ("0.{2", 4, "expected \"}\""),
        ("0.{2;5}", 4, "expected \"}\""),
        ("0.99999999999", 2, "start at 1"),
    ] {
        let error = parse_scope(text).unwrap_err();
        assert!(error.position == position && error.message.contains(message), "{text}: {error:?}");
    }
}

#[test]
fn prefixes_end_at_their_bracket() {
    let (scope, length) = parse_prefix("[ {a[0]} & 0-3 ] print b[1]").unwrap();
    assert_eq!((scope.set.to_string().as_str(), length), ("{a[0]} & 0-3", 16));
    assert_eq!(parse_prefix("[0-3 print x").unwrap_err().position, 5);
}

#[test]
fn faults_name_their_place() {
    for (text, position, message) in [
        ("", 0, "expected a rank set"),
        ("0-3,", 4, "expected a rank set"),
        ("0-3 & )", 6, "unexpected ')'"),
        ("3-1", 0, ""),
        ("(0", 2, "expected \")\""),
        ("{x", 2, "expected \"}\""),
        ("at(a.c:0)", 3, "a line number"),
        ("state(idle)", 6, "unknown state"),
        ("foo(1)", 0, "unknown predicate"),
        ("0 1", 2, "unexpected '1'"),
        ("{}", 2, "expected an expression"),
    ] {
        let error = parse_set(text).unwrap_err();
        assert_eq!(error.position, position, "{text}: {error}");
        assert!(error.message.contains(message), "{text}: {error}");
    }
    assert!(parse_set(&"(".repeat(100_000)).is_err());
    assert!(parse_set(&"!".repeat(100_000)).is_err());
    for sign in ["|", "&", "-", ","] {
        assert!(parse_set(&format!("a{sign}").repeat(100_000)).unwrap_err().message.contains("too many"));
    }
    assert!(parse_set(&format!("{}0", "0,2,".repeat(10_000))).is_ok());
}

fn sets() -> impl Strategy<Value = SetExpr> {
    let leaf = prop_oneof![
        Just(SetExpr::All),
        Just(SetExpr::None),
        Just(SetExpr::Focus),
        Just(SetExpr::Stopped),
        Just(SetExpr::Held),
        proptest::collection::btree_set(0u32..100, 1..12)
            .prop_map(|ranks| SetExpr::Ranks(ranks.into_iter().map(Rank).collect())),
        "g[a-z0-9_]{0,6}".prop_map(SetExpr::Group),
        "[a-z]{1,6}\\*".prop_map(SetExpr::Host),
        "[a-z_:~]{1,8}".prop_map(SetExpr::In),
        Just(SetExpr::State("killed".into())),
        (1u32..1000).prop_map(|line| SetExpr::At(LocationSpec::FileLine { file: "a.c".into(), line })),
        "[a-z]{1,4} [<>] [0-9]{1,3}".prop_map(SetExpr::Condition),
    ];
    leaf.prop_recursive(5, 40, 2, |inner| {
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            inner.prop_map(|a| SetExpr::Not(Box::new(a))),
            pair.clone().prop_map(|(a, b)| SetExpr::And(Box::new(a), Box::new(b))),
            pair.clone().prop_map(|(a, b)| SetExpr::Or(Box::new(a), Box::new(b))),
            pair.prop_map(|(a, b)| SetExpr::Minus(Box::new(a), Box::new(b))),
        ]
    })
}

fn threads() -> impl Strategy<Value = Option<ThreadChoice>> {
    let range = (1u32..40, 0u32..4).prop_map(|(first, more)| first..=first + more);
    prop_oneof![
        Just(None),
        Just(Some(ThreadChoice::Each(ThreadGroup::all()))),
        proptest::collection::vec(range, 1..5).prop_map(ThreadChoice::of),
    ]
}

proptest! {
    #[test]
    fn what_is_printed_reads_back(set in sets(), threads in threads()) {
        prop_assert_eq!(&parse_set(&set.to_string()).unwrap(), &set);
        let scope = Scope { set, threads };
        prop_assert_eq!(parse_scope(&scope.to_string()).unwrap(), scope);
    }

    #[test]
    fn garbage_is_an_error_not_a_panic(text in "\\PC{0,24}", near in "[0-3a(){}.,:!&| *-]{0,24}") {
        for text in [text, near] {
            match parse_scope(&text) {
                Ok(scope) => prop_assert_eq!(parse_scope(&scope.to_string()), Ok(scope)),
                Err(error) => prop_assert!(error.position <= text.chars().count(), "{:?}: {:?}", text, error),
            }
            let line = format!("[{text}] go");
            match parse_prefix(&line) {
                Ok((_, length)) => prop_assert!(line.get(..length).is_some_and(|set| set.ends_with(']'))),
                Err(error) => prop_assert!(error.position <= line.chars().count(), "{:?}: {:?}", line, error),
            }
        }
    }
}
