//! Resolves a user's location to addresses: functions and lines.

use super::entries::scopes_at;
use super::named::{declared_in, functions_named};
use crate::dwarf::debug_info::DebugInformation;
use crate::dwarf::entry::EntryId;
use crate::dwarf::unit::Unit;
use crate::images::image::Image;
use crate::images::loaded::{LoadedImage, LoadedImages};
use crate::images::places::ResolvedSite;
use crate::index::parallel;
use crate::index::unit_index::UnitIndex;
use gimli::UnitOffset;
use model::{FileAddress, LocationSpec, SourcePlace, file_and_function};
use rustc_hash::FxHashSet;
use std::ops::Range;
use std::sync::Arc;

impl Image {
    /// Returns the addresses of a function or a line, or nothing if this file has none. `Line` and `Address` depend on
    /// more than one file and give nothing.
    pub fn resolve(&self, location: &LocationSpec) -> Vec<ResolvedSite> {
        match location {
            LocationSpec::Function(name) => function(self, name),
            LocationSpec::FileLine { file, line } => {
                let rows = line_rows(self, file, *line);
                rows.map(|rows| sites_of_rows(self, rows)).unwrap_or_default()
            }
            LocationSpec::Line(_) | LocationSpec::Address(_) => Vec::new(),
        }
    }
}

impl LoadedImages {
    /// Returns the addresses of a location in all files, each with its file. For a line, only the files whose
    /// first line with code, at it or after it, is the nearest count: files of the same base name are common.
    pub fn resolve(&self, location: &LocationSpec) -> Vec<(&LoadedImage, ResolvedSite)> {
        if let LocationSpec::FileLine { file, line } = location {
            let mut found = Vec::new();
            for loaded in self.iter() {
                found.extend(line_rows(&loaded.image, file, *line).map(|rows| (loaded, rows)));
            }
            let nearest = found.iter().map(|(_, rows)| rows.line).min();
            found.retain(|(_, rows)| Some(rows.line) == nearest);
            let mut sites = Vec::new();
            for (loaded, rows) in found {
                sites.extend(sites_of_rows(&loaded.image, rows).into_iter().map(|site| (loaded, site)));
            }
            return sites;
        }
        let sites = |loaded: &'_ LoadedImage| loaded.image.resolve(location);
        self.iter().flat_map(|loaded| sites(loaded).into_iter().map(move |site| (loaded, site))).collect()
    }
}

/// Resolves a function: each body, and each place where it was inlined.
fn function(image: &Image, wanted: &str) -> Vec<ResolvedSite> {
    let (file, name) = file_and_function(wanted);
    let name = &*name;
    let mut sites = image.units().map(|units| described(image, units, file, name)).unwrap_or_default();
    // Functions without debug information are found by their symbols, and so are constructors that a class takes over
    // from its base: they have another name there.
    let symbols = image.symbols().functions_named(name);
    let nothing = sites.is_empty();
    for symbol in symbols.into_iter().filter(|symbol| image.file.is_executable(symbol.address)) {
        let is_wanted = match file {
            None => nothing || image.span_at(symbol.address).is_none(),
            Some(file) => nothing && is_of_file(image, symbol.address, file),
        };
        if is_wanted {
            let address = image.after_prologue(symbol.address);
            let function = image.function_at(symbol.address).map(|function| function.name);
            let source = image.line_at(address).map(|row| row.place);
            sites.push(ResolvedSite { address, entry: symbol.address, function, source });
        }
    }
    sites.sort_by_key(|site| site.address);
    sites.dedup_by_key(|site| site.address);
    sites
}

/// True if the function at an address is declared in a file.
fn is_of_file(image: &Image, address: FileAddress, file: &str) -> bool {
    image.span_at(address).is_some_and(|(debug, unit, span)| {
        declared_in(debug, unit, EntryId { unit: unit.index, offset: span.offset }, file)
    })
}

