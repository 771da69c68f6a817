//! What proc(5) says of a process: `info proc` and `info auxv`.

use super::memory::Memory;
use super::procfs::{command_line, directory, witness};
use model::{
    AUXILIARY_TYPES, Answer, AuxiliaryEntry, AuxiliaryForm, ErrorCode, Failure, MappedRange, ProcessFacts, ProcessPart,
    VirtualAddress,
};
use std::fs;

/// The longest text of an auxiliary vector.
const LONGEST_TEXT: usize = 4096;

/// Returns what the kernel knows of a process.
pub fn facts_answer(pid: i32, part: ProcessPart) -> Answer {
    facts(pid, part).map_or_else(Answer::Failed, |facts| Answer::ProcessFacts(Box::new(facts)))
}

fn facts(pid: i32, part: ProcessPart) -> Result<ProcessFacts, Failure> {
    let mut facts = ProcessFacts::default();
    let summary = matches!(part, ProcessPart::Summary | ProcessPart::All);
    if summary {
        facts.pid = u32::try_from(pid).ok();
    }
    if summary || part == ProcessPart::CommandLine {
        facts.command_line = Some(command_line(pid).join(" "));
    }
    if summary || part == ProcessPart::Directory {
        facts.directory = Some(directory(pid).to_string_lossy().into_owned());
    }
    if summary || part == ProcessPart::Executable {
        let link = format!("/proc/{}/exe", witness(pid));
        let path = fs::read_link(&link).map_err(|error| unreadable(&link, &error))?;
        facts.executable = Some(path.to_string_lossy().into_owned());
    }
    if part.has_mappings() {
        facts = facts.with_mappings(parse_maps(&file(pid, "maps")?));
    }
    if matches!(part, ProcessPart::Status | ProcessPart::All) {
        facts.status = Some(String::from_utf8_lossy(&file(pid, "status")?).into_owned());
    }
    if part == ProcessPart::AuxiliaryVector {
        let memory = Memory::open(pid).ok();
        let text = |address| memory.as_ref()?.text(address, LONGEST_TEXT).ok();
        facts.auxiliary_vector = Some(auxiliary_entries(&file(pid, "auxv")?, text));
    }
    Ok(facts)
}

fn unreadable(path: &str, error: &std::io::Error) -> Failure {
    Failure::new(ErrorCode::NOT_RUN, format!("cannot read {path}: {error}"))
}

fn file(pid: i32, name: &str) -> Result<Vec<u8>, Failure> {
    let pid = witness(pid);
    let read = fs::read(format!("/proc/{pid}/{name}"));
    read.map_err(|error| unreadable(&format!("/proc/{pid}/{name}"), &error))
}

fn parse_maps(text: &[u8]) -> Vec<MappedRange> {
    let row = |line: &str| {
        let mut words = line.splitn(6, ' ');
        let (start, end) = words.next()?.split_once('-')?;
        let (permissions, offset) = (words.next()?, words.next()?);
        let file = words.nth(2).unwrap_or_default().trim_start();
        let number = |digits| u64::from_str_radix(digits, 16).ok();
        Some(MappedRange {
            start: VirtualAddress(number(start)?),
            end: VirtualAddress(number(end)?),
            offset: number(offset)?,
            permissions: permissions.to_owned(),
            file: file.to_owned(),
        })
    };
    String::from_utf8_lossy(text).lines().filter_map(row).collect()
}

/// Parses an auxiliary vector; `text` reads what an entry points to.
pub(crate) fn auxiliary_entries(bytes: &[u8], text: impl Fn(u64) -> Option<String>) -> Vec<AuxiliaryEntry> {
    let mut entries = Vec::new();
    for pair in bytes.chunks_exact(16) {
        let word = |half: Option<&[u8]>| half.and_then(|half| half.first_chunk()).map_or(0, |w| u64::from_le_bytes(*w));
        let (tag, value) = (word(pair.get(..8)), word(pair.get(8..)));
        let is_text = AUXILIARY_TYPES.iter().any(|(of, .., form)| *of == tag && *form == AuxiliaryForm::Text);
        entries.push(AuxiliaryEntry { tag, value, text: if is_text { text(value) } else { None } });
        if tag == 0 {
            break;
        }
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_are_read() {
        let text =
            b"00400000-00401000 r-xp 00001000 08:01 12   /a dir/prog\n7f00-7f10 rw-p 00000000 00:00 0 \nnonsense\n";
        let maps = parse_maps(text);
        assert_eq!(maps.len(), 2);
        assert_eq!((maps[0].offset, &*maps[0].permissions, &*maps[0].file), (0x1000, "r-xp", "/a dir/prog"));
        assert_eq!((maps[1].start, &*maps[1].file), (VirtualAddress(0x7f00), ""));
    }

    #[test]
    fn an_auxiliary_vector_ends_with_its_last_entry() {
        let words: Vec<u8> = [31, 0x10, 6, 4096, 0, 0, 7, 7].iter().flat_map(|word: &u64| word.to_le_bytes()).collect();
        let entries = auxiliary_entries(&words, |address| Some(format!("at {address}")));
        assert_eq!(entries.len(), 3);
        assert_eq!((entries[0].text.as_deref(), entries[1].text.as_deref()), (Some("at 16"), None));
        assert_eq!(auxiliary_entries(&words[..20], |_| None).len(), 1, "cut off");
    }
}
