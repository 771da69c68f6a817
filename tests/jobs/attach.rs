//! Attaching to running processes and jobs from the command line: they are debugged, and continue undisturbed.

use crate::support::batch::{Outcome, Place};
use crate::support::build;
use crate::support::process::Guard;
use crate::support::served::Served;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{ChildStdout, Command, Stdio};
use tempfile::TempDir;

const OPEN_MPI: (&str, &[&str]) = ("mpicc.openmpi", &["mpirun.openmpi", "--oversubscribe"]);
const MPICH: (&str, &[&str]) = ("mpicc.mpich", &["mpirun.mpich"]);

fn attach(options: &[&str], script: &str) -> Outcome {
    let mut arguments = vec!["attach", "--json", "--timeout", "25", "--batch", "-"];
    arguments.extend(options);
    Place::new().run(&arguments, script)
}

fn attach_to(served: &[&Served], options: &[&str], script: &str) -> Outcome {
    let pids: Vec<String> = served.iter().map(|served| served.pid().to_string()).collect();
    let all: Vec<&str> = options.iter().copied().chain(pids.iter().map(String::as_str)).collect();
    attach(&all, script)
}

fn with_rank(rank: u32, size: u32) -> Served {
    let mut command = Command::new(build::plain("served.c"));
    Served::start_as(command.env("PMI_RANK", rank.to_string()).env("PMI_SIZE", size.to_string()))
}

#[test]
fn two_processes_are_debugged_together_and_go_on() {
    for engine in ["native", "gdb"] {
        let (mut one, mut two) = (Served::start(), Served::start());
        let script = "break work\ngo\nwait\nwhere\nprint served\ndelete 1\ngo\nhalt\nwait\n";
        let outcome = attach_to(&[&one, &two], &["--engine", engine], script).expect(0);
        assert_eq!(outcome.ranks("stopped", "reason", "start"), "0-1");
        assert_eq!(outcome.ranks("stopped", "reason", "breakpoint"), "0-1");
        assert_eq!(outcome.ranks("value", "value", "1"), "0-1");
        for served in [&mut one, &mut two] {
            served.works();
            assert_eq!(served.ends(), 2);
        }
    }
}

#[test]
fn each_server_attaches_to_its_share() {
    let all = [Served::start(), Served::start(), Served::start()];
    let served: Vec<&Served> = all.iter().collect();
    let outcome = attach_to(&served, &["--ranks-per-server", "2"], "print served\nstatus\n").expect(0);
    assert_eq!(outcome.ranks("value", "value", "1"), "0-2");
    for mut served in all {
        served.works();
    }
}

#[test]
fn processes_may_go_on_while_they_are_attached_to() {
    let mut served = Served::start();
    let outcome = attach_to(&[&served], &["--stop-at", "none"], "halt\nwait\nprint served\n").expect(0);
    assert_eq!(outcome.ranks("stopped", "reason", "start"), "");
    assert_eq!(outcome.ranks("stopped", "reason", "interrupted"), "0");
    served.works();
}

#[test]
fn ranks_are_those_of_the_environment() {
    let (mut first, mut second) = (with_rank(1, 2), with_rank(0, 2));
    first.works();
    let outcome = attach_to(&[&first, &second], &[], "print served\n").expect(0);
    assert_eq!((outcome.ranks("value", "value", "2"), outcome.ranks("value", "value", "1")), ("1".into(), "0".into()));
    second.works();
    // One of them alone is rank 0 here, and a message says so.
    let outcome = attach_to(&[&first], &[], "print served\n").expect(0);
    assert_eq!(outcome.ranks("value", "value", "2"), "0");
    let wanted = format!("process {} is rank 1 of 2", first.pid());
    assert!(outcome.text.contains(&wanted), "{}", outcome.text);
}

#[test]
fn what_cannot_be_attached_to_is_said_and_the_others_are_left_alone() {
    let mut served = Served::start();
    let outcome = attach(&[&served.pid().to_string(), "2147483647"], "print served\n").expect(4);
    let said = format!("{}{}", outcome.text, outcome.errors);
    assert!(said.contains("process 2147483647: no such process"), "{said}");
    served.works();
    let twice = served.pid().to_string();
    let outcome = attach(&[&twice, &twice], "").expect(4);
    assert!(format!("{}{}", outcome.text, outcome.errors).contains("given twice"));
    served.works();
    let outcome = attach(&["--starter", &twice], "").expect(4);
    let said = format!("{}{}", outcome.text, outcome.errors);
    assert!(said.contains("has no ranks on this host") && said.contains("MPIR_proctable"), "{said}");
    served.works();
}

