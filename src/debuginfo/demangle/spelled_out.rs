//! Finds a function in a table of mangled symbols without demangling them all: mangled names contain source names, each
//! with its length before it.

/// Names that manglings abbreviate (`Ss` is `std::string`), and built-in types.
const NEVER: &[&str] = &[
    "allocator",
    "basic_string",
    "basic_istream",
    "basic_ostream",
    "basic_iostream",
    "string",
    "istream",
    "ostream",
    "iostream",
    "std",
    "void",
    "bool",
    "char",
    "short",
    "int",
    "long",
    "float",
    "double",
    "unsigned",
    "signed",
    "auto",
    "u8",
    "u16",
    "u32",
    "u64",
    "u128",
    "usize",
    "i8",
    "i16",
    "i32",
    "i64",
    "i128",
    "isize",
    "f32",
    "f64",
    "str",
];

/// The form of a name within mangled symbols.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SpelledOut {
    plain: String,
    /// The form in Rust's v0 mangling of a name that starts with a digit or underscore, which is separated from its
    /// length by `_`.
    divided: Option<String>,
}

impl SpelledOut {
    /// Takes a function's unqualified name without template arguments; `None` if manglings do not spell it out, as for
    /// operators, lambdas and anonymous scopes.
    pub(crate) fn of(base: &str) -> Option<Self> {
        let name = base.strip_prefix('~').unwrap_or(base);
        let is_word = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if name.is_empty() || !is_word || name.starts_with("operator") || NEVER.contains(&name) {
            return None;
        }
        let divided = name.starts_with(|first: char| first == '_' || first.is_ascii_digit());
        let divided = divided.then(|| format!("{}_{name}", name.len()));
        Some(Self { plain: format!("{}{name}", name.len()), divided })
    }

    pub(crate) fn may_be(&self, symbol: &str) -> bool {
        (symbol.starts_with("_Z") || symbol.starts_with("_R"))
            && (symbol.contains(&self.plain) || self.divided.as_ref().is_some_and(|divided| symbol.contains(divided)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::function_name::FunctionName;
    use super::*;
    use crate::demangle::symbol::demangle;

    #[test]
    fn symbols_have_their_names_in_them() {
        for symbol in [
            "_ZN2ns3addEii",
            "_ZN2ns3BoxIiE3getEv",
            "_ZN3BoxC1Ev",
            "_ZN2ns3BoxIiED2Ev",
            "_ZNK7DerivedIcE4nameEv",
            "_ZSt4moveIRiEONSt16remove_referenceIT_E4typeEOS2_",
            "_ZN12_GLOBAL__N_16hiddenEi",
            "_ZTV7Derived",
            "_ZGVZ4mainE5value",
            "_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE",
            "_RNvC5mycra3foo",
            "_RNvC5mycra5___bar",
            "_ZN6shapes5PointaSERKS0_",
        ] {
            let name = demangle(symbol);
            assert_ne!(name, symbol);
            let parsed = FunctionName::parse(&name);
            let spelled = SpelledOut::of(parsed.base());
            assert!(spelled.is_none_or(|spelled| spelled.may_be(symbol)), "{symbol} {name}");
        }
    }

    #[test]
    fn what_manglings_abbreviate_is_not_looked_for() {
        for base in ["operator==", "operator int", "{lambda(int)#1}", "~", "", "string", "int", "größe", "a b"] {
            assert_eq!(SpelledOut::of(base), None, "{base}");
        }
        let box_ = SpelledOut::of("~Box").unwrap();
        assert!(box_.may_be("_ZN3BoxD1Ev"));
        for other in ["3Box", "_ZN4Box2Ev", "_ZN3boxE", "Box", "main"] {
            assert!(!box_.may_be(other), "{other}");
        }
    }

    /// This search finds all that the demangled table finds, in all symbols of a library with thousands of them.
    #[test]
    fn no_symbol_of_a_library_is_missed() {
        use crate::images::image::Image;
        use model::FileAddress;
        let path = std::path::Path::new("/lib/x86_64-linux-gnu/libstdc++.so.6");
        let path = if path.exists() { path } else { std::path::Path::new("/usr/lib64/libstdc++.so.6") };
        let bytes: &'static [u8] = Vec::leak(std::fs::read(path).unwrap());
        let image = Image::of_bytes(0, bytes, "libstdc++").unwrap();
        let (mut all, mut spelled) = (0, 0);
        for symbol in image.symbols().functions().filter(|symbol| symbol.address != FileAddress(0)) {
            let name = demangle(symbol.name);
            if name == symbol.name {
                continue;
            }
            all += 1;
            if let Some(wanted) = SpelledOut::of(FunctionName::parse(&name).base()) {
                spelled += 1;
                assert!(wanted.may_be(symbol.name), "{} {name}", symbol.name);
            }
        }
        assert!(all > 1000 && spelled > all / 2, "{spelled} of {all}");
    }
}
