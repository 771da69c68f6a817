//! Code in several files that the linker keeps once, such as methods of templates and parameter packs. gdb is the
//! judge.

use crate::beside_gdb::Beside;
use crate::support::build::build;
use crate::support::marks::source;
use std::path::PathBuf;

fn program(compiler: &str) -> PathBuf {
    let other = source("kept_other.cpp").display().to_string();
    build(compiler, "kept.cpp", &["-g", "-O0", "-std=c++17", &other])
}

fn types_of_the_file_whose_code_was_kept(compiler: &str) {
    let mut beside = Beside::at(&program(compiler), "Box<char>::size");
    beside.ptype(&["*this"]);
    // Not the description in the other file.
    let theirs = beside.theirs("ptype *this");
    assert!(theirs.contains("put<int>") && !theirs.contains("put<double>"), "{theirs}");
    beside.judge();
}

#[test]
fn a_class_is_that_of_the_file_whose_code_was_kept() {
    types_of_the_file_whose_code_was_kept("g++");
    types_of_the_file_whose_code_was_kept("clang++");
}

#[test]
fn a_pack_is_its_last_argument() {
    // The other compiler gives each argument a name of its own.
    let mut beside = Beside::at(&program("clang++"), "kept_other.cpp:5");
    beside.print(&["some", "sizeof(some)", "&some"]);
    beside.whatis(&["some"]);
    beside.judge();
}

#[test]
fn names_of_operators_stay_as_the_compiler_wrote_them() {
    let named = |compiler| {
        let mut beside = Beside::at(&build(compiler, "operators.cpp", &["-g", "-O0"]), "use");
        beside.ptype(&["sorter", "several"]);
        beside.whatis(&["several", "pair"]);
        beside.print(&["&several", "&pair"]);
        beside.judge();
    };
    named("g++");
    named("clang++");
}

#[test]
fn a_map_that_is_not_made_yet_says_what_cannot_be_read() {
    let mut beside = Beside::at(&build("g++", "unmade.cpp", &["-g", "-O0"]), "use");
    beside.print(&["*ages", "*names", "*none"]);
    beside.judge();
}
