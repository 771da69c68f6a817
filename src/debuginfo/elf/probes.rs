//! Static probes: named places in a library's code, from SystemTap notes in `.note.stapsdt`
//! (sourceware.org/systemtap/wiki/UserSpaceProbeImplementation).

use super::file::ElfFile;
use model::FileAddress;

/// `NT_STAPSDT`.
const PROBE: u32 = 3;
/// Bytes before the strings of a note: the probe's address, the base at link time, a semaphore.
const WORDS: usize = 24;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Probe {
    pub(crate) name: &'static str,
    pub(crate) address: FileAddress,
}

/// Returns all probes of a provider.
pub(crate) fn probes(file: &ElfFile, provider: &str) -> Vec<Probe> {
    let base = file.section(".stapsdt.base").map(|section| section.addresses.start.0);
    let mut found = Vec::new();
    let mut rest = file.section_data(".note.stapsdt");
    while let Some((probe, behind)) = next(rest, provider, base) {
        found.extend(probe.filter(|probe| file.is_executable(probe.address)));
        rest = behind;
    }
    found
}

/// Reads a note; gives its probe if it is the provider's, and the remaining notes.
fn next(notes: &'static [u8], provider: &str, base: Option<u64>) -> Option<(Option<Probe>, &'static [u8])> {
    let [name, description, kind] = [0, 4, 8].map(|at| word(notes, at));
    let (name, description, kind) = (name? as usize, description? as usize, kind?);
    let start = 12_usize.checked_add(name.checked_next_multiple_of(4)?)?;
    let end = start.checked_add(description)?;
    let (owner, text) = (notes.get(12..12_usize.checked_add(name)?)?, notes.get(start..end)?);
    let probe = (kind == PROBE && owner == b"stapsdt\0").then(|| probe(text, provider, base)).flatten();
    let behind = start.checked_add(description.checked_next_multiple_of(4)?)?;
    Some((probe, notes.get(behind..).unwrap_or_default()))
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk::<4>().map(|word| u32::from_le_bytes(*word))
}

fn probe(description: &'static [u8], provider: &str, base: Option<u64>) -> Option<Probe> {
    let long = |at: usize| description.get(at..)?.first_chunk::<8>().map(|word| u64::from_le_bytes(*word));
    let (address, made) = (long(0)?, long(8)?);
    let mut texts = description.get(WORDS..)?.split(|byte| *byte == 0);
    let mut text = || texts.next().and_then(|text| std::str::from_utf8(text).ok());
    let (own, name) = (text()?, text()?);
    // Tools that move sections (prelink) move the base along with them.
    let moved = base.map_or(0, |base| base.wrapping_sub(made));
    (own == provider).then(|| Probe { name, address: FileAddress(address.wrapping_add(moved)) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(owner: &str, kind: u32, provider: &str, name: &str) -> Vec<u8> {
        let words = [0x1234_u64, 0x1000, 0].map(u64::to_le_bytes).concat();
        let description = [&words[..], format!("{provider}\0{name}\08@%rdi\0").as_bytes()].concat();
        let mut bytes = [owner.len() as u32, description.len() as u32, kind].map(u32::to_le_bytes).concat();
        for part in [owner.as_bytes(), &description] {
            bytes.extend(part);
            bytes.resize(bytes.len().next_multiple_of(4), 0);
        }
        bytes
    }

    fn all(bytes: Vec<u8>, base: Option<u64>) -> Vec<Probe> {
        let mut rest: &'static [u8] = Vec::leak(bytes);
        let mut found = Vec::new();
        while let Some((probe, behind)) = next(rest, "rtld", base) {
            found.extend(probe);
            rest = behind;
        }
        found
    }

    #[test]
    fn notes_of_the_provider_are_read() {
        let notes = [
            note("stapsdt\0", PROBE, "rtld", "init_complete"),
            note("GNU\0", PROBE, "rtld", "no"),
            note("stapsdt\0", 1, "rtld", "no"),
            note("stapsdt\0", PROBE, "libc", "setjmp"),
            note("stapsdt\0", PROBE, "rtld", "map_complete"),
        ]
        .concat();
        let names: Vec<_> = all(notes.clone(), None).iter().map(|probe| (probe.name, probe.address.0)).collect();
        assert_eq!(names, [("init_complete", 0x1234), ("map_complete", 0x1234)]);
        assert_eq!(all(notes, Some(0x5000))[0].address, FileAddress(0x5234));
    }

    #[test]
    fn what_is_cut_short_is_left_out() {
        let whole = note("stapsdt\0", PROBE, "rtld", "map_complete");
        for end in 0..whole.len() {
            assert!(all(whole[..end].to_vec(), None).len() <= 1);
        }
        let mut long = whole;
        long[4..8].fill(0xff);
        assert_eq!(all(long, None), []);
    }
}