fn described(image: &Image, units: &UnitIndex, file: Option<&str>, name: &str) -> Vec<ResolvedSite> {
    let debug = &units.debug;
    let mut sites = Vec::new();
    for id in functions_named(units, name) {
        let Some((unit, entry)) = debug.entry(id) else { continue };
        if file.is_some_and(|file| !declared_in(debug, unit, id, file)) {
            continue;
        }
        let function = debug.shown_name(id);
        let mut ranges = Vec::new();
        debug.ranges_of(unit, &entry, &mut ranges);
        let body = debug.entry_address(unit, &entry, &ranges).map(FileAddress);
        let mut addresses: Vec<(FileAddress, FileAddress)> =
            body.map(|entry| (image.after_prologue(entry), entry)).into_iter().collect();
        if entry.attr(gimli::DW_AT_inline).is_some() {
            addresses.extend(inlined_instances(units, unit, id).into_iter().map(|entry| (entry, entry)));
        }
        sites.extend(addresses.into_iter().map(|(address, entry)| ResolvedSite {
            address,
            entry,
            function: function.clone(),
            source: image.line_at(address).map(|row| row.place),
        }));
    }
    sites
}

fn inlined_instances(units: &UnitIndex, unit: &Unit, function: EntryId) -> Vec<FileAddress> {
    let debug = &units.debug;
    let of_unit = |unit: &Unit| {
        let inlined = unit.inlined(debug).iter();
        inlined.filter(|inlined| inlined.origin == function).map(|inlined| FileAddress(inlined.entry)).collect()
    };
    let mut addresses: Vec<FileAddress> = of_unit(unit);
    // Link-time optimization inlines across units, and records this as references between them.
    units.read_all();
    let foreign = units.all_names().filter(|(other, names)| *other != unit.index && names.has_foreign_origins);
    for other in foreign.filter_map(|(other, _)| debug.unit(other)) {
        addresses.extend::<Vec<_>>(of_unit(other));
    }
    addresses
}

/// A row of some unit that may be the wanted place.
struct Found<'a> {
    unit: &'a Unit,
    range: Range<FileAddress>,
    line: u32,
    file: u32,
}

/// The rows of one image for a line, or for the next line with code if it has none.
struct LineRows<'a> {
    debug: &'a DebugInformation,
    /// The line of the rows.
    line: u32,
    rows: Vec<Found<'a>>,
}

/// Returns the rows for a line in all matching files; `None` if none has code at the line or after it.
fn line_rows<'a>(image: &'a Image, file: &str, line: u32) -> Option<LineRows<'a>> {
    let index = image.units()?;
    let debug = &index.debug;
    let mut candidates = Vec::new();
    let units = index.units_of_file(file);
    // Most units may name the same header, so read their tables in parallel.
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

/// Returns the sites of a line: the first instruction in each block that has some for it.
fn sites_of_rows(image: &Image, found: LineRows<'_>) -> Vec<ResolvedSite> {
    let LineRows { debug, rows: mut candidates, .. } = found;
    candidates.sort_by_key(|found| found.range.start);
    let mut blocks = FxHashSet::default();
    let mut sites = Vec::new();
    for found in candidates {
        let start = found.range.start;
        let function = found.unit.functions(debug).covering(start);
        let block = function.map(|span| innermost_block(debug, found.unit, span.offset, start));
        // One stop for each block: a loop has code for its line before and after its body.
        if block.is_some_and(|block| !blocks.insert((found.unit.index, block))) {
            continue;
        }
        let at_entry = function.is_some_and(|span| span.entry == start.0);
        let address = if at_entry { image.after_prologue(start) } else { start };
        let place = found.unit.lines(debug).files.get(found.file as usize);
        let place = place.map(|name| SourcePlace { file: Arc::clone(name.absolute()), line: found.line });
        let moved = (address != start).then(|| image.line_at(address)).flatten().map(|row| row.place);
        let function = image.inline_frames(address).into_iter().next().map(|frame| frame.function);
        sites.push(ResolvedSite { address, entry: address, function, source: moved.or(place) });
    }
    sites.sort_by_key(|site| site.address);
    sites.dedup_by_key(|site| site.address);
    sites
}

fn innermost_block(debug: &DebugInformation, unit: &Unit, function: UnitOffset, address: FileAddress) -> UnitOffset {
    scopes_at(debug, unit, function, address).last().map_or(function, |scope| scope.entry.offset())
}
