//! A tree as the Parallel Tools Platform starts it: a master, a server per rank, one routing file for all, and a
//! listening client. A server is told only its number.

use crate::support::base_client::Bench;
use crate::support::build::build;
use crate::support::ports::free_port;
use crate::support::process::Guard;
use crate::support::wait::wait_for;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::fs;
use std::io::Read;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use tempfile::TempDir;

/// Everything but the client, on this host. The routing file does not exist yet.
struct Tree {
    runtime: Arc<TempDir>,
    routes: PathBuf,
    client: TcpListener,
}

impl Tree {
    fn new() -> Self {
        let runtime = Arc::new(tempfile::tempdir().unwrap());
        let routes = runtime.path().join("routes");
        Self { runtime, routes, client: TcpListener::bind("127.0.0.1:0").unwrap() }
    }

    /// Starts a process with the same options as all but the first.
    fn start(&self, role: &str) -> Guard {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rankscope-sdm"));
        let port = self.client.local_addr().unwrap().port();
        command.args([role, "--host=127.0.0.1", &format!("--port={port}"), "--topology=binomial"]);
        command.arg(format!("--routing_file={}", self.routes.display()));
        command.env("XDG_RUNTIME_DIR", self.runtime.path()).stdin(Stdio::null()).stderr(Stdio::piped());
        Guard::spawn(&mut command)
    }

    /// Four routing lines with free ports for the servers.
    fn lines(&self) -> Vec<String> {
        (0..4).map(|server| format!("{server} 127.0.0.1 {}\n", free_port())).collect()
    }

    fn write(&self, lines: &[String]) {
        fs::write(&self.routes, format!("4\n{}", lines.concat())).unwrap();
    }

    /// Waits until the master has connected to the client.
    #[track_caller]
    fn linked(&self, master: Guard, program: &Path) -> Bench {
        let (link, _) = self.client.accept().unwrap();
        Bench::over(link, master, Arc::clone(&self.runtime), program)
    }
}

/// As a launcher of that platform starts them: the same options for all, the rank in the environment, the routing file
/// in the current directory.
#[test]
fn servers_find_their_rank_in_the_environment_and_the_file_in_their_directory() {
    let (mut tree, program) = (Tree::new(), program());
    tree.routes = tree.runtime.path().join("routing_file");
    let port = tree.client.local_addr().unwrap().port();
    let start = |rank: Option<u32>| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rankscope-sdm"));
        command.args([
            "--host=127.0.0.1",
            &format!("--port={port}"),
            "--debugger=gdb-mi",
            "--proxy=tcp",
            "--debug=127",
        ]);
        command.env("XDG_RUNTIME_DIR", tree.runtime.path()).current_dir(tree.runtime.path());
        command.stdin(Stdio::null()).stderr(Stdio::piped());
        for name in ["OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"] {
            command.env_remove(name);
        }
        command.envs(rank.map(|rank| ("PMI_RANK", rank.to_string())));
        Guard::spawn(&mut command)
    };
    let servers: Vec<Guard> = (0..4).map(|rank| start(Some(rank))).collect();
    let master = start(None);
    tree.write(&tree.lines());
    let mut bench = tree.linked(master, &program);
    bench.start();
    bench.say(23, 2, &["4:0f"]);
    assert!(bench.hear().contains(" 0074:00000002:00000002 00000004:4:0f "));
    bench.say(0, 3, &[]);
    bench.end();
    all_end(servers);
}

/// The launcher starts the servers, and the output of the ranks reaches the launcher.
#[test]
fn a_job_of_a_launcher_runs_under_servers_that_the_launcher_started() {
    let mut tree = Tree::new();
    tree.routes = tree.runtime.path().join("routing_file");
    let program = build("mpicc.mpich", "mpi_ring.c", &["-g", "-O0"]);
    let port = tree.client.local_addr().unwrap().port();
    let words = ["--host=127.0.0.1".to_owned(), format!("--port={port}"), "--debugger=native".to_owned()];
    let start = |mut command: Command| {
        command.args(&words).env("XDG_RUNTIME_DIR", tree.runtime.path()).current_dir(tree.runtime.path());
        Guard::spawn(command.stdin(Stdio::null()).stderr(Stdio::piped()))
    };
    let sdm = env!("CARGO_BIN_EXE_rankscope-sdm");
    let mut launcher = Command::new("mpiexec.hydra");
    // The hosts of other tests come and go as network devices of this one, which UCX would look at.
    launcher.args(["-n", "4", sdm]).env("UCX_NET_DEVICES", "lo");
    let launcher = start(launcher);
    let mut master = Command::new(sdm);
    master.arg("--master");
    let master = start(master);
    tree.write(&tree.lines());
    let mut bench = tree.linked(master, &program);
    bench.start();
    bench.say(10, 2, &["4:0f"]);
    let (ends, said) = bench.hear_run(2, 102, 0x0f, true);
    assert!(ends.iter().all(|end| end.ends_with(" 00000001:0 00000001:0")), "{ends:?}");
    for rank in 0..4 {
        assert!(said.iter().any(|text| text.contains(&format!("rank {rank} of 4 is done"))), "{said:?}");
    }
    bench.say(0, 3, &[]);
    bench.end();
    all_end(vec![launcher]);
}

