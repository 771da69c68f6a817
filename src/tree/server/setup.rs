//! The settings of a server.

use crate::arguments::EngineChoice;
use crate::routing::dialling::{Dialling, Sign};
use crate::routing::file::RoutingFile;
use crate::routing::topology::Shape;
use protocol::{PortRange, ServerIndex, SessionDirectory, SessionKey};
use std::path::PathBuf;

/// The source of the other servers' addresses.
#[derive(Clone, Debug, Default)]
pub enum Routes {
    /// The master sends them.
    #[default]
    Told,
    /// A routing file, which may not be complete yet.
    File(PathBuf),
    /// A routing file that has been read.
    Known(RoutingFile),
}

/// The settings from a server's command line.
#[derive(Clone, Debug)]
pub struct ServerSetup {
    /// The directory of the session on this host.
    pub directory: SessionDirectory,
    /// The session's key, which every peer must prove.
    pub key: SessionKey,
    /// Index of the server in the tree.
    pub index: ServerIndex,
    /// Number of servers in the tree.
    pub size: u32,
    /// The shape of the tree of servers.
    pub shape: Shape,
    /// `host:port` of the master.
    pub master: String,
    /// The host or address to listen on.
    pub listen: String,
    /// Ports to use if the server listens on all addresses; `None` for any port.
    pub ports: Option<PortRange>,
    /// The engine that debugs the ranks.
    pub engine: EngineChoice,
    /// The source of the other servers' addresses.
    pub routes: Routes,
    /// The direction in which links of the tree are dialled.
    pub dialling: Dialling,
    /// Where the server writes its address, if it is to be dialled.
    pub sign: Option<Sign>,
    /// True if the process that started the server waits on our standard input until joiners may connect.
    pub ready: bool,
    /// This host's name as given by the process that started the server from another host; `None` for its own name.
    pub host: Option<String>,
}
