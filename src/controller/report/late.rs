//! Answers to a command that was over when they came: as the others, marked.

use super::text::of;
use super::{Content, Report, json, text};
use model::ProcessSet;
use model::aif::FormatOptions;

/// For people: what they belong to stands before them.
pub(super) fn text_lines(ranks: &ProcessSet, command: &str, content: &Content, limits: FormatOptions) -> Vec<String> {
    let head = of(ranks, format!("late answer to \"{}\":", command.trim()));
    let report = Report { origin: None, content: content.clone(), limits };
    std::iter::once(head).chain(text::lines(&report)).collect()
}

/// The same objects with `late` and `command`.
pub(super) fn json_lines(command: &str, content: &Content, limits: FormatOptions) -> Vec<String> {
    let marks = json::Object::default().with("late", true).with("command", command.trim()).text();
    let marks = marks.trim_start_matches('{');
    let lines = json::lines(&Report { origin: None, content: content.clone(), limits });
    lines.iter().map(|line| format!("{},{marks}", line.strip_suffix('}').unwrap_or(line))).collect()
}
