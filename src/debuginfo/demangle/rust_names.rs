//! Names of Rust functions as users write them: by module, type or trait, with or without generic arguments.

use super::function_name::FunctionName;
use super::symbol::demangle;
use std::borrow::Cow;

/// A function named by the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RustFunction {
    /// `module::f`, `Type::method`.
    Path(FunctionName),
    /// `<Type as Trait>::method`.
    Of { implementor: FunctionName, of_trait: FunctionName, method: FunctionName },
}

/// Splits `<T as Trait>::f` into `T`, `Trait` and `f`, and `<T>::f` into `T` and `f`.
fn qualified(text: &str) -> Option<(&str, Option<&str>, &str)> {
    let inside = text.strip_prefix('<')?;
    let (mut depth, mut previous, mut separator) = (1_u32, ' ', None);
    for (at, c) in inside.char_indices() {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' if previous == '-' => {}
            '>' | ')' | ']' => depth = depth.saturating_sub(1),
            ' ' if depth == 1 && inside.get(at..).is_some_and(|rest| rest.starts_with(" as ")) => {
                separator = separator.or(Some(at));
            }
            _ => {}
        }
        if depth == 0 {
            let rest = inside.get(at + 1..)?.strip_prefix("::")?;
            let (own, of_trait) = match separator {
                Some(separator) => (inside.get(..separator)?, Some(inside.get(separator + " as ".len()..at)?)),
                None => (inside.get(..at)?, None),
            };
            return Some((own.trim(), of_trait.map(str::trim), rest));
        }
        previous = c;
    }
    None
}

fn name(text: &str) -> FunctionName {
    FunctionName::parse(text)
}

impl RustFunction {
    pub(crate) fn parse(text: &str) -> Self {
        let text = text.trim().replace("::<", "<");
        match qualified(&text) {
            Some((own, Some(of_trait), method)) => {
                Self::Of { implementor: name(own), of_trait: name(of_trait), method: name(method) }
            }
            Some((own, None, method)) => Self::Path(name(&format!("{own}::{method}"))),
            None => {
                let of_crate = text.strip_prefix("crate").filter(|rest| rest.starts_with("::"));
                Self::Path(name(of_crate.unwrap_or(&text)))
            }
        }
    }

    /// Returns the name without scopes and generic arguments.
    pub(crate) fn base(&self) -> &str {
        match self {
            Self::Path(path) => path.base(),
            Self::Of { method, .. } => method.base(),
        }
    }

    /// Matches the names in the debug information and in the symbol table.
    pub(crate) fn means(&self, described: Option<&str>, symbol: Option<&str>) -> bool {
        let symbol = symbol.map(demangle);
        let of_symbol = symbol.as_deref().map(|symbol| (symbol, qualified(symbol)));
        match self {
            Self::Path(wanted) => {
                let written: Vec<Cow<'_, str>> = match of_symbol {
                    Some((_, Some((own, of_trait, method)))) => {
                        let scopes = [Some(own), of_trait].into_iter().flatten();
                        scopes.map(|scope| format!("{scope}::{method}").into()).collect()
                    }
                    Some((symbol, None)) => vec![symbol.into()],
                    None => Vec::new(),
                };
                let all = described.map(Cow::from).into_iter().chain(written);
                all.into_iter().any(|own| name(&own).is_meant_by(wanted))
            }
            Self::Of { implementor, of_trait, method } => match of_symbol {
                Some((_, Some((own, Some(own_trait), own_method)))) => {
                    name(own).is_meant_by(implementor)
                        && name(own_trait).is_meant_by(of_trait)
                        && name(own_method).is_meant_by(method)
                }
                _ => false,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn meant(wanted: &str, described: &str, symbol: &str) -> bool {
        RustFunction::parse(wanted).means(Some(described), Some(symbol))
    }

    #[test]
    fn methods_of_traits_by_every_name() {
        let described = "rusty::{impl#0}::area";
        let symbol = "_ZN44_$LT$rusty..Point$u20$as$u20$rusty..Area$GT$4area17h4ad745d9c06931eaE";
        for wanted in [
            "area",
            "rusty::{impl#0}::area",
            "<rusty::Point as rusty::Area>::area",
            "<Point as Area>::area",
            "rusty::Point::area",
            "Point::area",
            "Area::area",
        ] {
            assert!(meant(wanted, described, symbol), "{wanted}");
        }
        for wanted in ["rea", "<Point as Shape>::area", "<Area as Point>::area", "<Point as Area>::size", "Shape::area"]
        {
            assert!(!meant(wanted, described, symbol), "{wanted}");
        }
    }

    #[test]
    fn what_a_function_is_generic_over_may_be_said() {
        let (described, symbol) = ("rusty::generic<f64, 2>", "_ZN5rusty7generic17h21314ab10a3d400aE");
        for wanted in ["generic", "generic<f64,2>", "rusty::generic::<f64, 2>"] {
            assert!(meant(wanted, described, symbol), "{wanted}");
        }
        assert!(!meant("generic<u8, 3>", described, "_RINvCs1_5rusty7generichKj3_EB2_"));
        assert_eq!(RustFunction::parse("a::b::<u8>").base(), "b");
        assert_eq!(RustFunction::parse("<A as B<C>>::f").base(), "f");
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_some_name(text in "[a-z:<>(){}# as,&-]{0,40}") {
            let found = RustFunction::parse(&text);
            let _ = found.means(Some(&text), Some(&text));
            proptest::prop_assert_eq!(RustFunction::parse(&format!("  {text} ")), found);
        }
    }
}
