//! The base dialect's process sets: a bitmap with its width.

use super::field::Field;
use crate::{Arguments, Packet, ProtocolError};
use model::{ErrorCode, Failure, ProcessSet};

/// The ranks of a message, as its sender encoded them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BaseSet {
    /// The ranks whose bits are set below the width.
    pub ranks: ProcessSet,
    /// The number of bits: the job's size as the sender knows it.
    pub size: u32,
}

impl BaseSet {
    /// Builds a set of ranks in a job of this size.
    pub fn new(ranks: ProcessSet, size: u32) -> Self {
        Self { ranks, size }
    }

    /// Returns the ranks that a job of this size has; bits beyond it are dropped. An empty set is an error; the old
    /// program would wait for ever.
    pub fn within(&self, size: u32) -> Result<ProcessSet, Failure> {
        let ranks = self.ranks.intersection(&ProcessSet::all(size));
        if ranks.is_empty() {
            let message = format!("no rank of the process set {} is in this job of {size}", self.text());
            return Err(Failure::new(ErrorCode::BAD_SET, message));
        }
        Ok(ranks)
    }

    fn text(&self) -> String {
        self.ranks.to_bitmap(self.size)
    }
}

impl Field for BaseSet {
    fn read(a: &mut Arguments<'_>, field: &'static str) -> Result<Self, ProtocolError> {
        let text = a.text(field)?;
        let ranks = ProcessSet::parse_bitmap(&text).map_err(|fault| a.fault(field, fault.to_string()))?;
        let size = text.split_once(':').and_then(|(size, _)| u32::from_str_radix(size, 16).ok());
        Ok(Self { ranks, size: size.unwrap_or_default() })
    }

    fn write(&self, packet: Packet) -> Packet {
        packet.with(self.text())
    }
}
