//! The names of a unit outside its functions. A table holds hashes, not names: it is made in one
//! fast pass over the unit, and few entries need a second look.

use super::abbrev_skip::{Plans, attribute};
use super::cache::{FileRow, KeptUnit, NameRow};
use crate::dwarf::debug_info::DebugInformation;
use crate::dwarf::entry::EntryId;
use crate::dwarf::named::Named;
use crate::dwarf::unit::Unit;
use gimli::{Reader, UnitOffset};
use rustc_hash::FxHasher;
use std::borrow::Cow;
use std::hash::Hasher;

/// The bit of a row's second half at which the kind begins; the lower bits hold the offset.
const SORT_SHIFT: u32 = 30;

/// Makes a row in saved form: the hash of the name, and the entry's offset and kind.
fn row(hash: u32, offset: UnitOffset, sort: Named) -> Option<NameRow> {
    let offset = u32::try_from(offset.0).ok().filter(|offset| offset >> SORT_SHIFT == 0)?;
    let sort = match sort {
        Named::Function => 0,
        Named::Variable => 1,
        Named::Type => 2,
        Named::Enumerator => 3,
    };
    let (mut row, what) = ([0; 8], offset | sort << SORT_SHIFT);
    row.iter_mut().zip(hash.to_le_bytes().into_iter().chain(what.to_le_bytes())).for_each(|(to, from)| *to = from);
    Some(row)
}

