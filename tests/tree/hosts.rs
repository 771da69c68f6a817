//! Jobs started by launchers on several hosts.

use crate::support::batch::Place;
use crate::support::hosts::Hosts;
use crate::support::live::Live;
use crate::support::process::runs;
use crate::support::wait::wait_for;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};

fn compile(mpi: &str) -> String {
    crate::support::build::build(&format!("mpicc.{mpi}"), "mpi_ring.c", &["-g", "-O0"]).display().to_string()
}

fn open_mpi(hosts: &Hosts, share: usize) -> Vec<String> {
    let names: Vec<String> = hosts.names().iter().map(|name| format!("{name}:{share}")).collect();
    let network = hosts.network();
    let line = format!(
        "mpirun.openmpi --allow-run-as-root --mca plm_rsh_agent {} --mca oob_tcp_if_include {network} \
         --mca btl_tcp_if_include {network} --host {} -n {}",
        hosts.ssh(),
        names.join(","),
        share * names.len()
    );
    line.split(' ').map(str::to_owned).chain([compile("openmpi")]).collect()
}

fn mpich(hosts: &Hosts, share: usize) -> Vec<String> {
    let line = format!(
        "mpiexec.hydra -launcher ssh -launcher-exec {} -iface {} -hosts {} -ppn {share} -n {}",
        hosts.ssh(),
        hosts.interface(),
        hosts.names().join(","),
        share * hosts.names().len()
    );
    line.split(' ').map(str::to_owned).chain([compile("mpich")]).collect()
}

/// The ranks of each host.
fn expected(hosts: &Hosts, share: usize) -> Value {
    let sets = hosts.names().iter().enumerate().map(|(i, name)| {
        let (first, last) = (i * share, (i + 1) * share - 1);
        (name.clone(), json!(if first == last { first.to_string() } else { format!("{first}-{last}") }))
    });
    Value::Object(sets.collect())
}

/// One server per host, answers merged over all of them, and nothing left anywhere.
#[track_caller]
fn whole_job(hosts: &Hosts, options: &[&str], command: &[String]) {
    let place = Place::new();
    let mut arguments = vec!["run", "--json", "--timeout", "60", "--batch", "-"];
    arguments.extend(options);
    arguments.extend(command.iter().map(String::as_str));
    let script = "next\nnext\nnext\nnext\nwhere\nprint size\ngo\nwait exited\n";
    let outcome = place.run(&arguments, script).expect(0);
    assert_eq!(outcome.of("session")[0]["hosts"], expected(hosts, 2));
    let stacks = outcome.of("stack");
    assert_eq!(stacks.len(), 1, "equal stacks of all hosts are one: {stacks:?}");
    assert_eq!((stacks[0]["ranks"].as_str(), stacks[0]["frames"][0]["function"].as_str()), (Some("0-7"), Some("main")));
    assert_eq!(outcome.ranks("value", "value", "8"), "0-7");
    assert_eq!(outcome.ranks("exited", "code", 0), "0-7");
    hosts.nothing_left(&place);
}

#[test]
fn a_job_on_four_hosts_under_open_mpi() {
    let hosts = Hosts::new(4);
    whole_job(&hosts, &[], &open_mpi(&hosts, 2));
}

#[test]
fn a_job_on_four_hosts_under_mpich() {
    let hosts = Hosts::new(4);
    // A tree with more than one level.
    whole_job(&hosts, &["--fan-out", "1"], &mpich(&hosts, 2));
}

