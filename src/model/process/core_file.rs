//! Core files of ranks: their names and sizes.

use serde::{Deserialize, Serialize};
use std::fmt::Display;

/// A core file that a rank has written. Its name follows from the rank, so that equal files of several ranks are one
/// answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CoreFile {
    /// The directory, on the rank's host.
    pub directory: String,
    /// The size in bytes.
    pub size: u64,
    /// The bytes that it occupies on the disk: pages of zeros take no room.
    pub stored: u64,
}

impl CoreFile {
    /// Returns the path of the file of a rank.
    pub fn path(&self, rank: impl Display) -> String {
        Self::path_in(&self.directory, rank)
    }

    /// Returns the path of a core file in a directory.
    pub fn path_in(directory: &str, rank: impl Display) -> String {
        format!("{}/core.{rank}", directory.trim_end_matches('/'))
    }
}
