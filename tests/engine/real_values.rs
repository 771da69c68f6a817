//! Values and types of a program with one of each kind, compared with gdb.

use crate::{
    session::{Kind, Session, at_mark, on_mark},
    support::{build, gdb as judge_gdb, marks},
};
use rankscope::model::{
    Answer, BreakpointId, BreakpointRequest, Context, Datum, Operation, StopReason, Variable, VariableValue,
    aif::{FormatOptions, as_gdb_spells, format},
};

const FILE: &str = "types.c";
const HERE: Context = Context { thread: None, frame: 0 };

/// Expressions about every name of the program.
const EXPRESSIONS: &[&str] = &[
    "a_char",
    "a_signed_char",
    "an_unsigned_char",
    "a_short",
    "an_unsigned_short",
    "an_int",
    "an_unsigned",
    "a_long",
    "an_unsigned_long",
    "a_long_long",
    "a_float",
    "a_double",
    "huge",
    "tiny",
    "whole",
    "infinite",
    "-infinite",
    "not_a_number",
    "a_long_double",
    "a_bool",
    "a_count",
    "a_size",
    "an_int8",
    "an_uint64",
    "a_colour",
    "no_colour",
    "some_flags",
    "a_level",
    "numbers",
    "repeated",
    "zeros",
    "matrix",
    "matrix[1]",
    "text",
    "full",
    "odd",
    "words",
    "pointer_to_text",
    "nothing",
    "something",
    "pointer",
    "*pointer",
    "pointer_to_pointer",
    "**pointer_to_pointer",
    "a_point",
    "&a_point",
    "*&a_point",
    "tail",
    "head",
    "list",
    "*list",
    "*list->next",
    "list->next->name",
    "a_number",
    "bits",
    "bits.b",
    "bits.c + 1",
    "deep",
    "deep.corners",
    "deep.corners[1].y",
    "deep.inner",
    "deep.v",
    "deep.how",
    "an_operation",
    "*an_operation",
    "a_vector",
    "a_constant",
    "a_volatile",
    "add",
    "&add",
    "p",
    "*p",
    "n",
    "name",
    "local",
    "copy",
    "calls",
    "counter",
    "an_int + a_double",
    "an_int / 5",
    "an_int % 5",
    "an_unsigned + 1",
    "a_char + 1",
    "a_short << 3",
    "an_int < 0 && a_bool",
    "!an_int",
    "~an_int",
    "-a_float",
    "pointer + 1",
    "pointer - numbers",
    "pointer == &numbers[2]",
    "pointer[1]",
    "numbers + 1",
    "&numbers",
    "&numbers[1]",
    "&matrix[1][2] - &matrix[0][0]",
    "sizeof(struct nested)",
    "sizeof(a_point)",
    "(char)an_int",
    "(unsigned char)an_int",
    "(double)an_int / 4",
    "(int)a_double",
    "(long)pointer == (long)&numbers[2]",
    "*(struct point *)&a_point",
    "((struct node *)list)->value",
    "'a'",
    "'a' + 1",
    "1.5f",
    "10 / 4.0",
    "0x1f",
    "1 ? 2 : 3",
    "a_colour == BLUE",
    "(enum colour)5",
    "GREEN",
    "$rip == $pc",
];

/// Expressions whose results later ones use by history number or convenience variable, in order.
const NOTED: &[&str] = &[
    "$nosuch",
    "numbers",
    "$",
    "$[2]",
    "&$$2[2]",
    "*$2@2",
    "a_point",
    "$.x",
    "$$",
    "$$2.y",
    "an_int",
    "an_int = 12",
    "$$2",
    "$",
    "deep",
    "$.corners[1]",
    "deep.corners[1].x = 99",
    "$$2.corners",
    "text",
    "$",
    "bits",
    "$.b",
    "$$.c + 1",
    "$v = numbers",
    "$v[2]",
    "*$v@3",
    "$p = a_point",
    "$p.x = 77",
    "$p",
    "a_point",
    "$n = 5",
    "$n++",
    "$n",
    "++$n",
    "$n += 2.5",
    "$n",
    "$s = pointer_to_text",
    "*$s",
    "$e = a_colour",
    "$e",
    "$f = add",
    "$f",
    "list",
    "*$",
    "$.name",
    "a_number",
    "$.f",
    "$1",
    "$2",
    "$$7",
];

