//! Options of everything that starts a job, and the job that they come to.

use super::front_end::Front;
use super::hosts::Reaching;
use super::usage_error::{UsageError, usage};
use crate::demo;
use crate::link::session::TreeOptions;
use clap::{Args, ValueEnum};
use model::{LaunchSpec, LibraryGlobs, LocationSpec, StopAt};
use protocol::{LaunchPlan, PortRange};
use std::path::PathBuf;

/// Ranks that are simulated at most.
const MOST_SIMULATED: u32 = 1 << 20;
/// Processes that are started on one host at most.
const MOST_PROCESSES: u32 = 16_384;

/// Which engine debugs the ranks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum EngineName {
    /// rankscope's own
    #[default]
    Native,
    /// gdb, one for each rank
    Gdb,
    /// Simulated ranks of a small C program
    Fake,
}

/// Forms of the tree of servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TopologyName {
    /// Depth grows with the logarithm of the number of servers
    Binomial,
}

/// Options of everything that begins a session.
#[derive(Clone, Debug, Default, Args)]
pub struct Common {
    /// The number of copies to start, or of ranks to simulate
    #[arg(short = 'n', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub ranks: Option<u32>,

    /// Where ranks stop first: main, none, starti (the first instruction), or a location such as solver.c:120 [default:
    /// main]
    #[arg(long, value_name = "PLACE", value_parser = parse_stop_at)]
    pub stop_at: Option<StopAt>,

    /// The debugger engine: native, gdb (one per rank), or fake (simulated ranks of a small C program) [default:
    /// native]
    #[arg(long, value_enum, hide_possible_values = true)]
    pub engine: Option<EngineName>,

    /// The gdb to use, a path or a name such as cuda-gdb; implies --engine gdb [default: gdb]
    #[arg(long, value_name = "PATH")]
    pub gdb: Option<PathBuf>,

    /// Ranks per server [default: all ranks of a host; of simulated ranks 1,024, or more so that a core has at most 32
    /// servers]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Servers")]
    pub ranks_per_server: Option<u32>,

    /// The most children of a server [default: 32]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Servers")]
    pub fan_out: Option<u32>,

    /// The shape of the server tree, instead of --fan-out: binomial
    #[arg(long, value_enum, conflicts_with = "fan_out", hide_possible_values = true, help_heading = "Servers")]
    pub topology: Option<TopologyName>,

    /// A file with the number of servers, then one "index host port" line each; rankscope waits until it is complete
    #[arg(long, value_name = "PATH", help_heading = "Servers")]
    pub routing_file: Option<PathBuf>,

    /// The port to listen on for servers [default: any]
    #[arg(long, value_name = "PORT", value_parser = clap::value_parser!(u16).range(1..), help_heading = "Servers")]
    pub port: Option<u16>,

    /// Listen on the first free port of a range
    #[arg(long, value_name = "LOW-HIGH", conflicts_with = "port", help_heading = "Servers")]
    pub port_range: Option<PortRange>,

    /// How other hosts are reached.
    #[command(flatten)]
    pub reach: Reaching,

    /// Re-evaluate breakpoints on every library load (`set dlopen_always_recalculate`)
    #[arg(long, overrides_with = "no_dlopen_always_recalculate", help_heading = "Libraries")]
    pub dlopen_always_recalculate: bool,

    /// Re-evaluate them when a rank stops, or for libraries that match --dlopen-recalculate-on-match
    #[arg(long, overrides_with = "dlopen_always_recalculate", help_heading = "Libraries")]
    pub no_dlopen_always_recalculate: bool,

    /// Re-evaluate breakpoints when a matching library is loaded: libfoo.so:libcuda*
    #[arg(long, value_name = "LIST", value_parser = parse_globs, help_heading = "Libraries")]
    pub dlopen_recalculate_on_match: Option<LibraryGlobs>,

    /// Options of everything that shows a session.
    #[command(flatten)]
    pub front: Front,
}

fn parse_stop_at(text: &str) -> Result<StopAt, String> {
    match text {
        "main" => Ok(StopAt::Main),
        "none" => Ok(StopAt::Nowhere),
        "starti" => Ok(StopAt::FirstInstruction),
        place => LocationSpec::parse(place).map(StopAt::Location).map_err(|error| error.message),
    }
}

fn parse_globs(text: &str) -> Result<LibraryGlobs, String> {
    LibraryGlobs::parse(text)
}

/// A job that is to be started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// For the master.
    pub plan: LaunchPlan,
    /// The tree it is debugged by.
    pub tree: TreeOptions,
    /// What the user gave, for titles and lists of sessions.
    pub command: Vec<String>,
    /// Ranks do not stop at their start.
    pub running_start: bool,
    /// Settings that the command line gives, after those of the configuration.
    pub variables: Vec<(String, String)>,
    /// The kept run that it repeats.
    pub again: Option<String>,
    /// Its ranks are started with nothing to read, and no option says so.
    pub reads_nothing: bool,
}

impl Common {
    /// Options of a script that is not there.
    pub fn check(&self) -> Result<(), UsageError> {
        self.front.check()
    }

