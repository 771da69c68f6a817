//! gdb as the judge.

use std::{path::Path, process::Command};

/// gdb's output for each question about a program that `way` has brought to a place.
#[track_caller]
pub fn gdb(program: &Path, arguments: &[&str], way: &[&str], questions: &[String]) -> Vec<String> {
    const MARK: &str = "@@ question @@";
    let mut gdb = Command::new("gdb");
    gdb.args(["-nx", "-q", "-batch"]);
    // Else the debuggee sees the terminal's size, and its stack is elsewhere.
    let quiet = ["set width 0", "set height 0", "set debuginfod enabled off", "set print frame-arguments all"];
    let shape = ["set startup-with-shell off", "unset environment LINES", "unset environment COLUMNS"];
    for command in quiet.iter().chain(&shape).chain(way) {
        gdb.args(["-ex", command]);
    }
    for question in questions {
        gdb.args(["-ex", &format!("echo {MARK}\\n"), "-ex", question]);
    }
    gdb.args(["-ex", &format!("echo {MARK}\\n"), "-ex", "kill", "--args"]).arg(program).args(arguments);
    // An error ends a batch of -ex commands at that point; its message belongs to the answer.
    let both = format!("{}", gdb.get_program().display());
    let output = gdb.stdin(std::process::Stdio::null()).output().unwrap_or_else(|error| panic!("{both}: {error}"));
    let text = String::from_utf8_lossy(&output.stdout);
    let mut parts: Vec<String> = text.split(&format!("{MARK}\n")).map(|part| part.trim_end().to_owned()).collect();
    assert_eq!(parts.len(), questions.len() + 2, "gdb said:\n{text}\n{}", String::from_utf8_lossy(&output.stderr));
    parts.pop();
    parts.remove(0);
    parts
}

/// The value printed by `print`, without its number.
pub fn printed(answer: &str) -> &str {
    answer.split_once(" = ").map_or(answer, |(_, value)| value)
}
