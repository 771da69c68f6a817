//! Values, without the types that say what they mean.

use super::AifType;

/// A text that a pointer points to, as far as it was fetched.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PointedText {
    /// The pointer.
    pub address: u64,
    /// What the address is, as in `<buffer+4>`, without the brackets.
    pub symbol: Option<String>,
    /// The characters, without the NUL that ends them.
    pub units: Vec<u32>,
    /// Characters behind these were not fetched.
    pub truncated: bool,
    /// The first address that could not be read.
    pub unreadable: Option<u64>,
}

/// What is known of a pointer or reference.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PointerValue {
    /// The null pointer.
    Null,
    /// The target was fetched too.
    Target {
        /// The pointer.
        address: u64,
        /// What is there.
        target: Box<AifValue>,
    },
    /// As `Target`, with a number by which later pointers mean the same target.
    NamedTarget {
        /// The number.
        id: u32,
        /// The pointer.
        address: u64,
        /// What is there.
        target: Box<AifValue>,
    },
    /// To a target that has been given with this number.
    Repeated {
        /// The number.
        id: u32,
        /// The pointer.
        address: u64,
    },
    /// To nothing that can be read.
    Invalid {
        /// The pointer.
        address: u64,
    },
    /// The target was not fetched.
    AddressOnly {
        /// The pointer.
        address: u64,
        /// What the address is, as in `<main+4>`, without the brackets.
        symbol: Option<String>,
    },
}

impl PointerValue {
    /// Where it points.
    pub fn address(&self) -> u64 {
        match self {
            Self::Null => 0,
            Self::Target { address, .. }
            | Self::NamedTarget { address, .. }
            | Self::Repeated { address, .. }
            | Self::Invalid { address }
            | Self::AddressOnly { address, .. } => *address,
        }
    }
}

/// A value. Which variants go with a type is in the table of [`super::AifType`]; transparent kinds (names, bit-fields,
/// ranges, enumerations) have the value of what they wrap.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AifValue {
    /// The bits of a number, character, truth value or address, the highest of them zero where the type is narrower.
    Scalar(u128),
    /// Real and imaginary bits.
    Complex(u128, u128),
    /// Of pointers and references.
    Pointer(PointerValue),
    /// Of C string pointers and text pointers.
    Text(PointedText),
    /// A string that is not C's.
    String(Vec<u8>),
    /// Of arrays.
    Elements(Vec<AifValue>),
    /// Of arrays in runs: repetitions and the element.
    Runs(Vec<(u32, AifValue)>),
    /// Words and what they introduce.
    Titled(String, Box<AifValue>),
    /// A value with its own type.
    Own(Box<AifType>, Box<AifValue>),
    /// What a container holds.
    Children {
        /// Keys, where there are any, and values.
        held: Vec<(Option<AifValue>, AifValue)>,
        /// There are more than these.
        more: bool,
    },
    /// Of aggregates and unions, in the order of the members.
    Members(Vec<AifValue>),
    /// The name of a function.
    Function(Vec<u8>),
    /// With its address.
    Located(u64, Box<AifValue>),
    /// An address and what it is.
    Annotated(u64, String),
    /// An optional value that is there.
    Available(Box<AifValue>),
    /// An optional value that is not there, and why.
    Unavailable(String),
    /// Bytes of a kind this reader does not know.
    Opaque(Vec<u8>),
}
