//! How a signal ended a process.

use crate::{Cause, SignalName};
use serde::{Deserialize, Serialize};

/// A signal that ended a process (wait(2), `WIFSIGNALED`), and what is known of why it was sent.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Termination {
    /// The signal.
    pub signal: SignalName,
    /// Why the kernel sent it, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Box<Cause>>,
}

impl From<SignalName> for Termination {
    fn from(signal: SignalName) -> Self {
        Self { signal, cause: None }
    }
}
