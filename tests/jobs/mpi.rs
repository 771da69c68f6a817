//! Jobs started by a real launcher: the joiner runs before each rank.

use crate::support::process::{is_asleep, time_taken};
use crate::support::session::{Guard, Session, set, until};
use rankscope::model::{
    Answer, BreakpointId, BreakpointRequest, EngineName, Event, Frame, LaunchSpec, LocationSpec, Operation, ProcessSet,
    Rank, SignalName, StopAt, StopReason, Stream,
};
use rankscope::protocol::{LaunchPlan, SessionCommand, SessionDirectory, SessionEvent, WaitPolicy};
use rankscope::tree::arguments::EngineChoice;
use rankscope::tree::join::plan::JoinPlan;
use rankscope::tree::routing::dialling::Dialling;
use rankscope::tree::routing::topology::Shape;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

struct Mpi {
    compiler: &'static str,
    launcher: &'static [&'static str],
}

const OPEN_MPI: Mpi = Mpi {
    compiler: "mpicc.openmpi",
    launcher: &[
        "env",
        "OMPI_ALLOW_RUN_AS_ROOT=1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
        "OMPI_MCA_rmaps_base_oversubscribe=1",
        // Open MPI 5 leaves mapping to PRRTE.
        "PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe",
        "mpirun.openmpi",
        "-n",
    ],
};
const MPICH: Mpi = Mpi { compiler: "mpicc.mpich", launcher: &["mpirun.mpich", "-n"] };

fn compile(mpi: &Mpi, directory: &Path) -> PathBuf {
    compile_program(mpi, "mpi_ring", directory)
}

fn compile_program(mpi: &Mpi, name: &str, directory: &Path) -> PathBuf {
    let program = directory.join(name);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(format!("{name}.c"));
    let status = Command::new(mpi.compiler).args(["-g", "-O0", "-o"]).arg(&program).arg(&source).status();
    let status = status.unwrap_or_else(|error| panic!("{} is needed for this test: {error}", mpi.compiler));
    assert!(status.success());
    program
}

fn plan(mpi: &Mpi, ranks: u32, program: &Path, arguments: &[&str]) -> LaunchPlan {
    let mut command: Vec<String> = mpi.launcher.iter().map(|&word| word.to_owned()).collect();
    let program = program.to_str().unwrap().to_owned();
    command.extend([ranks.to_string(), "{join}".to_owned(), program.clone()]);
    command.extend(arguments.iter().map(|&word| word.to_owned()));
    LaunchPlan::Joined { command, spec: LaunchSpec { program, stop_at: StopAt::Main, ..LaunchSpec::default() } }
}

fn breakpoint() -> Operation {
    Operation::SetBreakpoint(BreakpointRequest::at(BreakpointId(1), LocationSpec::Function("add_own".to_owned())))
}

fn is_breakpoint(event: &Event) -> bool {
    matches!(event, Event::Stopped(stop) if matches!(stop.reason, StopReason::Breakpoint(_)))
}

/// Start, breakpoint, stack, run to the end.
async fn whole_job(mpi: &Mpi, options: &[&str]) {
    let base = tempfile::tempdir().unwrap();
    let program = compile(mpi, base.path());
    let mut session = Session::start(options).await;
    let (size, hosts) = session.launch(plan(mpi, 4, &program, &[])).await.unwrap();
    assert_eq!((size, hosts.len(), &hosts[0].1), (4, 1, &set("0-3")));
    let all = ProcessSet::all(4);
    session.until_stopped(&all).await;
    let placed = session.query("0-3", WaitPolicy::All, breakpoint()).await;
    assert!(matches!(&placed.answers[..], [(_, Answer::Breakpoint(_, sites))] if sites.len() == 1), "{placed:?}");

    // In each lap the token visits rank after rank: waiting ranks are in MPI_Recv.
    session.query("0-3", WaitPolicy::All, Operation::Go).await;
    for lap in 0..2 {
        for rank in (0..4).map(Rank) {
            let one = ProcessSet::one(rank);
            session.until_event(&one, is_breakpoint).await;
            let stack = Operation::Stack { thread: None, low: 0, high: None, most: None };
            let stack = session.query(&rank.to_string(), WaitPolicy::All, stack).await;
            let Answer::Stack(frames) = &stack.answers[0].1 else { panic!("lap {lap}, rank {rank}: {stack:?}") };
            let names: Vec<_> = frames.iter().take(2).map(|frame| frame.function.as_deref()).collect();
            assert_eq!(names, [Some("add_own"), Some("main")]);
            session.query(&rank.to_string(), WaitPolicy::All, Operation::Go).await;
        }
    }
    runs_to_its_end(session).await;
}

