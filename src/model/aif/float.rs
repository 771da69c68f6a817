//! Floating-point numbers of all widths: from their bits to decimal text and doubles, and back.

/// The layout of a floating-point kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FloatLayout {
    /// Size in bytes, without padding.
    pub size: u32,
    exponent_bits: u32,
    /// Includes the integer bit if it is stored.
    mantissa_bits: u32,
    /// True for x87, which stores the integer bit.
    integer_bit: bool,
    /// Significant digits that gdb prints.
    digits: usize,
}

const HALF: FloatLayout = FloatLayout { size: 2, exponent_bits: 5, mantissa_bits: 10, integer_bit: false, digits: 5 };
const BRAIN: FloatLayout = FloatLayout { size: 2, exponent_bits: 8, mantissa_bits: 7, integer_bit: false, digits: 4 };
const SINGLE: FloatLayout = FloatLayout { size: 4, exponent_bits: 8, mantissa_bits: 23, integer_bit: false, digits: 9 };
const DOUBLE: FloatLayout =
    FloatLayout { size: 8, exponent_bits: 11, mantissa_bits: 52, integer_bit: false, digits: 17 };
const QUADRUPLE: FloatLayout =
    FloatLayout { size: 16, exponent_bits: 15, mantissa_bits: 112, integer_bit: false, digits: 36 };
const X87: FloatLayout = FloatLayout { size: 10, exponent_bits: 15, mantissa_bits: 64, integer_bit: true, digits: 21 };

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Parts {
    /// `mantissa * 2^exponent`.
    Finite {
        mantissa: u128,
        exponent: i32,
    },
    Infinite,
    /// The fraction bits as stored.
    NotANumber(u128),
}

impl FloatLayout {
    /// The IEEE 754 binary format of `size` bytes; `None` if there is none.
    pub fn ieee(size: u32) -> Option<Self> {
        [HALF, SINGLE, DOUBLE, QUADRUPLE].into_iter().find(|layout| layout.size == size)
    }

    /// The 16-bit format with the exponent of a single (Intel SDM volume 1, 4.2.2).
    pub fn brain() -> Self {
        BRAIN
    }

    /// The 80-bit format of the x87 (Intel SDM volume 1, 4.2.2), without padding.
    pub fn x87() -> Self {
        X87
    }

    /// True for IEEE 754 binary128.
    pub fn is_quadruple(self) -> bool {
        self == QUADRUPLE
    }

    fn take_apart(self, bits: u128) -> (bool, Parts) {
        let mask = (1_u128 << self.mantissa_bits) - 1;
        let top_exponent = (1_i32 << self.exponent_bits) - 1;
        let fraction = bits & mask;
        let exponent = (bits >> self.mantissa_bits) as i32 & top_exponent;
        let negative = bits >> (self.mantissa_bits + self.exponent_bits) & 1 == 1;
        let without_integer_bit = if self.integer_bit { fraction & (mask >> 1) } else { fraction };
        if exponent == top_exponent {
            let parts = if without_integer_bit == 0 { Parts::Infinite } else { Parts::NotANumber(fraction) };
            return (negative, parts);
        }
        let fraction_bits = (self.mantissa_bits - u32::from(self.integer_bit)) as i32;
        let bias = (top_exponent >> 1) + fraction_bits;
        let mantissa = if exponent == 0 || self.integer_bit { fraction } else { fraction | 1 << self.mantissa_bits };
        (negative, Parts::Finite { mantissa, exponent: exponent.max(1) - bias })
    }

    /// True if the x87 accepts it: the integer bit is set exactly where the exponent is not zero.
    fn is_valid(self, bits: u128) -> bool {
        let exponent = bits >> self.mantissa_bits & ((1 << self.exponent_bits) - 1);
        let integer = bits >> (self.mantissa_bits - 1) & 1;
        !self.integer_bit || (exponent == 0) == (integer == 0)
    }

    /// True if it is infinite.
    pub fn is_infinite(self, bits: u128) -> bool {
        self.take_apart(bits).1 == Parts::Infinite
    }

    /// True if it is not zero, but smaller than the smallest normal number.
    pub fn is_denormal(self, bits: u128) -> bool {
        let magnitude = bits & ((1 << (self.mantissa_bits + self.exponent_bits)) - 1);
        magnitude != 0 && magnitude >> self.mantissa_bits == 0
    }

