//! `catch fpe` in a job of MPI: set before `MPI_Init`, it stops in the user's code alone, in every thread.

use crate::support::batch::{Outcome, Place};
use crate::support::build::{build, script};
use crate::support::live::Live;
use crate::support::marks::line;
use rankscope::model::ProcessSet;
use std::fs;

const OPEN_MPI: &[&str] = &["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe"];
const MPICH: &[&str] = &["mpirun.mpich"];
const SOURCE: &str = "mpi_quotients.c";
const MASKS: &str = "mpi_masks.c";

#[track_caller]
fn run(place: &Place, launcher: &[&str], program: &[&str], script: &str) -> Outcome {
    let mut arguments = vec!["run", "--timeout", "80", "--json", "--batch", "-"];
    arguments.extend(launcher);
    arguments.extend(["-n", "4"]);
    arguments.extend(program);
    place.run(&arguments, script)
}

/// Checks that ranks stop for an exception as often as they should, in this line alone, and exit with 0.
#[track_caller]
fn stop_in(outcome: &Outcome, source: &str, times: usize) {
    let stops: Vec<_> = outcome.of("stopped").into_iter().filter(|stop| stop["reason"] == "fpe").collect();
    assert_eq!(outcome.ranks("stopped", "reason", "fpe"), "0-3", "{}{}", outcome.text, outcome.errors);
    assert!(stops.iter().all(|stop| stop["line"] == line(source, "quotient")), "{}", outcome.text);
    let ranks = stops.iter().map(|stop| ProcessSet::parse(stop["ranks"].as_str().unwrap()).unwrap());
    assert_eq!(ranks.map(|ranks| ranks.len()).sum::<usize>(), 4 * times, "{}", outcome.text);
    assert_eq!(outcome.ranks("exited", "code", 0), "0-3", "{}", outcome.text);
}

#[track_caller]
fn divides(compiler: &str, launcher: &[&str]) {
    let place = Place::new();
    let program = build(compiler, SOURCE, &["-g", "-O0", "-w", "-pthread"]);
    let program = program.to_str().unwrap();
    stop_in(&run(&place, launcher, &[program], "catch fpe\ngo\nwait\ngo\nwait exited\n"), SOURCE, 1);
    let again = "catch fpe\ngo\nwait\nrestart\nwait\ngo\nwait\ngo\nwait exited\n";
    stop_in(&run(&place, launcher, &[program], again), SOURCE, 2);
}

#[test]
fn the_ranks_of_a_job_stop_at_their_division_and_again_after_a_restart() {
    divides("mpicc.openmpi", OPEN_MPI);
    divides("mpicc.mpich", MPICH);
}

/// Builds the program whose library changes masks around calls of MPI, and runs it in one of the library's ways.
#[track_caller]
fn masked(compiler: &str, launcher: &[&str], way: &str, script: &str) -> Outcome {
    let library = build(compiler, "mask_library.c", &["-g", "-O0", "-w", "-shared", "-fPIC", "-lm"]);
    let directory = library.parent().unwrap().display().to_string();
    let (path, run_path) = (format!("-L{directory}"), format!("-Wl,-rpath,{directory}"));
    let options = ["-g", "-O0", "-w", "-Wl,--no-as-needed", &path, &run_path, "-lmask_library", "-lm"];
    let program = build(compiler, MASKS, &options);
    run(&Place::new(), launcher, &[program.to_str().unwrap(), way], script)
}

#[test]
fn a_library_that_changes_masks_around_calls_of_mpi_hides_no_exception() {
    for (compiler, launcher) in [("mpicc.openmpi", OPEN_MPI), ("mpicc.mpich", MPICH)] {
        for way in ["default", "hold", "word"] {
            stop_in(&masked(compiler, launcher, way, "catch fpe\ngo\nwait\ngo\nwait exited\n"), MASKS, 1);
        }
    }
}

#[test]
fn a_library_that_leaves_exceptions_masked_is_reported() {
    for (compiler, launcher) in [("mpicc.openmpi", OPEN_MPI), ("mpicc.mpich", MPICH)] {
        let outcome = masked(compiler, launcher, "masked", "catch fpe\ngo\nwait exited\n");
        let said = outcome.of("message").into_iter().filter(|message| {
            message["message"].as_str().unwrap().contains("has masked floating-point exceptions itself")
        });
        let ranks = said.map(|message| ProcessSet::parse(message["ranks"].as_str().unwrap()).unwrap());
        let ranks = ranks.fold(ProcessSet::new(), |all, ranks| all.union(&ranks));
        assert_eq!(ranks.to_string(), "0-3", "{}{}", outcome.text, outcome.errors);
    }
}

#[test]
fn a_program_that_starts_after_the_command_is_caught_too() {
    let place = Place::new();
    let program = build("gcc", "fast_maths.c", &["-g", "-O0", "-ffast-math"]).display().to_string();
    let [go, late, launcher] = ["go", "late", "mpirun"].map(|name| place.path().join(name));
    script(&late, &format!("until [ -e {}.$PMI_RANK ]; do sleep 0.02; done\nexec \"$@\"", go.display()));
    script(&launcher, "for rank in 0 1; do PMI_RANK=$rank PMI_SIZE=2 \"$@\" & done\nwait");
    let words = ["run", "--stop-at", "none", &launcher.display().to_string(), &late.display().to_string(), &program];
    let mut live = Live::start(&place, &words);
    let divides = |object: &serde_json::Value, ranks: &str| {
        let here = object["type"] == "stopped" && object["reason"] == "fpe" && object["ranks"] == ranks;
        here && object["line"] == line("fast_maths.c", "divide")
    };
    live.run("catch fpe");
    for rank in ["0", "1"] {
        fs::write(go.with_extension(rank), "").unwrap();
        live.until("the division", |object| divides(object, rank));
    }
    live.run("kill");
    live.end();
}
