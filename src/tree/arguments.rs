//! The arguments of `rankscope-sdm`.

use crate::routing::listed::USUAL;
use crate::routing::topology::Shape;
use clap::{ArgGroup, Parser, ValueEnum};
use protocol::PortRange;
use std::ffi::OsString;
use std::path::PathBuf;

/// As the manual page begins.
const ABOUT: &str =
    "A keyboard-driven, full-screen parallel debugger for the terminal: every rank of an MPI job at once";

/// Part of the tree of a rankscope session; started by rankscope, or by hand.
#[derive(Clone, Debug, Parser)]
#[command(name = "rankscope-sdm", version, about = ABOUT, long_about = None)]
#[command(group(ArgGroup::new("role").required(true).multiple(true).args(["server", "join", "master", "census", "caretaker", "queue_library", "pmix_jobs", "tracer"])))]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line, given or not")]
pub struct Arguments {
    /// Run as the root of the tree; with --server: the master's address.
    #[arg(long, value_name = "HOST:PORT", num_args = 0..=1, default_missing_value = "", conflicts_with = "join")]
    pub master: Option<String>,

    /// Run as a server of the tree; with a number: the server of that index in the routing file, started by others.
    #[arg(long, value_name = "RANK", num_args = 0..=1, require_equals = true, conflicts_with = "join")]
    pub server: Option<Option<u32>>,

    /// Read a remote server's configuration from a directory that hosts share, or from standard input (-).
    #[arg(long, value_name = "DIR", requires = "server", conflicts_with_all = ["master", "session", "index", "size", "apart"])]
    pub charter: Option<PathBuf>,

    /// This program is a copy for this server alone; remove it at once.
    #[arg(long, requires = "charter")]
    pub staged: bool,

    /// List the tasks of a Slurm job or step on this node.
    #[arg(long, value_name = "JOB[.STEP]", conflicts_with_all = ["master", "server", "join"])]
    pub census: Option<String>,

    /// Remove a server's breakpoints from attached processes if it is killed.
    #[arg(long, conflicts_with_all = ["master", "server", "join", "census"])]
    pub caretaker: bool,

    /// Load the message-queue library of an MPI for a server, which is at the other end of standard input.
    #[arg(long, conflicts_with_all = ["master", "server", "join", "census", "caretaker"])]
    pub queue_library: bool,

    /// Ask the PMIx server in the launcher with this process ID for its jobs.
    #[arg(long, value_name = "PID", conflicts_with_all = ["master", "server", "join", "census", "caretaker", "queue_library"])]
    pub pmix_jobs: Option<i32>,

    /// Trace the processes that the server of this number attaches to, and outlive it if it is killed; the server is at
    /// the other end of standard input.
    #[arg(long, value_name = "I", requires = "session", conflicts_with_all = ["master", "server", "join", "census", "caretaker"])]
    pub tracer: Option<u32>,

    /// Wrap a rank of a launcher's job: register it with the session, then exec the program.
    #[arg(long, requires = "program")]
    pub join: bool,

    /// The session directory; a master with --port creates one if needed.
    #[arg(long, value_name = "DIR", required_unless_present_any = ["port", "dial", "charter", "census", "caretaker", "queue_library", "pmix_jobs", "listed"])]
    pub session: Option<PathBuf>,

    /// A directory that all hosts share, where ranks on other hosts find the session.
    #[arg(long, value_name = "DIR", requires = "join")]
    pub meeting: Option<PathBuf>,

    /// The session directory on this host belongs to the server, which removes it at its end.
    #[arg(long, requires = "server")]
    pub own_directory: bool,

    /// The socket the front end listens on.
    #[arg(long, value_name = "PATH", requires = "master")]
    pub front_end: Option<PathBuf>,

    /// The addresses of a front end on another host, tried in order.
    #[arg(long, value_name = "HOST:PORT", requires_all = ["master", "key_fd"])]
    #[arg(conflicts_with_all = ["front_end", "session", "port", "server", "join"])]
    pub dial: Vec<String>,

