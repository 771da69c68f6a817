//! Converts arbitrary chunks of bytes to records.

use super::parse::record;
use super::record::Record;

/// Longer lines are skipped: no expected answer comes close to this.
const LONGEST: usize = 64 << 20;

/// Splits bytes into lines and parses them.
#[derive(Debug)]
pub struct Decoder {
    partial: Vec<u8>,
    passing_over: bool,
    longest: usize,
}

impl Default for Decoder {
    fn default() -> Self {
        Self { partial: Vec::new(), passing_over: false, longest: LONGEST }
    }
}

impl Decoder {
    #[cfg(test)]
    pub(super) fn with_longest(longest: usize) -> Self {
        Self { longest, ..Self::default() }
    }

    /// Takes more bytes; returns the records that they complete.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Record> {
        let mut records = Vec::new();
        let mut pieces = bytes.split(|byte| *byte == b'\n').peekable();
        while let Some(piece) = pieces.next() {
            if !self.passing_over {
                self.partial.extend_from_slice(piece);
            }
            if self.partial.len() > self.longest {
                self.passing_over = true;
                self.partial = Vec::new();
            }
            if pieces.peek().is_some() {
                if std::mem::take(&mut self.passing_over) {
                    records.push(Record::Unknown(format!("(a line of more than {} bytes)", self.longest)));
                } else {
                    records.push(record(&String::from_utf8_lossy(&self.partial)));
                }
                self.partial.clear();
            }
        }
        records
    }

    /// Ends the input; returns the record of an unfinished line.
    pub fn finish(&mut self) -> Option<Record> {
        let rest = std::mem::take(&mut self.partial);
        (!rest.is_empty()).then(|| record(&String::from_utf8_lossy(&rest)))
    }
}
