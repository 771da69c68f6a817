//! Jobs of a real Slurm: four nodes on this host, eight tasks. Started by the debugger in both ways, attached to while
//! running, and offered to it by a batch job.

use crate::support::batch::{Outcome, Place};
use crate::support::build;
use crate::support::live::Live;
use crate::support::process::Guard;
use crate::support::secrets::{keys, nobody_shows};
use crate::support::slurm::{Batch, Cluster, cluster, requests};
use crate::support::wait::wait_for;
use rankscope::model::{ProcessSet, Rank};
use serde_json::Value;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use tempfile::TempDir;

const SRUN: [&str; 4] = ["srun", "-N4", "-n8", "--mpi=pmi2"];

fn program(file: &str) -> PathBuf {
    build::build("mpicc.mpich", file, &["-g", "-O0"])
}

/// Runs rankscope in the cluster.
fn run(cluster: &Cluster, place: &Place, arguments: &[&str], script: &str) -> Outcome {
    let (name, value) = cluster.environment();
    let wrapper = cluster.path("with-slurm");
    build::script(&wrapper, &format!("export {name}={}\nexec \"$@\"", value.display()));
    place.run_under(&wrapper, arguments, script)
}

/// Checks the outcome of a run of `mpi_ring` by eight tasks on four nodes.
fn ring(outcome: &Outcome) {
    assert_eq!(outcome.ranks("stopped", "reason", "start"), "0-7");
    assert_eq!(outcome.ranks("stopped", "function", "main"), "0-7");
    assert_eq!(outcome.ranks("stopped", "reason", "breakpoint"), "0");
    let stack = &outcome.of("stack")[0];
    assert_eq!((&stack["frames"][0]["function"], &stack["frames"][1]["function"]), (&"add_own".into(), &"main".into()));
    assert_eq!(outcome.ranks("value", "value", "8"), "0");
    assert_eq!(outcome.ranks("exited", "code", 0), "0-7");
}

const RING: &str =
    "[0-7] wait\nbreak add_own\ngo\n[0] wait\n[0] where\n[0] up\n[0] print size\ndelete 1\n[0] go\nwait exited\n";

fn options<'a>(way: &[&'a str]) -> Vec<&'a str> {
    let common = ["run", "--json", "--timeout", "28", "--batch", "-"];
    common.iter().chain(way).copied().chain(SRUN).collect()
}

#[test]
fn joined() {
    let (cluster, place) = (cluster(), Place::new());
    let program = program("mpi_ring.c").display().to_string();
    let mut arguments = options(&[]);
    arguments.push(&program);
    let outcome = run(&cluster, &place, &arguments, RING).expect(0);
    ring(&outcome);
    assert!(outcome.of("output").iter().any(|output| output["text"] == "token 56\n"), "{}", outcome.text);
}

/// How often the ranks have written a line.
fn times(outcome: &Outcome, line: &str) -> usize {
    let output = outcome.of("output");
    output
        .iter()
        .map(|output| {
            let count = output["text"].as_str().unwrap().matches(line).count();
            let ranks = output["ranks"].as_str().and_then(|ranks| ProcessSet::parse(ranks).ok());
            count * ranks.map_or(1, |ranks| ranks.iter().count().max(1))
        })
        .sum()
}

#[test]
fn srun_passes_what_is_sent_to_all_tasks_or_to_the_one_that_it_names() {
    let (cluster, place) = (cluster(), Place::new());
    let program = build::plain("started.c").display().to_string();
    for (option, readers) in [("--input=all", 8), ("--input=0", 1)] {
        let mut arguments = options(&["--stdin", "terminal"]);
        arguments.extend([option, &program]);
        let script = "[0-7] wait\ngo\nsend typed\nsend -eof\nwait exited\n";
        let outcome = run(&cluster, &place, &arguments, script).expect(0);
        assert_eq!(times(&outcome, "read typed\n"), readers, "{option}: {}", outcome.text);
        assert_eq!(times(&outcome, "end of input\n"), 8, "{option}: {}", outcome.text);
        assert_eq!(outcome.ranks("exited", "code", 0), "0-7");
    }
}

#[test]
fn changed_arguments_and_variables_reach_the_tasks_of_an_srun_with_a_table() {
    let (cluster, place) = (cluster(), Place::new());
    let program = build::plain("started.c").display().to_string();
    let mut arguments = options(&["--mpir"]);
    arguments.extend([&program, "first"]);
    let script =
        "[0-7] wait\nset args 'one two' three\nset environment FLAVOUR = sour\nrestart\n[0-7] wait\ngo\nwait exited\n";
    let outcome = run(&cluster, &place, &arguments, script).expect(0);
    // A note may end behind any line.
    for line in ["argument 1 is [one two]", "argument 2 is [three]", "flavour sour"] {
        assert_eq!(outcome.text.matches(line).count(), 8, "{line}: {}", outcome.text);
    }
}

