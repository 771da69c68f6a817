//! A person at a terminal answers batch jobs: the real programs, by keys.

use crate::support::build;
use crate::support::connect::{Requests, end};
use crate::support::process::{Guard, is_alive};
use crate::support::pty::Terminal;
use crate::support::wait::wait_for;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rankscope::protocol::reverse::RequestId;
use std::{
    fs::File,
    process::Command,
    time::{Duration, SystemTime},
};

const RANKSCOPE: &str = env!("CARGO_BIN_EXE_rankscope");
const CLASSIC: (u16, u16) = (80, 24);

/// A front end without a job.
fn idle(requests: &Requests) -> Terminal {
    let path = requests.path().display().to_string();
    let mut terminal = Terminal::start(RANKSCOPE, &["--connect-dir", &path], CLASSIC);
    terminal.see(&["no job; listening"]);
    terminal
}

/// Starts tvconnect for the contract's program.
fn ask(requests: &Requests, label: &str) -> (Guard, RequestId) {
    let program = build::plain("relay.c");
    let words = [program.to_str().unwrap(), "on and on", label];
    let mut command = requests.command(&["--quiet", "--label", label], &words);
    let process = Guard::spawn(command.env("RANKSCOPE_RANK", "0").env("RANKSCOPE_SIZE", "1"));
    let (id, _) = requests.of(&process);
    (process, id)
}

#[test]
fn accepted_debugged_and_listening_again() {
    let requests = Requests::new();
    let mut terminal = idle(&requests);
    let (first, id) = ask(&requests, "first");
    let host = id.text().split('-').next().unwrap().to_owned();
    terminal.see(&["a program asks for a debugger", "first", "relay on and on", "a accept", "r reject", "l later"]);
    terminal.send("a").see(&["started  main", "0S", &format!("first on {host} ")]);
    assert_eq!(terminal.text().lines().next().unwrap().matches(&host).count(), 1, "{}", terminal.text());
    assert!(requests.files().is_empty());
    terminal.send(":print argc\r").see(&["argc = 3"]).send("c");
    // A request during the session waits until it is over.
    let (second, _) = ask(&requests, "second");
    terminal.send("q").see(&["1 rank is alive"]).send("k");
    terminal.see(&["a program asks for a debugger", "a accept", "second"]);
    assert_eq!(end(first).0, 137);
    terminal.send("a").see(&["started  main", "0S", "second on "]);
    terminal.send("qk").see(&["no job; listening", "No job. Start one"]);
    assert_eq!(end(second).0, 137);
    terminal.send("q");
    assert_eq!(terminal.exit_status(), 0);
    terminal.until_given_back();
}

#[test]
fn rejected_with_a_reason() {
    let requests = Requests::new();
    let mut terminal = idle(&requests);
    let (process, _) = ask(&requests, "x");
    terminal.see(&["a program asks for a debugger", "a accept"]);
    terminal.send("r").see(&["reason (may be empty):"]).send("use the other queue\r");
    assert_eq!(end(process), (3, "tvconnect: request rejected: use the other queue\n".to_owned()));
    terminal.until("the dialog to close", |text| !text.contains("asks for a debugger"));
    terminal.send("q");
    assert_eq!(terminal.exit_status(), 0);
}

#[test]
fn two_requests_are_a_list_and_later_is_an_answer() {
    let requests = Requests::new();
    let mut terminal = idle(&requests);
    let (first, a) = ask(&requests, "one");
    let (second, b) = ask(&requests, "two");
    terminal.see(&["2 programs ask for a debugger", "one", "a accept"]);
    terminal.send("l").see(&["later"]).send("l").see(&["no job; listening"]);
    terminal.until("the dialog to close", |text| !text.contains("2 programs"));
    assert!(is_alive(first.0.id()) && is_alive(second.0.id()));
    assert_eq!(requests.ids().len(), 2);
    terminal.send("gw").see(&["2 programs ask for a debugger"]);
    terminal.send("r\r").send("r\r");
    let (codes, left) = ([end(first).0, end(second).0], requests.files());
    assert!(codes == [3, 3] && left.is_empty(), "{codes:?} {left:?} {a} {b}");
    terminal.send("q");
    assert_eq!(terminal.exit_status(), 0);
}

