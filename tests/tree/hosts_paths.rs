//! Hosts that are hard to reach: they cannot connect to the master's, have useless addresses, or have no names.

use crate::support::batch::{Outcome, Place};
use crate::support::build;
use crate::support::hosts::{Hosts, Kind, files_in};
use crate::support::live::Live;
use crate::support::secrets::{keys, nobody_shows};
use serde_json::{Value, json};
use std::path::PathBuf;

fn program() -> PathBuf {
    build::plain("counted.c")
}

const SCRIPT: &str = "wait\nbreak call\ngo\nwait\nwhere\nprint round\ndelete 1\ngo\nwait exited\n";

fn words(hosts: &Hosts, options: &[&str], list: &str) -> Vec<String> {
    let own = ["run".to_owned(), "--ssh".to_owned(), hosts.ssh_words(), "--hosts".to_owned(), list.to_owned()];
    let program = program().display().to_string();
    own.into_iter().chain(options.iter().map(|&word| word.to_owned())).chain([program]).collect()
}

/// A job of a rank on each host, from beginning to end.
#[track_caller]
fn whole_job(hosts: &Hosts, options: &[&str], list: &str) -> Outcome {
    let (place, words) = (Place::new(), words(hosts, options, list));
    let mut arguments = vec![words[0].as_str(), "--json", "--timeout", "80", "--batch", "-"];
    arguments.extend(words[1..].iter().map(String::as_str));
    let outcome = place.run(&arguments, SCRIPT).expect(0);
    let all = format!("0-{}", hosts.names().len() - 1);
    assert_eq!(outcome.ranks("stopped", "reason", "breakpoint"), all);
    assert_eq!(outcome.of("stack")[0]["ranks"], all, "{}", outcome.text);
    assert_eq!(outcome.ranks("value", "value", "0"), all);
    assert_eq!(outcome.ranks("exited", "code", 45), all);
    hosts.nothing_left(&place);
    outcome
}

#[test]
fn parents_dial_where_hosts_cannot_reach_the_master() {
    let hosts = Hosts::new(3);
    (0..3).for_each(|host| hosts.wall_off(host, "22"));
    let (place, list) = (Place::new(), hosts.names().join(","));
    // The firewall blocks the other direction, and a message says so.
    let up = words(&hosts, &[], &list);
    let arguments: Vec<&str> = up.iter().map(String::as_str).collect();
    let refused = place.run(&[&arguments[..1], &["--json", "--batch", "-"], &arguments[1..]].concat(), "").expect(4);
    assert!(refused.text.contains("no reply within"), "{}", refused.text);
    hosts.nothing_left(&place);
    whole_job(&hosts, &["--parents-dial"], &list);
    // In a tree with more levels, hosts connect to each other.
    whole_job(&hosts, &["--parents-dial", "--fan-out", "1", "--port-range", "47200-47219"], &list);
}

/// A parent that cannot reach one of its children: that child and those below it connect to the master.
#[test]
fn a_child_that_its_parent_cannot_reach_stays_with_the_master() {
    let hosts = Hosts::new(3);
    hosts.part(0, 1);
    whole_job(&hosts, &["--parents-dial", "--fan-out", "1"], &hosts.names().join(","));
}

#[test]
fn a_launchers_job_behind_a_wall() {
    let hosts = Hosts::new(3);
    (0..3).for_each(|host| hosts.wall_off(host, "22, 21000-21099"));
    let program = build::build("mpicc.openmpi", "mpi_ring.c", &["-g", "-O0"]);
    // Ports that the launcher itself needs are open.
    let line = format!(
        "--parents-dial mpirun.openmpi --allow-run-as-root --mca plm_rsh_agent {} --mca oob_tcp_if_include {network} \
         --mca oob_tcp_dynamic_ipv4_ports 21000-21099 --mca btl_tcp_if_include {network} --host {} -n 3 {}",
        hosts.ssh(),
        hosts.names().join(","),
        program.display(),
        network = hosts.network()
    );
    let place = Place::new();
    let mut arguments = vec!["run", "--json", "--timeout", "80", "--batch", "-"];
    arguments.extend(line.split(' '));
    let outcome = place.run(&arguments, "wait\nwhere\ngo\nwait exited\n").expect(0);
    let each: Value =
        hosts.names().iter().zip(["0", "1", "2"]).map(|(name, rank)| (name.clone(), json!(rank))).collect();
    assert_eq!(outcome.of("session")[0]["hosts"], each);
    assert_eq!(outcome.ranks("exited", "code", 0), "0-2");
    hosts.nothing_left(&place);
}