#[test]
fn by_the_table_of_srun() {
    let (cluster, place) = (cluster(), Place::new());
    let program = program("mpi_ring.c").display().to_string();
    let mut arguments = options(&["--mpir"]);
    arguments.push(&program);
    let outcome = run(&cluster, &place, &arguments, RING).expect(0);
    ring(&outcome);
    a_server_a_node(&outcome);
    assert!(outcome.text.contains("token 56"), "{}", outcome.text);
}

/// The MPIR table names nodes, and a job step has started a server on each.
fn a_server_a_node(outcome: &Outcome) {
    let session = &outcome.of("session")[0];
    let hosts = session["hosts"].as_object().unwrap();
    assert_eq!(hosts.keys().collect::<Vec<_>>(), ["n1", "n2", "n3", "n4"]);
    // Slurm distributes the tasks as it likes.
    let sets = hosts.values().map(|ranks| ProcessSet::parse(ranks.as_str().unwrap()).unwrap());
    assert_eq!(sets.fold(ProcessSet::new(), |sum, set| sum.union(&set)).to_string(), "0-7");
}

/// A job step that runs until told to end.
struct Step {
    cluster: Arc<Cluster>,
    srun: Guard,
    directory: TempDir,
    job: String,
}

impl Step {
    fn start() -> Self {
        let (cluster, program) = (cluster(), program("mpi_turns.c"));
        let directory = tempfile::tempdir().unwrap();
        let (srun, options) = SRUN.split_first().unwrap();
        let name = directory.path().file_name().unwrap().to_str().unwrap().to_owned();
        let mut command = cluster.command(srun);
        command.args(options).args(["--job-name", &name]).arg(&program).arg(directory.path().join("over"));
        let mut srun = Guard::spawn(command.stdout(Stdio::piped()));
        let mut line = String::new();
        BufReader::new(srun.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(line, "8 ranks turn\n");
        let job = cluster.output("squeue", &["--noheader", "--format=%i", "--name", &name]);
        Self { cluster, srun, directory, job }
    }

    fn attach(&self, target: &[&str], script: &str) -> Outcome {
        let mut arguments = vec!["attach", "--json", "--timeout", "28", "--batch", "-"];
        arguments.extend(target);
        run(&self.cluster, &Place::new(), &arguments, script)
    }

    fn ends(mut self) {
        File::create(self.directory.path().join("over")).unwrap();
        let status = self.srun.wait();
        assert!(status.success(), "{status:?}");
    }
}

const TURNS: &str = "break turn\ngo\nwait\nwhere\nprint rank\n";

fn turns(outcome: &Outcome) {
    assert_eq!(outcome.ranks("stopped", "reason", "breakpoint"), "0-7");
    for rank in 0..8 {
        assert_eq!(outcome.ranks("value", "value", rank.to_string()), rank.to_string(), "{}", outcome.text);
    }
    let depth = |object: &serde_json::Value| object["frames"].as_array().map_or(0, Vec::len);
    assert!(outcome.of("stack").iter().all(|stack| depth(stack) >= 2), "{}", outcome.text);
}

#[test]
fn attached_to_by_job() {
    let step = Step::start();
    let outcome = step.attach(&["--job", &step.job], TURNS).expect(0);
    a_server_a_node(&outcome);
    turns(&outcome);
    let outcome = step.attach(&["--job", "999999"], "").expect(4);
    let said = format!("{}{}", outcome.text, outcome.errors);
    assert!(said.contains("Slurm job 999999"), "{said}");
    step.ends();
}

#[test]
fn attached_to_by_its_srun() {
    let step = Step::start();
    let srun = step.srun.0.id().to_string();
    let outcome = step.attach(&["--starter", &srun], TURNS).expect(0);
    a_server_a_node(&outcome);
    turns(&outcome);
    step.ends();
}

/// The process of a task whose argument is this file.
fn task(rank: u32, over: &Path) -> i32 {
    let wanted = format!("SLURM_PROCID={rank}");
    let has = |pid: &i32, file: &str, word: &[u8]| {
        let text = std::fs::read(format!("/proc/{pid}/{file}")).unwrap_or_default();
        text.split(|byte| *byte == 0).any(|part| part == word)
    };
    let is_it = |pid: &i32| {
        // srun has the same command line, and slurmstepd the same variables.
        has(pid, "cmdline", over.as_os_str().as_encoded_bytes()) && has(pid, "environ", wanted.as_bytes())
    };
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).find(is_it).unwrap()
}

/// A debugger's view of a rank in `turn`: the functions up to `main`, and values there.
#[derive(Debug, PartialEq)]
struct Seen {
    functions: Vec<String>,
    values: Vec<String>,
}

const QUESTIONS: [&str; 3] = ["rank", "size", "own"];

