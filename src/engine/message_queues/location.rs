//! Finds the queue library that the MPI of a program names.

use super::fault::QueueFault;
use debuginfo::{LoadedImage, LoadedImages, ReadMemory};
use model::VirtualAddress;
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// A list of libraries, which ends with a null pointer: Open MPI fills it in `MPI_Init`.
const LIBRARIES: &str = "mpimsgq_dll_locations";
/// The name of the library, in an array of characters.
const LIBRARY: &str = "MPIR_dll_name";

const MOST_LIBRARIES: u64 = 16;
const LONGEST_PATH: usize = 4096;

/// The library, and the file of the MPI that names it.
pub(crate) struct NamedLibrary {
    pub(crate) path: PathBuf,
    /// The path of the file that names it; types are looked up in the files beside it.
    pub(crate) module: PathBuf,
}

/// Returns the library to load: the one that was set, or the first usable one that the program names.
pub(crate) fn named_library(
    images: &LoadedImages,
    memory: &dyn ReadMemory,
    chosen: &str,
) -> Result<NamedLibrary, QueueFault> {
    let (names, loaded) = names(images, memory).ok_or(QueueFault::Unnamed)?;
    let module = PathBuf::from(&*loaded.name);
    if !chosen.is_empty() {
        let path = PathBuf::from(chosen);
        is_regular(&path)?;
        return Ok(NamedLibrary { path, module });
    }
    let mut first = Err(QueueFault::Unnamed);
    for path in names {
        match check(&path, &module) {
            Ok(path) => return Ok(NamedLibrary { path, module }),
            Err(fault) if matches!(first, Err(QueueFault::Unnamed)) => first = Err(fault),
            Err(_) => {}
        }
    }
    first
}

/// Returns the paths that the program names, and the file of the MPI: the last that defines the variable, since a
/// program that refers to it has a copy.
fn names<'a>(images: &'a LoadedImages, memory: &dyn ReadMemory) -> Option<(Vec<PathBuf>, &'a LoadedImage)> {
    let defined = |name: &str| -> Option<(VirtualAddress, &'a LoadedImage)> {
        let at = |loaded: &'a LoadedImage| Some((loaded.bias.loaded(loaded.image.symbol(name)?), loaded));
        let all: Vec<_> = images.iter().filter_map(at).collect();
        Some((all.first()?.0, all.last()?.1))
    };
    let list = defined(LIBRARIES);
    let mut found = Vec::new();
    if let Some(list) = list.and_then(|(at, _)| word(memory, at)).filter(|list| *list != 0) {
        let entry = |at: u64| word(memory, VirtualAddress(list.wrapping_add(at * 8))).filter(|text| *text != 0);
        let texts = (0..MOST_LIBRARIES).map_while(entry);
        found.extend(texts.filter_map(|text| path(memory, VirtualAddress(text))));
    }
    let one = defined(LIBRARY);
    found.extend(one.and_then(|(at, _)| path(memory, at)));
    let (_, loaded) = one.or(list)?;
    (!found.is_empty()).then_some((found, loaded))
}

fn word(memory: &dyn ReadMemory, address: VirtualAddress) -> Option<u64> {
    let mut bytes = [0; 8];
    memory.read(address, &mut bytes).ok()?;
    Some(u64::from_le_bytes(bytes))
}

/// Reads a path, by pieces: what follows it may not be readable.
fn path(memory: &dyn ReadMemory, address: VirtualAddress) -> Option<PathBuf> {
    const PIECE: usize = 16;
    let mut text = Vec::new();
    while text.len() < LONGEST_PATH {
        let at = address.0.checked_add(text.len() as u64)?;
        let mut piece = vec![0; PIECE - (at % PIECE as u64) as usize];
        memory.read(VirtualAddress(at), &mut piece).ok()?;
        match piece.iter().position(|byte| *byte == 0) {
            Some(end) => {
                text.extend_from_slice(piece.get(..end)?);
                return (!text.is_empty()).then(|| OsString::from_vec(text).into());
            }
            None => text.extend(piece),
        }
    }
    None
}

fn is_regular(path: &Path) -> Result<fs::Metadata, QueueFault> {
    // A named pipe or a device is not opened.
    match fs::metadata(path) {
        Ok(file) if file.is_file() => Ok(file),
        Ok(_) => Err(QueueFault::NotRegular(path.to_owned())),
        Err(_) => Err(QueueFault::NoFile(path.to_owned())),
    }
}

/// Returns the path without links if the library belongs to the MPI. The name comes from the memory of the program,
/// which may be damaged or another user's.
fn check(path: &Path, module: &Path) -> Result<PathBuf, QueueFault> {
    let file = is_regular(path)?;
    let elsewhere = || QueueFault::Elsewhere(path.to_owned(), module.display().to_string());
    let (real, module) = (fs::canonicalize(path), fs::canonicalize(module));
    let (real, module) = (real.map_err(|_| elsewhere())?, module.map_err(|_| elsewhere())?);
    if !path.is_absolute() || !module.parent().is_some_and(|directory| real.starts_with(directory)) {
        return Err(elsewhere());
    }
    let own = nix::unistd::geteuid().as_raw();
    if (file.uid() != 0 && file.uid() != own) || file.permissions().mode() & 0o002 != 0 {
        return Err(QueueFault::Writable(path.to_owned()));
    }
    Ok(real)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_regular_file_beside_the_mpi_is_loaded() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        fs::create_dir_all(at("lib/openmpi")).unwrap();
        fs::write(at("lib/libmpi.so"), "").unwrap();
        fs::write(at("lib/openmpi/good.so"), "").unwrap();
        fs::write(at("other.so"), "").unwrap();
        std::os::unix::fs::symlink(at("other.so"), at("lib/link.so")).unwrap();
        nix::unistd::mkfifo(&at("lib/pipe.so"), nix::sys::stat::Mode::S_IRWXU).unwrap();
        let module = at("lib/libmpi.so");
        let good = fs::canonicalize(at("lib/openmpi/good.so")).unwrap();
        assert_eq!(check(&at("lib/openmpi/good.so"), &module), Ok(good));
        assert_eq!(check(&at("lib/none.so"), &module), Err(QueueFault::NoFile(at("lib/none.so"))));
        assert_eq!(check(&at("lib"), &module), Err(QueueFault::NotRegular(at("lib"))));
        assert_eq!(check(&at("lib/pipe.so"), &module), Err(QueueFault::NotRegular(at("lib/pipe.so"))));
        for elsewhere in ["other.so", "lib/link.so"] {
            let fault = check(&at(elsewhere), &module).unwrap_err();
            assert_eq!(fault, QueueFault::Elsewhere(at(elsewhere), module.display().to_string()));
        }
        fs::set_permissions(at("lib/openmpi/good.so"), fs::Permissions::from_mode(0o777)).unwrap();
        let fault = check(&at("lib/openmpi/good.so"), &module);
        assert_eq!(fault, Err(QueueFault::Writable(at("lib/openmpi/good.so"))));
    }
}
