//! Formats of `printf` and `dprintf`, as in C and gdb.

use std::fmt;

/// The widest field, and the highest precision.
const WIDEST: u32 = 4096;

/// The size of an integer: gdb's `%d` prints an `int`, whatever the value's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntegerSize {
    /// An `int`.
    Int,
    /// A `long`, 8 bytes.
    Long,
}

/// The kind of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conversion {
    /// `%d`, `%i`
    Signed(IntegerSize),
    /// `%u`
    Unsigned(IntegerSize),
    /// `%o`
    Octal(IntegerSize),
    /// `%x`
    Hexadecimal(IntegerSize),
    /// `%X`
    UpperHexadecimal(IntegerSize),
    /// `%c`
    Character,
    /// `%s`
    Text,
    /// `%p`
    Pointer,
    /// `%f`
    Fixed,
    /// `%e`
    Exponent,
    /// `%g`
    General,
    /// `%E`
    UpperExponent,
    /// `%G`
    UpperGeneral,
}

impl Conversion {
    fn letter(self) -> char {
        match self {
            Self::Signed(_) => 'd',
            Self::Unsigned(_) => 'u',
            Self::Octal(_) => 'o',
            Self::Hexadecimal(_) => 'x',
            Self::UpperHexadecimal(_) => 'X',
            Self::Character => 'c',
            Self::Text => 's',
            Self::Pointer => 'p',
            Self::Fixed => 'f',
            Self::Exponent => 'e',
            Self::General => 'g',
            Self::UpperExponent => 'E',
            Self::UpperGeneral => 'G',
        }
    }

    fn of(letter: char, size: IntegerSize) -> Option<Self> {
        Some(match letter {
            'd' | 'i' => Self::Signed(size),
            'u' => Self::Unsigned(size),
            'o' => Self::Octal(size),
            'x' => Self::Hexadecimal(size),
            'X' => Self::UpperHexadecimal(size),
            'c' => Self::Character,
            's' => Self::Text,
            'p' => Self::Pointer,
            'f' | 'F' => Self::Fixed,
            'e' => Self::Exponent,
            'g' => Self::General,
            'E' => Self::UpperExponent,
            'G' => Self::UpperGeneral,
            _ => return None,
        })
    }

    fn size(self) -> Option<IntegerSize> {
        match self {
            Self::Signed(size)
            | Self::Unsigned(size)
            | Self::Octal(size)
            | Self::Hexadecimal(size)
            | Self::UpperHexadecimal(size) => Some(size),
            _ => None,
        }
    }
}

/// The flags of a conversion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "the flags of C's printf are independent of each other")]
pub struct Flags {
    /// `-`: at the left of the field.
    pub left: bool,
    /// `+`: with a sign also before positive numbers.
    pub sign: bool,
    /// A blank before positive numbers.
    pub blank: bool,
    /// `0`: filled with zeros.
    pub zeros: bool,
    /// `#`: with `0x` or `0`.
    pub prefix: bool,
}

/// A field of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its flags.
    pub flags: Flags,
    /// The least width.
    pub width: u32,
    /// The precision, if given.
    pub precision: Option<u32>,
    /// The kind of the conversion.
    pub conversion: Conversion,
}

/// A piece of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Text as it is, escapes and `%%` resolved.
    Text(String),
    /// A value.
    Field(Field),
}

/// A format.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PrintFormat(pub Vec<Piece>);

/// A format that cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct FormatError {
    /// The fault.
    pub message: String,
    /// The byte of the text at which it is.
    pub at: usize,
}

fn fault<T>(at: usize, message: impl Into<String>) -> Result<T, FormatError> {
    Err(FormatError { message: message.into(), at })
}

impl PrintFormat {
    /// Parses a quoted format at the start of a text; also returns the byte after its closing quote.
    pub fn parse_quoted(text: &str) -> Result<(Self, usize), FormatError> {
        if !text.starts_with('"') {
            return fault(0, "expected a format in double quotes");
        }
        let (content, end) = unescaped(text)?;
        Ok((Self::parse(&content)?, end))
    }

    /// Parses a format without quotes and escapes.
    fn parse(content: &[(usize, char)]) -> Result<Self, FormatError> {
        let mut pieces = Vec::new();
        let mut plain = String::new();
        let mut rest = Characters(content);
        while let Some(((at, c), after)) = rest.0.split_first() {
            rest.0 = after;
            if *c != '%' {
                plain.push(*c);
            } else if rest.take(|c| c == '%').is_some() {
                plain.push('%');
            } else {
                let field = rest.field(*at)?;
                if !plain.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut plain)));
                }
                pieces.push(Piece::Field(field));
            }
        }
        if !plain.is_empty() {
            pieces.push(Piece::Text(plain));
        }
        Ok(Self(pieces))
    }

    /// Returns the number of values that it prints.
    pub fn fields(&self) -> usize {
        self.0.iter().filter(|piece| matches!(piece, Piece::Field(_))).count()
    }
}

