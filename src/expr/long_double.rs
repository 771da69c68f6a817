//! Floating-point numbers in expressions: doubles, and wider ones at their own precision, exact to the last bit, since
//! results must match the program's. Wide arithmetic is the compiler's own (`rustc_apfloat`); its formatting is not
//! used, for it does not round to the last digit.

use rustc_apfloat::ieee::{Double, Quad, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert};
use std::cmp::Ordering;

#[derive(Clone, Copy, Debug)]
pub(super) enum Real {
    /// `float` and `double`; arithmetic on floats is done on doubles and rounded, which gives the same.
    Double(f64),
    /// `long double` of the x87.
    Wide(X87DoubleExtended),
    /// IEEE 754 binary128.
    Quadruple(Quad),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RealOperator {
    Add,
    Subtract,
    Multiply,
    Divide,
}

impl RealOperator {
    fn of<F: Float>(self, a: F, b: F) -> F {
        match self {
            Self::Add => a + b,
            Self::Subtract => a - b,
            Self::Multiply => a * b,
            Self::Divide => a / b,
        }
        .value
    }
}

/// Converts a number to the nearest one of another format.
fn nearest<F: FloatConvert<T>, T: Float>(number: F) -> T {
    number.convert(&mut false).value
}

fn exact(double: f64) -> Double {
    Double::from_bits(double.to_bits().into())
}

impl Real {
    /// A `long double` from its bits, as stored without padding.
    pub(super) fn of_wide(bits: u128) -> Self {
        Self::Wide(X87DoubleExtended::from_bits(bits))
    }

    /// A binary128 number from its bits.
    pub(super) fn of_quadruple(bits: u128) -> Self {
        Self::Quadruple(Quad::from_bits(bits))
    }

    /// Returns the `long double` nearest to an integer.
    pub(super) fn of_integer(value: i128) -> Self {
        Self::Wide(X87DoubleExtended::from_i128(value).value)
    }

    /// Parses decimal text (digits, point, exponent) to the nearest `long double`.
    pub(super) fn of_decimal(text: &str) -> Option<Self> {
        let (digits, power) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let has_digits = digits.bytes().any(|byte| byte.is_ascii_digit());
        if !has_digits || !digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
            return None;
        }
        // Larger exponents give zero or infinity anyway.
        let power = power.parse::<i32>().ok()?.clamp(-10_000, 10_000);
        format!("{digits}e{power}").parse().ok().map(Self::Wide)
    }

    pub(super) fn double(self) -> f64 {
        let double: Double = match self {
            Self::Double(value) => return value,
            Self::Wide(value) => nearest(value),
            Self::Quadruple(value) => nearest(value),
        };
        // The upper half is empty.
        f64::from_bits(double.to_bits() as u64)
    }

    /// Converts it to the nearest `long double`.
    pub(super) fn wide(self) -> X87DoubleExtended {
        match self {
            Self::Double(value) => nearest(exact(value)),
            Self::Wide(value) => value,
            Self::Quadruple(value) => nearest(value),
        }
    }

    /// Converts it to binary128, which is exact.
    pub(super) fn quadruple(self) -> Quad {
        match self {
            Self::Double(value) => nearest(exact(value)),
            Self::Wide(value) => nearest(value),
            Self::Quadruple(value) => value,
        }
    }

    pub(super) fn negated(self) -> Self {
        match self {
            Self::Double(value) => Self::Double(-value),
            Self::Wide(value) => Self::Wide(-value),
            Self::Quadruple(value) => Self::Quadruple(-value),
        }
    }

    /// Applies an operator to two numbers, at the precision of the wider one.
    pub(super) fn calculated(operator: RealOperator, a: Self, b: Self) -> Self {
        match (a, b) {
            (Self::Quadruple(_), _) | (_, Self::Quadruple(_)) => {
                Self::Quadruple(operator.of(a.quadruple(), b.quadruple()))
            }
            (Self::Wide(_), _) | (_, Self::Wide(_)) => Self::Wide(operator.of(a.wide(), b.wide())),
            (Self::Double(a), Self::Double(b)) => Self::Double(match operator {
                RealOperator::Add => a + b,
                RealOperator::Subtract => a - b,
                RealOperator::Multiply => a * b,
                RealOperator::Divide => a / b,
            }),
        }
    }

    pub(super) fn equals(self, other: Self) -> bool {
        self.partial_cmp(&other) == Some(Ordering::Equal)
    }
}

impl PartialEq for Real {
    fn eq(&self, other: &Self) -> bool {
        self.equals(*other)
    }
}