fn by_gdb(pid: i32) -> Seen {
    let mut gdb = Command::new("gdb");
    let pid = pid.to_string();
    gdb.args(["-nx", "-q", "-batch", "-p", &pid, "-ex", "break turn", "-ex", "continue", "-ex", "bt", "-ex", "up"]);
    gdb.args(QUESTIONS.iter().flat_map(|question| ["-ex".to_owned(), format!("print {question}")]));
    let said = String::from_utf8(gdb.stdin(Stdio::null()).output().unwrap().stdout).unwrap();
    let values = said.lines().filter_map(|line| line.strip_prefix('$')?.split_once(" = "));
    let values: Vec<String> = values.map(|(_, value)| value.to_owned()).collect();
    let frame = |level: usize| {
        let mut lines = said.lines().filter_map(|line| line.strip_prefix(&format!("#{level} ")));
        let line = lines.next().unwrap_or_else(|| panic!("{said}")).trim_start();
        let line = line.split_once(" in ").filter(|_| line.starts_with("0x")).map_or(line, |(_, rest)| rest);
        line.split(" (").next().unwrap().to_owned()
    };
    let functions = vec![frame(0), frame(1)];
    assert_eq!(values.len(), QUESTIONS.len(), "{said}");
    Seen { functions, values }
}

/// The object of a kind that covers a rank.
#[track_caller]
fn of_rank<'a>(lines: &'a [Value], kind: &str, rank: u32) -> &'a Value {
    let one = ProcessSet::one(Rank(rank));
    let speaks = |object: &&Value| {
        object["type"] == kind && one.is_subset(&ProcessSet::parse(object["ranks"].as_str().unwrap()).unwrap())
    };
    lines.iter().find(speaks).unwrap_or_else(|| panic!("no {kind} of {rank}: {lines:#?}"))
}

/// All eight ranks at a breakpoint.
fn by_us(live: &mut Live) -> Vec<Seen> {
    live.run("[0-7] wait");
    live.run("break turn");
    live.run("go");
    live.run("wait");
    let stacks = live.run("where");
    live.run("up");
    let values = QUESTIONS.map(|question| live.run(&format!("print {question}")));
    live.run("delete 1");
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let seen = |rank| {
        let frames = of_rank(&stacks, "stack", rank)["frames"].as_array().unwrap();
        let functions: Vec<String> = frames.iter().map(|frame| text(&frame["function"])).take(2).collect();
        let values = values.iter().map(|lines| text(&of_rank(lines, "value", rank)["value"]));
        Seen { functions, values: values.collect() }
    };
    (0..8).map(seen).collect()
}

/// The four ways to the eight ranks of a job: through a joiner, through the launcher's MPIR table, attached, and
/// offered by a batch job. Each shows what gdb shows, and each job ends well.
#[test]
fn every_way_shows_what_gdb_shows() {
    let step = Step::start();
    let over = step.directory.path().join("over");
    let wanted: Vec<Seen> = (0..8).map(|rank| by_gdb(task(rank, &over))).collect();
    assert_eq!(wanted[5].functions, ["turn", "main"]);
    assert_eq!(wanted[5].values, ["5", "8", "6"]);
    let (name, value) = step.cluster.environment();
    let environment: &[(&str, &Path)] = &[(name, &value)];

    let place = Place::new();
    let mut live = Live::start_with(&place, environment, &["attach", "--job", &step.job]);
    assert_eq!(by_us(&mut live), wanted, "attached to");
    live.run("quit");
    live.end();
    place.until_empty();
    let cluster = Arc::clone(&step.cluster);
    step.ends();

    let program = program("mpi_turns.c").display().to_string();
    for way in [&["run"][..], &["run", "--mpir"]] {
        let place = Place::new();
        let over = place.path().join("over");
        let over_word = over.display().to_string();
        let words = way.iter().copied().chain(SRUN).chain([program.as_str(), &over_word]);
        let mut live = Live::start_with(&place, environment, &words.collect::<Vec<_>>());
        assert_eq!(by_us(&mut live), wanted, "{way:?}");
        end_well(live, &over, &place);
    }

    let place = Place::new();
    let over = place.path().join("over");
    let line = format!("tvconnect --quiet {} {program} {}", SRUN.join(" "), over.display());
    let batch = Batch::submit(&cluster, &place, "-N4 -n8", &line);
    let mut live = Live::start_with(&place, environment, &[&format!("--connect-dir={}", requests(&place))]);
    live.run("reverse wait 80");
    live.run("reverse accept");
    assert_eq!(by_us(&mut live), wanted, "offered from a batch job");
    end_well(live, &over, &place);
    assert!(batch.end().contains("8 ranks turn"));
}

