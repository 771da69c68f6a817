//! Splits Rust expressions into tokens.

use crate::EvalError;
use crate::long_double::Real;
use crate::syntax::characters::{Characters, begins_word, in_word, no_arguments};
use crate::syntax::lexer::Lexer;
use crate::syntax::token::Token;
use debuginfo::types::builtin::Builtin;

/// Operators and brackets, longer ones before their prefixes.
const SIGNS: &[&str] = &[
    "<<=", ">>=", "..=", "..", "->", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=",
    "&=", "|=", "^=", "(", ")", "[", "]", ".", "+", "-", "*", "/", "%", "&", "|", "^", "!", "<", ">", "=", ":", ";",
    ",", "{", "}", "@", "~",
];

pub(crate) struct RustLexer;

impl Lexer for RustLexer {
    /// The tokens before tell a field from a number, and a path in angle brackets from a comparison.
    fn token(&self, text: &mut Characters<'_>, before: &[(Token, u32)]) -> Result<Token, EvalError> {
        let start = text.position();
        let last = before.last().map(|(token, _)| token);
        if let Some(literal) = literal(text)? {
            return Ok(literal);
        }
        if let Some(name) = text.quoted_name(no_arguments) {
            return Ok(name);
        }
        if text.at("<") && is_operand_next(last) && qualified_length(text).is_some() {
            return Ok(Token::Word(path(text, true).into()));
        }
        if text.peek(0).is_some_and(begins_word) || text.at("::") {
            return Ok(Token::Word(path(text, false).into()));
        }
        if let Some(register) = text.register() {
            return Ok(register);
        }
        if text.peek(0).is_some_and(|c| c.is_ascii_digit()) {
            if last == Some(&Token::Sign(".")) {
                return Ok(Token::Word(text.take_while(|c| c.is_ascii_digit()).into()));
            }
            return number(text);
        }
        text.sign(SIGNS).ok_or_else(|| text.syntax_error(start))
    }
}

/// Returns the length of the angle brackets that begin here, if they are closed.
fn angle_length(text: &Characters<'_>) -> Option<usize> {
    let mut depth = 0_u32;
    let mut previous = ' ';
    for (length, c) in text.rest().iter().enumerate() {
        match c {
            '<' => depth += 1,
            '>' if previous != '-' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(length + 1);
        }
        previous = *c;
    }
    None
}

/// As [`angle_length`], for `<T as Trait>::name`.
fn qualified_length(text: &Characters<'_>) -> Option<usize> {
    let length = angle_length(text)?;
    (text.peek(length) == Some(':') && text.peek(length + 1) == Some(':')).then_some(length)
}

/// Reads a path with its generic arguments: `a::B::<u8>::c`, `<T as Trait>::f`, `{impl#0}`.
fn path(text: &mut Characters<'_>, qualified: bool) -> String {
    let mut path = String::new();
    if qualified && let Some(length) = angle_length(text) {
        path = spaced(&text.take(length));
    }
    loop {
        if text.at("::") {
            text.advance(2);
            path.push_str(if text.peek(0) == Some('<') { "" } else { "::" });
        }
        if text.peek(0) == Some('<')
            && let Some(length) = angle_length(text)
        {
            path.push_str(&spaced(&text.take(length)));
        } else if text.peek(0) == Some('{') && path.ends_with("::") {
            let length = text.rest().iter().position(|c| *c == '}').map_or(1, |at| at + 1);
            path.push_str(&text.take(length));
        } else {
            if text.at("r#") {
                text.advance(2);
            }
            path.push_str(&text.take_while(in_word));
        }
        if !text.at("::") {
            return path;
        }
    }
}

fn literal(text: &mut Characters<'_>) -> Result<Option<Token>, EvalError> {
    let is_byte = text.peek(0) == Some('b');
    let unit = if is_byte { Builtin::U8 } else { Builtin::RustChar };
    let mut ahead = usize::from(is_byte);
    if text.peek(ahead) == Some('r') {
        ahead += 1;
        let hashes = text.rest().iter().skip(ahead).take_while(|c| **c == '#').count();
        if text.peek(ahead + hashes) == Some('"') {
            text.advance(ahead + hashes + 1);
            return raw_text(text, hashes, unit).map(Some);
        }
        return Ok(None);
    }
    match text.peek(ahead) {
        Some('"') => {
            text.advance(ahead + 1);
            quoted(text, unit).map(Some)
        }
        Some('\'') if text.peek(ahead + 1) == Some('\\') || text.peek(ahead + 2) == Some('\'') => {
            text.advance(ahead + 1);
            let code = match text.peek(0) {
                Some('\\') => escape(text)?.unwrap_or(0),
                c => {
                    text.advance(1);
                    c.map_or(0, |c| c as u32)
                }
            };
            if text.peek(0) != Some('\'') {
                return Err(text.fault(text.position(), "Unterminated character literal"));
            }
            text.advance(1);
            Ok(Some(Token::Character(code, unit)))
        }
        _ => Ok(None),
    }
}