#[test]
fn a_host_that_is_cut_off_takes_only_its_own_ranks_along() {
    let hosts = Hosts::new(3);
    let place = Place::new();
    let command = mpich(&hosts, 1);
    let words: Vec<&str> = ["run"].into_iter().chain(command.iter().map(String::as_str)).collect();
    let mut live = Live::start(&place, &words);
    live.until_stopped("0-2");
    hosts.connect(1, false);
    // A query before the loss is noticed: available answers arrive, and nobody waits forever.
    let lines = live.run("where");
    let of = |kind: &str| -> Vec<Value> {
        lines.iter().filter(|object| object["type"] == kind).map(|object| object["ranks"].clone()).collect()
    };
    assert_eq!(of("stack"), ["0,2"]);
    assert!(of("lost").into_iter().chain(of("missing")).all(|ranks| ranks == "1"), "{lines:?}");
    if of("lost").is_empty() {
        live.until("the loss", |object| object["type"] == "lost" && object["ranks"] == "1");
    }
    let lines = live.run("[0,2] next");
    assert!(lines.iter().any(|object| object["type"] == "stopped" && object["ranks"] == "0,2"), "{lines:?}");
    hosts.connect(1, true);
    // Its server has given it up by itself, or does so when it learns that it is no longer wanted.
    let ranks = || hosts.processes(1).into_iter().filter(|pid| runs(*pid, "mpi_ring")).count();
    wait_for("the end of the rank that was given up", || (ranks() == 0).then_some(()));
    assert!(live.run("[0,2] where").iter().any(|object| object["type"] == "stack" && object["ranks"] == "0,2"));
    let lines = live.run("status");
    let groups = lines.iter().find_map(|object| object["groups"].as_array()).unwrap();
    let lost = groups.iter().filter(|group| group["state"] == "lost").map(|group| &group["ranks"]);
    assert_eq!(lost.collect::<Vec<_>>(), ["1"], "{lines:?}");
    live.run("quit");
    live.end();
    place.until_empty();
    hosts.until_idle();
}

/// A way to keep a host from answering in time, and to let it answer again.
#[derive(Clone, Copy, Debug)]
enum Slowness {
    Network,
    Server,
}

impl Slowness {
    #[track_caller]
    fn begins(self, hosts: &Hosts, host: usize, begins: bool) {
        match self {
            Self::Network => hosts.connect(host, !begins),
            Self::Server => {
                let words = |pid: &i32| std::fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
                let is_server = |pid: &i32| words(pid).split('\0').any(|word| word == "--server");
                let server = hosts.processes(host).into_iter().find(is_server).unwrap();
                let signal = if begins { Signal::SIGSTOP } else { Signal::SIGCONT };
                kill(Pid::from_raw(server), signal).unwrap();
            }
        }
    }
}

/// A host that is only slow: waiting users learn that it is silent, and its late replies are marked.
#[test]
fn a_host_that_is_only_slow_has_its_answers_marked_as_late() {
    let (hosts, place) = (Hosts::new(3), Place::new());
    let command = mpich(&hosts, 1);
    let words: Vec<&str> = ["run"].into_iter().chain(command.iter().map(String::as_str)).collect();
    let mut live = Live::start(&place, &words);
    live.until_stopped("0-2");
    for slowness in [Slowness::Network, Slowness::Server] {
        for (line, kind) in [("print size", "value"), ("where", "stack")] {
            // Much shorter than the time after which it is lost.
            live.run("set patience 0.5");
            slowness.begins(&hosts, 1, true);
            let lines = live.run(line);
            let of = |kind: &str| -> Vec<&Value> { lines.iter().filter(|object| object["type"] == kind).collect() };
            let ranks = |kind: &str| -> Vec<&Value> { of(kind).into_iter().map(|object| &object["ranks"]).collect() };
            assert_eq!((ranks("missing"), ranks(kind)), (vec![&json!("1")], vec![&json!("0,2")]), "{lines:?}");
            slowness.begins(&hosts, 1, false);
            let late = live.until("the late answer", |object| object["late"] == true);
            let late = late.last().unwrap();
            assert_eq!((&late["type"], &late["ranks"], &late["command"]), (&json!(kind), &json!("1"), &json!(line)));
        }
        live.run("set patience 20");
        let lines = live.run("print size");
        let all = lines.iter().filter(|object| object["type"] == "value" && object["late"].is_null());
        assert_eq!(all.map(|object| object["ranks"].as_str().unwrap()).collect::<Vec<_>>(), ["0-2"], "{slowness:?}");
    }
    live.run("quit");
    live.end();
    place.until_empty();
    hosts.until_idle();
}