/// Checks the output of every rank, and the launcher's exit status.
async fn runs_to_its_end(mut session: Session) {
    let ended = session.until_session(|event| matches!(event, SessionEvent::LauncherExited(_))).await;
    while session.exited != ProcessSet::all(4) {
        session.next().await;
    }
    assert_eq!(ended, SessionEvent::LauncherExited(0));
    // 0+1+2+3, twice.
    let mut expected = BTreeMap::from([((0, Stream::Stdout), "token 12\n".to_owned())]);
    expected.extend((0..4).map(|rank| ((rank, Stream::Stderr), format!("rank {rank} of 4 is done\n"))));
    assert_eq!(session.written, expected);
    let out = std::fs::read_to_string(session.directory.path().join("launcher.out")).unwrap();
    assert_eq!(out, "token 12\n", "the launcher has the output as well");
    session.quit().await;
}

#[tokio::test]
async fn open_mpi() {
    whole_job(&OPEN_MPI, &[]).await;
}

#[tokio::test]
async fn mpich() {
    whole_job(&MPICH, &[]).await;
}

#[tokio::test]
async fn open_mpi_under_gdb() {
    whole_job(&OPEN_MPI, &["--engine", "gdb"]).await;
}

#[tokio::test]
async fn mpich_under_gdb() {
    whole_job(&MPICH, &["--engine", "gdb"]).await;
}

/// The user's frame of each rank: its function, its line, and the function that it called.
type UserFrames = BTreeMap<u32, (String, u32, String)>;

fn user_frames(stops: &[(String, Event)]) -> UserFrames {
    let mut frames = UserFrames::new();
    for (ranks, event) in stops {
        let Event::Stopped(stop) = event else { continue };
        let Some(user) = &stop.user else { continue };
        let name = |name: &Option<std::sync::Arc<str>>| name.as_deref().unwrap_or_default().to_owned();
        let line = user.frame.source.as_ref().map_or(0, |source| source.line);
        for rank in set(ranks).iter() {
            frames.insert(rank.0, (name(&user.frame.function), line, name(&user.call)));
        }
    }
    frames
}

/// The process of each rank, in their order.
async fn processes_of_ranks(session: &mut Session) -> Vec<u32> {
    session.command(SessionCommand::Replay);
    match session.until_session(|event| matches!(event, SessionEvent::State { .. })).await {
        SessionEvent::State { mut ranks, .. } => {
            ranks.sort_by_key(|known| known.rank);
            ranks.iter().map(|known| known.pid).collect()
        }
        _ => unreachable!(),
    }
}

/// One rank misses a collective: halted, every rank says which call of its program it is in.
async fn a_hang_names_the_calls(mpi: &Mpi, options: &[&str]) {
    let base = tempfile::tempdir().unwrap();
    let program = compile_program(mpi, "mpi_missed", base.path());
    let mut session = Session::start(options).await;
    session.launch(plan(mpi, 4, &program, &[])).await.unwrap();
    let all = ProcessSet::all(4);
    session.until_stopped(&all).await;
    let at = |mark| crate::support::marks::line("mpi_missed.c", mark);
    let reduces = ("main".to_owned(), at("reduces"), "MPI_Allreduce".to_owned());
    let mut expected: UserFrames = (0..3).map(|rank| (rank, reduces.clone())).collect();
    expected.insert(3, ("rebalance".to_owned(), at("receives"), "MPI_Recv".to_owned()));
    for (id, name) in (1..).map(BreakpointId).zip(["MPI_Allreduce", "MPI_Recv"]) {
        let request = BreakpointRequest::at(id, LocationSpec::Function(name.to_owned()));
        session.query("0-3", WaitPolicy::All, Operation::SetBreakpoint(request)).await;
    }
    session.query("0-3", WaitPolicy::All, Operation::Go).await;
    session.until_event(&all, is_breakpoint).await;
    for id in [1, 2].map(BreakpointId) {
        session.query("0-3", WaitPolicy::All, Operation::DeleteBreakpoint(id)).await;
    }
    let processes = processes_of_ranks(&mut session).await;
    let before: Vec<u64> = processes.iter().map(|pid| time_taken(*pid)).collect();
    session.query("0-3", WaitPolicy::All, Operation::Go).await;
    // They wait for their message busily, or asleep.
    let waits = |(pid, before): (&u32, &u64)| time_taken(*pid) > before + 1 || is_asleep(*pid);
    until("the ranks to wait in their calls", || processes.iter().zip(&before).all(waits).then_some(())).await;
    session.query("0-3", WaitPolicy::All, Operation::Interrupt).await;
    assert_eq!(user_frames(&session.until_stopped(&all).await), expected);
    session.quit().await;
}