    /// The engine that is asked for: to name a gdb is to want it.
    pub(crate) fn engine(&self) -> Result<EngineName, UsageError> {
        match (self.engine, &self.gdb) {
            (Some(engine), Some(_)) if engine != EngineName::Gdb => {
                usage("--gdb PATH needs --engine gdb; another engine was chosen")
            }
            (None, Some(_)) => Ok(EngineName::Gdb),
            (engine, _) => Ok(engine.unwrap_or_default()),
        }
    }

    /// Settings that options stand for.
    pub(crate) fn variables(&self) -> Vec<(String, String)> {
        let always = match (self.dlopen_always_recalculate, self.no_dlopen_always_recalculate) {
            (true, _) => Some("true".to_owned()),
            (_, true) => Some("false".to_owned()),
            _ => None,
        };
        let on_match = self.dlopen_recalculate_on_match.as_ref().map(ToString::to_string);
        let named = [("dlopen_always_recalculate", always), ("dlopen_recalculate_on_match", on_match)];
        named.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
    }

    pub(crate) fn tree(&self, engine: EngineName) -> TreeOptions {
        TreeOptions {
            word: None,
            engine: match engine {
                EngineName::Fake => "fake".to_owned(),
                EngineName::Gdb => "gdb".to_owned(),
                EngineName::Native => "native".to_owned(),
            },
            gdb: self.gdb.as_ref().map(|path| {
                // The servers may have another working directory; a name is looked up in PATH.
                let full = if path.components().count() > 1 { std::path::absolute(path).ok() } else { None };
                full.unwrap_or_else(|| path.clone()).display().to_string()
            }),
            ranks_per_server: self.ranks_per_server,
            fan_out: self.fan_out,
            binomial: self.topology.is_some(),
            ports: self.port.map(PortRange::one).or(self.port_range),
            ssh: self.reach.ssh.clone(),
            stage: self.reach.stage,
            parents_dial: self.reach.parents_dial,
            unattended: false,
            // The servers have directories of their own.
            routing_file: self.routing_file.as_deref().map(|path| std::path::absolute(path).unwrap_or(path.to_owned())),
        }
    }

    pub(crate) fn checked_ranks(&self, engine: EngineName, otherwise: u32) -> Result<u32, UsageError> {
        let ranks = self.ranks.unwrap_or(otherwise);
        let (most, what) = match engine {
            EngineName::Fake => (MOST_SIMULATED, "simulated ranks"),
            EngineName::Native | EngineName::Gdb => (MOST_PROCESSES, "processes on one host"),
        };
        if ranks > most {
            let simulated = if engine == EngineName::Fake { "" } else { "; \"demo --simulate\" has simulated ones" };
            return usage(format!("{ranks} ranks are too many: the limit is {most} {what}{simulated}"));
        }
        Ok(ranks)
    }
}

/// Simulated ranks that one server has before there is another one: fewer answer sooner without a tree.
const SIMULATED_SHARE: u32 = 1024;
/// Servers of simulated ranks for each core; more only wait for each other.
const SERVERS_A_CORE: u32 = 32;
/// Servers that one host starts at most.
const MOST_SERVERS: u32 = 1024;

/// Returns the number of simulated ranks per server if none is asked for.
pub(crate) fn simulated_share(ranks: u32, cores: u32) -> u32 {
    let most = cores.max(1).saturating_mul(SERVERS_A_CORE).min(MOST_SERVERS);
    ranks.div_ceil(ranks.div_ceil(SIMULATED_SHARE).clamp(1, most)).max(1)
}

fn cores() -> u32 {
    std::thread::available_parallelism().map_or(1, |cores| u32::try_from(cores.get()).unwrap_or(u32::MAX))
}

impl TreeOptions {
    /// Divides simulated ranks among servers, unless options say how.
    pub(crate) fn for_simulated(mut self, ranks: u32) -> Self {
        if self.engine == "fake" && self.routing_file.is_none() {
            self.ranks_per_server.get_or_insert_with(|| simulated_share(ranks, cores()));
        }
        self
    }
}

/// The job of `rankscope demo`. The program is compiled by the caller, unless it is simulated.
pub fn demo_job(
    common: &Common,
    simulate: bool,
    program: impl FnOnce() -> Result<PathBuf, UsageError>,
) -> Result<Job, UsageError> {
    common.check()?;
    let chosen = common.engine()?;
    let simulate = simulate || chosen == EngineName::Fake;
    let engine = if simulate { EngineName::Fake } else { chosen };
    let ranks = common.checked_ranks(engine, demo::RANKS)?;
    let program = if simulate { demo::SIMULATED.to_owned() } else { program()?.display().to_string() };
    let stop_at = common.stop_at.clone().unwrap_or_default();
    let running_start = stop_at == StopAt::Nowhere;
    let spec = LaunchSpec { program, stop_at, ..LaunchSpec::default() };
    let command = vec!["demo".to_owned()];
    let (plan, variables) = (LaunchPlan::Local { ranks, spec }, common.variables());
    let tree = common.tree(engine).for_simulated(ranks);
    Ok(Job { plan, tree, command, running_start, variables, again: None, reads_nothing: false })
}
