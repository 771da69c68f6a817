//! What a master is started with.

use crate::arguments::EngineChoice;
use crate::remote::Reach;
use crate::routing::dialling::Dialling;
use crate::routing::file::RoutingFile;
use crate::routing::topology::Shape;
use protocol::{PortRange, SessionDirectory, SessionKey};
use std::path::PathBuf;

/// What the master is told on its command line.
#[derive(Clone, Debug)]
pub struct MasterSetup {
    /// The session.
    pub directory: SessionDirectory,
    /// Its key.
    pub key: SessionKey,
    /// The socket on which the front end listens.
    pub front_end: Option<PathBuf>,
    /// The host to listen on.
    pub listen: String,
    /// What debugs the ranks.
    pub engine: EngineChoice,
    /// The form of the tree.
    pub shape: Shape,
    /// Ranks that one server takes; all by default.
    pub ranks_per_server: Option<u32>,
    /// Where to listen for servers; any port by default.
    pub ports: Option<PortRange>,
    /// Where the servers are that the master starts; otherwise they find places themselves.
    pub routing_file: Option<PathBuf>,
    /// Where the servers are that others start; the master dials them.
    pub routes: Option<RoutingFile>,
    /// Who dials whom.
    pub dialling: Dialling,
    /// Standard input and output are those of the command that is debugged: we stand in its place.
    pub own_files: bool,
    /// How other hosts are reached.
    pub reach: Reach,
}

impl MasterSetup {
    /// One port is the master's own.
    pub(super) fn ports_of_servers(&self) -> Option<PortRange> {
        self.ports.filter(|ports| ports.is_wide())
    }
}
