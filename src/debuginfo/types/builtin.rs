//! Base types that expressions use without the program's debug information, for x86-64 Linux.

use super::description::{Dimension, Encoding, Kind, Type, TypeRef};
use std::sync::{Arc, LazyLock};

/// A base type of C, C++, Fortran or Rust.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is named as its language names it")]
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
    I8,
    I16,
    I32,
    I64,
    I128,
    Isize,
    U8,
    U16,
    U32,
    U64,
    U128,
    Usize,
    F32,
    F64,
    RustChar,
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
    (Builtin::I8, "i8", 1, Encoding::Signed),
    (Builtin::I16, "i16", 2, Encoding::Signed),
    (Builtin::I32, "i32", 4, Encoding::Signed),
    (Builtin::I64, "i64", 8, Encoding::Signed),
    (Builtin::I128, "i128", 16, Encoding::Signed),
    (Builtin::Isize, "isize", 8, Encoding::Signed),
    (Builtin::U8, "u8", 1, Encoding::Unsigned),
    (Builtin::U16, "u16", 2, Encoding::Unsigned),
    (Builtin::U32, "u32", 4, Encoding::Unsigned),
    (Builtin::U64, "u64", 8, Encoding::Unsigned),
    (Builtin::U128, "u128", 16, Encoding::Unsigned),
    (Builtin::Usize, "usize", 8, Encoding::Unsigned),
    (Builtin::F32, "f32", 4, Encoding::Float),
    (Builtin::F64, "f64", 8, Encoding::Float),
    (Builtin::RustChar, "char", 4, Encoding::Utf),
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
    /// Returns the type as expressions refer to it.
    pub fn ty(self) -> TypeRef {
        TYPES.iter().find(|(builtin, _)| *builtin == self).map_or(TypeRef::Void, |(_, ty)| ty.clone())
    }

    /// Returns a primitive type of Rust by name.
    pub fn of_rust(name: &str) -> Option<Self> {
        if name == "bool" {
            return Some(Self::CplusplusBool);
        }
        let own = TABLE.iter().skip_while(|(builtin, ..)| *builtin != Self::I8);
        own.into_iter().find(|(_, known, ..)| *known == name).map(|(builtin, ..)| *builtin)
    }

    /// Returns the result type of integer arithmetic, by size in bytes and sign: such as `unsigned int`.
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

/// Makes a pointer to a type.
pub fn pointer_to(target: TypeRef) -> TypeRef {
    TypeRef::Made(Arc::new(Type { name: None, size: Some(8), kind: Kind::Pointer(target) }))
}

/// Makes an array of a type; its size is known only if `element_size` and `count` are.
pub fn array_of(element: TypeRef, element_size: Option<u64>, count: Option<u64>) -> TypeRef {
    let size = element_size.zip(count).and_then(|(size, count)| size.checked_mul(count));
    let dimensions = vec![Dimension { lower: 0, count, assumed: false, stride: None }];
    TypeRef::Made(Arc::new(Type { name: None, size, kind: Kind::Array { element, dimensions } }))
}
