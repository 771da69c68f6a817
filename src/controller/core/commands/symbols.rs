//! Adds symbols to addresses in the output: `0x401136 <main+4>`.

use crate::command::CommandId;
use crate::core::interpreter::Interpreter;
use crate::core::tasks::task::Asked;
use crate::core::tasks::then::Then;
use crate::report::Content;
use model::{Answer, Operation, VirtualAddress};
use std::collections::BTreeMap;

/// The most addresses looked up for one command.
const MOST: usize = 4096;

fn each_text(content: &Content, look: &mut dyn FnMut(&str)) {
    match content {
        Content::Value { text, .. } => look(text),
        Content::Memory { rows, .. } => rows.iter().flat_map(|row| &row.units).for_each(|text| look(text)),
        _ => {}
    }
}

fn ranks_of(content: &Content) -> Option<&model::ProcessSet> {
    match content {
        Content::Value { ranks, .. } | Content::Memory { ranks, .. } => Some(ranks),
        _ => None,
    }
}

/// Returns the hexadecimal numbers that have no symbol yet: begin, end, number.
fn numbers(text: &str) -> Vec<(usize, usize, u64)> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("0x") {
        let inside_word =
            text.get(..at).is_some_and(|front| front.ends_with(|c: char| c.is_alphanumeric() || c == '_'));
        let digits = text.get(at + 2..).unwrap_or("");
        let length = digits.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(digits.len());
        let told = digits.get(length..).is_some_and(|rest| rest.starts_with(" <"));
        if let Ok(number) = u64::from_str_radix(digits.get(..length).unwrap_or(""), 16)
            && !inside_word
            && !told
        {
            found.push((at, at + 2 + length, number));
        }
    }
    found
}

/// Returns the possible addresses in a text.
fn addresses(text: &str) -> impl Iterator<Item = u64> {
    numbers(text).into_iter().map(|(_, _, number)| number).filter(|&number| number != 0)
}

/// Adds the known symbols after the addresses of a text.
fn with_symbols(text: &str, names: &BTreeMap<u64, String>) -> String {
    let mut told = String::with_capacity(text.len());
    let mut from = 0;
    for (_, end, number) in numbers(text) {
        told.push_str(text.get(from..end).unwrap_or(""));
        if let Some(name) = names.get(&number).filter(|name| !name.is_empty()) {
            told.push_str(&format!(" <{name}>"));
        }
        from = end;
    }
    told.push_str(text.get(from..).unwrap_or(""));
    told
}

/// Shows contents with addresses once their symbols are known; true if the command continues until then. `true` beside
/// a content: the addresses in its values are looked up, too.
pub(in crate::core) fn say_with_symbols(core: &mut Interpreter, id: CommandId, contents: Vec<(Content, bool)>) -> bool {
    let (mut places, mut questions) = (Vec::new(), Vec::new());
    let mut left = MOST;
    for (index, (content, texts)) in contents.iter().enumerate() {
        let mut found: Vec<u64> = Vec::new();
        if *texts {
            each_text(content, &mut |text| found.extend(addresses(text)));
        }
        if let Content::Memory { rows, .. } = content {
            found.extend(rows.iter().map(|row| row.address.0));
        }
        found.sort_unstable();
        found.dedup();
        found.truncate(left);
        left -= found.len();
        let Some(ranks) = ranks_of(content).filter(|_| !found.is_empty()) else { continue };
        questions.push((ranks.clone(), Operation::Symbols(found.iter().copied().map(VirtualAddress).collect())));
        places.push((index, found));
    }
    if questions.is_empty() {
        for (content, _) in contents {
            core.say(id, content);
        }
        return false;
    }
    core.ask(id, questions, Then::Symbols(contents, places));
    true
}

/// Shows the contents with the symbols that ranks know.
pub(in crate::core) fn symbols_known(
    core: &mut Interpreter,
    id: CommandId,
    contents: Vec<(Content, bool)>,
    places: &[(usize, Vec<u64>)],
    asked: &Asked,
) {
    let mut names: Vec<BTreeMap<u64, String>> = vec![BTreeMap::new(); contents.len()];
    for (slot, _, answer) in &asked.answers {
        if let Some((index, addresses)) = places.get(*slot)
            && let Answer::Names(found) = answer
            && let Some(names) = names.get_mut(*index)
        {
            let known = addresses.iter().zip(found).filter_map(|(at, name)| Some((*at, name.clone()?)));
            names.extend(known);
        }
    }
    for ((mut content, texts), names) in contents.into_iter().zip(names) {
        match &mut content {
            Content::Value { text, .. } => *text = with_symbols(text, &names),
            Content::Memory { rows, .. } => {
                for row in rows {
                    row.symbol = names.get(&row.address.0).cloned();
                    let units = row.units.iter_mut().filter(|_| texts);
                    units.for_each(|text| *text = with_symbols(text, &names));
                }
            }
            _ => {}
        }
        core.say(id, content);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_of_an_address_stands_behind_it() {
        let names: BTreeMap<u64, String> = [(0x40_1136, "main+4".to_owned()), (0x10, String::new())].into();
        for (text, told) in [
            ("0x401136", "0x401136 <main+4>"),
            ("{0x401136, 0x10, 0x0}", "{0x401136 <main+4>, 0x10, 0x0}"),
            ("0x401136 <known>", "0x401136 <known>"),
            ("{a0x401136 = 0x401136}", "{a0x401136 = 0x401136 <main+4>}"),
            ("7", "7"),
        ] {
            assert_eq!(with_symbols(text, &names), told);
        }
        assert_eq!(addresses("{0x401136, 0x0}").collect::<Vec<_>>(), [0x40_1136]);
    }
}
