//! Patterns with `*` and `?`.

/// Whether the whole name matches.
pub fn glob_matches(glob: &[u8], name: &[u8]) -> bool {
    let (mut at, mut in_name) = (0, 0);
    // Where the last `*` was, and how far the name had come.
    let mut star: Option<(usize, usize)> = None;
    while let Some(byte) = name.get(in_name) {
        match glob.get(at) {
            Some(b'*') => {
                star = Some((at, in_name));
                at += 1;
            }
            Some(wanted) if *wanted == b'?' || wanted == byte => {
                at += 1;
                in_name += 1;
            }
            _ => {
                let Some((star_at, star_name)) = star else { return false };
                star = Some((star_at, star_name + 1));
                at = star_at + 1;
                in_name = star_name + 1;
            }
        }
    }
    glob.get(at..).is_some_and(|rest| rest.iter().all(|byte| *byte == b'*'))
}

#[cfg(test)]
mod tests {
    use super::glob_matches;

    #[test]
    fn patterns() {
        for (glob, name, expected) in [
            ("*", "", true),
            ("a*c", "abbc", true),
            ("a*c", "abcb", false),
            ("?b*", "ab", true),
            ("?", "", false),
            ("*x*y", "axbxy", true),
            ("abc", "abc", true),
            ("abc", "abcd", false),
        ] {
            assert_eq!(glob_matches(glob.as_bytes(), name.as_bytes()), expected, "{glob} {name}");
        }
    }
}
