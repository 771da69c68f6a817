//! Scoped names: enumerators of classes, namespaces and `enum class`, types from templates. gdb is the judge.

use crate::beside_gdb::Beside;
use crate::driver::{Session, build, line_of, place, request};
use rankscope::model::{Answer, BreakpointRequest, Operation};
use std::path::PathBuf;
use std::process::Command;
use tempfile::TempDir;

const SOURCE: &str = include_str!("../programs/scoped.cpp");

/// Enumerations that a function declares, and one within a structure.
const LOCAL: &str = "enum outer { A, B = 5 };
struct holder { enum within { W = 8 } e; };
int main(void) {
    enum inner { X = 2, Y } v = Y;
    enum { Z = 99 };
    enum outer o = B;
    struct holder h = { W };
    return v + o + h.e + Z; /* stop */
}
";

fn compiled(compiler: &str, options: &[&str]) -> (PathBuf, TempDir) {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("scoped.cpp");
    std::fs::write(&file, SOURCE).unwrap();
    let program = directory.path().join("program");
    let mut command = Command::new(compiler);
    command.args(["-g", "-O0", "-w"]).args(options).arg(&file).arg("-o").arg(&program);
    assert!(command.status().unwrap().success());
    (program, directory)
}

fn at(program: &std::path::Path, text: &str) -> Beside {
    Beside::at(program, &format!("scoped.cpp:{}", line_of(SOURCE, text)))
}

const ENUMERATORS: &[&str] = &[
    "ns::E::high",
    "ns::E::low",
    "E::a",
    "E::nosuch",
    "ns::E::nosuch",
    "Class::k",
    "Class::n1",
    "low",
    "ns::first",
    "ns::Holder::round",
    "ns::Holder::Mode::on",
    "ns::deep::E::y",
    "::E::b",
    "::ns::E::high",
    "l == ns::E::high",
    "l == ns::E::low",
    "e < E::c",
    "e == ns::E::high",
    "(int)E::b",
    "E::b + 1",
    "small == Small::two",
    "sign == ns::Signed::minus",
    "many[1] == E::c",
    "reference == E::b",
    "holder.kind == ns::Holder::square",
    "holder.mode == ns::Holder::Mode::on",
    "loose | ns::first",
    "object.field == Class::k",
    "l = ns::E::low",
    "l",
    "&E::b",
    "&low",
    "E",
    "odd",
    "(ns::E)9",
];

const TEMPLATES: &[&str] = &[
    "sizeof(Box<int>)",
    "sizeof(Box<Box<int> >)",
    "sizeof(Box< int >)",
    "sizeof(Fixed<3, short>)",
    "sizeof(ns::Box<long>)",
    "sizeof(struct Box<int>)",
    "sizeof(Box<int> *)",
    "sizeof(Box<int>[4])",
    "sizeof(Box<const char *>)",
    "sizeof(Box<char const*>)",
    "sizeof(Box<float>)",
    "sizeof(Box<nosuch>)",
    "*(Box<Box<int> > *)p",
    "*(Box<int>*)p",
    "*(const Box<int>*)p",
    "(Box<int>*)p",
    "(ns::Box<long>*)&other",
    "reinterpret_cast<Box<int>*>(p)->value",
    "{Box<int>} p",
    "twice<int>(4)",
    "other.state == ns::Box<long>::State::full",
    "Box<int>::nosuch",
    "box.value < 5",
    "box.value<5",
    "box.value < 3 || box.value > 3",
    "box.value << 2 >> 1",
    "1<2",
];

/// Types without a name in them, made from types in namespaces and from templates, and expressions that look like them.
const ABSTRACT_TYPES: &[&str] = &[
    "sizeof(*(ns::Box<long>(*)[2][3])&other)",
    "*(ns::Box<long>(*)[1])&other",
    "(ns::Box<long> (*)[1])&other",
    "(*(ns::Box<long> (*)[1])(&other))[0].value",
    "(ns::Box<long> &)other",
    "(ns::Box<long> &&)other",
    "(ns::Box<long> const *)&other",
    "(ns::Box<long> const * const)&other",
    "(ns::Box<long> *(*)[2])&other",
    "(ns::E (*)(ns::Box<long> &, int))0",
    "(ns::Box<long> *(*)(int))0",
    "(ns::Box<long> (*(*)(int))[3])0",
    "sizeof(ns::Box<long> (*)[48])",
    "sizeof(ns::Box<long> (*)(int))",
    "sizeof(ns::Box<long> &)",
    "sizeof(ns::Box<long>[2][3])",
    "sizeof(IntBox (*)[48])",
    "(IntBox (*)[1])p",
    "*(IntBox (*)[1])p",
    "(box.value * (2))",
    "(loose & (3))",
    "(loose & (3)) * 2",
    "sizeof(loose * (2))",
    "(loose) * 2",
    "(twice<int>(4)) * 2",
];

