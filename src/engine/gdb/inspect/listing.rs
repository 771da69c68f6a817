//! What gdb lists and finds: functions, variables, types, source files, bytes.

use super::memory::symbol_of;
use super::queries::Inspector;
use crate::gdb::mi::{Command, Results};
use crate::gdb::session::fault::GdbError;
use model::{
    Answer, ByteMatch, BytesFound, CodePlace, Context, ListedSymbol, MemorySearch, PathPart, SymbolKind, SymbolList,
    SymbolQuery, UndescribedSymbol, VirtualAddress,
};
use std::sync::Arc;

impl Inspector<'_> {
    pub(super) fn list_symbols(&mut self, context: Context, query: &SymbolQuery) -> Result<Answer, GdbError> {
        self.inferior.select(self.gdb, context)?;
        if query.kind == SymbolKind::Functions {
            let results = self.gdb.ask(&functions_command(query))?.results;
            let list = functions(&results, query);
            return Ok(Answer::SymbolList(Box::new(limited(list, query.limit as usize))));
        }
        let mut command = format!("info {}", query.kind.word());
        if query.kind == SymbolKind::Sources {
            command.push_str(match query.part {
                PathPart::Whole => "",
                PathPart::Directory => " -dirname",
                PathPart::File => " -basename",
            });
        }
        if query.described_only {
            command.push_str(" -n");
        }
        if let Some(type_name) = &query.type_name {
            command.push_str(&format!(" -t {}", quoted(type_name)));
        }
        if let Some(name) = &query.name {
            command.push_str(&format!(" -- {name}"));
        }
        let words = self.gdb.ask(&Command::console(&command))?.words;
        let list = if query.kind == SymbolKind::Sources { sources(&words) } else { symbols(&words) };
        Ok(Answer::SymbolList(Box::new(limited(list, query.limit as usize))))
    }

    pub(super) fn find_bytes(&mut self, context: Context, search: &MemorySearch) -> Result<Answer, GdbError> {
        self.inferior.select(self.gdb, context)?;
        let unit = search.unit.map_or("", |unit| match unit {
            1 => "b",
            2 => "h",
            4 => "w",
            _ => "g",
        });
        let MemorySearch { start, end, values, .. } = search;
        let sign = if search.is_length { "+" } else { "" };
        let command = format!("find /{unit}{} {start}, {sign}{end}, {}", search.limit, values.join(", "));
        let words = self.gdb.ask(&Command::console(&command))?.words;
        Ok(Answer::BytesFound(bytes_found(&words, search.limit as usize)))
    }
}

/// Quotes a word of gdb's options.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\\', "\\\\").replace('\'', "\\'"))
}

fn hexadecimal(word: &str) -> Option<VirtualAddress> {
    u64::from_str_radix(word.strip_prefix("0x")?, 16).ok().map(VirtualAddress)
}

/// Asks for functions. Unlike `info functions`, the answer has their names apart.
fn functions_command(query: &SymbolQuery) -> Command {
    let mut command = Command::new("symbol-info-functions");
    if query.has_undescribed() {
        command = command.word("--include-nondebug");
    }
    for (option, pattern) in [("--type", &query.type_name), ("--name", &query.name)] {
        if let Some(pattern) = pattern {
            command = command.word(option).word(pattern);
        }
    }
    command
}

/// Reads the answer to it.
fn functions(results: &Results, query: &SymbolQuery) -> SymbolList {
    let mut list = SymbolList::default();
    let symbols = results.inside("symbols");
    let part = |name: &str| symbols.and_then(|symbols| symbols.inside(name));
    for group in part("debug").into_iter().flat_map(Results::parts) {
        let path = group.text("fullname").or_else(|| group.text("filename")).unwrap_or_default();
        if !query.is_of_file(path) {
            continue;
        }
        let file: Arc<str> = group.text("filename").unwrap_or_default().into();
        for symbol in group.inside("symbols").into_iter().flat_map(Results::parts) {
            let line = symbol.number("line").and_then(|line| u32::try_from(line).ok());
            let text = symbol.text("description").unwrap_or_default().to_owned();
            list.add(&file, ListedSymbol { line, name: symbol.text("name").map(Arc::from), text });
        }
    }
    for symbol in part("nondebugging").or_else(|| part("nondebug")).into_iter().flat_map(Results::parts) {
        let (Some(offset), Some(name)) = (symbol.number("address"), symbol.text("name")) else { continue };
        let code = CodePlace { module: None, offset, address: Some(VirtualAddress(offset)) };
        list.undescribed.push(UndescribedSymbol { name: name.into(), code });
    }
    list
}

