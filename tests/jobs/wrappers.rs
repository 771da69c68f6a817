//! Wrappers that start copies without ranks: the user names the program, and gives each copy its rank.

use crate::support::batch::{Outcome, Place};
use crate::support::build;
use crate::support::pty::Terminal;

const SCRIPT: &str = "wait\nbreak call\ngo\nwait\nprint round\ndelete 1\ngo\nwait exited\n";

#[track_caller]
fn run(place: &Place, wrapper: &[&str], script: &str) -> Outcome {
    let program = build::plain("counted.c").display().to_string();
    let words = wrapper.iter().map(|&word| if word == "./app" { program.as_str() } else { word });
    let arguments: Vec<&str> = ["run", "--json", "--timeout", "28", "--batch", "-"].into_iter().chain(words).collect();
    place.run(&arguments, script)
}

#[track_caller]
fn four(place: &Place, wrapper: &[&str]) {
    let outcome = run(place, wrapper, SCRIPT).expect(0);
    assert_eq!(outcome.of("session")[0]["ranks"], "0-3");
    assert_eq!(outcome.ranks("stopped", "reason", "breakpoint"), "0-3");
    assert_eq!(outcome.ranks("value", "value", "0"), "0-3");
    assert_eq!(outcome.ranks("exited", "code", 45), "0-3");
}

/// The commands of `docs/LAUNCHING.md`.
#[test]
fn wrappers_are_told_as_the_page_says() {
    let page = include_str!("../../docs/LAUNCHING.md").split("```wrapper\n").nth(1).unwrap();
    let lines: Vec<&str> = page.split("```").next().unwrap().lines().collect();
    assert_eq!(lines.len(), 2);
    for line in lines {
        let place = Place::new();
        let inputs = place.path().join("inputs");
        std::fs::write(&inputs, "a b c d\n").unwrap();
        let inputs = inputs.display().to_string();
        // Quotes removed, as a shell does.
        let words: Vec<String> = line.split(' ').skip(2).map(|word| word.replace('\'', "")).collect();
        let words = words.iter().map(|word| if word == "inputs" { inputs.as_str() } else { word });
        four(&place, &words.collect::<Vec<_>>());
    }
}

#[test]
fn a_script_may_start_them() {
    let place = Place::new();
    let script = place.path().join("start");
    build::script(&script, "for i in 0 1 2 3; do RANKSCOPE_RANK=$i RANKSCOPE_SIZE=4 \"$@\" & done; wait");
    four(&place, &[&script.display().to_string(), "{join}", "./app"]);
}

/// A wrapper that ends too early: the message gives the number of connected ranks and the missing ones.
#[test]
fn a_rank_that_never_comes_is_named() {
    let place = Place::new();
    let (script, end) = (place.path().join("start"), place.path().join("end"));
    nix::unistd::mkfifo(&end, nix::sys::stat::Mode::S_IRWXU).unwrap();
    let text = "for i in 0 1 3; do RANKSCOPE_RANK=$i RANKSCOPE_SIZE=4 \"$@\" & done";
    build::script(&script, &format!("{text}; read word < {}", end.display()));
    let (script, program) = (script.display().to_string(), build::plain("counted.c").display().to_string());
    let words = ["run", &script, "{join}", &program];
    let mut terminal = Terminal::start_at(place.home(), env!("CARGO_BIN_EXE_rankscope"), &words, (100, 30));
    // While it waits it shows its progress.
    terminal.see(&["3 of 4 ranks connected; waiting for [2]"]);
    std::fs::write(&end, "end\n").unwrap();
    terminal.see(&["the launcher exited with code 0 before all ranks had connected"]);
    terminal.see(&["3 of 4 ranks connected; waiting for [2]"]);
}