fn hash_of(row: &NameRow) -> u32 {
    row.first_chunk::<4>().map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

fn entry_of(row: &NameRow) -> (UnitOffset, Named) {
    let what = row.last_chunk::<4>().map_or(0, |bytes| u32::from_le_bytes(*bytes));
    let sort = match what >> SORT_SHIFT {
        0 => Named::Function,
        1 => Named::Variable,
        2 => Named::Type,
        _ => Named::Enumerator,
    };
    (UnitOffset((what & ((1 << SORT_SHIFT) - 1)) as usize), sort)
}

#[derive(Default)]
pub(crate) struct UnitNames {
    rows: Cow<'static, [NameRow]>,
    /// True if a function is an instance of one in another unit, as in link-time optimization.
    pub(crate) has_foreign_origins: bool,
}

/// Hashes a name without its template arguments.
pub(crate) fn hash(name: &[u8]) -> u32 {
    hash_of_bytes(without_template_arguments(name))
}

/// Computes a hash that is the same in every run.
pub(crate) fn hash_of_bytes(bytes: &[u8]) -> u32 {
    let mut hasher = FxHasher::default();
    hasher.write(bytes);
    let wide = hasher.finish();
    (wide ^ (wide >> 32)) as u32
}

/// Returns `f` for `f<int>`.
pub(crate) fn without_template_arguments(name: &[u8]) -> &[u8] {
    if name.starts_with(b"operator") {
        let text = std::str::from_utf8(name);
        return text.map_or(name, |text| crate::demangle::function_name::without_arguments(text).as_bytes());
    }
    let end = name.iter().position(|byte| *byte == b'<').filter(|end| *end > 0);
    end.and_then(|end| name.get(..end)).unwrap_or(name)
}

impl UnitNames {
    /// Restores the saved form.
    pub(crate) fn kept(unit: &KeptUnit<'static>) -> Self {
        Self { rows: Cow::Borrowed(unit.rows), has_foreign_origins: unit.has_foreign_origins }
    }

    /// Returns the saved form, with the files of the unit.
    pub(crate) fn to_keep<'a>(&'a self, files: &'a [FileRow]) -> KeptUnit<'a> {
        KeptUnit { rows: &self.rows, files, has_foreign_origins: self.has_foreign_origins }
    }

    pub(crate) fn read(debug: &DebugInformation, unit: &Unit) -> Self {
        let mut names = Self::default();
        let mut rows = Vec::new();
        let mut unnamed = Vec::new();
        if let Err(error) = names.scan(debug, unit, &mut rows, &mut unnamed) {
            debug.damage.within(&unit.dwarf, error);
        }
        // Functions and variables that complete a declaration elsewhere inherit its name.
        for (offset, sort) in unnamed {
            let id = EntryId { unit: unit.index, offset };
            if let Some(name) = debug.base_name(id) {
                rows.extend(row(hash(name), offset, sort));
            }
        }
        rows.sort_unstable_by_key(hash_of);
        rows.shrink_to_fit();
        names.rows = Cow::Owned(rows);
        names
    }

    fn scan(
        &mut self,
        debug: &DebugInformation,
        unit: &Unit,
        rows: &mut Vec<NameRow>,
        unnamed: &mut Vec<(UnitOffset, Named)>,
    ) -> gimli::Result<()> {
        let header = unit.dwarf.header;
        let root = header.root_offset();
        let mut plans = Plans::new(header, &unit.dwarf.abbreviations);
        let mut input = header.range_from(root..)?;
        let end = root.0 + input.len();
        let mut depth = 0_isize;
        // Entries of a function body, at or below this depth, are skipped.
        let mut body: Option<isize> = None;
        while !input.is_empty() {
            let offset = UnitOffset(end - input.len());
            if body.is_some_and(|body| depth < body) {
                body = None;
            }
            let code = input.read_uleb128()?;
            if code == 0 {
                depth -= 1;
                continue;
            }
            let plan = plans.of(code)?;
            if depth <= 0 && offset != root {
                // A unit has one root entry (DWARF 5, 3.1), so the ends of earlier entries are damaged.
                debug.damage.within(&unit.dwarf, "entries outside of its tree");
            }
            let below = depth + isize::from(plan.has_children);
            let naming = plan.naming.filter(|naming| body.is_none() || naming.sort == Named::Function);
            self.has_foreign_origins |= naming.is_some_and(|naming| naming.is_foreign);
            match naming.filter(|naming| naming.is_wanted) {
                Some(naming) => match plan.to_name(&unit.dwarf, &mut input)? {
                    Some(specification) => {
                        let name = attribute(&unit.dwarf, &mut input, specification)?;
                        if let Some(name) = debug.string(unit, name.value()) {
                            rows.extend(row(hash(name), offset, naming.sort));
                        } else if naming.completes {
                            unnamed.push((offset, naming.sort));
                        }
                        plan.to_end(&unit.dwarf, &mut input)?;
                    }
                    None if naming.completes => unnamed.push((offset, naming.sort)),
                    None => {}
                },
                None => {
                    let next = plan.sibling(&input).and_then(|next| next.0.checked_sub(offset.0)).filter(|_| depth > 0);
                    let read = end - input.len() - offset.0;
                    match next.and_then(|length| length.checked_sub(read)).filter(|rest| *rest <= input.len()) {
                        Some(rest) => {
                            input.skip(rest)?;
                            continue;
                        }
                        None => plan.pass(&unit.dwarf, &mut input)?,
                    }
                }
            }
            if plan.is_body {
                body = body.or(Some(below));
            }
            depth = below;
        }
        Ok(())
    }

    /// Returns the entries that may have this name; the caller compares the actual names.
    pub(crate) fn candidates(&self, name: &[u8]) -> impl Iterator<Item = (UnitOffset, Named)> {
        let hash = hash(name);
        let start = self.rows.partition_point(|row| hash_of(row) < hash);
        let rows = self.rows.get(start..).unwrap_or_default();
        rows.iter().take_while(move |row| hash_of(row) == hash).map(entry_of)
    }

    /// Returns all entries of a kind.
    pub(crate) fn of_sort(&self, sort: Named) -> impl Iterator<Item = UnitOffset> {
        self.rows.iter().map(entry_of).filter(move |(_, own)| *own == sort).map(|(offset, _)| offset)
    }
}
