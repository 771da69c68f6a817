//! `why` on ranks whose threads wait for each other in OpenMP, with the libraries of GCC and of LLVM.

use crate::support::batch::Place;
use crate::support::build;
use crate::support::live::Live;
use crate::support::marks::line;
use serde_json::Value;
use std::path::{Path, PathBuf};

const SOURCE: &str = "openmp_waits.c";
const WITH_MPI: &str = "mpi_openmp.c";

/// Looks until an answer is as wanted: a rank may be late on a busy host.
const MOST_LOOKS: usize = 60;

struct Job {
    live: Live,
    place: Place,
    program: PathBuf,
    last: String,
}

impl Job {
    fn start(compiler: &str, level: &str, environment: &[(&str, &str)]) -> Self {
        let program = build::build(compiler, SOURCE, &["-g", level, "-fopenmp", "-pthread", "-w"]);
        let place = Place::new();
        let environment: Vec<_> = environment.iter().map(|(name, value)| (*name, Path::new(*value))).collect();
        let mut live = Live::start_with(&place, &environment, &["run", "-n", "9", "--", program.to_str().unwrap()]);
        live.until_stopped("0-8");
        live.run("go");
        Self { live, place, program, last: String::new() }
    }

    /// Looks at a rank until a line of the answer is as wanted.
    #[track_caller]
    fn check(&mut self, rank: u32, fits: impl Fn(&str) -> bool) {
        for _ in 0..MOST_LOOKS {
            self.look(&format!("[{rank}] why"));
            if self.last.lines().any(|line| line.starts_with(&format!("rank {rank} ")) && fits(line)) {
                return;
            }
        }
        panic!("rank {rank}: {}", self.last);
    }

    #[track_caller]
    fn says(&mut self, rank: u32, words: &str) {
        let line = format!("rank {rank} {words}.");
        self.check(rank, |said| said == line);
    }

    /// Lets the ranks run, stops them, and asks.
    fn look(&mut self, question: &str) {
        for line in ["go", "wait for 0.05", "halt", "wait"] {
            self.live.run(line);
        }
        self.last = answer(&mut self.live, question);
    }

    /// Asks of core files of the stopped ranks.
    fn of_core_files(&mut self, question: &str) -> String {
        let cores = self.place.path().join("cores");
        std::fs::create_dir(&cores).unwrap();
        self.live.run(&format!("gcore {}", cores.display()));
        let place = Place::new();
        let mut live = Live::start(&place, &["core", self.program.to_str().unwrap(), cores.to_str().unwrap()]);
        live.until_stopped("0-8");
        let text = answer(&mut live, question);
        live.end();
        text
    }

    fn end(mut self) {
        self.live.run("kill");
        self.live.end();
    }
}

/// The lines of the answer to a `why`.
fn answer(live: &mut Live, question: &str) -> String {
    let answer = live.run(question).into_iter().find(|object| object["type"] == "why");
    let lines = answer.unwrap_or_default()["text"].as_array().cloned().unwrap_or_default();
    lines.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n")
}

fn at(mark: &str) -> String {
    format!("({SOURCE}:{})", line(SOURCE, mark))
}

/// The waits that both libraries show alike; `library` records no owners of simple locks.
#[track_caller]
fn waits_are_told(job: &mut Job, library: &str) {
    let unrecorded = format!("({library} does not record owners)");
    job.says(
        0,
        &format!(
            "is in omp_set_lock {}, for second, perhaps held by its thread 2 (OpenMP 1), which is in omp_set_lock {}, for \
             first {unrecorded}",
            at("second"),
            at("first")
        ),
    );
    job.says(
        1,
        &format!(
            "is in omp critical {}, for the region update, perhaps held by its thread 2 (OpenMP 1), which is in pause {} \
             {unrecorded}",
            at("region"),
            at("inside")
        ),
    );
    job.says(2, &barrier());
    // The compilers differ in the line of the call.
    let late = format!(
        ", where 1 of 3 threads waits for its threads 2-3 (OpenMP 1-2), the first of which is in pause {}.",
        at("late")
    );
    job.check(4, |line| line.starts_with("rank 4 is in an OpenMP barrier (openmp_waits.c:") && line.ends_with(&late));
    job.says(
        5,
        &format!(
            "is in omp taskwait {}, while 1 of the 2 threads of its team does not wait in OpenMP: thread 2 (OpenMP 1), \
             which is in pause {}",
            at("taskwait"),
            at("task")
        ),
    );
    job.says(3, &owner_of_nested());
    job.says(6, &format!("is in omp_set_lock {}, for locks[2], perhaps held by itself {unrecorded}", at("twice")));
    let (mutex, locked) = (at("mutex"), at("locked"));
    job.says(
        8,
        &format!("is in pthread_mutex_lock {mutex}, held by its thread 2 (OpenMP 1), which is in pause {locked}"),
    );
    job.says(7, &format!("is in omp_set_lock {}, for first, whose owner {library} does not record", at("among")));
}

