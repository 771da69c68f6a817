//! Requests for a debugger as text; JSON has them field by field.

use crate::controller::reverse::{ListedRequest, seconds};
use crate::model::printable;

/// A request on one line. Nothing of what its file says can pose as something else.
pub(super) fn text_line(listed: &ListedRequest) -> String {
    let request = &listed.request;
    let label = request.label.as_ref().map_or_else(String::new, |label| format!("  \"{label}\""));
    let jobs = if request.jobs.is_empty() { String::new() } else { format!(", {}", listed.jobs()) };
    let why_not = listed.why_not().map_or_else(String::new, |why| format!("  ({why})"));
    let host = if request.host.is_empty() { "?" } else { &request.host };
    let waited = seconds(listed.age);
    printable(&format!("{}  {}{label}  on {host}{jobs}, waiting for {waited}{why_not}", listed.id, listed.command()))
}
