//! The values of watchpoints, as text and as JSON.

use super::json_object::Object;
use super::values::printed;
use super::{Content, Report};
use model::aif::FormatOptions;
use model::{Datum, ProcessSet, Stop, StopReason, ValueAmongRanks, Watched, printable_lines};

/// Formats a value that was watched or returned.
pub(super) fn watched_value(datum: Option<&Datum>, limits: &FormatOptions) -> String {
    datum.map_or_else(|| "<unreadable>".to_owned(), |datum| printed(datum, None, limits))
}

/// Formats a value that was watched on several ranks: `7`, or `1 [0], 2 [1-3]`.
pub(super) fn value_among_ranks(value: &ValueAmongRanks, limits: &FormatOptions) -> String {
    match value {
        ValueAmongRanks::Shared(datum) => watched_value(datum.as_ref(), limits),
        ValueAmongRanks::Differs { values, has_more } => {
            let on = |(ranks, value): &(ProcessSet, Option<Datum>)| {
                format!("{} [{}]", watched_value(value.as_ref(), limits), ranks)
            };
            let words: Vec<String> = values.iter().map(on).collect();
            format!("{}{}", words.join(", "), if *has_more { " and others" } else { "" })
        }
    }
}

/// Formats the value that a finished function returned, after the words before it, with its number in the value history.
pub(super) fn returned(stop: &Stop, limits: &FormatOptions) -> Option<(String, String)> {
    let StopReason::Finished(Some(returned)) = &stop.reason else { return None };
    let number = returned.number.map_or_else(String::new, |number| format!("${number} = "));
    Some((format!("Value returned is {number}"), watched_value(Some(&returned.value), limits)))
}

/// Formats the value that ranks have returned, if the report is about that, after the words before it; on one line that
/// cannot control the terminal.
pub fn value_returned(report: &Report) -> Option<(String, String)> {
    let Content::Stopped(_, stop) = &report.content else { return None };
    let (words, value) = returned(stop, &report.limits.on_one_line())?;
    Some((words, printable_lines(&value).replace('\n', "\\n")))
}

/// Formats the old and new value of a watchpoint.
pub fn watched_words(watched: &Watched, limits: &FormatOptions) -> String {
    let limits = &limits.on_one_line();
    match watched {
        Watched::Changed { old, new } => {
            format!(": {} -> {}", watched_value(old.as_ref(), limits), watched_value(new.as_ref(), limits))
        }
        Watched::Accessed { value } => format!(": {}", watched_value(Some(value), limits)),
        Watched::Several { old, new } => {
            let [old, new] = [old.as_ref(), Some(new)].map(|value| value.map(|value| value_among_ranks(value, limits)));
            let values: Vec<String> = old.into_iter().chain(new).collect();
            format!(": {}", values.join(" -> "))
        }
        Watched::ScopeEnded => " deleted: its frame has returned".to_owned(),
        Watched::GivenUp => " deleted by gdb: it has no value here".to_owned(),
    }
}

/// Adds the values to the object of a stop.
pub(super) fn watched_values(object: Object, watched: &Watched, limits: &FormatOptions) -> Object {
    match watched {
        Watched::Changed { old, new } => {
            object.with("old", watched_value(old.as_ref(), limits)).with("new", watched_value(new.as_ref(), limits))
        }
        Watched::Accessed { value } => object.with("value", watched_value(Some(value), limits)),
        Watched::Several { old, new } => {
            let old = old.as_ref().map(|old| value_among_ranks(old, limits));
            let name = if old.is_some() { "new" } else { "value" };
            object.maybe("old", old).with(name, value_among_ranks(new, limits))
        }
        Watched::ScopeEnded | Watched::GivenUp => object.with("ended", true),
    }
}