fn raw_text(text: &mut Characters<'_>, hashes: usize, unit: Builtin) -> Result<Token, EvalError> {
    let closing = |from: usize| (1..=hashes).all(|n| text.peek(from + n) == Some('#'));
    let mut quotes = text.rest().iter().enumerate().filter(|(_, c)| **c == '"');
    let Some((length, _)) = quotes.find(|(at, _)| closing(*at)) else {
        return Err(text.fault(text.position(), "Unexpected EOF in string"));
    };
    let inside = text.take(length);
    text.advance(1 + hashes);
    Ok(Token::Text(inside.bytes().map(u32::from).collect(), unit))
}

fn quoted(text: &mut Characters<'_>, unit: Builtin) -> Result<Token, EvalError> {
    let start = text.position();
    let mut units = Vec::new();
    let add = |units: &mut Vec<u32>, c: char| units.extend(c.encode_utf8(&mut [0; 4]).bytes().map(u32::from));
    loop {
        match text.peek(0) {
            None => return Err(text.fault(start, "Unexpected EOF in string")),
            Some('"') => {
                text.advance(1);
                return Ok(Token::Text(units, unit));
            }
            Some('\\') => match escape(text)? {
                Some(code) if code < 0x80 || unit == Builtin::U8 => units.push(code),
                Some(code) => add(&mut units, char::from_u32(code).unwrap_or('\u{fffd}')),
                None => {}
            },
            Some(c) => {
                text.advance(1);
                add(&mut units, c);
            }
        }
    }
}

/// Reads an escape sequence; `None` for an escaped line end.
fn escape(text: &mut Characters<'_>) -> Result<Option<u32>, EvalError> {
    let start = text.position();
    let letter = text.peek(1);
    text.advance(2);
    let digits = match letter {
        Some('n') => return Ok(Some(10)),
        Some('r') => return Ok(Some(13)),
        Some('t') => return Ok(Some(9)),
        Some('0') => return Ok(Some(0)),
        Some(c @ ('\\' | '\'' | '"')) => return Ok(Some(c as u32)),
        Some('\n') => {
            text.take_while(char::is_whitespace);
            return Ok(None);
        }
        Some('x') => text.take(2),
        Some('u') if text.peek(0) == Some('{') => {
            text.advance(1);
            let digits = text.take_while(|c| c.is_ascii_hexdigit() || c == '_').replace('_', "");
            if text.take(1) != "}" || digits.len() > 6 {
                return Err(text.fault(start, "Overlong or unclosed escape"));
            }
            digits
        }
        _ => return Err(text.fault(start, "Invalid escape")),
    };
    u32::from_str_radix(&digits, 16).map(Some).map_err(|_| text.fault(start, "Invalid hexadecimal digits in escape"))
}

fn number(text: &mut Characters<'_>) -> Result<Token, EvalError> {
    let start = text.position();
    let radix = match (text.peek(0), text.peek(1)) {
        (Some('0'), Some('x')) => 16,
        (Some('0'), Some('o')) => 8,
        (Some('0'), Some('b')) => 2,
        _ => 10,
    };
    if radix != 10 {
        text.advance(2);
    }
    let mut digits = text.take_while(|c| c.is_digit(radix) || c == '_');
    let mut floating = false;
    // `1..2` is a range, `1.max(2)` a call.
    let fraction = text.peek(1).is_none_or(|c| c != '.' && !begins_word(c));
    if radix == 10 && text.peek(0) == Some('.') && fraction {
        floating = true;
        text.advance(1);
        digits = format!("{digits}.{}", text.take_while(|c| c.is_ascii_digit() || c == '_'));
    }
    let signed = usize::from(matches!(text.peek(1), Some('+' | '-')));
    if radix == 10
        && matches!(text.peek(0), Some('e' | 'E'))
        && text.peek(1 + signed).is_some_and(|c| c.is_ascii_digit())
    {
        floating = true;
        digits.push_str(&text.take(1 + signed));
        digits.push_str(&text.take_while(|c| c.is_ascii_digit() || c == '_'));
    }
    let behind = text.position();
    let suffix = text.take_while(in_word);
    let digits = digits.replace('_', "");
    let unknown = || text.syntax_error(behind);
    let ty = match suffix.as_str() {
        "" => None,
        suffix => Some(Builtin::of_rust(suffix).ok_or_else(unknown)?),
    };
    match ty {
        Some(Builtin::I128 | Builtin::U128 | Builtin::CplusplusBool | Builtin::RustChar) => Err(unknown()),
        None | Some(Builtin::F32 | Builtin::F64) if floating || ty.is_some() => {
            let value: f64 = digits.parse().ok().filter(|_| radix == 10).ok_or_else(unknown)?;
            let value = if ty == Some(Builtin::F32) { f64::from(value as f32) } else { value };
            Ok(Token::Float(Real::Double(value), ty.unwrap_or(Builtin::F64)))
        }
        _ if floating => Err(unknown()),
        ty => {
            if digits.is_empty() {
                return Err(text.syntax_error(start + 1));
            }
            let too_large = |_| text.fault(start, "Integer literal is too large");
            let value = u64::from_str_radix(&digits, radix).map_err(too_large)?;
            let fits = if i32::try_from(value).is_ok() { Builtin::I32 } else { Builtin::I64 };
            Ok(Token::Integer(value, ty.unwrap_or(fits)))
        }
    }
}

