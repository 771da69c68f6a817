//! Arithmetic on x87 extended numbers, exact to their last bit: a machine's `long double` is wider than any float of
//! Rust, and a debugger is expected to say what the program would.

/// Bits of the mantissa, the integer bit included.
const BITS: i32 = 64;

/// Of the exponent (Intel SDM volume 1, 4.2.2).
const BIAS: i32 = 16383;

const TOP: i32 = 0x7fff;

/// A number of the x87.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct X87 {
    /// As stored, without padding.
    pub bits: u128,
}

/// `mantissa * 2^exponent`, whose bits below the last are told by `sticky`.
struct Exact {
    negative: bool,
    mantissa: u128,
    exponent: i32,
    sticky: bool,
}

impl X87 {
    fn negative(self) -> bool {
        self.bits >> 79 & 1 == 1
    }

    fn exponent(self) -> i32 {
        (self.bits >> 64) as i32 & TOP
    }

    fn mantissa(self) -> u128 {
        self.bits & u128::from(u64::MAX)
    }

    /// Not a number, infinite, or zero: what a double says as well.
    fn is_special(self) -> bool {
        self.exponent() == TOP || self.mantissa() == 0
    }

    /// The nearest double.
    pub fn double(self) -> f64 {
        super::FloatLayout::x87().to_f64(self.bits)
    }

    /// The same number as a double.
    pub fn of_double(value: f64) -> Self {
        Self { bits: super::FloatLayout::x87().from_f64(value) }
    }

    /// The nearest number to an integer.
    pub fn of_integer(value: i128) -> Self {
        Exact { negative: value < 0, mantissa: value.unsigned_abs(), exponent: 0, sticky: false }.rounded()
    }

    /// The number that decimal text means (digits, point, exponent): the nearest one for up to 19 digits and powers of
    /// ten up to 27, which all constants that people write have; beyond, within the last bits.
    pub fn of_decimal(text: &str) -> Option<Self> {
        let (digits, power) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let mut power = power.parse::<i32>().ok()?.clamp(-10_000, 10_000) - fraction.len().min(10_000) as i32;
        let mut mantissa = 0_u64;
        let mut full = false;
        for digit in whole.chars().chain(fraction.chars()) {
            let digit = u64::from(digit.to_digit(10)?);
            match mantissa.checked_mul(10).and_then(|tens| tens.checked_add(digit)) {
                Some(longer) if !full => mantissa = longer,
                // Digits that do not fit are powers of ten.
                _ => {
                    full = true;
                    power += 1;
                }
            }
        }
        let mut value = Self::of_integer(mantissa.into());
        while power != 0 && value.mantissa() != 0 && value.exponent() != TOP {
            let step = power.clamp(-27, 27);
            let ten = Self::of_integer(10_i128.pow(step.unsigned_abs()));
            value = if step > 0 { value.times(ten) } else { value.over(ten) };
            power -= step;
        }
        Some(value)
    }

    /// The same number with the other sign.
    pub fn negated(self) -> Self {
        Self { bits: self.bits ^ 1 << 79 }
    }

    fn scale(self) -> i32 {
        self.exponent().max(1) - BIAS - (BITS - 1)
    }

    /// The sum.
    pub fn plus(self, other: Self) -> Self {
        if self.exponent() == TOP || other.exponent() == TOP || (self.mantissa() == 0 && other.mantissa() == 0) {
            return Self::of_double(self.double() + other.double());
        }
        if self.mantissa() == 0 {
            return other;
        }
        if other.mantissa() == 0 {
            return self;
        }
        let (large, small) = if self.scale() >= other.scale() { (self, other) } else { (other, self) };
        // 62 bits of room below the larger number; what falls out of them only decides the rounding.
        let distance = (large.scale() - small.scale()) as u32;
        let high = large.mantissa() << 62;
        let low = small.mantissa() << 62;
        let (low, sticky) = match distance {
            0..=127 => (low >> distance, distance > 0 && low & ((1 << distance) - 1) != 0),
            _ => (0, true),
        };
        let exponent = large.scale() - 62;
        let exact = if large.negative() == small.negative() {
            Exact { negative: large.negative(), mantissa: high + low, exponent, sticky }
        } else if high >= low {
            // Bits that fell out are taken from the difference as well.
            Exact { negative: large.negative(), mantissa: high - low - u128::from(sticky), exponent, sticky }
        } else {
            Exact { negative: small.negative(), mantissa: low - high, exponent, sticky }
        };
        exact.rounded()
    }

    /// The difference.
    pub fn minus(self, other: Self) -> Self {
        self.plus(other.negated())
    }

    /// The product.
    pub fn times(self, other: Self) -> Self {
        if self.is_special() || other.is_special() {
            return Self::of_double(self.sign_only() * other.sign_only());
        }
        Exact {
            negative: self.negative() != other.negative(),
            mantissa: self.mantissa() * other.mantissa(),
            exponent: self.scale() + other.scale(),
            sticky: false,
        }
        .rounded()
    }

    /// The quotient.
    pub fn over(self, other: Self) -> Self {
        if self.is_special() || other.is_special() {
            return Self::of_double(self.sign_only() / other.sign_only());
        }
        let shift = self.mantissa().leading_zeros();
        let dividend = self.mantissa() << shift;
        // A divisor with its highest bit set leaves at least 64 bits of quotient, the rest goes on below them.
        let lift = other.mantissa().leading_zeros() - 64;
        let divisor = other.mantissa() << lift;
        let (quotient, rest) = (dividend / divisor, dividend % divisor);
        let (more, rest) = ((rest << 62) / divisor, (rest << 62) % divisor);
        Exact {
            negative: self.negative() != other.negative(),
            mantissa: (quotient << 62) + more,
            exponent: self.scale() - shift as i32 - (other.scale() - lift as i32) - 62,
            sticky: rest != 0,
        }
        .rounded()
    }

