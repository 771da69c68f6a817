//! From what a user calls a place to addresses: functions and lines.

use super::ranges::scopes_at;
use crate::demangle::canonical::canonical;
use crate::demangle::function_name::FunctionName;
use crate::demangle::rust_names::RustFunction;
use crate::demangle::symbol::demangled_with_parameters;
use crate::dwarf::debug_info::{DebugInformation, EntryId};
use crate::dwarf::unit::Unit;
use crate::images::image::Image;
use crate::images::places::ResolvedSite;
use crate::index::parallel;
use crate::index::unit_names::{Named, without_template_arguments};
use crate::types::enumerators::is_enumerator_named;
use gimli::UnitOffset;
use model::{FileAddress, SourcePlace};
use rustc_hash::FxHashSet;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// Where a function is: each body, and each place where it was inlined.
pub(crate) fn function(image: &Image, wanted: &str) -> Vec<ResolvedSite> {
    let (file, name) = split_file(wanted);
    let mut sites = image.debug().map(|debug| described(image, debug, file, name)).unwrap_or_default();
    // Functions that are not described are known by their symbols.
    let symbols = if file.is_none() { image.symbols().functions_named(name) } else { Vec::new() };
    let nothing = sites.is_empty();
    for symbol in symbols.into_iter().filter(|symbol| image.file.is_executable(symbol.address)) {
        if nothing || image.span_at(symbol.address).is_none() {
            let address = image.after_prologue(symbol.address);
            let function = image.function_at(symbol.address).map(|function| function.name);
            sites.push(ResolvedSite { address, function, source: image.line_at(address).map(|row| row.place) });
        }
    }
    sites.sort_by_key(|site| site.address);
    sites.dedup_by_key(|site| site.address);
    sites
}

fn described(image: &Image, debug: &DebugInformation, file: Option<&str>, name: &str) -> Vec<ResolvedSite> {
    let mut sites = Vec::new();
    for id in functions_named(debug, name) {
        let Some((unit, entry)) = debug.entry(id) else { continue };
        if file.is_some_and(|file| !declared_in(debug, unit, id, file)) {
            continue;
        }
        let function = debug.shown_name(id);
        let mut ranges = Vec::new();
        debug.ranges_of(unit, &entry, &mut ranges);
        let body = ranges.first().map(|first| image.after_prologue(FileAddress(first.start)));
        let mut addresses: Vec<FileAddress> = body.into_iter().collect();
        if entry.attr(gimli::DW_AT_inline).is_some() {
            addresses.extend(inlined_instances(debug, unit, id));
        }
        sites.extend(addresses.into_iter().map(|address| ResolvedSite {
            address,
            function: function.clone(),
            source: image.line_at(address).map(|row| row.place),
        }));
    }
    sites
}

/// `file.c:function`.
fn split_file(wanted: &str) -> (Option<&str>, &str) {
    let Some(colon) = wanted.find(':') else { return (None, wanted) };
    let (file, name) = (wanted.get(..colon), wanted.get(colon + 1..));
    match (file, name) {
        (Some(file), Some(name)) if !name.starts_with(':') && !file.is_empty() => (Some(file), name),
        _ => (None, wanted),
    }
}

/// The functions with a body or with inlined instances that a name means: `f`, `scope::f`, `f(int)`.
pub(crate) fn functions_named(debug: &DebugInformation, name: &str) -> Vec<EntryId> {
    let wanted = FunctionName::parse(name);
    let mut found = Vec::new();
    for (unit, names) in debug.that_may_have(wanted.base().as_bytes(), Named::Function) {
        for (offset, sort) in names.candidates(wanted.base().as_bytes()) {
            let id = EntryId { unit, offset };
            if sort == Named::Function && is_function(debug, id, &wanted) {
                found.push(id);
            }
        }
    }
    found.extend(rust_functions(debug, name));
    found
}

