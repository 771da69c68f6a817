//! `disassemble /s`: the text of source lines before their instructions, in gdb's layout.

use super::inspect::reader;
use crate::command::{CodeForm, CommandId};
use crate::core::interpreter::Interpreter;
use crate::core::tasks::task::Answers;
use crate::core::tasks::then::Then;
use crate::report::{CodeLines, Content};
use crate::state::{Lookup, SourceText};
use model::{Answer, Instruction, Operation, ProcessSet};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Code with instructions of more files shows the text of these only.
const MOST_FILES: usize = 32;
/// Lines without code that are shown in all, those nearest to their instruction: code may lead from one end of a long
/// file to the other again and again.
const MOST_LINES: u32 = 10_000;

/// Shows instructions with the text of their lines; true if the command continues until the files are known.
pub(in crate::core) fn show_with_text(
    core: &mut Interpreter,
    id: CommandId,
    code: Vec<(ProcessSet, Vec<Instruction>)>,
    form: CodeForm,
) -> bool {
    let named = code.iter().flat_map(|(_, code)| code).filter_map(|one| Some(one.source.as_ref()?.file.clone()));
    let files: BTreeSet<Arc<str>> = named.collect();
    let is_unknown =
        |file: &Arc<str>| core.state.inspection.sources.get(file).and_then(|known| known.value()).is_none();
    let missing: Vec<Arc<str>> = files.into_iter().filter(is_unknown).take(MOST_FILES).collect();
    let ranks = code.iter().fold(ProcessSet::new(), |sum, (ranks, _)| sum.union(ranks));
    let Some(rank) = reader(core, &ranks).filter(|_| !missing.is_empty()) else {
        show(core, id, code, form);
        return false;
    };
    let question = |file: &Arc<str>| (ProcessSet::one(rank), Operation::Source(file.to_string()));
    let questions = missing.iter().map(question).collect();
    core.ask(id, questions, Then::CodeText { code, form, files: missing });
    true
}

/// Shows the instructions once the files are known, those that can be read.
pub(in crate::core) fn files_known(
    core: &mut Interpreter,
    id: CommandId,
    code: Vec<(ProcessSet, Vec<Instruction>)>,
    form: CodeForm,
    files: &[Arc<str>],
    answers: Answers,
) {
    for (slot, _, answer) in answers {
        if let (Some(file), Answer::Source { text, origin, .. }) = (files.get(slot), answer) {
            let source = SourceText::new(file.clone(), text).found(origin);
            core.state.inspection.sources.insert(file.clone(), Lookup::Known(source));
        }
    }
    show(core, id, code, form);
}

fn show(core: &mut Interpreter, id: CommandId, code: Vec<(ProcessSet, Vec<Instruction>)>, form: CodeForm) {
    for (ranks, code) in code {
        let sources = &core.state.inspection.sources;
        let lines = lines_before(&code, &|file| sources.get(file).and_then(|known| known.value()));
        core.say(id, Content::Instructions(ranks, code, form, lines));
    }
}