#[test]
fn casts_to_pointers_and_references_of_types_in_namespaces() {
    let (program, _directory) = compiled("g++", &[]);
    let mut beside = at(&program, "/* stop */");
    beside.print(ABSTRACT_TYPES);
    beside.judge();
}

#[test]
fn enumerators_are_found_by_their_scopes() {
    let (program, _directory) = compiled("g++", &[]);
    let mut beside = at(&program, "/* stop */");
    beside.print(ENUMERATORS);
    beside.ptype(&["E", "ns::E", "Small", "Empty", "ns::Signed", "Class::Named", "E::b", "Class::k", "l", "many"]);
    beside.whatis(&["E::b", "ns::E::high", "Class::k", "enum E", "holder.mode", "ns::Box<long>::State::full"]);
    beside.judge();
}

#[test]
fn types_made_from_templates_are_read_in_expressions() {
    for options in [&[][..], &["-gdwarf-4", "-fdebug-types-section"]] {
        let (program, _directory) = compiled("g++", options);
        let mut beside = at(&program, "/* stop */");
        beside.print(TEMPLATES);
        beside.ptype(&[
            "Box<int>",
            "const Box<int>",
            "Box<int> *",
            "ns::Box<long>",
            "Fixed<3,short>",
            "Box<float>",
            "Box",
        ]);
        beside.whatis(&["Box<Box<int> >", "Box<int> &", "Box<int>(*)(Box<int>)", "int(Box<int>)", "twice<int>"]);
        // gdb wants a blank between the brackets, C++ does not.
        for (ours, same) in [
            ("sizeof(Box<Box<int>>)", "sizeof(Box<Box<int> >)"),
            ("*(Box<Box<int>>*)p", "*(Box<Box<int> > *)p"),
            ("sizeof(Two<int,Box<double>>)", "sizeof(two)"),
            ("*static_cast<Box<Box<int>>*>(p)", "boxes"),
        ] {
            let expected = beside.theirs(&format!("output {same}"));
            assert_eq!(beside.ours(ours), expected, "{ours}");
        }
        beside.judge();
    }
}

/// A name without scopes is looked up in the scopes around the frame's function.
#[test]
fn names_are_those_of_the_scope_around_the_frame() {
    for compiler in ["g++", "clang++"] {
        let (program, _directory) = compiled(compiler, &[]);
        let mut beside = at(&program, "/* inside */");
        beside.print(&[
            "kind",
            "round",
            "mode == Mode::on",
            "E::high",
            "ns::E::high",
            "low",
            "first",
            "wanted == Mode::off",
        ]);
        beside.print(&[
            "Holder::round",
            "ns::Holder::round",
            "limit",
            "sizeof(Mode)",
            "sizeof(Box<long>)",
            "Mode::nosuch",
        ]);
        beside.ptype(&["E", "Mode", "Kind", "Box<long>", "::E", "wanted"]);
        beside.judge();
    }
}

#[test]
fn enumerators_of_a_function_are_known_in_it() {
    let program = build(LOCAL, &[]);
    let mut beside = Beside::at(&program.path, &format!("program.c:{}", line_of(LOCAL, "/* stop */")));
    beside.print(&["A", "X", "Y", "Z", "W", "v == Y", "o == B", "Z + 1", "&Z"]);
    beside.whatis(&["Y", "Z", "W"]);
    beside.judge();
}

#[test]
fn a_condition_names_enumerators_by_their_scopes() {
    let (program, _directory) = compiled("g++", &[]);
    for (condition, stops) in [("wanted == ns::Holder::Mode::on", true), ("wanted == Mode::off", false)] {
        let mut session = Session::launch(&program, 1);
        session.stop(0);
        let line = line_of(SOURCE, "/* inside */");
        let at = request(1, &format!("scoped.cpp:{line}"));
        session.set(0, BreakpointRequest { condition: Some(condition.to_owned()), ..at });
        session.go(0);
        if stops {
            assert_eq!(place(&session.stop(0)).1, line);
            session.go(0);
        }
        session.end(0);
    }
}

/// Without a frame, the program's language applies.
#[test]
fn an_enumeration_is_spelled_out_after_the_end_as_before() {
    let (program, _directory) = compiled("g++", &[]);
    let mut beside = at(&program, "/* stop */");
    beside.end();
    beside.ptype(&["E", "ns::Signed"]);
    beside.print(&["E::b", "sizeof(Box<int>)", "1 < 2"]);
    let context = rankscope::model::Context { thread: None, frame: 0 };
    let asked = Operation::TypeOf { context, expression: "E".to_owned(), detail: model::TypeDetail::Members };
    assert_eq!(beside.session.ask(0, asked), Answer::Type("enum class E : int {E::a, E::b = 7, E::c}".to_owned()));
    beside.judge();
}
