//! Finds the string literals of Rust sources with their context, and the crates that code uses, by the tokens of the
//! language.

use std::path::{Path, PathBuf};
use std::{fs, mem};

/// An unescaped literal and its context.
#[derive(Debug)]
pub struct Literal {
    pub text: String,
    /// The innermost call, macro or attribute around it: `fault`, `format!`, `#[error]`; empty outside all.
    pub inside: String,
    /// True if the text is compared or searched for, not printed: `=>` follows it, or `==` precedes it.
    pub compared: bool,
}

/// A token, as far as needed for finding literals.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Word(String),
    Text(String),
    Sign(char),
}

/// The product's sources below a folder, without modules that only tests use.
pub fn product_files(folder: &Path) -> Vec<PathBuf> {
    let (mut todo, mut all, mut tests) = (vec![folder.to_owned()], Vec::new(), Vec::new());
    while let Some(path) = todo.pop() {
        if path.is_dir() {
            todo.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            tests.extend(modules(&path, true));
            all.push(path);
        }
    }
    let file =
        |module: &PathBuf| [module.with_extension("rs"), module.join("mod.rs")].into_iter().find(|file| file.exists());
    let mut next = 0;
    while let Some(test) = tests.get(next) {
        // Modules of a test module belong to the tests, wherever they are.
        tests.extend(file(test).iter().flat_map(|file| modules(file, false)).collect::<Vec<_>>());
        next += 1;
    }
    let of_tests: Vec<PathBuf> = tests.iter().filter_map(file).collect();
    all.retain(|path| !of_tests.contains(path));
    all.sort();
    all
}

/// The out-of-line modules that a file declares, without extension: all, or only those of tests.
fn modules(path: &Path, only_tests: bool) -> Vec<PathBuf> {
    let is_table = path.file_stem().is_some_and(|stem| stem == "mod" || stem == "lib" || stem == "main");
    let folder = if is_table { path.parent().unwrap().to_owned() } else { path.with_extension("") };
    let tokens = tokens(&fs::read_to_string(path).unwrap());
    let (mut found, mut named, mut is_test) = (Vec::new(), None, false);
    let mut at = 0;
    while at < tokens.len() {
        if let [Token::Sign('#'), Token::Sign('['), ..] = &tokens[at..] {
            let end = closing(&tokens, at + 1);
            if let [Token::Word(word), Token::Sign('='), Token::Text(file)] = &tokens[at + 2..end]
                && word == "path"
            {
                named = Some(path.with_file_name(file).with_extension(""));
            }
            is_test |= after_test_attribute(&tokens, at).is_some();
            at = end + 1;
            continue;
        }
        match &tokens[at..] {
            // The scope of a visibility.
            [Token::Word(word), Token::Sign('('), ..] if word == "pub" => at = closing(&tokens, at + 1) + 1,
            [Token::Word(word), ..] if word == "pub" => at += 1,
            [Token::Word(word), Token::Word(name), Token::Sign(';'), ..] if word == "mod" => {
                if is_test || !only_tests {
                    found.push(named.take().unwrap_or_else(|| folder.join(name)));
                }
                (named, is_test, at) = (None, false, at + 3);
            }
            _ => (named, is_test, at) = (None, false, at + 1),
        }
    }
    found
}

/// The index of the token after a `#[cfg(test)]`, or after a `cfg` that includes it, if one begins here.
fn after_test_attribute(tokens: &[Token], at: usize) -> Option<usize> {
    let [Token::Sign('#'), Token::Sign('['), Token::Word(cfg), ..] = &tokens[at..] else { return None };
    let end = closing(tokens, at + 1);
    let of_tests = cfg == "cfg" && tokens[at..end].contains(&Token::Word("test".to_owned()));
    (of_tests && !tokens[at..end].contains(&Token::Word("not".to_owned()))).then_some(end + 1)
}

