//! `rankscope triage`: unattended runs of copies that crash, exit unlike the others, hang, or are fine.

use crate::support::batch::{Outcome, Place};
use crate::support::build::plain;
use crate::support::marks::line;
use crate::support::process::Guard;
use crate::support::wait::wait_for;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rankscope::model::ProcessSet;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::{TempDir, tempdir};

/// A run with a directory for its report.
struct Run {
    place: Place,
    directory: TempDir,
}

impl Run {
    fn new() -> Self {
        Self { place: Place::new(), directory: tempdir().unwrap() }
    }

    fn report(&self) -> PathBuf {
        self.directory.path().join("report")
    }

    /// Runs three copies to their end.
    #[track_caller]
    fn to_end(&self, options: &[&str], program: &[&str]) -> Outcome {
        let (report, path) = (self.report().display().to_string(), plain("triaged.c").display().to_string());
        let start = ["triage", "--report", &report, "-n", "3"];
        let arguments: Vec<&str> =
            start.iter().chain(options).copied().chain([&*path]).chain(program.iter().copied()).collect();
        self.place.run(&arguments, "")
    }

    /// Starts three copies that run until the file `go` exists.
    #[track_caller]
    fn endless(&self) -> Guard {
        let (report, path) = (self.report().display().to_string(), plain("triaged.c").display().to_string());
        let go = self.directory.path().join("go").display().to_string();
        self.place.start(&["triage", "--report", &report, "-n", "3", &path, "loop", &go])
    }

    fn go(&self) {
        fs::write(self.directory.path().join("go"), "").unwrap();
    }

    /// Waits until all copies are in their loop.
    #[track_caller]
    fn until_begun(&self) {
        let program = plain("triaged.c");
        let loops = |pid: &i32| {
            fs::read_link(format!("/proc/{pid}/exe")).is_ok_and(|exe| exe == program)
                && fs::read_to_string(format!("/proc/{pid}/wchan")).is_ok()
        };
        wait_for("three copies", || {
            (self.place.processes().iter().filter(|pid| loops(pid)).count() == 3).then_some(())
        });
    }

    #[track_caller]
    fn data(&self) -> Value {
        read(&self.report())
    }
}

#[track_caller]
fn read(directory: &Path) -> Value {
    assert!(directory.join("report.html").exists());
    serde_json::from_str(&fs::read_to_string(directory.join("report.json")).unwrap()).unwrap()
}

fn group<'a>(data: &'a Value, ranks: &str) -> &'a Value {
    let groups = data["groups"]["groups"].as_array().unwrap();
    groups.iter().find(|group| group["ranks"] == ranks).unwrap_or_else(|| panic!("{groups:#?}"))
}

#[test]
fn a_crash_is_reported_and_the_job_ends_as_it_would_have() {
    let run = Run::new();
    let outcome = run.to_end(&["--cores", "1"], &["crash"]).expect(139);
    let data = run.data();
    let crashed = group(&data, "1");
    assert_eq!((&crashed["signal"], &crashed["line"]), (&"SIGSEGV".into(), &line("triaged.c", "crash").into()));
    assert!(data["reason"].as_str().unwrap().starts_with("[1] SIGSEGV (address "), "{:#}", data["reason"]);
    let locals = data["variables"].as_array().unwrap().iter().flat_map(|list| list["variables"].as_array().unwrap());
    assert!(locals.clone().any(|one| one["name"] == "wanted" && one["value"] == "6"), "{:#}", data["variables"]);
    let begun = data["output"].as_array().unwrap().iter().filter(|line| line["text"] == "begun");
    let ranks = begun.map(|line| ProcessSet::parse(line["ranks"].as_str().unwrap()).unwrap());
    assert_eq!(ranks.fold(ProcessSet::new(), |sum, of| sum.union(&of)).to_string(), "0-2");
    assert!(run.report().join("core.1").exists() && !run.report().join("core.0").exists(), "the crash comes first");
    assert_eq!(data["cores"][0]["files"][0]["rank"], 1);
    assert_eq!(outcome.text, "begun\nbegun\nbegun\n", "standard output is that of the job");
    assert!(outcome.errors.contains("\n  [1] stopped: SIGSEGV (address "), "{}", outcome.errors);
    assert_eq!(outcome.errors.matches("report: ").count(), 1, "{}", outcome.errors);
}

