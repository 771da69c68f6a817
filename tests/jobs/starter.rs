//! Launchers with an MPIR process table: Open MPI's, and scripts that exec it.

use crate::support::batch::{Outcome, Place};
use crate::support::build;
use std::path::Path;

const OPEN_MPI: &[&str] = &["mpirun.openmpi", "--oversubscribe", "-n", "3"];
const RING: &str = "break add_own\ngo\n[0] wait\n[0] where\n[0] up\n[0] print size\ndelete 1\n[0] go\nwait exited\n";

fn run(launcher: &[&str], program: &Path, script: &str) -> Outcome {
    let program = program.display().to_string();
    let mut arguments = vec!["run", "--mpir", "--json", "--timeout", "28", "--batch", "-"];
    arguments.extend(launcher);
    arguments.push(&program);
    let environment = ["OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"];
    let place = Place::new();
    let wrapper = place.path().join("as-root");
    build::script(&wrapper, &format!("exec env {} \"$@\"", environment.join(" ")));
    place.run_under(&wrapper, &arguments, script)
}

/// Open MPI 5 leaves its jobs to PRRTE, which has no table; the message must name a way that works.
fn refused_by_prrte(outcome: impl FnOnce() -> Outcome) -> bool {
    let version = std::process::Command::new("mpirun.openmpi").arg("--version").output().unwrap();
    let refuses = String::from_utf8_lossy(&version.stdout).contains("(Open MPI) 5");
    if refuses {
        let outcome = outcome().expect(4);
        let said = format!("{}{}", outcome.text, outcome.errors);
        assert!(said.contains("no MPIR process table: run it without --mpir"), "{said}");
        assert!(said.contains("rankscope attach --starter"), "{said}");
    }
    refuses
}

fn ring() -> std::path::PathBuf {
    build::build("mpicc.openmpi", "mpi_ring.c", &["-g", "-O0"])
}

fn whole_job(outcome: &Outcome) {
    assert_eq!(outcome.ranks("stopped", "reason", "start"), "0-2");
    assert_eq!(outcome.ranks("value", "value", "3"), "0");
    assert_eq!(outcome.ranks("exited", "code", 0), "0-2");
    assert!(outcome.text.contains("token 6"), "{}", outcome.text);
    assert!(outcome.text.contains("before a debugger can attach"), "{}", outcome.text);
    assert!(!outcome.text.contains("legacy"), "{}", outcome.text);
}

#[test]
fn the_table_of_open_mpi_says_the_ranks() {
    if refused_by_prrte(|| run(OPEN_MPI, &ring(), RING)) {
        return;
    }
    whole_job(&run(OPEN_MPI, &ring(), RING).expect(0));
}

#[test]
fn a_script_may_become_the_launcher() {
    let directory = tempfile::tempdir().unwrap();
    let inner = directory.path().join("inner");
    build::script(&inner, &format!("true\nexec {} \"$@\"", OPEN_MPI.join(" ")));
    let outer = directory.path().join("outer");
    let text = format!("#!/bin/bash\nexec env X=1 {} \"$@\"\n", inner.display());
    build::executable(&outer, text.as_bytes());
    let start = || run(&[outer.to_str().unwrap()], &ring(), RING);
    if !refused_by_prrte(start) {
        whole_job(&start().expect(0));
    }
}

#[test]
fn a_job_is_started_again() {
    let script = format!("[0-2] wait\nrestart\n{RING}");
    if refused_by_prrte(|| run(OPEN_MPI, &ring(), &script)) {
        return;
    }
    let outcome = run(OPEN_MPI, &ring(), &script).expect(0);
    whole_job(&outcome);
    assert_eq!(outcome.of("session").len(), 2, "{}", outcome.text);
}

#[test]
fn a_script_that_ends_early_ends_the_job() {
    if refused_by_prrte(|| run(OPEN_MPI, &ring(), "[0-2] wait\n")) {
        return;
    }
    let outcome = run(OPEN_MPI, &ring(), "[0-2] wait\nstatus\n").expect(0);
    assert_eq!(outcome.ranks("stopped", "reason", "start"), "0-2");
}

