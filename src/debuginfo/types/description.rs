//! The types of a program as the debug information describes them, and the places of values.

use model::VirtualAddress;
use std::sync::Arc;

/// gdb's name for the type of data that only symbol tables know.
pub const UNDESCRIBED_DATA: &str = "<data variable, no debug info>";
/// gdb's name of the type of a function without debug information.
pub const UNDESCRIBED_CODE: &str = "<text variable, no debug info>";
/// gdb's name of the type of an ifunc, whose code is that of a resolver, which returns the address of the function.
pub const INDIRECT_CODE: &str = "<text gnu-indirect-function variable, no debug info>";

/// A type by its place in the debug information, or made by an expression (`&x`, `(T *) e`).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TypeRef {
    /// No type: `void`, or `DW_AT_type` absent.
    Void,
    /// A debugging information entry.
    Entry(TypeId),
    /// A type that no file contains.
    Made(Arc<Type>),
}

/// A file of the process and an offset in its debug information.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TypeId {
    /// The number of the loaded file, assigned by the symbol store.
    pub image: u32,
    /// Offset in the `.debug_info` section.
    pub entry: u64,
}

/// A type as the program declares it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Type {
    /// As declared, without `struct` and the like; `None` for pointers, arrays and unnamed types.
    pub name: Option<Arc<str>>,
    /// In bytes; `None` if the type is incomplete.
    pub size: Option<u64>,
    /// What sort of type it is, with the facts that only that sort has.
    pub kind: Kind,
}

/// Encodings of base types (DWARF 5, 7.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// A signed number, two's complement.
    Signed,
    /// An unsigned number.
    Unsigned,
    /// A signed `char`.
    SignedChar,
    /// An unsigned `char`.
    UnsignedChar,
    /// A UTF-8, UTF-16 or UTF-32 character.
    Utf,
    /// A truth value.
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
    /// `volatile`: it may change without a write by the program.
    Volatile,
    /// `restrict`: no other pointer leads to the same object.
    Restrict,
    /// `_Atomic` of C11.
    Atomic,
}

/// The sort of a type and its parts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A type without values.
    Void,
    /// A number, character or truth value.
    Base(Encoding),
    /// A pointer to a value of the type.
    Pointer(TypeRef),
    /// A pointer to a member of a C++ class.
    MemberPointer {
        /// The class of the member.
        class: TypeRef,
        /// The type of the member; of a method, its function type with `this`.
        target: TypeRef,
    },
    /// A C++ reference; `true` for an rvalue reference.
    Reference(TypeRef, bool),
    /// A structure, class or union.
    Aggregate {
        /// The keyword it was declared with.
        tag: Aggregate,
        /// In order of declaration, base classes first.
        members: Vec<Member>,
        /// True if only the name is known here.
        declaration: bool,
    },
    /// An enum whose alternatives carry data, as in Rust.
    Variants(Box<Variants>),
    /// Named integer constants.
    Enumeration {
        /// Names and values, in order.
        enumerators: Vec<(Arc<str>, i64)>,
        /// True if the underlying integer is signed.
        signed: bool,
        /// True for an `enum class` of C++.
        scoped: bool,
    },
    /// An array: row-major, one dimension per subrange.
    Array {
        /// The type of the elements.
        element: TypeRef,
        /// From the outermost in.
        dimensions: Vec<Dimension>,
    },
    /// The type of a function's code.
    Function {
        /// The return type; `Void` if it returns nothing.
        returns: TypeRef,
        /// The types of the parameters, in order.
        parameters: Vec<TypeRef>,
        /// True if more arguments may follow: `...`.
        variadic: bool,
        /// True if the declaration lists the parameters: `f(void)`, not `f()`.
        prototyped: bool,
    },
    /// Another name of a type.
    Typedef(TypeRef),
    /// A type with a qualifier added.
    Qualified(Qualifier, TypeRef),
    /// A type with a tag that this reader does not know; it is named but not read.
    Unknown(String),
}

/// A dimension of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dimension {
    /// The index of the first element.
    pub lower: i64,
    /// The number of elements; `None` for a flexible array or an unknown bound.
    pub count: Option<u64>,
    /// True if the size is assumed: the last dimension of `a(*)` in Fortran.
    pub assumed: bool,
    /// Bytes from an element to the next, possibly negative; `None` if elements are contiguous.
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
    /// True for a base class.
    pub base: bool,
    /// True for a static data member, which is found by its name, not by an offset.
    pub is_static: bool,
    /// For a virtual base class: the bytes before the address in the object's first word at which the offset of the
    /// base within the object is stored.
    pub virtual_at: Option<u64>,
}

/// The alternatives of an enum and the discriminant that selects one (DWARF 5, 5.7.10).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Variants {
    /// The member that holds the discriminant; `None` if there is only one alternative.
    pub discriminant: Option<Member>,
    /// In order of declaration.
    pub alternatives: Vec<Alternative>,
}

/// One alternative of an enum.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Alternative {
    /// The discriminant's value, as bits of its size; `None` for the default alternative.
    pub value: Option<u128>,
    /// The name, type and offset of the alternative's data.
    pub member: Member,
}

/// The place of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// In memory, starting at this address.
    Memory(VirtualAddress),
    /// In a register of the frame, by DWARF number (System V ABI, figure 3.36).
    Register(u16),
    /// In several places, each with its size in bytes; `None` for a part that was optimized out.
    Pieces(Vec<(Option<Place>, u64)>),
    /// In no place; the bytes are known.
    Bytes(Vec<u8>),
    /// In the value history: its bytes when it was printed, and its address then.
    Past(Arc<[u8]>, VirtualAddress),
    /// In the convenience variable of this name, with its bytes.
    Convenience(Arc<str>, Arc<[u8]>),
    /// A pointer that was optimized out, to something that has a place but no address: the place it points to, and a
    /// byte offset into that.
    Synthetic(Box<Place>, u64),
    /// Optimized out by the compiler.
    OptimizedOut,
}

/// A variable, parameter or function found by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedValue {
    /// As in the source.
    pub name: Arc<str>,
    /// The type of the value.
    pub ty: TypeRef,
    /// The place of the value; an error message if its location cannot be computed.
    pub place: Result<Place, String>,
}

/// Memory that cannot be read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Cannot access memory at address {0}")]
pub struct MemoryFault(pub VirtualAddress);
