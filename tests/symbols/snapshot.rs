//! A process stopped by gdb, as a core file: the same state for gdb and for us, without a running process.

use crate::built::gdb_each;
use object::LittleEndian;
use object::elf::{FileHeader64, NT_AUXV, NT_FPREGSET, NT_PRSTATUS, PT_LOAD, PT_NOTE};
use object::read::elf::{FileHeader, ProgramHeader};
use rankscope::debuginfo::types::MemoryFault;
use rankscope::debuginfo::{
    AuxiliaryVector, LinkMap, LoadedImages, ProcessFiles, ReadMemory, Registers, SymbolStore, ThreadAccess,
};
use rankscope::model::VirtualAddress;
use std::path::Path;

/// The state of a stopped process.
pub struct Snapshot {
    parts: Vec<(u64, Vec<u8>)>,
    pub registers: Registers,
    /// `struct user_fpregs_struct`.
    floating: Option<Vec<u8>>,
    pub auxiliary: AuxiliaryVector,
    pub images: LoadedImages,
    pub link_map: Option<LinkMap>,
    /// gdb's output for each command.
    pub said: Vec<String>,
}

/// DWARF numbers of `struct user_regs_struct`, in its order.
const ORDER: [Option<u16>; 27] = [
    Some(15),
    Some(14),
    Some(13),
    Some(12),
    Some(6),
    Some(3),
    Some(11),
    Some(10),
    Some(9),
    Some(8),
    Some(0),
    Some(2),
    Some(1),
    Some(4),
    Some(5),
    None,
    Some(16),
    Some(51),
    Some(49),
    Some(7),
    Some(52),
    Some(58),
    Some(59),
    Some(53),
    Some(50),
    Some(54),
    Some(55),
];

impl Snapshot {
    /// Makes gdb execute `before`, which stops the program, and then `commands`.
    pub fn take(path: &Path, before: &[&str], commands: &[&str]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("core");
        let before: Vec<String> = before.iter().map(|command| (*command).to_owned()).collect();
        let mut all: Vec<String> = commands.iter().map(|command| (*command).to_owned()).collect();
        all.push(format!("generate-core-file {}", file.display()));
        let mut before_all = vec!["set use-coredump-filter off".to_owned(), "set debuginfod enabled off".to_owned()];
        before_all.extend(before);
        let mut said = gdb_each(path, &before_all, &all);
        said.pop();
        let core = std::fs::read(&file).unwrap();
        Self::of_core(path, core, said)
    }

    fn of_core(path: &Path, core: Vec<u8>, said: Vec<String>) -> Self {
        let header = FileHeader64::<LittleEndian>::parse(core.as_slice()).unwrap();
        let endian = LittleEndian;
        let mut parts = Vec::new();
        let mut registers = None;
        let mut auxiliary = AuxiliaryVector::default();
        let mut floating = None;
        for segment in header.program_headers(endian, core.as_slice()).unwrap() {
            match segment.p_type(endian) {
                PT_LOAD => {
                    let data = segment.data(endian, core.as_slice()).unwrap();
                    parts.push((segment.p_vaddr(endian), data.to_vec()));
                }
                PT_NOTE => {
                    let mut notes = segment.notes(endian, core.as_slice()).unwrap().unwrap();
                    while let Ok(Some(note)) = notes.next() {
                        if note.n_type(endian) == NT_PRSTATUS && registers.is_none() {
                            registers = Some(general(note.desc()));
                        } else if note.n_type(endian) == NT_FPREGSET && floating.is_none() {
                            floating = Some(note.desc().to_vec());
                        } else if note.n_type(endian) == NT_AUXV {
                            auxiliary = AuxiliaryVector::parse(note.desc());
                        }
                    }
                }
                _ => {}
            }
        }
        let mut snapshot = Self {
            parts,
            registers: registers.expect("a core has registers"),
            auxiliary,
            images: LoadedImages::default(),
            link_map: None,
            said,
            floating: None,
        };
        snapshot.floating = floating;
        let store = SymbolStore::new();
        let executable = store.open(path).unwrap();
        snapshot.link_map = LinkMap::read(&executable, &auxiliary, &snapshot);
        let files = ProcessFiles { executable: path, directory: Path::new("/") };
        let (images, faults) =
            LoadedImages::of_process(&store, files, &auxiliary, snapshot.link_map.as_ref(), &snapshot).unwrap();
        assert!(faults.is_empty(), "{faults:?}");
        snapshot.images = images;
        snapshot
    }
}

fn general(status: &[u8]) -> Registers {
    let mut registers = Registers::new();
    let words = status[112..].chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().unwrap()));
    for (number, value) in ORDER.iter().zip(words) {
        if let Some(number) = number {
            registers.set(*number, value);
        }
    }
    registers
}

impl ReadMemory for Snapshot {
    fn read(&self, address: VirtualAddress, into: &mut [u8]) -> Result<(), MemoryFault> {
        let part = self.parts.iter().find(|(start, data)| (*start..*start + data.len() as u64).contains(&address.0));
        let Some((start, data)) = part else {
            // A core omits memory that is in files.
            let (loaded, place) = self.images.locate(address).ok_or(MemoryFault(address))?;
            let bytes = loaded.image.file().bytes_at(place).and_then(|bytes| bytes.get(..into.len()));
            into.copy_from_slice(bytes.ok_or(MemoryFault(address))?);
            return Ok(());
        };
        let within = (address.0 - start) as usize;
        let data = data.get(within..within + into.len()).ok_or(MemoryFault(address))?;
        into.copy_from_slice(data);
        Ok(())
    }
}

impl ThreadAccess for Snapshot {
    fn write(&self, address: VirtualAddress, _data: &[u8]) -> Result<(), MemoryFault> {
        Err(MemoryFault(address))
    }

    fn register(&self, number: u16) -> Option<Vec<u8>> {
        let index = usize::from(number.checked_sub(17).filter(|index| *index < 16)?);
        Some(self.floating.as_ref()?[160 + 16 * index..][..16].to_vec())
    }

    fn set_register(&self, _number: u16, _data: &[u8]) -> bool {
        false
    }
}
