//! The report of a job (`report`, `rankscope triage`): collected by commands, and written as JSON and text

mod callers;
mod collection;
mod job_report;
mod json;
mod lines;
mod sections;
#[cfg(test)]
mod tests;
mod text;

pub(crate) use collection::Collection;
pub use job_report::JobReport;
pub(crate) use lines::{Line, lines};
pub(crate) use sections::Sections;

use model::ProcessSet;

/// The request for a report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReportOrder {
    /// The directory to write to; `None`: one named after the session.
    pub directory: Option<String>,
    /// The event that led to the report, as a sentence.
    pub reason: String,
    /// Ranks of which something is not known, with the reason.
    pub unknown: Vec<(ProcessSet, String)>,
    /// Core files to write at most, one for each group of ranks with the same state and place.
    pub cores: u32,
}