/// The index of the bracket that closes this one.
fn closing(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token {
            Token::Sign('(' | '[' | '{') => depth += 1,
            Token::Sign(')' | ']' | '}') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    panic!("a bracket is not closed");
}

/// The literals of a source, without test items.
pub fn literals(source: &str) -> Vec<Literal> {
    let tokens = tokens(source);
    let (mut found, mut around, mut at): (Vec<Literal>, Vec<String>, usize) = (Vec::new(), Vec::new(), 0);
    while at < tokens.len() {
        if let Some(next) = after_test_attribute(&tokens, at) {
            at = end_of_item(&tokens, next);
            continue;
        }
        match &tokens[at] {
            Token::Sign('(' | '[' | '{') => around.push(before_bracket(&tokens, at)),
            Token::Sign(')' | ']' | '}') => drop(around.pop()),
            Token::Text(text) => {
                let inside = around.iter().rev().find(|word| !word.is_empty()).cloned().unwrap_or_default();
                let follows = |signs: &[char]| {
                    signs.iter().enumerate().all(|(n, sign)| tokens.get(at + 1 + n) == Some(&Token::Sign(*sign)))
                };
                let is_equalled =
                    at > 1 && tokens[at - 1] == Token::Sign('=') && matches!(tokens[at - 2], Token::Sign('=' | '!'));
                let compared = follows(&['=', '>']) || follows(&['|']) || follows(&['=', '=']) || is_equalled;
                found.push(Literal { text: text.clone(), inside, compared });
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// The name before a bracket: a call, a macro or an attribute.
fn before_bracket(tokens: &[Token], at: usize) -> String {
    let before = |back: usize| at.checked_sub(back).map(|at| &tokens[at]);
    match (&tokens[at], before(3), before(2), before(1)) {
        (Token::Sign('{'), ..) => String::new(),
        (_, Some(Token::Sign('#')), Some(Token::Sign('[')), Some(Token::Word(word))) => format!("#[{word}]"),
        (_, _, Some(Token::Word(word)), Some(Token::Sign('!'))) => format!("{word}!"),
        (_, _, _, Some(Token::Word(word))) => word.clone(),
        _ => String::new(),
    }
}

/// True if the code of a source uses a crate: `name::x`, `name!(…)`, `use name;`, not in comments or strings.
pub fn names_crate(source: &str, krate: &str) -> bool {
    let (tokens, krate) = (tokens(source), Token::Word(krate.replace('-', "_")));
    let sign = |at: usize, sign: char| tokens.get(at) == Some(&Token::Sign(sign));
    (0..tokens.len()).filter(|at| tokens[*at] == krate).any(|at| {
        let is_inner =
            at > 1 && sign(at - 1, ':') && sign(at - 2, ':') && (at > 2 && matches!(tokens[at - 3], Token::Word(_)));
        let is_used = at > 0 && tokens[at - 1] == Token::Word("use".to_owned()) && sign(at + 1, ';');
        !is_inner && (is_used || sign(at + 1, '!') || sign(at + 1, ':') && sign(at + 2, ':'))
    })
}

/// The index after an item: after its block, or its semicolon.
fn end_of_item(tokens: &[Token], from: usize) -> usize {
    let mut at = from;
    loop {
        match tokens.get(at) {
            None => return at,
            Some(Token::Sign(';' | ',')) => return at + 1,
            Some(Token::Sign('{')) => return closing(tokens, at) + 1,
            Some(Token::Sign('(' | '[')) => at = closing(tokens, at) + 1,
            Some(_) => at += 1,
        }
    }
}

/// The tokens of a source, without comments, digits of numbers and characters.
fn tokens(source: &str) -> Vec<Token> {
    let chars: Vec<char> = source.chars().collect();
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(&c) = chars.get(at) {
        let rest = &chars[at..];
        if rest.starts_with(&['/', '/']) {
            at += rest.iter().position(|c| *c == '\n').unwrap_or(rest.len());
        } else if rest.starts_with(&['/', '*']) {
            at += block_comment(rest);
        } else if c == '"' {
            let (text, length) = quoted(&rest[1..]);
            found.push(Token::Text(text));
            at += 1 + length;
        } else if c == '\'' {
            at += character_or_lifetime(rest);
        } else if c.is_alphanumeric() || c == '_' {
            let word: String = rest.iter().take_while(|c| c.is_alphanumeric() || **c == '_').collect();
            at += word.chars().count();
            match (word.as_str(), chars.get(at)) {
                ("r" | "br" | "cr", Some('"' | '#')) => {
                    let (text, length) = raw(&chars[at..]);
                    at += length;
                    if let (Some(text), "r") = (text, word.as_str()) {
                        found.push(Token::Text(text));
                    }
                }
                // Byte strings are not messages.
                ("b" | "c", Some('"')) => at += 1 + quoted(&chars[at + 1..]).1,
                ("b", Some('\'')) => at += character_or_lifetime(&chars[at..]),
                _ => found.push(Token::Word(word)),
            }
        } else {
            if !c.is_whitespace() {
                found.push(Token::Sign(c));
            }
            at += 1;
        }
    }
    found
}

fn block_comment(rest: &[char]) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        match rest[at..] {
            ['/', '*', ..] => (depth, at) = (depth + 1, at + 2),
            ['*', '/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

/// The text between quotes, from after the first one; and its length with the last one.
fn quoted(rest: &[char]) -> (String, usize) {
    let (mut text, mut at) = (String::new(), 0);
    loop {
        match rest[at] {
            '"' => return (text, at + 1),
            '\\' => {
                at += 2;
                match rest[at - 1] {
                    'n' => text.push('\n'),
                    't' => text.push('\t'),
                    'r' => text.push('\r'),
                    '0' => text.push('\0'),
                    'x' => {
                        let digits: String = rest[at..at + 2].iter().collect();
                        text.push(char::from(u8::from_str_radix(&digits, 16).unwrap()));
                        at += 2;
                    }
                    'u' => {
                        let end = at + rest[at..].iter().position(|c| *c == '}').unwrap();
                        let digits: String = rest[at + 1..end].iter().collect();
                        text.push(char::from_u32(u32::from_str_radix(&digits, 16).unwrap()).unwrap());
                        at = end + 1;
                    }
                    '\n' => at += rest[at..].iter().position(|c| !c.is_whitespace()).unwrap(),
                    other => text.push(other),
                }
            }
            other => {
                text.push(other);
                at += 1;
            }
        }
    }
}

/// A raw literal from its hashes on; `None` for a raw name (`r#type`).
fn raw(rest: &[char]) -> (Option<String>, usize) {
    let hashes = rest.iter().take_while(|c| **c == '#').count();
    if rest.get(hashes) != Some(&'"') {
        return (None, hashes);
    }
    let mut end = vec!['"'];
    end.extend(vec!['#'; hashes]);
    let body = &rest[hashes + 1..];
    let length = body.windows(end.len()).position(|part| part == end).unwrap();
    let mut text: String = body[..length].iter().collect();
    (Some(mem::take(&mut text)), hashes + 1 + length + end.len())
}

fn character_or_lifetime(rest: &[char]) -> usize {
    match rest {
        ['\'', '\\', 'u', ..] => 1 + rest[1..].iter().position(|c| *c == '\'').unwrap() + 1,
        ['\'', '\\', 'x', ..] => 6,
        ['\'', '\\', _, '\'', ..] => 4,
        ['\'', _, '\'', ..] => 3,
        _ => 1,
    }
}
