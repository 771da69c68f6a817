//! Converts globs for gdb.

/// Converts a glob of `*`, `?` and `[…]` to a regular expression.
pub(in crate::gdb) fn regular_expression(glob: &str) -> String {
    let mut out = String::from("^");
    for c in glob.chars() {
        match c {
            '*' => out.push_str(".*"),
            '?' => out.push('.'),
            '[' | ']' | '-' => out.push(c),
            c if c.is_alphanumeric() || c == '_' => out.push(c),
            c => {
                out.push('\\');
                out.push(c);
            }
        }
    }
    out.push('$');
    out
}

#[cfg(test)]
mod tests {
    use super::regular_expression;

    #[test]
    fn globs_are_regular_expressions() {
        assert_eq!(regular_expression("count*"), "^count.*$");
        assert_eq!(regular_expression("a?[0-9].b"), "^a.[0-9]\\.b$");
    }
}