/// An inner node of the tree is cut off: the next one above connects to those below it.
#[test]
fn children_of_a_lost_host_are_dialled_by_others() {
    let (hosts, place) = (Hosts::new(3), Place::new());
    let words = words(&hosts, &["--parents-dial", "--fan-out", "1"], &hosts.names().join(","));
    let mut live = Live::start(&place, &words.iter().map(String::as_str).collect::<Vec<_>>());
    live.until_stopped("0-2");
    hosts.connect(1, false);
    live.until("the loss", |object| object["type"] == "lost" && object["ranks"] == "1");
    live.run("[2] break call");
    live.run("[2] go");
    assert!(live.run("[2] wait").iter().any(|object| object["type"] == "stopped" && object["ranks"] == "2"));
    assert!(live.run("[0,2] where").iter().any(|object| object["type"] == "stack"));
    hosts.connect(1, true);
    live.run("quit");
    live.end();
    place.until_empty();
    hosts.nothing_left(&place);
}

/// Every host has an additional, unreachable address; hosts are given by address, not by name.
#[test]
fn hosts_have_several_addresses_and_no_names() {
    for v6 in [false, true] {
        let hosts = Hosts::of(3, &Kind { v6, ..Kind::default() });
        for host in 0..3 {
            hosts.configure(host, "link add far0 type veth peer name far1");
            // Before the others in every list.
            hosts.configure(host, &format!("addr add 10.0.0.{}/24 dev far0", host + 1));
            hosts.configure(host, &format!("addr add fd00:aaaa::{}/64 dev far0 nodad", host + 1));
            hosts.configure(host, "link set far0 up");
            hosts.configure(host, "link set far1 up");
        }
        let numbers = (0..3).map(|host| hosts.address(host));
        let list = numbers.map(|number| if v6 { format!("[{number}]") } else { number }).collect::<Vec<_>>().join(",");
        for options in [&["--fan-out", "1"][..], &["--fan-out", "1", "--parents-dial"]] {
            let outcome = whole_job(&hosts, options, &list);
            let named: Vec<String> = outcome.of("session")[0]["hosts"].as_object().unwrap().keys().cloned().collect();
            assert_eq!(named, (0..3).map(|host| hosts.address(host)).collect::<Vec<_>>());
        }
    }
}

#[test]
fn nobody_sees_the_key_of_a_session_on_other_hosts() {
    let (hosts, place) = (Hosts::new(3), Place::new());
    let words = words(&hosts, &["--fan-out", "1"], &hosts.names().join(","));
    let mut live = Live::start(&place, &words.iter().map(String::as_str).collect::<Vec<_>>());
    let mut most = 0;
    // While it connects, and when it is complete: front end, master, three ssh and their sshd, servers and ranks.
    let keys = crate::support::wait::wait_for("a key", || {
        let whole = |path: &PathBuf| path.ends_with("key") && path.metadata().is_ok_and(|facts| facts.len() == 32);
        let found = files_in(place.path()).iter().any(whole);
        found.then(|| keys(&place))
    });
    for line in ["status", "wait", "where"] {
        most = most.max(nobody_shows(&keys));
        live.run(line);
    }
    assert!(most >= 10, "{most}");
    live.run("quit");
    live.end();
    place.until_empty();
    hosts.nothing_left(&place);
}
