//! Qualified names as text.

use super::canonical::canonical;

/// Returns a name without its scopes; scopes within brackets stay.
pub(crate) fn last_part(name: &str) -> &str {
    let (mut depth, mut start, mut previous) = (0_u32, 0, ' ');
    for (at, c) in name.char_indices() {
        match c {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' | ')' | ']' | '}' if (previous, c) != ('-', '>') => depth = depth.saturating_sub(1),
            ':' if depth == 0 && previous == ':' => start = at + 1,
            _ => {}
        }
        previous = c;
    }
    name.get(start..).unwrap_or(name)
}

/// Compares the last scopes and the name; if `wanted` begins with `::`, all scopes.
pub(crate) fn ends_so(name: &str, wanted: &str) -> bool {
    let (name, wanted) = (squeezed(name), squeezed(wanted));
    match wanted.strip_prefix("::") {
        Some(whole) => name == whole,
        None => name.strip_suffix(&wanted).is_some_and(|before| before.is_empty() || before.ends_with("::")),
    }
}

/// Normalizes a name for comparison.
pub(crate) fn squeezed(name: &str) -> String {
    if name.contains(['<', ' ']) { canonical(name).replace(' ', "") } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_end_before_the_last_part() {
        for (name, last) in [
            ("f", "f"),
            ("a::b", "b"),
            ("a::B<c::D>", "B<c::D>"),
            ("<a::B as c::D>::f", "f"),
            ("(a::B, c::D)", "(a::B, c::D)"),
            ("A::operator->", "operator->"),
            ("A::operator<", "operator<"),
            ("(anonymous namespace)::x", "x"),
            ("a::{impl#0}::f", "f"),
        ] {
            assert_eq!(last_part(name), last);
        }
    }
}
