//! `.gdb_index`: the index that linkers and `gdb-add-index` make (gdb manual, "Index Section Format").

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Type,
    Variable,
    Function,
    Other,
}

/// The oldest version that records the kind of each name.
const OLDEST: u32 = 7;
/// The newest version supported.
const NEWEST: u32 = 9;
/// The version that linkers write; only gdb writes later ones.
const OF_LINKERS: u32 = 7;
/// Bytes of a unit: its offset and length.
const UNIT: usize = 16;
/// Bytes of a slot: the offsets in the pool of its name and its list of units.
const SLOT: usize = 8;
/// Bytes of a range of addresses: begin, end, and the unit's number.
const RANGE: usize = 20;

/// The parts of the section that lookups need.
#[derive(Debug)]
pub(crate) struct GdbIndex {
    version: u32,
    units: &'static [u8],
    ranges: &'static [u8],
    slots: &'static [u8],
    pool: &'static [u8],
    /// The offset in the pool at which names begin, after the lists.
    names: usize,
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|chunk| u32::from_le_bytes(*chunk))
}

impl GdbIndex {
    /// Returns `None` if the section is missing, damaged or of an unsupported version.
    pub(crate) fn parse(section: &'static [u8]) -> Option<Self> {
        let version = word(section, 0).filter(|version| (OLDEST..=NEWEST).contains(version))?;
        let offset = |number: usize| Some(word(section, 4 * number)? as usize);
        let (units, types, ranges, slots) = (offset(1)?, offset(2)?, offset(3)?, offset(4)?);
        let ranges = section.get(ranges..slots)?;
        // Version 9 has one more table in between.
        let (slots_end, pool) = if version >= 9 { (offset(5)?, offset(6)?) } else { (offset(5)?, offset(5)?) };
        let (slots, pool) = (section.get(slots..slots_end)?, section.get(pool..)?);
        let used = slots.as_chunks::<SLOT>().0.iter().filter(|slot| **slot != [0_u8; SLOT]);
        let names = used.filter_map(|slot| word(slot, 0)).min().map_or(pool.len(), |first| first as usize);
        Some(Self { version, units: section.get(units..types)?, ranges, slots, pool, names })
    }

    /// True if gdb made it from full units; a linker makes it from compilers' notes.
    pub(crate) fn is_of_gdb(&self) -> bool {
        self.version > OF_LINKERS
    }

    /// Iterates over the offsets of compilation units in `.debug_info`, in numerical order.
    pub(crate) fn units(&self) -> impl Iterator<Item = u64> {
        let (units, _) = self.units.as_chunks::<UNIT>();
        units.iter().filter_map(|unit| unit.first_chunk().map(|chunk| u64::from_le_bytes(*chunk)))
    }

    /// Iterates over the address ranges of units: begin, end, and the unit's number. `None` if the ranges cannot be
    /// read.
    pub(crate) fn ranges(&self) -> Option<impl Iterator<Item = (u64, u64, u32)> + use<>> {
        let (ranges, rest) = self.ranges.as_chunks::<RANGE>();
        let read = |range: &[u8; RANGE]| {
            let (begin, rest) = range.split_first_chunk::<8>()?;
            let (end, unit) = rest.split_first_chunk::<8>()?;
            Some((u64::from_le_bytes(*begin), u64::from_le_bytes(*end), word(unit, 0)?))
        };
        (!ranges.is_empty() && rest.is_empty()).then(|| ranges.iter().filter_map(read))
    }

