//! Lists of functions, variables, types and source files, as gdb shows them.

use crate::report::json_object::Object;
use crate::report::text_words::of;
use model::{ListedSymbol, ProcessSet, SymbolGroup, SymbolKind, SymbolList, SymbolQuery, UndescribedSymbol};

/// Returns gdb's lines, and how many rows were left out.
pub(in crate::report) fn text(ranks: &ProcessSet, query: &SymbolQuery, quiet: bool, list: &SymbolList) -> Vec<String> {
    let mut lines = Vec::new();
    let is_of_files = query.kind == SymbolKind::Sources;
    if !quiet && !is_of_files {
        lines.push(heading(query));
    }
    for group in &list.groups {
        if is_of_files {
            lines.extend([format!("{}:", group.file), String::new()]);
        } else {
            lines.extend([String::new(), format!("File {}:", group.file)]);
        }
        lines.extend(group.symbols.iter().map(row));
        if is_of_files {
            lines.push(String::new());
        }
    }
    if !list.undescribed.is_empty() {
        lines.extend([String::new(), "Non-debugging symbols:".to_owned()]);
        lines.extend(list.undescribed.iter().map(undescribed));
    }
    if is_of_files && list.is_empty() {
        lines.push(match &query.name {
            Some(name) => format!("No source file matches regular expression \"{name}\"."),
            None => "The program has no debug information.".to_owned(),
        });
    }
    if list.left_out > 0 {
        let shown = query.limit;
        lines.push(format!("{} more (a narrower regular expression, or -limit N above {shown})", list.left_out));
    }
    if !list.unsearched.is_empty() {
        lines.push(format!("not searched, for lack of time: {}", list.unsearched.join(", ")));
    }
    // Blank lines are gdb's, between the files; ranks in front of nothing would only be noise.
    let shown = |line: String| if line.is_empty() { line } else { of(ranks, line).trim_end().to_owned() };
    lines.into_iter().map(shown).collect()
}

fn heading(query: &SymbolQuery) -> String {
    let word = query.kind.word();
    match (&query.name, &query.type_name) {
        (None, None) => format!("All defined {word}:"),
        (Some(name), None) => format!("All {word} matching regular expression \"{name}\":"),
        (None, Some(ty)) => format!("All defined {word} with type matching regular expression \"{ty}\" :"),
        (Some(name), Some(ty)) => {
            format!("All {word} matching regular expression \"{name}\" with type matching regular expression \"{ty}\":")
        }
    }
}

fn row(symbol: &ListedSymbol) -> String {
    let ListedSymbol { line, text, .. } = symbol;
    match line {
        Some(line) => format!("{line}:\t{text}"),
        None if text.starts_with('/') => text.clone(),
        None => format!("\t{text}"),
    }
}

fn undescribed(symbol: &UndescribedSymbol) -> String {
    let code = &symbol.code;
    match (code.address, &code.module) {
        (Some(address), _) => format!("0x{:016x}  {}", address.0, symbol.name),
        // Ranks have the file at different addresses.
        (None, Some(module)) => format!("{module}+{:#x}  {}", code.offset, symbol.name),
        (None, None) => format!("{:#x}  {}", code.offset, symbol.name),
    }
}

pub(in crate::report) fn json(ranks: &ProcessSet, query: &SymbolQuery, list: &SymbolList) -> Object {
    let symbol = |one: &ListedSymbol| {
        Object::default().maybe("line", one.line).maybe("name", one.name.as_deref()).with("text", &one.text)
    };
    let group = |group: &SymbolGroup| {
        let symbols: Vec<Object> = group.symbols.iter().map(symbol).collect();
        Object::default().with("file", &*group.file).with("symbols", symbols)
    };
    let bare = |one: &UndescribedSymbol| {
        let row = Object::default().with("name", &*one.name).maybe("module", one.code.module.as_deref());
        row.with("offset", format!("{:#x}", one.code.offset)).address(one.code.address)
    };
    let unsearched = Some(&list.unsearched).filter(|files| !files.is_empty());
    Object::of_type("symbols")
        .ranks(ranks)
        .with("kind", query.kind.word())
        .maybe("pattern", query.name.as_deref())
        .maybe("type_pattern", query.type_name.as_deref())
        .with("files", list.groups.iter().map(group).collect::<Vec<_>>())
        .with("undescribed", list.undescribed.iter().map(bare).collect::<Vec<_>>())
        .with("left_out", list.left_out)
        .maybe("unsearched", unsearched)
}
