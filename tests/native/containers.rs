//! Containers of the standard library of C++ as they are made: `print /r`. gdb is the judge.

use crate::beside_gdb::Beside;
use crate::driver::line_of;
use crate::support::build::build;

const SOURCE: &str = include_str!("../programs/containers.cpp");

#[test]
fn containers_as_they_are_made() {
    let program = build("g++", "containers.cpp", &["-g", "-O0"]);
    let mut beside = Beside::at(&program, &format!("containers.cpp:{}", line_of(SOURCE, "use(numbers, ages, text)")));
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
