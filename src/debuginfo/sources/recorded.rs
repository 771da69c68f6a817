//! Source files as debug information names them.

use crate::images::image::Image;
use crate::images::loaded::LoadedImages;
use crate::lines::program::files_of;
use crate::lines::source_path::SourceName;
use std::sync::Arc;

/// A source file as the line table of a unit names it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedSource {
    /// The name as the compiler was given it, perhaps relative.
    pub name: String,
    /// The directory of the compilation; may be empty.
    pub compilation: String,
    /// The absolute path, without `.` and `..`.
    pub path: String,
    /// The MD5 of the text that was compiled, where the compiler notes it (DWARF 5).
    pub md5: Option<[u8; 16]>,
}

impl RecordedSource {
    /// Describes a file of which only the path is known.
    pub fn of_path(path: &str) -> Self {
        Self { name: path.to_owned(), path: path.to_owned(), ..Self::default() }
    }
}

impl Image {
    /// Returns how a line table of the file names the source with this absolute path.
    pub fn recorded_source(&self, path: &str) -> Option<RecordedSource> {
        let units = self.units()?;
        let debug = &units.debug;
        units.units_of_file(path).into_iter().find_map(|unit| {
            let header = unit.dwarf.line_program.as_ref()?.header();
            let is_it = |name: &SourceName| **name.absolute() == *path;
            let files = files_of(debug, unit, header);
            let (index, name) =
                files.iter().zip(0..).find(|(name, _)| is_it(name)).map(|(name, index)| (index, name))?;
            let md5 = header.file(index).filter(|_| header.file_has_md5()).map(|file| *file.md5());
            Some(RecordedSource {
                name: name.given(),
                compilation: String::from_utf8_lossy(unit.directory).into_owned(),
                path: path.to_owned(),
                md5: md5.filter(|sum| *sum != [0; 16]),
            })
        })
    }
}

impl LoadedImages {
    /// Returns how a line table of a mapped file names a source, and that file. Files that are not prepared yet are
    /// skipped.
    pub fn recorded_source(&self, path: &str) -> Option<(RecordedSource, Arc<Image>)> {
        let (prepared, _) = self.only_prepared();
        prepared.iter().find_map(|loaded| Some((loaded.image.recorded_source(path)?, Arc::clone(&loaded.image))))
    }
}
