//! Raw members of C++ standard library containers: `print /r`. gdb is the judge.

use crate::beside_gdb::Beside;
use crate::driver::line_of;
use crate::support::build::build;
use rankscope::model::aif::{FormatOptions, format};
use rankscope::model::{Answer, Context, Operation, PrintOptions};

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

const METHODS: &str = include_str!("../programs/methods.cpp");

fn at_inlined_methods(options: &[&str]) -> Beside {
    let program = build("g++", "methods.cpp", options);
    Beside::at(&program, &format!("methods.cpp:{}", line_of(METHODS, "BREAK here")))
}

#[test]
fn methods_whose_code_is_inlined_are_computed() {
    let mut beside = at_inlined_methods(&["-g", "-O1", "-std=c++17"]);
    // gdb finds these in the library of the program, or has them in the Python of the library.
    beside.print(&["text.size()", "text.c_str()", "text.length()", "text.empty()", "text[0] + 1", "text.at(1) + 1"]);
    beside.print(&["empty.empty()", "text.back() + 1", "text.front() + 1", "lengthy.size()", "wide.size()"]);
    beside.print(&["flags.size()", "flags[1]", "flags[2]", "*owner", "owner->y", "*shared", "shared->x"]);
    beside.print(&["numbers.size()", "ages.size()", "many.size()", "weights.size()"]);
    // These have no code in the program: gdb cannot call them.
    let expected = [
        ("text[0]", "97 'a'"),
        ("wide[1]", "105 L'i'"),
        ("shared.use_count()", "2"),
        ("text.data()", "\"abc\""),
        ("text == \"abc\"", "true"),
        ("text != \"abc\"", "false"),
        ("text == view", "false"),
        ("text.capacity()", "15"),
        ("view.size()", "6"),
        ("view[2]", "118 'v'"),
        ("view.empty()", "false"),
        ("ages[\"bob\"]", "25"),
        ("ages.at(\"cy\")", "4"),
        ("ages.at(text)", "There is no such key in this map."),
        ("ages.count(\"ann\")", "1"),
        ("many.count('a')", "2"),
        ("ages.find(\"bob\")->second", "25"),
        ("by_number[7].y", "6"),
        ("by_number[2]", "There is no such key in this map."),
        ("some.count(5.5)", "1"),
        ("some.count(5)", "0"),
        ("weights[\"t\"]", "1000"),
        ("maybe.has_value()", "true"),
        ("*maybe", "5"),
        ("maybe.value() + 1", "6"),
        ("never.has_value()", "false"),
        ("*never", "This optional has no value."),
        ("never.value_or(3)", "3"),
        ("place->y", "2"),
        ("weak.expired()", "false"),
        ("pile.top()", "3"),
        ("pile.size()", "3"),
        ("line.front()", "1"),
        ("line.back()", "3"),
        ("urgent.top()", "3"),
        ("at_age->second", "25"),
        ("at_weight->second", "1"),
        ("*at_number", "2"),
        ("text.at(3)", "Index 3 is out of range for this string of size 3."),
        ("empty.front()", "This string is empty."),
        ("numbers.data()[1]", "2"),
        ("numbers.capacity()", "3"),
    ];
    for (expression, value) in expected {
        let ours = beside.ours(expression);
        let ours = ours.rsplit_once(" \"").filter(|_| ours.starts_with('(') || ours.starts_with("0x"));
        let shown = ours.map_or_else(|| beside.ours(expression), |(_, text)| format!("\"{text}"));
        assert_eq!(shown, value, "{expression}");
    }
    beside.judge();
}

/// gdb stops at the first element that it cannot read.
#[test]
fn garbage_is_one_error() {
    let mut beside = at_inlined_methods(&["-g", "-O1", "-std=c++17"]);
    let vectors = beside.ours("*no_vector");
    assert!(vectors.ends_with(" = {<error: Cannot access memory at address 0x1>...}"), "{vectors}");
    let theirs = beside.theirs("print *no_vector");
    assert!(theirs.ends_with("Cannot access memory at address 0x1"), "{theirs}");
    let maps = beside.ours("*no_weights");
    assert!(maps.contains("[<error: Cannot access memory at address 0x1") && !maps.contains("], ["), "{maps}");
    let lists = beside.ours("*no_list");
    assert_eq!(lists.matches("error").count(), 1, "{lists}");
    // Each of several containers in an array has elements that cannot be read: the first one says so.
    let several = beside.ours("*no_vector@3");
    assert_eq!(several.matches("error").count(), 1, "{several}");
}

/// A key that is cut has another type than one that is whole.
#[test]
fn keys_that_are_cut_are_keys() {
    let mut beside = at_inlined_methods(&["-g", "-O1", "-std=c++17"]);
    let shown = |beside: &mut Beside, most: u32| {
        let limits = PrintOptions { elements: most, ..PrintOptions::default() };
        let context = Context { thread: None, frame: 0 };
        let operation = Operation::Print {
            context,
            expression: "ages".to_owned(),
            raw: false,
            limits: Some(limits),
            unrecorded: false,
            most: None,
            picture: None,
        };
        let Answer::Data(datum) = beside.session.ask(0, operation) else { panic!() };
        let how = FormatOptions { limit: most as usize, ..FormatOptions::default() };
        format(&datum, &how).unwrap()
    };
    for most in [2, 3, 4] {
        beside.theirs(&format!("set print elements {most}"));
        let theirs = beside.theirs("print ages");
        let theirs = theirs.split_once(" = ").unwrap().1;
        assert_eq!(shown(&mut beside, most), theirs, "{most}");
    }
}

/// Strings of the older ABI have their length before their characters.
#[test]
fn strings_of_the_older_abi_have_the_same_methods() {
    let mut beside = at_inlined_methods(&["-g", "-O1", "-std=c++17", "-D_GLIBCXX_USE_CXX11_ABI=0"]);
    beside.print(&["text", "empty", "lengthy", "wide", "text.size()", "text.empty()", "empty.empty()", "text[0] + 1"]);
    assert_eq!(beside.ours("text == \"abc\""), "true");
    assert_eq!(beside.ours("ages[\"bob\"]"), "25");
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