/// Continues the ranks: they add up their values and exit with 0.
#[track_caller]
fn end_well(mut live: Live, over: &Path, place: &Place) {
    File::create(over).unwrap();
    live.run("go");
    let ends = live.run("wait exited");
    (0..8).for_each(|rank| assert_eq!(of_rank(&ends, "exited", rank)["code"], 0));
    live.run("quit");
    live.end();
    place.until_empty();
}

/// Also in a Slurm job, whichever way servers and ranks are started.
#[test]
fn nobody_sees_the_key_of_a_session() {
    let step = Step::start();
    let (name, value) = step.cluster.environment();
    let ring = program("mpi_ring.c").display().to_string();
    let run: Vec<&str> = ["run"].into_iter().chain(SRUN).chain([ring.as_str()]).collect();
    for words in [&["attach", "--job", &step.job][..], &run] {
        let place = Place::new();
        let mut live = Live::start_with(&place, &[(name, &value)], words);
        live.until_stopped("0-7");
        no_key_is_seen(live, &place);
    }
    // tvconnect becomes the master of a session.
    let place = Place::new();
    let batch = Batch::submit(&step.cluster, &place, "-N4 -n8", &format!("tvconnect {} {ring}", SRUN.join(" ")));
    let directory = format!("--connect-dir={}", requests(&place));
    let mut live = Live::start_with(&place, &[(name, &value)], &[&directory]);
    for line in ["reverse wait 80", "reverse accept", "[0-7] wait"] {
        live.run(line);
    }
    no_key_is_seen(live, &place);
    assert!(batch.end().contains("accepted by the front end"));
    step.ends();
}

#[track_caller]
fn no_key_is_seen(mut live: Live, place: &Place) {
    let seen = nobody_shows(&keys(place));
    assert!(seen > 12, "front end, master, srun, servers and eight ranks: {seen}");
    live.run("quit");
    live.end();
    place.until_empty();
}

#[test]
fn a_batch_job_asks_for_a_debugger() {
    let (cluster, place) = (cluster(), Place::new());
    let line = format!("tvconnect --quiet srun -n4 --mpi=pmi2 {}", program("mpi_ring.c").display());
    let batch = Batch::submit(&cluster, &place, "-N2 -n4", &line);
    let directory = requests(&place);
    let arguments = ["--batch", "-", "--json", "--timeout", "28", "--connect-dir", &directory];
    let script = "set patience 30\nreverse wait 25\nreverse accept\n[0-3] wait\nbreak add_own\ngo\n[0] wait\n[0] where\n\
                  [0] up\n[0] print size\ndelete 1\n[0] go\nwait exited\n";
    let outcome = run(&cluster, &place, &arguments, script).expect(0);
    let request = &outcome.of("request")[0];
    assert!(request["program"].as_str().unwrap().ends_with("srun"), "{request}");
    assert_eq!(outcome.ranks("stopped", "function", "main"), "0-3");
    assert_eq!(outcome.ranks("value", "value", "4"), "0");
    assert_eq!(outcome.ranks("exited", "code", 0), "0-3");
    // The batch step has its program's exit status and output.
    let written = batch.end();
    assert!(written.contains("token 12"), "{written}");
}

/// A queued job has no ranks that would notice.
#[test]
fn a_step_that_waits_for_its_turn_goes_with_a_killed_master() {
    queued_step_of_a_killed_master(&["run"]);
}

#[test]
fn so_does_one_that_is_to_say_its_ranks() {
    queued_step_of_a_killed_master(&["run", "--mpir"]);
}

fn queued_step_of_a_killed_master(way: &[&str]) {
    let (cluster, place) = (cluster(), Place::new());
    let program = program("mpi_ring.c").display().to_string();
    let (variable, value) = cluster.environment();
    let wrapper = place.path().join("srun");
    build::script(&wrapper, &format!("{variable}={} exec srun \"$@\"", value.display()));
    let srun = wrapper.display().to_string();
    let name = format!("queued-{}", way.len());
    let options = ["--begin=now+3600", "-N1", "-n1", "--job-name", &name, "--mpi=pmi2"];
    let words: Vec<&str> =
        way.iter().copied().chain([srun.as_str()]).chain(options).chain([program.as_str()]).collect();
    let live = Live::start(&place, &words);
    let queued = || cluster.output("squeue", &["--noheader", "--format=%t", "--name", &name]);
    wait_for("its place in the queue", || (queued() == "PD").then_some(()));
    let is_master = |pid: &i32| {
        let words = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        words.split(|byte| *byte == 0).any(|word| word == b"--master")
    };
    let masters: Vec<i32> = place.processes().into_iter().filter(is_master).collect();
    let [master] = masters.as_slice() else { panic!("{masters:?}") };
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(*master), nix::sys::signal::Signal::SIGKILL).unwrap();
    wait_for("an empty queue", || queued().is_empty().then_some(()));
    assert_ne!(live.end(), 0);
    place.until_empty();
}
