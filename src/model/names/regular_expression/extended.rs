//! POSIX extended regular expressions, as gdb's `skip` takes them: written as basic ones.

/// Characters whose meaning a backslash turns around.
const TURNED: [char; 7] = ['(', ')', '|', '+', '?', '{', '}'];

/// Returns the basic regular expression for an extended one.
pub(super) fn basic(extended: &str) -> String {
    let mut text = String::new();
    let mut rest = extended.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\\' => match rest.next() {
                Some(next) if TURNED.contains(&next) => text.push(next),
                Some(next) => text.extend(['\\', next]),
                None => text.push('\\'),
            },
            '[' => {
                text.push('[');
                // A bracket at the start is one of the characters.
                for leading in ['^', ']'] {
                    text.extend(rest.next_if_eq(&leading));
                }
                for inside in rest.by_ref() {
                    text.push(inside);
                    if inside == ']' {
                        break;
                    }
                }
            }
            c if TURNED.contains(&c) => text.extend(['\\', c]),
            c => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::basic;

    #[test]
    fn backslashes_are_turned_around() {
        for (extended, expected) in [
            ("^std::(a|b)+$", "^std::\\(a\\|b\\)\\+$"),
            ("f\\(int\\)", "f(int)"),
            ("operator\\+", "operator+"),
            ("[(|)]x?", "[(|)]x\\?"),
            ("[]()]*", "[]()]*"),
            ("\\<a\\", "\\<a\\"),
        ] {
            assert_eq!(basic(extended), expected, "{extended}");
        }
    }
}
