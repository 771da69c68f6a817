//! `rankscope triage` under launchers and a batch system: the job's output and status, and its report.

use crate::support::batch::{Outcome, Place};
use crate::support::browser::browse;
use crate::support::build::{build, plain, script};
use crate::support::process::Guard;
use crate::support::slurm::{Batch, cluster, cluster_with_clock};
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
fn a_launcher_that_fails_before_its_ranks_begin_passes_its_status_on() {
    for (launcher, hosts) in [(&OPEN_MPI[..], "--hostfile"), (&MPICH[..], "-f")] {
        let (place, directory) = (Place::new(), tempdir().unwrap());
        let job: Vec<&str> = launcher.iter().copied().chain([hosts, "/does/not/exist", "/bin/true"]).collect();
        let plain = Command::new(job[0]).args(&job[1..]).output().unwrap().status.code().unwrap();
        assert_ne!(plain, 0, "{job:?}");
        triage(&place, &directory.path().join("report"), &[], &job).expect(plain);
    }
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

/// Checks that the page of a deadlock in MPI shows the user's calls, and those of the library folded. `UPDATE=1` draws the
/// picture of `docs/TRIAGE.md`.
#[track_caller]
fn folds_libraries(page: &Path, program: &Path) {
    let dom = browse(page, &["--dump-dom"]);
    let (_, tree) = dom.split_once("class=\"tree\"").unwrap_or_else(|| panic!("{dom}"));
    let (tree, _) = tree.split_once("</section>").unwrap();
    let folded: Vec<&str> =
        tree.split("<details>").skip(1).map(|part| part.split_once("</summary>").unwrap().0).collect();
    assert!(!folded.is_empty(), "{tree}");
    // Ranks may be at different places of the library, which then has branches, each with its own first function.
    let is_own = |call: &&str| ["<summary>main", "<summary>exchange"].iter().any(|own| call.starts_with(own));
    assert!(folded.iter().any(|call| call.contains("MPI_")), "{folded:#?}");
    assert!(folded.iter().all(|call| !is_own(call) && call.contains(" frames")), "{folded:#?}");
    assert!(tree.contains("<details open=\"\"") && !tree.contains("main … "), "{tree}");
    let picture = Path::new(env!("CARGO_MANIFEST_DIR")).join("screenshots/triage.png");
    if std::env::var_os("UPDATE").is_some() {
        // Names of this machine are nobody's business.
        let text = fs::read_to_string(page).unwrap();
        let host = nix::unistd::gethostname().unwrap().into_string().unwrap();
        let directory = format!("{}/", program.parent().unwrap().display());
        let name = program.file_name().unwrap().to_str().unwrap();
        let text = text.replace(&directory, "./").replace(&format!("./{name}"), "./exchange").replace(&host, "node17");
        let shown = page.with_file_name("shown.html");
        fs::write(&shown, text).unwrap();
        let to = format!("--screenshot={}", picture.display());
        browse(&shown, &["--window-size=1000,760", "--hide-scrollbars", &to]);
    }
    assert!(fs::read(picture).unwrap().starts_with(b"\x89PNG"));
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
    folds_libraries(&report.join("report.html"), Path::new(&program));
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(tool.0.id() as i32), nix::sys::signal::Signal::SIGTERM).unwrap();
    assert_ne!(tool.wait().code(), Some(0));
    place.until_empty();
}

/// Checks that a job whose tool is killed runs to its end, writes its output, and has the status of its ranks.
#[track_caller]
fn goes_on_without_its_tool(compiler: &str, launcher: &[&str]) {
    let place = Place::new();
    let program = build(compiler, "mpi_turns.c", &["-g", "-O0"]).display().to_string();
    let [mpirun, status, go, output, report] =
        ["mpirun", "status", "go", "output", "report"].map(|name| place.path().join(name));
    let (name, options) = launcher.split_first().unwrap();
    // Nobody waits for the launcher once the tool is gone.
    script(&mpirun, &format!("{name} \"$@\"\necho $? > {0}.new\nmv {0}.new {0}", status.display()));
    let mut command = Command::new(env!("CARGO_BIN_EXE_rankscope"));
    place.be_home_of(&mut command);
    command.args(["triage", "--report"]).args([&report, &mpirun]).args(options);
    command.arg(program).arg(&go).arg("3").stdout(fs::File::create(&output).unwrap());
    let mut tool = Guard::spawn(&mut command);
    let written = |words: &str| fs::read_to_string(&output).unwrap().contains(words).then_some(());
    wait_for("the job", || written("4 ranks turn"));
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(tool.0.id() as i32), nix::sys::signal::Signal::SIGKILL).unwrap();
    tool.wait();
    fs::write(&go, "").unwrap();
    assert_eq!(wait_for("the end of the job", || fs::read_to_string(&status).ok()), "3\n");
    assert!(written("4 ranks have turned").is_some(), "{}", fs::read_to_string(&output).unwrap());
    assert!(!report.join("report.html").exists());
    place.until_empty();
}

#[test]
fn a_job_of_open_mpi_goes_on_when_its_tool_is_killed() {
    goes_on_without_its_tool("mpicc.openmpi", &OPEN_MPI);
}

#[test]
fn a_job_of_mpich_goes_on_when_its_tool_is_killed() {
    goes_on_without_its_tool("mpicc.mpich", &MPICH);
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

#[test]
fn a_batch_job_is_reported_on_the_signal_that_slurm_sends_before_the_limit() {
    // Slurm looks for such jobs twice a minute, and sends the signal up to 30 seconds early.
    let (cluster, place) = (cluster_with_clock(), Place::new());
    let (report, go) = (place.path().join("report"), place.path().join("go"));
    let lines = format!(
        "exec rankscope triage --report {} --before-limit 0 srun -n2 {} loop {}\n",
        report.display(),
        plain("triaged.c").display(),
        go.display()
    );
    let batch = Batch::submit(&cluster, &place, "-N1 -n2 --time=4 --signal=B:USR1@60", &lines);
    let output = || fs::read_to_string(place.path().join("job.out")).unwrap_or_default();
    wait_for("the ranks", || output().contains("begun").then_some(()));
    cluster.set_clock_ahead();
    wait_for("the report for the signal", || report.join("report.html").exists().then_some(()));
    fs::write(&go, "").unwrap();
    let output = batch.end();
    assert_eq!(read(&report)["reason"], "SIGUSR1 was sent to rankscope triage", "{output}");
}
