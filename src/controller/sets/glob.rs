//! Patterns with `*` and `?`.

/// Whether the whole text fits the pattern. Takes time in proportion to the product of the two lengths at worst.
pub fn glob_matches(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    let (mut p, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while let Some(&c) = text.get(t) {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(&wanted) if wanted == '?' || wanted == c => {
                p += 1;
                t += 1;
            }
            _ => match star {
                Some((at, from)) => {
                    star = Some((at, from + 1));
                    p = at + 1;
                    t = from + 1;
                }
                None => return false,
            },
        }
    }
    pattern.get(p..).is_none_or(|rest| rest.iter().all(|&c| c == '*'))
}

#[cfg(test)]
mod tests {
    use super::glob_matches;

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
        ] {
            assert_eq!(glob_matches(pattern, text), fits, "{pattern} {text}");
        }
    }
}