/// Bytes that this host has queued for another one (proc(5), /proc/net/tcp).
fn queued_to(address: &str) -> u64 {
    let parts: Vec<u8> = address.split('.').map(|part| part.parse().unwrap()).collect();
    let wanted = format!("{:08X}", u32::from_le_bytes(parts.try_into().unwrap()));
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"].map(|table| std::fs::read_to_string(table).unwrap());
    let queued = tables.iter().flat_map(|table| table.lines().skip(1)).filter_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let host = words.get(2)?.split(':').next()?;
        let queued = words.get(4)?.split(':').next()?;
        host.ends_with(&wanted).then(|| u64::from_str_radix(queued, 16).unwrap())
    });
    queued.sum()
}

/// Sends queries until more is queued for a stopped server than its host accepts.
fn fill(live: &mut Live, hosts: &Hosts, host: usize) {
    let long = format!("print \"{}\"", "x".repeat(60_000));
    live.run("set patience 0.1");
    let mut before = 0;
    loop {
        live.run(&long);
        let queued = queued_to(&hosts.address(host));
        // Further requests stay here.
        if queued > 200_000 && queued >= before + 60_000 {
            return;
        }
        before = queued;
    }
}

fn on_three_hosts(hosts: &Hosts, place: &Place) -> Live {
    let command = mpich(hosts, 1);
    let words: Vec<&str> = ["run"].into_iter().chain(command.iter().map(String::as_str)).collect();
    let mut live = Live::start(place, &words);
    live.until_stopped("0-2");
    live
}

/// Twice the silence after which a host is lost.
const LONG: std::time::Duration = std::time::Duration::from_secs(8);

#[test]
fn a_server_that_does_not_read_is_waited_for_though_buffers_are_full() {
    let (hosts, place) = (Hosts::new(3), Place::new());
    let mut live = on_three_hosts(&hosts, &place);
    Slowness::Server.begins(&hosts, 1, true);
    fill(&mut live, &hosts, 1);
    let full = std::time::Instant::now();
    wait_for("the time in which a silent host is lost", || {
        assert!(queued_to(&hosts.address(1)) > 0, "the link is gone");
        (full.elapsed() > LONG).then_some(())
    });
    Slowness::Server.begins(&hosts, 1, false);
    live.run("set patience 20");
    let lines = live.run("print size");
    let all = lines.iter().filter(|object| object["type"] == "value" && object["late"].is_null());
    assert_eq!(all.map(|object| object["ranks"].as_str().unwrap()).collect::<Vec<_>>(), ["0-2"]);
    live.run("quit");
    live.end();
    place.until_empty();
    hosts.until_idle();
}

#[test]
fn a_host_that_is_cut_off_is_lost_though_its_server_did_not_read_before() {
    let (hosts, place) = (Hosts::new(3), Place::new());
    let mut live = on_three_hosts(&hosts, &place);
    Slowness::Server.begins(&hosts, 1, true);
    fill(&mut live, &hosts, 1);
    // By now the kernel rarely probes for room.
    let full = std::time::Instant::now();
    wait_for("the time in which a silent host is lost", || (full.elapsed() > LONG).then_some(()));
    hosts.connect(1, false);
    live.until("the loss", |object| object["type"] == "lost" && object["ranks"] == "1");
    // Before the launcher learns that a rank has ended, and ends the job.
    assert!(live.run("[0,2] where").iter().any(|object| object["type"] == "stack" && object["ranks"] == "0,2"));
    hosts.connect(1, true);
    Slowness::Server.begins(&hosts, 1, false);
    let ranks = || hosts.processes(1).into_iter().filter(|pid| runs(*pid, "mpi_ring")).count();
    wait_for("the end of the rank that was given up", || (ranks() == 0).then_some(()));
    live.run("quit");
    live.end();
    place.until_empty();
    hosts.until_idle();
}