/// Parses the output of `info variables` and the like.
fn symbols(words: &str) -> SymbolList {
    let mut list = SymbolList::default();
    let mut file: Arc<str> = "".into();
    for line in words.lines() {
        if let Some(name) = line.strip_prefix("File ").and_then(|rest| rest.strip_suffix(':')) {
            file = name.into();
        } else if let Some((number, text)) = line.split_once('\t') {
            let line = number.strip_suffix(':').and_then(|digits| digits.parse().ok());
            list.add(&file, ListedSymbol { line, name: None, text: text.to_owned() });
        } else if let Some((address, name)) = line.split_once("  ")
            && let Some(address) = hexadecimal(address)
        {
            let code = CodePlace { module: None, offset: address.0, address: Some(address) };
            list.undescribed.push(UndescribedSymbol { name: name.into(), code });
        }
    }
    list
}

/// Parses the output of `info sources`.
fn sources(words: &str) -> SymbolList {
    let mut list = SymbolList::default();
    let mut file: Arc<str> = "".into();
    for line in words.lines().filter(|line| !line.is_empty() && !line.starts_with('(')) {
        if let Some(name) = line.strip_suffix(':') {
            file = name.into();
            continue;
        }
        for path in line.split(", ") {
            list.add(&file, ListedSymbol { line: None, name: None, text: path.to_owned() });
        }
    }
    list
}

/// Leaves out rows beyond the limit, and counts them.
fn limited(mut list: SymbolList, limit: usize) -> SymbolList {
    let mut left = limit;
    for group in &mut list.groups {
        list.left_out += group.symbols.len().saturating_sub(left) as u64;
        group.symbols.truncate(left);
        left -= group.symbols.len();
    }
    list.groups.retain(|group| !group.symbols.is_empty());
    list.left_out += list.undescribed.len().saturating_sub(limit) as u64;
    list.undescribed.truncate(limit);
    list
}

/// Parses the output of `find`.
fn bytes_found(words: &str, limit: usize) -> BytesFound {
    let mut found = BytesFound::default();
    for line in words.lines() {
        if let Some(address) = line.split(' ').next().and_then(hexadecimal) {
            let symbol = symbol_of(line);
            let named = |(name, offset): (Arc<str>, u64)| {
                if offset == 0 { name.to_string() } else { format!("{name}+{offset}") }
            };
            found.matches.push(ByteMatch { address, symbol: symbol.map(named) });
        } else if let Some(rest) = line.strip_prefix("warning: Unable to access ") {
            let mut numbers = rest.split_whitespace();
            let count = numbers.next().and_then(|digits| digits.parse().ok());
            let address = numbers.find_map(|word| hexadecimal(word.trim_end_matches(',')));
            found.unreadable = address.zip(count);
        }
    }
    if found.matches.len() == limit {
        found.searched_to = found.matches.last().map(|last| last.address);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_gdb_are_read() {
        let words = "All defined functions:\n\nFile a.c:\n16:\tint main(int, char **);\n\tstatic void f(void);\n\n\
                     File b.c:\n3:\tint g(void);\n\nNon-debugging symbols:\n0x0000000000001000  _init\n";
        let list = symbols(words);
        let files: Vec<(&str, usize)> = list.groups.iter().map(|group| (&*group.file, group.symbols.len())).collect();
        assert_eq!(files, [("a.c", 2), ("b.c", 1)]);
        assert_eq!((list.groups[0].symbols[0].line, list.groups[0].symbols[1].line), (Some(16), None));
        assert_eq!((&*list.undescribed[0].name, list.undescribed[0].code.offset), ("_init", 0x1000));
        let cut = limited(list, 2);
        assert_eq!((cut.groups.len(), cut.left_out), (1, 1));
        let list =
            sources("/bin/a:\n\n/src/a.c, /usr/include/x.h\n\n/lib/c.so:\n(Objfile has no debug information.)\n");
        assert_eq!((list.groups.len(), list.groups[0].symbols.len()), (1, 2));
    }

    #[test]
    fn what_gdb_finds_is_read() {
        let found = bytes_found("0x1008 <table+8>\n0x2000\n2 patterns found.\n", 9);
        assert_eq!(found.matches.len(), 2);
        assert_eq!(found.matches[0].symbol.as_deref(), Some("table+8"));
        let words = "warning: Unable to access 10 bytes of target memory at 0x0, halting search.\nPattern not found.\n";
        assert_eq!(bytes_found(words, 9).unreadable, Some((VirtualAddress(0), 10)));
    }
}
