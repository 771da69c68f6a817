//! The files that one process has mapped.

use super::image::Image;
use crate::types::description::TypeId;
use model::{FileAddress, LoadBias, VirtualAddress};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// A file in the memory of a process.
#[derive(Clone, Debug)]
pub struct LoadedImage {
    /// The file that is mapped.
    pub image: Arc<Image>,
    /// The load bias of its addresses.
    pub bias: LoadBias,
    /// From its first byte in memory to behind its last.
    pub range: Range<VirtualAddress>,
    /// As the dynamic linker names it; the executable by its path.
    pub name: Arc<str>,
    /// Its `struct link_map`, which thread-local variables are found by.
    pub link_map: Option<VirtualAddress>,
}

impl LoadedImage {
    /// A file with a bias.
    pub fn new(image: Arc<Image>, bias: LoadBias, name: Arc<str>, link_map: Option<VirtualAddress>) -> Self {
        let extent = image.file().extent();
        let range = bias.loaded(extent.start)..bias.loaded(extent.end);
        Self { image, bias, range, name, link_map }
    }
}

/// The files that one process has mapped; cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct LoadedImages {
    /// The executable first, then in the order of the link map.
    images: Arc<[LoadedImage]>,
    /// The files that complete types which others only declare, by name.
    completions: Arc<Mutex<FxHashMap<Arc<str>, Option<TypeId>>>>,
    /// Where files are noted that are passed over because they are not prepared; `None`: none is passed over.
    missing: Option<Missing>,
}

/// Files that were asked for and passed over, because they are not prepared yet.
#[derive(Clone, Debug, Default)]
pub struct Missing(Arc<Mutex<Vec<Arc<Image>>>>);

impl Missing {
    /// Each once. When there are any, what was found out without them counts for nothing.
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
    /// These files; the executable is the first.
    pub fn new(images: Vec<LoadedImage>) -> Self {
        Self { images: images.into(), completions: Arc::default(), missing: None }
    }

    /// The same files, of which those that are not prepared are passed over and noted.
    pub fn only_prepared(&self) -> (Self, Missing) {
        let missing = Missing::default();
        (Self { missing: Some(missing.clone()), ..self.clone() }, missing)
    }

    /// Those of these files that are still there.
    pub fn retained(&self, is_there: impl Fn(&LoadedImage) -> bool) -> Self {
        Self::new(self.images.iter().filter(|loaded| is_there(loaded)).cloned().collect())
    }

    /// The same files at the same places, found at the same time.
    pub fn are(&self, others: &Self) -> bool {
        Arc::ptr_eq(&self.images, &others.images)
    }

    fn may_ask(&self, loaded: &LoadedImage) -> bool {
        let Some(missing) = self.missing.as_ref().filter(|_| !loaded.image.is_prepared()) else { return true };
        missing.note(&loaded.image);
        false
    }

    /// All, the executable first.
    pub fn iter(&self) -> impl Iterator<Item = &LoadedImage> {
        self.images.iter().filter(|loaded| self.may_ask(loaded))
    }

    /// Those that are wanted; the others are not asked for anything.
    pub fn wanted(&self, is_wanted: impl Fn(&Image) -> bool) -> impl Iterator<Item = &LoadedImage> {
        self.images.iter().filter(move |loaded| is_wanted(&loaded.image)).filter(|loaded| self.may_ask(loaded))
    }

    /// The program itself, without its libraries.
    pub fn executable(&self) -> Option<&LoadedImage> {
        self.images.first().filter(|loaded| self.may_ask(loaded))
    }

    /// The file that an address is in.
    pub fn find(&self, address: VirtualAddress) -> Option<&LoadedImage> {
        self.images.iter().find(|loaded| loaded.range.contains(&address)).filter(|loaded| self.may_ask(loaded))
    }

    /// The file that an address is in, and which place of it.
    pub fn locate(&self, address: VirtualAddress) -> Option<(&LoadedImage, FileAddress)> {
        self.find(address).map(|loaded| (loaded, loaded.bias.unloaded(address)))
    }

    /// The file with this number in a [`TypeId`](crate::types::TypeId).
    pub fn by_index(&self, index: u32) -> Option<&LoadedImage> {
        self.images.iter().find(|loaded| loaded.image.index() == index).filter(|loaded| self.may_ask(loaded))
    }

    /// The definition of a type that is declared under this name.
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
