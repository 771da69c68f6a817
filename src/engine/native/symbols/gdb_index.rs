//! `.gdb_index`: the index that linkers and `gdb-add-index` make (gdb's manual, "Index Section Format").

/// What sort of thing a name is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Type,
    /// Or an enumerator.
    Variable,
    Function,
    Other,
}

/// The oldest version whose names say what they are of.
const OLDEST: u32 = 7;
/// The newest that is known.
const NEWEST: u32 = 9;
/// What linkers write; later ones are of gdb alone.
const OF_LINKERS: u32 = 7;
/// Bytes of a unit: its offset and its length.
const UNIT: usize = 16;
/// Bytes of a slot: where its name and its list of units are in the pool.
const SLOT: usize = 8;

/// The parts that lookups need.
pub(super) struct GdbIndex {
    version: u32,
    units: &'static [u8],
    slots: &'static [u8],
    pool: &'static [u8],
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|chunk| u32::from_le_bytes(*chunk))
}

impl GdbIndex {
    /// `None` when it is missing, damaged or of a version that is not known.
    pub(super) fn parse(section: &'static [u8]) -> Option<Self> {
        let version = word(section, 0).filter(|version| (OLDEST..=NEWEST).contains(version))?;
        let offset = |number: usize| Some(word(section, 4 * number)? as usize);
        let (units, types, slots) = (offset(1)?, offset(2)?, offset(4)?);
        // Version 9 has one more table between.
        let (slots_end, pool) = if version >= 9 { (offset(5)?, offset(6)?) } else { (offset(5)?, offset(5)?) };
        Some(Self {
            version,
            units: section.get(units..types)?,
            slots: section.get(slots..slots_end)?,
            pool: section.get(pool..)?,
        })
    }

    /// Whether gdb made it, from all that the units say, and not a linker from what compilers have noted.
    pub(super) fn is_of_gdb(&self) -> bool {
        self.version > OF_LINKERS
    }

    /// Offsets of the compilation units in `.debug_info`, in the order of their numbers.
    pub(super) fn units(&self) -> impl Iterator<Item = u64> {
        let (units, _) = self.units.as_chunks::<UNIT>();
        units.iter().filter_map(|unit| unit.first_chunk().map(|chunk| u64::from_le_bytes(*chunk)))
    }

    /// Names with the numbers of units that have them; the number of a type unit is beyond those of compilation units.
    pub(super) fn symbols(&self) -> impl Iterator<Item = (&'static [u8], u32, Kind)> {
        let (slots, _) = self.slots.as_chunks::<SLOT>();
        slots.iter().flat_map(|slot| self.symbols_of(slot).into_iter().flatten())
    }

    fn symbols_of(&self, slot: &[u8]) -> Option<impl Iterator<Item = (&'static [u8], u32, Kind)> + use<>> {
        let (name, list) = (word(slot, 0)? as usize, word(slot, 4)? as usize);
        if (name, list) == (0, 0) {
            return None;
        }
        let name = self.pool.get(name..)?;
        let name = name.get(..name.iter().position(|byte| *byte == 0)?)?;
        let count = word(self.pool, list)? as usize;
        let list = self.pool.get(list.checked_add(4)?..)?;
        let list = list.get(..count.checked_mul(4)?)?;
        let (words, _) = list.as_chunks::<4>();
        Some(words.iter().map(move |word| {
            let word = u32::from_le_bytes(*word);
            let kind = match word >> 28 & 7 {
                1 => Kind::Type,
                2 => Kind::Variable,
                3 => Kind::Function,
                _ => Kind::Other,
            };
            (name, word & 0x00ff_ffff, kind)
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_truncated_index_tells_what_is_left_of_it() {
        let words: [u32; 16] = [8, 24, 40, 40, 40, 48, 0, 0, 99, 0, 0, 8, 0x006e_6961, 0, 1, 0x3000_0000];
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let whole: &'static [u8] = Vec::leak(bytes);
        let index = GdbIndex::parse(whole).unwrap();
        assert_eq!(index.units().collect::<Vec<_>>(), [0]);
        assert_eq!(index.symbols().collect::<Vec<_>>(), [(&b"ain"[..], 0, Kind::Function)]);
        for length in 0..whole.len() {
            let symbols = GdbIndex::parse(&whole[..length]).map(|index| index.symbols().count());
            assert_eq!(symbols.unwrap_or_default(), 0, "{length}");
        }
        assert!(GdbIndex::parse(b"\x06\0\0\0").is_none());
    }
}
