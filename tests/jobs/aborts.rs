//! A rank that calls `MPI_Abort` stops there, before the launcher ends the job.

use crate::support::batch::{Outcome, Place};
use crate::support::marks::line;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

const SOURCE: &str = "mpi_aborts.c";

const MPICH: &[&str] = &["mpirun.mpich"];
const OPEN_MPI: &[&str] = &["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe"];

struct Job {
    place: Place,
    launcher: &'static [&'static str],
    program: PathBuf,
}

impl Job {
    fn new(compiler: &str, source: &str, launcher: &'static [&'static str]) -> Self {
        let place = Place::new();
        let program = place.path().join("mpi_aborts");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(source);
        let mut command = Command::new(compiler);
        command.args(["-g", "-O0", "-w", "-o"]).arg(&program).arg(&source).current_dir(place.path());
        let status = command.status().unwrap_or_else(|error| panic!("{compiler} is needed for this test: {error}"));
        assert!(status.success());
        Self { place, launcher, program }
    }

    #[track_caller]
    fn run(&self, options: &[&str], how: &str, script: &str) -> Outcome {
        let mut arguments = vec!["run", "--timeout", "80", "--batch", "-"];
        arguments.extend(options);
        arguments.extend(self.launcher);
        arguments.extend(["-n", "4", self.program.to_str().unwrap(), how]);
        self.place.run(&arguments, script)
    }

    /// Returns the group of ranks that stopped for an error, and checks who they are.
    #[track_caller]
    fn aborts(&self, how: &str, ranks: &str) -> Value {
        let script = format!("go\nwait {ranks}\nstatus\nkill\n");
        let outcome = self.run(&["--json"], how, &script);
        assert_eq!(outcome.ranks("stopped", "reason", "error"), ranks, "{}{}", outcome.text, outcome.errors);
        let groups = outcome.of("status").pop().unwrap()["groups"].clone();
        let stopped: Vec<_> = groups.as_array().unwrap().iter().filter(|group| group["state"] == "stopped").collect();
        assert_eq!((stopped.len(), &stopped[0]["ranks"]), (1, &json!(ranks)), "{groups:#?}");
        stopped[0].clone()
    }

    #[track_caller]
    fn check(&self, how: &str, ranks: &str, text: &str) {
        let group = self.aborts(how, ranks);
        assert_eq!(group["cause"], json!({"kind": "mpi_abort", "text": text}), "{group:#}");
        assert_eq!(group["user"]["function"], "give_up", "{group:#}");
        assert_eq!(group["user"]["line"], line(SOURCE, "abort"));
        assert_eq!(group["user"]["call"], "MPI_Abort");
        self.says(how, ranks, text);
    }

    /// Checks that the words of the cause are in the text of the states.
    #[track_caller]
    fn says(&self, how: &str, ranks: &str, cause: &str) {
        let outcome = self.run(&[], how, &format!("go\nwait {ranks}\nstatus\nkill\n"));
        let words = format!("[{ranks}] stopped: error ({cause})");
        assert!(outcome.text.lines().any(|row| row.starts_with(&words)), "{words}\n{}", outcome.text);
    }
}

#[track_caller]
fn aborts(job: &Job) {
    job.check("world", "3", "MPI_Abort(MPI_COMM_WORLD, 42)");
    job.check("all", "0-3", "MPI_Abort(MPI_COMM_WORLD, 42)");
    job.check("self", "3", "MPI_Abort(MPI_COMM_SELF, -1)");
    job.check("team", "3", "MPI_Abort(comm, 7)");
}

#[test]
fn ranks_of_mpich_stop_at_mpi_abort() {
    aborts(&Job::new("mpicc.mpich", SOURCE, MPICH));
}

#[test]
fn ranks_of_open_mpi_stop_at_mpi_abort() {
    aborts(&Job::new("mpicc.openmpi", SOURCE, OPEN_MPI));
}

#[test]
fn ranks_of_fortran_stop_at_mpi_abort() {
    for (compiler, launcher) in [("mpif90.mpich", MPICH), ("mpif90.openmpi", OPEN_MPI)] {
        let group = Job::new(compiler, "mpi_aborts.f90", launcher).aborts("", "0-3");
        let text = "MPI_Abort(MPI_COMM_WORLD, 9)";
        assert_eq!(group["cause"], json!({"kind": "mpi_abort", "text": text}), "{compiler}: {group:#}");
        assert_eq!(group["user"]["line"], line("mpi_aborts.f90", "abort"), "{compiler}: {group:#}");
    }
}

#[test]
fn an_error_that_open_mpi_finds_names_the_call() {
    let job = Job::new("mpicc.openmpi", SOURCE, OPEN_MPI);
    let group = job.aborts("error", "3");
    let text = "MPI_Send on MPI_COMM_WORLD failed: MPI_ERR_RANK";
    assert_eq!(group["cause"], json!({"kind": "mpi_abort", "text": text}), "{group:#}");
    assert_eq!(group["user"]["line"], line(SOURCE, "error"), "{group:#}");
}

#[test]
fn an_error_that_mpich_finds_has_its_words() {
    let job = Job::new("mpicc.mpich", SOURCE, MPICH);
    let group = job.aborts("error", "3");
    let text = "MPI_Send failed: Invalid rank has value 7 but must be nonnegative and less than 4";
    assert_eq!(group["cause"], json!({"kind": "mpi_abort", "text": text}), "{group:#}");
    assert_eq!(group["user"]["line"], line(SOURCE, "error"), "{group:#}");
    assert_eq!(group["user"]["call"], "MPI_Send", "{group:#}");
    job.check("returned", "3", "MPI_Abort(MPI_COMM_WORLD, 42)");
}

#[test]
fn an_abort_stands_in_the_line_of_the_stop() {
    let text = Job::new("mpicc.mpich", SOURCE, MPICH).run(&[], "all", "go\nwait\nkill\n").text;
    let place = format!("in MPI_Abort at {SOURCE}:{}", line(SOURCE, "abort"));
    let words = format!("[0-3] stopped: error (MPI_Abort(MPI_COMM_WORLD, 42)), {place}");
    assert!(text.lines().any(|row| row == words), "{words}\n{text}");
}

#[test]
fn a_job_may_abort_without_a_stop() {
    let job = Job::new("mpicc.mpich", SOURCE, MPICH);
    let outcome = job.run(&["--json"], "all", "set stop-on-error off\ngo\nwait\nstatus\n");
    assert_eq!(outcome.ranks("stopped", "reason", "error"), "", "{}", outcome.text);
    let ended = job.run(&["--json"], "all", "go\nwait\ngo\nwait\nstatus\n");
    assert_eq!(ended.ranks("stopped", "reason", "error"), "0-3", "{}", ended.text);
    for outcome in [outcome, ended] {
        let groups = outcome.of("status").pop().unwrap()["groups"].clone();
        let groups = groups.as_array().unwrap();
        assert!(groups.iter().all(|group| group["state"] != "stopped" && group["state"] != "running"), "{groups:#?}");
    }
}