/// The characters of a format, with their bytes in the line.
struct Characters<'a>(&'a [(usize, char)]);

impl Characters<'_> {
    /// Takes the next character if it is one of those wanted.
    fn take(&mut self, wanted: impl Fn(char) -> bool) -> Option<char> {
        let ((_, c), after) = self.0.split_first()?;
        wanted(*c).then(|| {
            self.0 = after;
            *c
        })
    }

    /// Takes a number; 0 if there is none.
    fn number(&mut self, at: usize) -> Result<u32, FormatError> {
        let mut number = 0_u32;
        while let Some(digit) = self.take(|c| c.is_ascii_digit()) {
            number = number.saturating_mul(10).saturating_add(digit.to_digit(10).unwrap_or(0));
        }
        if number > WIDEST {
            return fault(at, format!("a field of more than {WIDEST} characters"));
        }
        Ok(number)
    }

    /// Takes a field after its `%`, which is at this byte.
    fn field(&mut self, at: usize) -> Result<Field, FormatError> {
        let mut flags = Flags::default();
        while let Some(flag) = self.take(|c| "-+ 0#".contains(c)) {
            match flag {
                '-' => flags.left = true,
                '+' => flags.sign = true,
                ' ' => flags.blank = true,
                '0' => flags.zeros = true,
                _ => flags.prefix = true,
            }
        }
        let width = self.number(at)?;
        let precision = match self.take(|c| c == '.') {
            Some(_) => Some(self.number(at)?),
            None => None,
        };
        let mut size = IntegerSize::Int;
        while let Some(modifier) = self.take(|c| "hlLzjt".contains(c)) {
            if modifier != 'h' {
                size = IntegerSize::Long;
            }
        }
        let Some(letter) = self.take(|_| true) else {
            return fault(at, "expected a conversion after \"%\", such as %d");
        };
        match Conversion::of(letter, size) {
            Some(conversion) => Ok(Field { flags, width, precision, conversion }),
            None => {
                let known = "d, i, u, o, x, c, s, p, f, e and g";
                fault(at, format!("conversion %{letter} is not supported, only {known}"))
            }
        }
    }
}

/// Removes the quotes and escapes of a text that begins with a quote. Returns its characters with their bytes, and the
/// byte after the closing quote.
fn unescaped(text: &str) -> Result<(Vec<(usize, char)>, usize), FormatError> {
    let mut content = Vec::new();
    let mut rest = text.char_indices().skip(1).peekable();
    while let Some((at, c)) = rest.next() {
        match c {
            '"' => return Ok((content, at + 1)),
            '\\' => {
                let Some((_, escaped)) = rest.next() else { break };
                content.push((
                    at,
                    match escaped {
                        'n' => '\n',
                        't' => '\t',
                        'a' => '\u{7}',
                        'b' => '\u{8}',
                        'e' => '\u{1b}',
                        'f' => '\u{c}',
                        'r' => '\r',
                        'v' => '\u{b}',
                        '0'..='7' => {
                            let mut code = escaped.to_digit(8).unwrap_or(0);
                            for _ in 0..2 {
                                let Some(digit) = rest.peek().and_then(|(_, c)| c.to_digit(8)) else { break };
                                code = code * 8 + digit;
                                rest.next();
                            }
                            char::from((code & 0xff) as u8)
                        }
                        '\\' | '"' | '\'' => escaped,
                        _ => return fault(at, format!("unknown escape \\{escaped}")),
                    },
                ));
            }
            _ => content.push((at, c)),
        }
    }
    fault(text.len(), "expected a closing quote")
}

