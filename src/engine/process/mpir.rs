//! The job description that a launcher keeps in its memory for debuggers: the MPIR process acquisition interface (MPI
//! Forum, "The MPIR Process Acquisition Interface", version 1.1). Symbols that only mark a feature are never read.

use crate::process::memory::{Mapping, Memory, mappings};
use crate::process::procfs::{executable, threads};
use debuginfo::named_file::{self, LONGEST_READ};
use debuginfo::types::MemoryFault;
use object::{Object, ObjectSegment, ObjectSymbol};
use std::collections::BTreeMap;
use std::path::Path;

/// The process table (section 6.1).
pub const TABLE: &str = "MPIR_proctable";
const TABLE_SIZE: &str = "MPIR_proctable_size";
/// The function that the launcher calls to notify a debugger (section 6.2).
pub const BREAKPOINT: &str = "MPIR_Breakpoint";
/// Set to 1 by the debugger before the launcher starts ranks (section 6.4). In Flux, a program without a table reads it,
/// too: it decides how ranks are started before it becomes the launcher.
pub const BEING_DEBUGGED: &str = "MPIR_being_debugged";
/// The reason of the call of [`BREAKPOINT`] (section 6.3).
pub const DEBUG_STATE: &str = "MPIR_debug_state";
/// The launcher's text for [`DebugState::Aborting`].
const ABORT_STRING: &str = "MPIR_debug_abort_string";
/// Present when ranks are held before their first instruction (section 6.7).
pub const ACQUIRED_PRE_MAIN: &str = "MPIR_acquired_pre_main";
/// Present when ranks continue even if no debugger has attached to them (section 6.6).
pub const PARTIAL_ATTACH_OK: &str = "MPIR_partial_attach_ok";
/// Present when the launcher is not a rank itself (section 6.5).
pub const I_AM_STARTER: &str = "MPIR_i_am_starter";

/// Specific to srun, a pointer to digits: the job of its ranks (Slurm's `debugger.h`).
const SLURM_JOB: &str = "totalview_jobid";

const NAMES: &[&str] = &[
    SLURM_JOB,
    TABLE,
    TABLE_SIZE,
    BREAKPOINT,
    BEING_DEBUGGED,
    DEBUG_STATE,
    ABORT_STRING,
    ACQUIRED_PRE_MAIN,
    PARTIAL_ATTACH_OK,
    I_AM_STARTER,
];

/// Maximum number of ranks; a longer table is rejected as malformed.
const MOST_ENTRIES: i32 = 1 << 20;
/// `struct MPIR_PROCDESC`: two pointers and a number, padded.
const ENTRY: usize = 24;
const LONGEST_TEXT: usize = 4096;
const PAGE: u64 = 4096;

/// A process of the job; its index in the table is its rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableEntry {
    /// The host name, as the launcher gives it.
    pub host: String,
    /// The path of the executable on that host.
    pub program: String,
    /// The process id on that host.
    pub pid: i32,
}

/// The reason why the launcher called [`BREAKPOINT`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DebugState {
    /// The ranks have started and the table is complete.
    Spawned,
    /// The job is about to be aborted.
    Aborting,
    /// A value that the interface does not define.
    Other(i32),
}

/// A failure to read a launcher's table.
#[derive(Debug, thiserror::Error)]
pub enum MpirError {
    /// The launcher is gone, or its memory may not be read.
    #[error("cannot read the memory of process {0}: {1}")]
    Closed(i32, std::io::Error),
    /// The process lacks a symbol of the interface.
    #[error("process {pid} is not a launcher with an MPIR process table: it has no {symbol}")]
    NoSymbol {
        /// The launcher's process id.
        pid: i32,
        /// The missing symbol.
        symbol: &'static str,
    },
    /// The launcher's data is invalid.
    #[error("invalid MPIR process table of process {0}: {1}")]
    Malformed(i32, String),
}

/// A launcher with an MPIR process table, read through its memory.
#[derive(Debug)]
pub struct MpirLauncher {
    pid: i32,
    memory: Memory,
    symbols: BTreeMap<&'static str, u64>,
}

impl MpirLauncher {
    /// Looks up the symbols in the program and its currently loaded libraries.
    pub fn open(pid: i32) -> Result<Self, MpirError> {
        let memory = Memory::open(pid).map_err(|error| MpirError::Closed(pid, error))?;
        let own = executable(pid);
        let mut symbols = BTreeMap::new();
        for (file, first) in files(mappings(pid), &own) {
            let path = if file == own.to_string_lossy() { own.as_path() } else { Path::new(&file) };
            let Ok(bytes) = named_file::read(path, LONGEST_READ) else { continue };
            for (name, address) in symbols_of(&bytes, &first) {
                // The program comes first, then its libraries, as in the dynamic linker's lookup order.
                symbols.entry(name).or_insert(address);
            }
        }
        Ok(Self { pid, memory, symbols })
    }

    /// True if the launcher defines this symbol.
    pub fn has(&self, name: &'static str) -> bool {
        self.symbols.contains_key(name)
    }

    fn address(&self, symbol: &'static str) -> Result<u64, MpirError> {
        self.symbols.get(symbol).copied().ok_or(MpirError::NoSymbol { pid: self.pid, symbol })
    }

    fn unreadable(&self, what: &str) -> impl Fn(MemoryFault) -> MpirError {
        let what = format!("cannot read {what} in its memory");
        move |fault| MpirError::Malformed(self.pid, format!("{what} ({:#x})", fault.0.0))
    }

