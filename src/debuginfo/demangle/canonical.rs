//! C++ template names as gdb writes them: qualifiers after the type, integer types in their short spelling.

use super::template::template_parts;
use model::aif::as_gdb_spells;

/// True if gdb's parser can read the name. It leaves others unchanged: those with empty template arguments or unnamed
/// types, or with a call of a template's result.
pub fn is_written(name: &str) -> bool {
    !["<>", "< >", "{", "(lambda at", "<lambda", "(unnamed", ">()"].iter().any(|sign| name.contains(sign))
}

/// Returns `pair<int const, unsigned long>` for `pair<const int, long unsigned int>`; names without arguments are
/// unchanged.
pub(crate) fn canonical(name: &str) -> String {
    if is_written(name) { parts(name) } else { name.to_owned() }
}

fn parts(name: &str) -> String {
    let Some((before, arguments, rest)) = template_parts(name) else { return name.to_owned() };
    let arguments: Vec<String> = arguments.into_iter().map(argument).collect();
    let text = arguments.join(", ");
    let end = if text.ends_with('>') { " >" } else { ">" };
    format!("{before}<{text}{end}{}", parts(rest))
}

/// Returns a method's canonical name; a conversion operator has a type in its name.
pub(crate) fn canonical_method(name: &str) -> String {
    match name.strip_prefix("operator ") {
        Some(ty) if is_written(ty) && !matches!(ty, "new" | "delete" | "new[]" | "delete[]") => {
            format!("operator {}", argument(ty))
        }
        _ if is_operator(name) => as_gdb_spells(name),
        _ => canonical(name),
    }
}

/// True for an operator other than a conversion. gdb's parser reads these only with their parameters, so their template
/// arguments stay as the compiler wrote them.
fn is_operator(name: &str) -> bool {
    let sign = name.strip_prefix("operator").and_then(|rest| rest.chars().next());
    sign.is_some_and(|sign| !sign.is_alphanumeric() && sign != '_')
}

fn argument(text: &str) -> String {
    let text = text.trim();
    if text.starts_with('\'') {
        return format!("(char){text}");
    }
    if text.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        return text.to_ascii_lowercase();
    }
    if let Some(of) = text.strip_prefix("(& ").and_then(|of| of.strip_suffix(')')) {
        return format!("&{of}");
    }
    if let Some((element, sign, extents)) = behind_sign(text) {
        return format!("{} {sign} {extents}", argument(element));
    }
    // A function type has its own words around it.
    if text.contains('(') && !text.starts_with('(') {
        return text.replace(")[", ") [");
    }
    if let Some((element, extents)) = array(text) {
        return format!("{} {extents}", argument(element));
    }
    let (text, qualifier) = match text.split_once(' ') {
        Some((word @ ("const" | "volatile"), rest)) => (rest, Some(word)),
        _ => (text, None),
    };
    // Some compilers write a blank between a type and its `*` or `&`.
    let text = text.replace(" *", "*").replace(" &", "&").replace("*const", "* const");
    let canonical = as_gdb_spells(&parts(&text));
    let Some(qualifier) = qualifier else { return canonical };
    // The qualified type ends where pointers and references begin.
    let end = canonical.trim_end_matches(['*', '&', ' ']).len();
    let (base, signs) = canonical.split_at_checked(end).unwrap_or((&canonical, ""));
    format!("{base} {qualifier}{}", signs.trim_start())
}

/// Splits an array type into its element and extents: `char[2][3]`.
fn array(text: &str) -> Option<(&str, &str)> {
    let element = text.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '[' | ']'));
    let extents = text.get(element.len()..)?;
    (extents.starts_with('[') && extents.ends_with(']') && !element.is_empty()).then(|| (element.trim_end(), extents))
}

/// Splits a reference or pointer to an array: `char (&)[6]`.
fn behind_sign(text: &str) -> Option<(&str, &str, &str)> {
    let (element, extents) = array(text)?;
    let sign = ["(&)", "(&&)", "(*)"].into_iter().find(|sign| element.ends_with(sign))?;
    let element = element.strip_suffix(sign)?.trim_end();
    (!element.contains('(') && !element.is_empty()).then_some((element, sign, extents))
}

#[cfg(test)]
mod tests {
    use super::{canonical, canonical_method};

    #[test]
    fn names_are_those_of_gdb() {
        for (dwarf, gdb) in [
            ("plain", "plain"),
            ("vector<long unsigned int>", "vector<unsigned long>"),
            ("pair<const int, char>", "pair<int const, char>"),
            ("f<const Point*, Point*>", "f<Point const*, Point*>"),
            ("g<const Point&>", "g<Point const&>"),
            (
                "a<std::pair<const std::basic_string<char>, long int> >",
                "a<std::pair<std::basic_string<char> const, long> >",
            ),
            ("outer<short int>::inner<const char>", "outer<short>::inner<char const>"),
            ("operator<", "operator<"),
            ("operator<< <int>", "operator<< <int>"),
            ("broken<int", "broken<int"),
            ("s<3, 'x'>", "s<3, (char)'x'>"),
            ("s<(& a::b)>", "s<&a::b>"),
            ("s<a::b *, 10UL>", "s<a::b*, 10ul>"),
            ("s<a *const &, char const (&)[6]>", "s<a* const&, char const (&) [6]>"),
            ("f<const a&, tuple<> >", "f<const a&, tuple<> >"),
            ("f<char[7], const int[2][3]>", "f<char [7], int const [2][3]>"),
            ("f<const char (&)[6], int (*)[2]>", "f<char const (&) [6], int (*) [2]>"),
            ("f<g<const int>(), const int>", "f<g<const int>(), const int>"),
        ] {
            assert_eq!(canonical(dwarf), gdb);
        }
    }

    #[test]
    fn operators_stay_but_for_those_that_convert() {
        for (dwarf, gdb) in [
            ("append<const char *>", "append<char const*>"),
            ("operator()<const char *>", "operator()<const char *>"),
            ("operator[]<long unsigned int>", "operator[]<unsigned long>"),
            ("operator const char *", "operator char const*"),
            ("operators<const int>", "operators<int const>"),
        ] {
            assert_eq!(canonical_method(dwarf), gdb);
        }
    }
}
