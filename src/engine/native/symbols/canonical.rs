//! Names of C++ templates as gdb writes them: qualifiers behind what they qualify, integer types in their short spelling.

use super::template::template_parts;
use crate::model::aif::as_gdb_spells;

/// Whether gdb's parser reads a name; it leaves those as they are that have templates without arguments or types without
/// a name in them.
pub fn is_written(name: &str) -> bool {
    !["<>", "< >", "{", "(lambda at", "<lambda", "(unnamed"].iter().any(|sign| name.contains(sign))
}

/// `pair<int const, unsigned long>` for `pair<const int, long unsigned int>`; names without arguments as they are.
pub(super) fn canonical(name: &str) -> String {
    if is_written(name) { parts(name) } else { name.to_owned() }
}

fn parts(name: &str) -> String {
    let Some((before, arguments, rest)) = template_parts(name) else { return name.to_owned() };
    let arguments: Vec<String> = arguments.into_iter().map(argument).collect();
    let text = arguments.join(", ");
    let end = if text.ends_with('>') { " >" } else { ">" };
    format!("{before}<{text}{end}{}", parts(rest))
}

/// A method's name: an operator that converts has a type in it.
pub(super) fn canonical_method(name: &str) -> String {
    match name.strip_prefix("operator ") {
        Some(ty) if is_written(ty) && !matches!(ty, "new" | "delete" | "new[]" | "delete[]") => {
            format!("operator {}", argument(ty))
        }
        _ => canonical(name),
    }
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
    // A function's type has words of its own in every place.
    if text.contains('(') && !text.starts_with('(') {
        return text.replace(")[", ") [");
    }
    let (text, qualifier) = match text.split_once(' ') {
        Some((word @ ("const" | "volatile"), rest)) => (rest, Some(word)),
        _ => (text, None),
    };
    // Between a type and its signs some compilers have a blank.
    let text = text.replace(" *", "*").replace(" &", "&").replace("*const", "* const");
    let canonical = as_gdb_spells(&parts(&text));
    let Some(qualifier) = qualifier else { return canonical };
    // What is qualified ends where pointers and references begin.
    let end = canonical.trim_end_matches(['*', '&', ' ']).len();
    let (base, signs) = canonical.split_at_checked(end).unwrap_or((&canonical, ""));
    format!("{base} {qualifier}{}", signs.trim_start())
}

#[cfg(test)]
mod tests {
    use super::canonical;

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
        ] {
            assert_eq!(canonical(dwarf), gdb);
        }
    }
}
