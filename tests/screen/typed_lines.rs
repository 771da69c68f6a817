//! Lines typed on a terminal: repeated, searched for, completed with the names of a real program.

use crate::support::{build, marks, pty::Terminal};

const RANKSCOPE: &str = env!("CARGO_BIN_EXE_rankscope");
const CLASSIC: (u16, u16) = (80, 24);

/// Two ranks of a program, stopped where its local variables have values.
fn in_total() -> Terminal {
    let program = build::plain("completed.c").display().to_string();
    let mut terminal = Terminal::start(RANKSCOPE, &["run", "-n", "2", "--", program.as_str()], CLASSIC);
    terminal.see(&["0S 1S"]).send(&format!(":break {}\r", marks::line("completed.c", "in total")));
    terminal.see(&["breakpoint 1"]).send("c").see(&["0B 1B"]);
    terminal
}

fn leave(mut terminal: Terminal) {
    terminal.send("q").see(&["kill them and quit"]).send("k");
    assert_eq!(terminal.exit_status(), 0);
}

fn last_row(text: &str) -> String {
    text.lines().last().unwrap_or("").trim_end().to_owned()
}

#[test]
fn enter_repeats_and_a_search_finds_on_a_terminal() {
    let mut terminal = in_total();
    terminal.send(":print loaded\r").see(&["loaded = 0"]);
    terminal.send(":").see(&[":print loaded   enter repeats it"]).send("\u{1b}");
    terminal.until("the views", |text| !last_row(text).starts_with(':'));
    terminal.send("9").send(":").see(&["enter repeats it"]).send("\r");
    terminal.until("the answer twice", |text| text.matches("] loaded = 0").count() >= 2);
    terminal.send(":print loaded + 40\r").see(&["loaded + 40 = 40"]);
    terminal.send(":\u{12}40").see(&["(history) 40: print loaded + 40"]).send("\u{7}");
    terminal.until("the line before the search", |text| last_row(text).starts_with(':'));
    terminal.send("\u{12}ed").send("\u{12}");
    terminal.until("an older command", |text| last_row(text) == "(history) ed: print loaded");
    terminal.send("\u{1b}").until("the search to end", |text| last_row(text).starts_with(':'));
    terminal.send("\u{1b}").until("the views", |text| !last_row(text).starts_with(':'));
    leave(terminal);
}

#[test]
fn names_of_a_real_program_are_completed_the_nearest_first() {
    let mut terminal = in_total();
    for (typed, wanted) in [
        (":ptype struct cella", ":ptype struct cellar"),
        (":whatis cell_a", ":whatis cell_alias"),
        (":print hue == CRI", ":print hue == CRIMSON"),
        (":print locked_", ":print locked_cells"),
        (":print $_exitc", ":print $_exitcode"),
    ] {
        // The names come from the program a moment after they are typed, and after the key.
        terminal.send(typed).send("\t").until(wanted, |text| last_row(text).starts_with(wanted));
        terminal.send("\u{1b}").until("the views", |text| !last_row(text).starts_with(':'));
    }
    leave(terminal);
}
