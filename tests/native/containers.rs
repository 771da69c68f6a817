//! Raw members of C++ standard library containers: `print /r`. gdb is the judge.

use crate::beside_gdb::Beside;
use crate::driver::line_of;
use crate::support::build::build;
use rankscope::model::aif::{FormatOptions, format};
use rankscope::model::{Answer, Operation};

const SOURCE: &str = include_str!("../programs/containers.cpp");
const ITERATORS: &str = include_str!("../programs/iterators.cpp");

/// Once everything in the block is constructed.
fn at_iterators(mark: &str, names: &[&str]) {
    let program = build("g++", "iterators.cpp", &["-g", "-O0"]);
    let mut beside = Beside::at(&program, &format!("iterators.cpp:{}", line_of(ITERATORS, mark)));
    beside.print(names);
    beside.whatis(names);
    beside.judge();
}

#[test]
fn iterators_as_what_they_are_at() {
    at_iterators(
        "use(letter",
        &["letter", "name", "one", "link", "first", "end", "bit", "reference", "names", "few", "forward"],
    );
    at_iterators("use(node", &["link", "first", "end", "element"]);
}

#[test]
fn adapters_as_what_they_hold() {
    at_iterators("use(pile", &["pile", "line", "urgent", "small", "large", "list", "count", "ready", "none"]);
}

fn stopped() -> Beside {
    let program = build("g++", "containers.cpp", &["-g", "-O0"]);
    Beside::at(&program, &format!("containers.cpp:{}", line_of(SOURCE, "use(numbers, ages, text)")))
}

#[test]
fn methods_and_operators_without_a_call() {
    let mut beside = stopped();
    beside.print(&[
        "numbers[1]",
        "numbers[1] + 1",
        "&numbers[1]",
        "numbers.size()",
        "numbers.empty()",
        "nothing.empty()",
        "numbers.front()",
        "numbers.back()",
        "numbers.at(2)",
        "rows[0][1]",
        "rows[0].size()",
        "points[1].x",
        "points[0].name",
        "words[1]",
        "fixed[2]",
        "fixed.size()",
        "fixed.front()",
        "fixed.back()",
        "fixed.at(0)",
        "fixed.empty()",
        "queue[299]",
        "queue.size()",
        "queue.front()",
        "queue.back()",
        "lines[1]",
        "lines.back()",
        "chain.size()",
        "chain.front()",
        "chain.back()",
        "chain.empty()",
        "ages.size()",
        "ages.empty()",
        "some.size()",
        "weights.size()",
        "seen.size()",
        "many.size()",
        "*owner",
        "*owner + 1",
        "owner.get()",
        "*shared",
        "shared->x",
        "shared->name",
        "(*shared).x",
        "shared.get()",
        "other->x",
        "numbers[0] = 12",
        "numbers",
        "numbers[0] = 1",
        "sizeof(numbers[0])",
    ]);
    beside.whatis(&["numbers[1]", "points[0]", "numbers.empty()", "*owner", "fixed[0]"]);
    assert_eq!(beside.ours("numbers.at(3)"), "Index 3 is out of range for this vector of size 3.");
    beside.judge();
}

#[test]
fn containers_as_they_are_made() {
    let mut beside = stopped();
    let names = [
        "text", "empty", "view", "numbers", "nothing", "flags", "words", "rows", "points", "fixed", "ages", "some",
        "weights", "queue", "chain", "both", "three", "maybe", "word", "either", "owner", "shared", "weak", "where",
    ];
    let raw: Vec<String> = names.iter().map(|name| format!("/r {name}")).collect();
    let raw: Vec<&str> = raw.iter().map(String::as_str).collect();
    beside.print(&raw);
    // Printing raw does not change the value.
    beside.print(&["/r numbers", "$", "numbers"]);
    let (shown, made) = (beside.ours("numbers"), beside.ours("/r numbers"));
    assert!(shown.contains("{1, 2, 3}") && made.contains("_M_start"), "{shown}\n{made}");
    beside.judge();
}

const WRAPPED: &str = include_str!("../programs/wrapped.cpp");
const NAMES: [&str; 12] =
    ["number", "none", "several", "text", "either", "held", "empty", "one", "three", "pairs", "nested", "unique"];

/// The texts are those of the pretty-printers for this machine's library.
#[test]
fn wrapped_values_have_the_words_of_the_library() {
    let program = build("g++", "wrapped.cpp", &["-g", "-O0", "-std=c++17"]);
    let mut beside = Beside::at(&program, &format!("wrapped.cpp:{}", line_of(WRAPPED, "BREAK stop")));
    // gdb's name for a string type depends on the files it has read.
    let names: Vec<&str> = NAMES.into_iter().filter(|name| *name != "text").collect();
    beside.print(&names);
    beside.judge();
}

/// A library with the names of GCC 14's; the texts are those of gdb 16 with that library.
#[test]
fn wrapped_values_have_the_words_of_a_newer_library() {
    let directory = tempfile::tempdir().unwrap();
    let library = std::process::Command::new("g++").arg("-print-file-name=libstdc++.so.6").output().unwrap();
    let library = String::from_utf8(library.stdout).unwrap();
    std::fs::copy(library.trim(), directory.path().join("libstdc++.so.6.0.33")).unwrap();
    std::os::unix::fs::symlink("libstdc++.so.6.0.33", directory.path().join("libstdc++.so.6")).unwrap();
    let rpath = format!("-Wl,-rpath,{}", directory.path().display());
    let program = build("g++", "wrapped.cpp", &["-g", "-O0", "-std=c++17", &rpath]);
    let mut session = crate::driver::Session::launch(&program, 1);
    session.stop(0);
    session.breakpoint(0, 1, &format!("wrapped.cpp:{}", line_of(WRAPPED, "BREAK stop")));
    session.go(0);
    session.stop(0);
    for (name, expected) in NAMES.into_iter().zip([
        "std::optional = {[contained value] = 5}",
        "std::optional [no contained value]",
        "std::optional containing std::vector of length 2, capacity 2 = {1, 2}",
        "std::optional = {[contained value] = \"abc\"}",
        "std::variant [index 1] = {2.5}",
        "std::variant [index 1] containing std::vector of length 1, capacity 1 = {3}",
        "empty std::tuple",
        "std::tuple containing = {[0] = 1}",
        "std::tuple containing = {[0] = 1, [1] = 2.5, [2] = \"x\"}",
        "std::vector of length 2, capacity 2 = {std::tuple containing = {[0] = 1, [1] = 2}, std::tuple containing = {[0] \
         = 3, [1] = 4}}",
        "std::optional containing std::tuple containing = {[0] = 7, [1] = 99 'c'}",
    ]) {
        let context = rankscope::model::Context::default();
        let operation = Operation::Evaluate { context, expression: name.to_owned() };
        let Answer::Data(datum) = session.ask(0, operation) else { panic!("{name} has no value") };
        assert_eq!(format(&datum, &FormatOptions::default()).unwrap(), expected, "{name}");
    }
}
