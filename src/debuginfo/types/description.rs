//! The types of a program as the debug information has them, and where values of them are.

use model::VirtualAddress;
use std::sync::Arc;

/// The type of data that only symbol tables know, as gdb calls it.
pub const UNDESCRIBED_DATA: &str = "<data variable, no debug info>";

/// A type by its place in the debug information, or made by an expression (`&x`, `(T *) e`).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TypeRef {
    /// No type: `void`, or `DW_AT_type` absent.
    Void,
    /// A debugging information entry.
    Entry(TypeId),
    /// Not in the file.
    Made(Arc<Type>),
}

/// A file of the process, and an offset in its debug information.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TypeId {
    /// The loaded file, an index that the symbol tables give out.
    pub image: u32,
    /// Offset in the `.debug_info` section.
    pub entry: u64,
}

/// A type as the program declares it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Type {
    /// As declared, without `struct` and the like; `None` for pointers, arrays and unnamed ones.
    pub name: Option<Arc<str>>,
    /// In bytes; `None` when incomplete.
    pub size: Option<u64>,
    /// The kind of type.
    pub kind: Kind,
}

/// Encodings of base types (DWARF 5, 7.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// A number with a sign, two's complement.
    Signed,
    /// A number without a sign.
    Unsigned,
    /// `char` that is signed.
    SignedChar,
    /// `char` that is unsigned.
    UnsignedChar,
    /// A character of UTF-8, UTF-16 or UTF-32.
    Utf,
    /// A truth value, true or false.
    Boolean,
    /// IEEE or x87 extended, by size (16 with x87: `long double`).
    Float,
    /// Two floats, the real part first.
    Complex,
    /// Any other encoding, by its number.
    Other(u8),
}

/// The keyword of an aggregate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Aggregate {
    /// Declared by `struct`, or a derived type of Fortran.
    Struct,
    /// Declared by `class` in C++.
    Class,
    /// Declared by `union`: its members share their bytes.
    Union,
}

/// Qualifiers that leave the representation as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Qualifier {
    /// `const`: the program may not change it.
    Const,
    /// `volatile`: it may change by itself.
    Volatile,
    /// `restrict`: no other pointer leads there.
    Restrict,
    /// `_Atomic` of C 11.
    Atomic,
}

/// The rest of a type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A type without values: `void`.
    Void,
    /// A number, character or truth value.
    Base(Encoding),
    /// An address of one.
    Pointer(TypeRef),
    /// A C++ reference; `true` for an rvalue reference.
    Reference(TypeRef, bool),
    /// Members; `declaration` when only the name is known here.
    Aggregate {
        /// The word it was declared with.
        tag: Aggregate,
        /// In the order of their declarations, base classes first.
        members: Vec<Member>,
        /// Only its name is known here.
        declaration: bool,
    },
    /// An enum whose alternatives have data.
    Variants(Box<Variants>),
    /// Named constants over an integer.
    Enumeration {
        /// Name and value, in order.
        enumerators: Vec<(Arc<str>, i64)>,
        /// As its values are.
        signed: bool,
        /// An `enum class` of C++.
        scoped: bool,
    },
    /// Row-major; one dimension per subrange.
    Array {
        /// The type of the elements.
        element: TypeRef,
        /// The outermost dimension first.
        dimensions: Vec<Dimension>,
    },
    /// The code of a function.
    Function {
        /// `Void` where it returns nothing.
        returns: TypeRef,
        /// The types of the parameters, in order.
        parameters: Vec<TypeRef>,
        /// More arguments may follow: `...`.
        variadic: bool,
        /// Its declaration names the parameters: `f(void)`, not `f()`.
        prototyped: bool,
    },
    /// Another name of a type.
    Typedef(TypeRef),
    /// The same with a qualifier.
    Qualified(Qualifier, TypeRef),
    /// A tag we do not know: shown, not read.
    Unknown(String),
}

/// A dimension of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dimension {
    /// The index of the first element.
    pub lower: i64,
    /// Elements; `None` for a flexible array or an unknown bound.
    pub count: Option<u64>,
    /// Nobody says where it ends: the last dimension of `a(*)` in Fortran.
    pub assumed: bool,
    /// Bytes from an element to the next, which may lie before it; `None`: they follow each other.
    pub stride: Option<i64>,
}

/// A member of an aggregate.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Member {
    /// `None` for anonymous aggregates.
    pub name: Option<Arc<str>>,
    /// The type of the value.
    pub ty: TypeRef,
    /// Bytes from the start of the aggregate.
    pub offset: u64,
    /// For bit-fields: bit offset from the start of the aggregate, and width (DWARF 5, 5.7.6, little endian).
    pub bits: Option<(u64, u32)>,
    /// It is a base class, not data.
    pub base: bool,
    /// A variable that all values of the type share; it is found by its name, not by an offset.
    pub is_static: bool,
    /// A virtual base class: how many bytes before the place the object's first word points to its distance from the
    /// object stands.
    pub virtual_at: Option<u64>,
}

/// Alternatives, and what says which of them a value is (DWARF 5, 5.7.10).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Variants {
    /// Where the number is that says it; `None` where only one can be.
    pub discriminant: Option<Member>,
    /// In the order of their declarations.
    pub alternatives: Vec<Alternative>,
}

/// One alternative of an enum.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Alternative {
    /// The discriminant of it, as bits of its size; `None` for the one that all other values mean.
    pub value: Option<u128>,
    /// Its name, what it consists of and where that is.
    pub member: Member,
}

/// Where a value is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// In memory, from this address on.
    Memory(VirtualAddress),
    /// In a register of the frame, by DWARF number (System V ABI, figure 3.36).
    Register(u16),
    /// In several places, each with its size in bytes; `None` for a part that was optimised out.
    Pieces(Vec<(Option<Place>, u64)>),
    /// Nowhere, but its bytes are known.
    Bytes(Vec<u8>),
    /// As it was when it was printed, and where it was then.
    Past(Arc<[u8]>, VirtualAddress),
    /// In the convenience variable of this name.
    Convenience(Arc<str>, Arc<[u8]>),
    /// Of a pointer that was optimised out, to something that has a place but no address: what it points to, and how many
    /// bytes into that.
    Synthetic(Box<Place>, u64),
    /// Nowhere: the compiler has done without it.
    OptimizedOut,
}

/// A variable, parameter or function that a name means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedValue {
    /// As in the source.
    pub name: Arc<str>,
    /// The type of the value.
    pub ty: TypeRef,
    /// Where it is; a sentence when its location cannot be computed.
    pub place: Result<Place, String>,
}

/// Memory that cannot be read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Cannot access memory at address {0}")]
pub struct MemoryFault(pub VirtualAddress);
