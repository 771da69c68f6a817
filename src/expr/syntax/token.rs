//! The words of an expression.

use crate::EvalError;
use crate::long_double::Real;
use debuginfo::types::builtin::Builtin;
use model::ErrorCode;
use std::sync::Arc;

/// Longest expression, in bytes.
const LONGEST: usize = 65536;

/// A word.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Token {
    /// A name or keyword, `::` included.
    Word(Arc<str>),
    /// `$rip`, without the dollar.
    Register(Arc<str>),
    Integer(u64, Builtin),
    Float(Real, Builtin),
    /// A character constant; its type says how wide.
    Character(u32, Builtin),
    /// A string literal; the type of its elements.
    Text(Vec<u32>, Builtin),
    /// An operator or bracket.
    Sign(&'static str),
}

/// Signs, longer ones before their beginnings.
const SIGNS: &[&str] = &[
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=",
    "%=", "&=", "|=", "^=", "(", ")", "[", "]", ".", "+", "-", "*", "/", "%", "&", "|", "^", "~", "!", "<", ">", "=",
    "?", ":", ",", "{", "}", "@",
];

/// An error of syntax, worded as gdb words it: what follows from `position`, counted in characters.
pub(crate) fn syntax_error(text: &str, position: u32) -> EvalError {
    let rest: String = text.chars().skip(position as usize).collect();
    EvalError::new(ErrorCode::DEBUGGER, format!("A syntax error in expression, near `{rest}'.")).at(position)
}

/// The words of a text, each with the character it begins at.
pub(crate) fn tokens(text: &str, dialect: Dialect) -> Result<Vec<(Token, u32)>, EvalError> {
    if text.len() > LONGEST {
        return Err(EvalError::new(ErrorCode::DEBUGGER, format!("An expression is at most {LONGEST} bytes long.")));
    }
    let characters: Vec<char> = text.chars().collect();
    let mut lexer = Lexer { text, dialect, characters: &characters, at: 0 };
    let mut tokens = Vec::new();
    while let Some(token) = if dialect == Dialect::Rust { lexer.next_of_rust(&tokens)? } else { lexer.next()? } {
        tokens.push(token);
    }
    Ok(tokens)
}

/// Which language an expression is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// C, and all that is like it.
    C,
    Fortran,
    Rust,
}

pub(crate) struct Lexer<'a> {
    pub(crate) text: &'a str,
    pub(crate) dialect: Dialect,
    pub(crate) characters: &'a [char],
    pub(crate) at: usize,
}

