//! `why` on a program whose source is not there, or whose arguments only the compiler's description of the calls has.

use crate::support::batch::Place;
use crate::support::live::Live;
use crate::support::marks::{line, source};
use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;

const SOURCE: &str = "mpi_described.c";
const VIRTUAL: &str = "mpi_virtual.cpp";
const MPICH: &[&str] = &["mpirun.mpich"];
const OPEN_MPI: &[&str] = &["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe"];

/// Looks until an answer is as wanted: a rank may be late on a busy host.
const MOST_LOOKS: usize = 60;

struct Job {
    live: Live,
    /// The source that the program was made of.
    source: PathBuf,
    _place: Place,
}

impl Job {
    #[track_caller]
    fn start(compiler: &str, launcher: &[&str], level: &str) -> Self {
        Self::start_of(SOURCE, compiler, launcher, &[level], &[])
    }

    #[track_caller]
    fn start_of(name: &str, compiler: &str, launcher: &[&str], options: &[&str], words: &[&str]) -> Self {
        let place = Place::new();
        let (program, copy) = (place.path().join("described"), place.path().join(name));
        std::fs::copy(source(name), &copy).unwrap();
        let status =
            Command::new(compiler).args(["-g", "-w"]).args(options).arg("-o").arg(&program).arg(&copy).status();
        assert!(status.unwrap_or_else(|error| panic!("{compiler} is needed for this test: {error}")).success());
        let mut arguments = vec!["run"];
        arguments.extend(launcher);
        arguments.extend(["-n", "4", program.to_str().unwrap()]);
        arguments.extend(words);
        let mut live = Live::start(&place, &arguments);
        live.until_stopped("0-3");
        Self { live, source: copy, _place: place }
    }

    /// The first answer that fits; it fails if there is none.
    #[track_caller]
    fn why(&mut self, fits: impl Fn(&Value) -> bool) -> Value {
        let mut last = Value::Null;
        for _ in 0..MOST_LOOKS {
            for line in ["go", "wait for 0.2", "halt", "wait"] {
                self.live.run(line);
            }
            last = self.live.run("why").into_iter().find(|object| object["type"] == "why").unwrap_or_default();
            if fits(&last) {
                return last;
            }
        }
        panic!("the last answer: {last:#}");
    }

    #[track_caller]
    fn end(mut self) {
        self.live.run("kill");
        self.live.end();
    }
}

