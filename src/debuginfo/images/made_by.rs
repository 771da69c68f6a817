//! Which compiler made a file, as far as its sections say so where nothing else is left.

use super::image::Image;

impl Image {
    /// Whether Go's compiler made it: its tables are there in stripped programs, too.
    pub fn is_go(&self) -> bool {
        [".go.buildinfo", ".gopclntab"].iter().any(|name| self.file.section(name).is_some())
    }
}