#[tokio::test]
async fn a_hang_of_open_mpi_names_the_calls() {
    a_hang_names_the_calls(&OPEN_MPI, &[]).await;
}

#[tokio::test]
async fn a_hang_of_mpich_names_the_calls() {
    a_hang_names_the_calls(&MPICH, &[]).await;
}

#[tokio::test]
async fn a_hang_of_open_mpi_under_gdb_names_the_calls() {
    a_hang_names_the_calls(&OPEN_MPI, &["--engine", "gdb"]).await;
}

/// The functions and lines on the stack of a rank.
async fn stack_of(session: &mut Session, rank: u32) -> Vec<(Option<String>, Option<u32>)> {
    let stack = Operation::Stack { thread: None, low: 0, high: None, most: None };
    let outcome = session.query(&rank.to_string(), WaitPolicy::All, stack).await;
    let [(_, Answer::Stack(frames))] = &outcome.answers[..] else { panic!("rank {rank}: {outcome:?}") };
    let line = |frame: &Frame| frame.source.as_ref().map(|source| source.line);
    frames.iter().map(|frame| (frame.function.as_deref().map(str::to_owned), line(frame))).collect()
}

/// Moves rank 3 to an engine, and checks that it stays where it is.
async fn hand_over(session: &mut Session, to: EngineName) {
    let before = stack_of(session, 3).await;
    let outcome = session.query("3", WaitPolicy::All, Operation::UseEngine(to)).await;
    assert_eq!(outcome.answers, [("3".to_owned(), Answer::UnderEngine(to))]);
    assert_eq!(stack_of(session, 3).await, before, "under {to}");
}

/// Rank 3 moves to gdb and back while the others stay; location, breakpoint, signal disposition and a pending signal
/// move along.
async fn one_rank_goes_to_gdb_and_back(mpi: &Mpi) {
    let base = tempfile::tempdir().unwrap();
    let program = compile(mpi, base.path());
    let mut session = Session::start(&[]).await;
    session.launch(plan(mpi, 4, &program, &[])).await.unwrap();
    session.until_stopped(&set("0-3")).await;
    let process = nix::unistd::Pid::from_raw(processes_of_ranks(&mut session).await[3] as i32);
    session.query("0-3", WaitPolicy::All, breakpoint()).await;
    let user = SignalName::parse("USR1").unwrap();
    let handled =
        Operation::HandleSignal { name: user.clone(), stop: Some(true), print: Some(true), pass: Some(false) };
    session.query("3", WaitPolicy::All, handled).await;

    hand_over(&mut session, EngineName::Gdb).await;
    let which = session.query("0-3", WaitPolicy::All, Operation::WhichEngine).await.answers;
    let of = |ranks: &str, engine| (ranks.to_owned(), Answer::UnderEngine(engine));
    assert!(which.contains(&of("0-2", EngineName::Native)) && which.contains(&of("3", EngineName::Gdb)), "{which:?}");
    session.query("0-3", WaitPolicy::All, Operation::Go).await;
    for lap in 0..2 {
        for rank in 0..4 {
            let text = rank.to_string();
            session.until_event(&set(&text), is_breakpoint).await;
            let stack = stack_of(&mut session, rank).await;
            let names: Vec<_> = stack.iter().take(2).map(|(function, _)| function.as_deref()).collect();
            assert_eq!(names, [Some("add_own"), Some("main")], "lap {lap}, rank {rank}");
            if (lap, rank) == (0, 3) {
                nix::sys::signal::kill(process, nix::sys::signal::Signal::SIGUSR1).unwrap();
                hand_over(&mut session, EngineName::Native).await;
                session.query("3", WaitPolicy::All, Operation::Go).await;
                let stop = session.until_stopped(&set("3")).await;
                let wanted = StopReason::Signal(user.clone());
                assert!(matches!(&stop[..], [(_, Event::Stopped(stop))] if stop.reason == wanted), "{stop:?}");
            }
            session.query(&text, WaitPolicy::All, Operation::Go).await;
        }
    }
    runs_to_its_end(session).await;
}

