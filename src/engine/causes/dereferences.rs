//! The pointers that a line of C or C++ follows, by its text.

/// The expressions of a line by which it reaches memory.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Dereferences<'a> {
    /// Those that are followed as pointers: `p` of `p->x`, `*p` and `p[i]`.
    pub(super) pointers: Vec<&'a str>,
    /// Those with an index: `p[i]`, `a[r][c]`.
    pub(super) elements: Vec<Element<'a>>,
}

/// An element of an array.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Element<'a> {
    /// The element: `a[r][c]`.
    pub(super) text: &'a str,
    /// Its indices that are not plain numbers: `r` and `c`.
    pub(super) indices: Vec<&'a str>,
}

/// Finds what a line follows; `None` if it follows other pointers that are not simple, such as the result of a call.
pub(super) fn dereferences(line: &str) -> Option<Dereferences<'_>> {
    let mut found = Dereferences::default();
    scan(line, 0, line.len(), &mut found)?;
    found.pointers.sort_unstable();
    found.pointers.dedup();
    found.elements.sort_unstable();
    found.elements.dedup();
    Some(found)
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Scans a part of a line.
fn scan<'a>(line: &'a str, start: usize, end: usize, found: &mut Dereferences<'a>) -> Option<()> {
    let bytes = line.as_bytes().get(..end)?;
    let mut at = start;
    while let Some(byte) = bytes.get(at) {
        let rest = line.get(at..end)?;
        match byte {
            b'"' | b'\'' => at = past_quote(bytes, at)?,
            b'/' if rest.starts_with("//") => return Some(()),
            b'/' if rest.starts_with("/*") => at += 2 + rest.get(2..)?.find("*/")? + 2,
            // The result of a call, a cast, or a sum.
            b')' if follows(bytes, at + 1) => return None,
            b'*' if is_unary(bytes, at) && next(bytes, at + 1) == Some(b'(') => return None,
            byte if byte.is_ascii_digit() => {
                while bytes.get(at).is_some_and(|byte| is_name(*byte) || *byte == b'.') {
                    at += 1;
                }
            }
            byte if is_name(*byte) => at = chain(line, at, end, found)?,
            // Perhaps a name.
            byte if !byte.is_ascii() => return None,
            _ => at += 1,
        }
    }
    Some(())
}

/// Scans a name and what follows it: `.x`, `->x`, `[i]`. Returns the index after it.
fn chain<'a>(line: &'a str, start: usize, end: usize, found: &mut Dereferences<'a>) -> Option<usize> {
    let bytes = line.as_bytes().get(..end)?;
    let mut at = name_end(bytes, start);
    let mut indices = Vec::new();
    loop {
        let rest = line.get(at..end)?;
        if rest.starts_with("->") || rest.starts_with('[') {
            found.pointers.push(line.get(start..at)?);
        }
        if rest.starts_with("->") || rest.starts_with("::") {
            at = name_end(bytes, at + 2);
        } else if rest.starts_with('.') {
            at = name_end(bytes, at + 1);
        } else if rest.starts_with('[') {
            let inner = at + 1;
            at = past_bracket(bytes, at)?;
            scan(line, inner, at - 1, found)?;
            // Evaluating the index must not change anything.
            let index = line.get(inner..at - 1)?;
            let changes = index.contains("++") || index.contains("--") || index.contains(['(', '=']);
            if changes && follows(bytes, at) {
                return None;
            }
            if index.parse::<u64>().is_err() {
                indices.push(index);
            }
            // Of the elements of elements the last one says all.
            if !changes && !line.get(at..end)?.starts_with('[') {
                found.elements.push(Element { text: line.get(start..at)?, indices: indices.clone() });
            }
        } else {
            break;
        }
    }
    // A call follows its result, not the function; blanks before arrows and brackets are not understood.
    if matches!(next(bytes, at), Some(b'[')) || (follows(bytes, at) && next(bytes, at) == Some(b'-')) {
        return None;
    }
    if next(bytes, at) != Some(b'(') && stars_before(bytes, start)? {
        found.pointers.push(line.get(start..at)?);
    }
    Some(at)
}

/// True if a chain is the operand of one unary star; `None` if there are more.
fn stars_before(bytes: &[u8], start: usize) -> Option<bool> {
    let Some(star) = previous(bytes, start).filter(|at| bytes.get(*at) == Some(&b'*') && is_unary(bytes, *at)) else {
        return Some(false);
    };
    let again = previous(bytes, star).is_some_and(|at| bytes.get(at) == Some(&b'*') && is_unary(bytes, at));
    (!again).then_some(true)
}

