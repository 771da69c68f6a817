//! `why` on a suite of jobs that hang, and on one that only looks so, attached to while they run. `SUITE_RANKS=16` runs
//! all of it under both MPIs with more ranks, and `--nocapture` shows a table (docs/CONTRIBUTING.md).

use crate::support::batch::Place;
use crate::support::build;
use crate::support::live::Live;
use crate::support::process::Guard;
use rankscope::model::ProcessSet;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Jobs that hang, and the ranks whose fault it is.
const HANGS: &[(&str, &str)] = &[
    ("receive", "2-3"),
    ("sender", "3"),
    ("tag", "0-1"),
    ("root", "last"),
    ("communicator", "0-1"),
    ("missing", "last"),
    ("different", "last"),
    ("wildcard", "0"),
    ("waitall", "2"),
    ("loop", "last"),
    ("ended", "last"),
    ("io", "last"),
    ("finalize", "last"),
    ("row", "2"),
    ("cycle", "all"),
    ("fence", "last"),
    ("split", "last"),
    ("crossed", "last"),
    ("threads", "last"),
    ("rounds", "2"),
];

/// All of them are run with `SUITE_RANKS`, or with `SUITE_LEVEL` only one.
const LEVELS: [&str; 2] = ["-O0", "-O2"];

/// Parts of a job that is slow and unbalanced, but does not hang.
const FINE: usize = 14;

/// More ranks than these are not named, but counted.
const MOST_NAMED: usize = 3;

/// Looks until an answer is as wanted: a rank may be late on a busy host.
const MOST_LOOKS: usize = 40;

/// The time between two looks.
const MOMENT: &str = "wait for 0.1";

/// Looks at each part of a job that is fine.
const LOOKS: usize = 3;

struct Mpi {
    name: &'static str,
    compiler: &'static str,
    launcher: &'static [&'static str],
    /// True if a launcher lets a job go on that has lost a rank.
    outlives_ranks: bool,
}

const MPICH: Mpi = Mpi {
    name: "MPICH",
    compiler: "mpicc.mpich",
    launcher: &["mpirun.mpich", "-disable-auto-cleanup"],
    outlives_ranks: true,
};
const OPEN_MPI: Mpi = Mpi {
    name: "Open MPI",
    compiler: "mpicc.openmpi",
    launcher: &["mpirun.openmpi", "--oversubscribe"],
    outlives_ranks: false,
};

/// The number of ranks, if it is not the usual one. Then each job runs under both MPIs, not only under one of them.
fn wanted_ranks() -> Option<u32> {
    std::env::var("SUITE_RANKS").ok().map(|ranks| ranks.parse().unwrap())
}

fn ranks() -> u32 {
    wanted_ranks().unwrap_or(4)
}

struct Job {
    _launcher: Guard,
    live: Live,
    _place: Place,
}

