//! Patterns with `*` and `?`.

/// True if the whole text matches the pattern, by characters. The worst-case time is the product of the two lengths.
pub fn glob_matches(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    matches(&pattern, &text)
}

/// True if the whole name matches the pattern, by bytes: a name may not be valid UTF-8.
pub fn glob_matches_bytes(pattern: &[u8], name: &[u8]) -> bool {
    matches(pattern, name)
}

fn matches<T: Copy + PartialEq + From<u8>>(pattern: &[T], text: &[T]) -> bool {
    let (many, one) = (T::from(b'*'), T::from(b'?'));
    let (mut at, mut in_text) = (0, 0);
    // The position of the last `*`, and of the text when it was reached.
    let mut star: Option<(usize, usize)> = None;
    while let Some(found) = text.get(in_text) {
        match pattern.get(at) {
            Some(wanted) if *wanted == many => {
                star = Some((at, in_text));
                at += 1;
            }
            Some(wanted) if *wanted == one || wanted == found => {
                at += 1;
                in_text += 1;
            }
            _ => {
                let Some((star_at, star_text)) = star else { return false };
                star = Some((star_at, star_text + 1));
                at = star_at + 1;
                in_text = star_text + 1;
            }
        }
    }
    pattern.get(at..).is_some_and(|rest| rest.iter().all(|wanted| *wanted == many))
}

#[cfg(test)]
mod tests {
    use super::{glob_matches, glob_matches_bytes};

    #[test]
    fn stars_and_question_marks() {
        for (pattern, text, fits) in [
            ("node*", "node12", true),
            ("node?", "node12", false),
            ("n*1?", "node12", true),
            ("*", "", true),
            ("", "", true),
            ("a*b*c", "aXbYbZc", true),
            ("a*b*c", "aXbYbZ", false),
            ("a*c", "abbc", true),
            ("a*c", "abcb", false),
            ("?b*", "ab", true),
            ("?", "", false),
            ("*x*y", "axbxy", true),
            ("abc", "abc", true),
            ("abc", "abcd", false),
        ] {
            assert_eq!(glob_matches(pattern, text), fits, "{pattern} {text}");
            assert_eq!(glob_matches_bytes(pattern.as_bytes(), text.as_bytes()), fits, "{pattern} {text}");
        }
    }

    #[test]
    fn a_question_mark_is_a_character_of_a_text_and_a_byte_of_a_name() {
        assert!(glob_matches("n?", "nü") && !glob_matches_bytes(b"n?", "nü".as_bytes()));
    }
}
