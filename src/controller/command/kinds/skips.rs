//! Parsed commands about skips.

use model::Skipped;

/// A command about functions that steps pass over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SkipCommand {
    /// Skips the function of the shown frame.
    Function,
    /// Skips the file of the shown frame.
    File,
    /// Skips functions.
    Add(Skipped),
    /// Lists these; an empty list means all.
    List(Vec<u32>),
    /// Deletes these; an empty list means all.
    Delete(Vec<u32>),
    /// Enables (`true`) or disables these; an empty list means all.
    Enable(Vec<u32>, bool),
}
