//! The commands of `docs/LAUNCHING.md`, each run on real launchers, and the script of `docs/HANGS.md`.

use crate::support::batch::Place;
use crate::support::build;
use crate::support::process::Guard;
use crate::support::pty::Terminal;
use crate::support::served::Served;
use crate::support::slurm::{Batch, Cluster, cluster};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use tempfile::TempDir;

const PAGE: &str = include_str!("../../docs/LAUNCHING.md");

const HANGS: &str = include_str!("../../docs/HANGS.md");

/// The words of each command of a kind.
fn recipes(kind: &str) -> Vec<Vec<&'static str>> {
    lines(PAGE, kind).into_iter().map(|line| line.split_whitespace().collect()).collect()
}

/// The lines of a kind on a page.
fn lines(page: &'static str, kind: &str) -> Vec<&'static str> {
    let mut inside = false;
    let mut found = Vec::new();
    for line in page.lines() {
        if line.starts_with("```") {
            inside = line.strip_prefix("```") == Some(kind);
        } else if inside {
            found.push(line);
        }
    }
    found
}

/// The surroundings of the commands: launchers by their usual names, and a cluster.
struct Site {
    cluster: Arc<Cluster>,
    directory: TempDir,
}

impl Site {
    fn new() -> Self {
        let (cluster, directory) = (cluster(), tempfile::tempdir().unwrap());
        build::script(&directory.path().join("mpirun"), "exec mpirun.openmpi --oversubscribe \"$@\"");
        build::script(&directory.path().join("mpiexec"), "exec mpirun.mpich \"$@\"");
        let (name, value) = cluster.environment();
        let environment = format!(
            "export {name}={} PATH={}:{}:$PATH OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1\nexec \"$@\"",
            value.display(),
            directory.path().display(),
            Path::new(env!("CARGO_BIN_EXE_rankscope")).parent().unwrap().display()
        );
        build::script(&directory.path().join("with"), &environment);
        Self { cluster, directory }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Runs a command with a script; returns the ranks of its session.
    fn run(&self, words: &[String], script: &str) -> String {
        self.run_in("with", words, script)
    }

    /// The same in an environment of the site.
    fn run_in(&self, surroundings: &str, words: &[String], script: &str) -> String {
        let (action, rest) = words[1..].split_first().unwrap();
        let mut arguments = vec![action.as_str(), "--json", "--timeout", "28", "--batch", "-"];
        arguments.extend(rest.iter().map(String::as_str));
        let outcome = Place::new().run_under(&self.path(surroundings), &arguments, script).expect(0);
        outcome.of("session")[0]["ranks"].as_str().unwrap().to_owned()
    }

    /// Starts a job that loops until told to end; returns its launcher.
    fn job(&self, compiler: &str, launcher: &[&str]) -> Guard {
        let program = build::build(compiler, "mpi_turns.c", &["-g", "-O0"]);
        let mut command = Command::new(self.path("with"));
        command.args(launcher).arg(program).arg(self.path("over")).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut guard = Guard::spawn(&mut command);
        let mut line = String::new();
        BufReader::new(guard.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(line.ends_with("ranks turn\n"), "{line}");
        guard
    }
}

/// The number of ranks that a command line asks for.
fn ranks_of(words: &[&str]) -> u32 {
    let counts = words.iter().zip(words.iter().skip(1)).filter(|(option, _)| **option == "-n");
    let apart: u32 = counts.map(|(_, count)| count.parse::<u32>().unwrap()).sum();
    apart + words.iter().filter_map(|word| word.strip_prefix("-n")?.parse::<u32>().ok()).sum::<u32>()
}

fn all_of(ranks: u32) -> String {
    rankscope::model::ProcessSet::all(ranks).to_string()
}

#[test]
fn programs_are_started_as_the_page_says() {
    let site = Site::new();
    let mut ran = 0;
    for recipe in recipes("recipe").into_iter().filter(|words| words[1] == "run") {
        let compiler = if recipe.contains(&"mpirun") { "mpicc.openmpi" } else { "mpicc.mpich" };
        let program = build::build(compiler, "mpi_ring.c", &["-g", "-O0"]).display().to_string();
        let words: Vec<String> = recipe.iter().map(|word| word.replace("./app", &program)).collect();
        std::fs::write(site.path("programs"), format!("-n 1 {program}\n-n 2 {program} input.txt\n")).unwrap();
        let file = site.path("programs").display().to_string();
        let words: Vec<String> =
            words.into_iter().map(|word| if word == "programs" { file.clone() } else { word }).collect();
        let ranks = if recipe.contains(&"programs") { 3 } else { ranks_of(&recipe) };
        // Ranks that do not stop at first may have ended by then.
        let script = if recipe.contains(&"none") { "status\n" } else { "wait\nwhere\n" };
        assert_eq!(site.run(&words, script), all_of(ranks), "{recipe:?}");
        ran += 1;
    }
    assert!(ran >= 11);
}

#[test]
fn what_runs_is_attached_to_as_the_page_says() {
    let site = Site::new();
    let mpirun = site.job("mpicc.openmpi", &["mpirun", "-n", "3"]);
    let srun = site.job("mpicc.mpich", &["srun", "-N4", "-n8", "--mpi=pmi2", "--job-name=recipe"]);
    let job = site.cluster.output("squeue", &["--noheader", "--format=%i", "--name=recipe"]);
    let mut ran = 0;
    for recipe in recipes("recipe").into_iter().filter(|words| words[1] == "attach") {
        let mut served: Vec<Served> = Vec::new();
        let words = recipe.iter().map(|word| match *word {
            "PID" => {
                served.push(Served::start());
                served.last().unwrap().pid().to_string()
            }
            "MPIRUN" => mpirun.0.id().to_string(),
            "SRUN" => srun.0.id().to_string(),
            word => word.replace("JOB", &job),
        });
        let words: Vec<String> = words.collect();
        let ranks = match recipe.last() {
            Some(&"PID") => served.len() as u32,
            Some(&"MPIRUN") => 3,
            _ => 8,
        };
        let script = if recipe.contains(&"none") { "status\n" } else { "wait\nwhere\n" };
        assert_eq!(site.run(&words, script), all_of(ranks), "{recipe:?}");
        served.iter_mut().for_each(Served::works);
        ran += 1;
    }
    assert!(ran >= 7);
    File::create(site.path("over")).unwrap();
    for mut launcher in [mpirun, srun] {
        assert!(launcher.wait().success());
    }
}

/// A login node: it has neither programs nor libraries of MPI; the nodes have them.
#[test]
fn jobs_are_had_from_a_login_node_without_mpi() {
    let site = Site::new();
    let hide = "for file in /usr/bin/mpi* /usr/bin/orte* /usr/bin/hydra* $(ldconfig -p | sed -n 's/.* => //p' | grep libmpi); do \
                [ -e $file ] && mount --bind /dev/null $(readlink -f $file); done 2>/dev/null";
    let inside = format!("{hide}; exec {} \"$@\"", site.path("with").display());
    build::script(&site.path("login-root"), &inside);
    build::script(
        &site.path("login"),
        &format!("exec unshare --mount sh {} \"$@\"", site.path("login-root").display()),
    );
    let program = build::build("mpicc.mpich", "mpi_turns.c", &["-g", "-O0"]).display().to_string();
    for there in [&["mpirun.openmpi", "--version"][..], &["mpirun.mpich", "--version"], &[&program, "x"]] {
        let status = Command::new(site.path("login")).args(there).stdin(Stdio::null()).stderr(Stdio::null()).status();
        assert!(matches!(status.unwrap().code(), Some(126 | 127)), "{there:?} runs on the login node");
    }
    let mut srun = site.job("mpicc.mpich", &["srun", "-N4", "-n8", "--mpi=pmi2", "--job-name=away"]);
    let job = site.cluster.output("squeue", &["--noheader", "--format=%i", "--name=away"]);
    let ring = build::build("mpicc.mpich", "mpi_ring.c", &["-g", "-O0"]).display().to_string();
    let recipes = recipes("login");
    for recipe in &recipes {
        let words = recipe.iter().map(|word| if *word == "./app" { ring.clone() } else { word.replace("JOB", &job) });
        assert_eq!(site.run_in("login", &words.collect::<Vec<_>>(), "wait\nwhere\n"), all_of(8), "{recipe:?}");
    }
    assert_eq!(recipes.len(), 3);
    File::create(site.path("over")).unwrap();
    assert!(srun.wait().success());
}

/// Inside a container everything sees the same processes and files: here it is namespaces and a root directory.
#[test]
fn containers_are_entered_as_the_page_says() {
    let site = Site::new();
    let root = site.path("root").display().to_string();
    std::fs::create_dir(&root).unwrap();
    let inside = format!("mount --rbind / {root} && exec chroot {root} {} \"$@\"", site.path("with").display());
    let container = format!("exec unshare --mount --uts --ipc --pid --fork --mount-proc sh -c '{inside}' sh \"$@\"");
    build::script(&site.path("container"), &container);
    let recipes = recipes("container");
    for recipe in &recipes {
        let (first, words) = recipe.split_first().unwrap();
        assert_eq!(*first, "CONTAINER");
        let compiler = if words.contains(&"mpirun") { "mpicc.openmpi" } else { "mpicc.mpich" };
        let program = build::build(compiler, "mpi_ring.c", &["-g", "-O0"]).display().to_string();
        let words: Vec<String> = words.iter().map(|word| word.replace("./app", &program)).collect();
        assert_eq!(site.run_in("container", &words, "wait\nwhere\n"), all_of(4), "{recipe:?}");
    }
    assert_eq!(recipes.len(), 2);
}

/// The commands of `docs/REVERSE.md`: a batch job asks; a person at a terminal or a script answers.
#[test]
fn a_batch_job_is_answered_as_the_page_says() {
    let page = include_str!("../../docs/REVERSE.md");
    let site = Site::new();
    let program = build::build("mpicc.mpich", "mpi_turns.c", &["-g", "-O0"]).display().to_string();
    let submit = |place: &Place| {
        let line = lines(page, "job").concat().replace("./solver", &format!("--mpi=pmi2 {program}"));
        let over = place.path().join("over").display().to_string();
        Batch::submit(&site.cluster, place, "-N2 -n4", &line.replace("input.txt", &over))
    };
    let place = Place::new();
    let batch = submit(&place);
    let words = ["rankscope"];
    assert_eq!(lines(page, "front"), words);
    let with = site.path("with").display().to_string();
    let mut terminal = Terminal::start_at(place.home(), &with, &words, (100, 30));
    terminal.see(&["a program asks for a debugger", "srun -n4", "a accept"]);
    terminal.send("a").see(&["started  main", "0S", "3S"]);
    terminal.send("q").see(&["4 ranks are alive"]).send("k").see(&["no job; listening"]);
    terminal.send("q");
    assert_eq!(terminal.exit_status(), 0);
    assert!(batch.end().contains("accepted by the front end"));

    let place = Place::new();
    let batch = submit(&place);
    let script = lines(page, "script").join("\n").replace("exchange", "turn");
    let outcome = place.run_command(Command::new(&with).args(["sh", "-c", &script]).env("HOME", place.path()), "");
    assert_eq!(outcome.ranks("stopped", "function", "turn"), "0-3", "{} {}", outcome.text, outcome.errors);
    let stacks = outcome.of("tree");
    assert_eq!(stacks.len(), 1, "{}", outcome.text);
    assert!(batch.end().contains("4 ranks turn"));
}

#[test]
fn a_batch_job_is_submitted_and_debugged_by_two_lines() {
    let [submit, answer] = lines(PAGE, "submit")[..] else { panic!("not two lines") };
    let site = Site::new();
    let program = build::build("mpicc.mpich", "mpi_turns.c", &["-g", "-O0"]).display().to_string();
    let place = Place::new();
    let over = place.path().join("over").display().to_string();
    let submit = submit.replace("srun", "srun --mpi=pmi2").replace("./app", &program).replace("input.txt", &over);
    let here = |line: &str| {
        let mut command = Command::new(site.path("with"));
        place.be_home_of(command.args(["sh", "-c", line]).env("HOME", place.path()).current_dir(place.path()));
        command
    };
    let submitted = here(&submit).output().unwrap();
    assert!(submitted.status.success(), "{}", String::from_utf8_lossy(&submitted.stderr));
    let script = "reverse wait 60\nreverse accept\nwait\nbreak turn\ngo\nwait\nkill\n";
    let outcome = place.run_command(&mut here(&format!("{answer} --batch - --json")), script).expect(0);
    assert_eq!(outcome.ranks("stopped", "function", "turn"), "0-3", "{} {}", outcome.text, outcome.errors);
}

#[test]
fn the_script_for_a_hang_looks_twice_and_succeeds() {
    let program = build::build("mpicc.mpich", "mpi_suite.c", &["-g", "-O0", "-fopenmp", "-pthread"]);
    let mut command = Command::new("mpirun.mpich");
    command.args(["-n", "4"]).arg(program).arg("sender").stdin(Stdio::null()).stdout(Stdio::piped());
    let mut launcher = Guard::spawn(&mut command);
    let mut line = String::new();
    BufReader::new(launcher.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "4 ranks run\n");
    let script = lines(HANGS, "sh").into_iter().find(|line| line.contains("--batch")).unwrap();
    let changes = [
        ("sleep 10", "sleep 1"),
        ("PID", &launcher.0.id().to_string()),
        ("| rankscope", concat!("| ", env!("CARGO_BIN_EXE_rankscope"))),
        // The job of a test ends.
        ("why\\n')", "why\\nkill\\n')"),
    ];
    let script = changes.iter().fold(script.to_owned(), |script, (from, to)| {
        assert!(script.contains(from), "{from}: {script}");
        script.replace(from, to)
    });
    let output = Command::new("sh").args(["-c", &script]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(text.matches("why: ").count(), 2, "{text}");
}
