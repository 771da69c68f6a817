//! Writes the core file of a stopped process. Pages of zeros are holes of the file.

use super::contents::{Content, CoredumpFilter};
use super::elf::{Layout, Segment};
use super::fault::CoreFault;
use super::mappings::{self, CoreMapping};
use super::memory_pages::{MemoryPages, PAGE};
use super::notes::{CoreThread, notes};
use super::part_file::PartFile;
use crate::process::memory::{self, Memory};
use model::{CoreFile, CorePlace, Rank};
use nix::sys::resource::{RLIM_INFINITY, Resource, getrlimit};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

/// A process that stays stopped while its core file is written.
#[derive(Debug)]
pub(crate) struct StoppedProcess {
    pid: i32,
    /// The one that stopped comes first.
    threads: Vec<CoreThread>,
    memory: Arc<Memory>,
    /// The bytes that breakpoints replace, by address.
    hidden: Arc<[(u64, u8)]>,
}

impl StoppedProcess {
    pub(crate) fn new(pid: i32, threads: Vec<CoreThread>, memory: Arc<Memory>, hidden: Arc<[(u64, u8)]>) -> Self {
        Self { pid, threads, memory, hidden }
    }
}

/// The end of a file that is not complete.
enum Broken {
    Interrupted,
    File(io::Error),
}

impl From<io::Error> for Broken {
    fn from(error: io::Error) -> Self {
        Self::File(error)
    }
}

/// Writes the core file of a rank, unless `is_interrupted` says otherwise on the way.
pub(crate) fn write_core(
    process: &StoppedProcess,
    rank: Rank,
    path: &str,
    is_interrupted: &dyn Fn() -> bool,
) -> Result<CoreFile, CoreFault> {
    let part = PartFile::create(path, rank)?;
    let mut mappings = mappings::read(process.pid);
    // It belongs to the kernel and is the same in every process.
    mappings.retain(|mapping| mapping.name != b"[vsyscall]");
    let pages = MemoryPages::new(process.pid, &process.memory, &process.hidden);
    let filter = CoredumpFilter::of(process.pid);
    let content = |mapping: &CoreMapping| Content::of(mapping, filter, || pages.has_elf_header(mapping.start));
    let contents: Vec<Content> = mappings.iter().map(content).collect();
    let parts = || mappings.iter().zip(contents.iter().copied());
    let segment = |(mapping, content): (&CoreMapping, Content)| Segment {
        address: mapping.start,
        rights: mapping.rights,
        size: mapping.size(),
        stored: content.size(mapping),
    };
    let segments: Vec<Segment> = parts().map(segment).collect();
    let layout = Layout::new(&notes(process.pid, &process.threads, &mappings), &segments);
    check_limit(part.place(), layout.size())?;
    let written = fill(part.file(), &layout, parts(), &pages, is_interrupted);
    // The memory of a process that was killed meanwhile reads as zeros.
    if memory::mappings(process.pid).is_empty() {
        return Err(CoreFault::Ended);
    }
    match written {
        Ok(()) => part.finish(),
        Err(Broken::Interrupted) => Err(CoreFault::Interrupted(part.place().clone())),
        Err(Broken::File(error)) => Err(CoreFault::File(part.place().clone(), error)),
    }
}

/// Fails if the file would be longer than this process may write: writing on would end the process (SIGXFSZ).
fn check_limit(place: &CorePlace, size: u64) -> Result<(), CoreFault> {
    match getrlimit(Resource::RLIMIT_FSIZE) {
        Ok((limit, _)) if limit != RLIM_INFINITY && limit < size => {
            Err(CoreFault::TooLarge { place: place.clone(), size, limit })
        }
        _ => Ok(()),
    }
}

fn fill<'a>(
    file: &File,
    layout: &Layout,
    parts: impl Iterator<Item = (&'a CoreMapping, Content)>,
    pages: &MemoryPages<'_>,
    is_interrupted: &dyn Fn() -> bool,
) -> Result<(), Broken> {
    file.write_all_at(&layout.head, 0)?;
    file.write_all_at(&layout.tail, layout.end)?;
    // What is not written is a hole.
    file.set_len(layout.size())?;
    for ((mapping, content), offset) in parts.zip(&layout.offsets) {
        let mut put = |at: u64, bytes: &[u8]| {
            if is_interrupted() {
                return Err(Broken::Interrupted);
            }
            Ok(write_sparse(file, offset + (at - mapping.start), bytes)?)
        };
        let range = mapping.start..mapping.start + content.size(mapping);
        match content {
            Content::Nothing => {}
            Content::Whole | Content::Header => pages.whole(range, &mut put)?,
            Content::Touched => pages.touched(range, &mut put)?,
        }
    }
    Ok(())
}

