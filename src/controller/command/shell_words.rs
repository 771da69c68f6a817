//! Words of a command line, split and quoted as a POSIX shell does. Nothing is expanded: `$`, `*` and `~` stay.

/// A text that is not a list of words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::command) struct WordsError {
    /// The byte of the text at which it begins.
    pub(in crate::command) at: usize,
    pub(in crate::command) message: &'static str,
}

/// What stands between words that a shell would act on.
const NO_SHELL: &str = "there is no shell: quote this character, or put the line into a script and run that";

/// Splits a text into words.
pub(in crate::command) fn split(text: &str) -> Result<Vec<String>, WordsError> {
    match split_with_input(text)? {
        (words, None) => Ok(words),
        (_, Some((at, _))) => Err(WordsError { at, message: NO_SHELL }),
    }
}

/// Words, and the file after `<` with the byte of that character.
type WordsAndInput = (Vec<String>, Option<(usize, String)>);

/// Splits a text into words, and the file after `<` that the program reads.
pub(in crate::command) fn split_with_input(text: &str) -> Result<WordsAndInput, WordsError> {
    let mut words: Vec<String> = Vec::new();
    let mut word: Option<String> = None;
    // The place of `<`, and how many words stood before it.
    let mut input: Option<(usize, usize)> = None;
    let mut letters = text.char_indices();
    while let Some((at, c)) = letters.next() {
        match c {
            c if c.is_whitespace() => words.extend(word.take()),
            '<' => {
                words.extend(word.take());
                if input.replace((at, words.len())).is_some() {
                    return Err(WordsError { at, message: "expected one file after <" });
                }
            }
            '>' | '|' | '&' | ';' => return Err(WordsError { at, message: NO_SHELL }),
            '\'' | '"' => quoted(&mut letters, at, c, word.get_or_insert_default())?,
            '\\' => {
                let (_, next) = letters.next().ok_or(WordsError { at, message: "expected a character after \\" })?;
                word.get_or_insert_default().push(next);
            }
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    let file = match input {
        None => None,
        Some((at, before)) if before < words.len() => Some((at, words.remove(before))),
        Some((at, _)) => return Err(WordsError { at: at + 1, message: "expected a file after <" }),
    };
    Ok((words, file))
}

/// Takes the rest of a quoted part.
fn quoted(
    letters: &mut std::str::CharIndices<'_>,
    at: usize,
    quote: char,
    word: &mut String,
) -> Result<(), WordsError> {
    while let Some((_, c)) = letters.next() {
        match c {
            c if c == quote => return Ok(()),
            '\\' if quote == '"' => match letters.next() {
                Some((_, next)) if is_escaped(next) => word.push(next),
                Some((_, next)) => word.extend(['\\', next]),
                None => break,
            },
            c => word.push(c),
        }
    }
    Err(WordsError { at, message: "expected a closing quote" })
}

/// True if a backslash between double quotes escapes the character.
fn is_escaped(c: char) -> bool {
    matches!(c, '"' | '\\' | '$' | '`')
}

/// Writes words so that [`split`] and a shell read them back. Double quotes, because comments of command files honour
/// their backslashes.
pub(crate) fn join(words: &[String]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| quote(word)).collect();
    quoted.join(" ")
}

/// Writes a word so that [`split`] and a shell read it back.
pub(crate) fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-+=:,./@%{}".contains(c);
    // `set args =` is about a variable of the program that has this name.
    if !word.is_empty() && !word.starts_with('=') && word.chars().all(plain) {
        return word.to_owned();
    }
    let mut text = String::from('"');
    for c in word.chars() {
        if is_escaped(c) {
            text.push('\\');
        }
        text.push(c);
    }
    text.push('"');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::comment::without_comment;
    use proptest::prelude::*;

    #[test]
    fn words_are_those_of_a_shell() {
        let line = r#"a "b c" 'd "e" $f' g\ h "" "i\"j\k\$l" m'n'"o" {rank} *.dat"#;
        let expected = ["a", "b c", "d \"e\" $f", "g h", "", "i\"j\\k$l", "mno", "{rank}", "*.dat"];
        assert_eq!(split(line).unwrap(), expected);
        assert_eq!(split(" \t ").unwrap(), [""; 0]);
        for (line, at, message) in [
            ("a 'b", 2, "closing quote"),
            ("\"\\", 0, "closing quote"),
            ("a\\", 1, "after \\"),
            ("a < b", 2, "no shell"),
        ] {
            let error = split(line).unwrap_err();
            assert!(error.at == at && error.message.contains(message), "{line}: {error:?}");
        }
    }

    #[test]
    fn a_file_to_read_stands_anywhere() {
        for line in ["a b < 'in put'", "a b <'in put'", "< \"in put\" a b", "a<in\\ put b"] {
            let (words, input) = split_with_input(line).unwrap();
            assert_eq!((words.join(" ").as_str(), input.unwrap().1.as_str()), ("a b", "in put"), "{line}");
        }
        for (line, at, message) in [("a <", 3, "a file after"), ("a < b < c", 6, "one file"), ("a << b", 3, "one file")]
        {
            let error = split_with_input(line).unwrap_err();
            assert!(error.at == at && error.message.contains(message), "{line}: {error:?}");
        }
    }

    proptest! {
        #[test]
        fn quoted_words_read_back_also_from_command_files(words in prop::collection::vec("[^\r\n]{0,12}", 0..5)) {
            let line = join(&words);
            prop_assert_eq!(without_comment(&line), &line);
            prop_assert_eq!(split(&line).unwrap(), words);
        }
    }
}
