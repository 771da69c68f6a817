//! Formats statistical numbers.

/// The digits of a number that tell something.
pub(in crate::report) const DIGITS: usize = 10;

/// Formats a number with this many significant digits, whatever its magnitude.
pub(in crate::report) fn significant(value: f64, digits: usize) -> String {
    let rounded: f64 = format!("{value:.*e}", digits.saturating_sub(1)).parse().unwrap_or(value);
    match rounded.abs() {
        size if size != 0.0 && !(1e-5..1e16).contains(&size) => format!("{rounded:e}"),
        // A whole number keeps all its digits.
        _ if value.fract() == 0.0 => value.to_string(),
        _ => rounded.to_string(),
    }
}
