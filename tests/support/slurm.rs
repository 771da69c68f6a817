//! A Slurm cluster of four nodes on this host, in a directory of its own: munged, slurmctld and a slurmd per node, run
//! as root.

use super::batch::Place;
use super::build::{build, script};
use super::janitor::Janitor;
use super::ports::free_port;
use super::process::Guard;
use super::wait::wait_for;
use std::{
    fmt::Write as _,
    fs,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{Arc, Mutex, Weak},
};
use tempfile::TempDir;

const NODES: [&str; 4] = ["n1", "n2", "n3", "n4"];

/// The cluster. Its daemons end with it.
pub struct Cluster {
    // In the order in which they are killed.
    nodes: Vec<Guard>,
    _controller: Guard,
    _munge: Guard,
    _janitor: Janitor,
    directory: TempDir,
}

static PRESENT: Mutex<Weak<Cluster>> = Mutex::new(Weak::new());

/// This test binary's cluster: one for all tests that run at a time.
#[track_caller]
pub fn cluster() -> Arc<Cluster> {
    let mut present = PRESENT.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(cluster) = present.upgrade() {
        return cluster;
    }
    let cluster = Arc::new(Cluster::start(None));
    *present = Arc::downgrade(&cluster);
    cluster
}

/// A cluster for one test, whose clock it can set ahead.
#[track_caller]
pub fn cluster_with_clock() -> Arc<Cluster> {
    Arc::new(Cluster::start(Some(&build("gcc", "clock.c", &["-shared", "-fPIC", "-O1"]))))
}

/// Starts a daemon whose output goes to a file.
fn daemon(directory: &TempDir, name: &str, words: &[&str], log: &str) -> Guard {
    start(Command::new(name), directory, words, log)
}

fn start(mut command: Command, directory: &TempDir, words: &[&str], log: &str) -> Guard {
    let log = fs::File::create(directory.path().join(log)).unwrap();
    command.args(words).env("SLURM_CONF", directory.path().join("slurm.conf"));
    // Debian installs them in directories that not every PATH has.
    let path = std::env::var("PATH").unwrap_or_default();
    command.env("PATH", format!("{path}:/usr/sbin:/sbin"));
    command.stdin(Stdio::null()).stdout(log.try_clone().unwrap()).stderr(log);
    match command.spawn() {
        Ok(child) => Guard(child),
        Err(error) => panic!("{command:?}: {error}; these tests need Slurm and munge (tests/run installs them)"),
    }
}

fn free_ports(count: usize) -> Vec<u16> {
    (0..count).map(|_| free_port()).collect()
}

impl Cluster {
    #[track_caller]
    fn start(clock: Option<&Path>) -> Self {
        assert!(nix::unistd::geteuid().is_root(), "these tests start Slurm, which takes root");
        let directory = tempfile::Builder::new().prefix("rss").tempdir_in("/tmp").unwrap();
        let path = |name: &str| directory.path().join(name).display().to_string();
        // All of its processes have its configuration in the environment: steps and their programs, too.
        let janitor = Janitor::new(&format!(
            "for file in $(grep -lsF SLURM_CONF={0} /proc/[0-9]*/environ); do pid=${{file#/proc/}}; \
             kill -9 ${{pid%/environ}}; done; rm -rf {0}",
            directory.path().display()
        ));
        let key: Vec<u8> = fs::read("/proc/sys/kernel/random/uuid").unwrap().repeat(4);
        let mut file = fs::File::options().write(true).create_new(true).mode(0o600).open(path("key")).unwrap();
        std::io::Write::write_all(&mut file, &key).unwrap();
        for name in ["state", "spool.n1", "spool.n2", "spool.n3", "spool.n4"] {
            fs::create_dir(path(name)).unwrap();
        }
        fs::write(path("slurm.conf"), configuration(&directory)).unwrap();
        fs::write(path("cgroup.conf"), "CgroupPlugin=cgroup/v1\n").unwrap();

        let [key, socket, pid, log, seed] = ["key", "munge", "munged.pid", "munged.log", "seed"].map(path);
        let words = [
            "--foreground",
            "--force",
            &format!("--key-file={key}"),
            &format!("--socket={socket}"),
            &format!("--pid-file={pid}"),
            &format!("--log-file={log}"),
            &format!("--seed-file={seed}"),
        ];
        let munge = daemon(&directory, "munged", &words, "munged.words");
        wait_for("munged", || fs::exists(&socket).unwrap().then_some(()));
        let conf = path("slurm.conf");
        let mut controller = Command::new("slurmctld");
        if let Some(clock) = clock {
            controller.env("LD_PRELOAD", clock).env("LATER", path("later"));
        }
        let controller = start(controller, &directory, &["-D", "-c", "-f", &conf], "slurmctld.words");
        let node =
            |name: &&str| daemon(&directory, "slurmd", &["-D", "-N", name, "-f", &conf], &format!("{name}.words"));
        let nodes = NODES.iter().map(node).collect();
        let cluster = Self { nodes, _controller: controller, _munge: munge, _janitor: janitor, directory };
        wait_for("four idle nodes", || {
            let states = cluster.output("sinfo", &["--noheader", "--Node", "--format=%T"]);
            (states.lines().filter(|state| *state == "idle").count() == NODES.len()).then_some(())
        });
        cluster
    }

