//! Converts a value to a number for comparisons, statistics and conditions.

use super::{AifError, AifType, AifValue, FloatLayout};
use crate::Datum;

/// A single number of a program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A two's complement integer, sign-extended.
    Signed(i128),
    /// An unsigned integer, address or boolean.
    Unsigned(u128),
    /// A floating-point number: its layout and its bits.
    Float(FloatLayout, u128),
}

impl Number {
    /// Converts to the nearest double.
    pub fn as_f64(self) -> f64 {
        match self {
            Self::Signed(value) => value as f64,
            Self::Unsigned(value) => value as f64,
            Self::Float(layout, bits) => layout.to_f64(bits),
        }
    }

    /// True if C treats it as true.
    pub fn as_bool(self) -> bool {
        match self {
            Self::Signed(value) => value != 0,
            Self::Unsigned(value) => value != 0,
            Self::Float(layout, bits) => layout.to_f64(bits) != 0.0,
        }
    }
}

/// The layout of a floating-point type; `None` for any other.
pub(super) fn float_layout(ty: &AifType) -> Option<FloatLayout> {
    match ty {
        AifType::Float { size } => FloatLayout::ieee(*size),
        AifType::Extended => Some(FloatLayout::x87()),
        AifType::Brain => Some(FloatLayout::brain()),
        AifType::Named { ty, .. } | AifType::Spoken { ty, .. } => float_layout(ty),
        _ => None,
    }
}

/// Sign-extends a two's complement number of `size` bytes.
pub(super) fn sign_extended(bits: u128, size: u32) -> i128 {
    match size {
        0 => 0,
        1..=15 => {
            let shift = 128 - 8 * size;
            (bits << shift) as i128 >> shift
        }
        _ => bits as i128,
    }
}

/// Converts a value to a number; `None` for aggregates and anything else that is not a single number.
pub fn number(ty: &AifType, value: &AifValue) -> Option<Number> {
    match (ty, value) {
        (AifType::Void { .. }, _) => None,
        (_, AifValue::Scalar(bits)) => Some(match (float_layout(ty), ty.scalar_size()) {
            (Some(layout), _) => Number::Float(layout, *bits),
            (None, Some(size)) if ty.is_signed() => Number::Signed(sign_extended(*bits, size)),
            _ => Number::Unsigned(*bits),
        }),
        (AifType::Reference { target, .. }, AifValue::Pointer(super::PointerValue::Target { target: value, .. })) => {
            number(target, value)
        }
        (AifType::Reference { .. }, _) => None,
        (_, AifValue::Pointer(pointer)) => Some(Number::Unsigned(pointer.address().into())),
        (_, AifValue::Text(text)) => Some(Number::Unsigned(text.address.into())),
        (_, AifValue::Annotated(address, _)) => Some(Number::Unsigned((*address).into())),
        (AifType::Optional(ty), AifValue::Available(value)) => number(ty, value),
        (AifType::Located { ty, .. }, AifValue::Located(address, value)) => match **value {
            AifValue::Function(_) => Some(Number::Unsigned((*address).into())),
            _ => number(ty, value),
        },
        (AifType::Named { ty, .. } | AifType::Spoken { ty, .. }, value) => number(ty, value),
        _ => None,
    }
}

impl Datum {
    /// Parses the type and the value.
    pub fn parsed(&self) -> Result<(AifType, AifValue), AifError> {
        let ty = self.descriptor.parse()?;
        let value = AifValue::read(&ty, &self.data)?;
        Ok((ty, value))
    }

    /// The value as a number; `None` if it is not a single number or cannot be parsed.
    pub fn number(&self) -> Option<Number> {
        let (ty, value) = self.parsed().ok()?;
        number(&ty, &value)
    }

    /// The value as the nearest double; `None` if it is not a single number.
    pub fn as_f64(&self) -> Option<f64> {
        self.number().map(Number::as_f64)
    }

    /// The bits of the value, integers sign-extended, floats as stored; `None` if it is not a single number.
    pub fn as_bits(&self) -> Option<u128> {
        self.number().map(|number| match number {
            Number::Signed(value) => value as u128,
            Number::Unsigned(bits) | Number::Float(_, bits) => bits,
        })
    }

    /// True if C treats the value as true; `None` if it is not a single number.
    pub fn as_bool(&self) -> Option<bool> {
        self.number().map(Number::as_bool)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aif::from_hex;

    fn datum(descriptor: &str, data: &str) -> Datum {
        Datum { descriptor: descriptor.to_owned(), data: from_hex(data).unwrap(), type_name: String::new() }
    }

    #[test]
    fn numbers_of_every_kind() {
        for (descriptor, data, value) in [
            ("is4", "FFFFFFFF", Some(-1.0)),
            ("iu4", "FFFFFFFF", Some(4_294_967_295.0)),
            ("f8", "BFE0000000000000", Some(-0.5)),
            ("c", "FF", Some(-1.0)),
            ("b1", "01", Some(1.0)),
            ("<|A=-1>is4", "FFFFFFFF", Some(-1.0)),
            ("e10", "40008000000000000000", Some(2.0)),
            ("^a8is4", "050000000000000010", Some(16.0)),
            ("d3,is4", "FFFFFFFE", Some(-2.0)),
            ("!is4", "0100000007", Some(7.0)),
            ("!is4", "000000", None),
            ("{|x=is4;;;}", "00000001", None),
            ("v0", "", None),
        ] {
            assert_eq!(datum(descriptor, data).as_f64(), value, "{descriptor}");
        }
    }

    #[test]
    fn bits_and_truth() {
        assert_eq!(datum("is2", "FFFE").as_bits(), Some(u128::MAX - 1));
        assert_eq!(datum("f4", "40000000").as_bits(), Some(0x4000_0000));
        assert_eq!(datum("f8", "8000000000000000").as_bool(), Some(false));
        assert_eq!(datum("^a8is4", "00").as_bool(), Some(false));
        assert_eq!(datum("is4", "00").as_bool(), None);
    }
}
