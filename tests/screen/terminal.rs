//! The real program on a terminal: whole sessions by keys, and the terminal restored at the end.

use crate::support::{build, marks, process::is_alive, pty::Terminal, wait::wait_for};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::process::Command;

const RANKSCOPE: &str = env!("CARGO_BIN_EXE_rankscope");
const CLASSIC: (u16, u16) = (80, 24);

/// Four ranks of the contract's program, under one of the engines.
fn contract(engine: &str) -> Terminal {
    let source = marks::source("contract.c").display().to_string();
    let program = if engine == "fake" { source } else { build::plain("contract.c").display().to_string() };
    let arguments = ["run", "-n", "4", "--engine", engine, "--", program.as_str(), "signal"];
    Terminal::start(RANKSCOPE, &arguments, CLASSIC)
}

/// Breakpoint, signal, step of a subset, variable, signal handling, quit: all by keys.
fn session_by_keys(engine: &str) {
    let line = marks::line("contract.c", "after signal");
    let here = format!("contract.c:{line}");
    let mut terminal = contract(engine);
    terminal.see(&["0S 1S 2S 3S", "started  main", "const char *mode", "all 0-3"]);

    terminal.send("/after signal\r").send("b").see(&["breakpoint 1"]);
    terminal.until("the breakpoint's mark", |text| {
        text.lines().any(|row| row.starts_with('●') && row.contains(&format!(" {line} ")))
    });
    terminal.send("c").see(&["0! 1! 2! 3!", "SIGUSR1"]);
    terminal.send("c").see(&["0B 1B 2B 3B", "breakpoint 1  main", &here]);

    // The cursor is at the lead, which is the rank that stopped first if the others take their time.
    terminal.send("1ggl").send("vl").send("\r").see(&[" 1-2 "]);
    terminal.send("n").see(&["0B 1S 2S 3B", "S 1-2"]);
    terminal.send("4").see(&["mode", "\"signal\""]);
    terminal.send(":print counter\r").see(&["[1-2] counter = 100"]);

    terminal.send("8").send("/usr2\r").send("\r").until("SIGUSR2 not to stop ranks 1 and 2", |text| {
        text.lines().any(|line| line.contains("SIGUSR2") && line.contains("1-2 print pass"))
    });
    terminal.send("c").see(&["0B 1K 2K 3B", "killed by SIGUSR2"]);

    terminal.send("a").see(&[" all 0-3 "]).send("q").see(&["2 ranks are alive.", "kill them and quit"]);
    let masters = terminal.masters();
    assert_eq!(masters.len(), 1, "{}", terminal.home.path().display());
    terminal.send("k");
    assert_eq!(terminal.exit_status(), 0);
    terminal.until_given_back();
    wait_for("the master to leave", || masters.iter().all(|pid| !is_alive(*pid)).then_some(()));

    let history = terminal.home.path().join(".local/state/rankscope/history");
    assert_eq!(std::fs::read_to_string(history).unwrap(), "print counter\n");
}

#[test]
fn a_session_by_keys_simulated() {
    session_by_keys("fake");
}

#[test]
fn a_session_by_keys_on_real_processes() {
    session_by_keys("native");
}

#[test]
fn signals_give_the_terminal_back_and_leave_the_session() {
    for signal in [Signal::SIGTERM, Signal::SIGHUP, Signal::SIGINT] {
        let mut terminal = contract("fake");
        terminal.see(&["0S 1S 2S 3S"]);
        assert!(terminal.is_taken());
        let masters = terminal.masters();
        kill(Pid::from_raw(terminal.pid() as i32), signal).unwrap();
        terminal.exit_status();
        terminal.until_given_back();
        assert!(masters.iter().all(|pid| is_alive(*pid)), "the session ended with {signal}");
    }
}

/// The terminal's settings as another of its programs reads them (stty(1)).
fn settings(terminal: &Terminal) -> String {
    let tty = std::fs::read_link(format!("/proc/{}/fd/0", terminal.pid())).unwrap();
    let stty = Command::new("stty").arg("-g").stdin(std::fs::File::open(tty).unwrap()).output().unwrap();
    assert!(stty.status.success(), "{}", String::from_utf8_lossy(&stty.stderr));
    String::from_utf8(stty.stdout).unwrap()
}

