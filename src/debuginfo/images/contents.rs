//! All functions and sources of a file.

use super::image::Image;
use crate::demangle::symbol::demangle;
use crate::dwarf::entry::EntryId;
use crate::dwarf::named::Named;
use model::nearest;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The names that are compared with a misspelt one.
const MOST_COMPARED: usize = 50_000;

/// The functions and sources of a file.
#[derive(Clone, Copy)]
pub struct ImageContents<'a> {
    image: &'a Image,
}

impl Image {
    /// Lists all functions and sources of the file.
    pub fn contents(&self) -> ImageContents<'_> {
        ImageContents { image: self }
    }
}

impl ImageContents<'_> {
    /// Returns the names of functions with a prefix, sorted, at most `limit`.
    pub fn function_names(&self, prefix: &str, limit: usize) -> Vec<Arc<str>> {
        let mut names = BTreeSet::new();
        if let Some(units) = self.image.units() {
            units.read_all();
            let debug = &units.debug;
            for (unit, all) in units.all_names() {
                for offset in all.of_sort(Named::Function) {
                    let name = debug.qualified_name(EntryId { unit, offset });
                    names.extend(name.filter(|name| name.starts_with(prefix)));
                }
            }
        }
        let symbols = self.image.symbols().functions().map(|symbol| demangle(symbol.name));
        names.extend(symbols.filter(|name| name.starts_with(prefix)).map(Arc::from));
        names.into_iter().take(limit).collect()
    }

    /// Returns the function of the symbol table that a misspelt name most likely means: `kernel`, `grid::update`. Reads
    /// no debug information, so that it is cheap for large programs, and compares only so many names.
    pub fn nearest_function(&self, name: &str) -> Option<String> {
        let base = |name: &str| name.rsplit("::").next().unwrap_or(name).to_owned();
        let is_qualified = name.contains("::");
        let symbols = self.image.symbols().functions().take(MOST_COMPARED);
        let known = symbols.map(|symbol| {
            let full = demangle(symbol.name);
            let plain = full.split(['(', '<']).next().unwrap_or(&full).to_owned();
            if is_qualified { plain } else { base(&plain) }
        });
        let alike = |known: &String| known.len().abs_diff(name.len()) <= 1 + name.len() / 5;
        let known: BTreeSet<String> = known.filter(alike).collect();
        nearest(name, known.iter().map(String::as_str)).map(str::to_owned)
    }

    /// Returns the absolute paths of the sources, sorted.
    pub fn source_files(&self) -> Vec<Arc<str>> {
        let Some(debug) = self.image.debug() else { return Vec::new() };
        let mut files = BTreeSet::new();
        for unit in debug.units() {
            let lines = unit.lines(debug);
            let used: FxHashSet<u32> = lines.rows().map(|(row, _)| row.file).collect();
            let names = used.into_iter().filter_map(|file| lines.files.get(file as usize));
            files.extend(names.map(|name| Arc::clone(name.absolute())));
        }
        files.into_iter().collect()
    }
}