/// Writes bytes without their pages of zeros.
fn write_sparse(file: &File, offset: u64, bytes: &[u8]) -> io::Result<()> {
    const ZEROS: [u8; PAGE] = [0; PAGE];
    let is_zero = |page: &[u8]| ZEROS.get(..page.len()).is_some_and(|zeros| page == zeros);
    let mut start = 0;
    let mut at = 0;
    for page in bytes.chunks(PAGE) {
        let end = at + page.len();
        if is_zero(page) {
            file.write_all_at(bytes.get(start..at).unwrap_or_default(), offset + start as u64)?;
            start = end;
        }
        at = end;
    }
    file.write_all_at(bytes.get(start..).unwrap_or_default(), offset + start as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::fs;
    use std::os::unix::fs::MetadataExt;

    fn own(hidden: &[(u64, u8)]) -> StoppedProcess {
        let pid = std::process::id() as i32;
        let thread = CoreThread::new(pid, [0; 27], vec![0; 832], (5, None));
        StoppedProcess::new(pid, vec![thread], Arc::new(Memory::open(pid).unwrap()), hidden.into())
    }

    #[test]
    fn zeros_take_no_room() {
        let place = tempfile::tempfile().unwrap();
        let mut bytes = vec![0; 100 * PAGE];
        bytes[3 * PAGE + 1] = 1;
        bytes[50 * PAGE..52 * PAGE].fill(2);
        write_sparse(&place, PAGE as u64, &bytes).unwrap();
        place.set_len(101 * PAGE as u64).unwrap();
        let mut read = vec![9; bytes.len()];
        place.read_exact_at(&mut read, PAGE as u64).unwrap();
        assert!(read == bytes);
        assert!(place.metadata().unwrap().blocks() * 512 <= 8 * PAGE as u64);
    }

    #[test]
    fn a_core_file_has_the_memory_without_breakpoints() {
        let data = Box::new(*b"the data of this test \xcc and more");
        let at = data.as_ptr() as u64;
        let directory = tempfile::tempdir().unwrap();
        let process = own(&[(at + 22, b'!')]);
        let written = write_core(&process, Rank(7), directory.path().to_str().unwrap(), &|| false).unwrap();
        let file = fs::read(written.path(Rank(7))).unwrap();
        assert_eq!(file.len() as u64, written.size);
        assert!(written.stored < written.size);
        let number = |at: usize| u64::from_le_bytes(file[at..at + 8].try_into().unwrap());
        let headers = usize::from(u16::from_le_bytes(file[56..58].try_into().unwrap()));
        let found = (1..headers).map(|index| 64 + 56 * index).find_map(|header| {
            let (offset, start, stored) = (number(header + 8), number(header + 16), number(header + 32));
            (start..start + stored).contains(&at).then(|| (offset + at - start) as usize)
        });
        let found = found.unwrap();
        assert_eq!(&file[found..found + data.len()], b"the data of this test ! and more");
    }

    #[test]
    fn an_interrupted_one_leaves_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let pieces = Cell::new(0);
        let is_interrupted = || {
            pieces.set(pieces.get() + 1);
            pieces.get() > 3
        };
        let fault = write_core(&own(&[]), Rank(0), directory.path().to_str().unwrap(), &is_interrupted).unwrap_err();
        assert!(matches!(fault, CoreFault::Interrupted(_)), "{fault}");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_process_that_has_ended_has_no_core_file() {
        let directory = tempfile::tempdir().unwrap();
        let process = StoppedProcess { pid: i32::MAX, ..own(&[]) };
        let fault = write_core(&process, Rank(0), directory.path().to_str().unwrap(), &|| false).unwrap_err();
        assert!(matches!(fault, CoreFault::Ended), "{fault}");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
    }
}
