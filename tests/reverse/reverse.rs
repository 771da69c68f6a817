//! A batch job asks, a front end's script answers: `tvconnect` and `rankscope --batch` together.

use crate::support::batch::{Outcome, Place};
use crate::support::build;
use crate::support::connect::{Requests, end};
use crate::support::live::Live;
use crate::support::process::Guard;
use crate::support::wait::wait_for;
use rankscope::protocol::reverse::{ConnectRequest, RequestId};
use serde_json::{Value, json};
use std::{
    fs::{self, File, Permissions},
    io::Write,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
    thread,
    time::{Duration, SystemTime},
};

/// The directories of both sides.
struct Site {
    place: Place,
    requests: Requests,
}

impl Site {
    fn new() -> Self {
        Self { place: Place::new(), requests: Requests::new() }
    }

    fn command(&self, program: &[&str]) -> Command {
        let mut command = self.requests.command(&["--quiet"], program);
        command.env("XDG_RUNTIME_DIR", self.place.path());
        command
    }

    /// Starts tvconnect for a program; returns the process and the name of its request.
    #[track_caller]
    fn ask(&self, program: &[&str]) -> (Guard, RequestId) {
        let process = Guard::spawn(&mut self.command(program));
        let (id, _) = self.requests.of(&process);
        (process, id)
    }

    fn options<'a>(&self, directory: &'a str) -> Vec<&'a str> {
        vec!["--batch", "-", "--json", "--timeout", "25", "--connect-dir", directory]
    }

    /// Runs the script of a front end that has no job at first.
    #[track_caller]
    fn script(&self, script: &str) -> Outcome {
        let directory = self.requests.path().display().to_string();
        self.place.run(&self.options(&directory), script)
    }

    /// Runs the scripts of two front ends at the same time.
    fn at_once(&self, options: &[&str], scripts: [String; 2]) -> [Outcome; 2] {
        thread::scope(|scope| {
            let fronts = scripts.map(|script| scope.spawn(move || self.place.run_beside(options, &script)));
            fronts.map(|front| front.join().unwrap())
        })
    }
}

fn error(outcome: &Outcome) -> String {
    let errors = outcome.of("error");
    errors.first().and_then(|error| error["message"].as_str()).unwrap_or_else(|| panic!("{}", outcome.text)).to_owned()
}

#[test]
fn a_program_is_accepted_and_debugged() {
    let site = Site::new();
    let program = build::plain("relay.c");
    let (process, id) = site.ask(&[program.to_str().unwrap(), "x y"]);
    let pid = process.0.id();
    let outcome = site
        .script("set patience 30\nreverse wait 20\nreverse accept\nprint argv[1]\nbreak work\ngo\nwait\nwhere\nkill\n");
    let outcome = outcome.expect(0);
    let request = &outcome.of("request")[0];
    assert_eq!((&request["id"], &request["stale"], &request["pid"]), (&json!(id.text()), &json!(false), &json!(pid)));
    assert_eq!(request["arguments"], json!(["x y"]));
    assert!(request["program"].as_str().unwrap().ends_with("relay") && request["age_s"].is_u64(), "{request}");
    assert_eq!(outcome.of("session")[0]["hosts"], json!({request["host"].as_str().unwrap(): "0"}));
    assert_eq!(outcome.ranks("stopped", "reason", "start"), "0");
    assert!(outcome.of("value")[0]["value"].as_str().unwrap().contains("\"x y\""));
    assert_eq!(outcome.of("stack")[0]["frames"][0]["function"], "work");
    // The job step has its program's exit status.
    assert_eq!(end(process), (137, String::new()));
    assert!(site.requests.files().is_empty());
}

