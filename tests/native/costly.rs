//! Debug information that is made to cost time and memory.

use crate::driver::{Session, compile};
use rankscope::model::aif::{FormatOptions, format};
use rankscope::model::{Answer, Context, Operation};
use std::path::{Path, PathBuf};

/// A program of `tests/programs`; the directory goes with it.
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
    // What is small is whole, and the rest goes on.
    let narrow = value(&mut session, "narrow");
    assert_eq!((narrow.matches("<No data fields>").count(), narrow.contains("not read")), (16, false), "{narrow}");
    assert_eq!(value(&mut session, "plain"), "7");
}

/// Each look at a block used to walk over all blocks within.
#[test]
fn blocks_within_blocks_are_walked_once() {
    let (_directory, path) = program("nested_blocks.s", &["-g0"]);
    let mut session = Session::launch(&path, 1);
    session.stop(0);
    let Answer::Variables(locals) = session.ask(0, Operation::Locals(Context::default())) else { panic!() };
    assert!(locals.is_empty());
}
