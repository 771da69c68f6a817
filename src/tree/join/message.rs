//! What a joiner and a server say to each other over the server's Unix socket: one message each way.

use model::Rank;
use serde::{Deserialize, Serialize};

/// The longest message.
pub const LONGEST: usize = 4096;

/// Joiner → server, with the files of the taps in the order: standard output to read, where it went, the same of
/// standard error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JoinOffer {
    /// As the launcher numbers it.
    pub rank: Rank,
    /// Ranks of the job.
    pub size: u32,
    /// Of the joiner, which will be that of the program.
    pub pid: i32,
    /// Whether the first two files are there.
    pub stdout: bool,
    /// Whether the last two files are there.
    pub stderr: bool,
}

/// Server → joiner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum JoinReply {
    /// Traced: become the program.
    Go {
        /// Leave address randomisation as it is.
        randomise: bool,
    },
    /// Not traced, for a reason that the session has been told.
    Refused(String),
    /// The session is ending.
    Ending,
}