#[tokio::test]
async fn one_rank_of_open_mpi_goes_to_gdb_and_back() {
    one_rank_goes_to_gdb_and_back(&OPEN_MPI).await;
}

#[tokio::test]
async fn one_rank_of_mpich_goes_to_gdb_and_back() {
    one_rank_goes_to_gdb_and_back(&MPICH).await;
}

#[tokio::test]
async fn two_servers_on_one_host() {
    whole_job(&MPICH, &["--ranks-per-server", "2"]).await;
}

#[tokio::test]
async fn a_launcher_that_fails_is_quoted() {
    let mut session = Session::start(&[]).await;
    let command = ["sh", "-c", "echo no such partition >&2; exit 3", "{join}"].map(str::to_owned).to_vec();
    let why = session.launch(LaunchPlan::Joined { command, spec: LaunchSpec::default() }).await.unwrap_err();
    assert!(why.contains("exited with code 3") && why.matches("no such partition").count() == 1, "{why}");
    let command = ["no-such-launcher", "{join}", "true"].map(str::to_owned).to_vec();
    let why = session.launch(LaunchPlan::Joined { command, spec: LaunchSpec::default() }).await.unwrap_err();
    assert!(why.contains("no-such-launcher"), "{why}");
    session.quit().await;
}

#[tokio::test]
async fn a_program_that_is_missing_is_named() {
    let mut session = Session::start(&[]).await;
    let why = session.launch(plan(&MPICH, 2, Path::new("/nowhere/ring"), &[])).await.unwrap_err();
    assert!(why.contains("/nowhere/ring"), "{why}");
    session.quit().await;
}

#[tokio::test]
async fn quitting_in_the_middle_ends_ranks_and_launcher() {
    for mpi in [&OPEN_MPI, &MPICH] {
        let base = tempfile::tempdir().unwrap();
        let program = compile(mpi, base.path());
        let mut session = Session::start(&[]).await;
        session.launch(plan(mpi, 3, &program, &[])).await.unwrap();
        session.until_stopped(&set("0-2")).await;
        session.quit().await;
        let left = processes_of(&program);
        assert!(left.is_empty(), "{left:?}");
    }
}

#[tokio::test]
async fn ranks_and_launcher_do_not_outlive_killed_parts() {
    let base = tempfile::tempdir().unwrap();
    let program = compile(&MPICH, base.path());
    for server_dies in [true, false] {
        let mut session = Session::start(&[]).await;
        session.launch(plan(&MPICH, 3, &program, &[])).await.unwrap();
        session.until_stopped(&set("0-2")).await;
        if server_dies {
            Guard::kill(session.guard.server(0));
            session.until_event(&set("0-2"), |event| matches!(event, Event::Lost(_))).await;
            session.quit().await;
        } else {
            Guard::kill(session.guard.master());
            session.guard.assert_gone().await;
        }
        crate::support::session::until("the end of the program", || processes_of(&program).is_empty().then_some(()))
            .await;
    }
}

/// Kills the master when a matching process of the job first appears.
async fn killed_while_starting(mpi: &Mpi, program: &Path, what: &str, wanted: impl Fn(&str) -> bool) {
    const RANKS: u32 = 3;
    // A short-lived process may be missed between two looks.
    for _ in 0..20 {
        let mut session = Session::start(&[]).await;
        session.command(SessionCommand::Launch(plan(mpi, RANKS, program, &[])));
        let seen = || {
            let is_rank = |words: &&String| words.split('\0').next().is_some_and(|word| Path::new(word) == program);
            let missed = processes_of(program).iter().filter(is_rank).count() == RANKS as usize;
            let seen = session.guard.processes().iter().any(|(_, words)| wanted(words));
            (seen || missed).then_some(seen)
        };
        let seen = crate::support::session::until(what, seen).await;
        Guard::kill(session.guard.master());
        session.guard.assert_gone().await;
        crate::support::session::until("the end of the program", || processes_of(program).is_empty().then_some(()))
            .await;
        if seen {
            return;
        }
    }
    panic!("{what} was never seen");
}

