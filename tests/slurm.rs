//! Jobs of a real Slurm: four nodes on this host, eight tasks. Started by the debugger in both ways, attached to while
//! they run, and offered to it from a batch job.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on ends")]

mod support;

use rankscope::model::{ProcessSet, Rank};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use support::batch::{Outcome, Place};
use support::build;
use support::connect::TVCONNECT;
use support::live::Live;
use support::process::Guard;
use support::slurm::{Cluster, cluster};
use support::wait::wait_for;
use tempfile::TempDir;

const SRUN: [&str; 4] = ["srun", "-N4", "-n8", "--mpi=pmi2"];

fn program(file: &str) -> PathBuf {
    build::build("mpicc.mpich", file, &["-g", "-O0"])
}

/// Runs rankscope in the cluster.
fn run(cluster: &Cluster, place: &Place, arguments: &[&str], script: &str) -> Outcome {
    let (name, value) = cluster.environment();
    let wrapper = cluster.path("with-slurm");
    std::fs::write(&wrapper, format!("#!/bin/sh\nexport {name}={}\nexec \"$@\"\n", value.display())).unwrap();
    std::fs::set_permissions(&wrapper, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    place.run_under(&wrapper, arguments, script)
}

/// What holds of a run of `mpi_ring` by eight tasks on four nodes.
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

/// Its table names nodes, and a step has started a server on each.
fn a_server_a_node(outcome: &Outcome) {
    let session = &outcome.of("session")[0];
    let hosts = session["hosts"].as_object().unwrap();
    assert_eq!(hosts.keys().collect::<Vec<_>>(), ["n1", "n2", "n3", "n4"]);
    // Slurm shares the tasks out as it likes.
    let sets = hosts.values().map(|ranks| ProcessSet::parse(ranks.as_str().unwrap()).unwrap());
    assert_eq!(sets.fold(ProcessSet::new(), |sum, set| sum.union(&set)).to_string(), "0-7");
}

/// A step that goes on until it is told to end.
struct Step {
    cluster: Arc<Cluster>,
    srun: Guard,
    program: PathBuf,
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
        Self { cluster, srun, program, directory, job }
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

/// The task of a number.
fn task(program: &Path, rank: u32) -> i32 {
    let wanted = format!("SLURM_PROCID={rank}");
    let is_it = |pid: &i32| {
        let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        std::fs::read_link(format!("/proc/{pid}/exe")).is_ok_and(|exe| exe == program)
            && environment.split(|byte| *byte == 0).any(|line| line == wanted.as_bytes())
    };
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).find(is_it).unwrap()
}

#[test]
fn values_are_those_of_gdb() {
    const QUESTIONS: [&str; 4] = ["rank", "size", "own", "argv[1]"];
    let step = Step::start();
    let prints: String = QUESTIONS.iter().map(|question| format!("print {question}\n")).collect();
    let outcome = step.attach(&["--job", &step.job], &format!("break turn\ngo\nwait\nup\n{prints}")).expect(0);
    for rank in [0, 5] {
        let pid = task(&step.program, rank).to_string();
        let mut gdb = Command::new("gdb");
        gdb.args(["-nx", "-q", "-batch", "-p", &pid, "-ex", "break turn", "-ex", "continue", "-ex", "up"]);
        gdb.args(QUESTIONS.iter().flat_map(|question| ["-ex".to_owned(), format!("print {question}")]));
        let said = String::from_utf8(gdb.stdin(Stdio::null()).output().unwrap().stdout).unwrap();
        let theirs: Vec<&str> =
            said.lines().filter_map(|line| line.strip_prefix('$')?.split_once(" = ")).map(|v| v.1).collect();
        let one = ProcessSet::one(Rank(rank));
        let ours = QUESTIONS.map(|question| {
            let values = outcome.of("value").into_iter().filter(|value| value["expression"] == question);
            let mut of_rank =
                values.filter(|value| one.is_subset(&ProcessSet::parse(value["ranks"].as_str().unwrap()).unwrap()));
            of_rank.next().unwrap()["value"].as_str().unwrap().to_owned()
        });
        assert_eq!(ours.as_slice(), theirs, "{said}");
    }
    step.ends();
}

#[test]
fn a_batch_job_asks_for_a_debugger() {
    let (cluster, place) = (cluster(), Place::new());
    let requests = place.path().join("connect");
    let program = program("mpi_ring.c");
    let script = format!(
        "#!/bin/sh\nexport XDG_RUNTIME_DIR={}\n{TVCONNECT} --quiet --connect-dir {} -- srun -n4 --mpi=pmi2 {}\n",
        place.path().display(),
        requests.display(),
        program.display()
    );
    let file = place.path().join("job.sh");
    std::fs::write(&file, script).unwrap();
    let out = place.path().join("job.out").display().to_string();
    let words = ["--parsable", "-N2", "-n4", "--output", &out, &file.display().to_string()];
    let job = cluster.output("sbatch", &words);
    assert!(job.parse::<u32>().is_ok(), "{job}");

    let directory = requests.display().to_string();
    let arguments = ["--batch", "-", "--json", "--timeout", "28", "--connect-dir", &directory];
    let script = "set patience 30\nreverse wait 25\nreverse accept\n[0-3] wait\nbreak add_own\ngo\n[0] wait\n[0] where\n\
                  [0] up\n[0] print size\ndelete 1\n[0] go\nwait exited\n";
    let outcome = run(&cluster, &place, &arguments, script).expect(0);
    let request = &outcome.of("request")[0];
    assert!(request["program"].as_str().unwrap().ends_with("srun"), "{request}");
    assert_eq!(outcome.ranks("stopped", "function", "main"), "0-3");
    assert_eq!(outcome.ranks("value", "value", "4"), "0");
    assert_eq!(outcome.ranks("exited", "code", 0), "0-3");
    // The batch step ends as its program did, and has what it wrote.
    wait_for("the end of the job", || {
        cluster.output("squeue", &["--noheader", "--jobs", &job]).is_empty().then_some(())
    });
    let written = std::fs::read_to_string(&out).unwrap();
    assert!(written.contains("token 12"), "{written}");
}

/// What waits in a queue has no ranks that would notice.
#[test]
fn a_step_that_waits_for_its_turn_goes_with_a_killed_master() {
    let (cluster, place) = (cluster(), Place::new());
    let program = program("mpi_ring.c").display().to_string();
    let (name, value) = cluster.environment();
    let wrapper = place.path().join("srun");
    let text = format!("#!/bin/sh\n{name}={} exec srun \"$@\"\n", value.display());
    std::fs::write(&wrapper, text).unwrap();
    std::fs::set_permissions(&wrapper, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let srun = wrapper.display().to_string();
    let options = ["--begin=now+3600", "-N1", "-n1", "--job-name=queued", "--mpi=pmi2"];
    let words: Vec<&str> = ["run", &srun].into_iter().chain(options).chain([program.as_str()]).collect();
    let live = Live::start(&place, &words);
    let queued = || cluster.output("squeue", &["--noheader", "--format=%t", "--name=queued"]);
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