    /// Formats as gdb does: `%g` with enough digits to tell any two numbers apart, `inf`, `nan(0x8000000000000)`.
    pub fn text(self, bits: u128) -> String {
        if !self.is_valid(bits) {
            return "<invalid float value>".to_owned();
        }
        let (negative, parts) = self.take_apart(bits);
        let sign = if negative { "-" } else { "" };
        match parts {
            Parts::Infinite => format!("{sign}inf"),
            Parts::NotANumber(fraction) => format!("{sign}nan({fraction:#x})"),
            Parts::Finite { mantissa, exponent } => {
                let (digits, power) = significant(mantissa, exponent, self.digits);
                format!("{sign}{}", general(&digits, power, self.digits))
            }
        }
    }

    /// Converts to the nearest double.
    pub fn to_f64(self, bits: u128) -> f64 {
        match self.size {
            4 => return f64::from(f32::from_bits(bits as u32)),
            8 => return f64::from_bits(bits as u64),
            _ => {}
        }
        let (negative, parts) = self.take_apart(bits);
        let magnitude = match parts {
            Parts::Infinite => f64::INFINITY,
            Parts::NotANumber(_) => f64::NAN,
            Parts::Finite { mantissa, exponent } => scaled(mantissa, exponent),
        };
        if negative { -magnitude } else { magnitude }
    }

    /// Converts a double to the nearest bits of this layout.
    pub fn from_f64(self, value: f64) -> u128 {
        match self.size {
            4 => return u128::from((value as f32).to_bits()),
            8 => return u128::from(value.to_bits()),
            _ => {}
        }
        let sign = u128::from(value.is_sign_negative()) << (self.mantissa_bits + self.exponent_bits);
        let top_exponent = (1_i32 << self.exponent_bits) - 1;
        let fraction_bits = self.mantissa_bits - u32::from(self.integer_bit);
        let integer = |set: bool| if self.integer_bit && set { 1_u128 << fraction_bits } else { 0 };
        let (_, parts) = DOUBLE.take_apart(u128::from(value.to_bits()));
        let top = u128::from(top_exponent as u32) << self.mantissa_bits;
        match parts {
            Parts::Infinite => sign | top | integer(true),
            Parts::NotANumber(fraction) => {
                let fraction =
                    if fraction_bits >= 52 { fraction << (fraction_bits - 52) } else { 1 << (fraction_bits - 1) };
                sign | top | fraction | integer(true)
            }
            Parts::Finite { mantissa: 0, .. } => sign,
            Parts::Finite { mantissa, exponent } => {
                let width = 128 - mantissa.leading_zeros();
                let power = exponent + width as i32 - 1;
                let biased = power + (top_exponent >> 1);
                if biased >= top_exponent {
                    return sign | top | integer(true);
                }
                // Subnormal numbers keep fewer fraction bits.
                let keep = if biased > 0 { fraction_bits as i32 } else { fraction_bits as i32 + biased - 1 };
                let shift = width as i32 - 1 - keep;
                let fraction = if shift <= 0 {
                    mantissa << -shift
                } else if shift > 127 {
                    0
                } else {
                    let half = 1_u128 << (shift - 1);
                    let rest = mantissa & ((half << 1) - 1);
                    let cut = mantissa >> shift;
                    cut + u128::from(rest > half || rest == half && cut & 1 == 1)
                };
                if self.integer_bit {
                    sign | u128::from(biased.max(0) as u32) << self.mantissa_bits | fraction
                } else {
                    // A carry out of the fraction increments the exponent.
                    let base = u128::from(biased.max(1) as u32 - 1) << self.mantissa_bits;
                    sign | if biased > 0 { base + fraction } else { fraction }
                }
            }
        }
    }
}

/// `mantissa * 2^exponent` as a double, rounded to nearest, ties to even.
fn scaled(mantissa: u128, exponent: i32) -> f64 {
    if mantissa == 0 {
        return 0.0;
    }
    let width = (128 - mantissa.leading_zeros()) as i32;
    let power = exponent + width - 1;
    if power > 1023 {
        return f64::INFINITY;
    }
    let keep = if power >= -1022 { 52 } else { 52 + power + 1022 };
    let shift = width - 1 - keep;
    let (significand, scale) = if shift <= 0 {
        (mantissa, exponent)
    } else if shift > 127 {
        (0, 0)
    } else {
        let half = 1_u128 << (shift - 1);
        let rest = mantissa & ((half << 1) - 1);
        let cut = mantissa >> shift;
        (cut + u128::from(rest > half || rest == half && cut & 1 == 1), exponent + shift)
    };
    // Two exact multiplications: a power of two below the smallest normal number has no inverse in range.
    let first = scale.clamp(-1000, 1000);
    significand as f64 * 2_f64.powi(first) * 2_f64.powi(scale - first)
}

