//! What the kernel knows of a process: gdb's `info proc` and `info auxv`.

use crate::VirtualAddress;
use serde::{Deserialize, Serialize};

/// The facts that are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ProcessPart {
    /// Process id, command line, directory, executable.
    Summary,
    /// The command line.
    CommandLine,
    /// The working directory.
    Directory,
    /// The executable.
    Executable,
    /// The mapped memory.
    Mappings,
    /// `/proc/PID/status`.
    Status,
    /// All but the auxiliary vector.
    All,
    /// The auxiliary vector.
    AuxiliaryVector,
}

/// A mapping of memory.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct MappedRange {
    /// The first address.
    pub start: VirtualAddress,
    /// The address behind the last.
    pub end: VirtualAddress,
    /// The offset in the file.
    pub offset: u64,
    /// As in `/proc/PID/maps`: `r-xp`; empty if not known.
    pub permissions: String,
    /// The file, or a word in brackets; empty if it is neither.
    pub file: String,
}

/// An entry of the auxiliary vector (getauxval(3)).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct AuxiliaryEntry {
    /// The type.
    pub tag: u64,
    /// The value.
    pub value: u64,
    /// The text that the value points to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// What the kernel, or a core file, says of a process. What was not wanted is missing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ProcessFacts {
    /// The process id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pid: Option<u32>,
    /// The command line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command_line: Option<String>,
    /// The working directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    /// The path of the executable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub executable: Option<String>,
    /// The mapped memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mappings: Option<Vec<MappedRange>>,
    /// Mappings beyond the limit.
    #[serde(default)]
    pub mappings_left_out: u64,
    /// `/proc/PID/status`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// The auxiliary vector.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auxiliary_vector: Option<Vec<AuxiliaryEntry>>,
}

/// The largest number of mappings that a process may tell of.
const MOST_MAPPINGS: usize = 4096;

impl ProcessFacts {
    /// Adds mappings, as far as there is room.
    pub fn with_mappings(mut self, mut mappings: Vec<MappedRange>) -> Self {
        self.mappings_left_out = mappings.len().saturating_sub(MOST_MAPPINGS) as u64;
        mappings.truncate(MOST_MAPPINGS);
        self.mappings = Some(mappings);
        self
    }
}

impl ProcessPart {
    /// True if mappings are wanted.
    pub fn has_mappings(self) -> bool {
        matches!(self, Self::Mappings | Self::All)
    }
}

/// How the value of an entry is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuxiliaryForm {
    /// In decimal.
    Decimal,
    /// In hexadecimal.
    Hexadecimal,
    /// As the address of a text.
    Text,
}

/// The types of entries of `<elf.h>` that Linux uses on x86-64: number, name, meaning in gdb's words, form.
pub const AUXILIARY_TYPES: &[(u64, &str, &str, AuxiliaryForm)] = &[
    (0, "AT_NULL", "End of vector", AuxiliaryForm::Hexadecimal),
    (1, "AT_IGNORE", "Entry should be ignored", AuxiliaryForm::Hexadecimal),
    (2, "AT_EXECFD", "File descriptor of program", AuxiliaryForm::Decimal),
    (3, "AT_PHDR", "Program headers for program", AuxiliaryForm::Hexadecimal),
    (4, "AT_PHENT", "Size of program header entry", AuxiliaryForm::Decimal),
    (5, "AT_PHNUM", "Number of program headers", AuxiliaryForm::Decimal),
    (6, "AT_PAGESZ", "System page size", AuxiliaryForm::Decimal),
    (7, "AT_BASE", "Base address of interpreter", AuxiliaryForm::Hexadecimal),
    (8, "AT_FLAGS", "Flags", AuxiliaryForm::Hexadecimal),
    (9, "AT_ENTRY", "Entry point of program", AuxiliaryForm::Hexadecimal),
    (10, "AT_NOTELF", "Program is not ELF", AuxiliaryForm::Decimal),
    (11, "AT_UID", "Real user ID", AuxiliaryForm::Decimal),
    (12, "AT_EUID", "Effective user ID", AuxiliaryForm::Decimal),
    (13, "AT_GID", "Real group ID", AuxiliaryForm::Decimal),
    (14, "AT_EGID", "Effective group ID", AuxiliaryForm::Decimal),
    (15, "AT_PLATFORM", "String identifying platform", AuxiliaryForm::Text),
    (16, "AT_HWCAP", "Machine-dependent CPU capability hints", AuxiliaryForm::Hexadecimal),
    (17, "AT_CLKTCK", "Frequency of times()", AuxiliaryForm::Decimal),
    (23, "AT_SECURE", "Boolean, was exec setuid-like?", AuxiliaryForm::Decimal),
    (24, "AT_BASE_PLATFORM", "String identifying base platform", AuxiliaryForm::Text),
    (25, "AT_RANDOM", "Address of 16 random bytes", AuxiliaryForm::Hexadecimal),
    (26, "AT_HWCAP2", "Extension of AT_HWCAP", AuxiliaryForm::Hexadecimal),
    (27, "AT_RSEQ_FEATURE_SIZE", "rseq supported feature size", AuxiliaryForm::Decimal),
    (28, "AT_RSEQ_ALIGN", "rseq allocation alignment", AuxiliaryForm::Decimal),
    (31, "AT_EXECFN", "File name of executable", AuxiliaryForm::Text),
    (32, "AT_SYSINFO", "Special system info/entry points", AuxiliaryForm::Hexadecimal),
    (33, "AT_SYSINFO_EHDR", "System-supplied DSO's ELF header", AuxiliaryForm::Hexadecimal),
    (51, "AT_MINSIGSTKSZ", "Minimum stack size for signal delivery", AuxiliaryForm::Hexadecimal),
];