/// Those of units in Rust, where names have other forms.
fn rust_functions(debug: &DebugInformation, name: &str) -> Vec<EntryId> {
    let wanted = RustFunction::parse(name);
    let base = wanted.base().as_bytes();
    let mut found = Vec::new();
    for (unit, names) in debug.that_may_have(base, Named::Function) {
        let functions = names.candidates(base).filter(|(_, sort)| *sort == Named::Function);
        for id in functions.map(|(offset, _)| EntryId { unit, offset }) {
            // Asked for each: a unit is not read before something in it may be meant.
            if !debug.unit(unit).is_some_and(Unit::is_rust) {
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
    if debug.unit(id.unit).is_some_and(Unit::is_rust) {
        return false;
    }
    let own = debug.qualified_name(id).map(|name| FunctionName::parse(&name));
    let named = own.is_some_and(|own| own.is_meant_by(wanted));
    if named && !wanted.has_parameters() {
        return true;
    }
    // The symbol tells overloads apart, and knows the functions that lambdas are in; one without parameters is taken as
    // it is.
    let symbol = debug.linkage_name(id).and_then(|name| std::str::from_utf8(name).ok());
    match symbol.and_then(demangled_with_parameters) {
        Some(whole) => FunctionName::parse(&whole).is_meant_by(wanted),
        None => named,
    }
}

/// A name without the scopes before it; those of what is in brackets stay.
pub(crate) fn last_part(name: &str) -> &str {
    let (mut depth, mut start, mut previous) = (0_u32, 0, ' ');
    for (at, c) in name.char_indices() {
        match c {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' | ')' | ']' | '}' if (previous, c) != ('-', '>') => depth = depth.saturating_sub(1),
            ':' if depth == 0 && previous == ':' => start = at + 1,
            _ => {}
        }
        previous = c;
    }
    name.get(start..).unwrap_or(name)
}

/// The entries of a sort that a name means; the scopes it names must be the last ones of the entry's.
pub(crate) fn named(debug: &DebugInformation, name: &str, sort: Named) -> Vec<EntryId> {
    let base = last_part(name).as_bytes();
    let mut found = Vec::new();
    for (unit, names) in debug.that_may_have(base, sort) {
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
pub(crate) fn named_in(debug: &DebugInformation, unit: &Unit, name: &str, sort: Named) -> Vec<EntryId> {
    let base = last_part(name).as_bytes();
    let Some(names) = debug.names(unit.index) else { return Vec::new() };
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

/// Whether a name ends with the scopes and the name that are wanted; `::` before those says that there are no others.
pub(crate) fn ends_so(name: &str, wanted: &str) -> bool {
    let (name, wanted) = (squeezed(name), squeezed(wanted));
    match wanted.strip_prefix("::") {
        Some(whole) => name == whole,
        None => name.strip_suffix(&wanted).is_some_and(|before| before.is_empty() || before.ends_with("::")),
    }
}

/// Whether a type has no arguments of a template where none are wanted.
fn is_same_instance(debug: &DebugInformation, id: EntryId, base: &[u8]) -> bool {
    let is_cplusplus = debug.unit(id.unit).is_some_and(Unit::is_cplusplus);
    let own = debug.base_name(id).unwrap_or_default();
    !is_cplusplus || without_template_arguments(base).len() < base.len() || without_template_arguments(own) == own
}

/// A name in one of its spellings, for comparing.
pub(crate) fn squeezed(name: &str) -> String {
    if name.contains(['<', ' ']) { canonical(name).replace(' ', "") } else { name.to_owned() }
}

fn is_named(debug: &DebugInformation, id: EntryId, base: &[u8], wanted: &str) -> bool {
    let Some(own) = debug.base_name(id) else { return false };
    if own != base && without_template_arguments(own) != base && !is_spelled(own, base) {
        return false;
    }
    if base.len() == wanted.len() {
        return true;
    }
    // Only the scopes are left to compare, the last name being the same but for arguments of a template.
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

/// Whether two names of templates are the same in another spelling: `a<const int>` and `a<int const>`.
fn is_spelled(own: &[u8], wanted: &[u8]) -> bool {
    let template = without_template_arguments(own);
    if template.len() == own.len() || template != without_template_arguments(wanted) {
        return false;
    }
    let squeezed = |name: &[u8]| canonical(&String::from_utf8_lossy(name)).replace(' ', "");
    template.len() < wanted.len() && squeezed(own) == squeezed(wanted)
}

pub(crate) fn declared_in(debug: &DebugInformation, unit: &Unit, id: EntryId, file: &str) -> bool {
    let declared = debug.inherited(id, gimli::DW_AT_decl_file);
    let Some((owner, value)) = declared else { return false };
    let index = match value {
        gimli::AttributeValue::FileIndex(index) => Some(index),
        value => value.udata_value(),
    };
    let owner = if owner.index == unit.index { unit } else { owner };
    let name = index.and_then(|index| owner.lines(debug).files.get(index as usize));
    name.is_some_and(|name| name.is_meant_by(file))
}

fn inlined_instances(debug: &DebugInformation, unit: &Unit, function: EntryId) -> Vec<FileAddress> {
    let of_unit = |unit: &Unit| {
        let inlined = unit.functions(debug).inlined(debug, unit).iter();
        inlined.filter(|inlined| inlined.origin == function).map(|inlined| FileAddress(inlined.entry)).collect()
    };
    let mut addresses: Vec<FileAddress> = of_unit(unit);
    // Link-time optimisation inlines across units, and then says so by references between them.
    debug.index();
    let foreign = debug.all_names().filter(|(other, names)| *other != unit.index && names.has_foreign_origins);
    for other in foreign.filter_map(|(other, _)| debug.unit(other)) {
        addresses.extend::<Vec<_>>(of_unit(other));
    }
    addresses
}

/// A row of some unit that may be the place.
struct Found<'a> {
    unit: &'a Unit,
    range: Range<FileAddress>,
    line: u32,
    file: u32,
}

/// The rows of one image for a line: of those of the line itself, or of the next line with code when it has none.
pub(crate) struct LineRows<'a> {
    debug: &'a DebugInformation,
    /// The line they are of.
    pub(crate) line: u32,
    rows: Vec<Found<'a>>,
}

/// The rows for a line in all files that are meant; nothing when none has code there or behind.
pub(crate) fn line_rows<'a>(image: &'a Image, file: &str, line: u32) -> Option<LineRows<'a>> {
    let debug = image.debug()?;
    let mut candidates = Vec::new();
    let units = debug.units_of_file(file);
    // A header may be in the tables of most units.
    parallel::map(units.len(), |index| units.get(index).map(|unit| unit.lines(debug).files.len()));
    for unit in units {
        let lines = unit.lines(debug);
        let meant: FxHashSet<u32> = lines
            .files
            .iter()
            .enumerate()
            .filter(|(_, name)| name.is_meant_by(file))
            .map(|(index, _)| index as u32)
            .collect();
        if meant.is_empty() {
            continue;
        }
        let rows = lines.rows().filter(|(row, _)| row.is_stmt && row.line >= line && meant.contains(&row.file));
        candidates.extend(rows.map(|(row, range)| Found { unit, range, line: row.line, file: row.file }));
    }
    let nearest = candidates.iter().map(|found| found.line).min()?;
    candidates.retain(|found| found.line == nearest);
    Some(LineRows { debug, line: nearest, rows: candidates })
}