#[test]
fn the_batch_step_has_the_output_and_the_exit_status_of_its_program() {
    let site = Site::new();
    let words = ["sh", "-c", "echo out; echo err >&2; read line; echo $line; exit 7"];
    for (program, output, errors, status) in [
        (vec![build::plain("relay.c").display().to_string()], "it 0: 6\nit 1: 6\n", "", 0),
        (words.map(str::to_owned).to_vec(), "out\n\n", "err\n", 7),
    ] {
        let program: Vec<&str> = program.iter().map(String::as_str).collect();
        let out = site.requests.base.path().join("out");
        let process = Guard::spawn(site.command(&program).stdout(File::create(&out).unwrap()));
        let (id, _) = site.requests.of(&process);
        let script = format!("reverse accept {id}\ngo\nwait exited\n");
        let directory = site.requests.path().display().to_string();
        let mut arguments = site.options(&directory);
        arguments.push("--keep-going");
        let outcome = site.place.run(&arguments, &script);
        assert_eq!(outcome.ranks("exited", "code", status), "0", "{}", outcome.text);
        assert_eq!(end(process), (status, errors.to_owned()));
        assert_eq!(fs::read_to_string(&out).unwrap(), output);
    }
}

fn mpi_ring(compiler: &str) -> PathBuf {
    build::build(compiler, "mpi_ring.c", &["-g", "-O0"])
}

/// A launcher before the program: its ranks are the session's.
#[track_caller]
fn job(compiler: &str, launcher: &[&str]) {
    let site = Site::new();
    let program = mpi_ring(compiler);
    let words = [launcher, &["-n", "4", program.to_str().unwrap()]].concat();
    let mut command = site.command(&words);
    for (name, value) in [
        ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
        ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
        ("OMPI_MCA_rmaps_base_oversubscribe", "1"),
        ("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"),
        // The hosts of other tests come and go as network devices of this one, which UCX would look at.
        ("UCX_NET_DEVICES", "lo"),
    ] {
        command.env(name, value);
    }
    let out = site.requests.base.path().join("out");
    command.stdout(File::create(&out).unwrap());
    let process = Guard::spawn(&mut command);
    let (id, _) = site.requests.of(&process);
    let script = format!(
        "set patience 30\ndload -accept {id}\nbreak add_own\ngo\n[0] wait\n[0] where\ndelete 1\ngo\nwait exited\n"
    );
    let outcome = site.script(&script).expect(0);
    assert_eq!(outcome.of("session")[0]["ranks"], "0-3");
    assert_eq!(outcome.ranks("stopped", "reason", "start"), "0-3");
    let frames = outcome.of("stack")[0]["frames"].clone();
    assert_eq!((&frames[0]["function"], &frames[1]["function"]), (&json!("add_own"), &json!("main")));
    assert_eq!(outcome.ranks("exited", "code", 0), "0-3");
    let (code, words) = end(process);
    assert_eq!(code, 0, "{words}");
    // The batch step's own output is where it was.
    assert_eq!(fs::read_to_string(&out).unwrap(), "token 12\n");
    assert!(words.lines().filter(|line| line.contains("is done")).count() == 4, "{words}");
}

#[test]
fn an_mpich_job_is_accepted() {
    job("mpicc.mpich", &["mpirun.mpich"]);
}

#[test]
fn an_open_mpi_job_is_accepted() {
    job("mpicc.openmpi", &["mpirun.openmpi"]);
}

#[test]
fn several_requests_are_answered_one_after_the_other() {
    let site = Site::new();
    let program = build::plain("relay.c");
    let program = program.to_str().unwrap();
    let (first, a) = site.ask(&[program, "first"]);
    let (second, b) = site.ask(&[program, "second"]);
    let (third, c) = site.ask(&[program, "third"]);
    let script = format!(
        "set patience 30\nreverse list\nreverse accept {a}\nprint argv[1]\nreverse reject {b} no more today\nkill\nreverse accept {c}\n\
         print argv[1]\nkill\nreverse list\n"
    );
    let outcome = site.script(&script).expect(0);
    let listed: Vec<Value> = outcome.of("request").iter().map(|request| request["arguments"][0].clone()).collect();
    assert_eq!(listed.len().min(3), 3, "{listed:?}");
    // Rejected processes may still be seen while they end.
    assert!(listed.iter().skip(3).all(|last| last == "second"), "{listed:?}");
    let values: Vec<String> = outcome.of("value").iter().map(|value| value["value"].to_string()).collect();
    assert!(matches!(&values[..], [a, c] if a.contains("first") && c.contains("third")), "{values:?}");
    assert_eq!(end(first), (137, String::new()));
    assert_eq!(end(second), (3, "tvconnect: request rejected: no more today\n".to_owned()));
    assert_eq!(end(third), (137, String::new()));
}

