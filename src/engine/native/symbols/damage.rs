//! Units of debug information that cannot be read: the first one of each file is kept, to be said.

use super::image::Image;
use super::image_error::ImageError;
use super::unit::Unit;
use std::path::PathBuf;
use std::sync::OnceLock;

/// The first damage of a file's debug information that anybody came across.
#[derive(Debug, Default)]
pub(super) struct Damage(OnceLock<(String, String)>);

impl Damage {
    /// A unit of which nothing can be read, by its place in its section.
    pub(super) fn at(&self, offset: u64, reason: impl std::fmt::Display) {
        let _ = self.0.set((format!("the unit at offset {offset:#x}"), reason.to_string()));
    }

    /// A unit of which a part cannot be read.
    pub(super) fn within(&self, unit: &Unit, reason: impl std::fmt::Display) {
        let name = unit.dwarf.name.map(|name| String::from_utf8_lossy(name.slice()).into_owned());
        let _ = self.0.set((name.unwrap_or_else(|| "a unit without a name".to_owned()), reason.to_string()));
    }
}

impl Image {
    /// What is known to be wrong with its debug information, as far as that has been read.
    pub fn damage(&self) -> Option<ImageError> {
        let (unit, reason) = self.debug.get()?.as_deref()?.damage.0.get()?;
        let path = PathBuf::from(&**self.path());
        Some(ImageError::DebugInformation { path, unit: unit.clone(), reason: reason.clone() })
    }
}
