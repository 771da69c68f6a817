//! The settings of a master.

use crate::arguments::EngineChoice;
use crate::remote::Reach;
use crate::routing::dialling::Dialling;
use crate::routing::file::RoutingFile;
use crate::routing::topology::Shape;
use protocol::{PortRange, SessionDirectory, SessionKey};
use std::path::PathBuf;

/// The settings from the master's command line.
#[derive(Clone, Debug)]
pub struct MasterSetup {
    /// The directory of the session, on the master's host.
    pub directory: SessionDirectory,
    /// The session's key, which every peer must prove.
    pub key: SessionKey,
    /// The socket on which the front end listens, if the master has to dial it.
    pub front_end: Option<PathBuf>,
    /// The host or address to listen on.
    pub listen: String,
    /// The engine that debugs the ranks.
    pub engine: EngineChoice,
    /// The shape of the tree of servers.
    pub shape: Shape,
    /// Ranks per server; `None` puts all of a host under one.
    pub ranks_per_server: Option<u32>,
    /// Ports to listen on for servers; `None` for any port.
    pub ports: Option<PortRange>,
    /// Lists the addresses of servers that the master starts; otherwise they choose their own.
    pub routing_file: Option<PathBuf>,
    /// The addresses of servers that others start; the master dials them.
    pub routes: Option<RoutingFile>,
    /// The direction in which links of the tree are dialled.
    pub dialling: Dialling,
    /// True if the master stands in for the debugged command, which gets its standard input and output.
    pub own_files: bool,
    /// True if the launcher gets our standard files, and the job continues without a debugger when its front end is
    /// lost.
    pub unattended: bool,
    /// The commands that reach other hosts.
    pub reach: Reach,
}

impl MasterSetup {
    /// Returns the ports for servers; `None` for any port, also if there is only one, which is the master's own.
    pub(super) fn ports_of_servers(&self) -> Option<PortRange> {
        self.ports.filter(|ports| ports.is_wide())
    }
}
