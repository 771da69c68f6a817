//! Servers started on other hosts by ssh: for copies of a program, and for a running job.

use crate::support::batch::{Outcome, Place};
use crate::support::build;
use crate::support::hosts::{Hosts, Kind, files_in};
use crate::support::live::Live;
use crate::support::process::Guard;
use rankscope::model::ProcessSet;
use serde_json::{Value, json};
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn program() -> PathBuf {
    build::plain("counted.c")
}

/// A line of options, with the hosts' ssh, `HOSTS` and `PROGRAM` filled in.
fn words(hosts: &Hosts, line: &str) -> Vec<String> {
    let program = program().display().to_string();
    let fill = |word: &str| word.replace("HOSTS", &hosts.names().join(",")).replace("PROGRAM", &program);
    let own = ["--ssh".to_owned(), hosts.ssh_words()];
    let mut words = line.split(' ').map(fill);
    words.next().into_iter().chain(own).chain(words).collect()
}

#[track_caller]
fn run(hosts: &Hosts, place: &Place, line: &str, script: &str) -> Outcome {
    let (verb, rest) = line.split_once(' ').unwrap();
    let words = words(hosts, &format!("{verb} --json --timeout 60 --batch - {rest}"));
    place.run(&words.iter().map(String::as_str).collect::<Vec<_>>(), script)
}

/// Two ranks on each of four hosts.
fn two_each(hosts: &Hosts) -> Value {
    let sets = hosts.names().iter().zip(["0-1", "2-3", "4-5", "6-7"]);
    Value::Object(sets.map(|(name, ranks)| (name.clone(), json!(ranks))).collect())
}

const COUNT: &str = "[0-7] wait\nbreak call\ngo\nwait\nwhere\nprint round\ndelete 1\ngo\nwait exited\n";

/// Checks the output of [`COUNT`] on eight ranks.
#[track_caller]
fn counted(outcome: &Outcome) {
    assert_eq!(outcome.ranks("stopped", "reason", "start"), "0-7");
    assert_eq!(outcome.ranks("stopped", "reason", "breakpoint"), "0-7");
    let stacks = outcome.of("stack");
    assert_eq!(stacks.len(), 1, "equal stacks of all hosts are one: {stacks:?}");
    assert_eq!(stacks[0]["ranks"], "0-7");
    assert_eq!(outcome.ranks("value", "value", "0"), "0-7");
    assert_eq!(outcome.ranks("exited", "code", 45), "0-7");
}

#[test]
fn copies_on_all_hosts_read_the_named_file() {
    let (hosts, place) = (Hosts::new(2), Place::new());
    let program = build::plain("started.c");
    fs::write(place.path().join("in"), "first line\n").unwrap();
    fs::write(place.path().join("other"), "second line\n").unwrap();
    let at = place.path().display().to_string();
    let line = format!("run --hosts HOSTS -n 4 --cwd {at} --stdin {at}/in --stdin 3:none {}", program.display());
    let script = "[0-3] wait\ngo\nwait exited\nrestart < other\n[0-3] wait\ngo\nwait exited\n";
    let outcome = run(&hosts, &place, &line, script).expect(0);
    let readers = |line: &str| {
        let output = outcome.of("output").into_iter().filter(|output| output["text"].as_str().unwrap().contains(line));
        let sets = output.map(|output| ProcessSet::parse(output["ranks"].as_str().unwrap()).unwrap());
        sets.fold(ProcessSet::new(), |all, set| all.union(&set)).to_string()
    };
    assert_eq!((readers("read first line\n").as_str(), readers("read second line\n").as_str()), ("0-2", "0-3"));
    hosts.nothing_left(&place);
}

#[test]
fn copies_on_four_hosts() {
    let hosts = Hosts::new(4);
    for line in ["run --hosts HOSTS -n 8 PROGRAM", "run --hosts HOSTS -n 8 --fan-out 1 PROGRAM"] {
        let place = Place::new();
        let outcome = run(&hosts, &place, line, COUNT).expect(0);
        assert_eq!(outcome.of("session")[0]["hosts"], two_each(&hosts));
        counted(&outcome);
        hosts.nothing_left(&place);
    }
}

