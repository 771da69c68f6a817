//! Types of the C++ standard library by the names that their users know, as its printers for gdb write them: without
//! the template arguments that nobody gave.

use crate::engine::native::symbols::template_parts;

/// Of characters and of wide ones.
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

/// `std::vector<int>` for `std::vector<int, std::allocator<int> >`, and the like, within other names too.
pub fn short_name(name: &str) -> String {
    let Some((template, arguments, rest)) = template_parts(name) else { return name.to_owned() };
    // What is declared within a class is named by the class in full.
    if rest.starts_with("::") {
        return name.to_owned();
    }
    let mut arguments: Vec<String> = arguments.iter().map(|argument| short_name(argument)).collect();
    let plain = template.strip_prefix("std::").unwrap_or_default();
    let plain = plain.strip_prefix("__cxx11::").unwrap_or(plain);
    if let ("basic_string" | "basic_string_view", [character, ..]) = (plain, arguments.as_slice())
        && let Some(prefix) = character_prefix(character)
    {
        return format!("std::{prefix}{}{rest}", plain.strip_prefix("basic_").unwrap_or(plain));
    }
    let streams = plain.strip_prefix("basic_").filter(|name| STREAMS.contains(name));
    if let (Some(name), [character, ..]) = (streams, arguments.as_slice())
        && let Some(prefix @ ("" | "w")) = character_prefix(character)
    {
        return format!("std::{prefix}{name}{rest}");
    }
    let (given, defaults) = defaults(plain, &arguments);
    if defaults.is_empty() || !arguments.iter().skip(given).map(|one| squeezed(one)).eq(defaults) {
        return format!("{template}{}{rest}", bracketed(&arguments));
    }
    arguments.truncate(given);
    let template = template.replacen("std::__cxx11::", "std::", 1);
    // The library's printers put no blank between brackets.
    format!("{template}<{}>{rest}", arguments.join(", "))
}

fn bracketed(arguments: &[String]) -> String {
    let text = arguments.join(", ");
    if text.ends_with('>') { format!("<{text} >") } else { format!("<{text}>") }
}

fn squeezed(text: &str) -> String {
    text.chars().filter(|c| *c != ' ').collect()
}

/// How many arguments the user gives, and what the others are when he gives no more; without blanks.
fn defaults(template: &str, arguments: &[String]) -> (usize, Vec<String>) {
    let argument = |n: usize| arguments.get(n).map(|text| squeezed(text)).unwrap_or_default();
    let (key, value) = (argument(0), argument(1));
    match template {
        "vector" | "deque" | "list" | "forward_list" => (1, vec![format!("std::allocator<{key}>")]),
        "unique_ptr" => (1, vec![format!("std::default_delete<{key}>")]),
        "set" | "multiset" => (1, vec![format!("std::less<{key}>"), format!("std::allocator<{key}>")]),
        "map" | "multimap" => {
            (2, vec![format!("std::less<{key}>"), format!("std::allocator<std::pair<{key}const,{value}>>")])
        }
        "unordered_set" | "unordered_multiset" => {
            (1, vec![format!("std::hash<{key}>"), format!("std::equal_to<{key}>"), format!("std::allocator<{key}>")])
        }
        "unordered_map" | "unordered_multimap" => (
            2,
            vec![
                format!("std::hash<{key}>"),
                format!("std::equal_to<{key}>"),
                format!("std::allocator<std::pair<{key}const,{value}>>"),
            ],
        ),
        _ => (0, Vec::new()),
    }
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
    use super::short_name;

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
}
