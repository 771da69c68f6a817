//! `why` on jobs that hang, and on some that only look so.

use crate::support::batch::Place;
use crate::support::live::Live;
use crate::support::marks::line;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

const SOURCE: &str = "mpi_hangs.c";

/// Whom each of four ranks of a ring waits for.
const RING: &str = "each for the rank after it (rank 3 for rank 0)";

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
        self.why_of("0-3", how, fits)
    }

    /// The same if only these ranks can be halted.
    #[track_caller]
    fn why_of(&self, ranks: &str, how: &str, fits: impl Fn(&Value) -> bool) -> Value {
        let mut arguments = vec!["run"];
        arguments.extend(self.launcher);
        arguments.extend(["-n", "4", self.program.to_str().unwrap(), how]);
        let mut live = Live::start(&self.place, &arguments);
        live.until_stopped("0-3");
        // The first look: later ones say who has moved on since.
        let first = live.run("why").into_iter().find(|object| object["type"] == "why").unwrap_or_default();
        assert!(first["since"].is_null() && first["samples"] == 1, "{first:#}");
        let mut last = Value::Null;
        for _ in 0..MOST_LOOKS {
            live.run(if last.is_null() { "go".to_owned() } else { format!("[{ranks}] go") }.as_str());
            live.run("wait for 0.3");
            for command in ["halt", "wait"] {
                live.run(&format!("[{ranks}] {command}"));
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
    let cycle = format!("ranks 0-3 wait in MPI_Send {}, {RING}, tag 7.", at("cycle"));
    job.check("cycle", "deadlock", "0-3", &[cycle]);
    job.check("exchange", "deadlock", "1,3", &[all("ranks 0-2", "rank 3")]);
    job.check("tag", "mismatch", "0-1", &[all("ranks 2-3", "ranks 0-1")]);
    let receive = format!("rank 3 waits in MPI_Recv {} for a message of any rank, tag 3.", at("wildcard"));
    job.check("wildcard", "deadlock", "3", &[all("ranks 0-2", "rank 3"), receive]);
    let bcast = format!("rank 3 waits in MPI_Bcast {} for one or more of ranks 0-2.", at("different"));
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

/// The line of an answer that says who has moved on.
fn since(answer: &Value) -> &str {
    let lines = answer["text"].as_array().into_iter().flatten().filter_map(Value::as_str);
    lines.into_iter().find(|line| line.starts_with("since the last look: ")).unwrap_or("")
}

#[test]
fn a_second_look_says_who_has_moved_whatever_the_verdict() {
    let job = Job::mpich();
    for (how, verdict) in [("sleep", "missing"), ("read", "io"), ("loop", "computing"), ("exchange", "deadlock")] {
        let is_seen_again = |answer: &Value| {
            answer["verdict"] == verdict
                && answer["samples"] == 2
                && answer["since"]["unmoved"] == "0-3"
                && since(answer) == "since the last look: ranks 0-3 are where they were."
        };
        let answer = job.why(how, is_seen_again);
        assert!(is_seen_again(&answer), "{how}: {answer:#}");
    }
    let has_moved = |answer: &Value| {
        answer["verdict"] == "computing"
            && answer["since"]["moved"].as_str().is_some_and(|moved| moved.contains('3'))
            && since(answer).contains("moved on")
    };
    let answer = job.why("rounds", has_moved);
    assert!(has_moved(&answer), "{answer:#}");
}

#[test]
fn a_rank_that_the_kernel_holds_is_named_with_the_function_of_the_kernel() {
    let job = Job::mpich();
    let all = format!("ranks 0-2 wait in MPI_Allreduce {} for rank 3.", at("all"));
    let kernel = "rank 3 is in the kernel and cannot be stopped";
    let is_named = |answer: &Value| {
        let line = |number: usize| answer["text"][number].as_str().unwrap_or("").to_owned();
        let is_told = line(0) == all && line(1).starts_with(kernel);
        let is_seen_again = answer["samples"] == 2 && answer["since"]["unmoved"] == "0-3";
        answer["verdict"] == "running" && answer["guilty"] == "3" && is_told && is_seen_again
    };
    let answer = job.why_of("0-2", "kernel", is_named);
    assert!(is_named(&answer), "{answer:#}");
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
    let all = format!("ranks 0-3 wait in MPI_Send ({CPP}:{}), {RING}, tag 3.", line(CPP, "send"));
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
