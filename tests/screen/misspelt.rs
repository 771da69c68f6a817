//! Names that are misspelt are corrected, with what real programs have.

use crate::support::build::{build, plain};
use crate::support::pty::Terminal;
use std::path::Path;

const RANKSCOPE: &str = env!("CARGO_BIN_EXE_rankscope");

fn started(program: &Path) -> Terminal {
    let mut terminal = Terminal::start(RANKSCOPE, &["run", "-n", "2", "--", &program.display().to_string()], (120, 40));
    terminal.see(&["0S 1S", "started"]);
    terminal
}

#[test]
fn a_question_about_a_pending_breakpoint_names_the_function_that_was_meant() {
    let mut terminal = started(&plain("contract.c"));
    terminal.send(":break inpsect\r").see(&[
        "There is no function \"inpsect\"",
        "Did you mean \"inspect\"?",
        "y n answer",
    ]);
    terminal.send("n").until("the question to go", |text| !text.contains("There is no function"));
    terminal.send(":break nothing_like_it\r").see(&["There is no function \"nothing_like_it\""]);
    assert!(!terminal.text().contains("Did you mean"), "{}", terminal.text());
}

#[test]
fn a_misspelt_member_is_corrected() {
    let mut terminal = started(&plain("contract.c"));
    terminal.send(":print shared.naem\r").see(&["There is no member named naem. Did you mean \"name\"?"]);
}

#[test]
fn a_misspelt_member_of_simulated_ranks_is_corrected() {
    let mut terminal = Terminal::start(RANKSCOPE, &["demo", "--simulate", "-n", "2"], (120, 40));
    terminal.see(&["0S 1S", "started"]);
    terminal.send(":print rod[0].fluxx\r").see(&["There is no member named fluxx. Did you mean \"flux\"?"]);
}

#[test]
fn a_method_without_code_is_not_called_a_missing_member() {
    let mut terminal = started(&build("g++", "without_code.cpp", &["-g", "-O0"]));
    terminal.send(":print shape.area(2)\r").see(&["Cannot evaluate function -- may be inlined"]);
    terminal.send("\u{1b}").send(":print shape.scaled\r").see(&["scaled is a method: write its arguments"]);
}