#[test]
fn what_was_attached_to_cannot_be_restarted() {
    let mut served = Served::start();
    let outcome = attach_to(&[&served], &[], "restart\n").expect(1);
    assert!(format!("{}{}", outcome.text, outcome.errors).contains("cannot restart attached ranks"));
    served.works();
}

/// A job of a real launcher that runs until told to end.
struct Job {
    launcher: Guard,
    /// Held open, as its last line would otherwise end it.
    output: BufReader<ChildStdout>,
    directory: TempDir,
}

impl Job {
    fn start(compiler: &str, launcher: &[&str], ranks: u32, wrapped: bool) -> Self {
        let program = build::build(compiler, "mpi_turns.c", &["-g", "-O0"]);
        let directory = tempfile::tempdir().unwrap();
        let (word, options) = launcher.split_first().unwrap();
        let mut command = Command::new(word);
        command.args(options).args(["-n", &ranks.to_string()]);
        command.envs([("OMPI_ALLOW_RUN_AS_ROOT", "1"), ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")]);
        if wrapped {
            command.args(["sh", "-c", "\"$0\" \"$@\"; exit $?"]);
        }
        command.arg(&program).arg(directory.path().join("over"));
        let mut launcher = Guard::spawn(command.stdin(Stdio::null()).stdout(Stdio::piped()));
        let mut line = String::new();
        let mut output = BufReader::new(launcher.0.stdout.take().unwrap());
        output.read_line(&mut line).unwrap();
        assert_eq!(line, format!("{ranks} ranks turn\n"));
        Self { launcher, output, directory }
    }

    fn pid(&self) -> String {
        self.launcher.0.id().to_string()
    }

    fn over(&self) -> std::path::PathBuf {
        Path::join(self.directory.path(), "over")
    }

    /// Tells the job to end, and checks that it ends well.
    fn ends(mut self) {
        File::create(self.over()).unwrap();
        let mut last = String::new();
        self.output.read_to_string(&mut last).unwrap();
        let status = self.launcher.wait();
        assert!(status.success(), "{status:?}");
        assert!(last.contains("ranks have turned\n"), "{last}");
    }
}

const TURNS: &str = "break turn\ngo\nwait\nprint rank\nwhere\nprint turns > 0\n";

fn a_job_of(mpi: (&str, &[&str]), wrapped: bool) {
    let job = Job::start(mpi.0, mpi.1, 3, wrapped);
    let outcome = attach(&["--starter", &job.pid()], TURNS).expect(0);
    assert_eq!(outcome.ranks("stopped", "reason", "breakpoint"), "0-2");
    for rank in ["0", "1", "2"] {
        assert_eq!(outcome.ranks("value", "value", rank), if rank == "1" { "0-2" } else { rank }, "{}", outcome.text);
    }
    let notes = outcome.text.matches("is a wrapper").count();
    assert_eq!(notes, if wrapped { 3 } else { 0 }, "{}", outcome.text);
    job.ends();
}

#[test]
fn a_job_of_open_mpi() {
    a_job_of(OPEN_MPI, false);
}

#[test]
fn a_job_of_mpich() {
    a_job_of(MPICH, false);
}

#[test]
fn a_job_of_wrapper_scripts() {
    a_job_of(MPICH, true);
}

#[test]
fn the_launcher_itself_may_be_debugged_and_its_job_is_pointed_out() {
    let job = Job::start(MPICH.0, MPICH.1, 2, false);
    let outcome = attach(&[&job.pid()], "threads\n").expect(0);
    let wanted = format!("attach --starter {}", job.pid());
    assert!(outcome.text.contains(&wanted), "{}", outcome.text);
    job.ends();
}

#[test]
fn ranks_that_are_not_there_do_not_keep_the_others_from_being_debugged() {
    let served = build::plain("served.c").display().to_string();
    // Of four ranks one never existed, and one is traced by another debugger.
    let script = "for rank in 0 2 3; do PMI_RANK=$rank PMI_SIZE=4 \"$0\" <$1 & echo $!; done; wait";
    let directory = tempfile::tempdir().unwrap();
    let input = directory.path().join("input");
    nix::unistd::mkfifo(&input, nix::sys::stat::Mode::S_IRWXU).unwrap();
    // Held open by the test: the input neither arrives nor ends.
    let held = File::options().read(true).write(true).open(&input).unwrap();
    let mut shell = Command::new("sh");
    shell.args(["-c", script, &served]).arg(&input).stdin(Stdio::null()).stdout(Stdio::piped());
    let mut launcher = Guard::spawn(&mut shell);
    let lines = BufReader::new(launcher.0.stdout.take().unwrap()).lines().map(Result::unwrap);
    let said: Vec<String> = lines.take(6).collect();
    let pids: Vec<&String> = said.iter().filter(|line| *line != "r").collect();
    assert_eq!(pids.len(), 3, "{said:?}");
    let place = Place::new();
    let mut first = place.start(&["attach", "--json", "--batch", "-", pids[2]]);
    let mut words = BufReader::new(first.0.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(words.any(|line| line.contains("stopped")));

    let script = "break work\n[0,2] go\n[0,2] wait\n[0,2] print served\nstatus\n[1] print served\n";
    let outcome = attach(&["--starter", &launcher.0.id().to_string()], script).expect(1);
    assert_eq!(outcome.ranks("value", "value", "1"), "0,2");
    let text = &outcome.text;
    assert!(text.contains("it has ended, or runs on another host") && text.contains("already traces it"), "{text}");
    assert!(outcome.of("error")[0]["message"].as_str().unwrap().contains("failed to start or attach"), "{text}");

    first.0.stdin = None;
    first.wait();
    drop(held);
    launcher.wait();
}

/// Attaches by a launcher of one rank of two, whose PMIx library is one of the tests.
fn with_pmix_library(directory: &Path, option: &str) -> Outcome {
    let served = build::plain("served.c").display().to_string();
    let library = directory.join("libpmix.so.2");
    std::fs::copy(build::build("gcc", "pmix_fault.c", &["-shared", "-fPIC", option]), &library).unwrap();
    // A shell with one child is taken for a wrapper of the launcher.
    let mut shell = Command::new("sh");
    shell.args(["-c", "exec 3<&0; PMI_RANK=0 PMI_SIZE=2 \"$0\" <&3 & cat <&3 & exec 3<&-; wait", &served]);
    shell.env("LD_PRELOAD", &library);
    let mut launcher = Guard::spawn(shell.stdin(Stdio::piped()).stdout(Stdio::piped()));
    let mut line = String::new();
    BufReader::new(launcher.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "r\n");
    let outcome = attach(&["--starter", &launcher.0.id().to_string()], "break work\n[0] go\n[0] wait\n").expect(0);
    assert_eq!(outcome.ranks("stopped", "reason", "breakpoint"), "0", "{}", outcome.text);
    drop(launcher.0.stdin.take());
    launcher.wait();
    outcome
}

/// The library runs in a process of its own: its faults end neither the session nor the launcher.
#[test]
fn a_launcher_whose_pmix_library_fails_has_its_ranks_on_this_host_attached_to() {
    let directory = tempfile::tempdir().unwrap();
    for (option, why) in [("-DLACKS", "has no PMIx_tool_init"), ("-DABORTS", "was killed by signal 6")] {
        let outcome = with_pmix_library(directory.path(), option);
        let text = outcome.text;
        assert!(text.contains("cannot ask the PMIx server of") && text.contains(why), "{text}");
    }
}

#[test]
fn questions_without_qualifiers_have_none() {
    let directory = tempfile::tempdir().unwrap();
    let outcome = with_pmix_library(directory.path(), "-DCOUNTS");
    assert!(outcome.text.contains("it has no jobs"), "{}", outcome.text);
}

#[test]
fn a_process_of_somebody_else_is_left_alone_and_its_owner_is_named() {
    let mut served = Served::start();
    let home = tempfile::Builder::new().prefix("rsn").tempdir_in("/tmp").unwrap();
    let nobody = nix::unistd::User::from_name("nobody").unwrap().unwrap();
    nix::unistd::chown(home.path(), Some(nobody.uid), Some(nobody.gid)).unwrap();
    let id = format!("--reuid={}", nobody.uid);
    let mut command = Command::new("setpriv");
    command.args([&id, "--clear-groups", "--inh-caps=-all", env!("CARGO_BIN_EXE_rankscope"), "attach", "--batch", "-"]);
    command.arg(served.pid().to_string()).env("XDG_RUNTIME_DIR", home.path()).env("HOME", home.path());
    let output = command.stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    let wanted = format!("process {}: it belongs to user root, not nobody", served.pid());
    assert!(said.contains(&wanted) && output.status.code() == Some(4), "{said}");
    served.works();
}

/// An attach without a target: the message names all three ways.
#[test]
fn the_ways_to_say_what_is_attached_to_are_named() {
    let outcome = Place::new().ask(&["attach"]).expect(2);
    assert!(["<PID>...", "--starter", "--job"].iter().all(|word| outcome.errors.contains(word)), "{}", outcome.errors);
}
