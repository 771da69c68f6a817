//! The user's pretty-printers: their text is the value, with its parts.

use crate::{
    session::{Kind, Session},
    support::{build, gdb as judge_gdb, marks},
};
use rankscope::model::aif::{AifValue, FormatOptions, format};
use rankscope::model::{Answer, Context, Datum, Operation, VariableValue};

const FILE: &str = "printed.c";
const PRINTED: &[&str] = &[
    "price",
    "prices",
    "primes",
    "nothing",
    "paid",
    "title",
    "aim",
    "report",
    "*pointer",
    "pointer",
    "&price",
    "prices[2]",
    "report.days",
    "pointer->paid",
];

/// The gdb command that loads the printers.
fn source() -> String {
    format!("source {}", marks::source("printed.py").display())
}

fn in_main() -> Session {
    let mut session = Session::new(Kind::Gdb);
    session.launch(Kind::Gdb.spec(FILE, &[]), 1);
    session.stop(0);
    session
}

fn with_printers() -> Session {
    let mut session = in_main();
    assert_eq!(session.ask(0, Operation::Engine(source())), Answer::Text(String::new()));
    session
}

fn shown(datum: &Datum) -> String {
    format(datum, &FormatOptions::default()).unwrap()
}

#[test]
fn what_they_say_is_what_is_shown_and_is_no_mere_text() {
    let mut session = with_printers();
    let questions: Vec<_> = PRINTED.iter().map(|expression| format!("print {expression}")).collect();
    let theirs = judge_gdb::gdb(&build::plain(FILE), &[], &[&source(), "break main", "run"], &questions);
    for (expression, theirs) in PRINTED.iter().zip(theirs) {
        let datum = session.value(expression);
        assert_eq!(shown(&datum), judge_gdb::printed(&theirs), "{expression}");
        assert!(!datum.type_name.contains("as gdb prints it"), "{expression}: {datum:?}");
    }
}

/// The text after the title of a value.
#[track_caller]
fn behind_title(session: &mut Session, expression: &str, wanted: &str) -> AifValue {
    let (_, value) = session.value(expression).parsed().unwrap();
    let AifValue::Titled(title, of) = value else { panic!("{value:?}") };
    assert_eq!(title, wanted);
    *of
}

#[test]
fn children_are_parts_of_the_value() {
    let mut session = with_printers();
    let AifValue::Children { held, more: false } = behind_title(&mut session, "primes", "span of length 4") else {
        panic!()
    };
    assert_eq!(held.into_iter().map(|(_, value)| value).collect::<Vec<_>>(), [3, 5, 7, 11].map(AifValue::Scalar));
    let AifValue::Children { held, .. } = behind_title(&mut session, "paid", "account") else { panic!() };
    let entries: Vec<_> = held.iter().map(|(key, value)| (key.is_some(), value)).collect();
    let [(true, AifValue::Titled(rent, _)), (true, AifValue::Titled(tea, _))] = &entries[..] else {
        panic!("{entries:?}")
    };
    assert_eq!((rent.as_str(), tea.as_str()), ("900.00 EUR", "3.50 EUR"));
    let AifValue::Members(members) = behind_title(&mut session, "aim", "angle") else { panic!() };
    assert_eq!(members.len(), 3);
}

#[test]
fn lists_of_variables_show_them_too_and_without_them_there_are_members() {
    let mut session = in_main();
    let globals = |session: &mut Session| {
        let variables = session.variables(Operation::Globals("price*".to_owned()));
        let shown = variables.iter().map(|variable| match &variable.value {
            VariableValue::Known(datum) => format!("{} = {}", variable.name, shown(datum)),
            unknown @ VariableValue::Unknown { .. } => panic!("{unknown:?}"),
        });
        shown.collect::<Vec<_>>()
    };
    assert_eq!(globals(&mut session)[0], "price = {cents = 1234}");
    session.ask(0, Operation::Engine(source()));
    let with = ["price = 12.34 EUR", "prices = {1.00 EUR, 2.50 EUR, -0.05 EUR}"];
    assert_eq!(globals(&mut session), with);
}

#[test]
fn one_that_fails_says_so_and_the_history_keeps_what_they_show() {
    let mut session = with_printers();
    let broken = session.value("broken");
    assert_eq!(shown(&broken), "Python Exception <class 'RuntimeError'>: this printer does not work");
    assert!(broken.type_name.ends_with("(as gdb prints it)"), "{broken:?}");
    let print = |session: &mut Session, expression: &str| {
        let (raw, name) = expression.strip_prefix("/r ").map_or((false, expression), |name| (true, name));
        let operation = Operation::Print {
            context: Context::default(),
            expression: name.to_owned(),
            raw,
            limits: None,
            unrecorded: false,
            most: None,
            picture: None,
        };
        let Answer::Data(datum) = session.ask(0, operation) else { panic!("{expression}") };
        shown(&datum)
    };
    assert_eq!(print(&mut session, "price"), "12.34 EUR");
    assert_eq!(print(&mut session, "price.cents = 99"), "99");
    assert_eq!((print(&mut session, "$1"), print(&mut session, "price")), ("12.34 EUR".into(), "0.99 EUR".into()));
    assert_eq!((print(&mut session, "/r price"), print(&mut session, "$")), ("{cents = 99}".into(), "0.99 EUR".into()));
    assert_eq!(print(&mut session, "/r prices"), "{{cents = 100}, {cents = 250}, {cents = -5}}");
    assert_eq!(print(&mut session, "prices"), "{1.00 EUR, 2.50 EUR, -0.05 EUR}");
}