/// True if an operand must follow, since no operator can follow the last token.
fn is_operand_next(last: Option<&Token>) -> bool {
    match last {
        None => true,
        Some(Token::Sign(sign)) => !matches!(*sign, ")" | "]" | "}"),
        Some(_) => false,
    }
}

/// Normalizes a name to the compiler's spacing: blanks after commas, and between adjacent words.
pub(crate) fn spaced(name: &str) -> String {
    let mut spaced = String::with_capacity(name.len());
    let mut blank = false;
    for c in name.chars() {
        if c.is_whitespace() {
            blank = true;
            continue;
        }
        let joins = |last: char| in_word(last) && (in_word(c) || c == '<' && spaced.ends_with(" as"));
        let separate = match (spaced.chars().last(), c) {
            (Some(','), _) => true,
            (Some('>' | ')' | ']'), c) => blank && in_word(c),
            (Some(last), '<' | '(' | '[' | '&' | '*') if in_word(last) => blank && !matches!(c, '<' | '('),
            (Some('+'), _) | (Some(_), '+') => blank,
            (Some(last), _) => blank && joins(last),
            (None, _) => false,
        };
        if separate {
            spaced.push(' ');
        }
        spaced.push(c);
        blank = false;
    }
    spaced
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::lexer::tokens;

    fn words(text: &str) -> Vec<Token> {
        tokens(text, &RustLexer).unwrap().into_iter().map(|(token, _)| token).collect()
    }

    fn word(text: &str) -> Token {
        Token::Word(text.into())
    }

    #[test]
    fn numbers_with_suffixes_and_underscores() {
        for (text, value, ty) in [
            ("0", 0, Builtin::I32),
            ("1_000", 1000, Builtin::I32),
            ("5000000000", 5_000_000_000, Builtin::I64),
            ("0xff_u8", 255, Builtin::U8),
            ("0o17", 15, Builtin::I32),
            ("0b11usize", 3, Builtin::Usize),
            ("7i64", 7, Builtin::I64),
        ] {
            assert_eq!(words(text), [Token::Integer(value, ty)], "{text}");
        }
        for (text, value, ty) in [
            ("1.5", 1.5, Builtin::F64),
            ("1.", 1.0, Builtin::F64),
            ("1e-3", 0.001, Builtin::F64),
            ("2.5f32", 2.5, Builtin::F32),
            ("3f64", 3.0, Builtin::F64),
        ] {
            assert_eq!(words(text), [Token::Float(Real::Double(value), ty)], "{text}");
        }
        for text in ["0x", "0b2", "1u", "1i7", "1.5u8", "18446744073709551616", "1u128"] {
            assert!(tokens(text, &RustLexer).is_err(), "{text}");
        }
    }

    #[test]
    fn fields_and_ranges_are_no_fractions() {
        let (a, dot) = (word("a"), Token::Sign("."));
        assert_eq!(words("a.0.1"), [a, dot.clone(), word("0"), dot, word("1")]);
        let number = |n| Token::Integer(n, Builtin::I32);
        assert_eq!(words("1..=2"), [number(1), Token::Sign("..="), number(2)]);
        assert_eq!(words("1.."), [number(1), Token::Sign("..")]);
    }

    #[test]
    fn texts_and_characters() {
        let text = |text: &str, ty| Token::Text(text.bytes().map(u32::from).collect(), ty);
        assert_eq!(words(r#""a\n\x41\u{e9}""#), [text("a\nAé", Builtin::RustChar)]);
        assert_eq!(words(r##"r#"a"\b"#"##), [text("a\"\\b", Builtin::RustChar)]);
        assert_eq!(words(r#"b"\xff""#), [Token::Text(vec![255], Builtin::U8)]);
        assert_eq!(words(r"'\''"), [Token::Character(39, Builtin::RustChar)]);
        assert_eq!(words("b'a'"), [Token::Character(97, Builtin::U8)]);
        for broken in ["\"a", "r#\"a\"", r"'\u{1234567}'", r"'\q'", "'\\"] {
            assert!(tokens(broken, &RustLexer).is_err(), "{broken}");
        }
    }

    #[test]
    fn paths_with_what_they_are_made_of() {
        assert_eq!(words("a::B::<u8,C<D>>::f"), [word("a::B<u8, C<D>>::f")]);
        assert_eq!(words("<a::B as c::D<E>>::f"), [word("<a::B as c::D<E>>::f")]);
        assert_eq!(words("a::{impl#0}::f"), [word("a::{impl#0}::f")]);
        assert_eq!(words("a < b"), [word("a"), Token::Sign("<"), word("b")]);
        assert_eq!(words("r#type"), [word("type")]);
        assert_eq!(spaced("<&  [u8] as  T< dyn A + B >>"), "<&[u8] as T<dyn A + B>>");
    }
}
