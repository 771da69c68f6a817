//! Splits the text of a program into words.

use model::ErrorCode;
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq)]
pub(in crate::fake) enum Token {
    Name(Arc<str>),
    Integer(u64, bool, bool),
    Float(f64),
    Character(u8),
    Text(Vec<u8>),
    Sign(&'static str),
    End,
}

/// A token and its position: line from 1, character in the text from 0.
#[derive(Clone, Debug)]
pub(in crate::fake) struct Word {
    pub(in crate::fake) token: Token,
    pub(in crate::fake) line: u32,
    pub(in crate::fake) position: u32,
}

/// A syntax or type error in a program or expression.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub(in crate::fake) struct Fault {
    pub(in crate::fake) code: ErrorCode,
    pub(in crate::fake) message: String,
    pub(in crate::fake) line: u32,
    pub(in crate::fake) position: u32,
}

/// Longest first, so that a longer sign wins.
const SIGNS: &[&str] = &[
    "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=",
    "%=", "&=", "|=", "^=", "+", "-", "*", "/", "%", "<", ">", "=", "!", "~", "&", "|", "^", "?", ":", ";", ",", ".",
    "(", ")", "[", "]", "{", "}",
];

/// Splits a text into words, skipping comments; lines that begin with `#` only define constants.
pub(in crate::fake) fn words(text: &str) -> Result<Vec<Word>, Fault> {
    let mut found = Vec::new();
    let mut constants: Vec<(Arc<str>, Vec<Word>)> = Vec::new();
    let (mut rest, mut line) = (text, 1);
    loop {
        let position = (text.len() - rest.len()) as u32;
        let fault = |message: String| Fault { code: ErrorCode::DEBUGGER, message, line, position };
        let Some(c) = rest.chars().next() else { break };
        if c == '\n' {
            line += 1;
            rest = &rest[1..];
        } else if c.is_whitespace() {
            rest = &rest[c.len_utf8()..];
        } else if rest.starts_with("//") || c == '#' {
            let end = rest.find('\n').unwrap_or(rest.len());
            if let Some((name, value)) = rest[..end].strip_prefix("#define ").and_then(|d| d.trim().split_once(' ')) {
                let mut value = words(value)?;
                value.pop();
                constants.push((name.into(), value));
            }
            rest = &rest[end..];
        } else if rest.starts_with("/*") {
            let end = rest.find("*/").ok_or_else(|| fault("unterminated comment".to_owned()))? + 2;
            line += rest[..end].matches('\n').count() as u32;
            rest = &rest[end..];
        } else {
            let (token, length) = word(rest).map_err(fault)?;
            rest = &rest[length..];
            let constant = match &token {
                Token::Name(name) => constants.iter().find(|(constant, _)| constant == name),
                _ => None,
            };
            match constant {
                Some((_, value)) => {
                    found.extend(value.iter().map(|w| Word { token: w.token.clone(), line, position }));
                }
                None => found.push(Word { token, line, position }),
            }
        }
    }
    found.push(Word { token: Token::End, line, position: text.len() as u32 });
    Ok(found)
}

fn word(text: &str) -> Result<(Token, usize), String> {
    let first = text.bytes().next().unwrap_or(0);
    let next_is_digit = text.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
    if first.is_ascii_alphabetic() || first == b'_' || first == b'$' {
        let end = text.bytes().skip(1).position(|b| !b.is_ascii_alphanumeric() && b != b'_');
        let end = end.map_or(text.len(), |n| n + 1);
        return Ok((Token::Name(text[..end].into()), end));
    }
    if first.is_ascii_digit() || (first == b'.' && next_is_digit) {
        return number(text);
    }
    if first == b'\'' {
        let (bytes, end) = quoted(text, b'\'')?;
        return match bytes[..] {
            [byte] => Ok((Token::Character(byte), end)),
            _ => Err("expected one character in a character constant".to_owned()),
        };
    }
    if first == b'"' {
        let (bytes, end) = quoted(text, b'"')?;
        return Ok((Token::Text(bytes), end));
    }
    match SIGNS.iter().find(|sign| text.starts_with(**sign)) {
        Some(sign) => Ok((Token::Sign(sign), sign.len())),
        None => Err(format!("unexpected character {:?}", text.chars().next().unwrap_or(' '))),
    }
}

fn number(text: &str) -> Result<(Token, usize), String> {
    let bytes = text.as_bytes();
    let mut end = 0;
    while let Some(b) = bytes.get(end) {
        let exponent_sign = matches!(b, b'+' | b'-') && end > 0 && matches!(bytes.get(end - 1), Some(b'e' | b'E'));
        if !(b.is_ascii_alphanumeric() || *b == b'.' || (exponent_sign && !text.starts_with("0x"))) {
            break;
        }
        end += 1;
    }
    let spelled = &text[..end];
    let lower = spelled.to_ascii_lowercase();
    let bad = || format!("invalid number {spelled:?}");
    if let Some(digits) = lower.strip_prefix("0x") {
        let digits = digits.trim_end_matches(['u', 'l']);
        let value = u64::from_str_radix(digits, 16).map_err(|_| bad())?;
        return Ok((Token::Integer(value, lower.contains('u'), lower.ends_with('l')), end));
    }
    if lower.contains(['.', 'e']) {
        return lower.trim_end_matches('f').parse().map(|value| (Token::Float(value), end)).map_err(|_| bad());
    }
    let value = lower.trim_end_matches(['u', 'l']).parse().map_err(|_| bad())?;
    Ok((Token::Integer(value, lower.contains('u'), lower.contains('l')), end))
}

/// Returns the bytes between two quotes, and the length including the quotes.
fn quoted(text: &str, quote: u8) -> Result<(Vec<u8>, usize), String> {
    let mut bytes = Vec::new();
    let mut input = text.bytes().enumerate().skip(1);
    while let Some((at, byte)) = input.next() {
        match byte {
            b'\n' => break,
            b'\\' => match input.next() {
                Some((_, b'n')) => bytes.push(b'\n'),
                Some((_, b't')) => bytes.push(b'\t'),
                Some((_, b'0')) => bytes.push(0),
                Some((_, other)) => bytes.push(other),
                None => break,
            },
            byte if byte == quote => return Ok((bytes, at + 1)),
            byte => bytes.push(byte),
        }
    }
    Err("unterminated quote".to_owned())
}