    /// The file descriptor to read that session's key from.
    #[arg(long, value_name = "N", requires = "dial", conflicts_with_all = ["front_end", "session", "port"])]
    pub key_fd: Option<i32>,

    /// Serve one base-dialect (PTP) client that connects to this port (0: any free port, printed). With --host, connect
    /// to a client that listens there. Ignored for servers with a number.
    #[arg(long, value_name = "PORT", conflicts_with_all = ["front_end", "join", "index", "census"])]
    pub port: Option<u16>,

    /// The host where the base-dialect client listens.
    #[arg(long, value_name = "HOST", requires = "port")]
    pub host: Option<String>,

    /// The number of ranks of a base-dialect client's job [default: as in the routing file].
    #[arg(long, value_name = "N", requires = "port")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=(1 << 20)))]
    pub ranks: Option<u32>,

    /// Log more if it is not 0 (like RANKSCOPE_LOG=debug).
    #[arg(long, value_name = "LEVEL", num_args = 0..=1, require_equals = true, default_missing_value = "1")]
    pub debug: Option<u32>,

    /// How to reach the base-dialect client; only one way is supported.
    #[arg(long, value_name = "KIND", value_parser = ["tcp"])]
    pub proxy: Option<String>,

    /// Speak the base dialect, which is neither encrypted nor authenticated, beyond the loopback interface.
    #[arg(long, requires = "port")]
    pub plain: bool,

    /// Start the server in the background, and exit.
    #[arg(long, requires = "server")]
    pub apart: bool,

    /// Report on standard input, which the starting process reads, that the server accepts joiners.
    #[arg(long, requires = "server")]
    pub ready: bool,

    /// The index of this server, from 0.
    #[arg(long, value_name = "I", requires = "server")]
    pub index: Option<u32>,

    /// The number of servers in the tree.
    #[arg(long, value_name = "N", requires = "server")]
    pub size: Option<u32>,

    /// The host name or address to listen on for other nodes of the tree.
    #[arg(long, value_name = "HOST", default_value = "127.0.0.1")]
    pub listen: String,

    /// The debugger engine.
    #[arg(long, alias = "debugger", value_enum, default_value_t)]
    pub engine: EngineKind,

    /// The gdb to use, with --engine gdb.
    #[arg(long, alias = "debugger_path", value_name = "PATH")]
    pub gdb: Option<PathBuf>,

    /// The shape of the tree.
    #[arg(long, value_enum, conflicts_with = "fan_out")]
    pub topology: Option<TopologyName>,

    /// The most children of a node.
    #[arg(long, value_name = "K", default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..))]
    pub fan_out: u32,

    /// The ports to listen on for servers: the first free one of the range [default: any].
    #[arg(long, value_name = "LOW-HIGH", requires = "master", conflicts_with = "join")]
    pub port_range: Option<PortRange>,

    /// The routing file: the number of servers, then one "index host port" line each. A master passes it to the servers
    /// it starts.
    #[arg(long, value_name = "PATH", conflicts_with = "join")]
    pub routing_file: Option<PathBuf>,

    /// A routing file for a master and numbered servers that are all started by others, one server per rank. They wait
    /// for the file, and parents connect to their children [default: routing_file, for such servers and for a master
    /// with --port that has neither --ranks nor --session].
    #[arg(long = "routing_file", value_name = "PATH", conflicts_with_all = ["routing_file", "session", "dial", "join"])]
    pub listed: Option<PathBuf>,

    /// Servers listen and their parents connect to them, for hosts that cannot reach the master's.
    #[arg(long, conflicts_with = "join")]
    pub parents_dial: bool,

    /// The file to which a listening server writes its address.
    #[arg(long, value_name = "DIR", requires_all = ["server", "parents_dial"])]
    pub sign: Option<PathBuf>,

    /// Ranks per server [default: all].
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    pub ranks_per_server: Option<u32>,

