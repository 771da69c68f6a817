//! Formats values as C's and gdb's printf.

use crate::command::{Conversion, Field, Flags, IntegerSize, Piece, PrintFormat};
use model::Datum;
use model::aif::{AifType, AifValue, Number, PointerValue};

/// Formats values; fails with a sentence if a value does not fit its conversion.
pub(crate) fn formatted(format: &PrintFormat, values: &[Datum]) -> Result<String, String> {
    let mut text = String::new();
    let mut values = values.iter();
    for piece in &format.0 {
        match piece {
            Piece::Text(plain) => text.push_str(plain),
            Piece::Field(field) => {
                let Some(datum) = values.next() else { return Err("a value is missing".to_owned()) };
                text.push_str(&one(field, datum).ok_or_else(|| {
                    if let Ok((_, AifValue::Unavailable(why))) = datum.parsed() {
                        // gdb's words, where it has other ones for what is a part of a value.
                        return if why == "optimized out" { "value has been optimized out".to_owned() } else { why };
                    }
                    let type_name = if datum.type_name.is_empty() { "this type" } else { &datum.type_name };
                    format!("a value of type {type_name} cannot be printed with {field}")
                })?);
            }
        }
    }
    Ok(text)
}

fn one(field: &Field, datum: &Datum) -> Option<String> {
    let Field { flags, precision, conversion, .. } = field;
    let (sign, prefix, digits) = match conversion {
        Conversion::Text => {
            let text = text_of(datum)?;
            let shown = precision.map_or(text.clone(), |most| text.chars().take(most as usize).collect());
            return Some(padded(field, "", &shown, false));
        }
        Conversion::Character => {
            let code = integer(datum.number()?);
            let shown = char::from_u32((code & 0xff) as u32).map_or_else(String::new, String::from);
            return Some(padded(field, "", &shown, false));
        }
        Conversion::Pointer => {
            let address = integer(datum.number()?) as u64;
            let shown = if address == 0 { "(nil)".to_owned() } else { format!("{address:#x}") };
            return Some(padded(field, "", &shown, false));
        }
        Conversion::Signed(size) => {
            let value = integer(datum.number()?);
            let value = if *size == IntegerSize::Int { i64::from(value as i32) } else { value as i64 };
            (signed(*flags, value < 0), "", value.unsigned_abs().to_string())
        }
        Conversion::Unsigned(size) => ("", "", bits(datum, *size)?.to_string()),
        Conversion::Octal(size) => ("", if flags.prefix { "0" } else { "" }, format!("{:o}", bits(datum, *size)?)),
        Conversion::Hexadecimal(size) => {
            let value = bits(datum, *size)?;
            ("", if flags.prefix && value != 0 { "0x" } else { "" }, format!("{value:x}"))
        }
        Conversion::UpperHexadecimal(size) => {
            let value = bits(datum, *size)?;
            ("", if flags.prefix && value != 0 { "0X" } else { "" }, format!("{value:X}"))
        }
        Conversion::Fixed
        | Conversion::Exponent
        | Conversion::General
        | Conversion::UpperExponent
        | Conversion::UpperGeneral => {
            let value = datum.number()?.as_f64();
            let sign = signed(*flags, value.is_sign_negative());
            let digits = real(*conversion, value.abs(), precision.unwrap_or(6) as usize, flags.prefix);
            let upper = matches!(conversion, Conversion::UpperExponent | Conversion::UpperGeneral);
            let digits = if upper { digits.to_uppercase() } else { digits };
            return Some(padded(field, sign, &digits, value.is_finite()));
        }
    };
    // A precision is the least number of digits, and replaces the filling with zeros.
    let least = precision.map_or(0, |least| least as usize);
    let digits = if least == 0 && precision.is_some() && digits == "0" { String::new() } else { digits };
    let digits = format!("{digits:0>least$}");
    Some(padded(field, &format!("{sign}{prefix}"), &digits, precision.is_none()))
}

fn signed(flags: Flags, negative: bool) -> &'static str {
    match flags {
        _ if negative => "-",
        Flags { sign: true, .. } => "+",
        Flags { blank: true, .. } => " ",
        _ => "",
    }
}

/// Fills the field; numbers may be filled with zeros after their sign.
fn padded(field: &Field, sign: &str, text: &str, is_number: bool) -> String {
    let missing = (field.width as usize).saturating_sub(sign.len() + text.chars().count());
    if field.flags.left {
        format!("{sign}{text}{:missing$}", "")
    } else if field.flags.zeros && is_number {
        format!("{sign}{}{text}", "0".repeat(missing))
    } else {
        format!("{:missing$}{sign}{text}", "")
    }
}

fn integer(number: Number) -> i128 {
    match number {
        Number::Signed(value) => value,
        Number::Unsigned(value) => value as i128,
        // As C converts: towards zero.
        Number::Float(layout, bits) => layout.to_f64(bits) as i128,
    }
}

fn bits(datum: &Datum, size: IntegerSize) -> Option<u64> {
    let value = integer(datum.number()?);
    Some(if size == IntegerSize::Int { u64::from(value as u32) } else { value as u64 })
}

