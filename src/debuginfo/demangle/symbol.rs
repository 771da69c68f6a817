//! Symbol names as the source spells them.

use super::ada_names::unadorned;
use super::itanium::{Extent, in_words};
use std::borrow::Cow;

/// Demangles a C++ or Rust symbol, without parameters; other symbols are unchanged.
pub(crate) fn demangle(symbol: &str) -> Cow<'_, str> {
    if !symbol.starts_with("_Z") && !symbol.starts_with("_R") {
        return Cow::Borrowed(symbol);
    }
    if let Ok(name) = rustc_demangle::try_demangle(symbol) {
        // The alternate form omits the hash.
        return Cow::Owned(format!("{name:#}"));
    }
    in_words(symbol, Extent::Name).map_or(Cow::Borrowed(symbol), Cow::Owned)
}

/// Returns `Point` for `N6shapes5PointE`: the last source name in a mangled type that consists of names.
pub(crate) fn last_source_name(mangled: &[u8]) -> Option<&[u8]> {
    let mut rest = mangled.strip_prefix(b"N").and_then(|inner| inner.strip_suffix(b"E")).unwrap_or(mangled);
    let mut last = None;
    while !rest.is_empty() {
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (length, behind) = rest.split_at_checked(digits)?;
        let length: usize = std::str::from_utf8(length).ok()?.parse().ok()?;
        let (name, behind) = behind.split_at_checked(length)?;
        (last, rest) = (Some(name), behind);
    }
    last
}

/// Returns gdb's form of a symbol without debug information.
pub(crate) fn shown(symbol: &str) -> Cow<'_, str> {
    // Keep the hash of Rust's legacy mangling, which tells symbols of the same name apart.
    if let Some(name) = rustc_demangle::try_demangle(symbol).ok().filter(|_| symbol.starts_with("_ZN")) {
        return Cow::Owned(name.to_string());
    }
    match demangle(symbol) {
        Cow::Borrowed(name) => unadorned(name).map_or(Cow::Borrowed(name), Cow::Owned),
        demangled => demangled,
    }
}

/// True for both of rustc's manglings.
pub(crate) fn is_mangled_by_rustc(symbol: &str) -> bool {
    rustc_demangle::try_demangle(symbol).is_ok()
}

/// As [`shown`], with the full signature for C++ functions.
pub(crate) fn shown_whole(symbol: &str) -> Cow<'_, str> {
    let whole = demangled_with_parameters(symbol).filter(|_| !is_mangled_by_rustc(symbol));
    whole.map_or_else(|| shown(symbol), Cow::Owned)
}

/// Demangles a C++ symbol with its parameter types, and its return type if the symbol has it.
pub(crate) fn demangled_with_parameters(symbol: &str) -> Option<String> {
    in_words(symbol, Extent::Whole)
}

/// Demangles the name that a `std::type_info` holds.
pub fn demangled_type(mangled: &str) -> Option<String> {
    let words = in_words(&format!("_ZTI{mangled}"), Extent::Whole)?;
    Some(words.strip_prefix("typeinfo for ")?.to_owned())
}

/// Returns the source name of a function without suffixes such as `.constprop.0.cold`, which compilers add to parts and
/// copies of functions. For variables, gdb shows the symbol as it is.
pub(crate) fn in_the_source(symbol: &str) -> &str {
    let mut name = symbol;
    while let Some((rest, suffix)) = name.rsplit_once('.') {
        let made = suffix.bytes().all(|b| b.is_ascii_digit())
            || matches!(suffix, "cold" | "constprop" | "isra" | "part" | "lto_priv");
        if rest.is_empty() || suffix.is_empty() || !made {
            break;
        }
        name = rest;
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_type_infos_are_types() {
        let types = ["i", "PKc", "St12out_of_range", "N4mesh6BrokenE"].map(|name| demangled_type(name).unwrap());
        assert_eq!(types, ["int", "char const*", "std::out_of_range", "mesh::Broken"]);
        assert_eq!(["", "1", "7Bro", "St"].map(demangled_type), [None, None, None, None]);
    }

    #[test]
    fn languages() {
        assert_eq!(demangle("main"), "main");
        assert_eq!(demangle("_ZN2ns3addEii"), "ns::add");
        assert_eq!(demangle("_RNvC5mycra3foo"), "mycra::foo");
        assert_eq!(demangle("_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE"), "core::fmt::Write::write_fmt");
        assert_eq!(demangle("_Znonsense"), "_Znonsense");
        assert_eq!(demangle("_ZTV7Derived"), "vtable for Derived");
        assert_eq!(demangle("_ZTI7Derived"), "typeinfo for Derived");
    }

    #[test]
    fn symbols_of_rust_are_shown_with_their_hash() {
        assert_eq!(shown("_ZN5rusty5TABLE17h6779b6a00f33077eE"), "rusty::TABLE::h6779b6a00f33077e");
        assert_eq!(
            shown("_ZN43_$LT$rusty..Point$u20$as$u20$rusty..Far$GT$3far17h557fb490bc8ce80cE"),
            "<rusty::Point as rusty::Far>::far::h557fb490bc8ce80c"
        );
        assert_eq!(shown("_RNvC5mycra3foo"), "mycra::foo");
        assert_eq!(shown("_ZN2ns3addEii"), "ns::add");
    }

    #[test]
    fn names_of_types_that_typedefs_name() {
        assert_eq!(last_source_name(b"N6shapes5PointE"), Some(&b"Point"[..]));
        assert_eq!(last_source_name(b"4Anon"), Some(&b"Anon"[..]));
        for other in [&b""[..], b"N6shapesE5", b"i", b"9short", b"N1aIiE1bE", b"99999999999999999999999x"] {
            assert_eq!(last_source_name(other), None);
        }
    }

    #[test]
    fn symbols_of_compilers_are_named_as_in_the_source() {
        for (symbol, name) in [
            ("main", "main"),
            ("count.0", "count"),
            ("kernel.constprop.0.cold", "kernel"),
            ("f.isra.12", "f"),
            (".L3", ".L3"),
            ("a.b", "a.b"),
            ("v1.2.3", "v1"),
        ] {
            assert_eq!(in_the_source(symbol), name);
        }
    }
}