    /// Sets the clock of its controller 200 seconds ahead.
    pub fn set_clock_ahead(&self) {
        fs::write(self.path("later"), "").unwrap();
    }

    /// A file of the cluster.
    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// The environment variable that makes programs use it.
    pub fn environment(&self) -> (&'static str, PathBuf) {
        ("SLURM_CONF", self.path("slurm.conf"))
    }

    /// A command of the cluster.
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        let (name, value) = self.environment();
        command.env(name, value).stdin(Stdio::null());
        command
    }

    /// The output of a command.
    #[track_caller]
    pub fn output(&self, program: &str, arguments: &[&str]) -> String {
        let output = self.command(program).args(arguments).output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }
}

/// A job of the batch system.
pub struct Batch {
    cluster: Arc<Cluster>,
    job: String,
    out: PathBuf,
}

impl Batch {
    /// Submits a script of these lines. Its home is the place, as is that of its sessions.
    #[track_caller]
    pub fn submit(cluster: &Arc<Cluster>, place: &Place, size: &str, lines: &str) -> Self {
        let (home, binaries) = (place.path().display(), Path::new(env!("CARGO_BIN_EXE_tvconnect")).parent().unwrap());
        let (file, out) = (place.path().join("job.sh"), place.path().join("job.out"));
        let shared = format!("export HOME={home} XDG_RUNTIME_DIR={home} RANKSCOPE_SHARED={home}/shared");
        script(&file, &format!("{shared} PATH={}:$PATH\n{lines}", binaries.display()));
        let (file, written) = (file.display().to_string(), out.display().to_string());
        let words = ["--parsable", "--output", &written].into_iter().chain(size.split(' ')).chain([file.as_str()]);
        let job = cluster.output("sbatch", &words.collect::<Vec<_>>());
        assert!(job.parse::<u32>().is_ok(), "{job}");
        Self { cluster: Arc::clone(cluster), job, out }
    }

    /// Sends a signal to its script, as the scheduler does before the time limit.
    pub fn signal(&self, name: &str) {
        self.cluster.output("scancel", &["--batch", &format!("--signal={name}"), &self.job]);
    }

    /// Waits for its end; returns its output.
    #[track_caller]
    pub fn end(self) -> String {
        let left = || self.cluster.output("squeue", &["--noheader", "--jobs", &self.job]);
        wait_for("the end of the job", || left().is_empty().then_some(()));
        fs::read_to_string(&self.out).unwrap()
    }
}

/// The directory of the requests from a place.
pub fn requests(place: &Place) -> String {
    place.path().join(".totalview/connect").display().to_string()
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let _ = self.command("scancel").args(["--user=root", "--signal=KILL"]).status();
        if !std::thread::panicking() {
            wait_for("the end of all jobs", || self.output("squeue", &["--noheader"]).is_empty().then_some(()));
        }
        self.nodes.clear();
    }
}

fn configuration(directory: &TempDir) -> String {
    let host = nix::unistd::gethostname().unwrap().into_string().unwrap();
    let dir = directory.path().display();
    let ports = free_ports(NODES.len() + 1);
    let mut text = format!(
        "ClusterName=tests
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={}
AuthType=auth/munge
AuthInfo=socket={dir}/munge
CredType=cred/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
ReturnToService=2
SlurmUser=root
SlurmctldPidFile={dir}/slurmctld.pid
SlurmdPidFile={dir}/slurmd.%n.pid
SlurmdSpoolDir={dir}/spool.%n
SlurmdParameters=config_overrides
StateSaveLocation={dir}/state
SwitchType=switch/none
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
PartitionName=debug Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:64
",
        ports[NODES.len()]
    );
    for (node, port) in NODES.iter().zip(&ports) {
        writeln!(text, "NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=4 State=UNKNOWN")
            .unwrap();
    }
    text
}