#[tokio::test]
async fn nothing_stays_of_a_job_whose_master_is_killed_while_it_starts() {
    let base = tempfile::tempdir().unwrap();
    for mpi in [&OPEN_MPI, &MPICH] {
        let program = compile(mpi, base.path());
        killed_while_starting(mpi, &program, "the launcher", |words| words.contains("mpirun.")).await;
        killed_while_starting(mpi, &program, "a joiner", |words| {
            words.contains("rankscope") && !words.contains("mpirun") && words.contains("--join ")
        })
        .await;
        killed_while_starting(mpi, &program, "a server", |words| words.contains("--server ")).await;
    }
}

#[test]
fn a_joiner_whose_server_cannot_reach_the_master_says_so_and_ends() {
    let base = tempfile::Builder::new().prefix("rs").tempdir_in("/tmp").unwrap();
    let directory = SessionDirectory::create_in(&base.path().join("s"), None).unwrap();
    directory.create_key().unwrap();
    // A port on which nobody listens any more.
    let port = crate::support::ports::free_port();
    let plan = JoinPlan {
        spec: LaunchSpec::default(),
        master: format!("127.0.0.1:{port}"),
        listen: "127.0.0.1".to_owned(),
        ports: None,
        engine: EngineChoice::default(),
        shape: Shape::Binomial,
        ranks_per_server: None,
        routing_file: None,
        meeting: None,
        dialling: Dialling::Up,
        changes: Default::default(),
    };
    plan.write(&directory).unwrap();
    let mut joiner = Command::new(env!("CARGO_BIN_EXE_rankscope-sdm"));
    joiner.arg("--join").arg("--session").arg(directory.path()).args(["--", "true"]);
    let output = joiner.output().unwrap();
    let words = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(rankscope::tree::join::EXIT_NO_DEBUGGER), "{words}");
    assert!(words.contains("ended before it was ready") && words.contains(&port.to_string()), "{words}");
}

#[tokio::test]
async fn a_restarted_job_has_its_breakpoints() {
    let base = tempfile::tempdir().unwrap();
    let program = compile(&OPEN_MPI, base.path());
    let mut session = Session::start(&[]).await;
    session.launch(plan(&OPEN_MPI, 2, &program, &[])).await.unwrap();
    session.until_stopped(&set("0-1")).await;
    session.query("0-1", WaitPolicy::All, breakpoint()).await;
    let tid = session.command(SessionCommand::Restart(Default::default()));
    session.session_outcome(tid).await.unwrap();
    session.until_stopped(&set("0-1")).await;
    session.query("0-1", WaitPolicy::All, Operation::Go).await;
    session.until_event(&set("0"), is_breakpoint).await;
    session.quit().await;
}

#[tokio::test]
async fn ranks_that_are_let_go_run_to_their_end() {
    let base = tempfile::tempdir().unwrap();
    let program = compile(&MPICH, base.path());
    let out = base.path().join("out");
    let script = format!("mpirun.mpich -n 3 \"$@\" > {0} 2>&1; echo code $? >> {0}", out.display());
    let words = ["sh", "-c", &script, "sh", "{join}", program.to_str().unwrap()];
    let command = words.map(str::to_owned).to_vec();
    let mut session = Session::start(&[]).await;
    session.launch(LaunchPlan::Joined { command, spec: LaunchSpec::default() }).await.unwrap();
    session.until_stopped(&set("0-2")).await;
    session.command(SessionCommand::Quit { kill: false });
    session.until_session(|event| *event == SessionEvent::Ended).await;
    let text = crate::support::session::until("the exit code of the launcher", || {
        std::fs::read_to_string(&out).ok().filter(|text| text.contains("code"))
    })
    .await;
    let mut lines: Vec<_> = text.lines().collect();
    lines.sort_unstable();
    assert_eq!(lines, ["code 0", "rank 0 of 3 is done", "rank 1 of 3 is done", "rank 2 of 3 is done", "token 6"]);
    session.guard.assert_gone().await;
}

fn processes_of(program: &Path) -> Vec<String> {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let words = entries.filter_map(|entry| std::fs::read_to_string(entry.path().join("cmdline")).ok());
    words.filter(|words| words.contains(program.to_str().unwrap())).collect()
}