#[test]
fn each_rank_is_reported_with_its_own_limits() {
    let run = Run::new();
    let (report, path) = (run.report().display().to_string(), plain("triaged.c").display().to_string());
    let shell = format!("ulimit -Sn $((100 + RANKSCOPE_RANK / 2)); exec {path} crash");
    let outcome = run.place.run(&["triage", "--report", &report, "-n", "3", "sh", "-c", &shell], "").expect(139);
    let data = run.data();
    let of = |list: &Value| {
        let limits = list["limits"].as_array().unwrap();
        let files = limits.iter().find(|limit| limit["name"] == "open files").unwrap();
        (list["ranks"].clone(), files["soft"].clone())
    };
    let files: Vec<(Value, Value)> = data["limits"].as_array().unwrap().iter().map(of).collect();
    assert_eq!(files, [("0-1".into(), 100.into()), ("2".into(), 101.into())], "{:#}", data["limits"]);
    assert!(outcome.errors.contains("\nlimits:\n  [0-1] "), "{}", outcome.errors);
    assert!(outcome.errors.contains(", open files 101 (at most "), "{}", outcome.errors);
    let facts = data["facts"].as_array().unwrap();
    assert!(
        !facts.iter().any(|fact| fact["name"].as_str().unwrap().contains("limit")),
        "not those of the tool: {facts:#?}"
    );
}

#[test]
fn one_rank_of_each_group_gets_a_core_file() {
    let run = Run::new();
    run.to_end(&["--cores", "4"], &["crash"]).expect(139);
    let data = run.data();
    let ranks: Vec<&Value> = data["cores"][0]["files"].as_array().unwrap().iter().map(|file| &file["rank"]).collect();
    let groups = data["groups"]["groups"].as_array().unwrap();
    assert_eq!(ranks.len(), groups.len(), "{:#}", data["cores"]);
    for group in groups {
        let of = ProcessSet::parse(group["ranks"].as_str().unwrap()).unwrap();
        let there = of.iter().filter(|rank| run.report().join(format!("core.{rank}")).exists());
        assert_eq!(there.count(), 1, "{group:#}");
    }
}

#[test]
fn a_rank_that_exits_unlike_the_others_is_reported() {
    for (how, status, words) in [("exit", 3, "[1] exited with code 3"), ("kill", 137, "[1] killed by SIGKILL")] {
        let run = Run::new();
        run.to_end(&[], &[how]).expect(status);
        let data = run.data();
        assert_eq!(data["reason"], words);
        assert_eq!(group(&data, "0,2")["reason"], "interrupted", "the others are shown where they are");
    }
}

#[test]
fn a_job_that_is_fine_has_no_report() {
    let run = Run::new();
    let outcome = run.to_end(&[], &["fine"]).expect(0);
    assert_eq!(outcome.text, "begun\nbegun\nbegun\n");
    assert_eq!(outcome.errors, "rankscope: nothing to report: the job ended with status 0\n");
    assert!(!run.report().exists());
    // Ranks that all end with the same code have said why.
    assert!(run.to_end(&[], &["same"]).expect(5).errors.contains("nothing to report"));
}

#[test]
fn a_report_that_could_not_be_written_is_refused_at_the_start() {
    let place = Place::new();
    let program = plain("triaged.c").display().to_string();
    let outcome = place.run(&["triage", "--report", "/proc/none", "-n", "3", &program, "fine"], "").expect(6);
    assert!(outcome.errors.contains("cannot write a report in /proc/none: "), "{}", outcome.errors);
    assert_eq!(outcome.text, "", "the job is not started");
    for wrong in [&["--idle", "soon"][..], &["--batch", "-"], &["--stop-at", "main"]] {
        let arguments: Vec<&str> = ["triage"].iter().chain(wrong).copied().chain([&*program]).collect();
        assert_eq!(place.ask(&arguments).status, 2, "{wrong:?}");
    }
}

#[test]
fn the_help_lists_no_option_that_is_refused() {
    let help = Place::new().ask(&["triage", "--help"]).text;
    for option in ["--batch", "--json", "--raw", "--keep-going", "--timeout", "--theme", "--mouse", "--stop-at"] {
        assert!(!help.contains(option), "{option}\n{help}");
    }
    assert!(["--config", "--log", "--idle", "--engine"].iter().all(|option| help.contains(option)), "{help}");
}

