//! The dynamic linker's `struct r_debug` and its list (`<link.h>`), found through the auxiliary vector (getauxval(3)).

use super::error::ImageError;
use super::image::Image;
use super::loaded::{LoadedImage, LoadedImages};
use super::store::SymbolStore;
use crate::elf::probes::{Probe, probes};
use crate::unwind::thread_access::ReadMemory;
use model::{LoadBias, VirtualAddress};
use std::path::Path;
use std::sync::Arc;

/// The auxiliary vector of a program (`/proc/PID/auxv`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AuxiliaryVector {
    /// `AT_PHDR`: the program headers in memory.
    pub program_headers: Option<VirtualAddress>,
    /// `AT_PHNUM`: the number of program headers.
    pub program_header_count: u64,
    /// `AT_ENTRY`: the first instruction of the program itself.
    pub entry: Option<VirtualAddress>,
    /// `AT_BASE`: the address of the dynamic linker; `None` if there is none.
    pub interpreter_base: Option<VirtualAddress>,
    /// `AT_SYSINFO_EHDR`: the address of the kernel's vdso.
    pub vdso: Option<VirtualAddress>,
}

/// The state of the dynamic linker (`r_state`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkerState {
    /// The list is complete.
    Consistent,
    /// An entry is being added.
    Adding,
    /// An entry is being removed.
    Deleting,
}

/// A file in the linker's list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkEntry {
    /// The address of its `struct link_map`.
    pub address: VirtualAddress,
    /// The linker's name for the file; empty for the executable.
    pub name: String,
    /// The load bias of its addresses.
    pub bias: LoadBias,
}

/// The list of loaded files that the dynamic linker keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkMap {
    /// In the linker's order, the executable first.
    pub entries: Vec<LinkEntry>,
    /// The code that the linker runs at every change of the list (`r_brk`), for a breakpoint.
    pub event: Option<VirtualAddress>,
    /// Consistent, or in the middle of a change.
    pub state: LinkerState,
}

/// More entries than any program has; a longer list is corrupt and has a cycle.
const LONGEST_LIST: usize = 10_000;
/// At least as many as glibc has (`DL_NNS`).
const MOST_NAMESPACES: usize = 64;
/// `PATH_MAX`.
const LONGEST_NAME: usize = 4096;
/// The tag of the dynamic section whose value the linker sets to the address of its `struct r_debug`.
const DT_DEBUG: u64 = 21;

impl AuxiliaryVector {
    /// Parses `/proc/PID/auxv`: pairs of words, in the machine's byte order.
    pub fn parse(bytes: &[u8]) -> Self {
        let mut vector = Self::default();
        let mut words =
            bytes.chunks_exact(8).filter_map(|word| word.first_chunk::<8>()).map(|w| u64::from_le_bytes(*w));
        while let (Some(tag), Some(value)) = (words.next(), words.next()) {
            let address = Some(VirtualAddress(value)).filter(|_| value != 0);
            match tag {
                0 => break,
                3 => vector.program_headers = address,
                5 => vector.program_header_count = value,
                7 => vector.interpreter_base = address,
                9 => vector.entry = address,
                33 => vector.vdso = address,
                _ => {}
            }
        }
        vector
    }

    /// Computes the load bias of the program itself.
    pub fn executable_bias(&self, executable: &Image) -> LoadBias {
        match (self.program_headers, executable.file().program_headers, self.entry) {
            (Some(memory), Some(file), _) => LoadBias(memory.0.wrapping_sub(file.0)),
            (_, _, Some(entry)) => LoadBias(entry.0.wrapping_sub(executable.file().entry().0)),
            _ => LoadBias(0),
        }
    }
}

impl LinkMap {
    /// Reads the list of a process; `None` before the linker has made it, and in a static program.
    pub fn read(executable: &Image, auxiliary: &AuxiliaryVector, memory: &dyn ReadMemory) -> Option<Self> {
        let bias = auxiliary.executable_bias(executable);
        let first = debug_structure(bias.loaded(executable.file().dynamic?), memory)?;
        let mut whole: Option<Self> = None;
        let mut next = Some(first);
        for _ in 0..MOST_NAMESPACES {
            let Some(debug) = next else { break };
            // If the first list cannot be read there is none; a failure in another namespace (dlmopen(3)) keeps those
            // read so far.
            let Some((part, following)) = read_namespace(debug, memory) else { break };
            next = following;
            match &mut whole {
                None => whole = Some(part),
                Some(whole) => whole.add(part),
            }
        }
        whole.filter(|map| !map.entries.is_empty())
    }

