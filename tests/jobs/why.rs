//! `why` on jobs that hang, and on some that only look so.

use crate::support::batch::Place;
use crate::support::live::Live;
use crate::support::marks::line;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

const SOURCE: &str = "mpi_hangs.c";

const MPICH: &[&str] = &["mpirun.mpich"];
const OPEN_MPI: &[&str] = &["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe"];

/// Looks until an answer is as wanted: a rank may be late on a busy host.
const MOST_LOOKS: usize = 60;

struct Job {
    place: Place,
    launcher: &'static [&'static str],
    program: PathBuf,
}

impl Job {
    fn new(compiler: &str, source: &str, launcher: &'static [&'static str], options: &[&str]) -> Self {
        let place = Place::new();
        let program = place.path().join("mpi_hangs");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(source);
        let status = Command::new(compiler)
            .args(["-g", "-w", "-o"])
            .arg(&program)
            .args(options)
            .arg(&source)
            .current_dir(place.path())
            .status();
        assert!(status.unwrap_or_else(|error| panic!("{compiler} is needed for this test: {error}")).success());
        Self { place, launcher, program }
    }

    fn mpich() -> Self {
        Self::new("mpicc.mpich", SOURCE, MPICH, &["-O0"])
    }

    fn open_mpi() -> Self {
        Self::new("mpicc.openmpi", SOURCE, OPEN_MPI, &["-O0"])
    }

    /// The first answer for four ranks that fits, or the last one.
    #[track_caller]
    fn why(&self, how: &str, fits: impl Fn(&Value) -> bool) -> Value {
        let mut arguments = vec!["run"];
        arguments.extend(self.launcher);
        arguments.extend(["-n", "4", self.program.to_str().unwrap(), how]);
        let mut live = Live::start(&self.place, &arguments);
        live.until_stopped("0-3");
        let mut last = Value::Null;
        for _ in 0..MOST_LOOKS {
            for line in ["go", "wait for 0.3", "halt", "wait"] {
                live.run(line);
            }
            last = live.run("why").into_iter().find(|object| object["type"] == "why").unwrap_or_default();
            if fits(&last) {
                break;
            }
        }
        live.run("kill");
        live.end();
        last
    }

    #[track_caller]
    fn check(&self, how: &str, verdict: &str, guilty: &str, text: &[String]) {
        // Two looks, since one can be a chance.
        let fits = |answer: &Value| {
            let lines = answer["text"].as_array().into_iter().flatten();
            let found: Vec<&str> = lines.filter_map(Value::as_str).collect();
            answer["verdict"] == verdict
                && answer["guilty"] == guilty
                && answer["samples"] == 2
                && found.get(..text.len()).is_some_and(|found| found == text)
        };
        let answer = self.why(how, fits);
        assert!(fits(&answer), "{how}: {verdict}, {guilty}, {text:#?}, seen twice; the last answer: {answer:#}");
    }
}

fn at(mark: &str) -> String {
    format!("({SOURCE}:{})", line(SOURCE, mark))
}

#[track_caller]
fn hangs(job: &Job) {
    let all = |who: &str, whom: &str| format!("{who} wait in MPI_Allreduce {} for {whom}.", at("all"));
    let cycle = format!("ranks 0-3 wait in MPI_Send {} for ranks 0-3, tag 7.", at("cycle"));
    job.check("cycle", "deadlock", "0-3", &[cycle]);
    job.check("exchange", "deadlock", "1,3", &[all("ranks 0-2", "rank 3")]);
    job.check("tag", "mismatch", "0-1", &[all("ranks 2-3", "ranks 0-1")]);
    let receive = format!("rank 3 waits in MPI_Recv {} for a message of any rank, tag 3.", at("wildcard"));
    job.check("wildcard", "deadlock", "3", &[all("ranks 0-2", "rank 3"), receive]);
    let bcast = format!("rank 3 waits in MPI_Bcast {} for ranks 0-2.", at("different"));
    job.check("different", "mismatch", "3", &[all("ranks 0-2", "rank 3"), bcast]);
}

