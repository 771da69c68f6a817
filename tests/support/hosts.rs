//! Several hosts on one machine: network namespaces with names and addresses of their own, on a bridge.

use super::wait::wait_for;
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
    sync::{Mutex, MutexGuard},
};
use tempfile::TempDir;

/// One network at a time: its names and addresses are those of this process.
static TURN: Mutex<()> = Mutex::new(());

/// Hosts that reach each other, and this one.
pub struct Hosts {
    names: Vec<String>,
    bridge: String,
    network: String,
    directory: TempDir,
    _turn: MutexGuard<'static, ()>,
}

#[track_caller]
fn ip(words: &str) {
    let output = Command::new("ip").args(words.split(' ')).output();
    let output = output.unwrap_or_else(|error| panic!("ip (iproute2) is needed for this test: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "ip {words}: {said}(network namespaces need root, or CAP_NET_ADMIN)");
}

impl Hosts {
    /// So many.
    #[track_caller]
    pub fn new(count: usize) -> Self {
        let turn = TURN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let id = std::process::id() % 64000;
        let (bridge, network) = (format!("rs{id}"), format!("10.{}.{}", 64 + id / 250 % 64, id % 250));
        let names = (0..count).map(|host| format!("rs{id}n{host}")).collect();
        let hosts = Self { names, bridge, network, directory: tempfile::tempdir_in("/tmp").unwrap(), _turn: turn };
        let Self { names, bridge, network, .. } = &hosts;
        ip(&format!("link add {bridge} type bridge"));
        ip(&format!("addr add {network}.1/24 dev {bridge}"));
        ip(&format!("link set {bridge} up"));
        for (i, name) in names.iter().enumerate() {
            ip(&format!("netns add {name}"));
            ip(&format!("link add {name} type veth peer name eth0 netns {name}"));
            ip(&format!("link set {name} master {bridge} up"));
            ip(&format!("-n {name} addr add {network}.{}/24 dev eth0", i + 2));
            ip(&format!("-n {name} link set eth0 up"));
            ip(&format!("-n {name} link set lo up"));
        }
        let agent = hosts.agent();
        fs::write(
            &agent,
            "#!/bin/sh\n# HOST COMMAND…: what ssh does, on a host of this machine\n\
             while [ \"${1#-}\" != \"$1\" ]; do shift; done\nhost=$1\nshift\n\
             exec ip netns exec \"$host\" unshare --uts sh -c 'hostname \"$0\"; exec sh -c \"$*\"' \"$host\" \"$@\"\n",
        )
        .unwrap();
        fs::set_permissions(&agent, fs::Permissions::from_mode(0o755)).unwrap();
        hosts
    }

    /// Their names.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// What a launcher uses in place of ssh.
    pub fn agent(&self) -> PathBuf {
        self.directory.path().join("agent")
    }

    /// Their network, as launchers want it.
    pub fn network(&self) -> String {
        format!("{}.0/24", self.network)
    }

    /// The interface of this host to them.
    pub fn interface(&self) -> &str {
        &self.bridge
    }

    /// Cuts one off, or brings it back.
    #[track_caller]
    pub fn connect(&self, host: usize, up: bool) {
        ip(&format!("link set {} {}", self.names[host], if up { "up" } else { "down" }));
    }

    /// Waits until nothing runs on any of them.
    #[track_caller]
    pub fn until_idle(&self) {
        for name in &self.names {
            wait_for(&format!("the end of all processes on {name}"), || pids(name).is_empty().then_some(()));
        }
    }
}

fn pids(host: &str) -> Vec<i32> {
    let output = Command::new("ip").args(["netns", "pids", host]).output().unwrap();
    String::from_utf8_lossy(&output.stdout).split_whitespace().filter_map(|pid| pid.parse().ok()).collect()
}

impl Drop for Hosts {
    fn drop(&mut self) {
        let gone = |words: &str| drop(Command::new("ip").args(words.split(' ')).output());
        for name in &self.names {
            for pid in pids(name) {
                let _ = nix::sys::signal::kill(nix::unistd::Pid::from_raw(pid), nix::sys::signal::Signal::SIGKILL);
            }
            gone(&format!("link del {name}"));
            gone(&format!("netns del {name}"));
        }
        gone(&format!("link del {}", self.bridge));
    }
}

/// Files in a directory, at any depth.
pub fn files_in(directory: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(directory) else { return Vec::new() };
    let each = entries.flatten().map(|entry| entry.path());
    each.flat_map(|path| if path.is_dir() { files_in(&path) } else { vec![path] }).collect()
}
