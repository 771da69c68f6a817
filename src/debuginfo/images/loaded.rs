//! The files that one process has mapped.

use super::image::Image;
use crate::types::description::TypeId;
use model::{FileAddress, LoadBias, VirtualAddress};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// A file in the memory of a process.
#[derive(Clone, Debug)]
pub struct LoadedImage {
    /// Shared with other processes that map the file.
    pub image: Arc<Image>,
    /// The load bias of its addresses.
    pub bias: LoadBias,
    /// From the file's first byte in memory to the end of its last.
    pub range: Range<VirtualAddress>,
    /// The dynamic linker's name for the file; for the executable, its path.
    pub name: Arc<str>,
    /// The address of its `struct link_map`, needed to find thread-local variables.
    pub link_map: Option<VirtualAddress>,
}

impl LoadedImage {
    /// Computes the memory range from the bias.
    pub fn new(image: Arc<Image>, bias: LoadBias, name: Arc<str>, link_map: Option<VirtualAddress>) -> Self {
        let extent = image.file().extent();
        let range = bias.loaded(extent.start)..bias.loaded(extent.end);
        Self { image, bias, range, name, link_map }
    }

    /// Returns the address of a symbol by its exact name in the file's symbol table.
    pub fn symbol(&self, name: &str) -> Option<VirtualAddress> {
        Some(self.bias.loaded(self.image.symbol(name)?))
    }
}

/// The files that one process has mapped; cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct LoadedImages {
    /// The executable first, then in the order of the link map.
    images: Arc<[LoadedImage]>,
    /// Definitions of types that other files only declare, by name.
    completions: Arc<Mutex<FxHashMap<Arc<str>, Option<TypeId>>>>,
    /// Records files skipped because they are not prepared; `None`: no file is skipped.
    missing: Option<Missing>,
}

/// Files that were skipped because they are not prepared yet.
#[derive(Clone, Debug, Default)]
pub struct Missing(Arc<Mutex<Vec<Arc<Image>>>>);

impl Missing {
    /// Returns each skipped file once. If there are any, discard results computed without them.
    pub fn images(&self) -> Vec<Arc<Image>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn note(&self, image: &Arc<Image>) {
        let mut images = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !images.iter().any(|known| Arc::ptr_eq(known, image)) {
            images.push(Arc::clone(image));
        }
    }
}

impl LoadedImages {
    /// Makes the list; the executable comes first.
    pub fn new(images: Vec<LoadedImage>) -> Self {
        Self { images: images.into(), completions: Arc::default(), missing: None }
    }

    /// Returns the same files, but skips and records those that are not prepared.
    pub fn only_prepared(&self) -> (Self, Missing) {
        let missing = Missing::default();
        (Self { missing: Some(missing.clone()), ..self.clone() }, missing)
    }

    /// Returns the files that satisfy the predicate.
    pub fn retained(&self, is_there: impl Fn(&LoadedImage) -> bool) -> Self {
        Self::new(self.images.iter().filter(|loaded| is_there(loaded)).cloned().collect())
    }

    /// As [`Self::retained`], but files that are skipped are still recorded.
    pub fn narrowed(&self, is_wanted: impl Fn(&LoadedImage) -> bool) -> Self {
        Self { missing: self.missing.clone(), ..self.retained(is_wanted) }
    }

    /// True if both are clones of one list.
    pub fn are(&self, others: &Self) -> bool {
        Arc::ptr_eq(&self.images, &others.images)
    }

    fn may_ask(&self, loaded: &LoadedImage) -> bool {
        let Some(missing) = self.missing.as_ref().filter(|_| !loaded.image.is_prepared()) else { return true };
        missing.note(&loaded.image);
        false
    }

    /// Iterates over all files, the executable first.
    pub fn iter(&self) -> impl Iterator<Item = &LoadedImage> {
        self.images.iter().filter(|loaded| self.may_ask(loaded))
    }

    /// Iterates over the files that satisfy the predicate; the others are not queried.
    pub fn wanted(&self, is_wanted: impl Fn(&Image) -> bool) -> impl Iterator<Item = &LoadedImage> {
        self.images.iter().filter(move |loaded| is_wanted(&loaded.image)).filter(|loaded| self.may_ask(loaded))
    }

    /// Iterates over the program and those libraries whose file names begin with one of the words. The others are not
    /// queried.
    pub fn program_and(&self, libraries: &[&str]) -> impl Iterator<Item = &LoadedImage> {
        let program = self.executable().map(|program| program.image.index());
        self.wanted(move |image| {
            let name = image.path().rsplit('/').next().unwrap_or_default();
            Some(image.index()) == program || libraries.iter().any(|start| name.starts_with(start))
        })
    }

    /// Returns what a table says of the functions that the program and these libraries define, by address.
    pub fn functions_of<T: Copy>(&self, libraries: &[&str], table: &[(T, &[&str])]) -> BTreeMap<u64, T> {
        let mut found = BTreeMap::new();
        for loaded in self.program_and(libraries) {
            for (value, names) in table {
                found.extend(names.iter().filter_map(|name| Some((loaded.symbol(name)?.0, *value))));
            }
        }
        found
    }

    /// Returns the program itself, without its libraries.
    pub fn executable(&self) -> Option<&LoadedImage> {
        self.images.first().filter(|loaded| self.may_ask(loaded))
    }

    /// Returns the file mapped at an address.
    pub fn find(&self, address: VirtualAddress) -> Option<&LoadedImage> {
        self.images.iter().find(|loaded| loaded.range.contains(&address)).filter(|loaded| self.may_ask(loaded))
    }

    /// Returns the file mapped at an address, and the address within the file.
    pub fn locate(&self, address: VirtualAddress) -> Option<(&LoadedImage, FileAddress)> {
        self.find(address).map(|loaded| (loaded, loaded.bias.unloaded(address)))
    }

    /// Returns the file with this number in a [`TypeId`](crate::types::TypeId).
    pub fn by_index(&self, index: u32) -> Option<&LoadedImage> {
        self.images.iter().find(|loaded| loaded.image.index() == index).filter(|loaded| self.may_ask(loaded))
    }

    /// Returns the definition of a type that is declared under this name.
    pub(crate) fn completion(&self, name: &Arc<str>, find: impl FnOnce() -> Option<TypeId>) -> Option<TypeId> {
        let known = self.completions.lock().unwrap_or_else(PoisonError::into_inner).get(name).copied();
        known.unwrap_or_else(|| {
            let found = find();
            if self.missing.as_ref().is_some_and(|missing| !missing.images().is_empty()) {
                return found;
            }
            self.completions.lock().unwrap_or_else(PoisonError::into_inner).insert(Arc::clone(name), found);
            found
        })
    }
}