pub(crate) fn begins_word(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

pub(crate) fn in_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

impl Lexer<'_> {
    pub(crate) fn peek(&self, ahead: usize) -> Option<char> {
        self.characters.get(self.at + ahead).copied()
    }

    pub(crate) fn take_while(&mut self, fits: impl Fn(char) -> bool) -> String {
        let taken: String = self.characters.iter().skip(self.at).take_while(|c| fits(**c)).collect();
        self.at += taken.chars().count();
        taken
    }

    pub(crate) fn fault(&self, position: usize, message: impl Into<String>) -> EvalError {
        EvalError::new(ErrorCode::DEBUGGER, message).at(position as u32)
    }

    fn next(&mut self) -> Result<Option<(Token, u32)>, EvalError> {
        self.take_while(char::is_whitespace);
        let start = self.at;
        let Some(first) = self.peek(0) else { return Ok(None) };
        let own = if self.dialect == Dialect::Fortran { self.fortran()? } else { None };
        let token = if let Some(token) = own {
            token
        } else if let Some(name) = self.quoted_name() {
            Token::Word(name.into())
        } else if let Some((kind, prefix)) = self.quoted() {
            self.at += prefix;
            self.literal(kind)?
        } else if begins_word(first) || self.dialect == Dialect::C && first == ':' && self.peek(1) == Some(':') {
            Token::Word(self.word().into())
        } else if first == '$' {
            self.at += 1;
            Token::Register(self.take_while(|c| in_word(c) || c == '$').into())
        } else if first.is_ascii_digit() || first == '.' && self.peek(1).is_some_and(|c| c.is_ascii_digit()) {
            self.number()?
        } else {
            let sign = SIGNS.iter().find(|sign| sign.chars().enumerate().all(|(n, c)| self.peek(n) == Some(c)));
            let Some(sign) = sign else {
                return Err(match first {
                    '\\' | '#' | ';' | '`' => syntax_error(self.text, start as u32),
                    c => self.fault(start, format!("Invalid character '{c}' in expression.")),
                });
            };
            self.at += sign.len();
            Token::Sign(sign)
        };
        Ok(Some((token, start as u32)))
    }

    /// A name, with the names of what it is in: `std::cout`, `::x`.
    fn word(&mut self) -> String {
        let mut word = String::new();
        loop {
            if self.peek(0) == Some(':') && self.peek(1) == Some(':') && self.peek(2).is_some_and(begins_word) {
                self.at += 2;
                word.push_str("::");
            }
            let part = self.take_while(in_word);
            if part.is_empty() {
                self.at += usize::from(word.is_empty());
                return word;
            }
            word.push_str(&part);
            word.push_str(&self.template_arguments(&part));
            if self.peek(0) != Some(':') || self.peek(1) != Some(':') {
                return word;
            }
        }
    }

    /// A name in single quotes, which may have any characters: a file, an overload; with what follows behind `::`. One
    /// character in quotes is a character.
    pub(crate) fn quoted_name(&mut self) -> Option<String> {
        if self.peek(0) != Some('\'') {
            return None;
        }
        let rest = self.characters.get(self.at + 1..)?;
        let length = rest.iter().position(|c| *c == '\'')?;
        let inside = rest.get(..length)?;
        if length < 2 || inside.contains(&'\\') {
            return None;
        }
        let mut name: String = inside.iter().collect();
        self.at += length + 2;
        if self.peek(0) == Some(':') && self.peek(1) == Some(':') && self.peek(2).is_some_and(begins_word) {
            self.at += 2;
            name.push_str("::");
            name.push_str(&self.word());
        }
        Some(name)
    }

    /// The kind of the literal that begins here, and the length of its prefix.
    fn quoted(&self) -> Option<(Builtin, usize)> {
        let is_quote = |ahead| matches!(self.peek(ahead), Some('"' | '\''));
        match self.peek(0)? {
            '"' | '\'' => Some((Builtin::Char, 0)),
            'L' if is_quote(1) => Some((Builtin::WideChar, 1)),
            'U' if is_quote(1) => Some((Builtin::Char32, 1)),
            'u' if is_quote(1) => Some((Builtin::Char16, 1)),
            'u' if self.peek(1) == Some('8') && is_quote(2) => Some((Builtin::Char, 2)),
            _ => None,
        }
    }

    fn literal(&mut self, kind: Builtin) -> Result<Token, EvalError> {
        let start = self.at;
        let quote = self.peek(0).unwrap_or('"');
        self.at += 1;
        let mut units = Vec::new();
        loop {
            match self.peek(0) {
                None if quote == '"' => return Err(self.fault(start, "Unterminated string in expression.")),
                None => return Err(self.fault(start, "Unmatched single quote.")),
                Some(c) if c == quote => {
                    self.at += 1;
                    break;
                }
                Some('\\') => {
                    self.at += 1;
                    units.push(self.escape()?);
                }
                Some(c) => {
                    self.at += 1;
                    match kind {
                        Builtin::Char => units.extend(c.encode_utf8(&mut [0; 4]).bytes().map(u32::from)),
                        Builtin::Char16 => units.extend(c.encode_utf16(&mut [0; 2]).iter().map(|u| u32::from(*u))),
                        _ => units.push(c as u32),
                    }
                }
            }
        }
        match (quote, units.as_slice()) {
            ('"', _) => Ok(Token::Text(units, kind)),
            (_, []) => Err(self.fault(start, "Empty character constant.")),
            (_, [unit]) => Ok(Token::Character(*unit, kind)),
            _ => Err(self.fault(start, "Character constant with more than one character.")),
        }
    }

    /// What follows a backslash.
    fn escape(&mut self) -> Result<u32, EvalError> {
        let start = self.at;
        let Some(c) = self.peek(0) else { return Err(self.fault(start, "Unmatched backslash.")) };
        self.at += 1;
        Ok(match c {
            'a' => 7,
            'b' => 8,
            'e' => 27,
            'f' => 12,
            'n' => 10,
            'r' => 13,
            't' => 9,
            'v' => 11,
            'x' => {
                let digits = self.take_while(|c| c.is_ascii_hexdigit());
                u32::from_str_radix(&digits, 16).map_err(|_| self.fault(start, "Bad hexadecimal escape."))?
            }
            '0'..='7' => {
                let mut value = c as u32 - '0' as u32;
                for _ in 0..2 {
                    let Some(digit) = self.peek(0).and_then(|c| c.to_digit(8)) else { break };
                    value = value * 8 + digit;
                    self.at += 1;
                }
                value
            }
            c => c as u32,
        })
    }

    fn number(&mut self) -> Result<Token, EvalError> {
        let start = self.at;
        let hexadecimal = self.peek(0) == Some('0') && matches!(self.peek(1), Some('x' | 'X'));
        let mut end = start;
        while let Some(c) = self.characters.get(end).copied() {
            let before = end.checked_sub(1).filter(|_| end > start).and_then(|n| self.characters.get(n)).copied();
            let sign = matches!(c, '+' | '-')
                && match before {
                    Some('e' | 'E') => !hexadecimal,
                    Some('d' | 'D') => self.dialect == Dialect::Fortran,
                    Some('p' | 'P') => hexadecimal,
                    _ => false,
                };
            let operator = c == '.' && self.dialect == Dialect::Fortran && self.dotted(end - start).is_some();
            if !(in_word(c) || c == '.' || sign) || operator {
                break;
            }
            end += 1;
        }
        let text: String = self.characters.iter().skip(start).take(end - start).collect();
        self.at = end;
        let invalid = || self.fault(start, format!("Invalid number \"{text}\"."));
        let mut lower = text.to_ascii_lowercase();
        if self.dialect == Dialect::Fortran && !hexadecimal {
            lower = lower.replace('d', "e");
        }
        let floating =
            lower.contains('.') || (!hexadecimal && lower.contains('e')) || (hexadecimal && lower.contains('p'));
        if floating {
            let (digits, ty) = match lower.strip_suffix(['f', 'l']) {
                Some(digits) if !hexadecimal || lower.contains('p') => {
                    (digits, if lower.ends_with('f') { Builtin::Float } else { Builtin::LongDouble })
                }
                _ => (lower.as_str(), Builtin::Double),
            };
            let value = match ty {
                _ if hexadecimal => hexadecimal_float(digits).map(Real::Double),
                Builtin::LongDouble => Real::of_decimal(digits),
                _ => digits.parse().ok().map(Real::Double),
            };
            return value.map(|value| Token::Float(value, ty)).ok_or_else(invalid);
        }
        let digits = lower.trim_end_matches(['u', 'l']);
        let suffix = lower.get(digits.len()..).unwrap_or_default();
        let longs = suffix.matches('l').count();
        let unsigned = suffix.matches('u').count();
        if longs > 2 || unsigned > 1 {
            return Err(invalid());
        }
        let (digits, radix) = match digits.get(..2) {
            Some("0x") => (digits.get(2..).unwrap_or_default(), 16),
            Some("0b") => (digits.get(2..).unwrap_or_default(), 2),
            Some(_) if digits.starts_with('0') => (digits.get(1..).unwrap_or_default(), 8),
            _ => (digits, 10),
        };
        if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
            return Err(invalid());
        }
        let value = u64::from_str_radix(digits, radix).map_err(|_| self.fault(start, "Numeric constant too large."))?;
        // C17 6.4.4.1: the first type that holds the value; decimal constants without `u` are not unsigned.
        let fits_int = i32::try_from(value).is_ok() && longs == 0;
        let fits_unsigned = u32::try_from(value).is_ok() && longs == 0 && (unsigned > 0 || radix != 10);
        let fits_long = i64::try_from(value).is_ok();
        let ty = match (unsigned > 0, longs) {
            (false, _) if fits_int => Builtin::Int,
            (_, _) if fits_unsigned => Builtin::UnsignedInt,
            (false, 2) if fits_long => Builtin::LongLong,
            (false, _) if fits_long => Builtin::Long,
            (_, 2) => Builtin::UnsignedLongLong,
            _ => Builtin::UnsignedLong,
        };
        Ok(Token::Integer(value, ty))
    }
}

/// `0x1.8p3`, without its suffix.
fn hexadecimal_float(text: &str) -> Option<f64> {
    let (mantissa, exponent) = text.strip_prefix("0x")?.split_once('p')?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut value = 0.0;
    for digit in whole.chars().chain(fraction.chars()) {
        value = value * 16.0 + f64::from(digit.to_digit(16)?);
    }
    let exponent = exponent.parse::<i32>().ok()?.clamp(-5000, 5000) - 4 * fraction.len().min(5000) as i32;
    Some(value * 2_f64.powi(exponent))
}
