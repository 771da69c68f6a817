//! The fate of real ranks when `q` leaves their screen, as the question says.

use crate::support::build;
use crate::support::process::{Guard, is_alive};
use crate::support::pty::Terminal;
use crate::support::wait::wait_for;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::fs;
use std::process::{Command, Stdio};

const RANKSCOPE: &str = env!("CARGO_BIN_EXE_rankscope");
const CLASSIC: (u16, u16) = (80, 24);
const QUESTION: [&str; 5] = [
    "2 ranks are alive.",
    "kill them and quit",
    "detach from them and quit",
    "leave all as it is, to resume later",
    "cancel",
];

/// Two ranks that never end by themselves, and their screen.
struct Job {
    terminal: Terminal,
    ranks: Vec<u32>,
    masters: Vec<u32>,
}

impl Job {
    /// `word` marks its ranks among others.
    fn asked(word: &str) -> Self {
        let mut job = Self::started(word);
        job.terminal.send("q").see(&QUESTION);
        job
    }

    fn started(word: &str) -> Self {
        let program = build::plain("relay.c").display().to_string();
        let mut terminal = Terminal::start(RANKSCOPE, &["run", "-n", "2", "--", &program, word], CLASSIC);
        terminal.see(&["0S 1S"]);
        let (ranks, masters) = (processes(&format!("{program}\0{word}\0")), terminal.masters());
        assert_eq!((ranks.len(), masters.len()), (2, 1), "{ranks:?} {masters:?}");
        Self { terminal, ranks, masters }
    }

    /// Gives an answer that closes the screen.
    fn leaves_by(&mut self, key: &str) {
        self.terminal.send(key);
        assert_eq!(self.terminal.exit_status(), 0);
        self.terminal.until_given_back();
    }

    fn until_the_session_is_over(&self) {
        wait_for("the master to leave", || self.masters.iter().all(|pid| !is_alive(*pid)).then_some(()));
    }

    /// The state letter and the tracer of each rank (proc(5)).
    fn states(&self) -> Vec<(char, u32)> {
        let state = |pid: &u32| {
            let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
            let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().trim();
            (field("State:").chars().next().unwrap_or('-'), field("TracerPid:").parse().unwrap_or(0))
        };
        self.ranks.iter().map(state).collect()
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        for &pid in &self.ranks {
            let _ = kill(Pid::from_raw(pid as i32), Signal::SIGKILL);
        }
    }
}

/// Processes with this command line (proc(5)).
fn processes(command_line: &str) -> Vec<u32> {
    let all = fs::read_dir("/proc").unwrap().flatten();
    let pids = all.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter(|pid| fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|line| line == command_line.as_bytes()))
        .collect()
}

/// A program of ours that is not debugged yet.
fn alone(word: &str) -> Guard {
    let mut command = Command::new(build::plain("relay.c"));
    command.arg(word).env("RANKSCOPE_RANK", "0").env("RANKSCOPE_SIZE", "1").stdout(Stdio::null());
    let program = Guard::spawn(&mut command);
    let command_line = format!("{}\0{word}\0", build::plain("relay.c").display());
    wait_for("the program to be started", || (!processes(&command_line).is_empty()).then_some(()));
    program
}

#[test]
fn what_was_attached_to_is_killed_where_that_is_the_answer() {
    let mut programs = [alone("attached to, one"), alone("attached to, two")];
    let pids: Vec<String> = programs.iter().map(|program| program.0.id().to_string()).collect();
    let mut words = vec!["attach".to_owned()];
    words.extend(pids);
    let mut terminal = Terminal::start(RANKSCOPE, &words, CLASSIC);
    terminal.see(&["0S 1S"]);
    terminal.send("q").see(&QUESTION);
    terminal.send("k");
    assert_eq!(terminal.exit_status(), 0);
    terminal.until_given_back();
    for program in &mut programs {
        assert!(!program.wait().success());
    }
}

#[test]
fn killed() {
    let mut job = Job::asked("to be killed");
    job.leaves_by("k");
    job.until_the_session_is_over();
    assert!(job.ranks.iter().all(|pid| !is_alive(*pid)));
    assert!(!job.terminal.text().contains("rankscope resume"), "{}", job.terminal.text());
}

