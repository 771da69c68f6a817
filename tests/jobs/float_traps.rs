//! `catch fpe` in a job of MPI: set before `MPI_Init`, it stops in the user's code alone, in every thread.

use crate::support::batch::Place;
use crate::support::marks::line;
use std::path::Path;
use std::process::Command;

const SOURCE: &str = "mpi_quotients.c";

#[track_caller]
fn divides(compiler: &str, launcher: &[&str]) {
    let place = Place::new();
    let program = place.path().join("mpi_quotients");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(SOURCE);
    let mut command = Command::new(compiler);
    command.args(["-g", "-O0", "-w", "-pthread", "-o"]).arg(&program).arg(&source).current_dir(place.path());
    let status = command.status().unwrap_or_else(|error| panic!("{compiler} is needed for this test: {error}"));
    assert!(status.success());
    let mut arguments = vec!["run", "--timeout", "80", "--json", "--batch", "-"];
    arguments.extend(launcher);
    arguments.extend(["-n", "4", program.to_str().unwrap()]);
    let outcome = place.run(&arguments, "catch fpe\ngo\nwait\ngo\nwait exited\n");
    let stops: Vec<_> = outcome.of("stopped").into_iter().filter(|stop| stop["reason"] == "fpe").collect();
    assert_eq!(outcome.ranks("stopped", "reason", "fpe"), "0-3", "{}{}", outcome.text, outcome.errors);
    assert!(stops.iter().all(|stop| stop["line"] == line(SOURCE, "quotient")), "{}", outcome.text);
    assert_eq!(outcome.ranks("exited", "code", 0), "0-3", "{}", outcome.text);
}

#[test]
fn the_ranks_of_a_job_stop_at_their_division() {
    divides("mpicc.openmpi", &["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe"]);
    divides("mpicc.mpich", &["mpirun.mpich"]);
}