    /// Returns the units that define wanted names, with the kind of each; type units are numbered after compilation
    /// units. Only names that contain `part` are examined.
    pub(crate) fn named(&self, part: &[u8], is_wanted: impl Fn(&[u8]) -> bool) -> Vec<(u32, Kind)> {
        let mut found = Vec::new();
        let names = self.pool.get(self.names..).unwrap_or_default();
        let mut behind = 0;
        for at in memchr::memmem::find_iter(names, part) {
            // A name may contain `part` twice.
            if at < behind {
                continue;
            }
            let start = memchr::memrchr(0, names.get(..at).unwrap_or_default()).map_or(0, |before| before + 1);
            let rest = names.get(at..).unwrap_or_default();
            behind = at + memchr::memchr(0, rest).unwrap_or(rest.len());
            let name = names.get(start..behind).unwrap_or_default();
            if is_wanted(name) {
                found.extend(self.units_of(name, self.names + start).into_iter().flatten());
            }
        }
        found
    }

    /// Returns the units of the name at a place in the pool; `None` if no slot refers to it, since other data may look
    /// like a name.
    fn units_of(&self, name: &[u8], place: usize) -> Option<impl Iterator<Item = (u32, Kind)> + use<>> {
        let (slots, _) = self.slots.as_chunks::<SLOT>();
        let mask = slots.len().checked_sub(1).filter(|_| slots.len().is_power_of_two())?;
        let hash = hash(name) as usize;
        let step = hash.wrapping_mul(17) & mask | 1;
        let mut at = hash & mask;
        for _ in 0..slots.len() {
            let slot = slots.get(at)?;
            let (own, list) = (word(slot, 0)? as usize, word(slot, 4)? as usize);
            if (own, list) == (0, 0) {
                return None;
            }
            if own == place {
                return self.units_in(list);
            }
            at = (at + step) & mask;
        }
        None
    }

    fn units_in(&self, list: usize) -> Option<impl Iterator<Item = (u32, Kind)> + use<>> {
        let count = word(self.pool, list)? as usize;
        let list = self.pool.get(list.checked_add(4)?..)?;
        let list = list.get(..count.checked_mul(4)?)?;
        let (words, _) = list.as_chunks::<4>();
        Some(words.iter().map(|word| {
            let word = u32::from_le_bytes(*word);
            let kind = match word >> 28 & 7 {
                1 => Kind::Type,
                2 => Kind::Variable,
                3 => Kind::Function,
                _ => Kind::Other,
            };
            (word & 0x00ff_ffff, kind)
        }))
    }
}

fn hash(name: &[u8]) -> u32 {
    name.iter().fold(0, |hash: u32, byte| {
        hash.wrapping_mul(67).wrapping_add(u32::from(byte.to_ascii_lowercase())).wrapping_sub(113)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_truncated_index_tells_what_is_left_of_it() {
        // Two slots; the hash of the name selects the second. The pool has the list first, then the name.
        let slot = hash(b"ain") & 1;
        let slots = if slot == 0 { [8, 0, 0, 0] } else { [0, 0, 8, 0] };
        let mut words = vec![8, 24, 40, 40, 60, 76, 0, 0, 99, 0, 16, 0, 32, 0, 0];
        words.extend(slots);
        words.extend([1, 0x3000_0000, 0x006e_6961]);
        let bytes: Vec<u8> = words.iter().flat_map(|word: &u32| word.to_le_bytes()).collect();
        let whole: &'static [u8] = Vec::leak(bytes);
        let index = GdbIndex::parse(whole).unwrap();
        assert_eq!(index.units().collect::<Vec<_>>(), [0]);
        assert_eq!(index.ranges().unwrap().collect::<Vec<_>>(), [(16, 32, 0)]);
        assert_eq!(index.named(b"in", |name| name == b"ain"), [(0, Kind::Function)]);
        assert_eq!(index.named(b"in", |_| false), []);
        assert_eq!(index.named(b"x", |_| true), []);
        for length in 0..whole.len() - 4 {
            let named = GdbIndex::parse(&whole[..length]).map(|index| index.named(b"ain", |_| true));
            assert_eq!(named.unwrap_or_default(), [], "{length}");
        }
        assert!(GdbIndex::parse(b"\x06\0\0\0").is_none());
    }
}
