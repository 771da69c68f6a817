//! The notes of a core file: its threads, process, auxiliary vector and mapped files (`fs/binfmt_elf.c`, and gdb's
//! `gcore`, which writes them in another order).

use super::little_endian::{half, long, word};

const PRSTATUS: u32 = 1;
const FPREGSET: u32 = 2;
const PRPSINFO: u32 = 3;
const AUXV: u32 = 6;
const X86_XSTATE: u32 = 0x202;
/// `SIGI` and `FILE` in ASCII.
const SIGINFO: u32 = 0x5349_4749;
const FILE: u32 = 0x4649_4c45;
/// Threads are not limited by this number in the kernel; notes of more are damage.
const MOST_THREADS: usize = 1 << 16;
const MOST_FILES: usize = 1 << 20;

/// A thread as the notes have it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CoreThread {
    /// The kernel's id of the thread.
    pub(super) tid: i32,
    /// The signal that the thread received; 0 for none.
    pub(super) signal: i32,
    /// In the order of `user_regs_struct`.
    pub(super) general: [u64; 27],
    /// The area that `FXSAVE` writes.
    pub(super) floats: Vec<u8>,
    /// The area that `XSAVE` writes.
    pub(super) extended: Vec<u8>,
    /// The `siginfo_t` of the signal.
    pub(super) information: Vec<u8>,
}

/// A mapped file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MappedFile {
    pub(super) start: u64,
    pub(super) end: u64,
    /// In bytes.
    pub(super) offset: u64,
    pub(super) name: String,
}

/// The content of the notes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Notes {
    /// The one that received the signal comes first.
    pub(super) threads: Vec<CoreThread>,
    pub(super) pid: u32,
    /// The first bytes of the program's name.
    pub(super) name: String,
    /// The first bytes of the command line.
    pub(super) command_line: String,
    pub(super) auxiliary_vector: Vec<u8>,
    pub(super) files: Vec<MappedFile>,
}

impl Notes {
    /// Adds the notes of a segment.
    pub(super) fn add(&mut self, mut bytes: &[u8]) {
        while let Some((kind, content, rest)) = next(bytes) {
            bytes = rest;
            match kind {
                PRSTATUS if self.threads.len() < MOST_THREADS => self.threads.extend(thread(content)),
                PRPSINFO => {
                    self.pid = word(content, 24).unwrap_or(0);
                    self.name = text(content.get(40..56).unwrap_or_default());
                    text(content.get(56..136).unwrap_or_default()).trim_end().clone_into(&mut self.command_line);
                }
                AUXV => self.auxiliary_vector = content.to_vec(),
                FILE => self.files = files(content),
                _ => {
                    let Some(thread) = self.threads.last_mut() else { continue };
                    match kind {
                        FPREGSET => thread.floats = content.to_vec(),
                        X86_XSTATE => thread.extended = content.to_vec(),
                        SIGINFO => thread.information = content.to_vec(),
                        _ => {}
                    }
                }
            }
        }
    }

    /// Returns a value of the auxiliary vector (getauxval(3)).
    pub(super) fn auxiliary(&self, tag: u64) -> Option<u64> {
        let pairs = self.auxiliary_vector.chunks_exact(16);
        pairs
            .take_while(|pair| long(pair, 0) != Some(0))
            .find(|pair| long(pair, 0) == Some(tag))?
            .get(8..)
            .and_then(|value| long(value, 0))
    }
}

/// Returns the text up to the first zero byte.
fn text(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(bytes.get(..end).unwrap_or_default()).into_owned()
}

/// Splits the first note off: its kind, its content, and the rest.
fn next(bytes: &[u8]) -> Option<(u32, &[u8], &[u8])> {
    let (owner, size, kind) = (word(bytes, 0)? as usize, word(bytes, 4)? as usize, word(bytes, 8)?);
    let start = 12_usize.checked_add(owner.checked_next_multiple_of(4)?)?;
    let content = bytes.get(start..start.checked_add(size)?)?;
    // The padding of the last one may be missing.
    let end = start.checked_add(size.checked_next_multiple_of(4)?)?;
    Some((kind, content, bytes.get(end..).unwrap_or_default()))
}

/// Reads `struct elf_prstatus` (`<linux/elfcore.h>`).
fn thread(content: &[u8]) -> Option<CoreThread> {
    let mut general = [0; 27];
    for (index, register) in general.iter_mut().enumerate() {
        *register = long(content, 112 + 8 * index)?;
    }
    let signal = i32::from(half(content, 12)?);
    Some(CoreThread { tid: word(content, 32)? as i32, signal, general, ..CoreThread::default() })
}

fn files(content: &[u8]) -> Vec<MappedFile> {
    const ENTRY: usize = 24;
    let (Some(count), Some(page)) = (long(content, 0), long(content, 8)) else { return Vec::new() };
    let most = (content.len() / ENTRY).min(MOST_FILES);
    let count = usize::try_from(count).unwrap_or(usize::MAX).min(most);
    let (entries, names) = content.get(16..).unwrap_or_default().split_at_checked(count * ENTRY).unwrap_or_default();
    let names = names.split(|byte| *byte == 0);
    let file = |(entry, name): (&[u8], &[u8])| {
        let (start, end, pages) = (long(entry, 0)?, long(entry, 8)?, long(entry, 16)?);
        let name = String::from_utf8_lossy(name).into_owned();
        (start < end).then(|| MappedFile { start, end, offset: pages.saturating_mul(page), name })
    };
    entries.chunks_exact(ENTRY).zip(names).filter_map(file).collect()
}