#[test]
fn a_job_in_which_nothing_moves_is_reported_and_goes_on() {
    let run = Run::new();
    let (report, path) = (run.report().display().to_string(), plain("triaged.c").display().to_string());
    let mut tool = run.place.start(&["triage", "--report", &report, "--idle", "2s", "-n", "3", &path, "hang"]);
    wait_for("the report", || run.report().join("report.html").exists().then_some(()));
    let data = run.data();
    let reason = data["reason"].as_str().unwrap();
    assert!(reason.starts_with("nothing has moved for 2 s: ") && !reason.contains('('), "{reason}");
    assert_eq!(group(&data, "0-2")["user"]["line"], line("triaged.c", "hang"));
    // The callers are shown, too, where ranks differ.
    let main = &data["callers"][0];
    assert_eq!((&main["function"], &main["ranks"]), (&"main".into(), &"0-2".into()), "{:#}", data["callers"]);
    let lists = main["variables"].as_array().unwrap();
    let numbers: Vec<(&Value, &Value)> = lists
        .iter()
        .flat_map(|list| list["variables"].as_array().unwrap().iter().map(|one| (&list["ranks"], one)))
        .filter(|(_, one)| one["name"] == "rank")
        .map(|(ranks, one)| (ranks, &one["value"]))
        .collect();
    assert_eq!(numbers, ["0", "1", "2"].map(Value::from).iter().map(|n| (n, n)).collect::<Vec<_>>(), "{main:#}");
    let pid = Pid::from_raw(tool.0.id() as i32);
    kill(pid, Signal::SIGTERM).unwrap();
    assert_eq!(tool.wait().code(), Some(143), "the ranks get the signal");
    assert!(read(&run.report().join("2"))["reason"].as_str().unwrap().starts_with("SIGTERM"), "each has its report");
    run.place.until_empty();
}

#[test]
fn a_rank_that_cannot_be_stopped_is_named_with_its_place_in_the_kernel() {
    let run = Run::new();
    let (report, path) = (run.report().display().to_string(), plain("triaged.c").display().to_string());
    let go = run.directory.path().join("go").display().to_string();
    let mut tool = run.place.start(&["triage", "--report", &report, "-n", "3", &path, "kernel", &go]);
    wait_for("the report", || run.report().join("report.html").exists().then_some(()));
    run.go();
    assert_eq!(tool.wait().code(), Some(139));
    let data = run.data();
    assert_eq!(group(&data, "1")["state"], "running");
    let problem = &data["problems"][0];
    assert_eq!(problem["ranks"], "1", "{data:#}");
    assert!(
        problem["message"].as_str().unwrap().starts_with("in the kernel, state D (disk sleep), in "),
        "{problem:#}"
    );
    run.place.until_empty();
}

#[test]
fn ranks_that_are_lost_do_not_prevent_the_report() {
    let run = Run::new();
    let (report, path) = (run.report().display().to_string(), plain("triaged.c").display().to_string());
    let go = run.directory.path().join("go").display().to_string();
    let options = ["triage", "--report", &report, "--ranks-per-server", "1", "-n", "3", &path, "loop", &go];
    let mut tool = run.place.start(&options);
    run.until_begun();
    let is_server = |pid: &i32| {
        let words = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let words: Vec<&[u8]> = words.split(|byte| *byte == 0).collect();
        words.windows(2).any(|pair| pair == [&b"--index"[..], b"1"])
    };
    let server = run.place.processes().into_iter().find(is_server).unwrap();
    kill(Pid::from_raw(server), Signal::SIGKILL).unwrap();
    wait_for("the report", || run.report().join("report.html").exists().then_some(()));
    let data = run.data();
    assert!(data["reason"].as_str().unwrap().starts_with("[1] lost: "), "{:#}", data["reason"]);
    assert_eq!(group(&data, "0,2")["reason"], "interrupted", "{data:#}");
    run.go();
    assert_eq!(tool.wait().code(), Some(1), "the status of a rank that is lost is not known");
    run.place.until_empty();
}

#[test]
fn a_signal_asks_for_a_report_of_a_job_that_goes_on() {
    let run = Run::new();
    let mut tool = run.endless();
    run.until_begun();
    kill(Pid::from_raw(tool.0.id() as i32), Signal::SIGUSR1).unwrap();
    wait_for("the report", || run.report().join("report.html").exists().then_some(()));
    run.go();
    assert_eq!(tool.wait().code(), Some(0));
    assert_eq!(run.data()["reason"], "SIGUSR1 was sent to rankscope triage");
    assert_eq!(fs::read_dir(run.directory.path()).unwrap().count(), 5, "all copies went on to their end");
    run.place.until_empty();
}

#[test]
fn a_tool_that_is_killed_loses_the_report_and_not_the_job() {
    let run = Run::new();
    let mut tool = run.endless();
    run.until_begun();
    kill(Pid::from_raw(tool.0.id() as i32), Signal::SIGKILL).unwrap();
    tool.wait();
    run.go();
    for rank in 0..3 {
        let file = run.directory.path().join(format!("go.{rank}"));
        wait_for("the end of a copy", || file.exists().then_some(()));
    }
    run.place.until_empty();
}
