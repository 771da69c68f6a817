//! Base types that exist without debug information, by their spelling.

use super::builtin::Builtin;
use super::description::{Encoding, Kind, Type, TypeRef};
use std::sync::Arc;

/// A type made of the words `int`, `unsigned` and so on, under the name gdb gives it; `None` when another word occurs.
pub(crate) fn built_in(spelling: &str) -> Option<TypeRef> {
    let (mut longs, mut short, mut unsigned, mut signed) = (0, false, false, false);
    let mut base = None;
    for word in spelling.split_whitespace() {
        match word {
            "long" => longs += 1,
            "short" => short = true,
            "unsigned" => unsigned = true,
            "signed" => signed = true,
            "char" | "int" | "float" | "double" | "void" if base.is_none() => base = Some(word),
            _ => return None,
        }
    }
    let plain = longs == 0 && !short && !unsigned && !signed;
    let integer = if unsigned { Encoding::Unsigned } else { Encoding::Signed };
    let (name, size, encoding) = match (base, longs, short) {
        (Some("void"), ..) if plain => return Some(TypeRef::Void),
        (Some("float"), ..) if plain => ("float", 4, Encoding::Float),
        (Some("double"), 0, false) if plain => ("double", 8, Encoding::Float),
        (Some("double"), 1, false) if !unsigned && !signed => ("long double", 16, Encoding::Float),
        (Some("char"), 0, false) if unsigned => ("unsigned char", 1, Encoding::UnsignedChar),
        (Some("char"), 0, false) if signed => ("signed char", 1, Encoding::SignedChar),
        (Some("char"), 0, false) => ("char", 1, Encoding::SignedChar),
        (Some("int") | None, 0, true) => (if unsigned { "unsigned short" } else { "short" }, 2, integer),
        (Some("int") | None, 1, false) => (if unsigned { "unsigned long" } else { "long" }, 8, integer),
        (Some("int") | None, 2, false) => (if unsigned { "unsigned long long" } else { "long long" }, 8, integer),
        (Some("int"), 0, false) => (if unsigned { "unsigned int" } else { "int" }, 4, integer),
        (None, 0, false) if unsigned => ("unsigned int", 4, integer),
        (None, 0, false) if signed => ("int", 4, integer),
        _ => return None,
    };
    Some(TypeRef::Made(Arc::new(Type { name: Some(name.into()), size: Some(size), kind: Kind::Base(encoding) })))
}

/// Returns a primitive type of Rust by name.
pub(crate) fn built_in_rust(name: &str) -> Option<TypeRef> {
    Builtin::of_rust(name).map(Builtin::ty)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings() {
        let name = |spelling: &str| match built_in(spelling) {
            Some(TypeRef::Made(made)) => made.name.as_deref().map(str::to_owned),
            Some(_) => Some("void".into()),
            None => None,
        };
        for (spelling, expected) in [
            ("int", "int"),
            ("unsigned", "unsigned int"),
            ("unsigned long", "unsigned long"),
            ("long unsigned int", "unsigned long"),
            ("long long", "long long"),
            ("short", "short"),
            ("signed char", "signed char"),
            ("long double", "long double"),
            ("void", "void"),
        ] {
            assert_eq!(name(spelling).as_deref(), Some(expected));
        }
        for spelling in ["", "cell", "float int", "long float", "unsigned void", "long long long", "int int"] {
            assert_eq!(name(spelling), None, "{spelling}");
        }
    }
}
