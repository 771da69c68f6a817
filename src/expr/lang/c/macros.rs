//! Advice for C macros in expressions: the program has no function of that name, but another expression does the same.

/// Returns the replacement of a C macro, or of a C library function of that name.
fn instead_of(name: &str) -> Option<&'static str> {
    let name = name.strip_prefix("std::").unwrap_or(name);
    Some(match name.strip_prefix("__builtin_").unwrap_or(name) {
        "isnan" | "isnanf" | "isnanl" | "ieee_is_nan" => "write \"x != x\" to test x for NaN",
        "isfinite" | "finite" | "ieee_is_finite" => "write \"x - x == 0\" to test whether x is finite",
        "isinf" => "write \"x == x && x - x != 0\" to test x for infinity",
        "signbit" => "write \"x < 0\"",
        "isunordered" => "write \"x != x || y != y\"",
        "NAN" => "no value equals NaN: write \"x != x\" to test x for it",
        "NULL" | "nullptr" => "write 0",
        _ => return None,
    })
}

/// Adds advice to the error for a name, if there is any.
pub fn with_advice(message: String, name: &str) -> String {
    match instead_of(&name.to_ascii_lowercase()).or_else(|| instead_of(name)) {
        Some(advice) => format!("{message} ({advice})"),
        None => message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_for_nan_is_answered_with_one_that_works() {
        let advised = |name: &str| with_advice("No symbol.".to_owned(), name);
        assert_eq!(advised("std::isnan"), "No symbol. (write \"x != x\" to test x for NaN)");
        assert_eq!(advised("ISNAN"), advised("__builtin_isnan"));
        assert_eq!(advised("NAN"), "No symbol. (no value equals NaN: write \"x != x\" to test x for it)");
        assert_eq!(advised("energy"), "No symbol.");
    }
}