fn barrier() -> String {
    let (barrier, absent) = (at("barrier"), at("absent"));
    format!(
        "is in an OpenMP barrier {barrier}, where 3 of 4 threads wait for its thread 3 (OpenMP 2), which is in pause {absent}"
    )
}

fn owner_of_nested() -> String {
    let (nested, owner) = (at("nested"), at("owner"));
    format!("is in omp_set_nest_lock {nested}, for nested, held by its thread 2 (OpenMP 1), which is in pause {owner}")
}

#[test]
fn waits_in_openmp_of_gcc_say_for_whom() {
    let mut job = Job::start("gcc", "-O0", &[]);
    waits_are_told(&mut job, "libgomp");
    job.says(2, &barrier());
    let told = job.of_core_files("[2] why");
    assert!(told.contains(&format!("rank 2 {}.", barrier())), "{told}");
    job.end();
}

#[test]
fn waits_in_openmp_of_gcc_say_for_whom_in_optimised_code() {
    let mut job = Job::start("gcc", "-O2", &[]);
    job.says(3, &owner_of_nested());
    job.says(2, &barrier());
    // Those that sleep at the end of the region have no frame there: the function has jumped to the other.
    job.check(4, |line| !line.contains("arrived"));
    job.check(0, |line| line.contains("for second, perhaps held by its thread 2 (OpenMP 1), which is in omp_set_lock"));
    job.end();
}

#[test]
fn threads_that_poll_for_locks_are_told_like_those_that_sleep() {
    let mut job = Job::start("gcc", "-O0", &[("OMP_WAIT_POLICY", "active")]);
    job.check(0, |line| line.contains("for second, perhaps held by its thread 2 (OpenMP 1), which is in omp_set_lock"));
    job.check(2, |line| line.contains("where 3 of 4 threads wait for its thread 3 (OpenMP 2), which is in pause"));
    job.end();
}

#[test]
fn waits_in_openmp_of_llvm_say_for_whom() {
    let mut job = Job::start("clang", "-O0", &[]);
    waits_are_told(&mut job, "libomp");
    job.end();
}

#[test]
fn locks_of_llvm_that_record_their_owners_say_who_it_is() {
    for kind in ["tas", "futex"] {
        let mut job = Job::start("clang", "-O1", &[("KMP_LOCK_KIND", kind)]);
        job.check(0, |line| line.contains("for second, held by its thread 2 (OpenMP 1), which is in omp_set_lock"));
        job.check(1, |line| line.contains("for the region update, held by its thread 2 (OpenMP 1), which is in pause"));
        job.check(6, |line| line.ends_with(", for locks[2], held by itself."));
        let holder = format!(", for first, held by its thread 2 (OpenMP 1), which is in pause {}.", at("holder"));
        job.check(7, |line| line.ends_with(&holder));
        job.end();
    }
}

/// A thread of rank 0 waits for rank 1; another one waits for that thread in OpenMP, and rank 1 for rank 0: a cycle.
#[track_caller]
fn thread_in_mpi(compiler: &str) {
    for part in ["critical", "barrier"] {
        let program = build::build("mpicc.mpich", WITH_MPI, &[compiler, "-g", "-O0", "-fopenmp", "-w"]);
        let place = Place::new();
        let mut live = Live::start(&place, &["run", "mpirun.mpich", "-n", "2", program.to_str().unwrap(), part]);
        live.until_stopped("0-1");
        live.run("go");
        let mut job = Job { live, place, program: program.clone(), last: String::new() };
        let place = format!("MPI_Recv ({WITH_MPI}:{})", line(WITH_MPI, "receive"));
        let begin = format!("rank 0 waits in {place} for rank 1, tag 7, in its thread ");
        // The MPI has threads of its own: the number of this one is not known.
        let end = ", which seems to hold up others.";
        let is_told = |text: &str| {
            let of_rank_0 = text.lines().any(|line| line.starts_with(&begin) && line.ends_with(end));
            let of_rank_1 = text.contains(&format!("rank 1 waits in {place} for rank 0, tag 7."));
            of_rank_0 && of_rank_1 && text.contains("deadlock: ranks 0-1 wait for each other.")
        };
        for _ in 0..MOST_LOOKS {
            job.look("why");
            if is_told(&job.last) {
                break;
            }
        }
        assert!(is_told(&job.last), "{begin}: {}", job.last);
        // Of the thread that the line names, its own wait is told.
        let waits = if part == "critical" { "in omp critical" } else { "in an OpenMP barrier" };
        job.look("[0.1] why");
        assert!(job.last.lines().any(|line| line.starts_with("rank 0 is ") && line.contains(waits)), "{}", job.last);
        job.end();
    }
}

#[test]
fn a_thread_in_mpi_holds_up_those_that_wait_in_openmp_of_gcc() {
    thread_in_mpi("-cc=gcc");
}

#[test]
fn a_thread_in_mpi_holds_up_those_that_wait_in_openmp_of_llvm() {
    thread_in_mpi("-cc=clang");
}
