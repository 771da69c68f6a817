//! Every file that some rank of the server has mapped, opened once.

use super::error::ImageError;
use super::image::Image;
use super::preparing::Preparer;
use crate::index::cache::IndexCache;
use crate::named_file::{self, LONGEST_IMAGE};
use rustc_hash::FxHashMap;
use std::fs::{File, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Two opened files are the same by device, inode, time of the last change, and size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Identity {
    device: u64,
    inode: u64,
    seconds: i64,
    nanoseconds: i64,
    size: u64,
}

impl Identity {
    fn of(facts: &Metadata) -> Self {
        Self {
            device: facts.dev(),
            inode: facts.ino(),
            seconds: facts.mtime(),
            nanoseconds: facts.mtime_nsec(),
            size: facts.size(),
        }
    }
}

#[derive(Default)]
struct Opened {
    by_identity: FxHashMap<Identity, u32>,
    by_content: FxHashMap<&'static [u8], u32>,
    images: Vec<Arc<Image>>,
}

impl Opened {
    fn known(&self, identity: Identity) -> Option<Arc<Image>> {
        self.images.get(*self.by_identity.get(&identity)? as usize).cloned()
    }
}

/// The files of a server's ranks. Images are never given back: a type of theirs may be known to anybody.
#[derive(Default)]
pub struct SymbolStore {
    opened: Mutex<Opened>,
    /// Prepares opened files; `None`: they are read when they are asked for.
    preparer: Option<Preparer>,
    /// Where indexes are kept; nowhere: they are made each time.
    cache: Option<IndexCache>,
}

impl SymbolStore {
    /// A store that has opened nothing yet.
    pub fn new() -> Arc<Self> {
        Arc::default()
    }

    /// Nothing opened yet; what is will be prepared at once, on threads of its own.
    pub fn preparing(preparer: Preparer) -> Arc<Self> {
        Arc::new(Self { opened: Mutex::default(), preparer: Some(preparer), cache: IndexCache::of_user() })
    }

    /// Nothing opened yet; indexes are kept.
    pub fn keeping(cache: IndexCache) -> Arc<Self> {
        Arc::new(Self { opened: Mutex::default(), preparer: None, cache: Some(cache) })
    }

    fn lock(&self) -> MutexGuard<'_, Opened> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn prepare(&self, image: &Arc<Image>) {
        if let Some(preparer) = &self.preparer {
            preparer.add(image);
        }
    }

    /// Opens an ELF file, or gives the one opened before. Reads the headers only; what they lead to is read when asked for.
    pub fn open(&self, path: &Path) -> Result<Arc<Image>, ImageError> {
        // Asked again at every library that comes: what is known is not opened.
        if let Some(known) = path.metadata().ok().and_then(|facts| self.lock().known(Identity::of(&facts))) {
            return Ok(known);
        }
        let file = named_file::open(path, LONGEST_IMAGE);
        let file = file.map_err(|error| ImageError::Unreadable { path: path.to_owned(), reason: error.to_string() })?;
        self.open_file(&file, path)
    }

    /// As [`SymbolStore::open`], for a file reached by another way than its name, such as `/proc/PID/exe`.
    pub fn open_file(&self, file: &File, path: &Path) -> Result<Arc<Image>, ImageError> {
        let facts = file.metadata().map_err(|error| ImageError::unreadable(path, &error))?;
        let identity = Identity::of(&facts);
        // Opening is cheap, and under the lock it happens once even when all ranks start together.
        let mut opened = self.lock();
        if let Some(image) = opened.known(identity) {
            return Ok(image);
        }
        let index = opened.images.len() as u32;
        let image = Arc::new(Image::open(index, file, path, self.cache.clone())?);
        opened.images.push(Arc::clone(&image));
        opened.by_identity.insert(identity, index);
        self.prepare(&image);
        Ok(image)
    }

    /// An image that is in no file; the same bytes give the same image.
    pub fn open_bytes(&self, name: &str, bytes: Vec<u8>) -> Result<Arc<Image>, ImageError> {
        let mut opened = self.lock();
        let known = opened.by_content.get(bytes.as_slice()).and_then(|index| opened.images.get(*index as usize));
        if let Some(image) = known.cloned() {
            return Ok(image);
        }
        let bytes: &'static [u8] = Vec::leak(bytes);
        let index = opened.images.len() as u32;
        let image = Arc::new(Image::of_bytes(index, bytes, name)?);
        opened.images.push(Arc::clone(&image));
        opened.by_content.insert(bytes, index);
        self.prepare(&image);
        Ok(image)
    }

    /// The image with this number in a [`TypeId`](crate::types::TypeId).
    pub fn image(&self, index: u32) -> Option<Arc<Image>> {
        self.lock().images.get(index as usize).cloned()
    }
}
