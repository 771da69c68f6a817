//! Requests for a debugger as text; JSON has them field by field.

use crate::report::json_object::Object;
use crate::state::ListedRequest;
use crate::state::listed_request::seconds;

/// Formats a request on one line.
pub(in crate::report) fn text_line(listed: &ListedRequest) -> String {
    let request = &listed.request;
    let label = request.label.as_ref().map_or_else(String::new, |label| format!("  \"{label}\""));
    let jobs = if request.jobs.is_empty() { String::new() } else { format!(", {}", listed.jobs()) };
    let why_not = listed.why_not().map_or_else(String::new, |why| format!("  ({why})"));
    let host = if request.host.is_empty() { "?" } else { &request.host };
    let waited = seconds(listed.age);
    let (number, id, command) = (listed.number, &listed.id, listed.command());
    format!("{number}  {id}  {command}{label}  on {host}{jobs}, waiting for {waited}{why_not}")
}

pub(in crate::report) fn object(listed: &ListedRequest) -> Object {
    let asked = &listed.request;
    let object = Object::of_type("request")
        .with("id", listed.id.text())
        .with("number", listed.number)
        .with("program", &asked.program);
    let object = object.with("arguments", &asked.arguments).with("host", &asked.host).with("age_s", listed.age);
    let object = object.with("stale", listed.is_stale()).with("directory", &asked.directory).with("pid", asked.pid);
    let object = object.with("user", &asked.user).maybe("label", asked.label.as_ref());
    object.with("jobs", &asked.jobs).maybe("not_acceptable", listed.why_not())
}
