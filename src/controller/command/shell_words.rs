//! Words of a command line, split and quoted as a POSIX shell does. Nothing is expanded: `$`, `*` and `~` stay.

/// A text that is not a list of words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::command) struct WordsError {
    /// The byte of the text at which it begins.
    pub(in crate::command) at: usize,
    pub(in crate::command) message: &'static str,
}

/// Splits a text into words.
pub(in crate::command) fn split(text: &str) -> Result<Vec<String>, WordsError> {
    let mut words: Vec<String> = Vec::new();
    let mut word: Option<String> = None;
    let mut letters = text.char_indices();
    while let Some((at, c)) = letters.next() {
        match c {
            c if c.is_whitespace() => words.extend(word.take()),
            '<' => {
                let message = "there is no shell: the input of ranks is given at the start, rankscope run --stdin FILE \
                               PROGRAM, or with \"send TEXT\"";
                return Err(WordsError { at, message });
            }
            '>' | '|' | '&' | ';' => {
                let message = "there is no shell: quote this character, or put the line into a script and run that";
                return Err(WordsError { at, message });
            }
            '\'' | '"' => quoted(&mut letters, at, c, word.get_or_insert_default())?,
            '\\' => {
                let (_, next) = letters.next().ok_or(WordsError { at, message: "expected a character after \\" })?;
                word.get_or_insert_default().push(next);
            }
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Ok(words)
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

    proptest! {
        #[test]
        fn quoted_words_read_back_also_from_command_files(words in prop::collection::vec("[^\r\n]{0,12}", 0..5)) {
            let line = join(&words);
            prop_assert_eq!(without_comment(&line), &line);
            prop_assert_eq!(split(&line).unwrap(), words);
        }
    }
}