/// Where a line is: the first instruction of each block that has some for it.
pub(crate) fn sites_of_rows(image: &Image, found: LineRows<'_>) -> Vec<ResolvedSite> {
    let LineRows { debug, rows: mut candidates, .. } = found;
    candidates.sort_by_key(|found| found.range.start);
    let mut blocks = FxHashSet::default();
    let mut sites = Vec::new();
    for found in candidates {
        let start = found.range.start;
        let function = found.unit.functions(debug).covering(start);
        let block = function.map(|span| innermost_block(debug, found.unit, span.offset, start));
        // One stop for each block: a loop has its line before and behind its body.
        if block.is_some_and(|block| !blocks.insert((found.unit.index, block))) {
            continue;
        }
        let at_entry = function.is_some_and(|span| span.entry == start.0);
        let address = if at_entry { image.after_prologue(start) } else { start };
        let place = found.unit.lines(debug).files.get(found.file as usize);
        let place = place.map(|name| SourcePlace { file: Arc::clone(name.absolute()), line: found.line });
        let moved = (address != start).then(|| image.line_at(address)).flatten().map(|row| row.place);
        let function = image.inline_frames(address).into_iter().next().map(|frame| frame.function);
        sites.push(ResolvedSite { address, function, source: moved.or(place) });
    }
    sites.sort_by_key(|site| site.address);
    sites.dedup_by_key(|site| site.address);
    sites
}

fn innermost_block(debug: &DebugInformation, unit: &Unit, function: UnitOffset, address: FileAddress) -> UnitOffset {
    scopes_at(debug, unit, function, address).last().map_or(function, |scope| scope.entry.offset())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_end_before_the_last_part() {
        for (name, last) in [
            ("f", "f"),
            ("a::b", "b"),
            ("a::B<c::D>", "B<c::D>"),
            ("<a::B as c::D>::f", "f"),
            ("(a::B, c::D)", "(a::B, c::D)"),
            ("A::operator->", "operator->"),
            ("A::operator<", "operator<"),
            ("(anonymous namespace)::x", "x"),
            ("a::{impl#0}::f", "f"),
        ] {
            assert_eq!(last_part(name), last);
        }
    }

    #[test]
    fn names_with_files() {
        assert_eq!(split_file("ring.c:kernel"), (Some("ring.c"), "kernel"));
        assert_eq!(split_file("ns::f"), (None, "ns::f"));
        assert_eq!(split_file("f"), (None, "f"));
    }
}
