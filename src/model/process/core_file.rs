//! Core files of ranks: their names and sizes.

use serde::{Deserialize, Serialize};
use std::fmt::Display;

/// A place for the core files of ranks. The name of each follows from the rank, so that equal files of several ranks are one
/// answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CorePlace {
    /// The directory, on the rank's host.
    pub directory: String,
    /// The name of a file without the rank behind it.
    pub name: String,
}

impl CorePlace {
    /// Returns the path of the file of a rank.
    pub fn path(&self, rank: impl Display) -> String {
        format!("{}/{}.{rank}", self.directory.trim_end_matches('/'), self.name)
    }
}

/// A core file that a rank has written.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CoreFile {
    /// Its place.
    pub place: CorePlace,
    /// The size in bytes.
    pub size: u64,
    /// The bytes that it occupies on the disk: pages of zeros take no room.
    pub stored: u64,
}

impl CoreFile {
    /// Returns the path of the file of a rank.
    pub fn path(&self, rank: impl Display) -> String {
        self.place.path(rank)
    }
}
