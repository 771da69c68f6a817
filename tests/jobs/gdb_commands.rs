//! Commands of gdb users in the processes of MPI jobs, whose MPI has threads and makes system calls of its own.

use crate::support::batch::{Outcome, Place};
use std::path::Path;
use std::process::Command;

const MPICH: (&str, &[&str]) = ("mpicc.mpich", &["mpirun.mpich"]);
const OPEN_MPI: (&str, &[&str]) = ("mpicc.openmpi", &["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe"]);

#[track_caller]
fn run((compiler, launcher): (&str, &[&str]), options: &[&str], script: &str) -> Outcome {
    let place = Place::new();
    let program = place.path().join("mpi_ring");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/mpi_ring.c");
    let status = Command::new(compiler).args(["-g", "-O0", "-w", "-o"]).arg(&program).arg(source).status();
    let status = status.unwrap_or_else(|error| panic!("{compiler} is needed for this test: {error}"));
    assert!(status.success());
    let arguments = [
        &["run", "--timeout", "120", "--json", "--batch", "-"],
        options,
        launcher,
        &["-n", "3", program.to_str().unwrap()],
    ]
    .concat();
    place.run(&arguments, script).expect(0)
}

fn calls_are_caught(mpi: (&str, &[&str]), engine: &str) {
    // The text of the end goes to descriptor 2; each rank stops at both ends of the call.
    let script = "catch syscall write if $rdi == 2 && $rdx > 15 && $rdx < 30\nbreak mpi_ring.c:28\n\
                  go\nwait\ngo\nwait\ngo\nwait\nstatus\ndelete\ngo\nwait exited\n";
    let outcome = run(mpi, &["--engine", engine], script);
    let stops: Vec<_> = outcome.of("stopped").into_iter().filter(|stop| stop["reason"] == "syscall").collect();
    for (event, result) in [("call", false), ("return", true)] {
        let of: Vec<_> = stops.iter().filter(|stop| stop["event"] == event).collect();
        assert!(!of.is_empty() && of.iter().all(|stop| stop["syscall"] == "write"), "{}", outcome.text);
        assert!(of.iter().all(|stop| stop.get("result").is_some() == result), "{}", outcome.text);
    }
    assert_eq!(outcome.ranks("stopped", "event", "call"), "0-2", "{engine}: {}", outcome.text);
    assert_eq!(outcome.ranks("stopped", "event", "return"), "0-2", "{engine}: {}", outcome.text);
    assert_eq!(outcome.ranks("exited", "code", 0), "0-2", "{engine}: {}", outcome.text);
}

#[test]
fn system_calls_of_mpich_ranks_are_caught() {
    calls_are_caught(MPICH, "native");
}

#[test]
fn system_calls_of_open_mpi_ranks_are_caught() {
    calls_are_caught(OPEN_MPI, "native");
}

#[test]
fn system_calls_of_ranks_under_gdb_are_caught() {
    calls_are_caught(MPICH, "gdb");
}

#[test]
fn a_job_goes_on_while_all_its_system_calls_are_watched() {
    for mpi in [MPICH, OPEN_MPI] {
        // No call has this number; all threads, those of the MPI too, stop at each of theirs.
        let outcome = run(mpi, &[], "catch syscall 9999\ngo\nwait exited\n");
        assert_eq!(outcome.ranks("exited", "code", 0), "0-2", "{}", outcome.text);
    }
}

#[test]
fn functions_are_skipped_on_all_ranks() {
    for engine in ["native", "gdb"] {
        let script = "tbreak mpi_ring.c:21\ngo\n[0] wait\n[0] skip add_own\n[0] step\n";
        let outcome = run(MPICH, &["--engine", engine], script);
        let step = outcome.of("stopped").pop().unwrap();
        assert_eq!(
            (&step["function"], step["line"].as_u64()),
            (&"main".into(), Some(22)),
            "{engine}: {}",
            outcome.text
        );
    }
}

#[test]
fn ranks_of_a_launcher_start_at_their_first_instruction() {
    for engine in ["native", "gdb"] {
        let outcome = run(MPICH, &["--engine", engine], "starti\nwait\nprint $pc\nbreak add_own\ngo\n[0] wait\n");
        let starts: Vec<_> = outcome.of("stopped").into_iter().filter(|stop| stop["reason"] == "start").collect();
        assert_eq!(starts[0]["function"], "main", "{engine}: {}", outcome.text);
        assert_eq!(starts.last().unwrap()["function"], "_start", "{engine}: {}", outcome.text);
        assert_eq!(outcome.ranks("stopped", "function", "_start"), "0-2", "{engine}: {}", outcome.text);
        assert_eq!(outcome.ranks("stopped", "reason", "breakpoint"), "0", "{engine}: {}", outcome.text);
    }
}