    /// The command to reach another host; the host name is appended [default: $RANKSCOPE_SSH, else ssh -o
    /// BatchMode=yes].
    #[arg(long, value_name = "COMMAND", requires = "master", conflicts_with_all = ["server", "join"])]
    pub ssh: Option<String>,

    /// The job has the master's standard files, and continues without a debugger if the front end is killed.
    #[arg(long, requires = "master", conflicts_with_all = ["server", "join"])]
    pub unattended: bool,

    /// Copy rankscope to hosts that lack it, for the duration of the job.
    #[arg(long, requires = "master", conflicts_with_all = ["server", "join"])]
    pub stage: bool,

    /// The program of the rank and its arguments, after "--".
    #[arg(last = true, value_name = "PROGRAM", requires = "join")]
    pub program: Vec<OsString>,
}

/// Engines to choose from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, serde::Serialize, serde::Deserialize)]
pub enum EngineKind {
    /// ptrace and DWARF.
    #[default]
    Native,
    /// gdb, one for each rank.
    #[value(alias = "gdb-mi")]
    Gdb,
    /// Simulated ranks.
    Fake,
    /// Core files.
    #[value(hide = true)]
    Core,
}

/// An engine, with what it needs to be started.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct EngineChoice {
    /// Which.
    pub kind: EngineKind,
    /// The gdb to use; `None`: that in `PATH`.
    pub gdb: Option<PathBuf>,
}

impl EngineChoice {
    /// The words that choose it.
    pub fn words(&self) -> Vec<OsString> {
        let mut words = vec!["--engine".into(), self.kind.word().into()];
        words.extend(self.gdb.iter().flat_map(|path| ["--gdb".into(), path.clone().into_os_string()]));
        words
    }
}

impl EngineKind {
    /// As on the command line.
    pub fn word(self) -> &'static str {
        self.name().word()
    }
}

/// Forms of the tree that have a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TopologyName {
    /// Rooted at the master.
    Binomial,
}

impl Arguments {
    /// The routing file of a server or a master that others start, with all of its tree.
    pub fn listed(&self) -> Option<PathBuf> {
        let is_listed_server = matches!(self.server, Some(Some(_)));
        let is_told = self.ranks.is_some() || self.session.is_some() || self.routing_file.is_some();
        let is_listed_master = self.server.is_none() && self.port.is_some() && !is_told;
        let usual = || (is_listed_server || is_listed_master).then(|| USUAL.into());
        self.listed.clone().or_else(usual)
    }

    /// What is written into logs, unless the environment says it.
    pub fn log_level(&self) -> &'static str {
        if self.debug.is_some_and(|level| level > 0) { "debug" } else { "info" }
    }

    /// The debugger engine.
    pub fn engine(&self) -> EngineChoice {
        EngineChoice { kind: self.engine, gdb: self.gdb.clone() }
    }

    /// The shape of the tree.
    pub fn shape(&self) -> Shape {
        match self.topology {
            Some(TopologyName::Binomial) => Shape::Binomial,
            None => Shape::Wide(self.fan_out),
        }
    }
}