/// True if the star at an index has no left operand.
fn is_unary(bytes: &[u8], star: usize) -> bool {
    let Some(before) = previous(bytes, star) else { return true };
    let Some(byte) = bytes.get(before) else { return true };
    if !is_name(*byte) {
        return !matches!(byte, b')' | b']' | b'"' | b'\'');
    }
    let begin = bytes.get(..=before).and_then(|head| head.iter().rposition(|byte| !is_name(*byte)));
    bytes.get(begin.map_or(0, |at| at + 1)..=before) == Some(b"return")
}

fn name_end(bytes: &[u8], start: usize) -> usize {
    start + bytes.get(start..).unwrap_or_default().iter().take_while(|byte| is_name(**byte)).count()
}

/// Returns the next byte that is not blank.
fn next(bytes: &[u8], at: usize) -> Option<u8> {
    bytes.get(at..)?.iter().copied().find(|byte| !byte.is_ascii_whitespace())
}

/// Returns the index of the last byte before this one that is not blank.
fn previous(bytes: &[u8], at: usize) -> Option<usize> {
    bytes.get(..at)?.iter().rposition(|byte| !byte.is_ascii_whitespace())
}

/// True if an arrow or a bracket comes next.
fn follows(bytes: &[u8], at: usize) -> bool {
    let rest = bytes.get(at..).unwrap_or_default();
    let rest = rest.trim_ascii_start();
    rest.starts_with(b"->") || rest.starts_with(b"[")
}

/// Returns the index after the bracket that ends the one at this index.
fn past_bracket(bytes: &[u8], open: usize) -> Option<usize> {
    let (mut depth, mut at) = (0_u32, open);
    loop {
        match bytes.get(at)? {
            b'[' => depth += 1,
            b']' if depth == 1 => return Some(at + 1),
            b']' => depth -= 1,
            b'"' | b'\'' => return None,
            _ => {}
        }
        at += 1;
    }
}

/// Returns the index after the quoted text that begins at this index.
fn past_quote(bytes: &[u8], open: usize) -> Option<usize> {
    let quote = bytes.get(open)?;
    let mut at = open + 1;
    loop {
        match bytes.get(at)? {
            b'\\' => at += 2,
            byte if byte == quote => return Some(at + 1),
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Element, dereferences};

    #[test]
    fn simple_pointers_are_found() {
        let of = |line| dereferences(line).map(|found| found.pointers.join(" "));
        assert_eq!(of("    row->count++;").unwrap(), "row");
        assert_eq!(of("a->b->c = x[i] + y.z[2 * n];").unwrap(), "a a->b x y.z");
        assert_eq!(of("g->data_[i + k[2]] = 0;").unwrap(), "g g->data_ k");
        assert_eq!(of("return *p * *q.r;").unwrap(), "p q.r");
        assert_eq!(of("int *p = q, n = a * b;").unwrap(), "");
        assert_eq!(of("std::swap(*mesh::first, 1.5e3); // p->x").unwrap(), "mesh::first");
        assert_eq!(of("puts(\"p->x\"); c = ']'; /* *q */ d = 0;").unwrap(), "");
        assert_eq!(of("f(a->b, c);").unwrap(), "a");
        assert_eq!(of("puts(\"\u{fc}\"), p->x = 1;").unwrap(), "p");
    }

    #[test]
    fn elements_are_found_with_their_indices() {
        let of = |line| {
            let found = dereferences(line).unwrap().elements;
            let element = |one: &Element<'_>| format!("{} {:?}", one.text, one.indices);
            found.iter().map(element).collect::<Vec<_>>().join("; ")
        };
        assert_eq!(of("return g->data_[i];"), r#"g->data_[i] ["i"]"#);
        assert_eq!(of("a[r][c + 1] = b[7].x;"), r#"a[r][c + 1] ["r", "c + 1"]; b[7] []"#);
        assert_eq!(of("x = y[k[2]].z[i];"), r#"k[2] []; y[k[2]] ["k[2]"]; y[k[2]].z[i] ["k[2]", "i"]"#);
        assert_eq!(of("p[i++] = q[f(2)] + *r;"), "", "what changes something or calls a function");
    }

    #[test]
    fn lines_that_follow_other_pointers_are_not_understood() {
        for line in [
            "f()->x = 1;",
            "*(p + 1) = 2;",
            "(*p)[3] = 0;",
            "((T *)p)->x;",
            "**p = 1;",
            "a[i++]->x = 0;",
            "p [1];",
            "p ->x;",
            "\u{fc}[1] = p->x;",
        ] {
            assert_eq!(dereferences(line), None, "{line}");
        }
        for odd in ["a[", "\"", "'\\", "/*", "a[\"]\"]", "\u{fc}", "p->", "p->[", "*"] {
            let _ = dereferences(odd);
        }
    }

    proptest::proptest! {
        #[test]
        fn no_line_is_too_odd(line in "[-a-c*()\\[\\]>.:\"'/=+0-9 \u{fc}\\\\]{0,40}") {
            let _ = dereferences(&line);
        }
    }
}