    /// One of the class and sign, small enough not to overflow a double.
    fn sign_only(self) -> f64 {
        let magnitude = if self.is_special() { self.double().abs() } else { 1.0 };
        if self.negative() { -magnitude } else { magnitude }
    }
}

impl Exact {
    /// Rounded to the nearest number, ties to even.
    fn rounded(self) -> X87 {
        let sign = u128::from(self.negative) << 79;
        if self.mantissa == 0 {
            return X87 { bits: 0 };
        }
        let width = 128 - self.mantissa.leading_zeros() as i32;
        let mut shift = width - BITS;
        // Below the smallest exponent fewer bits are left.
        let smallest = 1 - BIAS - (BITS - 1);
        if self.exponent + shift < smallest {
            shift = smallest - self.exponent;
        }
        let mut exponent = self.exponent + shift;
        let mut mantissa = match shift {
            ..=0 => self.mantissa << -shift,
            1..=127 => {
                let half = 1_u128 << (shift - 1);
                let rest = self.mantissa & ((half << 1) - 1);
                let cut = self.mantissa >> shift;
                let up = rest > half || rest == half && (self.sticky || cut & 1 == 1);
                cut + u128::from(up)
            }
            _ => 0,
        };
        if mantissa >> BITS != 0 {
            mantissa >>= 1;
            exponent += 1;
        }
        let stored = exponent + BIAS + BITS - 1;
        if stored >= TOP {
            return X87 { bits: sign | (TOP as u128) << 64 | 1 << 63 };
        }
        // A number without its integer bit has the exponent field 0.
        let stored = if mantissa >> (BITS - 1) == 0 { 0 } else { stored.max(1) };
        X87 { bits: sign | (stored as u128) << 64 | mantissa }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn number(value: f64) -> X87 {
        X87::of_double(value)
    }

    fn text(value: X87) -> String {
        super::super::FloatLayout::x87().text(value.bits)
    }

    #[test]
    fn sums_and_products_as_gdb_13_prints_them() {
        let tenth = X87 { bits: 0x3ffb_cccc_cccc_cccc_cccd };
        let one = number(1.0);
        assert_eq!(text(tenth.plus(one)), "1.10000000000000000002");
        assert_eq!(text(one.over(number(3.0))), "0.333333333333333333342");
        assert_eq!(text(tenth.times(number(3.0))), "0.300000000000000000011");
        assert_eq!(text(tenth.minus(number(0.1))), "-5.54975987041017582158e-18");
        assert_eq!(text(tenth.over(one.over(number(3.0)))), "0.299999999999999999984");
        for (constant, expected) in [
            ("1.1", "1.10000000000000000002"),
            ("0.1", "0.100000000000000000001"),
            ("3", "3"),
            ("2.5e3", "2500"),
            ("0.10000000000000000000000000001", "0.100000000000000000001"),
        ] {
            let read = X87::of_decimal(constant).map(text).unwrap();
            let digits = |text: &str| text.get(..18).unwrap_or(text).to_owned();
            assert_eq!(digits(&read), digits(expected), "{constant}");
        }
        assert_eq!(text(one.over(number(0.0))), "inf");
        assert_eq!(text(one.minus(one)), "0");
        assert!(number(f64::INFINITY).minus(number(f64::INFINITY)).double().is_nan());
    }

    #[test]
    fn the_ends_of_the_range() {
        let large = X87 { bits: 0x7ffe_8000_0000_0000_0000 };
        assert_eq!(text(large.times(number(4.0))), "inf");
        let small = X87 { bits: 0x0001_8000_0000_0000_0000 };
        assert_eq!(small.over(number(2.0)).bits, 0x4000_0000_0000_0000);
        assert_eq!(small.times(small).bits, 0);
    }

    proptest! {
        #[test]
        fn what_is_exact_in_doubles_is_the_same(a in -1_000_000_i64..1_000_000, b in -1_000_000_i64..1_000_000) {
            let (x, y) = (a as f64, b as f64);
            prop_assert_eq!(number(x).plus(number(y)).double(), x + y);
            prop_assert_eq!(number(x).minus(number(y)).double(), x - y);
            prop_assert_eq!(number(x).times(number(y)).double(), x * y);
            prop_assert_eq!(number(x * y).over(number(if b == 0 { 1.0 } else { y })).double(), if b == 0 { 0.0 } else { x });
        }

        #[test]
        fn no_bits_panic(a: u128, b: u128) {
            let mask = (1 << 80) - 1;
            let (a, b) = (X87 { bits: a & mask }, X87 { bits: b & mask });
            for result in [a.plus(b), a.minus(b), a.times(b), a.over(b)] {
                prop_assert!(result.bits <= mask);
            }
        }

        #[test]
        fn doubles_lose_nothing(a: f64, b: f64) {
            let (x, y) = (number(a), number(b));
            // Rounding to 64 bits and then to 53 differs from rounding once by at most the last bit.
            for (wide, narrow) in [(x.plus(y), a + b), (x.minus(y), a - b), (x.times(y), a * b), (x.over(y), a / b)] {
                let wide = wide.double();
                let near = wide == narrow || wide.is_nan() && narrow.is_nan() || (wide - narrow).abs() <= narrow.abs() * f64::EPSILON
                    || (wide - narrow).abs() <= f64::MIN_POSITIVE;
                prop_assert!(near, "{a} {b}: {wide} {narrow}");
            }
        }
    }
}
