//! Formats statistical numbers.

/// The digits of a number that tell something.
pub(in crate::report) const DIGITS: usize = 10;

/// Formats a number with this many significant digits, whatever its magnitude. Digits that are not known are not written
/// as zeros: `1.23457e8`.
pub(in crate::report) fn significant(value: f64, digits: usize) -> String {
    let rounded: f64 = format!("{value:.*e}", digits.saturating_sub(1)).parse().unwrap_or(value);
    match rounded.abs() {
        size if size != 0.0 && !(1e-5..1e16).contains(&size) => format!("{rounded:e}"),
        // A whole number keeps all its digits.
        _ if value.fract() == 0.0 => value.to_string(),
        size if size >= 10_f64.powi(i32::try_from(digits).unwrap_or(i32::MAX)) => format!("{rounded:e}"),
        _ => rounded.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_that_are_not_known_are_not_zeros() {
        let six = |value| significant(value, 6);
        assert_eq!([six(123_456_789.25), six(123_456.25), six(-1_234_567.5)], ["1.23457e8", "123456", "-1.23457e6"]);
        assert_eq!([six(123_456_789.0), six(0.25), six(1e-7)], ["123456789", "0.25", "1e-7"]);
        assert_eq!(significant(2_147_483_324.5, DIGITS), "2147483324");
    }
}