#[test]
fn a_request_during_a_session_can_be_sent_away_but_not_accepted() {
    let site = Site::new();
    let program = build::plain("relay.c");
    let program = program.to_str().unwrap();
    let (process, id) = site.ask(&["true"]);
    let directory = site.requests.path().display().to_string();
    let mut arguments = vec!["run", "--keep-going", "-n", "2"];
    arguments.extend(site.options(&directory));
    arguments.extend(["--", program]);
    let script = format!("reverse wait 20\nreverse accept {id}\nreverse reject {id} \"busy\"\nreverse reject {id}\n");
    let outcome = site.place.run(&arguments, &script).expect(1);
    assert!(error(&outcome).contains("ranks of this session are alive"), "{}", outcome.text);
    assert_eq!(end(process), (3, "tvconnect: request rejected: busy\n".to_owned()));
}

#[test]
fn there_is_a_way_back_into_the_session_of_a_request() {
    let site = Site::new();
    let program = build::plain("relay.c");
    let (process, _) = site.ask(&[program.to_str().unwrap()]);
    let directory = site.requests.path().display().to_string();
    let mut front = Live::start(&site.place, &["--timeout=80", "--connect-dir", &directory]);
    for line in ["reverse wait 20", "reverse accept", "break work", "go", "wait"] {
        assert!(front.run(line).iter().all(|object| object["type"] != "error"), "{line}");
    }
    front.kill();
    assert!(site.place.ask(&["sessions"]).expect(0).text.contains("relay"), "the session does not say what it is of");
    let mut front = Live::start(&site.place, &["resume"]);
    front.until("the state of the session", |object| object["type"] == "status");
    let of = |objects: Vec<Value>, kind: &str| objects.into_iter().find(|object| object["type"] == kind).unwrap();
    assert_eq!(of(front.run("breakpoints"), "breakpoint")["hits"], 1);
    assert_eq!(of(front.run("where"), "stack")["frames"][0]["function"], "work");
    front.run("delete 1");
    front.run("go");
    front.run("wait exited");
    front.run("quit");
    front.end();
    // The batch step ends as if no front end had died.
    assert_eq!(end(process), (0, String::new()));
    site.place.until_empty();
}

#[test]
fn nobody_asks() {
    let site = Site::new();
    let outcome = site.script("reverse list\nreverse wait 0.01\n").expect(1);
    assert_eq!(error(&outcome), "no program asked for a debugger within 0.01 s");
    let outcome = site.script("reverse accept\n").expect(1);
    assert_eq!(error(&outcome), "no program is asking for a debugger");
    let outcome = site.script("reverse accept someone\n").expect(1);
    assert!(error(&outcome).contains("no request \"someone\""), "{}", error(&outcome));
    // An unsafe directory is not treated as empty.
    fs::create_dir(site.requests.path()).unwrap();
    fs::set_permissions(site.requests.path(), Permissions::from_mode(0o777)).unwrap();
    let outcome = site.script("reverse list\n").expect(1);
    assert!(error(&outcome).contains("open to other users"), "{}", error(&outcome));
}

/// Sets a file's time to a minute ago, as if untouched since.
fn let_age(file: &Path) {
    let ago = SystemTime::now() - Duration::from_secs(61);
    File::options().write(true).open(file).unwrap().set_modified(ago).unwrap();
}

