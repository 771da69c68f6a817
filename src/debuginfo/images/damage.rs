//! Known faults of a file.

use super::error::ImageError;
use super::image::Image;
use crate::dwarf::damage::Known;
use std::path::PathBuf;

impl Image {
    /// Returns the first fault found in the debug information that was read so far.
    pub fn damage(&self) -> Option<ImageError> {
        let path = PathBuf::from(&**self.path());
        let debug = self.units.get().and_then(Option::as_deref).map(|units| &units.debug);
        if self.file.is_cut() || debug.is_some_and(|debug| debug.file.is_cut()) {
            return Some(ImageError::WrittenOver { path });
        }
        let separate = self.separate.known();
        // A fault found in either file will do.
        if let Some(what) = separate.unwrap_or(&self.file).refused.get() {
            return Some(ImageError::Refused { path, what: what.clone() });
        }
        Some(match debug?.damage.known()? {
            Known::Damaged { unit, reason } => {
                ImageError::DebugInformation { path, unit: unit.clone(), reason: reason.clone() }
            }
            Known::Absent(file) => ImageError::SplitAway { path, file: file.into() },
        })
    }
}
