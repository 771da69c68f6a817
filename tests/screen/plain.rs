//! The plain mode (`--plain`) on a terminal: lines of text, and not one escape sequence.

use crate::support::{build, marks, pty::Terminal};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::io::Write as _;
use std::process::{Command, Stdio};

const RANKSCOPE: &str = env!("CARGO_BIN_EXE_rankscope");
/// High enough for a whole session.
const TALL: (u16, u16) = (100, 120);

/// Ranks of the contract's program under one of the engines.
fn contract(engine: &str, mode: &str) -> Terminal {
    let source = marks::source("contract.c").display().to_string();
    let program = if engine == "fake" { source } else { build::plain("contract.c").display().to_string() };
    let arguments = ["run", "--plain", "-n", "4", "--engine", engine, "--", program.as_str(), mode];
    let mut terminal = Terminal::start(RANKSCOPE, &arguments, TALL);
    terminal.see(&["stopped: start, main at contract.c:"]).until("the prompt", is_prompt);
    terminal
}

/// True if the last line is an empty prompt.
fn is_prompt(text: &str) -> bool {
    text.trim_end().lines().last().is_some_and(|line| line.trim_end() == "rankscope>")
}

/// Enters a command; waits for these words below it, and for the prompt.
#[track_caller]
fn enter(terminal: &mut Terminal, command: &str, words: &[&str]) {
    let typed = format!("rankscope> {command}");
    terminal.send(command).send("\r");
    terminal.until(&format!("{words:?} after {command:?}"), |text| {
        let answer = text.rsplit_once(&typed).map_or("", |(_, answer)| answer);
        words.iter().all(|words| answer.contains(words)) && is_prompt(text)
    });
}

/// Everything written is text, ends of lines, and backspaces where the line was edited.
#[track_caller]
fn is_text_only(written: &str) {
    let steers = |c: char| c.is_control() && !matches!(c, '\r' | '\n' | '\u{8}');
    assert!(!written.contains(steers), "{:?}", written.chars().filter(|c| steers(*c)).collect::<String>());
    let draws = |c: char| matches!(c, '\u{2500}'..='\u{28ff}' | '\u{2022}' | '\u{b7}' | '\u{2026}');
    assert!(!written.contains(draws), "{:?}", written.chars().filter(|c| draws(*c)).collect::<String>());
}

/// A whole session: breakpoint, stop, stack, source, value, step, a wrong command, the end.
fn session_in_lines(engine: &str) {
    let mut terminal = contract(engine, "work");
    assert!(!terminal.is_taken() && !terminal.is_asking_for_the_mouse_or_pastes());
    let (leaf, count) = (marks::line("contract.c", "leaf"), marks::line("contract.c", "count"));
    enter(&mut terminal, "break leaf", &["ranks 0 to 3: breakpoint 1: leaf"]);
    let stopped = format!("stopped: breakpoint 1, leaf at contract.c:{leaf}");
    let text = format!("line {leaf}: int y = x + 1; /* BREAK leaf */");
    enter(&mut terminal, "go", &[&stopped, &text]);
    enter(&mut terminal, "where", &["ranks 0 to 3:", "frame 0: leaf (", "frame 1: work "]);
    enter(&mut terminal, "list", &[&format!("{leaf}, ranks 0 to 3 here:"), &format!("{count}:     counter++;")]);
    enter(&mut terminal, "print x", &["ranks 0 to 3: x = 1"]);
    if engine == "native" {
        let table = ["columns: +0, +1, +2, +3", "[0]: 0.5, 1.5, -2, 0"];
        enter(&mut terminal, "array table", &table);
    }
    // A rank that arrives late is told by itself.
    let stepped = format!("stopped: step, leaf at contract.c:{count}");
    enter(&mut terminal, "next", &[&stepped, &format!("line {count}: counter++;")]);
    enter(&mut terminal, "pritn x", &["error: unknown command \"pritn\"; did you mean \"print\"?"]);
    enter(&mut terminal, "print x +", &["ranks 0 to 3: error:", "the error is at the end of the line"]);
    let is_asked = |text: &str| text.trim_end().ends_with("answer (enter: c):");
    terminal.send("quit\r").see(&["4 ranks are alive.", "k: kill them and quit", "c: cancel"]).until("asked", is_asked);
    terminal.send("\r").until("the prompt", is_prompt);
    terminal.send("\u{4}").until("asked again", is_asked).send("k");
    assert_eq!(terminal.exit_status(), 0);
    is_text_only(&terminal.written());
}

#[test]
fn a_session_in_lines_simulated() {
    session_in_lines("fake");
}

#[test]
fn a_session_in_lines_on_real_processes() {
    session_in_lines("native");
}