    fn add(&mut self, other: Self) {
        if self.state == LinkerState::Consistent {
            self.state = other.state;
        }
        for entry in other.entries {
            // Every namespace lists the linker itself.
            if !self.entries.iter().any(|known| known.bias == entry.bias && known.name == entry.name) {
                self.entries.push(entry);
            }
        }
    }
}

/// Reads one `struct r_debug`, and the address of the next namespace's (`struct r_debug_extended`, from version 2 on).
fn read_namespace(debug: VirtualAddress, memory: &dyn ReadMemory) -> Option<(LinkMap, Option<VirtualAddress>)> {
    let mut fields = [0; 32];
    memory.read(debug, &mut fields).ok()?;
    let [version, first, event, state] = words(&fields);
    let state = match state as u32 {
        0 => LinkerState::Consistent,
        1 => LinkerState::Adding,
        _ => LinkerState::Deleting,
    };
    let mut entries = Vec::new();
    let mut next = first;
    while next != 0 && entries.len() < LONGEST_LIST {
        let mut fields = [0; 32];
        memory.read(VirtualAddress(next), &mut fields).ok()?;
        let [bias, name, _, following] = words(&fields);
        let name = string_at(VirtualAddress(name), memory);
        entries.push(LinkEntry { address: VirtualAddress(next), name, bias: LoadBias(bias) });
        next = following;
    }
    let address = |address: u64| Some(VirtualAddress(address)).filter(|address| address.0 != 0);
    let following = if version as u32 >= 2 { memory.word(VirtualAddress(debug.0.wrapping_add(40))).ok() } else { None };
    Some((LinkMap { entries, event: address(event), state }, following.and_then(address)))
}

fn words(bytes: &[u8; 32]) -> [u64; 4] {
    let mut words = [0; 4];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks::<8>().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    words
}

/// Follows the dynamic section of the program in memory to `struct r_debug`.
fn debug_structure(dynamic: VirtualAddress, memory: &dyn ReadMemory) -> Option<VirtualAddress> {
    for index in 0..512 {
        let mut entry = [0; 16];
        memory.read(VirtualAddress(dynamic.0.wrapping_add(index * 16)), &mut entry).ok()?;
        let (tag, value) = (u64_at(&entry, 0)?, u64_at(&entry, 8)?);
        match tag {
            0 => return None,
            DT_DEBUG => return Some(VirtualAddress(value)).filter(|_| value != 0),
            _ => {}
        }
    }
    None
}

fn u64_at(bytes: &[u8], offset: usize) -> Option<u64> {
    bytes.get(offset..)?.first_chunk::<8>().map(|word| u64::from_le_bytes(*word))
}