/// Returns the lines to show before instructions, by the index of the instruction.
fn lines_before<'a>(code: &[Instruction], text: &dyn Fn(&str) -> Option<&'a SourceText>) -> CodeLines {
    let places = || code.iter().filter_map(|one| one.source.as_ref());
    let with_code: BTreeSet<(&str, u32)> = places().map(|place| (&*place.file, place.line)).collect();
    let mut shown = CodeLines::new();
    let mut last: Option<(&str, u32)> = None;
    let mut left = MOST_LINES;
    for (index, instruction) in code.iter().enumerate() {
        let Some(place) = &instruction.source else { continue };
        let (file, line) = (&*place.file, place.line);
        if last == Some((file, line)) {
            continue;
        }
        let mut lines = Vec::new();
        if index > 0 {
            lines.push(String::new());
        }
        let is_same_file = last.is_some_and(|(before, _)| before == file);
        if !is_same_file {
            lines.push(format!("{file}:"));
        }
        let text = text(file);
        // Lines without code belong to the next one with code. The program may name any number of a line: only those
        // that the file has are shown.
        let mut first = line;
        let end = text.map_or(0, SourceText::line_count).saturating_add(1);
        if let Some((_, before)) = last.filter(|(_, before)| is_same_file && *before < line && line <= end) {
            let least = before.saturating_add(1).max(line.saturating_sub(left));
            while first > least && !with_code.contains(&(file, first - 1)) {
                first -= 1;
            }
        }
        let row = |number: u32| match text.and_then(|text| text.line(number)) {
            Some(text) => format!("{number}\t{text}"),
            None => format!("{number}\tin {file}"),
        };
        left = left.saturating_sub(line - first);
        lines.extend((first..line).map(row));
        lines.push(row(line));
        shown.insert(index, lines);
        last = Some((file, line));
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{CodePlace, SourcePlace};

    fn code(lines: &[(&str, u32)]) -> Vec<Instruction> {
        let one = |(at, (file, line)): (u64, &(&str, u32))| Instruction {
            code: CodePlace { module: None, offset: at, address: None },
            function: None,
            source: Some(SourcePlace { file: (*file).into(), line: *line }),
            bytes: Vec::new(),
            text: "nop".into(),
            current: false,
        };
        (0..).zip(lines).map(one).collect()
    }

    #[test]
    fn lines_stand_before_their_code_as_in_gdb() {
        let text = SourceText::new("a.c".into(), "one\ntwo\nthree\nfour\nfive\n".into());
        let known = |file: &str| (file == "a.c").then_some(&text);
        let all =
            lines_before(&code(&[("a.c", 1), ("a.c", 1), ("a.c", 4), ("b.c", 9), ("a.c", 3), ("a.c", 5)]), &known);
        let told: Vec<(usize, String)> = all.into_iter().map(|(index, lines)| (index, lines.join("|"))).collect();
        let expected = [
            (0, "a.c:|1\tone"),
            // Line 3 has code of its own, line 2 has none.
            (2, "|4\tfour"),
            (3, "|b.c:|9\tin b.c"),
            (4, "|a.c:|3\tthree"),
            (5, "|5\tfive"),
        ];
        assert_eq!(told, expected.map(|(index, lines)| (index, lines.to_owned())));
        let all = lines_before(&code(&[("a.c", 1), ("a.c", 4)]), &known);
        assert_eq!(all.get(&1).unwrap().join("|"), "|2\ttwo|3\tthree|4\tfour");
    }
    #[test]
    fn lines_that_the_file_does_not_have_are_not_listed() {
        let text = SourceText::new("a.c".into(), "one\ntwo\nthree\n".into());
        let known = |file: &str| (file == "a.c").then_some(&text);
        let all = lines_before(&code(&[("a.c", 1), ("a.c", 30_000_000), ("a.c", 3)]), &known);
        assert_eq!(all.get(&1).unwrap().join("|"), "|30000000\tin a.c");
        assert_eq!(all.get(&2).unwrap().join("|"), "|3\tthree");
        let all = lines_before(&code(&[("a.c", 2), ("a.c", 30_000_000)]), &known);
        assert_eq!(all.get(&1).unwrap().join("|"), "|30000000\tin a.c");
        let long = SourceText::new("long.c".into(), "\n".repeat(1_000_000).into());
        let there_and_back = [("long.c", 1), ("long.c", 900_000), ("long.c", 1), ("long.c", 900_000)];
        let all = lines_before(&code(&there_and_back), &|_| Some(&long));
        let lines = all.get(&1).unwrap();
        assert_eq!((lines.len(), lines[1].as_str()), (MOST_LINES as usize + 2, "890000\t"));
        assert_eq!(all.get(&3).unwrap().join("|"), "|900000\t");
    }
}