#[test]
fn they_are_started_again() {
    let (hosts, place) = (Hosts::new(2), Place::new());
    let file = place.path().join("hosts");
    fs::write(&file, format!("# two\n{} slots=2\n{}:1\n", hosts.names()[0], hosts.names()[1])).unwrap();
    let line = format!("run --hostfile {} PROGRAM", file.display());
    let outcome = run(&hosts, &place, &line, "wait\nbreak call\nrestart\n[0-2] wait\ngo\nwait\n").expect(0);
    assert_eq!(outcome.of("session").len(), 2);
    assert_eq!(outcome.ranks("stopped", "reason", "breakpoint"), "0-2");
    hosts.nothing_left(&place);
}

#[test]
fn a_host_that_cannot_be_reached_is_named() {
    let hosts = Hosts::new(2);
    for (line, words) in [
        ("run --hosts HOSTS,nowhere.invalid PROGRAM", vec!["on nowhere.invalid", "resolve"]),
        ("run --hosts HOSTS /nonexistent/app", vec!["cannot start", "/nonexistent/app: No such file"]),
    ] {
        let place = Place::new();
        let outcome = run(&hosts, &place, line, "").expect(4);
        let said = format!("{}{}", outcome.text, outcome.errors);
        assert!(words.iter().all(|word| said.contains(word)), "{said}");
        hosts.nothing_left(&place);
    }
}

/// Ports with a listener on a host.
fn listening(hosts: &Hosts, host: usize) -> Vec<u16> {
    let mut ports = Vec::new();
    for table in ["tcp", "tcp6"] {
        let output = hosts.command(host, "cat").arg(format!("/proc/net/{table}")).output().unwrap();
        // Local address, remote address, state: 0A listens (proc(5)).
        let lines = String::from_utf8(output.stdout).unwrap();
        let of_line = |line: &str| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let port = words.get(1)?.rsplit_once(':')?.1;
            (words.get(3) == Some(&"0A")).then(|| u16::from_str_radix(port, 16).unwrap())
        };
        ports.extend(lines.lines().filter_map(of_line).filter(|port| *port != 22));
    }
    ports
}

#[test]
fn hosts_with_addresses_of_ipv6_alone_and_few_ports() {
    let hosts = Hosts::of(3, &Kind { v6: true, ..Kind::default() });
    let place = Place::new();
    let line = words(&hosts, "run --hosts HOSTS --fan-out 1 --port-range 47100-47109 PROGRAM");
    let mut live = Live::start(&place, &line.iter().map(String::as_str).collect::<Vec<_>>());
    live.until_stopped("0-2");
    for host in 0..3 {
        let ports = listening(&hosts, host);
        assert!(!ports.is_empty() && ports.iter().all(|port| (47100..47110).contains(port)), "{ports:?}");
    }
    assert!(live.run("where").iter().any(|object| object["type"] == "stack" && object["ranks"] == "0-2"));
    live.run("quit");
    live.end();
    place.until_empty();
    hosts.nothing_left(&place);
}

/// Copies of rankscope in the temporary directory.
fn copies() -> Vec<PathBuf> {
    let mut all = files_in(Path::new("/tmp"));
    all.retain(|path| path.file_name().is_some_and(|name| name == "rankscope") && path.is_file());
    all
}

#[test]
fn a_host_without_rankscope_gets_a_copy_if_that_is_wanted() {
    let binaries = Path::new(env!("CARGO_BIN_EXE_rankscope")).parent().unwrap().to_owned();
    let hosts = Hosts::of(4, &Kind { without: Some(binaries), ..Kind::default() });
    let place = Place::new();
    let outcome = run(&hosts, &place, "run --hosts HOSTS -n 8 PROGRAM", "").expect(4);
    let is_named = hosts.names().iter().any(|name| outcome.text.contains(&format!("on {name} ended")));
    assert!(outcome.text.contains("--stage") && is_named, "{}", outcome.text);
    let before = copies();
    let outcome = run(&hosts, &place, "run --stage --hosts HOSTS -n 8 PROGRAM", COUNT).expect(0);
    counted(&outcome);
    hosts.nothing_left(&place);
    assert_eq!(copies(), before);
    // The launcher's hosts find it in the shared directory.
    let job = open_mpi(&hosts);
    let line = format!("run --stage {} {}", job.join(" "), ring().display());
    let outcome = run(&hosts, &place, &line, "[0-7] wait\nwhere\ngo\nwait exited\n").expect(0);
    assert_eq!(outcome.of("session")[0]["hosts"], two_each(&hosts));
    assert_eq!(outcome.ranks("exited", "code", 0), "0-7");
    hosts.nothing_left(&place);
}