#[test]
fn what_is_no_launcher_says_so() {
    let outcome = run(&["sh", "-c", "echo words >&2; exit 3"], Path::new("x"), "").expect(4);
    let said = format!("{}{}", outcome.text, outcome.errors);
    assert!(said.contains("exited with code 3") && said.contains("words") && said.contains("MPIR"), "{said}");
    let outcome = run(&["/nonexistent/mpirun"], Path::new("x"), "").expect(4);
    assert!(format!("{}{}", outcome.text, outcome.errors).contains("/nonexistent/mpirun"));
}

#[test]
fn faults_of_a_table_and_the_end_of_a_job_are_said() {
    let launcher = build::plain("mpir_starter.c").display().to_string();
    // The launcher continues only when its ranks are under the debugger, and ends the job when one of them is killed.
    let outcome =
        run(&[&launcher, "sleep"], Path::new("1000"), "status\n[3] go\n[0] kill\n[3] wait exited\n").expect(0);
    let text = &outcome.text;
    assert_eq!(outcome.ranks("stopped", "reason", "start"), "0,3", "{text}");
    assert_eq!(outcome.ranks("killed", "signal", "SIGKILL"), "0,3", "{text}");
    let failed = outcome.of("failed");
    let why = |rank: &str| {
        let failed = failed.iter().find(|failed| failed["ranks"] == rank);
        failed.unwrap_or_else(|| panic!("{text}"))["message"].as_str().unwrap().to_owned()
    };
    assert!(why("1").contains("first as rank 0") && why("2").contains("has ended"), "{text}");
    assert!(text.contains("the launcher is ending the job: rank 0 is gone"), "{text}");
}

#[test]
fn ranks_of_a_job_that_is_started_again_are_killed_and_run_no_further() {
    let launcher = build::plain("mpir_starter.c").display().to_string();
    let place = Place::new();
    let (file, sign) = (place.path().join("written"), place.path().join("sign"));
    // They write as soon as they run again.
    let program = build::plain("waits_for_a_sign.c").display().to_string();
    let sign = sign.display().to_string();
    let script = format!("status\nshell touch {sign}\nrestart\nstatus\n");
    let outcome = run(&[&launcher, &program, &sign], &file, &script).expect(0);
    assert_eq!(outcome.of("session").len(), 2, "{}", outcome.text);
    assert!(!file.exists(), "{}{}", std::fs::read_to_string(&file).unwrap_or_default(), outcome.text);
}

#[test]
fn a_host_of_a_table_that_is_an_option_of_ssh_is_refused() {
    let launcher = build::plain("mpir_starter.c").display().to_string();
    let place = Place::new();
    let (ssh, called) = (place.path().join("ssh"), place.path().join("called"));
    build::script(&ssh, &format!("echo \"$@\" >>{}\nexit 255", called.display()));
    let wrapper = place.path().join("wrapper");
    build::script(&wrapper, "exec env STARTER_HOST=-oProxyCommand=id \"$@\"");
    let arguments =
        ["run", "--mpir", "--json", "--timeout", "28", "--batch", "-", "--ssh", ssh.to_str().unwrap(), &launcher];
    let arguments = [&arguments[..], &["sleep", "1000"]].concat();
    let outcome = place.run_under(&wrapper, &arguments, "status\n[0] kill\n").expect(0);
    assert_eq!(outcome.ranks("stopped", "reason", "start"), "0", "{}", outcome.text);
    let failed = outcome.of("failed");
    let why = failed.iter().find(|failed| failed["ranks"] == "3").unwrap()["message"].as_str().unwrap();
    assert!(why.contains("invalid host name") && why.contains("-oProxyCommand=id"), "{why}");
    assert!(!called.exists(), "{}", std::fs::read_to_string(&called).unwrap());
}

#[test]
fn what_the_launcher_writes_after_its_ranks_have_ended_is_shown() {
    let launcher = build::plain("mpir_starter.c").display().to_string();
    let place = Place::new();
    let wrapper = place.path().join("wrapper");
    build::script(&wrapper, "exec env STARTER_LATE='late words' \"$@\"");
    for format in [&["--json"][..], &[]] {
        let way =
            [&["run", "--mpir"][..], format, &["--timeout", "28", "--batch", "-", &launcher, "sleep", "1000"]].concat();
        let outcome = place.run_under(&wrapper, &way, "[3] go\n[0] kill\nwait exited\n").expect(0);
        assert!(outcome.text.contains("late words"), "{}", outcome.text);
    }
}
