//! Every file mapped by some rank of the server, opened once.

use super::error::ImageError;
use super::image::Image;
use super::preparing::{AfterPreparing, BeforePreparing, Preparer};
use crate::index::cache::IndexCache;
use crate::named_file::{self, LONGEST_IMAGE};
use rustc_hash::FxHashMap;
use std::fs::{File, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Two open files are the same if device, inode, modification time and size are.
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

/// The files of a server's ranks; engines of one process may share them. Images are never dropped, since a [`TypeId`](crate::types::TypeId) may refer to one.
#[derive(Default)]
pub struct SymbolStore {
    opened: Mutex<Opened>,
    /// Prepares opened files; `None`: they are read on demand.
    preparer: Option<Preparer>,
    /// The directory of saved indexes; `None`: indexes are made each time.
    cache: Option<IndexCache>,
}

impl SymbolStore {
    /// Makes an empty store.
    pub fn new() -> Arc<Self> {
        Arc::default()
    }

    /// Makes an empty store that prepares each opened image on threads of its own.
    ///
    /// # Errors
    ///
    /// The threads cannot be started.
    pub fn preparing(before: Option<BeforePreparing>) -> io::Result<Arc<Self>> {
        let preparer = Some(Preparer::start(before)?);
        Ok(Arc::new(Self { opened: Mutex::default(), preparer, cache: IndexCache::of_user() }))
    }

    /// Calls `listener` after each prepared image until it returns false.
    pub fn listen(&self, listener: AfterPreparing) {
        if let Some(preparer) = &self.preparer {
            preparer.listen(listener);
        }
    }

    /// Makes an empty store that saves indexes.
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

    /// Opens an ELF file, or returns the image opened before. Reads the headers only; the rest is read on demand.
    pub fn open(&self, path: &Path) -> Result<Arc<Image>, ImageError> {
        // Called again for every new library, so avoid opening known files.
        if let Some(known) = path.metadata().ok().and_then(|facts| self.lock().known(Identity::of(&facts))) {
            return Ok(known);
        }
        let file = named_file::open(path, LONGEST_IMAGE);
        let file = file.map_err(|error| ImageError::Unreadable { path: path.to_owned(), reason: error.to_string() })?;
        self.open_file(&file, path)
    }

    /// As [`SymbolStore::open`], for a file opened other than by its name, such as through `/proc/PID/exe`.
    pub fn open_file(&self, file: &File, path: &Path) -> Result<Arc<Image>, ImageError> {
        let facts = file.metadata().map_err(|error| ImageError::unreadable(path, &error))?;
        let identity = Identity::of(&facts);
        // Opening is cheap; holding the lock ensures it happens once even if all ranks start together.
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

    /// Opens an image that is in no file; equal bytes give the same image.
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

    /// Returns the image with this number in a [`TypeId`](crate::types::TypeId).
    pub fn image(&self, index: u32) -> Option<Arc<Image>> {
        self.lock().images.get(index as usize).cloned()
    }
}
