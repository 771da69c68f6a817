//! Units of debug information that cannot be read: the first one of each file is kept, to be said.

use super::unit::Unit;
use crate::images::error::ImageError;
use crate::images::image::Image;
use std::path::PathBuf;
use std::sync::OnceLock;

/// The first damage of a file's debug information that anybody came across.
#[derive(Debug, Default)]
pub(crate) struct Damage(OnceLock<Known>);

#[derive(Debug)]
enum Known {
    Damaged { unit: String, reason: String },
    Absent(String),
}

impl Damage {
    /// A unit of which nothing can be read, by its place in its section.
    pub(crate) fn at(&self, offset: u64, reason: impl std::fmt::Display) {
        let _ =
            self.0.set(Known::Damaged { unit: format!("the unit at offset {offset:#x}"), reason: reason.to_string() });
    }

    pub(crate) fn is_none(&self) -> bool {
        self.0.get().is_none()
    }

    /// A file that has some of the units is not there.
    pub(crate) fn absent(&self, file: &str) {
        let _ = self.0.set(Known::Absent(file.to_owned()));
    }

    /// A unit of which a part cannot be read.
    pub(crate) fn within(&self, unit: &Unit, reason: impl std::fmt::Display) {
        let name = unit.dwarf.name.map(|name| String::from_utf8_lossy(name.slice()).into_owned());
        let _ = self.0.set(Known::Damaged {
            unit: name.unwrap_or_else(|| "a unit without a name".to_owned()),
            reason: reason.to_string(),
        });
    }
}

impl Image {
    /// What is known to be wrong with its debug information, as far as that has been read.
    pub fn damage(&self) -> Option<ImageError> {
        let path = PathBuf::from(&**self.path());
        let debug = self.debug.get().and_then(Option::as_deref);
        if self.file.is_cut() || debug.is_some_and(|debug| debug.file.is_cut()) {
            return Some(ImageError::WrittenOver { path });
        }
        let separate = self.separate.get().and_then(Option::as_deref).map(|(file, _)| file);
        // What was found elsewhere is as good.
        if let Some(what) = separate.unwrap_or(&self.file).refused.get() {
            return Some(ImageError::Refused { path, what: what.clone() });
        }
        Some(match debug?.damage.0.get()? {
            Known::Damaged { unit, reason } => {
                ImageError::DebugInformation { path, unit: unit.clone(), reason: reason.clone() }
            }
            Known::Absent(file) => ImageError::SplitAway { path, file: file.into() },
        })
    }
}
