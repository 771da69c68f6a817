//! Several hosts on one machine: network namespaces with names and addresses of their own, on a bridge, each with an sshd.

use super::batch::Place;
use super::build::script;
use super::janitor::Janitor;
use super::process::Guard;
use super::wait::wait_for;
use std::{
    fs,
    net::{IpAddr, SocketAddr, TcpStream},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};
use tempfile::TempDir;

/// Networks of this process so far; names and addresses tell [`NETWORKS`] of them apart.
static COUNT: AtomicU32 = AtomicU32::new(0);
const NETWORKS: u32 = 16;

/// Hosts that reach each other and this one.
pub struct Hosts {
    names: Vec<String>,
    bridge: String,
    network: String,
    daemons: Vec<Guard>,
    _janitor: Janitor,
    directory: TempDir,
}

/// Options of a network.
#[derive(Clone, Debug, Default)]
pub struct Kind {
    /// True for IPv6 addresses only.
    pub v6: bool,
    /// A directory that the hosts lack.
    pub without: Option<PathBuf>,
}

#[track_caller]
fn done(program: &str, words: &[&str]) {
    let output = Command::new(program).args(words).stdin(Stdio::null()).output();
    let output = output.unwrap_or_else(|error| panic!("{program} is needed for this test: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program} {words:?}: {said}(network namespaces need root, or CAP_NET_ADMIN)");
}

#[track_caller]
fn ip(words: &str) {
    done("ip", &words.split(' ').collect::<Vec<_>>());
}

impl Hosts {
    /// A network of `count` hosts.
    #[track_caller]
    pub fn new(count: usize) -> Self {
        Self::of(count, &Kind::default())
    }

    /// A network of hosts with options.
    #[track_caller]
    pub fn of(count: usize, kind: &Kind) -> Self {
        let id = std::process::id() % 1000 * NETWORKS + COUNT.fetch_add(1, Ordering::Relaxed) % NETWORKS;
        let bridge = format!("rs{id}");
        let (part, of) = (64 + id / 250 % 64, id % 250);
        let network = if kind.v6 { format!("fd{part:02x}:{of:x}:") } else { format!("10.{part}.{of}") };
        let names: Vec<String> = (0..count).map(|host| format!("rs{id}n{host}")).collect();
        let directory = tempfile::tempdir_in("/tmp").unwrap();
        let clear = format!(
            "for host in {}; do for pid in $(ip netns pids $host); do kill -9 $pid; done; ip link del $host; \
             ip netns del $host; done; ip link del {bridge}; rm -rf {}",
            names.join(" "),
            directory.path().display()
        );
        let janitor = Janitor::new(&clear);
        let mut hosts = Self { names, bridge, network, daemons: Vec::new(), _janitor: janitor, directory };
        let (bridge, width) = (&hosts.bridge, if kind.v6 { "64 nodad" } else { "24" });
        ip(&format!("link add {bridge} type bridge"));
        ip(&format!("addr add {}/{width} dev {bridge}", hosts.own_address()));
        ip(&format!("link set {bridge} up"));
        for (i, name) in hosts.names.iter().enumerate() {
            ip(&format!("netns add {name}"));
            ip(&format!("link add {name} type veth peer name eth0 netns {name}"));
            ip(&format!("link set {name} master {bridge} up"));
            ip(&format!("-n {name} addr add {}/{width} dev eth0", hosts.address(i)));
            ip(&format!("-n {name} link set eth0 up"));
            ip(&format!("-n {name} link set lo up"));
        }
        hosts.write_ssh();
        let daemons: Vec<Guard> = (0..count).map(|host| hosts.sshd(host, kind.without.as_deref())).collect();
        hosts.daemons = daemons;
        for host in 0..count {
            let address = SocketAddr::new(hosts.address(host).parse::<IpAddr>().unwrap(), 22);
            wait_for(&format!("sshd on {address}"), || {
                TcpStream::connect_timeout(&address, Duration::from_secs(1)).ok().map(drop)
            });
        }
        hosts
    }

    fn file(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Writes keys and configuration of both sides, for this network alone.
    #[track_caller]
    fn write_ssh(&self) {
        for key in ["host-key", "key"] {
            done("ssh-keygen", &["-q", "-t", "ed25519", "-N", "", "-f", &self.file(key).display().to_string()]);
        }
        fs::copy(self.file("key.pub"), self.file("authorized")).unwrap();
        let host_key = fs::read_to_string(self.file("host-key.pub")).unwrap();
        fs::write(self.file("known"), format!("* {host_key}")).unwrap();
        let dir = self.directory.path().display();
        let hosts = self.names.iter().enumerate();
        let hosts = hosts.map(|(i, name)| format!("Host {name}\n  HostName {}\n", self.address(i)));
        let client = format!(
            "{}Host *\n  IdentityFile {dir}/key\n  IdentitiesOnly yes\n  UserKnownHostsFile {dir}/known\n  BatchMode yes\n  \
             StrictHostKeyChecking yes\n  CheckHostIP no\n  SendEnv XDG_* RANKSCOPE_*\n  LogLevel ERROR\n",
            hosts.collect::<String>()
        );
        fs::write(self.file("config"), client).unwrap();
        // bash reads the user's .bashrc for commands of ssh in its first level only: tests are to depend on no such file.
        let server = format!(
            "HostKey {dir}/host-key\nAuthorizedKeysFile {dir}/authorized\nPidFile none\nStrictModes no\nUsePAM no\nSetEnv SHLVL=1\n\
             PermitRootLogin prohibit-password\nAcceptEnv *\nMaxStartups 500\nUseDNS no\nLogLevel ERROR\nPrintMotd no\n"
        );
        fs::write(self.file("sshd_config"), server).unwrap();
        // Launchers expect a program without arguments.
        script(&self.file("ssh"), &format!("exec ssh -F {dir}/config \"$@\""));
    }

    /// Starts the sshd of a host, which has a name and, with `without`, a file system of its own.
    #[track_caller]
    fn sshd(&self, host: usize, without: Option<&Path>) -> Guard {
        // sshd's directory for privilege separation.
        fs::create_dir_all("/run/sshd").unwrap();
        let name = &self.names[host];
        let hide = without.map_or(String::new(), |path| format!("mount -t tmpfs none '{}' && ", path.display()));
        let script = format!(
            "hostname {name} && {hide}exec /usr/sbin/sshd -D -e -f {} 2>>{}",
            self.file("sshd_config").display(),
            self.file("sshd.log").display()
        );
        let mut command = Command::new("ip");
        command.args(["netns", "exec", name, "unshare", "--uts", "--mount", "sh", "-c", &script]);
        Guard::spawn(command.stdin(Stdio::null()))
    }

    /// The host names.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The address of a host.
    pub fn address(&self, host: usize) -> String {
        self.address_of(host + 2)
    }

    /// This host's address in the network.
    pub fn own_address(&self) -> String {
        self.address_of(1)
    }

    fn address_of(&self, number: usize) -> String {
        let dot = if self.network.contains(':') { ":" } else { "." };
        format!("{}{dot}{number}", self.network)
    }

    /// The ssh program for launchers.
    pub fn ssh(&self) -> String {
        self.file("ssh").display().to_string()
    }

    /// The ssh command as words.
    pub fn ssh_words(&self) -> String {
        format!("ssh -F {}", self.file("config").display())
    }

    /// The network as launchers want it.
    pub fn network(&self) -> String {
        format!("{}.0/24", self.network)
    }

    /// This host's interface to the network.
    pub fn interface(&self) -> &str {
        &self.bridge
    }

    /// Disconnects a host, or reconnects it.
    #[track_caller]
    pub fn connect(&self, host: usize, up: bool) {
        ip(&format!("link set {} {}", self.names[host], if up { "up" } else { "down" }));
    }

    /// Blocks new connections from a host to this one, except to a few ports; replies pass.
    #[track_caller]
    pub fn wall_off(&self, host: usize, open: &str) {
        self.wall(host, &format!("ip daddr {} tcp dport != {{ {open} }}", self.own_address()));
    }

    /// Blocks new connections from a host to another one, except to a few ports; replies pass.
    #[track_caller]
    pub fn wall_off_from(&self, host: usize, other: usize, open: &str) {
        self.wall(host, &format!("ip daddr {} tcp dport != {{ {open} }}", self.address(other)));
    }

    /// Blocks new connections from a host to another one.
    #[track_caller]
    pub fn part(&self, host: usize, other: usize) {
        self.wall(host, &format!("ip daddr {}", self.address(other)));
    }

    #[track_caller]
    fn wall(&self, host: usize, matching: &str) {
        let rules = format!(
            "add table inet wall\nadd chain inet wall out {{ type filter hook output priority 0; }}\n\
             add rule inet wall out {matching} tcp flags & (syn|ack) == syn drop\n"
        );
        let file = self.file("wall");
        fs::write(&file, rules).unwrap();
        done("ip", &["netns", "exec", &self.names[host], "nft", "-f", &file.display().to_string()]);
    }

    /// Changes a setting of a host's network, in words of ip(8).
    #[track_caller]
    pub fn configure(&self, host: usize, words: &str) {
        ip(&format!("-n {} {words}", self.names[host]));
    }

    /// Runs a command on a host.
    #[track_caller]
    pub fn command(&self, host: usize, program: &str) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.names[host], program]);
        command
    }

    /// Processes on a host, without its sshd.
    pub fn processes(&self, host: usize) -> Vec<i32> {
        let output = Command::new("ip").args(["netns", "pids", &self.names[host]]).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let own = self.daemons.get(host).map_or(0, |daemon| daemon.0.id() as i32);
        text.split_whitespace().filter_map(|pid| pid.parse().ok()).filter(|pid| *pid != own).collect()
    }

    /// Waits until only sshd runs on the hosts, and nothing of a place is left in their files.
    #[track_caller]
    pub fn nothing_left(&self, place: &Place) {
        self.until_idle();
        let parts = ["rankscope", "shared"].map(|part| place.path().join(part));
        let left: Vec<PathBuf> = parts.iter().flat_map(|part| files_in(part)).collect();
        assert!(left.is_empty(), "{left:?}");
    }

    /// Waits until only sshd runs on the hosts.
    #[track_caller]
    pub fn until_idle(&self) {
        for (host, name) in self.names.iter().enumerate() {
            wait_for(&format!("the end of all processes on {name}"), || self.processes(host).is_empty().then_some(()));
        }
    }
}

/// Files in a directory, at any depth.
pub fn files_in(directory: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(directory) else { return Vec::new() };
    let each = entries.flatten().map(|entry| entry.path());
    each.flat_map(|path| if path.is_dir() { files_in(&path) } else { vec![path] }).collect()
}
