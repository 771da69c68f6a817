//! Removes compilers' additions from symbols. gdb decodes every symbol that could be Ada's as such, whatever the
//! program's language: it shows `table.0` as `table`, clang's `main.buffer` as `main[buffer]`.

/// Returns gdb's name for a symbol that is not mangled in another language; `None` if it cannot be Ada's.
pub(crate) fn unadorned(symbol: &str) -> Option<String> {
    let encoded = symbol.strip_prefix('.').unwrap_or(symbol);
    let encoded = encoded.strip_prefix("_ada_").unwrap_or(encoded);
    if encoded.starts_with(['_', '<']) || encoded.is_empty() {
        return None;
    }
    let word_starts = encoded.trim_end_matches(|c: char| c.is_ascii_alphabetic()).len();
    let (mut name, suffix) = match encoded.get(..word_starts).and_then(|rest| rest.strip_suffix('.')) {
        Some(rest) if !rest.is_empty() => (rest, encoded.get(word_starts..)),
        _ => (encoded, None),
    };
    name = without_number(name);
    if let Some(rest) = name.strip_suffix('N').filter(|rest| rest.ends_with(is_plain)) {
        name = rest;
    }
    if let Some(at) = name.find("___").filter(|at| at + 3 < name.len()) {
        // Anything but a type mark means that the name is not Ada's.
        let rest = name.get(at + 3..).filter(|rest| rest.starts_with('X'));
        name = rest.and_then(|_| name.get(..at))?;
    }
    for end in ["TKB", "TB", "B"] {
        name = name.strip_suffix(end).filter(|rest| !rest.is_empty()).unwrap_or(name);
    }
    name = without_count(name);
    let start = name.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(name.len());
    let mut decoded = name.get(..start).unwrap_or_default().to_owned();
    let mut rest = name.get(start..).unwrap_or_default();
    while let Some(c) = rest.chars().next() {
        if let Some(inner) = rest.strip_prefix("__").filter(|inner| !inner.is_empty()) {
            decoded.push('.');
            rest = inner;
        } else if rest.starts_with("N__") && decoded.rsplit('.').next().is_some_and(|word| word.chars().all(is_plain)) {
            rest = rest.get(1..).unwrap_or_default();
        } else if c == 'X' && decoded.ends_with(|c: char| c.is_ascii_alphanumeric()) {
            // Marks of bodies are allowed only at the end.
            let inner = rest.get(1..)?.trim_start_matches(['b', 'n']);
            if !inner.is_empty() {
                return None;
            }
            rest = inner;
        } else {
            decoded.push(c);
            rest = rest.get(c.len_utf8()..).unwrap_or_default();
        }
    }
    if decoded.contains(|c: char| c.is_ascii_uppercase() || c == ' ') {
        return None;
    }
    Some(match suffix {
        Some(suffix) => format!("{decoded}[{suffix}]"),
        None => decoded,
    })
}

fn is_plain(c: char) -> bool {
    c.is_ascii_digit() || c.is_ascii_lowercase()
}

fn without_digits(name: &str) -> Option<&str> {
    let rest = name.trim_end_matches(|c: char| c.is_ascii_digit());
    (rest.len() < name.len() && !rest.is_empty()).then_some(rest)
}

/// Removes a final `.12`, `$12`, `___12` or `__12`.
fn without_number(name: &str) -> &str {
    let Some(rest) = without_digits(name) else { return name };
    [".", "$", "___", "__"].iter().find_map(|mark| rest.strip_suffix(mark)).unwrap_or(name)
}

/// Removes a final `__1_2` or `$12`.
fn without_count(name: &str) -> &str {
    let Some(mut rest) = without_digits(name) else { return name };
    while let Some(inner) = rest.strip_suffix('_').and_then(without_digits) {
        rest = inner;
    }
    rest.strip_suffix("__").filter(|rest| !rest.is_empty()).or_else(|| rest.strip_suffix('$')).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::unadorned;

    #[test]
    fn symbols_as_gdb_13_shows_them() {
        for (symbol, shown) in [
            ("main.back", "main[back]"),
            ("a.b.c", "a.b[c]"),
            ("main.in.x", "main.in[x]"),
            ("foo.part.0", "foo.part"),
            ("main.4", "main"),
            ("main_x.y_z", "main_x.y_z"),
            ("foo.back1", "foo.back1"),
            ("foo1.back", "foo1[back]"),
            ("foo__bar", "foo.bar"),
            ("foo___XR", "foo"),
            ("fo.ba__ck", "fo.ba.ck"),
            ("fob.k.0", "fob.k"),
            ("table__2_3", "table"),
            ("lastB", "last"),
            ("nextN", "next"),
            ("innerXbn", "inner"),
            ("valN__x", "val.x"),
        ] {
            assert_eq!(unadorned(symbol).as_deref(), Some(shown), "{symbol}");
        }
        for symbol in ["_x.y", "X.y", "luaL_x.y", "foo___Y", "fooXa", "", "<x>"] {
            assert_eq!(unadorned(symbol), None, "{symbol}");
        }
    }
}
