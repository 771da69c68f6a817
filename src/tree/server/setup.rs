//! What a server is started with.

use crate::arguments::EngineChoice;
use crate::routing::dialling::{Dialling, Sign};
use crate::routing::file::RoutingFile;
use crate::routing::topology::Shape;
use protocol::{PortRange, ServerIndex, SessionDirectory, SessionKey};
use std::path::PathBuf;

/// How a server learns where the others are.
#[derive(Clone, Debug, Default)]
pub enum Routes {
    /// From the master.
    #[default]
    Told,
    /// From a file, which may not be complete yet.
    File(PathBuf),
    /// From a file that has been read.
    Known(RoutingFile),
}

/// What a server is told on its command line.
#[derive(Clone, Debug)]
pub struct ServerSetup {
    /// The session.
    pub directory: SessionDirectory,
    /// Its key.
    pub key: SessionKey,
    /// Which server.
    pub index: ServerIndex,
    /// Of how many.
    pub size: u32,
    /// The form of the tree.
    pub shape: Shape,
    /// `host:port` of the master.
    pub master: String,
    /// The host to listen on.
    pub listen: String,
    /// The ports to listen on where all addresses are listened on; any by default.
    pub ports: Option<PortRange>,
    /// What debugs the ranks.
    pub engine: EngineChoice,
    /// Where the others are; otherwise the master says it.
    pub routes: Routes,
    /// Who dials whom.
    pub dialling: Dialling,
    /// Where it says how it is reached.
    pub sign: Option<Sign>,
    /// Whoever started it waits on standard input for the word that joiners may come.
    pub ready: bool,
    /// The name of this host for whoever has started a server on it from another; otherwise its own.
    pub host: Option<String>,
}
