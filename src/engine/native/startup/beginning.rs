//! Finds the files of a program that has just been executed, and the sites in them, outside the tracer thread.

use super::first_stop::Begin;
use super::unsupported::written_in_go;
use crate::native::breakpoints::evaluated::Placed;
use crate::native::breakpoints::lookups::find_all;
use crate::native::breakpoints::sites::{Lookup, Wanted, find_sites};
use crate::native::errors::error_call::ErrorCalls;
use crate::native::fpe::environment_calls::EnvironmentCalls;
use crate::native::inspect::snapshot::Snapshot;
use crate::native::ptrace::{LONGEST, Memory, Tid, decode};
use crate::process::procfs::{directory, executable, witness};
use debuginfo::types::MemoryFault;
use debuginfo::{
    AuxiliaryVector, Image, ImageError, LinkMap, LoadedImages, ProcessFiles, ReadMemory, SymbolStore, linker_events,
};
use iced_x86::{FlowControl, OpKind, Register};
use model::{BreakpointId, FileAddress, LocationSpec, Site, SourcePlace, VirtualAddress};
use std::sync::Arc;

impl ReadMemory for Memory {
    fn read(&self, address: VirtualAddress, into: &mut [u8]) -> Result<(), MemoryFault> {
        Memory::read(self, address.0, into)
    }
}

/// The files and sites of a program that has just been executed, attached or taken over.
pub(super) struct Fresh {
    pub(super) images: LoadedImages,
    pub(super) auxiliary: AuxiliaryVector,
    pub(super) linker: Vec<VirtualAddress>,
    pub(super) start: Vec<Site>,
    pub(super) file: Option<Arc<str>>,
    pub(super) breakpoints: Vec<(BreakpointId, Placed)>,
    pub(super) error_calls: ErrorCalls,
    pub(super) environment_calls: EnvironmentCalls,
    pub(super) faults: Vec<ImageError>,
    /// Set if this engine cannot debug the program; holds the reason.
    pub(super) unfit: Option<String>,
    /// About pretty-printers for gdb.
    pub(super) gdb_printers: Option<String>,
}

fn find_start(images: &LoadedImages, begin: &Begin) -> Vec<Site> {
    match begin {
        Begin::Nowhere => Vec::new(),
        Begin::Place(wanted) => find_sites(images, wanted),
        Begin::Line(line) => {
            let main = find_start(images, &Begin::Main { guess: false });
            let file = main.iter().find_map(|site| site.source.as_ref()).map(|place| place.file.to_string());
            let spec = file.map(|file| LocationSpec::FileLine { file, line: *line });
            spec.map(|spec| find_sites(images, &Wanted::Place(spec))).unwrap_or_default()
        }
        Begin::Main { guess } => {
            let Some(program) = images.executable() else { return Vec::new() };
            if let Some(entry) = program.image.entry_points().called_by_main() {
                let main = program.bias.loaded(program.image.after_prologue(entry));
                return vec![crate::native::inspect::site_at(images, main)];
            }
            let only = LoadedImages::new(vec![program.clone()]);
            let found = find_sites(&only, &Wanted::Place(LocationSpec::Function("main".to_owned())));
            if found.is_empty() && *guess {
                // A program without a main function stops at its entry point.
                let begin = main_of_start(&program.image).unwrap_or_else(|| program.image.file().entry());
                return vec![crate::native::inspect::site_at(images, program.bias.loaded(begin))];
            }
            found
        }
    }
}

/// Finds `main` in a stripped program: the first argument that `_start` passes to `__libc_start_main`.
fn main_of_start(image: &Image) -> Option<FileAddress> {
    let mut at = image.file().entry();
    for _ in 0..24 {
        let code = image.file().bytes_at(at)?;
        let instruction = decode(code.get(..LONGEST.min(code.len()))?, at.0)?;
        if matches!(instruction.flow_control(), FlowControl::Call | FlowControl::IndirectCall) {
            return None;
        }
        let to_first_argument = instruction.op_count() == 2
            && instruction.op0_kind() == OpKind::Register
            && instruction.op0_register().full_register() == Register::RDI;
        let target = match instruction.op1_kind() {
            OpKind::Memory if instruction.is_ip_rel_memory_operand() => Some(instruction.ip_rel_memory_address()),
            OpKind::Immediate64 | OpKind::Immediate32 | OpKind::Immediate32to64 => Some(instruction.immediate(1)),
            _ => None,
        };
        if let Some(target) = target.filter(|_| to_first_argument) {
            return image.file().bytes_at(FileAddress(target)).map(|_| FileAddress(target));
        }
        at = FileAddress(instruction.next_ip());
    }
    None
}

pub(super) fn find_images(
    store: &SymbolStore,
    pid: Tid,
    auxiliary: &AuxiliaryVector,
    link_map: Option<&LinkMap>,
    memory: &Memory,
) -> Result<(LoadedImages, Vec<ImageError>), ImageError> {
    let files = ProcessFiles { executable: &executable(pid), directory: &directory(pid) };
    LoadedImages::of_process(store, files, auxiliary, link_map, memory)
}

/// The files of a program that has just been executed.
pub(super) struct Opened {
    pub(super) images: LoadedImages,
    pub(super) faults: Vec<ImageError>,
    pub(super) auxiliary: AuxiliaryVector,
}

pub(super) fn open_files(store: &SymbolStore, pid: Tid, memory: &Memory) -> Result<Opened, ImageError> {
    let auxiliary = AuxiliaryVector::parse(&std::fs::read(format!("/proc/{}/auxv", witness(pid))).unwrap_or_default());
    let (images, faults) = find_images(store, pid, &auxiliary, None, memory)?;
    Ok(Opened { images, faults, auxiliary })
}

pub(super) fn look_into(opened: Opened, begin: &Begin, lookups: Vec<Lookup>, process: &Snapshot) -> Fresh {
    let Opened { images, faults, auxiliary } = opened;
    let start = find_start(&images, begin);
    let main = if start.is_empty() { find_start(&images, &Begin::Main { guess: false }) } else { Vec::new() };
    let place = start.iter().chain(&main).find_map(|site| site.source.as_ref());
    let unfit = if matches!(begin, Begin::Main { .. }) { written_in_go(&images, &start) } else { None };
    Fresh {
        unfit,
        gdb_printers: super::gdb_printers::note(&images),
        linker: linker_events(&images, &auxiliary),
        file: place.map(|place: &SourcePlace| Arc::clone(&place.file)),
        breakpoints: find_all(lookups, &images, process),
        error_calls: ErrorCalls::find(&images),
        environment_calls: EnvironmentCalls::find(&images),
        start,
        images,
        auxiliary,
        faults,
    }
}