impl Job {
    #[track_caller]
    fn attach(mpi: &Mpi, program: &PathBuf, name: Option<&str>) -> Self {
        let (word, options) = mpi.launcher.split_first().unwrap();
        let mut command = Command::new(word);
        command.args(options).args(["-n", &ranks().to_string()]).arg(program).args(name);
        command.envs([("OMPI_ALLOW_RUN_AS_ROOT", "1"), ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")]);
        let mut launcher = Guard::spawn(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()));
        let mut line = String::new();
        BufReader::new(launcher.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(line, format!("{} ranks run\n", ranks()));
        let place = Place::new();
        let mut live = Live::start(&place, &["attach", "--starter", &launcher.0.id().to_string()]);
        live.until_stopped(&format!("0-{}", ranks() - 1));
        Self { _launcher: launcher, live, _place: place }
    }

    /// The answer after the ranks have run for a moment.
    #[track_caller]
    fn look(&mut self) -> Value {
        for line in ["go", MOMENT, "halt", "wait"] {
            self.live.run(line);
        }
        self.live.run("why").into_iter().find(|object| object["type"] == "why").unwrap_or_default()
    }

    #[track_caller]
    fn end(mut self) {
        self.live.run("kill");
        self.live.end();
    }
}

/// A line of the table that `--nocapture` shows.
fn note(mpi: &Mpi, name: &str, answer: &Value, looks: usize) {
    let guilty = answer["guilty"].as_str().unwrap_or("");
    println!(
        "{:8}  {name:16}  {}  guilty {guilty}, samples {}, look {looks}",
        mpi.name, answer["verdict"], answer["samples"]
    );
}

fn set(text: &str) -> ProcessSet {
    let last = ranks() - 1;
    ProcessSet::parse(&text.replace("last", &last.to_string()).replace("all", &format!("0-{last}"))).unwrap()
}

fn build(mpi: &Mpi, level: &str) -> PathBuf {
    build::build(mpi.compiler, "mpi_suite.c", &["-g", level, "-fopenmp", "-pthread"])
}

#[track_caller]
fn all_hangs(mpi: &Mpi, every_second: usize) {
    let programs = LEVELS.map(|level| build(mpi, level));
    let is_left_out = |level: usize| std::env::var("SUITE_LEVEL").is_ok_and(|wanted| wanted != LEVELS[level]);
    let mut wrong = Vec::new();
    let jobs = HANGS.iter().enumerate().flat_map(|(number, hang)| [0, 1].map(|level| (number, level, hang)));
    for (number, level, (name, culprits)) in jobs {
        // Each hang at one level under one of them, or all of them.
        let is_of_other = wanted_ranks().is_none() && (number % 2 != every_second || number / 2 % 2 != level);
        if is_of_other || is_left_out(level) || (*name == "ended" && !mpi.outlives_ranks) {
            continue;
        }
        let program = &programs[level];
        let culprits = set(culprits);
        let names = |answer: &Value| {
            let guilty = set(answer["guilty"].as_str().unwrap_or(""));
            let is_named = culprits.is_subset(&guilty) && (guilty.len() <= MOST_NAMED || guilty == culprits);
            is_named && answer["samples"] == 2
        };
        let mut job = Job::attach(mpi, program, Some(name));
        job.live.run("print suite_part = 1");
        // The first look; it may be too early.
        job.live.run("why");
        let mut last = Value::Null;
        let mut looks = 0;
        while looks < MOST_LOOKS && !names(&last) {
            last = job.look();
            looks += 1;
        }
        job.end();
        note(mpi, &format!("{name}{}", ["", " -O2"][level]), &last, looks);
        if !names(&last) {
            wrong.push(format!("{name}, level {level}: {culprits} not named: {last:#}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Of the parts that are fine.
const MOST_ALARMS: usize = 1;

#[track_caller]
fn no_false_alarm(mpi: &Mpi, every_second: usize) {
    let level = std::env::var("SUITE_LEVEL");
    let program = build(mpi, level.as_deref().unwrap_or(LEVELS[0]));
    let mut job = Job::attach(mpi, &program, None);
    let mut alarms = Vec::new();
    for part in (0..FINE).filter(|part| wanted_ranks().is_some() || part % 2 == every_second) {
        job.live.run(&format!("[0] print suite_part = {part}"));
        let wanted = part.to_string();
        let is_there = |object: &Value| object["type"] == "value" && object["value"] == wanted;
        let mut looks = 0;
        while looks < LOOKS {
            let answer = job.look();
            looks += usize::from(job.live.run("[0] print suite_now").iter().any(is_there));
            note(mpi, &format!("part {part}"), &answer, looks);
            let is_alarm = ["deadlock", "mismatch", "ended"].iter().any(|verdict| answer["verdict"] == *verdict);
            if is_alarm && answer["samples"] == 2 {
                alarms.push(format!("part {part}: {answer:#}"));
            }
        }
    }
    job.end();
    // Ranks without a processor do not move between two looks.
    assert!(alarms.len() <= MOST_ALARMS, "{}", alarms.join("\n"));
}

#[test]
fn ranks_that_let_a_job_of_mpich_hang_are_named() {
    all_hangs(&MPICH, 0);
}

#[test]
fn ranks_that_let_a_job_of_open_mpi_hang_are_named() {
    all_hangs(&OPEN_MPI, 1);
}

#[test]
fn a_slow_job_of_mpich_does_not_look_like_a_deadlock() {
    no_false_alarm(&MPICH, 0);
}

#[test]
fn a_slow_job_of_open_mpi_does_not_look_like_a_deadlock() {
    no_false_alarm(&OPEN_MPI, 1);
}