fn string_at(address: VirtualAddress, memory: &dyn ReadMemory) -> String {
    let mut text = Vec::new();
    let mut at = address.0;
    while text.len() < LONGEST_NAME {
        // Stay within a page, since the next one may not be mapped.
        let mut part = vec![0; (64 - at % 64) as usize];
        if memory.read(VirtualAddress(at), &mut part).is_err() {
            break;
        }
        if let Some(end) = part.iter().position(|byte| *byte == 0) {
            text.extend_from_slice(part.get(..end).unwrap_or_default());
            break;
        }
        at = at.wrapping_add(part.len() as u64);
        text.extend(part);
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// Paths for finding the files of a process.
#[derive(Clone, Copy, Debug)]
pub struct ProcessFiles<'a> {
    /// The path of the program: what `/proc/PID/exe` points to.
    pub executable: &'a Path,
    /// The working directory, for libraries that are named relative to it.
    pub directory: &'a Path,
}

impl LoadedImages {
    /// Lists the files of a process: the program and the entries of the linker's list, or, without a list, the program
    /// and its interpreter, as at the first instruction. Libraries that cannot be read are left out and named in the
    /// second part.
    pub fn of_process(
        store: &SymbolStore,
        files: ProcessFiles<'_>,
        auxiliary: &AuxiliaryVector,
        link_map: Option<&LinkMap>,
        memory: &dyn ReadMemory,
    ) -> Result<(Self, Vec<ImageError>), ImageError> {
        let executable = store.open(files.executable)?;
        let bias = auxiliary.executable_bias(&executable);
        let mut faults = Vec::new();
        let mut images = Vec::new();
        let interpreter = executable.file().interpreter();
        let name = Arc::clone(executable.path());
        let own = link_map.and_then(|map| map.entries.first()).map(|entry| entry.address);
        images.push(LoadedImage::new(executable, bias, name, own));
        let mut open = |name: &str, bias: LoadBias, link_map: Option<VirtualAddress>| match store
            .open(&files.directory.join(name))
        {
            Ok(image) => images.push(LoadedImage::new(image, bias, name.into(), link_map)),
            Err(error) => faults.push(error),
        };
        if let Some(link_map) = link_map {
            for entry in link_map.entries.iter().skip(1).filter(|entry| !entry.name.is_empty()) {
                if !is_kernel_library(&entry.name) {
                    open(&entry.name, entry.bias, Some(entry.address));
                }
            }
        } else if let (Some(name), Some(base)) = (interpreter, auxiliary.interpreter_base) {
            open(name, LoadBias(base.0), None);
        }
        if let Some(base) = auxiliary.vdso
            && let Some(image) = kernel_library(store, base, memory)
        {
            let bias = LoadBias(base.0.wrapping_sub(image.file().extent().start.0));
            let name = Arc::clone(image.path());
            images.push(LoadedImage::new(image, bias, name, None));
        }
        Ok((Self::new(images), faults))
    }
}

fn is_kernel_library(name: &str) -> bool {
    name.starts_with("linux-vdso.") || name.starts_with("linux-gate.")
}

/// Opens the kernel's library (vdso(7)), which is in no file, from memory.
fn kernel_library(store: &SymbolStore, base: VirtualAddress, memory: &dyn ReadMemory) -> Option<Arc<Image>> {
    let mut header = [0; 64];
    memory.read(base, &mut header).ok()?;
    let sections = u64_at(&header, 0x28)?;
    let (size, count) = (header.get(0x3a..)?.first_chunk::<2>()?, header.get(0x3c..)?.first_chunk::<2>()?);
    let end = sections.checked_add(u64::from(u16::from_le_bytes(*size)) * u64::from(u16::from_le_bytes(*count)))?;
    // It has always been two pages: a larger size is damage.
    if end > 0x10000 {
        return None;
    }
    let mut bytes = vec![0; end as usize];
    memory.read(base, &mut bytes).ok()?;
    store.open_bytes("[vdso]", bytes).ok()
}

/// The probes at which glibc's linker has just changed its list, if it was built with probes.
const CHANGES: [&str; 3] = ["init_complete", "map_complete", "unmap_complete"];

/// Returns the addresses for breakpoints that see every change of the list before the list exists: the linker's probes
/// if it has all of them, else `_dl_debug_state` of the interpreter.
pub fn linker_events(images: &LoadedImages, auxiliary: &AuxiliaryVector) -> Vec<VirtualAddress> {
    let Some(linker) = auxiliary.interpreter_base.and_then(|base| images.find(base)) else { return Vec::new() };
    let probes = probes(linker.image.file(), "rtld");
    let is = |probe: &Probe, name: &str| probe.name == name;
    if CHANGES.iter().all(|name| probes.iter().any(|probe| is(probe, name))) {
        let changes = probes.iter().filter(|probe| CHANGES.iter().any(|name| is(probe, name)));
        return changes.map(|probe| linker.bias.loaded(probe.address)).collect();
    }
    let symbol = linker.image.symbol("_dl_debug_state").or_else(|| linker.image.symbol("r_debug_state"));
    symbol.map(|address| linker.bias.loaded(address)).into_iter().collect()
}
