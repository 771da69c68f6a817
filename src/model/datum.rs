//! A value with its type, as messages carry it.

use serde::{Deserialize, Serialize};

/// A value of the program: AIF descriptor and big-endian data (wire, section 4), and the name of the type.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Datum {
    /// The AIF type descriptor.
    pub descriptor: String,
    /// The AIF data; hexadecimal in plain JSON.
    #[serde(with = "hex_bytes")]
    pub data: Vec<u8>,
    /// The type's name as in DWARF: `struct cell *`.
    pub type_name: String,
}

/// The value of a variable, or why it is unavailable.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum VariableValue {
    /// The variable has a value.
    Known(Datum),
    /// The value is unavailable.
    Unknown {
        /// The words gdb prints inside `<…>`, e.g. `optimized out`.
        why: String,
        /// The type's name as in DWARF.
        type_name: String,
    },
}

/// A named value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Variable {
    /// Its name in the source.
    pub name: String,
    /// Its value, or why it is unavailable.
    pub value: VariableValue,
}

impl Variable {
    /// Returns the bytes of its name and value.
    pub fn bytes(&self) -> usize {
        let value = match &self.value {
            VariableValue::Known(datum) => datum.descriptor.len() + datum.data.len() + datum.type_name.len(),
            VariableValue::Unknown { why, type_name } => why.len() + type_name.len(),
        };
        self.name.len() + value
    }
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
