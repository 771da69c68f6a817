//! Command lines and what they come to.

use super::*;
use crate::cli::job::{Job, demo_job, simulated_share};
use clap::CommandFactory as _;
use model::{LocationSpec, StopAt};
use protocol::LaunchPlan;

fn run(line: &str) -> Result<Job, String> {
    let words = std::iter::once("rankscope").chain(line.split_whitespace());
    let cli = Cli::try_parse_from(words).map_err(|error| error.to_string())?;
    match cli.action {
        Some(Action::Run(run)) => run.job().map_err(|error| error.to_string()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_command_line_is_consistent() {
    Cli::command().debug_assert();
}

#[test]
fn copies_and_jobs_are_told_apart() {
    let job = run("run -n 4 --stop-at ring.c:12 ./app -n 3 --json").unwrap();
    let LaunchPlan::Local { ranks: 4, spec } = job.plan else { panic!("{job:?}") };
    assert_eq!((spec.program.as_str(), spec.arguments.len()), ("./app", 3));
    assert_eq!(spec.stop_at, StopAt::Location(LocationSpec::FileLine { file: "ring.c".into(), line: 12 }));
    let job = run("run --batch - --json mpirun -n 2 -- ./app").unwrap();
    let LaunchPlan::Joined { command, spec } = job.plan else { panic!("{job:?}") };
    assert_eq!(command.join(" "), "mpirun -n 2 {join} ./app");
    assert_eq!(spec.program, "./app");
    let job = run("run --no-dlopen-always-recalculate --dlopen-recalculate-on-match=liba*:b ./app").unwrap();
    assert_eq!(job.variables[0], ("dlopen_always_recalculate".to_owned(), "false".to_owned()));
    assert_eq!(job.variables[1].1, "liba*:b");
    let job = run("run -- ./app").unwrap();
    assert!(matches!(job.plan, LaunchPlan::Local { ranks: 1, .. }));
}

#[test]
fn a_launcher_may_say_itself_what_it_starts() {
    let job = run("run --mpir srun -N4 -n8 ./app in").unwrap();
    let LaunchPlan::Starter { command, spec } = job.plan else { panic!("{job:?}") };
    assert_eq!((command.join(" ").as_str(), spec.program.as_str()), ("srun -N4 -n8 ./app in", "./app"));
    let LaunchPlan::Starter { spec, .. } = run("run --mpir ./script x").unwrap().plan else { panic!() };
    assert_eq!((spec.program.as_str(), spec.arguments.len()), ("./script", 1));
    assert!(run("run --mpir -n 2 mpirun ./app").unwrap_err().contains("sets the number of ranks"));
    assert!(run("run --mpir --engine fake mpirun ./app").is_err());
}

#[test]
fn servers_are_waited_for_where_the_firewall_lets_them_through() {
    let ports = |line| run(line).unwrap().tree.ports.map(|ports| ports.to_string());
    assert_eq!(ports("run --port 4711 ./app").as_deref(), Some("4711"));
    assert_eq!(ports("run --port-range 5000-5010 ./app").as_deref(), Some("5000-5010"));
    assert_eq!(ports("run ./app"), None);
    let file = run("run --routing-file /shared/routes ./app").unwrap().tree.routing_file;
    assert_eq!(file, Some("/shared/routes".into()));
}

#[test]
fn to_name_a_gdb_is_to_want_it() {
    let tree = run("run --gdb rocgdb ./app").unwrap().tree;
    assert_eq!((tree.engine.as_str(), tree.gdb.as_deref()), ("gdb", Some("rocgdb")));
    assert_eq!(run("run --engine gdb ./app").unwrap().tree.gdb, None);
}

#[test]
fn what_cannot_be_is_refused() {
    for (line, message) in [
        ("run", "PROGRAM"),
        ("run -n 0 ./app", "0 is not in"),
        ("run -n 99999999 ./app", "too many"),
        ("run -n 4 mpirun ./app", "give it its own option"),
        ("run mpirun --odd ./app", "--odd"),
        ("run --engine fake --gdb gdb ./app", "--engine gdb"),
        ("run --json ./app", "--json needs --batch"),
        ("run --nonsense ./app", "unknown option --nonsense"),
        ("run --cwd /does/not/exist ./app", "no such directory"),
        ("run --port 0 ./app", "0 is not in"),
        ("run --port-range 9-8 ./app", "LOW-HIGH"),
        ("run --port 9 --port-range 8-9 ./app", "cannot be used with"),
        ("run --stop-at a.c:0 ./app", "line number"),
        ("run --timeout -3 ./app", "-3"),
        ("run --dlopen-recalculate-on-match a*b ./app", "end of a pattern"),
    ] {
        let error = run(line).expect_err(line);
        assert!(error.contains(message), "{line}: {error}");
    }
}

#[test]
fn the_demo_is_simulated_on_request() {
    let common = Common { ranks: Some(65_536), ..Common::default() };
    let job = demo_job(&common, true, || unreachable!()).unwrap();
    let LaunchPlan::Local { ranks: 65_536, spec } = job.plan else { panic!("{job:?}") };
    assert_eq!((spec.program.as_str(), job.tree.engine.as_str()), ("fake:stencil", "fake"));
    let job = demo_job(&Common::default(), false, || Ok("/x/stencil".into())).unwrap();
    assert!(matches!(job.plan, LaunchPlan::Local { ranks: 8, .. }));
}

#[test]
fn simulated_ranks_are_divided_among_servers_by_their_number_and_the_cores() {
    for (ranks, cores, servers) in [
        (8_u32, 2, 1),
        (1024, 2, 1),
        (1025, 2, 2),
        (65_536, 2, 64),
        (1 << 20, 2, 64),
        (1 << 20, 16, 512),
        (1 << 20, 400, 1024),
    ] {
        assert_eq!(ranks.div_ceil(simulated_share(ranks, cores)), servers, "{ranks} ranks, {cores} cores");
    }
    let many = Common { ranks: Some(1 << 20), ..Common::default() };
    let tree = |common: &Common, simulate| demo_job(common, simulate, || Ok("/x/stencil".into())).unwrap().tree;
    assert!(tree(&many, true).ranks_per_server.is_some_and(|share| share < 1 << 20));
    let asked = Common { ranks_per_server: Some(5), ..many.clone() };
    assert_eq!(tree(&asked, true).ranks_per_server, Some(5));
    let listed = Common { routing_file: Some("/x/routes".into()), ..many };
    assert_eq!(tree(&listed, true).ranks_per_server, None);
    // Processes of one host share their debug information.
    assert_eq!(tree(&Common::default(), false).ranks_per_server, None);
}

#[test]
fn options_of_the_screen_stand_before_the_subcommand_too() {
    let settled = |line: &str| Cli::try_parse_from(line.split(' ')).unwrap().settled();
    let front = |line: &str| match settled(line).unwrap().action {
        Some(Action::Run(run)) => run.common.front,
        other => panic!("{other:?}"),
    };
    let before = front("rankscope --batch file --json --theme dark run ./app --theme its-own");
    assert_eq!(before, front("rankscope run --batch file --json --theme dark ./app --theme its-own"));
    assert_eq!((before.batch.as_deref(), before.theme.as_deref()), (Some("file"), Some("dark")));
    assert_eq!(front("rankscope --theme dark run --theme light ./app").theme.as_deref(), Some("light"));
    assert_eq!(settled("rankscope --theme dark").unwrap().front.theme.as_deref(), Some("dark"));
    assert!(settled("rankscope keys").is_ok());
    assert!(settled("rankscope --json keys").is_err_and(|error| error.0.contains("run, attach, core, demo")));
}