impl PartialOrd for Real {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        // Binary128 represents all the other formats exactly.
        self.quadruple().partial_cmp(&other.quadruple())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::aif::FloatLayout;
    use proptest::prelude::*;

    fn text(value: Real) -> String {
        match value {
            Real::Quadruple(value) => FloatLayout::ieee(16).unwrap().text(value.to_bits()),
            other => FloatLayout::x87().text(other.wide().to_bits()),
        }
    }

    fn wide(value: f64) -> Real {
        Real::Wide(Real::Double(value).wide())
    }

    #[test]
    fn sums_and_products_as_gdb_13_prints_them() {
        use RealOperator::{Add, Divide, Multiply, Subtract};
        let (tenth, one, three) = (Real::of_wide(0x3ffb_cccc_cccc_cccc_cccd), wide(1.0), wide(3.0));
        let third = Real::calculated(Divide, one, three);
        let quadruple = Real::of_quadruple(0x3ffd_5555_5555_5555_5555_5555_5555_5555);
        for (operator, a, b, expected) in [
            (Add, tenth, one, "1.10000000000000000002"),
            (Divide, one, three, "0.333333333333333333342"),
            (Multiply, tenth, three, "0.300000000000000000011"),
            (Subtract, tenth, wide(0.1), "-5.54975987041017582158e-18"),
            (Divide, tenth, third, "0.299999999999999999984"),
            (Divide, one, wide(0.0), "inf"),
            (Subtract, one, one, "0"),
            (Divide, quadruple, Real::Double(7.0), "0.0476190476190476190476190476190476168"),
        ] {
            assert_eq!(text(Real::calculated(operator, a, b)), expected);
        }
        let none = Real::calculated(Subtract, wide(f64::INFINITY), wide(f64::INFINITY));
        assert!(none.double().is_nan() && none.partial_cmp(&none).is_none());
        assert!(third > quadruple, "the two are rounded differently");
    }

    #[test]
    fn constants_are_rounded_once() {
        for (constant, expected) in [
            ("1.1", "1.10000000000000000002"),
            ("0.1", "0.100000000000000000001"),
            ("3", "3"),
            ("2.5e3", "2500"),
            ("0.10000000000000000000000000001", "0.100000000000000000001"),
            ("3e-4951", "3.64519953188247460253e-4951"),
            ("1e-4951", "0"),
            ("1e5000", "inf"),
        ] {
            assert_eq!(Real::of_decimal(constant).map(text).as_deref(), Some(expected), "{constant}");
        }
        assert!(["", "x", "1e", "nan", "inf"].into_iter().all(|text| Real::of_decimal(text).is_none()));
    }

    #[test]
    fn the_ends_of_the_range() {
        let calculated = |operator, a, b| Real::calculated(operator, Real::of_wide(a), b);
        let large = 0x7ffe_8000_0000_0000_0000;
        assert_eq!(text(calculated(RealOperator::Multiply, large, wide(4.0))), "inf");
        let small = 0x0001_8000_0000_0000_0000;
        let half = calculated(RealOperator::Divide, small, wide(2.0));
        assert_eq!(half.wide().to_bits(), 0x4000_0000_0000_0000);
        assert_eq!(calculated(RealOperator::Multiply, small, Real::of_wide(small)).wide().to_bits(), 0);
    }

    proptest! {
        #[test]
        fn what_is_exact_in_doubles_is_the_same(a in -1_000_000_i64..1_000_000, b in -1_000_000_i64..1_000_000) {
            let (x, y) = (a as f64, b as f64);
            for wider in [wide, |value| Real::Quadruple(Real::Double(value).quadruple())] {
                let of = |operator| Real::calculated(operator, wider(x), wider(y)).double();
                prop_assert_eq!(of(RealOperator::Add), x + y);
                prop_assert_eq!(of(RealOperator::Subtract), x - y);
                prop_assert_eq!(of(RealOperator::Multiply), x * y);
                prop_assert_eq!(wider(x).partial_cmp(&wider(y)), x.partial_cmp(&y));
            }
        }

        #[test]
        fn no_bits_panic(a: u128, b: u128) {
            let mask = (1 << 80) - 1;
            let (x, y) = (Real::of_wide(a & mask), Real::of_wide(b & mask));
            let (q, r) = (Real::of_quadruple(a), Real::of_quadruple(b));
            for operator in [RealOperator::Add, RealOperator::Subtract, RealOperator::Multiply, RealOperator::Divide] {
                for (one, other) in [(x, y), (q, r), (x, r)] {
                    let result = Real::calculated(operator, one, other);
                    prop_assert!(result.wide().to_bits() <= mask);
                    let _ = (result.double(), one.partial_cmp(&other));
                }
            }
        }
    }
}
