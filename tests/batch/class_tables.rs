//! Classes of C++: their tables of virtual functions, parts of their types, and conditions on their objects.

use super::gdb_data::ours;
use crate::support::build;
use crate::support::gdb::gdb;
use std::path::PathBuf;

const SOURCE: &str = include_str!("../programs/class_members.cpp");

fn program() -> PathBuf {
    build::build("g++", "class_members.cpp", &["-g", "-O0"])
}

fn stop_at(mark: &str) -> String {
    format!("break class_members.cpp:{}", line_of(mark))
}

#[track_caller]
fn as_gdb(questions: &[&str]) {
    let (program, stop) = (program(), stop_at("/* stop */"));
    let spoken: Vec<String> = questions.iter().map(|&question| question.to_owned()).collect();
    let theirs = gdb(&program, &[], &[&stop, "run"], &spoken);
    for engine in ["native", "gdb"] {
        let ours = ours(&program, engine, &[&stop, "go", "wait"], questions);
        for ((question, ours), theirs) in questions.iter().zip(&ours).zip(&theirs) {
            assert_eq!(without_stack(ours), without_stack(theirs), "{engine}: {question}");
        }
    }
}

/// The environment decides where the stack begins, and with it the addresses of objects on it.
fn without_stack(text: &str) -> String {
    let words = text.trim_end().split_inclusive(char::is_whitespace);
    words.map(|word| if word.starts_with("0x7ff") && word.contains("):") { "0x…):\n" } else { word }).collect()
}

#[test]
fn info_vtbl_lists_the_virtual_functions_of_an_object() {
    as_gdb(&["info vtbl d", "info vtbl b", "info vtbl *b", "info vtbl o", "info vtbl rb"]);
}

#[test]
fn ptype_leaves_out_methods_and_typedefs() {
    as_gdb(&["ptype/m Derived", "ptype/t Derived", "ptype/mt Derived", "ptype/mMt d", "whatis/m d", "ptype/r a"]);
}

#[test]
fn a_member_has_a_type_without_an_object() {
    as_gdb(&["whatis sizeof(Derived::y)", "whatis Derived::y", "ptype Base::x", "ptype Derived::count"]);
}

#[test]
fn a_condition_compares_texts_without_calling_the_program() {
    let program = program();
    for condition in [
        "strcmp(name, \"two\") == 0",
        "!strncmp(name, \"twofold\", 3)",
        "strlen(name) == 3 && strcasecmp(name, \"ONE\")",
        "memcmp(name, \"tw\", 2) == 0",
    ] {
        let stop = format!("break class_members.cpp:{} if {condition}", line_of("/* in method */"));
        let answers = ours(&program, "native", &[&stop, "go", "wait"], &["print name[0]", "print n"]);
        assert!(answers[1].contains("= 1"), "{condition}: {answers:?}");
    }
}

#[test]
fn a_condition_that_calls_a_method_is_refused_when_it_is_set() {
    let arguments = ["run", "--timeout", "60", "--batch", "-", "--keep-going", "-n", "2", "--"];
    let program = program();
    let arguments: Vec<&str> = arguments.into_iter().chain([program.to_str().unwrap()]).collect();
    let stop = line_of("/* stop */");
    let script = format!("break {stop} if d.who() == 3\nbreak {stop} if a == c\nbreak {stop} if counter(1) > 3\n");
    let outcome = crate::support::batch::Place::new().run(&arguments, &script);
    for name in ["who", "operator==", "counter"] {
        let why = format!("a condition cannot call {name}: only print, set and rank sets call functions");
        assert!(outcome.text.contains(&why), "{name}: {}", outcome.text);
    }
}

fn line_of(mark: &str) -> usize {
    SOURCE.lines().position(|line| line.contains(mark)).unwrap() + 1
}
