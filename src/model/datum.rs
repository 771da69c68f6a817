//! A value with its type, as it travels.

use serde::{Deserialize, Serialize};

/// A value of the program: AIF descriptor and big-endian data (wire, section 4), and the type as the language spells it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Datum {
    /// AIF type descriptor.
    pub descriptor: String,
    /// AIF data; hexadecimal where it is JSON alone.
    #[serde(with = "hex_bytes")]
    pub data: Vec<u8>,
    /// As DWARF spells it: `struct cell *`.
    pub type_name: String,
}

/// What can be said of the value of a variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum VariableValue {
    /// It has one.
    Known(Datum),
    /// It has none here; the words gdb prints inside `<…>`, e.g. `optimized out`; with the type's name.
    Unknown {
        /// Why there is none.
        why: String,
        /// As DWARF spells it.
        type_name: String,
    },
}

/// A named value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Variable {
    /// As in the source.
    pub name: String,
    /// Its value or why there is none.
    pub value: VariableValue,
}

mod hex_bytes {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(data: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&crate::aif::to_hex(data))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(deserializer)?;
        crate::aif::from_hex(&text).ok_or_else(|| D::Error::custom("expected hexadecimal bytes"))
    }
}
