//! Well-known names of C++ standard library types, as the library's gdb printers write them: without default template
//! arguments.

use debuginfo::template_parts;

/// Stream classes with typedefs for `char` and `wchar_t`.
const STREAMS: &[&str] = &[
    "ios",
    "streambuf",
    "istream",
    "ostream",
    "iostream",
    "filebuf",
    "ifstream",
    "ofstream",
    "fstream",
    "stringbuf",
    "istringstream",
    "ostringstream",
    "stringstream",
];

/// Shortens `std::vector<int, std::allocator<int> >` to `std::vector<int>`, and the like, within other names too.
pub fn short_name(name: &str) -> String {
    let Some((template, arguments, rest)) = template_parts(name) else { return name.to_owned() };
    // A type declared within a class is qualified with the full name of the class.
    if rest.starts_with("::") {
        return name.to_owned();
    }
    let arguments: Vec<String> = arguments.iter().map(|argument| short_name(argument)).collect();
    if let Some(alias) = alias(template, &arguments) {
        return format!("{alias}{rest}");
    }
    let defaults = defaults(template);
    let given = arguments.len().checked_sub(defaults.len()).filter(|given| *given == given_arguments(template));
    let own = arguments.iter().skip(given.unwrap_or(0)).map(|one| squeezed(one));
    if defaults.is_empty() || !own.eq(defaults.iter().map(|default| squeezed(&filled(default, &arguments)))) {
        return format!("{template}{}{rest}", bracketed(&arguments));
    }
    let arguments = arguments.get(..given.unwrap_or(0)).unwrap_or_default();
    let template = template.replacen("std::__cxx11::", "std::", 1);
    // The library's printers put no blank between closing brackets.
    format!("{template}<{}>{rest}", arguments.join(", "))
}

/// Returns the name of a type as the library's printers write it; `None` if they leave it unchanged.
///
/// They look up each default argument by name, and compare text if the program has no such type. If the type is only
/// `declared`, its arguments are known from its name alone, and only those before the first that is not found count.
pub(crate) fn printed_name(name: &str, declared: bool, found: &dyn Fn(&str) -> bool) -> Option<String> {
    let (template, arguments, rest) = template_parts(name)?;
    if !rest.is_empty() || !template.starts_with("std::") {
        return None;
    }
    if let Some(alias) = alias(template, &arguments) {
        return found(&alias).then_some(alias);
    }
    let (given, defaults) = (given_arguments(template), defaults(template));
    if defaults.is_empty() {
        return None;
    }
    let known = arguments.iter().take_while(|argument| !declared || found(unadorned(argument))).count();
    let mut shown = Vec::new();
    for (number, argument) in arguments.iter().enumerate().take(known) {
        let Some(number) = number.checked_sub(given) else {
            shown.push(printed_argument(argument, found));
            continue;
        };
        let default = filled(defaults.get(number)?, &arguments);
        let spelled = default.replace(">>", "> >").replace(">>", "> >");
        let same = if found(&spelled) { squeezed(&default) == squeezed(argument) } else { default == *argument };
        if !same {
            return None;
        }
    }
    Some(format!("{}<{}>", template.replacen("std::__cxx11::", "std::", 1), shown.join(", ")))
}

/// Formats an argument as the library's printers do: pointers without blanks, other types in full.
fn printed_argument(argument: &str, found: &dyn Fn(&str) -> bool) -> String {
    for sign in ["*", "&&", "&"] {
        if let Some(target) = argument.strip_suffix(sign) {
            return format!("{}{sign}", printed_argument(target.trim_end(), found));
        }
    }
    if let Some(target) = argument.strip_suffix(" const") {
        return format!("const {target}");
    }
    printed_name(argument, !found(argument), found).unwrap_or_else(|| argument.to_owned())
}

/// Returns a type without its pointer and reference signs and const qualifiers.
fn unadorned(argument: &str) -> &str {
    let shorter = argument.trim_end_matches(['*', '&', ' ']);
    let shorter = shorter.strip_suffix(" const").unwrap_or(shorter);
    if shorter.len() == argument.len() { argument } else { unadorned(shorter) }
}

/// Returns the library's typedef for a type: `std::string`, `std::wistream`.
fn alias<T: AsRef<str>>(template: &str, arguments: &[T]) -> Option<String> {
    let plain = template.strip_prefix("std::")?;
    let plain = plain.strip_prefix("__cxx11::").unwrap_or(plain);
    let prefix = character_prefix(arguments.first()?.as_ref())?;
    let name = plain.strip_prefix("basic_")?;
    let stream = STREAMS.contains(&name) && matches!(prefix, "" | "w");
    (stream || matches!(name, "string" | "string_view")).then(|| format!("std::{prefix}{name}"))
}

fn bracketed(arguments: &[String]) -> String {
    let text = arguments.join(", ");
    if text.ends_with('>') { format!("<{text} >") } else { format!("<{text}>") }
}