#[test]
fn a_stale_request_is_not_accepted_and_can_be_removed() {
    let site = Site::new();
    let process = Guard::spawn(Command::new("sleep").arg("60"));
    let waiting = site.requests.ask(&["--quiet"], &["true"]);
    let (own, mut request) = site.requests.of(&waiting);
    // The same for a process that has never asked, as after the end of a job on another host.
    request.pid = process.0.id();
    let id = RequestId::new("other", 1, [3; 8]);
    site.requests.directory().write(&id.request_file(), &request.print()).unwrap();
    let_age(&site.requests.path().join(id.request_file()));
    let outcome = site.script(&format!("reverse list\nreverse accept {id}\n")).expect(1);
    let stale: Vec<Value> = outcome.of("request").iter().map(|request| request["stale"].clone()).collect();
    assert!(stale.contains(&json!(true)) && stale.contains(&json!(false)), "{}", outcome.text);
    assert!(error(&outcome).contains("stale"), "{}", error(&outcome));
    let outcome = site.script(&format!("reverse reject {id}\nreverse list\n")).expect(0);
    assert_eq!(outcome.of("request").len(), 1);
    assert_eq!(site.requests.ids(), [own]);
}

#[test]
fn a_process_that_was_killed_leaves_no_request_that_can_be_accepted() {
    let site = Site::new();
    let (mut process, id) = site.ask(&["true"]);
    process.0.kill().unwrap();
    process.wait();
    assert_eq!(site.requests.ids(), std::slice::from_ref(&id), "nobody could take it back");
    let outcome = site.script(&format!("reverse accept {id}\n")).expect(1);
    assert!(error(&outcome).contains("ended before it connected"), "{}", error(&outcome));
    assert!(site.requests.files().is_empty(), "{:?}", site.requests.files());

    let (mut process, id) = site.ask(&["true"]);
    process.0.kill().unwrap();
    process.wait();
    let_age(&site.requests.path().join(id.request_file()));
    let outcome = site.script("reverse list\n").expect(0);
    assert!(outcome.of("request").is_empty() && site.requests.files().is_empty());
}

#[test]
fn a_program_that_cannot_be_debugged_ends_its_step_and_not_the_script() {
    let site = Site::new();
    let program = site.requests.base.path().join("program");
    fs::copy("/bin/true", &program).unwrap();
    let (process, id) = site.ask(&[program.to_str().unwrap()]);
    let (strange, other) = site.ask(&["mpirun.mpich", "--strange", "true"]);
    fs::remove_file(&program).unwrap();
    let directory = site.requests.path().display().to_string();
    let mut arguments = site.options(&directory);
    arguments.push("--keep-going");
    let script = format!("reverse accept {other}\nreverse reject {other} bad\nreverse accept {id}\nreverse list\n");
    let outcome = site.place.run(&arguments, &script).expect(1);
    let errors = outcome.of("error");
    assert_eq!(errors.len(), 2, "{}", outcome.text);
    assert!(errors[0]["message"].as_str().unwrap().contains("--strange"), "{errors:?}");
    assert!(errors[1]["message"].as_str().unwrap().contains(program.to_str().unwrap()), "{errors:?}");
    assert_eq!(end(process), (1, String::new()), "the session ended in order");
    assert_eq!(end(strange).0, 3);
}

#[test]
fn of_two_front_ends_that_answer_at_once_one_wins() {
    // Two hundred races, in parts: each answer looks at all existing requests.
    for round in 0..4 {
        race(50, round);
    }
}

