//! A front end that the compute node reaches only through a port that ssh forwards.

use crate::support::batch::Place;
use crate::support::build;
use crate::support::connect::{Requests, TVCONNECT, end};
use crate::support::hosts::Hosts;
use crate::support::process::Guard;
use crate::support::wait::wait_for;
use std::process::Stdio;

const COMPUTE: usize = 0;
const LOGIN: usize = 1;

/// The front end's port, and the one that ssh forwards to it.
const PORT: u16 = 7077;
const FORWARDED: u16 = 7078;

struct Site {
    hosts: Hosts,
    place: Place,
    requests: Requests,
}

impl Site {
    fn new() -> Self {
        Self { hosts: Hosts::new(2), place: Place::new(), requests: Requests::new() }
    }

    /// Forwards a port of the compute node, and waits until it is open.
    #[track_caller]
    fn forward(&self, from: usize, option: &str, to: usize) -> Guard {
        let ssh = self.hosts.ssh();
        let mut command = self.hosts.command(from, &ssh);
        command.args(["-N", "-o", "ExitOnForwardFailure=yes", option]).arg(format!("{FORWARDED}:127.0.0.1:{PORT}"));
        let tunnel = Guard::spawn(command.arg(&self.hosts.names()[to]).stdin(Stdio::null()));
        let open = format!("127.0.0.1:{FORWARDED}");
        wait_for(&format!("{open} on the compute node"), || {
            let listed = self.hosts.command(COMPUTE, "ss").args(["-Hltn"]).output().unwrap();
            String::from_utf8_lossy(&listed.stdout).contains(&open).then_some(())
        });
        tunnel
    }

    /// A process on the compute node that asks for a debugger.
    #[track_caller]
    fn ask(&self) -> Guard {
        let mut command = self.hosts.command(COMPUTE, TVCONNECT);
        command.arg("--connect-dir").arg(self.requests.path()).args(["--quiet", "--"]).arg(build::plain("relay.c"));
        command.arg("x y").env("XDG_RUNTIME_DIR", self.place.path()).env("HOME", self.place.path());
        Guard::spawn(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()))
    }

    /// Accepts the request on the login node; returns what the script says.
    #[track_caller]
    fn accept(&self, options: &[&str]) -> (i32, String) {
        let mut command = self.hosts.command(LOGIN, env!("CARGO_BIN_EXE_rankscope"));
        command.args(["--batch", "-", "--timeout", "80", "--connect-dir"]).arg(self.requests.path()).args(options);
        let script = "reverse wait 30\nreverse accept\nprint argv[1]\nbreak work\ngo\nwait\nwhere\nkill\nwait exited\n";
        let outcome = self.place.run_command(&mut command, script);
        (outcome.status, format!("{}{}", outcome.text, outcome.errors))
    }
}

#[test]
fn a_port_that_the_compute_node_forwards_leads_to_the_front_end() {
    let site = Site::new();
    site.hosts.wall_off_from(COMPUTE, LOGIN, "22");
    let _tunnel = site.forward(COMPUTE, "-L", LOGIN);
    let waiting = site.ask();
    let forwarded = format!("localhost:{FORWARDED}");
    let (status, said) = site.accept(&["--connect-ports", &PORT.to_string(), "--connect-address", &forwarded]);
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("\"x y\"") && said.contains("work"), "{said}");
    assert_eq!(end(waiting).0, 137, "killed by the script");
}

#[test]
fn a_port_that_the_front_end_has_forwarded_leads_back_to_it() {
    let site = Site::new();
    site.hosts.part(COMPUTE, LOGIN);
    let _tunnel = site.forward(LOGIN, "-R", COMPUTE);
    let waiting = site.ask();
    let forwarded = format!("127.0.0.1:{FORWARDED}");
    let (status, said) = site.accept(&["--connect-ports", "7077-7079", "--connect-address", &forwarded]);
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("\"x y\"") && said.contains("work"), "{said}");
    assert_eq!(end(waiting).0, 137, "killed by the script");
}
