//! The message for a refused jump, shared by all engines.

use model::LocationSpec;

/// Maximum number of places that the message lists.
const MOST_NAMED: usize = 8;

/// Explains why a thread cannot jump to a location: none of its places is in the current function, or several are.
pub(super) fn unreasonable(location: &LocationSpec, function: Option<&str>, all: &[u64], inside: &[u64]) -> String {
    let named = |addresses: &[u64]| {
        let named: Vec<String> =
            addresses.iter().take(MOST_NAMED).map(|address| format!("\"jump *{address:#x}\"")).collect();
        named.join(" or ")
    };
    let function = function.map_or_else(|| "the function that would jump".to_owned(), |name| format!("`{name}'"));
    match inside.len() {
        0 => format!("{location} is not in {function}; {} goes there anyway.", named(all)),
        many => format!(
            "Unreasonable jump request: {location} is at {many} places of {function}; {} chooses one.",
            named(inside)
        ),
    }
}
