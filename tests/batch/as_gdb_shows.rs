//! An MPI job through the joiner, by script: on every rank the values are those that gdb shows on the same binary.

use rankscope::model::ProcessSet;
use serde_json::Value;
use std::{
    collections::BTreeMap,
    path::Path,
    process::{Command, Stdio},
};

const SCRIPT: &str = "break sum_sq
go
wait
where
print n
print p[0]
finish
wait
[0] next
wait
status
delete 1
go
wait exited
";

/// gdb's values for one rank; the program is started alone and told its rank.
struct Judge {
    stack: Vec<(String, u64)>,
    n: String,
    particle: String,
}

fn gdb(program: &Path, rank: u32) -> Judge {
    let ranked = crate::support::marks::line("mpi_particles.c", "ranked");
    let set = format!("set var rank = {rank}");
    let output = Command::new("gdb")
        .args(["-q", "-nx", "-batch", "-ex", &format!("tbreak {ranked}"), "-ex", "run", "-ex", &set])
        .args(["-ex", "break sum_sq", "-ex", "continue", "-ex", "bt", "-ex", "print n", "-ex", "print p[0]"])
        .arg(program)
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
        .stderr(Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let frame = |line: &str| {
        let rest = line.strip_prefix('#')?.split_once("  ")?.1;
        let name = rest.split(' ').find(|word| !(word.starts_with("0x") || *word == "in"))?;
        Some((name.to_owned(), rest.rsplit_once(':')?.1.trim().parse().ok()?))
    };
    let value = |name: &str| {
        let line = text.lines().find(|line| line.starts_with(name));
        line.unwrap_or_else(|| panic!("gdb said\n{text}")).split_once(" = ").unwrap().1.to_owned()
    };
    Judge { stack: text.lines().filter_map(frame).collect(), n: value("$1"), particle: value("$2") }
}

fn ranks_of(object: &Value) -> ProcessSet {
    ProcessSet::parse(object["ranks"].as_str().unwrap_or_default()).unwrap()
}

/// The value that each rank gave for an expression.
fn values(objects: &[Value], expression: &str) -> BTreeMap<u32, String> {
    let wanted = objects.iter().filter(|o| o["type"] == "value" && o["expression"] == expression);
    wanted
        .flat_map(|o| ranks_of(o).iter().map(|r| (r.0, o["value"].as_str().unwrap().to_owned())).collect::<Vec<_>>())
        .collect()
}

fn job(compiler: &str, launcher: &[&str]) {
    let program = crate::support::build::build(compiler, "mpi_particles.c", &["-g", "-O0"]);
    // The program is named by a relative name, as users name one in their directory.
    let (directory, name) = (program.parent().unwrap().to_str().unwrap(), program.file_name().unwrap());
    let ranks = ["-wdir", directory, "-n", "4", name.to_str().unwrap()];
    let outcome = crate::support::batch::json(launcher, &ranks, SCRIPT).expect(0);
    let (text, objects) = (&outcome.text, outcome.objects());

    let all = ProcessSet::all(4);
    let of = |kind: &str| objects.iter().filter(|o| o["type"] == kind).cloned().collect::<Vec<_>>();
    let stacks = of("stack");
    assert_eq!(stacks.len(), 1, "equal stacks are one: {text}");
    assert_eq!(ranks_of(&stacks[0]), all);
    for rank in 0..4 {
        let judge = gdb(&program, rank);
        let frames = stacks[0]["frames"].as_array().unwrap();
        let stack: Vec<(String, u64)> = frames
            .iter()
            .map(|frame| (frame["function"].as_str().unwrap().to_owned(), frame["line"].as_u64().unwrap()))
            .collect();
        assert_eq!(stack, judge.stack);
        assert_eq!(values(&objects, "n")[&rank], judge.n);
        assert_eq!(values(&objects, "p[0]")[&rank], judge.particle, "rank {rank}: {text}");
    }

    let stops = of("stopped");
    let with = |reason: &str| {
        stops.iter().filter(|o| o["reason"] == reason).fold(ProcessSet::new(), |sum, o| sum.union(&ranks_of(o)))
    };
    assert_eq!(with("start"), all);
    assert_eq!(with("breakpoint"), all);
    assert_eq!(with("finished"), all);
    assert_eq!(with("step"), ProcessSet::parse("0").unwrap());
    let ended = of("exited").iter().fold(ProcessSet::new(), |sum, o| {
        assert_eq!(o["code"], 0);
        sum.union(&ranks_of(o))
    });
    assert_eq!(ended, all);
    for rank in 0..4 {
        let lines = of("output");
        let own: String = lines
            .iter()
            .filter(|o| ranks_of(o).contains(rankscope::model::Rank(rank)) && o["stream"] == "stdout")
            .map(|o| o["text"].as_str().unwrap())
            .collect();
        assert!(own.contains(&format!("round 2 rank {rank} sum")), "{own:?} in {text}");
    }
}

#[test]
fn an_open_mpi_job() {
    job("mpicc.openmpi", &["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe"]);
}

#[test]
fn an_mpich_job() {
    job("mpicc.mpich", &["mpirun.mpich"]);
}

#[test]
fn equal_objects_behind_references_are_one_line() {
    let program = crate::support::build::build("g++", "referred.cpp", &["-g", "-O0"]);
    let lines = "break use\ngo\nwait\nprint name\nprint address\n";
    let outcome = crate::support::batch::json(&["-n", "3"], &[program.to_str().unwrap()], lines).expect(0);
    let shown = |expression: &str| -> Vec<String> {
        let values = outcome.of("value").into_iter().filter(|value| value["expression"] == expression);
        values.map(|value| format!("{} {}", value["ranks"], value["value"])).collect()
    };
    assert_eq!(shown("name"), [r#""0-2" "\"north\"""#], "{}", outcome.text);
    assert_eq!(shown("address").len(), 3, "{}", outcome.text);
}