#[test]
fn fatal_signals_give_the_terminal_back() {
    use Signal::{SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGSYS, SIGUSR1};
    for signal in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGQUIT, SIGSYS, SIGUSR1] {
        let source = marks::source("contract.c").display().to_string();
        // A non-interactive shell does not change the terminal by itself.
        // It begins with a line: until then, nobody has changed the settings.
        let script =
            format!("read; ulimit -c 0; {RANKSCOPE} run -n 4 --engine fake -- {source}; echo ended by $?; cat");
        let mut terminal = Terminal::start("bash", &["--norc", "-c", &script], CLASSIC);
        let before = settings(&terminal);
        terminal.send("\r").see(&["0S 1S 2S 3S"]);
        assert!(terminal.is_taken() && settings(&terminal) != before);
        let front_ends = children(terminal.pid());
        assert_eq!(front_ends.len(), 1);
        let (front_end, masters) = (Pid::from_raw(front_ends[0] as i32), terminal.masters());
        assert_eq!(masters.len(), 1);
        // Another handler may have swallowed the first one; the second one always arrives.
        wait_for("the front end to end", || {
            let _ = kill(front_end, signal);
            (!is_alive(front_ends[0])).then_some(())
        });
        terminal.see(&[&format!("ended by {}", 128 + signal as i32)]).until_given_back();
        assert_eq!(settings(&terminal), before, "{signal}");
        assert!(!terminal.is_asking_for_the_mouse_or_pastes(), "{signal}");
        assert!(masters.iter().all(|pid| is_alive(*pid)), "the session ended with {signal}");
    }
}

#[test]
fn a_fatal_signal_that_comes_again_and_again_cuts_no_word_short() {
    for _ in 0..4 {
        let source = marks::source("contract.c").display().to_string();
        let script = format!("ulimit -c 0; {RANKSCOPE} run -n 4 --engine fake -- {source}; echo ended by $?; cat");
        let mut terminal = Terminal::start("bash", &["--norc", "-c", &script], CLASSIC);
        terminal.see(&["0S 1S 2S 3S"]);
        let front_ends = children(terminal.pid());
        assert_eq!(front_ends.len(), 1);
        // A pending signal is not queued a second time (signal(7)): send many, until the process has ended.
        let front_end = Pid::from_raw(front_ends[0] as i32);
        while is_alive(front_ends[0]) {
            for _ in 0..500 {
                let _ = kill(front_end, Signal::SIGSEGV);
            }
        }
        terminal.see(&["ended by 139"]).until_given_back();
    }
}

#[test]
fn the_shell_comes_back_with_control_z() {
    let source = marks::source("contract.c").display().to_string();
    let mut terminal = Terminal::start("bash", &["--norc", "-i"], CLASSIC);
    terminal.until("a prompt", |text| text.trim_end().ends_with(['$', '#']));
    terminal.send(&format!("{RANKSCOPE} run -n 4 --engine fake -- {source}\r")).see(&["0S 1S 2S 3S"]);
    terminal.send("\u{1a}").see(&["Stopped"]);
    terminal.until_given_back();
    terminal.send("fg\r").see(&["0S 1S 2S 3S", "q quit"]);
    terminal.send("qk").until("the prompt", |text| !text.contains("0S 1S"));
    terminal.until_given_back();
    terminal.send("exit\r");
    terminal.exit_status();
}

/// Children of a process (proc(5)).
fn children(pid: u32) -> Vec<u32> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    text.split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

