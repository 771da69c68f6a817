//! Containers of the standard library of C++ as they are made: `print /r`. gdb is the judge.

use crate::beside_gdb::Beside;
use crate::driver::line_of;
use crate::support::build::build;

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
    assert_eq!(beside.ours("numbers.at(3)"), "The index 3 is not in this vector: its size is 3.");
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
    // What was printed raw is no other value.
    beside.print(&["/r numbers", "$", "numbers"]);
    let (shown, made) = (beside.ours("numbers"), beside.ours("/r numbers"));
    assert!(shown.contains("{1, 2, 3}") && made.contains("_M_start"), "{shown}\n{made}");
    beside.judge();
}
