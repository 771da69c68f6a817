//! Results of the x87 unit where it leaves one for a handler: scaled by 2^24576 if it is too large or too small for a
//! register (Intel manual, volume 1, 8.5.4 and 8.5.5).

/// The exponent of the scale.
const SCALE: i32 = 24576;
/// The largest exponent of a finite number, with bias.
const LARGEST: u16 = 0x7ffe;
const SIGN: u16 = 0x8000;

/// The rounding of a control word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rounding {
    Nearest,
    Down,
    Up,
    Zero,
}

impl Rounding {
    fn of(control_word: u16) -> Self {
        match control_word >> 10 & 3 {
            0 => Self::Nearest,
            1 => Self::Down,
            2 => Self::Up,
            _ => Self::Zero,
        }
    }

    /// True if a magnitude between two numbers becomes the larger; `half` says how the rest compares with half.
    fn goes_away(self, negative: bool, odd: bool, half: std::cmp::Ordering) -> bool {
        match self {
            Self::Nearest => half.is_gt() || half.is_eq() && odd,
            Self::Down => negative,
            Self::Up => !negative,
            Self::Zero => false,
        }
    }
}

/// Returns the result that the program would have got instead of a scaled one that was too large.
pub(super) fn overflown(scaled: [u8; 10], control_word: u16) -> [u8; 10] {
    let (sign, _, _) = parts(scaled);
    let rounding = Rounding::of(control_word);
    if rounding == Rounding::Nearest || rounding.goes_away(sign != 0, false, std::cmp::Ordering::Greater) {
        return joined(sign, LARGEST + 1, 1 << 63);
    }
    // By the precision that the control word allows.
    let lost = match control_word >> 8 & 3 {
        0 => 40,
        2 => 11,
        _ => 0,
    };
    joined(sign, LARGEST, u64::MAX << lost)
}

/// The same for one that was too small; `true` if it is exact. It may have been rounded before, and is rounded again.
pub(super) fn underflown(scaled: [u8; 10], control_word: u16) -> ([u8; 10], bool) {
    let (sign, exponent, mantissa) = parts(scaled);
    let actual = i32::from(exponent) - SCALE;
    let shift = u32::try_from(1 - actual).unwrap_or(0);
    if shift == 0 || mantissa == 0 {
        return (joined(sign, u16::try_from(actual).unwrap_or(0), mantissa), true);
    }
    let wide = u128::from(mantissa) << 64;
    let shifted = if shift > 127 { 1 } else { wide >> shift | u128::from(wide << (128 - shift) != 0) };
    let (kept, rest) = ((shifted >> 64) as u64, shifted as u64);
    let half = rest.cmp(&(1 << 63));
    let away = rest != 0 && Rounding::of(control_word).goes_away(sign != 0, kept & 1 == 1, half);
    let rounded = kept + u64::from(away);
    (joined(sign, u16::from(rounded >> 63 == 1), rounded), rest == 0)
}

fn parts(number: [u8; 10]) -> (u16, u16, u64) {
    let [a, b, c, d, e, f, g, h, low, high] = number;
    let top = u16::from_le_bytes([low, high]);
    (top & SIGN, top & !SIGN, u64::from_le_bytes([a, b, c, d, e, f, g, h]))
}

fn joined(sign: u16, exponent: u16, mantissa: u64) -> [u8; 10] {
    let ([a, b, c, d, e, f, g, h], [low, high]) = (mantissa.to_le_bytes(), (sign | exponent).to_le_bytes());
    [a, b, c, d, e, f, g, h, low, high]
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEAREST: u16 = 0x37f;
    const TO_ZERO: u16 = 0xf7f;
    const UP: u16 = 0xb7f;

    #[test]
    fn numbers_too_large_become_infinite_or_the_largest() {
        let scaled = |sign| joined(sign, 0x2000, 0xc000_0000_0000_0000);
        assert_eq!(overflown(scaled(0), NEAREST), joined(0, 0x7fff, 1 << 63));
        assert_eq!(overflown(scaled(SIGN), TO_ZERO), joined(SIGN, 0x7ffe, u64::MAX));
        assert_eq!(overflown(scaled(0), UP), joined(0, 0x7fff, 1 << 63));
        assert_eq!(overflown(scaled(SIGN), UP), joined(SIGN, 0x7ffe, u64::MAX));
        assert_eq!(overflown(scaled(0), TO_ZERO & !0x100), joined(0, 0x7ffe, u64::MAX << 11));
    }

    #[test]
    fn numbers_too_small_lose_their_last_digits() {
        let scaled = |below: i32, mantissa| joined(0, u16::try_from(SCALE + 1 - below).unwrap(), mantissa);
        let result = |below, mantissa, control| parts(underflown(scaled(below, mantissa), control).0);
        assert_eq!(result(1, 1 << 63, NEAREST), (0, 0, 1 << 62));
        assert_eq!(result(1, u64::MAX, NEAREST), (0, 1, 1 << 63), "rounded up to the smallest normal number");
        assert_eq!(result(1, u64::MAX, TO_ZERO), (0, 0, u64::MAX >> 1));
        assert_eq!(result(2, 0b11 | 1 << 63, TO_ZERO), (0, 0, 1 << 61));
        assert_eq!(result(2, 0b10 | 1 << 63, NEAREST), (0, 0, 1 << 61), "half of an even number");
        assert_eq!(result(63, 1 << 63, NEAREST), (0, 0, 1));
        assert_eq!(result(64, 1 << 63, NEAREST), (0, 0, 0));
        assert_eq!((result(64, 3 << 62, NEAREST), result(200, 1 << 63, UP)), ((0, 0, 1), (0, 0, 1)));
        assert!(underflown(scaled(3, 1 << 63), NEAREST).1 && !underflown(scaled(3, 1 << 63 | 1), NEAREST).1);
        assert_eq!(result(0, 1 << 63, NEAREST), (0, 1, 1 << 63));
    }
}