of_processes!(
    every_value_prints_as_in_gdb,
    every_type_is_spelled_as_in_gdb,
    locals_and_arguments_are_those_of_gdb,
    what_was_printed_can_be_named_again,
    a_printed_value_stays_as_it_was,
    names_of_values_that_are_not_there,
);

fn at_show(kind: Kind) -> Session {
    let mut session = Session::new(kind);
    session.launch(kind.spec(FILE, &[]), 1);
    session.stop(0);
    session.break_at(on_mark(1, FILE, "show"));
    assert_eq!(session.go(0).reason, StopReason::Breakpoint(BreakpointId(1)));
    session
}

fn judge(questions: &[String]) -> Vec<String> {
    let line = format!("break {FILE}:{}", marks::line(FILE, "show"));
    judge_gdb::gdb(&build::plain(FILE), &[], &[&line, "run"], questions)
}

/// Stack addresses depend on the environment; they are masked.
fn without_stack_addresses(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("0x7ff") {
        out.push_str(&rest[..at]);
        out.push_str("0xSTACK");
        rest = rest[at..].trim_start_matches("0x").trim_start_matches(|c: char| c.is_ascii_hexdigit());
    }
    out + rest
}

/// Reports all differences at once: ours, then gdb's.
#[track_caller]
fn assert_same(pairs: impl IntoIterator<Item = (String, String, String)>) {
    let same = |ours: &str, theirs: &str| without_stack_addresses(ours) == without_stack_addresses(theirs);
    let differ = pairs.into_iter().filter(|(_, ours, theirs)| !same(ours, theirs));
    let told: Vec<_> = differ.map(|(what, ours, theirs)| format!("{what}\n  ours: {ours}\n  gdb:  {theirs}")).collect();
    assert!(told.is_empty(), "{} differ:\n{}", told.len(), told.join("\n"));
}

fn shown(answer: &Answer) -> String {
    match answer {
        Answer::Data(datum) => format(datum, &FormatOptions::default()).unwrap_or_else(|error| format!("{error:?}")),
        Answer::Type(text) => text.clone(),
        Answer::Failed(failure) => failure.message.clone(),
        other => format!("{other:?}"),
    }
}

fn variable(variable: &Variable) -> String {
    match &variable.value {
        VariableValue::Known(datum) => {
            // gdb omits the types of pointers in lists.
            let bare = Datum { type_name: String::new(), ..datum.clone() };
            format!("{} = {}", variable.name, format(&bare, &FormatOptions::default()).unwrap())
        }
        VariableValue::Unknown { why, .. } => format!("{} = <{why}>", variable.name),
    }
}

fn every_value_prints_as_in_gdb(kind: Kind) {
    let mut session = at_show(kind);
    let questions: Vec<_> = EXPRESSIONS.iter().map(|expression| format!("print {expression}")).collect();
    let theirs = judge(&questions);
    let pairs = EXPRESSIONS.iter().zip(theirs).map(|(expression, theirs)| {
        let ours = shown(&session.evaluate_at(0, 0, expression));
        ((*expression).to_owned(), ours, judge_gdb::printed(&theirs).to_owned())
    });
    assert_same(pairs.collect::<Vec<_>>());
}

fn every_type_is_spelled_as_in_gdb(kind: Kind) {
    let mut session = at_show(kind);
    let names = ["struct nested", "enum flags", "union number", "count_t", "vector", "operation", "unsigned long"];
    // gdb parses the text after `whatis sizeof` as a number of its own.
    let asked = EXPRESSIONS.iter().copied().filter(|expression| !expression.starts_with("sizeof(struct"));
    let expressions: Vec<&str> = asked.chain(names).collect();
    let mut questions: Vec<_> = expressions.iter().map(|expression| format!("whatis {expression}")).collect();
    questions.extend(expressions.iter().map(|expression| format!("ptype {expression}")));
    let theirs: Vec<String> = judge(&questions);
    let mut pairs = Vec::new();
    for (i, theirs) in theirs.iter().enumerate() {
        let (expression, expand) = (expressions[i % expressions.len()], i >= expressions.len());
        let detail = if expand { model::TypeDetail::Members } else { model::TypeDetail::Name };
        let operation = Operation::TypeOf { context: HERE, expression: expression.to_owned(), detail };
        let ours = shown(&session.ask(0, operation));
        let theirs = theirs.strip_prefix("type = ").unwrap_or(theirs).to_owned();
        pairs.push((questions[i].clone(), as_gdb_spells(&ours), theirs));
    }
    assert_same(pairs);
}

