//! The notes of a core file: threads, process, signal, auxiliary vector and mapped files, in the kernel's order
//! (`fs/binfmt_elf.c`): the thread that stopped comes first, and debuggers select it.

use super::mappings::CoreMapping;
use super::thread_facts::{ThreadFacts, auxiliary_vector, command_line};
use super::vector_state::{in_common_layout, own_offset};

const PRSTATUS: u32 = 1;
const FPREGSET: u32 = 2;
const PRPSINFO: u32 = 3;
const AUXV: u32 = 6;
const X86_XSTATE: u32 = 0x202;
/// `SIGI` and `FILE` in ASCII.
const SIGINFO: u32 = 0x5349_4749;
const FILE: u32 = 0x4649_4c45;
const PAGE: u64 = 4096;
/// The size of the area that `FXSAVE` writes, at the beginning of that of `XSAVE`.
const FXSAVE: usize = 512;
/// In that area, the offset of the kernel's own words, which are no registers (`sw_reserved`).
const RESERVED: usize = 464;

/// A stopped thread.
#[derive(Debug)]
pub(crate) struct CoreThread {
    tid: i32,
    /// In the order of `user_regs_struct`.
    general: [u64; 27],
    /// In the layout of `XSAVE`; empty if the processor has none.
    extended: Vec<u8>,
    /// The number of the signal that it stopped for; 0 for none.
    signal: i32,
    /// The `siginfo_t` of the signal, if there is one.
    information: Option<Vec<u8>>,
}

impl CoreThread {
    pub(crate) fn new(
        tid: i32,
        general: [u64; 27],
        extended: Vec<u8>,
        (signal, information): (i32, Option<Vec<u8>>),
    ) -> Self {
        Self { tid, general, extended, signal, information }
    }
}

/// Returns the notes of a process; the first thread is the one that stopped.
pub(super) fn notes(pid: i32, threads: &[CoreThread], mappings: &[CoreMapping]) -> Vec<u8> {
    let mut notes = Vec::new();
    for (index, thread) in threads.iter().enumerate() {
        let facts = ThreadFacts::of_thread(pid, thread.tid);
        note(&mut notes, "CORE", PRSTATUS, &status(thread, &facts));
        if index == 0 {
            note(&mut notes, "CORE", PRPSINFO, &process(pid, &facts, &command_line(pid)));
        }
        if let Some(information) = &thread.information {
            note(&mut notes, "CORE", SIGINFO, information);
        }
        if index == 0 {
            note(&mut notes, "CORE", AUXV, &auxiliary_vector(pid));
            note(&mut notes, "CORE", FILE, &files(mappings));
        }
        if let Some(registers) = thread.extended.get(..FXSAVE) {
            let mut registers = registers.to_vec();
            registers.iter_mut().skip(RESERVED).for_each(|byte| *byte = 0);
            note(&mut notes, "CORE", FPREGSET, &registers);
            note(&mut notes, "LINUX", X86_XSTATE, &in_common_layout(&thread.extended, own_offset));
        }
    }
    notes
}

fn note(notes: &mut Vec<u8>, owner: &str, kind: u32, content: &[u8]) {
    let sizes = [owner.len() as u32 + 1, content.len() as u32, kind];
    sizes.iter().for_each(|number| notes.extend(number.to_le_bytes()));
    for part in [&[owner.as_bytes(), &[0]].concat(), content] {
        notes.extend(part);
        notes.resize(notes.len().next_multiple_of(4), 0);
    }
}

/// `struct elf_prstatus` (`<linux/elfcore.h>`).
fn status(thread: &CoreThread, facts: &ThreadFacts) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(336);
    bytes.extend(thread.signal.to_le_bytes());
    bytes.extend([0; 8]);
    bytes.extend((thread.signal as u16).to_le_bytes());
    bytes.extend([0; 2]);
    bytes.extend(facts.pending_signals.to_le_bytes());
    bytes.extend(facts.blocked_signals.to_le_bytes());
    for number in [thread.tid, facts.parent, facts.group, facts.session] {
        bytes.extend(number.to_le_bytes());
    }
    for (seconds, microseconds) in facts.times {
        bytes.extend(seconds.to_le_bytes());
        bytes.extend(microseconds.to_le_bytes());
    }
    thread.general.iter().for_each(|register| bytes.extend(register.to_le_bytes()));
    bytes.extend(u64::from(!thread.extended.is_empty()).to_le_bytes());
    bytes
}

