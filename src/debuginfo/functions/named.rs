//! Finds entries by name: functions with or without parameters, variables, types, enumerators.

use crate::demangle::canonical::canonical;
use crate::demangle::function_name::FunctionName;
use crate::demangle::qualified::last_part;
use crate::demangle::rust_names::RustFunction;
use crate::demangle::symbol::demangled_with_parameters;
use crate::dwarf::debug_info::DebugInformation;
use crate::dwarf::entry::EntryId;
use crate::dwarf::named::Named;
use crate::dwarf::unit::Unit;
use crate::index::unit_index::UnitIndex;
use crate::index::unit_names::without_template_arguments;
use crate::lines::source_path::is_path_meant_by;
use crate::types::enumerators::is_enumerator_named;
use std::borrow::Cow;

/// Returns the functions of a name that have a body or inlined instances: `f`, `scope::f`, `f(int)`.
pub(crate) fn functions_named(units: &UnitIndex, name: &str) -> Vec<EntryId> {
    let debug = &units.debug;
    let wanted = FunctionName::parse(name);
    let mut found = Vec::new();
    for (unit, names) in units.that_may_have(wanted.base().as_bytes(), Named::Function) {
        for (offset, sort) in names.candidates(wanted.base().as_bytes()) {
            let id = EntryId { unit, offset };
            if sort == Named::Function && is_function(debug, id, &wanted) {
                found.push(id);
            }
        }
    }
    found.extend(functions_of_paths(units, name));
    found
}

/// Returns matching functions of units whose function names are paths.
fn functions_of_paths(units: &UnitIndex, name: &str) -> Vec<EntryId> {
    let debug = &units.debug;
    let wanted = RustFunction::parse(name);
    let base = wanted.base().as_bytes();
    let mut found = Vec::new();
    for (unit, names) in units.that_may_have(base, Named::Function) {
        let functions = names.candidates(base).filter(|(_, sort)| *sort == Named::Function);
        for id in functions.map(|(offset, _)| EntryId { unit, offset }) {
            // Check this for each, so that a unit is not read unless it has a candidate.
            if !debug.unit(unit).is_some_and(|unit| unit.language.names_are_paths()) {
                break;
            }
            let symbol = debug.linkage_name(id).and_then(|name| std::str::from_utf8(name).ok());
            if wanted.means(debug.qualified_name(id).as_deref(), symbol) {
                found.push(id);
            }
        }
    }
    found
}

fn is_function(debug: &DebugInformation, id: EntryId, wanted: &FunctionName) -> bool {
    if debug.unit(id.unit).is_some_and(|unit| unit.language.names_are_paths()) {
        return false;
    }
    let own = debug.qualified_name(id).map(|name| FunctionName::parse(&name));
    let named = own.is_some_and(|own| own.is_meant_by(wanted));
    if named && !wanted.has_parameters() {
        return true;
    }
    // The symbol tells overloads apart, and names the functions around lambdas; without a mangled symbol, a match of
    // names is enough.
    let symbol = debug.linkage_name(id).and_then(|name| std::str::from_utf8(name).ok());
    match symbol.and_then(demangled_with_parameters) {
        Some(whole) => FunctionName::parse(&whole).is_meant_by(wanted),
        None => named,
    }
}

/// Returns the entries of a kind with a name; any scopes in it must match the innermost ones of the entry.
pub(crate) fn named(units: &UnitIndex, name: &str, sort: Named) -> Vec<EntryId> {
    let debug = &units.debug;
    let base = last_part(name).as_bytes();
    let mut found = Vec::new();
    for (unit, names) in units.that_may_have(base, sort) {
        for (offset, candidate) in names.candidates(base) {
            let id = EntryId { unit, offset };
            if candidate == sort && is_of_name(debug, id, sort, base, name) {
                found.push(id);
            }
        }
    }
    found
}

