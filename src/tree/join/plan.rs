//! The plan that the master leaves in the session directory for joiners, to which the launcher passes nothing.

use crate::arguments::EngineChoice;
use crate::error::{TreeError, io_fault};
use crate::routing::dialling::Dialling;
use crate::routing::topology::Shape;
use model::{LaunchSpec, Rank, StartChanges};
use protocol::{PortRange, SessionDirectory, own_file};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The division of a launcher's job among servers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JoinPlan {
    /// Only first stop and randomisation are used.
    pub spec: LaunchSpec,
    /// `host:port` of the master.
    pub master: String,
    /// The host on which servers listen.
    pub listen: String,
    /// The ports that servers listen on for other hosts; any by default.
    pub ports: Option<PortRange>,
    /// The engine that debugs the ranks.
    pub engine: EngineChoice,
    /// The shape of the tree of servers.
    pub shape: Shape,
    /// Ranks per server; `None` puts all under one.
    pub ranks_per_server: Option<u32>,
    /// Lists the servers' addresses; otherwise they choose their own.
    pub routing_file: Option<PathBuf>,
    /// A directory that all hosts share, where they find the session and take numbers; `None` on one host.
    pub meeting: Option<PathBuf>,
    /// The direction in which links are dialled between hosts.
    pub dialling: Dialling,
    /// Changes to the program that the launcher names, with an absolute directory.
    pub changes: StartChanges,
}

impl JoinPlan {
    /// Writes the plan, whole or not at all.
    pub fn write(&self, directory: &SessionDirectory) -> Result<(), TreeError> {
        let path = Self::path(directory);
        let text = serde_json::to_vec(self).map_err(|error| TreeError::Other(error.to_string()))?;
        own_file::replace(&path, &text).map_err(io_fault(format!("write {}", path.display())))
    }

    /// Reads the plan from the session directory.
    pub fn read(directory: &SessionDirectory) -> Result<Self, TreeError> {
        let path = Self::path(directory);
        let text = std::fs::read(&path).map_err(io_fault(format!("read {}", path.display())))?;
        serde_json::from_slice(&text).map_err(|error| TreeError::Other(format!("{}: {error}", path.display())))
    }

    /// Returns the server that takes a rank, and the number of servers.
    pub fn server_for(&self, rank: Rank, size: u32) -> (u32, u32) {
        match self.ranks_per_server {
            Some(share) => (rank.0 / share.max(1), size.div_ceil(share.max(1)).max(1)),
            None => (0, 1),
        }
    }

    fn path(directory: &SessionDirectory) -> PathBuf {
        directory.path().join("join.json")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::EngineKind;

    #[test]
    fn reads_what_it_writes_and_spreads_the_ranks() {
        let base = tempfile::tempdir().unwrap();
        let directory = SessionDirectory::create_in(base.path(), None)
            .unwrap_or_else(|_| SessionDirectory::create_in(&base.path().join("base"), None).unwrap());
        let mut plan = JoinPlan {
            spec: LaunchSpec { randomise: true, ..LaunchSpec::default() },
            master: "127.0.0.1:1".into(),
            listen: "127.0.0.1".into(),
            ports: "5-9".parse().ok(),
            engine: EngineChoice { kind: EngineKind::Gdb, gdb: Some("/opt/gdb".into()) },
            shape: Shape::Wide(4),
            ranks_per_server: Some(3),
            routing_file: None,
            meeting: None,
            dialling: Dialling::Down,
            changes: StartChanges { arguments: Some(vec!["x y".into()]), ..StartChanges::default() },
        };
        plan.write(&directory).unwrap();
        assert_eq!(JoinPlan::read(&directory).unwrap(), plan);
        assert_eq!([0, 2, 3, 6].map(|rank| plan.server_for(Rank(rank), 7)), [(0, 3), (0, 3), (1, 3), (2, 3)]);
        plan.ranks_per_server = None;
        assert_eq!(plan.server_for(Rank(6), 7), (0, 1));
    }
}