/// `struct elf_prpsinfo` (`<linux/elfcore.h>`).
fn process(pid: i32, facts: &ThreadFacts, command_line: &[u8]) -> Vec<u8> {
    const STOPPED: u8 = 3;
    let mut bytes = vec![STOPPED, b'T', 0, facts.nice as u8, 0, 0, 0, 0];
    bytes.extend(facts.flags.to_le_bytes());
    bytes.extend(facts.user.to_le_bytes());
    bytes.extend(facts.user_group.to_le_bytes());
    for number in [pid, facts.parent, facts.group, facts.session] {
        bytes.extend(number.to_le_bytes());
    }
    // Both end in a zero, cut off or not.
    for (text, size) in [(facts.name.as_slice(), 16), (command_line, 80)] {
        let text = text.get(..size - 1).unwrap_or(text);
        bytes.extend(text);
        bytes.resize(bytes.len() + size - text.len(), 0);
    }
    bytes
}

/// The content of `NT_FILE`: the ranges of the mapped files, then their names.
fn files(mappings: &[CoreMapping]) -> Vec<u8> {
    let files = || mappings.iter().filter(|mapping| mapping.has_file);
    let mut bytes = Vec::new();
    for number in [files().count() as u64, PAGE] {
        bytes.extend(number.to_le_bytes());
    }
    for file in files() {
        for number in [file.start, file.end, file.offset / PAGE] {
            bytes.extend(number.to_le_bytes());
        }
    }
    for file in files() {
        bytes.extend(&file.name);
        bytes.push(0);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(bytes: &[u8], at: usize) -> u64 {
        u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
    }

    #[test]
    fn structures_have_the_kernels_sizes_and_places() {
        let mut general = [0; 27];
        general[16] = 0x40_1136;
        let thread = CoreThread::new(77, general, vec![1; 832], (11, None));
        let facts = ThreadFacts { parent: 5, blocked_signals: 9, ..ThreadFacts::default() };
        let status = status(&thread, &facts);
        assert_eq!((status.len(), status[12], word(&status, 24)), (336, 11, 9));
        assert_eq!(status[32..40], [77, 0, 0, 0, 5, 0, 0, 0]);
        assert_eq!((word(&status, 112 + 16 * 8), word(&status, 328)), (0x40_1136, 1));
        let facts = ThreadFacts { name: b"a_name_of_fifteen+".to_vec(), user: 1000, ..facts };
        let process = process(3, &facts, &[b'x'; 100]);
        assert_eq!((process.len(), process[135], process[134]), (136, 0, b'x'));
        assert_eq!((&process[40..56], process[16..20].as_ref()), (&b"a_name_of_fifte\0"[..], &[0xe8, 3, 0, 0][..]));
    }

    #[test]
    fn notes_are_padded_and_the_first_thread_has_those_of_the_process() {
        let thread = |tid, signal| CoreThread::new(tid, [0; 27], vec![3; 832], signal);
        let own = std::process::id() as i32;
        let mapping = CoreMapping {
            start: 0x1000,
            end: 0x3000,
            offset: 0x2000,
            has_file: true,
            name: b"/a".to_vec(),
            ..CoreMapping::default()
        };
        let threads = [thread(own, (5, Some(vec![1; 128]))), thread(own, (0, None))];
        let notes = notes(own, &threads, std::slice::from_ref(&mapping));
        let (mut at, mut kinds) = (0, Vec::new());
        while at < notes.len() {
            let number = |offset| u32::from_le_bytes(notes[at + offset..at + offset + 4].try_into().unwrap()) as usize;
            kinds.push(number(8) as u32);
            if number(8) as u32 == FPREGSET {
                assert_eq!(notes[at + 20 + RESERVED..at + 20 + FXSAVE], [0; FXSAVE - RESERVED]);
            }
            at += 12 + number(0).next_multiple_of(4) + number(4).next_multiple_of(4);
        }
        assert_eq!(
            kinds,
            [PRSTATUS, PRPSINFO, SIGINFO, AUXV, FILE, FPREGSET, X86_XSTATE, PRSTATUS, FPREGSET, X86_XSTATE]
        );
        let files = files(&[mapping, CoreMapping::default()]);
        assert_eq!((word(&files, 0), word(&files, 8), word(&files, 32)), (1, PAGE, 2));
        assert_eq!(&files[40..], b"/a\0");
    }
}
