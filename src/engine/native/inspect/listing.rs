//! `info functions`, `info variables`, `info types` and `info sources`.

use super::StoppedThread;
use debuginfo::{Definition, FoundInFile, LoadedImage, Sought, UnitLanguage, search_file, source_files};
use expr::budget::Budget;
use expr::{EvalContext, declaration_text, type_declaration_text, type_of_declaration};
use model::{
    Answer, CodePlace, Context, ErrorCode, Failure, ListedSymbol, RegularExpression, SymbolKind, SymbolList,
    SymbolQuery, UndescribedSymbol,
};
use std::sync::Arc;

/// The regular expressions of a query.
struct Patterns {
    name: Option<RegularExpression>,
    type_name: Option<RegularExpression>,
    /// Stands for the one for names.
    key: String,
}

/// Longer names are of damaged files, and would take long to compare.
const LONGEST_NAME: usize = 1 << 16;

fn is_found(pattern: &RegularExpression, name: &str) -> bool {
    name.len() <= LONGEST_NAME && pattern.is_found_in(name)
}

/// Lists what the program and its libraries define; without a regular expression, only the program.
pub(super) fn listed(thread: &StoppedThread<'_>, context: Context, query: &SymbolQuery) -> Result<Answer, Failure> {
    let look = |view: &expr::FrameContext<'_>| {
        let ignores_case = view.language() == Some(UnitLanguage::Fortran.name());
        let pattern = |text: &Option<String>| -> Result<Option<RegularExpression>, Failure> {
            let parsed = text.as_deref().map(|text| RegularExpression::parse(text, ignores_case)).transpose();
            parsed.map_err(|error| Failure::new(ErrorCode::DEBUGGER, error.to_string()))
        };
        let key = format!("{ignores_case} {:?}", query.name);
        let patterns = Patterns { name: pattern(&query.name)?, type_name: pattern(&query.type_name)?, key };
        let is_narrow = query.name.is_some() || query.type_name.is_some() || query.file.is_some();
        let everywhere = if is_narrow { usize::MAX } else { 1 };
        let eval = view.eval();
        let mut list = SymbolList::default();
        for loaded in thread.images.iter().take(everywhere) {
            add_file(loaded, query, &patterns, &eval, &mut list);
        }
        // gdb lists all files by their names.
        if query.kind != SymbolKind::Sources {
            list.groups.sort_by(|one, other| one.file.cmp(&other.file));
            list.groups.dedup_by(|next, group| {
                let is_same = next.file == group.file;
                if is_same {
                    group.symbols.append(&mut next.symbols);
                }
                is_same
            });
        }
        Ok(Answer::SymbolList(Box::new(list)))
    };
    thread.at(context.frame, look)
}

fn add_file(
    loaded: &LoadedImage,
    query: &SymbolQuery,
    patterns: &Patterns,
    eval: &EvalContext<'_>,
    list: &mut SymbolList,
) {
    let goes_on = || eval.budget().is_none_or(|budget: &Budget| budget.read(0).is_ok());
    let is_named = |name: &str| patterns.name.as_ref().is_none_or(|pattern| is_found(pattern, name));
    let sought = match query.kind {
        SymbolKind::Functions => Sought::Functions,
        SymbolKind::Variables => Sought::Variables,
        SymbolKind::Types => Sought::Types,
        SymbolKind::Sources => {
            match source_files(&loaded.image, &|path| is_named(query.part.of(path)), &goes_on) {
                Ok(files) => {
                    for path in files {
                        add(list, query, &loaded.name, || ListedSymbol {
                            line: None,
                            name: None,
                            text: path.to_string(),
                        });
                    }
                }
                Err(_) => list.unsearched.push(Arc::clone(&loaded.name)),
            }
            return;
        }
    };
    let Ok(found) = search_file(&loaded.image, sought, query.described_only, &patterns.key, &is_named, &goes_on) else {
        list.unsearched.push(Arc::clone(&loaded.name));
        return;
    };
    for definition in &found.definitions {
        if query.is_of_file(&definition.file) && has_type(definition, patterns, eval) {
            let named = query.kind == SymbolKind::Functions;
            let named = named.then(|| Arc::clone(&definition.name));
            add(list, query, &definition.file, || ListedSymbol { name: named, ..listed_symbol(definition, eval) });
        }
    }
    add_undescribed(loaded, query, &found, list);
}

/// Adds a row, or counts it if there are enough.
fn add(list: &mut SymbolList, query: &SymbolQuery, file: &Arc<str>, symbol: impl FnOnce() -> ListedSymbol) {
    let rows: usize = list.groups.iter().map(|group| group.symbols.len()).sum();
    if rows < query.limit as usize {
        list.add(file, symbol());
    } else {
        list.left_out += 1;
    }
}

fn add_undescribed(loaded: &LoadedImage, query: &SymbolQuery, found: &FoundInFile, list: &mut SymbolList) {
    // Their types and files are not known.
    if !query.has_undescribed() {
        return;
    }
    for symbol in &found.undescribed {
        if list.undescribed.len() >= query.limit as usize {
            list.left_out += 1;
            continue;
        }
        let code = CodePlace {
            module: Some(Arc::clone(&loaded.name)),
            offset: symbol.address.0,
            address: Some(loaded.bias.loaded(symbol.address)),
        };
        list.undescribed.push(UndescribedSymbol { name: Arc::clone(&symbol.name), code });
    }
}

fn has_type(definition: &Definition, patterns: &Patterns, eval: &EvalContext<'_>) -> bool {
    let is_wanted = |pattern| is_found(pattern, &type_of_declaration(&definition.ty, eval));
    patterns.type_name.as_ref().is_none_or(is_wanted)
}

fn listed_symbol(definition: &Definition, eval: &EvalContext<'_>) -> ListedSymbol {
    let Definition { name, line, is_static, of_name, is_type, language, .. } = definition;
    let eval = &eval.written_in(*language);
    let text = if *is_type {
        type_declaration_text(of_name, name, eval)
    } else {
        declaration_text(of_name, name, *is_static, eval)
    };
    ListedSymbol { line: *line, name: None, text }
}
