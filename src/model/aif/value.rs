//! Values, without their types.

use super::AifType;

/// The text a pointer points to, as far as it was fetched.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PointedText {
    /// The pointer's own value.
    pub address: u64,
    /// The symbol of the address, as in `<buffer+4>`, without the brackets.
    pub symbol: Option<String>,
    /// The characters, without the terminating NUL.
    pub units: Vec<u32>,
    /// True if the text continues after the fetched characters.
    pub truncated: bool,
    /// The first address that could not be read; `None` if there was none.
    pub unreadable: Option<u64>,
}

/// A pointer or reference, with its target if that was fetched.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PointerValue {
    /// The null pointer.
    Null,
    /// A pointer whose target was fetched.
    Target {
        /// The pointer's own value.
        address: u64,
        /// The value at the address.
        target: Box<AifValue>,
    },
    /// As `Target`, with a number by which later pointers refer to the same target.
    NamedTarget {
        /// The same in `NamedTarget` and `Repeated`.
        id: u32,
        /// The pointer's own value.
        address: u64,
        /// The value at the address.
        target: Box<AifValue>,
    },
    /// A pointer to the target of an earlier `NamedTarget` with this number.
    Repeated {
        /// The same in `NamedTarget` and `Repeated`.
        id: u32,
        /// The pointer's own value.
        address: u64,
    },
    /// A pointer to memory that cannot be read.
    Invalid {
        /// The pointer's own value.
        address: u64,
    },
    /// A pointer whose target was not fetched.
    AddressOnly {
        /// The pointer's own value.
        address: u64,
        /// The symbol of the address, as in `<main+4>`, without the brackets.
        symbol: Option<String>,
    },
}

impl PointerValue {
    /// The address it points to; 0 for the null pointer.
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

/// A value. The table in [`super::AifType`] lists the variant for each type; transparent kinds (names, bit-fields,
/// ranges, enumerations) have the value of the type they wrap.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AifValue {
    /// The bits of a number, character, boolean or address, zero-extended.
    Scalar(u128),
    /// The bits of the real and the imaginary part.
    Complex(u128, u128),
    /// The value of a pointer or reference.
    Pointer(PointerValue),
    /// The value of a C string pointer or text pointer.
    Text(PointedText),
    /// The bytes of a string that is not a C string.
    String(Vec<u8>),
    /// The elements of an array.
    Elements(Vec<AifValue>),
    /// The runs of an array: the number of repetitions and the element.
    Runs(Vec<(u32, AifValue)>),
    /// A title and the value shown after it.
    Titled(String, Box<AifValue>),
    /// A value that carries its own type.
    Own(Box<AifType>, Box<AifValue>),
    /// The contents of a container.
    Children {
        /// Keys and values; the keys are `None` unless the style is keyed.
        held: Vec<(Option<AifValue>, AifValue)>,
        /// True if the container holds more than was fetched.
        more: bool,
    },
    /// The members of an aggregate or union, in the order of the type's fields.
    Members(Vec<AifValue>),
    /// The name of a function.
    Function(Vec<u8>),
    /// A value with its address.
    Located(u64, Box<AifValue>),
    /// An address and its symbol.
    Annotated(u64, String),
    /// An optional value that is available.
    Available(Box<AifValue>),
    /// An optional value that is unavailable, and why.
    Unavailable(String),
    /// The bytes of a kind this reader does not support.
    Opaque(Vec<u8>),
}
