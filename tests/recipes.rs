//! The commands of `docs/LAUNCHING.md`, each run on real launchers.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on ends")]

mod support;

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use support::batch::Place;
use support::build;
use support::process::Guard;
use support::served::Served;
use support::slurm::{Cluster, cluster};
use tempfile::TempDir;

const PAGE: &str = include_str!("../docs/LAUNCHING.md");

/// The words of each command.
fn recipes() -> Vec<Vec<&'static str>> {
    let mut inside = false;
    let mut found = Vec::new();
    for line in PAGE.lines() {
        if line.starts_with("```") {
            inside = line == "```recipe";
        } else if inside {
            found.push(line.split_whitespace().collect());
        }
    }
    found
}

fn executable(path: &Path, text: &str) {
    std::fs::write(path, text).unwrap();
    std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).unwrap();
}

/// Where the commands are run: launchers by their usual names, and a cluster.
struct Site {
    cluster: Arc<Cluster>,
    directory: TempDir,
}

impl Site {
    fn new() -> Self {
        let (cluster, directory) = (cluster(), tempfile::tempdir().unwrap());
        executable(&directory.path().join("mpirun"), "#!/bin/sh\nexec mpirun.openmpi --oversubscribe \"$@\"\n");
        executable(&directory.path().join("mpiexec"), "#!/bin/sh\nexec mpirun.mpich \"$@\"\n");
        let (name, value) = cluster.environment();
        let environment = format!(
            "#!/bin/sh\nexport {name}={} PATH={}:$PATH OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1\nexec \"$@\"\n",
            value.display(),
            directory.path().display()
        );
        executable(&directory.path().join("with"), &environment);
        Self { cluster, directory }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Runs a command with a script; which ranks its session has.
    fn run(&self, words: &[String], script: &str) -> String {
        let (action, rest) = words[1..].split_first().unwrap();
        let mut arguments = vec![action.as_str(), "--json", "--timeout", "28", "--batch", "-"];
        arguments.extend(rest.iter().map(String::as_str));
        let outcome = Place::new().run_under(&self.path("with"), &arguments, script).expect(0);
        outcome.of("session")[0]["ranks"].as_str().unwrap().to_owned()
    }

    /// A job that turns until it is told to end: its launcher.
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

/// How many ranks a command line asks for.
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
    for recipe in recipes().into_iter().filter(|words| words[1] == "run") {
        let compiler = if recipe.contains(&"mpirun") { "mpicc.openmpi" } else { "mpicc.mpich" };
        let program = build::build(compiler, "mpi_ring.c", &["-g", "-O0"]).display().to_string();
        let words: Vec<String> = recipe.iter().map(|word| word.replace("./app", &program)).collect();
        std::fs::write(site.path("programs"), format!("-n 1 {program}\n-n 2 {program} input.txt\n")).unwrap();
        let file = site.path("programs").display().to_string();
        let words: Vec<String> =
            words.into_iter().map(|word| if word == "programs" { file.clone() } else { word }).collect();
        let ranks = if recipe.contains(&"programs") { 3 } else { ranks_of(&recipe) };
        // Of ranks that do not stop at first, some have ended by then.
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
    for recipe in recipes().into_iter().filter(|words| words[1] == "attach") {
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
