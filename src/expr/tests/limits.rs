//! Bad input gives errors.

use super::program::program;
use super::table::*;
use crate::Expression;
use crate::type_text;
use debuginfo::UnitLanguage;
use debuginfo::types::{Kind, Member, Place, Type, TypeId, TypeRef};
use model::TypeDetail;
use model::VirtualAddress;
use proptest::prelude::*;
use std::sync::Arc;

#[test]
fn deep_expressions_are_errors() {
    for opening in ["(", "-", "!", "*", "~", "a[", "1+(", "a?", "a=", "sizeof ", "(int)", "1?1:", "f(", "++"] {
        let text = format!("{}1", opening.repeat(10_000));
        assert!(Expression::parse(&text).is_err(), "{opening}");
    }
    assert!(Expression::parse(&"x".repeat(100_000)).is_err());
    assert!(Expression::parse(&format!("int {}", "(*".repeat(10_000))).is_err());
}

#[test]
fn long_chains_are_evaluated_or_refused() {
    let table = program();
    let sum = vec!["1"; 190].join("+");
    let value = Expression::parse(&sum).unwrap().evaluate(&table.context()).unwrap();
    assert_eq!(value.as_address(&table.context()), Ok(VirtualAddress(190)));
    let text = format!("np{}", "->next".repeat(190));
    assert!(Expression::parse(&text).and_then(|e| e.evaluate(&table.context())).is_ok());
    for (first, next) in [("np", "->next"), ("1", "+1"), ("1", ",1"), ("i", "++"), ("ga", "[0]")] {
        let text = format!("{first}{}", next.repeat(8_000));
        let _ = Expression::parse(&text).map(|expression| expression.evaluate(&table.context()));
    }
}

#[test]
fn types_that_are_defined_by_themselves_are_no_loop() {
    let mut table = program();
    let entry = |entry| TypeRef::Entry(TypeId { image: 0, entry });
    table.entries.insert(50, Arc::new(Type { name: Some("t".into()), size: None, kind: Kind::Typedef(entry(50)) }));
    table.entries.insert(51, Arc::new(Type { name: None, size: Some(8), kind: Kind::Pointer(entry(51)) }));
    let holder = structure(Some("s"), 8, vec![field("s", entry(52), 0)]);
    let TypeRef::Made(holder) = holder else { panic!("made") };
    table.entries.insert(52, holder);
    let array = Kind::Array {
        element: entry(53),
        dimensions: vec![debuginfo::types::Dimension { lower: 0, count: Some(2), assumed: false, stride: None }],
    };
    table.entries.insert(53, Arc::new(Type { name: None, size: None, kind: array }));
    for number in 50..54 {
        let place = Ok(Place::Memory(VirtualAddress(0x1000)));
        table.variables.insert("x".to_owned(), (entry(number), place));
        let _ = table.context().type_name(&entry(number));
        for text in ["x", "*x", "x+1", "x.a", "x[1]", "sizeof(x)", "&x", "x=x", "(int)x"] {
            let expression = Expression::parse(text).unwrap();
            let _ = expression.evaluate(&table.context()).and_then(|value| value.to_datum(&table.context()));
            let _ = type_text(&expression, TypeDetail::Layout { hexadecimal: false }, &table.context());
        }
    }
}

/// Two base classes on each level, each of which has the same two: twice as many paths with each level.
#[test]
fn base_classes_that_are_repeated_without_end_are_not_all_searched() {
    let mut table = program();
    table.language = Some(UnitLanguage::Cplusplus);
    let mut class = structure(Some("root"), 8, Vec::new());
    for level in 0..40 {
        let base = |offset| Member { base: true, name: None, ..field("", class.clone(), offset) };
        class = structure(Some(&format!("level{level}")), 8, vec![base(0), base(4)]);
    }
    let place = Ok(Place::Memory(VirtualAddress(0x1000)));
    table.variables.insert("hostile".to_owned(), (class, place));
    let (sender, receiver) = std::sync::mpsc::channel();
    let search = move || {
        for text in ["hostile.absent", "hostile.absent()", "dynamic_cast<void *>(&hostile)", "typeid(hostile)"] {
            let expression = Expression::parse(text);
            let answer = expression.and_then(|expression| expression.evaluate(&table.context()));
            assert!(answer.is_err(), "{text}: {answer:?}");
        }
        sender.send(()).unwrap();
    };
    std::thread::spawn(search);
    let limit = std::time::Duration::from_secs(60);
    assert_eq!(receiver.recv_timeout(limit), Ok(()), "the search ends");
}

proptest! {
    #[test]
    fn no_text_panics(text in "[a-z0-9 ()*&.>\\-\\[\\]+=<?:,'\"!$~%/^|]{0,24}") {
        let table = program();
        if let Ok(expression) = Expression::parse(&text) {
            let _ = expression.evaluate(&table.context()).and_then(|value| value.to_datum(&table.context()));
            let _ = type_text(&expression, TypeDetail::Layout { hexadecimal: false }, &table.context());
        }
    }

    #[test]
    fn no_combination_panics(
        parts in proptest::collection::vec(
            prop_oneof![
                Just("i"), Just("p"), Just("ga"), Just("ps"), Just("np"), Just("b"), Just("ld"), Just("cd"), Just("f"),
                Just("fx"), Just("gone"), Just("halves"), Just("ref"), Just("+"), Just("-"), Just("*"), Just("&"), Just("("),
                Just(")"), Just("["), Just("]"), Just("."), Just("->"), Just("x"), Just("="), Just("/"), Just("%"),
                Just("1"), Just("2.5"), Just("(int)"), Just("(struct pt *)"), Just("(char[4])"), Just("sizeof"), Just("<<"),
                Just("?"), Just(":"), Just("++"), Just("&&"), Just("18446744073709551615"), Just("(__int128)"),
            ],
            0..9,
        )
    ) {
        let table = program();
        if let Ok(expression) = Expression::parse(&parts.join(" ")) {
            let _ = expression.evaluate(&table.context()).and_then(|value| value.to_datum(&table.context()));
            let _ = type_text(&expression, TypeDetail::Name, &table.context());
        }
    }
}
