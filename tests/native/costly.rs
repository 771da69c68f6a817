//! Debug information made to cost time and memory.

use crate::driver::{Session, compile};
use rankscope::model::aif::{FormatOptions, format};
use rankscope::model::{
    Answer, Context, Operation, ProcessSet, Rank, SymbolKind, SymbolQuery, Variable, VariableValue,
};
use std::path::{Path, PathBuf};

/// Compiles a program of `tests/programs`; keep the directory as long as the program.
fn program(name: &str, options: &[&str]) -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("program");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(name);
    compile(&source, &path, options);
    (directory, path)
}

fn value(session: &mut Session, expression: &str) -> String {
    let expression = expression.to_owned();
    match session.ask(0, Operation::Evaluate { context: Context::default(), expression }) {
        Answer::Data(datum) => format(&datum, &FormatOptions::default()).unwrap(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_value_of_millions_of_members_is_shown_as_far_as_it_is_of_use() {
    let (_directory, path) = program("wide.c", &["-g", "-O0"]);
    let mut session = Session::launch(&path, 1);
    session.stop(0);
    let wide = value(&mut session, "wide");
    assert!(wide.contains("not read: the value has more than 131072 parts"), "{}", &wide[..wide.len().min(300)]);
    // Small values are complete, and the rest goes on.
    let narrow = value(&mut session, "narrow");
    assert_eq!((narrow.matches("<No data fields>").count(), narrow.contains("not read")), (16, false), "{narrow}");
    assert_eq!(value(&mut session, "plain"), "7");
}

fn locals(answer: Answer) -> Vec<Variable> {
    match answer {
        Answer::Variables(locals) => locals,
        other => panic!("{other:?}"),
    }
}

/// Shows a variable with all that was read of it.
fn shown(variable: &Variable) -> String {
    let options = FormatOptions { max_depth: usize::MAX, ..FormatOptions::default() };
    match &variable.value {
        VariableValue::Known(datum) => format(datum, &options).unwrap(),
        VariableValue::Unknown { why, .. } => why.clone(),
    }
}

#[test]
fn a_frame_of_a_thousand_such_variables_has_one_budget() {
    let (_directory, path) = program("wide.c", &["-g", "-O0"]);
    let mut session = Session::launch(&path, 1);
    session.stop(0);
    let locals = locals(session.ask(0, Operation::Locals(Context::default())));
    assert_eq!(locals.len(), 1003);
    let text: Vec<_> = locals.iter().map(|variable| (variable.name.as_str(), shown(variable))).collect();
    let parts: usize = text.iter().map(|(_, value)| value.matches("data fields").count()).sum();
    assert!((1000..1 << 17).contains(&parts), "{parts} were read of all");
    // Small values after large ones are shown, and the omitted ones give the reason.
    let of = |name: &str| text.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str()).unwrap();
    assert!(of("monstrous").contains("not read: the value has more than 65536 parts"));
    assert!(of("second").parse::<i32>().is_ok(), "{}", of("second"));
    assert!(of("local_999").contains("not read: the values before it used up the limit"));
}

/// The screen searches for names while one is typed.
#[test]
fn a_value_does_not_wait_for_searches_through_files() {
    let (_directory, path) = program("wide.c", &["-g", "-O0"]);
    let mut session = Session::launch(&path, 1);
    session.stop(0);
    assert_eq!(value(&mut session, "plain"), "7");
    let all = ProcessSet::one(Rank(0));
    let search = |number| {
        let name = Some(format!("^(a|b)*[c-x]+{number}"));
        let query = SymbolQuery { name, ..SymbolQuery::all(SymbolKind::Functions, 10) };
        Operation::ListSymbols(Context::default(), Box::new(query))
    };
    let searches: Vec<_> = (0..40).map(|number| session.submit(&all, search(number))).collect();
    assert_eq!(value(&mut session, "plain"), "7");
    let done = searches.iter().filter(|tid| session.is_answered(**tid)).count();
    assert!(done < 20, "{done} searches came first");
    for tid in searches {
        assert!(matches!(session.answers(tid, &all).remove(0).1, Answer::SymbolList(_)));
    }
}

#[test]
fn an_interrupt_ends_what_is_being_evaluated_and_what_waits_for_that() {
    let (_directory, path) = program("wide.c", &["-g", "-O0"]);
    let mut session = Session::launch(&path, 1);
    session.stop(0);
    let all = ProcessSet::one(Rank(0));
    // The user interrupts, or nobody waits any more.
    for end in [Operation::Interrupt, Operation::StopLooking] {
        let asked: Vec<_> = (0..50).map(|_| session.submit(&all, Operation::Locals(Context::default()))).collect();
        let end = session.submit(&all, end);
        for tid in asked {
            let (_, answer) = session.answers(tid, &all).remove(0);
            assert!(locals(answer).iter().any(|variable| shown(variable).contains("not read: interrupted")));
        }
        assert_eq!(session.answers(end, &all).remove(0).1, Answer::Ok);
    }
    // Later questions get everything that is available.
    assert_eq!(session.ask(0, Operation::Arguments(Context::default())), Answer::Variables(Vec::new()));
    assert!(value(&mut session, "wide").contains("the value has more than 131072 parts"));
}

#[test]
fn ranks_beside_one_with_a_monstrous_value_are_answered_first() {
    let (_directory, path) = program("wide.c", &["-g", "-O0"]);
    let mut session = Session::launch(&path, 9);
    (0..9).for_each(|rank| drop(session.stop(rank)));
    // Everything available has been read.
    assert_eq!(value(&mut session, "plain"), "7");
    let print = |expression: &str| {
        let expression = expression.to_owned();
        Operation::Print {
            context: Context::default(),
            expression,
            raw: false,
            limits: None,
            unrecorded: false,
            most: None,
            picture: None,
        }
    };
    let each = |rank| ProcessSet::one(Rank(rank));
    let monstrous: Vec<_> = (0..8).map(|rank| session.submit(&each(rank), print("wide"))).collect();
    let beside = [print("plain"), Operation::Stack { thread: None, low: 0, high: None, most: None }, print("narrow")];
    for operation in beside {
        let tid = session.submit(&each(8), operation);
        session.answers(tid, &each(8));
        assert!(monstrous.iter().all(|tid| !session.is_answered(*tid)), "the rank beside them had to wait");
    }
    for (rank, tid) in (0..).zip(monstrous) {
        let (_, answer) = session.answers(tid, &each(rank)).remove(0);
        let Answer::Data(datum) = answer else { panic!("{answer:?}") };
        // Eight at once on a busy machine may reach the limit of time first.
        let text = format(&datum, &FormatOptions::default()).unwrap();
        assert!(text.contains("131072 parts") || text.contains("takes longer than"), "{text}");
    }
}

#[test]
fn a_view_of_a_monstrous_frame_keeps_no_other_look_waiting() {
    let (_directory, path) = program("wide.c", &["-g", "-O0"]);
    let mut session = Session::launch(&path, 1);
    session.stop(0);
    assert_eq!(value(&mut session, "plain"), "7");
    let all = ProcessSet::one(Rank(0));
    let view = session.submit(&all, Operation::Locals(Context::default()));
    let expression = "wide".to_owned();
    let watched = session.submit(&all, Operation::Evaluate { context: Context::default(), expression });
    session.ask(0, Operation::Stack { thread: None, low: 0, high: None, most: None });
    assert_eq!(value(&mut session, "plain"), "7");
    let go = session.submit(&all, Operation::Go);
    assert!(![view, watched, go].iter().any(|tid| session.is_answered(*tid)));
    // Operations that change the rank wait for them, unless they are cancelled.
    session.ok(0, Operation::StopLooking);
    assert_eq!(session.answers(go, &all).remove(0).1, Answer::Ok);
    assert!(session.is_answered(view) && session.is_answered(watched));
}

/// Each look-up of a block used to walk over all its inner blocks.
#[test]
fn blocks_within_blocks_are_walked_once() {
    let (_directory, path) = program("nested_blocks.s", &["-g0"]);
    let mut session = Session::launch(&path, 1);
    session.stop(0);
    let Answer::Variables(locals) = session.ask(0, Operation::Locals(Context::default())) else { panic!() };
    assert!(locals.is_empty());
}
