//! Units of debug information that cannot be read: the first one of each file is recorded for the user.

use super::entry::Slice;
use std::sync::OnceLock;

/// The first damage found in a file's debug information.
#[derive(Debug, Default)]
pub(crate) struct Damage(OnceLock<Known>);

#[derive(Debug)]
pub(crate) enum Known {
    Damaged { unit: String, reason: String },
    Absent(String),
}

impl Damage {
    /// Records a unit that cannot be read at all, by its offset in its section.
    pub(crate) fn at(&self, offset: u64, reason: impl std::fmt::Display) {
        let _ =
            self.0.set(Known::Damaged { unit: format!("the unit at offset {offset:#x}"), reason: reason.to_string() });
    }

    pub(crate) fn known(&self) -> Option<&Known> {
        self.0.get()
    }

    pub(crate) fn is_none(&self) -> bool {
        self.0.get().is_none()
    }

    /// Records that a file with some of the units is missing.
    pub(crate) fn absent(&self, file: &str) {
        let _ = self.0.set(Known::Absent(file.to_owned()));
    }

    /// Records a unit of which a part cannot be read.
    pub(crate) fn within(&self, unit: &gimli::Unit<Slice>, reason: impl std::fmt::Display) {
        let name = unit.name.map(|name| String::from_utf8_lossy(name.slice()).into_owned());
        let _ = self.0.set(Known::Damaged {
            unit: name.unwrap_or_else(|| "a unit without a name".to_owned()),
            reason: reason.to_string(),
        });
    }
}