    fn number(&self, name: &'static str) -> Result<i32, MpirError> {
        let mut bytes = [0; 4];
        self.memory.read(self.address(name)?, &mut bytes).map_err(self.unreadable(name))?;
        Ok(i32::from_le_bytes(bytes))
    }

    /// Sets [`BEING_DEBUGGED`] in the launcher.
    pub fn announce(&self) -> Result<(), MpirError> {
        let address = self.address(BEING_DEBUGGED)?;
        self.memory.write(address, &1i32.to_le_bytes()).map_err(self.unreadable(BEING_DEBUGGED))
    }

    /// Returns the launcher's reason for being at [`BREAKPOINT`].
    pub fn state(&self) -> Result<DebugState, MpirError> {
        Ok(match self.number(DEBUG_STATE)? {
            1 => DebugState::Spawned,
            2 => DebugState::Aborting,
            other => DebugState::Other(other),
        })
    }

    /// Returns the launcher's reason for aborting the job, if it gives one.
    pub fn abort_reason(&self) -> Option<String> {
        let text = self.memory.word(self.address(ABORT_STRING).ok()?).ok().filter(|text| *text != 0)?;
        self.memory.text(text, LONGEST_TEXT).ok()
    }

    /// Returns the Slurm job of the ranks, if the launcher is an srun that defines it.
    pub fn slurm_job(&self) -> Option<String> {
        let text = self.memory.word(self.address(SLURM_JOB).ok()?).ok().filter(|text| *text != 0)?;
        let text = self.memory.text(text, LONGEST_TEXT).ok()?;
        (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())).then_some(text)
    }

    /// Reads the table; empty while the launcher has not filled it.
    pub fn table(&self) -> Result<Vec<TableEntry>, MpirError> {
        let start = self.memory.word(self.address(TABLE)?).map_err(self.unreadable(TABLE))?;
        let count = self.number(TABLE_SIZE)?;
        if start == 0 || count == 0 {
            return Ok(Vec::new());
        }
        if !(0..=MOST_ENTRIES).contains(&count) {
            return Err(MpirError::Malformed(self.pid, format!("{count} entries")));
        }
        let mut bytes = vec![0; count as usize * ENTRY];
        self.memory.read(start, &mut bytes).map_err(self.unreadable("all of it"))?;
        // Launchers share the texts between entries.
        let mut texts = BTreeMap::new();
        let mut text = |address: u64| -> Result<String, MpirError> {
            if address == 0 {
                return Ok(String::new());
            }
            if let Some(known) = texts.get(&address) {
                return Ok(String::clone(known));
            }
            let read = self.memory.text(address, LONGEST_TEXT).map_err(self.unreadable("a name"))?;
            texts.insert(address, read.clone());
            Ok(read)
        };
        let entries = bytes.chunks_exact(ENTRY).filter_map(descriptor);
        entries.map(|(host, program, pid)| Ok(TableEntry { host: text(host)?, program: text(program)?, pid })).collect()
    }

    /// True if the launcher is still running.
    pub fn is_there(&self) -> bool {
        !threads(self.pid).is_empty()
    }
}

/// Decodes one `struct MPIR_PROCDESC`: the addresses of host and program, and the process id.
fn descriptor(bytes: &[u8]) -> Option<(u64, u64, i32)> {
    let word = |at: usize| bytes.get(at..)?.first_chunk::<8>().map(|word| u64::from_le_bytes(*word));
    let pid = bytes.get(16..)?.first_chunk::<4>().map(|word| i32::from_le_bytes(*word))?;
    Some((word(0)?, word(8)?, pid))
}

/// Returns each mapped file with its first mapping, the program first.
fn files(mappings: Vec<Mapping>, own: &Path) -> Vec<(String, Mapping)> {
    let mut files: Vec<(String, Mapping)> = Vec::new();
    for mapping in mappings {
        if mapping.name.starts_with('/') && !files.iter().any(|(name, _)| *name == mapping.name) {
            files.push((mapping.name.clone(), mapping));
        }
    }
    files.sort_by_key(|(name, _)| *name != own.to_string_lossy());
    files
}

/// Returns the addresses in memory of the symbols that a file defines.
fn symbols_of(bytes: &[u8], first: &Mapping) -> Vec<(&'static str, u64)> {
    let Ok(file) = object::File::parse(bytes) else { return Vec::new() };
    let begins = |offset: u64| offset - offset % PAGE;
    let segment = file.segments().find(|segment| begins(segment.file_range().0) == first.offset);
    let Some(segment) = segment else { return Vec::new() };
    let bias = first.start.wrapping_sub(begins(segment.address()));
    let wanted = |symbol: object::Symbol<'_, '_>| {
        let name = symbol.name().ok()?;
        let name = NAMES.iter().find(|known| **known == name)?;
        (!symbol.is_undefined() && symbol.address() != 0).then_some((*name, bias.wrapping_add(symbol.address())))
    };
    file.dynamic_symbols().chain(file.symbols()).filter_map(wanted).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_has_24_bytes() {
        let mut bytes = vec![0; ENTRY];
        bytes[0] = 1;
        bytes[8] = 2;
        bytes[16] = 3;
        assert_eq!(descriptor(&bytes), Some((1, 2, 3)));
        assert_eq!(descriptor(&bytes[..19]), None);
    }

    #[test]
    fn a_process_that_is_no_launcher_says_so() {
        let own = MpirLauncher::open(std::process::id() as i32).unwrap();
        assert!(!own.has(TABLE) && own.is_there());
        assert!(matches!(own.table(), Err(MpirError::NoSymbol { symbol: TABLE, .. })));
        assert!(matches!(MpirLauncher::open(i32::MAX), Err(MpirError::Closed(..))));
    }
}