/// A number of any size, least significant limb first, in base 10^9 or 2^32.
struct Limbs(Vec<u32>);

impl Limbs {
    fn new(value: u128) -> Self {
        let mut limbs = Self((0..4).map(|n| (value >> (32 * n)) as u32).collect());
        limbs.trim();
        limbs
    }

    fn trim(&mut self) {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }

    fn multiply(&mut self, factor: u32) {
        let mut carry = 0_u64;
        for limb in &mut self.0 {
            carry += u64::from(*limb) * u64::from(factor);
            *limb = carry as u32;
            carry >>= 32;
        }
        if carry != 0 {
            self.0.push(carry as u32);
        }
    }

    /// Divides by 10^9 and returns the remainder.
    fn next_digits(&mut self) -> u32 {
        let mut remainder = 0_u64;
        for limb in self.0.iter_mut().rev() {
            let value = remainder << 32 | u64::from(*limb);
            *limb = (value / 1_000_000_000) as u32;
            remainder = value % 1_000_000_000;
        }
        self.trim();
        remainder as u32
    }
}

/// Returns the first `wanted` decimal digits of `mantissa * 2^exponent`, rounded to nearest, ties to even, and the
/// power of ten of the first one.
fn significant(mantissa: u128, exponent: i32, wanted: usize) -> (Vec<u8>, i32) {
    if mantissa == 0 {
        return (vec![b'0'; wanted], 0);
    }
    // m * 2^-e = m * 5^e / 10^e: an integer and a shift of the decimal point.
    let (mut limbs, shift) = (Limbs::new(mantissa), exponent.min(0));
    let mut left = exponent.unsigned_abs();
    let (small, large, step) = if exponent < 0 { (5, 1_220_703_125, 13) } else { (2, 1 << 31, 31) };
    while left > 0 {
        let (factor, taken) = if left >= step { (large, step) } else { (small, 1) };
        limbs.multiply(factor);
        left -= taken;
    }
    let mut reversed = Vec::new();
    while !limbs.0.is_empty() {
        let mut group = limbs.next_digits();
        for _ in 0..9 {
            reversed.push(b'0' + (group % 10) as u8);
            group /= 10;
        }
    }
    while reversed.last() == Some(&b'0') {
        reversed.pop();
    }
    reversed.reverse();
    let mut digits = reversed;
    let mut power = digits.len() as i32 - 1 + shift;
    if digits.len() > wanted {
        let tail = digits.split_off(wanted);
        let above = tail.iter().skip(1).any(|digit| *digit != b'0');
        let odd = digits.last().is_some_and(|digit| digit % 2 == 1);
        let up = match tail.first() {
            Some(b'5') => above || odd,
            Some(digit) => *digit > b'5',
            None => false,
        };
        if up && carry(&mut digits) {
            power += 1;
        }
    }
    digits.resize(wanted, b'0');
    (digits, power)
}

/// Adds one in the last place; returns `true` if the number got one digit longer (its last digit, a 0, is dropped).
fn carry(digits: &mut [u8]) -> bool {
    for digit in digits.iter_mut().rev() {
        if *digit < b'9' {
            *digit += 1;
            return false;
        }
        *digit = b'0';
    }
    if let Some(first) = digits.first_mut() {
        *first = b'1';
    }
    true
}

