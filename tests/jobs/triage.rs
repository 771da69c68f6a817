//! `rankscope triage` under launchers and a batch system: the job's output and status, and its report.

use crate::support::batch::{Outcome, Place};
use crate::support::build::{build, plain};
use crate::support::slurm::{Batch, cluster};
use crate::support::wait::wait_for;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::tempdir;

const OPEN_MPI: [&str; 5] = ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "-n", "4"];
const MPICH: [&str; 3] = ["mpirun.mpich", "-n", "4"];

#[track_caller]
fn triage(place: &Place, report: &Path, options: &[&str], job: &[&str]) -> Outcome {
    let report = report.display().to_string();
    let arguments: Vec<&str> = ["triage", "--report", &report].iter().chain(options).chain(job).copied().collect();
    place.run(&arguments, "")
}

#[track_caller]
fn read(directory: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(directory.join("report.json")).unwrap()).unwrap()
}

/// Checks that an aborted job has a report, and the status that it has without rankscope.
#[track_caller]
fn aborts(compiler: &str, launcher: &[&str]) {
    let (place, directory) = (Place::new(), tempdir().unwrap());
    let program = build(compiler, "mpi_aborts.c", &["-g", "-O0", "-w"]).display().to_string();
    let job: Vec<&str> = launcher.iter().copied().chain([&*program, "abort"]).collect();
    let plain = Command::new(job[0]).args(&job[1..]).output().unwrap();
    let report = directory.path().join("report");
    let outcome = triage(&place, &report, &[], &job).expect(plain.status.code().unwrap());
    let data = read(&report);
    let groups = data["groups"]["groups"].as_array().unwrap();
    let aborted = groups.iter().find(|group| group["reason"] == "error").unwrap_or_else(|| panic!("{groups:#?}"));
    assert_eq!((&aborted["cause"]["kind"], &aborted["user"]["function"]), (&"mpi_abort".into(), &"give_up".into()));
    assert!(data["reason"].as_str().unwrap().contains("MPI_Abort("), "{:#}", data["reason"]);
    assert!(outcome.errors.contains("wrote "), "{}", outcome.errors);
}

#[test]
fn an_abort_under_open_mpi_is_reported() {
    aborts("mpicc.openmpi", &OPEN_MPI);
}

#[test]
fn an_abort_under_mpich_is_reported() {
    aborts("mpicc.mpich", &MPICH);
}

#[test]
fn a_fine_job_of_a_launcher_has_its_output_and_no_report() {
    let (place, directory) = (Place::new(), tempdir().unwrap());
    let program = build("mpicc.mpich", "mpi_ring.c", &["-g", "-O0"]).display().to_string();
    let job: Vec<&str> = MPICH.into_iter().chain([&*program]).collect();
    let outcome = triage(&place, &directory.path().join("report"), &[], &job).expect(0);
    assert!(outcome.text.contains("token "), "{}", outcome.text);
    assert!(outcome.errors.ends_with("nothing to report: the job ended with status 0\n"), "{}", outcome.errors);
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
}

#[test]
fn a_deadlock_is_reported_with_the_ranks_to_blame() {
    let (place, directory) = (Place::new(), tempdir().unwrap());
    let program = build("mpicc.mpich", "mpi_hangs.c", &["-g", "-O0"]).display().to_string();
    let report = directory.path().join("report");
    let to = report.display().to_string();
    let start = ["triage", "--idle", "3s", "--report", &to];
    let arguments: Vec<&str> = start.into_iter().chain(MPICH).chain([&*program, "exchange"]).collect();
    let mut tool = place.start(&arguments);
    wait_for("the report", || report.join("report.html").exists().then_some(()));
    let data = read(&report);
    assert!(data["reason"].as_str().unwrap().starts_with("nothing has moved for 3 s"), "{:#}", data["reason"]);
    let why = &data["why"][0];
    assert_eq!((&why["guilty"], &why["samples"]), (&"1,3".into(), &2.into()), "{why:#}");
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(tool.0.id() as i32), nix::sys::signal::Signal::SIGTERM).unwrap();
    assert_ne!(tool.wait().code(), Some(0));
    place.until_empty();
}

#[test]
fn a_batch_job_is_reported_before_its_limit_and_on_the_signal_of_the_scheduler() {
    let (cluster, place) = (cluster(), Place::new());
    let report = place.path().join("report");
    let (to, go) = (report.display(), place.path().join("go"));
    let program = plain("triaged.c");
    let lines = format!(
        "exec rankscope triage --report {to} --before-limit 56s srun -n2 {} loop {}\n",
        program.display(),
        go.display()
    );
    let batch = Batch::submit(&cluster, &place, "-N1 -n2 --time=1", &lines);
    wait_for("the report before the limit", || report.join("report.html").exists().then_some(()));
    batch.signal("USR1");
    wait_for("the report for the signal", || report.join("2/report.html").exists().then_some(()));
    fs::write(&go, "").unwrap();
    let output = batch.end();
    assert_eq!(read(&report)["reason"], "the job's time is nearly over");
    let second = read(&report.join("2"));
    assert_eq!(second["reason"], "SIGUSR1 was sent to rankscope triage", "{output}");
    assert_eq!(second["groups"]["groups"][0]["ranks"], "0-1");
    assert!(second["facts"].as_array().unwrap().iter().any(|fact| fact["name"] == "SLURM_JOB_ID"));
}
