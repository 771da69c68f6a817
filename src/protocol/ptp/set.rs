//! Process sets of the base dialect: a bitmap with its width.

use super::field::Field;
use crate::{Arguments, Packet, ProtocolError};
use model::{ErrorCode, Failure, ProcessSet};

/// The ranks a message speaks of, as its sender spelt them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BaseSet {
    /// Those whose bit is set below the width.
    pub ranks: ProcessSet,
    /// Bits of the map: the job's size as the sender sees it.
    pub size: u32,
}

impl BaseSet {
    /// Ranks of a job of this size.
    pub fn new(ranks: ProcessSet, size: u32) -> Self {
        Self { ranks, size }
    }

    /// The ranks that a job of this size has; bits beyond it are dropped. Nobody left is an error, where the old
    /// program waits for ever.
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
