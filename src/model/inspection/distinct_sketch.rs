//! Estimates how many of very many values are different, in constant space.

use crate::aif;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The binary logarithm of the number of registers: 1,024 of a byte each give a standard error of 3.3 %.
const BITS: u32 = 10;
const REGISTERS: usize = 1 << BITS;

/// The registers of HyperLogLog (Flajolet, Fusy, Gandouet and Meunier, 2007): each has the longest run of zeros that the
/// hashes of its values began with. Two sketches are joined by taking the longer run of each register.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DistinctSketch(Vec<u8>);

impl Default for DistinctSketch {
    fn default() -> Self {
        Self(vec![0; REGISTERS])
    }
}

impl DistinctSketch {
    /// Adds a value.
    pub fn add(&mut self, value: &impl Hash) {
        let mut hasher = DefaultHasher::new();
        value.hash(&mut hasher);
        let hash = hasher.finish();
        let run = (hash << BITS).leading_zeros().min(64 - BITS) + 1;
        let register = usize::try_from(hash >> (64 - BITS)).unwrap_or(0);
        if let Some(longest) = self.0.get_mut(register) {
            *longest = (*longest).max(u8::try_from(run).unwrap_or(u8::MAX));
        }
    }

    /// Adds the values of another sketch.
    pub fn join(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(own, also)| *own = (*own).max(*also));
    }

    /// Estimates how many different values were added.
    pub fn estimate(&self) -> f64 {
        let registers = REGISTERS as f64;
        let sum: f64 = self.0.iter().map(|run| 0.5f64.powi(i32::from(*run))).sum();
        let raw = 0.7213 / (1.0 + 1.079 / registers) * registers * registers / sum;
        let empty = self.0.iter().filter(|run| **run == 0).count();
        // Few values leave registers empty, and the number of these is the better estimate.
        if raw <= 2.5 * registers && empty > 0 { registers * (registers / empty as f64).ln() } else { raw }
    }
}

impl Serialize for DistinctSketch {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&aif::to_hex(&self.0))
    }
}

impl<'de> Deserialize<'de> for DistinctSketch {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let registers = aif::from_hex(&text).filter(|registers| registers.len() == REGISTERS);
        let registers = registers.ok_or_else(|| D::Error::custom("expected 1024 hexadecimal bytes"))?;
        let longest = u8::try_from(64 - BITS + 1).unwrap_or(u8::MAX);
        if registers.iter().any(|run| *run > longest) {
            return Err(D::Error::custom("a register is longer than a hash"));
        }
        Ok(Self(registers))
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
        assert_eq!(joined, of(0..900));
    }

    #[test]
    fn bytes_that_are_no_registers_are_refused() {
        let sketch = DistinctSketch::default();
        let text = serde_json::to_string(&sketch).unwrap();
        assert_eq!(serde_json::from_str::<DistinctSketch>(&text).unwrap(), sketch);
        assert!(serde_json::from_str::<DistinctSketch>("\"00\"").is_err());
        assert!(serde_json::from_str::<DistinctSketch>(&text.replacen("00", "ff", 1)).is_err());
    }
}