#[track_caller]
fn slow_jobs(job: &Job) {
    let all = format!("ranks 0-2 wait in MPI_Allreduce {} for rank 3.", at("all"));
    let computes = format!("no deadlock: rank 3 is computing in compute {}.", at("computes"));
    job.check("loop", "computing", "3", &[all.clone(), computes]);
    job.check("read", "io", "3", std::slice::from_ref(&all));
    job.check("sleep", "missing", "3", &[all]);
    let row = format!("rank 1 waits in MPI_Barrier {} on row, whose members are unknown.", at("row"));
    let others = format!("ranks 0,2 wait in MPI_Allreduce {} for ranks 1,3.", at("all"));
    job.check("row", "computing", "3", &[others, row]);
}

#[test]
fn ranks_that_hang_in_mpich_are_named() {
    hangs(&Job::mpich());
}

#[test]
fn ranks_that_hang_in_open_mpi_are_named() {
    hangs(&Job::open_mpi());
}

#[test]
fn ranks_that_others_wait_for_in_mpich_are_named() {
    slow_jobs(&Job::mpich());
}

#[test]
fn ranks_that_others_wait_for_in_open_mpi_are_named() {
    slow_jobs(&Job::open_mpi());
}

#[test]
fn calls_of_fortran_are_read_in_optimised_code_too() {
    const FORTRAN: &str = "mpi_hangs.f90";
    for (compiler, launcher) in [("mpif90.mpich", MPICH), ("mpif90.openmpi", OPEN_MPI)] {
        for level in ["-O0", "-O2"] {
            let job = Job::new(compiler, FORTRAN, launcher, &[level]);
            let all = format!("ranks 0-2 wait in mpi_allreduce ({FORTRAN}:{}) for rank 3.", line(FORTRAN, "all"));
            // The line of the call is its last.
            let last = line(FORTRAN, "receive") + 2;
            let receive = format!("rank 3 waits in mpi_recv ({FORTRAN}:{last}) for rank 1, tag 7.");
            job.check(compiler, "deadlock", "1,3", &[all, receive]);
        }
    }
}

#[test]
fn methods_templates_and_vectors_of_cpp_are_read() {
    const CPP: &str = "mpi_waits.cpp";
    let job = Job::new("mpicxx.mpich", CPP, MPICH, &["-O0"]);
    let all = format!("ranks 0-2 wait in MPI_Allreduce ({CPP}:{}) for rank 3.", line(CPP, "all"));
    let receive = format!("rank 3 waits in MPI_Recv ({CPP}:{}) for rank 1, tag 5.", line(CPP, "receive"));
    job.check("method", "deadlock", "1,3", &[all.clone(), receive]);
    job.check("template", "deadlock", "1,3", &[all]);
}

#[test]
fn members_that_optimised_cpp_has_only_in_the_caller_are_read() {
    const CPP: &str = "mpi_waits.cpp";
    let job = Job::new("mpicxx.openmpi", CPP, OPEN_MPI, &["-O2"]);
    let all = format!("ranks 0-3 wait in MPI_Send ({CPP}:{}) for ranks 0-3, tag 3.", line(CPP, "send"));
    job.check("cycle", "deadlock", "0-3", &[all]);
}

#[test]
fn communicators_of_mpi_f08_are_read_in_optimised_code_too() {
    const FORTRAN: &str = "mpi_waits_f08.f90";
    for (compiler, launcher, level) in [("mpif90.mpich", MPICH, "-O0"), ("mpif90.openmpi", OPEN_MPI, "-O2")] {
        let job = Job::new(compiler, FORTRAN, launcher, &[level]);
        let at = |mark| format!("({FORTRAN}:{})", line(FORTRAN, mark));
        let all = format!("ranks 0-2 wait in mpi_allreduce {} for rank 3.", at("all"));
        let receive = format!("rank 3 waits in mpi_recv {} for rank 1, tag 4.", at("receive"));
        job.check(compiler, "deadlock", "1,3", &[all, receive]);
    }
}

#[test]
fn variables_that_the_compiler_has_removed_leave_the_answer_open() {
    let job = Job::new("mpicc.mpich", SOURCE, MPICH, &["-O2"]);
    let answer = job.why("cycle", |answer| answer["edges"][0]["call"] == "MPI_Send");
    assert_eq!(answer["edges"][0]["call"], "MPI_Send", "{answer:#}");
    assert!(["missing", "deadlock"].contains(&answer["verdict"].as_str().unwrap()), "{answer:#}");
}