fn program() -> PathBuf {
    build("cc", "point.c", &["-g", "-O0"])
}

/// The standard error of a process that ends.
#[track_caller]
fn last_words(mut process: Guard) -> (bool, String) {
    let mut words = String::new();
    let is_good = process.wait().success();
    process.0.stderr.take().unwrap().read_to_string(&mut words).unwrap();
    (is_good, words)
}

#[track_caller]
fn all_end(servers: Vec<Guard>) {
    for server in servers {
        assert_eq!(last_words(server), (true, String::new()));
    }
}

/// The file is written when some have started already, and is incomplete at first; the last server starts after all
/// others.
#[test]
fn master_and_servers_meet_by_a_routing_file_that_comes_late() {
    let (tree, program) = (Tree::new(), program());
    let lines = tree.lines();
    let mut servers = vec![tree.start("--server=2")];
    let master = tree.start("--master");
    servers.push(tree.start("--server=0"));
    tree.write(&lines[..2]);
    servers.push(tree.start("--server=3"));
    tree.write(&lines);
    let key = tree.routes.with_extension("key");
    let mut bench = tree.linked(master, &program);
    servers.push(tree.start("--server=1"));
    bench.start();
    bench.say(3, 2, &["4:0f", "1", "0", "0", "", "work", "", "0", "0"]);
    assert!(bench.hear().contains(" 0068:00000002:"));
    bench.say(10, 3, &["4:0f"]);
    let (stops, _) = bench.hear_run(3, 113, 0x0f, true);
    assert!(stops.iter().all(|stop| stop.contains(" 00000001:0 00000001:1 00000001:1 ")), "{stops:?}");
    bench.say(16, 4, &["4:0f", "p.x"]);
    assert!(bench.hear().contains(" 006a:00000004:00000005 00000004:4:0f 00000003:is4 00000008:0000000B "));
    bench.say(10, 5, &["4:0f"]);
    let (ends, _) = bench.hear_run(5, 102, 0x0f, true);
    assert!(ends.iter().all(|end| end.ends_with(" 00000001:0 00000001:0")), "{ends:?}");
    assert!(key.exists());
    bench.say(0, 6, &[]);
    bench.end();
    all_end(servers);
    assert!(!key.exists(), "the key goes with the master");
}

#[test]
fn a_line_that_means_nothing_is_named_by_all_who_read_it() {
    let tree = Tree::new();
    let mut all = vec![tree.start("--server=0"), tree.start("--server=3")];
    let mut lines = tree.lines();
    lines[2] = "2 127.0.0.1 many\n".to_owned();
    tree.write(&lines);
    all.push(tree.start("--master"));
    for process in all {
        let (is_good, words) = last_words(process);
        assert!(!is_good && words.contains("line 4 of the routing file: invalid port \"many\""), "{words}");
    }
}

#[test]
fn a_server_that_the_file_does_not_name_says_so() {
    let tree = Tree::new();
    tree.write(&tree.lines());
    let master = tree.start("--master");
    let (is_good, words) = last_words(tree.start("--server=4"));
    assert!(!is_good && words.contains("lists 4 servers: it has no server 4"), "{words}");
    let mut bench = tree.linked(master, &program());
    bench.say(0, 1, &[]);
    bench.end();
}

/// Rank 2 is below server 0 (wire, section 6): it moves to the master, which connects to its server.
#[test]
fn servers_whose_parent_is_killed_are_dialled_by_the_next_above() {
    let (tree, program) = (Tree::new(), program());
    tree.write(&tree.lines());
    let mut servers: Vec<Guard> = (0..4).map(|rank| tree.start(&format!("--server={rank}"))).collect();
    let mut bench = tree.linked(tree.start("--master"), &program);
    bench.start();
    let mut first = servers.remove(0);
    kill(Pid::from_raw(first.0.id() as i32), Signal::SIGKILL).unwrap();
    first.wait();
    // Rank 0 is lost, which the base dialect can only express as an error.
    let lost = bench.hear();
    assert!(lost.contains(" 0070:") && lost.contains(" 00000004:4:01 "), "{lost}");
    bench.say(23, 2, &["4:0e"]);
    let mut depth = bench.hear();
    if !depth.contains("4:0e") {
        depth += &bench.hear();
    }
    assert!(!depth.contains(" 0070:"), "{depth}");
    bench.say(10, 3, &["4:0e"]);
    let (ends, _) = bench.hear_run(3, 102, 0x0e, true);
    assert!(ends.iter().all(|end| end.ends_with(" 00000001:0 00000001:0")), "{ends:?}");
    bench.say(0, 4, &[]);
    let left = tree.runtime.path().join("rankscope");
    // The directory of the killed one remains, without an owner.
    wait_for("the others' directories to go", || (fs::read_dir(&left).unwrap().count() == 1).then_some(()));
    fs::remove_dir_all(left).unwrap();
    all_end(servers);
}