/// The lengths of the executables of a host's processes, also of deleted ones.
fn lengths_of_programs(hosts: &Hosts, host: usize) -> Vec<u64> {
    let files = hosts.processes(host).into_iter().map(|pid| format!("/proc/{pid}/exe"));
    files.filter_map(|file| Some(fs::metadata(file).ok()?.len())).collect()
}

#[test]
fn the_static_file_beside_rankscope_is_what_hosts_without_it_get() {
    // As installed, but with another file of the same program, identified by its length, instead of the static one.
    let installed = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let (own, portable) = (installed.path().join("rankscope"), installed.path().join("rankscope-static"));
    fs::hard_link(env!("CARGO_BIN_EXE_rankscope"), &own).unwrap();
    let stripped = Command::new("strip").arg("-o").args([&portable, &own]).status().unwrap();
    assert!(stripped.success());
    let length = |file: &Path| fs::metadata(file).unwrap().len();
    assert_ne!(length(&own), length(&portable));

    let hosts = Hosts::of(2, &Kind { without: Some(installed.path().to_owned()), ..Kind::default() });
    let place = Place::new();
    let mut line = vec!["run --stage --hosts HOSTS -n 2 PROGRAM".to_owned()];
    let job = open_mpi(&hosts).join(" ").replace("-n 8", "-n 2 --map-by node");
    line.push(format!("run --stage {job} {}", ring().display()));
    for line in line {
        let line = words(&hosts, &line);
        let line: Vec<&str> = line.iter().map(String::as_str).collect();
        let mut live = Live::start_command(&place, &mut Command::new(&own), &line);
        live.until_stopped("0-1");
        for host in 0..2 {
            let lengths = lengths_of_programs(&hosts, host);
            assert!(lengths.contains(&length(&portable)) && !lengths.contains(&length(&own)), "{lengths:?}");
        }
        live.run("kill");
        live.run("quit");
        live.end();
        place.until_empty();
        hosts.nothing_left(&place);
    }
}

fn ring() -> PathBuf {
    build::build("mpicc.openmpi", "mpi_ring.c", &["-g", "-O0"])
}

fn open_mpi(hosts: &Hosts) -> Vec<String> {
    let names: Vec<String> = hosts.names().iter().map(|name| format!("{name}:2")).collect();
    let line = format!(
        "mpirun.openmpi --allow-run-as-root --mca plm_rsh_agent {} --mca oob_tcp_if_include {network} \
         --mca btl_tcp_if_include {network} --host {} -n 8",
        hosts.ssh(),
        names.join(","),
        network = hosts.network()
    );
    line.split(' ').map(str::to_owned).collect()
}

/// Attaches to a job of eight ranks by its launcher; `compiler` compiles for it.
fn attaches_on_all_hosts(hosts: &Hosts, job: &[String], compiler: &str) {
    let place = Place::new();
    let over = place.path().join("over");
    let program = build::build(compiler, "mpi_turns.c", &["-g", "-O0"]);
    let (mpirun, options) = job.split_first().unwrap();
    let mut command = Command::new(mpirun);
    command.args(options).arg(program).arg(&over).stdin(Stdio::null()).stdout(Stdio::piped());
    let mut mpirun = Guard::spawn(&mut command);
    let mut line = String::new();
    let mut output = BufReader::new(mpirun.0.stdout.take().unwrap());
    output.read_line(&mut line).unwrap();
    assert_eq!(line, "8 ranks turn\n");
    let script = "break turn\ngo\nwait\nprint rank\nup\nprint size\n";
    let line = format!("attach --starter {}", mpirun.0.id());
    let outcome = run(hosts, &place, &line, script).expect(0);
    assert_eq!(outcome.of("session")[0]["hosts"], two_each(hosts));
    assert_eq!(outcome.ranks("stopped", "reason", "breakpoint"), "0-7");
    for rank in 0..8 {
        assert_eq!(
            outcome.ranks("value", "value", rank.to_string()).split(',').next(),
            Some(rank.to_string().as_str())
        );
    }
    // They continue undisturbed: their sum is right, and no breakpoint left in them kills them.
    File::create(&over).unwrap();
    assert!(mpirun.wait().success());
    hosts.nothing_left(&place);
}

