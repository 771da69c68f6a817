//! Formats values in Rust syntax, as gdb does in a Rust frame.

use super::layout::Parts;
use super::literal;
use super::print::Printer;
use crate::aif::{AifError, AifType, AifValue, Field, FormatLetter};

/// The gap between the name of a type and its fields: an enum variant has none.
#[derive(Clone, Copy)]
enum Gap {
    Blank,
    None,
}

impl Printer {
    /// Writes the values that Rust formats differently from C; returns `false` for the rest.
    pub(super) fn in_rust(&mut self, ty: &AifType, value: &AifValue) -> Result<bool, AifError> {
        let natural = matches!(self.how.letter, None | Some(FormatLetter::String));
        match (ty, value) {
            (AifType::Void { .. }, AifValue::Scalar(_)) => self.push("()"),
            (AifType::Own, AifValue::Own(ty, value)) => match (&**ty, &**value) {
                (AifType::Aggregate { name, .. }, AifValue::Members(values)) => {
                    self.parts(name, Gap::None, ty.aggregate_members(), values)?;
                }
                (ty, value) => self.value(ty, value)?,
            },
            (AifType::Aggregate { name, .. }, AifValue::Members(values)) => {
                self.parts(name, Gap::Blank, ty.aggregate_members(), values)?;
            }
            (AifType::Union { name, members }, AifValue::Members(values)) => {
                self.parts(name, Gap::Blank, members.iter(), values)?;
            }
            (AifType::Located { .. }, AifValue::Located(_, inner)) if **inner == AifValue::Elements(Vec::new()) => {
                self.push("[]");
            }
            (AifType::String, AifValue::String(text)) => {
                let mut units: Vec<u32> = text.iter().map(|byte| u32::from(*byte)).collect();
                keep_last_nul(&mut units);
                self.literal(&units, false);
            }
            (AifType::TextPointer { .. }, AifValue::Text(text)) if natural => {
                self.address(text.address, text.symbol.as_deref());
                self.push(" b");
                if let Some(address) = text.unreadable {
                    self.push(format!("<error: Cannot access memory at address {address:#x}>"));
                    return Ok(true);
                }
                let mut units = text.units.clone();
                // A truncated text has no trailing NUL to lose.
                if !text.truncated {
                    keep_last_nul(&mut units);
                }
                self.literal(&units, text.truncated);
            }
            (AifType::Character { .. }, AifValue::Scalar(bits)) if natural => {
                self.push(format!("{bits} {}", character(*bits as u32)));
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Writes `Name {x: 1}`, `Name (1, 2)`, `(1, 2)`, or the name alone.
    fn parts<'a>(
        &mut self,
        name: &str,
        gap: Gap,
        fields: impl Iterator<Item = &'a Field>,
        values: &[AifValue],
    ) -> Result<(), AifError> {
        let fields: Vec<&Field> = fields.collect();
        let is_tuple = name.starts_with('(');
        self.push(if is_tuple { "" } else { name });
        if fields.is_empty() {
            self.push(if is_tuple { "()" } else { "" });
            return Ok(());
        }
        let numbered = fields.iter().all(|field| is_number(&field.name));
        self.push(if matches!(gap, Gap::Blank) && !is_tuple { " " } else { "" });
        self.push(if numbered { "(" } else { "{" });
        // gdb keeps the fields of an enum variant on one line.
        let is_broken = matches!(gap, Gap::Blank);
        for (number, (field, value)) in fields.into_iter().zip(values).enumerate() {
            let gap = if number == 0 { "" } else { " " };
            self.push(if number == 0 { "" } else { "," });
            if is_broken {
                self.before_part(Parts::Members, gap);
            } else {
                self.push(gap);
            }
            if !numbered {
                self.push(format!("{}: ", field.name));
            }
            self.part(&field.ty, value)?;
        }
        if is_broken {
            self.after_parts(Parts::Members);
        }
        self.push(if numbered { ")" } else { "}" });
        Ok(())
    }

    /// Writes text in UTF-8.
    fn literal(&mut self, units: &[u32], goes_on: bool) {
        let encoding = literal::Encoding::new(None, 1);
        let text = literal::string(units, encoding, goes_on, self.how.limit, self.how.threshold);
        self.push(text);
    }
}

/// True if it is the name of a tuple field.
fn is_number(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit())
}

/// C omits a trailing NUL; in Rust it is a character like any other.
fn keep_last_nul(units: &mut Vec<u32>) {
    if units.last() == Some(&0) {
        units.push(0);
    }
}

fn character(code: u32) -> String {
    let inside = match char::from_u32(code) {
        Some('\n') => "\\n".to_owned(),
        Some('\r') => "\\r".to_owned(),
        Some('\t') => "\\t".to_owned(),
        Some('\0') => "\\0".to_owned(),
        Some(c @ ('\\' | '\'')) => format!("\\{c}"),
        Some(c @ ' '..='~') => c.to_string(),
        _ if code <= 0xff => format!("\\x{code:02x}"),
        _ => format!("\\u{{{code:06x}}}"),
    };
    format!("'{inside}'")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Datum;
    use crate::aif::CharStyle;
    use crate::aif::FormatOptions;
    use crate::aif::Spelling;
    use crate::aif::format;

    #[track_caller]
    fn shown(ty: AifType, value: &AifValue, expected: &str) {
        let ty = AifType::Spoken { language: Spelling::Rust, ty: Box::new(ty) };
        let datum =
            Datum { descriptor: ty.to_string(), data: value.write(&ty).unwrap(), type_name: "rust::Type".to_owned() };
        assert_eq!(format(&datum, &FormatOptions::default()).unwrap(), expected);
    }

    fn small(name: &str, names: &[&str]) -> AifType {
        let byte = AifType::Integer { signed: false, size: 1 };
        AifType::aggregate(name, names.iter().map(|n| Field { name: (*n).to_owned(), ty: byte.clone() }).collect())
    }

    fn numbers(count: u128) -> AifValue {
        AifValue::Members((1..=count).map(AifValue::Scalar).collect())
    }

    #[test]
    fn structs_and_tuples_as_gdb_13_prints_them() {
        shown(small("a::Point", &["x", "y"]), &numbers(2), "a::Point {x: 1, y: 2}");
        shown(small("a::Pair", &["0", "1"]), &numbers(2), "a::Pair (1, 2)");
        shown(small("a::Unit", &[]), &numbers(0), "a::Unit");
        shown(small("(u8, u8)", &["0", "1"]), &numbers(2), "(1, 2)");
        shown(AifType::Void { size: 0 }, &AifValue::Scalar(0), "()");
        let union = AifType::Union {
            name: "a::Bits".to_owned(),
            members: vec![Field { name: "b".to_owned(), ty: AifType::Bool { size: 1 } }],
        };
        shown(union, &AifValue::Members(vec![AifValue::Scalar(1)]), "a::Bits {b: true}");
    }

    #[test]
    fn alternatives_have_no_blank_behind_their_name() {
        let own = |ty: AifType, count| AifValue::Own(Box::new(ty), Box::new(numbers(count)));
        shown(AifType::Own, &own(small("E::A", &["0"]), 1), "E::A(1)");
        shown(AifType::Own, &own(small("E::B", &["x"]), 1), "E::B{x: 1}");
        shown(AifType::Own, &own(small("E::C", &[]), 0), "E::C");
        let both = AifValue::Elements(vec![own(small("E::A", &["0"]), 1), own(small("E::C", &[]), 0)]);
        shown(AifType::array(0, 2, AifType::Own), &both, "[E::A(1), E::C]");
    }

    #[test]
    fn text_and_characters_as_gdb_13_prints_them() {
        let letter = AifType::Character { style: CharStyle::Utf32, size: 4 };
        for (code, expected) in [
            (97, "97 'a'"),
            (0xe9, "233 '\\xe9'"),
            (0x4e2d, "20013 '\\u{004e2d}'"),
            (10, "10 '\\n'"),
            (0, "0 '\\0'"),
            (39, "39 '\\''"),
            (127, "127 '\\x7f'"),
        ] {
            shown(letter.clone(), &AifValue::Scalar(code), expected);
        }
        let letters = AifValue::Elements(vec![AifValue::Scalar(97), AifValue::Scalar(98)]);
        shown(AifType::array(0, 2, letter), &letters, "[97 'a', 98 'b']");
        shown(AifType::String, &AifValue::String("a\"ü\0".as_bytes().to_vec()), "\"a\\\"ü\\000\"");
        shown(AifType::String, &AifValue::String(Vec::new()), "\"\"");
    }

    #[test]
    fn containers_keep_the_braces_of_their_printers() {
        let titled = |ty| AifType::Titled(Box::new(ty));
        let members = small("", &["value", "strong"]);
        let value = AifValue::Titled("Rc(strong=1)".to_owned(), Box::new(numbers(2)));
        shown(titled(members), &value, "Rc(strong=1) = {value = 1, strong = 2}");
    }

    #[test]
    fn equal_elements_and_cut_arrays() {
        let byte = AifType::Integer { signed: false, size: 1 };
        let runs = |count| AifType::Runs { index: Box::new(AifType::index(0, count)), element: Box::new(byte.clone()) };
        shown(runs(300), &AifValue::Runs(vec![(300, AifValue::Scalar(0))]), "[0 <repeats 300 times>]");
        shown(runs(5), &AifValue::Runs(vec![(2, AifValue::Scalar(7))]), "[7, 7...]");
    }
}
