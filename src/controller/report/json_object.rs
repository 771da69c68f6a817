//! JSON objects that keep the order of their fields.

use super::Scope;
use model::{ProcessSet, Severity, SourceOrigin, SourcePlace, VirtualAddress};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use std::time::Duration;

/// An object whose fields keep the order in which they were added: readers look for the type first.
#[derive(Clone, Debug, Default)]
pub(super) struct Object(String);

impl Object {
    pub(super) fn of_type(name: &str) -> Self {
        Self::default().with("type", name)
    }

    pub(super) fn with(mut self, name: &str, value: impl Serialize) -> Self {
        // Strings, numbers, lists and objects of them always serialise.
        let text = serde_json::to_string(&value).unwrap_or_else(|_| "null".to_owned());
        let name = serde_json::to_string(name).unwrap_or_default();
        let comma = if self.0.is_empty() { "" } else { "," };
        self.0.push_str(&format!("{comma}{name}:{text}"));
        self
    }

    /// Adds the file that a source text comes from.
    pub(super) fn origin(self, origin: &SourceOrigin) -> Self {
        self.maybe("found", origin.path.as_deref()).maybe("changed_since", origin.changed_since.as_deref())
    }

    pub(super) fn maybe(self, name: &str, value: Option<impl Serialize>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    pub(super) fn ranks(self, ranks: &ProcessSet) -> Self {
        self.with("ranks", ranks.to_string())
    }

    pub(super) fn address(self, address: Option<VirtualAddress>) -> Self {
        self.maybe("address", address.map(|address| address.to_string()))
    }

    pub(super) fn source(self, source: Option<&SourcePlace>) -> Self {
        self.maybe("file", source.map(|place| &*place.file)).maybe("line", source.map(|place| place.line))
    }

    pub(super) fn text(&self) -> String {
        format!("{{{}}}", self.0)
    }
}

impl Serialize for Object {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RawValue::from_string(self.text()).map_err(serde::ser::Error::custom)?.serialize(serializer)
    }
}

/// Converts a number to JSON: whole ones without a point, those that JSON cannot represent as strings.
pub(super) fn number(value: f64) -> serde_json::Value {
    if value.fract() == 0.0 && value.abs() < 9e15 {
        return serde_json::Value::from(value as i64);
    }
    serde_json::Number::from_f64(value).map_or_else(|| value.to_string().into(), serde_json::Value::Number)
}

pub(super) fn severity_word(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

pub(super) fn scope_word(scope: Scope) -> &'static str {
    match scope {
        Scope::Locals => "locals",
        Scope::Arguments => "args",
        Scope::Globals => "globals",
        Scope::ThreadLocals => "thread_locals",
    }
}

/// Rounds to microseconds, which is precise enough.
pub(super) fn milliseconds(elapsed: Duration) -> f64 {
    (elapsed.as_secs_f64() * 1e6).round() / 1e3
}
