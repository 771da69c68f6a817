//! The messages between a joiner and a server over the server's Unix socket: one each way.

use model::Rank;
use serde::{Deserialize, Serialize};

/// Maximum length of a message, in bytes.
pub const LONGEST: usize = 4096;

/// Joiner → server, with the descriptors of the taps in this order: standard output to read, its previous target, then
/// the same for standard error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JoinOffer {
    /// The rank as the launcher numbers it.
    pub rank: Rank,
    /// Number of ranks of the job.
    pub size: u32,
    /// Process ID of the joiner, which the program keeps.
    pub pid: i32,
    /// True if the first two descriptors are sent.
    pub stdout: bool,
    /// True if the last two descriptors are sent.
    pub stderr: bool,
}

/// Server → joiner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum JoinReply {
    /// The joiner is traced and executes the program.
    Go {
        /// True if address randomisation stays as it is.
        randomise: bool,
    },
    /// The joiner is not traced; the session has been told this reason.
    Refused(String),
    /// The session is ending, and takes no joiner.
    Ending,
}