/// As [`named`], within one unit.
pub(crate) fn named_in(units: &UnitIndex, unit: &Unit, name: &str, sort: Named) -> Vec<EntryId> {
    let debug = &units.debug;
    let base = last_part(name).as_bytes();
    let Some(names) = units.names(unit.index) else { return Vec::new() };
    let candidates = names.candidates(base).filter(|(_, candidate)| *candidate == sort);
    let ids = candidates.map(|(offset, _)| EntryId { unit: unit.index, offset });
    ids.filter(|id| is_of_name(debug, *id, sort, base, name)).collect()
}

fn is_of_name(debug: &DebugInformation, id: EntryId, sort: Named, base: &[u8], wanted: &str) -> bool {
    match sort {
        Named::Enumerator => debug.base_name(id) == Some(base) && is_enumerator_named(debug, id, wanted),
        // Another instance of a template is another type.
        Named::Type => is_named(debug, id, base, wanted) && is_same_instance(debug, id, base),
        _ => is_named(debug, id, base, wanted),
    }
}

/// A template instance does not match a name without template arguments.
fn is_same_instance(debug: &DebugInformation, id: EntryId, base: &[u8]) -> bool {
    let has_templates = debug.unit(id.unit).is_some_and(|unit| unit.language.has_templates());
    let own = debug.base_name(id).unwrap_or_default();
    !has_templates || without_template_arguments(base).len() < base.len() || without_template_arguments(own) == own
}

fn is_named(debug: &DebugInformation, id: EntryId, base: &[u8], wanted: &str) -> bool {
    let Some(own) = debug.base_name(id) else { return false };
    if own != base && without_template_arguments(own) != base && !is_spelled(own, base) {
        return false;
    }
    if base.len() == wanted.len() {
        return true;
    }
    // Only the scopes are left to compare: the last name matches except for template arguments.
    let Some(qualified) = debug.qualified_name(id) else { return false };
    let own = String::from_utf8_lossy(own);
    let scopes = qualified.strip_suffix(&*own).or_else(|| qualified.strip_suffix(&*canonical(&own)));
    let absolute = wanted.starts_with("::");
    let wanted = wanted.trim_start_matches("::").strip_suffix(&*String::from_utf8_lossy(base));
    let squeezed = |text: &str| canonical(text).replace(' ', "");
    let (scopes, wanted) = match wanted.filter(|wanted| wanted.contains('<')) {
        Some(template) => (scopes.map(|text| Cow::Owned(squeezed(text))), Some(Cow::Owned(squeezed(template)))),
        None => (scopes.map(Cow::Borrowed), wanted.map(Cow::Borrowed)),
    };
    let (Some(scopes), Some(wanted)) = (scopes, wanted) else { return false };
    let absolute = absolute && wanted.is_empty();
    scopes.strip_suffix(&*wanted).is_some_and(|before| before.is_empty() || (!absolute && before.ends_with("::")))
}

/// True for one template instance in two spellings: `a<const int>` and `a<int const>`.
fn is_spelled(own: &[u8], wanted: &[u8]) -> bool {
    let template = without_template_arguments(own);
    if template.len() == own.len() || template != without_template_arguments(wanted) {
        return false;
    }
    let squeezed = |name: &[u8]| canonical(&String::from_utf8_lossy(name)).replace(' ', "");
    template.len() < wanted.len() && squeezed(own) == squeezed(wanted)
}

pub(crate) fn declared_in(debug: &DebugInformation, unit: &Unit, id: EntryId, file: &str) -> bool {
    let Some((owner, value)) = debug.inherited(id, gimli::DW_AT_decl_file) else {
        // The compiler made the function: it is of the file that was compiled.
        let primary = unit.dwarf.name.as_ref().map(|name| String::from_utf8_lossy(name.slice()).into_owned());
        return primary.is_some_and(|primary| is_path_meant_by(&primary, file));
    };
    let index = match value {
        gimli::AttributeValue::FileIndex(index) => Some(index),
        value => value.udata_value(),
    };
    let owner = if owner.index == unit.index { unit } else { owner };
    let name = index.and_then(|index| owner.lines(debug).files.get(index as usize));
    name.is_some_and(|name| name.is_meant_by(file))
}