fn lines(answer: &Value) -> Vec<&str> {
    answer["text"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

fn at(mark: &str) -> String {
    format!("({SOURCE}:{})", line(SOURCE, mark))
}

fn is_deadlock(answer: &Value) -> bool {
    answer["verdict"] == "deadlock" && answer["guilty"] == "1,3"
}

#[test]
fn the_description_of_calls_is_enough_if_the_source_has_changed() {
    let mut job = Job::start("mpicc.mpich", MPICH, "-O2");
    std::fs::write(&job.source, "/* Another one. */\n".repeat(99)).unwrap();
    let how = format!("(as the compiler describes the call: it is not in {SOURCE})");
    let receive = format!("rank 3 waits in MPI_Recv {} for rank 1, tag 7 {how}.", at("receive"));
    let all = format!("ranks 0-2 wait in MPI_Allreduce {} for rank 3 {how}.", at("all"));
    let answer = job.why(|answer| lines(answer).get(..2) == Some(&[all.as_str(), receive.as_str()][..]));
    assert!(is_deadlock(&answer), "{answer:#}");
    let edges = answer["edges"].as_array().unwrap();
    assert!(edges.iter().all(|edge| edge["source"] == "call-site"), "{answer:#}");
    job.end();
}

#[test]
fn an_answer_says_if_neither_source_nor_compiler_knows_the_arguments() {
    let mut job = Job::start("mpicc.mpich", MPICH, "-O0");
    std::fs::remove_file(&job.source).unwrap();
    let how = format!("(the compiler does not describe the call: it is not in {SOURCE})");
    let begin = format!("rank 3 waits in MPI_Recv {} for", at("receive"));
    let is_said =
        |text: &&str| text.starts_with(&begin) && text.contains("unknown") && text.ends_with(&format!("{how}."));
    let all = format!("ranks 0-2 wait in MPI_Allreduce {} on", at("all"));
    // On a busy host, ranks 0 and 2 come late.
    let are_all_there = |answer: &Value| lines(answer).iter().any(|text| text.starts_with(&all));
    let answer = job.why(|answer| lines(answer).iter().any(is_said) && are_all_there(answer));
    assert_eq!((&answer["verdict"], &answer["guilty"]), (&"missing".into(), &"3".into()), "{answer:#}");
    job.end();
}

#[test]
fn variables_that_the_compiler_has_removed_have_their_only_value() {
    let mut job = Job::start("mpicc.openmpi", OPEN_MPI, "-O2");
    // Another wait for it: that of rank 3.
    job.live.run("[1] break sum");
    let stopped = format!("rank 1 is stopped at breakpoint 1 in sum ({SOURCE}:");
    let answer = job.why(|answer| lines(answer).iter().any(|text| text.starts_with(&stopped)));
    assert_eq!(answer["guilty"], "1", "{answer:#}");
    job.live.run("delete 1");
    let all = format!("ranks 0-2 wait in MPI_Allreduce {} for rank 3.", at("all"));
    // Before rank 0 has come, ranks 1 and 3 are a deadlock already.
    let answer = job.why(|answer| lines(answer).first() == Some(&all.as_str()));
    assert!(is_deadlock(&answer), "{answer:#}");
    job.end();
}

#[test]
fn the_text_of_a_source_that_is_newer_than_the_program_is_said_to_be_that() {
    let mut job = Job::start("mpicc.mpich", MPICH, "-O0");
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(60);
    std::fs::File::options().append(true).open(&job.source).unwrap().set_modified(later).unwrap();
    let how = format!("(as the text of the call says: {SOURCE} is newer than the program)");
    let receive = format!("rank 3 waits in MPI_Recv {} for rank 1, tag 7 {how}.", at("receive"));
    let all = format!("ranks 0-2 wait in MPI_Allreduce {} for rank 3 {how}.", at("all"));
    let answer = job.why(|answer| lines(answer).get(..2) == Some(&[all.as_str(), receive.as_str()][..]));
    assert!(is_deadlock(&answer), "{answer:#}");
    let edges = answer["edges"].as_array().unwrap();
    assert!(edges.iter().all(|edge| edge["source"] == "text"), "{answer:#}");
    job.end();
}

#[test]
fn a_virtual_method_that_leaves_its_frame_to_mpi_is_found_through_its_object() {
    for (compiler, launcher) in [("mpicxx.mpich", MPICH), ("mpicxx.openmpi", OPEN_MPI)] {
        let mut job = Job::start_of(VIRTUAL, compiler, launcher, &["-O2"], &[]);
        let at = |mark| format!("({VIRTUAL}:{})", line(VIRTUAL, mark));
        let all = format!("ranks 0-2 wait in MPI_Allreduce {} for rank 3.", at("sum"));
        let spread = format!("rank 3 waits in MPI_Bcast {} for one or more of ranks 0-2.", at("spread"));
        let answer = job.why(|answer| lines(answer).get(..2) == Some(&[all.as_str(), spread.as_str()][..]));
        assert_eq!((&answer["verdict"], &answer["guilty"]), (&"mismatch".into(), &"3".into()), "{answer:#}");
        assert_eq!(answer["edges"][1]["function"], "stages::Spread::run", "{answer:#}");
        job.end();
    }
}

#[test]
fn arguments_of_a_virtual_method_are_told_by_the_code_that_called_it() {
    let mut job = Job::start_of(VIRTUAL, "mpicxx.mpich", MPICH, &["-O2"], &["look"]);
    std::fs::remove_file(&job.source).unwrap();
    let how = format!("(as the compiler describes the call: it is not in {VIRTUAL})");
    let look = format!(
        "ranks 0-3 wait in MPI_Probe ({VIRTUAL}:{}), each for the rank after it (rank 3 for rank 0), tag 7 {how}.",
        line(VIRTUAL, "look")
    );
    let answer = job.why(|answer| lines(answer).first() == Some(&look.as_str()));
    assert_eq!((&answer["verdict"], &answer["guilty"]), (&"deadlock".into(), &"0-3".into()), "{answer:#}");
    job.end();
}
