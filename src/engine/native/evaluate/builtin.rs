//! The types of C that an expression has without asking the program's debug information, for x86-64 Linux.

use crate::engine::native::types::{Dimension, Encoding, Kind, Type, TypeRef};
use std::sync::{Arc, LazyLock};

/// A type of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Builtin {
    Void,
    Bool,
    CplusplusBool,
    Char,
    SignedChar,
    UnsignedChar,
    Short,
    UnsignedShort,
    Int,
    UnsignedInt,
    Long,
    UnsignedLong,
    LongLong,
    UnsignedLongLong,
    Int128,
    UnsignedInt128,
    Float,
    Double,
    LongDouble,
    Logical,
    WideChar,
    Char16,
    Char32,
}

const TABLE: &[(Builtin, &str, u64, Encoding)] = &[
    (Builtin::Bool, "_Bool", 1, Encoding::Boolean),
    (Builtin::CplusplusBool, "bool", 1, Encoding::Boolean),
    (Builtin::Char, "char", 1, Encoding::SignedChar),
    (Builtin::SignedChar, "signed char", 1, Encoding::SignedChar),
    (Builtin::UnsignedChar, "unsigned char", 1, Encoding::UnsignedChar),
    (Builtin::Short, "short", 2, Encoding::Signed),
    (Builtin::UnsignedShort, "unsigned short", 2, Encoding::Unsigned),
    (Builtin::Int, "int", 4, Encoding::Signed),
    (Builtin::UnsignedInt, "unsigned int", 4, Encoding::Unsigned),
    (Builtin::Long, "long", 8, Encoding::Signed),
    (Builtin::UnsignedLong, "unsigned long", 8, Encoding::Unsigned),
    (Builtin::LongLong, "long long", 8, Encoding::Signed),
    (Builtin::UnsignedLongLong, "unsigned long long", 8, Encoding::Unsigned),
    (Builtin::Int128, "__int128", 16, Encoding::Signed),
    (Builtin::UnsignedInt128, "unsigned __int128", 16, Encoding::Unsigned),
    (Builtin::Float, "float", 4, Encoding::Float),
    (Builtin::Double, "double", 8, Encoding::Float),
    (Builtin::LongDouble, "long double", 16, Encoding::Float),
    (Builtin::Logical, "logical(kind=4)", 4, Encoding::Boolean),
    (Builtin::WideChar, "wchar_t", 4, Encoding::Signed),
    (Builtin::Char16, "char16_t", 2, Encoding::Utf),
    (Builtin::Char32, "char32_t", 4, Encoding::Utf),
];

static TYPES: LazyLock<Vec<(Builtin, TypeRef)>> = LazyLock::new(|| {
    TABLE
        .iter()
        .map(|(builtin, name, size, encoding)| {
            let ty = Type { name: Some(Arc::from(*name)), size: Some(*size), kind: Kind::Base(*encoding) };
            (*builtin, TypeRef::Made(Arc::new(ty)))
        })
        .collect()
});

impl Builtin {
    /// The type.
    pub fn ty(self) -> TypeRef {
        TYPES.iter().find(|(builtin, _)| *builtin == self).map_or(TypeRef::Void, |(_, ty)| ty.clone())
    }

    /// `int`, `unsigned int`, `long` or `unsigned long`, by size and sign: what arithmetic on integers gives.
    pub fn promoted(size: u32, signed: bool) -> Self {
        match (size, signed) {
            (..4, _) | (4, true) => Self::Int,
            (4, false) => Self::UnsignedInt,
            (5..=8, true) => Self::Long,
            (5..=8, false) => Self::UnsignedLong,
            (_, true) => Self::Int128,
            (_, false) => Self::UnsignedInt128,
        }
    }
}

/// A pointer to a type.
pub fn pointer_to(target: TypeRef) -> TypeRef {
    TypeRef::Made(Arc::new(Type { name: None, size: Some(8), kind: Kind::Pointer(target) }))
}

/// An array of a type, whose elements have a size if its size is to be known.
pub fn array_of(element: TypeRef, element_size: Option<u64>, count: Option<u64>) -> TypeRef {
    let size = element_size.zip(count).and_then(|(size, count)| size.checked_mul(count));
    let dimensions = vec![Dimension { lower: 0, count, stride: None }];
    TypeRef::Made(Arc::new(Type { name: None, size, kind: Kind::Array { element, dimensions } }))
}
