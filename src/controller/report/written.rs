//! A report that was written to files.

use super::json_object::Object;
use model::ProcessSet;

/// The files of a report, and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The ranks of the job.
    pub ranks: ProcessSet,
    /// The text of the report.
    pub text: Vec<String>,
    /// The path of the HTML page.
    pub page: String,
    /// The path of the JSON file.
    pub data: String,
}

pub(super) fn text(written: &Written) -> Vec<String> {
    let files = format!("wrote {} and {}", written.page, written.data);
    written.text.iter().cloned().chain([files]).collect()
}

pub(super) fn json(written: &Written) -> Object {
    Object::of_type("report").ranks(&written.ranks).with("html", &written.page).with("json", &written.data)
}