#[test]
fn the_screen_makes_way_for_an_editor_and_comes_back() {
    let place = tempfile::tempdir().unwrap();
    let source = place.path().join("edited.c");
    std::fs::write(&source, "int main(void)\n{\n    return 0;\n}\n").unwrap();
    let program = place.path().join("edited");
    let built = Command::new("gcc").args(["-g", "-o"]).arg(&program).arg(&source).status();
    assert!(built.unwrap().success());
    // It says what it was called with, reads what is typed, and adds that to the file if it is not empty.
    let editor = place.path().join("editor");
    let script =
        "#!/bin/sh\necho \"editing $*\"\nread line\nif [ -n \"$line\" ]; then echo \"/* $line */\" >> \"$2\"; fi\n";
    std::fs::write(&editor, script).unwrap();
    std::fs::set_permissions(&editor, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
    let variable = format!("VISUAL={}", editor.display());
    let words = [&variable, RANKSCOPE, "run", "-n", "2", "--", program.to_str().unwrap()];
    let mut terminal = Terminal::start("env", &words, (120, 24));
    terminal.see(&["0S 1S"]).send(":edit\r").see(&["editing +3 ", "edited.c"]);
    terminal.until("the editor alone", |text| !text.contains("0S 1S"));
    terminal.send("\r").see(&["0S 1S", "has not changed"]);
    // The words of the first time are still on the terminal: those of this one tell that the editor reads.
    terminal.send(":edit main\r").see(&["editing +2 "]).send("a remark\r");
    terminal.see(&["0S 1S", "has changed: build the program again"]);
    assert!(std::fs::read_to_string(&source).unwrap().ends_with("/* a remark */\n"));
    // What is typed after it is the screen's again; an interrupt of the editor has not ended the session.
    terminal.send(":edit 1\r").see(&["editing +1 "]).send("\u{3}");
    terminal.see(&["0S 1S", "editor: signal: 2"]).send(":print 41 + 1\r").see(&["41 + 1 = 42"]);
    terminal.send("qk");
    assert_eq!(terminal.exit_status(), 0);
    terminal.until_given_back();
}

#[test]
fn a_terminal_that_goes_away_ends_the_screen() {
    for suspended in [false, true] {
        let source = marks::source("contract.c").display().to_string();
        let mut terminal = Terminal::start("bash", &["--norc", "-i"], CLASSIC);
        terminal.until("a prompt", |text| text.trim_end().ends_with(['$', '#']));
        terminal.send(&format!("{RANKSCOPE} run -n 4 --engine fake -- {source}\r")).see(&["0S 1S 2S 3S"]);
        let front_ends = children(terminal.pid());
        assert_eq!(front_ends.len(), 1);
        if suspended {
            terminal.send("\u{1a}").see(&["Stopped"]);
        }
        // As at the end of an SSH connection: the shell is gone, and the terminal with it.
        kill(Pid::from_raw(terminal.pid() as i32), Signal::SIGKILL).unwrap();
        wait_for("the front end to leave", || front_ends.iter().all(|pid| !is_alive(*pid)).then_some(()));
        assert!(terminal.masters().iter().all(|pid| is_alive(*pid)), "the session ended with its screen");
    }
}

#[test]
fn a_shell_that_has_taken_its_terminal_back_does_not_stop_the_end_of_the_screen() {
    let shell = build::plain("hangs_up.c");
    let source = marks::source("contract.c").display().to_string();
    let words = [RANKSCOPE, "run", "-n", "4", "--engine", "fake", "--", &source];
    let mut terminal = Terminal::start(shell.to_str().unwrap(), &words, CLASSIC);
    terminal.see(&["0S 1S 2S 3S"]);
    kill(Pid::from_raw(terminal.pid() as i32), Signal::SIGUSR1).unwrap();
    assert_eq!(terminal.exit_status(), 0, "it was stopped");
    assert!(terminal.masters().iter().all(|pid| is_alive(*pid)));
}

#[test]
fn the_screen_follows_the_terminals_size() {
    let mut terminal = contract("fake");
    terminal.see(&["0S 1S 2S 3S", "4 variables"]);
    terminal.resize(40, 12).until("one view", |text| text.contains("2 source") && !text.contains("4 variables"));
    terminal.resize(20, 4).see(&["too small", "24x6"]);
    terminal.resize(160, 50).see(&["0S 1S 2S 3S", "4 variables", "9 messages"]);
}

#[test]
fn a_program_that_is_not_there_is_said_to_be_missing() {
    // No rank is alive: the screen has nothing to show.
    let mut terminal = Terminal::start(RANKSCOPE, &["run", "-n", "2", "/nowhere/at/all"], CLASSIC);
    assert_eq!(terminal.exit_status(), 4, "the session could not be started");
    terminal.see(&["rankscope: ", "/nowhere/at/all"]).until_given_back();
}

#[test]
fn a_process_that_is_not_there_leaves_no_empty_screen() {
    let mut terminal = Terminal::start(RANKSCOPE, &["attach", "2147483647"], CLASSIC);
    assert_eq!(terminal.exit_status(), 4, "the session could not be started");
    terminal.see(&["rankscope: [0] cannot trace process 2147483647: no such process", "pgrep"]).until_given_back();
}

#[test]
fn without_a_terminal_the_screen_is_refused() {
    let output = std::process::Command::new(RANKSCOPE).args(["demo", "--simulate"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let words = String::from_utf8(output.stderr).unwrap();
    assert!(words.contains("--batch"), "{words}");
}

#[test]
fn a_theme_that_is_not_there_is_an_error_before_the_screen() {
    for place in ["--theme nosuch demo --simulate", "demo --simulate --theme nosuch"] {
        let script = format!("{RANKSCOPE} {place} 2>words; echo ended by $?");
        let mut terminal = Terminal::start("bash", &["--norc", "-c", &script], CLASSIC);
        terminal.see(&["ended by 2"]);
        let written = terminal.written();
        assert_eq!(written.trim_end(), "ended by 2", "nothing was painted");
        let words = std::fs::read_to_string(terminal.home.path().join("words")).unwrap();
        assert_eq!(words, "rankscope: no theme \"nosuch\"; available: ansi16, dark, high-contrast, light\n");
        assert!(terminal.masters().is_empty(), "nothing was begun");
    }
}

#[test]
fn a_stop_at_a_watchpoint_says_what_changed() {
    let program = build::plain("relay.c").display().to_string();
    let mut terminal = Terminal::start(RANKSCOPE, &["run", "-n", "2", "--", &program], CLASSIC);
    terminal.see(&["0S 1S"]).send(":watch size\r").see(&["watchpoint 1"]).send("c");
    let words = "watchpoint 1: 0 -> 2";
    // In the list of ranks, and in the status line.
    terminal.until("the old value and the new one twice", |text| text.matches(words).count() == 2);
    terminal.send("qk");
    assert_eq!(terminal.exit_status(), 0);
}

#[test]
fn what_is_wrong_with_the_configuration_is_told_with_its_line() {
    let directory = tempfile::tempdir().unwrap();
    let config = directory.path().join("config.toml");
    std::fs::write(&config, "theme = \"light\"\n[keys]\n\"strg-x\" = \"go\"\nZ = \"zoom\"\n").unwrap();
    let source = marks::source("contract.c").display().to_string();
    let path = config.display().to_string();
    let arguments = ["run", "-n", "2", "--engine", "fake", "--config", &path, "--", &source];
    let mut terminal = Terminal::start(RANKSCOPE, &arguments, CLASSIC);
    terminal.see(&["0S 1S"]).send("9").see(&["strg-x", "invalid key"]);
    terminal.send("Z").until("a zoomed view", |text| !text.contains("2 source"));
}

#[test]
fn the_mouse_goes_to_a_view_when_it_is_switched_on() {
    let click = "\x1b[<0;4;10M\x1b[<0;4;10m";
    let mut terminal = Terminal::start(RANKSCOPE, &["demo", "--simulate", "-n", "4", "--mouse"], CLASSIC);
    // Enter has another meaning in each view, and the key bar shows it.
    terminal.see(&["0S 1S 2S 3S"]).send("6").until("the keys of the breakpoints", |text| text.contains("enter show"));
    terminal.send(click).until("the keys of the source", |text| !text.contains("enter show"));
    terminal.send("q").see(&["kill them and quit"]).send("k");
    assert_eq!(terminal.exit_status(), 0);
}

#[test]
fn what_was_saved_of_a_program_is_offered_next_time() {
    let program = build::plain("relay.c").display().to_string();
    let arguments = ["run", "-n", "2", "--", program.as_str()];
    let mut first = Terminal::start(RANKSCOPE, &arguments, CLASSIC);
    first.see(&["0S 1S"]).send(":break work if n > 2\r").see(&["breakpoint 1"]);
    // Its answer comes from the ranks: on a busy host in two parts, as a page, and after that of the next command.
    first.send(":group odd = 1\r").send(":display rank\r").see(&["1: rank = 0"]);
    first.send(":save\r").see(&["─ save ─", "saved in"]);
    first.send("q").until("the page to close", |text| !text.contains("─ save ─")).send("qk");
    assert_eq!(first.exit_status(), 0);

    let mut second = Terminal::start_at(first.home.clone(), RANKSCOPE, &arguments, CLASSIC);
    second.see(&["0S 1S"]).send("9").see(&["found saved breakpoints", ":source"]);
    second.send(":source\r").send("6").see(&["relay.c", "work", "n > 2"]);
    second.send(":focus odd\r").see(&[" odd 1 "]).send("4").see(&["rank = "]).send("qk");
    assert_eq!(second.exit_status(), 0);
}

#[test]
fn a_session_is_left_with_a_key_and_taken_back() {
    let mut first = Terminal::start(RANKSCOPE, &["demo", "--simulate", "-n", "4"], CLASSIC);
    first.see(&["0S 1S 2S 3S"]).send(":break kernel\r").see(&["breakpoint 1"]).send("c").see(&["0B 1B 2B 3B"]);
    first.send("c").see(&["iteration 0", "0B 1B 2B 3B"]);
    first.send(":group odd = 1,3\r").send(":focus odd\r").see(&[" odd 1,3 "]);
    let masters = first.masters();
    first.send("q").see(&["leave all as it is"]).send("c").send("Q");
    assert_eq!(first.exit_status(), 0);
    // The last message names the command that takes the session back.
    let names = std::fs::read_dir(first.home.path().join("rankscope")).unwrap();
    let names: Vec<_> = names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(names.len(), 1);
    first
        .until_given_back()
        .see(&[&format!("the session is still running; to take it back: rankscope resume {}", names[0])]);

    let mut second = Terminal::start_at(first.home.clone(), RANKSCOPE, &["resume"], CLASSIC);
    second.see(&["0B 1B 2B 3B", "breakpoint 1  kernel", " odd 1,3 ", "iteration 0"]).send("6").see(&["kernel"]);
    second.send("n").see(&["0B 1S 2B 3S"]).send("q").see(&["kill them and quit"]).send("k");
    assert_eq!(second.exit_status(), 0);
    wait_for("the master to leave", || masters.iter().all(|pid| !is_alive(*pid)).then_some(()));
}

#[test]
fn a_screen_whose_session_another_takes_leaves() {
    let mut first = Terminal::start(RANKSCOPE, &["demo", "--simulate", "-n", "4"], CLASSIC);
    first.see(&["0S 1S 2S 3S"]).send(":group odd = 1,3\r").see(&["[1,3] odd"]);
    let mut second = Terminal::start_at(first.home.clone(), RANKSCOPE, &["resume", "--take"], CLASSIC);
    second.see(&["0S 1S 2S 3S"]);
    assert_eq!(first.exit_status(), 4);
    let words = ["another front end took over this session", "rankscope resume --take "];
    first.until_given_back().see(&words);
    // The history of the first front end is there.
    second.send(":\u{1b}[A").see(&[":group odd = 1,3"]).send("\u{1b}").see(&["q quit"]).send("qk");
    assert_eq!(second.exit_status(), 0);
}

#[test]
fn several_sessions_are_told_apart_by_what_is_in_them() {
    let mut first = Terminal::start(RANKSCOPE, &["demo", "--simulate", "-n", "4"], CLASSIC);
    first.see(&["0S 1S 2S 3S"]).send("Q");
    assert_eq!(first.exit_status(), 0);
    let program = build::plain("relay.c").display().to_string();
    let words = ["run", "-n", "2", "--", &program, "on and on"];
    let mut second = Terminal::start_at(first.home.clone(), RANKSCOPE, &words, CLASSIC);
    second.see(&["0S 1S"]).send("Q");
    assert_eq!(second.exit_status(), 0);
    let mut third = Terminal::start_at(first.home.clone(), RANKSCOPE, &["resume"], (200, 24));
    assert_eq!(third.exit_status(), 2);
    third.see(&["several sessions", "4 ranks", "demo", "2 ranks", "relay on and on", " s old", "free"]);
}

#[test]
fn after_a_restart_the_source_stands_at_the_stop() {
    let copies = build::plain("relay.c").display().to_string();
    let ring = build::build("mpicc.mpich", "mpi_ring.c", &["-g", "-O0"]).display().to_string();
    let jobs = [
        (&["run", "-n", "4", "--", &copies][..], "relay.c", "work"),
        (&["run", "mpirun.mpich", "-n", "4", &ring][..], "mpi_ring.c", "add_own"),
    ];
    for (words, file, function) in jobs {
        let mut terminal = Terminal::start(RANKSCOPE, words, CLASSIC);
        terminal.see(&["0S 1S 2S 3S", "started  main"]);
        // The row of the ranks' place, by its mark; the variables beside it come later.
        let stand = |text: &str| {
            let row = text.lines().find(|row| row.contains('▶') && row.contains("S 0-3"))?;
            Some(row.split('│').next().unwrap_or(row).to_owned())
        };
        terminal.until("the source", |text| stand(text).is_some());
        let before = stand(&terminal.text());
        terminal
            .send(&format!(":break {function}\r"))
            .see(&["breakpoint 1"])
            .send("c")
            .see(&["breakpoint 1  ", function]);
        terminal.send("R").see(&["start all 4 ranks again?"]).send("y").see(&["0S 1S 2S 3S", "started  main"]);
        terminal.until("the source at the stop", |text| {
            text.contains(&format!("2 source ─ {file}")) && stand(text) == before
        });
        terminal.send("qk");
        assert_eq!(terminal.exit_status(), 0);
    }
}

#[test]
fn a_file_that_was_written_is_said_at_once() {
    let mut terminal = contract("fake");
    terminal.see(&["0S 1S 2S 3S"]);
    // No key and no reply follows that could draw the screen again.
    terminal.send(":save setup\r").see(&["saved in setup"]);
    terminal.send(":log out.txt\r").see(&["logging to out.txt"]);
    terminal.send(":log off\r").see(&["logging is off"]);
    terminal.send(":set patience 4\r").see(&["patience is 4 s"]);
}

#[test]
fn commands_of_a_breakpoint_are_typed_line_by_line_and_run() {
    let line = marks::line("contract.c", "after signal");
    let mut terminal = contract("native");
    terminal.see(&["0S 1S 2S 3S", "started  main"]);
    terminal.send(&format!(":break contract.c:{line}\r")).see(&["breakpoint 1"]);
    terminal.send(":commands\r").until("the prompt of the block", |text| text.lines().any(|row| row.starts_with('>')));
    terminal.send("silent\r").send("if counter == 0\r").send("printf \"counter is %d\\n\", counter\r").send("end\r");
    terminal.until("the block is open", |text| text.lines().any(|row| row.starts_with('>')));
    terminal.send("end\r").until("the prompt closed", |text| !text.lines().any(|row| row.starts_with('>')));
    terminal.send(":handle SIGUSR1 nostop\r").see(&["SIGUSR1"]);
    terminal.send("c").see(&["0B 1B 2B 3B", "counter is 0"]);

    terminal.send(":while 1\r").send("end\r").send("i").see(&["the running scripts were ended"]);
    terminal.send("q").see(&["kill them and quit"]).send("k");
    assert_eq!(terminal.exit_status(), 0);
    terminal.until_given_back();
}

/// `mpirun ./app < FILE` gets `rankscope run` in front of it: the program reads the file, the screen the keys.
#[test]
fn a_redirected_standard_input_is_the_programs_and_the_keys_come_from_the_terminal() {
    let program = build::plain("started.c").display().to_string();
    let home = std::sync::Arc::new(tempfile::TempDir::new().unwrap());
    std::fs::write(home.path().join("in put"), "first line\n").unwrap();
    for line in ["run -n 2 -- \"$1\" < 'in put'", "last < 'in put'"] {
        let shell = format!("\"$0\" {line}");
        let words = ["-c", &shell, RANKSCOPE, &program];
        let mut terminal = Terminal::start_at(home.clone(), "sh", &words, (120, 40));
        terminal.see(&["0S 1S"]).send(":go\r").see(&["first line", "0X 1X"]).send("q");
        assert_eq!(terminal.exit_status(), 0, "{line}");
    }
    // What each rank cannot read from its beginning stays with the shell.
    let shell = "echo first | \"$0\" run -n 2 -- \"$1\"";
    let mut terminal = Terminal::start_at(home, "sh", &["-c", shell, RANKSCOPE, &program], (120, 40));
    terminal.see(&["standard input is not the terminal", "--stdin FILE"]);
    assert_eq!(terminal.exit_status(), 2);
}