#[test]
fn a_stale_request_does_not_come_up_and_can_be_removed() {
    let requests = Requests::new();
    let (waiting, live) = ask(&requests, "live");
    let id = RequestId::new("elsewhere", 7, [5; 8]);
    let mut request = requests.of(&waiting).1;
    "elsewhere".clone_into(&mut request.host);
    request.label = Some("forgotten".into());
    request.time -= 1000;
    requests.directory().write(&id.request_file(), &request.print()).unwrap();
    let file = requests.path().join(id.request_file());
    let ago = SystemTime::now() - Duration::from_secs(100);
    File::options().write(true).open(&file).unwrap().set_modified(ago).unwrap();
    let mut terminal = idle(&requests);
    terminal.see(&["2 programs ask for a debugger", "stale", "live", "a accept"]);
    terminal.send("k").see(&["forgotten", "no heartbeat"]).send("a").see(&["not accepted"]);
    assert!(file.exists() && is_alive(waiting.0.id()));
    terminal.send("r").see(&["a program asks for a debugger", "a accept"]);
    assert_eq!(requests.ids(), [live]);
    terminal.send("r\r");
    assert_eq!(end(waiting).0, 3);
}

/// A rank that outlives its session, by its command line. Killed when dropped: other tests wait until no rank is left.
struct Detached(String);

impl Detached {
    /// Kills it; false if it is not alive.
    fn end(&self) -> bool {
        Command::new("pkill").args(["-KILL", "-f", &self.0]).status().unwrap().success()
    }
}

impl Drop for Detached {
    fn drop(&mut self) {
        self.end();
    }
}

#[test]
fn after_detaching_it_listens_again_without_an_error() {
    let requests = Requests::new();
    let rank = Detached(format!("{} on and on detached", build::plain("relay.c").display()));
    let mut terminal = idle(&requests);
    let (process, _) = ask(&requests, "detached");
    terminal.see(&["a program asks for a debugger", "a accept"]).send("a").see(&["started  main"]);
    terminal.send("qd").see(&["no job; listening"]).send("g9");
    let text = terminal.text();
    assert!(!text.contains("error:"), "{text}");
    terminal.send("q");
    assert_eq!(terminal.exit_status(), 0);
    assert!(rank.end(), "the rank did not go on");
    drop(process);
}

/// A front end with two ranks that never end, listening for requests.
fn in_a_session(requests: &Requests) -> Terminal {
    let path = requests.path().display().to_string();
    let program = build::plain("relay.c").display().to_string();
    let arguments = ["run", "-n", "2", "--connect-dir", &path, "--", &program, "on and on"];
    let mut terminal = Terminal::start(RANKSCOPE, &arguments, CLASSIC);
    terminal.see(&["0S 1S"]).send("gL");
    terminal
}

#[test]
fn during_a_session_it_listens_when_it_is_told_to() {
    let requests = Requests::new();
    let mut terminal = in_a_session(&requests);
    let (process, _) = ask(&requests, "meanwhile");
    terminal.see(&["a program asks for a debugger", "a accept", "meanwhile"]);
    terminal
        .send("a")
        .see(&["2 ranks are alive in this session", "leave all as it is", "kill them and accept"])
        .send("c");
    terminal.until("the question to close", |text| !text.contains("are alive"));
    assert!(is_alive(process.0.id()) && requests.ids().len() == 1);
    terminal.send("gw").see(&["meanwhile"]).send("rnot here\r");
    assert_eq!(end(process), (3, "tvconnect: request rejected: not here\n".to_owned()));
    terminal.see(&["0S 1S"]).send("qk");
    assert_eq!(terminal.exit_status(), 0);
}