fn locals_and_arguments_are_those_of_gdb(kind: Kind) {
    let mut session = at_show(kind);
    let theirs = judge(&["info locals".to_owned(), "info args".to_owned()]);
    for (operation, theirs) in [Operation::Locals(HERE), Operation::Arguments(HERE)].into_iter().zip(theirs) {
        let ours: Vec<_> = session.variables(operation).iter().map(variable).collect();
        assert_same([("variables".to_owned(), ours.join("\n"), theirs)]);
    }
}

fn print(session: &mut Session, expression: &str) -> Answer {
    session.ask(
        0,
        Operation::Print {
            context: HERE,
            expression: expression.to_owned(),
            raw: false,
            limits: None,
            unrecorded: false,
            most: None,
            picture: None,
        },
    )
}

fn what_was_printed_can_be_named_again(kind: Kind) {
    let mut session = at_show(kind);
    let questions: Vec<_> = NOTED.iter().map(|expression| format!("print {expression}")).collect();
    let theirs = judge(&questions);
    let pairs = NOTED.iter().zip(theirs).map(|(expression, theirs)| {
        let ours = shown(&print(&mut session, expression));
        ((*expression).to_owned(), ours, judge_gdb::printed(&theirs).to_owned())
    });
    assert_same(pairs.collect::<Vec<_>>());
}

/// The history keeps old values while the program continues; examining without printing adds nothing.
fn a_printed_value_stays_as_it_was(kind: Kind) {
    let mut session = Session::at(kind, &["work"], "sum");
    let numbers = |session: &mut Session, expressions: &[&str]| -> Vec<String> {
        expressions.iter().map(|expression| shown(&print(session, expression))).collect()
    };
    assert_eq!(numbers(&mut session, &["i", "shared", "table", "$limit = 3"])[..1], ["0"]);
    let shared = shown(&session.evaluate_at(0, 0, "shared"));
    session.break_at(BreakpointRequest { condition: Some("i == $limit".to_owned()), ..at_mark(7, "sum") });
    assert_eq!(session.go(0).reason, StopReason::Breakpoint(BreakpointId(7)));
    for change in ["shared.id = 1000", "table[1] = 8.25"] {
        assert!(matches!(session.evaluate_at(0, 0, change), Answer::Data(_)));
    }
    assert_eq!(
        numbers(&mut session, &["$2", "$2.id", "$3", "$1", "i", "$bpnum"]),
        [shared.as_str(), "7", "{0.5, 1.5, -2, 0}", "0", "3", "7",]
    );
    assert_eq!(shown(&session.evaluate_at(0, 0, "$")), "7");
    assert_eq!(numbers(&mut session, &["$$2", "$11"]), ["0", "0"]);
}

fn names_of_values_that_are_not_there(kind: Kind) {
    let mut session = at_show(kind);
    for (expression, words) in [
        ("$1", "History has not yet reached $1."),
        ("nosuch", "No symbol \"nosuch\" in current context."),
        ("*(int *) 0", "Cannot access memory at address 0x0"),
        // Failed expressions add nothing to the history.
        ("$1", "History has not yet reached $1."),
        ("$nosuch + 1", "Argument to arithmetic operation not a number or boolean."),
    ] {
        assert_eq!(shown(&print(&mut session, expression)), words, "{expression}");
    }
    assert_eq!(shown(&print(&mut session, "an_int")), shown(&session.evaluate_at(0, 0, "$")));
    assert_eq!(shown(&print(&mut session, "$9")), "History has not yet reached $9.");
}
