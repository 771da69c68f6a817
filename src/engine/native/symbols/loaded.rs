//! The files that one process has mapped.

use super::image::Image;
use super::image_places::ResolvedSite;
use super::resolve;
use crate::engine::native::types::TypeId;
use crate::model::{FileAddress, LoadBias, LocationSpec, VirtualAddress};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// A file in the memory of a process.
#[derive(Clone, Debug)]
pub struct LoadedImage {
    /// The file.
    pub image: Arc<Image>,
    /// What loading added to its addresses.
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
        let extent = image.extent();
        let range = bias.loaded(extent.start)..bias.loaded(extent.end);
        Self { image, bias, range, name, link_map }
    }
}

/// The files that one process has mapped; cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct LoadedImages {
    /// The executable first, then in the order of the link map.
    images: Arc<[LoadedImage]>,
    /// Which file completes a type that another only declares, by name.
    completions: Arc<Mutex<FxHashMap<Arc<str>, Option<TypeId>>>>,
}

impl LoadedImages {
    /// The executable first.
    pub fn new(images: Vec<LoadedImage>) -> Self {
        Self { images: images.into(), completions: Arc::default() }
    }

    /// All, the executable first.
    pub fn iter(&self) -> impl Iterator<Item = &LoadedImage> {
        self.images.iter()
    }

    /// The program itself.
    pub fn executable(&self) -> Option<&LoadedImage> {
        self.images.first()
    }

    /// The file that an address is in.
    pub fn find(&self, address: VirtualAddress) -> Option<&LoadedImage> {
        self.images.iter().find(|loaded| loaded.range.contains(&address))
    }

    /// The file that an address is in, and which place of it.
    pub fn locate(&self, address: VirtualAddress) -> Option<(&LoadedImage, FileAddress)> {
        self.find(address).map(|loaded| (loaded, loaded.bias.unloaded(address)))
    }

    /// The file with this number in a [`TypeId`](crate::engine::native::types::TypeId).
    pub fn by_index(&self, index: u32) -> Option<&LoadedImage> {
        self.images.iter().find(|loaded| loaded.image.index() == index)
    }

    /// The definition of a type that is declared under this name.
    pub(super) fn completion(&self, name: &Arc<str>, find: impl FnOnce() -> Option<TypeId>) -> Option<TypeId> {
        let known = self.completions.lock().unwrap_or_else(PoisonError::into_inner).get(name).copied();
        known.unwrap_or_else(|| {
            let found = find();
            self.completions.lock().unwrap_or_else(PoisonError::into_inner).insert(Arc::clone(name), found);
            found
        })
    }

    /// Where a location is in all files, with the file of each. A line that one of them has code for is not looked for
    /// behind it in another: files of the same base name are common.
    pub fn resolve(&self, location: &LocationSpec) -> Vec<(&LoadedImage, ResolvedSite)> {
        if let LocationSpec::FileLine { file, line } = location {
            let mut found = Vec::new();
            for loaded in self.images.iter() {
                found.extend(resolve::line_rows(&loaded.image, file, *line).map(|rows| (loaded, rows)));
            }
            let nearest = found.iter().map(|(_, rows)| rows.line).min();
            found.retain(|(_, rows)| Some(rows.line) == nearest);
            let mut sites = Vec::new();
            for (loaded, rows) in found {
                sites.extend(resolve::sites_of_rows(&loaded.image, rows).into_iter().map(|site| (loaded, site)));
            }
            return sites;
        }
        let sites = |loaded: &'_ LoadedImage| loaded.image.resolve(location);
        self.images.iter().flat_map(|loaded| sites(loaded).into_iter().map(move |site| (loaded, site))).collect()
    }
}