/// Formats a number that is not negative.
fn real(conversion: Conversion, value: f64, precision: usize, keep_zeros: bool) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    if value.is_infinite() {
        return "inf".to_owned();
    }
    match conversion {
        Conversion::Fixed => format!("{value:.precision$}"),
        Conversion::Exponent | Conversion::UpperExponent => exponential(value, precision),
        _ => {
            let precision = precision.max(1);
            let exponent = exponential(value, precision - 1);
            let power: i32 = exponent.rsplit_once('e').and_then(|(_, power)| power.parse().ok()).unwrap_or(0);
            let (digits, power) = if power < -4 || power >= precision as i32 {
                let (digits, power) = exponent.rsplit_once('e').unwrap_or((&exponent, ""));
                (digits.to_owned(), format!("e{power}"))
            } else {
                let decimals = (precision as i32 - 1 - power).max(0) as usize;
                (format!("{value:.decimals$}"), String::new())
            };
            let digits = if digits.contains('.') && !keep_zeros {
                digits.trim_end_matches('0').trim_end_matches('.')
            } else {
                &digits
            };
            format!("{digits}{power}")
        }
    }
}

/// Formats as C does: at least two digits in the exponent, with its sign.
fn exponential(value: f64, precision: usize) -> String {
    let text = format!("{value:.precision$e}");
    let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, power) = power.strip_prefix('-').map_or(('+', power), |power| ('-', power));
    format!("{digits}e{sign}{power:0>2}")
}

/// Returns the text of a pointer to characters or an array of them.
fn text_of(datum: &Datum) -> Option<String> {
    let (ty, value) = datum.parsed().ok()?;
    let units = units_of(&ty, &value)?;
    if units.iter().all(|unit| *unit < 0x100) {
        let bytes: Vec<u8> = units.iter().map(|unit| *unit as u8).collect();
        return Some(String::from_utf8_lossy(&bytes).into_owned());
    }
    Some(units.iter().map(|unit| char::from_u32(*unit).unwrap_or(char::REPLACEMENT_CHARACTER)).collect())
}

fn units_of(ty: &AifType, value: &AifValue) -> Option<Vec<u32>> {
    let scalar = |value: &AifValue| match value {
        AifValue::Scalar(bits) => Some(*bits as u32),
        _ => None,
    };
    match (ty, value) {
        (AifType::Named { ty, .. } | AifType::Spoken { ty, .. }, value) => units_of(ty, value),
        (_, AifValue::Text(text)) => Some(text.units.clone()),
        (_, AifValue::String(bytes)) => Some(bytes.iter().map(|byte| u32::from(*byte)).collect()),
        (_, AifValue::Own(ty, value)) => units_of(ty, value),
        (AifType::Optional(ty), AifValue::Available(value)) => units_of(ty, value),
        (AifType::Located { ty, .. }, AifValue::Located(_, value)) => units_of(ty, value),
        (AifType::Array { element, .. }, AifValue::Elements(elements)) if element.is_character() => {
            elements.iter().map(scalar).take_while(|unit| *unit != Some(0)).collect()
        }
        (AifType::Array { element, .. }, AifValue::Runs(runs)) if element.is_character() => {
            let units = runs.iter().flat_map(|(count, value)| std::iter::repeat_n(scalar(value), *count as usize));
            units.take_while(|unit| *unit != Some(0)).collect()
        }
        (_, AifValue::Pointer(PointerValue::Null)) => Some("(null)".chars().map(u32::from).collect()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(format: &str, values: &[Datum]) -> String {
        let (format, _) = PrintFormat::parse_quoted(&format!("\"{format}\"")).unwrap();
        formatted(&format, values).unwrap_or_else(|error| error)
    }

    fn int(value: i64) -> Datum {
        Datum { descriptor: "is8".into(), data: value.to_be_bytes().to_vec(), type_name: "long".into() }
    }

    #[test]
    fn a_value_that_is_not_available_says_why() {
        let ty = AifType::Optional(Box::new(AifType::Void { size: 0 }));
        let unavailable = |why: &str| {
            let data = AifValue::Unavailable(why.to_owned()).write(&ty).unwrap();
            Datum { descriptor: ty.to_string(), data, type_name: "int".into() }
        };
        assert_eq!(shown("n=%d", &[unavailable("optimized out")]), "value has been optimized out");
        assert_eq!(shown("n=%d", &[unavailable("no place")]), "no place");
    }

    fn double(value: f64) -> Datum {
        Datum { descriptor: "f8".into(), data: value.to_be_bytes().to_vec(), type_name: "double".into() }
    }

    /// The expected texts are those of C's printf.
    #[test]
    fn numbers_are_formatted_as_c_does() {
        assert_eq!(shown("%d|%5d|%-5d|%05d|%+d|%.3d", &[7, 7, 7, -7, 7, 7].map(int)), "7|    7|7    |-0007|+7|007");
        assert_eq!(
            shown("%d %ld %u %lx", &[int(1 << 32), int(1 << 32), int(-1), int(-1)]),
            "0 4294967296 4294967295 ffffffffffffffff"
        );
        assert_eq!(shown("%#x %#o %X %c%%", &[255, 8, 171, 65].map(int)), "0xff 010 AB A%");
        assert_eq!(
            shown("%f %.2f %8.3f|%e|%g", &[0.1, 2.5, -1.5, 12345.678, 1e-5].map(double)),
            "0.100000 2.50   -1.500|1.234568e+04|1e-05"
        );
        assert_eq!(
            shown("%g %g %g %g %G", &[100_000.0, 1e6, 0.5, 0.0, 1e300].map(double)),
            "100000 1e+06 0.5 0 1E+300"
        );
        assert_eq!(shown("%f %5g %05f", &[f64::NAN, f64::INFINITY, f64::NEG_INFINITY].map(double)), "nan   inf  -inf");
        assert_eq!(shown("%d %f", &[double(2.9), int(3)]), "2 3.000000");
        assert_eq!(shown("%p %p", &[int(4096), int(0)]), "0x1000 (nil)");
    }

    #[test]
    fn a_value_that_does_not_fit_is_refused() {
        assert_eq!(shown("n=%s", &[int(1)]), "a value of type long cannot be printed with %s");
    }
}