#[test]
fn a_request_takes_the_place_of_a_session_that_is_left_or_ended() {
    let requests = Requests::new();
    let mut terminal = in_a_session(&requests);
    let left = terminal.masters();
    let (first, _) = ask(&requests, "first");
    terminal
        .see(&["a program asks for a debugger", "a accept", "first"])
        .send("a")
        .see(&["leave all as it is"])
        .send("l");
    terminal.see(&["started  main", "0S", "first on "]).until("one rank only", |text| !text.contains("0S 1S"));
    assert!(left.len() == 1 && left.iter().all(|pid| is_alive(*pid)), "the session was not left");

    let (second, _) = ask(&requests, "second");
    terminal
        .see(&["a program asks for a debugger", "a accept", "second"])
        .send("a")
        .see(&["1 rank is alive"])
        .send("k");
    assert_eq!(end(first).0, 137);
    terminal.see(&["started  main", "0S", "second on "]).send("qk");
    assert_eq!(end(second).0, 137);
    assert!(left.iter().all(|pid| is_alive(*pid)));
    let mut again = Terminal::start_at(terminal.home.clone(), RANKSCOPE, &["resume"], CLASSIC);
    again.see(&["0S 1S", "started  main"]).send("qk");
    assert_eq!(again.exit_status(), 0);
    wait_for("the master to leave", || left.iter().all(|pid| !is_alive(*pid)).then_some(()));
}

#[test]
fn who_leaves_an_accepted_program_is_told_the_name_of_its_session() {
    let requests = Requests::new();
    let mut terminal = idle(&requests);
    let (process, id) = ask(&requests, "to be left");
    terminal.see(&["a program asks for a debugger", "a accept"]).send("a").see(&["started  main", "session "]);
    let text = terminal.text();
    let name = text.lines().next().unwrap().split("session ").nth(1).unwrap().split_whitespace().next().unwrap();
    terminal.send("Q");
    assert_eq!(terminal.exit_status(), 0);
    // Its directory is that of the requesting program, which need not be on this host.
    let host = id.text().split('-').next().unwrap();
    terminal.until_given_back().see(&[&format!(
        "the session is still running; to take it back: rankscope resume \
        {name} (on {host})"
    )]);
    let script = format!("echo quit | {RANKSCOPE} resume {name} --batch -");
    let mut resume = Command::new("sh");
    resume.args(["-c", &script]).env("XDG_RUNTIME_DIR", requests.path().parent().unwrap());
    let outcome = resume.output().unwrap();
    assert!(outcome.status.success(), "{}", String::from_utf8_lossy(&outcome.stderr));
    assert_eq!(end(process).0, 137);
}

#[test]
fn a_terminal_that_closes_while_it_asks_answers_nobody() {
    let requests = Requests::new();
    let mut terminal = idle(&requests);
    let (process, id) = ask(&requests, "x");
    terminal.see(&["a program asks for a debugger", "a accept"]);
    let front = terminal.pid();
    kill(Pid::from_raw(front as i32), Signal::SIGHUP).unwrap();
    terminal.exit_status();
    assert!(is_alive(process.0.id()));
    assert_eq!(requests.files(), [id.request_file()]);
    let mut other = idle(&requests);
    other.see(&["a program asks for a debugger", "a accept"]).send("r\r");
    assert_eq!(end(process).0, 3);
}

#[test]
fn a_master_that_is_killed_is_told_and_listening_goes_on() {
    let requests = Requests::new();
    let mut terminal = idle(&requests);
    let (process, _) = ask(&requests, "x");
    terminal.see(&["a program asks for a debugger", "a accept"]).send("a").see(&["started  main"]);
    // The waiting process became the master: its end is the end of the batch step.
    kill(Pid::from_raw(process.0.id() as i32), Signal::SIGKILL).unwrap();
    terminal.see(&["lost the session"]);
    assert_eq!(end(process).0, 137);
    let (next, _) = ask(&requests, "next");
    terminal.see(&["a program asks for a debugger", "a accept", "next"]).send("a").see(&["started  main", "next on "]);
    terminal.send("qk").see(&["no job; listening"]).send("q");
    assert_eq!(terminal.exit_status(), 0);
    assert_eq!(end(next).0, 137);
    wait_for("the ranks to end", || {
        let left = Command::new("pgrep").args(["-f", &format!("{} on", build::plain("relay.c").display())]).output();
        left.unwrap().stdout.is_empty().then_some(())
    });
}