fn squeezed(text: &str) -> String {
    text.chars().filter(|c| *c != ' ').collect()
}

fn plain(template: &str) -> &str {
    let plain = template.strip_prefix("std::").unwrap_or_default();
    plain.strip_prefix("__cxx11::").unwrap_or(plain)
}

/// Returns the number of arguments without defaults.
fn given_arguments(template: &str) -> usize {
    if plain(template).ends_with("map") { 2 } else { 1 }
}

/// Returns the defaults of the arguments after those.
fn defaults(template: &str) -> &'static [&'static str] {
    match plain(template) {
        "vector" | "deque" | "list" | "forward_list" => &["std::allocator<{0}>"],
        "unique_ptr" => &["std::default_delete<{0}>"],
        "set" | "multiset" => &["std::less<{0}>", "std::allocator<{0}>"],
        "map" | "multimap" => &["std::less<{0}>", "std::allocator<std::pair<{0} const, {1}>>"],
        "unordered_set" | "unordered_multiset" => &["std::hash<{0}>", "std::equal_to<{0}>", "std::allocator<{0}>"],
        "unordered_map" | "unordered_multimap" => {
            &["std::hash<{0}>", "std::equal_to<{0}>", "std::allocator<std::pair<{0} const, {1}>>"]
        }
        _ => &[],
    }
}

fn filled<T: AsRef<str>>(default: &str, arguments: &[T]) -> String {
    let argument = |number: usize| arguments.get(number).map_or("", AsRef::as_ref);
    default.replace("{0}", argument(0)).replace("{1}", argument(1))
}

fn character_prefix(character: &str) -> Option<&'static str> {
    Some(match character {
        "char" => "",
        "wchar_t" => "w",
        "char8_t" => "u8",
        "char16_t" => "u16",
        "char32_t" => "u32",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{printed_name, short_name};

    #[test]
    fn what_nobody_wrote_is_left_out() {
        for (long, short) in [
            ("int", "int"),
            ("std::vector<int, std::allocator<int> >", "std::vector<int>"),
            ("std::vector<int, mine::pool<int> >", "std::vector<int, mine::pool<int> >"),
            (
                "std::vector<std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >, \
                 std::allocator<std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > > >",
                "std::vector<std::string>",
            ),
            (
                "std::map<int, long, std::less<int>, std::allocator<std::pair<int const, long> > > *",
                "std::map<int, long> *",
            ),
            ("std::unique_ptr<Point, std::default_delete<Point> > &", "std::unique_ptr<Point> &"),
            ("mine::box<std::set<int, std::less<int>, std::allocator<int> > >", "mine::box<std::set<int> >"),
            ("std::vector<int, std::allocator<int> >::iterator", "std::vector<int, std::allocator<int> >::iterator"),
            ("a < b", "a < b"),
            ("std::basic_istream<char, std::char_traits<char> > &", "std::istream &"),
            (
                "std::__cxx11::basic_stringbuf<wchar_t, std::char_traits<wchar_t>, std::allocator<wchar_t> >",
                "std::wstringbuf",
            ),
        ] {
            assert_eq!(short_name(long), short);
        }
    }

    #[test]
    fn an_argument_is_left_out_where_the_program_has_what_it_would_be() {
        let map = "std::map<K, V, std::less<K>, std::allocator<std::pair<K const, V> > >";
        let all = |_: &str| true;
        assert_eq!(printed_name(map, false, &all).as_deref(), Some("std::map<K, V>"));
        let no_pairs = |name: &str| !name.contains("pair");
        assert_eq!(printed_name(map, false, &no_pairs), None);
        assert_eq!(printed_name(map, true, &no_pairs).as_deref(), Some("std::map<K, V>"));
        let no_values = |name: &str| name != "V";
        assert_eq!(printed_name(map, true, &no_values).as_deref(), Some("std::map<K>"));
        let nothing = |_: &str| false;
        let one = "std::vector<K, std::allocator<K> >";
        let vector = |of: &str| format!("std::vector<{of}, std::allocator<{of} > >");
        // This is the printers' spelling, without a blank between brackets.
        assert_eq!(printed_name(one, false, &nothing).as_deref(), Some("std::vector<K>"));
        assert_eq!(printed_name(&vector(one), false, &nothing), None);
        assert_eq!(printed_name(&vector(one), false, &all).as_deref(), Some("std::vector<std::vector<K>>"));
        assert_eq!(printed_name(&vector("K const*"), false, &all).as_deref(), Some("std::vector<const K*>"));
        assert_eq!(printed_name("std::pair<K, V>", false, &all), None);
        let string = "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >";
        assert_eq!(printed_name(string, true, &all).as_deref(), Some("std::string"));
        assert_eq!(printed_name(string, false, &nothing), None);
    }
}
