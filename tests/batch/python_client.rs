//! The examples of `docs/PYTHON.md` print what the page says, and the module reports what fails.

use crate::support::batch::{Outcome, Place};
use crate::support::build::{build, plain, script};
use std::fs;
use std::path::Path;
use std::process::Command;

const PAGE: &str = include_str!("../../docs/PYTHON.md");

/// A directory with the module, the programs of the page, and `mpirun`.
fn directory() -> Place {
    let place = Place::new();
    let rankscope = Command::new(env!("CARGO_BIN_EXE_rankscope")).arg("python").output().unwrap();
    fs::write(place.path().join("rankscope.py"), rankscope.stdout).unwrap();
    let programs = [("upwind", plain("upwind.c")), ("loop", plain("loop.c"))];
    let deadlock = build("mpicc.mpich", "deadlock.c", &["-g", "-O0"]);
    for (name, built) in programs.into_iter().chain([("deadlock", deadlock)]) {
        fs::copy(built, place.path().join(name)).unwrap();
    }
    script(&place.path().join("mpirun"), "exec mpirun.mpich \"$@\"");
    place
}

/// Runs a program in Python.
#[track_caller]
fn python(place: &Place, text: &str) -> Outcome {
    let file = place.path().join("example.py");
    fs::write(&file, text).unwrap();
    let beside = Path::new(env!("CARGO_BIN_EXE_rankscope")).parent().unwrap();
    let path = format!("{}:{}:{}", place.path().display(), beside.display(), std::env::var("PATH").unwrap());
    let mut command = Command::new("python3");
    command.arg(file).current_dir(place.path()).env("PATH", path);
    place.run_command(&mut command, "")
}

/// The blocks of the page: their kind and their text.
fn blocks() -> Vec<(&'static str, &'static str)> {
    let mut parts = PAGE.split("\n```");
    parts.next();
    let parts: Vec<_> = parts.collect();
    parts.chunks(2).filter_map(|part| part[0].split_once('\n')).collect()
}

#[test]
fn the_examples_of_the_page_print_what_it_says() {
    let place = directory();
    let blocks = blocks();
    let examples: Vec<_> = blocks.windows(2).filter(|pair| pair[0].0 == "python").collect();
    assert_eq!(examples.len(), 3);
    for example in examples {
        let outcome = python(&place, example[0].1);
        assert_eq!(outcome.text.trim_end(), example[1].1, "{}", outcome.errors);
    }
}

#[test]
fn the_module_reports_what_fails_and_goes_on() {
    let place = directory();
    let outcome = python(
        &place,
        r#"
import rankscope

with rankscope.run("./loop", ranks=2) as job:
    try:
        job("print nothing")
    except rankscope.Error as error:
        print("failed on", error.ranks, error)
    print(len(job("print nothing", check=False).errors), job.values("total", "1"))
    job("break square\ncommands\nsilent\nprint a\nend")
    job("go")
    print([(one["ranks"], one["value"]) for one in job.wait().of("value")])
    job("delete")
    job("go")
    job.wait("exited")
    print("".join(event["text"] for event in job.events if event["type"] == "output").split())
    try:
        job("shell sleep 1", timeout=0.01)
    except TimeoutError:
        print("too late")
try:
    job("status")
except rankscope.Error as error:
    print(error)
try:
    rankscope.run("./nothing")
except rankscope.Error as error:
    print("./nothing" in str(error))
print(rankscope.ranks_of("0-3,8-12:2"), rankscope.ranks_of(""))
"#,
    );
    let expected = [
        "failed on 0-1 [0-1] print nothing: No symbol \"nothing\" in current context.",
        "1 [('1', '0')]",
        "[('0-1', '0')]",
        "['total', '0', 'total', '1', 'total', '5']",
        "too late",
        "the session has ended",
        "True",
        "[0, 1, 2, 3, 8, 10, 12] []",
    ];
    assert_eq!(outcome.text.lines().collect::<Vec<_>>(), expected, "{}", outcome.errors);
}
