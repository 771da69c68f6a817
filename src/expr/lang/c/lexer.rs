//! Splits expressions of C and C++ into tokens; other languages share parts of it.

use crate::EvalError;
use crate::lang::cpp::template_arguments::template_arguments;
use crate::long_double::Real;
use crate::syntax::characters::{Characters, begins_word, in_word};
use crate::syntax::lexer::Lexer;
use crate::syntax::token::Token;
use debuginfo::types::builtin::Builtin;
use model::ErrorCode;

/// Operators and brackets, longer ones before their prefixes.
const SIGNS: &[&str] = &[
    "<<=", ">>=", "...", "->*", "::*", ".*", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=",
    "-=", "*=", "/=", "%=", "&=", "|=", "^=", "(", ")", "[", "]", ".", "+", "-", "*", "/", "%", "&", "|", "^", "~",
    "!", "<", ">", "=", "?", ":", ",", "{", "}", "@",
];

/// The scope of names in an unnamed namespace.
const UNNAMED: &str = "(anonymous namespace)::";

pub(crate) struct CLexer;

impl Lexer for CLexer {
    fn token(&self, text: &mut Characters<'_>, _: &[(Token, u32)]) -> Result<Token, EvalError> {
        if let Some(name) = text.quoted_name(template_arguments) {
            return Ok(name);
        }
        if let Some(literal) = literal(text)? {
            return Ok(literal);
        }
        // As gdb and compilers write it.
        if text.at(UNNAMED) {
            text.advance(UNNAMED.len());
            return Ok(Token::Word(format!("{UNNAMED}{}", text.scoped_name(template_arguments)).into()));
        }
        if text.peek(0).is_some_and(begins_word) || text.at("::") && !text.at("::*") {
            return Ok(Token::Word(text.scoped_name(template_arguments).into()));
        }
        if let Some(register) = text.register() {
            return Ok(register);
        }
        if at_number(text) {
            let start = text.position();
            let written = take_number(text, &[], |_, _| false);
            return number(start, &written, &written.to_ascii_lowercase());
        }
        sign(text)
    }
}

/// Reads a character or string literal; its prefix gives the width of its characters.
pub(crate) fn literal(text: &mut Characters<'_>) -> Result<Option<Token>, EvalError> {
    let is_quote = |ahead| matches!(text.peek(ahead), Some('"' | '\''));
    let (kind, prefix) = match text.peek(0) {
        Some('"' | '\'') => (Builtin::Char, 0),
        Some('L') if is_quote(1) => (Builtin::WideChar, 1),
        Some('U') if is_quote(1) => (Builtin::Char32, 1),
        Some('u') if is_quote(1) => (Builtin::Char16, 1),
        Some('u') if text.peek(1) == Some('8') && is_quote(2) => (Builtin::Char, 2),
        _ => return Ok(None),
    };
    text.advance(prefix);
    quoted(text, kind).map(Some)
}

fn quoted(text: &mut Characters<'_>, kind: Builtin) -> Result<Token, EvalError> {
    let start = text.position();
    let quote = text.peek(0).unwrap_or('"');
    text.advance(1);
    let mut units = Vec::new();
    loop {
        match text.peek(0) {
            None if quote == '"' => return Err(text.fault(start, "Unterminated string in expression.")),
            None => return Err(text.fault(start, "Unmatched single quote.")),
            Some(c) if c == quote => {
                text.advance(1);
                break;
            }
            Some('\\') => {
                text.advance(1);
                units.push(escape(text)?);
            }
            Some(c) => {
                text.advance(1);
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
        (_, []) => Err(text.fault(start, "Empty character constant.")),
        (_, [unit]) => Ok(Token::Character(*unit, kind)),
        _ => Err(text.fault(start, "Character constant with more than one character.")),
    }
}

/// Reads an escape sequence whose backslash has been read.
fn escape(text: &mut Characters<'_>) -> Result<u32, EvalError> {
    let start = text.position();
    let Some(c) = text.peek(0) else { return Err(text.fault(start, "Unmatched backslash.")) };
    text.advance(1);
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
            let digits = text.take_while(|c| c.is_ascii_hexdigit());
            u32::from_str_radix(&digits, 16).map_err(|_| text.fault(start, "Bad hexadecimal escape."))?
        }
        '0'..='7' => {
            let mut value = c as u32 - '0' as u32;
            for _ in 0..2 {
                let Some(digit) = text.peek(0).and_then(|c| c.to_digit(8)) else { break };
                value = value * 8 + digit;
                text.advance(1);
            }
            value
        }
        c => c as u32,
    })
}

pub(crate) fn at_number(text: &Characters<'_>) -> bool {
    let is_digit = |ahead| text.peek(ahead).is_some_and(|c| c.is_ascii_digit());
    is_digit(0) || text.at(".") && is_digit(1)
}

/// Reads the text of a number. `exponents` are letters that a sign may follow, in addition to C's; `ends` is called at
/// each `.` and returns true if an operator begins there.
pub(crate) fn take_number(
    text: &mut Characters<'_>,
    exponents: &[char],
    ends: impl Fn(&Characters<'_>, usize) -> bool,
) -> String {
    let hexadecimal = text.at("0x") || text.at("0X");
    let has_exponent = |before: char| match before {
        'e' | 'E' => !hexadecimal,
        'p' | 'P' => hexadecimal,
        letter => exponents.contains(&letter),
    };
    let mut length = 0;
    let mut before = None;
    while let Some(c) = text.peek(length) {
        let sign = matches!(c, '+' | '-') && before.is_some_and(has_exponent);
        if !(in_word(c) || c == '.' || sign) || c == '.' && ends(text, length) {
            break;
        }
        before = Some(c);
        length += 1;
    }
    text.take(length)
}

/// Converts the number written at `start`; `lower` is the same in lower case and with C's exponents.
pub(crate) fn number(start: usize, written: &str, lower: &str) -> Result<Token, EvalError> {
    let fault = |message: String| EvalError::new(ErrorCode::DEBUGGER, message).at(start as u32);
    let invalid = || fault(format!("Invalid number \"{written}\"."));
    let hexadecimal = lower.starts_with("0x");
    let floating = lower.contains('.') || (!hexadecimal && lower.contains('e')) || (hexadecimal && lower.contains('p'));
    if floating {
        let (digits, ty) = match lower.strip_suffix(['f', 'l']) {
            Some(digits) if !hexadecimal || lower.contains('p') => {
                (digits, if lower.ends_with('f') { Builtin::Float } else { Builtin::LongDouble })
            }
            _ => (lower, Builtin::Double),
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
    let value = u64::from_str_radix(digits, radix).map_err(|_| fault("Numeric constant too large.".to_owned()))?;
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

pub(crate) fn sign(text: &mut Characters<'_>) -> Result<Token, EvalError> {
    let at = text.position();
    text.sign(SIGNS).ok_or_else(|| match text.peek(0) {
        Some(c) if !matches!(c, '\\' | '#' | ';' | '`') => {
            text.fault(at, format!("Invalid character '{c}' in expression."))
        }
        _ => text.syntax_error(at),
    })
}

/// Parses `0x1.8p3`, without its suffix.
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
