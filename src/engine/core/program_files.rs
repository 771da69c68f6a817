//! The program and the libraries of a core file: found by the dynamic linker's list, else by the list of mapped files, and
//! used only if they are the files that the program had mapped.

use super::build_ids::{build_id_at, hexadecimal};
use super::notes::MappedFile;
use super::open_core::OpenCore;
use debuginfo::types::MemoryFault;
use debuginfo::{
    AuxiliaryVector, Image, ImageError, LinkMap, LoadedImage, LoadedImages, ProcessFiles, ReadMemory, SymbolStore,
};
use model::{LoadBias, VirtualAddress};
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Arc;

/// The files of a core file, and what the user has to know of those that are not used.
#[derive(Default)]
pub(super) struct ProgramFiles {
    pub(super) images: LoadedImages,
    pub(super) complaints: Vec<String>,
}

impl ReadMemory for OpenCore {
    fn read(&self, address: VirtualAddress, into: &mut [u8]) -> Result<(), MemoryFault> {
        Self::read(self, address.0, into).map_err(|at| MemoryFault(VirtualAddress(at)))
    }
}

/// Finds the files of a core file; `program` is the one that the user names.
pub(super) fn program_files(core: &OpenCore, store: &SymbolStore, program: &Path) -> ProgramFiles {
    let mut search = Search { core, store, complaints: Vec::new() };
    let auxiliary = AuxiliaryVector::parse(&core.notes.auxiliary_vector);
    let executable = search.executable(program, &auxiliary);
    let images = executable.and_then(|path| search.by_linker(&path, &auxiliary));
    let images = images.unwrap_or_else(|| search.by_mappings());
    ProgramFiles { images: search.checked(images), complaints: search.complaints }
}

struct Search<'a> {
    core: &'a OpenCore,
    store: &'a SymbolStore,
    complaints: Vec<String>,
}