#[test]
fn ctrl_c_halts_the_ranks_and_output_is_said_without_losing_what_is_typed() {
    let mut terminal = contract("native", "spin");
    enter(&mut terminal, "[0] info proc", &["process "]);
    let text = terminal.text();
    let pid = text.split_once("process ").and_then(|(_, rest)| rest.lines().next()?.trim().parse().ok()).unwrap();
    enter(&mut terminal, "go", &["ranks 0 to 3 running"]);
    terminal.send("\u{3}").see(&["stopped: interrupted,"]).until("the prompt", is_prompt);
    enter(&mut terminal, "go", &["ranks 0 to 3 running"]);
    // A line that has been begun is there again below what is said.
    terminal.send("print siz").see(&["rankscope> print siz"]);
    kill(Pid::from_raw(pid), Signal::SIGUSR1).unwrap();
    terminal.until("the line again", |text| {
        let after = text.rsplit_once("SIGUSR1").map_or("", |(_, after)| after);
        after.trim_end().ends_with("rankscope> print siz")
    });
    // The first ctrl-c drops the line, the next one halts.
    terminal.send("\u{3}").until("an empty line", is_prompt);
    terminal.send("\u{3}").see(&["stopped: interrupted,"]);
    terminal.send("quit\r").see(&["4 ranks are alive."]).until("asked", |text| text.trim_end().ends_with(':'));
    terminal.send("k");
    assert_eq!(terminal.exit_status(), 0);
    is_text_only(&terminal.written());
}

#[test]
fn commands_are_recalled_and_completed_with_backspaces_only() {
    let mut terminal = contract("fake", "work");
    terminal.send("brea\t").see(&["2 candidates: break, breakpoints", "rankscope> break"]);
    terminal.send(" lea\t").see(&["rankscope> break leaf"]).send("\r").see(&["breakpoint 1: leaf"]);
    terminal.until("the prompt", is_prompt).send("\u{10}").see(&["rankscope> break leaf"]);
    // Typed in the middle, and deleted at the end.
    terminal
        .send("\u{1}t\u{5}\u{8}\u{8}\u{8}\u{8}sum\r")
        .see(&["rankscope> tbreak sum", "temporary breakpoint 2: sum"]);
    terminal
        .until("the prompt", is_prompt)
        .send("if 1 > 0\r")
        .until("a line of the block", |text| text.trim_end().ends_with("\n>"));
    terminal.send("print size\rend\r").see(&["ranks 0 to 3: size = "]).until("the prompt", is_prompt);
    terminal.send("delete\r").see(&[
        "Delete all 2 breakpoints?",
        "y: yes, delete",
        "n: no, cancel",
        "answer (enter: n): ",
    ]);
    terminal.send("n").until("the prompt", is_prompt);
    terminal.send("\u{4}").see(&["4 ranks are alive."]).until("asked", |text| text.trim_end().ends_with("(enter: c):"));
    terminal.send("k");
    assert_eq!(terminal.exit_status(), 0);
    is_text_only(&terminal.written());
}

/// Standard input and output are pipes: commands wait for their ranks, and the end of input is that of the session.
#[test]
fn another_program_can_drive_it_line_by_line() {
    let home = tempfile::tempdir().unwrap();
    let program = build::plain("contract.c");
    let mut command = Command::new(RANKSCOPE);
    command.args(["run", "--plain", "-n", "2"]).arg(program).arg("work");
    command.env("HOME", home.path()).env("XDG_RUNTIME_DIR", home.path());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"break leaf\ngo\nnope\nprint x\ndelete\ny\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}{errors}");
    for words in [
        "ranks 0 to 1: breakpoint 1: leaf",
        "ranks 0 to 1 stopped: breakpoint 1, leaf at contract.c:",
        "error: unknown command \"nope\"",
        "ranks 0 to 1: x = 1",
        "Delete the breakpoint?",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(!text.contains("rankscope>"), "{text}");
    is_text_only(&text);
}

/// Emacs edits the lines of its shells itself: what it sends must not be shown again.
#[test]
fn a_terminal_whose_lines_emacs_edits_gets_no_echo() {
    let arguments = ["INSIDE_EMACS=29.1,comint", "TERM=dumb", RANKSCOPE, "demo", "--simulate", "-n", "2"];
    let mut terminal = Terminal::start("/usr/bin/env", &arguments, TALL);
    terminal.see(&["ranks 0 to 1 stopped"]).until("the prompt", is_prompt);
    terminal.send("status\n").see(&["rankscope> status\nranks 0 to 1: stopped"]).until("the prompt", is_prompt);
    terminal.send("\u{4}").see(&["2 ranks are alive."]).until("asked", |text| text.trim_end().ends_with("(enter: c):"));
    terminal.send("k\n");
    assert_eq!(terminal.exit_status(), 0);
    is_text_only(&terminal.written());
}
