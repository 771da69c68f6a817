//! Words of an expression in Rust.

use crate::EvalError;
use crate::long_double::Real;
use crate::syntax::token::{Lexer, Token, begins_word, in_word, syntax_error};
use debuginfo::types::builtin::Builtin;

/// Signs, longer ones before their beginnings.
const SIGNS: &[&str] = &[
    "<<=", ">>=", "..=", "..", "->", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=",
    "&=", "|=", "^=", "(", ")", "[", "]", ".", "+", "-", "*", "/", "%", "&", "|", "^", "!", "<", ">", "=", ":", ";",
    ",", "{", "}", "@", "~",
];

impl Lexer<'_> {
    /// The next word; what is before it tells a field from a number, and a path in angle brackets from a comparison.
    pub(crate) fn next_of_rust(&mut self, before: &[(Token, u32)]) -> Result<Option<(Token, u32)>, EvalError> {
        self.take_while(char::is_whitespace);
        let start = self.at;
        let Some(first) = self.peek(0) else { return Ok(None) };
        let last = before.last().map(|(token, _)| token);
        let token = if let Some(literal) = self.rust_literal()? {
            literal
        } else if let Some(name) = self.quoted_name() {
            Token::Word(name.into())
        } else if first == '<' && is_operand_next(last) && self.qualified_length().is_some() {
            Token::Word(self.rust_path(true).into())
        } else if begins_word(first) || first == ':' && self.peek(1) == Some(':') {
            Token::Word(self.rust_path(false).into())
        } else if first == '$' {
            self.at += 1;
            Token::Register(self.take_while(|c| in_word(c) || c == '$').into())
        } else if first.is_ascii_digit() && last == Some(&Token::Sign(".")) {
            Token::Word(self.take_while(|c| c.is_ascii_digit()).into())
        } else if first.is_ascii_digit() {
            self.rust_number()?
        } else {
            let sign = SIGNS.iter().find(|sign| sign.chars().enumerate().all(|(n, c)| self.peek(n) == Some(c)));
            let Some(sign) = sign else { return Err(syntax_error(self.text, start as u32)) };
            self.at += sign.len();
            Token::Sign(sign)
        };
        Ok(Some((token, start as u32)))
    }

    /// The length of the angle brackets that begin here, if they are closed.
    pub(crate) fn angle_length(&self, ahead: usize) -> Option<usize> {
        let mut depth = 0_u32;
        let mut previous = ' ';
        for (length, c) in self.characters.iter().skip(self.at + ahead).enumerate() {
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

    /// As [`Self::angle_length`], of `<T as Trait>::name`.
    fn qualified_length(&self) -> Option<usize> {
        let length = self.angle_length(0)?;
        (self.peek(length) == Some(':') && self.peek(length + 1) == Some(':')).then_some(length)
    }

    fn take(&mut self, length: usize) -> String {
        let taken = self.characters.iter().skip(self.at).take(length).collect();
        self.at += length;
        taken
    }

    /// A name with the names of what it is in and what they are made of: `a::B::<u8>::c`, `<T as Trait>::f`, `{impl#0}`.
    fn rust_path(&mut self, qualified: bool) -> String {
        let mut path = String::new();
        if qualified && let Some(length) = self.angle_length(0) {
            path = spaced(&self.take(length));
        }
        loop {
            if self.peek(0) == Some(':') && self.peek(1) == Some(':') {
                self.at += 2;
                path.push_str(if self.peek(0) == Some('<') { "" } else { "::" });
            }
            if self.peek(0) == Some('<')
                && let Some(length) = self.angle_length(0)
            {
                path.push_str(&spaced(&self.take(length)));
            } else if self.peek(0) == Some('{') && path.ends_with("::") {
                let length = self.characters.iter().skip(self.at).position(|c| *c == '}').map_or(1, |at| at + 1);
                path.push_str(&self.take(length));
            } else {
                if self.peek(0) == Some('r') && self.peek(1) == Some('#') {
                    self.at += 2;
                }
                path.push_str(&self.take_while(in_word));
            }
            if self.peek(0) != Some(':') || self.peek(1) != Some(':') {
                return path;
            }
        }
    }

    fn rust_literal(&mut self) -> Result<Option<Token>, EvalError> {
        let is_byte = self.peek(0) == Some('b');
        let unit = if is_byte { Builtin::U8 } else { Builtin::RustChar };
        let mut ahead = usize::from(is_byte);
        if self.peek(ahead) == Some('r') {
            ahead += 1;
            let hashes = self.characters.iter().skip(self.at + ahead).take_while(|c| **c == '#').count();
            if self.peek(ahead + hashes) == Some('"') {
                self.at += ahead + hashes + 1;
                return self.raw_text(hashes, unit).map(Some);
            }
            return Ok(None);
        }
        match self.peek(ahead) {
            Some('"') => {
                self.at += ahead + 1;
                self.rust_text(unit).map(Some)
            }
            Some('\'') if self.peek(ahead + 1) == Some('\\') || self.peek(ahead + 2) == Some('\'') => {
                self.at += ahead + 1;
                let code = match self.peek(0) {
                    Some('\\') => self.rust_escape()?.unwrap_or(0),
                    c => {
                        self.at += 1;
                        c.map_or(0, |c| c as u32)
                    }
                };
                if self.peek(0) != Some('\'') {
                    return Err(self.fault(self.at, "Unterminated character literal"));
                }
                self.at += 1;
                Ok(Some(Token::Character(code, unit)))
            }
            _ => Ok(None),
        }
    }

    fn raw_text(&mut self, hashes: usize, unit: Builtin) -> Result<Token, EvalError> {
        let start = self.at;
        loop {
            match self.peek(0) {
                None => return Err(self.fault(start, "Unexpected EOF in string")),
                Some('"') if (1..=hashes).all(|n| self.peek(n) == Some('#')) => break,
                Some(_) => self.at += 1,
            }
        }
        let text: String = self.characters.iter().take(self.at).skip(start).collect();
        self.at += 1 + hashes;
        Ok(Token::Text(text.bytes().map(u32::from).collect(), unit))
    }

    fn rust_text(&mut self, unit: Builtin) -> Result<Token, EvalError> {
        let start = self.at;
        let mut units = Vec::new();
        let add = |units: &mut Vec<u32>, c: char| units.extend(c.encode_utf8(&mut [0; 4]).bytes().map(u32::from));
        loop {
            match self.peek(0) {
                None => return Err(self.fault(start, "Unexpected EOF in string")),
                Some('"') => {
                    self.at += 1;
                    return Ok(Token::Text(units, unit));
                }
                Some('\\') => match self.rust_escape()? {
                    Some(code) if code < 0x80 || unit == Builtin::U8 => units.push(code),
                    Some(code) => add(&mut units, char::from_u32(code).unwrap_or('\u{fffd}')),
                    None => {}
                },
                Some(c) => {
                    self.at += 1;
                    add(&mut units, c);
                }
            }
        }
    }

    /// What a backslash and what follows stand for; nothing at the end of a line.
    fn rust_escape(&mut self) -> Result<Option<u32>, EvalError> {
        let start = self.at;
        let letter = self.peek(1);
        self.at += 2;
        let digits = match letter {
            Some('n') => return Ok(Some(10)),
            Some('r') => return Ok(Some(13)),
            Some('t') => return Ok(Some(9)),
            Some('0') => return Ok(Some(0)),
            Some(c @ ('\\' | '\'' | '"')) => return Ok(Some(c as u32)),
            Some('\n') => {
                self.take_while(char::is_whitespace);
                return Ok(None);
            }
            Some('x') => self.take(2),
            Some('u') if self.peek(0) == Some('{') => {
                self.at += 1;
                let digits = self.take_while(|c| c.is_ascii_hexdigit() || c == '_').replace('_', "");
                if self.take(1) != "}" || digits.len() > 6 {
                    return Err(self.fault(start, "Overlong or unclosed escape"));
                }
                digits
            }
            _ => return Err(self.fault(start, "Invalid escape")),
        };
        u32::from_str_radix(&digits, 16)
            .map(Some)
            .map_err(|_| self.fault(start, "Invalid hexadecimal digits in escape"))
    }

    fn rust_number(&mut self) -> Result<Token, EvalError> {
        let start = self.at;
        let radix = match (self.peek(0), self.peek(1)) {
            (Some('0'), Some('x')) => 16,
            (Some('0'), Some('o')) => 8,
            (Some('0'), Some('b')) => 2,
            _ => 10,
        };
        if radix != 10 {
            self.at += 2;
        }
        let mut digits = self.take_while(|c| c.is_digit(radix) || c == '_');
        let mut floating = false;
        // `1..2` is a range, `1.max(2)` a call.
        let fraction = self.peek(1).is_none_or(|c| c != '.' && !begins_word(c));
        if radix == 10 && self.peek(0) == Some('.') && fraction {
            floating = true;
            self.at += 1;
            digits = format!("{digits}.{}", self.take_while(|c| c.is_ascii_digit() || c == '_'));
        }
        let signed = usize::from(matches!(self.peek(1), Some('+' | '-')));
        if radix == 10
            && matches!(self.peek(0), Some('e' | 'E'))
            && self.peek(1 + signed).is_some_and(|c| c.is_ascii_digit())
        {
            floating = true;
            digits.push_str(&self.take(1 + signed));
            digits.push_str(&self.take_while(|c| c.is_ascii_digit() || c == '_'));
        }
        let behind = self.at;
        let suffix = self.take_while(in_word);
        let digits = digits.replace('_', "");
        let unknown = || syntax_error(self.text, behind as u32);
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
                    return Err(syntax_error(self.text, start as u32 + 1));
                }
                let too_large = |_| self.fault(start, "Integer literal is too large");
                let value = u64::from_str_radix(&digits, radix).map_err(too_large)?;
                let fits = if i32::try_from(value).is_ok() { Builtin::I32 } else { Builtin::I64 };
                Ok(Token::Integer(value, ty.unwrap_or(fits)))
            }
        }
    }
}

/// Whether what follows a word begins a value, since the word is no value that an operator could follow.
fn is_operand_next(last: Option<&Token>) -> bool {
    match last {
        None => true,
        Some(Token::Sign(sign)) => !matches!(*sign, ")" | "]" | "}"),
        Some(_) => false,
    }
}

/// A name with the blanks that the compiler writes: behind commas, and where words would meet.
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
    use crate::syntax::token::{Dialect, tokens};

    fn words(text: &str) -> Vec<Token> {
        tokens(text, Dialect::Rust).unwrap().into_iter().map(|(token, _)| token).collect()
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
            assert!(tokens(text, Dialect::Rust).is_err(), "{text}");
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
            assert!(tokens(broken, Dialect::Rust).is_err(), "{broken}");
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