impl Search<'_> {
    /// Returns the path of the program; `None` if it cannot be read, or is not the one that the core file is of.
    fn executable(&mut self, program: &Path, auxiliary: &AuxiliaryVector) -> Option<String> {
        let known = self.mapping_of_program(auxiliary).map(|mapping| (mapping.name.clone(), mapping.start));
        let id = known.as_ref().and_then(|(_, start)| build_id_at(self.core, *start));
        let named = match self.store.open(program) {
            Ok(image) => image,
            Err(error) => {
                self.complaints.push(format!("{error}: its functions and variables have no names"));
                return None;
            }
        };
        let shown = program.display();
        let own_name = known.as_ref().map_or(self.core.notes.name.as_str(), |(name, _)| name.as_str());
        let Some(why) = difference(&named, id.as_deref(), auxiliary) else {
            if id.is_none() && !own_name.is_empty() && base_name(own_name) != base_name(&program.to_string_lossy()) {
                self.complaints.push(format!(
                    "the core files are of {own_name}, and have no build-id: if {shown} is another program, names and \
                        values are wrong"
                ));
            } else if id.is_none() && self.is_newer(program) {
                self.complaints.push(format!(
                    "{shown} is newer than the core files, and they have no build-id: if it was built again, names and \
                        values are wrong"
                ));
            }
            return Some(program.to_string_lossy().into_owned());
        };
        // The program itself may still be where it was.
        let other = known.clone().filter(|(name, _)| Path::new(name) != program && id.is_some());
        let right = other.filter(|(name, _)| {
            self.store.open(Path::new(name)).is_ok_and(|image| difference(&image, id.as_deref(), auxiliary).is_none())
        });
        let of = if own_name.is_empty() { "another program".to_owned() } else { own_name.to_owned() };
        match right {
            Some((name, _)) => {
                self.complaints.push(format!("the core files are not of {shown} ({why}): {name} is used, which fits"));
                Some(name)
            }
            None => {
                self.complaints.push(format!(
                    "the core files are not of {shown} ({why}), but of {of}: functions and variables of the program \
                        have no names; name that program"
                ));
                None
            }
        }
    }

    /// Returns the first mapping of the file that has the program's headers.
    fn mapping_of_program(&self, auxiliary: &AuxiliaryVector) -> Option<&MappedFile> {
        let files = &self.core.notes.files;
        let inside = auxiliary.program_headers.or(auxiliary.entry)?.0;
        let name = &files.iter().find(|file| (file.start..file.end).contains(&inside))?.name;
        files.iter().find(|file| file.name == *name && file.offset == 0)
    }

    fn is_newer(&self, path: &Path) -> bool {
        path.metadata().is_ok_and(|facts| facts.mtime() > self.core.written)
    }

    /// Finds the files in the dynamic linker's list.
    fn by_linker(&mut self, executable: &str, auxiliary: &AuxiliaryVector) -> Option<LoadedImages> {
        let image = self.store.open(Path::new(executable)).ok()?;
        let map = LinkMap::read(&image, auxiliary, self.core);
        let is_static = image.file().interpreter().is_none();
        if map.is_none() && !is_static {
            self.complaints.push(
                "the dynamic linker's list of libraries is missing in the core files: libraries are found by the list of \
                    mapped files, and thread-local variables are unknown"
                    .to_owned(),
            );
        }
        let files = ProcessFiles { executable: Path::new(executable), directory: Path::new("/") };
        let (images, faults) = LoadedImages::of_process(self.store, files, auxiliary, map.as_ref(), self.core).ok()?;
        self.complain_of_missing(&faults);
        if map.is_some() || is_static {
            return Some(images);
        }
        let known: BTreeSet<u32> = images.iter().map(|loaded| loaded.image.index()).collect();
        let others = self.by_mappings();
        let others = others.iter().filter(|loaded| !known.contains(&loaded.image.index()));
        Some(LoadedImages::new(images.iter().chain(others).cloned().collect()))
    }

    fn complain_of_missing(&mut self, faults: &[ImageError]) {
        for fault in faults {
            let id = match fault {
                ImageError::Unreadable { path, .. } => self.id_of_file(&path.to_string_lossy()),
                _ => None,
            };
            let id = id.map_or_else(String::new, |id| format!(" (build-id {})", hexadecimal(&id)));
            self.complaints.push(format!("{fault}{id}: its functions and variables have no names"));
        }
    }

    /// Returns the build-id of a mapped file, by its name or by what the name links to.
    fn id_of_file(&self, name: &str) -> Option<Vec<u8>> {
        let real = fs::canonicalize(name).ok();
        let is_it = |file: &&MappedFile| file.name == name || real.as_deref() == Some(Path::new(&file.name));
        let file = self.core.notes.files.iter().filter(|file| file.offset == 0).find(is_it);
        let file = file.or_else(|| {
            let mut alike = self.core.notes.files.iter().filter(|file| file.offset == 0);
            alike.find(|file| base_name(&file.name) == base_name(name))
        });
        build_id_at(self.core, file?.start)
    }

    /// Finds the files in the list of mapped files.
    fn by_mappings(&mut self) -> LoadedImages {
        let mut images: Vec<LoadedImage> = Vec::new();
        let mut seen = BTreeSet::new();
        for file in self.core.notes.files.iter().filter(|file| file.offset == 0) {
            // A core file that is cut off does not have the page; the file itself is checked when it is opened.
            let mut magic = [0; 4];
            let is_other = self.core.read(file.start, &mut magic).is_ok() && magic != *b"\x7fELF";
            if is_other || !seen.insert((file.start, &file.name)) {
                continue;
            }
            let Ok(image) = self.store.open(Path::new(&file.name)) else { continue };
            let Some(first) = image.file().segments().iter().map(|segment| segment.addresses.start.0).min() else {
                continue;
            };
            let bias = LoadBias(file.start.wrapping_sub(first & !0xfff));
            images.push(LoadedImage::new(image, bias, file.name.as_str().into(), None));
        }
        LoadedImages::new(images)
    }

    /// Drops the libraries that are not those that the program had mapped.
    fn checked(&mut self, images: LoadedImages) -> LoadedImages {
        let mut changed: BTreeSet<u32> = BTreeSet::new();
        for loaded in images.iter() {
            let theirs = build_id_at(self.core, loaded.range.start.0 & !0xfff);
            let ours = loaded.image.file().build_id();
            if let Some(theirs) = theirs
                && ours != Some(&theirs)
            {
                let ours = ours.map_or("none".to_owned(), hexadecimal);
                changed.insert(loaded.image.index());
                self.complaints.push(format!(
                    "{} has changed since the core files were written (build-id {}, now {ours}): its functions and \
                        variables have no names",
                    loaded.name,
                    hexadecimal(&theirs)
                ));
            }
        }
        if changed.is_empty() { images } else { images.retained(|loaded| !changed.contains(&loaded.image.index())) }
    }
}

/// Returns, in words, why a file is not the program that a core file is of; `None` if it may be.
fn difference(image: &Arc<Image>, id: Option<&[u8]>, auxiliary: &AuxiliaryVector) -> Option<String> {
    if let Some(theirs) = id {
        let ours = image.file().build_id();
        return (ours != Some(theirs)).then(|| {
            let ours = ours.map_or("none".to_owned(), hexadecimal);
            format!("build-id {ours}, theirs {}", hexadecimal(theirs))
        });
    }
    let entry = auxiliary.entry?;
    let bias = auxiliary.executable_bias(image);
    let fits = bias.0.is_multiple_of(0x1000) && bias.loaded(image.file().entry()) == entry;
    (!fits).then(|| "it begins at another address".to_owned())
}

/// The last part of a path.
fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
