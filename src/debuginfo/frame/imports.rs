//! Names that C++ takes from other scopes: `using` declarations and directives, namespace aliases, inline namespaces.

use super::scope::FrameScope;
use crate::dwarf::debug_info::DebugInformation;
use crate::dwarf::entry::{Entry, EntryId};
use crate::dwarf::unit::Unit;
use std::collections::VecDeque;

/// Limit on the imports that are read of a unit, and on the names that one is replaced with.
const MOST: usize = 20_000;
const MOST_NAMES: usize = 64;
/// Limit on nested namespaces.
const DEEPEST: u32 = 16;

/// A name that means another one.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Import {
    /// The name, with its scope: an alias of a namespace or the name of a declaration; of a directive, the scope whose
    /// names are more.
    from: String,
    /// The scope or entity that it stands for.
    to: String,
    /// True if names in `from` are names in `to`; otherwise `from` itself is `to`.
    is_scope: bool,
}

impl Import {
    /// Returns what a name means by this import.
    fn applied(&self, name: &str) -> Option<String> {
        let rest = name.strip_prefix(self.from.as_str())?;
        if !self.is_scope {
            return rest.is_empty().then(|| self.to.clone());
        }
        rest.strip_prefix("::").map(|rest| format!("{}::{rest}", self.to))
    }
}

/// Returns what a qualified name may stand for by imports, nearest first.
pub(crate) fn meanings(imports: &[Import], name: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut queue = VecDeque::from([name.to_owned()]);
    while let Some(name) = queue.pop_front() {
        for meaning in imports.iter().filter_map(|import| import.applied(&name)) {
            if found.len() < MOST_NAMES && !found.contains(&meaning) {
                found.push(meaning.clone());
                queue.push_back(meaning);
            }
        }
    }
    found
}

/// Returns the imports of the unit around a place, those of its blocks first.
pub(crate) fn imports_around(scope: &FrameScope<'_>) -> Vec<Import> {
    let (debug, unit) = (scope.debug(), scope.unit());
    if !unit.language.has_templates() {
        return Vec::new();
    }
    let mut imports = Vec::new();
    for block in scope.blocks() {
        collect(debug, unit, block, "", DEEPEST, &mut imports);
    }
    if let Ok(root) = unit.dwarf.entry(unit.dwarf.header.root_offset()) {
        collect(debug, unit, &root, "", 0, &mut imports);
    }
    imports
}

/// Collects the imports among the children of an entry, and of the namespaces in it up to the limit of nesting.
fn collect(debug: &DebugInformation, unit: &Unit, of: &Entry, scope: &str, depth: u32, into: &mut Vec<Import>) {
    let mut inner = Vec::new();
    let within = |name: &str| if scope.is_empty() { name.to_owned() } else { format!("{scope}::{name}") };
    unit.for_each_child(of, |child| {
        if into.len() >= MOST {
            return;
        }
        let id = EntryId { unit: unit.index, offset: child.offset() };
        let target = || {
            let target = debug.follow(unit, child.attr_value(gimli::DW_AT_import)?)?;
            Some((target, debug.qualified_name(target)?.to_string()))
        };
        match child.tag() {
            gimli::DW_TAG_imported_module => {
                // Names of the global scope are found in all scopes.
                if let (Some((_, to)), false) = (target(), scope.is_empty()) {
                    into.push(Import { from: scope.to_owned(), to, is_scope: true });
                }
            }
            gimli::DW_TAG_imported_declaration => {
                let Some((target, to)) = target() else { return };
                let is_scope = debug.entry(target).is_some_and(|(_, entry)| entry.tag() == gimli::DW_TAG_namespace);
                let name = debug.base_name(id).or_else(|| debug.base_name(target));
                let Some(name) = name.map(String::from_utf8_lossy) else { return };
                let from = within(&name);
                if from != to {
                    into.push(Import { from, to, is_scope });
                }
            }
            gimli::DW_TAG_namespace => {
                let name = debug.base_name(id).map(String::from_utf8_lossy);
                let own = within(name.as_deref().unwrap_or("(anonymous namespace)"));
                let is_inline = child.attr(gimli::DW_AT_export_symbols).is_some();
                if is_inline && !scope.is_empty() {
                    into.push(Import { from: scope.to_owned(), to: own.clone(), is_scope: true });
                }
                inner.push((child.clone(), own));
            }
            _ => {}
        }
    });
    if depth < DEEPEST {
        for (namespace, scope) in &inner {
            collect(debug, unit, namespace, scope, depth + 1, into);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_import_replaces_a_name_or_the_scope_of_names() {
        let alias = Import { from: "short".to_owned(), to: "a::b".to_owned(), is_scope: true };
        assert_eq!(alias.applied("short::x").as_deref(), Some("a::b::x"));
        assert_eq!(alias.applied("shorter::x"), None);
        assert_eq!(alias.applied("short"), None);
        let declaration = Import { from: "a::f".to_owned(), to: "a::b::f".to_owned(), is_scope: false };
        assert_eq!(declaration.applied("a::f").as_deref(), Some("a::b::f"));
        assert_eq!(declaration.applied("a::f::x"), None);
    }
}