fn race(many: usize, round: u32) {
    let site = Site::new();
    let directory = site.requests.directory();
    let request = ConnectRequest {
        program: "srun".into(),
        directory: "/".into(),
        host: "elsewhere".into(),
        ..ConnectRequest::default()
    };
    let ids: Vec<RequestId> =
        (0..many).map(|n| RequestId::new("elsewhere", 1000 * round + n as u32, [n as u8; 8])).collect();
    for id in &ids {
        directory.write(&id.request_file(), &request.print()).unwrap();
    }
    let path = site.requests.path().display().to_string();
    let mut options = site.options(&path);
    options.push("--keep-going");
    let script = |own: usize| -> String { ids.iter().map(|id| format!("reverse reject {id} by {own}\n")).collect() };
    let outcomes = site.at_once(&options, [script(0), script(1)]);
    for id in &ids {
        let won = |outcome: &Outcome| {
            let done = outcome.of("text").iter().filter(|text| text["text"] == format!("rejected {id}")).count();
            let refused =
                |error: &&Value| error["command"].as_str().unwrap().starts_with(&format!("reverse reject {id} "));
            let errors = outcome.of("error");
            let told: Vec<_> = errors.iter().filter(refused).map(|error| error["message"].clone()).collect();
            assert_eq!(done + told.len(), 1, "{id}: {told:?}");
            assert!(told.iter().all(|why| *why == format!("another front end has already answered {id}")), "{told:?}");
            done == 1
        };
        let winners: Vec<usize> = (0..2).filter(|&front| won(&outcomes[front])).collect();
        let [winner] = winners[..] else { panic!("{winners:?} won {id}") };
        let text = fs::read_to_string(site.requests.path().join(id.response_file())).unwrap();
        assert!(text.contains(&format!("by {winner}")), "{text}");
    }
}

#[test]
fn of_two_front_ends_that_accept_at_once_one_gets_the_session() {
    let site = Site::new();
    let directory = site.requests.path().display().to_string();
    for round in 0..8 {
        let (process, id) = site.ask(&["true"]);
        let script = format!("set patience 30\nreverse accept {id}\nkill\n");
        let outcomes = site.at_once(&site.options(&directory), [script.clone(), script]);
        let (won, lost): (Vec<_>, Vec<_>) = outcomes.iter().partition(|outcome| !outcome.of("session").is_empty());
        let ([won], [lost]) = (&won[..], &lost[..]) else { panic!("round {round}: {outcomes:?}") };
        assert_eq!((won.status, won.ranks("killed", "signal", "SIGKILL"), lost.status), (0, "0".to_owned(), 1));
        let known = [
            format!("another front end has already answered {id}"),
            format!("cannot accept {id}: another front end has already answered it"),
            format!("{id} no longer exists: its process has ended, or the request was answered"),
            format!("no request {:?}; \"reverse list\" lists them", id.text()),
        ];
        assert!(known.contains(&error(lost)), "round {round}: {}", error(lost));
        assert_eq!(end(process), (137, String::new()));
        assert!(site.requests.files().is_empty(), "{:?}", site.requests.files());
        site.place.until_empty();
    }
}

#[test]
fn a_front_end_that_dies_before_the_connection_leaves_nothing_to_accept() {
    let site = Site::new();
    // It cannot look for its answer while it is stopped: the front end waits for it, and dies.
    let (process, id) = site.ask(&["true"]);
    let pid = nix::unistd::Pid::from_raw(process.0.id() as i32);
    nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGSTOP).unwrap();
    let directory = site.requests.path().display().to_string();
    let mut front = site.place.start(&site.options(&directory));
    front.0.stdin.as_mut().unwrap().write_all(format!("reverse accept {id}\n").as_bytes()).unwrap();
    let response = site.requests.path().join(id.response_file());
    // Until it is complete, it has another name, too.
    let is_complete = || response.exists() && site.requests.files().len() == 2;
    wait_for("the answer", || is_complete().then_some(()));
    assert_eq!(fs::metadata(&response).unwrap().permissions().mode() & 0o777, 0o600);
    front.0.kill().unwrap();
    front.wait();
    nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGCONT).unwrap();
    let (code, words) = end(process);
    assert_eq!(code, 6, "{words}");
    assert!(words.contains("cannot reach the front end") && words.contains("127.0.0.1:"), "{words}");
    assert!(site.requests.files().is_empty(), "{:?}", site.requests.files());
}