#[test]
fn a_running_mpirun_has_its_ranks_attached_to_on_all_hosts() {
    let hosts = Hosts::new(4);
    attaches_on_all_hosts(&hosts, &open_mpi(&hosts), "mpicc.openmpi");
}

/// It has no table of MPIR: its PMIx server says where the ranks are.
#[test]
fn a_running_mpirun_of_open_mpi_5_has_its_ranks_attached_to_on_all_hosts() {
    let hosts = Hosts::new(4);
    let names: Vec<String> = hosts.names().iter().map(|name| format!("{name}:2")).collect();
    let (mpirun, compiler) = open_mpi_5();
    let line = format!(
        "{mpirun} --allow-run-as-root --prtemca plm_ssh_agent {} --mca btl_tcp_if_include {} --host {} -n 8",
        hosts.ssh(),
        hosts.network(),
        names.join(",")
    );
    let job: Vec<String> = line.split(' ').map(str::to_owned).collect();
    attaches_on_all_hosts(&hosts, &job, &compiler);
}

/// `mpirun` and `mpicc` of Open MPI 5: the system's, or those that `tests/run` installs.
#[track_caller]
fn open_mpi_5() -> (String, String) {
    let version = Command::new("mpirun.openmpi").arg("--version").output().unwrap();
    if String::from_utf8_lossy(&version.stdout).contains("(Open MPI) 5") {
        return ("mpirun.openmpi".to_owned(), "mpicc.openmpi".to_owned());
    }
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/openmpi-5/bin");
    assert!(own.join("mpirun").exists(), "Open MPI 5 is needed for this test: tests/run installs it");
    ["mpirun", "mpicc"].map(|name| own.join(name).display().to_string()).into()
}

/// The commands of `docs/LAUNCHING.md` that name hosts.
#[test]
fn hosts_are_named_as_the_page_says() {
    let (hosts, mut ran) = (Hosts::new(4), 0);
    let page = include_str!("../../docs/LAUNCHING.md").split("```hosts\n").skip(1);
    for line in page.filter_map(|rest| rest.split("```").next()).flat_map(str::lines) {
        let place = Place::new();
        let file = place.path().join("hosts");
        fs::write(&file, hosts.names().join("\n")).unwrap();
        let named = |word: &str| -> String {
            let of_page = |part: &str| {
                let (host, room) = part.split_once(':').map_or((part, None), |(host, room)| (host, Some(room)));
                let name = &hosts.names()["abcd".find(host).unwrap()];
                room.map_or_else(|| name.clone(), |room| format!("{name}:{room}"))
            };
            word.split(',').map(of_page).collect::<Vec<_>>().join(",")
        };
        let mut words: Vec<String> = line.split(' ').skip(1).map(str::to_owned).collect();
        for at in 1..words.len() {
            match words[at - 1].as_str() {
                "--hosts" => words[at] = named(&words[at]),
                "--hostfile" => words[at] = file.display().to_string(),
                _ if words[at] == "./app" => words[at] = program().display().to_string(),
                _ => {}
            }
        }
        let outcome = run(&hosts, &place, &words.join(" "), "wait\nwhere\n").expect(0);
        let wanted = if line.contains("-n 8") {
            "0-7"
        } else if line.contains("a:4,b:2") {
            "0-5"
        } else {
            "0-3"
        };
        assert_eq!(outcome.ranks("stopped", "reason", "start"), wanted, "{line}");
        ran += 1;
    }
    assert_eq!(ran, 3);
}
