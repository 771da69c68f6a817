//! Counts how many of very many values are different, in constant space: few exactly, many approximately.

use crate::aif;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The binary logarithm of the number of registers: 1,024 of a byte each give a standard error of 3.3 %.
const BITS: u32 = 10;
const REGISTERS: usize = 1 << BITS;
/// The most different values that are counted exactly.
const FEW: usize = 128;
/// The longest run that a register can have.
const LONGEST: u8 = (64 - BITS + 1) as u8;

/// The hashes of the values, or what is kept of very many.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Seen {
    /// The hashes of all different values.
    Few(BTreeSet<u64>),
    /// The registers of HyperLogLog (Flajolet, Fusy, Gandouet and Meunier, 2007): each has the longest run of zeros that
    /// the hashes of its values began with. Two sketches are joined by taking the longer run of each register.
    Many(Vec<u8>),
}

/// Counts different values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DistinctSketch(Seen);

impl Default for DistinctSketch {
    fn default() -> Self {
        Self(Seen::Few(BTreeSet::new()))
    }
}

impl DistinctSketch {
    /// Adds a value.
    pub fn add(&mut self, value: &impl Hash) {
        let mut hasher = DefaultHasher::new();
        value.hash(&mut hasher);
        let hash = hasher.finish();
        match &mut self.0 {
            Seen::Few(hashes) => _ = hashes.insert(hash),
            Seen::Many(registers) => enter(registers, hash),
        }
        self.settle();
    }

    /// Adds the values of another sketch.
    pub fn join(&mut self, other: &Self) {
        match (&mut self.0, &other.0) {
            (Seen::Few(hashes), Seen::Few(others)) => hashes.extend(others),
            (Seen::Few(hashes), Seen::Many(others)) => {
                let mut registers = others.clone();
                hashes.iter().for_each(|hash| enter(&mut registers, *hash));
                self.0 = Seen::Many(registers);
            }
            (Seen::Many(registers), Seen::Few(others)) => others.iter().for_each(|hash| enter(registers, *hash)),
            (Seen::Many(registers), Seen::Many(others)) => {
                registers.iter_mut().zip(others).for_each(|(own, also)| *own = (*own).max(*also));
            }
        }
        self.settle();
    }

    /// Keeps no more hashes than few.
    fn settle(&mut self) {
        if let Seen::Few(hashes) = &self.0
            && hashes.len() > FEW
        {
            let mut registers = vec![0; REGISTERS];
            hashes.iter().for_each(|hash| enter(&mut registers, *hash));
            self.0 = Seen::Many(registers);
        }
    }

    /// The number of different values, if it is known exactly.
    pub fn count(&self) -> Option<usize> {
        match &self.0 {
            Seen::Few(hashes) => Some(hashes.len()),
            Seen::Many(_) => None,
        }
    }

    /// Estimates how many different values were added.
    pub fn estimate(&self) -> f64 {
        let runs = match &self.0 {
            Seen::Few(hashes) => return hashes.len() as f64,
            Seen::Many(registers) => registers,
        };
        let registers = REGISTERS as f64;
        let sum: f64 = runs.iter().map(|run| 0.5f64.powi(i32::from(*run))).sum();
        let raw = 0.7213 / (1.0 + 1.079 / registers) * registers * registers / sum;
        let empty = runs.iter().filter(|run| **run == 0).count();
        // Not many values leave registers empty, and the number of these is the better estimate.
        if raw <= 2.5 * registers && empty > 0 { registers * (registers / empty as f64).ln() } else { raw }
    }
}

fn enter(registers: &mut [u8], hash: u64) {
    let run = (hash << BITS).leading_zeros().min(64 - BITS) + 1;
    let register = usize::try_from(hash >> (64 - BITS)).unwrap_or(0);
    if let Some(longest) = registers.get_mut(register) {
        *longest = (*longest).max(u8::try_from(run).unwrap_or(LONGEST));
    }
}

impl Serialize for DistinctSketch {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Seen::Few(hashes) => {
                let bytes: Vec<u8> = hashes.iter().flat_map(|hash| hash.to_be_bytes()).collect();
                serializer.serialize_str(&format!("few:{}", aif::to_hex(&bytes)))
            }
            Seen::Many(registers) => serializer.serialize_str(&aif::to_hex(registers)),
        }
    }
}

impl<'de> Deserialize<'de> for DistinctSketch {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        if let Some(hashes) = text.strip_prefix("few:") {
            let bytes = aif::from_hex(hashes).filter(|bytes| bytes.len().is_multiple_of(8) && bytes.len() <= 8 * FEW);
            let bytes = bytes.ok_or_else(|| D::Error::custom("expected up to 128 hashes of 8 hexadecimal bytes"))?;
            let hashes = bytes.as_chunks::<8>().0.iter().map(|hash| u64::from_be_bytes(*hash));
            return Ok(Self(Seen::Few(hashes.collect())));
        }
        let registers = aif::from_hex(&text).filter(|registers| registers.len() == REGISTERS);
        let registers = registers.ok_or_else(|| D::Error::custom("expected 1024 hexadecimal bytes"))?;
        if registers.iter().any(|run| *run > LONGEST) {
            return Err(D::Error::custom("a register is longer than a hash"));
        }
        Ok(Self(Seen::Many(registers)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_are_within_a_tenth() {
        for count in [0u64, 1, 10, 900, 3_000, 40_000, 1_000_000] {
            let mut sketch = DistinctSketch::default();
            for value in 0..count {
                sketch.add(&value);
                sketch.add(&(value / 2));
            }
            let estimate = sketch.estimate();
            assert!((estimate - count as f64).abs() <= count as f64 / 10.0, "{estimate} for {count}");
        }
    }

    #[test]
    fn a_joined_sketch_is_that_of_all_values() {
        let of = |values: std::ops::Range<u32>| {
            let mut sketch = DistinctSketch::default();
            values.for_each(|value| sketch.add(&value));
            sketch
        };
        let mut joined = of(0..500);
        joined.join(&of(300..900));
        assert_eq!((joined.count(), &joined), (None, &of(0..900)));
        for (low, high) in [(0..60, 30..100), (0..300, 200..310), (0..3, 1..400), (0..128, 0..129)] {
            let all = of(low.start..high.end);
            let (mut forth, mut back) = (of(low.clone()), of(high.clone()));
            forth.join(&of(high));
            back.join(&of(low));
            assert_eq!((&forth, &back), (&all, &all));
        }
    }

    #[test]
    fn bytes_that_are_no_registers_are_refused() {
        let read = |text: &str| serde_json::from_str::<DistinctSketch>(text);
        let mut sketch = DistinctSketch::default();
        for number in 0..200 {
            assert_eq!(sketch.count(), (number <= 128).then_some(number));
            assert_eq!(read(&serde_json::to_string(&sketch).unwrap()).unwrap(), sketch);
            sketch.add(&number);
        }
        let text = serde_json::to_string(&sketch).unwrap();
        assert_eq!(read(&text).unwrap(), sketch);
        for wrong in ["\"00\"", "\"few:00\"", &format!("\"few:{}\"", "0".repeat(129 * 16))] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        assert!(serde_json::from_str::<DistinctSketch>(&text.replacen("00", "ff", 1)).is_err());
    }
}