impl fmt::Display for PrintFormat {
    /// Writes the format in quotes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => text.chars().try_for_each(|c| match c {
                    '%' => f.write_str("%%"),
                    '\n' => f.write_str("\\n"),
                    '\t' => f.write_str("\\t"),
                    '"' | '\\' => write!(f, "\\{c}"),
                    c if u32::from(c) < 0x20 || c == '\u{7f}' => write!(f, "\\{:03o}", u32::from(c)),
                    c => write!(f, "{c}"),
                })?,
                Piece::Field(field) => write!(f, "{field}")?,
            }
        }
        f.write_str("\"")
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { flags, width, precision, conversion } = self;
        let marks = [(flags.left, '-'), (flags.sign, '+'), (flags.blank, ' '), (flags.zeros, '0'), (flags.prefix, '#')];
        let marks: String = marks.iter().filter(|(set, _)| *set).map(|(_, mark)| *mark).collect();
        write!(f, "%{marks}")?;
        if *width > 0 {
            write!(f, "{width}")?;
        }
        if let Some(precision) = precision {
            write!(f, ".{precision}")?;
        }
        let long = if conversion.size() == Some(IntegerSize::Long) { "l" } else { "" };
        write!(f, "{long}{}", conversion.letter())
    }
}

/// Splits arguments at the commas outside parentheses, brackets, braces and quotes.
pub(super) fn split_at_commas(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_i32);
    let (mut quoted, mut escaped) = (false, false);
    for (at, c) in text.char_indices() {
        match c {
            '"' if !escaped => quoted = !quoted,
            '(' | '[' | '{' if !quoted => depth += 1,
            ')' | ']' | '}' if !quoted => depth -= 1,
            ',' if !quoted && depth <= 0 => {
                parts.push(text.get(start..at).unwrap_or(""));
                start = at + 1;
            }
            _ => {}
        }
        escaped = c == '\\' && !escaped;
    }
    parts.push(text.get(start..).unwrap_or(""));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parsed(text: &str) -> Result<String, (usize, String)> {
        PrintFormat::parse_quoted(text)
            .map(|(format, end)| format!("{format}@{end}"))
            .map_err(|error| (error.at, error.message))
    }

    #[test]
    fn formats_are_those_of_c() {
        assert_eq!(parsed(r#""n=%d %-08.3f\t100%%\n", n"#), Ok(r#""n=%d %-08.3f\t100%%\n"@23"#.into()));
        assert_eq!(parsed(r#""%lld %zu %i""#), Ok(r#""%ld %lu %d"@13"#.into()));
        assert_eq!(parsed(r#""\033[1m\"""#), Ok(r#""\033[1m\""@11"#.into()));
        assert_eq!(parsed("n"), Err((0, "expected a format in double quotes".into())));
        assert_eq!(parsed("\"n"), Err((2, "expected a closing quote".into())));
        assert_eq!(parsed("\"a %"), Err((4, "expected a closing quote".into())));
        assert_eq!(parsed("\"a %\""), Err((3, "expected a conversion after \"%\", such as %d".into())));
        assert!(parsed("\"a %n\"").unwrap_err().1.starts_with("conversion %n is not supported"));
        assert!(parsed("\"%99999d\"").unwrap_err().1.starts_with("a field of more than 4096"));
    }

    #[test]
    fn arguments_are_split_at_commas() {
        assert_eq!(split_at_commas(r#"f(a, b),"x, \" y", c[1,2]"#), ["f(a, b)", r#""x, \" y""#, " c[1,2]"]);
    }

    fn fields() -> impl Strategy<Value = Piece> {
        let flags = any::<[bool; 5]>().prop_map(|[left, sign, blank, zeros, prefix]| Flags {
            left,
            sign,
            blank,
            zeros,
            prefix,
        });
        let letter = prop::sample::select("duoxXcspfegEG".chars().collect::<Vec<_>>());
        (flags, 0..WIDEST, prop::option::of(0..WIDEST), letter, any::<bool>()).prop_map(
            |(flags, width, precision, letter, long)| {
                let size = if long { IntegerSize::Long } else { IntegerSize::Int };
                let conversion = Conversion::of(letter, size).unwrap();
                Piece::Field(Field { flags, width, precision, conversion })
            },
        )
    }

    proptest! {
        #[test]
        fn formats_survive_being_written_and_read(
            parts in prop::collection::vec((any::<String>(), fields()), 0..5), last in "\\PC+",
        ) {
            let mut pieces = Vec::new();
            for (text, field) in parts {
                pieces.extend((!text.is_empty()).then_some(Piece::Text(text)));
                pieces.push(field);
            }
            pieces.push(Piece::Text(last));
            let format = PrintFormat(pieces);
            let text = format.to_string();
            prop_assert_eq!(PrintFormat::parse_quoted(&text), Ok((format, text.len())));
        }

        #[test]
        fn no_text_is_too_strange_for_a_format(text in "\"?(%|[a-z]|\\\\|.|[0-9])*\"?") {
            let _ = PrintFormat::parse_quoted(&text);
        }
    }
}