#[test]
fn killed_by_a_session_that_does_not_get_to_it() {
    let mut job = Job::asked("to be killed late");
    let master = Pid::from_raw(i32::try_from(job.masters[0]).unwrap());
    kill(master, Signal::SIGSTOP).unwrap();
    job.leaves_by("k");
    job.terminal.see(&["has not ended yet; \"rankscope sessions\" lists it as long as it runs"]);
    assert!(!job.terminal.text().contains("still running"), "{}", job.terminal.text());
    kill(master, Signal::SIGCONT).unwrap();
    job.until_the_session_is_over();
    assert!(job.ranks.iter().all(|pid| !is_alive(*pid)));
}

#[test]
fn detached() {
    let mut job = Job::asked("to run on");
    job.leaves_by("d");
    job.until_the_session_is_over();
    wait_for("ranks that sleep as they do, and nobody traces them", || {
        job.states().iter().all(|state| *state == ('S', 0)).then_some(())
    });
    assert!(!job.terminal.text().contains("rankscope resume"), "{}", job.terminal.text());
}

#[test]
fn detached_and_the_others_killed_at_once() {
    let mut job = Job::started("to run on or not");
    job.terminal.send(":[0] detach\rq").see(&["kill them and quit"]);
    job.leaves_by("k");
    job.until_the_session_is_over();
    wait_for("one rank that sleeps as it does, and nobody traces it", || {
        let mut states = job.states();
        states.sort_unstable();
        (states == [('-', 0), ('S', 0)]).then_some(())
    });
}

#[test]
fn left() {
    let mut job = Job::asked("to be resumed");
    let before = job.states();
    assert!(before.iter().all(|(state, tracer)| *state == 't' && *tracer != 0), "{before:?}");
    job.leaves_by("l");
    job.terminal.see(&["the session is still running; to take it back: rankscope resume"]);
    assert!(job.masters.iter().all(|pid| is_alive(*pid)));
    assert_eq!(job.states(), before);
    let mut again = Terminal::start_at(job.terminal.home.clone(), RANKSCOPE, &["resume"], CLASSIC);
    again.see(&["0S 1S", "started  main"]).send("q").see(&QUESTION).send("k");
    assert_eq!(again.exit_status(), 0);
    job.until_the_session_is_over();
}

#[test]
fn not_left_after_all() {
    let mut job = Job::asked("to stay");
    // Enter alone decides nothing.
    for key in ["c", "\r", "\u{1b}"] {
        job.terminal.send(key).until("the question to close", |text| !text.contains("are alive"));
        assert!(job.terminal.is_taken() && job.states().iter().all(|(state, _)| *state == 't'));
        job.terminal.send("q").see(&QUESTION);
    }
    job.leaves_by("k");
    job.until_the_session_is_over();
}

/// The sequence that restores the terminal's own screen (xterm's ctlseqs, DECRST 1049).
const GIVEN_BACK: &str = "\x1b[?1049l";

#[test]
fn nothing_is_painted_once_the_terminal_is_given_back() {
    for round in 0..6 {
        let mut job = Job::started("to be left in the middle");
        // A step that never ends, resize events until the end, and three ways to leave.
        job.terminal.send(":advance 36\r").see(&["running"]).send("q").see(&QUESTION).send(["k", "l", "d"][round % 3]);
        let mut wide = false;
        wait_for("the screen to end", || {
            wide = !wide;
            job.terminal.resize(if wide { 100 } else { 80 }, 24);
            (!is_alive(job.terminal.pid())).then_some(())
        });
        let written = job.terminal.written();
        let (_, after) = written.split_once(GIVEN_BACK).unwrap();
        assert!(!after.contains(GIVEN_BACK), "given back twice: {after:?}");
        let words = after.replacen("\x1b[?25h\x1b[23;0t", "", 1);
        assert!(!words.contains('\x1b') && words.lines().count() <= 1, "round {round}: {after:?}");
        job.terminal.exit_status();
    }
}