/// Formats like printf(3) `%.*g`: no trailing zeros; an exponent below -4 and from the precision up.
fn general(digits: &[u8], power: i32, precision: usize) -> String {
    let end = digits.iter().rposition(|digit| *digit != b'0').map_or(1, |last| last + 1);
    let digits: String = digits.iter().take(end).map(|digit| *digit as char).collect();
    let (first, rest) = digits.split_at_checked(1).unwrap_or(("0", ""));
    if power < -4 || power >= precision as i32 {
        let point = if rest.is_empty() { "" } else { "." };
        let sign = if power < 0 { '-' } else { '+' };
        return format!("{first}{point}{rest}e{sign}{:02}", power.unsigned_abs());
    }
    if power < 0 {
        return format!("0.{}{digits}", "0".repeat(power.unsigned_abs() as usize - 1));
    }
    let whole = power as usize + 1;
    match digits.split_at_checked(whole) {
        Some((whole, "")) => whole.to_owned(),
        Some((whole, fraction)) => format!("{whole}.{fraction}"),
        None => format!("{digits:0<whole$}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn doubles_and_floats_print_as_gdb_prints_them() {
        for (value, text) in [
            (2.0, "2"),
            (-0.5, "-0.5"),
            (0.1, "0.10000000000000001"),
            (1e100, "1e+100"),
            (1e-5, "1.0000000000000001e-05"),
            (123_456_789.0, "123456789"),
            (1e17, "1e+17"),
            (1e16, "10000000000000000"),
            (5.14159, "5.1415899999999999"),
            (-0.0, "-0"),
            (5e-324, "4.9406564584124654e-324"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(DOUBLE.text(u128::from(f64::to_bits(value))), text);
        }
        assert_eq!(DOUBLE.text(0x7ff8_0000_0000_0000), "nan(0x8000000000000)");
        assert_eq!(DOUBLE.text(0xfff8_0000_0000_0000), "-nan(0x8000000000000)");
        for (value, text) in [(0.1_f32, "0.100000001"), (1e30, "1.00000002e+30"), (1e-40, "9.9999461e-41")] {
            assert_eq!(SINGLE.text(u128::from(value.to_bits())), text);
        }
    }

    #[test]
    fn infinite_and_denormal_numbers_are_told_apart() {
        let smallest = [(HALF, 0x400_u128), (SINGLE, 1 << 23), (DOUBLE, 1 << 52), (QUADRUPLE, 1 << 112)];
        for (layout, normal) in smallest.into_iter().chain([(X87, 0x8000_0000_0000_0000 | 1 << 64)]) {
            let denormal = |bits| layout.is_denormal(bits);
            assert!(denormal(1) && denormal(layout.from_f64(-0.0) | 1), "{layout:?}");
            assert!(!denormal(0) && !denormal(layout.from_f64(-0.0)) && !denormal(normal) && !denormal(normal + 1));
            let infinite = |value| layout.is_infinite(layout.from_f64(value));
            assert!(infinite(f64::INFINITY) && infinite(f64::NEG_INFINITY) && !infinite(f64::NAN) && !infinite(1.0));
        }
        assert!(!X87.is_infinite(0x7ffe_ffff_ffff_ffff_ffff));
    }

    #[test]
    fn wide_floats_print_as_gdb_prints_them() {
        assert_eq!(X87.text(0x3ffb_cccc_cccc_cccc_cccd), "0.100000000000000000001");
        assert_eq!(X87.text(0x3ffd_aaaa_aaaa_aaaa_aaab), "0.333333333333333333342");
        assert_eq!(X87.text(0x3fff_8000_0000_0000_0000), "1");
        assert_eq!(X87.text(0x7fff_8000_0000_0000_0000), "inf");
        assert_eq!(X87.text(0xffff_c000_0000_0000_0000), "-nan(0xc000000000000000)");
        assert_eq!(X87.text(0x4000_4000_0000_0000_0000), "<invalid float value>");
        assert_eq!(X87.text(0x0000_8000_0000_0000_0000), "<invalid float value>");
        assert_eq!(QUADRUPLE.text(0x3ffb_9999_9999_9999_9999_9999_9999_999a), "0.100000000000000000000000000000000005");
        assert_eq!(QUADRUPLE.text(0x4000 << 112), "2");
        assert_eq!(HALF.text(0x3e00), "1.5");
    }

    proptest! {
        #[test]
        fn a_printed_double_reads_back(bits: u64) {
            let value = f64::from_bits(bits);
            prop_assume!(value.is_finite());
            prop_assert_eq!(DOUBLE.text(u128::from(bits)).parse::<f64>().unwrap().to_bits(), bits);
        }

        #[test]
        fn wider_layouts_hold_every_double(bits: u64) {
            let value = f64::from_bits(bits);
            prop_assume!(!value.is_nan());
            for layout in [X87, QUADRUPLE] {
                prop_assert_eq!(layout.to_f64(layout.from_f64(value)).to_bits(), bits);
            }
        }

        #[test]
        fn narrow_layouts_survive_a_double(bits: u16) {
            let value = HALF.to_f64(u128::from(bits));
            prop_assume!(!value.is_nan());
            prop_assert_eq!(HALF.from_f64(value), u128::from(bits));
        }

        #[test]
        fn no_bits_panic(bits: u128) {
            for layout in [HALF, SINGLE, DOUBLE, QUADRUPLE, X87] {
                let masked = bits & (u128::MAX >> (128 - 8 * layout.size));
                layout.text(masked);
                layout.to_f64(masked);
            }
        }
    }
}