/// The words that give a shape.
pub fn shape_words(shape: Shape) -> Vec<String> {
    match shape {
        Shape::Binomial => vec!["--topology".into(), "binomial".into()],
        Shape::Wide(fan_out) => vec!["--fan-out".into(), fan_out.to_string()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Arguments, clap::Error> {
        Arguments::try_parse_from(std::iter::once("rankscope-sdm").chain(line.split_whitespace()))
    }

    #[test]
    fn the_three_roles_are_told_apart() {
        let master = parse("--master --session /s --front-end /s/front.sock --topology binomial").unwrap();
        assert_eq!((master.master.as_deref(), master.server, master.shape()), (Some(""), None, Shape::Binomial));
        let server = parse("--server --session /s --index 1 --size 4 --master localhost:5000 --fan-out 8").unwrap();
        assert_eq!((server.master.as_deref(), server.server), (Some("localhost:5000"), Some(None)));
        assert_eq!(server.shape(), Shape::Wide(8));
        let there = parse("--server --charter - --staged").unwrap();
        assert_eq!((there.charter, there.staged), (Some("-".into()), true));
        assert_eq!(parse("--census 12.0").unwrap().census.as_deref(), Some("12.0"));
        assert!(parse("--caretaker").unwrap().caretaker);
        assert!(parse("--queue-library").unwrap().queue_library);
        assert_eq!(parse("--pmix-jobs 12").unwrap().pmix_jobs, Some(12));
        let dialling = parse("--master --key-fd 5 --dial a:1 --dial [::1]:2").unwrap();
        assert_eq!((dialling.dial.join(" ").as_str(), dialling.key_fd), ("a:1 [::1]:2", Some(5)));
        let base = parse("--master --port 0 --ranks 4 --plain").unwrap();
        assert_eq!((base.port, base.ranks, base.plain, base.session), (Some(0), Some(4), true, None));
        let join = parse("--join --session /s --ranks-per-server 2 -- ./app -x --join").unwrap();
        assert_eq!(join.program, ["./app", "-x", "--join"]);
    }

    #[test]
    fn classical_words_are_understood() {
        let master = parse("--master --host=localhost --port=4000 --routing_file=/s/r --debugger=gdb-mi").unwrap();
        assert_eq!((master.listed(), master.port, master.server), (Some("/s/r".into()), Some(4000), None));
        let server = parse("--server=2 --host=localhost --port=4000 --routing_file=/s/r").unwrap();
        assert_eq!((server.listed(), server.server, server.master), (Some("/s/r".into()), Some(Some(2)), None));
        assert_eq!(parse("--server=2 --host=h --port=4000").unwrap().listed(), Some("routing_file".into()));
        // A master that nobody tells how many ranks there are does not make the number up.
        assert_eq!(parse("--master --host=h --port=4000").unwrap().listed(), Some("routing_file".into()));
        for line in ["--master --port 4000 --ranks 1", "--master --port 4000 --session /s", "--master --session /s"] {
            assert_eq!(parse(line).unwrap().listed(), None, "{line}");
        }
        let words = parse("--server=0 --host=h --port=1 --debugger=gdb-mi --proxy=tcp --debug=127").unwrap();
        assert_eq!((words.log_level(), words.debug), ("debug", Some(127)));
        assert_eq!(parse("--master --port=1 --debug").unwrap().log_level(), "debug");
        assert_eq!(parse("--master --port=1 --debug=0").unwrap().log_level(), "info");
    }

    #[test]
    fn the_engine_may_be_named_as_in_the_base_dialect() {
        let classical = parse("--master --port 0 --debugger=gdb-mi --debugger_path=/opt/gdb").unwrap().engine();
        assert_eq!(classical, EngineChoice { kind: EngineKind::Gdb, gdb: Some("/opt/gdb".into()) });
        assert_eq!(classical.words(), ["--engine", "gdb", "--gdb", "/opt/gdb"]);
        assert_eq!(parse("--master --port 0").unwrap().engine(), EngineChoice::default());
    }

    #[test]
    fn wrong_usage_is_refused() {
        for line in [
            "--session /s",
            "--master",
            "--join --session /s",
            "--master --session /s --port-range 9-8",
            "--server --charter - --session /s",
            "--master --session /s --staged",
            "--census 1 --master --session /s",
            "--caretaker --server --charter -",
            "--queue-library --server --charter -",
            "--master --session /s --fan-out 0",
            "--join --master --session /s -- a",
            "--server --port 4000 --index 0 --size 1 --master h:1",
            "--server=x --port 4000",
            "--master --port 4000 --proxy=ssh",
            "--master --port 4000 --routing_file f --session /s",
            "--server --session /s --index 0 --size 1 --master h:1 --sign /d",
            "--master --session /s --plain",
            "--master --port 4000 --ranks 0",
            "--master --dial a:1",
            "--master --session /s --key-fd 3",
            "--master --session /s --dial a:1 --key-fd 3",
            "--master --port 4000 --front-end /s/front.sock",
        ] {
            assert!(parse(line).is_err(), "{line}");
        }
    }
}
